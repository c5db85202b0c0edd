//! Quantized elements: calls of StableHLO's own tests, and modules.

use kanshape::{Verdict, catalog};
use kanshape_stablehlo::{Options, Program, Report};

fn checked(text: &str) -> Report {
    let program = Program::parse("test", text).unwrap();
    program.check(catalog(), &Options::default())
}

/// A call, as a module of its own.
fn module(row: &serde_json::Value) -> String {
    let list = |key: &str| -> Vec<String> {
        let all = row[key].as_array().unwrap().iter();
        all.map(|ty| ty.as_str().unwrap().to_owned()).collect()
    };
    let (inputs, outputs) = (list("inputs"), list("outputs"));
    let params = inputs.iter().enumerate();
    let params: Vec<String> = params.map(|(i, ty)| format!("%{i}: {ty}")).collect();
    let operands: Vec<String> = (0..inputs.len()).map(|i| format!("%{i}")).collect();
    format!(
        "func.func @main({}) {{\n  %r:{} = \"stablehlo.{}\"({}) {{{}}} : ({}) -> ({})\n  return\n}}",
        params.join(", "),
        outputs.len(),
        row["op"].as_str().unwrap(),
        operands.join(", "),
        row["attributes"].as_str().unwrap(),
        inputs.join(", "),
        outputs.join(", ")
    )
}

#[test]
fn what_the_verifier_refuses_can_t_be() {
    let mut unlike = Vec::new();
    let (mut refused, mut accepted) = (0, 0);
    for line in include_str!("../data/stablehlo/quantized.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let verdict = checked(&module(&row)).verdict;
        match (row["accepted"].as_bool().unwrap(), verdict) {
            (false, Verdict::Never) => refused += 1,
            (true, Verdict::Always | Verdict::Depends) => accepted += 1,
            _ => unlike.push(format!("{}: {verdict}", row["id"].as_str().unwrap())),
        }
    }
    assert_eq!((refused, accepted), (100, 74));
    assert_eq!(
        unlike,
        [
            // Of these it is not said what they make of quantized elements.
            "q1-bitcast_convert: unknown",
            "q1-custom_call: unknown",
            "q1-tuple: unknown",
            // C6: two processes have twice the size. The verifier takes any multiple.
            "q3-all_gather: never",
            "q3-bitcast_convert: unknown",
            "q3-custom_call: unknown",
            "q3-tuple: unknown",
            // `si8` is not read as what is stored.
            "q79-uniform_dequantize: unknown",
        ]
    );
}

/// How elements are quantized is written as in the module, with the sizes that were found.
#[test]
fn types_have_their_elements() {
    let report = checked(
        "func.func @main(%x: tensor<?x4xf32>, %w: tensor<4x8x!quant.uniform<i8:f32:1, {0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8}>>) -> tensor<?x8xf32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<?x4xf32>) -> tensor<?x4x!quant.uniform<i8<-128:127>:f32, 5.0e-1:3>>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<?x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<4x8x!quant.uniform<i8:f32:1, {0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8}>>) -> tensor<?x8x!quant.uniform<i32:f32, 0.01>>
  %2 = stablehlo.uniform_quantize %1 : (tensor<?x8x!quant.uniform<i32:f32, 0.01>>) -> tensor<?x8x!quant.uniform<i8:f32, 0.5>>
  return %2 : tensor<?x8x!quant.uniform<i8:f32, 0.5>>
}",
    );
    assert_eq!(
        report.to_string(),
        "@main : (f32[d0, 4], !quant.uniform<i8:f32:1, {0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8}>[4, 8]) -> !quant.uniform<i8:f32, 0.5>[d0, 8]"
    );
    assert_eq!(report.verdict, Verdict::Never);
    assert_eq!(
        report.problems[0].headline,
        "its elements are quantized, and declared as if they were not"
    );
}

/// An axis has a scale for each of its slices, so that a size is known.
#[test]
fn an_axis_has_as_many_slices_as_scales() {
    let text = "func.func @main(%x: tensor<1x?x!quant.uniform<i8:f32:1, {0.1, 0.2}>>) -> tensor<?x1x!quant.uniform<i8:f32:0, {0.1, 0.2}>> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1x?x!quant.uniform<i8:f32:1, {0.1, 0.2}>>) -> tensor<?x1x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  return %0 : tensor<?x1x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
}";
    let report = checked(text);
    assert_eq!(
        report.to_string(),
        "@main : (!quant.uniform<i8:f32:1, {0.1,0.2}>[1, 2]) -> !quant.uniform<i8:f32:0, {0.1,0.2}>[2, 1]"
    );
    assert_eq!(
        checked(
            &text
                .replace("{0.1, 0.2}", "{0.1, 0.2, 0.3}")
                .replace('?', "2")
        )
        .verdict,
        Verdict::Never
    );
}

/// Bodies and functions take and give elements as they are.
#[test]
fn elements_go_through_bodies_and_functions() {
    let text = "func.func @main(%p: tensor<i1>, %x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = \"stablehlo.if\"(%p) ({
    %1 = func.call @f(%x) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
    stablehlo.return %1 : tensor<4x!quant.uniform<i8:f32, 0.5>>
  }, {
    stablehlo.return %x : tensor<4x!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<i1>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}
func.func @f(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.tanh %x : tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}";
    let report = checked(text);
    assert_eq!(report.verdict, Verdict::Always, "{:?}", report.problems);
    let other = text.replace(
        "@f(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>)",
        "@f(%x: tensor<4x!quant.uniform<i16:f32, 0.5>>)",
    );
    assert_eq!(checked(&other).verdict, Verdict::Never);
}

/// Where it is not said what an operation makes of quantized elements, shapes are followed and nothing else is said.
#[test]
fn what_is_not_said_of_elements_is_unknown() {
    let report = checked(
        "func.func @main(%x: tensor<4x?x!quant.uniform<i8:f32, 0.5>>) -> tensor<?xi8> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x?x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x?xi8>
  %1 = \"mine.flat\"(%0) : (tensor<4x?xi8>) -> tensor<?xi8>
  return %1 : tensor<?xi8>
}",
    );
    assert_eq!(report.verdict, Verdict::Unknown, "{:?}", report.problems);
}

/// What is said of one scale for all elements is worked out once; each place has its own mistake all the same.
#[test]
fn each_mistake_has_its_place() {
    let report = checked(
        "func.func @main(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>, %y: tensor<5x!quant.uniform<i16:f32, 0.5>>) {
  %0 = stablehlo.tanh %x : tensor<4x!quant.uniform<i8:f32, 0.5>>
  %1 = \"stablehlo.tanh\"(%y) : (tensor<5x!quant.uniform<i16:f32, 0.5>>) -> tensor<5x!quant.uniform<i8:f32, 0.5>>
  %2 = \"stablehlo.tanh\"(%y) : (tensor<5x!quant.uniform<i16:f32, 0.5>>) -> tensor<5x!quant.uniform<i8:f32, 0.5>>
  return
}",
    );
    assert_eq!(report.verdict, Verdict::Never);
    assert_eq!(report.problems.len(), 2);
}
