//! A model as one line says all that has to hold, or how much of it it leaves out.

use crate::encode::{Message, graph, input, model, node, value};
use crate::survive::survive;

const F32: i64 = 1;

/// Reshapes of `x`, each to the shape of another input and added to it: what they require is about sizes of values between.
fn reshaped(count: usize) -> Vec<u8> {
    let mut inputs = vec![input("x", F32, &["M".into(), 1.into()])];
    let mut nodes: Vec<Message> = Vec::new();
    let mut last = "x".to_owned();
    for i in 0..count {
        let name = |what: &str| format!("{what}{i}");
        let size = name("H");
        inputs.push(input(
            &name("x"),
            F32,
            &[size.as_str().into(), size.as_str().into()],
        ));
        nodes.push(node("Shape", &[&name("x")], &[&name("s")]));
        nodes.push(node("Reshape", &["x", &name("s")], &[&name("r")]));
        nodes.push(node("Add", &[&last, &name("r")], &[&name("y")]));
        last = name("y");
    }
    model(&graph(&nodes, &inputs, &[value(&last, None)]), 17)
}

#[test]
fn no_condition_is_left_out_in_silence() {
    for count in [1, 2, 5] {
        survive(&reshaped(count), |_, report| {
            let line = kanshape_onnx::signature(report);
            assert_eq!(report.verdict, kanshape::Verdict::Depends, "{line}");
            assert!(line.contains(" where "), "{line}");
            let is_left_out =
                |one: &&kanshape_onnx::Requirement| !line.contains(&one.condition.to_string());
            let left_out = report.conditions.iter().filter(is_left_out).count();
            let many = if left_out == 1 { "" } else { "s" };
            let counted = [
                format!("{left_out} condition{many} on sizes of other values"),
                format!("{left_out} condition{many}"),
                format!("{left_out} more condition{many}"),
            ];
            assert!(
                left_out == 0 || counted.iter().any(|counted| line.ends_with(counted)),
                "{line}: {left_out}"
            );
        })
        .unwrap();
    }
}

#[test]
fn equal_types_are_counted_and_long_names_are_cut() {
    let kept = |names: [&str; 3], count: usize| {
        let dims = names.map(Into::into);
        let all: Vec<String> = (0..count).map(|i| format!("past{i}")).collect();
        let inputs: Vec<Message> = all.iter().map(|name| input(name, F32, &dims)).collect();
        let nodes: Vec<Message> = all
            .iter()
            .map(|name| node("Relu", &[name], &[&format!("{name}_on")]))
            .collect();
        let outputs: Vec<Message> = all
            .iter()
            .map(|name| value(&format!("{name}_on"), None))
            .collect();
        let bytes = model(&graph(&nodes, &inputs, &outputs), 17);
        survive(&bytes, |_, report| kanshape_onnx::signature(report)).unwrap()
    };
    let two = "f32[b, p, s], f32[b, p, s]";
    assert_eq!(kept(["b", "p", "s"], 2), format!("{two} -> {two}"));
    let many = "24 of f32[b, p, s]";
    assert_eq!(kept(["b", "p", "s"], 24), format!("{many} -> {many}"));
    let names = ["DynamicDimension_0", "DynamicDimension_1", "s"];
    let one = "f32[DynamicDimension_0, DynamicDimension_1, s]";
    assert_eq!(kept(names, 1), format!("{one} -> {one}"));
    let long = [
        "a_dimension_that_is_called_dynamic_0",
        "a_dimension_that_is_called_dynamic_1",
        "s",
    ];
    let two = "f32[…_0, …_1, s], f32[…_0, …_1, s]";
    assert_eq!(kept(long, 2), format!("{two} -> {two}"));
    // A beginning that not all have says something.
    let other = [
        "a_dimension_that_is_called_dynamic_0",
        "another_dimension_that_is_called_so",
        "s",
    ];
    assert!(kept(other, 2).contains("[a_dimension_that_is_called_dynamic_0, "));
}
