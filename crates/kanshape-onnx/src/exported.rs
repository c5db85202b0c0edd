//! [`Exported`]: a program of another system as a model, and what it [assumes](Assumed) beyond what it requires.

use crate::options::Options;
use kanshape::explain::Sizes;
use kanshape::{Condition, Name, Type};
use std::fmt;
use std::sync::Arc;

/// A program of another system as a model, and what is known of its values beside.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The model in ONNX's format. Its nodes are of the domains of that system.
    pub model: Vec<u8>,
    /// The inputs that a user gives, with what is required of the names of their sizes.
    pub inputs: Vec<(String, Type)>,
    /// The types of values of which the model alone does not say enough, which they have as soon as they are made.
    pub facts: Vec<(String, Type)>,
    /// What finds out what the program assumes of sizes.
    pub assumes: Option<Assumes>,
}

/// What finds out what a program assumes of sizes beyond what it requires. It takes as long as a check.
#[derive(Clone)]
pub struct Assumes(Arc<Find>);

type Find = dyn Fn(&Options) -> Vec<Assumed> + Send + Sync;

impl Assumes {
    /// With a function that is given the options of a check.
    pub fn new(find: impl Fn(&Options) -> Vec<Assumed> + Send + Sync + 'static) -> Assumes {
        Assumes(Arc::new(find))
    }
}

impl fmt::Debug for Assumes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Assumes")
    }
}

/// What a program assumes of a size of an input, and does not require.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Assumed {
    /// The input.
    pub input: String,
    /// Which dim of it, from 0.
    pub axis: usize,
    /// What the size is called where nothing is assumed of it.
    pub name: Name,
    /// How it is assumed.
    pub how: How,
    /// What is assumed: `d0 == 64`, `s77 >= 2`.
    pub assumes: Condition,
    /// What the program requires of the size: `d0 % 32 == 0`.
    pub requires: Vec<Condition>,
    /// A size for which the program holds, and what is assumed does not.
    pub example: Sizes,
}

/// How something is assumed of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "lowercase")
)]
pub enum How {
    /// It is a number.
    Fixed,
    /// It is another size.
    Same,
    /// It is not above or not below a number.
    Bound,
}

/// More conditions are counted.
const MOST_SHOWN: usize = 3;

impl fmt::Display for Assumed {
    /// `fixed d0 (dim 2 of x) to 64; the program holds for d0 % 32 == 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Assumed {
            input, axis, name, ..
        } = self;
        let text = self.assumes.to_string();
        let is = text.split_once(" == ").map_or("", |(_, is)| is);
        match self.how {
            How::Fixed => write!(f, "fixed {name} (dim {axis} of {input}) to {is}")?,
            How::Same => write!(f, "took {name} (dim {axis} of {input}) for {is}")?,
            How::Bound => write!(f, "assumed {text}")?,
        }
        f.write_str("; the program holds for ")?;
        let shown = self.requires.iter().take(MOST_SHOWN);
        let shown: Vec<String> = shown.map(Condition::to_string).collect();
        match shown.is_empty() {
            true => write!(f, "any {name}")?,
            false => f.write_str(&shown.join(", "))?,
        }
        match self.requires.len().saturating_sub(MOST_SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl Exported {
    /// A model that is one already.
    pub fn model(bytes: Vec<u8>) -> Exported {
        Exported {
            model: bytes,
            ..Exported::default()
        }
    }

    /// What the program assumes of its sizes beyond what it requires. Where the user says something of sizes it is no longer the program
    /// alone that assumes, and nothing is found.
    pub fn assumed(&self, options: &Options) -> Vec<Assumed> {
        let says_nothing = options.inputs.is_empty()
            && options.dims.is_empty()
            && options.shapes.is_empty()
            && options.batch.is_none()
            && options.set.is_empty()
            && options.given.is_empty()
            && options.cuts.is_empty();
        match &self.assumes {
            Some(assumes) if says_nothing => (assumes.0)(options),
            _ => Vec::new(),
        }
    }

    /// What is known of the model: what the user says of an input comes before what its program does.
    pub fn known(&self, options: &Options) -> Options {
        let mut all = options.clone();
        for (name, ty) in &self.inputs {
            if !all.inputs.iter().any(|(own, _)| own == name) {
                all.inputs.push((name.clone(), ty.clone()));
            }
        }
        all.facts.extend(self.facts.iter().cloned());
        all
    }
}
