//! Lists of what has a name.

use std::io::{self, Write};

use kanshape::Operator;
use kanshape::catalog::Catalog;
use serde_json::json;

use super::operator::{domain, summary};
use crate::loaded::Loaded;
use crate::screen::Screen;

/// All signatures, a file a theme, and the domains of operators.
pub(super) fn all(
    out: &mut impl Write,
    screen: &Screen,
    loaded: &Loaded,
    as_json: bool,
) -> io::Result<()> {
    let entries = Catalog::builtin().iter();
    if as_json {
        for entry in entries {
            let row = json!({ "name": entry.name(), "signature": entry.signature_text() });
            writeln!(out, "{row}")?;
        }
        return operators(out, screen, &loaded.all(), true);
    }
    let width = entries
        .clone()
        .map(|e| e.name().chars().count())
        .max()
        .unwrap_or(0);
    let mut theme = "";
    for entry in entries {
        if entry.file() != theme {
            if !theme.is_empty() {
                writeln!(out)?;
            }
            theme = entry.file();
            let title = theme.strip_suffix(".kan").unwrap_or(theme);
            writeln!(out, "{}", screen.bold(title))?;
        }
        // A long signature is broken where it is written, but not in a list.
        let words: Vec<&str> = entry.signature_text().split_whitespace().collect();
        writeln!(out, "  {:width$}  {}", entry.name(), words.join(" "))?;
    }
    writeln!(out, "\n{}", screen.bold("domains of operators"))?;
    let mut counts: Vec<(String, usize)> = Vec::new();
    for operator in loaded.all() {
        let name = domain(&operator).to_owned();
        match counts.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => counts.push((name, 1)),
        }
    }
    for (name, count) in &counts {
        let plural = if *count == 1 { "" } else { "s" };
        let name = if name.is_empty() { "(none)" } else { name };
        writeln!(out, "  {name:width$}  {count} operator{plural}")?;
    }
    Ok(())
}

/// Operators, one a line.
pub(super) fn operators(
    out: &mut impl Write,
    screen: &Screen,
    operators: &[Operator],
    as_json: bool,
) -> io::Result<()> {
    let width = operators
        .iter()
        .map(|op| op.full_name().chars().count())
        .max()
        .unwrap_or(0);
    let mut heading = None;
    for (i, operator) in operators.iter().enumerate() {
        // Of several versions the newest one stands first.
        let older = i.checked_sub(1).map(|i| operators[i].full_name());
        let name = operator.full_name();
        if older.as_ref() == Some(&name) {
            continue;
        }
        if as_json {
            let row = json!({
                "name": name,
                "domain": operator.domain(),
                "since": operator.since(),
                "summary": summary(operator),
            });
            writeln!(out, "{row}")?;
            continue;
        }
        if heading != Some(operator.domain()) {
            let gap = if heading.is_some() { "\n" } else { "" };
            heading = Some(operator.domain());
            let title = match operator.domain() {
                "" => "operators of no domain",
                domain => domain,
            };
            writeln!(out, "{gap}{}", screen.bold(title))?;
        }
        let line = format!("  {name:width$}  {}", summary(operator));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
