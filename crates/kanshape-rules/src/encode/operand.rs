//! Operands as terms: a tensor, a node with parts of its own, or something still open.
//!
//! The engine unifies trees with numbered labels; here is what the numbers mean. A tensor is a node
//! as well, of its dtype and its shape, so that a type variable can come to be one.

use super::form;
use super::given::{QueryVars, Slot};
use crate::limits::MAX_TYPE_DEPTH;
use kanshape_engine::{Seq, State, Stop, Term, Var};
use kanshape_types::{Type, TypeKind};
use std::borrow::Cow;
use std::sync::Arc;

/// The label of a tensor: its dtype, its shape, and its contents.
pub const TENSOR: u32 = 0;

/// How many parts of a tensor come before its contents.
pub const SHAPED: usize = 2;

/// A tensor as a term. Its contents are a sequence, or a variable as long as nothing is known of them.
pub fn tensor(dtype: Var, shape: Seq, contents: Term) -> Term {
    Term::node(TENSOR, [Term::Atom(dtype), Term::Seq(shape), contents])
}

/// The dtype, the shape and the contents of the tensor that a term has come to be, if it has.
pub fn tensor_parts(state: &State, term: &Term) -> Option<(Var, Seq, Term)> {
    let Term::Node(TENSOR, parts) = state.walk(term) else {
        return None;
    };
    match &parts[..] {
        [Term::Atom(dtype), Term::Seq(shape), contents] => {
            Some((*dtype, shape.clone(), contents.clone()))
        }
        _ => None,
    }
}

/// An operand, taken apart as far as it is known.
#[derive(Clone, Debug)]
pub enum Operand {
    /// One of [`QueryVars::slots`].
    Tensor(usize),
    /// A type with parts, and its label.
    Node(u32, Box<[Operand]>),
    /// Not known to be anything.
    Open(Var),
}

/// The operands of a query or an answer, and what their labels mean.
#[derive(Clone, Debug, Default)]
pub struct Operands {
    pub inputs: Vec<Operand>,
    pub outputs: Vec<Operand>,
    pub labels: Labels,
}

impl Operands {
    /// This number of inputs and of outputs, all of them tensors.
    pub fn tensors(inputs: usize, outputs: usize) -> Operands {
        Operands {
            inputs: (0..inputs).map(Operand::Tensor).collect(),
            outputs: (inputs..inputs + outputs).map(Operand::Tensor).collect(),
            labels: Labels::default(),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Operand> {
        self.inputs.iter().chain(&self.outputs)
    }

    /// The types of the inputs and of the outputs, from those of the tensors and of what is open.
    pub fn types(&self, end: &mut dyn FnMut(End) -> Type) -> (Vec<Type>, Vec<Type>) {
        let mut all = |operands: &[Operand]| {
            let types = operands.iter().map(|o| self.ty(o, end));
            types.collect()
        };
        let inputs = all(&self.inputs);
        (inputs, all(&self.outputs))
    }

    fn ty(&self, operand: &Operand, end: &mut dyn FnMut(End) -> Type) -> Type {
        match operand {
            Operand::Tensor(i) => end(End::Tensor(*i)),
            Operand::Open(v) => end(End::Open(*v)),
            Operand::Node(label, parts) => {
                let parts = parts.iter().map(|p| self.ty(p, end)).collect();
                self.labels.build(*label, parts)
            }
        }
    }
}

/// What an operand has at its ends.
#[derive(Clone, Copy, Debug)]
pub enum End {
    Tensor(usize),
    Open(Var),
}

/// What the labels of nodes denote: one more than the place of a type that has it, whose parts are
/// irrelevant.
#[derive(Clone, Debug, Default)]
pub struct Labels(Arc<Vec<Type>>);

impl Labels {
    /// The label of a type that is neither a tensor nor open. Types with the same label differ in
    /// their parts only; of how many parts there are, the engine takes account.
    pub fn of(&mut self, ty: &Type) -> u32 {
        self.find(ty).unwrap_or_else(|| {
            Arc::make_mut(&mut self.0).push(ty.clone());
            self.0.len() as u32
        })
    }

    /// The labels of functions and of tuples.
    pub fn functions(&mut self) -> (u32, u32) {
        let function = self.of(&Type::function([], Type::UNKNOWN));
        (function, self.of(&Type::tuple([])))
    }

    /// A type with each of them, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Type> {
        self.0.iter()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The label of such a type, if it has one already.
    pub fn find(&self, ty: &Type) -> Option<u32> {
        let known = self.0.iter().position(|t| same_label(&t.kind, &ty.kind));
        known.map(|i| 1 + i as u32)
    }

    /// The type with this label and these parts.
    pub fn build(&self, label: u32, parts: Vec<Type>) -> Type {
        let Some(ty) = self.0.get((label - 1) as usize) else {
            return Type::UNKNOWN;
        };
        match &ty.kind {
            TypeKind::Tuple(_) => Type::tuple(parts),
            TypeKind::Adt(name, _) => TypeKind::Adt(name.clone(), parts.into()).into(),
            TypeKind::User(constructor, _) => {
                TypeKind::User(constructor.clone(), parts.into()).into()
            }
            TypeKind::Fn(_) => {
                let mut params = parts;
                let result = params.pop().unwrap_or_default();
                Type::function(params, result)
            }
            TypeKind::Unknown | TypeKind::Tensor(_) | TypeKind::Var(_) => Type::UNKNOWN,
        }
    }
}

fn same_label(a: &TypeKind, b: &TypeKind) -> bool {
    match (a, b) {
        (TypeKind::Tuple(_), TypeKind::Tuple(_)) | (TypeKind::Fn(_), TypeKind::Fn(_)) => true,
        (TypeKind::Adt(a, _), TypeKind::Adt(b, _)) => a == b,
        (TypeKind::User(a, _), TypeKind::User(b, _)) => a == b,
        _ => false,
    }
}

impl QueryVars {
    /// An operand as a term.
    pub fn term(&self, operand: &Operand) -> Term {
        match operand {
            Operand::Tensor(i) => {
                let slot = &self.slots[*i];
                tensor(slot.dtype, slot.shape.clone(), slot.contents.clone())
            }
            Operand::Node(label, parts) => Term::node(*label, parts.iter().map(|p| self.term(p))),
            Operand::Open(v) => Term::Var(*v),
        }
    }

    /// The same with no operands, parameters or attributes: those that a question shares with it are put in again.
    pub fn without_operands(&self) -> QueryVars {
        QueryVars {
            names: self.names.clone(),
            operands: Operands {
                labels: self.operands.labels.clone(),
                ..Operands::default()
            },
            identities: self.identities.clone(),
            texts: Arc::clone(&self.texts),
            ..QueryVars::default()
        }
    }

    /// An operand of `other`, with slots of its own.
    pub fn operand_of(&mut self, other: &QueryVars, operand: &Operand) -> Operand {
        match operand {
            Operand::Tensor(i) => self.slot(other.slots[*i].clone()),
            Operand::Node(label, parts) => {
                let parts = parts.iter().map(|part| self.operand_of(other, part));
                Operand::Node(*label, parts.collect())
            }
            Operand::Open(v) => Operand::Open(*v),
        }
    }

    /// The same with every operand as far as it is known in `state`: what was open and has become
    /// tensors has slots for them.
    pub fn settled(&self, state: &State) -> Result<Cow<'_, QueryVars>, Stop> {
        let tensor = |o: &Operand| matches!(o, Operand::Tensor(_));
        if self.rest.is_none() && self.operands.iter().all(tensor) {
            return Ok(Cow::Borrowed(self));
        }
        let mut settled = self.clone();
        settled.slots.clear();
        let slots = &mut settled.slots;
        for (o, from) in settled
            .operands
            .inputs
            .iter_mut()
            .zip(&self.operands.inputs)
        {
            *o = settled_operand(self, state, from, slots, 0)?;
        }
        for (o, from) in settled
            .operands
            .outputs
            .iter_mut()
            .zip(&self.operands.outputs)
        {
            *o = settled_operand(self, state, from, slots, 0)?;
        }
        if let Some(rest) = self.rest {
            for term in form::shown(state, &Term::Var(rest)) {
                let operand = settled_term(state, &term, slots, 0)?;
                settled.operands.outputs.push(operand);
            }
        }
        Ok(Cow::Owned(settled))
    }
}

fn settled_operand(
    given: &QueryVars,
    state: &State,
    operand: &Operand,
    slots: &mut Vec<Slot>,
    depth: usize,
) -> Result<Operand, Stop> {
    match operand {
        Operand::Tensor(i) => {
            slots.push(given.slots[*i].clone());
            Ok(Operand::Tensor(slots.len() - 1))
        }
        Operand::Node(label, parts) => {
            let parts = parts
                .iter()
                .map(|p| settled_operand(given, state, p, slots, depth + 1));
            Ok(Operand::Node(*label, parts.collect::<Result<_, _>>()?))
        }
        Operand::Open(v) => settled_term(state, &Term::Var(*v), slots, depth),
    }
}

fn settled_term(
    state: &State,
    term: &Term,
    slots: &mut Vec<Slot>,
    depth: usize,
) -> Result<Operand, Stop> {
    if depth > MAX_TYPE_DEPTH {
        return Err(Stop::Overflow);
    }
    match state.walk(term) {
        Term::Var(v) => Ok(Operand::Open(v)),
        term @ Term::Node(TENSOR, _) => match tensor_parts(state, &term) {
            Some((dtype, shape, contents)) => {
                slots.push(Slot {
                    given: Type::UNKNOWN,
                    dtype,
                    shape,
                    contents,
                });
                Ok(Operand::Tensor(slots.len() - 1))
            }
            None => Err(Stop::Conflict),
        },
        Term::Node(label, parts) => {
            let parts = parts
                .iter()
                .map(|p| settled_term(state, p, slots, depth + 1));
            Ok(Operand::Node(label, parts.collect::<Result<_, _>>()?))
        }
        Term::Int(_) | Term::Atom(_) | Term::Seq(_) => Err(Stop::Conflict),
    }
}
