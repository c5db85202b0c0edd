//! An operator: its rule as it is written, and its examples.

use std::io::Write;

use kanshape::Operator;
use kanshape_batch::catalog::{answers, operator as json};
use kanshape_batch::loaded::Loaded;

use super::paint;
use crate::exit::Failure;
use crate::screen::Screen;

/// Shows an operator with its examples answered now.
pub(super) fn show(
    out: &mut impl Write,
    screen: &Screen,
    loaded: &Loaded,
    operator: &Operator,
    as_json: bool,
) -> Result<(), Failure> {
    let versions: Vec<u64> = loaded
        .versions(operator)
        .iter()
        .map(Operator::since)
        .collect();
    if as_json {
        writeln!(out, "{}", json(loaded, operator)?)?;
        return Ok(());
    }
    let since: Vec<String> = versions.iter().map(u64::to_string).collect();
    let since = format!("since {}", since.join(", "));
    writeln!(
        out,
        "{}  {}",
        screen.bold(operator.full_name()),
        screen.grey(since)
    )?;
    if versions.last() != Some(&operator.since()) {
        let shown = format!("shown is the one since {}", operator.since());
        writeln!(out, "{}", screen.grey(shown))?;
    }
    let aliases: Vec<&str> = operator.aliases().collect();
    if !aliases.is_empty() {
        writeln!(out, "also called {}", aliases.join(", "))?;
    }
    let doc: Vec<&str> = operator.doc().collect();
    let doc = doc.join("\n");
    if !doc.trim().is_empty() {
        writeln!(out, "\n{}", doc.trim())?;
    }
    writeln!(out)?;
    for line in operator.text().lines() {
        writeln!(out, "  {}", paint::line(screen, line))?;
    }
    writeln!(out, "\nWritten in {}.", operator.file())?;
    for example in operator.examples() {
        writeln!(out, "\n  {}", example.question)?;
        // A mistake in one example hides none of the others.
        let answers = answers(operator, &example).unwrap_or_else(|mistake| vec![mistake.headline]);
        for answer in answers {
            writeln!(out, "  => {answer}")?;
        }
    }
    Ok(())
}
