//! The program `kanshape`, as the tests of the workspace are run with it.

use crate::{cargo, root, venv};
use std::path::PathBuf;
use std::process::Command;

/// Builds the test that runs it, with the features of the whole workspace. Built alone, its crates would have fewer features and be
/// compiled again.
const BUILD: &[&str] = &[
    "test",
    "--quiet",
    "--locked",
    "--workspace",
    "--test",
    "cli",
    "--no-run",
];

/// Builds the program, and says where it is.
pub(crate) fn built() -> Result<PathBuf, String> {
    venv::call(Command::new(cargo()).current_dir(root()).args(BUILD))?;
    let name = format!("kanshape{}", std::env::consts::EXE_SUFFIX);
    Ok(venv::target("debug").join(name))
}
