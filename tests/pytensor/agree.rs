//! Every row: what PyTensor accepts has the recorded type or a more precise one, and what it refuses
//! never holds.

use crate::deviation::Deviation;
use crate::fact::{self, Fact, Static};
use crate::steps::{outputs, refused, steps};
use kanshape::{Dtype, Query, Type, Verdict};
use std::collections::BTreeMap;

/// The outputs that the catalog gives on these inputs: none if there is no solution.
fn answered(fact: &Fact, inputs: Vec<Type>) -> Result<Vec<Type>, String> {
    steps(fact).map_or(Ok(vec![]), |steps| outputs(&steps, inputs))
}

/// Does a type say all that is recorded, if the dtype should be this one?
fn says(ty: &Type, recorded: &Static, dtype: Dtype) -> bool {
    ty.as_tensor().is_some_and(|tensor| {
        let sizes = tensor.shape.iter().map(|dim| dim.size());
        tensor.dtype.known() == Some(dtype)
            && tensor.shape.rank() == Some(recorded.shape.len())
            && sizes
                .zip(&recorded.shape)
                .all(|(is, size)| size.is_none() || is == *size)
    })
}

fn check(fact: &Fact, inputs: Vec<Type>) -> Result<(), String> {
    let found = answered(fact, inputs).map_err(|odd| format!("{fact}: {odd}"))?;
    let as_recorded = |recorded: &Static, dtype| {
        !found.is_empty() && found.iter().all(|ty| says(ty, recorded, dtype))
    };
    let right = match (&fact.output, Deviation::of(fact)) {
        (Some(recorded), None) => as_recorded(recorded, recorded.dtype()),
        (Some(recorded), Some(Deviation::HalfPrecision)) => as_recorded(recorded, Dtype::F16),
        (Some(_), Some(_)) | (None, _) => found.is_empty(),
    };
    let shown: Vec<String> = found.iter().map(Type::to_string).collect();
    right
        .then_some(())
        .ok_or_else(|| format!("{fact}; here {shown:?}"))
}

fn assert_right(checks: impl Iterator<Item = Result<(), String>>) {
    let wrong: Vec<String> = checks.filter_map(Result::err).collect();
    assert!(
        wrong.is_empty(),
        "{} rows:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn types_are_those_that_pytensor_gives_or_better() {
    let facts = fact::all();
    assert_right(facts.iter().map(|fact| {
        let inputs = fact.inputs.iter().map(Static::ty);
        check(fact, inputs.collect())
    }));
}

fn never(query: &Query) -> bool {
    let answers = query.solve();
    answers.is_ok_and(|mut answers| answers.verdict() == Verdict::Never)
}

/// What is wrong with the explanation of a question that has no answer.
fn mistake(query: &Query) -> Option<&'static str> {
    let Some(conflict) = query.explain() else {
        return Some("it has no explanation");
    };
    let fewer = |without: usize| {
        let mut facts = conflict.facts.clone();
        facts.remove(without);
        facts
    };
    let is_needed = |i: usize| !never(&query.with_only(&fewer(i)));
    if conflict.facts.is_empty() {
        Some("it has no core")
    } else if !never(&query.with_only(&conflict.facts)) {
        Some("its core can hold")
    } else if !(0..conflict.facts.len()).all(is_needed) {
        Some("not all of its core is needed")
    } else if conflict
        .repairs
        .iter()
        .any(|repair| never(&repair.apply(query)))
    {
        Some("a repair does not help")
    } else {
        None
    }
}

#[test]
fn what_pytensor_refuses_is_explained() {
    let (mut count, mut wrong) = (0, Vec::new());
    for fact in fact::all().iter().filter(|fact| fact.output.is_none()) {
        let Some(steps) = steps(fact) else { continue };
        if let Some(query) = refused(&steps, fact.inputs.iter().map(Static::ty).collect()) {
            count += 1;
            wrong.extend(
                mistake(&query).map(|what| format!("{fact}: {what}: {:?}", query.explain())),
            );
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(count, 74);
}

/// Where PyTensor broadcasts, an unknown size never stands for 1. Here it may, unless that is said.
#[test]
fn types_are_so_too_where_unknown_sizes_are_not_1() {
    let broadcasts = ["add", "mul", "true_div", "lt", "add3"];
    let mut facts = fact::all();
    facts.retain(|fact| broadcasts.contains(&fact.op.as_str()));
    assert_right(facts.iter().map(|fact| {
        let mut names = 0;
        let inputs = fact.inputs.iter().map(|s| s.without_ones(&mut names));
        check(fact, inputs.collect())
    }));
}

#[test]
fn what_is_not_followed_is_on_the_page() {
    let page = include_str!("../../docs/deviations.md");
    for deviation in Deviation::ALL {
        let heading = format!("\n## {}\n", deviation.heading());
        assert!(page.contains(&heading), "{deviation:?} has no section");
    }
}

/// How many of the 384 recorded rows are not followed, and why: a change here is a change of what is
/// tested. Another file of such rows has counts of its own.
#[test]
fn few_rows_are_not_followed() {
    let mut rows = BTreeMap::new();
    for deviation in fact::all().iter().filter_map(Deviation::of) {
        *rows.entry(deviation).or_insert(0) += 1;
    }
    let expected = BTreeMap::from([
        (Deviation::TwoSizes, 5),
        (Deviation::OtherRank, 1),
        (Deviation::HalfPrecision, 1),
    ]);
    assert_eq!(rows, expected);
}
