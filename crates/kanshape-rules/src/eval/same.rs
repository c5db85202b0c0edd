//! When two values are the same.

use super::store::{Cells, List, Val};
use super::value::ElementType;
use super::{Evaluator, Residual, Stop};
use kanshape_types::DtypeSet;

impl Evaluator<'_> {
    /// From now on two values are the same.
    pub(super) fn same(&mut self, a: Val, b: Val) -> Result<(), Stop> {
        match (a, b) {
            (Val::Int(a), Val::Int(b)) => self.same_number(a, b),
            (Val::Dtype(a), Val::Dtype(b)) => self.same_dtype(a, b),
            (Val::None, Val::None) => Ok(()),
            (Val::Numbers(a), Val::Numbers(b)) => self.same_numbers(a, b),
            (Val::Some(a), Val::Some(b)) => self.same(self.store.cell(a), self.store.cell(b)),
            (Val::List(a), Val::List(b)) => self.all_same(a, b),
            (Val::Node(a, parts), Val::Node(b, others)) if a == b => self.all_same(parts, others),
            (Val::Tensor(a), Val::Tensor(b)) if a == b => Ok(()),
            (Val::Tensor(a), Val::Tensor(b)) => {
                let (one, other) = (self.store.tensor(a), self.store.tensor(b));
                self.same_dtype(one.dtype, other.dtype)?;
                self.same_numbers(one.shape, other.shape)?;
                match (one.contents, other.contents) {
                    (Some(a), Some(b)) => self.same_numbers(a, b),
                    (None, None) => Ok(()),
                    // What is known of one has to reach the other.
                    _ => Err(Stop::Leave),
                }
            }
            _ => Err(Stop::Fail),
        }
    }

    /// From now on two dtypes are the same.
    pub(super) fn same_dtype(&mut self, a: ElementType, b: ElementType) -> Result<(), Stop> {
        match (a, b) {
            (ElementType::Known(known), other) | (other, ElementType::Known(known)) => {
                self.dtype_among(other, known.into())
            }
            (ElementType::Open(a), ElementType::Open(b)) if a.atom == b.atom => Ok(()),
            (ElementType::Open(a), ElementType::Open(b)) => match (a.set & b.set).is_empty() {
                true => Err(Stop::Fail),
                false => self.leave_open(Residual::SameDtype(a, b)),
            },
        }
    }

    /// From now on a dtype is one of these.
    #[inline]
    pub(super) fn dtype_among(&mut self, dtype: ElementType, set: DtypeSet) -> Result<(), Stop> {
        match dtype {
            _ if dtype.set().is_subset(set) => Ok(()),
            ElementType::Open(open) if !(open.set & set).is_empty() => {
                self.leave_open(Residual::DtypeAmong(open, set))
            }
            _ => Err(Stop::Fail),
        }
    }

    fn same_numbers(&mut self, a: List, b: List) -> Result<(), Stop> {
        if a.len() != b.len() {
            return Err(Stop::Fail);
        }
        for i in 0..a.len() {
            let (a, b) = (self.store.number(a, i), self.store.number(b, i));
            self.same_number(a, b)?;
        }
        Ok(())
    }

    fn all_same(&mut self, a: Cells, b: Cells) -> Result<(), Stop> {
        if a.len() != b.len() {
            return Err(Stop::Fail);
        }
        for i in 0..a.len() {
            let (a, b) = (self.store.cells(a)[i], self.store.cells(b)[i]);
            self.same(a, b)?;
        }
        Ok(())
    }
}
