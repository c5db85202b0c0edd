//! [`Problem`]: what is wrong with a model, and [`Place`]: where.

use crate::code;
use crate::wire::{Broken, offset};
use kanshape::{Diagnostic, Type, diag::suggest, graph::Refused};

/// What is wrong with a model, or with the options of its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub diagnostic: Diagnostic,
    /// The node that it is about, if it is about one.
    pub node: Option<Place>,
}

/// A node of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Place {
    /// Its name; one without a name is `Relu#12` after its operator and its place. In bodies the names of the node
    /// and of the body stand before it: `Loop_3/body/Relu_1`.
    #[cfg_attr(feature = "serde", serde(rename = "name"))]
    pub node: String,
    /// Its operator, with the domain unless that is ONNX's own: `Relu`, `com.microsoft::Gelu`.
    pub op: String,
    /// The how-manieth node of its graph it is, from 0.
    pub index: usize,
}

impl From<Diagnostic> for Problem {
    fn from(diagnostic: Diagnostic) -> Problem {
        Problem {
            diagnostic,
            node: None,
        }
    }
}

impl Problem {
    /// The same, of a node.
    #[must_use]
    pub(crate) fn at(self, node: Place) -> Problem {
        Problem {
            node: Some(node),
            ..self
        }
    }
}

/// The bytes are no model at all.
pub(crate) fn not_a_model(why: &str) -> Diagnostic {
    Diagnostic::new(code::NOT_A_MODEL, format!("this is no ONNX model: {why}"))
}

/// Something in the bytes can't be read.
pub(crate) fn broken(whole: &[u8], what: &str, broken: Broken<'_>) -> Diagnostic {
    let at = offset(whole, broken.rest);
    let why = broken.why.text();
    Diagnostic::new(code::BROKEN, format!("{what} {why} at byte {at}"))
        .with_step(format!("the model has {} bytes", whole.len()))
}

/// Two values have one name.
pub(crate) fn twice(name: &str, what: &str) -> Diagnostic {
    Diagnostic::new(
        code::TWICE,
        format!("the name `{name}` is given to {what} though another value has it"),
    )
    .with_help("the first value of this name is the one that counts; give the other another name")
}

/// Nothing has a name. `known` are those that values have.
pub(crate) fn dangling<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        code::DANGLING,
        format!("no input, initializer or node gives the value `{name}`"),
    );
    let diagnostic = match suggest(name, known) {
        Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
        None => diagnostic,
    };
    diagnostic.with_help("it is taken for a value of which nothing is known")
}

/// Why nothing is known of a call, with what was probably meant.
pub(crate) fn why(diagnostic: Diagnostic) -> String {
    let meant = diagnostic
        .help
        .iter()
        .find(|help| help.starts_with("did you mean"));
    match meant {
        Some(meant) => format!("{}; {meant}", diagnostic.headline),
        None => diagnostic.headline,
    }
}

/// The number of nodes of a cycle that are named.
const NODES_OF_CYCLE: usize = 12;

/// Nodes wait for each other: each takes a value of the one before it, and the first one of the last.
pub(crate) fn cycle(nodes: &[(String, &str)]) -> Diagnostic {
    let headline = match nodes {
        [(node, value)] => format!("{node} needs its own output `{value}`"),
        _ => format!("{} nodes need each other's outputs", nodes.len()),
    };
    let mut diagnostic = Diagnostic::new(code::CYCLE, headline);
    let before = nodes.iter().cycle().skip(nodes.len().saturating_sub(1));
    let named = if nodes.len() > 1 { NODES_OF_CYCLE } else { 0 };
    for ((node, value), (from, _)) in nodes.iter().zip(before).take(named) {
        diagnostic = diagnostic.with_step(format!("{node} takes `{value}` of {from}"));
    }
    if named > 0 && nodes.len() > named {
        diagnostic = diagnostic.with_step(format!("and so on, by {} more", nodes.len() - named));
    }
    diagnostic.with_help(
        "a graph has no cycles: let one of them take another value; what repeats is a `Loop`",
    )
}

/// A type is not declared well.
pub(crate) fn bad_type(name: &str, why: &str) -> Diagnostic {
    Diagnostic::new(
        code::BAD_TYPE,
        format!("the declared type of `{name}`: {why}"),
    )
    .with_help("it is left open")
}

/// A tensor is not written well.
pub(crate) fn bad_tensor(name: &str, why: &str) -> Diagnostic {
    Diagnostic::new(code::BAD_TENSOR, format!("the tensor `{name}` {why}"))
}

/// The external data of a list of integers, and of this many others, could not be read.
pub(crate) fn unread(name: &str, others: usize) -> Diagnostic {
    let more = match others {
        0 => String::new(),
        1 => " and of another tensor".to_owned(),
        n => format!(" and of {n} other tensors"),
    };
    let why = format!(
        "the external data of `{name}`{more} could not be read: what depends on them is not known"
    );
    Diagnostic::new(code::UNWRITTEN, why)
        .with_help("the files of external data belong where the model says, in its folder or below")
}

/// Bodies stand in bodies without end.
pub(crate) fn too_deep(most: usize) -> Diagnostic {
    Diagnostic::new(
        code::TOO_DEEP,
        format!("its bodies are nested more than {most} deep, and are not checked"),
    )
    .with_help("no model needs so many; a function that calls itself has no end")
}

/// Functions are longer than anybody means.
pub(crate) fn too_long(most: usize) -> Diagnostic {
    Diagnostic::new(
        code::TOO_LONG,
        format!(
            "bodies and functions have more than {most} nodes together; the rest is not checked"
        ),
    )
}

/// It is not said which version of a domain is meant.
pub(crate) fn no_version(domain: &str) -> Diagnostic {
    let domain = if domain.is_empty() { "ai.onnx" } else { domain };
    Diagnostic::new(
        code::NO_VERSION,
        format!("the model has operators of `{domain}`, and does not say which version it uses"),
    )
    .with_help("the newest version is taken")
}

/// A body does not fit its operator.
pub(crate) fn body(attr: &str, what: &str, has: usize, wanted: usize) -> Diagnostic {
    let plural = if has == 1 { "" } else { "s" };
    Diagnostic::new(
        code::BODY,
        format!("the body `{attr}` has {has} {what}{plural}, and its operator hands over {wanted}"),
    )
    .with_help(format!("give the body {wanted}, or the operator {has}"))
}

/// None of the branches of a choice can be run.
pub(crate) fn no_branch() -> Diagnostic {
    Diagnostic::new(
        code::NO_BODY,
        "neither of its branches can be run, whatever the condition is",
    )
}

/// A branch gives something else than its node.
pub(crate) fn other_result(body: &str, [result, output]: &[Type; 2]) -> Diagnostic {
    Diagnostic::new(
        code::NO_BODY,
        format!("its `{body}` can't be run: it gives `{result}`, and the output is `{output}`"),
    )
}

/// The body of a loop can't be run.
pub(crate) fn no_iteration(body: &str) -> Diagnostic {
    Diagnostic::new(
        code::NO_BODY,
        format!("its `{body}` can't be run, and is run at least once"),
    )
}

/// A condition can't be written.
pub(crate) fn unwritten(what: &str) -> Diagnostic {
    Diagnostic::new(
        code::UNWRITTEN,
        format!("not all that {what} requires is known, or can be written as conditions"),
    )
}

/// It is not known whether the slices that a value is made of have one shape.
pub(crate) fn uneven(value: &str) -> Diagnostic {
    Diagnostic::new(
        code::UNWRITTEN,
        format!("not known: whether each iteration gives a slice of the same shape for `{value}`"),
    )
}

/// It is not known of some conditions whether they hold for all sizes; of none: whether all of them can hold together.
pub(crate) fn undecided(conditions: &[String]) -> Diagnostic {
    let headline = match conditions {
        [] => "whether all conditions can hold together was too much to find out".to_owned(),
        [one] => format!("it is not known whether {one} holds for all sizes"),
        [first @ .., last] => {
            let first = first.join(", ");
            format!("it is not known whether {first} and {last} hold for all sizes")
        }
    };
    Diagnostic::new(code::UNDECIDED, headline)
}

/// A declared type can't be.
pub(crate) fn hint(name: &str, declared: &Type, found: &Type, why: Vec<String>) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        code::HINT,
        format!("`{name}` is declared as `{declared}`, and is `{found}`"),
    )
    .with_step(format!("declared in the model: {declared}"))
    .with_step(format!("found: {found}"));
    diagnostic.steps.extend(why);
    diagnostic
}

/// A value can't have the type that was given for it.
pub(crate) fn given(name: &str, ty: &Type, found: &Type, why: Vec<String>) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        code::GIVEN,
        format!("`{name}` was said to be `{ty}`, and is `{found}`"),
    )
    .with_step(format!("given: {ty}"))
    .with_step(format!("found: {found}"));
    diagnostic.steps.extend(why);
    diagnostic
}

/// It is not decided whether a value has the type that was given for it.
pub(crate) fn given_undecided(name: &str, conflict: &Refused) -> Diagnostic {
    let mut diagnostic = (*conflict.diagnostic).clone();
    diagnostic.headline = format!("`{name}`: {}", diagnostic.headline);
    diagnostic
}

/// There is no value of this name.
pub(crate) fn no_value<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        code::NO_SUCH_VALUE,
        format!("the model has no value `{name}`"),
    );
    match suggest(name, known) {
        Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// A value has no such dim.
pub(crate) fn no_dim(name: &str, axis: i64, ty: &Type) -> Diagnostic {
    let headline = format!("the value `{name}` is `{ty}`, and has no dim {axis}");
    Diagnostic::new(code::NO_SUCH_VALUE, headline)
}

/// A value is in a body that was tried for one of its calls.
pub(crate) fn no_way(name: &str) -> Diagnostic {
    let headline = format!("`{name}` is in a body, and its sizes can't be followed");
    Diagnostic::new(code::NO_SUCH_VALUE, headline)
}

/// There is no input of this name.
pub(crate) fn no_input(name: &str, known: &[&str]) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(
        code::NO_SUCH_VALUE,
        format!("the model has no input `{name}`"),
    );
    if let Some(near) = suggest(name, known.iter().copied()) {
        diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
    } else if !known.is_empty() && known.len() <= 20 {
        diagnostic = diagnostic.with_help(format!("its inputs are `{}`", known.join("`, `")));
    }
    diagnostic
}

/// There is no value of this name that a node or an initializer makes.
pub(crate) fn no_cut<'n>(
    name: &str,
    made: impl Iterator<Item = &'n str>,
    mut inputs: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let headline = format!("no node or initializer makes `{name}`");
    let diagnostic = Diagnostic::new(code::NO_SUCH_VALUE, headline);
    if inputs.any(|input| input == name) {
        return diagnostic.with_help("it is an input: its type is given as that of an input");
    }
    match suggest(name, made) {
        Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// There is no batch.
pub(crate) fn no_batch() -> Diagnostic {
    let headline = "no input of the model has dims, so that there is no batch";
    Diagnostic::new(code::NO_SUCH_VALUE, headline)
}

/// An input has no such dim.
pub(crate) fn no_axis(name: &str, axis: usize, ty: &Type) -> Diagnostic {
    Diagnostic::new(
        code::NO_SUCH_VALUE,
        format!("the input `{name}` is `{ty}`, and has no dim {axis}"),
    )
}

/// An input has more dims or fewer than were given for it.
pub(crate) fn other_rank(name: &str, rank: usize, given: usize, ty: &Type) -> Diagnostic {
    let dims = |n: usize| match n {
        1 => "1 dim".to_owned(),
        n => format!("{n} dims"),
    };
    Diagnostic::new(
        code::NO_SUCH_VALUE,
        format!(
            "the input `{name}` is `{ty}`, which has {}, and {} given for it",
            dims(rank),
            match given {
                1 => "1 is".to_owned(),
                n => format!("{n} are"),
            }
        ),
    )
    .with_help("a list has all dims of an input; some of them can be given by their axes")
}

/// It is not known which dims an input has.
pub(crate) fn no_dims(name: &str, ty: &Type) -> Diagnostic {
    Diagnostic::new(
        code::NO_SUCH_VALUE,
        format!("the input `{name}` is `{ty}`: which dims it has is not declared"),
    )
}

/// Nothing is called by a name that was to be a size.
pub(crate) fn no_name(name: &str) -> Diagnostic {
    Diagnostic::new(
        code::NO_SUCH_VALUE,
        format!("no dim of the model is called `{name}`"),
    )
    .with_help("a dim of an input can be given a name")
}
