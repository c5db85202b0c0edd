//! A condition that a rule states only once more is known is not lost: the verdict is *unknown* where it is not among the conditions.

use kanshape::graph::Graph;
use kanshape::{Call, Type, Verdict, catalog};

/// A call with contents, the contents of its output, and what is claimed.
type Asked<'t> = (&'t str, &'t [&'t str], &'t str, Verdict);

const ASKED: [Asked<'_>; 11] = [
    // For n = 2 and m = 3 it is 9.
    (
        "onnx::Pow",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "i64[1] = [8]",
        Verdict::Unknown,
    ),
    // For n = 0 it is a.
    (
        "onnx::Gather",
        &["i64[3] = [a, b, c]", "i64[1] = [n]"],
        "i64[1] = [4]",
        Verdict::Unknown,
    ),
    (
        "onnx::GatherND",
        &["i64[3] = [a, b, c]", "i64[1] = [n]"],
        "i64[] = [4]",
        Verdict::Unknown,
    ),
    // A condition says all of it: for n = 2 and m = 3 the quotient is 0, and nothing is divided by 0.
    (
        "onnx::Div",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "i64[1] = [3]",
        Verdict::Depends,
    ),
    (
        "onnx::Div",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "i64[1] = [p]",
        Verdict::Depends,
    ),
    (
        "onnx::Div",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "?",
        Verdict::Depends,
    ),
    (
        "onnx::Div",
        &["i64[1] = [n]", "i64[1] = [2]"],
        "i64[1] = [3]",
        Verdict::Depends,
    ),
    (
        "onnx::Mod",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "i64[1] = [1]",
        Verdict::Depends,
    ),
    (
        "onnx::Equal",
        &["i64[1] = [n]", "i64[1] = [4]"],
        "bool[1] = [true]",
        Verdict::Depends,
    ),
    (
        "onnx::Max",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "i64[1] = [3]",
        Verdict::Depends,
    ),
    // Nothing is given that it could refuse.
    (
        "onnx::Pow",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "i64[1]",
        Verdict::Always,
    ),
];

#[test]
fn a_condition_that_waits_is_not_lost() {
    for (op, inputs, output, verdict) in ASKED {
        let types = inputs
            .iter()
            .map(|text| Some(text.parse::<Type>().unwrap()));
        let call = Call {
            inputs: types.collect(),
            outputs: Some(vec![Some(output.parse().unwrap())]),
            ..Call::default()
        };
        let operator = catalog().operator(op, None).unwrap();
        let mut answers = operator.query(call).unwrap().solve().unwrap();
        assert_eq!(answers.verdict(), verdict, "{op} {inputs:?} -> {output}");
    }
}

/// What the first node makes of names is required to be something by the second one: for n = 2 and m = 3 it is not.
#[test]
fn nor_is_one_on_what_it_makes() {
    for (first, second, x, verdict) in [
        ("onnx::Pow", "onnx::Reshape", "f32[6]", Verdict::Unknown),
        ("onnx::Div", "onnx::Reshape", "f32[6]", Verdict::Depends),
        ("onnx::Div", "onnx::Expand", "f32[3]", Verdict::Depends),
    ] {
        let mut graph = Graph::new(catalog());
        let mut value = |text: &str| graph.value(&text.parse().unwrap()).unwrap();
        let [n, m, x] = ["i64[1] = [n]", "i64[1] = [m]", x].map(&mut value);
        let mut node = |op: &str, inputs: [_; 2]| {
            let operator = catalog().operator(op, None).unwrap();
            let call = graph.call(&operator, vec![], &[true; 2], &[true]).unwrap();
            let (_, made) = graph.add(call, &inputs);
            made.get(0).unwrap()
        };
        let made = node(first, [n, m]);
        node(second, [x, made]);
        assert_eq!(graph.read().verdict(), verdict, "{first}, {second}");
    }
}
