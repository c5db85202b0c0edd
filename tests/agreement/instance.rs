//! Is a concrete solution an instance of an answer? Read from the text of the answer alone.

use kanshape::{Answer, Dim, Dtype, Shape};
use kanshape::{Condition, tree::Expr};
use kanshape_testkit::ground::Ground;
use kanshape_testkit::symbolic::{Check, Names, Search, search};
use std::collections::BTreeMap;

/// Is there a value for every name of the answer that makes it this solution? Of what is too much to try, nothing is known
/// to be wrong.
pub(crate) fn is_instance(answer: &Answer, solution: &Ground) -> bool {
    search_instance(answer, solution) != Search::None
}

/// The values that make it this solution, or that there are none, or that there is too much to try.
pub(crate) fn search_instance(answer: &Answer, solution: &Ground) -> Search {
    let mut checks = Vec::new();
    let mut rows: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let types = answer.inputs.iter().chain(&answer.outputs);
    let shapes = solution.inputs.iter().chain(&solution.outputs);
    for (ty, shape) in types.zip(shapes) {
        let Some(tensor) = ty.as_tensor() else {
            return Search::None;
        };
        if !fit(&tensor.shape, shape, &mut checks, &mut rows) {
            return Search::None;
        }
    }
    for (label, value) in &answer.params {
        let Some(&x) = solution.params.get(label.as_str()) else {
            return Search::None;
        };
        equal(value, x, &mut checks);
    }
    let is_dtype = |e: &Expr| match e {
        Expr::Name(name) => Dtype::ALL.iter().any(|d| d.name() == &*name.node),
        _ => false,
    };
    let of_sizes = |c: &&Condition| match c {
        Condition::In(_, values) => !values.iter().any(is_dtype),
        _ => true,
    };
    let conditions = answer.conditions.iter().filter(of_sizes).cloned();
    checks.extend(conditions.map(Check::Holds));
    search(&checks, &Names::new())
}

fn equal(dim: &Dim, x: u64, checks: &mut Vec<Check>) {
    let e = match dim {
        Dim::Hole => return,
        Dim::Size(n) => Expr::Int(*n),
        Dim::Name(n) => kanshape::tree::parse_expr(n).unwrap(),
        Dim::Expr(e) => (**e).clone(),
        // A ground solution has numbers alone.
        Dim::Nominal(n) => kanshape::tree::parse_expr(&n.to_string()).unwrap(),
    };
    checks.push(Check::Equal(e, i128::from(x)));
}

fn fit(
    pattern: &Shape,
    shape: &[u64],
    checks: &mut Vec<Check>,
    rows: &mut BTreeMap<String, Vec<u64>>,
) -> bool {
    let (before, after) = (pattern.before(), pattern.after());
    if shape.len() < before.len() + after.len() {
        return false;
    }
    let middle = &shape[before.len()..shape.len() - after.len()];
    match pattern.run() {
        None if !middle.is_empty() => return false,
        Some(run) => {
            if let Some(name) = &run.name {
                let known = rows
                    .entry(name.to_string())
                    .or_insert_with(|| middle.to_vec());
                if known.as_slice() != middle {
                    return false;
                }
            }
        }
        None => {}
    }
    for (d, &x) in before.iter().zip(shape) {
        equal(d, x, checks);
    }
    for (d, &x) in after.iter().zip(&shape[shape.len() - after.len()..]) {
        equal(d, x, checks);
    }
    true
}
