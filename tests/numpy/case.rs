//! [`Case`]: one recorded call of a gufunc.

use kanshape::{Dim, Signature, Type, shorthand::f32s};
use serde::Deserialize;
use std::collections::BTreeSet;

/// A row of `numpy_gufunc_cases.jsonl`.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    signature: String,
    mode: String,
    hook: Option<String>,
    pub(crate) inputs: Vec<Vec<u64>>,
    /// None where NumPy raised an error.
    pub(crate) outputs: Option<Vec<Vec<u64>>>,
}

/// Why a row does not say what its signature means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Skip {
    /// The size of an output was set by C code, or the call refused by it.
    Hook,
    /// `numpy.vectorize` reads a numeral as a name.
    NumeralIsName,
    /// An output has a name that no input has; NumPy refuses the call, though the shape exists.
    OutputUnknown,
    /// `(3?)` on scalars: NumPy takes the dropped dim for a 1, and finds that it is not 3.
    FixedSizeDropped,
}

impl Case {
    pub(crate) fn skip(&self) -> Option<Skip> {
        let (inputs, outputs) = self.signature.split_once("->").unwrap();
        if self.hook.is_some() {
            return Some(Skip::Hook);
        }
        if self.mode == "vectorize" && words(&self.signature).any(|w| w.parse::<u64>().is_ok()) {
            return Some(Skip::NumeralIsName);
        }
        let refused = self.outputs.is_none();
        let known: BTreeSet<&str> = words(inputs).collect();
        let numeral = |w: &str| w.parse::<u64>().is_ok();
        if refused && words(outputs).any(|w| !known.contains(w) && !numeral(w)) {
            return Some(Skip::OutputUnknown);
        }
        let fixed = self.signature.starts_with("(3?),(3?)->");
        let dropped = self.inputs.iter().all(Vec::is_empty);
        (refused && fixed && dropped).then_some(Skip::FixedSizeDropped)
    }

    /// The signature with the prefix that stands for what a gufunc does with batch dims.
    pub(crate) fn signature(&self) -> Signature {
        format!("+{}", self.signature).parse().unwrap()
    }

    pub(crate) fn given(&self) -> Vec<Type> {
        types(&self.inputs)
    }

    /// The most dims of any shape.
    pub(crate) fn rank(&self) -> u64 {
        self.shapes().map(|s| s.len() as u64).max().unwrap_or(0)
    }

    /// The largest size in any shape.
    pub(crate) fn size(&self) -> u64 {
        self.shapes().flatten().copied().max().unwrap_or(0)
    }

    fn shapes(&self) -> impl Iterator<Item = &Vec<u64>> {
        self.inputs.iter().chain(self.outputs.iter().flatten())
    }
}

/// The names and numerals of a signature.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|w| !w.is_empty())
}

pub(crate) fn types(shapes: &[Vec<u64>]) -> Vec<Type> {
    shapes
        .iter()
        .map(|s| f32s(s.iter().copied().map(Dim::Size).collect::<Vec<_>>()))
        .collect()
}

/// All rows.
pub(crate) fn all() -> Vec<Case> {
    include_str!("../data/numpy/numpy_gufunc_cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The rows that say what their signature means.
pub(crate) fn telling() -> Vec<Case> {
    all().into_iter().filter(|c| c.skip().is_none()).collect()
}
