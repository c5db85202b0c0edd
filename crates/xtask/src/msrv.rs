//! The oldest compiler: the one that `Cargo.toml` names builds the library.

use crate::root;
use std::fs;
use std::process::{Command, Stdio};

/// Checks the library and the command line with the oldest compiler, if rustup has it.
pub(crate) fn run() -> Result<(), String> {
    let manifest =
        fs::read_to_string(root().join("Cargo.toml")).map_err(|e| format!("`Cargo.toml`: {e}"))?;
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "))
        .ok_or("`Cargo.toml` has no `rust-version`")?
        .trim_matches('"')
        .to_owned();
    let has = Command::new("rustup")
        .args(["run", &version, "cargo", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !has.is_ok_and(|status| status.success()) {
        eprintln!(
            "xtask: SKIPPED the oldest compiler: it is not installed (`rustup toolchain install {version}`)"
        );
        return Ok(());
    }
    let status = Command::new("rustup")
        .args([
            "run",
            &version,
            "cargo",
            "check",
            "--quiet",
            "--locked",
            "-p",
            "kanshape",
            "-p",
            "kanshape-cli",
        ])
        // What the compiler of the workspace has built stays.
        .env("CARGO_TARGET_DIR", root().join("target/msrv"))
        .env_remove("CARGO")
        .env_remove("RUSTC")
        .env_remove("RUSTUP_TOOLCHAIN")
        .current_dir(root())
        .status()
        .map_err(|e| format!("`rustup` can't be run: {e}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!(
            "it does not build with Rust {version}, which `Cargo.toml` names"
        )),
    }
}
