//! [`Way`]: where a size of a value comes from, back to the inputs of the model.

use crate::problem::Place;
use kanshape::graph::Site;

/// Where a size comes from: the size itself first, then what it is made of, the nearest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Each size on the way, once.
    pub steps: Vec<Step>,
    /// The way is longer.
    pub is_cut: bool,
}

/// A size on the way, and what it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The size.
    pub at: Spot,
    /// What it comes from.
    pub cause: Cause,
}

/// A size of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The name of the value.
    pub value: String,
    /// Which dim of it, or which element of its contents.
    pub site: Site,
    /// The size, as text.
    pub size: String,
}

/// What a size comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is given with an input of the model.
    Input {
        /// The node that requires it to be what it is, if the input was open.
        required_by: Option<Place>,
    },
    /// It is a constant of the model.
    Constant,
    /// A node brings it: by an attribute, or by what is in its inputs.
    Made {
        /// The node.
        node: Option<Place>,
    },
    /// Nodes hand it on, the last one first.
    HandedOn {
        /// The nodes.
        through: Vec<Place>,
        /// Where they have it from.
        of: Spot,
        /// What it is there, if that is the end of the way.
        end: Option<Box<Cause>>,
    },
    /// A node computes it.
    Computed {
        /// The node.
        node: Option<Place>,
        /// What it is made of.
        of: Vec<Spot>,
    },
}
