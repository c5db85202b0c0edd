//! Graphs: operators that share unknowns, typed as the graph grows.
//!
//! Start at [`Graph`]. All nodes share one store. A value is what is known of it (`known`): mostly a type in which
//! only sizes are open, which are forms (`sizes`), sometimes a term of the store. A node is a call (`call`) of an
//! operator. It is calculated from the types of its inputs (`apply`), and what has to hold between their sizes is
//! posted to the store. What can't be calculated is posted as the rule itself (`rule`): its choices are suspended there
//! until more is known, so facts flow in every direction. What a program declares of outputs is taken for what operators
//! leave open (`believed`). A body that may not be run is a region (`region`). `reading` writes types and conditions with names that
//! hold across the whole graph, `trace` follows a size back to where it was born, and `why` explains why a node cannot be. Values that the
//! user's sizes determine, though no rule has calculated them, are tried with numbers (`determined`). What only grows is kept in a `log`.
//! Types (`table`) and what calls on them come to are kept in a `cache`, which the next graph of the same relations gets.
//!
//! It knows no files: models are read elsewhere, through what is public here.

mod apply;
mod believed;
mod branch;
mod cache;
mod call;
mod certain;
mod conditions;
mod demand;
mod determined;
mod equate;
mod facts;
mod known;
mod log;
mod operands;
mod parts;
mod peek;
mod problem;
mod reading;
pub mod region;
mod rule;
mod sizes;
mod sources;
mod table;
mod trace;
mod uses;
mod verdict;
mod why;

use crate::conjunction::Conjunction;
use crate::limits::{CHANGE_STEPS, MAX_REPLAYS};
use crate::reify::Fresh;
pub use apply::OfCall;
pub use believed::Believed;
pub use branch::{Beyond, Placed};
pub use conditions::Stated;
use operands::OwnBody;
pub use operands::{Body, CallId, Elements, NodeId, Outputs, ValueId};
pub use parts::Form;
pub use problem::{Problem, Refused};
pub use reading::Reading;
pub use sources::{Site, Sources};
pub use trace::{Origin, Trace};
pub use verdict::Doubt;

use crate::{AttrValue, Operator, OperatorCall, Relations};
use apply::{Added, Partial};
use believed::Applied;
use cache::{Cache, PooledCache};
use call::{CallKey, PreparedCall};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Budget, HashMap, State, Stop, Term, Var, Vector, assumptions};
use kanshape_rules::encode::{Labels, QueryVars, Trouble};
use kanshape_rules::eval::Residual;
use kanshape_types::{Dtype, Promotion, Type, Vocabulary};
use known::ValueState;
use log::Log;
use rule::{Before, WaitList};
use rustc_hash::FxHashSet;
use sizes::Sizes;
use smallvec::SmallVec;
use std::sync::Arc;
use uses::Uses;

/// A graph of operators that share unknowns.
///
/// It is typed as it grows: what follows from a new node is known at once, forwards and backwards. Cloning it costs
/// next to nothing, so a clone is a snapshot: to try a change, make it on a clone, and drop that to take it back.
///
/// ```
/// use kanshape::{Relations, graph::Graph};
///
/// let relations = Relations::load_str(
///     "mine.kan",
///     "op MatMul \"(m,n),(n,p)->(m,p)\"\nop Relu (X: T[..s]) -> (Y: T[..s]) :- T: Float",
/// )?;
/// let mut graph = Graph::new(&relations);
/// let x = graph.value(&"f32[N, 4]".parse()?)?;
/// let w = graph.value(&"?".parse()?)?;
/// let matmul = graph.call(&relations.operator("MatMul", None)?, vec![], &[true, true], &[true])?;
/// let (_, product) = graph.add(matmul, &[x, w]);
/// let relu = graph.call(&relations.operator("Relu", None)?, vec![], &[true], &[true])?;
/// let (_, y) = graph.add(relu, &[product.get(0).unwrap()]);
///
/// // Given the output: what are the inputs?
/// graph.assume(y.get(0).unwrap(), &"f32[8, 10]".parse()?)?;
/// assert_eq!(graph.ty(x).to_string(), "f32[8, 4]");
/// assert_eq!(graph.ty(w).to_string(), "f32[4, 10]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Graph {
    /// What has to hold of all its nodes, and what the user has named.
    all: Conjunction,
    /// The sizes in types as variables of the store.
    sizes: Sizes,
    values: Log<ValueState>,
    nodes: Log<Node>,
    uses: Uses,
    /// What the user states about values whose types are partly open.
    given: Vector<Assumption>,
    /// What nodes require of values, beside what their operators do.
    required: Vector<(NodeId, Assumption)>,
    labels: Labels,
    /// The types of one's own that values can have.
    types: Vocabulary,
    cache: Arc<PooledCache>,
    problems: Vector<Arc<Problem>>,
    /// What nodes have stated of sizes.
    stated: HashMap<Residual, ()>,
    /// The nodes of which more can be said once more is known of the sizes of their inputs.
    partial: Vector<Partial>,
    /// Values that nodes have taken without their contents, which a suspended rule may find out.
    waiting: WaitList,
    /// How many nodes were stated as rules.
    solved: usize,
    /// The nodes that were too much to solve, of which nothing is known.
    given_up: Vector<NodeId>,
    /// Which nodes have said something of what was open before them, and of what.
    demands: Vector<Demand>,
    /// How many nodes have required something of dtypes that were open before them.
    dtype_demands: u32,
    fresh: Fresh,
    /// Is it found out why a node cannot be?
    explains: bool,
    /// Is no size 0?
    nonempty: bool,
    /// Relations have required more than has to hold.
    assumed: bool,
    /// How often they had, on the thread, before what is being added.
    assumptions: u64,
    /// Is [`Graph::state_rest`] under way?
    is_settling: bool,
    /// How often it may still be found out whether a conflict is one without that.
    replays: u32,
}

/// A node.
#[derive(Clone, Debug)]
struct Node {
    /// `None` if nothing is known of what it does.
    call: Option<CallId>,
    inputs: SmallVec<[ValueId; 4]>,
    outputs: Outputs,
    /// The functions that it has as attributes.
    bodies: Option<Arc<[OwnBody]>>,
    /// The types of its outputs, of a node without a call.
    types: Arc<[Type]>,
}

/// A node requires something of what was open before it.
#[derive(Clone, Debug)]
struct Demand {
    node: Option<NodeId>,
    of: Var,
    /// What it is made of since; nothing of a number. None if it is still itself, and can be less than before.
    parts: Option<SmallVec<[Var; 2]>>,
}

/// What the user states about a value.
#[derive(Clone, Debug)]
enum Assumption {
    /// The value was made with this type.
    Made(ValueId, Type),
    Type(ValueId, Type),
    Same(ValueId, ValueId),
    /// The value was made with the type of this one: [`Graph::alike`].
    Like(ValueId, ValueId),
}

impl Graph {
    /// A graph without nodes, of operators of these relations.
    pub fn new(relations: &Relations) -> Graph {
        let labels = &relations.library().words.labels;
        let cache = Arc::new(PooledCache::from(relations.kept(), labels));
        Graph {
            types: relations.types().clone(),
            ..Graph::with_cache(cache, labels, Promotion::default())
        }
    }

    fn with_cache(cache: Arc<PooledCache>, labels: &Labels, promotion: Promotion) -> Graph {
        let mut names = QueryVars::default();
        names.operands.labels = labels.clone();
        let mut state = State::with_members(kanshape_rules::encode::sizes());
        state.allow_integers();
        state.note_bound();
        Graph {
            all: Conjunction::new(state, names, promotion),
            sizes: Sizes::default(),
            values: Log::default(),
            nodes: Log::default(),
            uses: Uses::default(),
            given: Vector::new(),
            required: Vector::new(),
            labels: labels.clone(),
            types: Vocabulary::default(),
            cache,
            problems: Vector::new(),
            stated: HashMap::default(),
            partial: Vector::new(),
            waiting: WaitList::default(),
            solved: 0,
            given_up: Vector::new(),
            demands: Vector::new(),
            dtype_demands: 0,
            fresh: Fresh::default(),
            explains: true,
            nonempty: false,
            assumed: false,
            assumptions: 0,
            is_settling: false,
            replays: MAX_REPLAYS,
        }
    }

    /// From now on it is not found out why a node cannot be: its [`Problem`] says no more than that. For callers that try
    /// many calls of which most fail.
    #[must_use]
    pub fn without_reasons(mut self) -> Graph {
        self.explains = false;
        self
    }

    /// This graph, in which no size is 0 but those that are written so: neither those of the user's names, nor those of what nodes
    /// make. It has to be said before there are values. That a size is at least 1 is then no condition.
    ///
    /// ```
    /// use kanshape::{Relations, graph::Graph};
    ///
    /// let relations = Relations::load_str("mine.kan", "op Halves(x: T[d]) -> (y: T[d//2]) since 1 :- T in {f32}")?;
    /// let mut graph = Graph::new(&relations).without_empty();
    /// let x = graph.value(&"f32[N]".parse()?)?;
    /// let call = graph.call(&relations.operator("Halves", None)?, Vec::new(), &[true], &[true])?;
    /// graph.add(call, &[x]);
    /// let conditions = graph.read().conditions();
    /// assert_eq!(conditions[0].condition.to_string(), "N >= 2");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn without_empty(mut self) -> Graph {
        self.nonempty = true;
        self
    }

    /// A value of this type. A name in it (`f32[N, 3]`) is one unknown in the whole graph, a hole is an unknown of its
    /// own.
    ///
    /// # Errors
    /// A [`Diagnostic`] if a name denotes two kinds of things, and if what the type says of its names cannot be.
    pub fn value(&mut self, ty: &Type) -> Result<ValueId, Diagnostic> {
        let closed = ty
            .as_tensor()
            .and_then(|_| self.cache.open().table.closed(ty));
        if let Some(id) = closed {
            return Ok(self.push_value(ValueState::Typed(id)));
        }
        let before = self.mark();
        let known = self.posted(ty).and_then(|term| {
            self.all.state.propagate(&mut Budget::new(CHANGE_STEPS))?;
            let atoms = self.sizes.atom_count();
            let known = self.known_of(term.clone())?;
            if !self.nonempty {
                return Ok(known);
            }
            // From now on it is calculated with names that are not 0.
            self.state_nonempty([&known])?;
            let cache = Arc::clone(&self.cache);
            self.sizes.forget_atoms_since(atoms, &cache.open().forms);
            Ok(self.known_of(term)?)
        });
        match known {
            Ok(known) => {
                let value = self.push_value(known);
                self.given.push_back(Assumption::Made(value, ty.clone()));
                Ok(value)
            }
            Err(trouble) => {
                self.back_to(before);
                Err(problem::of_type(ty, trouble))
            }
        }
    }

    /// A tensor all of whose sizes are numbers, with what is in it where that is known: as many elements as it has, and
    /// such as its dtype has.
    pub fn tensor(
        &mut self,
        dtype: Dtype,
        sizes: &[u64],
        elements: Option<Elements<'_>>,
    ) -> ValueId {
        let id = self.cache.open().table.tensor(dtype, sizes, elements);
        match id {
            Some(id) => self.push_value(ValueState::Typed(id)),
            // Too large for a size.
            None => self.unknown(),
        }
    }

    /// A value of which nothing is known.
    pub fn unknown(&mut self) -> ValueId {
        let v = self.all.state.any();
        self.push_value(ValueState::open(Term::Var(v)))
    }

    /// Prepares a call, once for all that are alike. `inputs` and `outputs` say which of the operands are there.
    /// The operator is one of the relations of the graph.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the operator has no such attributes or operands.
    pub fn call(
        &mut self,
        operator: &Operator,
        attrs: Vec<(Box<str>, AttrValue)>,
        inputs: &[bool],
        outputs: &[bool],
    ) -> Result<CallId, Diagnostic> {
        let call = CallKey {
            rule: operator.rule(),
            attrs: Arc::new(attrs),
            inputs: inputs.into(),
            outputs: outputs.into(),
        };
        let prepare =
            |call: &CallKey| PreparedCall::new(operator, call.clone(), self.all.promotion);
        self.cache.open().call(call, prepare)
    }

    /// A call that has been prepared before, for this graph or for another one of the same relations, and was then
    /// noted by this key. Whoever reads graphs from bytes need not read the attributes of a call again.
    pub fn recall(&self, key: &[u8]) -> Option<CallId> {
        self.cache.open().recalled.get(key).copied()
    }

    /// Notes a call by a key: from now on this is the call that has it.
    pub fn remember(&mut self, key: impl Into<Box<[u8]>>, call: CallId) {
        self.cache.open().recalled.insert(key.into(), call);
    }

    /// Adds a node whose inputs are these values, those of the operands that are there. Its outputs are those that are
    /// there. A node that cannot be is one of the [`Graph::problems`], and nothing is known of its outputs.
    pub fn add(&mut self, call: CallId, inputs: &[ValueId]) -> (NodeId, Outputs) {
        self.add_with_bodies(call, inputs, &[])
    }

    /// The same for a call that has functions as attributes, whose nodes have been added before.
    pub fn add_with_bodies(
        &mut self,
        call: CallId,
        inputs: &[ValueId],
        bodies: &[Body<'_>],
    ) -> (NodeId, Outputs) {
        let (node, outputs, _) = self.put_in(call, inputs, bodies, &[]);
        (node, outputs)
    }

    fn put_in(
        &mut self,
        call: CallId,
        inputs: &[ValueId],
        bodies: &[Body<'_>],
        declared: &[Type],
    ) -> (NodeId, Outputs, Applied) {
        let node = NodeId(self.nodes.len() as u32);
        let first = self.values.len() as u32;
        let applied = self.apply(Added {
            node,
            call,
            inputs,
            bodies,
            declared,
        });
        let outputs = Outputs {
            first,
            count: self.values.len() as u32 - first,
        };
        self.nodes.push(Node {
            call: Some(call),
            inputs: inputs.into(),
            outputs,
            bodies: (!bodies.is_empty()).then(|| bodies.iter().map(OwnBody::from).collect()),
            types: Arc::default(),
        });
        (node, outputs, applied)
    }

    /// Adds a node, if it can be. For callers that try nodes: the graph is otherwise as it was before, and its
    /// [`Graph::problems`] as well.
    ///
    /// # Errors
    /// The [`Problem`] of the node that it would be.
    pub fn try_add(&mut self, call: CallId, inputs: &[ValueId]) -> Result<Outputs, Box<Problem>> {
        let (problems, given) = (self.problems.len(), self.given.len());
        let waiting = self.waiting.clone();
        let (_, outputs) = self.add(call, inputs);
        if self.problems.len() == problems {
            return Ok(outputs);
        }
        let problem = self.problems.pop_back();
        self.nodes.truncate(self.nodes.len() - 1);
        self.uses.forget(self.nodes.len(), inputs);
        self.values.truncate(outputs.first as usize);
        self.given.truncate(given);
        self.waiting = waiting;
        problem.map_or(Ok(outputs), |problem| {
            Err(Box::new(Arc::unwrap_or_clone(problem)))
        })
    }

    /// Adds a node of a call, on these values: one for each input that the call has, in their order, those apart that it leaves
    /// out. A type that the call gives an input or an output is what the value is as well. Its outputs are those that the call has,
    /// or those that every call has. [`Graph::call`] and [`Graph::add`] prepare a call once for many nodes.
    ///
    /// ```
    /// use kanshape::{AttrValue, Relations, Type, graph::Graph};
    ///
    /// let text = "op Tile [times: int] (a: T[..r, n], b: T[n]?) -> (c: T[..r, times * n])";
    /// let relations = Relations::load_str("mine.kan", text)?;
    /// let tile = relations.operator("Tile", None)?;
    /// let mut graph = Graph::new(&relations);
    /// let x = graph.value(&"f32[2, k]".parse()?)?;
    /// // As an IR has them.
    /// let attributes = vec![("times", AttrValue::Int(3))];
    /// let call = tile.call([Some(Type::UNKNOWN), None]).attrs(attributes);
    /// let (_, outputs) = graph.push(call, &[x])?;
    /// assert_eq!(graph.ty(outputs.get(0).ok_or("none")?).to_string(), "f32[2, 3*k]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if the operator has no such attributes or operands, if there are more or fewer values than inputs, or if a
    /// value can't have the type that the call gives it. That the node can't be is one of the [`Graph::problems`].
    pub fn push(
        &mut self,
        call: OperatorCall<'_>,
        values: &[ValueId],
    ) -> Result<(NodeId, Outputs), Diagnostic> {
        let (operator, call) = call.into_parts();
        let is_there = |own: &[Option<Type>]| own.iter().map(Option::is_some).collect::<Vec<_>>();
        let inputs = is_there(&call.inputs);
        let count = inputs.iter().filter(|is| **is).count();
        if count != values.len() || !call.may_be_absent.is_empty() {
            return Err(problem::of_values(operator, count, values.len()));
        }
        let outputs = match &call.outputs {
            Some(outputs) => is_there(outputs),
            None => vec![true; operator.sure_outputs().len()],
        };
        let before = self.clone();
        let id = self.call(operator, call.attrs, &inputs, &outputs)?;
        let (node, made) = self.add(id, values);
        let given = call.inputs.iter().flatten().zip(values.iter().copied());
        let made_of = call.outputs.iter().flatten().flatten().zip(made.iter());
        for (ty, value) in given.chain(made_of) {
            if *ty == Type::UNKNOWN {
                continue;
            }
            if let Err(refused) = self.assume(value, ty) {
                *self = before;
                return Err(*refused.diagnostic);
            }
        }
        Ok((node, made))
    }

    /// Adds a node of which nothing is known but how many outputs it has.
    pub fn add_unknown(&mut self, inputs: &[ValueId], outputs: usize) -> (NodeId, Outputs) {
        self.add_typed(inputs, &vec![Type::UNKNOWN; outputs])
    }

    /// From now on the value has this type as well.
    ///
    /// # Errors
    /// A [`Refused`] if it can't have it, or that is not decided within the limits. The graph is then as it was before.
    pub fn assume(&mut self, value: ValueId, ty: &Type) -> Result<(), Refused> {
        self.change(value, |_| ty.clone(), |graph| graph.given_type(value, ty))
    }

    /// Can the value have this type? Nothing is changed. Where that is not decided within the limits it is `false`;
    /// [`Graph::assume`] on a clone tells the two apart.
    pub fn admits(&self, value: ValueId, ty: &Type) -> bool {
        let mut graph = self.clone();
        let given = graph.given_type(value, ty);
        given.and_then(|changed| graph.follow(changed)).is_ok()
    }

    /// Can all of these values have these types, at once? `false` says no more of one of them than that [`Graph::admits`] has to be
    /// asked. What follows is found once for all of them.
    pub fn admits_all<'t>(&self, all: impl IntoIterator<Item = (ValueId, &'t Type)>) -> bool {
        let mut graph = self.clone();
        let mut changed = Vec::new();
        for (value, ty) in all {
            match graph.given_type(value, ty) {
                Ok(own) => changed.extend(own),
                Err(_) => return false,
            }
        }
        graph.follow(changed).is_ok()
    }

    /// A value has this type as well, without what follows.
    fn given_type(&mut self, value: ValueId, ty: &Type) -> Result<Vec<Before>, Trouble> {
        let given = self.posted(ty)?;
        let own = self.before(value)?;
        let budget = &mut Budget::new(CHANGE_STEPS);
        self.all.state.unify(&own.term, &given, budget)?;
        self.given.push_back(Assumption::Type(value, ty.clone()));
        Ok(vec![own])
    }

    /// What follows from a change of these values.
    fn follow(&mut self, changed: Vec<Before>) -> Result<(), Trouble> {
        let goal = kanshape_engine::Goal::succeed();
        self.all
            .state
            .settle(goal, &mut Budget::new(CHANGE_STEPS))?;
        let learned = self.learned(changed)?;
        self.relearn(learned).map_err(|(_, stop)| stop)?;
        self.commit_suspended(true).map_err(|(_, stop)| stop)?;
        let rest = self.relearn(FxHashSet::default());
        Ok(rest.map_err(|(_, stop)| stop)?)
    }

    fn change(
        &mut self,
        value: ValueId,
        other: impl FnOnce(&mut Graph) -> Type,
        make: impl Fn(&mut Graph) -> Result<Vec<Before>, Trouble>,
    ) -> Result<(), Refused> {
        let before = self.clone();
        self.assumptions = assumptions();
        let change = |graph: &mut Graph| make(graph).and_then(|changed| graph.follow(changed));
        let made = change(self);
        let assumed = self.note_assumed();
        made.map_err(|trouble| {
            *self = before;
            self.assumed = assumed;
            let trouble = match trouble {
                Trouble::Stop(Stop::Conflict) if self.may_hold(|exact| change(exact).is_ok()) => {
                    Trouble::Stop(Stop::Overflow)
                }
                trouble => trouble,
            };
            if !self.explains {
                return problem::conflict_without_reason(trouble);
            }
            let mut written = self.clone();
            let ty = other(&mut written);
            problem::conflict(&written.ty(value), &ty, trouble)
        })
    }

    /// What is known of a value, with names that hold across the graph: those of the user, and `d0`, `d1`, ... in the
    /// order in which they are first written. For several values see [`Graph::types`], for all that is known [`Graph::read`].
    pub fn ty(&mut self, value: ValueId) -> Type {
        let ty = self.types(&[value]).pop().unwrap_or_default();
        Arc::unwrap_or_clone(ty)
    }

    /// How many values there are.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many times a node could not be calculated from the types of its inputs: then its rule is solved by search, which takes
    /// a hundred times longer. It is a figure of what the graph costs, and says nothing of what is known.
    pub fn solved_count(&self) -> usize {
        self.solved
    }

    /// The nodes, in the order in which they were added.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(|i| NodeId(i as u32))
    }

    /// The values, in the order in which they were made.
    pub fn each_value(&self) -> impl ExactSizeIterator<Item = ValueId> + use<> {
        (0..self.values.len()).map(|i| ValueId(i as u32))
    }

    /// What a node was given, and what it gives.
    pub fn operands(&self, node: NodeId) -> Option<(&[ValueId], Outputs)> {
        let node = self.nodes.get(node.index())?;
        Some((&node.inputs, node.outputs))
    }

    /// The bodies of a node, with what they are given and what they give.
    pub fn bodies(&self, node: NodeId) -> impl Iterator<Item = Body<'_>> {
        let node = self.nodes.get(node.index());
        let bodies = node.and_then(|node| node.bodies.as_ref());
        bodies
            .into_iter()
            .flat_map(|all| all.iter().map(OwnBody::as_body))
    }

    /// The operator of a node, if it is known.
    pub fn operator(&self, node: NodeId) -> Option<Operator> {
        let call = self.nodes.get(node.index())?.call?;
        Some(self.cache.open().calls[call.0 as usize].operator.clone())
    }

    /// The nodes that cannot be.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = &Problem> {
        self.problems.iter().map(|problem| &**problem)
    }

    /// A type of the user as a term, with its names and conditions stated.
    fn posted(&mut self, ty: &Type) -> Result<Term, Trouble> {
        let own;
        let ty = match self.types.is_built_in() {
            true => ty,
            false => {
                own = self.types.adopt(ty);
                &own
            }
        };
        self.all.given.declare(&mut self.all.state, ty)?;
        let operand = self.all.given.operand(&mut self.all.state, ty, false)?;
        let term = self.all.given.term(&operand);
        self.all.given.slots.clear();
        let conditions = ty.conditions.iter();
        self.all
            .given
            .conditions(&mut self.all.state, conditions, self.all.promotion)?;
        Ok(term)
    }

    fn push_value(&mut self, known: ValueState) -> ValueId {
        self.values.push(known);
        ValueId(self.values.len() as u32 - 1)
    }
}

impl std::fmt::Debug for Graph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Graph")
            .field("nodes", &self.nodes.len())
            .field("values", &self.values.len())
            .finish_non_exhaustive()
    }
}
