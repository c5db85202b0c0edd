//! The constraints: what each says, when it is settled, and what it tells its variables.
//!
//! A constraint is run when something that it watches has changed. It refines what it can, in
//! whichever direction, and says whether it still has something to say.

mod atoms;
mod broadcast;
mod division;
mod extremum;
mod factored;
mod function;
mod product;

pub use atoms::AtomTable;
pub use function::Function;
pub(crate) use function::{Value, apply, relate};
pub(crate) use product::factors;

use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::domain::Domain;
use crate::int::{INF, Int, NEG_INF, div_floor};
use crate::linear::{Linear, Var};
use crate::store::State;
use crate::store::bounds;
use crate::store::choice::Pending;
use crate::store::relation::{Relation, View};
use crate::store::sequence::{self, Seq};
use smallvec::SmallVec;
use std::sync::Arc;

/// Something that holds between variables.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "a posted constraint lives behind an `Arc`"
)]
pub enum Constraint {
    /// The form is 0.
    Zero(Linear),
    /// The form is 0 or more.
    NonNegative(Linear),
    /// The form is not 0.
    NonZero(Linear),
    /// The form is one of these, sorted.
    Member(Linear, Arc<[Int]>),
    /// `out = function(args)`.
    Apply {
        /// Which function.
        function: Function,
        /// Its arguments.
        args: SmallVec<[Linear; 2]>,
        /// Its value.
        out: Linear,
    },
    /// `table[left, right] = out`.
    Atoms {
        /// The table.
        table: Arc<dyn AtomTable>,
        /// The first argument.
        left: Var,
        /// The second argument.
        right: Var,
        /// The value.
        out: Var,
    },
    /// The two sequences are the same.
    SeqEqual(Seq, Seq),
    /// `out` is what the sequences `args` broadcast to, aligned on the right.
    SeqBroadcast {
        /// What they broadcast to.
        out: Seq,
        /// What is broadcast.
        args: Vec<Seq>,
    },
    /// `out` is the product of the numbers in the sequence.
    SeqProduct {
        /// The product.
        out: Linear,
        /// The factors.
        seq: Seq,
    },
    /// A relation of the caller's own.
    Custom(Arc<dyn Relation>),
    /// One of several alternatives holds. A state that a [`Stream`](crate::Stream) has shown has none of these.
    Choice(Pending),
}

/// What is left of a constraint after a run.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub(crate) enum AfterRun {
    /// It waits for more.
    Keep,
    /// It holds, whatever else becomes known.
    Done,
    /// It waits, in another form.
    Become(Constraint),
}

impl Constraint {
    /// Does a run leave nothing of it, or another constraint? A bound of one variable is in its domain then, and need not be
    /// watched.
    pub(crate) fn is_said_at_once(&self) -> bool {
        matches!(self, Constraint::NonNegative(l) if l.terms().len() <= 1)
    }

    /// Calls `f` with every variable that it names.
    pub fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        match self {
            Constraint::Zero(l)
            | Constraint::NonNegative(l)
            | Constraint::NonZero(l)
            | Constraint::Member(l, _) => l.vars().for_each(f),
            Constraint::Apply { args, out, .. } => {
                out.vars().for_each(&mut *f);
                args.iter().flat_map(Linear::vars).for_each(f);
            }
            Constraint::Atoms {
                left, right, out, ..
            } => [*left, *right, *out].into_iter().for_each(f),
            Constraint::SeqEqual(a, b) => {
                a.for_each_var(f);
                b.for_each_var(f);
            }
            Constraint::SeqBroadcast { out, args } => {
                out.for_each_var(f);
                args.iter().for_each(|a| a.for_each_var(f));
            }
            Constraint::SeqProduct { out, seq } => {
                out.vars().for_each(&mut *f);
                seq.for_each_var(f);
            }
            Constraint::Custom(relation) => relation.vars().into_iter().for_each(f),
            Constraint::Choice(pending) => pending.watched().for_each(f),
        }
    }

    /// How many parts it has, as a measure of what a look at it costs.
    pub(crate) fn size(&self) -> u64 {
        let size = match self {
            Constraint::Apply { args, .. } => args.len(),
            Constraint::SeqEqual(a, b) => a.parts().len() + b.parts().len(),
            Constraint::SeqBroadcast { args, .. } => args.iter().map(|a| 1 + a.parts().len()).sum(),
            Constraint::SeqProduct { seq, .. } => seq.parts().len(),
            _ => 1,
        };
        size as u64
    }

    /// Is it about sequences whose length may be open, so that search has to split them?
    pub fn is_structural(&self) -> bool {
        matches!(
            self,
            Constraint::SeqEqual(..)
                | Constraint::SeqBroadcast { .. }
                | Constraint::SeqProduct { .. }
        )
    }

    /// A caller's relation that is no hint.
    pub fn is_custom(&self) -> bool {
        matches!(self, Constraint::Custom(relation) if !relation.is_redundant())
    }

    /// Does it hold where every variable has the value that `value` gives? `None` if that can't be
    /// decided: it is not about numbers, or a number grows too large.
    pub fn holds(&self, value: &dyn Fn(Var) -> Int) -> Option<bool> {
        let eval = |l: &Linear| l.at(value);
        Some(match self {
            Constraint::Zero(l) => eval(l)? == 0,
            Constraint::NonNegative(l) => eval(l)? >= 0,
            Constraint::NonZero(l) => eval(l)? != 0,
            Constraint::Member(l, values) => values.binary_search(&eval(l)?).is_ok(),
            Constraint::Apply {
                function,
                args,
                out,
            } => {
                let args: Option<SmallVec<[Int; 4]>> = args.iter().map(eval).collect();
                match function.value(&args?) {
                    function::Value::Is(n) => n == eval(out)?,
                    function::Value::None => false,
                    function::Value::TooLarge => return None,
                }
            }
            _ => return None,
        })
    }

    /// Does a constraint on sequences hold since all of them are empty, with these lengths?
    pub(crate) fn holds_of_empty(&self, state: &State, value: &dyn Fn(Var) -> Int) -> bool {
        let is_empty = |seq: &Seq| {
            let length = state.length(seq).ok();
            length.and_then(|length| length.at(value)) == Some(0)
        };
        match self {
            Constraint::SeqEqual(a, b) => is_empty(a) && is_empty(b),
            Constraint::SeqBroadcast { out, args } => is_empty(out) && args.iter().all(is_empty),
            Constraint::SeqProduct { out, seq } => is_empty(seq) && out.at(value) == Some(1),
            _ => false,
        }
    }

    pub(crate) fn run(&self, state: &mut State, budget: &mut Budget) -> Result<AfterRun, Stop> {
        if let Constraint::Apply { args, .. } = self {
            // Arguments are compared with each other.
            work(args.len() * (1 + args.len() / 8));
        }
        match self {
            Constraint::Zero(l) => zero(state, budget, l),
            Constraint::NonNegative(l) => non_negative(state, l),
            Constraint::NonZero(l) => non_zero(state, l),
            Constraint::Member(l, values) => member(state, l, values),
            Constraint::Apply {
                function,
                args,
                out,
            } => function::run(state, budget, *function, args, out),
            Constraint::Atoms {
                table,
                left,
                right,
                out,
            } => atoms::run(state, &**table, *left, *right, *out),
            Constraint::SeqEqual(a, b) => sequence::run_equal(state, budget, a, b),
            Constraint::SeqBroadcast { out, args } => {
                sequence::run_broadcast(state, budget, out, args)
            }
            Constraint::SeqProduct { out, seq } => sequence::run_product(state, budget, out, seq),
            Constraint::Custom(relation) => {
                Ok(relation.refine(&mut View::new(state, budget))?.into())
            }
            Constraint::Choice(pending) => pending.run(state, budget),
        }
    }
}

/// Only forms come here in which no variable has the coefficient 1 or -1; a binding may change
/// that, and then the form is solved.
fn zero(state: &mut State, budget: &mut Budget, l: &Linear) -> Result<AfterRun, Stop> {
    let now = state.resolve(l)?;
    let content = now.content();
    if content == 0 || content > 1 || now.terms().iter().any(|t| t.1.abs() == 1) {
        state.zero(now)?;
        return Ok(AfterRun::Done);
    }
    bounds::tighten(state, &now, 0, 0)?;
    let has_product = now.vars().any(|v| !state.factors(v).is_empty());
    if has_product && let Some(outcome) = factored::complete(state, budget, &[], &now)? {
        return Ok(outcome);
    }
    let two_left = now.terms().len() == 2;
    if two_left {
        return solve_two(state, &now);
    }
    Ok(if now == *l {
        AfterRun::Keep
    } else {
        AfterRun::Become(Constraint::Zero(now))
    })
}

/// `a*x + b*y + c = 0` with coprime `a` and `b`: every solution is a step along one new variable.
fn solve_two(state: &mut State, l: &Linear) -> Result<AfterRun, Stop> {
    let (&[(x, a), (y, b)], c) = (l.terms(), l.offset()) else {
        return Ok(AfterRun::Keep);
    };
    // a*p + b*q = 1
    let (mut r, mut p, mut q) = ((a, b), (1, 0), (0, 1));
    while r.1 != 0 {
        let k = r.0 / r.1;
        r = (r.1, r.0 - k * r.1);
        p = (p.1, p.0 - k * p.1);
        q = (q.1, q.0 - k * q.1);
    }
    let sign = r.0.signum();
    let scale = |p: Int| {
        p.checked_mul(sign)
            .and_then(|p| p.checked_mul(c.checked_neg()?))
    };
    let (Some(x0), Some(y0)) = (scale(p.0), scale(q.0)) else {
        return Err(Stop::Overflow);
    };
    // Count the steps upwards in x, from the least that its bounds and those of y allow: so a step is a
    // natural number wherever x and y are.
    let sign = b.signum();
    let (up_x, up_y) = (b * sign, -a * sign);
    let start = |from: Int, by: Int, lo: Int| {
        (by > 0 && lo > NEG_INF).then(|| -div_floor(from.saturating_sub(lo), by))
    };
    let starts = [
        start(x0, up_x, state.var_bounds(x).0),
        start(y0, up_y, state.var_bounds(y).0),
    ];
    let first = starts.into_iter().flatten().max();
    let shift = first.unwrap_or_else(|| -div_floor(x0, up_x));
    let moved = |from: Int, by: Int| {
        let moved = shift.checked_mul(by).and_then(|s| from.checked_add(s));
        moved.ok_or(Stop::Overflow)
    };
    let (x0, y0) = (moved(x0, up_x)?, moved(y0, up_y)?);
    let natural = first.map_or(Domain::ALL, |_| Domain::interval(0, INF));
    let step = state.int(natural);
    let along = |from: Int, by: Int| -> Result<Linear, Stop> {
        let mut form = Linear::constant(from);
        form.add_term(step, by)?;
        Ok(form)
    };
    let (for_x, for_y) = (along(x0, up_x)?, along(y0, up_y)?);
    state.equate(&Linear::var(x), &for_x)?;
    state.equate(&Linear::var(y), &for_y)?;
    Ok(AfterRun::Done)
}

fn non_negative(state: &mut State, l: &Linear) -> Result<AfterRun, Stop> {
    let mut now = state.resolve(l)?;
    let content = now.content();
    if content > 1 {
        now = now.divided(content);
    }
    if now.terms().len() <= 1 {
        state.restrict(&now, &Domain::interval(0, INF))?;
        return Ok(AfterRun::Done);
    }
    bounds::tighten(state, &now, 0, INF)?;
    if bounds::is_natural(state, &now) {
        return Ok(AfterRun::Done);
    }
    let mut below = now.scaled(-1)?;
    below.add_constant(-1)?;
    if bounds::is_natural(state, &below) {
        return Err(Stop::Conflict);
    }
    Ok(if now == *l {
        AfterRun::Keep
    } else {
        AfterRun::Become(Constraint::NonNegative(now))
    })
}

fn non_zero(state: &mut State, l: &Linear) -> Result<AfterRun, Stop> {
    let now = state.resolve(l)?;
    match *now.terms() {
        [] if now.offset() == 0 => return Err(Stop::Conflict),
        [] => return Ok(AfterRun::Done),
        [(v, c)] => {
            if now.offset() % c != 0 {
                return Ok(AfterRun::Done);
            }
            let domain = state.domain(v);
            let x = -now.offset() / c;
            if !domain.contains(x) {
                return Ok(AfterRun::Done);
            }
            if !domain.list_is_full() {
                state.narrow(v, &domain.without(x))?;
                return Ok(AfterRun::Done);
            }
        }
        _ => {}
    }
    let (lo, hi) = state.bounds(&now);
    if lo > 0 || hi < 0 {
        return Ok(AfterRun::Done);
    }
    Ok(AfterRun::Keep)
}

fn member(state: &mut State, l: &Linear, values: &[Int]) -> Result<AfterRun, Stop> {
    let now = state.resolve(l)?;
    if now.terms().len() <= 1 {
        state.restrict(&now, &Domain::of(values.iter().copied()))?;
        return Ok(AfterRun::Done);
    }
    let (lo, hi) = state.bounds(&now);
    let left: Vec<Int> = values
        .iter()
        .copied()
        .filter(|&x| lo <= x && x <= hi)
        .collect();
    let (Some(&first), Some(&last)) = (left.first(), left.last()) else {
        return Err(Stop::Conflict);
    };
    bounds::tighten(state, &now, first, last)?;
    if first == last {
        state.equate(&now, &Linear::constant(first))?;
        return Ok(AfterRun::Done);
    }
    Ok(AfterRun::Keep)
}
