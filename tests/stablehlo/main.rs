//! Modules that JAX has lowered: read and printed, and typed without looking at the types of their results.
#![allow(clippy::unwrap_used)]

mod constraints;
mod forms;
mod models;
mod quantized;
mod refined;
mod side_by_side;

use kanshape::{Dim, Type, catalog};
use kanshape_stablehlo::{Options, Program, Report};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo")
}

fn text(id: &str, form: &str) -> Option<String> {
    std::fs::read_to_string(folder().join(format!("{id}.{form}.mlir"))).ok()
}

fn functions() -> Vec<Value> {
    let rows = std::fs::read_to_string(folder().join("functions.jsonl")).unwrap();
    let rows: Vec<Value> = rows
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(rows.len(), 60);
    rows
}

/// A type as JAX writes it.
fn of_jax(text: &str) -> String {
    let (dtype, shape) = text.split_once('[').unwrap();
    let dtype = match dtype {
        "float32" => "f32",
        "float64" => "f64",
        "float16" => "f16",
        "bfloat16" => "bf16",
        "int32" => "i32",
        "int8" => "i8",
        "uint8" => "u8",
        "uint32" => "u32",
        "complex64" => "c64",
        "bool" => "bool",
        other => panic!("{other}"),
    };
    format!("{dtype}[{shape}")
}

fn typed(text: &str, inputs: Option<Vec<String>>, declared: bool) -> Report {
    let program = Program::parse("test", text).unwrap();
    let inputs = inputs.map(|all| all.iter().map(|ty| ty.parse().unwrap()).collect());
    let options = Options {
        inputs,
        declared,
        ..Options::default()
    };
    program.check(catalog(), &options)
}

#[test]
fn all_modules_are_printed_as_they_are_written() {
    let mut count = 0;
    for row in functions() {
        for form in ["static", "static.generic", "dynamic"] {
            let Some(text) = text(row["id"].as_str().unwrap(), form) else {
                continue;
            };
            let program = Program::parse("test", &text).unwrap();
            assert_eq!(program.to_string().trim_end(), text.trim_end());
            count += 1;
        }
    }
    assert!(count >= 170, "{count}");
}

/// Without the types of results the static modules have those that JAX declares, in both forms.
#[test]
fn static_modules_have_the_types_of_jax() {
    for row in functions() {
        let id = row["id"].as_str().unwrap();
        let wanted: Vec<String> = row["static_outputs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|ty| of_jax(ty.as_str().unwrap()))
            .collect();
        for form in ["static", "static.generic"] {
            let Some(text) = text(id, form) else {
                continue;
            };
            for declared in [false, true] {
                let report = typed(&text, None, declared);
                let outputs: Vec<String> = report.outputs.iter().map(ToString::to_string).collect();
                assert_eq!(outputs, wanted, "{id} {form} {:#?}", report.problems);
                assert_eq!(
                    report.verdict.to_string(),
                    "always",
                    "{id} {:#?}",
                    report.problems
                );
            }
        }
    }
}

/// An input as JAX specifies it: `('a, b', float32)`.
fn specified(text: &str) -> String {
    let (shape, dtype) = text[2..].split_once("', ").unwrap();
    of_jax(&format!("{}[{shape}]", dtype.trim_end_matches(')')))
}

/// Are two types the same for sizes of 1 and more that names may stand for?
fn agree(own: &Type, wanted: &Type) -> bool {
    let mut seed = 1_u64;
    own.dtype() == wanted.dtype()
        && (0..50).all(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let size = |name: &str| {
                let letter = u64::from(name.as_bytes()[0]);
                Some(1 + (seed >> 33).wrapping_mul(letter | 1) % 9)
            };
            let at = |ty: &Type| -> Option<Vec<u64>> {
                let dims = ty.dims()?.iter();
                dims.map(|dim: &Dim| dim.at(&size)).collect()
            };
            let (own, wanted) = (at(own), at(wanted));
            own.is_some() && own == wanted
        })
}

/// With JAX's names, the dynamic modules have the types that JAX finds, or such as say the same. In the modules there are only `?`.
#[test]
fn dynamic_modules_have_the_types_of_jax() {
    let mut count = 0;
    for row in functions() {
        let id = row["id"].as_str().unwrap();
        let Some(text) = text(id, "dynamic") else {
            continue;
        };
        let Some(wanted) = row["symbolic_outputs"].as_array() else {
            continue;
        };
        let inputs = row["inputs"].as_array().unwrap().iter();
        let inputs: Vec<String> = inputs.map(|ty| specified(ty.as_str().unwrap())).collect();
        let wanted: Vec<Type> = wanted
            .iter()
            .map(|ty| of_jax(ty.as_str().unwrap()).parse().unwrap())
            .collect();
        for declared in [false, true] {
            let report = typed(&text, Some(inputs.clone()), declared);
            let found = &report.outputs;
            assert_ne!(
                report.verdict.to_string(),
                "never",
                "{id} {:#?}",
                report.problems
            );
            assert_eq!(found.len(), wanted.len(), "{id}");
            for (own, wanted) in found.iter().zip(&wanted) {
                assert!(agree(own, wanted), "{id}: {own} and not {wanted}");
            }
            // What JAX assumes of its names is what has to hold, and no more.
            for requirement in &report.conditions {
                let text = requirement.condition.to_string();
                let is_least = text
                    .strip_suffix(" >= 1")
                    .is_some_and(|name| name.len() == 1);
                assert!(is_least || id == "patches", "{id}: {text}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 60);
}

fn refused(text: &str) -> Vec<String> {
    let report = typed(text, None, true);
    report.problems.iter().map(|d| d.headline.clone()).collect()
}

#[test]
fn what_is_wrong_has_a_place() {
    let text = "func.func @main(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<2x5xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}";
    let report = typed(text, None, false);
    assert_eq!(report.verdict.to_string(), "never");
    let label = &report.problems[0].labels[0];
    assert_eq!(&text[label.start..label.end], "stablehlo.dot_general");
    assert!(
        report.problems[0]
            .steps
            .iter()
            .any(|s| s == "dim 1 of input 0 (`lhs`) is 3"),
        "{:?}",
        report.problems[0].steps
    );
}

#[test]
fn a_declared_type_is_a_claim() {
    let text = "func.func @main(%x: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}";
    let found = refused(text);
    assert_eq!(found, ["it can't be `f32[3, 3]`, as is declared"]);
    let report = typed(text, None, false);
    assert_eq!(report.outputs[0].to_string(), "f32[3, 2]");
    assert!(report.problems.is_empty());
}

#[test]
fn what_a_function_is_declared_to_give_is_a_claim() {
    let of = |head: &str, body: &str| {
        format!("func.func @main(%x: tensor<?x3xf32>) {head} {{ {body} }}")
    };
    let gives = "return %x : tensor<?x3xf32>";
    let cases = [
        (
            "-> tensor<?x4xf32>",
            gives,
            "it can't be `f32[?, 4]`, as is declared",
        ),
        (
            "-> tensor<?x3xi32>",
            gives,
            "it can't be `i32[?, 3]`, as is declared",
        ),
        (
            "-> (tensor<?x3xf32>, tensor<?x3xf32>)",
            gives,
            "`@main` returns 1 values, 2 are declared",
        ),
        ("", gives, "`@main` returns 1 values, 0 are declared"),
        (
            "-> tensor<3xf32>",
            "%0 = stablehlo.tanh %x : tensor<?x3xf32>",
            "`@main` returns 0 values, 1 are declared",
        ),
    ];
    for (head, body, headline) in cases {
        assert_eq!(refused(&of(head, body)), [headline], "{head}");
    }
    // More than follows is a condition, and less is nothing.
    let report = typed(
        &of("-> tensor<2x3xf32>", gives),
        Some(vec!["f32[n, 3]".into()]),
        true,
    );
    assert_eq!(
        report.to_string(),
        "@main : (f32[2, 3]) -> f32[2, 3] where n == 2"
    );
    let report = typed(
        &of("-> tensor<2x3xf32>", gives),
        Some(vec!["f32[n, 3]".into()]),
        false,
    );
    assert_eq!(report.to_string(), "@main : (f32[n, 3]) -> f32[n, 3]");
    let report = typed(
        &of("-> tensor<*xf32>", gives),
        Some(vec!["f32[n, 3]".into()]),
        true,
    );
    assert_eq!(report.verdict.to_string(), "always");
}

/// Element types that are called otherwise here, and such as are no dtypes: these are written as in the module.
#[test]
fn element_types_are_followed() {
    let text = "func.func @main(%x: tensor<?x3xELEMENT>, %w: tensor<3x4xELEMENT>) -> tensor<?x4xELEMENT> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x3xELEMENT>, tensor<3x4xELEMENT>) -> tensor<?x4xELEMENT>
  %1 = stablehlo.add %0, %0 : tensor<?x4xELEMENT>
  %2 = stablehlo.tanh %1 : tensor<?x4xELEMENT>
  return %2 : tensor<?x4xELEMENT>
}";
    for (element, dtype, verdict) in [
        ("f8E3M4", "f8e3m4", "always"),
        ("f8E4M3", "f8e4m3", "always"),
        ("f8E4M3B11FNUZ", "f8e4m3b11fnuz", "always"),
        (
            "!quant.uniform<i8:f32, 0.1>",
            "!quant.uniform<i8:f32, 0.1>",
            "always",
        ),
        // Zero points of what is multiplied with are zero.
        (
            "!quant.uniform<i8:f32, 0.1:5>",
            "!quant.uniform<i8:f32, 0.1:5>",
            "never",
        ),
        ("!other.element", "?", "unknown"),
    ] {
        for declared in [false, true] {
            let report = typed(&text.replace("ELEMENT", element), None, declared);
            assert_eq!(
                report.to_string(),
                "@main : (?[d0, 3], ?[3, 4]) -> ?[d0, 4]".replace('?', dtype)
            );
            assert_eq!(report.verdict.to_string(), verdict, "{element}");
        }
    }
}

/// What is in a constant may be written as bytes.
#[test]
fn constants_are_read_in_each_way() {
    let shape = |written: &str, ty: &str| {
        let text = format!(
            "func.func @main() -> tensor<?x?xf32> {{
  %0 = stablehlo.constant dense<{written}> : tensor<2x{ty}>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<2x{ty}>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}}"
        );
        typed(&text, None, true).outputs[0].to_string()
    };
    assert_eq!(shape("[3, 4]", "i64"), "f32[3, 4]");
    assert_eq!(shape("3", "i64"), "f32[3, 3]");
    assert_eq!(
        shape("\"0x03000000000000000401000000000000\"", "i64"),
        "f32[3, 260]"
    );
    assert_eq!(shape("\"0x0300000000000000\"", "i64"), "f32[3, 3]");
    assert_eq!(shape("\"0x0300000004000000\"", "i32"), "f32[3, 4]");
    // Bytes that are none, or too few.
    for wrong in [
        "\"0x030000000400000\"",
        "\"0x03000000040000\"",
        "\"0x03000g0004000000\"",
        "\"\"",
    ] {
        assert_eq!(shape(wrong, "i32"), "f32[d0, d1]", "{wrong}");
    }
}

#[test]
fn what_is_not_known_is_said() {
    let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = mine.norm %x : tensor<2xf32>
  %1 = stablehlo.add %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
}";
    let report = typed(text, None, false);
    assert_eq!(report.verdict.to_string(), "unknown");
    assert_eq!(report.outputs[0].to_string(), "f32[2]");
    assert_eq!(
        report.problems[0].headline,
        "nothing is known of `mine.norm`"
    );
}

/// What a function without a body does is not in the module: its results are what they are declared as, and what it takes is a claim.
#[test]
fn a_function_may_have_no_body() {
    let forms = [
        "module {
  func.func private @ext(%arg0: tensor<?x3xf32>) -> (tensor<3xf32> {a.b}) attributes {c = 1 : i32}
  func.func @main(%x: tensor<?x?xf32>) -> tensor<3xf32> {
    %0 = call @ext(%x) : (tensor<?x?xf32>) -> tensor<3xf32>
    %1 = stablehlo.tanh %0 : tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}",
        "module {
  func.func private @ext(tensor<?x3xf32>) -> tensor<3xf32>
  func.func @main(%x: tensor<?x?xf32>) -> tensor<3xf32> {
    %0 = func.call @ext(%x) : (tensor<?x?xf32>) -> tensor<3xf32>
    %1 = stablehlo.tanh %0 : tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}",
        "\"builtin.module\"() ({
  \"func.func\"() <{function_type = (tensor<?x3xf32>) -> tensor<3xf32>, sym_name = \"ext\", sym_visibility = \"private\"}> ({
  }) : () -> ()
  \"func.func\"() <{function_type = (tensor<?x?xf32>) -> tensor<3xf32>, sym_name = \"main\"}> ({
  ^bb0(%arg0: tensor<?x?xf32>):
    %0 = \"func.call\"(%arg0) <{callee = @ext}> : (tensor<?x?xf32>) -> tensor<3xf32>
    %1 = \"stablehlo.tanh\"(%0) : (tensor<3xf32>) -> tensor<3xf32>
    \"func.return\"(%1) : (tensor<3xf32>) -> ()
  }) : () -> ()
}) : () -> ()",
    ];
    for text in forms {
        let inputs = Some(vec!["f32[n, m]".to_owned()]);
        let report = typed(text, inputs, false);
        assert_eq!(report.verdict.to_string(), "unknown");
        assert_eq!(
            report.to_string(),
            "@main : (f32[n, 3]) -> f32[3] where m == 3"
        );
        assert_eq!(report.problems[0].headline, "nothing is known of `@ext`");
        let report = typed(text, Some(vec!["f32[2, 4]".to_owned()]), true);
        assert_eq!(report.verdict.to_string(), "never", "{text}");
        assert_eq!(
            Program::parse("test", text).unwrap().to_string().trim_end(),
            text
        );
    }
}

#[test]
fn a_module_may_be_empty() {
    for text in [
        "module {}",
        "module @m {}",
        "module @m attributes {a = 1 : i32} {}",
    ] {
        assert_eq!(refused(text), ["the module has no function"], "{text}");
    }
    let text = "module { func.func private @f(tensor<2xf32>) -> tensor<2xf32> }";
    assert_eq!(refused(text), ["no function of the module has a body"]);
}

/// Calls that leave open what is declared, and the same calls once more: what was found of one is known of the others, and only of those
/// on the same types.
#[test]
fn what_is_declared_is_believed_of_each_call() {
    let text = "func.func @main(%x: tensor<?x4xf32>, %w: tensor<4x5xf32>, %b: tensor<5xf32>) -> (tensor<?x5xf32>, tensor<?x5xf64>, tensor<2x5xf32>, tensor<3x5xf32>, tensor<2x5xf32>, tensor<?x5xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf64>
  %2 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<5xf32>) -> tensor<2x5xf32>
  %3 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<5xf32>) -> tensor<3x5xf32>
  %4 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<5xf32>) -> tensor<2x5xf32>
  %5 = stablehlo.add %2, %4 : tensor<2x5xf32>
  %6 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
  %7 = stablehlo.add %0, %6 : tensor<?x5xf32>
  return %0, %1, %2, %3, %5, %7 : tensor<?x5xf32>, tensor<?x5xf64>, tensor<2x5xf32>, tensor<3x5xf32>, tensor<2x5xf32>, tensor<?x5xf32>
}";
    for declared in [false, true] {
        let report = typed(
            text,
            Some(["f32[n, 4]", "f32[4, 5]", "f32[5]"].map(Into::into).into()),
            declared,
        );
        assert_eq!(
            report.to_string(),
            "@main : (f32[n, 4], f32[4, 5], f32[5]) -> (f32[n, 5], f64[n, 5], f32[2, 5], f32[3, 5], f32[2, 5], f32[n, 5])"
        );
        assert_eq!(
            report.verdict.to_string(),
            "always",
            "{:?}",
            report.problems
        );
    }
    // What can't be is refused each time.
    let wrong = "func.func @main(%b: tensor<5xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<5xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<5xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}";
    assert_eq!(refused(wrong).len(), 2);
}

/// Conditions of which several hold at once are no cases: five convolutions have not 32 of them.
#[test]
fn many_calls_of_one_kind_are_decided() {
    let mut text = "func.func @main(%x: tensor<2x32x32x3xf32>, %w: tensor<7x7x3x8xf32>) -> tensor<2x16x16x8xf32> {\n".to_owned();
    for i in 0..40 {
        text += &format!(
            "  %{i} = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{stride = [2, 2], pad = [[2, 3], [2, 3]], reverse = [false, false]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : (tensor<2x32x32x3xf32>, tensor<7x7x3x8xf32>) -> tensor<2x16x16x8xf32>\n"
        );
    }
    text += "  return %39 : tensor<2x16x16x8xf32>\n}";
    for declared in [false, true] {
        let report = typed(&text, None, declared);
        assert_eq!(report.outputs[0].to_string(), "f32[2, 16, 16, 8]");
        assert_eq!(report.verdict.to_string(), "always");
    }
}

#[test]
fn bounds_are_conditions() {
    let text = "func.func @main(%x: tensor<2x?xf32, #stablehlo.bounds<?, 50>>) -> tensor<?x2xf32, #stablehlo.bounds<40, ?>> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x?xf32, #stablehlo.bounds<?, 50>>) -> tensor<?x2xf32, #stablehlo.bounds<40, ?>>
  return %0 : tensor<?x2xf32, #stablehlo.bounds<40, ?>>
}";
    let report = typed(text, None, true);
    assert_eq!(
        report.to_string(),
        "@main : (f32[2, d0]) -> f32[d0, 2] where d0 <= 40"
    );
    let report = typed(text, None, false);
    assert_eq!(
        report.to_string(),
        "@main : (f32[2, d0]) -> f32[d0, 2] where d0 <= 50"
    );
    let report = typed(text, Some(vec!["f32[2, 60]".into()]), true);
    assert_eq!(report.verdict.to_string(), "never");
}

#[test]
fn bodies_are_checked() {
    let text =
        "func.func @main(%n: tensor<i32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %a = %x) : tensor<i32>, tensor<?xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c : tensor<i32>
    stablehlo.return %1, %y : tensor<i32>, tensor<?xf32>
  }
  return %0#1 : tensor<?xf32>
}";
    let program = Program::parse("test", text).unwrap();
    let inputs = ["i32[]", "f32[n]", "f32[m]"].map(|ty| ty.parse().unwrap());
    let options = Options {
        inputs: Some(inputs.to_vec()),
        ..Options::default()
    };
    let report = program.check(catalog(), &options);
    assert_eq!(report.outputs[0].to_string(), "f32[n]");
    let conditions: Vec<String> = report
        .conditions
        .iter()
        .map(|c| c.condition.to_string())
        .collect();
    assert_eq!(conditions, ["m == n"]);
}

#[test]
fn a_module_that_calls_itself_ends() {
    let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @main(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}";
    let report = typed(text, None, true);
    assert_eq!(
        report.problems[0].headline,
        "`@main` is called within itself"
    );
}

#[test]
fn texts_that_are_none_are_refused() {
    for text in [
        "func.func @main(",
        "func.func @main() { %0 = ",
        "module { \"",
        "tensor<",
        "func.func @f() { return }}",
        "%0 = dense<",
        "\u{e9}",
    ] {
        assert!(Program::parse("test", text).is_err(), "{text}");
    }
    let deep = format!("module @m {{ {} }}", "func.func @f() { ".repeat(1000));
    assert!(Program::parse("test", &deep).is_err());
    let types = format!(
        "func.func @f(%x: {}tensor<f32>{}) {{ return }}",
        "tuple<".repeat(100_000),
        ">".repeat(100_000)
    );
    assert!(Program::parse("test", &types).is_ok());
}

/// A size of 0 beside another one makes a list of nothing, as often as the other one says: that is no reason to build it.
#[test]
fn a_dense_attribute_is_no_longer_than_a_constant() {
    for dims in ["0x99999999999", "99999999999x0", "99999999999"] {
        let text = format!(
            "func.func @main(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32> {{
  %0 = \"stablehlo.convolution\"(%x, %w) {{window_strides = array<i64: 1, 1>, padding = dense<0> : tensor<{dims}xi64>, batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return %0 : tensor<1x6x6x8xf32>
}}"
        );
        let report = typed(&text, None, true);
        assert_eq!(report.outputs[0].to_string(), "f32[1, 6, 6, 8]", "{dims}");
    }
}
