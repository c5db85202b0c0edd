//! Every `$ kanshape ...` in the texts that people read is run, and prints what stands below it.
//!
//! With `KANSHAPE_UPDATE=1` in the environment, what is printed is written into the pages: read the
//! difference before you believe it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page_files;
use crate::program::{exe, kanshape};

/// A command and what it prints; nothing if the text doesn't say.
#[derive(Debug)]
pub(crate) struct Session {
    command: String,
    output: String,
}

impl Session {
    /// Does this stand in what is printed?
    pub(crate) fn shows(&self, text: &str) -> bool {
        self.output.contains(text)
    }

    pub(crate) fn shows_nothing(&self) -> bool {
        self.output.trim().is_empty()
    }
}

/// The sessions in lines of which those with a `$` are commands.
fn sessions<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for line in lines {
        match (line.strip_prefix("$ "), sessions.last_mut()) {
            (Some(command), _) => sessions.push(Session {
                command: command.to_owned(),
                output: String::new(),
            }),
            (None, Some(session)) => {
                session.output.push_str(line);
                session.output.push('\n');
            }
            (None, None) => {}
        }
    }
    sessions
}

/// The sessions in the ```console blocks of a page.
pub(crate) fn of_page(page: &str) -> Vec<Session> {
    let mut all = Vec::new();
    for block in page.split("\n```console\n").skip(1) {
        let block = block.split("\n```").next().unwrap_or_default();
        all.extend(sessions(block.lines()));
    }
    all
}

/// The sessions in the help of a command, which are indented.
fn of_help(help: &str) -> Vec<Session> {
    let mut all = Vec::new();
    let mut block = Vec::new();
    // Empty lines belong to an output if it goes on behind them.
    for line in help.lines().chain(["."]) {
        match line.strip_prefix("  ") {
            Some(line) if !block.is_empty() || line.starts_with("$ ") => block.push(line),
            None if line.is_empty() && !block.is_empty() => block.push(""),
            _ => all.extend(sessions(std::mem::take(&mut block).into_iter())),
        }
    }
    all
}

/// Where the texts stand, and where their sessions are run.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the sessions of a page, of which there are some.
fn page(path: &str, least: usize) {
    page_in(&root(), path, least);
}

/// Runs the sessions of a page in this folder.
pub(crate) fn page_in(folder: &Path, path: &str, least: usize) {
    let path = root().join(path);
    let mut text = std::fs::read_to_string(&path).unwrap();
    let sessions = of_page(&text);
    if std::env::var_os("KANSHAPE_UPDATE").is_some() {
        for Session { command, output } in &sessions {
            let written = format!("$ {command}\n{output}");
            text = text.replace(&written, &format!("$ {command}\n{}", run(command, folder)));
        }
        std::fs::write(path, text).unwrap();
    } else {
        check(folder, &path.display().to_string(), &sessions, least);
    }
}

fn check(folder: &Path, from: &str, sessions: &[Session], least: usize) {
    assert!(
        sessions.len() >= least,
        "{from} has only {}",
        sessions.len()
    );
    for Session { command, output } in sessions {
        let got = run(command, folder);
        if !output.trim().is_empty() {
            assert_eq!(got.trim_end(), output.trim_end(), "\n{from}: {command}");
        }
    }
}

/// What a command prints, on both streams.
fn run(command: &str, folder: &Path) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", exe().parent().unwrap().display());
    let script = command.replace("cargo run --release --", "kanshape");
    let run = Command::new("sh")
        .args(["-c", &format!("{{\n{script}\n}} 2>&1")])
        .current_dir(folder)
        .env("PATH", &path)
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    let code = run.status.code();
    // Beyond these are those of the shell: the command was not found, or killed.
    assert!(
        code.is_some_and(|code| code <= 4),
        "{command}\n{code:?}\n{printed}"
    );
    printed
}

#[test]
fn readme() {
    page("README.md", 7);
}

#[test]
fn manual() {
    page("docs/cli.md", 10);
    page("docs/errors.md", 3);
    page("docs/models.md", 4);
    page("docs/order.md", 10);
    page("docs/torch.md", 6);
    page("docs/stablehlo.md", 11);
    page("docs/guides/jax.md", 5);
    page("docs/why.md", 7);
    page_in(page_files::folder(), "docs/rewriting.md", 3);
    page_in(page_files::folder(), "docs/programs.md", 4);
    page_in(page_files::folder(), "docs/guides/own-types.md", 3);
}

#[test]
fn help() {
    check(
        &root(),
        "kanshape --help",
        &of_help(&kanshape(&["--help"]).solved()),
        2,
    );
    for command in [
        "infer", "enum", "batch", "types", "parse", "catalog", "repl", "explain",
    ] {
        let help = kanshape(&[command, "--help"]).solved();
        check(&root(), command, &of_help(&help), 1);
    }
}
