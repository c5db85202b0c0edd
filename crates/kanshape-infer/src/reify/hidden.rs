//! Variables that no slot shows: where the constraint that they are in can always be met, it says
//! nothing; where it says something of the others, that is all that is kept.

use crate::limits::MAX_ORDERS;
use kanshape_engine::{
    Constraint, Function, Int, Linear, NEG_INF, Part, Seq, State, Stop, Var, checkpoint,
};
use kanshape_rules::encode::is_any_size;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The open constraints that say something of `shown`, with as few other variables as can be.
pub(crate) fn without_hidden(
    state: &State,
    shown: &FxHashSet<Var>,
) -> Result<Vec<Constraint>, Stop> {
    let open = without_hidden_by_place(state, shown)?.into_iter();
    Ok(open.map(|(_, c)| c).collect())
}

/// The same, each with the place among all that were posted of the one that it comes from.
pub(crate) fn without_hidden_by_place(
    state: &State,
    shown: &FxHashSet<Var>,
) -> Result<Vec<(usize, Constraint)>, Stop> {
    let mut open: Vec<Option<Constraint>> = Vec::new();
    // Where each comes from, and before which others it is written.
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (place, c) in state.open_constraints_by_place() {
        open.push(Some(resolved(state, c)?));
        places.push((place, places.len()));
    }
    keep_connected(state, shown, &mut open);
    let mut uses = Uses::default();
    for (i, c) in open.iter().enumerate() {
        if let Some(c) = c {
            uses.add(c, i, shown);
        }
    }
    let mut kept: FxHashSet<(Var, usize)> = FxHashSet::default();
    loop {
        while let Some(v) = uses.lone.pop_first() {
            checkpoint()?;
            let Some(i) = uses.only(v).filter(|i| !kept.contains(&(v, *i))) else {
                continue;
            };
            let Some(c) = open[i].take() else { continue };
            let is_lone = |w: Var| !shown.contains(&w) && uses.only(w) == Some(i);
            let (rest, is_eliminated) = match eliminate(state, c.clone(), v, &is_lone) {
                Ok(found) => found,
                // Without the variable its numbers would be too large.
                Err(Stop::Overflow) => (Vec::new(), false),
                Err(stop) => return Err(stop),
            };
            if !is_eliminated {
                kept.insert((v, i));
                open[i] = Some(c);
                continue;
            }
            uses.remove(&c, i, shown);
            for c in rest {
                uses.add(&c, open.len(), shown);
                open.push(Some(c));
                places.push(places[i]);
            }
        }
        if !without_bounded(state, shown, &mut open, &mut places, &mut uses)? {
            break;
        }
    }
    let mut left: Vec<((usize, usize), Constraint)> = places
        .into_iter()
        .zip(open)
        .filter_map(|(place, c)| Some((place, c?)))
        .collect();
    left.sort_by_key(|((_, order), _)| *order);
    Ok(left.into_iter().map(|((place, _), c)| (place, c)).collect())
}

/// Eliminates variables that are in a few inequalities, once each, and nowhere else (Fourier-Motzkin): a value exists if no lower bound is
/// above an upper one. Returns whether one was eliminated.
fn without_bounded(
    state: &State,
    shown: &FxHashSet<Var>,
    open: &mut Vec<Option<Constraint>>,
    places: &mut Vec<(usize, usize)>,
    uses: &mut Uses,
) -> Result<bool, Stop> {
    let mut of: BTreeMap<Var, SmallVec<[usize; 4]>> = BTreeMap::new();
    for (i, c) in open.iter().enumerate() {
        let Some(c) = c else { continue };
        checkpoint()?;
        each_once(c, &mut |v| {
            let few = |count| (2..=MAX_ORDERS).contains(&count);
            if !shown.contains(&v) && few(uses.count(v)) {
                of.entry(v).or_default().push(i);
            }
        });
    }
    let mut changed = false;
    for (v, all) in of {
        checkpoint()?;
        // The inequalities may have been eliminated with another variable.
        if all.iter().any(|i| open[*i].is_none()) || all.len() != uses.count(v) {
            continue;
        }
        let orders = all.iter().map(|i| open[*i].as_ref());
        let rest = match between(state, orders.flatten(), v) {
            Ok(Some(rest)) => rest,
            Ok(None) | Err(Stop::Overflow) => continue,
            Err(stop) => return Err(stop),
        };
        let mut place = places[all[0]];
        for i in all {
            place = place.min(places[i]);
            if let Some(c) = open[i].take() {
                uses.remove(&c, i, shown);
            }
        }
        for c in rest {
            uses.add(&c, open.len(), shown);
            open.push(Some(c));
            places.push(place);
        }
        changed = true;
    }
    Ok(changed)
}

/// What inequalities with `v` imply for the other variables. `None` if one has a coefficient other than 1 or -1, or if more would result.
fn between<'c>(
    state: &State,
    orders: impl Iterator<Item = &'c Constraint>,
    v: Var,
) -> Result<Option<Vec<Constraint>>, Stop> {
    let domain = state.domain(v);
    if domain.only().is_some() || !domain.except().is_empty() {
        return Ok(None);
    }
    // `v + l >= 0`, and `l - v >= 0`.
    let (mut least, mut most): (Vec<Linear>, Vec<Linear>) = (Vec::new(), Vec::new());
    for c in orders {
        let order = match c {
            Constraint::NonNegative(l) => l.clone(),
            Constraint::NonZero(l) if state.bounds(l).0 >= 0 => {
                let mut order = l.clone();
                order.add_constant(-1)?;
                order
            }
            _ => return Ok(None),
        };
        match order.coefficient(v) {
            1 => least.push(order),
            -1 => most.push(order),
            _ => return Ok(None),
        }
    }
    if least.len() * most.len() > least.len() + most.len() {
        return Ok(None);
    }
    let mut rest: Vec<Linear> = Vec::new();
    for low in &least {
        for high in &most {
            rest.push(low.plus(high)?);
        }
        if !is_any_size(0, domain.hi()) {
            let mut low = low.clone();
            low.add_term(v, -1)?;
            low.add_constant(domain.hi())?;
            rest.push(low);
        }
    }
    for high in most.iter().filter(|_| domain.lo() != NEG_INF) {
        let mut high = high.clone();
        high.add_term(v, 1)?;
        high.add_constant(domain.lo().checked_neg().ok_or(Stop::Overflow)?)?;
        rest.push(high);
    }
    rest.retain(|l| state.bounds(l).0 < 0);
    Ok(Some(
        rest.into_iter().map(Constraint::NonNegative).collect(),
    ))
}

/// In which constraints variables are.
#[derive(Default)]
struct Uses {
    /// How often a variable is met, and the sum of the numbers of the constraints: of one that is met once, that is where.
    counts: FxHashMap<Var, (usize, usize)>,
    /// Those that may be met once, and are not shown.
    lone: BTreeSet<Var>,
}

impl Uses {
    fn add(&mut self, c: &Constraint, i: usize, shown: &FxHashSet<Var>) {
        each_once(c, &mut |v| {
            let count = self.counts.entry(v).or_default();
            *count = (count.0 + 1, count.1 + i);
            if count.0 == 1 && !shown.contains(&v) {
                self.lone.insert(v);
            }
        });
    }

    fn remove(&mut self, c: &Constraint, i: usize, shown: &FxHashSet<Var>) {
        each_once(c, &mut |v| {
            let count = self.counts.entry(v).or_default();
            *count = (count.0.saturating_sub(1), count.1.saturating_sub(i));
            if count.0 == 1 && !shown.contains(&v) {
                self.lone.insert(v);
            }
        });
    }

    /// In how many constraints a variable is.
    fn count(&self, v: Var) -> usize {
        self.counts.get(&v).map_or(0, |count| count.0)
    }

    /// The constraint of a variable that is in one place.
    fn only(&self, v: Var) -> Option<usize> {
        match self.counts.get(&v) {
            Some((1, i)) => Some(*i),
            _ => None,
        }
    }
}

/// Calls `f` with each variable of a constraint, once.
fn each_once(c: &Constraint, f: &mut dyn FnMut(Var)) {
    let mut seen: SmallVec<[Var; 8]> = SmallVec::new();
    c.for_each_var(&mut |v| seen.push(v));
    seen.sort_unstable();
    seen.dedup();
    seen.into_iter().for_each(f);
}

/// Drops the constraints that share no variable, directly or not, with a shown one.
fn keep_connected(state: &State, shown: &FxHashSet<Var>, open: &mut [Option<Constraint>]) {
    let mut users: FxHashMap<Var, Vec<usize>> = FxHashMap::default();
    for (i, c) in open.iter().enumerate() {
        if let Some(c) = c {
            for_each_root(state, c, &mut |v| users.entry(v).or_default().push(i));
        }
    }
    let mut reached: FxHashSet<Var> = shown.clone();
    let mut keep = vec![false; open.len()];
    let mut todo: Vec<Var> = shown.iter().copied().collect();
    while let Some(v) = todo.pop() {
        for &i in users.get(&v).map_or(&[][..], Vec::as_slice) {
            if !std::mem::replace(&mut keep[i], true)
                && let Some(c) = &open[i]
            {
                for_each_root(state, c, &mut |w| {
                    if reached.insert(w) {
                        todo.push(w);
                    }
                });
            }
        }
    }
    for (c, keep) in open.iter_mut().zip(keep) {
        if !keep {
            *c = None;
        }
    }
}

/// Calls `f` with the variables of a constraint, and with those of the lengths of its runs.
fn for_each_root(state: &State, c: &Constraint, f: &mut dyn FnMut(Var)) {
    c.for_each_var(&mut |v| {
        let v = state.root(v);
        f(v);
        if let Ok(length) = state.length_of_run(v) {
            state.open_vars_of(&length).into_iter().for_each(&mut *f);
        }
    });
}

/// A constraint over open variables.
fn resolved(state: &State, c: &Constraint) -> Result<Constraint, Stop> {
    Ok(match c {
        Constraint::Zero(l) => Constraint::Zero(state.resolve(l)?),
        Constraint::NonNegative(l) => Constraint::NonNegative(state.resolve(l)?),
        Constraint::NonZero(l) => Constraint::NonZero(state.resolve(l)?),
        Constraint::Member(l, values) => Constraint::Member(state.resolve(l)?, values.clone()),
        Constraint::Apply {
            function,
            args,
            out,
        } => Constraint::Apply {
            function: *function,
            args: args
                .iter()
                .map(|a| state.resolve(a))
                .collect::<Result<_, _>>()?,
            out: state.resolve(out)?,
        },
        Constraint::Atoms {
            table,
            left,
            right,
            out,
        } => Constraint::Atoms {
            table: table.clone(),
            left: state.root(*left),
            right: state.root(*right),
            out: state.root(*out),
        },
        Constraint::SeqEqual(a, b) => {
            Constraint::SeqEqual(resolved_seq(state, a)?, resolved_seq(state, b)?)
        }
        Constraint::SeqBroadcast { out, args } => {
            let args = args.iter().map(|arg| resolved_seq(state, arg));
            Constraint::SeqBroadcast {
                out: resolved_seq(state, out)?,
                args: args.collect::<Result<_, _>>()?,
            }
        }
        Constraint::SeqProduct { out, seq } => Constraint::SeqProduct {
            out: state.resolve(out)?,
            seq: resolved_seq(state, seq)?,
        },
        Constraint::Custom(_) | Constraint::Choice(_) => c.clone(),
    })
}

/// A sequence of what its runs have come to be: of `[2, ..r]` with `r = [n]`, `n` is a part.
fn resolved_seq(state: &State, seq: &Seq) -> Result<Seq, Stop> {
    let parts = state.parts(seq).into_iter().map(|part| match part {
        Part::One(l) => state.resolve(&l).map(Part::One),
        run => Ok(run),
    });
    parts.collect()
}

/// What a constraint says when `v`, which is nowhere else, may be anything in its domain. `false`
/// if that can't be said without it. Of other variables that are nowhere else either `is_lone` is true.
fn eliminate(
    state: &State,
    c: Constraint,
    v: Var,
    is_lone: &dyn Fn(Var) -> bool,
) -> Result<(Vec<Constraint>, bool), Stop> {
    let domain = state.domain(v);
    let listed = domain.only().is_some() || !domain.except().is_empty();
    let unbounded = !listed && is_any_size(0, domain.hi());
    let natural = unbounded && domain.lo() <= 0;
    let is_v = |l: &Linear| l.as_var() == Some(v);
    let nothing = Ok((Vec::new(), true));
    let mut places = 0;
    c.for_each_var(&mut |w| places += usize::from(w == v));
    match &c {
        Constraint::Apply {
            function,
            args,
            out,
        } if places > 1 => {
            // The other argument broadcasts to some size, whatever it is.
            let others = args.iter().filter(|a| !is_v(a)).count();
            let is_free = *function == Function::Broadcast && is_v(out) && places == 2;
            match is_free && natural && others == 1 && args.len() == 2 {
                true => nothing,
                false => Ok((vec![c], false)),
            }
        }
        _ if places > 1 => Ok((vec![c], false)),
        Constraint::NonNegative(l) => {
            let c = l.coefficient(v);
            // It is met by the greatest value of the variable or by the least one, if by any.
            let best = match c > 0 {
                true => domain.hi(),
                false => domain.lo(),
            };
            if best == NEG_INF || c > 0 && is_any_size(0, best) {
                return nothing;
            }
            let mut rest = l.clone();
            rest.add_term(v, -c)?;
            rest.add_constant(c.checked_mul(best).ok_or(Stop::Overflow)?)?;
            // What holds of all that its variables can be would only keep them from being met once.
            match state.bounds(&rest).0 >= 0 {
                true => nothing,
                false => Ok((vec![Constraint::NonNegative(rest)], true)),
            }
        }
        Constraint::NonZero(_) if unbounded => nothing,
        Constraint::Apply {
            function,
            args,
            out,
        } if is_v(out) => {
            let range = range(state, *function, args);
            let room = !listed
                && range.is_some_and(|(lo, hi)| {
                    domain.lo() <= lo && (domain.hi() >= hi || is_any_size(0, domain.hi()))
                });
            if room { nothing } else { Ok((vec![c], false)) }
        }
        Constraint::Apply {
            function: Function::Product,
            args,
            out,
        } if args.iter().any(is_v)
            && times(args.iter().filter(|a| !is_v(a)), out).is_some_and(|n| domain.contains(n)) =>
        {
            nothing
        }
        // It is the product itself where the others are 1.
        Constraint::Apply {
            function: Function::Product,
            args,
            out,
        } if natural && args.iter().all(|a| is_v(a) || is_one(state, a, is_lone)) => {
            Ok((natural_only(state, out), true))
        }
        Constraint::Apply {
            function,
            args,
            out,
        } if natural && args.iter().filter(|a| is_v(a)).count() == 1 => {
            let others = args.iter().filter(|a| !is_v(a));
            let apart = |a: &Linear, b: &Linear| Ok(Constraint::NonNegative(a.minus(b)?));
            // Can `v` be the value itself?
            let reaches = state.bounds(out).0 >= domain.lo();
            let kept: Result<Vec<Constraint>, Stop> = match function {
                Function::Max if reaches => others.map(|a| apart(out, a)).collect(),
                Function::Min if reaches => others.map(|a| apart(a, out)).collect(),
                Function::FloorDiv | Function::CeilDiv
                    if is_v(&args[0])
                        && state.bounds(&args[1]).0 >= 1
                        && (domain.lo() == 0 || state.bounds(out).0 >= 0) =>
                {
                    // Whatever the quotient is, some dividend has it; but none is negative.
                    Ok(natural_only(state, out))
                }
                Function::Broadcast if reaches => Ok(broadcast_to(others, out)),
                _ => return Ok((vec![c], false)),
            };
            Ok((kept?, true))
        }
        Constraint::Apply {
            function: Function::Broadcast,
            args,
            out,
        } if args.iter().any(is_v) && out.as_constant().is_some_and(|out| domain.contains(out)) => {
            Ok((broadcast_to(args.iter().filter(|a| !is_v(a)), out), true))
        }
        _ => Ok((vec![c], false)),
    }
}

/// That a number is not negative, if that says something.
fn natural_only(state: &State, n: &Linear) -> Vec<Constraint> {
    match state.bounds(n).0 {
        0.. => Vec::new(),
        _ => vec![Constraint::NonNegative(n.clone())],
    }
}

/// May it be 1, whatever else has to hold?
fn is_one(state: &State, size: &Linear, is_lone: &dyn Fn(Var) -> bool) -> bool {
    let is_free = |v| is_lone(v) && state.domain(v).contains(1);
    size.as_constant() == Some(1) || size.as_var().is_some_and(is_free)
}

/// The number by which a product of these is `out` whatever they are, if that shows.
fn times<'l>(mut factors: impl Iterator<Item = &'l Linear>, out: &Linear) -> Option<Int> {
    if out.as_constant() == Some(0) {
        return Some(0);
    }
    let (factor, None) = (factors.next()?, factors.next()) else {
        return None;
    };
    let &(v, c) = factor.terms().first()?;
    let n = out.coefficient(v).checked_div(c)?;
    (factor.scaled(n).as_ref() == Ok(out)).then_some(n)
}

/// That each of these is 1 or `out`: another one that broadcasts with them to `out` may be `out` itself.
fn broadcast_to<'l>(args: impl Iterator<Item = &'l Linear>, out: &Linear) -> Vec<Constraint> {
    let args: Vec<Linear> = args.cloned().collect();
    if let Some(n) = out.as_constant() {
        let values: Arc<[Int]> = match n {
            1 => [1].into(),
            n => [n.min(1), n.max(1)].into(),
        };
        let member = |arg| Constraint::Member(arg, Arc::clone(&values));
        return args.into_iter().map(member).collect();
    }
    vec![Constraint::Apply {
        function: Function::Broadcast,
        args: args.into_iter().chain([out.clone()]).collect(),
        out: out.clone(),
    }]
}

/// The least and the greatest value of a function that has one for all that its arguments can be.
fn range(state: &State, function: Function, args: &[Linear]) -> Option<(Int, Int)> {
    let bounds: Vec<(Int, Int)> = args.iter().map(|a| state.bounds(a)).collect();
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
