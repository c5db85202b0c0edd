//! [`Arguments`]: the arguments of a relation in Rust where it is calculated, whoever runs it.

use crate::encode::float;
use kanshape_engine::{Beyond, Int, Num};
use kanshape_types::Dtype;
use smallvec::SmallVec;

/// Why something has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It does not hold.
    Fail,
    /// More has to be known first.
    Wait,
    /// The engine has to solve it.
    Leave,
}

impl Stop {
    /// What it is where nothing more will become known.
    pub(crate) fn decided(self) -> Stop {
        match self {
            Stop::Fail => Stop::Fail,
            Stop::Wait | Stop::Leave => Stop::Leave,
        }
    }
}

impl From<Beyond> for Stop {
    fn from(_: Beyond) -> Stop {
        Stop::Leave
    }
}

/// Numbers in a list.
pub type Numbers = SmallVec<[Num; 8]>;

/// The least and the greatest member of a tensor, if it has members. Both are members of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extremes {
    pub least: Num,
    pub greatest: Num,
}

/// The arguments of a relation in Rust where it is calculated, by their places: values of the evaluator, or terms of the engine.
///
/// What is not known yet is [`Stop::Wait`]. In the engine that is so of all that is read; what has been read is noted.
pub trait Arguments {
    /// Is it a list of which nobody is going to say what is in it?
    fn is_hidden(&self, i: usize) -> bool;

    /// The number that it is.
    ///
    /// # Errors
    /// [`Stop::Wait`] if that is not known yet; [`Stop::Leave`] if it is something else.
    fn num(&mut self, i: usize) -> Result<Num, Stop>;

    /// The integer that it is.
    ///
    /// # Errors
    /// As [`Arguments::num`].
    fn int(&mut self, i: usize) -> Result<Int, Stop>;

    /// The text that it is.
    ///
    /// # Errors
    /// As [`Arguments::num`].
    fn text(&mut self, i: usize) -> Result<&str, Stop>;

    /// The dtype that it is.
    ///
    /// # Errors
    /// As [`Arguments::num`].
    fn dtype(&mut self, i: usize) -> Result<Dtype, Stop>;

    /// The list of numbers that it is.
    ///
    /// # Errors
    /// As [`Arguments::num`]. Of a list of which the length is known, the engine may know more.
    fn numbers(&mut self, i: usize) -> Result<&[Num], Stop>;

    /// The list of integers that it is.
    ///
    /// # Errors
    /// As [`Arguments::numbers`]; [`Stop::Wait`] if some of them are not known.
    fn ints(&mut self, i: usize) -> Result<Vec<Int>, Stop>;

    /// The float that it is the code of.
    ///
    /// # Errors
    /// As [`Arguments::num`].
    fn float(&mut self, i: usize) -> Result<f64, Stop> {
        float::value(self.int(i)?).ok_or(Stop::Leave)
    }

    /// All that has to be known has been read. What follows takes so many steps.
    ///
    /// # Errors
    /// [`Stop::Leave`] if it is not to go on now.
    fn begin(&mut self, steps: usize) -> Result<(), Stop>;

    /// The sum of these, each as often as is said.
    ///
    /// # Errors
    /// [`Stop::Leave`] if it has no normal form.
    fn combine(&mut self, terms: &[(Num, i64)]) -> Result<Num, Stop>;

    /// A number divided by a positive one, rounded down.
    ///
    /// # Errors
    /// As [`Arguments::combine`].
    fn floor_div(&mut self, n: Num, by: i64) -> Result<Num, Stop>;

    /// Is it a size, or calculated of sizes, rather than a number of which nothing is known yet?
    fn is_of_sizes(&self, n: Num) -> bool;

    /// From now on it is this number.
    ///
    /// # Errors
    /// [`Stop::Fail`] if it is known to be something else.
    fn say_num(&mut self, i: usize, n: Num) -> Result<(), Stop>;

    /// From now on it is this list of numbers.
    ///
    /// # Errors
    /// As [`Arguments::say_num`].
    fn say_numbers(&mut self, i: usize, numbers: &[Num]) -> Result<(), Stop>;

    /// From now on a number is between these.
    ///
    /// # Errors
    /// [`Stop::Fail`] if it can't be; [`Stop::Leave`] if only the engine can say.
    fn say_between(&mut self, n: Num, least: Int, most: Int) -> Result<(), Stop>;

    /// From now on it is this integer.
    ///
    /// # Errors
    /// As [`Arguments::say_num`].
    fn say_int(&mut self, i: usize, n: Int) -> Result<(), Stop> {
        let n = i64::try_from(n).map_err(|_| Stop::Leave)?;
        self.say_num(i, Num::new(n)?)
    }

    /// From now on it is the code of this float.
    ///
    /// # Errors
    /// As [`Arguments::say_num`].
    fn say_float(&mut self, i: usize, x: f64) -> Result<(), Stop> {
        self.say_int(i, float::code(x))
    }

    // What follows is only calculated with names: the engine propagates the relations that use it.

    /// Is nothing known of it?
    fn is_unknown(&self, _: usize) -> bool {
        false
    }

    /// The lists of numbers that it is a list of.
    ///
    /// # Errors
    /// As [`Arguments::numbers`].
    fn lists(&self, _: usize) -> Result<SmallVec<[Numbers; 4]>, Stop> {
        Err(Stop::Leave)
    }

    /// The least and the greatest member of a list of which no more is known, if it has members. `None` if that is not known either,
    /// or the members are.
    ///
    /// # Errors
    /// [`Stop::Wait`] if more may become known.
    fn extremes(&self, _: usize) -> Result<Option<Extremes>, Stop> {
        Err(Stop::Leave)
    }

    /// From now on these are the least and the greatest member of a list of which nothing is known; nothing else is said of a list of which
    /// more is.
    ///
    /// # Errors
    /// [`Stop::Leave`] if there is no room.
    fn say_extremes(&mut self, _: usize, _: Extremes) -> Result<(), Stop> {
        Err(Stop::Leave)
    }

    /// The least of these.
    ///
    /// # Errors
    /// As [`Arguments::combine`].
    fn min(&mut self, _: &[Num]) -> Result<Num, Stop> {
        Err(Stop::Leave)
    }

    /// `a * b`.
    ///
    /// # Errors
    /// As [`Arguments::combine`].
    fn multiply(&mut self, _: Num, _: Num) -> Result<Num, Stop> {
        Err(Stop::Leave)
    }

    /// `a / b`, if that is some number whatever the names denote.
    fn exact_div(&mut self, _: Num, _: Num) -> Option<Num> {
        None
    }

    /// What some dims broadcast to, which has to be something.
    ///
    /// # Errors
    /// [`Stop::Fail`] if they don't; [`Stop::Leave`] if only the engine can say.
    fn broadcast(&mut self, _: &[Num]) -> Result<Num, Stop> {
        Err(Stop::Leave)
    }

    /// What a number is at least and at most, whatever its names denote.
    fn bounds(&self, _: Num) -> (i64, i64) {
        (i64::MIN, i64::MAX)
    }

    /// Is a number never 0, whatever its names denote?
    fn is_never_zero(&self, _: Num) -> bool {
        false
    }

    /// From now on a number is not negative.
    ///
    /// # Errors
    /// [`Stop::Fail`] if it is.
    fn require_natural(&mut self, _: Num) -> Result<(), Stop> {
        Err(Stop::Leave)
    }

    /// From now on two numbers are the same.
    ///
    /// # Errors
    /// [`Stop::Fail`] if they can't be.
    fn equate(&mut self, _: Num, _: Num) -> Result<(), Stop> {
        Err(Stop::Leave)
    }
}
