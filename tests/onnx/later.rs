//! What a rule says once more is known is a condition of what is asked, and is not lost where no condition says it.

use kanshape::{Call, Type, Verdict, catalog};

/// A call with contents, the contents of its output, and what is claimed.
type Asked<'t> = (&'t str, &'t [&'t str], &'t str, Verdict);

const ASKED: [Asked<'_>; 11] = [
    // For n = 2 and m = 3 it is 0.
    (
        "onnx::Div",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "i64[1] = [3]",
        Verdict::Unknown,
    ),
    (
        "onnx::Div",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "i64[1] = [p]",
        Verdict::Unknown,
    ),
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
    // A condition says all of it.
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
        "onnx::Div",
        &["i64[1] = [n]", "i64[1] = [m]"],
        "?",
        Verdict::Always,
    ),
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
