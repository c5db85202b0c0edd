//! [`Ground`]: both sides on types whose sizes are numbers, each call on each types once.

use kanshape::graph::{CallId, Graph, ValueId};
use kanshape::{Content, Contents, Diagnostic, Dim, Relations, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::condition::Condition;
use crate::program::Program;

/// A type that has been met.
pub(crate) type TypeNo = u32;

/// What the right side comes to where the left side has a type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Right {
    /// The same types.
    Same,
    /// Others, or none if it can't be.
    Other(Option<Vec<Type>>),
    /// Sizes or contents that decide it are not known.
    Unknown,
}

type Outputs = Option<SmallVec<[TypeNo; 2]>>;

pub(crate) struct Ground<'p> {
    program: &'p Program,
    graph: Graph,
    calls: Vec<CallId>,
    condition: Option<CallId>,
    types: Vec<Type>,
    numbers: FxHashMap<Type, TypeNo>,
    known: FxHashMap<(CallId, SmallVec<[TypeNo; 4]>), Outputs>,
    /// The steps that calls which were not known have taken since they were last counted.
    steps: u64,
}

/// What a call that is not known takes, in steps that are look-ups.
const STEPS_OF_CALL: u64 = 10;

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

/// The call that states the condition of a rule.
pub(crate) fn condition_call(
    graph: &mut Graph,
    program: &Program,
    condition: Option<&Condition>,
) -> Result<Option<CallId>, Diagnostic> {
    let inputs = vec![true; program.leaves.len()];
    condition
        .map(|own| graph.call(&own.operator, Vec::new(), &inputs, &[]))
        .transpose()
}

impl<'p> Ground<'p> {
    pub(crate) fn new(
        program: &'p Program,
        condition: Option<&Condition>,
        relations: &Relations,
    ) -> Result<Ground<'p>, Diagnostic> {
        let mut graph = Graph::new(relations).without_reasons();
        let calls = calls(&mut graph, program)?;
        let condition = condition_call(&mut graph, program, condition)?;
        Ok(Ground {
            program,
            graph,
            calls,
            condition,
            types: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            steps: 0,
        })
    }

    pub(crate) fn number(&mut self, ty: &Type) -> TypeNo {
        if let Some(number) = self.numbers.get(ty) {
            return *number;
        }
        let number = self.types.len() as TypeNo;
        self.types.push(ty.clone());
        self.numbers.insert(ty.clone(), number);
        number
    }

    pub(crate) fn ty(&self, number: TypeNo) -> &Type {
        &self.types[number as usize]
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
        let inputs: SmallVec<[TypeNo; 4]> = inputs.collect();
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
        let Some(call) = self.condition else {
            return true;
        };
        let leaves = slots[..self.program.leaves.len()].iter().copied();
        self.call(call, leaves.collect()).is_some()
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
                    let types = roots.map(|slot| self.ty(slots[*slot]).clone());
                    return Right::Other(Some(types.collect()));
                }
            }
        }
        match is_known {
            true => Right::Same,
            false => Right::Unknown,
        }
    }

    /// Why the right side cannot be on these leaves.
    pub(crate) fn why(&self, leaves: &[Type], relations: &Relations) -> Option<String> {
        let mut graph = Graph::new(relations);
        let calls = calls(&mut graph, self.program).ok()?;
        let mut slots: Vec<Option<ValueId>> = vec![None; self.program.slots];
        let constants = self.program.constants.iter();
        let given = leaves.iter().enumerate();
        for (slot, ty) in given.chain(constants.map(|(slot, ty)| (*slot, ty))) {
            slots[slot] = graph.value(ty).ok();
        }
        let left = self.program.left.steps.iter();
        for step in left.chain(&self.program.right.steps) {
            let own = &self.program.steps[*step];
            let inputs = own.inputs.iter().flatten().map(|slot| slots[*slot]);
            let inputs: Vec<ValueId> = inputs.collect::<Option<_>>()?;
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

    fn call(&mut self, call: CallId, inputs: SmallVec<[TypeNo; 4]>) -> Outputs {
        let key = (call, inputs);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.steps += STEPS_OF_CALL;
        let found = self.evaluate(call, &key.1);
        self.known.insert(key, found.clone());
        found
    }

    fn evaluate(&mut self, call: CallId, inputs: &[TypeNo]) -> Outputs {
        let mut graph = self.graph.clone();
        let values = inputs
            .iter()
            .map(|n| graph.value(&self.types[*n as usize]).ok());
        let values: Vec<ValueId> = values.collect::<Option<_>>()?;
        let (_, outputs) = graph.add(call, &values);
        if graph.problems().len() > 0 {
            return None;
        }
        let types: Vec<Type> = outputs
            .iter()
            .map(|value| match graph.known(value) {
                Some(ty) => (*ty).clone(),
                None => graph.ty(value),
            })
            .collect();
        Some(types.iter().map(|ty| self.number(ty)).collect())
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
