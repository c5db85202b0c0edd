//! Rewritten models: `onnx`'s checker has to accept them, and `onnxruntime` has to give the same results as before.
//!
//! The packages are installed into an environment of its own ([`venv`]).

use std::path::Path;
use std::process::Command;

use crate::{checker, program, released, root, venv};

/// The rules: those for every day, and some that match in most models.
const RULES: [&str; 2] = ["rules/everyday.kan", "tests/rewrite/common.kan"];

/// Rewrites all models of the tests, and compares what they do with what they did.
pub(crate) fn run() -> Result<(), String> {
    let python = venv::with("released", released::PACKAGES);
    let Some(python) = venv::or_skipped(python, "no rewritten models run")? else {
        return Ok(());
    };
    let models = root().join("tests/data/models");
    let folder = venv::target("released").join("rewritten");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let mut files = Vec::new();
    checker::find(&models, &mut files);
    let program = program::built()?;
    let mut rewritten = 0;
    for file in &files {
        let Some(name) = file.file_name() else {
            continue;
        };
        rewritten += usize::from(rewrite(&program, file, &folder.join(name))?);
    }
    eprintln!("xtask: {rewritten} of {} models are rewritten", files.len());
    let script = root().join("tests/rewrite/rewritten.py");
    venv::call(Command::new(&python).arg(script).args([models, folder]))
}

/// Rewrites a model, and says whether anything was done. What was not changed is not kept.
fn rewrite(program: &Path, model: &Path, to: &Path) -> Result<bool, String> {
    let rules = RULES.map(|file| root().join(file));
    let done = Command::new(program)
        .arg("rewrite")
        .args(rules.iter().flat_map(|file| [Path::new("--rules"), file]))
        .arg("--write")
        .args([to, model])
        .output()
        .map_err(|e| format!("`{}` can't be run: {e}", program.display()))?;
    if !done.status.success() {
        let why = String::from_utf8_lossy(&done.stderr);
        return Err(format!("`{}` can't be rewritten: {why}", model.display()));
    }
    let read = |path: &Path| std::fs::read(path).map_err(|e| format!("`{}`: {e}", path.display()));
    let changed = read(model)? != read(to)?;
    if !changed {
        std::fs::remove_file(to).map_err(|e| format!("`{}`: {e}", to.display()))?;
    }
    Ok(changed)
}
