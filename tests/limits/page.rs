//! `docs/limits.md` lists all limits of all crates. `KANSHAPE_UPDATE=1` in the environment writes it again from the source.

use std::fmt::Write;
use std::path::{Path, PathBuf};

const HEAD: &str = "# Limits

What bounds the work and the memory of one step, and what is worth printing. What is beyond a limit is left open, printed more coarsely,
refused with a reason or *unknown*, and never a wrong answer: `cargo xtask limits` tests it with limits a 16th and a 256th as large.

How much work a query may take is for the caller to say: by `--budget` and `--timeout`, `Query::budget` and `Query::control`.
From Rust the table is `kanshape::control::limits()`. The limits of the crates above these stand where they are used, and are listed behind
them.
";

#[test]
fn limits_are_listed() {
    let mut page = HEAD.to_owned();
    let mut section = None;
    for (of, limit) in kanshape::control::limits() {
        if section.replace((of, limit.section)) != Some((of, limit.section)) {
            let name = limit.section;
            let _ = writeln!(
                page,
                "\n## {name} (`{of}`)\n\n| limit | value | what it bounds |\n|---|---|---|"
            );
        }
        let about: Vec<&str> = limit.about.iter().map(|line| line.trim()).collect();
        let _ = writeln!(
            page,
            "| `{}` | {} | {} |",
            limit.name,
            limit.value,
            about.join(" ")
        );
    }
    let mut missing = Vec::new();
    for of in DOORS {
        write_sources(&mut page, of, &mut missing);
    }
    assert_eq!(missing, [""; 0], "they have no description");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limits.md");
    if std::env::var_os("KANSHAPE_UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(
        written == page,
        "docs/limits.md is out of date: KANSHAPE_UPDATE=1 cargo test --test limits"
    );
}

/// The crates whose limits stand beside what they bound.
const DOORS: [&str; 13] = [
    "syntax",
    "types",
    "diag",
    "eval",
    "rewrite",
    "egg",
    "relay",
    "onnx",
    "torch",
    "stablehlo",
    "batch",
    "cli",
    "python",
];

/// With what the name of a limit begins.
const LIMITS: [&str; 9] = [
    "MAX", "MOST", "STEPS", "LARGEST", "LONGEST", "MANY", "ROUNDS", "PRODUCTS", "BUDGET",
];

/// The limits that the sources of a crate declare, as a section.
fn write_sources(page: &mut String, of: &str, missing: &mut Vec<String>) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../kanshape-{of}/src"));
    let mut rows = String::new();
    for path in sources(&dir) {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = path.strip_prefix(&dir).unwrap().display().to_string();
        for (name, value, about) in constants(&text) {
            if about.is_empty() {
                missing.push(format!("{of}/{file}: {name}"));
            }
            let _ = writeln!(rows, "| `{file}` | `{name}` | {value} | {about} |");
        }
    }
    if !rows.is_empty() {
        let head = "| in | limit | value | what it bounds |\n|---|---|---|---|";
        let _ = write!(
            page,
            "\n## Where they are used (`kanshape-{of}`)\n\n{head}\n{rows}"
        );
    }
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("generated") => {}
            true => found.extend(sources(&path)),
            false if path.extension().is_some_and(|own| own == "rs") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// The limits of a file: their names, values and descriptions. One without a description stands below another with which it shares that.
fn constants(text: &str) -> Vec<(&str, String, String)> {
    let mut found = Vec::new();
    let mut about: Vec<&str> = Vec::new();
    let mut is_used = false;
    for line in text.lines().map(str::trim) {
        if line == "#[cfg(test)]" {
            break;
        }
        if let Some(doc) = line.strip_prefix("///") {
            if std::mem::take(&mut is_used) {
                about.clear();
            }
            about.push(doc.trim());
            continue;
        }
        if line.starts_with("#[") {
            continue;
        }
        let constant = line
            .split_once("const ")
            .filter(|(before, _)| before.is_empty() || before.starts_with("pub"));
        let own = constant.and_then(|(_, own)| own.strip_suffix(';'));
        let Some((name, rest)) = own.and_then(|own| own.split_once(": ")) else {
            about.clear();
            continue;
        };
        let is_limit = LIMITS.contains(&name.split('_').next().unwrap_or_default());
        // Those that share a description stand together: it is kept for the next one.
        is_used = true;
        if let Some((ty, value)) = rest.split_once(" = ").filter(|_| is_limit)
            && ["u32", "u64", "u128", "i64", "i128", "usize"].contains(&ty)
        {
            let about = about.join(" ").replace('|', "\\|");
            let value = match value.starts_with(|c: char| c.is_ascii_digit()) {
                true => value.replace('_', ""),
                false => format!("`{value}`"),
            };
            found.push((name, value, about));
        }
    }
    found
}
