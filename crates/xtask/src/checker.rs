//! Models with their types written into them, before the checker of the Python package `onnx`.
//!
//! The package is installed into an environment of its own ([`venv`]).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{program, root, venv};

/// What is installed. The models are those that this version ships.
pub(crate) const PACKAGE: &str = "onnx==1.23.2";

/// A Python that has the package, if there can be one.
pub(crate) fn python() -> Result<Option<PathBuf>, String> {
    let python = venv::with("onnx-checker", &[PACKAGE]);
    venv::or_skipped(python, "no models checked by onnx")
}

/// Writes all models of the tests with their types, and has them checked.
pub(crate) fn run() -> Result<(), String> {
    let Some(python) = python()? else {
        return Ok(());
    };
    let models = root().join("tests/data/models");
    let folder = venv::target("onnx-checker").join("written");
    let written = write(&models, &folder)?;
    let script = root().join("tests/models/checker.py");
    let status = Command::new(&python)
        .arg(script)
        .arg(models)
        .args(written)
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("onnx does not take all models that were written".into()),
        Err(e) => Err(format!("`{}` can't be run: {e}", python.display())),
    }
}

/// Writes all models into a folder.
fn write(models: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let mut files = Vec::new();
    find(models, &mut files);
    // Data in other files are looked for beside a model.
    for data in files.iter().map(|file| file.with_extension("data")) {
        if let (true, Some(name)) = (data.exists(), data.file_name()) {
            std::fs::copy(&data, folder.join(name))
                .map_err(|e| format!("`{}`: {e}", data.display()))?;
        }
    }
    eprintln!("xtask: {} models are written with their types", files.len());
    let program = program::built()?;
    let status = Command::new(&program)
        .args(["check", "--write"])
        .arg(folder)
        .args(&files)
        .current_dir(root())
        .stdout(Stdio::null())
        .status()
        .map_err(|e| format!("`{}` can't be run: {e}", program.display()))?;
    // Some of them have operators that are not known, and are written all the same.
    if !matches!(status.code(), Some(0 | 1 | 3 | 4)) {
        return Err("the models can't be written".into());
    }
    let written = files.iter().filter_map(|file| file.file_name());
    Ok(written.map(|name| folder.join(name)).collect())
}

/// The models in a folder and in those within it, in order.
pub(crate) fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, files);
        } else if path.extension() == Some(OsStr::new("onnx")) {
            files.push(path);
        }
    }
}
