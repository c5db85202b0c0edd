//! What is known of a graph, written: types and conditions, with names that hold across it.

use super::cache::PooledCache;
use super::conditions::Conditions;
use super::demand::{Demands, node_of};
use super::determined::DeterminedPart;
use super::known::{self, ValueState};
use super::log::Log;
use super::sizes::{Reader, Sizes};
use super::table::TypeId;
use super::{Assumption, Cache, Demand, Graph, NodeId, ValueId};
use crate::Answer;
use crate::conjunction::Conjunction;
use crate::limits::MAX_READ_DEPTH;
use crate::reify::{self, Fresh, Naming, says};
use kanshape_engine::{
    Constraint, Forms, Linear, Node, Num, Part, Seq, State, Stop, Term, Var, Vector,
};
use kanshape_rules::encode::size::{Writer, normal};
use kanshape_rules::encode::{Labels, QueryVars, What, dtypes, tensor_parts};
use kanshape_rules::eval::OpenDtype;
use kanshape_syntax::tree::{Condition, Expr};
use kanshape_types::{Content, Dim, DtypeTerm, Shape, Tensor, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;

/// A graph while it is written down: [`Graph::read`].
pub struct Reading<'g> {
    pub(super) all: &'g Conjunction,
    pub(super) sizes: &'g mut Sizes,
    pub(super) values: &'g Log<ValueState>,
    pub(super) cache: &'g Arc<PooledCache>,
    pub(super) given: &'g Vector<Assumption>,
    pub(super) labels: &'g Labels,
    pub(super) demands: &'g Vector<Demand>,
    pub(super) demands_by_size: OnceCell<Demands<'g>>,
    /// Is no size 0?
    pub(super) nonempty: bool,
    /// Relations have required more than has to hold.
    pub(super) assumed: bool,
    pub(super) problems: usize,
    /// The nodes that may have more to say once names are numbers.
    pub(super) determined: Option<DeterminedPart>,
    /// The nodes that were too much to solve: nothing is known of them, or not whether they can be.
    pub(super) given_up: Vec<NodeId>,
    pub(super) fresh: &'g mut Fresh,
    pub(super) naming: Naming<'g>,
    /// What is still open, each with its place in the store.
    pub(super) constraints: Vec<(usize, &'g Constraint)>,
    /// What has to hold between what has been written, and between the user's names alone, once that is found out.
    pub(super) stated: Option<Conditions>,
    pub(super) required: Option<Conditions>,
    /// What the user states of the names, once that is found out.
    pub(super) given_conditions: Option<Option<Vec<Condition>>>,
    /// The sizes that have been written.
    pub(super) written: FxHashSet<Var>,
    /// Types with open sizes that have been written.
    pub(super) types: FxHashMap<TypeId, Arc<Type>>,
    /// The last of them: values of one type mostly come together.
    pub(super) last: Option<(TypeId, Arc<Type>)>,
}

impl Graph {
    /// What a value is, if nothing of it is open. It is there without the rest being read.
    pub fn known(&self, value: ValueId) -> Option<Arc<Type>> {
        let ValueState::Typed(id) = self.values.get(value.index())? else {
            return None;
        };
        let cache = self.cache.open();
        let is_closed = !cache.table.is_open(*id);
        is_closed.then(|| Arc::clone(cache.table.ty(*id)))
    }

    /// What is known, to be written down value by value.
    pub fn read(&mut self) -> Reading<'_> {
        self.state_rest();
        let determined = self.determined_part();
        Reading {
            determined,
            ..self.reading(None)
        }
    }

    /// The types of these values, as [`Graph::read`] writes them. Only what says something of their sizes is read for it, however
    /// large the graph is.
    pub fn types(&mut self, values: &[ValueId]) -> Vec<Arc<Type>> {
        self.state_rest();
        let are_there = values.iter().filter(|v| v.index() < self.values.len());
        let mut vars = self.written_vars(&are_there.copied().collect::<Vec<_>>());
        for user in &self.all.given.names {
            if let What::Size(v) = user.what
                && let Ok(form) = self.all.state.resolve(&Linear::var(v))
                && form.as_var().is_none()
            {
                vars.extend(form.vars());
            }
        }
        self.reading(Some(vars)).all_shared(values.iter().copied())
    }

    /// The variables of the sizes that are written in the types of these values.
    fn written_vars(&mut self, values: &[ValueId]) -> Vec<Var> {
        let mut vars = self.open_sizes(values);
        for value in values {
            if let ValueState::Open(term) = &self.values[value.index()] {
                vars_of_term(&self.all.state, term, 0, &mut vars);
            }
        }
        vars
    }

    /// With all that is open, or with what says which sizes these are.
    fn reading(&mut self, of: Option<Vec<Var>>) -> Reading<'_> {
        let (constraints, written) = match of {
            None => (self.all.state.open_constraints_by_place().collect(), None),
            Some(vars) => {
                let (constraints, vars) = self.all.state.definitions_of(vars);
                (constraints, Some(vars))
            }
        };
        let given = &self.all.given;
        let naming = naming_of(&self.all.state, &constraints, given, written.as_ref());
        let undecided = self.all.state.undecided_choices();
        let undecided = undecided.into_iter().filter_map(node_of);
        let mut given_up: Vec<NodeId> = self.given_up.iter().copied().chain(undecided).collect();
        given_up.sort_unstable();
        given_up.dedup();
        Reading {
            all: &self.all,
            sizes: &mut self.sizes,
            values: &self.values,
            cache: &self.cache,
            given: &self.given,
            labels: &self.labels,
            demands: &self.demands,
            demands_by_size: OnceCell::new(),
            nonempty: self.nonempty,
            assumed: self.assumed,
            problems: self.problems.len(),
            determined: None,
            given_up,
            fresh: &mut self.fresh,
            naming,
            constraints,
            stated: None,
            required: None,
            given_conditions: None,
            written: FxHashSet::default(),
            types: FxHashMap::default(),
            last: None,
        }
    }
}

/// The variables of the sizes that are written where a term is.
fn vars_of_term(state: &State, term: &Term, depth: usize, into: &mut Vec<Var>) {
    if depth > MAX_READ_DEPTH {
        return;
    }
    let term = state.walk(term);
    if let Some((dtype, shape, contents)) = tensor_parts(state, &term) {
        let set = dtypes(state.mask(dtype));
        for part in state.parts(&shape) {
            if let Part::One(form) = part {
                into.extend(form.vars());
            }
        }
        reify::contents(state, &contents, set, &mut |form| {
            into.extend(form.vars());
            Content::Hole
        });
    } else if let Term::Node(_, parts) = term {
        for part in parts.iter() {
            vars_of_term(state, part, depth + 1, into);
        }
    }
}

/// The names of the open variables. With `written`, open sizes that are not among these are left out.
pub(super) fn naming_of<'g>(
    state: &'g State,
    constraints: &[(usize, &'g Constraint)],
    names: &QueryVars,
    written: Option<&FxHashSet<Var>>,
) -> Naming<'g> {
    let only: Vec<&Constraint> = constraints.iter().map(|c| c.1).collect();
    let mut naming = Naming::new(state, &only).with_parts(&only);
    // What is too large to be written is left without the user's name.
    let _ = naming.name_users(names, written);
    naming.define_unknowns(&only);
    naming
}

impl Reading<'_> {
    /// What is known of a value.
    pub fn ty(&mut self, value: ValueId) -> Type {
        Arc::unwrap_or_clone(self.shared(value))
    }

    /// The same. Values of the same type mostly share it: there are few types in a graph, however large.
    pub fn shared(&mut self, value: ValueId) -> Arc<Type> {
        let lent = self.cache;
        self.shared_in(&mut lent.open(), value)
    }

    /// The same of many values.
    pub fn all_shared(&mut self, values: impl IntoIterator<Item = ValueId>) -> Vec<Arc<Type>> {
        let lent = self.cache;
        let mut cache = lent.open();
        let types = values.into_iter().map(|v| self.shared_in(&mut cache, v));
        types.collect()
    }

    fn shared_in(&mut self, cache: &mut Cache, value: ValueId) -> Arc<Type> {
        let id = match self.values.get(value.index()) {
            None => return Arc::default(),
            Some(ValueState::Open(term)) => return Arc::new(self.term(term, 0)),
            Some(ValueState::Typed(id)) => *id,
        };
        if !cache.table.is_open(id) {
            return Arc::clone(cache.table.ty(id));
        }
        if let Some((last, ty)) = &self.last
            && *last == id
        {
            return Arc::clone(ty);
        }
        let written = match self.types.get(&id) {
            Some(ty) => Arc::clone(ty),
            None => {
                let value = cache.table.value(id).clone();
                let labels = self.labels;
                let mut writer = OfForms {
                    reading: self,
                    forms: &mut cache.forms,
                };
                let ty = known::written(&value, labels, &mut writer);
                let ty = Arc::new(ty.unwrap_or_default());
                self.types.insert(id, Arc::clone(&ty));
                ty
            }
        };
        self.last = Some((id, Arc::clone(&written)));
        written
    }

    /// What is known of these values, as an answer to a query about them: an unknown that is written once is a hole, the others
    /// are numbered in the order in which they are written.
    ///
    /// ```
    /// use kanshape::{Relations, graph::Graph};
    ///
    /// let relations = Relations::load_str("mine.kan", "op Some(x: T[n]) -> (y: T[m]) since 1 :- m <= n")?;
    /// let mut graph = Graph::new(&relations);
    /// let x = graph.value(&"f32[n]".parse()?)?;
    /// let call = graph.call(&relations.operator("Some", None)?, vec![], &[true], &[true])?;
    /// let (_, y) = graph.add(call, &[x]);
    /// let y = y.get(0).ok_or("it has an output")?;
    /// assert_eq!(graph.ty(y).to_string(), "f32[d0]");
    /// assert_eq!(graph.read().answer(&[x], &[y]).to_string(), "f32[n] -> f32[d0] where d0 <= n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&mut self, inputs: &[ValueId], outputs: &[ValueId]) -> Answer {
        let mut types = |values: &[ValueId]| values.iter().map(|value| self.ty(*value)).collect();
        let (inputs, outputs) = (types(inputs), types(outputs));
        let conditions = self.conditions().into_iter();
        let answer = Answer {
            inputs,
            outputs,
            conditions: conditions.map(|one| one.condition).collect(),
            ..Answer::default()
        };
        let names = &self.all.given.names;
        answer.canonical(&|name| names.place(name).is_some())
    }

    /// A size as it is written.
    fn size(&mut self, forms: &mut Forms, n: Num) -> Result<Dim, Stop> {
        let mut reader = Reader {
            sizes: self.sizes,
            state: &self.all.state,
            forms,
        };
        let n = reader.refreshed(n)?;
        if let Some(n) = n.int() {
            return Ok(u64::try_from(n).map_or(Dim::Hole, Dim::Size));
        }
        if let Some(linear) = self.atoms_of(forms, n) {
            let dim = self.dim(&linear);
            return Ok(dim.unwrap_or(Dim::Hole));
        }
        let mut is_plain = true;
        let mut names: Vec<(u32, Expr)> = Vec::new();
        forms.all_generators(n, &mut |g| {
            if let (Node::Atom(atom), Some(v)) = (forms.node(g), self.sizes.var(forms, g))
                && names.iter().all(|own| own.0 != *atom)
            {
                self.written
                    .extend(self.all.state.open_vars_of(&Linear::var(v)));
                let e = self.naming.var(v);
                is_plain &= matches!(e, Expr::Name(_));
                names.push((*atom, self.fresh.expr(e, &self.all.given)));
            }
            true
        });
        let mut name = |atom: u32| {
            let own = names.iter().find(|own| own.0 == atom);
            own.map_or(Expr::Int(0), |own| own.1.clone())
        };
        let mut writer = Writer {
            forms,
            name: &mut name,
        };
        let e = writer.write(n);
        Ok(Dim::expr(match is_plain {
            true => e,
            false => normal(e, (&self.all.given).into()),
        }))
    }

    /// A number as a form of the variables of its atoms, if it is nothing but a sum of them.
    fn atoms_of(&self, forms: &Forms, n: Num) -> Option<Linear> {
        let var = |g| match forms.node(g) {
            Node::Atom(_) => self.sizes.var(forms, g),
            _ => None,
        };
        match forms.node(n.form()?) {
            Node::Sum(terms, constant) => {
                let mut sum = Linear::constant((*constant).into());
                for (monomial, times) in terms {
                    let [g] = monomial[..] else { return None };
                    sum.add_term(var(g)?, (*times).into()).ok()?;
                }
                Some(sum)
            }
            Node::Atom(_) => var(n.form()?).map(Linear::var),
            _ => None,
        }
    }

    fn dim_of(&mut self, form: &Linear) -> Option<Dim> {
        let l = self.all.state.resolve(form).ok()?;
        match l.as_constant() {
            Some(n) => u64::try_from(n).ok().map(Dim::Size),
            None => self.dim(&l),
        }
    }

    fn dim(&mut self, form: &Linear) -> Option<Dim> {
        self.written.extend(self.all.state.open_vars_of(form));
        let e = self.naming.form(form)?;
        Some(self.fresh.dim(e, &self.all.given))
    }

    fn term(&mut self, term: &Term, depth: usize) -> Type {
        if depth > MAX_READ_DEPTH {
            return Type::UNKNOWN;
        }
        let term = self.all.state.walk(term);
        if let Some((dtype, shape, contents)) = tensor_parts(&self.all.state, &term) {
            return self.tensor(dtype, &shape, &contents);
        }
        let Term::Node(label, parts) = term else {
            return Type::UNKNOWN;
        };
        let parts = parts.iter().map(|part| self.term(part, depth + 1));
        let parts = parts.collect();
        self.labels.build(label, parts)
    }

    fn dtype(&self, v: Var) -> DtypeTerm {
        let root = self.all.state.root(v);
        let set = dtypes(self.all.state.mask(root));
        match (set.single(), self.naming.dtypes.get(&root)) {
            (Some(dtype), _) => DtypeTerm::Known(dtype),
            (None, Some(name)) => DtypeTerm::Name(name.clone()),
            (None, None) => DtypeTerm::Hole,
        }
    }

    fn tensor(&mut self, dtype: Var, shape: &Seq, contents: &Term) -> Type {
        let set = dtypes(self.all.state.mask(dtype));
        let dtype = self.dtype(dtype);
        let parts = self.all.state.parts(shape);
        // Of a run that is as long as a number says, nothing is known of the dims.
        let is_run = |part: &Part| matches!(part, Part::Run(v) if known::dims_of_run(&self.all.state, *v).is_none());
        let first = parts.iter().position(is_run);
        let last = parts.iter().rposition(is_run);
        let mut dims = Shape::default();
        for (i, part) in parts.iter().enumerate() {
            // A type has room for one run: whatever lies between the first and the last is in it.
            let is_outside = first.is_none_or(|f| i < f) || last.is_some_and(|l| i > l);
            match part {
                _ if !is_outside => {}
                Part::One(form) => dims.push(self.dim_of(form).unwrap_or(Dim::Hole)),
                Part::Run(v) => {
                    for _ in 0..known::dims_of_run(&self.all.state, *v).unwrap_or(0) {
                        dims.push(Dim::Hole);
                    }
                }
            }
        }
        if let (Some(first), Some(last)) = (first, last) {
            let name = match parts[first] {
                Part::Run(v) if first == last => self.naming.runs.get(&v).cloned(),
                _ => None,
            };
            dims = dims.with_run(first, name);
        }
        let contents = reify::contents(&self.all.state, contents, set, &mut |form| {
            self.dim(form).map_or(Content::Hole, Content::from)
        });
        Tensor::new(dtype, dims)
            .with_contents(contents.filter(says))
            .into()
    }
}

/// Writes types whose sizes are these forms.
struct OfForms<'r, 'g> {
    reading: &'r mut Reading<'g>,
    forms: &'r mut Forms,
}

impl known::Write for OfForms<'_, '_> {
    fn dim(&mut self, n: Num) -> Result<Dim, Stop> {
        self.reading.size(self.forms, n)
    }

    fn integer(&mut self, n: Num) -> Option<i64> {
        if let Some(n) = n.int() {
            return Some(n);
        }
        let mut reader = Reader {
            sizes: self.reading.sizes,
            state: &self.reading.all.state,
            forms: self.forms,
        };
        reader.refreshed(n).ok()?.int()
    }

    fn dtype(&mut self, dtype: OpenDtype) -> DtypeTerm {
        let v = self.reading.sizes.dtype_var(dtype);
        v.map_or(DtypeTerm::Hole, |v| self.reading.dtype(v))
    }
}
