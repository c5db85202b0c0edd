//! Counterexamples of rules in released packages: the optimizers whose passes the rules restate.
//!
//! The packages are installed into an environment of its own ([`venv`]).

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Instant;

use crate::{checker, program, root, venv};

/// What is installed. `docs/released.md` is about these versions.
pub(crate) const PACKAGES: &[&str] = &[
    checker::PACKAGE,
    "onnxoptimizer==0.4.2",
    "onnxscript==0.7.2",
    "onnxruntime==1.31.1",
    "jax==0.10.2",
];

/// The version of ONNX that all of the packages know.
const OPSET: &str = "23";

/// Checks the rules, and shows their counterexamples to the packages.
pub(crate) fn run() -> Result<(), String> {
    let python = venv::with("released", PACKAGES);
    let Some(python) = venv::or_skipped(python, "no counterexamples in released packages")? else {
        return Ok(());
    };
    let scripts = root().join("tests/released");
    let rules = scripts.join("passes.kan");
    let folder = venv::target("released").join("rules");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let corpus = folder.join("corpus");
    venv::call(
        Command::new(&python)
            .arg(scripts.join("corpus.py"))
            .arg("--rules")
            .arg(root().join("tests/data/rewrite_rules.jsonl"))
            .arg(&corpus),
    )?;
    let start = Instant::now();
    let report = folder.join("passes.jsonl");
    let models = folder.join("passes");
    let options = ["--opset", OPSET];
    let program = program::built()?;
    let mut running = vec![check(&program, &rules, &report, &models, &options)?];
    let numbers = folder.join("values.jsonl");
    let file = scripts.join("values.kan");
    running.push(check(
        &program,
        &file,
        &numbers,
        &folder.join("values"),
        &options,
    )?);
    for (rank, file) in rules_by_rank(&corpus)? {
        let models = corpus.join(&rank).join("models");
        let bounds = ["--max-rank", &rank, "--max-dim", "3"];
        running.push(check(
            &program,
            &file,
            &file.with_extension("jsonl"),
            &models,
            &bounds,
        )?);
    }
    running.into_iter().try_for_each(checked)?;
    let instances = folder.join("instances.kan");
    let needs = folder.join("instances.jsonl");
    venv::call(
        Command::new(&python)
            .arg(scripts.join("replay.py"))
            .arg("--instances")
            .args([&rules, &report, &instances]),
    )?;
    let unread = folder.join("instances");
    checked(check(&program, &instances, &needs, &unread, &options)?)?;
    eprintln!("xtask: rules checked in {} s", start.elapsed().as_secs());
    let start = Instant::now();
    venv::call(
        Command::new(&python)
            .arg(scripts.join("replay.py"))
            .args([rules, report, needs, models])
            .arg(root().join("docs/released.md")),
    )?;
    venv::call(
        Command::new(&python)
            .arg(scripts.join("compiled.py"))
            .arg(numbers)
            .arg(root().join("docs/released.md")),
    )?;
    venv::call(
        Command::new(&python)
            .arg(scripts.join("corpus.py"))
            .arg("--run")
            .arg(corpus),
    )?;
    eprintln!("xtask: replayed in {} s", start.elapsed().as_secs());
    Ok(())
}

/// Starts a check of the rules of a file, which writes its report, and the models of both sides into a folder.
fn check(
    program: &Path,
    file: &Path,
    report: &Path,
    models: &Path,
    options: &[&str],
) -> Result<Child, String> {
    let report = File::create(report).map_err(|e| format!("`{}`: {e}", report.display()))?;
    Command::new(program)
        // Otherwise the default limit of time applies, and the results depend on the speed of the machine.
        .args(["rule", "check", "--json", "--timeout", "60"])
        .args(options)
        .arg("--write")
        .args([models, file])
        .current_dir(root())
        .stdout(report)
        .spawn()
        .map_err(|e| format!("`{}` can't be run: {e}", program.display()))
}

/// Waits until rules are checked.
fn checked(mut running: Child) -> Result<(), String> {
    let status = running.wait().map_err(|e| format!("waiting: {e}"))?;
    // 1 is that a rule does not hold, 3 that it is not known whether it does.
    match status.code() {
        Some(0 | 1 | 3) => Ok(()),
        _ => Err("the rules can't be checked".into()),
    }
}

/// The files of rules in a folder, in folders that are named by the rank up to which they are checked.
fn rules_by_rank(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let list = |folder: &Path| {
        let listed =
            std::fs::read_dir(folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
        Ok::<_, String>(listed.flatten().map(|entry| entry.path()))
    };
    let mut files = Vec::new();
    for rank in list(folder)? {
        let name = rank.file_name().unwrap_or_default().to_string_lossy();
        files.extend(list(&rank)?.map(|file| (name.to_string(), file)));
    }
    Ok(files)
}
