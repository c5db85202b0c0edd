//! The answer about a graph as one to a query is written: an unknown has a name where it is written more than once.

use kanshape::{Answer, Condition, Dim, Name, Type};
use kanshape_onnx::{Options, Report, Required};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Writes a hole for each unknown that is in one place only, and numbers the others as they are met: in the inputs, in the
/// outputs, and in the values between them.
pub(super) fn write_holes(report: &mut Report<'_>, options: &Options) {
    let mut users: BTreeSet<String> = BTreeSet::new();
    for (_, ty) in options.inputs.iter().chain(&options.given) {
        let mut note = |name: &str| {
            users.insert(name.to_owned());
        };
        ty.for_each_name(&mut note);
        ty.conditions.for_each_name(&mut note);
    }
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut answer = Answer::default();
    let all = report.inputs.iter().chain(&report.outputs);
    for (name, ty) in all.chain(&report.values) {
        if !places.contains_key(&**name) {
            places.insert(name.clone().into_owned(), places.len());
            answer.outputs.push((**ty).clone());
        }
    }
    let all = report.conditions.iter_mut();
    let mut conditions: Vec<&mut Condition> = all
        .filter_map(|own| match &mut own.condition {
            Required::Condition(condition) => Some(condition),
            Required::Value(_) => None,
        })
        .collect();
    answer.conditions = conditions.iter().map(|own| (**own).clone()).collect();
    let written = answer.canonical(&|name| users.contains(name));
    if written.conditions.len() != conditions.len() {
        // Which dtypes an unknown can be is said in its type then, and no longer in a condition.
        return;
    }
    let of = |name: &str| written.outputs.get(*places.get(name)?);
    let lists = [&mut report.inputs, &mut report.outputs, &mut report.values];
    for (name, ty) in lists.into_iter().flatten() {
        if let Some(new) = of(name) {
            *ty = Arc::new(new.clone());
        }
    }
    for (own, condition) in conditions.iter_mut().zip(written.conditions.iter()) {
        **own = condition.clone();
    }
    let mut names: BTreeMap<Name, Name> = BTreeMap::new();
    for dim in &mut report.dims {
        let tensor = of(&dim.value).and_then(Type::as_tensor);
        let new = match tensor.and_then(|tensor| tensor.shape.known_dims().get(dim.axis)) {
            Some(Dim::Name(name)) => name.clone(),
            Some(Dim::Hole) => Name::word("?"),
            _ => continue,
        };
        names.insert(std::mem::replace(&mut dim.name, new.clone()), new);
    }
    let others = report.dims.iter_mut().flat_map(|dim| &mut dim.depends_on);
    for name in others {
        if let Some(new) = names.get(name) {
            *name = new.clone();
        }
    }
}
