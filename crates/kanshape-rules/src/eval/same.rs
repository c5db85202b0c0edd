//! When two values are the same.

use super::store::{Cells, List, Val};
use super::{Evaluator, Stop};

impl Evaluator<'_> {
    /// From now on two values are the same.
    pub(super) fn same(&mut self, a: Val, b: Val) -> Result<(), Stop> {
        match (a, b) {
            (Val::Int(a), Val::Int(b)) => self.same_number(a, b),
            (Val::Dtype(a), Val::Dtype(b)) if a == b => Ok(()),
            (Val::None, Val::None) => Ok(()),
            (Val::Numbers(a), Val::Numbers(b)) => self.same_numbers(a, b),
            (Val::Some(a), Val::Some(b)) => self.same(self.store.cell(a), self.store.cell(b)),
            (Val::List(a), Val::List(b)) => self.all_same(a, b),
            (Val::Node(a, parts), Val::Node(b, others)) if a == b => self.all_same(parts, others),
            (Val::Tensor(a), Val::Tensor(b)) if a == b => Ok(()),
            (Val::Tensor(a), Val::Tensor(b)) => {
                let (one, other) = (self.store.tensor(a), self.store.tensor(b));
                if one.dtype != other.dtype {
                    return Err(Stop::Fail);
                }
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
