//! What the names and runs of a signature are, as canrun variables.

use std::collections::BTreeMap;

use canrun::Value;

use crate::reading::{Element, Reading};
use crate::shape::{Shape, Size};
use crate::uses::RunKey;

/// A new variable for each name and each run.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    names: BTreeMap<String, Size>,
    /// The runs as the outputs have them, and all operands where nothing broadcasts.
    runs: BTreeMap<RunKey, Shape>,
    /// Under `+`, the runs as each input has them.
    own: BTreeMap<(RunKey, usize), Shape>,
}

impl Scope {
    pub(crate) fn new(reading: &Reading) -> Self {
        let names = reading.names().into_iter();
        let mut scope = Scope {
            names: names.map(|name| (name, Value::var())).collect(),
            runs: BTreeMap::new(),
            own: BTreeMap::new(),
        };
        for (at, operand) in reading.operands().enumerate() {
            for element in operand {
                let Element::Run(key) = element else { continue };
                scope.runs.entry(key.clone()).or_insert_with(Value::var);
                if reading.broadcasts(key) && at < reading.inputs.len() {
                    scope.own.insert((key.clone(), at), Value::var());
                }
            }
        }
        scope
    }

    /// What a name denotes.
    pub(crate) fn name(&self, name: &str) -> Size {
        self.names.get(name).cloned().unwrap_or_else(Value::var)
    }

    /// What a run denotes in an expression: the run of the outputs.
    pub(crate) fn run(&self, key: &RunKey) -> Shape {
        self.runs.get(key).cloned().unwrap_or_else(Value::var)
    }

    /// A run as one operand has it.
    pub(crate) fn run_in(&self, key: &RunKey, operand: usize) -> Shape {
        let own = self.own.get(&(key.clone(), operand));
        own.cloned().unwrap_or_else(|| self.run(key))
    }

    /// All runs as the outputs have them.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&RunKey, &Shape)> {
        self.runs.iter()
    }

    /// A run as each input that has it has it, where inputs have runs of their own.
    pub(crate) fn own_runs(&self, key: &RunKey) -> Vec<Shape> {
        self.own
            .iter()
            .filter(|((other, _), _)| other == key)
            .map(|(_, run)| run.clone())
            .collect()
    }
}
