//! What is known of a graph, written: types and conditions, with names that hold across it.

use super::cache::Lent;
use super::known::{self, Filled, Known, fill};
use super::log::Log;
use super::table::{Table, TypeId};
use super::{Demand, Graph, NodeId, Posted, ValueId};
use crate::Verdict;
use crate::lower::{Given, Labels, What, dtypes, tensor_parts};
use crate::reify::{Naming, Unnamed, of_constraint, of_domain};
use kanshape_engine::{
    Budget, Constraint, Linear, Part, Seq, State, Term, Var, Vector, satisfiable,
};
use kanshape_syntax::tree::{Condition, Expr, Span, Spanned};
use kanshape_types::{Content, Dim, DtypeTerm, Name, Shape, Tensor, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Types that are nested more deeply than this are not written.
const DEEPEST: usize = 64;

/// The steps that may be spent on whether all conditions hold for some sizes.
const WITNESS_STEPS: u64 = 100_000;

/// Of more facts it is not looked up which other nodes ask for a part of them.
const FEW: usize = 64;

/// The names that were given to what nobody has named.
#[derive(Clone, Debug, Default)]
pub(super) struct Fresh {
    names: FxHashMap<Box<str>, Name>,
    taken: FxHashSet<Name>,
    next: usize,
}

/// A condition, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The node that asks for it; `None` if it was given.
    pub node: Option<NodeId>,
    /// Other nodes that ask for a part of it: that `n` is a multiple of 6 may be asked by one that wants a multiple of 2
    /// and one that wants a multiple of 3.
    pub others: Vec<NodeId>,
    /// What has to hold.
    pub condition: Condition,
    /// Something that was open is asked for. Otherwise it says what follows of an unknown that the node has brought.
    pub demands: bool,
}

/// A graph while it is written down: [`Graph::read`].
pub struct Reading<'g> {
    state: &'g State,
    values: &'g Log<Known>,
    cache: &'g Lent,
    given: &'g Given,
    labels: &'g Labels,
    posted: &'g Vector<Posted>,
    demands: &'g Vector<Demand>,
    problems: usize,
    fresh: &'g mut Fresh,
    naming: Naming<'g>,
    /// What is still open, each with its place in the store.
    constraints: Vec<(usize, Constraint)>,
    /// The sizes that have been written.
    written: FxHashSet<Var>,
    /// Types with something in their places that have been written.
    filled: FxHashMap<(TypeId, Arc<[Linear]>), Arc<Type>>,
    /// The last of them: values of one type mostly come together.
    last: Option<(TypeId, Arc<[Linear]>, Arc<Type>)>,
}

impl Graph {
    /// What a value is, if nothing of it is open. It is there without the rest being read.
    pub fn known(&self, value: ValueId) -> Option<Arc<Type>> {
        match self.values.get(value.index())? {
            Known::Closed(id) => Some(Arc::clone(self.cache.open().table.ty(*id))),
            Known::Open(_) | Known::Named(..) => None,
        }
    }

    /// What is known, to be written down value by value.
    pub fn read(&mut self) -> Reading<'_> {
        let open = self.state.open_constraints_by_place();
        let constraints: Vec<(usize, Constraint)> = open.map(|(i, c)| (i, c.clone())).collect();
        let only: Vec<Constraint> = constraints.iter().map(|c| c.1.clone()).collect();
        let mut naming = Naming::new(&self.state, &only).with_parts(&only);
        // What is too large to be written is left without the user's name.
        let _ = naming.name_users(&self.given);
        for user in &self.given.names {
            self.fresh.taken.insert(user.name.clone());
        }
        Reading {
            state: &self.state,
            values: &self.values,
            cache: &self.cache,
            given: &self.given,
            labels: &self.labels,
            posted: &self.posted,
            demands: &self.demands,
            problems: self.problems.len(),
            fresh: &mut self.fresh,
            naming,
            constraints,
            written: FxHashSet::default(),
            filled: FxHashMap::default(),
            last: None,
        }
    }
}

impl Reading<'_> {
    /// What is known of a value.
    pub fn ty(&mut self, value: ValueId) -> Type {
        Arc::unwrap_or_clone(self.shared(value))
    }

    /// The same. Values of the same type mostly share it: there are few types in a graph, however large.
    pub fn shared(&mut self, value: ValueId) -> Arc<Type> {
        let cache = self.cache.open();
        self.shared_in(&cache.table, value)
    }

    /// The same of many values.
    pub fn all_shared(&mut self, values: impl IntoIterator<Item = ValueId>) -> Vec<Arc<Type>> {
        let cache = self.cache.open();
        let types = values.into_iter().map(|v| self.shared_in(&cache.table, v));
        types.collect()
    }

    fn shared_in(&mut self, table: &Table, value: ValueId) -> Arc<Type> {
        let (id, forms) = match self.values.get(value.index()) {
            None => return Arc::default(),
            Some(Known::Open(term)) => return Arc::new(self.term(term, 0)),
            Some(Known::Closed(id)) => return Arc::clone(table.ty(*id)),
            Some(Known::Named(id, forms)) => (*id, forms),
        };
        if let Some((last, of, ty)) = &self.last
            && *last == id
            && Arc::ptr_eq(of, forms)
        {
            return Arc::clone(ty);
        }
        let key = (id, Arc::clone(forms));
        if let Some(ty) = self.filled.get(&key) {
            let ty = Arc::clone(ty);
            self.last = Some((key.0, key.1, Arc::clone(&ty)));
            return ty;
        }
        let filled = fill(table.ty(id), &mut |k| match forms.get(k) {
            Some(form) => self.dim_of(form),
            None => Filled::Hole,
        });
        let filled = Arc::new(filled);
        self.filled.insert(key, Arc::clone(&filled));
        filled
    }

    fn dim_of(&mut self, form: &Linear) -> Filled {
        match self.state.resolve(form) {
            Ok(l) => match l.as_constant() {
                Some(n) => Filled::Number(n),
                None => self.dim(&l).map_or(Filled::Hole, Filled::Dim),
            },
            Err(_) => Filled::Hole,
        }
    }

    fn dim(&mut self, form: &Linear) -> Option<Dim> {
        self.written.extend(self.state.open_vars_of(form));
        let e = self.naming.form(form)?;
        Some(Dim::expr(self.named(e)))
    }

    /// An expression with names for what has none.
    fn named(&mut self, e: Expr) -> Expr {
        e.map_leaves(&mut |ident| {
            let name = match Unnamed::is(&ident.node) {
                true => self.fresh.name(&ident.node).as_str().into(),
                false => ident.node,
            };
            Expr::Name(Spanned::new(name, Span::default()))
        })
    }

    fn term(&mut self, term: &Term, depth: usize) -> Type {
        if depth > DEEPEST {
            return Type::UNKNOWN;
        }
        let term = self.state.walk(term);
        if let Some((dtype, shape, contents)) = tensor_parts(self.state, &term) {
            return self.tensor(dtype, &shape, &contents);
        }
        let Term::Node(label, parts) = term else {
            return Type::UNKNOWN;
        };
        let parts = parts.iter().map(|part| self.term(part, depth + 1));
        let parts = parts.collect();
        self.labels.build(label, parts)
    }

    fn tensor(&mut self, dtype: Var, shape: &Seq, contents: &Term) -> Type {
        let root = self.state.root(dtype);
        let set = dtypes(self.state.mask(root));
        let dtype = match (set.single(), self.naming.dtypes.get(&root)) {
            (Some(dtype), _) => DtypeTerm::Known(dtype),
            (None, Some(name)) => DtypeTerm::Name(name.clone()),
            (None, None) => DtypeTerm::Hole,
        };
        let parts = self.state.parts(shape);
        let is_run = |part: &Part| matches!(part, Part::Run(_));
        let first = parts.iter().position(is_run);
        let last = parts.iter().rposition(is_run);
        let mut dims = Shape::default();
        for (i, part) in parts.iter().enumerate() {
            // A type has room for one run: whatever lies between the first and the last is in it.
            let is_outside = first.is_none_or(|f| i < f) || last.is_some_and(|l| i > l);
            if let (Part::One(form), true) = (part, is_outside) {
                dims.push(match self.dim_of(form) {
                    Filled::Number(n) => u64::try_from(n).map_or(Dim::Hole, Dim::Size),
                    Filled::Dim(dim) => dim,
                    Filled::Place(_) | Filled::Hole => Dim::Hole,
                });
            }
        }
        if let (Some(first), Some(last)) = (first, last) {
            let name = match parts[first] {
                Part::Run(v) if first == last => self.naming.runs.get(&v).cloned(),
                _ => None,
            };
            dims = dims.with_run(first, name);
        }
        let contents = known::contents(self.state, contents, set, &mut |form| match self
            .dim_of(form)
        {
            Filled::Dim(dim) => Content::from(dim),
            Filled::Number(n) => i64::try_from(n).map_or(Content::Hole, Content::Int),
            _ => Content::Hole,
        });
        Tensor::new(dtype, dims)
            .with_contents(contents.filter(known::says))
            .into()
    }

    /// What has to hold between the sizes, as far as they have been written. None is said twice.
    pub fn conditions(&mut self) -> Vec<Stated> {
        let mut stated: Vec<Stated> = Vec::new();
        let facts = std::mem::take(&mut self.naming.facts);
        let are_few = facts.len() <= FEW;
        for fact in facts {
            let mut names = Vec::new();
            fact.for_each_name(&mut |n| names.push(Name::from(n)));
            let of = names.iter().find_map(|name| self.user(name));
            let node = of.and_then(|v| self.origin(v));
            let others = match (of, node, &names[..]) {
                (Some(v), Some(node), [_]) if are_few => self.others(v, node),
                _ => Vec::new(),
            };
            stated.push(Stated {
                node,
                others,
                condition: fact,
                demands: node.is_some(),
            });
        }
        let mut open: Vec<Var> = self.written.iter().copied().collect();
        for user in &self.given.names {
            if let What::Size(v) = user.what {
                open.extend(self.state.open_vars_of(&Linear::var(v)));
            }
        }
        open.sort_unstable();
        open.dedup();
        let shown: FxHashSet<Var> = open.iter().copied().collect();
        let nothing = FxHashSet::default();
        let constraints = std::mem::take(&mut self.constraints);
        let mut said = Vec::new();
        for (i, (place, constraint)) in constraints.iter().enumerate() {
            let mut is_shown = true;
            constraint.for_each_var(&mut |v| {
                let vars = self.state.open_vars_of(&Linear::var(v));
                is_shown &= vars.iter().all(|v| shown.contains(v));
            });
            if !is_shown || self.naming.said.contains(&i) {
                continue;
            }
            if let Some(condition) = of_constraint(&mut self.naming, constraint, &nothing) {
                said.push((i, *place, condition));
            }
        }
        for v in open {
            // What an expression can be follows from what is in it.
            if !matches!(self.naming.var(v), Expr::Name(_)) {
                continue;
            }
            for condition in of_domain(&mut self.naming, v) {
                let node = self.origin(v);
                stated.push(Stated {
                    node,
                    others: Vec::new(),
                    condition,
                    demands: node.is_some(),
                });
            }
        }
        for (i, place, condition) in said {
            // Writing one constraint may have said another.
            if self.naming.said.contains(&i) {
                continue;
            }
            let posted = self.posted_at(place);
            stated.push(Stated {
                node: posted.and_then(|p| p.node),
                others: Vec::new(),
                condition,
                demands: posted.is_some_and(|p| p.demands),
            });
        }
        self.constraints = constraints;
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let mut all = Vec::with_capacity(stated.len());
        for mut one in stated {
            one.condition = self.condition(one.condition);
            if seen.insert(one.condition.to_string()) {
                all.push(one);
            }
        }
        all
    }

    fn condition(&mut self, condition: Condition) -> Condition {
        condition.map_leaves(&mut |ident| {
            let name = match Unnamed::is(&ident.node) {
                true => self.fresh.name(&ident.node).as_str().into(),
                false => ident.node,
            };
            Expr::Name(Spanned::new(name, Span::default()))
        })
    }

    /// The size that the user calls by this name.
    fn user(&self, name: &Name) -> Option<Var> {
        let user = self.given.names.iter().find(|u| u.name == *name)?;
        match user.what {
            What::Size(v) => Some(v),
            _ => None,
        }
    }

    /// The first node that asks something of a size.
    fn origin(&self, v: Var) -> Option<NodeId> {
        let own = self.state.resolve(&Linear::var(v)).ok();
        let same = |d: &&Demand| {
            d.of == v || own.is_some() && self.state.resolve(&Linear::var(d.of)).ok() == own
        };
        self.demands.iter().find(same).and_then(|d| d.node)
    }

    /// The other nodes that ask something of what a size has come to be made of: of its parts, which have no name.
    fn others(&self, v: Var, node: NodeId) -> Vec<NodeId> {
        let parts = self.state.open_vars_of(&Linear::var(v));
        let is_named = |v: Var| {
            let mut users = self.given.names.iter();
            users.any(|user| matches!(user.what, What::Size(own) if own == v))
        };
        let mut others: Vec<NodeId> = Vec::new();
        for demand in self.demands {
            let of = self.state.open_vars_of(&Linear::var(demand.of));
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

    fn posted_at(&self, place: usize) -> Option<Posted> {
        let i = match self.posted.binary_search_by_key(&place, |p| p.from) {
            Ok(i) => i,
            Err(i) => i.checked_sub(1)?,
        };
        self.posted.get(i).filter(|p| place < p.to).copied()
    }

    /// The nodes that have more to say once more is known.
    pub fn waiting(&self) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self
            .constraints
            .iter()
            .filter(|(_, c)| matches!(c, Constraint::Choice(_)) || c.is_custom())
            .filter_map(|(place, _)| self.posted_at(*place)?.node)
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Does the graph hold, for whatever the user's names stand for?
    pub fn verdict(&self) -> Verdict {
        if self.problems > 0 {
            return Verdict::Never;
        }
        if !self.constraints.is_empty() {
            match satisfiable(self.state, &mut Budget::new(WITNESS_STEPS)) {
                Ok(true) => {}
                Ok(false) => return Verdict::Never,
                Err(_) => return Verdict::Unknown,
            }
        }
        let asks =
            |(place, _): &(usize, Constraint)| self.posted_at(*place).is_some_and(|p| p.demands);
        match !self.demands.is_empty() || self.constraints.iter().any(asks) {
            true => Verdict::Depends,
            false => Verdict::Always,
        }
    }
}

impl Fresh {
    /// The name of something that nobody has named.
    fn name(&mut self, unnamed: &str) -> Name {
        if let Some(name) = self.names.get(unnamed) {
            return name.clone();
        }
        let name = loop {
            let name = Name::from(format!("d{}", self.next));
            self.next += 1;
            if !self.taken.contains(&name) {
                break name;
            }
        };
        self.names.insert(unnamed.into(), name.clone());
        name
    }
}
