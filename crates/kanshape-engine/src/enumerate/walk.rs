//! The solutions of one group of variables, one by one.

use super::groups::{Group, open_vars};
use super::satisfy::satisfiable;
use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::domain::Domain;
use crate::int::{INF, Int, NEG_INF};
use crate::limits::{LARGE_DOMAIN, MAX_HELD, MAX_TRIED};
use crate::linear::{Linear, Var};
use crate::store::State;
use crate::store::constraint::Constraint;

/// The solutions of one group, as values of its shown variables, each once.
#[derive(Clone, Debug)]
pub(super) struct Solutions {
    pub(super) shown: Vec<Var>,
    pub(super) mode: Mode,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there are few of them")]
pub(super) enum Mode {
    /// All of them, found by trying every combination; how many have been given out.
    Listed(Vec<Vec<Int>>, usize),
    /// Depth first, propagating each choice.
    Walk(Walk),
    /// The same in rounds: all values up to a bound, then up to a greater one.
    Rounds { base: State, bound: Int, walk: Walk },
}

#[derive(Clone, Debug)]
pub(super) struct Walk {
    stack: Vec<Frame>,
    hidden: Vec<Var>,
    /// Are there relations of the caller's that may still wait when all numbers are known?
    has_relations: bool,
    /// Those of them that are about the variables of the group, and the place of the first one that is posted on the way.
    relations: Vec<u32>,
    posted: usize,
    /// Some were: what they would have said is not known.
    undecided: bool,
    /// The bytes that the states on the stack do not share.
    held: usize,
}

#[derive(Clone, Debug)]
struct Frame {
    state: State,
    /// The position in `shown` of the variable to choose.
    at: usize,
    /// The value to try next.
    next: Option<Int>,
}

impl Solutions {
    pub(super) fn new(state: &State, group: Group) -> Solutions {
        let size = |vars: &[Var]| {
            vars.iter().try_fold(1u128, |n, &v| {
                n.checked_mul(state.domain(v).len()?)
                    .filter(|&n| n <= MAX_TRIED)
            })
        };
        if size(&group.shown)
            .zip(size(&group.hidden))
            .is_some_and(|(a, b)| a * b <= MAX_TRIED)
            && let Some(list) = try_all(state, &group)
        {
            return Solutions {
                shown: group.shown,
                mode: Mode::Listed(list, 0),
            };
        }
        let large = |&v: &Var| state.domain(v).len().is_none_or(|n| n > LARGE_DOMAIN);
        let mut state = state.clone();
        state.count_pages_from_here();
        let state = &state;
        let mut walk = Walk::new(state, &group);
        walk.hidden = group.hidden;
        let mode = if group.shown.iter().any(large) {
            Mode::Rounds {
                base: state.clone(),
                bound: -1,
                walk,
            }
        } else {
            walk.stack.push(Frame::new(state.clone(), &group.shown, 0));
            Mode::Walk(walk)
        };
        Solutions {
            shown: group.shown,
            mode,
        }
    }

    /// Solutions of a group whose variables are all shown, small numbers first, and whether there are no others: none of
    /// those is among them that have a negative number where no bound says how small it may be.
    pub(super) fn smallest_first(
        state: &State,
        group: &Group,
        budget: &mut Budget,
    ) -> Result<(Solutions, bool), Stop> {
        let mut state = state.clone();
        state.count_pages_from_here();
        let mut are_all = true;
        for &v in &group.shown {
            if state.domain(v).lo() == NEG_INF {
                are_all = false;
                state.restrict(&Linear::var(v), &Domain::interval(0, INF))?;
            }
        }
        state.propagate(budget)?;
        let mut walk = Walk::new(&state, group);
        walk.stack.push(Frame::new(state, &group.shown, 0));
        let solutions = Solutions {
            shown: group.shown.clone(),
            mode: Mode::Walk(walk),
        };
        Ok((solutions, are_all))
    }

    /// Were there numbers that were not decided to be a solution or none?
    pub(super) fn is_undecided(&self) -> bool {
        match &self.mode {
            Mode::Listed(..) => false,
            Mode::Walk(walk) | Mode::Rounds { walk, .. } => walk.undecided,
        }
    }

    /// Does it never end?
    pub(super) fn is_endless(&self) -> bool {
        matches!(self.mode, Mode::Rounds { .. })
    }

    pub(super) fn next(&mut self, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        match &mut self.mode {
            Mode::Listed(list, at) => {
                let values = list.get(*at).cloned();
                *at += 1;
                Ok(values)
            }
            Mode::Walk(walk) => walk.next(&self.shown, budget),
            Mode::Rounds { base, bound, walk } => loop {
                while let Some(values) = walk.next(&self.shown, budget)? {
                    // Those within the last bound were shown in an earlier round.
                    if values.iter().any(|v| v.abs() > bound_before(*bound)) {
                        return Ok(Some(values));
                    }
                }
                // Bounds 0, 1, 2, 4, ...
                *bound = match *bound {
                    -1 => 0,
                    0 => 1,
                    b => b.checked_mul(2).ok_or(Stop::Budget)?,
                };
                budget.spend(1)?;
                let before = bound_before(*bound);
                let seen = |&v: &Var| {
                    let domain = base.domain(v);
                    domain.lo() >= -before && domain.hi() <= before
                };
                if self.shown.iter().all(seen) {
                    return Ok(None);
                }
                let mut state = base.clone();
                let within = Domain::interval(-*bound, *bound);
                let fits = self
                    .shown
                    .iter()
                    .try_for_each(|&v| state.restrict(&Linear::var(v), &within))
                    .and_then(|()| state.propagate(budget));
                match fits {
                    Ok(()) => walk.push(state, &self.shown, 0)?,
                    Err(Stop::Budget) => return Err(Stop::Budget),
                    Err(_) => {}
                }
            },
        }
    }
}

/// The bound of the round before that of `bound`: no number is within that of the first.
fn bound_before(bound: Int) -> Int {
    match bound {
        ..=0 => -1,
        1 => 0,
        b => b / 2,
    }
}

impl Frame {
    fn new(state: State, shown: &[Var], at: usize) -> Frame {
        let next = shown.get(at).map(|&v| state.domain(v).lo());
        Frame { state, at, next }
    }
}

impl Walk {
    /// A walk without hidden variables, that starts nowhere yet.
    fn new(state: &State, group: &Group) -> Walk {
        let mut relations = match group.has_relations {
            true => group.constraints.clone(),
            false => Vec::new(),
        };
        relations.retain(|c| state.constraint(*c).is_some_and(Constraint::is_custom));
        Walk {
            stack: Vec::new(),
            hidden: Vec::new(),
            has_relations: group.has_relations,
            relations,
            posted: state.posted_count(),
            undecided: false,
            held: 0,
        }
    }

    /// Does one of them wait, though no number that it has examined is open? Those of other groups are judged with these.
    fn is_undecided(&self, state: &State) -> bool {
        let own = self.relations.iter().filter_map(|c| state.constraint(*c));
        let new = state.open_constraints_since(self.posted);
        let mut all = own.chain(new).filter(|c| c.is_custom());
        all.any(|c| open_vars(state, c).is_empty())
    }

    /// A state in which the variable at `at` is chosen next.
    fn push(&mut self, state: State, shown: &[Var], at: usize) -> Result<(), Stop> {
        self.held += state.own_bytes();
        if self.held > MAX_HELD {
            return Err(Stop::Budget);
        }
        self.stack.push(Frame::new(state, shown, at));
        Ok(())
    }

    fn pop(&mut self) -> Option<Frame> {
        let frame = self.stack.pop()?;
        self.held = self.held.saturating_sub(frame.state.own_bytes());
        Some(frame)
    }

    fn next(&mut self, shown: &[Var], budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        while let Some(frame) = self.stack.last_mut() {
            let Some(&v) = shown.get(frame.at) else {
                let state = self.pop().map(|f| f.state);
                let Some(state) = state else { break };
                if self.is_undecided(&state) {
                    self.undecided = true;
                    continue;
                }
                let rest = match self.hidden.is_empty() {
                    true => Ok(true),
                    false => satisfiable(&state, budget),
                };
                if self.has_relations && rest == Err(Stop::Overflow) {
                    self.undecided = true;
                    continue;
                }
                if rest? {
                    let value = |&v: &Var| state.value(v);
                    match shown.iter().map(value).collect::<Option<Vec<Int>>>() {
                        Some(values) => return Ok(Some(values)),
                        None => return Err(Stop::Overflow),
                    }
                }
                continue;
            };
            let Some(x) = frame.next else {
                self.pop();
                continue;
            };
            let domain = frame.state.domain(v);
            frame.next = domain.next_above(x);
            budget.spend(1)?;
            let at = frame.at + 1;
            if domain.single().is_some() {
                // Nothing to choose: no copy is needed.
                frame.next = None;
                frame.at = at;
                frame.next = shown.get(at).map(|&v| frame.state.domain(v).lo());
                continue;
            }
            let mut state = frame.state.clone();
            state.count_copy();
            let chosen = Linear::constant(x);
            match state
                .equate(&Linear::var(v), &chosen)
                .and_then(|()| state.propagate(budget))
            {
                Ok(()) => self.push(state, shown, at)?,
                Err(Stop::Conflict) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(None)
    }
}

/// Tries every combination of values; `None` if some constraint can't be checked on numbers.
pub(super) fn try_all(state: &State, group: &Group) -> Option<Vec<Vec<Int>>> {
    let constraints = group.constraints.iter().map(|c| state.constraint(*c));
    let constraints: Vec<&Constraint> = constraints.collect::<Option<_>>()?;
    let vars: Vec<Var> = group.shown.iter().chain(&group.hidden).copied().collect();
    let values: Vec<Vec<Int>> = vars.iter().map(|&v| all_values(&state.domain(v))).collect();
    let mut at = vec![0usize; vars.len()];
    let mut found: Vec<Vec<Int>> = Vec::new();
    let shown = group.shown.len();
    'combination: loop {
        let value = |v: Var| {
            state.value_with(v, &|v| {
                vars.iter().position(|&w| w == v).map(|i| values[i][at[i]])
            })
        };
        let mut good = true;
        work(1 + vars.len());
        for c in &constraints {
            work(vars.len() / 4);
            if !c.holds(&value)? {
                good = false;
                break;
            }
        }
        if good {
            let solution: Vec<Int> = (0..shown).map(|i| values[i][at[i]]).collect();
            if found.last() != Some(&solution) {
                found.push(solution);
            }
        }
        // The next combination, the last variable fastest.
        for i in (0..at.len()).rev() {
            at[i] += 1;
            if at[i] < values[i].len() {
                continue 'combination;
            }
            at[i] = 0;
        }
        return Some(found);
    }
}

fn all_values(domain: &Domain) -> Vec<Int> {
    let mut values = vec![domain.lo()];
    while let Some(x) = values.last().and_then(|&x| domain.next_above(x)) {
        values.push(x);
    }
    values
}
