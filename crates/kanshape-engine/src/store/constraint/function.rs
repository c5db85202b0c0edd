//! Functions of integers as relations: `out = f(args)`, run from whichever side is known.

use super::{AfterRun, Constraint, Lone, broadcast, division, extremum, product};
use crate::budget::{Budget, Stop};
use crate::domain::Domain;
use crate::int::{Int, div_floor, modulo};
use crate::linear::Linear;
use crate::store::State;
use smallvec::{SmallVec, smallvec};

/// A function of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The product of its arguments.
    Product,
    /// `floor(a / b)`; no value for `b = 0`.
    FloorDiv,
    /// `ceil(a / b)`; no value for `b = 0`.
    CeilDiv,
    /// `a - b * floor(a / b)`; no value for `b = 0`.
    Mod,
    /// The least of its arguments.
    Min,
    /// The greatest of its arguments.
    Max,
    /// The one value other than 1 that its arguments have; 1 if all are 1; no value if two differ
    /// and neither is 1.
    Broadcast,
}

/// What a function is worth on numbers.
pub(crate) enum Value {
    Is(Int),
    None,
    TooLarge,
}

impl Function {
    fn is_commutative(self) -> bool {
        !matches!(self, Function::FloorDiv | Function::CeilDiv | Function::Mod)
    }

    /// The value on numbers.
    pub(crate) fn value(self, args: &[Int]) -> Value {
        let some = |x: Option<Int>| x.map_or(Value::TooLarge, Value::Is);
        match (self, args) {
            (Function::Product, _) if args.contains(&0) => Value::Is(0),
            (Function::Product, _) => some(args.iter().try_fold(1, |p: Int, &x| p.checked_mul(x))),
            (Function::Min, _) => args.iter().min().map_or(Value::None, |&x| Value::Is(x)),
            (Function::Max, _) => args.iter().max().map_or(Value::None, |&x| Value::Is(x)),
            (Function::Broadcast, _) => {
                let mut out = 1;
                for &x in args {
                    if x != 1 {
                        if out != 1 && out != x {
                            return Value::None;
                        }
                        out = x;
                    }
                }
                Value::Is(out)
            }
            (_, &[_, 0]) => Value::None,
            (Function::FloorDiv, &[a, b]) => Value::Is(div_floor(a, b)),
            (Function::CeilDiv, &[a, b]) => {
                some(a.checked_neg().and_then(|a| div_floor(a, b).checked_neg()))
            }
            (Function::Mod, &[a, b]) => Value::Is(modulo(a, b)),
            _ => Value::None,
        }
    }
}

/// The arguments over open variables, in the order that makes equal applications equal.
fn normal(
    state: &State,
    function: Function,
    args: &[Linear],
) -> Result<SmallVec<[Linear; 2]>, Stop> {
    let mut now: SmallVec<[Linear; 2]> = SmallVec::with_capacity(args.len());
    for a in args {
        now.push(state.resolve(a)?);
    }
    if function.is_commutative() {
        now.sort_by(|a, b| {
            let key = |l: &Linear| (l.terms().first().copied(), l.offset());
            key(a).cmp(&key(b)).then_with(|| a.terms().cmp(b.terms()))
        });
    }
    if matches!(
        function,
        Function::Min | Function::Max | Function::Broadcast
    ) {
        now.dedup();
    }
    Ok(now)
}

fn numbers(args: &[Linear]) -> Option<SmallVec<[Int; 4]>> {
    args.iter().map(Linear::as_constant).collect()
}

pub(crate) fn apply(
    state: &mut State,
    function: Function,
    args: &[Linear],
    domain: Domain,
) -> Result<Linear, Stop> {
    let args = normal(state, function, args)?;
    if let Some(numbers) = numbers(&args) {
        match function.value(&numbers) {
            Value::Is(n) if domain.contains(n) => return Ok(Linear::constant(n)),
            Value::Is(_) | Value::None => return Err(Stop::Conflict),
            Value::TooLarge => {}
        }
    }
    if function == Function::Product {
        return product::multiply(state, &args, domain);
    }
    let key = (function, args);
    if let Some(out) = state.known(&key) {
        let out = out.clone();
        state.restrict(&out, &domain)?;
        return Ok(out);
    }
    let out = Linear::var(state.int(domain));
    post(state, key, out.clone())?;
    Ok(out)
}

/// From now on `out = function(args)`.
pub(crate) fn relate(
    state: &mut State,
    function: Function,
    args: &[Linear],
    out: &Linear,
) -> Result<(), Stop> {
    let args = normal(state, function, args)?;
    let numbers_known = numbers(&args).is_some();
    if function == Function::Product || numbers_known {
        let value = apply(state, function, &args, Domain::ALL)?;
        return state.equate(&value, out);
    }
    let key = (function, args);
    match state.known(&key).cloned() {
        Some(same) => state.equate(&same, out),
        None => post(state, key, out.clone()),
    }
}

/// Ties `out` to an application that is not yet known.
pub(super) fn post(
    state: &mut State,
    key: (Function, SmallVec<[Linear; 2]>),
    out: Linear,
) -> Result<(), Stop> {
    let (function, args) = key.clone();
    let new = state.next_posted();
    state.learn(key, out.clone(), new);
    state.post(Constraint::Apply {
        function,
        args,
        out,
    })
}

pub(super) fn run(
    state: &mut State,
    budget: &mut Budget,
    function: Function,
    old_args: &SmallVec<[Linear; 2]>,
    old_out: &Linear,
) -> Result<AfterRun, Stop> {
    let args = normal(state, function, old_args)?;
    let out = state.resolve(old_out)?;
    budget.spend(args.len() as u64 / 2)?;
    if let Some(numbers) = numbers(&args) {
        match function.value(&numbers) {
            Value::Is(n) => {
                state.equate(&out, &Linear::constant(n))?;
                return Ok(AfterRun::Done);
            }
            Value::None => return Err(Stop::Conflict),
            Value::TooLarge => {}
        }
    }
    let changed = args != *old_args;
    if changed {
        let key = (function, args);
        // That the application is known may be because of this very constraint: so it stays, and
        // what it is worth is only stated to be one.
        match state.known(&key).cloned() {
            Some(same) => state.equate(&out, &same)?,
            None => state.learn(key.clone(), out.clone(), state.running()),
        }
        let out = state.resolve(&out)?;
        return step(state, budget, function, key.1, out, true);
    }
    let moved = out != *old_out;
    step(state, budget, function, args, out, moved)
}

/// One run on arguments in normal form. `changed` says that they are not those of the last run.
fn step(
    state: &mut State,
    budget: &mut Budget,
    function: Function,
    args: SmallVec<[Linear; 2]>,
    out: Linear,
    changed: bool,
) -> Result<AfterRun, Stop> {
    let outcome = match function {
        Function::Product => product::run(state, budget, &args, &out, changed)?,
        Function::Min => extremum::run(state, &args, &out, extremum::Which::Min)?,
        Function::Max => extremum::run(state, &args, &out, extremum::Which::Max)?,
        Function::Broadcast => broadcast::run(state, &args, &out)?,
        Function::FloorDiv | Function::CeilDiv | Function::Mod => {
            division::run(state, function, &args, &out)?
        }
    };
    Ok(match outcome {
        AfterRun::Keep if changed => AfterRun::Become(Constraint::Apply {
            function,
            args,
            out,
        }),
        AfterRun::Become(next) => {
            learn(state, &next)?;
            AfterRun::Become(next)
        }
        other => other,
    })
}

/// An application that a constraint has come to be is the one that is known, if there is one: its arguments are others
/// than those of the last run, of a product that is a number those without the factors that are.
fn learn(state: &mut State, constraint: &Constraint) -> Result<(), Stop> {
    let Constraint::Apply {
        function,
        args,
        out,
    } = constraint
    else {
        return Ok(());
    };
    let key = (*function, normal(state, *function, args)?);
    match state.known(&key).cloned() {
        Some(same) => state.equate(out, &same),
        None => {
            state.learn(key, out.clone(), state.running());
            Ok(())
        }
    }
}

/// An application as a constraint, for modules that rewrite themselves.
pub(super) fn constraint(function: Function, args: &[Linear], out: Linear) -> Constraint {
    let args: SmallVec<[Linear; 2]> = match args {
        [a] => smallvec![a.clone()],
        args => args.iter().cloned().collect(),
    };
    Constraint::Apply {
        function,
        args,
        out,
    }
}

/// What it says without a variable ([`Constraint::eliminate`]).
pub(super) fn eliminate(
    state: &State,
    function: Function,
    args: &[Linear],
    out: &Linear,
    lone: &Lone<'_>,
) -> Result<Option<Vec<Constraint>>, Stop> {
    let all = args.iter().chain([out]).flat_map(Linear::vars);
    let places = all.filter(|v| *v == lone.var).count();
    let says_nothing = || Some(Vec::new());
    if places > 1 {
        let is_free = function == Function::Broadcast && places == 2;
        return Ok(says_nothing().filter(|_| is_free && broadcast::is_free(args, out, lone)));
    }
    if lone.is(out) {
        let range = range(state, function, args);
        let (least, most) = (lone.domain.lo(), lone.domain.hi());
        let has_room = |(lo, hi)| least <= lo && (most >= hi || lone.is_far(most));
        let has_room = !lone.is_listed() && range.is_some_and(has_room);
        return Ok(says_nothing().filter(|_| has_room));
    }
    match function {
        Function::Product => Ok(product::eliminate(state, args, out, lone)),
        Function::Min => extremum::eliminate(state, args, out, extremum::Which::Min, lone),
        Function::Max => extremum::eliminate(state, args, out, extremum::Which::Max, lone),
        Function::FloorDiv | Function::CeilDiv => Ok(division::eliminate(state, args, out, lone)),
        Function::Mod => Ok(None),
        Function::Broadcast => Ok(broadcast::eliminate(state, args, out, lone)),
    }
}

/// The least and the greatest value of a function that has one for all that its arguments can be.
fn range(state: &State, function: Function, args: &[Linear]) -> Option<(Int, Int)> {
    let bounds: SmallVec<[(Int, Int); 4]> = args.iter().map(|a| state.bounds(a)).collect();
    let is_of_order = matches!(function, Function::Min | Function::Max);
    if !is_of_order && bounds.iter().any(|b| b.0 < 0) {
        return None;
    }
    let lows = bounds.iter().map(|b| b.0);
    let highs = bounds.iter().map(|b| b.1);
    Some(match function {
        Function::Min => (lows.min()?, highs.min()?),
        Function::Max => (lows.max()?, highs.max()?),
        Function::Product => (
            lows.fold(1, Int::saturating_mul),
            highs.fold(1, Int::saturating_mul),
        ),
        Function::FloorDiv | Function::CeilDiv | Function::Mod => {
            let (&(_, a_hi), &(b_lo, b_hi)) = (bounds.first()?, bounds.get(1)?);
            if b_lo < 1 {
                return None;
            }
            match function {
                Function::Mod => (0, a_hi.min(b_hi - 1)),
                _ => (0, a_hi),
            }
        }
        Function::Broadcast => return None,
    })
}
