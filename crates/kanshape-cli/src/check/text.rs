//! A report as text: every value, then what it turns on, then what is wrong.

use kanshape::explain::Sizes;
use kanshape::{Dim, Severity, Type};
use kanshape_onnx::{Place, Report, code::UNTYPED};
use std::fmt::Write;

use super::word;
use crate::screen::Screen;

/// Names longer than this push their type to the right.
const WIDEST: usize = 40;

/// What has been found out of a model, as text.
pub(super) fn report(name: &str, report: &Report<'_>, screen: &Screen) -> String {
    let mut text = String::new();
    summary(&mut text, name, report, screen);
    let width = report.values.iter().map(|(name, _)| name.chars().count());
    let width = width.filter(|w| *w <= WIDEST).max().unwrap_or(0);
    for (name, ty) in &report.values {
        let _ = writeln!(text, "  {name:width$}  {}", screen.green(ty));
    }
    conditions(&mut text, report, screen);
    dims(&mut text, report, screen);
    for one in &report.untyped {
        let place = place(&one.place);
        let _ = writeln!(text, "untyped[{UNTYPED}]: {place}: {}", one.why);
    }
    for problem in &report.problems {
        let diagnostic = &problem.diagnostic;
        let word = match diagnostic.severity {
            Severity::Error => screen.red(format!("error[{}]", diagnostic.code)),
            Severity::Warning => screen.bold(format!("warning[{}]", diagnostic.code)),
        };
        let _ = writeln!(text, "{word}: {}", diagnostic.headline);
        if let Some(node) = &problem.node {
            let _ = writeln!(text, "  --> {}", place(node));
        }
        for step in &diagnostic.steps {
            let _ = writeln!(text, "  = note: {step}");
        }
        for help in &diagnostic.help {
            let _ = writeln!(text, "  = help: {help}");
        }
    }
    text
}

fn summary(text: &mut String, name: &str, report: &Report<'_>, screen: &Screen) {
    let count = report.values.len();
    let unknown = report.values.iter().filter(|v| !is_typed(&v.1)).count();
    let values = match count {
        1 => "1 value".to_owned(),
        n => format!("{n} values"),
    };
    let typed = match unknown {
        0 => "all typed".to_owned(),
        n => format!("{n} not typed to the end"),
    };
    let verdict = word(report.verdict);
    let _ = writeln!(text, "{}: {values}, {typed}; {verdict}", screen.bold(name));
}

/// Is it known what it is, but for sizes that have a name?
fn is_typed(ty: &Type) -> bool {
    match ty.as_tensor() {
        Some(tensor) => {
            tensor.dtype.known().is_some()
                && tensor.shape.run().is_none()
                && !tensor.shape.dims().contains(&Dim::Hole)
        }
        None => !ty.is_unknown() && ty.parts().all(is_typed),
    }
}

fn conditions(text: &mut String, report: &Report<'_>, screen: &Screen) {
    for one in &report.conditions {
        let of = match &one.node {
            Some(node) => {
                let nodes = std::iter::once(node).chain(&one.others).map(place);
                let nodes: Vec<String> = nodes.collect();
                screen.grey(format!("  asked for by {}", nodes.join(" and ")))
            }
            None => screen.grey("  given"),
        };
        let _ = writeln!(text, "where {}{of}", one.condition);
        if let Some(sizes) = sizes(one.holds.as_ref(), one.fails.as_ref()) {
            let _ = writeln!(text, "{}", screen.grey(format_args!("      {sizes}")));
        }
    }
}

/// `holds for n = 3, not for n = 1`.
pub(crate) fn sizes(holds: Option<&Sizes>, fails: Option<&Sizes>) -> Option<String> {
    match (holds, fails) {
        (Some(holds), Some(fails)) => Some(format!("holds for {holds}, not for {fails}")),
        (Some(holds), None) => Some(format!("holds for {holds}")),
        (None, Some(fails)) => Some(format!("does not hold for {fails}")),
        (None, None) => None,
    }
}

fn dims(text: &mut String, report: &Report<'_>, screen: &Screen) {
    for dim in &report.dims {
        let of = match &dim.node {
            Some(node) => format!("made by {}", place(node)),
            None => "an input's".to_owned(),
        };
        let turns = match dim.depends_on.is_empty() {
            true => String::new(),
            false => {
                let names: Vec<&str> = dim.depends_on.iter().map(|n| n.as_str()).collect();
                format!(", tied to {}", names.join(", "))
            }
        };
        let first = format!("dim {} of {}: {of}{turns}", dim.axis, dim.value);
        let _ = writeln!(
            text,
            "open {}{}",
            dim.name,
            screen.grey(format!("  {first}"))
        );
    }
}

/// `Conv_3 (Conv, node 12)`.
fn place(place: &Place) -> String {
    format!("{} ({}, node {})", place.node, place.op, place.index)
}
