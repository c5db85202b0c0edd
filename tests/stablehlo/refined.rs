//! Modules that are written with the types that were found.

use kanshape::tree::parse_conditions;
use kanshape::{Type, catalog};
use kanshape_stablehlo::{Options, Program, Report};

use crate::{functions, specified, text};

fn refined(text: &str, options: &Options) -> (Report, Option<String>) {
    Program::parse("test", text)
        .unwrap()
        .refined(catalog(), options)
}

fn written(text: &str) -> String {
    refined(text, &Options::default()).1.unwrap()
}

fn checked(text: &str) -> Report {
    Program::parse("test", text)
        .unwrap()
        .check(catalog(), &Options::default())
}

/// What goes in, and what comes out.
fn head(text: &str) -> [Vec<Type>; 2] {
    let report = checked(text);
    let problems = &report.problems;
    assert_eq!(
        report.verdict.to_string(),
        "always",
        "{problems:#?}\n{text}"
    );
    [report.inputs, report.outputs]
}

/// With the sizes for which JAX has lowered the static modules the dynamic ones have their types, in every place.
#[test]
fn dynamic_modules_with_sizes_are_static() {
    let mut count = 0;
    for row in functions() {
        let id = row["id"].as_str().unwrap();
        let (Some(dynamic), Some(fixed)) = (text(id, "dynamic"), text(id, "static")) else {
            continue;
        };
        let inputs = row["inputs"].as_array().unwrap().iter();
        let inputs = inputs.map(|ty| specified(ty.as_str().unwrap()).parse().unwrap());
        let sizes = row["sizes"].as_object().unwrap().iter();
        let given = sizes.flat_map(|(name, size)| {
            let given = parse_conditions(&format!("{name} == {size}")).unwrap();
            given.into_iter().map(|one| one.node)
        });
        let options = Options {
            inputs: Some(inputs.collect()),
            given: given.collect(),
            ..Options::default()
        };
        let (report, written) = refined(&dynamic, &options);
        let written = written.unwrap_or_else(|| panic!("{id}: {:#?}", report.problems));
        assert!(!written.contains("?x"), "{id}: {written}");
        let (own, wanted) = (head(&written), head(&fixed));
        assert_eq!(own[1], wanted[1], "{id}");
        // An argument that is not used is none of the static module.
        if own[0].len() == wanted[0].len() {
            assert_eq!(own[0], wanted[0], "{id}");
        }
        // Nothing but types is other, and it stands in one piece.
        let again = Program::parse("test", &written).unwrap();
        assert_eq!(again.to_string().trim_end(), written.trim_end(), "{id}");
        assert_eq!(self::written(&written), written, "{id}");
        count += 1;
    }
    assert_eq!(count, 60);
}

/// Without numbers, what is known anyway is written, and the module is the same as before.
#[test]
fn what_is_written_says_the_same() {
    for row in functions() {
        let id = row["id"].as_str().unwrap();
        for form in ["dynamic", "static", "static.generic"] {
            let Some(text) = text(id, form) else {
                continue;
            };
            let written = written(&text);
            if form != "dynamic" {
                assert_eq!(written, text, "{id} {form}");
            }
            let (own, other) = (checked(&text), checked(&written));
            assert_eq!(own.to_string(), other.to_string(), "{id} {form}");
            assert_eq!(own.verdict, other.verdict, "{id} {form}");
        }
    }
}

#[test]
fn a_function_has_the_sizes_of_all_its_calls() {
    let module = |arg: &str, size: &str| {
        format!(
            "module @m {{
  func.func public @main(%a: tensor<4xf32>, %b: tensor<{arg}xf32>) -> (tensor<{size}xf32>, tensor<{size}xf32>) {{
    %0 = call @f(%a) : (tensor<4xf32>) -> tensor<{size}xf32>
    %1 = call @f(%b) : (tensor<{arg}xf32>) -> tensor<{size}xf32>
    return %0, %1 : tensor<{size}xf32>, tensor<{size}xf32>
  }}
  func.func private @f(%x: tensor<{size}xf32>) -> (tensor<{size}xf32> {{jax.result_info = \"\"}}) {{
    %0 = stablehlo.tanh %x : tensor<{size}xf32>
    return %0 : tensor<{size}xf32>
  }}
}}"
        )
    };
    let call = "call @f(%a) : (tensor<4xf32>)";
    // The module is not valid before, as MLIR's verifier wants the same types at a call: what is written is.
    assert_eq!(written(&module("4", "?")), module("4", "4"));
    let mixed = written(&module("5", "?"));
    assert!(mixed.contains(call), "{mixed}");
    assert!(mixed.contains("private @f(%x: tensor<?xf32>)"), "{mixed}");
    assert!(
        mixed.contains("%0 = stablehlo.tanh %x : tensor<?xf32>"),
        "{mixed}"
    );
}

#[test]
fn what_others_may_call_stays() {
    let module = |word: &str| {
        format!(
            "module @m {{
  func.func @main(%a: tensor<4xf32>) -> tensor<?xf32> {{
    %s = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
    %1 = call @f(%0) : (tensor<?xf32>) -> tensor<?xf32>
    return %1 : tensor<?xf32>
  }}
  func.func {word} @f(%x: tensor<?xf32>) -> tensor<?xf32> {{
    return %x : tensor<?xf32>
  }}
}}"
        )
    };
    assert_eq!(written(&module("public")), module("public"));
    let private = module("private");
    assert_eq!(written(&private), private.replace('?', "4"));
    // Nobody calls it with what is known.
    let also = private.replace(
        "  func.func private",
        "  func.func public @g(%y: tensor<?xf32>) -> tensor<?xf32> {
    %0 = call @f(%y) : (tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func private",
    );
    assert_eq!(written(&also), also);
}

#[test]
fn loops_choices_and_tuples_have_one_type_in_all_places() {
    let text =
        "func.func @main(%p: tensor<i1>, %n: tensor<i32>, %a: tensor<4xf32>) -> tensor<?xf32> {
  %s = stablehlo.constant dense<4> : tensor<1xi32>
  %x = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  %0:2 = stablehlo.while(%i = %n, %b = %x) : tensor<i32>, tensor<?xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %b, %x : tensor<?xf32>
    stablehlo.return %i, %1 : tensor<i32>, tensor<?xf32>
  }
  %2 = \"stablehlo.if\"(%p) ({
    stablehlo.return %0#1 : tensor<?xf32>
  }, {
    %3 = stablehlo.select %p, %x, %0#1 : tensor<i1>, tensor<?xf32>
    stablehlo.return %3 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %4 = stablehlo.tuple %2, %n : tuple<tensor<?xf32>, tensor<i32>>
  %5 = stablehlo.get_tuple_element %4[0] : (tuple<tensor<?xf32>, tensor<i32>>) -> tensor<?xf32>
  %6 = stablehlo.complex %5, %5 : tensor<?xcomplex<f32>>
  %7 = stablehlo.real %6 : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  return %7 : tensor<?xf32>
}";
    assert_eq!(written(text), text.replace('?', "4"));
}

/// An operation that nobody knows may want its operand and its result to be of one type.
#[test]
fn what_is_not_known_keeps_its_type() {
    let text = "func.func @main(%a: tensor<4xf32>) -> tensor<?xf32> {
  %s = stablehlo.constant dense<4> : tensor<1xi32>
  %x = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  %0 = mine.norm %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}";
    assert_eq!(written(text), text);
}

#[test]
fn bounds_and_ranks_that_are_not_known() {
    let text = "func.func @main(%a: tensor<4x?xf32, #stablehlo.bounds<?, 9>>, %b: tensor<*xf32>) -> tensor<*xf32> {
  %0 = stablehlo.abs %a : (tensor<4x?xf32, #stablehlo.bounds<?, 9>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}";
    let wanted = text.replace("-> tensor<*xf32>", "-> tensor<4x?xf32>");
    let wanted = wanted.replace("%0 : tensor<*xf32>", "%0 : tensor<4x?xf32>");
    assert_eq!(written(text), wanted);
}

#[test]
fn a_module_with_a_mistake_is_not_written() {
    let text = "func.func @main(%x: tensor<2x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}";
    let (report, written) = refined(text, &Options::default());
    assert!(report.is_wrong());
    assert_eq!(written, None);
}
