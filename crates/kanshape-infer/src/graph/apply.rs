//! A node: what its operator says of its inputs, put into the graph.

use super::believed::Applied;
use super::cache::Cache;
use super::known::{self, ValueState};
use super::log::Log;
use super::rule::{WaitList, Waiting};
use super::sizes::{Reader, Sizes, Writer};
use super::table::TypeId;
use super::{Assumption, Body, CallId, Demand, Graph, NodeId, ValueId};
use crate::limits::CHANGE_STEPS;
use kanshape_engine::{
    Budget, Constraint, Function, Goal, Int, Linear, Num, State, Stop, Term, Var, Vector,
    assumptions,
};
use kanshape_rules::encode::{Trouble, atoms};
use kanshape_rules::eval::{self, ElementType, OpenDtype, Residual};
use kanshape_types::Type;
use smallvec::SmallVec;
use std::sync::Arc;

/// A node that is added.
#[derive(Clone, Copy)]
pub(super) struct Added<'r> {
    pub node: NodeId,
    pub call: CallId,
    pub inputs: &'r [ValueId],
    pub bodies: &'r [Body<'r>],
    /// What is declared of its outputs.
    pub declared: &'r [Type],
}

/// What a call on inputs of some types comes to.
#[derive(Debug)]
pub(super) enum CallOutcome {
    Typed(Typed),
    /// That can't be calculated: the rule itself is stated.
    Rule,
    /// It cannot be.
    Never,
}

/// What has been calculated of a call.
#[derive(Debug)]
pub(super) struct Typed {
    /// The types of its outputs.
    outputs: SmallVec<[TypeId; 2]>,
    /// What has to hold between the sizes of the inputs.
    residuals: SmallVec<[Residual; 2]>,
    /// Sizes of the outputs are what others broadcast to, which are variables of the store.
    has_broadcast: bool,
    /// The operator says more once more is known of the sizes of the inputs.
    is_partial: bool,
    /// It leaves open what some dtypes of the outputs are.
    has_fresh: bool,
}

impl Typed {
    /// The outputs are these types, whatever is in the store.
    pub(super) fn certain(outputs: SmallVec<[TypeId; 2]>) -> Typed {
        Typed {
            outputs,
            residuals: SmallVec::new(),
            has_broadcast: false,
            is_partial: false,
            has_fresh: false,
        }
    }

    /// The same with other outputs, whose dtypes are known.
    pub(super) fn with_dtypes(&self, outputs: SmallVec<[TypeId; 2]>) -> Typed {
        Typed {
            outputs,
            residuals: self.residuals.clone(),
            has_fresh: false,
            ..*self
        }
    }

    pub(super) fn outputs(&self) -> &[TypeId] {
        &self.outputs
    }

    /// Do its outputs depend on nothing that is in the store?
    fn is_certain(&self) -> bool {
        self.residuals.is_empty() && !self.has_broadcast && !self.has_fresh
    }
}

/// What a node comes to that is not added.
#[derive(Clone, Debug, PartialEq)]
pub enum OfCall {
    /// These are the types of its outputs.
    Types(Vec<Arc<Type>>),
    /// It cannot be.
    Never,
    /// That is known once it is added.
    Open,
}

/// A node of which its operator says more once more is known of the sizes in the types of its inputs.
#[derive(Clone, Debug)]
pub(super) struct Partial {
    node: NodeId,
    inputs: SmallVec<[TypeId; 4]>,
}

impl Partial {
    pub(super) fn node(&self) -> NodeId {
        self.node
    }
}

/// What stating something may change, to go back to it.
pub(super) struct Mark {
    pub(super) state: State,
    sizes: Sizes,
    /// How many names the user's types have made.
    names: usize,
}

/// The same, with what changes where nodes are stated as rules again.
pub(super) struct Snapshot {
    pub(super) mark: Mark,
    partial: Vector<Partial>,
    waiting: WaitList,
    demands: Vector<Demand>,
    dtype_demands: u32,
    given: Vector<Assumption>,
    /// They change only where a rule is suspended or a node is partial.
    values: Option<Log<ValueState>>,
}

impl Graph {
    /// What follows from a node. Its outputs are put behind the values.
    pub(super) fn apply(&mut self, added: Added<'_>) -> Applied {
        self.state_for(Some(added.node));
        self.assumptions = assumptions();
        let mut ids = SmallVec::new();
        let applied = match self.outcome(added, &mut ids) {
            Ok(outcome) => {
                let is_open = match &*outcome {
                    CallOutcome::Typed(typed) => typed.has_fresh,
                    CallOutcome::Rule => true,
                    CallOutcome::Never => false,
                };
                let settled = is_open.then(|| self.as_declared(added, &outcome, &ids));
                match settled {
                    Some(Some(settled)) => {
                        self.put(added, &settled.outcome, ids);
                        Applied::As(settled)
                    }
                    Some(None) => {
                        let is_closed = !added.declared.is_empty()
                            && self.are_closed(added.call, &ids, added.inputs);
                        let closed = is_closed.then(|| ids.clone());
                        self.put(added, &outcome, ids);
                        Applied::Open(closed)
                    }
                    None => {
                        self.put(added, &outcome, ids);
                        Applied::Typed
                    }
                }
            }
            Err(stop) => {
                self.cannot_be(added, stop);
                Applied::Open(None)
            }
        };
        self.note_assumed();
        self.state_for(None);
        applied
    }

    /// What the call of a node comes to on what is known of its inputs.
    fn outcome(
        &mut self,
        added: Added<'_>,
        ids: &mut SmallVec<[TypeId; 4]>,
    ) -> Result<Arc<CallOutcome>, Stop> {
        let Added {
            call,
            inputs,
            bodies,
            ..
        } = added;
        if !bodies.is_empty() {
            return Ok(Arc::new(CallOutcome::Rule));
        }
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        for value in inputs {
            let known = &self.values[value.index()];
            if let ValueState::Typed(id) = known
                && !cache.table.is_open(*id)
            {
                ids.push(*id);
                continue;
            }
            let mut reader = Reader {
                sizes: &mut self.sizes,
                state: &self.all.state,
                forms: &mut cache.forms,
            };
            let Some(id) = cache.table.refreshed(&mut reader, known)? else {
                return Ok(Arc::new(CallOutcome::Rule));
            };
            ids.push(id);
            if let ValueState::Open(term) = known
                && !cache.table.has_contents(id)
            {
                self.waiting
                    .push(Waiting::new(added.node, *value, (**term).clone()));
            }
        }
        Ok(outcome_on(cache, call, ids))
    }

    /// The types of the outputs of a node that is too much, from what is known of its inputs but for what is in them: a rule is true of
    /// any contents. `None` if more of the inputs is open than sizes.
    pub(super) fn apart_from_contents(
        &mut self,
        added: Added<'_>,
    ) -> Option<SmallVec<[TypeId; 2]>> {
        if !added.bodies.is_empty() {
            return None;
        }
        let known: Vec<ValueState> = added
            .inputs
            .iter()
            .map(|value| match self.bare(*value) {
                Some(bare) => bare,
                None => self.values[value.index()].clone(),
            })
            .collect();
        let outcome = {
            let mut guard = self.cache.open();
            let cache = &mut *guard;
            let mut ids = SmallVec::new();
            for known in &known {
                let mut reader = Reader {
                    sizes: &mut self.sizes,
                    state: &self.all.state,
                    forms: &mut cache.forms,
                };
                ids.push(cache.table.refreshed(&mut reader, known).ok()??);
            }
            outcome_on(cache, added.call, &mut ids)
        };
        let CallOutcome::Typed(typed) = &*outcome else {
            return None;
        };
        let before = self.mark();
        let found = self.state_typed(added, typed);
        if found.is_err() {
            self.back_to(before);
        }
        found.ok()
    }

    /// What a node of this call on these values comes to, if that can be calculated by itself: nothing of the inputs is open, and nothing of
    /// the outputs. It is not added, so that whoever tries many calls need not take them back.
    ///
    /// ```
    /// use kanshape::{Relations, Type, graph::{Graph, OfCall}};
    ///
    /// let relations = Relations::load_str("mine.kan", "op MatMul \"(m,n),(n,p)->(m,p)\"")?;
    /// let mut graph = Graph::new(&relations);
    /// let call = graph.call(&relations.operator("MatMul", None)?, Vec::new(), &[true; 2], &[true])?;
    /// let (x, w) = (graph.value(&"f32[2, 4]".parse()?)?, graph.value(&"f32[4, 3]".parse()?)?);
    /// assert_eq!(graph.of_call(call, &[w, x]), OfCall::Never);
    /// let OfCall::Types(types) = graph.of_call(call, &[x, w]) else { unreachable!() };
    /// assert_eq!(types[0].to_string(), "f32[2, 3]");
    /// let n = graph.value(&"f32[n, 2]".parse()?)?;
    /// assert_eq!(graph.of_call(call, &[n, x]), OfCall::Open);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn of_call(&mut self, call: CallId, inputs: &[ValueId]) -> OfCall {
        self.assumptions = assumptions();
        let outcome = {
            let mut guard = self.cache.open();
            let cache = &mut *guard;
            let ids = inputs
                .iter()
                .map(|value| match self.values.get(value.index()) {
                    Some(ValueState::Typed(id)) if !cache.table.is_open(*id) => Some(*id),
                    _ => None,
                });
            let Some(ids): Option<SmallVec<[TypeId; 4]>> = ids.collect() else {
                return OfCall::Open;
            };
            let key = (call, ids);
            let known = cache.outcomes.get(&key).cloned();
            // Whoever tries many calls keeps what they come to.
            let outcome = known.unwrap_or_else(|| Arc::new(calculated(cache, call, &key.1)));
            match &*outcome {
                CallOutcome::Never => OfCall::Never,
                CallOutcome::Typed(typed)
                    if typed.is_certain()
                        && !self.nonempty
                        && !typed.outputs.iter().any(|id| cache.table.is_open(*id)) =>
                {
                    let types = typed.outputs.iter().map(|id| cache.table.ty(*id));
                    OfCall::Types(types.cloned().collect())
                }
                CallOutcome::Typed(_) | CallOutcome::Rule => {
                    cache.outcomes.insert(key, outcome);
                    OfCall::Open
                }
            }
        };
        match (self.note_assumed(), outcome) {
            // With nothing but what has to hold it may be.
            (true, OfCall::Never) => OfCall::Open,
            (_, outcome) => outcome,
        }
    }

    fn put(&mut self, added: Added<'_>, outcome: &CallOutcome, inputs: SmallVec<[TypeId; 4]>) {
        let typed = match outcome {
            CallOutcome::Typed(typed) => typed,
            CallOutcome::Rule => return self.state_rule(added, &inputs),
            CallOutcome::Never => return self.cannot_be(added, Stop::Conflict),
        };
        let is_certain = typed.is_certain();
        if is_certain && !self.nonempty {
            for id in &typed.outputs {
                self.values.push(ValueState::Typed(*id));
            }
        } else {
            // What has been stated before changes nothing.
            let new = typed.residuals.iter();
            let new = new.filter(|r| !self.stated.contains_key(*r));
            let new: SmallVec<[&Residual; 4]> = new.collect();
            let may_change = !is_certain || self.nonempty || !new.is_empty();
            let before = may_change.then(|| self.mark());
            match self.state_typed(added, typed) {
                Ok(ids) => ids
                    .into_iter()
                    .for_each(|id| self.values.push(ValueState::Typed(id))),
                Err(stop) => {
                    if let Some(before) = before {
                        self.back_to(before);
                    }
                    for residual in new {
                        self.stated.remove(residual);
                    }
                    return self.cannot_be(added, stop);
                }
            }
        }
        if typed.is_partial && inputs.iter().any(|id| self.cache.open().table.is_open(*id)) {
            self.partial.push_back(Partial {
                node: added.node,
                inputs,
            });
        }
    }

    /// States what has to hold for a node. Returns the types of its outputs.
    fn state_typed(
        &mut self,
        added: Added<'_>,
        typed: &Typed,
    ) -> Result<SmallVec<[TypeId; 2]>, Stop> {
        self.state_residuals(added, &typed.residuals)?;
        let outputs: SmallVec<[TypeId; 2]> = match typed.has_broadcast {
            false => typed.outputs.clone(),
            true => {
                let outputs = typed.outputs.iter();
                let outputs = outputs.map(|id| self.without_broadcasts(*id));
                outputs.collect::<Result<_, Stop>>()?
            }
        };
        let outputs = match typed.has_fresh {
            false => outputs,
            true => self.with_own_dtypes(&outputs)?,
        };
        if self.nonempty {
            let positive = self.positive(outputs.iter().copied());
            self.state_residuals(added, &positive)?;
        }
        Ok(outputs)
    }

    /// The types with a variable of the store for each dtype that the call leaves open.
    fn with_own_dtypes(&mut self, ids: &[TypeId]) -> Result<SmallVec<[TypeId; 2]>, Stop> {
        let mut own: SmallVec<[(OpenDtype, ElementType); 2]> = SmallVec::new();
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let typed = ids.iter().map(|id| {
            let value = cache.table.value(*id).clone();
            let value = known::with_dtypes(&value, &mut |open| {
                if let Some((_, known)) = own.iter().find(|known| known.0 == open) {
                    return *known;
                }
                let v = self.all.state.atom(atoms(open.set));
                let mut reader = Reader {
                    sizes: &mut self.sizes,
                    state: &self.all.state,
                    forms: &mut cache.forms,
                };
                let dtype = reader.dtype(v);
                own.push((open, dtype));
                dtype
            })?;
            cache.table.number_of(value).ok_or(Stop::Overflow)
        });
        typed.collect()
    }

    /// That the sizes of these are at least 1, as far as they are no numbers.
    fn positive(&self, ids: impl IntoIterator<Item = TypeId>) -> Vec<Residual> {
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let mut positive = Vec::new();
        for id in ids {
            let eval::Value::Tensor(tensor) = cache.table.value(id) else {
                continue;
            };
            for n in tensor.shape.iter().filter(|n| n.form().is_some()) {
                // What is too large for a number is not 0.
                if let Ok(n) = cache.forms.sub(*n, Num::ONE) {
                    positive.push(Residual::NonNegative(n));
                }
            }
        }
        positive
    }

    /// In a graph without empty tensors: that the sizes of these are at least 1.
    pub(super) fn state_nonempty<'k>(
        &mut self,
        all: impl IntoIterator<Item = &'k ValueState>,
    ) -> Result<(), Stop> {
        if !self.nonempty {
            return Ok(());
        }
        let typed = all.into_iter().filter_map(|known| match known {
            ValueState::Typed(id) => Some(*id),
            ValueState::Open(_) => None,
        });
        for residual in self.positive(typed) {
            self.state_residual(&residual)?;
        }
        self.all
            .state
            .settle(Goal::succeed(), &mut Budget::new(CHANGE_STEPS))
    }

    /// States the rules of the nodes of which more can be said, since more has become known of their inputs, or of their outputs.
    ///
    /// # Errors
    /// [`Stop`] with the node that can't be.
    pub(super) fn state_partial(&mut self) -> Result<(), (NodeId, Stop)> {
        if self.partial.is_empty() {
            return Ok(());
        }
        for partial in std::mem::take(&mut self.partial) {
            let is_same = {
                let mut guard = self.cache.open();
                let cache = &mut *guard;
                let reader = Reader {
                    sizes: &mut self.sizes,
                    state: &self.all.state,
                    forms: &mut cache.forms,
                };
                let outputs = self.nodes.get(partial.node.index()).map(|n| n.outputs);
                let outputs = outputs.iter().flat_map(|outputs| outputs.iter());
                let outputs = outputs.filter_map(|value| match self.values[value.index()] {
                    ValueState::Typed(id) => Some(id),
                    ValueState::Open(_) => None,
                });
                let mut all = partial.inputs.iter().copied().chain(outputs);
                all.all(|id| known::is_settled(&reader, cache.table.value(id)))
            };
            match is_same {
                true => self.partial.push_back(partial),
                false => self
                    .restate(partial.node)
                    .map_err(|stop| (partial.node, stop))?,
            }
        }
        Ok(())
    }

    /// States what has to hold between the sizes of a node's inputs. After an error the graph has to go back to what it was.
    fn state_residuals(&mut self, added: Added<'_>, residuals: &[Residual]) -> Result<(), Stop> {
        let new = residuals.iter().any(|r| !self.stated.contains_key(r));
        if !new {
            return Ok(());
        }
        let open = self.open_sizes(added.inputs);
        let was = self.domains(&open);
        let dtypes = self.open_dtypes(added.inputs);
        let stated = residuals.iter().try_for_each(|r| self.state_residual(r));
        stated?;
        self.all
            .state
            .settle(Goal::succeed(), &mut Budget::new(CHANGE_STEPS))?;
        for residual in residuals {
            self.stated.insert(residual.clone(), ());
        }
        self.note_demands(added.node, &open, was);
        self.note_dtype_demands(&dtypes);
        Ok(())
    }

    pub(super) fn state_residual(&mut self, residual: &Residual) -> Result<(), Stop> {
        match residual {
            Residual::Zero(n) => {
                let l = self.linear(*n)?;
                self.all.state.equate(&l, &Linear::constant(0))
            }
            Residual::NonZero(n) => {
                let l = self.linear(*n)?;
                self.all.state.post(Constraint::NonZero(l))
            }
            Residual::NonNegative(n) => {
                let l = self.linear(*n)?;
                self.all.state.post(Constraint::NonNegative(l))
            }
            Residual::Among(n, values) => {
                let l = self.linear(*n)?;
                let values: Vec<Int> = values.iter().map(|n| Int::from(*n)).collect();
                self.all.state.post(Constraint::Member(l, values.into()))
            }
            Residual::Broadcast(args, out) => {
                let args: Result<Vec<Linear>, Stop> =
                    args.iter().map(|n| self.linear(*n)).collect();
                let out = self.linear(*out)?;
                self.all.state.relate(Function::Broadcast, &args?, &out)
            }
            Residual::DtypeAmong(dtype, set) => {
                let v = self.dtype_var(*dtype)?;
                self.all.state.restrict_atom(v, atoms(*set))
            }
            Residual::SameDtype(a, b) => {
                let (a, b) = (self.dtype_var(*a)?, self.dtype_var(*b)?);
                self.all.state.equate_atoms(a, b)
            }
        }
    }

    /// The variable of a dtype. Every atom was made for one.
    fn dtype_var(&self, dtype: OpenDtype) -> Result<Var, Stop> {
        self.sizes.dtype_var(dtype).ok_or(Stop::Overflow)
    }

    /// A type with atoms for what sizes broadcast to.
    fn without_broadcasts(&mut self, id: TypeId) -> Result<TypeId, Stop> {
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let value = cache.table.value(id).clone();
        let mut writer = Writer {
            sizes: &mut self.sizes,
            state: &mut self.all.state,
            forms: &mut cache.forms,
        };
        let value = known::without_broadcasts(&mut writer, &value)?;
        cache.table.number_of(value).ok_or(Stop::Overflow)
    }

    /// A number as a form of the store.
    fn linear(&mut self, n: Num) -> Result<Linear, Stop> {
        let mut cache = self.cache.open();
        let mut writer = Writer {
            sizes: &mut self.sizes,
            state: &mut self.all.state,
            forms: &mut cache.forms,
        };
        writer.linear(n)
    }

    /// What is known of a term by now: the runs of its shape whose lengths are numbers are dims.
    pub(super) fn known_of(&mut self, term: Term) -> Result<ValueState, Stop> {
        if let Some(shape) = known::shape_to_spell_out(&self.all.state, &term) {
            let budget = &mut Budget::new(CHANGE_STEPS);
            self.all.state.spell_out(&shape, budget)?;
            self.all.state.propagate(budget)?;
        }
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let mut reader = Reader {
            sizes: &mut self.sizes,
            state: &self.all.state,
            forms: &mut cache.forms,
        };
        let id = cache.table.read(&mut reader, &term)?;
        Ok(id.map_or_else(|| ValueState::open(term), ValueState::Typed))
    }

    /// A value as a term of the store.
    pub(super) fn term(&mut self, value: ValueId) -> Result<Term, Stop> {
        let id = match &self.values[value.index()] {
            ValueState::Open(term) => return Ok((**term).clone()),
            ValueState::Typed(id) => *id,
        };
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let mut writer = Writer {
            sizes: &mut self.sizes,
            state: &mut self.all.state,
            forms: &mut cache.forms,
        };
        known::term(&mut writer, cache.table.value(id))
    }

    /// The sizes that are open in these values, as far as they show.
    pub(super) fn open_sizes(&mut self, values: &[ValueId]) -> Vec<Var> {
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let reader = Reader {
            sizes: &mut self.sizes,
            state: &self.all.state,
            forms: &mut cache.forms,
        };
        let mut vars = Vec::new();
        for value in values {
            if let ValueState::Typed(id) = self.values[value.index()] {
                known::open_vars(&reader, cache.table.value(id), &mut vars);
            }
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Everything that stating something may change.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            state: self.all.state.clone(),
            sizes: self.sizes.clone(),
            names: self.all.given.names.len(),
        }
    }

    pub(super) fn back_to(&mut self, before: Mark) {
        self.all.state = before.state;
        self.sizes = before.sizes;
        self.all.given.names.truncate(before.names);
    }

    /// Is a rule suspended, or a node partial? Only then more can become known of values that are there.
    pub(super) fn may_learn(&self) -> bool {
        !self.waiting.is_empty() || !self.partial.is_empty()
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            mark: self.mark(),
            partial: self.partial.clone(),
            waiting: self.waiting.clone(),
            demands: self.demands.clone(),
            dtype_demands: self.dtype_demands,
            given: self.given.clone(),
            values: self.may_learn().then(|| self.values.clone()),
        }
    }

    pub(super) fn restore(&mut self, before: Snapshot) {
        self.back_to(before.mark);
        self.partial = before.partial;
        self.waiting = before.waiting;
        self.demands = before.demands;
        self.dtype_demands = before.dtype_demands;
        self.given = before.given;
        if let Some(values) = before.values {
            self.values = values;
        }
    }
}

/// What a call on inputs of these types comes to, calculated once.
fn outcome_on(
    cache: &mut Cache,
    call: CallId,
    ids: &mut SmallVec<[TypeId; 4]>,
) -> Arc<CallOutcome> {
    let key = (call, std::mem::take(ids));
    let known = cache.outcomes.get(&key).cloned();
    let outcome = match known {
        Some(known) => known,
        None => {
            let outcome = Arc::new(calculated(cache, call, &key.1));
            cache.outcomes.insert(key.clone(), Arc::clone(&outcome));
            outcome
        }
    };
    *ids = key.1;
    outcome
}

/// What a call on inputs of these types comes to, as far as that can be calculated.
fn calculated(cache: &mut Cache, call: CallId, inputs: &[TypeId]) -> CallOutcome {
    let prepared = Arc::clone(&cache.calls[call.0 as usize]);
    let is_plain = inputs.iter().all(|id| cache.table.is_bare(*id));
    let by_scheme = is_plain.then(|| {
        let types = inputs.iter().map(|id| &**cache.table.ty(*id));
        prepared.by_scheme(&types.collect::<SmallVec<[&Type; 4]>>())
    });
    match by_scheme.flatten() {
        None => {}
        Some(None) => return CallOutcome::Never,
        Some(Some(outputs)) => {
            let ids = outputs.iter().map(|ty| cache.table.closed(ty));
            if let Some(ids) = ids.collect() {
                return CallOutcome::Typed(Typed::certain(ids));
            }
        }
    }
    let found = {
        let values = inputs.iter().map(|id| cache.table.value(*id));
        let values: SmallVec<[&eval::Value; 4]> = values.collect();
        prepared.on_values(&values, &mut cache.forms)
    };
    let outcome = match found {
        Ok(outcome) => outcome,
        Err(eval::Stop::Fail) => return CallOutcome::Never,
        Err(eval::Stop::Wait | eval::Stop::Leave) => return CallOutcome::Rule,
    };
    let ids = outcome.outputs.into_iter();
    let ids: Option<SmallVec<[TypeId; 2]>> =
        ids.map(|value| cache.table.number_of(value)).collect();
    let Some(ids) = ids else {
        return CallOutcome::Rule;
    };
    let has_broadcast = |id: &TypeId| known::has_broadcast(&cache.forms, cache.table.value(*id));
    CallOutcome::Typed(Typed {
        has_broadcast: ids.iter().any(has_broadcast),
        outputs: ids,
        residuals: outcome.residuals,
        is_partial: outcome.is_partial,
        has_fresh: outcome.has_fresh,
    })
}

pub(super) fn stopped(trouble: Trouble) -> Stop {
    match trouble {
        Trouble::Stop(stop) => stop,
        // What an answer is written with can be read.
        Trouble::Text(_) => Stop::Conflict,
    }
}
