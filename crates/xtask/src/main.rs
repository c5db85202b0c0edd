//! One entry for the tests and CI: `cargo xtask test`, `cargo xtask ci`.
//!
//! It runs cargo - and Python, for what only that can say: [`checker`], [`released`], [`wheel`] -, and Node.js for the page in
//! the browser ([`web`]), has no dependencies, and knows nothing of what it tests. Each task is a list of [`Step`]s; a step that fails ends the task, and is named last on the screen.

#![allow(clippy::print_stderr, reason = "a build tool talks to whoever builds")]

mod checker;
mod ci;
mod deny;
mod explore;
mod features;
mod hash;
mod msrv;
mod package;
mod program;
mod released;
mod rewritten;
mod venv;
mod web;
mod wheel;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask TASK

  test      all tests: units, documentation, the manual, the command line
  fmt       format the sources
  lint      formatting and clippy, any warning an error
  docs      the documentation of all crates, any warning an error
  bench     the benchmarks
  web       the page in the browser, into target/web: the library as WebAssembly, and the site around it
  page      the page that is part of the program, built again after a change of site/
  site      types, form and tests of the site's sources, without a browser
  web-test  the tests of the page in a real browser
  wheel     the Python package: built as a wheel, installed and tested
  features  each feature of each crate, built alone
  models    models with their types written into them, before the checker of Python's onnx
  released  counterexamples of rules, in the released optimizers that the rules restate
  rewritten models of the tests after rewriting: onnx's checker accepts them, onnxruntime gives the same results
  index     the indexes of the standard library and of the catalog's files, written again after a change of them
  explore   every property with fresh seeds until the time is over: --minutes N, 10 unless given
  limits    the laws of graphs and queries with limits a 16th and a 256th as large: nothing may be wrong, only unknown
  parsers   the parsers, generated again after a change of a grammar
  package   the crates as they are published, and a program built from them
  deny      licences and advisories of all dependencies, if `cargo deny` is installed
  msrv      the library with the oldest compiler, if it is installed
  ci        test, and beside it lint, site, docs, features, package, deny, msrv, models, released, rewritten, wheel: what must hold
            before a change lands
";

/// One command, and what has to be there for it.
struct Step {
    args: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
}

const fn step(args: &'static [&'static str]) -> Step {
    Step { args, env: &[] }
}

const TEST: &[Step] = &[step(&["test", "--workspace", "--locked"])];
/// What [`TEST`] compiles, but for the documentation's tests.
const COMPILE: &[Step] = &[step(&["test", "--workspace", "--locked", "--no-run"])];
const FMT: &[Step] = &[step(&["fmt", "--all"])];
const LINT: &[Step] = &[
    step(&["fmt", "--all", "--check"]),
    step(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ]),
];
const DOCS: &[Step] = &[Step {
    args: &["doc", "--workspace", "--no-deps", "--locked"],
    env: &[("RUSTDOCFLAGS", "-D warnings")],
}];
const INDEX: &[Step] = &[
    Step {
        args: &[
            "test",
            "--package",
            "kanshape-infer",
            "--lib",
            "--",
            "the_index_is",
        ],
        env: &[("KANSHAPE_WRITE_INDEX", "1")],
    },
    Step {
        args: &[
            "test",
            "--package",
            "kanshape",
            "--test",
            "catalog",
            "--",
            "the_index_is",
        ],
        env: &[("KANSHAPE_WRITE_INDEX", "1")],
    },
];
const PARSERS: &[Step] = &[Step {
    args: &["test", "--package", "xtask", "--test", "parsers"],
    env: &[("KANSHAPE_UPDATE", "1")],
}];
/// With limits of a 16th, and of a 256th. The seeds are those of no other test, and of no Reshape by a size of 0, the corner in docs/models.md.
const LIMITS: &[Step] = &[
    Step {
        args: LAWS,
        env: &[
            ("KANSHAPE_LIMITS_DIVISOR", "16"),
            ("CARGO_TARGET_DIR", "target/limits"),
            ("KANSHAPE_SEED", "160000"),
            ("KANSHAPE_CASES", "1700"),
        ],
    },
    Step {
        args: LAWS,
        env: &[
            ("KANSHAPE_LIMITS_DIVISOR", "256"),
            ("CARGO_TARGET_DIR", "target/limits"),
            ("KANSHAPE_SEED", "2560000"),
            ("KANSHAPE_CASES", "1700"),
        ],
    },
];
const LAWS: &[&str] = &[
    "test",
    "--package",
    "kanshape",
    "--test",
    "graphs",
    "--test",
    "agreement",
    "--locked",
    "--",
    "law::a_graph",
    "law::an_operator",
    "law::a_signature",
    "three_readings::",
    "ground::",
];
const BENCH: &[Step] = &[step(&["bench", "--workspace", "--locked"])];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let Some((task, rest)) = args.split_first() else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    if task == "explore" {
        return ended(explore::run(rest));
    }
    if !rest.is_empty() {
        eprint!("{HELP}");
        return ExitCode::from(2);
    }
    ended(match task.as_str() {
        "test" => run(TEST),
        "fmt" => run(FMT),
        "lint" => run(LINT),
        "docs" => run(DOCS),
        "bench" => run(BENCH),
        "limits" => run(LIMITS),
        "features" => features::run(),
        "parsers" => run(PARSERS),
        "package" => package::run(),
        "deny" => deny::run(),
        "msrv" => msrv::run(),
        "models" => checker::run(),
        "released" => released::run(),
        "rewritten" => rewritten::run(),
        "wheel" => wheel::run(),
        "web" => web::build(),
        "page" => web::page(),
        "site" => web::check(),
        "web-test" => web::test(),
        "index" => run(INDEX),
        "ci" => ci::run(),
        _ => {
            eprint!("there is no task `{task}`\n\n{HELP}");
            return ExitCode::from(2);
        }
    })
}

fn ended(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(steps: &[Step]) -> Result<(), String> {
    steps.iter().try_for_each(|step| {
        let text = format!("cargo {}", step.args.join(" "));
        eprintln!("xtask: {text}");
        let start = Instant::now();
        let status = Command::new(cargo())
            .args(step.args)
            .envs(step.env.iter().copied())
            .current_dir(root())
            .status()
            .map_err(|e| format!("`{text}` can't be run: {e}"))?;
        if !status.success() {
            return Err(format!("`{text}` failed"));
        }
        eprintln!("xtask: done in {} s", start.elapsed().as_secs());
        Ok(())
    })
}

/// The cargo that this was run by.
fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The top of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}
