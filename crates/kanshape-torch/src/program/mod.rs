//! Programs that `torch.export` has written, as models.
//!
//! An archive (`archive`) has the program as JSON (`json`), whose sizes are SymPy's expressions (`size`). `translate` states it as a
//! model: each call is a node of an operator of the catalog, each parameter a value of its type, and what torch says of the other
//! values is what the model declares of them. So a program is checked, explained, compared and reported as a model of ONNX is.
//! What torch assumed of sizes beyond what the calls require is found by stating it again with these open (`assumed`).

mod archive;
mod assumed;
mod json;
mod size;
mod translate;

use std::sync::Arc;

use kanshape::{Diagnostic, Relations};
use kanshape_onnx::{Assumes, Exported};

/// Do these bytes begin as an archive does?
///
/// ```
/// assert!(kanshape_torch::is_archive(b"PK\x03\x04rest"));
/// assert!(!kanshape_torch::is_archive(b"\x08\x08"));
/// ```
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// The program in an archive. Weights are not read.
///
/// # Errors
/// A [`Diagnostic`] if it is no archive with a program, or if its version is not known.
pub fn exported(bytes: &[u8], relations: &Relations) -> Result<Exported, Diagnostic> {
    let text = archive::program(bytes)?;
    let program = Arc::new(json::read(&text)?);
    let exported = translate::exported(&program, relations)?;
    let relations = relations.clone();
    Ok(Exported {
        assumes: Some(Assumes::new(move |options| {
            assumed::assumed(&program, &relations, options)
        })),
        ..exported
    })
}
