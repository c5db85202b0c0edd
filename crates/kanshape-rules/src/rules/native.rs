//! [`Native`]: a relation that is stated in Rust, as rules call it.

use super::Context;
use crate::encode::kind::{Form, Kinds, Open};
use crate::encode::{Kind, float};
use kanshape_engine::{Beyond, Goal, Int, Look, Num, Stop as EngineStop, Term, View};
use kanshape_types::{Dtype, Name};
use smallvec::SmallVec;
use std::fmt::Debug;
use std::sync::Arc;

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

impl From<Beyond> for Stop {
    fn from(_: Beyond) -> Stop {
        Stop::Leave
    }
}

/// What sort of thing an argument is.
#[derive(Clone, Debug)]
pub enum Param {
    Is(Kind),
    /// A number of any sort: an integer, a float, a text, a truth value.
    Cell,
    /// A list of such.
    Cells,
}

impl Param {
    /// The kind as it is found out; a cell is what its use makes of it.
    pub fn open(&self, kinds: &mut Kinds) -> Open {
        match self {
            Param::Is(kind) => kinds.known(kind, None),
            Param::Cell => kinds.open(),
            Param::Cells => {
                let of = kinds.open();
                kinds.is(Form::List(of), None)
            }
        }
    }

    /// What it is where nothing else is said.
    pub fn kind(&self) -> Kind {
        match self {
            Param::Is(kind) => kind.clone(),
            Param::Cell => Kind::Int,
            Param::Cells => Kind::Int.list(),
        }
    }
}

/// A relation that is stated in Rust.
pub trait Native: Debug + Send + Sync {
    /// How rules call it.
    fn name(&self) -> &str;

    /// What it is about.
    fn params(&self) -> Vec<Param>;

    /// May it refuse numbers that are known, once it is ready? Not of what it only calculates.
    fn may_refuse(&self) -> bool {
        false
    }

    /// What the engine does with it.
    fn in_engine(&self) -> InEngine<'_> {
        InEngine::Calculates
    }

    /// Says what follows of what is known. It reads all that it may have to wait for before it [begins](Arguments::begin), or says or
    /// makes something of it.
    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        match args.is_unknown(0) {
            // Nothing is known that it could speak of.
            true => Err(Stop::Wait),
            false => Err(Stop::Leave),
        }
    }
}

/// What the engine does with a relation.
pub enum InEngine<'n> {
    /// It calculates it, as the evaluator does: it looks again whenever more becomes known of what was read, until enough is.
    Calculates,
    /// It propagates it: more follows than can be calculated.
    Propagates(&'n dyn Propagator),
    /// It does without: nothing of it can be said in the engine.
    Ignores,
}

/// A relation of which more follows than a calculation says: of what is not known yet, or for what goes into it.
pub trait Propagator {
    /// Is enough known to say something? Notes what that depends on.
    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, EngineStop>;

    /// States it. It is called once, when it is ready.
    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, EngineStop>;
}

/// The name of a native relation, and its arity.
pub fn key(native: &dyn Native) -> (Name, usize) {
    (Name::word(native.name()), native.params().len())
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
