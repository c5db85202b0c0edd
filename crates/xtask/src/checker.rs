//! Models with their types written into them, before the checker of the Python package `onnx`.
//!
//! The package is installed into an environment of its own beside what cargo builds, and once only. Where that can't
//! be done - no Python, no network - the step says so; it fails for that reason only where `CI` is `true`.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{cargo, root};

/// What is installed. The models are those that this version ships.
const PACKAGE: &str = "onnx==1.23.2";

/// Writes all models of the tests with their types, and has them checked.
pub(crate) fn run() -> Result<(), String> {
    let python = match python() {
        Ok(python) => python,
        Err(why) if env::var_os("CI").is_some_and(|ci| ci == "true") => return Err(why),
        Err(why) => {
            eprintln!("xtask: no models checked by onnx: {why}");
            return Ok(());
        }
    };
    let models = root().join("tests/data/models");
    let folder = target().join("written");
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
    eprintln!("xtask: {} models are written with their types", files.len());
    let status = Command::new(cargo())
        .args(["run", "--quiet", "--locked", "-p", "kanshape-cli", "--"])
        .args(["check", "--write"])
        .arg(folder)
        .args(&files)
        .current_dir(root())
        .stdout(Stdio::null())
        .status()
        .map_err(|e| format!("cargo can't be run: {e}"))?;
    // Some of them have operators that are not known, and are written all the same.
    if !matches!(status.code(), Some(0 | 1 | 3)) {
        return Err("the models can't be written".into());
    }
    let written = files.iter().filter_map(|file| file.file_name());
    Ok(written.map(|name| folder.join(name)).collect())
}

/// The models in a folder and in those within it, in order.
fn find(folder: &Path, files: &mut Vec<PathBuf>) {
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

/// A Python that has the package.
fn python() -> Result<PathBuf, String> {
    let venv = target().join("venv");
    let bin = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = venv.join(bin).join("python");
    let done = venv.join(PACKAGE);
    if !done.exists() {
        let of = if cfg!(windows) { "python" } else { "python3" };
        call(Command::new(of).args(["-m", "venv"]).arg(&venv))?;
        let pip = ["-m", "pip", "install", "--quiet", PACKAGE];
        call(Command::new(&python).args(pip))?;
        std::fs::write(&done, "").map_err(|e| format!("`{}`: {e}", done.display()))?;
    }
    Ok(python)
}

fn call(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{command:?}` failed")),
        Err(e) => Err(format!("`{command:?}` can't be run: {e}")),
    }
}

/// Where this step keeps its things.
fn target() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root().join(target).join("onnx-checker")
}
