//! Why there is no solution: the few facts that can't hold together.
//!
//! They are found by asking again with fewer facts, so that a question with an answer pays nothing.

use crate::query::Query;
use kanshape_diag::Diagnostic;
use kanshape_types::{Dim, DtypeTerm, Shape, Tensor, Type, TypeKind};

/// The steps that asking again may take, each time.
const STEPS: u64 = 20_000;
/// A question with more facts than this is not taken apart.
const MOST: usize = 64;

/// Something given that can be left out.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fact {
    Whole(usize),
    Dtype(usize),
    Dim(usize, usize),
    Param(usize),
    Condition(usize),
}

/// The explanation of a query that has no solution.
pub fn never(query: &Query) -> Diagnostic {
    let called = |i: usize| match i.checked_sub(query.inputs.len()) {
        None => format!("input {i}"),
        Some(j) => format!("output {j}"),
    };
    let steps = steps(query, &called);
    let headline = match steps.len() {
        0 => "no shapes and dtypes satisfy this signature".to_owned(),
        1 => "this can't be".to_owned(),
        2 => "these two facts can't hold together".to_owned(),
        _ => "these facts can't hold together".to_owned(),
    };
    let diagnostic = Diagnostic::new("K0101", format!("no solution: {headline}"));
    Diagnostic {
        steps,
        ..diagnostic.with_source("signature", query.signature.to_string())
    }
}

/// Why two types, the input and the output of a query, have no value in common.
pub(crate) fn no_common_value(query: &Query) -> Diagnostic {
    let called = |i: usize| ["the first", "the second"][i.min(1)].to_owned();
    let [a, b] = [operand(query, 0), operand(query, 1)];
    let mut diagnostic = Diagnostic::new("K0102", format!("nothing is both `{a}` and `{b}`"));
    diagnostic.steps = steps(query, &called);
    diagnostic
}

/// The facts that can't hold together, few enough that all are needed, in words.
fn steps(query: &Query, called: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut facts = facts(query);
    if facts.len() > MOST {
        return Vec::new();
    }
    let mut asked = query.clone();
    asked.budget = STEPS.min(query.budget);
    let mut i = 0;
    while i < facts.len() {
        let without = drop_fact(&asked, facts[i]);
        if is_never(&without) {
            asked = without;
            facts.remove(i);
            facts.retain(|f| still_there(&asked, *f));
        } else {
            i += 1;
        }
    }
    facts
        .iter()
        .filter(|f| !implied(**f, &facts))
        .map(|f| say(query, *f, called))
        .collect()
}

fn is_never(query: &Query) -> bool {
    match query.solve() {
        Ok(mut answers) => answers.next().is_none() && answers.complete(),
        Err(_) => false,
    }
}

fn operand(query: &Query, i: usize) -> &Type {
    match i.checked_sub(query.inputs.len()) {
        None => &query.inputs[i],
        Some(j) => &query.outputs[j],
    }
}

fn facts(query: &Query) -> Vec<Fact> {
    let mut facts = Vec::new();
    let count = query.inputs.len() + query.outputs.len();
    for c in 0..query.conditions.len() {
        facts.push(Fact::Condition(c));
    }
    for p in 0..query.params.len() {
        facts.push(Fact::Param(p));
    }
    for i in 0..count {
        let ty = operand(query, i);
        if ty.is_unknown() {
            continue;
        }
        facts.push(Fact::Whole(i));
        if let Some(t) = ty.as_tensor() {
            if t.dtype != DtypeTerm::Hole {
                facts.push(Fact::Dtype(i));
            }
            for (j, d) in t.shape.dims().iter().enumerate() {
                if *d != Dim::Hole {
                    facts.push(Fact::Dim(i, j));
                }
            }
        }
    }
    facts
}

/// Is a fact still part of a query from which others have been dropped?
fn still_there(query: &Query, fact: Fact) -> bool {
    match fact {
        Fact::Dtype(i) | Fact::Dim(i, _) => !operand(query, i).is_unknown(),
        _ => true,
    }
}

/// Is a fact said by another one already: that an operand is a tensor, by its dtype or one of its dims?
fn implied(fact: Fact, facts: &[Fact]) -> bool {
    let of = |f: &Fact, i: usize| matches!(f, Fact::Dim(j, _) | Fact::Dtype(j) if *j == i);
    match fact {
        Fact::Whole(i) => facts.iter().any(|f| of(f, i)),
        _ => false,
    }
}

fn drop_fact(query: &Query, fact: Fact) -> Query {
    let mut query = query.clone();
    let inputs = query.inputs.len();
    let mut change = |i: usize, f: &dyn Fn(&mut Type)| match i.checked_sub(inputs) {
        None => f(&mut query.inputs[i]),
        Some(j) => f(&mut query.outputs[j]),
    };
    match fact {
        Fact::Whole(i) => change(i, &|ty| *ty = Type::UNKNOWN),
        Fact::Dtype(i) => change(i, &|ty| {
            if let TypeKind::Tensor(t) = &mut ty.kind {
                t.dtype = DtypeTerm::Hole;
            }
        }),
        Fact::Dim(i, j) => change(i, &|ty| {
            if let TypeKind::Tensor(t) = &ty.kind {
                let dims = t.shape.dims().iter().enumerate();
                let open = |(k, d): (usize, &Dim)| if k == j { Dim::Hole } else { d.clone() };
                let mut shape: Shape = dims.map(open).collect();
                if let Some(run) = t.shape.run() {
                    shape = shape.with_run(run.at, run.name.clone());
                }
                let tensor = Tensor {
                    dtype: t.dtype.clone(),
                    shape,
                };
                *ty = Type::from(tensor).with_conditions(ty.conditions.clone());
            }
        }),
        Fact::Param(p) => query.params[p].1 = Dim::Hole,
        // An index stays what it is: the condition becomes one that always holds.
        Fact::Condition(c) => {
            use kanshape_syntax::tree::{CmpOp, Condition, Expr};
            query.conditions[c] = Condition::Compare(Expr::Int(0), vec![(CmpOp::Eq, Expr::Int(0))]);
        }
    }
    query
}

fn say(query: &Query, fact: Fact, called: &dyn Fn(usize) -> String) -> String {
    match fact {
        Fact::Whole(i) => match operand(query, i).as_tensor() {
            Some(t) => match t.shape.rank() {
                Some(1) => format!("{} has 1 dim", called(i)),
                Some(rank) => format!("{} has {rank} dims", called(i)),
                None => format!("{} is `{}`", called(i), operand(query, i)),
            },
            None => format!("{} is `{}`", called(i), operand(query, i)),
        },
        Fact::Dtype(i) => match operand(query, i).as_tensor() {
            Some(t) => format!("{} has dtype {}", called(i), t.dtype),
            None => String::new(),
        },
        Fact::Dim(i, j) => match operand(query, i).as_tensor() {
            Some(t) => {
                let rank = t.shape.dims().len();
                format!(
                    "{} is `{}`: its dim {j} of {rank} is {}",
                    called(i),
                    operand(query, i),
                    t.shape.dims()[j]
                )
            }
            None => String::new(),
        },
        Fact::Param(p) => format!(
            "the parameter `{}` is {}",
            query.params[p].0, query.params[p].1
        ),
        Fact::Condition(c) => format!("it is given that {}", query.conditions[c]),
    }
}
