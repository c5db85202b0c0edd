//! [`Report`]: what has been found out of a model.

use crate::declared::DeclaredType;
use crate::exported::Assumed;
use crate::problem::{Place, Problem};
use kanshape::explain::{Allowed, Sizes};
pub use kanshape::graph::region::Required;
use kanshape::{Name, Type, Verdict};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What has been found out of a model. Names that the model gives are borrowed from it.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Does the model hold for whatever its open dims denote?
    pub verdict: Verdict,
    /// The same, if the nodes whose operators are not loaded give what the model declares of them.
    pub otherwise: Verdict,
    /// All of it holds for tensors that have elements: [`Options::assume_nonempty`](crate::Options::assume_nonempty).
    pub nonempty: bool,
    /// What has to be given to the model: initializers are not among it.
    pub inputs: Vec<(Cow<'a, str>, Arc<Type>)>,
    /// What the model gives.
    pub outputs: Vec<(Cow<'a, str>, Arc<Type>)>,
    /// All values, each behind those that it is made of: inputs, initializers, outputs of nodes. Those in bodies are
    /// called `NODE/BODY/VALUE`.
    pub values: Vec<(Cow<'a, str>, Arc<Type>)>,
    /// What has to hold for it.
    pub conditions: Vec<Requirement>,
    /// The dims of the inputs that were declared free, or have a name, as they were before anything was found out.
    pub free: Vec<FreeDim>,
    /// What the model declares against what has been found, if that was [requested](crate::Options::declared).
    pub declared: Vec<DeclaredType>,
    /// The dims that are open, in the order in which they are first met.
    pub dims: Vec<OpenDim>,
    /// What the exported program assumes of sizes beyond what it requires, if it was computed: [`Exported::assumed`](crate::Exported::assumed).
    pub assumed: Vec<Assumed>,
    /// Nodes of which nothing is known.
    pub untyped: Vec<Untyped>,
    /// How many times a node was solved by search instead of being calculated: [`Graph::solved_count`](kanshape::graph::Graph::solved_count),
    /// most of what a model costs that is not small.
    pub solved: usize,
    /// What is wrong with the model, or with the options. Where a declared type is wrong this is a warning.
    pub problems: Vec<Problem>,
    /// Names that denote a text of the model that is no word: `batch_size` for `batch size`.
    pub renamed: BTreeMap<Name, String>,
}

/// What has to hold, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    /// What has to hold.
    pub condition: Required,
    /// The bodies in which it has to hold, the outermost first: where they are not run, it need not. Mostly there are
    /// none.
    pub under: Vec<Under>,
    /// The node that requires it; none if it was given.
    pub node: Option<Place>,
    /// Other nodes that require a part of it.
    pub others: Vec<Place>,
    /// Not every model that is like this one meets it. Otherwise it says what is known of a dim that the node has
    /// brought.
    pub demands: bool,
    /// It is required only if the node's output has elements ([`Stated::unless_empty`](kanshape::graph::Stated::unless_empty)).
    pub unless_empty: bool,
    /// If it is requested: sizes for which it holds.
    pub holds: Option<Sizes>,
    /// If it is requested: sizes for which it does not.
    pub fails: Option<Sizes>,
    /// If it is the last of the conditions on a size that repeat: the name, and the sizes for which all of them hold.
    pub allowed: Option<(Name, Allowed)>,
}

/// A dim of an input that may be any size, as the model or the user declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeDim {
    /// The input.
    pub input: String,
    /// Which dim of it, from 0.
    pub axis: usize,
    /// Its name.
    pub name: Name,
    /// The model or the user calls it so.
    pub named: bool,
}

/// A body that may not be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Under {
    /// The node that has it.
    pub node: Place,
    /// The attribute that it is.
    pub body: String,
    /// When it is run.
    pub when: When,
    /// The same of a branch in words of the model's inputs, where it can be followed back to these: `sr == 16000`.
    pub says: Option<Said>,
}

/// What has to be given to a model for a branch to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// In words of the model's inputs: `sr == 16000`.
    pub text: String,
    /// It says what they are not: `sr != 16000`.
    pub denies: bool,
}

impl Under {
    /// When it is run: `sr == 16000`, `c == true`, `in each iteration of Loop_3`.
    pub fn when(&self) -> String {
        self.when_with(str::to_owned)
    }

    /// The same, with the names of values in bodies and of nodes written in some way.
    pub fn when_with(&self, short: impl Fn(&str) -> String) -> String {
        let (node, body) = (short(&self.node.node), &self.body);
        match (&self.says, &self.when) {
            (Some(says), _) => says.text.clone(),
            (None, When::Is(value, is)) => format!("{} == {is}", short(value)),
            (None, When::Each) => format!("in each iteration of {node}"),
            (None, When::First) => format!("in the first iteration of {node}"),
            (None, When::Later) => format!("in each iteration of {node} but the first"),
            (None, When::Member) => format!("for each member in {node}"),
            (None, When::Sometimes) => format!("in {body} of {node}, if that is run"),
        }
    }
}

/// When a body is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// If the value of this name is true, or false.
    Is(String, bool),
    /// In each iteration of a loop, of which there may be none.
    Each,
    /// In the first one.
    First,
    /// In each one but the first.
    Later,
    /// For each member of a sequence.
    Member,
    /// That is not known.
    Sometimes,
}

impl fmt::Display for Under {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.when {
            When::Is(..) => write!(
                f,
                "in {} of {}, if {}",
                self.body,
                self.node.node,
                self.when()
            ),
            _ => f.write_str(&self.when()),
        }
    }
}

/// A dim that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OpenDim {
    /// What it is called: by the model, by the user, or `d0`, `d1`, ...
    pub name: Name,
    /// The model or the user calls it so.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub named: bool,
    /// The first value that has it.
    pub value: String,
    /// Which dim of that value it is in, from 0.
    pub axis: usize,
    /// The node that gives the value; none if that is an input, or inside a body.
    pub node: Option<Place>,
    /// The other dims that conditions tie it to. An input's dim is free, and another one that is tied to nothing turns
    /// on what is in the tensors.
    pub depends_on: Vec<Name>,
}

/// A node of which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Untyped {
    /// The node.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub place: Place,
    /// Why.
    pub why: String,
    /// Its operator is none that is loaded. Otherwise the model is wrong about it, or it is beyond a limit.
    #[cfg_attr(feature = "serde", serde(rename = "missing"))]
    pub is_missing: bool,
    /// It is no call of its operator or function at all, so the model can't be run.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_wrong: bool,
    /// Those of its outputs of which the model declares a type. They have it, whether it is true or not.
    pub declared: Vec<String>,
}

impl Report<'_> {
    /// The type of a value.
    pub fn value(&self, name: &str) -> Option<&Type> {
        let mut values = self.values.iter();
        values.find(|(own, _)| own == name).map(|(_, ty)| &**ty)
    }

    /// Is nothing but operators that are not loaded the reason for not knowing whether the model holds?
    pub fn lacks_only_operators(&self) -> bool {
        self.verdict == Verdict::Unknown
            && matches!(self.otherwise, Verdict::Always | Verdict::Depends)
    }

    /// Is something wrong that is no mere warning?
    pub fn has_errors(&self) -> bool {
        let mut problems = self.problems.iter();
        problems.any(|p| p.diagnostic.severity == kanshape::diag::Severity::Error)
    }
}
