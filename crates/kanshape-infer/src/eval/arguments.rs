//! [`Arguments`]: what a relation in Rust is called with, where it is calculated.

use super::number::int;
use super::store::Val;
use super::{Evaluator, Stop};
use crate::encode::{Words, float};
use kanshape_engine::Num;
use kanshape_types::Dtype;
use smallvec::SmallVec;

/// The arguments of a relation in Rust, by their places.
pub(crate) struct Arguments<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    /// Where they begin on the stack.
    start: usize,
}

impl<'e, 'a> Arguments<'e, 'a> {
    pub(super) fn new(evaluator: &'e mut Evaluator<'a>, start: usize) -> Arguments<'e, 'a> {
        Arguments { evaluator, start }
    }

    fn val(&self, i: usize) -> Val {
        self.evaluator.stack[self.start + i]
    }

    fn words(&self) -> &'a Words {
        &self.evaluator.library.words
    }

    /// Is nothing known of it?
    pub(crate) fn is_unknown(&self, i: usize) -> bool {
        matches!(self.val(i), Val::Open | Val::Ignored | Val::Hidden)
    }

    /// Does nobody else speak of it?
    pub(crate) fn is_ignored(&self, i: usize) -> bool {
        matches!(self.val(i), Val::Ignored)
    }

    /// The number that it is.
    ///
    /// # Errors
    /// [`Stop::Wait`] if that is not known yet; [`Stop::Leave`] if it is something else.
    pub(crate) fn num(&self, i: usize) -> Result<Num, Stop> {
        self.known(i)?.num()
    }

    /// The integer that it is.
    ///
    /// # Errors
    /// As [`Arguments::num`].
    pub(crate) fn int(&self, i: usize) -> Result<i64, Stop> {
        self.known(i)?.int()
    }

    /// The float that it is the code of.
    ///
    /// # Errors
    /// As [`Arguments::num`].
    pub(crate) fn float(&self, i: usize) -> Result<f64, Stop> {
        float::value(self.int(i)?.into()).ok_or(Stop::Leave)
    }

    /// The text that it is: one that is written in a rule.
    ///
    /// # Errors
    /// As [`Arguments::num`].
    pub(crate) fn text(&self, i: usize) -> Result<&'a str, Stop> {
        let number = self.int(i)?;
        self.words().text_of(number.into()).ok_or(Stop::Leave)
    }

    /// The dtype that it is.
    ///
    /// # Errors
    /// As [`Arguments::num`].
    pub(crate) fn dtype(&self, i: usize) -> Result<Dtype, Stop> {
        match self.known(i)? {
            Val::Dtype(dtype) => Ok(dtype),
            _ => Err(Stop::Leave),
        }
    }

    /// The list of numbers that it is.
    ///
    /// # Errors
    /// As [`Arguments::num`]. Of a list of which the length is known, the engine may know more.
    pub(crate) fn numbers(&self, i: usize) -> Result<&[Num], Stop> {
        Ok(self.evaluator.store.numbers(self.known(i)?.numbers()?))
    }

    /// The list of integers that it is.
    ///
    /// # Errors
    /// As [`Arguments::numbers`].
    pub(crate) fn ints(&self, i: usize) -> Result<SmallVec<[i64; 8]>, Stop> {
        let ints = self.numbers(i)?.iter().map(|n| n.int().ok_or(Stop::Leave));
        ints.collect()
    }

    fn known(&self, i: usize) -> Result<Val, Stop> {
        match self.is_unknown(i) {
            true => Err(Stop::Wait),
            false => Ok(self.val(i)),
        }
    }

    /// From now on it is this integer.
    ///
    /// # Errors
    /// [`Stop::Fail`] if it is known to be something else.
    pub(crate) fn say_int(&mut self, i: usize, n: i64) -> Result<(), Stop> {
        self.say_num(i, Num::new(n)?)
    }

    /// From now on it is this number.
    ///
    /// # Errors
    /// As [`Arguments::say_int`].
    pub(crate) fn say_num(&mut self, i: usize, n: Num) -> Result<(), Stop> {
        self.say(i, Val::Int(n))
    }

    /// From now on it is the code of this float.
    ///
    /// # Errors
    /// As [`Arguments::say_int`].
    pub(crate) fn say_float(&mut self, i: usize, x: f64) -> Result<(), Stop> {
        self.say_num(i, int(float::code(x))?)
    }

    /// From now on it is this list of numbers.
    ///
    /// # Errors
    /// As [`Arguments::say_int`].
    pub(crate) fn say_numbers(&mut self, i: usize, numbers: &[Num]) -> Result<(), Stop> {
        let list = self.evaluator.store.push_numbers(numbers)?;
        self.say(i, Val::Numbers(list))
    }

    fn say(&mut self, i: usize, val: Val) -> Result<(), Stop> {
        match self.val(i) {
            Val::Open | Val::Ignored => {}
            // Something would be said of what nobody knows.
            Val::Hidden => return Err(Stop::Leave),
            Val::Length(n) if val.length() == Some(n as usize) => {}
            Val::Length(_) => return Err(Stop::Fail),
            known => self.evaluator.same(known, val)?,
        }
        self.evaluator.stack[self.start + i] = val;
        Ok(())
    }

    // Arithmetic

    /// `a * b`.
    pub(crate) fn multiply(&mut self, a: Num, b: Num) -> Result<Num, Stop> {
        self.evaluator.multiply(a, b)
    }

    /// `a / b`, if that is some number whatever the names denote.
    pub(crate) fn exact_div(&mut self, a: Num, b: Num) -> Option<Num> {
        self.evaluator.forms.exact_div(a, b)
    }

    /// What a number is at least and at most, whatever its names denote.
    pub(crate) fn bounds(&self, n: Num) -> (i64, i64) {
        self.evaluator.forms.bounds(n)
    }

    /// Is a number never 0, whatever its names denote?
    pub(crate) fn is_never_zero(&self, n: Num) -> bool {
        self.evaluator.is_zero(n) == Some(false)
    }

    /// From now on two numbers are the same.
    pub(crate) fn equate(&mut self, a: Num, b: Num) -> Result<(), Stop> {
        self.evaluator.same_number(a, b)
    }
}
