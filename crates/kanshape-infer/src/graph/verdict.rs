//! Does a graph hold: always, for some sizes, or never?

use super::NodeId;
use super::conditions::{Conditions, Stated};
use super::facts::Facts;
use super::reading::Reading;
use crate::Verdict;
use crate::limits::{
    COUNTEREXAMPLE_STEPS, GRAPH_COUNTEREXAMPLES_STEPS, MAX_COST_TRIED, MAX_TRIED_SIZES,
    WITNESS_STEPS, WITNESS_STEPS_EACH,
};
use crate::reify::{Candidates, Hold, Own, contradict, cover_all, sizes_around, vars_of_users};
use kanshape_engine::{Budget, Goal, Int, Linear, Stop, Var, is_over, satisfiable};
use kanshape_rules::encode::What;
use kanshape_syntax::tree::{CmpOp, Condition, Expr, Span, Spanned};
use kanshape_types::Name;
use rustc_hash::FxHashSet;

/// Why it is not known whether a graph holds: [`Reading::doubt`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// Whether all that has to hold can hold together was too much to find out.
    Together,
    /// Something that these nodes require is not known, was too much to find out, or can't be written as a condition.
    Unwritten(Vec<NodeId>),
    /// No sizes are known for which these do not hold, and it is not known that there are none.
    Undecided(Vec<Stated>),
}

impl Reading<'_> {
    /// Does the graph hold, whatever sizes the user's names denote?
    ///
    /// It is [`Verdict::Depends`] where some sizes are known for which it does not, and [`Verdict::Unknown`] where that
    /// could not be found out, or where something has to hold that can't be written.
    pub fn verdict(&mut self) -> Verdict {
        if let Some(verdict) = self.without_conditions() {
            return verdict;
        }
        let found = self.required().clone();
        let (required, given): (Vec<&Stated>, Vec<&Stated>) =
            found.stated.iter().partition(|one| one.demands);
        let given: Vec<Condition> = given.into_iter().map(|one| one.condition.clone()).collect();
        self.judged(required, &given, &found)
    }

    /// Why the verdict is [`Verdict::Unknown`], if it is.
    pub fn doubt(&mut self) -> Option<Doubt> {
        if self.verdict() != Verdict::Unknown {
            return None;
        }
        if self.without_conditions().is_some() {
            return Some(Doubt::Together);
        }
        let found = self.required().clone();
        if !found.are_all() || !self.given_up.is_empty() {
            return Some(Doubt::Unwritten(self.undecided()));
        }
        let (mut required, given): (Vec<Stated>, Vec<Stated>) =
            found.stated.into_iter().partition(|one| one.demands);
        let given: Vec<Condition> = given.into_iter().map(|one| one.condition).collect();
        let facts = Facts::new(&given, self.all.promotion);
        required.retain(|one| {
            self.is_about_users(&one.condition, false) && !facts.imply(&one.condition, &[])
        });
        Some(Doubt::Undecided(required))
    }

    /// The same of what is required beyond these conditions, where they hold.
    pub(super) fn verdict_beyond(&mut self, given: &[Condition]) -> Verdict {
        if let Some(verdict) = self.without_conditions() {
            return verdict;
        }
        let found = self.required().clone();
        let facts = Facts::new(given, self.all.promotion);
        let required = found.stated.iter();
        let required = required.filter(|one| !facts.imply(&one.condition, &[]));
        self.judged(required.collect(), given, &found)
    }

    /// The verdict where no conditions are needed for it.
    fn without_conditions(&self) -> Option<Verdict> {
        if self.problems > 0 {
            return Some(Verdict::Never);
        }
        if self.constraints.is_empty() {
            return None;
        }
        // Those that share no name are met group by group, in a few steps each.
        let steps = WITNESS_STEPS + WITNESS_STEPS_EACH * self.constraints.len() as u64;
        match satisfiable(&self.all.state, &mut Budget::new(steps)) {
            Ok(true) => None,
            // With what need not hold, it may be that.
            Ok(false) if self.assumed => Some(Verdict::Unknown),
            Ok(false) => Some(Verdict::Never),
            Err(_) => Some(Verdict::Unknown),
        }
    }

    fn judged(&self, required: Vec<&Stated>, given: &[Condition], found: &Conditions) -> Verdict {
        let is_about_users = |one: &&Stated| self.is_about_users(&one.condition, false);
        let required: Vec<&Stated> = required.into_iter().filter(is_about_users).collect();
        let is_known = self.given_up.is_empty() && !found.inseparable;
        if !is_known || found.unwritten && !self.cases_are_written(&required, given) {
            return Verdict::Unknown;
        }
        if self.has_unstated(&required, given) {
            return Verdict::Unknown;
        }
        if required.is_empty() {
            return Verdict::Always;
        }
        let users = self.sizes_in(&required);
        // Where there are none, they are about dtypes: some dtype is one that a set of them leaves out.
        if users.is_empty() || self.has_counterexample(&users, &required, given) {
            return Verdict::Depends;
        }
        let facts = Facts::new(given, self.all.promotion);
        let follows = |one: &&Stated| facts.imply(&one.condition, &[]);
        match required.iter().all(follows) {
            true => Verdict::Always,
            false => Verdict::Unknown,
        }
    }

    /// Are there sizes that fulfil all conditions, and for which the graph does not hold? A rule that is suspended may require something
    /// that no condition says, and so may a node that takes contents which only numbers decide.
    fn has_unstated(&self, required: &[&Stated], given: &[Condition]) -> bool {
        let users: FxHashSet<Var> = vars_of_users(&self.all.state, &self.all.given)
            .into_iter()
            .collect();
        let is_user = |v| users.contains(&v);
        let waits = self.all.state.waiting_for(&is_user).next().is_some();
        if !waits && self.determined.is_none() {
            return false;
        }
        let all = required.iter().map(|one| &one.condition).chain(given);
        let all: Vec<Condition> = all.cloned().collect();
        let users = self.user_sizes();
        waits && self.has_counterexample(&users, required, &all)
            || self.fails_where_determined(&users, &all)
    }

    /// Is there one of a few choices of sizes that the given conditions allow, and with which a node cannot be?
    fn fails_where_determined(&self, users: &[(Name, Var)], given: &[Condition]) -> bool {
        let Some(part) = &self.determined else {
            return false;
        };
        let candidates = Candidates {
            names: users.len(),
            values: vec![0, 1, 2, 3, 5],
            others: &[2],
        };
        let mut left = MAX_COST_TRIED;
        let mut fails = |value: &dyn Fn(usize) -> u64| {
            if is_over() || left < part.cost || !self.allows(users, given, value) {
                return false;
            }
            left -= part.cost;
            let names = users.iter().map(|user| user.0.clone());
            let sizes: Vec<(Name, Condition)> = names.zip(fixed(users, value)).collect();
            part.fails_with(&sizes)
        };
        candidates.equal(&mut fails)
            || users.len() > 1
                && (candidates.distinct(&mut fails) || candidates.one_by_one(&mut fails))
    }

    /// Are the given conditions not refuted by these sizes?
    fn allows(
        &self,
        users: &[(Name, Var)],
        given: &[Condition],
        value: &dyn Fn(usize) -> u64,
    ) -> bool {
        if given.is_empty() {
            return true;
        }
        let all: Vec<Condition> = given.iter().cloned().chain(fixed(users, value)).collect();
        !contradict(&all, [].iter(), self.all.promotion)
    }

    /// Do these conditions say all that is required, though choices are suspended? They do where every choice of sizes that they allow
    /// is one of which some way of the choices makes a solution.
    fn cases_are_written(&self, required: &[&Stated], given: &[Condition]) -> bool {
        let own = || Own::new(given.to_vec(), self.all.promotion, self.dtype_names());
        let Some(cases) = Hold::of_cases(self.all, &own, &[]) else {
            return false;
        };
        let cases: Vec<Vec<Condition>> = cases.into_iter().map(|hold| hold.required).collect();
        let known = required.iter().map(|one| &one.condition).chain(given);
        let known: Vec<Condition> = known.cloned().collect();
        let is_user = |name: &str| self.all.given.names.place(name).is_some();
        let dtypes = self.dtype_names();
        !cases.is_empty() && cover_all(&known, &cases, &is_user, dtypes.iter(), self.all.promotion)
    }

    /// The sizes that the user has named.
    fn user_sizes(&self) -> Vec<(Name, Var)> {
        let users = self.all.given.names.iter();
        let sizes = users.filter_map(|user| match user.what {
            What::Size(v) => Some((user.name.clone(), v)),
            _ => None,
        });
        sizes.collect()
    }

    /// Those of them that conditions are about.
    fn sizes_in(&self, conditions: &[&Stated]) -> Vec<(Name, Var)> {
        let mut about: FxHashSet<String> = FxHashSet::default();
        for one in conditions {
            one.condition.for_each_name(&mut |name| {
                about.insert(name.to_owned());
            });
        }
        let mut users = self.user_sizes();
        users.retain(|user| about.contains(user.0.as_str()));
        users
    }

    /// Are there sizes of these names that the given conditions allow, and for which the graph does not hold?
    fn has_counterexample(
        &self,
        users: &[(Name, Var)],
        required: &[&Stated],
        given: &[Condition],
    ) -> bool {
        let conditions = required.iter().map(|one| &one.condition);
        let candidates = Candidates {
            names: users.len(),
            values: sizes_around(&[2, 0, 1, 3, 4, 5, 7, 11], conditions, MAX_TRIED_SIZES),
            others: &[1, 2, 6],
        };
        // What is required of tensors that have elements is not required of the others.
        let required = required.iter().filter(|one| !one.unless_empty);
        let cases = [required.map(|one| &one.condition).collect()];
        let place = |name: &str| users.iter().position(|user| user.0.as_str() == name);
        if candidates.refute(&cases, &place, &mut |value| {
            self.allows(users, given, value)
        }) {
            return true;
        }
        let mut left = GRAPH_COUNTEREXAMPLES_STEPS;
        candidates.any(&mut |value| {
            if left == 0 {
                return false;
            }
            let (fails, used) = self.fails_at(users, given, value, left.min(COUNTEREXAMPLE_STEPS));
            left = left.saturating_sub(used + 100);
            fails
        })
    }

    /// Does the graph certainly not hold where the names have these sizes, though the given conditions allow them? And
    /// the steps that it took to find out.
    fn fails_at(
        &self,
        users: &[(Name, Var)],
        given: &[Condition],
        value: &dyn Fn(usize) -> u64,
        steps: u64,
    ) -> (bool, u64) {
        if !self.allows(users, given, value) {
            return (false, 0);
        }
        let mut budget = Budget::new(steps);
        let mut state = self.all.state.clone();
        let mut solve = || {
            for (i, (_, v)) in users.iter().enumerate() {
                let size = Linear::constant(Int::from(value(i)));
                state.equate(&Linear::var(*v), &size)?;
            }
            state.settle(Goal::succeed(), &mut budget)?;
            satisfiable(&state, &mut budget)
        };
        let fails = matches!(solve(), Ok(false) | Err(Stop::Conflict));
        (fails, budget.used())
    }
}

/// The conditions that the names have these sizes.
fn fixed(users: &[(Name, Var)], value: &dyn Fn(usize) -> u64) -> impl Iterator<Item = Condition> {
    users.iter().enumerate().map(move |(i, (name, _))| {
        let name = Expr::Name(Spanned::new(name.as_str().into(), Span::default()));
        Condition::Compare(name, vec![(CmpOp::Eq, Expr::Int(value(i)))])
    })
}
