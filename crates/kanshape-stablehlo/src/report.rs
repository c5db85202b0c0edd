//! [`Report`]: what has been found out of a module.

use kanshape::diag::Severity;
use kanshape::tree::Span;
use kanshape::{Condition, Diagnostic, Type, Verdict};
use std::fmt;

/// What has been found out of a module.
#[derive(Clone, Debug)]
pub struct Report {
    /// Does the module hold for whatever its open sizes denote?
    pub verdict: Verdict,
    /// The function that was typed.
    pub entry: String,
    /// The types of its inputs.
    pub inputs: Vec<Type>,
    /// The types of its results.
    pub outputs: Vec<Type>,
    /// What has to hold.
    pub conditions: Vec<Requirement>,
    /// What is wrong with the module; where its declared types are, and where nothing is known of an operation, this is a warning.
    pub problems: Vec<Diagnostic>,
}

impl Report {
    /// Is anything wrong with the module?
    pub fn is_wrong(&self) -> bool {
        let mut problems = self.problems.iter();
        problems.any(|d| d.severity == Severity::Error)
    }
}

/// What has to hold, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    /// What has to hold.
    pub condition: Condition,
    /// The operation that requires it; none if it was given.
    pub at: Option<Span>,
}

/// The entry with its types, and what has to hold.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commas = |types: &[Type]| {
            let texts: Vec<String> = types.iter().map(Type::to_string).collect();
            texts.join(", ")
        };
        write!(f, "@{} : ({}) -> ", self.entry, commas(&self.inputs))?;
        match &self.outputs[..] {
            [one] => one.fmt(f)?,
            several => write!(f, "({})", commas(several))?,
        }
        let conditions = self.conditions.iter();
        let conditions: Vec<String> = conditions.map(|c| c.condition.to_string()).collect();
        match conditions.is_empty() {
            true => Ok(()),
            false => write!(f, " where {}", conditions.join(", ")),
        }
    }
}
