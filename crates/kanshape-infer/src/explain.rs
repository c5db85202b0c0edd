//! Why there is no solution: the few facts that can't hold together.
//!
//! They are found by asking again with fewer facts, so that a question with an answer pays nothing.

use crate::code;
use crate::query::Query;
use kanshape_diag::Diagnostic;
use kanshape_types::{Conditions, Dim, DtypeTerm, Shape, Tensor, Type, TypeKind};

/// The steps that asking again may take, each time.
const STEPS: u64 = 20_000;
/// A question with more facts than this is not taken apart.
const MOST: usize = 64;

/// Something given that can be left out.
#[derive(Clone, Debug, PartialEq)]
enum Fact {
    /// Something of an operand, or of a part of one: the fields to go through.
    Of(usize, Vec<usize>, About),
    Param(usize),
    /// A condition of the query.
    Given(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum About {
    /// That it is a type of this form.
    Whole,
    Dtype,
    Dim(usize),
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
        0 => match &query.signature.program().operator {
            Some(operator) => format!("no call of `{}` is like this", operator.full_name()),
            None => "no shapes and dtypes satisfy this signature".to_owned(),
        },
        1 => "this can't be".to_owned(),
        2 => "these two facts can't hold together".to_owned(),
        _ => "these facts can't hold together".to_owned(),
    };
    let diagnostic = Diagnostic::new(code::NEVER, format!("no solution: {headline}"));
    let diagnostic = match &query.signature.program().operator {
        Some(operator) => diagnostic.with_source(operator.full_name(), operator.text()),
        None => diagnostic.with_source("signature", query.signature.to_string()),
    };
    Diagnostic {
        steps,
        ..diagnostic
    }
}

/// Two types have no value in common, and why.
pub(crate) fn nothing_is_both(a: &Type, b: &Type, steps: Vec<String>) -> Diagnostic {
    let headline = format!("nothing is both `{a}` and `{b}`");
    let mut diagnostic = Diagnostic::new(code::NO_COMMON_VALUE, headline);
    diagnostic.steps = steps;
    diagnostic
}

/// Why two types, the input and the output of a query, have no value in common.
pub(crate) fn against_each_other(query: &Query) -> Vec<String> {
    steps(query, &|i| ["the first", "the second"][i.min(1)].to_owned())
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
        let without = drop_fact(&asked, &facts[i]);
        if is_never(&without) {
            asked = without;
            facts.remove(i);
            facts.retain(|f| still_there(&asked, f));
        } else {
            i += 1;
        }
    }
    facts
        .iter()
        .filter(|f| !implied(f, &facts))
        .map(|f| say(query, f, called))
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

/// A part of a type, if it is there.
fn part<'a>(ty: &'a Type, path: &[usize]) -> Option<&'a Type> {
    path.iter().try_fold(ty, |ty, &i| ty.parts().nth(i))
}

fn facts(query: &Query) -> Vec<Fact> {
    let mut facts: Vec<Fact> = (0..query.conditions.len()).map(Fact::Given).collect();
    facts.extend((0..query.params.len()).map(Fact::Param));
    for i in 0..query.inputs.len() + query.outputs.len() {
        facts_of(operand(query, i), i, &mut Vec::new(), &mut facts);
    }
    facts
}

fn facts_of(ty: &Type, i: usize, path: &mut Vec<usize>, facts: &mut Vec<Fact>) {
    let mut push = |about| facts.push(Fact::Of(i, path.clone(), about));
    (0..ty.conditions.len()).for_each(|c| push(About::Condition(c)));
    if ty.is_unknown() {
        return;
    }
    push(About::Whole);
    if let Some(t) = ty.as_tensor() {
        if t.dtype != DtypeTerm::Hole {
            push(About::Dtype);
        }
        for (j, d) in t.shape.dims().iter().enumerate() {
            if *d != Dim::Hole {
                push(About::Dim(j));
            }
        }
    }
    for (j, inner) in ty.parts().enumerate() {
        path.push(j);
        facts_of(inner, i, path, facts);
        path.pop();
    }
}

/// Is a fact still part of a query from which others have been dropped?
fn still_there(query: &Query, fact: &Fact) -> bool {
    match fact {
        Fact::Of(i, path, About::Condition(_)) => part(operand(query, *i), path).is_some(),
        Fact::Of(i, path, _) => part(operand(query, *i), path).is_some_and(|ty| !ty.is_unknown()),
        Fact::Param(_) | Fact::Given(_) => true,
    }
}

/// Is a fact said by another one already: of what form a type is, by its dtype, a dim or a part?
fn implied(fact: &Fact, facts: &[Fact]) -> bool {
    let Fact::Of(i, path, About::Whole) = fact else {
        return false;
    };
    facts.iter().any(|f| match f {
        Fact::Of(j, other, about) => {
            let here = other == path && matches!(about, About::Dtype | About::Dim(_));
            j == i && (here || other.len() > path.len() && other.starts_with(path))
        }
        _ => false,
    })
}

fn drop_fact(query: &Query, fact: &Fact) -> Query {
    let mut query = query.clone();
    match fact {
        Fact::Of(i, path, about) => {
            let inputs = query.inputs.len();
            let ty = match i.checked_sub(inputs) {
                None => &mut query.inputs[*i],
                Some(j) => &mut query.outputs[j],
            };
            *ty = change(ty, path, &|ty| without(ty, *about));
        }
        Fact::Param(p) => query.params[*p].1 = Dim::Hole,
        Fact::Given(c) => query.conditions[*c] = always(),
    }
    query
}

/// A condition that always holds, in the place of one that is left out, so that the others keep theirs.
fn always() -> kanshape_syntax::tree::Condition {
    use kanshape_syntax::tree::{CmpOp, Condition, Expr};
    Condition::Compare(Expr::Int(0), vec![(CmpOp::Eq, Expr::Int(0))])
}

/// The type with something else for one of its parts.
fn change(ty: &Type, path: &[usize], f: &dyn Fn(&Type) -> Type) -> Type {
    let Some((&first, rest)) = path.split_first() else {
        return f(ty);
    };
    let mut next = 0;
    ty.map_parts(&mut |inner| {
        next += 1;
        match next - 1 == first {
            true => change(inner, rest, f),
            false => inner.clone(),
        }
    })
}

fn without(ty: &Type, about: About) -> Type {
    let conditions = ty.conditions.clone();
    let tensor = |tensor: Tensor| Type::from(tensor).with_conditions(conditions.clone());
    match (about, &ty.kind) {
        (About::Whole, _) => Type::UNKNOWN.with_conditions(conditions),
        (About::Condition(c), _) => {
            let kept = ty.conditions.iter().enumerate();
            let kept = kept.map(|(i, k)| if i == c { always() } else { k.clone() });
            ty.clone().with_conditions(kept.collect::<Conditions>())
        }
        (About::Dtype, TypeKind::Tensor(t)) => {
            tensor(Tensor::new(DtypeTerm::Hole, t.shape.clone()))
        }
        (About::Dim(j), TypeKind::Tensor(t)) => {
            let dims = t.shape.dims().iter().enumerate();
            let open = |(k, d): (usize, &Dim)| if k == j { Dim::Hole } else { d.clone() };
            let mut shape: Shape = dims.map(open).collect();
            if let Some(run) = t.shape.run() {
                shape = shape.with_run(run.at, run.name.clone());
            }
            tensor(Tensor::new(t.dtype.clone(), shape))
        }
        _ => ty.clone(),
    }
}

fn say(query: &Query, fact: &Fact, called: &dyn Fn(usize) -> String) -> String {
    match fact {
        Fact::Of(i, path, about) => {
            let whole = operand(query, *i);
            let mut place = called(*i);
            for j in path {
                place = format!("part {j} of {place}");
            }
            match part(whole, path) {
                Some(ty) => say_of(ty, &place, *about),
                None => format!("{} is `{whole}`", called(*i)),
            }
        }
        Fact::Param(p) => format!(
            "the parameter `{}` is {}",
            query.params[*p].0, query.params[*p].1
        ),
        Fact::Given(c) => format!("it is given that {}", query.conditions[*c]),
    }
}

fn say_of(ty: &Type, place: &str, about: About) -> String {
    let tensor = ty.as_tensor();
    match (about, tensor) {
        (About::Condition(c), _) => {
            let condition = ty.conditions.as_slice().get(c);
            let condition = condition.map(ToString::to_string).unwrap_or_default();
            format!("{place} is `{ty}`: it says that {condition}")
        }
        (About::Dtype, Some(t)) => format!("{place} has dtype {}", t.dtype),
        (About::Dim(j), Some(t)) => {
            let rank = t.shape.dims().len();
            let dim = &t.shape.dims()[j];
            format!("{place} is `{ty}`: its dim {j} of {rank} is {dim}")
        }
        (_, Some(t)) => match t.shape.rank() {
            Some(1) => format!("{place} has 1 dim"),
            Some(rank) => format!("{place} has {rank} dims"),
            None => format!("{place} is `{ty}`"),
        },
        (_, None) => format!("{place} is `{ty}`"),
    }
}
