//! [`Runs`]: what came of running a model, against what is said of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Runs of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Runs {
    /// How many there were.
    pub count: usize,
    /// How many of them came to their end.
    pub finished: usize,
    /// Those that were not as it is said.
    pub differences: Vec<OtherRun>,
}

/// A run that was not as it is said.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OtherRun {
    /// The types of what the model was given, by name.
    pub inputs: BTreeMap<String, String>,
    /// What is said: `always`, it runs; `never`, it does not.
    pub predicted: String,
    /// Why it did not run to its end.
    pub error: Option<String>,
    /// What is not as it is said.
    pub lines: Vec<String>,
}
