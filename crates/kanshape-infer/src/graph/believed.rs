//! What is declared of a node's outputs, believed where the node leaves open what they are; and what is kept of calls that were solved.
//!
//! A program says what each of its values is. Mostly that follows from the operation; of some operations it is what makes them
//! complete, as the shape that a tensor is reshaped to.

use super::apply::{Added, CallOutcome, Typed};
use super::cache::DeclaredCall;
use super::known::{self, ValueState};
use super::sizes::Reader;
use super::table::TypeId;
use super::{Assumption, CallId, Graph, NodeId, Outputs, Refused, ValueId};
use kanshape_engine::{Stop, assumptions};
use kanshape_rules::eval::{ElementType, Value};
use kanshape_types::{Dim, DtypeTerm, Shape, Tensor, Type};
use smallvec::SmallVec;
use std::sync::Arc;

/// What has been believed of an output, since its node leaves open what it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Believed {
    /// The output.
    pub value: ValueId,
    /// What is believed: where only the dtype is open, that alone.
    pub ty: Type,
    /// It can't be: nothing has been believed then.
    pub refused: Option<Refused>,
}

/// What a call comes to where what is declared of its outputs is believed.
#[derive(Debug)]
pub(super) struct Settled {
    pub outcome: Arc<CallOutcome>,
    /// Of which outputs something was believed, and what.
    believed: Box<[(usize, Type)]>,
}

impl Graph {
    /// Adds a node as [`Graph::add`] does. What is `declared` of its outputs, in their order, is believed where the node leaves open
    /// what they are: of a tensor whose dims are as many as follows from its inputs, the dtype; of any other, all. Returns what was
    /// believed as well.
    ///
    /// ```
    /// use kanshape::{Relations, Type, graph::Graph};
    ///
    /// let relations = Relations::load_str("mine.kan", "op Cast (x: T[..s]) -> (y: U[..s]) :- T: Any, U: Float")?;
    /// let mut graph = Graph::new(&relations);
    /// let x = graph.value(&"i32[n]".parse()?)?;
    /// let cast = graph.call(&relations.operator("Cast", None)?, vec![], &[true], &[true])?;
    /// let (_, y, believed) = graph.add_declared(cast, &[x], &["f16[?]".parse()?]);
    /// assert_eq!(graph.ty(y.get(0).ok_or("none")?).to_string(), "f16[n]");
    /// assert_eq!(believed[0].ty.to_string(), "f16[?]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_declared(
        &mut self,
        call: CallId,
        inputs: &[ValueId],
        declared: &[Type],
    ) -> (NodeId, Outputs, Vec<Believed>) {
        let (problems, given_up) = (self.problems.len(), self.given_up.len());
        let assumed = assumptions();
        let posted = self.all.state.posted_count();
        let (node, outputs, solved) = self.put_in(call, inputs, &[], declared);
        let solved = match solved {
            Applied::As(settled) => {
                let own = settled.believed.iter();
                let own = own.filter_map(|(i, ty)| Some((outputs.get(*i)?, ty)));
                let believed = own.map(|(value, ty)| {
                    self.given.push_back(Assumption::Type(value, ty.clone()));
                    Believed {
                        value,
                        ty: ty.clone(),
                        refused: None,
                    }
                });
                let believed = believed.collect();
                return (node, outputs, believed);
            }
            Applied::Typed if outputs.iter().all(|value| self.is_closed(value)) => {
                return (node, outputs, Vec::new());
            }
            Applied::Typed => None,
            Applied::Open(solved) => solved,
        };
        let mut believed = Vec::new();
        for (value, ty) in outputs.iter().zip(declared) {
            let Some(ty) = self.left_open(value, ty) else {
                continue;
            };
            let refused = self.assume(value, &ty).err();
            believed.push(Believed { value, ty, refused });
        }
        let is_settled = self.problems.len() == problems
            && self.given_up.len() == given_up
            && believed.iter().all(|own| own.refused.is_none())
            && assumptions() == assumed
            && self.holds_since(posted);
        if let Some(ids) = solved
            && is_settled
        {
            self.keep_believed(call, ids, declared, outputs, &believed);
        }
        (node, outputs, believed)
    }

    /// Is nothing of a value open, as far as that is seen at once?
    fn is_closed(&self, value: ValueId) -> bool {
        match &self.values[value.index()] {
            ValueState::Typed(id) => !self.cache.open().table.is_open(*id),
            ValueState::Open(_) => false,
        }
    }

    /// What of a declared type is believed of a value: nothing where it is known to be a tensor of one dtype and of some rank.
    fn left_open(&self, value: ValueId, declared: &Type) -> Option<Type> {
        let (rank, dtype) = (self.rank(value), self.dtype(value));
        if declared.is_unknown() || rank.is_some() && dtype.is_some() {
            return None;
        }
        match (rank, declared.as_tensor()) {
            (Some(_), Some(tensor)) if tensor.dtype == DtypeTerm::Hole => None,
            (Some(rank), Some(tensor)) => {
                let dims = vec![Dim::Hole; rank];
                let own = Tensor::new(tensor.dtype.clone(), Shape::known(dims));
                Some(own.into())
            }
            _ => Some(declared.clone()),
        }
    }

    /// Has nothing been left suspended since then but hints, which say nothing unless more becomes known?
    pub(super) fn holds_since(&self, posted: usize) -> bool {
        self.all
            .state
            .open_constraints_since(posted)
            .next()
            .is_none()
    }

    /// What a call comes to with what is declared of its outputs, where the call alone leaves them open.
    pub(super) fn as_declared(
        &mut self,
        added: Added<'_>,
        outcome: &CallOutcome,
        inputs: &[TypeId],
    ) -> Option<Arc<Settled>> {
        if added.declared.is_empty() || inputs.len() != added.inputs.len() {
            return None;
        }
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let key = (added.call, inputs.into(), cache.declared(added.declared));
        if let Some(known) = cache.believed.get(&key) {
            return Some(Arc::clone(known));
        }
        let CallOutcome::Typed(typed) = outcome else {
            return None;
        };
        // The dtypes that are left open are those that are declared, where all of them are.
        let mut believed: Vec<(usize, Type)> = Vec::new();
        let mut outputs: SmallVec<[TypeId; 2]> = SmallVec::new();
        for (i, id) in typed.outputs().iter().enumerate() {
            let value = cache.table.value(*id);
            if !known::has_fresh(value) {
                outputs.push(*id);
                continue;
            }
            let Value::Tensor(tensor) = value else {
                return None;
            };
            let ElementType::Open(open) = tensor.dtype else {
                return None;
            };
            let declared = added.declared.get(i).and_then(Type::as_tensor)?;
            let dtype = declared.dtype.known()?;
            if !open.set.contains(dtype) {
                return None;
            }
            let is_other = |other: &TypeId| match cache.table.value(*other) {
                Value::Tensor(other) => other.dtype == tensor.dtype,
                Value::Node(_) => true,
            };
            // What two outputs share may be declared in two ways.
            let own_places = typed.outputs().iter().filter(|other| is_other(other));
            if own_places.count() > 1 {
                return None;
            }
            let dims = vec![Dim::Hole; tensor.shape.len()];
            believed.push((i, Tensor::new(dtype, Shape::known(dims)).into()));
            let value = cache.table.value(*id).clone();
            let value = known::with_dtypes(&value, &mut |_| dtype.into()).ok()?;
            outputs.push(cache.table.number_of(value)?);
        }
        let settled = Arc::new(Settled {
            outcome: Arc::new(CallOutcome::Typed(typed.with_dtypes(outputs))),
            believed: believed.into(),
        });
        cache.believed.insert(key, Arc::clone(&settled));
        Some(settled)
    }

    /// Keeps what a call came to that was solved, for all others on inputs of these types: where no size of them is open, it is the
    /// same each time.
    pub(super) fn keep_solved(
        &mut self,
        added: Added<'_>,
        inputs: &[TypeId],
        terms: &[ValueState],
    ) {
        // What was required for more than has to hold is noted for each node.
        let is_certain = added.bodies.is_empty() && assumptions() == self.assumptions;
        if !is_certain || !self.are_closed(added.call, inputs, added.inputs) {
            return;
        }
        let Some(outputs) = self.closed(terms) else {
            return;
        };
        let outcome = Arc::new(CallOutcome::Typed(Typed::certain(outputs)));
        let key = (added.call, inputs.into());
        self.cache.open().outcomes.insert(key, outcome);
    }

    fn keep_believed(
        &mut self,
        call: CallId,
        inputs: SmallVec<[TypeId; 4]>,
        declared: &[Type],
        outputs: Outputs,
        believed: &[Believed],
    ) {
        let all: Vec<ValueState> = outputs
            .iter()
            .map(|value| self.values[value.index()].clone())
            .collect();
        let Some(ids) = self.closed(&all) else {
            return;
        };
        let place = |own: &Believed| outputs.iter().position(|value| value == own.value);
        let believed = believed
            .iter()
            .filter_map(|own| Some((place(own)?, own.ty.clone())));
        let settled = Settled {
            outcome: Arc::new(CallOutcome::Typed(Typed::certain(ids))),
            believed: believed.collect(),
        };
        let mut cache = self.cache.open();
        let key: DeclaredCall = (call, inputs, cache.declared(declared));
        cache.believed.insert(key, Arc::new(settled));
    }

    /// Are the types all those of the inputs, and is nothing open in them? Then nothing else has a say in what the call comes to.
    pub(super) fn are_closed(&self, call: CallId, types: &[TypeId], inputs: &[ValueId]) -> bool {
        let cache = self.cache.open();
        types.len() == inputs.len()
            && types.iter().all(|id| !cache.table.is_open(*id))
            && !cache.calls[call.0 as usize].written.has_names()
    }

    /// The types of values in which nothing is open, whatever hints may still find out of their contents. None in a graph without
    /// empty tensors: what follows from that is not what the call comes to in another graph.
    fn closed(&mut self, all: &[ValueState]) -> Option<SmallVec<[TypeId; 2]>> {
        if self.nonempty {
            return None;
        }
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let mut reader = Reader {
            sizes: &mut self.sizes,
            state: &self.all.state,
            forms: &mut cache.forms,
        };
        let mut ids = SmallVec::new();
        for known in all {
            let id = match known {
                ValueState::Typed(_) => cache.table.refreshed(&mut reader, known),
                ValueState::Open(term) => match known::read_apart_from_hints(&mut reader, term) {
                    Ok(value) => Ok(value.and_then(|value| cache.table.number_of(value))),
                    Err(stop) => Err::<_, Stop>(stop),
                },
            };
            ids.push(id.ok()?.filter(|id| !cache.table.is_open(*id))?);
        }
        Some(ids)
    }
}

/// What was done for a node.
pub(super) enum Applied {
    /// It was calculated.
    Typed,
    /// What is declared of its outputs was believed.
    As(Arc<Settled>),
    /// Its outputs may be open. The types of its inputs, if nothing in them is.
    Open(Option<SmallVec<[TypeId; 4]>>),
}
