//! [`Stop`]: why there is no value.

use std::fmt;

/// Why a call has no value here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An executor refuses it, or what it would do is not defined.
    Refused(String),
    /// It is not calculated here: an operator, a mode, contents that are not known, an array that is too large.
    Opaque(String),
}

impl Stop {
    pub(crate) fn refused<T>(why: impl Into<String>) -> Result<T, Stop> {
        Err(Stop::Refused(why.into()))
    }

    pub(crate) fn opaque<T>(why: impl Into<String>) -> Result<T, Stop> {
        Err(Stop::Opaque(why.into()))
    }

    /// Why.
    pub fn why(&self) -> &str {
        match self {
            Stop::Refused(why) | Stop::Opaque(why) => why,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Refused(why) => write!(f, "refused: {why}"),
            Stop::Opaque(why) => write!(f, "not calculated: {why}"),
        }
    }
}

impl std::error::Error for Stop {}
