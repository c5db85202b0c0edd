//! Licences and advisories of all dependencies: `cargo deny check`, with `deny.toml`.

use crate::{cargo, root};
use std::process::{Command, Stdio};

/// Runs it if it is installed. It is not built here: it is larger than the workspace.
pub(crate) fn run() -> Result<(), String> {
    let installed = Command::new(cargo())
        .args(["deny", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !installed.is_ok_and(|status| status.success()) {
        eprintln!(
            "xtask: SKIPPED `cargo deny check`: it is not installed (`cargo install --locked cargo-deny`)"
        );
        return Ok(());
    }
    let status = Command::new(cargo())
        .args(["deny", "--all-features", "check"])
        .current_dir(root())
        .status()
        .map_err(|e| format!("`cargo deny` can't be run: {e}"))?;
    match status.success() {
        true => Ok(()),
        false => Err("`cargo deny check` failed".into()),
    }
}
