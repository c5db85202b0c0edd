//! What is wrong with a graph, in words.

use super::{NodeId, Stated};
use crate::explain::Fact;
use crate::{Operator, code};
use kanshape_diag::Diagnostic;
use kanshape_engine::Stop;
use kanshape_rules::encode::Trouble;
use kanshape_types::Type;
use std::fmt;

/// A node that cannot be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// Which node.
    pub node: NodeId,
    /// Why.
    pub diagnostic: Diagnostic,
    /// What of its inputs can't hold together, by itself or with what has to hold already; none if that was not found
    /// out. See [`Graph::traces`](super::Graph::traces) for where the sizes come from.
    pub facts: Vec<Fact>,
    /// What has to hold already and takes part: the facts whose slot is [`Slot::Given`](crate::explain::Slot::Given) are
    /// about these, by their places, with the nodes that require it.
    pub context: Vec<Stated>,
}

/// A value cannot have a type as well, or that could not be decided within the limits. [`Graph::conflict`](super::Graph::conflict)
/// finds out the facts and the nodes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Refused {
    /// Why.
    pub diagnostic: Box<Diagnostic>,
}

impl Refused {
    /// Was it not decided within the limits of a change whether the value can have the type? The graph is as it was
    /// before then too.
    pub fn is_undecided(&self) -> bool {
        self.diagnostic.code == code::UNDECIDED
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for Refused {}

/// Why a type could not be stated.
pub(super) fn of_type(ty: &Type, trouble: Trouble) -> Diagnostic {
    match trouble {
        Trouble::Text(diagnostic) => *diagnostic,
        Trouble::Stop(Stop::Conflict) => {
            Diagnostic::new(code::NEVER, format!("nothing is `{ty}` in this graph"))
        }
        Trouble::Stop(_) => too_much(format!("`{ty}`")),
    }
}

/// Why a value can't have a type as well.
pub(super) fn conflict(own: &Type, ty: &Type, trouble: Trouble) -> Refused {
    let diagnostic = match trouble {
        Trouble::Text(diagnostic) => *diagnostic,
        Trouble::Stop(Stop::Conflict) => {
            Diagnostic::new(code::NEVER, format!("what is `{own}` here can't be `{ty}`"))
        }
        Trouble::Stop(_) => too_much(format!("`{own}` against `{ty}`")),
    };
    Refused {
        diagnostic: Box::new(diagnostic),
    }
}

/// Something cannot be, and why is not found out.
pub(super) fn without_reason() -> Diagnostic {
    Diagnostic::new(code::NEVER, "no solution")
}

/// The same of a call whose attributes are too long for a reason to be found.
pub(super) fn too_long(operator: &str) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        code::NEVER,
        format!("no solution: no call of `{operator}` is like this"),
    );
    let why = "its attributes are too long to find out which of what is given can't hold together";
    diagnostic.steps.push(why.into());
    diagnostic
}

/// The same of a change that came to this.
pub(super) fn conflict_without_reason(trouble: Trouble) -> Refused {
    let diagnostic = match trouble {
        Trouble::Text(diagnostic) => *diagnostic,
        Trouble::Stop(Stop::Conflict) => without_reason(),
        Trouble::Stop(_) => too_much("the type".into()),
    };
    diagnostic.into()
}

impl From<Diagnostic> for Refused {
    fn from(diagnostic: Diagnostic) -> Refused {
        Refused {
            diagnostic: Box::new(diagnostic),
        }
    }
}

/// A node whose conditions can't hold beside what other nodes require. Of some inputs it is known what their members are at least and at
/// most.
pub(super) fn against_others(
    operator: &str,
    inputs: &[Type],
    extremes: &[Option<(i64, i64)>],
) -> Diagnostic {
    let inputs: Vec<String> = inputs.iter().map(|ty| format!("`{ty}`")).collect();
    let mut diagnostic = Diagnostic::new(
        code::NEVER,
        format!("no solution: no call of `{operator}` is like this"),
    );
    diagnostic.steps.push(match inputs.is_empty() {
        true => "it has no inputs".into(),
        false => format!("its inputs are {}", inputs.join(", ")),
    });
    for (i, extremes) in extremes.iter().enumerate() {
        if let Some((least, greatest)) = extremes {
            let step = format!("the members of input {i} go from {least} to {greatest}");
            diagnostic.steps.push(step);
        }
    }
    diagnostic
        .steps
        .push("what it requires of them can't hold beside what other nodes require".into());
    diagnostic
}

/// A call with more or fewer inputs than there are values for it.
pub(super) fn of_values(operator: &Operator, inputs: usize, values: usize) -> Diagnostic {
    let name = operator.full_name();
    let headline =
        format!("the call of `{name}` has {inputs} inputs, and {values} values are given");
    Diagnostic::new(kanshape_rules::code::OPERAND_COUNT, headline).with_help(
        "there is a value for each input that is not left out, and none that may be left out",
    )
}

fn too_much(what: String) -> Diagnostic {
    Diagnostic::new(
        code::UNDECIDED,
        format!("{what} could not be decided within the limits"),
    )
}
