//! Models of all systems that are read here.

use kanshape::{Diagnostic, Relations};
use kanshape_onnx::Exported;
use kanshape_stablehlo::Program as Module;

/// A model as it is read: one of ONNX as it is; a program that torch has exported, or a module of StableHLO, becomes one. `name` is
/// that of its file.
///
/// # Errors
/// A [`Diagnostic`] if an archive or a module can't be read. What else is no model is found out where the model is read.
pub fn read(name: &str, bytes: Vec<u8>, relations: &Relations) -> Result<Exported, Diagnostic> {
    if kanshape_torch::is_archive(&bytes) {
        return kanshape_torch::exported(&bytes, relations);
    }
    match is_module(name, &bytes) {
        true => Module::read(name, &bytes)?.exported(relations),
        false => Ok(Exported::model(bytes)),
    }
}

/// Is this a module of StableHLO, by the name of its file, or by what it begins with?
pub fn is_module(name: &str, bytes: &[u8]) -> bool {
    let is_named = [".mlir", ".mlirbc"].iter().any(|end| name.ends_with(end));
    is_named || kanshape_stablehlo::is_module(bytes)
}
