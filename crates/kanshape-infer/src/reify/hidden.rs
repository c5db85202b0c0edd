//! Variables that no slot shows: where the constraint that they are in can always be met, it says
//! nothing; where it says something of the others, that is all that is kept.

use crate::limits::MAX_ORDERS;
use kanshape_engine::{Constraint, Lone, State, Stop, Var, between, checkpoint};
use kanshape_rules::encode::FAR;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

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
        open.push(Some(c.resolve(state)?));
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
            let lone = Lone::new(state, v, FAR, &is_lone);
            let rest = match c.eliminate(state, &lone) {
                // Without the variable its numbers would be too large.
                Err(Stop::Overflow) => None,
                rest => rest?,
            };
            let Some(rest) = rest else {
                kept.insert((v, i));
                open[i] = Some(c);
                continue;
            };
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

/// Eliminates variables that are in a few inequalities, once each, and nowhere else. Returns whether one was eliminated.
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
        let lone = Lone::new(state, v, FAR, &|_| false);
        let rest = match between(state, orders.flatten(), &lone) {
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
