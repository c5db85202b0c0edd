//! [`Native`]: a relation that is stated in Rust, as rules call it.

pub use super::arguments::{Arguments, Extremes, Numbers, Stop};
use super::{Context, calculated};
use crate::encode::Kind;
use crate::encode::kind::{Form, Kinds, Open};
use kanshape_engine::{Goal, Look, Stop as EngineStop, Term, View};
use kanshape_types::Name;
use std::fmt::Debug;
use std::sync::Arc;

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

    /// Says what follows of what is known. It reads all that it may have to wait for before it [begins](Arguments::begin), or says or
    /// makes something of it.
    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        match args.is_unknown(0) {
            // Nothing is known that it could speak of.
            true => Err(Stop::Wait),
            false => Err(Stop::Leave),
        }
    }

    /// In the engine: is enough known to say something? Notes what that depends on.
    ///
    /// A relation has this and [`Native::say`] of its own where more follows than a calculation can say: of what is not known yet, or
    /// for what goes into it.
    fn ready(
        &self,
        context: &Arc<Context>,
        look: &mut Look<'_>,
        args: &[Term],
    ) -> Result<bool, EngineStop> {
        calculated::is_ready(&|args| self.calculate(args), context, look, args)
    }

    /// In the engine: states it. It is called once, when it is ready.
    fn say(
        &self,
        context: &Arc<Context>,
        view: &mut View<'_>,
        args: &[Term],
    ) -> Result<Goal, EngineStop> {
        calculated::goal(&|args| self.calculate(args), context, view, args)
    }
}

/// The name of a native relation, and its arity.
pub fn key(native: &dyn Native) -> (Name, usize) {
    (Name::word(native.name()), native.params().len())
}
