//! What has to hold in a graph: its conditions, each with the node that requires it.

use super::demand::{Demands, node_of, origin_of};
use super::facts::Facts;
use super::reading::{Reading, naming_of};
use super::{Assumption, Graph, NodeId, ValueId};
use crate::explain::{self, Sizes};
use crate::limits::{MAX_ATTRIBUTED, MAX_MINIMIZED, MAX_SHOWN_EXAMPLES};
use crate::reify::{
    self, Source, Symbol, mentions, minimal, without_bounds, without_hidden_by_place,
};
use kanshape_engine::{Constraint, Linear, Var, Vector};
use kanshape_rules::encode::{What, is_evident, without_defined};
use kanshape_syntax::tree::{CmpOp, Condition, Expr, Ident};
use kanshape_types::{Dim, Name, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A condition, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stated {
    /// The node that requires it; `None` if it was given.
    pub node: Option<NodeId>,
    /// Other nodes that require a part of it: that `n` is a multiple of 6 may be required by one that needs a multiple of 2
    /// and one that needs a multiple of 3.
    pub others: Vec<NodeId>,
    /// What has to hold.
    pub condition: Condition,
    /// It is required of the inputs. Otherwise it was given, or follows for an unknown that the node has introduced.
    pub demands: bool,
    /// It is required only if the node's output has elements. If the output is empty, the node may run although this does not hold: a
    /// size of 0 in the shape of a `Reshape` copies a dim, and what follows from that is not worked out.
    pub unless_empty: bool,
}

impl Stated {
    /// Sizes for which it holds, and sizes for which it does not, if it is the condition with this number among all, and one of the first.
    pub fn examples(&self, all: &[Condition], i: usize) -> (Option<Sizes>, Option<Sizes>) {
        match self.demands && i < MAX_SHOWN_EXAMPLES {
            true => explain::sizes(all, i),
            false => (None, None),
        }
    }
}

/// A condition before all names are written, and where it comes from.
struct Draft {
    node: Option<NodeId>,
    others: Vec<NodeId>,
    condition: reify::Condition,
}

/// What has to hold in a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    pub stated: Vec<Stated>,
    /// Something has to hold that can't be written.
    pub unwritten: bool,
    /// What the user states is too much to find out: what is required beyond it can't be separated.
    pub inseparable: bool,
}

impl Conditions {
    pub(super) fn are_all(&self) -> bool {
        !self.unwritten && !self.inseparable
    }
}

impl Reading<'_> {
    /// What has to hold between the sizes: those of the user, and those that have been written. An unknown that has a
    /// name nowhere else is one for which some size has to do. None is written twice.
    pub fn conditions(&mut self) -> Vec<Stated> {
        if let Some(found) = &self.stated {
            return found.stated.clone();
        }
        let users: FxHashSet<Var> = self.vars_of_users().into_iter().collect();
        let mut found = match self.written.is_subset(&users) {
            // There is nothing else that they could be about.
            true => self.required().clone(),
            false => {
                let shown = self.shown();
                self.find_conditions(shown)
            }
        };
        let given = self.given_conditions().unwrap_or_default();
        let facts = Facts::new(&given, self.all.promotion);
        let required = self.required().stated.iter().filter(|own| own.demands);
        let required: FxHashSet<Condition> = required.map(|own| own.condition.clone()).collect();
        for one in &mut found.stated {
            one.demands = required.contains(&one.condition)
                || self.is_about_users(&one.condition, true) && !facts.imply(&one.condition, &[]);
        }
        if !found.are_all() {
            // A condition on unknowns that can't be written may still imply some on the user's names alone.
            let own: FxHashSet<&Condition> =
                found.stated.iter().map(|own| &own.condition).collect();
            let others = self.required().stated.clone().into_iter();
            let others = others.filter(|one| !own.contains(&one.condition));
            let others: Vec<Stated> = others.collect();
            found.stated.extend(others);
        }
        if self.nonempty {
            found.stated.retain(|one| !is_positive(&one.condition));
            self.without_least_sizes(&mut found.stated);
        }
        let stated = found.stated.clone();
        self.stated = Some(found);
        stated
    }

    /// Do [`Reading::conditions`] say all that has to hold? Not where a node waits for more to be known, was too much to
    /// solve, or requires what can't be written.
    pub fn is_complete(&mut self) -> bool {
        self.conditions();
        let is_written = self.stated.as_ref().is_some_and(Conditions::are_all);
        let is_required = self.required().are_all();
        is_written && is_required && self.given_up.is_empty() && self.waiting().is_empty()
    }

    /// What has to hold as it is found: some of it may follow from the rest. None where something can't be written. To
    /// compare a graph with what it was before, this is all that is needed, and it is found faster than
    /// [`Reading::conditions`].
    pub fn unreduced(&mut self) -> Option<Vec<Condition>> {
        if !self.given_up.is_empty() || !self.waiting().is_empty() {
            return None;
        }
        let shown = self.shown();
        let found = self.collect(shown);
        let conditions = found.stated.into_iter().map(|one| one.condition);
        (!found.unwritten).then(|| conditions.collect())
    }

    /// Do all of these conditions follow from those that are given? That it could not be found out counts as no.
    pub fn follow(&self, given: &[Condition], conditions: &[Condition]) -> bool {
        let dtypes = self.dtype_names();
        let facts = Facts::new(given, self.all.promotion);
        conditions.iter().all(|one| facts.imply(one, &dtypes))
    }

    /// The dtypes that the user has named.
    pub(super) fn dtype_names(&self) -> Vec<Name> {
        let dtypes = self.all.given.names.iter();
        let dtypes = dtypes.filter(|user| matches!(user.what, What::Dtype(_)));
        dtypes.map(|user| user.name.clone()).collect()
    }

    /// What has to hold between the user's names alone.
    pub(super) fn required(&mut self) -> &Conditions {
        let found = match self.required.take() {
            Some(found) => found,
            None => {
                let given = &self.all.given;
                let naming = naming_of(&self.all.state, &self.constraints, given, None);
                let naming = std::mem::replace(&mut self.naming, naming);
                let written = std::mem::take(&mut self.written);
                let shown = self.shown();
                let mut found = self.find_conditions(shown);
                self.naming = naming;
                self.written = written;
                let given = self.given_conditions().unwrap_or_default();
                let facts = Facts::new(&given, self.all.promotion);
                for one in &mut found.stated {
                    one.demands = !facts.imply(&one.condition, &[]);
                }
                found
            }
        };
        self.required.insert(found)
    }

    /// Does a condition mention a name of the user's, or nothing else?
    pub(super) fn is_about_users(&self, condition: &Condition, alone: bool) -> bool {
        let is_user = |name: &str| self.all.given.names.place(name).is_some();
        let (mut some, mut all) = (false, true);
        condition.for_each_name(&mut |name| {
            let is = is_user(name);
            some |= is;
            all &= is;
        });
        some && (all || !alone)
    }

    /// What has to hold between these, whether it is demanded or given.
    fn find_conditions(&mut self, shown: FxHashSet<Var>) -> Conditions {
        let mut found = self.collect(shown);
        self.keep_minimal(&mut found.stated);
        found.inseparable = self.given_conditions().is_none();
        found
    }

    /// All that has to hold between these, each once.
    fn collect(&mut self, shown: FxHashSet<Var>) -> Conditions {
        let mut found = Conditions::default();
        let facts = self.naming.facts.len();
        let mut dtypes: Vec<Var> = self.given_dtypes();
        dtypes.sort_unstable();
        dtypes.dedup();
        let mut all_shown = shown.clone();
        all_shown.extend(&dtypes);
        let Ok(constraints) = without_hidden_by_place(&self.all.state, &all_shown) else {
            found.unwritten = true;
            return found;
        };
        found.unwritten |= self.is_suspended(&all_shown, &constraints);
        let users = self.vars_of_users();
        let all = &self.constraints;
        let place_of = |i: usize| all[i].0;
        let naming = &mut self.naming;
        let collected = reify::collect(naming, &constraints, &place_of, &users, &shown, dtypes);
        found.unwritten |= collected.unwritten;
        let are_few = facts <= MAX_ATTRIBUTED;
        let drafts = collected.conditions.into_iter();
        let drafts = drafts.map(|(from, c)| self.draft(from, c, are_few));
        let drafts = drafts.collect();
        found.stated = self.written(drafts);
        self.without_defined(&mut found.stated, &shown);
        let nameless = self.fresh.nameless(&self.all.state);
        let all = found.stated.len();
        found
            .stated
            .retain(|one| !mentions(&one.condition, &nameless));
        found.unwritten |= found.stated.len() < all;
        found
    }

    /// Leaves out that sizes are at least a number where that follows from the rest as none is 0: a multiple of 4 is at least 4.
    fn without_least_sizes(&self, stated: &mut Vec<Stated>) {
        if stated.len() > MAX_MINIMIZED {
            return;
        }
        for at in (0..stated.len()).rev() {
            let Some((name, _)) = least(&stated[at].condition) else {
                continue;
            };
            let positive =
                Condition::Compare(Expr::Name(name.clone()), vec![(CmpOp::Ge, Expr::Int(1))]);
            let others = stated.iter().enumerate().filter(|(i, _)| *i != at);
            let mut given: Vec<Condition> = others.map(|(_, one)| one.condition.clone()).collect();
            given.push(positive);
            if Facts::new(&given, self.all.promotion).imply(&stated[at].condition, &[]) {
                stated.remove(at);
            }
        }
    }

    /// Replaces the unknowns that are not shown by what the conditions say they are.
    fn without_defined(&self, stated: &mut Vec<Stated>, shown: &FxHashSet<Var>) {
        let hidden = self.fresh.hidden(&self.all.state, shown);
        if hidden.is_empty() {
            return;
        }
        let conditions = stated.iter().map(|one| one.condition.clone()).collect();
        let left = without_defined(
            conditions,
            &|name| hidden.contains(name),
            (&self.all.given).into(),
        );
        let old = std::mem::take(stated);
        let of = |(i, condition): (usize, Condition)| {
            let one = old.get(i)?.clone();
            Some(Stated { condition, ..one })
        };
        // What was two conditions may be one now.
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let left = left.into_iter().filter_map(of);
        *stated = left
            .filter(|one| seen.insert(one.condition.to_string()))
            .collect();
    }

    /// Conditions as they are printed, each once.
    fn written(&mut self, drafts: Vec<Draft>) -> Vec<Stated> {
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let stated = drafts.into_iter().map(|draft| Stated {
            node: draft.node,
            unless_empty: {
                let nodes = draft.node.iter().chain(&draft.others);
                self.assuming(nodes.copied()).is_some()
            },
            others: draft.others,
            condition: self.condition(draft.condition),
            demands: true,
        });
        stated
            .filter(|one| seen.insert(one.condition.to_string()))
            .collect()
    }

    /// Drops what follows from the others.
    fn keep_minimal(&self, stated: &mut Vec<Stated>) {
        let is_one = stated.len() < 2;
        stated.retain(|one| !is_evident(&one.condition, &[]));
        if is_one {
            return;
        }
        let dtypes = self.dtype_names();
        let all = stated.iter().map(|one| one.condition.clone()).collect();
        let kept = without_bounds(all, &dtypes, self.all.promotion);
        let kept = match kept.len() <= MAX_MINIMIZED {
            true => minimal(kept, &[], &dtypes, self.all.promotion),
            false => kept,
        };
        let kept: FxHashSet<Condition> = kept.into_iter().collect();
        stated.retain(|one| kept.contains(&one.condition));
    }

    /// What the user states about the names: the conditions of the graph without its nodes. `None` if that was too much to
    /// find out.
    fn given_conditions(&mut self) -> Option<Vec<Condition>> {
        if let Some(found) = &self.given_conditions {
            return found.clone();
        }
        let found = self.find_given_conditions();
        self.given_conditions.insert(found).clone()
    }

    fn find_given_conditions(&self) -> Option<Vec<Condition>> {
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        let says = self.given.iter().any(|given| match given {
            _ if self.nonempty => true,
            Assumption::Same(..) => true,
            Assumption::Like(..) => false,
            Assumption::Made(value, ty) | Assumption::Type(value, ty) => {
                !seen.insert(*value) || !is_plain(ty)
            }
        });
        if !says {
            return Some(Vec::new());
        }
        let mut own = Graph::with_cache(Arc::clone(self.cache), self.labels, self.all.promotion);
        own.nonempty = self.nonempty;
        let mut values: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        for given in self.given {
            match given {
                Assumption::Like(..) => {}
                Assumption::Made(value, ty) | Assumption::Type(value, ty) => {
                    match values.get(value) {
                        // Both hold here: it was found out when they were stated.
                        Some(own_value) => own.assume(*own_value, ty).ok()?,
                        None => drop(values.insert(*value, own.value(ty).ok()?)),
                    }
                }
                Assumption::Same(a, b) => {
                    let [a, b] = [a, b].map(|v| *values.entry(*v).or_insert_with(|| own.unknown()));
                    own.equate(a, b).ok()?;
                }
            }
        }
        own.given = Vector::new();
        let mut reading = own.read();
        let shown = reading.shown();
        let found = reading.find_conditions(shown);
        let is_all = found.are_all();
        let stated = found.stated.into_iter().map(|one| one.condition);
        is_all.then(|| stated.collect())
    }

    /// A condition with the nodes that it comes from. Of facts that are many only one node is looked for.
    fn draft(&self, from: Source, condition: reify::Condition, are_few: bool) -> Draft {
        let (mut node, mut others) = (None, Vec::new());
        match from {
            Source::Fact => {
                let mut names = Vec::new();
                condition.visit(&mut |symbol| names.push(symbol.clone()));
                if let Some(v) = names.iter().find_map(|symbol| self.user(symbol)) {
                    node = self.origin(v);
                    if let (Some(node), [_], true) = (node, &names[..], are_few) {
                        others = self.others(v, node);
                    }
                    others.extend(self.assuming(self.demands().of(v)));
                }
            }
            Source::Bounds(v) => {
                node = self.origin_of_bound(v);
                // A lower bound is what such a node requires.
                if !is_upper_bound(&condition) {
                    others.extend(self.assuming(self.demands().on(&self.all.state, v)));
                }
            }
            Source::Constraint(place) => node = node_of(self.all.state.origin_of(place)),
            Source::Dtypes => {}
        }
        others.retain(|other| Some(*other) != node);
        others.dedup();
        Draft {
            node,
            others,
            condition,
        }
    }

    /// One of these nodes that has required more than has to hold.
    fn assuming(&self, mut nodes: impl Iterator<Item = NodeId>) -> Option<NodeId> {
        nodes.find(|node| self.all.state.assumes(origin_of(*node)))
    }

    /// The open variables of the sizes that the user has named, and of those that have been written.
    fn shown(&self) -> FxHashSet<Var> {
        let mut shown: FxHashSet<Var> = self.written.clone();
        shown.extend(self.vars_of_users());
        shown
    }

    /// The open variables of the sizes that the user has named.
    fn vars_of_users(&self) -> Vec<Var> {
        reify::vars_of_users(&self.all.state, &self.all.given)
    }

    fn given_dtypes(&self) -> Vec<Var> {
        let names = self.all.given.names.iter();
        let dtypes = names.filter_map(|user| match user.what {
            What::Dtype(v) => Some(self.all.state.root(v)),
            _ => None,
        });
        dtypes.collect()
    }

    /// Is a choice suspended, or a relation that depends on what is shown, or on what a condition of it is about?
    fn is_suspended(&self, shown: &FxHashSet<Var>, connected: &[(usize, Constraint)]) -> bool {
        let mut reached = shown.clone();
        for (_, c) in connected {
            c.for_each_var(&mut |v| {
                reached.insert(self.all.state.root(v));
            });
        }
        let depends = |v: Var| {
            let root = self.all.state.root(v);
            // A rank, or a type: of what it is made of is not followed here.
            if !self.all.state.is_int(root) {
                return !self.all.given.names.is_empty() && self.all.state.mask(root) == 0;
            }
            let open = match self.all.state.is_open(root) {
                true => vec![root],
                false => self.all.state.open_vars_of(&Linear::var(root)),
            };
            open.iter().any(|v| reached.contains(v))
        };
        let waits = self.constraints.iter().any(|(_, c)| match c {
            // What it depends on says when it is examined again, and not what its alternatives require.
            Constraint::Choice(_) => true,
            Constraint::Custom(relation) => relation.vars().into_iter().any(depends),
            _ => false,
        });
        // A hint says nothing where it waits for what nobody knows. One that waits for the values of names alone may
        // refuse some of them.
        waits
            || self
                .all
                .state
                .refusing(&|v| shown.contains(&v))
                .next()
                .is_some()
    }

    fn condition(&mut self, condition: reify::Condition) -> Condition {
        self.fresh
            .condition(condition, &self.all.state, &self.all.given)
    }

    /// The size that is a name of the user's.
    fn user(&self, symbol: &Symbol) -> Option<Var> {
        let Symbol::Name(name) = symbol else {
            return None;
        };
        match self.all.given.names.what(name)? {
            What::Size(v) => Some(v),
            _ => None,
        }
    }

    /// The node that leaves nothing open of a size; of one that is open, the first that requires something of it.
    fn origin(&self, v: Var) -> Option<NodeId> {
        let demands = self.demands();
        let demand = demands.fixed_by(v);
        let demand = demand.or_else(|| demands.on(&self.all.state, v).next());
        demand.or_else(|| node_of(self.all.state.origin_of_var(v)))
    }

    /// The node that has narrowed a size to what it can be now: the last one that requires something of it.
    fn origin_of_bound(&self, v: Var) -> Option<NodeId> {
        let demand = self.demands().on(&self.all.state, v).next_back();
        demand.or_else(|| node_of(self.all.state.origin_of_var(v)))
    }

    fn demands(&self) -> &Demands<'_> {
        let new = || Demands::new(&self.all.state, self.demands);
        self.demands_by_size.get_or_init(new)
    }

    /// The other nodes that require something of what a size has come to be made of: of its parts, which have no name.
    fn others(&self, v: Var, node: NodeId) -> Vec<NodeId> {
        let parts = self.all.state.open_vars_of(&Linear::var(v));
        let is_named = |v: Var| {
            let mut users = self.all.given.names.iter();
            users.any(|user| matches!(user.what, What::Size(own) if own == v))
        };
        let mut others: Vec<NodeId> = Vec::new();
        for demand in self.demands {
            let of = self.all.state.open_vars_of(&Linear::var(demand.of));
            let is_part = !of.is_empty() && of.iter().all(|v| parts.contains(v));
            let is_own = demand.of == v || !is_named(demand.of);
            if let Some(other) = demand.node
                && is_part
                && is_own
                && other != node
                && !others.contains(&other)
            {
                others.push(other);
            }
        }
        others
    }

    /// The nodes that have more to say once more is known.
    pub(super) fn waiting(&self) -> Vec<NodeId> {
        self.nodes_of(|c| matches!(c, Constraint::Choice(_)) || c.is_custom())
    }

    /// The same, and those that require something of dims of which not even the number is known.
    pub(super) fn open_nodes(&self) -> Vec<NodeId> {
        self.nodes_of(|c| c.is_structural() || matches!(c, Constraint::Choice(_)) || c.is_custom())
    }

    /// The nodes of which something is left that is neither known nor a condition: they have more to say once more is known, may refuse
    /// some of the sizes that have been written, or were too much to solve.
    pub fn undecided(&self) -> Vec<NodeId> {
        let mut nodes = self.given_up.clone();
        nodes.extend(self.open_nodes());
        nodes.extend(self.refusing_nodes());
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The nodes whose relations wait for the values of names, and may refuse some of them.
    fn refusing_nodes(&self) -> Vec<NodeId> {
        let shown = self.shown();
        let is_shown = |v| shown.contains(&v);
        self.all
            .state
            .refusing(&is_shown)
            .filter_map(node_of)
            .collect()
    }

    /// The nodes that have posted an open constraint of this kind.
    fn nodes_of(&self, is_one: impl Fn(&Constraint) -> bool) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self
            .constraints
            .iter()
            .filter(|(_, c)| is_one(c))
            .filter_map(|(place, _)| node_of(self.all.state.origin_of(*place)))
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// `n <= 8`.
fn is_upper_bound(condition: &reify::Condition) -> bool {
    matches!(condition, reify::Condition::Compare(_, rest) if matches!(rest[..], [(CmpOp::Le | CmpOp::Lt, _)]))
}

/// Does a type say nothing of its names?
fn is_plain(ty: &Type) -> bool {
    let has_expr = |tensor: &kanshape_types::Tensor| {
        let dims = tensor.shape.known_dims().iter();
        dims.into_iter().any(|dim| matches!(dim, Dim::Expr(_)))
    };
    ty.conditions.is_empty() && !ty.as_tensor().is_some_and(has_expr) && ty.parts().all(is_plain)
}

/// `n >= 1`.
fn is_positive(condition: &Condition) -> bool {
    matches!(least(condition), Some((_, 1)))
}

/// What a size is at least, if a condition says no more.
fn least(condition: &Condition) -> Option<(&Ident, i128)> {
    let Condition::Compare(Expr::Name(name), rest) = condition else {
        return None;
    };
    match rest[..] {
        [(CmpOp::Ge, Expr::Int(n))] => Some((name, n.into())),
        [(CmpOp::Gt, Expr::Int(n))] => Some((name, i128::from(n) + 1)),
        _ => None,
    }
}
