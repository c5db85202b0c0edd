//! What must hold before a change lands: `cargo xtask ci`.
//!
//! Everything is compiled once, for the tests. Then they run beside the other tasks: neither keeps two cores busy.

use crate::{COMPILE, TEST, cargo, root};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// What runs beside the tests, one after the other.
const BESIDE: &[&str] = &[
    "lint",
    "site",
    "docs",
    "features",
    "package",
    "deny",
    "msrv",
    "models",
    "released",
    "rewritten",
    "wheel",
];

/// Runs all of it.
pub(crate) fn run() -> Result<(), String> {
    crate::run(COMPILE)?;
    thread::scope(|scope| {
        let beside = scope.spawn(|| BESIDE.iter().try_for_each(|task| run_task(task)));
        let tested = crate::run(TEST);
        let others = beside
            .join()
            .unwrap_or_else(|_| Err("a task panicked".into()));
        tested.and(others)
    })
}

/// Runs a task in a process of its own, and prints what that printed once it has ended.
fn run_task(task: &str) -> Result<(), String> {
    let start = Instant::now();
    let output = Command::new(cargo())
        .args(["xtask", task])
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("`cargo xtask {task}` can't be run: {e}"))?;
    eprint!(
        "\nxtask: {task} took {} s:\n{}{}\n",
        start.elapsed().as_secs(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("`cargo xtask {task}` failed")),
    }
}
