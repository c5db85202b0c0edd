//! What holds if two types both do.

use super::fold::folded;
use super::implied::names;
use super::{bare, conditions, contents, is_super, join, unify};
use crate::limits::MAX_MEET_TYPES;
use crate::reify::canonical;
use crate::{Answer, Query, Verdict, explain};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Condition;
use kanshape_types::{Dim, DtypeTerm, Shape, Tensor, Type, TypeKind, order};

/// The values that two types have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meet {
    /// Types that have all these values between them, none of them twice: one, but where a rank is
    /// unknown on both sides, and no single type says it (`f32[3, ...]` and `f32[..., 3]` have `f32[3]`
    /// in common and `f32[3, ..., 3]`).
    pub types: Vec<Type>,
    /// Whether these are all. If not, the budget ran out or there is no end of them.
    pub complete: bool,
}

/// The type of what is a value of both `a` and `b`: their greatest lower bound, where one type can
/// say it; where it takes several, the least above those ([`meet_all`] gives them).
///
/// # Errors
/// A [`Diagnostic`] if nothing is a value of both: which facts clash, and where.
pub fn meet(a: &Type, b: &Type) -> Result<Type, Box<Diagnostic>> {
    if let Some(Ok(ty)) = order::meet(a, b) {
        return Ok(ty);
    }
    Ok(least_above(meet_all(a, b)?, b))
}

/// The least type above all that a meet has.
fn least_above(met: Meet, b: &Type) -> Type {
    let mut types = met.types.into_iter();
    match (types.next(), met.complete) {
        (Some(first), true) => types.fold(first, |sum, ty| join(&sum, &ty)),
        // What is not all is no bound: that of `b` is one.
        _ => b.clone(),
    }
}

/// The types of what is a value of both `a` and `b`.
///
/// # Errors
/// As [`meet`].
pub fn meet_all(a: &Type, b: &Type) -> Result<Meet, Box<Diagnostic>> {
    if let Some(Ok(ty)) = order::meet(a, b) {
        return Ok(Meet {
            types: vec![ty],
            complete: true,
        });
    }
    if let Some(function) = meet_functions(a, b) {
        return function;
    }
    let (a, b) = (&contents::filled_in(a), &contents::filled_in(b));
    let mut query = unify(vec![contents::emptied(a)], vec![contents::emptied(b)]);
    query.conditions = contents::shared(a, b)?;
    let own = [names(a), names(b)].concat();
    let is_user = |name: &str| own.iter().any(|n| n == name);
    let mut found = Meet {
        types: Vec::new(),
        complete: false,
    };
    let mut answers = match query.solve() {
        Ok(answers) => answers,
        // The types are well-formed; only together they make no question.
        Err(diagnostic) => return Err(Box::new(diagnostic)),
    };
    for answer in answers.by_ref().take(MAX_MEET_TYPES) {
        match of_answer(&answer, &is_user, (a, b)) {
            Some(ty) if !found.types.contains(&ty) => found.types.push(ty),
            _ => {}
        }
    }
    found.complete = answers.complete();
    if found.types.is_empty() && found.complete {
        return Err(conflict(&query, a, b));
    }
    if found.types.len() != 1 || !found.complete {
        // What search has split may be one of the two as it is.
        for (above, below) in [(a, b), (b, a)] {
            if is_super(above, below) == Verdict::Always {
                found.types = vec![below.clone()];
                found.complete = true;
                break;
            }
        }
    }
    Ok(found)
}

/// What is both the one input and the one output of an answer, with the contents of the two types
/// that it is about; none if no value has these.
pub(super) fn of_answer(
    answer: &Answer,
    is_user: &dyn Fn(&str) -> bool,
    (x, y): (&Type, &Type),
) -> Option<Type> {
    let (Some(a), Some(b)) = (answer.inputs.first(), answer.outputs.first()) else {
        return Some(Type::UNKNOWN);
    };
    let ty = contents::attached(&merged(a, b, is_user), x, y);
    // What its contents say is said.
    let facts = contents::facts(&ty);
    let conditions = answer.conditions.iter().filter(|c| !facts.contains(c));
    let conditions: Vec<Condition> = conditions.cloned().collect();
    let ty = contents::with_values(&ty, &conditions);
    let ty = folded(&ty, &conditions, is_user);
    Some(canonical(&ty, conditions, is_user)).filter(contents::possible)
}

/// One of two ways to write one type: each part as it is best known.
fn merged(a: &Type, b: &Type, is_user: &dyn Fn(&str) -> bool) -> Type {
    match (&a.kind, &b.kind) {
        (TypeKind::Tensor(a), TypeKind::Tensor(b)) => merged_tensor(a, b, is_user).into(),
        (TypeKind::Unknown | TypeKind::Var(_), _) => b.clone(),
        (_, TypeKind::Unknown | TypeKind::Var(_)) => a.clone(),
        _ => {
            let mut others = b.parts();
            a.map_parts(&mut |part| match others.next() {
                Some(other) => merged(part, other, is_user),
                None => part.clone(),
            })
        }
    }
}

fn merged_tensor(a: &Tensor, b: &Tensor, is_user: &dyn Fn(&str) -> bool) -> Tensor {
    let rank_of_dtype = |term: &DtypeTerm| match term {
        DtypeTerm::Known(_) => 0,
        DtypeTerm::Name(name) if is_user(name) => 1,
        DtypeTerm::Name(_) | DtypeTerm::Set(_) => 2,
        DtypeTerm::Hole => 3,
    };
    let rank_of_dim = |dim: &Dim| match dim {
        Dim::Size(_) | Dim::Nominal(_) => 0,
        Dim::Name(name) if is_user(name) => 1,
        Dim::Expr(_) => 2,
        Dim::Name(_) => 3,
        Dim::Hole => 4,
    };
    let dtype = match rank_of_dtype(&a.dtype) <= rank_of_dtype(&b.dtype) {
        true => a.dtype.clone(),
        false => b.dtype.clone(),
    };
    let pairs = a.shape.iter().zip(&b.shape);
    let better = |(x, y): (&Dim, &Dim)| match rank_of_dim(x) <= rank_of_dim(y) {
        true => x.clone(),
        false => y.clone(),
    };
    let mut shape: Shape = pairs.map(better).collect();
    if let (Some(r), Some(s)) = (a.shape.run(), b.shape.run()) {
        let user = [&r.name, &s.name]
            .into_iter()
            .flatten()
            .find(|n| is_user(n));
        shape = shape.with_run(r.at, user.or(r.name.as_ref()).cloned());
    }
    Tensor::new(dtype, shape)
}

/// Functions meet where their results do, and take what either takes. `None` if there are none.
fn meet_functions(a: &Type, b: &Type) -> Option<Result<Meet, Box<Diagnostic>>> {
    let has_function = |ty: &Type| {
        fn has(ty: &Type) -> bool {
            matches!(ty.kind, TypeKind::Fn(_)) || ty.parts().any(has)
        }
        has(ty)
    };
    if !(has_function(a) && has_function(b)) {
        return None;
    }
    // A part that takes several types is a bound only, and so is the whole.
    let mut exact = true;
    let mut part = |a: &Type, b: &Type| -> Result<Type, Box<Diagnostic>> {
        let met = meet_all(a, b)?;
        let (complete, one) = (met.complete, met.types.len() == 1);
        let ty = least_above(met, b);
        // A name of our own could be taken for one of another part's.
        let known = [names(a), names(b)].concat();
        let familiar = names(&ty).iter().all(|name| known.contains(name));
        exact &= complete && one && familiar;
        Ok(if familiar { ty } else { b.clone() })
    };
    let parts = |a: &Type, b: &Type| a.parts().count() == b.parts().count();
    let ty = match (&a.kind, &b.kind) {
        (TypeKind::Fn(f), TypeKind::Fn(g)) if f.params.len() == g.params.len() => {
            let params = f.params.iter().zip(&g.params).map(|(f, g)| join(f, g));
            match part(&f.result, &g.result) {
                Ok(result) => Type::function(params, result),
                Err(conflict) => return Some(Err(conflict)),
            }
        }
        (TypeKind::Tuple(_), TypeKind::Tuple(_)) if parts(a, b) => {
            let fields = a.parts().zip(b.parts()).map(|(a, b)| part(a, b));
            match fields.collect::<Result<Vec<_>, _>>() {
                Ok(fields) => Type::tuple(fields),
                Err(conflict) => return Some(Err(conflict)),
            }
        }
        _ => return None,
    };
    // What the parts require is queried together, and once.
    let all = conditions(&ty)
        .into_iter()
        .chain(conditions(a))
        .chain(conditions(b));
    let ty = bare(&ty).with_conditions(all.collect());
    let mut query = unify(vec![contents::emptied(&ty)], vec![Type::UNKNOWN]);
    query.conditions = contents::facts(&ty);
    let answer = query.solve().ok().and_then(|mut answers| answers.next());
    let own = names(&ty);
    let is_user = |name: &str| own.iter().any(|n| n == name);
    let of_answer = |answer: Answer| of_answer(&answer, &is_user, (&ty, &Type::UNKNOWN));
    Some(match answer.and_then(of_answer) {
        Some(ty) => Ok(Meet {
            types: vec![ty],
            complete: exact,
        }),
        None => Err(conflict(&query, a, b)),
    })
}

/// Why nothing is a value of both.
fn conflict(query: &Query, a: &Type, b: &Type) -> Box<Diagnostic> {
    let steps = explain::against_each_other(query);
    Box::new(explain::nothing_is_both(a, b, steps))
}
