//! Environments of Python for the steps that need its packages.
//!
//! Each lies beside what cargo builds, and is made once for each list of packages. Where that can't be done - no Python, no
//! network - the step says so; it fails for that reason only where `CI` is `true`.

use crate::root;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python that has these packages.
pub(crate) fn with(step: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let of = if cfg!(windows) { "python" } else { "python3" };
    with_python(of, step, packages)
}

/// The same, of this Python.
pub(crate) fn with_python(of: &str, step: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let venv = target(step).join("venv");
    let bin = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = venv.join(bin).join("python");
    let done = venv.join("packages");
    let list = packages.join("\n");
    if std::fs::read_to_string(&done).is_ok_and(|installed| installed == list) {
        return Ok(python);
    }
    call(Command::new(of).args(["-m", "venv"]).arg(&venv))?;
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    call(Command::new(&python).args(pip).args(packages))?;
    std::fs::write(&done, list).map_err(|e| format!("`{}`: {e}", done.display()))?;
    Ok(python)
}

/// The Python, or nothing where the step can be left out.
pub(crate) fn or_skipped(
    python: Result<PathBuf, String>,
    left_out: &str,
) -> Result<Option<PathBuf>, String> {
    match python {
        Ok(python) => Ok(Some(python)),
        Err(why) if env::var_os("CI").is_some_and(|ci| ci == "true") => Err(why),
        Err(why) => {
            eprintln!("xtask: {left_out}: {why}");
            Ok(None)
        }
    }
}

/// The minor version of a Python 3; nothing if there is no such program.
pub(crate) fn minor_version(python: impl AsRef<std::ffi::OsStr>) -> Option<u32> {
    let minor = "import sys; print(sys.version_info[1])";
    let output = Command::new(python).args(["-c", minor]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.trim().parse().ok()
}

/// Runs a command, which has to succeed.
pub(crate) fn call(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{command:?}` failed")),
        Err(e) => Err(format!("`{command:?}` can't be run: {e}")),
    }
}

/// Where a step keeps its things.
pub(crate) fn target(step: &str) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root().join(target).join(Path::new(step))
}
