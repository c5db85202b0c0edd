//! The names of sizes in a report: which dims and conditions speak of each, and where.

use std::collections::BTreeMap;

use kanshape::tree::parse_conditions;
use kanshape_onnx::Report;
use serde::Serialize;

/// Where a name is spoken of.
#[derive(Default, Serialize)]
pub(super) struct Spoken<'r> {
    /// A value and its dim: behind a run of dims they are counted from the end, and the run itself has no number.
    values: Vec<(&'r str, Option<i64>)>,
    /// The number of a condition, and where in its text.
    conditions: Vec<[usize; 3]>,
}

/// All names of sizes.
pub(super) fn named<'r>(report: &'r Report<'_>) -> BTreeMap<String, Spoken<'r>> {
    let mut names: BTreeMap<String, Spoken<'r>> = BTreeMap::new();
    for (value, ty) in &report.values {
        let Some(tensor) = ty.as_tensor() else {
            continue;
        };
        let shape = &tensor.shape;
        let mut note = |name: &str, axis: Option<i64>| {
            let values = match names.get_mut(name) {
                Some(spoken) => &mut spoken.values,
                None => &mut names.entry(name.to_owned()).or_default().values,
            };
            let spot = (&**value, axis);
            if values.last() != Some(&spot) {
                values.push(spot);
            }
        };
        for (i, dim) in (0..).zip(shape.before()) {
            dim.for_each_name(&mut |name| note(name, Some(i)));
        }
        if let Some(name) = shape.run().and_then(|run| run.name.as_ref()) {
            note(name.as_str(), None);
        }
        for (i, dim) in (1..).zip(shape.after().iter().rev()) {
            dim.for_each_name(&mut |name| note(name, Some(-i)));
        }
    }
    for (i, one) in report.conditions.iter().enumerate() {
        let mut own = Vec::new();
        one.condition
            .for_each_name(&mut |name| own.push(name.to_owned()));
        // A condition prints as what reads back as itself.
        let text = one.condition.to_string();
        for condition in parse_conditions(&text).unwrap_or_default() {
            condition.node.visit(&mut |name| {
                if own.iter().any(|own| **own == *name.node) {
                    let place = [i, name.span.start, name.span.end];
                    let spoken = names.entry(name.node.to_string()).or_default();
                    spoken.conditions.push(place);
                }
            });
        }
    }
    names
}
