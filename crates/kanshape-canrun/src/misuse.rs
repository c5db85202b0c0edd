//! [`Misuse`]: what a signature does not have.

use std::fmt;

/// A use of a signature that does not fit it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// Not as many shapes as the signature has operands.
    Operands {
        /// How many inputs and outputs the signature has.
        wanted: (usize, usize),
        /// How many were given.
        given: (usize, usize),
    },
    /// The signature has no such parameter.
    Parameter(String),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Operands { wanted, given } => write!(
                f,
                "the signature has {} inputs and {} outputs, not {} and {}",
                wanted.0, wanted.1, given.0, given.1
            ),
            Misuse::Parameter(label) => write!(f, "the signature has no parameter `{label}`"),
        }
    }
}

impl std::error::Error for Misuse {}
