//! Signatures as steps, where all inputs are known: patterns of names and numbers, with a batch prefix.

use super::code::Term;
use super::store::{TensorVal, Val};
use super::value::Numbers;
use super::{Frame, Ground, Stop};
use crate::Signature;
use crate::program::{DtypeRule, ItemRule, OperandRule, OptionalDim, Program};
use kanshape_syntax::tree::PrefixKind;
use kanshape_types::Dtype;
use smallvec::SmallVec;

/// What is known of the names, dtypes and optional dims of a signature.
struct Known {
    names: SmallVec<[Option<i64>; 8]>,
    dtypes: SmallVec<[Option<Dtype>; 4]>,
    dropped: SmallVec<[bool; 4]>,
    batch: Numbers,
}

impl<'a> Ground<'a> {
    /// A signature of its operands.
    pub(super) fn signature_step(
        &mut self,
        frame: Frame,
        signature: &'a Signature,
        terms: &'a [Term],
    ) -> Result<bool, Stop> {
        let program = signature.program();
        let (inputs, outputs) = terms.split_at(program.inputs.len().min(terms.len()));
        let mut tensors: SmallVec<[TensorVal<'a>; 4]> = SmallVec::new();
        for term in inputs {
            match self.eval(frame, term)? {
                Val::Tensor(tensor) => tensors.push(self.store.tensor(tensor)),
                _ => return Err(Stop::Fail),
            }
        }
        let mut known = Known {
            names: SmallVec::from_elem(None, program.names.len()),
            dtypes: SmallVec::from_elem(None, program.dtypes.len()),
            dropped: SmallVec::from_elem(false, program.optionals),
            batch: Numbers::new(),
        };
        for (rule, tensor) in program.inputs.iter().zip(&tensors) {
            known.drop(rule, self.store.numbers(tensor.shape).len());
        }
        for (rule, tensor) in program.inputs.iter().zip(&tensors) {
            let shape = self.store.numbers(tensor.shape);
            known.input(program, rule, tensor.dtype, shape)?;
        }
        let mut all = true;
        for (rule, term) in program.outputs.iter().zip(outputs) {
            let (dtype, shape) = known.output(rule)?;
            let shape = self.store.push_numbers(&shape)?;
            let output = self.store.push_tensor(dtype, shape, None)?;
            all &= self.take_apart(frame, term, output)?;
        }
        Ok(all)
    }
}

/// Is the signature nothing but names, numbers and optional dims, under a batch that broadcasts?
pub(super) fn is_simple(program: &Program) -> bool {
    let item = |i: &ItemRule| {
        matches!(
            i,
            ItemRule::Size(_) | ItemRule::Name(_) | ItemRule::Optional(..)
        )
    };
    let dtype = |d: &DtypeRule| matches!(d, DtypeRule::Known(_) | DtypeRule::Variable(_));
    let operand =
        |o: &OperandRule| o.whole.is_none() && o.items.iter().all(item) && dtype(&o.dtype);
    let batch = |b: &crate::program::Batch| b.kind == PrefixKind::Broadcast && b.max.is_none();
    program.params.is_empty()
        && program.runs.is_empty()
        && program.conditions.is_empty()
        && program.relations.is_empty()
        && program.calls.is_none()
        && program.identities.is_empty()
        && program.batch.as_ref().is_none_or(batch)
        && program.inputs.iter().all(operand)
        && program.outputs.iter().all(operand)
}

impl Known {
    /// How many dims an operand shows of its own.
    fn core(&self, rule: &OperandRule) -> usize {
        let is_there = |i: &&ItemRule| !matches!(i, ItemRule::Optional(k, _) if self.dropped[*k]);
        rule.items.iter().filter(is_there).count()
    }

    /// An input with too few dims drops optional ones from the left.
    fn drop(&mut self, rule: &OperandRule, rank: usize) {
        for item in &rule.items {
            if self.core(rule) <= rank {
                return;
            }
            if let ItemRule::Optional(k, _) = item {
                self.dropped[*k] = true;
            }
        }
    }

    fn input(
        &mut self,
        program: &Program,
        rule: &OperandRule,
        own: Dtype,
        shape: &[i64],
    ) -> Result<(), Stop> {
        let ahead = shape.len().checked_sub(self.core(rule));
        let (batch, core) = shape.split_at(ahead.ok_or(Stop::Fail)?);
        let items = rule.items.iter();
        let there = items.filter(|i| !matches!(i, ItemRule::Optional(k, _) if self.dropped[*k]));
        let mut equal: SmallVec<[(usize, i64); 6]> = SmallVec::new();
        for (item, &n) in there.zip(core) {
            match item {
                ItemRule::Size(size) | ItemRule::Optional(_, OptionalDim::Size(size)) => {
                    if i128::from(*size) != i128::from(n) {
                        return Err(Stop::Fail);
                    }
                }
                ItemRule::Name(i) | ItemRule::Optional(_, OptionalDim::Name(i)) => {
                    equal.push((*i, n));
                }
                _ => return Err(Stop::Leave),
            }
        }
        for (i, n) in equal {
            if *self.names[i].get_or_insert(n) != n {
                return Err(Stop::Fail);
            }
        }
        match &rule.dtype {
            DtypeRule::Known(dtype) if *dtype != own => return Err(Stop::Fail),
            DtypeRule::Variable(i) if *self.dtypes[*i].get_or_insert(own) != own => {
                return Err(Stop::Fail);
            }
            _ => {}
        }
        match (&program.batch, batch) {
            (_, []) => Ok(()),
            (None, _) => Err(Stop::Fail),
            (Some(_), batch) => self.broadcast(batch),
        }
    }

    fn broadcast(&mut self, dims: &[i64]) -> Result<(), Stop> {
        while self.batch.len() < dims.len() {
            self.batch.insert(0, 1);
        }
        let ahead = self.batch.len() - dims.len();
        for (out, &n) in self.batch[ahead..].iter_mut().zip(dims) {
            match (*out, n) {
                (a, b) if a == b => {}
                (1, _) => *out = n,
                (_, 1) => {}
                _ => return Err(Stop::Fail),
            }
        }
        Ok(())
    }

    /// The dtype and the shape of an output.
    fn output(&self, rule: &OperandRule) -> Result<(Dtype, Numbers), Stop> {
        let mut shape = self.batch.clone();
        for item in &rule.items {
            match item {
                ItemRule::Optional(k, _) if self.dropped[*k] => {}
                ItemRule::Size(n) | ItemRule::Optional(_, OptionalDim::Size(n)) => {
                    shape.push(i64::try_from(*n).map_err(|_| Stop::Leave)?);
                }
                ItemRule::Name(i) | ItemRule::Optional(_, OptionalDim::Name(i)) => {
                    shape.push(self.names[*i].ok_or(Stop::Leave)?);
                }
                _ => return Err(Stop::Leave),
            }
        }
        let dtype = match &rule.dtype {
            DtypeRule::Known(dtype) => *dtype,
            DtypeRule::Variable(i) => self.dtypes[*i].ok_or(Stop::Leave)?,
            _ => return Err(Stop::Leave),
        };
        Ok((dtype, shape))
    }
}
