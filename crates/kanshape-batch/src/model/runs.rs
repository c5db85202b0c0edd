//! [`Runs`]: runs of a model, compared with what is predicted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Runs of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Runs {
    /// How many there were.
    pub count: usize,
    /// How many of them completed.
    pub finished: usize,
    /// Those that differ from the prediction.
    pub differences: Vec<OtherRun>,
}

/// A run that differs from the prediction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OtherRun {
    /// The types of what the model was given, by name.
    pub inputs: BTreeMap<String, String>,
    /// The prediction: `always`, it runs; `never`, it does not.
    pub predicted: String,
    /// Why it did not complete.
    pub error: Option<String>,
    /// What differs, a line each.
    pub lines: Vec<String>,
}
