//! Modules as models: what is reported of them is what is found of the module.

use kanshape::{Type, Verdict, catalog};
use kanshape_onnx::{Exported, Model, Options, Report, check, signature, why};
use kanshape_stablehlo::Program;

use crate::{agree, functions, of_jax, specified, text};

fn exported(text: &str) -> Exported {
    let program = Program::parse("test", text).unwrap();
    program.exported(catalog()).unwrap()
}

fn with_inputs(exported: &Exported, inputs: &[String]) -> Options {
    let names = exported.inputs.iter().map(|(name, _)| name.clone());
    let types = inputs.iter().map(|ty| ty.parse().unwrap());
    exported.known(&Options {
        inputs: names.zip(types).collect(),
        ..Options::default()
    })
}

fn errors(report: &Report<'_>) -> Vec<String> {
    let all = report.problems.iter();
    all.map(|problem| problem.diagnostic.headline.clone())
        .collect()
}

#[test]
fn models_have_the_types_of_jax() {
    let mut count = 0;
    for row in functions() {
        let id = row["id"].as_str().unwrap();
        let inputs = row["inputs"].as_array().unwrap().iter();
        let inputs: Vec<String> = inputs.map(|ty| specified(ty.as_str().unwrap())).collect();
        for (form, wanted) in [
            ("static", "static_outputs"),
            ("static.generic", "static_outputs"),
            ("dynamic", "symbolic_outputs"),
        ] {
            let Some(text) = text(id, form) else {
                continue;
            };
            let exported = exported(&text);
            let options = match form {
                "dynamic" => with_inputs(&exported, &inputs),
                _ => exported.known(&Options::default()),
            };
            let model = Model::read(&exported.model).unwrap();
            let report = check(&model, &options);
            let wanted = row[wanted].as_array().unwrap().iter();
            let wanted: Vec<Type> = wanted
                .map(|ty| of_jax(ty.as_str().unwrap()).parse().unwrap())
                .collect();
            let found: Vec<&Type> = report.outputs.iter().map(|(_, ty)| &**ty).collect();
            assert_eq!(found.len(), wanted.len(), "{id} {form}");
            for (own, wanted) in found.iter().zip(&wanted) {
                let why = errors(&report);
                assert!(
                    agree(own, wanted),
                    "{id} {form}: {own} and not {wanted} {why:#?}"
                );
            }
            // One entrance says of it what the other one does.
            let program = Program::parse("test", &text).unwrap();
            let own = program.check(
                catalog(),
                &kanshape_stablehlo::Options {
                    inputs: (form == "dynamic")
                        .then(|| inputs.iter().map(|ty| ty.parse().unwrap()).collect()),
                    ..kanshape_stablehlo::Options::default()
                },
            );
            assert_eq!(
                report.verdict,
                own.verdict,
                "{id} {form} {:#?} {:#?}",
                errors(&report),
                report.untyped
            );
            count += 1;
        }
    }
    assert!(count >= 170, "{count}");
}

#[test]
fn sizes_are_followed_into_functions() {
    let text = "module @m {
  func.func public @main(%arg0: tensor<?x4xf32>) -> tensor<?xf32> {
    %0 = call @flat(%arg0) : (tensor<?x4xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func private @flat(%x: tensor<?x4xf32>) -> tensor<?xf32> {
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %c = stablehlo.constant dense<4> : tensor<i32>
    %m = stablehlo.multiply %n, %c : tensor<i32>
    %s = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
    %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}";
    let exported = exported(text);
    let model = Model::read(&exported.model).unwrap();
    let options = with_inputs(&exported, &["f32[b, 4]".into()]);
    let report = check(&model, &options);
    assert_eq!(signature(&report), "f32[b, 4] -> f32[4*b]");
    let names: Vec<&str> = report.values.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["arg0", "flat/c", "flat/n", "flat/m", "flat/s", "0"]);
    let (ways, _) = why(&model, &options, "0:0").unwrap();
    let steps: Vec<&str> = ways[0].steps.iter().map(|step| &*step.at.value).collect();
    assert!(steps.contains(&"arg0"), "{steps:?}");
}

#[test]
fn what_bodies_and_declared_types_require_is_a_condition() {
    let text =
        "func.func @main(%p: tensor<i1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<3xf32> {
  %0 = \"stablehlo.if\"(%p) ({
    stablehlo.return %x : tensor<?xf32>
  }, {
    stablehlo.return %y : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %1:2 = stablehlo.while(%i = %p, %a = %0) : tensor<i1>, tensor<?xf32>
  cond {
    stablehlo.return %i : tensor<i1>
  } do {
    stablehlo.return %i, %a : tensor<i1>, tensor<?xf32>
  }
  %2 = stablehlo.tanh %1#1 : (tensor<?xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}";
    let exported = exported(text);
    let model = Model::read(&exported.model).unwrap();
    let inputs = ["bool[]", "f32[n]", "f32[m]"].map(str::to_owned);
    let options = with_inputs(&exported, &inputs);
    let report = check(&model, &options);
    assert_eq!(report.verdict, Verdict::Depends, "{:#?}", errors(&report));
    assert_eq!(signature(&report), "bool[], f32[3], f32[3] -> f32[3]");
}

#[test]
fn what_no_model_says_is_an_error() {
    let text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tanh %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}";
    let wrong = Program::parse("test", text).unwrap().exported(catalog());
    assert_eq!(wrong.unwrap_err().headline, "nothing defines `%y`");
}

/// Of what is not known nothing is said but its declared type, and an assertion that is no comparison is open.
#[test]
fn what_is_not_known_is_open() {
    for text in [
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = mine.norm %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}",
        "func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  stablehlo.custom_call @shape_assertion(%p) {has_side_effect = true} : (tensor<i1>) -> ()
  return %x : tensor<2xf32>
}",
    ] {
        let exported = exported(text);
        let model = Model::read(&exported.model).unwrap();
        let report = check(&model, &exported.known(&Options::default()));
        assert_eq!(report.verdict, Verdict::Unknown, "{text}");
        assert_eq!(report.outputs[0].1.to_string(), "f32[2]");
    }
}
