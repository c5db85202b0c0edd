//! `out = broadcast(args)` of single dims: every argument is 1 or `out`, and one of them is `out`.

use super::function::{Function, constraint};
use super::{AfterRun, Constraint, Lone, bounds};
use crate::budget::Stop;
use crate::domain::Domain;
use crate::int::{INF, Int, NEG_INF};
use crate::linear::Linear;
use crate::store::State;
use smallvec::SmallVec;
use std::sync::Arc;

pub(super) fn run(state: &mut State, args: &[Linear], out: &Linear) -> Result<AfterRun, Stop> {
    let one = Linear::constant(1);
    let open: SmallVec<[&Linear; 4]> = args.iter().filter(|a| **a != one).collect();
    match open.as_slice() {
        [] => {
            state.equate(out, &one)?;
            return Ok(AfterRun::Done);
        }
        [only] => {
            state.equate(out, only)?;
            return Ok(AfterRun::Done);
        }
        _ => {}
    }
    // An argument that is not 1 is what all come to.
    if let Some(stretched) = open.iter().find(|a| !state.may_be(a, 1)) {
        let stretched = (*stretched).clone();
        state.equate(out, &stretched)?;
        return fit(state, &open, &stretched);
    }
    if out.as_constant() == Some(1) {
        for a in open {
            state.equate(a, &one)?;
        }
        return Ok(AfterRun::Done);
    }
    if !state.may_be(out, 1) {
        // Some argument is `out`; those that can't be it are 1, as `fit` will say.
        let mut able = open.iter().filter(|a| may_be_equal(state, a, out));
        if let (Some(only), None) = (able.next(), able.next()) {
            let only = (*only).clone();
            state.equate(out, &only)?;
        }
        return fit(state, &open, out);
    }
    if open.contains(&out) {
        return fit(state, &open, out);
    }
    if let Some((clipped, of)) = clipped(state, &open) {
        state.equate(&clipped, &of)?;
        return Ok(AfterRun::Keep);
    }
    if let Some(covering) = covering(state, &open) {
        let covering = covering.clone();
        state.equate(out, &covering)?;
        return Ok(AfterRun::Done);
    }
    // Each is 1 or `out`; `out` is one of them.
    let (mut lo, mut hi) = (INF, NEG_INF);
    for a in &open {
        let (l, h) = state.bounds(a);
        (lo, hi) = (lo.min(l), hi.max(h));
    }
    bounds::tighten(state, out, lo, hi)?;
    let (out_lo, out_hi) = state.bounds(out);
    for a in &open {
        let a = state.resolve(a)?;
        bounds::tighten(state, &a, out_lo.min(1), out_hi.max(1))?;
    }
    shorten(args, &open, out)
}

/// An argument that is `min(n, m)` of another one, `n`, and of an `m` of 2 or more, and that `n`. It broadcasts with `n` only
/// where it is `n`: it is 1 only where that is.
fn clipped(state: &State, args: &[&Linear]) -> Option<(Linear, Linear)> {
    args.iter().find_map(|clipped| {
        let definition = clipped.as_var().and_then(|v| state.definition(v));
        let Some((Function::Min, inner)) = definition else {
            return None;
        };
        let of = inner.iter().find(|n| args.contains(n))?;
        let mut others = inner.iter().filter(|m| *m != of);
        let is_clipped = others.all(|m| state.bounds(m).0 >= 2);
        is_clipped.then(|| ((*clipped).clone(), of.clone()))
    })
}

/// An argument that is what all the others broadcast to, and maybe more.
fn covering<'a>(state: &State, args: &[&'a Linear]) -> Option<&'a Linear> {
    args.iter().copied().find(|of| {
        let definition = of.as_var().and_then(|v| state.definition(v));
        let Some((Function::Broadcast, inner)) = definition else {
            return false;
        };
        let is_inner = |a: &&Linear| *a == *of || inner.contains(a);
        args.iter().all(is_inner)
    })
}

/// Every argument is 1 or `out`; that one of them is `out` is known.
fn fit(state: &mut State, args: &[&Linear], out: &Linear) -> Result<AfterRun, Stop> {
    let mut waiting: SmallVec<[Linear; 4]> = SmallVec::new();
    let out = state.resolve(out)?;
    let mut found = false;
    for a in args {
        let a = state.resolve(a)?;
        if a == out {
            found = true;
        } else if a.as_constant() == Some(1) {
        } else if !state.may_be(&a, 1) {
            state.equate(&a, &out)?;
            found = true;
        } else if !may_be_equal(state, &a, &out) {
            state.equate(&a, &Linear::constant(1))?;
        } else {
            waiting.push(a);
        }
    }
    if let Some(n) = out.as_constant() {
        for a in &waiting {
            state.restrict(a, &Domain::of([1, n]))?;
        }
        if found {
            return Ok(AfterRun::Done);
        }
    }
    if waiting.is_empty() {
        return if found {
            Ok(AfterRun::Done)
        } else {
            Err(Stop::Conflict)
        };
    }
    if found {
        waiting.push(out.clone());
    } else if waiting.len() == args.len() {
        return Ok(AfterRun::Keep);
    }
    Ok(AfterRun::Become(constraint(
        Function::Broadcast,
        &waiting,
        out,
    )))
}

fn shorten(args: &[Linear], open: &[&Linear], out: &Linear) -> Result<AfterRun, Stop> {
    if open.len() == args.len() {
        return Ok(AfterRun::Keep);
    }
    let open: Vec<Linear> = open.iter().map(|a| (*a).clone()).collect();
    Ok(AfterRun::Become(constraint(
        Function::Broadcast,
        &open,
        out.clone(),
    )))
}

/// Can the two be equal, as far as their values show?
fn may_be_equal(state: &State, a: &Linear, b: &Linear) -> bool {
    if let Some(n) = b.as_constant() {
        return state.may_be(a, n);
    }
    let ((a_lo, a_hi), (b_lo, b_hi)) = (state.bounds(a), state.bounds(b));
    a_lo <= b_hi && b_lo <= a_hi
}

/// Does the value, which is an argument as well, leave anything to say? The other one broadcasts to some size, whatever it is.
pub(super) fn is_free(args: &[Linear], out: &Linear, lone: &Lone<'_>) -> bool {
    let others = args.iter().filter(|a| !lone.is(a)).count();
    lone.is(out) && lone.is_natural() && others == 1 && args.len() == 2
}

/// What it says without an argument, which may be what all come to: that each of the others is 1 or that.
pub(super) fn eliminate(
    state: &State,
    args: &[Linear],
    out: &Linear,
    lone: &Lone<'_>,
) -> Option<Vec<Constraint>> {
    let may_be_it = match lone.is_natural() {
        true => state.bounds(out).0 >= lone.domain.lo(),
        false => out.as_constant().is_some_and(|n| lone.domain.contains(n)),
    };
    if !may_be_it || !args.iter().any(|a| lone.is(a)) {
        return None;
    }
    let others = args.iter().filter(|a| !lone.is(a)).cloned();
    if let Some(n) = out.as_constant() {
        let values: Arc<[Int]> = match n {
            1 => [1].into(),
            n => [n.min(1), n.max(1)].into(),
        };
        let member = |arg| Constraint::Member(arg, Arc::clone(&values));
        return Some(others.map(member).collect());
    }
    let args: Vec<Linear> = others.chain([out.clone()]).collect();
    Some(vec![constraint(Function::Broadcast, &args, out.clone())])
}
