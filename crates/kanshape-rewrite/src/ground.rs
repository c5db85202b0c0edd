//! [`Ground`]: both sides on types whose sizes are numbers, each call on each types once.

use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kanshape::control::stops;
use kanshape::graph::{CallId, Graph, OfCall, ValueId};
use kanshape::{Content, Contents, Diagnostic, Dim, Relations, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::condition::Condition;
use crate::program::Program;
use crate::reshape;

/// A type that has been met.
pub(crate) type TypeNo = u32;

/// A part of a condition.
struct StatedPart {
    call: CallId,
    leaves: Box<[usize]>,
    /// Whether it holds of types of these leaves.
    held: FxHashMap<Inputs, bool>,
}

/// The condition of a rule, and the leaves of which it has been tried.
struct StatedCondition {
    /// Those whose types have these numbers.
    types: Arc<()>,
    graphs: Graphs,
    parts: Vec<StatedPart>,
    /// Whether it holds of leaves, and the last search that has paid for that.
    held: FxHashMap<Inputs, (bool, u32)>,
}

/// What the condition of a rule comes to on leaves: found once for all searches of the rule.
#[derive(Default)]
pub(crate) struct ConditionMemory(Cell<Option<Box<StatedCondition>>>);

/// What the right side comes to where the left side has a type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Right {
    /// The same types.
    Same,
    /// Others, or none if it can't be.
    Other(Option<Vec<Arc<Type>>>),
    /// Sizes or contents that decide it are not known.
    Unknown,
}

type CallOutputs = Option<SmallVec<[TypeNo; 2]>>;
type Inputs = SmallVec<[TypeNo; 4]>;

/// What calls on types come to: found once for all rules that are checked with the same relations.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Option<Box<Met>>>>);

/// The types and calls that have been met.
struct Met {
    /// Numbers of types are those of this alone.
    own: Arc<()>,
    graphs: Graphs,
    types: Vec<Arc<Type>>,
    numbers: FxHashMap<Arc<Type>, TypeNo>,
    known: FxHashMap<(CallId, Inputs), KnownOutputs>,
    /// The number of the search that uses it.
    search: u32,
}

/// A graph in which calls are evaluated, made anew from time to time.
struct Graphs {
    base: Graph,
    graph: Graph,
    added: usize,
    /// The values in it, by their types.
    values: FxHashMap<TypeNo, ValueId>,
}

impl Graphs {
    fn new(base: Graph) -> Graphs {
        Graphs {
            graph: base.clone(),
            base,
            added: 0,
            values: FxHashMap::default(),
        }
    }

    /// The outputs of a call on these types; none if it cannot be.
    fn outputs(
        &mut self,
        call: CallId,
        inputs: &[TypeNo],
        types: &[Arc<Type>],
    ) -> Option<SmallVec<[Arc<Type>; 2]>> {
        if self.added >= MOST_ADDED || self.values.len() >= MOST_VALUES {
            self.graph = self.base.clone();
            self.values.clear();
            self.added = 0;
        }
        let (graph, known) = (&mut self.graph, &mut self.values);
        let values = inputs.iter().map(|number| {
            if let Some(value) = known.get(number) {
                return Some(*value);
            }
            let value = graph.value(&types[*number as usize]).ok()?;
            known.insert(*number, value);
            Some(value)
        });
        let values: SmallVec<[ValueId; 4]> = values.collect::<Option<_>>()?;
        match graph.of_call(call, &values) {
            OfCall::Types(types) => return Some(types.into()),
            OfCall::Never => return None,
            OfCall::Open => {}
        }
        self.added += 1;
        let outputs = graph.try_add(call, &values).ok()?;
        let types = outputs.iter().map(|value| match graph.known(value) {
            Some(ty) => ty,
            None => Arc::new(graph.ty(value)),
        });
        Some(types.collect())
    }
}

/// What a call comes to, and the last search that has paid for it.
struct KnownOutputs {
    outputs: CallOutputs,
    search: u32,
}

/// Both sides of a rule on types whose sizes are numbers.
pub(crate) struct Ground<'p> {
    program: &'p Program,
    met: Box<Met>,
    calls: Vec<CallId>,
    condition: Option<(Box<StatedCondition>, &'p ConditionMemory)>,
    /// The steps that calls which were not known have taken since they were last counted.
    steps: u64,
    memory: Memory,
    /// How often the thread had been stopped by the end of an entry before.
    stops: u64,
}

/// What a call that is not known takes, in steps that are look-ups. A search pays it for each call once, also where another
/// one has found it: what a rule comes to does not depend on those checked before it.
const STEPS_OF_CALL: u64 = 10;
/// The most calls that are put into one graph, and the most values.
const MOST_ADDED: usize = 64;
const MOST_VALUES: usize = 4_096;
/// The most calls and types that are remembered for the next search.
const MOST_REMEMBERED: usize = 200_000;

/// The calls of the steps of a program in a graph.
pub(crate) fn calls(graph: &mut Graph, program: &Program) -> Result<Vec<CallId>, Diagnostic> {
    let steps = program.steps.iter();
    let calls = steps.map(|step| {
        let inputs: Vec<bool> = step.inputs.iter().map(Option::is_some).collect();
        graph.call(
            &step.operator,
            step.attrs.clone(),
            &inputs,
            &vec![true; step.outputs],
        )
    });
    calls.collect()
}

/// A call, and the leaves that it takes.
pub(crate) type OnLeaves = (CallId, Box<[usize]>);

/// The calls that state the condition of a rule, with the leaves that each of them takes.
pub(crate) fn condition_calls(
    graph: &mut Graph,
    condition: &Condition,
) -> Result<Vec<OnLeaves>, Diagnostic> {
    let parts = condition.parts.iter().map(|part| {
        let inputs = vec![true; part.leaves.len()];
        let call = graph.call(&part.operator, Vec::new(), &inputs, &[])?;
        Ok((call, part.leaves.clone()))
    });
    parts.collect()
}

impl Met {
    fn new(relations: &Relations) -> Met {
        Met {
            own: Arc::default(),
            graphs: Graphs::new(Graph::new(relations).without_reasons()),
            types: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            search: 0,
        }
    }

    fn number(&mut self, ty: &Type) -> TypeNo {
        if let Some(number) = self.numbers.get(ty) {
            return *number;
        }
        let number = self.types.len() as TypeNo;
        let ty = Arc::new(ty.clone());
        self.types.push(Arc::clone(&ty));
        self.numbers.insert(ty, number);
        number
    }

    /// What a call comes to, and whether this search has to pay for it.
    fn outputs(&mut self, call: CallId, inputs: Inputs) -> (CallOutputs, bool) {
        let key = (call, inputs);
        let search = self.search;
        if let Some(known) = self.known.get_mut(&key) {
            let is_new = std::mem::replace(&mut known.search, search) != search;
            return (known.outputs.clone(), is_new);
        }
        let outputs = self.evaluate(call, &key.1);
        let known = KnownOutputs {
            outputs: outputs.clone(),
            search,
        };
        self.known.insert(key, known);
        (outputs, true)
    }

    fn evaluate(&mut self, call: CallId, inputs: &[TypeNo]) -> CallOutputs {
        let types = self.graphs.outputs(call, inputs, &self.types)?;
        Some(types.iter().map(|ty| self.number(ty)).collect())
    }
}

impl StatedCondition {
    fn new(condition: &Condition, types: &Arc<()>) -> Result<StatedCondition, Diagnostic> {
        let mut graph = Graph::new(&condition.relations).without_reasons();
        let calls = condition_calls(&mut graph, condition)?.into_iter();
        let parts = calls.map(|(call, leaves)| StatedPart {
            call,
            leaves,
            held: FxHashMap::default(),
        });
        Ok(StatedCondition {
            types: Arc::clone(types),
            parts: parts.collect(),
            graphs: Graphs::new(graph),
            held: FxHashMap::default(),
        })
    }
}

fn open(memory: &Mutex<Option<Box<Met>>>) -> MutexGuard<'_, Option<Box<Met>>> {
    // What a panicking owner left behind is still true.
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'p> Ground<'p> {
    /// `program` is of `relations`, and `memory` as well; a condition has relations of its own.
    pub(crate) fn new(
        program: &'p Program,
        condition: Option<(&Condition, &'p ConditionMemory)>,
        relations: &Relations,
        memory: &Memory,
    ) -> Result<Ground<'p>, Diagnostic> {
        let met = open(&memory.0).take();
        let mut met = met.unwrap_or_else(|| Box::new(Met::new(relations)));
        met.search += 1;
        let calls = calls(&mut met.graphs.base, program)?;
        let condition = match condition {
            None => None,
            Some((own, memory)) => {
                let known = memory.0.take();
                let known = known.filter(|known| Arc::ptr_eq(&known.types, &met.own));
                let stated = match known {
                    Some(known) => known,
                    None => Box::new(StatedCondition::new(own, &met.own)?),
                };
                Some((stated, memory))
            }
        };
        Ok(Ground {
            program,
            met,
            calls,
            condition,
            steps: 0,
            memory: memory.clone(),
            stops: stops(),
        })
    }

    /// Has time been over since this was made? Then it holds as never what was not found.
    pub(crate) fn is_stopped(&self) -> bool {
        stops() != self.stops
    }

    /// What was found is there for the next search.
    pub(crate) fn keep(self) {
        let is_small = self.met.known.len() + self.met.types.len() < MOST_REMEMBERED;
        // What was not found because time was over is not known of another rule.
        if is_small && !self.is_stopped() {
            *open(&self.memory.0) = Some(self.met);
            if let Some((stated, memory)) = self.condition {
                memory.0.set(Some(stated));
            }
        }
    }

    pub(crate) fn number(&mut self, ty: &Type) -> TypeNo {
        self.met.number(ty)
    }

    pub(crate) fn ty(&self, number: TypeNo) -> &Arc<Type> {
        &self.met.types[number as usize]
    }

    /// Places for all values, with the constants.
    pub(crate) fn slots(&mut self) -> Vec<TypeNo> {
        let mut slots = vec![0; self.program.slots];
        for (slot, ty) in &self.program.constants {
            slots[*slot] = self.number(ty);
        }
        slots
    }

    /// Puts the outputs of a step into their places; false if it cannot be.
    pub(crate) fn step(&mut self, step: usize, slots: &mut [TypeNo]) -> bool {
        let own = &self.program.steps[step];
        let inputs = own.inputs.iter().flatten().map(|slot| slots[*slot]);
        let inputs: Inputs = inputs.collect();
        if let ([data, shape, ..], true) = (&inputs[..], self.program.is_reshape(step))
            && reshape::copies_zero(self.ty(*data), self.ty(*shape))
        {
            return false;
        }
        let (first, call) = (own.first, self.calls[step]);
        match self.call(call, inputs) {
            Some(outputs) => {
                slots[first..first + outputs.len()].copy_from_slice(&outputs);
                true
            }
            None => false,
        }
    }

    /// The steps that were taken since this was last called.
    pub(crate) fn steps_taken(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// Does the condition hold of these leaves?
    pub(crate) fn holds(&mut self, slots: &[TypeNo]) -> bool {
        let Some((stated, _)) = &mut self.condition else {
            return true;
        };
        let leaves: Inputs = slots[..self.program.leaves.len()].into();
        let search = self.met.search;
        if let Some((holds, paid)) = stated.held.get_mut(&leaves) {
            if std::mem::replace(paid, search) != search {
                self.steps += STEPS_OF_CALL;
            }
            return *holds;
        }
        self.steps += STEPS_OF_CALL;
        let graphs = &mut stated.graphs;
        let holds = stated.parts.iter_mut().all(|part| {
            let own: Inputs = part.leaves.iter().map(|leaf| slots[*leaf]).collect();
            if let Some(known) = part.held.get(&own) {
                return *known;
            }
            let outputs = graphs.outputs(part.call, &own, &self.met.types);
            part.held.insert(own, outputs.is_some());
            outputs.is_some()
        });
        stated.held.insert(leaves, (holds, search));
        holds
    }

    /// The same of leaves of these types.
    pub(crate) fn holds_of(&mut self, leaves: &[Arc<Type>]) -> bool {
        let leaves: Inputs = leaves.iter().map(|ty| self.number(ty)).collect();
        self.holds(&leaves)
    }

    /// What the right side comes to, once the left side has its types.
    pub(crate) fn right(&mut self, slots: &mut [TypeNo]) -> Right {
        let program = self.program;
        for step in &program.right.steps {
            if !self.step(*step, slots) {
                return Right::Other(None);
            }
        }
        let mut is_known = true;
        for (left, right) in program.left.roots.iter().zip(&program.right.roots) {
            if left == right || slots[*left] == slots[*right] && is_closed(self.ty(slots[*left])) {
                continue;
            }
            match agree(self.ty(slots[*left]), self.ty(slots[*right])) {
                Some(true) => {}
                None => is_known = false,
                Some(false) => {
                    let roots = program.right.roots.iter();
                    let types = roots.map(|slot| Arc::clone(self.ty(slots[*slot])));
                    return Right::Other(Some(types.collect()));
                }
            }
        }
        match is_known {
            true => Right::Same,
            false => Right::Unknown,
        }
    }

    fn call(&mut self, call: CallId, inputs: Inputs) -> CallOutputs {
        let (outputs, is_new) = self.met.outputs(call, inputs);
        if is_new {
            self.steps += STEPS_OF_CALL;
        }
        outputs
    }
}

/// Why the right side of a program cannot be on these leaves.
pub(crate) fn why(
    program: &Program,
    leaves: &[Arc<Type>],
    relations: &Relations,
) -> Option<String> {
    let mut graph = Graph::new(relations);
    let calls = calls(&mut graph, program).ok()?;
    let mut slots: Vec<Option<ValueId>> = vec![None; program.slots];
    let constants = program.constants.iter().map(|(slot, ty)| (*slot, ty));
    let given = leaves.iter().map(|ty| &**ty).enumerate();
    for (slot, ty) in given.chain(constants) {
        slots[slot] = graph.value(ty).ok();
    }
    for step in program.left.steps.iter().chain(&program.right.steps) {
        let own = &program.steps[*step];
        let inputs = own.inputs.iter().flatten().map(|slot| slots[*slot]);
        let inputs: Vec<ValueId> = inputs.collect::<Option<_>>()?;
        if let ([data, shape, ..], true) = (&inputs[..], program.is_reshape(*step))
            && reshape::copies_zero(&graph.ty(*data), &graph.ty(*shape))
        {
            return Some(reshape::REFUSED.into());
        }
        let (_, outputs) = graph.add(calls[*step], &inputs);
        if let Some(problem) = graph.problems().next() {
            let d = &problem.diagnostic;
            let label = d.labels.first().map(|label| label.text.clone());
            let reason = d.steps.first().cloned().or(label);
            return Some(match reason {
                Some(reason) if !reason.is_empty() => format!("{}: {reason}", d.headline),
                _ => d.headline.clone(),
            });
        }
        for (i, value) in outputs.iter().enumerate() {
            slots[own.first + i] = Some(value);
        }
    }
    None
}

/// Calls of operators by themselves, evaluated on types: each on each types once.
pub(crate) struct CallTable {
    met: Met,
    calls: FxHashMap<u32, CallId>,
}

impl CallTable {
    pub(crate) fn new(relations: &Relations) -> CallTable {
        CallTable {
            met: Met::new(relations),
            calls: FxHashMap::default(),
        }
    }

    /// From now on the first step of this program is called by this number.
    pub(crate) fn prepare(&mut self, number: u32, program: &Program) -> Result<(), Diagnostic> {
        let calls = calls(&mut self.met.graphs.base, program)?;
        if let Some(call) = calls.first() {
            self.calls.insert(number, *call);
        }
        Ok(())
    }

    pub(crate) fn number(&mut self, ty: &Type) -> TypeNo {
        self.met.number(ty)
    }

    /// The type of the first output; none if it cannot be.
    pub(crate) fn first_output(&mut self, number: u32, inputs: Inputs) -> Option<TypeNo> {
        let call = *self.calls.get(&number)?;
        let outputs = self.met.outputs(call, inputs).0;
        outputs?.first().copied()
    }
}

/// Is nothing of a type open but, perhaps, contents?
pub(crate) fn is_closed(ty: &Type) -> bool {
    match ty.as_tensor() {
        Some(tensor) => tensor.dtype.known().is_some() && tensor.shape.is_ground(),
        None => !ty.is_unknown() && ty.parts().all(is_closed),
    }
}

/// Are two types the same, contents included where both are known? Unknown where that is open.
fn agree(a: &Type, b: &Type) -> Option<bool> {
    let (Some(one), Some(other)) = (a.as_tensor(), b.as_tensor()) else {
        return match is_closed(a) && is_closed(b) {
            true => Some(a == b),
            false => None,
        };
    };
    let mut is_known = true;
    match (one.dtype.known(), other.dtype.known()) {
        (Some(x), Some(y)) if x != y => return Some(false),
        (Some(_), Some(_)) => {}
        _ => is_known = false,
    }
    match (one.shape.rank(), other.shape.rank()) {
        (Some(x), Some(y)) if x != y => return Some(false),
        (Some(_), Some(_)) => {
            for (d, e) in one.shape.iter().zip(other.shape.iter()) {
                match (d, e) {
                    (Dim::Size(x), Dim::Size(y)) if x != y => return Some(false),
                    (Dim::Size(_), Dim::Size(_)) => {}
                    _ => is_known = false,
                }
            }
        }
        _ => is_known = false,
    }
    if let (Some(x), Some(y)) = (&one.contents, &other.contents)
        && differ(x, y)
    {
        return Some(false);
    }
    is_known.then_some(true)
}

fn differ(a: &Contents, b: &Contents) -> bool {
    let is_known = |c: &Content| {
        matches!(
            c,
            Content::Int(_) | Content::Bool(_) | Content::Float(_) | Content::Text(_)
        )
    };
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .any(|(x, y)| is_known(x) && is_known(y) && x != y)
}
