//! Graphs: what follows from operators that share unknowns, in every direction.
#![allow(clippy::unwrap_used, missing_docs)]

use kanshape::graph::{Graph, NodeId, ValueId};
use kanshape::{AttrValue, Relations, Type, Verdict, catalog};

mod chain;
mod conditions;
mod declared;
mod dtypes;
mod idioms;
mod later;
mod law;
mod memory;
mod parts;
mod products;
mod pytorch;
mod reshape;
mod snapshot;
mod text;

/// A graph of ONNX operators that is easy to write.
#[derive(Clone)]
struct Model {
    graph: Graph,
    relations: Relations,
}

impl Model {
    fn new() -> Model {
        let relations = catalog();
        Model {
            graph: Graph::new(relations),
            relations: relations.clone(),
        }
    }

    fn value(&mut self, ty: &str) -> ValueId {
        self.graph.value(&ty.parse::<Type>().unwrap()).unwrap()
    }

    /// A node with one output, all of whose attributes are lists.
    fn node(&mut self, op: &str, inputs: &[ValueId], attrs: &[(&str, &[i64])]) -> ValueId {
        let attrs = attrs
            .iter()
            .map(|(name, value)| ((*name).into(), value.iter().copied().collect()));
        let inputs: Vec<_> = inputs.iter().copied().map(Some).collect();
        self.add(op, &inputs, attrs.collect(), 1)[0]
    }

    /// A node with this many outputs. Inputs may be left out.
    fn add(
        &mut self,
        op: &str,
        inputs: &[Option<ValueId>],
        attrs: Vec<(Box<str>, AttrValue)>,
        outputs: usize,
    ) -> Vec<ValueId> {
        let operator = self.relations.operator(op, None).unwrap();
        let there: Vec<bool> = inputs.iter().map(Option::is_some).collect();
        let inputs: Vec<ValueId> = inputs.iter().copied().flatten().collect();
        let call = self
            .graph
            .call(&operator, attrs, &there, &vec![true; outputs]);
        let (_, outputs) = self.graph.add(call.unwrap(), &inputs);
        outputs.iter().collect()
    }

    fn ty(&mut self, value: ValueId) -> String {
        self.graph.ty(value).to_string()
    }

    /// The conditions on what has been written of these values, and the nodes that require them.
    fn conditions(&mut self, values: &[ValueId]) -> Vec<(String, Option<usize>)> {
        let mut reading = self.graph.read();
        for value in values {
            reading.ty(*value);
        }
        let all = reading.conditions().into_iter();
        all.map(|c| (c.condition.to_string(), c.node.map(NodeId::index)))
            .collect()
    }

    fn verdict(&mut self) -> Verdict {
        self.graph.read().verdict()
    }
}

#[test]
fn a_name_is_one_unknown_across_the_graph() {
    let mut m = Model::new();
    let x = m.value("f32[N, 3, H, W]");
    let w = m.value("f32[64, 3, 7, 7]");
    let conv = [("strides", &[2, 2][..]), ("pads", &[3, 3, 3, 3])];
    let y = m.node("onnx::Conv", &[x, w], &conv);
    assert_eq!(m.ty(y), "f32[N, 64, ceil(H/2), ceil(W/2)]");
    let pool = [
        ("kernel_shape", &[3, 3][..]),
        ("strides", &[2, 2]),
        ("pads", &[1, 1, 1, 1]),
    ];
    let z = m.node("onnx::MaxPool", &[y], &pool);
    assert_eq!(m.ty(z), "f32[N, 64, ceil(H/4), ceil(W/4)]");
    assert_eq!(m.verdict(), Verdict::Always);
    // The sizes of the output say which the inputs can be.
    m.graph
        .assume(z, &"f32[8, ?, 56, 56]".parse().unwrap())
        .unwrap();
    assert_eq!(m.ty(x), "f32[8, 3, H, W]");
    let mut tried = m.clone();
    let given = |h: u64| format!("f32[8, 3, {h}, 224]").parse().unwrap();
    assert!(tried.graph.assume(x, &given(224)).is_ok());
    assert!(m.graph.assume(x, &given(230)).is_err());
}

#[test]
fn a_condition_tells_which_node_asks_for_it() {
    let mut m = Model::new();
    let x = m.value("f32[N, 3, 4]");
    let y = m.node("onnx::Relu", &[x], &[]);
    let shape = m.value("i64[2] = [1, 12]");
    let z = m.node("onnx::Reshape", &[y, shape], &[]);
    assert_eq!(m.ty(z), "f32[1, 12]");
    assert_eq!(m.conditions(&[x, z]), [("N == 1".into(), Some(1))]);
    assert_eq!(m.verdict(), Verdict::Depends);

    let mut m = Model::new();
    let (x, y) = (m.value("f32[N, 4]"), m.value("f32[M, 4]"));
    let z = m.node("onnx::Add", &[x, y], &[]);
    assert_eq!(m.ty(z), "f32[d0, 4]");
    let broadcast = ("d0 == broadcast(N, M)".into(), Some(0));
    assert_eq!(m.conditions(&[x, y, z]), [broadcast]);
    assert_eq!(m.verdict(), Verdict::Depends);
}

#[test]
fn a_size_that_turns_on_data_is_the_same_wherever_it_goes() {
    let mut m = Model::new();
    let x = m.value("f32[N, 4]");
    let nonzero = m.node("onnx::NonZero", &[x], &[]);
    let places = m.node("onnx::Transpose", &[nonzero], &[]);
    let found = m.node("onnx::GatherND", &[x, places], &[]);
    let sum = m.node("onnx::Add", &[found, found], &[]);
    assert_eq!(m.ty(nonzero), "i64[2, d0]");
    assert_eq!(m.ty(sum), "f32[d0]");
    assert_eq!(m.conditions(&[nonzero]), [("d0 <= 4*N".into(), Some(0))]);
    // Nothing is required of N.
    assert_eq!(m.verdict(), Verdict::Always);
}

#[test]
fn unknown_weights_follow_from_what_goes_in_and_comes_out() {
    let mut m = Model::new();
    let x = m.value("f32[1, 3, 224, 224]");
    let (w, bias) = (m.value("?"), m.value("?"));
    let conv = [("strides", &[2, 2][..]), ("pads", &[3, 3, 3, 3])];
    let y = m.node("onnx::Conv", &[x, w, bias], &conv);
    let z = m.node("onnx::Relu", &[y], &[]);
    m.graph
        .assume(z, &"f32[1, 64, 112, 112]".parse().unwrap())
        .unwrap();
    assert_eq!(m.ty(bias), "f32[64]");
    assert_eq!(m.ty(w), "f32[64, 3, d0, d1]");
    let all = m.conditions(&[w]);
    let all: Vec<&str> = all.iter().map(|c| c.0.as_str()).collect();
    assert_eq!(all, ["d0 in {7, 8}", "d1 in {7, 8}"]);
}

#[test]
fn a_node_that_cannot_be_takes_nothing_else_with_it() {
    let mut m = Model::new();
    let (x, w) = (m.value("f32[N, 4]"), m.value("f32[3, 5]"));
    let wrong = m.node("onnx::MatMul", &[x, w], &[]);
    let after = m.node("onnx::Relu", &[wrong], &[]);
    let other = m.node("onnx::Relu", &[x], &[]);
    // Whichever of 4 and 3 is wrong.
    assert_eq!(m.ty(after), "f32[N, 5]");
    assert_eq!(m.ty(other), "f32[N, 4]");
    assert_eq!(m.verdict(), Verdict::Never);
    let problems: Vec<_> = m.graph.problems().collect();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].node.index(), 0);
    assert_eq!(problems[0].diagnostic.code, "K0101");
}

#[test]
fn two_nodes_that_ask_for_different_sizes_contradict_each_other() {
    let mut m = Model::new();
    let x = m.value("f32[2, N]");
    let (three, four) = (m.value("f32[3, 5]"), m.value("f32[4, 5]"));
    m.node("onnx::MatMul", &[x, three], &[]);
    m.node("onnx::MatMul", &[x, four], &[]);
    assert_eq!(m.ty(x), "f32[2, 3]");
    assert_eq!(m.graph.problems().next().unwrap().node.index(), 1);
}

/// A run that has come to be empty does not hide the one before it.
#[test]
fn a_shape_of_which_the_rank_is_open_may_be_any() {
    let mut m = Model::new();
    let (x, y) = (m.value("f32[?, ...]"), m.value("f32[0]"));
    m.node("onnx::Equal", &[x, y], &[]);
    m.node("onnx::Shape", &[x], &[]);
    for ty in ["f32[0]", "f32[1]", "f32[3, 0]", "f32[2, 3, 1]"] {
        assert!(m.graph.admits(x, &ty.parse().unwrap()), "{ty}");
    }
    assert!(!m.graph.admits(x, &"f32[5]".parse().unwrap()));
}

/// A rule that was suspended is run again once its inputs are known, and what the inputs exclude is not admitted.
#[test]
fn a_product_is_typed_once_its_inputs_are_known() {
    let orders: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 1, 0]];
    for order in orders {
        let mut m = Model::new();
        let (x, w) = (m.value("?"), m.value("?"));
        let y = m.node("onnx::MatMul", &[x, w], &[]);
        let given = [(x, "f32[9, 64]"), (w, "f32[64, 10]"), (y, "f32[9, 10]")];
        for i in order {
            let (value, ty) = given[i];
            m.graph.assume(value, &ty.parse().unwrap()).unwrap();
        }
        assert_eq!(m.ty(y), "f32[9, 10]");
        assert!(!m.graph.admits(y, &"f32[8, 10]".parse().unwrap()));
        assert_eq!(m.verdict(), Verdict::Always);
    }
    let mut m = Model::new();
    let (x, w) = (m.value("f32[9, 64]"), m.value("?"));
    let y = m.node("onnx::Add", &[x, w], &[]);
    assert!(!m.graph.admits(y, &"f32[8, 64]".parse().unwrap()));
}
