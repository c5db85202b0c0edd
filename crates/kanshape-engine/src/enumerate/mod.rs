//! Numbers for what is open: every solution of the constraints that are left, or just one.
//!
//! Constraints that share no variable are independent: each group of variables is solved on its
//! own, once, and the solutions of the groups are multiplied.

mod atoms;
mod choose;
mod few;
mod groups;
mod satisfy;
mod walk;

pub use choose::{Chooser, choose, pick};
pub use few::list_few;
pub use satisfy::satisfiable;

use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::int::Int;
use crate::linear::Var;
use crate::store::State;
use groups::{Group, groups};
use satisfy::is_undecided;
use walk::{Mode, Solutions};

/// Every solution of what is open in a state, as values of some of its variables.
#[derive(Clone, Debug)]
pub struct Labeling {
    groups: Vec<(Vec<usize>, Solutions, Vec<Vec<Int>>)>,
    /// The position in each group's list, once there is a first solution.
    at: Option<Vec<usize>>,
    values: Vec<Int>,
}

impl Labeling {
    /// The solutions of `state`, as values of the open variables `shown` (each once, without
    /// repetition among them). `None` if the groups without a shown variable have no solution.
    ///
    /// # Errors
    /// [`Stop::Budget`] or [`Stop::Overflow`] if that could not be found out.
    pub fn new(
        state: &State,
        shown: &[Var],
        budget: &mut Budget,
    ) -> Result<Option<Labeling>, Stop> {
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
                has_relations: parts.iter().any(|g| g.has_relations),
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
        Ok(Some(Labeling {
            groups,
            at: None,
            values: vec![0; shown.len()],
        }))
    }

    /// The combinations of lists: for each the places that its members' values go to, and the members.
    /// Every place from 0 on is in one list.
    pub fn of_lists(lists: Vec<(Vec<usize>, Vec<Vec<Int>>)>) -> Labeling {
        let width = lists.iter().map(|l| l.0.len()).sum();
        let groups = lists.into_iter().map(|(places, list)| {
            let none = Solutions {
                shown: Vec::new(),
                mode: Mode::Listed(Vec::new(), 0),
            };
            (places, none, list)
        });
        Labeling {
            groups: groups.collect(),
            at: None,
            values: vec![0; width],
        }
    }

    /// Were there numbers, among those examined so far, that were not decided to be a solution or none?
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
                Some(values) => {
                    // They are kept: this is memory.
                    work(24 + 2 * values.len());
                    list.push(values);
                }
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}
