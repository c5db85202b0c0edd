//! [`Exported`]: a program of another system as a model.

use crate::options::Options;
use kanshape::Type;

/// A program of another system as a model, and what is known of its values beside.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The model in ONNX's format. Its nodes are of the domains of that system.
    pub model: Vec<u8>,
    /// The inputs that a user gives, with what is required of the names of their sizes.
    pub inputs: Vec<(String, Type)>,
    /// The types of values of which the model alone does not say enough, which they have as soon as they are made.
    pub facts: Vec<(String, Type)>,
}

impl Exported {
    /// A model that is one already.
    pub fn model(bytes: Vec<u8>) -> Exported {
        Exported {
            model: bytes,
            ..Exported::default()
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
