//! Forms of MLIR's text that tools print, and what is declared in them.

use super::{refused, typed};
use kanshape_stablehlo::Program;

/// What a module of these functions comes to, without what is declared for results and with it.
fn comes_to(text: &str, found: &str, verdict: &str) {
    for declared in [false, true] {
        let report = typed(text, None, declared);
        assert_eq!(report.to_string(), found, "{text} {:#?}", report.problems);
        assert_eq!(report.verdict.to_string(), verdict, "{text}");
    }
    let printed = Program::parse("x", text).unwrap().to_string();
    let again = Program::parse("x", &printed).unwrap().to_string();
    assert_eq!(printed, again);
}

#[test]
fn modules_in_modules_and_names_of_types() {
    let text = "!t = tensor<?xf32>
!u = !t
module @m attributes {a.b = 1 : i32} {
  module {}
  module @n { }
  func.func @main(%x: !u) -> !t {
    %0 = stablehlo.tanh %x : !t
    return %0 : !t
  }
}";
    comes_to(text, "@main : (f32[d0]) -> f32[d0]", "always");
}

#[test]
fn functions_are_called_within_their_module() {
    let text = "module {
  module @inner { func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> } }
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
}";
    comes_to(text, "@main : (f32[2]) -> f32[2]", "always");
}

/// A function that goes on in other blocks gives what it is declared to give.
#[test]
fn several_blocks_are_not_followed() {
    let text = "func.func @main(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @f(%c, %x) : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @f(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tensor.extract %c[] : tensor<i1>
  cf.cond_br %0, ^bb1, ^bb2(%x : tensor<2xf32>)
^bb1:
  \"cf.br\"(%x)[^bb2] : (tensor<2xf32>) -> ()
^bb2(%y: tensor<2xf32>):
  return %y : tensor<2xf32>
}";
    comes_to(text, "@main : (bool[], f32[2]) -> f32[2]", "unknown");
}

#[test]
fn bodies_between_pieces_and_types() {
    let text = "func.func @main(%x: tensor<?x3xf32>, %c: tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits(%c) dimension = 0 attributes {} {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %1 = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
  } : (tensor<?x3xf32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>)
  stablehlo.while() cond {
    %2 = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    \"stablehlo.return\"() : () -> ()
  }
  return %0#0, %0#1 : tensor<?x3xf32>, tensor<3xf32>
}";
    comes_to(
        text,
        "@main : (f32[d0, 3], f32[3]) -> (f32[d0, 3], f32[3])",
        "always",
    );
}

/// Attributes of a dialect may end with a comma, and have comments in them.
#[test]
fn attributes_of_a_dialect() {
    let text = "func.func @main(%x: tensor<8x5xf32>, %i: tensor<4x1xi32>, %t: !stablehlo.token) -> (tensor<4x5xf32>, !stablehlo.token) {
  %0 = \"stablehlo.gather\"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], // a > in a comment
      collapsed_slice_dims = [0],
      start_index_map = [0],
      index_vector_dim = 1,
    >,
    slice_sizes = array<i64: 1, 5>
  }> : (tensor<8x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
  %1 = \"stablehlo.send\"(%0, %t) {
    channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true
  } : (tensor<4x5xf32>, !stablehlo.token) -> !stablehlo.token
  return %0, %1 : tensor<4x5xf32>, !stablehlo.token
}";
    comes_to(
        text,
        "@main : (f32[8, 5], i32[4, 1], tuple()) -> (f32[4, 5], tuple())",
        "always",
    );
    let axes = |numbers: &str| {
        format!(
            "func.func @main(%x: tensor<1x8x3xf32>, %w: tensor<3x3x4xf32>) -> tensor<1x6x4xf32> {{
  %0 = \"stablehlo.convolution\"(%x, %w) {{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<{numbers}>}} : (tensor<1x8x3xf32>, tensor<3x3x4xf32>) -> tensor<1x6x4xf32>
  return %0 : tensor<1x6x4xf32>
}}"
        )
    };
    for numbers in [
        "[b, 0, f]x[0, i, o]->[b, 0, f]",
        "raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], \
         kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], \
         output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]",
    ] {
        let report = typed(&axes(numbers), None, true);
        assert_eq!(
            report.to_string(),
            "@main : (f32[1, 8, 3], f32[3, 3, 4]) -> f32[1, 6, 4]"
        );
    }
}

#[test]
fn two_functions_of_one_name() {
    let text = "func.func @main() { return } func.func @f() { return } func.func @f() { return }";
    let report = typed(text, None, true);
    assert_eq!(report.verdict.to_string(), "never");
    let labels = &report.problems[0].labels;
    let at: Vec<usize> = labels.iter().map(|label| label.start).collect();
    assert_eq!(at, [55, 29]);
}

/// Bodies of choices and loops take what they are given, and a choice is made by a scalar.
#[test]
fn what_bodies_take() {
    let of = |op: &str| {
        format!(
            "func.func @main(%i: tensor<i32>, %l: tensor<1xi32>, %p: tensor<i1>, %x: tensor<2xf32>) {{ {op} return }}"
        )
    };
    let gives = "\"stablehlo.return\"(%x) : (tensor<2xf32>) -> ()";
    let cases = [
        format!("%0 = \"stablehlo.if\"(%p) ({{ ^bb0(%a: tensor<2xf32>): {gives} }}, {{ {gives} }}) : (tensor<i1>) -> tensor<2xf32>"),
        format!("%0 = \"stablehlo.case\"(%i) ({{ ^bb0(%a: tensor<2xf32>): {gives} }}) : (tensor<i32>) -> tensor<2xf32>"),
        format!("%0 = \"stablehlo.case\"(%l) ({{ {gives} }}) : (tensor<1xi32>) -> tensor<2xf32>"),
        "%0 = \"stablehlo.case\"(%i) : (tensor<i32>) -> tensor<2xf32>".to_owned(),
        format!("%0 = \"stablehlo.case\"(%i) ({{ {gives} }}) : (tensor<i32>) -> tensor<3xf32>"),
        "%0 = \"stablehlo.while\"(%x) ({ ^bb0(%a: tensor<3xf32>): \"stablehlo.return\"(%p) : (tensor<i1>) -> () }, \
         { ^bb0(%a: tensor<2xf32>): \"stablehlo.return\"(%a) : (tensor<2xf32>) -> () }) : (tensor<2xf32>) -> tensor<2xf32>".to_owned(),
    ];
    for op in cases {
        assert_eq!(refused(&of(&op)).len(), 1, "{op} {:?}", refused(&of(&op)));
    }
    let right = format!(
        "%0 = \"stablehlo.case\"(%i) ({{ {gives} }}, {{ {gives} }}) : (tensor<i32>) -> tensor<2xf32>"
    );
    assert!(refused(&of(&right)).is_empty());
}

/// A type at a call is a claim about the function; a constant has the type that it is written with, and a bound is given for each open dim.
#[test]
fn what_is_declared_is_claimed() {
    let refused = |head: &str, body: &str| {
        let text = format!(
            "func.func @main({head}) {{ {body} return }} func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {{ return %x : tensor<2xf32> }}"
        );
        !refused(&text).is_empty()
    };
    let x = "%x: tensor<2xf32>";
    assert!(!refused(
        x,
        "%0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>"
    ));
    assert!(refused(
        x,
        "%0 = call @f(%x) : (tensor<2xf32>) -> tensor<3xf32>"
    ));
    assert!(refused(
        "%x: tensor<3xf32>",
        "%0 = call @f(%x) : (tensor<3xf32>) -> tensor<2xf32>"
    ));
    assert!(refused(
        x,
        "%0:2 = call @f(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)"
    ));
    assert!(!refused(
        "",
        "%0 = \"stablehlo.constant\"() <{value = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>"
    ));
    assert!(refused(
        "",
        "%0 = \"stablehlo.constant\"() <{value = dense<0> : tensor<i32>}> : () -> tensor<3xi32>"
    ));
    assert!(refused(
        "",
        "%0 = \"stablehlo.constant\"() <{value = dense<0> : tensor<?xi32>}> : () -> tensor<?xi32>"
    ));
    assert!(!refused("%x: tensor<?x3xf32, #stablehlo.bounds<4, ?>>", ""));
    assert!(refused("%x: tensor<?x3xf32, #stablehlo.bounds<4>>", ""));
    assert!(refused("%x: tensor<?x3xf32, #stablehlo.bounds<4, 3>>", ""));
}

/// The type of what a body gives is that of its last operation, whether that follows from its operands or is declared.
#[test]
fn what_a_body_gives_is_looked_at() {
    let of = |last: &str| {
        format!(
            "func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>, %z: tensor<f32>) -> tensor<4xf32> {{
  %0 = \"stablehlo.select_and_scatter\"(%x, %y, %z) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    {last}
  }}, {{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }}) {{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}} : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"
        )
    };
    let same = of("stablehlo.return %1 : tensor<i1>");
    assert_eq!(typed(&same, None, true).verdict.to_string(), "always");
    let other = of(
        "%2 = stablehlo.reshape %1 : (tensor<i1>) -> tensor<1xi1>\n    stablehlo.return %2 : tensor<1xi1>",
    );
    assert_eq!(typed(&other, None, true).verdict.to_string(), "never");
}

/// As JAX writes modules that are spread over devices: what names devices has no types, and operations stand behind it.
#[test]
fn modules_for_several_devices() {
    let text = "module @m attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]> {a.b = {axes = [{name = \"x\", size = 2 : i64}]}} loc(#l)
  sdy.mesh @other = <[\"z\"=4]>
  func.func @main(%x: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>}) -> tensor<?x8xf32> {
    %0 = sdy.sharding_constraint %x <@mesh, [{\"x\"}, {}]> : tensor<?x8xf32>
    return %0 : tensor<?x8xf32>
  }
}";
    comes_to(text, "@main : (f32[d0, 8]) -> f32[d0, 8]", "always");
    let text = "module {
  sdy.mesh @mesh = <[\"x\"=2]>
  func.func @main(%x: tensor<8x8xf32>) -> tensor<4x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={\"x\"} (%y: tensor<4x8xf32>) {
      %1 = stablehlo.tanh %y : tensor<4x8xf32>
      sdy.return %1 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}";
    comes_to(text, "@main : (f32[8, 8]) -> f32[4, 8]", "unknown");
}
