//! The open variables of a state, in groups that share no constraint.

use crate::control::work;
use crate::linear::Var;
use crate::sets::Sets;
use crate::store::State;
use crate::store::constraint::Constraint;

/// A group of open variables tied together by constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// The variables whose values are wanted, oldest first.
    pub(super) shown: Vec<Var>,
    /// The others: each solution for the shown ones needs just one value for these.
    pub(super) hidden: Vec<Var>,
    /// The places of its constraints among all that were posted.
    pub(super) constraints: Vec<u32>,
    /// Is there a relation of the caller's that waits, in this group or in another one?
    pub(super) has_relations: bool,
}

impl Group {
    /// The same, but the values of all of its variables are wanted.
    pub(super) fn all_shown(self) -> Group {
        Group {
            shown: [self.shown, self.hidden].concat(),
            hidden: Vec::new(),
            constraints: self.constraints,
            has_relations: self.has_relations,
        }
    }
}

/// The open variables of `state`, `shown` and those tied to them or to nothing shown, in groups.
pub(super) fn groups(state: &State, shown: &[Var]) -> Vec<Group> {
    work(state.var_count() / 4);
    let mut sets = Sets::new(state.var_count());
    let mut is_shown = vec![false; state.var_count()];
    let mut order: Vec<Var> = shown.to_vec();
    shown.iter().for_each(|v| is_shown[v.index()] = true);
    let mut tied: Vec<(u32, Var)> = Vec::new();
    let mut has_relations = false;
    for (place, constraint) in state.open_constraints_by_place() {
        has_relations |= constraint.is_custom();
        let vars = open_vars(state, constraint);
        vars.windows(2)
            .for_each(|w| sets.join(w[0].index(), w[1].index()));
        tied.extend(vars.first().map(|v| (place as u32, *v)));
        order.extend(vars);
    }
    order.sort_unstable();
    order.dedup();
    let mut groups: Vec<Group> = Vec::new();
    // The group of each set, by its oldest variable.
    let mut group_of = vec![usize::MAX; state.var_count()];
    for v in order {
        let place = &mut group_of[sets.least(v.index())];
        if *place == usize::MAX {
            *place = groups.len();
            groups.push(Group {
                has_relations,
                ..Group::default()
            });
        }
        let group = &mut groups[*place];
        if is_shown[v.index()] {
            group.shown.push(v);
        } else {
            group.hidden.push(v);
        }
    }
    for (constraint, v) in tied {
        let place = group_of[sets.least(v.index())];
        groups[place].constraints.push(constraint);
    }
    groups
}

/// The open integer variables that a constraint comes to.
pub(super) fn open_vars(state: &State, constraint: &Constraint) -> Vec<Var> {
    let mut vars = Vec::new();
    constraint.for_each_var(&mut |v| state.open_ints(v, &mut vars));
    vars.sort_unstable();
    vars.dedup();
    vars
}
