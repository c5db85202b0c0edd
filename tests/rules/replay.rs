//! Both sides on the inputs of each counterexample, written as models and read again: the types are those of the counterexample.

use kanshape::diag::Severity;
use kanshape_onnx::{Model, Options, check};
use kanshape_rewrite::{Case, Rule};

use crate::corpus::rows;

/// The outputs of a model as texts; none if a node of it is refused.
fn outputs(bytes: &[u8]) -> Option<Vec<String>> {
    let model = Model::read(bytes).unwrap();
    let report = check(&model, &Options::default());
    let mut problems = report.problems.iter();
    if problems.any(|one| one.diagnostic.severity == Severity::Error) {
        return None;
    }
    Some(report.outputs.iter().map(|(_, ty)| shape(ty)).collect())
}

/// A type without its contents.
fn shape(ty: &kanshape::Type) -> String {
    let text = ty.to_string();
    text.split(" = ").next().unwrap_or_default().to_owned()
}

fn replay(rule: &Rule, case: &Case) -> Result<(), String> {
    let Some(sides) = rule.models(case).map_err(|why| why.to_string())? else {
        return Err("no model".into());
    };
    let expected = |types: &[kanshape::Type]| types.iter().map(shape).collect::<Vec<_>>();
    let left = outputs(&sides.left);
    if left != Some(expected(&case.left)) {
        return Err(format!("left {left:?}, not {:?}", case.left));
    }
    let right = outputs(&sides.right);
    // The specification gives this a type.
    let is_refused = |why: &str| why.contains("copies a size of 0") && why.contains("executors");
    match (&case.right, right) {
        (None, None) => Ok(()),
        (None, Some(_)) if case.why.as_deref().is_some_and(is_refused) => Ok(()),
        (Some(types), Some(right)) if right == expected(types) => Ok(()),
        (types, right) => Err(format!("right {right:?}, not {types:?}")),
    }
}

#[test]
fn the_models_of_a_counterexample_have_its_types() {
    let mut replayed = 0;
    let mut differ = Vec::new();
    for row in rows() {
        for bare in [false, true] {
            let Some((rule, soundness)) = row.checked(bare) else {
                continue;
            };
            let Some(case) = &soundness.counterexample else {
                continue;
            };
            match replay(&rule, case) {
                Ok(()) => replayed += 1,
                Err(why) => differ.push(format!("{}: {rule:?}: {why}", row.name)),
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert_eq!(replayed, 151);
}
