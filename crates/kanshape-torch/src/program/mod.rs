//! Programs that `torch.export` has written, as models.
//!
//! An archive (`archive`) has the program as JSON (`json`), whose sizes are SymPy's expressions (`size`). `translate` states it as a
//! model: each call is a node of an operator of the catalog, each parameter a value of its type, and what torch says of the other
//! values is what the model declares of them. So a program is checked, explained, compared and reported as a model of ONNX is.

mod archive;
mod json;
mod size;
mod translate;

use kanshape::{Diagnostic, Relations, Type};
use kanshape_onnx::Options;

/// Do these bytes begin as an archive does?
///
/// ```
/// assert!(kanshape_torch::is_archive(b"PK\x03\x04rest"));
/// assert!(!kanshape_torch::is_archive(b"\x08\x08"));
/// ```
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// A program as a model, and what is known of its inputs beside.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The model in ONNX's format. Its nodes are of the domains `aten`, `_operator` and `prim`.
    pub model: Vec<u8>,
    /// The inputs that a user gives, with what torch has required of the names of their sizes.
    pub inputs: Vec<(String, Type)>,
    /// The values whose sizes are arguments of the program, with these sizes.
    pub given: Vec<(String, Type)>,
}

impl Exported {
    /// A model as it is read, with what is known of its inputs beside: a program that torch has exported becomes one, and other bytes
    /// are the model.
    ///
    /// # Errors
    /// As [`exported`], of an archive.
    pub fn read(bytes: Vec<u8>, relations: &Relations) -> Result<Exported, Diagnostic> {
        match is_archive(&bytes) {
            true => exported(&bytes, relations),
            false => Ok(Exported {
                model: bytes,
                ..Exported::default()
            }),
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
        all.given.extend(self.given.iter().cloned());
        all
    }
}

/// The program in an archive. Weights are not read.
///
/// # Errors
/// A [`Diagnostic`] if it is no archive with a program, or if its version is not known.
pub fn exported(bytes: &[u8], relations: &Relations) -> Result<Exported, Diagnostic> {
    let text = archive::program(bytes)?;
    let program = json::read(&text)?;
    translate::exported(&program, relations)
}
