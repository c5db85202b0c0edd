//! Lists of what has a name.

use std::io::{self, Write};

use kanshape::Operator;
use kanshape_batch::catalog::{row, summary};
use kanshape_batch::loaded::Loaded;

use crate::screen::Screen;

/// The domains of operators; as JSON, all operators.
pub(super) fn all(
    out: &mut impl Write,
    screen: &Screen,
    loaded: &Loaded,
    as_json: bool,
) -> io::Result<()> {
    if as_json {
        return operators(out, screen, &loaded.all(), true);
    }
    let mut counts: Vec<(String, usize)> = Vec::new();
    for operator in loaded.all() {
        let name = operator.domain_name().to_owned();
        match counts.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => counts.push((name, 1)),
        }
    }
    writeln!(out, "{}", screen.bold("domains of operators"))?;
    let width = counts.iter().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or(0);
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
            writeln!(out, "{}", row(operator))?;
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
        // A signature says more than words.
        let what = match operator.signature() {
            Some(signature) => signature.to_string(),
            None => summary(operator),
        };
        let line = format!("  {name:width$}  {what}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
