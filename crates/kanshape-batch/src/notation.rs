//! [`Notation`]: how the types of a question are read and written.

use std::fmt::{self, Display, Formatter};

use kanshape::{Diagnostic, Type};
use kanshape_relay::notation;

/// How types are read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Notation {
    /// `f32[2, n]`
    #[default]
    Kanshape,
    /// `Tensor[(2, n), float32]`
    Relay,
}

impl Notation {
    /// The notation of this name.
    pub fn named(name: &str) -> Option<Notation> {
        match name {
            "kanshape" => Some(Notation::Kanshape),
            "relay" => Some(Notation::Relay),
            _ => None,
        }
    }

    /// Reads a type.
    ///
    /// # Errors
    /// A [`Diagnostic`] if it is no type, or one that no operand has.
    pub fn read(self, text: &str) -> Result<Type, Diagnostic> {
        match self {
            Notation::Kanshape => text.parse(),
            Notation::Relay => notation::read(text),
        }
    }
}

/// A type as it is written in a notation.
#[derive(Debug)]
pub struct InNotation<'t>(pub &'t Type, pub Notation);

impl Display for InNotation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Notation::Kanshape => self.0.fmt(f),
            Notation::Relay => notation::Written(self.0).fmt(f),
        }
    }
}
