//! Every property with fresh seeds, in a loop: `cargo xtask explore --minutes N`.
//!
//! Properties are found, not listed: a file of tests that has one says so by how it runs them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::{cargo, root};

/// What a file with a property has in it.
const MARKS: [&str; 3] = ["proptest! {", "TestRunner::new(", "\"KANSHAPE_SEED\""];

/// The variables that a property takes its seed from: those of `proptest`, and those with generators of their own.
const SEEDS: [&str; 2] = ["PROPTEST_RNG_SEED", "KANSHAPE_SEED"];

/// A test program of cargo with properties in it: the arguments that choose it.
type Target = Vec<String>;

/// Runs all properties until the time is over, and tells which failed with which seed.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let minutes = match args {
        [] => 10,
        [flag, n] if flag == "--minutes" => n
            .parse()
            .map_err(|_| format!("`{n}` is no number of minutes"))?,
        _ => return Err("explore takes `--minutes N` and nothing else".into()),
    };
    let targets = targets(&root())?;
    let until = Instant::now() + Duration::from_secs(60 * minutes);
    let mut seeds = Seeds::new();
    let mut failed = Vec::new();
    let mut runs = 0u64;
    'time: loop {
        for (target, modules) in &targets {
            if runs > 0 && Instant::now() >= until {
                break 'time;
            }
            let seed = seeds.next();
            if let Some(failure) = explore(target, modules, seed)? {
                eprintln!("{failure}");
                failed.push(failure);
            }
            runs += 1;
        }
    }
    eprintln!(
        "xtask: {runs} runs of {} programs, {} failed",
        targets.len(),
        failed.len()
    );
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "properties that failed, and how to run them again:\n{}",
            failed.join("\n")
        )),
    }
}

/// One program with one seed: how to run it again if it failed.
fn explore(target: &Target, modules: &[String], seed: u64) -> Result<Option<String>, String> {
    let mut args = vec![
        "test".to_owned(),
        "--quiet".to_owned(),
        "--locked".to_owned(),
    ];
    args.extend(target.iter().cloned());
    if !modules.is_empty() {
        args.push("--".into());
        args.extend(modules.iter().cloned());
    }
    let text = format!("cargo {}", args.join(" "));
    eprintln!("xtask: seed {seed}: {text}");
    let output = Command::new(cargo())
        .args(&args)
        .envs(SEEDS.map(|name| (name, seed.to_string())))
        // What was found is reported here; no file of it is kept.
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true")
        .current_dir(root())
        .output()
        .map_err(|e| format!("`{text}` can't be run: {e}"))?;
    if output.status.success() {
        return Ok(None);
    }
    for stream in [&output.stdout, &output.stderr] {
        eprintln!("{}", String::from_utf8_lossy(stream));
    }
    let seeds = SEEDS.map(|name| format!("{name}={seed}"));
    Ok(Some(format!("  {} {text}", seeds.join(" "))))
}

/// The programs with properties, and in which of their modules these are; none if in all of it.
fn targets(root: &Path) -> Result<BTreeMap<Target, Vec<String>>, String> {
    let shared = shared_tests(root)?;
    let mut files = Vec::new();
    for folder in ["tests", "crates"] {
        find(&root.join(folder), &mut files);
    }
    files.sort();
    let mut targets: BTreeMap<Target, Vec<String>> = BTreeMap::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("`{}`: {e}", file.display()))?;
        if !MARKS.iter().any(|mark| text.contains(mark)) {
            continue;
        }
        let path = file.strip_prefix(root).unwrap_or(file);
        let parts: Vec<&str> = path.iter().filter_map(|p| p.to_str()).collect();
        let (package, target, module) = match parts[..] {
            // This file.
            ["crates", "xtask", ..] => continue,
            ["tests", test, ref rest @ ..] => {
                let package = shared
                    .get(test)
                    .ok_or_else(|| format!("no crate runs `tests/{test}`"))?;
                (package.as_str(), ["--test", test].to_vec(), module(rest))
            }
            ["crates", package, "tests", test] => (
                package,
                ["--test", test.trim_end_matches(".rs")].to_vec(),
                None,
            ),
            ["crates", package, "tests", test, ref rest @ ..] => {
                (package, ["--test", test].to_vec(), module(rest))
            }
            ["crates", package, "src", ref rest @ ..] => (package, vec!["--lib"], module(rest)),
            _ => return Err(format!("`{}` is not where tests are", path.display())),
        };
        let args = ["-p", package].into_iter().chain(target);
        let modules = targets
            .entry(args.map(str::to_owned).collect())
            .or_default();
        modules.extend(module);
    }
    Ok(targets)
}

/// The module that a file is, as a filter for the names of tests: `relations/rust/table.rs` is `rust::table`.
fn module(parts: &[&str]) -> Option<String> {
    let path = parts.join("::");
    let path = path.strip_suffix(".rs").unwrap_or(&path);
    let path = path.strip_suffix("::mod").unwrap_or(path);
    (path != "main" && path != "lib").then(|| path.to_owned())
}

/// The crates that run the tests at the top of the workspace: `tests/order/main.rs` is one of `kanshape`.
fn shared_tests(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut shared = BTreeMap::new();
    let crates = fs::read_dir(root.join("crates")).map_err(|e| format!("`crates`: {e}"))?;
    for entry in crates.flatten() {
        let Ok(manifest) = fs::read_to_string(entry.path().join("Cargo.toml")) else {
            continue;
        };
        let package = entry.file_name().to_string_lossy().into_owned();
        for line in manifest.lines() {
            let path = line.strip_prefix("path = \"../../tests/");
            if let Some(test) = path.and_then(|p| p.strip_suffix("/main.rs\"")) {
                shared.insert(test.to_owned(), package.clone());
            }
        }
    }
    Ok(shared)
}

/// The Rust files in a folder.
fn find(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|e| e.path()) {
        match path.is_dir() {
            true => find(&path, into),
            false if path.extension().is_some_and(|e| e == "rs") => into.push(path),
            false => {}
        }
    }
}

/// Numbers that are others each time.
struct Seeds(u64);

impl Seeds {
    fn new() -> Seeds {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Seeds(since.map_or(1, |t| t.as_nanos() as u64))
    }

    /// By the mixing function of SplitMix64, as a number that is easy to type.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % 1_000_000_000_000
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_found_where_they_are() {
        let targets = targets(&root()).unwrap_or_default();
        let of = |args: &[&str]| {
            let args: Target = args.iter().map(|a| (*a).to_owned()).collect();
            targets.get(&args).map(|modules| modules.join(" "))
        };
        let agreement = "again ground late one_node symbolic three_readings";
        assert_eq!(
            of(&["-p", "kanshape", "--test", "agreement"]).as_deref(),
            Some(agreement)
        );
        assert_eq!(
            of(&["-p", "kanshape", "--test", "graphs"]).as_deref(),
            Some("law::metamorphic law")
        );
        assert_eq!(
            of(&["-p", "kanshape-onnx", "--test", "models"]).as_deref(),
            Some("corrupted law")
        );
        let forms = "forms::tests persistent store::worklist";
        assert_eq!(
            of(&["-p", "kanshape-engine", "--lib"]).as_deref(),
            Some(forms)
        );
        let syntax = "any_text questions relations::any_text relations::round_trip round_trip";
        assert_eq!(
            of(&["-p", "kanshape-syntax", "--test", "syntax"]).as_deref(),
            Some(syntax)
        );
    }
}
