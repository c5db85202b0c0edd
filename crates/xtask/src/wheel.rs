//! The Python package: built as a wheel, installed into an environment of its own ([`venv`]), and tested there.
//!
//! The tests find the package where it is installed, not in the source tree.

use crate::{cargo, root, venv};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// What builds it, and what its tests are about.
const PACKAGES: &[&str] = &[
    "maturin==1.16.0",
    "pytest==9.*",
    "mypy==2.*",
    "numpy==2.*",
    "onnx==1.23.2",
    "onnxruntime==1.31.1",
    "pytensor==3.*",
    "hypothesis==6.*",
    "distributed==2026.*",
    "pandas==3.*",
    "nbclient==0.11.*",
    "ipykernel==7.*",
];

/// No later Python 3 is looked for.
const LAST_MINOR: u32 = 20;

/// What the tests need in another Python, for which not all of those have a release.
const PACKAGES_ELSEWHERE: &[&str] = &[
    "pytest==9.*",
    "mypy==2.*",
    "numpy==2.*",
    "onnx==1.23.2",
    "hypothesis==6.*",
    "nbclient==0.11.*",
    "ipykernel==7.*",
];

/// The other PyTensor that `kanshape.pytensor` is for: the newest that PyMC 5.28 takes.
const PACKAGES_OF_PYMC: &[&str] = &["pytest==9.*", "numpy==2.*", "pytensor==2.38.3"];

/// The tests that are about PyTensor.
const ABOUT_PYTENSOR: &[&str] = &[
    "tests/test_pytensor.py",
    "tests/test_pytensor_check.py",
    "tests/test_pytensor_random.py",
];

/// The tests that need others.
const NOT_ELSEWHERE: &[&str] = &[
    "--ignore=tests/test_pytensor.py",
    "--ignore=tests/test_pytensor_check.py",
    "--ignore=tests/test_pytensor_random.py",
    "--ignore=tests/test_zoo.py",
    "--deselect=tests/test_docs.py::test_the_page_for_python",
];

/// Builds the wheel and runs its tests.
pub(crate) fn run() -> Result<(), String> {
    let python = venv::with("python", PACKAGES);
    let Some(python) = venv::or_skipped(python, "no wheel")? else {
        return Ok(());
    };
    let crate_folder = root().join("crates/kanshape-python");
    let wheels = venv::target("python").join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let start = Instant::now();
    let again = built_again()?;
    if !again.is_empty() {
        eprintln!(
            "xtask: built again with other features: {}",
            again.join(", ")
        );
    }
    let build = [
        "-m",
        "maturin",
        "build",
        "--locked",
        "--quiet",
        "--profile",
        "dev",
        "--features",
        "as-workspace",
        "--out",
    ];
    venv::call(
        Command::new(&python)
            .args(build)
            .arg(&wheels)
            .current_dir(&crate_folder),
    )?;
    eprintln!("xtask: wheel built in {} s", start.elapsed().as_secs());
    let wheel = only_file(&wheels)?;
    tested(&python, &wheel, &crate_folder, &[])?;
    let older = venv::with("pytensor-2", PACKAGES_OF_PYMC);
    if let Some(python) = venv::or_skipped(older, "the wheel is not tested with PyTensor 2")? {
        eprintln!("xtask: the wheel with PyTensor 2");
        tested(&python, &wheel, &crate_folder, ABOUT_PYTENSOR)?;
    }
    // One wheel is for all: the oldest and the newest of the others that are there.
    let own = venv::minor_version(&python);
    let others = (10..=LAST_MINOR).filter(|minor| Some(*minor) != own);
    let others = others.map(|minor| (minor, format!("python3.{minor}")));
    let others: Vec<(u32, String)> = others
        .filter(|(minor, name)| venv::minor_version(name) == Some(*minor))
        .collect();
    let ends = [others.first(), others.last().filter(|_| others.len() > 1)];
    for (_, name) in ends.into_iter().flatten() {
        let python = venv::with_python(name, name, PACKAGES_ELSEWHERE);
        let left_out = format!("the wheel is not tested in {name}");
        if let Some(python) = venv::or_skipped(python, &left_out)? {
            eprintln!("xtask: the wheel in {name}");
            tested(&python, &wheel, &crate_folder, NOT_ELSEWHERE)?;
        }
    }
    eprintln!(
        "xtask: wheel tested, done in {} s",
        start.elapsed().as_secs()
    );
    Ok(())
}

/// Installs the wheel into an environment and runs its tests there.
fn tested(python: &Path, wheel: &Path, crate_folder: &Path, more: &[&str]) -> Result<(), String> {
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--force-reinstall",
    ];
    venv::call(Command::new(python).args(pip).arg(wheel))?;
    let pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
    let mut run = Command::new(python);
    run.args(pytest).args(more).current_dir(crate_folder);
    venv::call(&mut run)
}

/// The crates of the wheel that have other features there than in the tests of the workspace, and those that depend on them
/// are built twice.
fn built_again() -> Result<Vec<String>, String> {
    let tests = features_of(&["--workspace", "--edges", "normal,build,dev"])?;
    let wheel = features_of(&[
        "--package",
        "kanshape-python",
        "--features",
        "as-workspace",
        "--edges",
        "normal,build",
    ])?;
    let own = |line: &&String| !line.starts_with("kanshape-python ");
    let differ = wheel.difference(&tests).filter(own);
    Ok(differ
        .map(|line| line.split('|').next().unwrap_or(line).trim().to_owned())
        .collect())
}

/// Each crate with its features.
fn features_of(which: &[&str]) -> Result<BTreeSet<String>, String> {
    let output = Command::new(cargo())
        .args([
            "tree",
            "--locked",
            "--prefix",
            "none",
            "--no-dedupe",
            "--format",
            "{p}|{f}",
        ])
        .args(which)
        .current_dir(root())
        .output()
        .map_err(|e| format!("`cargo tree` can't be run: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect())
}

/// The one file in a folder.
fn only_file(folder: &Path) -> Result<std::path::PathBuf, String> {
    let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    match (files.next(), files.next()) {
        (Some(file), None) => Ok(file.path()),
        _ => Err(format!("there is not one wheel in `{}`", folder.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where this fails, the feature `as-workspace` of `kanshape-python` is not what the tests of the workspace switch on.
    #[test]
    fn no_crate_is_built_again_for_the_wheel() {
        assert_eq!(built_again(), Ok(Vec::new()));
    }
}
