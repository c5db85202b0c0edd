//! What a 0 in the shape of a `Reshape` does.

use super::text::model;
use kanshape::graph::Graph;
use kanshape::{Call, Relations, Verdict, catalog};

/// A size in the shape of a reshape that has to be 0 copies the dim in its place, which is not 0.
#[test]
fn a_size_that_has_to_be_0_copies() {
    let text = "
        like: f32[M]
        x: f32[1, 0]
        s = Shape(like)
        y = Reshape(x, s)
    ";
    let (mut m, _) = model(text);
    assert_eq!(m.graph.read().verdict(), Verdict::Never);
    let (mut m, _) = model(&text.replace("x: f32[1, 0]", "x: f32[0, 1]"));
    assert_eq!(m.graph.read().verdict(), Verdict::Depends);
}

/// Only an `allowzero` of 1 takes a 0 for itself.
#[test]
fn other_numbers_than_1_copy() {
    for (allows, ty) in [(0, "f32[2, 0]"), (1, "f32[0, 0]"), (2, "f32[2, 0]")] {
        let text = format!("x: f32[2, 0]\ny = Reshape(x, i64[2] = [0, 0]) allowzero={allows}");
        let (mut m, values) = model(&text);
        assert_eq!(m.graph.ty(values["y"]).to_string(), ty);
    }
}

/// A number of which the parity is known is never 0, and may still be -1, which denotes the size that is left.
#[test]
fn an_odd_number_may_denote_the_rest() {
    let text = "
        x: f32[0, 2]
        axes: i64[2] = [0, ?]
        least = ReduceMax(x, axes)
        empty: f32[0]
        y = Reshape(empty, axes)
    ";
    for last in [-1, 1] {
        let (mut m, values) = model(text);
        let axes = format!("i64[2] = [0, {last}]").parse().unwrap();
        m.graph.assume(values["axes"], &axes).unwrap();
        assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[0, 1]");
    }
}

/// Where the shape of the input is not known, a size that may be 0 is no dim of the result yet: it may copy one.
#[test]
fn a_size_may_copy_a_dim_that_is_not_known() {
    let text = "
        x: ?
        like: f32[M, K]
        s = Shape(like)
        y = Reshape(x, s)
    ";
    let facts = [("x", "f32[4, 6]"), ("like", "f32[0, 6]")];
    for order in [[0, 1], [1, 0]] {
        let (mut m, values) = model(text);
        for i in order {
            let (name, ty) = facts[i];
            m.graph.assume(values[name], &ty.parse().unwrap()).unwrap();
        }
        assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[4, 6]");
        assert_eq!(m.graph.read().verdict(), Verdict::Always);
    }
    // Backwards it is one or the other.
    let reshape = catalog().operator("onnx::Reshape", None).unwrap();
    let call = "f32[4, ?], i64[2] = [M, K] -> f32[4, 6]".parse().unwrap();
    let answers = reshape.query(call).unwrap().solve().unwrap();
    let answers: Vec<String> = answers.map(|answer| answer.to_string()).collect();
    let both = "f32[4, 6], i64[2] = [M, K] -> f32[4, 6] where M in {0, 4}, K in {0, 6}";
    assert_eq!(answers, [both]);
    let call = "[allowzero = 1] ?, i64[2] = [M, K] -> f32[4, 6]";
    let mut answers = reshape
        .query(call.parse().unwrap())
        .unwrap()
        .solve()
        .unwrap();
    let first = answers.next().unwrap().to_string();
    assert_eq!(
        first,
        "f32[24], i64[2] = [4, 6] -> f32[4, 6] where M == 4, K == 6"
    );
}

/// Where a size of the target is required to be 1 or more, that may be too much: what contradicts it is unknown, and only what holds for
/// no sizes at all is never.
#[test]
fn nothing_is_never_for_a_size_that_may_be_0() {
    // H = 0 gives f32[0, 2] in both places.
    let text = "
        x: f32[H, 2, H]
        y = Reshape(x, i64[2] = [0, H])
        z = Reshape(y, i64[2] = [-1, H])
    ";
    let (mut m, _) = model(text);
    assert_ne!(m.graph.read().verdict(), Verdict::Never);
    // N = 0 gives f32[2, 0].
    let text = "
        x: f32[2, N]
        like: f32[N]
        y = Reshape(x, i64[2] = [N, -1])
    ";
    let (mut m, values) = model(text);
    assert_eq!(m.graph.ty(values["y"]).to_string(), "f32[N, 2]");
    let made = m.graph.assume(values["like"], &"f32[0]".parse().unwrap());
    assert!(made.is_err_and(|conflict| conflict.is_undecided()));
    let reshape = catalog().operator("onnx::Reshape", None).unwrap();
    let query = |y: &str| {
        let inputs = ["f32[2, N]", "i64[2] = [N, -1]"];
        let inputs = inputs.map(|ty| Some(ty.parse().unwrap()));
        let call = Call {
            inputs: inputs.into(),
            outputs: Some(vec![Some(y.parse().unwrap())]),
            ..Call::default()
        };
        reshape.query(call).unwrap().solve().unwrap().verdict()
    };
    assert_ne!(query("f32[2, 0]"), Verdict::Never);
    assert_eq!(query("f32[2, 3]"), Verdict::Never);
    // What is wrong besides is never.
    let more = "
        three: f32[3, 4]
        five: f32[5, 4]
        z = MatMul(three, five)
    ";
    let (mut m, _) = model(&format!("{text}{more}"));
    assert_eq!(m.graph.read().verdict(), Verdict::Never);
}

/// The counts of elements agree for all sizes but 0, or where nothing is left over by a division: that is what is required, and no more.
#[test]
fn counts_that_agree_without_a_remainder() {
    let reshape = catalog().operator("onnx::Reshape", None).unwrap();
    for (data, shape, wanted) in [
        (
            "f32[b*n, 16]",
            "i64[3] = [b, -1, 16]",
            "f32[b, n, 16] where b >= 1",
        ),
        // A sum is a multiple where its terms are.
        (
            "f32[b, 2, n + 1, 4]",
            "i64[3] = [2*b, -1, 4]",
            "f32[2*b, n + 1, 4] where b >= 1",
        ),
        ("f32[b, n, 16]", "i64[2] = [b, -1]", "f32[b, 16*n]"),
        (
            "f32[b, h, 8]",
            "i64[4] = [b, h//4, 4, 8]",
            "f32[b, h//4, 4, 8] where h % 4 == 0",
        ),
        // Beside the last axis of the data a width of 0 would copy that.
        (
            "f32[b, h, w, 8]",
            "i64[6] = [b, h//4, 4, w//4, 4, 8]",
            "f32[b, h//4, 4, w//4, 4, 8] where h % 4 == 0, w % 4 == 0, w >= 4",
        ),
        (
            "f32[b, 7*ceil(h/7), 8]",
            "i64[4] = [b, ceil(h/7), 7, 8]",
            "f32[b, ceil(h/7), 7, 8]",
        ),
        // With -1 what is left over may be another size.
        (
            "f32[b, h, 8]",
            "i64[4] = [b, 2, -1, 8]",
            "f32[b, 2, h//2, 8] where h % 2 == 0",
        ),
    ] {
        let call = Call {
            inputs: [data, shape].iter().map(|ty| ty.parse().ok()).collect(),
            ..Call::default()
        };
        let mut answers = reshape.query(call).unwrap().solve().unwrap();
        let found = answers.next().unwrap().to_string();
        assert!(found.ends_with(&format!("-> {wanted}")), "{found}");
    }
    // Of nothing any size could be left: that is not never.
    let text = "
        x: f32[b, n, 16]
        like: f32[b]
        y = Reshape(x, i64[2] = [-1, 16])
        z = Reshape(y, i64[3] = [b, -1, 16])
    ";
    let (mut m, values) = model(text);
    assert_eq!(m.graph.ty(values["z"]).to_string(), "f32[b, n, 16]");
    let made = m.graph.assume(values["like"], &"f32[0]".parse().unwrap());
    assert!(made.is_err_and(|conflict| conflict.is_undecided()));
}

/// What a size in the shape of a `Reshape` means, if it is 0 or -1, is not known of one that may be either: whatever name
/// what it is made of has been given.
#[test]
fn a_size_of_unknown_sign_is_not_decided() {
    let reshape = catalog().operator("onnx::Reshape", None).unwrap();
    for (data, size) in [
        ("M", "M - 1"),
        ("M*M", "M*M - 1"),
        ("M*K", "M*K - 1"),
        ("M*M*K", "M*M*K - 1"),
        ("M//3", "M//3 - 1"),
    ] {
        let types = [format!("f32[{data}]"), format!("i64[2] = [{size}, 2]")];
        let call = kanshape::Call {
            inputs: types.iter().map(|ty| ty.parse().ok()).collect(),
            ..kanshape::Call::default()
        };
        let mut answers = reshape.query(call).unwrap().solve().unwrap();
        assert_eq!(answers.verdict(), Verdict::Unknown, "{types:?}");
    }
}

/// Where there are no elements whatever a size is, the size may be 0: then it copies a dim, and nothing is required of it.
#[test]
fn a_size_may_be_0_where_nothing_is_reshaped() {
    let nothing = "
        x: f32[0, M]
        s = Shape(x)
        flat = Flatten(x) axis=2
        y = Reshape(flat, s)
    ";
    // Where K is 0, the second size copies K*K.
    let both = "
        x: f32[K, K]
        s = Shape(x)
        flat = Flatten(x) axis=0
        y = Reshape(flat, s)
    ";
    for (text, found) in [(nothing, "f32[0, max(M, 1)]"), (both, "f32[max(K, 1), K]")] {
        let (mut m, values) = model(text);
        assert_eq!(m.graph.ty(values["y"]).to_string(), found);
        let mut reading = m.graph.read();
        assert_eq!(
            (reading.conditions().len(), reading.verdict()),
            (0, Verdict::Always)
        );
    }
}

/// What is required only of tensors that have elements says so: `[0, 2, 0]` is reshaped to `[0, 0, 2]` by copying 2 to the second dim.
#[test]
fn a_size_of_at_least_1_is_required_unless_there_is_nothing() {
    let of = |text: &str| {
        let (mut m, _) = model(text);
        let all = m.graph.read().conditions().into_iter();
        let mut all: Vec<(String, bool)> = all
            .map(|one| (one.condition.to_string(), one.unless_empty))
            .collect();
        all.sort();
        all
    };
    let found = of("
        like: f32[M, K]
        x: f32[K, 2, M]
        s = Shape(like)
        to = Concat(s, i64[1] = [2]) axis=0
        y = Reshape(x, to)
    ");
    assert_eq!(found, [("K >= 1".into(), true), ("M >= 1".into(), true)]);
    // Another node bounds the same size: of the condition of both, only a part is required of tensors without elements.
    let found = of("
        like: f32[M, K]
        x: f32[K, 2, M]
        s = Shape(like)
        to = Concat(s, i64[1] = [2]) axis=0
        y = Reshape(x, to)
        z: f32[M]
        m = Slice(s, i64[1] = [0], i64[1] = [1])
        table: f32[3]
        row = Slice(table, i64[1] = [0], m)
        sum = Add(z, row)
    ");
    assert_eq!(
        found,
        [("K >= 1".into(), true), ("M in {1, 2, 3}".into(), true)]
    );
    let found = of("x: f32[N]\ny = Reshape(x, i64[2] = [3, -1])");
    assert_eq!(found, [("N % 3 == 0".into(), false)]);
}

/// To a shape that only an input has anything can be reshaped: all elements in one of its dims, and 1 in each other one.
#[test]
fn some_shape_with_as_many_dims_has_these_elements() {
    for rank in 1..4 {
        for x in ["f32[N]", "f32[N, 3, M]", "f32[N, M, 0]"] {
            let (mut m, _) = model(&format!(
                "x: {x}\nshape: i64[{rank}]\ny = Reshape(x, shape)"
            ));
            assert_eq!(m.graph.read().verdict(), Verdict::Always, "{x} {rank}");
        }
    }
    let (mut m, _) = model("x: f32[N, 3]\nshape: i64[0]\ny = Reshape(x, shape)");
    assert_eq!(m.graph.read().verdict(), Verdict::Never);
    let (mut m, _) = model("x: f32[N]\nshape: i64[0]\ny = Reshape(x, shape)");
    assert_eq!(m.graph.read().verdict(), Verdict::Depends);
}

/// A tensor of no dims has one element. What is known of a shape with a length of its own is how many dims there are, and that their
/// product is the number of elements.
#[test]
fn a_tensor_that_has_another_number_of_elements_than_one_has_dims() {
    for (x, shape, required) in [
        ("f32[2, 3]", "i64[N]", "N >= 1"),
        ("f32[2, K]", "i64[N]", "N >= 1"),
        ("f32[0, K]", "i64[N]", "N >= 1"),
        ("f32[M, N, K]", "i64[N]", "N >= 1"),
    ] {
        let (mut m, _) = model(&format!("x: {x}\ns: {shape}\ny = Reshape(x, s)"));
        let mut reading = m.graph.read();
        let conditions = reading.conditions();
        let conditions: Vec<String> = conditions.iter().map(|c| c.condition.to_string()).collect();
        assert_eq!(
            (conditions, reading.verdict()),
            (vec![required.into()], Verdict::Depends)
        );
    }
}

/// No product of sizes is negative, though every other number is one.
#[test]
fn a_product_of_sizes_is_not_negative() {
    let text = "op P (x: T[n], s: i64[k]) -> (y: T[..to]) :- T: Float, len(to) = k, k >= 1, prod(to) = n - 3";
    let relations = Relations::load_str("mine.kan", text).unwrap();
    let mut graph = Graph::new(&relations);
    let inputs = ["f32[N]", "i64[K]"].map(|ty| graph.value(&ty.parse().unwrap()).unwrap());
    let operator = relations.operator("P", None).unwrap();
    let call = graph
        .call(&operator, vec![], &[true, true], &[true])
        .unwrap();
    graph.add(call, &inputs);
    let mut reading = graph.read();
    let conditions = reading.conditions();
    let mut conditions: Vec<String> = conditions.iter().map(|c| c.condition.to_string()).collect();
    conditions.sort_unstable();
    assert_eq!(
        (conditions, reading.verdict()),
        (vec!["K >= 1".into(), "N >= 3".into()], Verdict::Depends)
    );
}
