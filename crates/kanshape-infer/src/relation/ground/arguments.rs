//! [`Arguments`]: what a relation in Rust is called with, where it is calculated.

use super::Stop;
use super::plan::int;
use super::store::{Store, Val};
use crate::relation::Words;
use crate::relation::float;
use kanshape_types::Dtype;

/// The arguments of a relation in Rust, by their places.
pub(crate) struct Arguments<'g, 'a> {
    words: &'g Words,
    store: &'g mut Store<'a>,
    vals: &'g mut [Val],
}

impl<'g, 'a> Arguments<'g, 'a> {
    pub(super) fn new(
        words: &'g Words,
        store: &'g mut Store<'a>,
        vals: &'g mut [Val],
    ) -> Arguments<'g, 'a> {
        Arguments { words, store, vals }
    }

    /// Is nothing known of it?
    pub(crate) fn is_unknown(&self, i: usize) -> bool {
        matches!(self.vals[i], Val::Open | Val::Ignored | Val::Hidden)
    }

    /// Does nobody else speak of it?
    pub(crate) fn is_ignored(&self, i: usize) -> bool {
        matches!(self.vals[i], Val::Ignored)
    }

    /// The number that it is.
    ///
    /// # Errors
    /// [`Stop::Wait`] if that is not known yet; [`Stop::Leave`] if it is something else.
    pub(crate) fn int(&self, i: usize) -> Result<i64, Stop> {
        self.known(i)?.int()
    }

    /// The float that it is the code of.
    ///
    /// # Errors
    /// As [`Arguments::int`].
    pub(crate) fn float(&self, i: usize) -> Result<f64, Stop> {
        float::value(self.int(i)?.into()).ok_or(Stop::Leave)
    }

    /// The text that it is: one that is written in a rule.
    ///
    /// # Errors
    /// As [`Arguments::int`].
    pub(crate) fn text(&self, i: usize) -> Result<&'g str, Stop> {
        let number = self.int(i)?;
        self.words.text_of(number.into()).ok_or(Stop::Leave)
    }

    /// The dtype that it is.
    ///
    /// # Errors
    /// As [`Arguments::int`].
    pub(crate) fn dtype(&self, i: usize) -> Result<Dtype, Stop> {
        match self.known(i)? {
            Val::Dtype(dtype) => Ok(dtype),
            _ => Err(Stop::Leave),
        }
    }

    /// The list of numbers that it is.
    ///
    /// # Errors
    /// As [`Arguments::int`]. Of a list of which the length is known, the engine may know more.
    pub(crate) fn numbers(&self, i: usize) -> Result<&[i64], Stop> {
        Ok(self.store.numbers(self.known(i)?.numbers()?))
    }

    fn known(&self, i: usize) -> Result<Val, Stop> {
        match self.is_unknown(i) {
            true => Err(Stop::Wait),
            false => Ok(self.vals[i]),
        }
    }

    /// From now on it is this number.
    ///
    /// # Errors
    /// [`Stop::Fail`] if it is known to be something else.
    pub(crate) fn say_int(&mut self, i: usize, n: i64) -> Result<(), Stop> {
        self.say(i, Val::Int(n))
    }

    /// From now on it is the code of this float.
    ///
    /// # Errors
    /// As [`Arguments::say_int`].
    pub(crate) fn say_float(&mut self, i: usize, x: f64) -> Result<(), Stop> {
        let code = int(float::code(x)).ok_or(Stop::Leave)?;
        self.say_int(i, code)
    }

    /// From now on it is this list of numbers.
    ///
    /// # Errors
    /// As [`Arguments::say_int`].
    pub(crate) fn say_numbers(&mut self, i: usize, numbers: &[i64]) -> Result<(), Stop> {
        let list = self.store.push_numbers(numbers)?;
        self.say(i, Val::Numbers(list))
    }

    fn say(&mut self, i: usize, val: Val) -> Result<(), Stop> {
        let fits = match self.vals[i] {
            Val::Open | Val::Ignored => true,
            // Something would be said of what nobody knows.
            Val::Hidden => return Err(Stop::Leave),
            Val::Length(n) => val.length() == Some(n as usize),
            known => self.store.same(known, val)?,
        };
        match fits {
            true => {
                self.vals[i] = val;
                Ok(())
            }
            false => Err(Stop::Fail),
        }
    }
}
