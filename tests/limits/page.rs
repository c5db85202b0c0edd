//! `docs/limits.md` lists all limits. `KANSHAPE_UPDATE=1` in the environment writes it again from the source.

use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "# Limits

What bounds the work and the memory of one step, and what is worth printing. What is beyond a limit is left open, printed more coarsely,
refused with a reason or *unknown*, and never a wrong answer: `cargo xtask limits` tests it with limits a 16th and a 256th as large.

How much work a query may take is for the caller to say: by `--budget` and `--timeout`, `Query::budget` and `Query::control`.
From Rust the table is `kanshape::control::limits()`.
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
