//! What is wrong with a model, each with the node that it is about.

use kanshape::diag::Source;
use kanshape::{Diagnostic, diag::Severity};
use kanshape_onnx::{Place, Report, Untyped, code::UNTYPED};

use super::nodes::place;

/// The most nodes of which nothing is known for one reason that are named.
const NAMED: usize = 5;

/// The mistakes and warnings of a report, errors first.
pub(in crate::check) fn diagnostics(report: &Report<'_>) -> Vec<Diagnostic> {
    let problems = report.problems.iter();
    let mut all: Vec<Diagnostic> = problems
        .map(|p| match &p.node {
            Some(node) => at(p.diagnostic.clone(), node),
            None => p.diagnostic.clone(),
        })
        .collect();
    // Of a node that is wrong, nothing is known either.
    let is_wrong = |own: &Place| problems_of(report).any(|node| node == own);
    all.extend(untyped(
        report.untyped.iter().filter(|one| !is_wrong(&one.place)),
    ));
    all.sort_by_key(|d| d.severity != Severity::Error);
    all
}

/// The nodes that are wrong.
pub(super) fn problems_of<'r>(report: &'r Report<'_>) -> impl Iterator<Item = &'r Place> {
    let errors = report.problems.iter();
    let errors = errors.filter(|p| p.diagnostic.severity == Severity::Error);
    errors.filter_map(|p| p.node.as_ref())
}

/// The nodes of which nothing is known, one for each reason.
fn untyped<'r>(all: impl Iterator<Item = &'r Untyped>) -> Vec<Diagnostic> {
    let mut reasons: Vec<(&Untyped, Vec<&Place>, Vec<&str>)> = Vec::new();
    for one in all {
        let declared = one.declared.iter().map(String::as_str);
        match reasons.iter_mut().find(|(own, ..)| own.why == one.why) {
            Some((_, places, all)) => {
                places.push(&one.place);
                all.extend(declared);
            }
            None => reasons.push((one, vec![&one.place], declared.collect())),
        }
    }
    let of_reason = |(own, places, declared): (&Untyped, Vec<&Place>, Vec<&str>)| {
        let problem = Diagnostic::new(UNTYPED, &own.why);
        let problem = match own.is_wrong {
            true => problem,
            false => problem.as_warning(),
        };
        let mut one = at(problem, places[0]);
        if !declared.is_empty() {
            let named: Vec<&str> = declared.iter().take(NAMED).copied().collect();
            let more = match declared.len() - named.len() {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            let as_declared = format!(
                "as the model declares them, whether that is true or not: {}{more}",
                named.join(", ")
            );
            one = one.with_step(as_declared);
        }
        let others = &places[1..];
        if !others.is_empty() {
            let named: Vec<&str> = others.iter().take(NAMED).map(|p| &*p.node).collect();
            let more = match others.len() - named.len() {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            one = one.with_step(format!("so it is with {}{more}", named.join(", ")));
        }
        one
    };
    reasons.into_iter().map(of_reason).collect()
}

/// With the node in place of the text of its operator's rule. Labels of places in that text become notes.
fn at(mut one: Diagnostic, node: &Place) -> Diagnostic {
    let labels = one.labels.drain(..).map(|label| label.text);
    let labels: Vec<String> = labels.filter(|text| !text.is_empty()).collect();
    one.steps.splice(..0, labels);
    one.source = Some(Source {
        name: place(node),
        text: String::new(),
    });
    one
}
