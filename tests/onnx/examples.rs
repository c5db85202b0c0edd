//! The files load without a warning, and the worked examples of the operators are right.

use kanshape::onnx;

#[test]
fn the_files_have_no_warnings() {
    let warnings: Vec<String> = onnx().warnings().map(|w| w.to_string()).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}

#[test]
fn every_operator_says_what_it_does_and_has_an_example() {
    for operator in onnx().operators() {
        assert!(operator.doc().any(|line| !line.is_empty()), "{operator:?}");
        assert!(operator.examples().next().is_some(), "{operator:?}");
    }
}
