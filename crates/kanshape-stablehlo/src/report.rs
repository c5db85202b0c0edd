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
    /// How the elements of these are quantized: in `inputs` and `outputs` their dtype is not known, as there is none for them.
    pub elements: Elements,
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

/// Quantized element types, as MLIR writes them: `!quant.uniform<i8:f32, 0.5:3>`. None for what is not quantized.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elements {
    /// Those of the inputs, one for each.
    pub inputs: Vec<Option<String>>,
    /// Those of the results.
    pub outputs: Vec<Option<String>>,
}

impl Elements {
    /// A type with its element type in the place of its dtype: `!quant.uniform<i8:f32, 0.5:3>[2, n]`.
    fn written(ty: &Type, element: Option<&Option<String>>) -> String {
        let text = ty.to_string();
        match (element, text.strip_prefix('?')) {
            (Some(Some(element)), Some(dims)) => format!("{element}{dims}"),
            _ => text,
        }
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
        let written = |types: &[Type], elements: &[Option<String>]| {
            let types = types.iter().enumerate();
            let texts = types.map(|(i, ty)| Elements::written(ty, elements.get(i)));
            texts.collect::<Vec<String>>().join(", ")
        };
        let inputs = written(&self.inputs, &self.elements.inputs);
        write!(f, "@{} : ({inputs}) -> ", self.entry)?;
        let outputs = written(&self.outputs, &self.elements.outputs);
        match self.outputs.len() {
            1 => f.write_str(&outputs)?,
            _ => write!(f, "({outputs})")?,
        }
        let conditions = self.conditions.iter();
        let conditions: Vec<String> = conditions.map(|c| c.condition.to_string()).collect();
        match conditions.is_empty() {
            true => Ok(()),
            false => write!(f, " where {}", conditions.join(", ")),
        }
    }
}
