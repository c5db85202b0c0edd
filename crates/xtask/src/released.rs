//! Counterexamples of rules in released packages: the optimizers whose passes the rules restate.
//!
//! The packages are installed into an environment of its own ([`venv`]).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{cargo, root, venv};

/// What is installed. `docs/released.md` is about these versions.
const PACKAGES: &[&str] = &[
    "onnx==1.23.2",
    "onnxoptimizer==0.4.2",
    "onnxscript==0.7.2",
    "onnxruntime==1.31.1",
];

/// The version of ONNX that all of the packages know.
const OPSET: &str = "23";

/// Checks the rules, and shows their counterexamples to the packages.
pub(crate) fn run() -> Result<(), String> {
    let python = venv::with("released", PACKAGES);
    let Some(python) = venv::or_skipped(python, "no counterexamples in released packages")? else {
        return Ok(());
    };
    let rules = root().join("tests/released/passes.kan");
    let (report, models) = check(&rules)?;
    venv::call(
        Command::new(&python)
            .arg(root().join("tests/released/replay.py"))
            .args([rules, report, models])
            .arg(root().join("docs/released.md")),
    )
}

/// What is found of the rules, and the folder with both sides of each as models.
fn check(rules: &Path) -> Result<(PathBuf, PathBuf), String> {
    let folder = venv::target("released").join("models");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let checked = Command::new(cargo())
        .args(["run", "--quiet", "--locked", "-p", "kanshape-cli", "--"])
        .args(["rule", "check", "--json", "--opset", OPSET, "--write"])
        .args([&folder, rules])
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cargo can't be run: {e}"))?;
    // 1 is that a rule does not hold.
    if !matches!(checked.status.code(), Some(0 | 1 | 3)) {
        return Err("the rules can't be checked".into());
    }
    let report = folder.join("report.jsonl");
    std::fs::write(&report, checked.stdout).map_err(|e| format!("`{}`: {e}", report.display()))?;
    Ok((report, folder))
}
