//! [`Exit`]: how a command ended. [`Failure`]: what kept it from answering.

use std::io;

use kanshape::{Diagnostic, Verdict};

/// How a command ended. The numbers stay what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: there is an answer, or there was no question.
    Solved,
    /// 1: there is no solution.
    Never,
    /// 2: the text of the command or a file is wrong.
    Wrong,
    /// 3: the budget ran out, or the question is beyond the solver.
    Unknown,
    /// 4: it is unknown for want of operators alone, which nobody has loaded.
    Missing,
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Always | Verdict::Depends => Exit::Solved,
            Verdict::Never => Exit::Never,
            Verdict::Unknown => Exit::Unknown,
        }
    }
}

impl Exit {
    pub(crate) fn number(self) -> u8 {
        match self {
            Exit::Solved => 0,
            Exit::Never => 1,
            Exit::Wrong => 2,
            Exit::Unknown => 3,
            Exit::Missing => 4,
        }
    }
}

/// Why a command could not answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A text is wrong.
    Text(Box<Diagnostic>),
    /// Nothing more could be read or written.
    Io(io::Error),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Text(Box::new(diagnostic))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}
