//! Numbers for what is open: every solution of the constraints that are left, or just one.
//!
//! Constraints that share no variable are independent: each group of variables is solved on its
//! own, once, and the solutions of the groups are multiplied.

use crate::budget::{Budget, Stop};
use crate::constraint::Constraint;
use crate::domain::Domain;
use crate::int::Int;
use crate::linear::Linear;
use crate::store::{State, Var};

/// Up to so many combinations are simply tried; beyond, each choice is propagated.
const TRY_ALL: u128 = 4096;
/// A domain with more values than this is walked in rounds of growing bounds.
const LARGE: u128 = 1 << 16;

/// A group of open variables tied together by constraints.
#[derive(Clone, Debug, Default)]
struct Group {
    /// The variables whose values are wanted, oldest first.
    shown: Vec<Var>,
    /// The others: each solution for the shown ones needs just one value for these.
    hidden: Vec<Var>,
    /// The indices of its constraints among the open ones.
    constraints: Vec<usize>,
}

impl Group {
    /// The same, but the values of all of its variables are wanted.
    fn all_shown(self) -> Group {
        Group {
            shown: [self.shown, self.hidden].concat(),
            hidden: Vec::new(),
            constraints: self.constraints,
        }
    }
}

/// The open variables of `state`, `shown` and those tied to them or to nothing shown, in groups.
fn groups(state: &State, shown: &[Var]) -> Vec<Group> {
    let mut sets = Sets::new(state.var_count());
    let mut is_shown = vec![false; state.var_count()];
    let mut order: Vec<Var> = shown.to_vec();
    shown.iter().for_each(|v| is_shown[v.index()] = true);
    let mut tied: Vec<Option<Var>> = Vec::new();
    for constraint in state.open_constraints() {
        let vars = open_vars(state, constraint);
        vars.windows(2).for_each(|w| sets.join(w[0], w[1]));
        tied.push(vars.first().copied());
        order.extend(vars);
    }
    order.sort_unstable();
    order.dedup();
    let mut groups: Vec<Group> = Vec::new();
    // The group of each set, by its oldest variable.
    let mut group_of = vec![usize::MAX; state.var_count()];
    for v in order {
        let place = &mut group_of[sets.oldest(v).index()];
        if *place == usize::MAX {
            *place = groups.len();
            groups.push(Group::default());
        }
        let group = &mut groups[*place];
        if is_shown[v.index()] {
            group.shown.push(v);
        } else {
            group.hidden.push(v);
        }
    }
    for (c, first) in tied.into_iter().enumerate() {
        if let Some(v) = first {
            let place = group_of[sets.oldest(v).index()];
            groups[place].constraints.push(c);
        }
    }
    groups
}

/// Disjoint sets of variables.
struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    fn new(count: usize) -> Sets {
        Sets {
            parent: (0..count as u32).collect(),
        }
    }

    fn oldest(&mut self, v: Var) -> Var {
        let mut i = v.0;
        while self.parent[i as usize] != i {
            let up = self.parent[i as usize];
            self.parent[i as usize] = self.parent[up as usize];
            i = up;
        }
        Var(i)
    }

    fn join(&mut self, a: Var, b: Var) {
        let (a, b) = (self.oldest(a), self.oldest(b));
        self.parent[a.max(b).index()] = a.min(b).0;
    }
}

/// The open integer variables that a constraint comes to.
fn open_vars(state: &State, constraint: &Constraint) -> Vec<Var> {
    let mut vars = Vec::new();
    constraint.for_each_var(&mut |v| state.open_ints(v, &mut vars));
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// Is there a solution of all that is open in `state`?
///
/// # Errors
/// [`Stop::Budget`] or [`Stop::Overflow`] if that could not be found out.
pub fn satisfiable(state: &State, budget: &mut Budget) -> Result<bool, Stop> {
    let mut undecided = is_undecided(state);
    for group in groups(state, &[]) {
        let mut solutions = Solutions::new(state, group.all_shown());
        if solutions.next(budget)?.is_none() {
            match solutions.is_undecided() {
                true => undecided = true,
                false => return Ok(false),
            }
        }
    }
    match undecided {
        true => Err(Stop::Overflow),
        false => Ok(true),
    }
}

/// Is there a caller's relation that waits, though no number that it has looked at is open?
fn is_undecided(state: &State) -> bool {
    let mut relations = state.open_constraints().filter(|c| c.is_custom());
    relations.any(|c| open_vars(state, c).is_empty())
}

/// Where few values are left for the variables of a group of constraints: lists for each those that
/// some solution has.
///
/// # Errors
/// [`Stop::Conflict`] if there is no solution.
pub fn list_few(state: &mut State, budget: &mut Budget) -> Result<(), Stop> {
    const FEW: usize = 16;
    for group in groups(state, &[]) {
        let combinations = group.hidden.iter().try_fold(1u128, |n, &v| {
            n.checked_mul(state.domain(v).len()?)
                .filter(|&n| n <= TRY_ALL)
        });
        if combinations.is_none() || group.constraints.is_empty() {
            continue;
        }
        let vars = group.hidden.clone();
        let all = group.all_shown();
        budget.spend(16)?;
        let Some(solutions) = try_all(state, &all) else {
            continue;
        };
        for (i, v) in vars.into_iter().enumerate() {
            let mut values: Vec<Int> = solutions.iter().map(|s| s[i]).collect();
            values.sort_unstable();
            values.dedup();
            if values.len() <= FEW {
                state.restrict(&Linear::var(v), &Domain::of(values))?;
            }
        }
    }
    state.propagate(budget)
}

/// The solutions of one group, as values of its shown variables, each once.
#[derive(Clone, Debug)]
struct Solutions {
    shown: Vec<Var>,
    mode: Mode,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there are few of them")]
enum Mode {
    /// All of them, found by trying every combination; how many have been given out.
    Listed(Vec<Vec<Int>>, usize),
    /// Depth first, propagating each choice.
    Walk(Walk),
    /// The same in rounds: all values up to a bound, then up to a greater one.
    Rounds { base: State, bound: Int, walk: Walk },
}

#[derive(Clone, Debug)]
struct Walk {
    stack: Vec<Frame>,
    hidden: Vec<Var>,
    /// Are there relations of the caller's that may still wait when all numbers are known?
    has_relations: bool,
    /// Some were: what they would have said is not known.
    undecided: bool,
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
    fn new(state: &State, group: Group) -> Solutions {
        let size = |vars: &[Var]| {
            vars.iter().try_fold(1u128, |n, &v| {
                n.checked_mul(state.domain(v).len()?)
                    .filter(|&n| n <= TRY_ALL)
            })
        };
        if size(&group.shown)
            .zip(size(&group.hidden))
            .is_some_and(|(a, b)| a * b <= TRY_ALL)
            && let Some(list) = try_all(state, &group)
        {
            return Solutions {
                shown: group.shown,
                mode: Mode::Listed(list, 0),
            };
        }
        let large = |&v: &Var| state.domain(v).len().is_none_or(|n| n > LARGE);
        let mut walk = Walk {
            stack: Vec::new(),
            hidden: group.hidden,
            has_relations: state.open_constraints().any(Constraint::is_custom),
            undecided: false,
        };
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

    /// Were there numbers of which it could not be told whether they are a solution?
    fn is_undecided(&self) -> bool {
        match &self.mode {
            Mode::Listed(..) => false,
            Mode::Walk(walk) | Mode::Rounds { walk, .. } => walk.undecided,
        }
    }

    /// Does it never end?
    fn is_endless(&self) -> bool {
        matches!(self.mode, Mode::Rounds { .. })
    }

    fn next(&mut self, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
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
                    Ok(()) => walk.stack.push(Frame::new(state, &self.shown, 0)),
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
    fn next(&mut self, shown: &[Var], budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        while let Some(frame) = self.stack.last_mut() {
            let Some(&v) = shown.get(frame.at) else {
                let state = self.stack.pop().map(|f| f.state);
                let Some(state) = state else { break };
                if self.has_relations && is_undecided(&state) {
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
                self.stack.pop();
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
            let chosen = Linear::constant(x);
            match state
                .equate(&Linear::var(v), &chosen)
                .and_then(|()| state.propagate(budget))
            {
                Ok(()) => self.stack.push(Frame::new(state, shown, at)),
                Err(Stop::Conflict) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(None)
    }
}

/// Tries every combination of values; `None` if some constraint can't be checked on numbers.
fn try_all(state: &State, group: &Group) -> Option<Vec<Vec<Int>>> {
    let open: Vec<&Constraint> = state.open_constraints().collect();
    let constraints: Vec<&Constraint> = group.constraints.iter().map(|&c| open[c]).collect();
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
        for c in &constraints {
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

/// Every solution of what is open in a state, as values of some of its variables.
#[derive(Clone, Debug)]
pub struct Ground {
    groups: Vec<(Vec<usize>, Solutions, Vec<Vec<Int>>)>,
    /// The position in each group's list, once there is a first solution.
    at: Option<Vec<usize>>,
    values: Vec<Int>,
}

impl Ground {
    /// The solutions of `state`, as values of the open variables `shown` (each once, without
    /// repetition among them). `None` if the groups without a shown variable have no solution.
    ///
    /// # Errors
    /// [`Stop::Budget`] or [`Stop::Overflow`] if that could not be found out.
    pub fn new(state: &State, shown: &[Var], budget: &mut Budget) -> Result<Option<Ground>, Stop> {
        if is_undecided(state) {
            return Err(Stop::Overflow);
        }
        let mut parts = Vec::new();
        for group in groups(state, shown) {
            if group.shown.is_empty() {
                let mut solutions = Solutions::new(state, group.all_shown());
                if solutions.next(budget)?.is_none() {
                    match solutions.is_undecided() {
                        true => return Err(Stop::Overflow),
                        false => return Ok(None),
                    }
                }
                continue;
            }
            parts.push(group);
        }
        let mut solved: Vec<Solutions> = parts
            .iter()
            .map(|g| Solutions::new(state, g.clone()))
            .collect();
        if solved.len() > 1 && solved.iter().any(Solutions::is_endless) {
            // Only together can endless ones be walked fairly.
            let mut one = Group {
                shown: shown.to_vec(),
                hidden: Vec::new(),
                constraints: Vec::new(),
            };
            one.shown.sort_unstable();
            for g in &parts {
                one.hidden.extend(&g.hidden);
                one.constraints.extend(&g.constraints);
            }
            solved = vec![Solutions::new(state, one.clone())];
            parts = vec![one];
        }
        let groups = parts
            .into_iter()
            .zip(solved)
            .map(|(g, s)| {
                let places = g
                    .shown
                    .iter()
                    .filter_map(|v| shown.iter().position(|w| w == v))
                    .collect();
                (places, s, Vec::new())
            })
            .collect();
        Ok(Some(Ground {
            groups,
            at: None,
            values: vec![0; shown.len()],
        }))
    }

    /// The combinations of lists: for each the places that its members' values go to, and the members.
    /// Every place from 0 on is in one list.
    pub fn of_lists(lists: Vec<(Vec<usize>, Vec<Vec<Int>>)>) -> Ground {
        let width = lists.iter().map(|l| l.0.len()).sum();
        let groups = lists.into_iter().map(|(places, list)| {
            let none = Solutions {
                shown: Vec::new(),
                mode: Mode::Listed(Vec::new(), 0),
            };
            (places, none, list)
        });
        Ground {
            groups: groups.collect(),
            at: None,
            values: vec![0; width],
        }
    }

    /// Were there numbers, among those looked at so far, of which it could not be told whether they are a solution?
    pub fn is_undecided(&self) -> bool {
        self.groups.iter().any(|g| g.1.is_undecided())
    }

    /// The next solution: a value for each shown variable, in the order in which they were given.
    ///
    /// # Errors
    /// [`Stop::Budget`] if the steps ran out.
    pub fn next(&mut self, budget: &mut Budget) -> Result<Option<&[Int]>, Stop> {
        match self.at.take() {
            None => {
                for i in 0..self.groups.len() {
                    if !self.has(i, 0, budget)? {
                        return Ok(None);
                    }
                }
                self.at = Some(vec![0; self.groups.len()]);
            }
            Some(mut at) => {
                let mut i = at.len();
                loop {
                    let Some(j) = i.checked_sub(1) else {
                        return Ok(None);
                    };
                    i = j;
                    if self.has(i, at[i] + 1, budget)? {
                        at[i] += 1;
                        break;
                    }
                    at[i] = 0;
                }
                self.at = Some(at);
            }
        }
        budget.spend(1)?;
        if let Some(at) = &self.at {
            for ((places, _, list), &k) in self.groups.iter().zip(at) {
                for (&place, &x) in places.iter().zip(&list[k]) {
                    self.values[place] = x;
                }
            }
        }
        Ok(Some(&self.values))
    }

    /// Is there a solution number `k` of group `i`?
    fn has(&mut self, i: usize, k: usize, budget: &mut Budget) -> Result<bool, Stop> {
        let (_, solutions, list) = &mut self.groups[i];
        while list.len() <= k {
            match solutions.next(budget)? {
                Some(values) => list.push(values),
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}
