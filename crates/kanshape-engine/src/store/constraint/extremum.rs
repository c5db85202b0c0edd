//! `out = min(args)` and `out = max(args)`.

use super::function::{Function, constraint};
use super::{AfterRun, Constraint, Lone, bounds};
use crate::budget::Stop;
use crate::domain::Domain;
use crate::int::{INF, NEG_INF};
use crate::limits::MAX_COMPARED;
use crate::linear::Linear;
use crate::store::State;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Which {
    Min,
    Max,
}

pub(super) fn run(
    state: &mut State,
    args: &[Linear],
    out: &Linear,
    which: Which,
) -> Result<AfterRun, Stop> {
    let max = which == Which::Max;
    if let Some(leading) = leading(state, args, out, which)? {
        if let [only] = leading.as_slice() {
            state.equate(out, only)?;
            return Ok(AfterRun::Done);
        }
        let function = if max { Function::Max } else { Function::Min };
        return Ok(AfterRun::Become(constraint(
            function,
            &leading,
            out.clone(),
        )));
    }
    let (mut lo, mut hi) = (NEG_INF, NEG_INF);
    if !max {
        (lo, hi) = (INF, INF);
    }
    for a in args {
        let (l, h) = state.bounds(a);
        (lo, hi) = if max {
            (lo.max(l), hi.max(h))
        } else {
            (lo.min(l), hi.min(h))
        };
    }
    bounds::tighten(state, out, lo, hi)?;
    let out = state.resolve(out)?;
    let (out_lo, out_hi) = state.bounds(&out);
    for a in args {
        let a = state.resolve(a)?;
        if max {
            bounds::tighten(state, &a, NEG_INF, out_hi)?;
        } else {
            bounds::tighten(state, &a, out_lo, INF)?;
        }
    }
    // What can never be the extreme one says no more.
    let mut floor = if max { NEG_INF } else { INF };
    for a in args {
        let (l, h) = state.bounds(a);
        floor = if max { floor.max(l) } else { floor.min(h) };
    }
    let reaches = |state: &State, a: &Linear| {
        let (l, h) = state.bounds(a);
        if max {
            h >= out_lo && h >= floor
        } else {
            l <= out_hi && l <= floor
        }
    };
    let open: Vec<&Linear> = args.iter().filter(|a| reaches(state, a)).collect();
    let dropped_hold = args.len() == open.len()
        || args.iter().filter(|a| !open.contains(a)).all(|a| {
            let (l, h) = state.bounds(a);
            if max { h <= out_lo } else { l >= out_hi }
        });
    match open.as_slice() {
        [] => Err(Stop::Conflict),
        [only] => {
            // The others stay on their side of it.
            for a in args.iter().filter(|a| a != only) {
                let apart = if max { only.minus(a)? } else { a.minus(only)? };
                state.restrict(&apart, &Domain::interval(0, INF))?;
            }
            state.equate(&out, only)?;
            Ok(AfterRun::Done)
        }
        _ if open.contains(&&out) => {
            // One of them is the extreme one: the others stay on their side.
            for a in args.iter().filter(|a| **a != out) {
                let apart = if max { out.minus(a)? } else { a.minus(&out)? };
                state.restrict(&apart, &Domain::interval(0, INF))?;
            }
            Ok(AfterRun::Done)
        }
        _ if open.len() < args.len() && dropped_hold => {
            let function = if max { Function::Max } else { Function::Min };
            let open: Vec<Linear> = open.iter().map(|a| (*a).clone()).collect();
            Ok(AfterRun::Become(constraint(function, &open, out)))
        }
        _ => Ok(AfterRun::Keep),
    }
}

/// The arguments without those that another one leads, whatever the variables are: of `n + 1` and `n`, or of a
/// size and 0, the first is the greater one. `None` if there are none, or too many to compare.
fn leading(
    state: &State,
    args: &[Linear],
    out: &Linear,
    which: Which,
) -> Result<Option<Vec<Linear>>, Stop> {
    if args.len() > MAX_COMPARED {
        return Ok(None);
    }
    let mut left = args.to_vec();
    let mut at = 0;
    while at < left.len() {
        let mut led = false;
        for (other, a) in left.iter().enumerate() {
            let lead = match which {
                Which::Max => a.minus(&left[at])?,
                Which::Min => left[at].minus(a)?,
            };
            led |= other != at && bounds::is_natural_without(state, &lead, out.as_var());
        }
        if led {
            left.remove(at);
        } else {
            at += 1;
        }
    }
    Ok((left.len() < args.len()).then_some(left))
}

/// What it says without an argument, which may be the extreme one itself: that the others stay on their side.
pub(super) fn eliminate(
    state: &State,
    args: &[Linear],
    out: &Linear,
    which: Which,
    lone: &Lone<'_>,
) -> Result<Option<Vec<Constraint>>, Stop> {
    let may_be_it = lone.is_natural() && state.bounds(out).0 >= lone.domain.lo();
    if !may_be_it || !args.iter().any(|a| lone.is(a)) {
        return Ok(None);
    }
    let others = args.iter().filter(|a| !lone.is(a));
    let apart = others.map(|a| match which {
        Which::Max => out.minus(a),
        Which::Min => a.minus(out),
    });
    let apart = apart.map(|apart| Ok(Constraint::NonNegative(apart?)));
    apart.collect::<Result<_, Stop>>().map(Some)
}
