//! What has been found out of calls is kept for the next graph, and changes no answer.

use super::Model;
use kanshape::graph::Graph;
use kanshape::{Relations, Verdict, catalog};

/// A few graphs, by the type of what goes into them: what comes out, and whether it holds.
fn answers(relations: &Relations, inputs: &[&str]) -> Vec<(String, Verdict)> {
    let answer = |input: &&str| {
        let mut m = Model {
            graph: Graph::new(relations),
            relations: relations.clone(),
        };
        let (x, w) = (m.value(input), m.value("f32[16, 16]"));
        let y = m.node("onnx::MatMul", &[x, w], &[]);
        let y = m.node("onnx::Relu", &[y], &[]);
        let shape = m.node("onnx::Shape", &[y], &[]);
        let y = m.node("onnx::Reshape", &[y, shape], &[]);
        let y = m.node("onnx::Transpose", &[y], &[("perm", &[1, 0])]);
        let y = m.node("onnx::NonZero", &[y], &[]);
        (m.ty(y), m.verdict())
    };
    inputs.iter().map(answer).collect()
}

fn fresh() -> Relations {
    Relations::load(catalog::FILES.iter().copied()).unwrap()
}

#[test]
fn the_next_graph_says_what_the_first_one_says() {
    let inputs = [
        "f32[8, 16]",
        "f32[N, 16]",
        "f32[8, 15]",
        "f32[N, K]",
        "f32[2, 3, 16]",
        "f32[...]",
        "?",
    ];
    let alone: Vec<_> = inputs
        .iter()
        .flat_map(|input| answers(&fresh(), &[*input]))
        .collect();
    let used = fresh();
    for _ in 0..3 {
        assert_eq!(answers(&used, &inputs), alone);
    }
    let mut backwards = inputs;
    backwards.reverse();
    let mut again = answers(&used, &backwards);
    again.reverse();
    assert_eq!(again, alone);
}

#[test]
fn graphs_on_several_threads_agree() {
    let relations = fresh();
    let inputs = ["f32[8, 16]", "f32[N, 16]", "f32[N, K]"];
    let alone = answers(&relations, &inputs);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| answers(&relations, &inputs)))
            .collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}

/// What a graph without empty tensors finds is not kept for one that may have some.
#[test]
fn what_follows_without_empty_tensors_is_not_kept() {
    let text = "op Pick (x: T[n]) -> (y: T[m]) :- m in {0, n}";
    let relations = kanshape::Relations::load_str("mine.kan", text).unwrap();
    let pick = relations.operator("Pick", None).unwrap();
    let found = |graph: kanshape::graph::Graph| {
        let mut graph = graph;
        let x = graph.value(&"f32[3]".parse().unwrap()).unwrap();
        let call = graph.call(&pick, vec![], &[true], &[true]).unwrap();
        let (_, outputs) = graph.add(call, &[x]);
        graph.ty(outputs.get(0).unwrap()).to_string()
    };
    let graph = || kanshape::graph::Graph::new(&relations);
    assert_eq!(found(graph().without_empty()), "f32[3]");
    assert_eq!(found(graph()), "f32[d0]");
}
