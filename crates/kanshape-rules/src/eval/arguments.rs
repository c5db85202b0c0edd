//! The arguments of a relation in Rust where it is calculated: values on the stack.

use super::store::Val;
use super::{Evaluator, Stop};
use crate::rules::native::{Arguments, Extremes, Numbers};
use kanshape_engine::{Int, Num};
use kanshape_types::Dtype;
use smallvec::SmallVec;

/// The arguments of a call.
pub(super) struct OnStack<'e, 'a> {
    pub evaluator: &'e mut Evaluator<'a>,
    /// Where they begin on the stack.
    pub start: usize,
}

impl OnStack<'_, '_> {
    fn val(&self, i: usize) -> Val {
        self.evaluator.stack[self.start + i]
    }

    fn known(&self, i: usize) -> Result<Val, Stop> {
        match self.is_unknown(i) {
            true => Err(Stop::Wait),
            false => Ok(self.val(i)),
        }
    }

    fn say(&mut self, i: usize, val: Val) -> Result<(), Stop> {
        match self.val(i) {
            Val::Open | Val::Ignored => {}
            // It would constrain what is unknown.
            Val::Hidden | Val::Extremes(_) => return Err(Stop::Leave),
            Val::Length(n) if val.length() == Some(n as usize) => {}
            Val::Length(_) => return Err(Stop::Fail),
            known => self.evaluator.same(known, val)?,
        }
        self.evaluator.stack[self.start + i] = val;
        Ok(())
    }
}

impl Arguments for OnStack<'_, '_> {
    fn is_unknown(&self, i: usize) -> bool {
        let val = self.val(i);
        val.is_hidden() || matches!(val, Val::Open | Val::Ignored)
    }

    fn is_hidden(&self, i: usize) -> bool {
        self.val(i).is_hidden()
    }

    fn num(&mut self, i: usize) -> Result<Num, Stop> {
        self.known(i)?.num()
    }

    fn int(&mut self, i: usize) -> Result<Int, Stop> {
        self.num(i)?.int().map(Int::from).ok_or(Stop::Leave)
    }

    fn text(&mut self, i: usize) -> Result<&str, Stop> {
        let number = self.int(i)?;
        self.evaluator.text_of(number).ok_or(Stop::Leave)
    }

    fn dtype(&mut self, i: usize) -> Result<Dtype, Stop> {
        match self.known(i)? {
            Val::Dtype(dtype) => dtype.known().ok_or(Stop::Leave),
            _ => Err(Stop::Leave),
        }
    }

    fn numbers(&mut self, i: usize) -> Result<&[Num], Stop> {
        Ok(self.evaluator.store.numbers(self.known(i)?.numbers()?))
    }

    fn ints(&mut self, i: usize) -> Result<Vec<Int>, Stop> {
        let all = self.numbers(i)?.iter();
        all.map(|n| n.int().map(Int::from).ok_or(Stop::Wait))
            .collect()
    }

    fn begin(&mut self, _: usize) -> Result<(), Stop> {
        Ok(())
    }

    fn floor_div(&mut self, n: Num, by: i64) -> Result<Num, Stop> {
        Ok(self.evaluator.forms.floor_div(n, Num::new(by)?)?)
    }

    fn is_of_sizes(&self, _: Num) -> bool {
        true
    }

    fn say_between(&mut self, _: Num, _: Int, _: Int) -> Result<(), Stop> {
        Err(Stop::Leave)
    }

    fn lists(&self, i: usize) -> Result<SmallVec<[Numbers; 4]>, Stop> {
        let store = &self.evaluator.store;
        match self.known(i)? {
            Val::List(cells) => {
                let all = store.cells(cells).iter();
                all.map(|own| Ok(store.numbers(own.numbers()?).into()))
                    .collect()
            }
            _ => Err(Stop::Leave),
        }
    }

    fn extremes(&self, i: usize) -> Result<Option<Extremes>, Stop> {
        match self.val(i) {
            Val::Open | Val::Ignored => Err(Stop::Wait),
            Val::Extremes(list) => Ok(Some(self.evaluator.store.extremes(list))),
            _ => Ok(None),
        }
    }

    fn say_extremes(&mut self, i: usize, extremes: Extremes) -> Result<(), Stop> {
        if let Val::Open | Val::Ignored = self.val(i) {
            let list = self.evaluator.store.push_extremes(extremes)?;
            self.evaluator.stack[self.start + i] = Val::Extremes(list);
        }
        Ok(())
    }

    fn combine(&mut self, terms: &[(Num, i64)]) -> Result<Num, Stop> {
        self.evaluator.combine(terms)
    }

    fn min(&mut self, all: &[Num]) -> Result<Num, Stop> {
        Ok(self.evaluator.forms.min(all)?)
    }

    fn require_natural(&mut self, n: Num) -> Result<(), Stop> {
        let n = self.evaluator.resolved(n)?;
        self.evaluator.natural(n)
    }

    fn broadcast(&mut self, dims: &[Num]) -> Result<Num, Stop> {
        self.evaluator.broadcast_dims(dims)
    }

    fn say_num(&mut self, i: usize, n: Num) -> Result<(), Stop> {
        self.say(i, Val::Int(n))
    }

    fn say_numbers(&mut self, i: usize, numbers: &[Num]) -> Result<(), Stop> {
        let list = self.evaluator.store.push_numbers(numbers)?;
        self.say(i, Val::Numbers(list))
    }

    fn multiply(&mut self, a: Num, b: Num) -> Result<Num, Stop> {
        self.evaluator.multiply(a, b)
    }

    fn exact_div(&mut self, a: Num, b: Num) -> Option<Num> {
        self.evaluator.forms.whole_div(a, b)
    }

    fn bounds(&self, n: Num) -> (i64, i64) {
        self.evaluator.forms.bounds(n)
    }

    fn is_never_zero(&self, n: Num) -> bool {
        self.evaluator.is_zero(n) == Some(false)
    }

    fn equate(&mut self, a: Num, b: Num) -> Result<(), Stop> {
        self.evaluator.same_number(a, b)
    }
}
