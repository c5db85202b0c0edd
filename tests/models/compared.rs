//! Two models against each other: the same nodes are found by what they are made of.

use crate::encode::{Message, graph, input, model, node, value};
use kanshape_onnx::{Difference, Model, Options, check, diff};

const F32: i64 = 1;

/// Operators one behind the other, each with the name of what it gives.
fn chain(input_name: &str, all: &[(&str, &str)]) -> Vec<u8> {
    let mut last = input_name;
    let nodes = all.iter().map(|(op, name)| {
        let node = node(op, &[last], &[name]);
        last = name;
        node
    });
    let nodes: Vec<Message> = nodes.collect();
    let inputs = [input(input_name, F32, &["n".into(), 4.into()])];
    model(&graph(&nodes, &inputs, &[value(last, None)]), 17)
}

fn compared(first: &[u8], second: &[u8]) -> Difference {
    let models = [first, second].map(|bytes| Model::read(bytes).unwrap());
    let reports = [0, 1].map(|i| check(&models[i], &Options::default()));
    diff((&models[0], &reports[0]), (&models[1], &reports[1]))
}

#[test]
fn a_new_node_leaves_those_behind_it_what_they_are() {
    let first = chain("x", &[("Relu", "a"), ("Neg", "b"), ("Abs", "y")]);
    let second = chain(
        "x",
        &[("Relu", "p"), ("Tanh", "t"), ("Neg", "q"), ("Abs", "y")],
    );
    let found = compared(&first, &second);
    let texts = found
        .nodes
        .iter()
        .map(|(a, b)| [a, b].map(|node| node.as_ref().map_or("", |node| node.text.as_str())));
    assert_eq!(
        texts.collect::<Vec<_>>(),
        [["Neg(a) -> (b)", "Neg(t) -> (q)"], ["", "Tanh(p) -> (t)"]]
    );
    let values: Vec<&str> = found.values.iter().map(|(name, ..)| &**name).collect();
    assert_eq!((values, found.renamed), (vec!["t"], 2));
    assert!(!found.is_none());
}

#[test]
fn other_names_are_no_difference() {
    let names = |of: &str| ["a", "b", "c"].map(|name| format!("{of}{name}"));
    let [first, second] = [names("one/"), names("two/")].map(|own| {
        let all = [
            ("Relu", &*own[0]),
            ("Neg", &*own[1]),
            ("Relu", &*own[2]),
            ("Abs", "y"),
        ];
        chain("x", &all)
    });
    let found = compared(&first, &second);
    assert!(found.is_none(), "{found:?}");
    assert_eq!(found.renamed, 3);
    // What a user gives has the name that it has.
    let other = compared(&first, &chain("z", &[("Relu", "a")]));
    assert!(other.ports.is_some());
    assert!(!other.is_none());
}
