//! What differs, as text for people: `-` is of the first model, `+` of the second.

use std::fmt::{Display, Write};

use kanshape::Type;
use kanshape_onnx::{Difference, NodeText};

use crate::screen::Screen;
use kanshape_batch::model::short::short;

/// So many nodes and so many values are shown unless all are requested.
const MOST: usize = 20;

/// First what a user of the models meets, inputs, outputs and conditions; then nodes, and values between.
pub(super) fn text(
    names: &[String; 2],
    found: &Difference,
    is_port: impl Fn(&str) -> bool,
    is_all: bool,
    screen: &Screen,
) -> String {
    let mut text = String::new();
    let [first, second] = names;
    if found.is_none() {
        let same = match found.across {
            true => "the same sizes",
            false => "the same nodes and types",
        };
        let other = other_names(found.renamed);
        let _ = writeln!(text, "{first} and {second}: {same}{other}");
        return text;
    }
    let pair = |what: &str, old: Option<String>, new: Option<String>, text: &mut String| {
        let _ = writeln!(text, "{}", screen.bold(what));
        if let Some(old) = old {
            let _ = writeln!(text, "{}", screen.red(format_args!("- {old}")));
        }
        if let Some(new) = new {
            let _ = writeln!(text, "{}", screen.green(format_args!("+ {new}")));
        }
    };
    if let Some([own, other]) = &found.ports {
        if own.inputs != other.inputs {
            let [own, other] = [own, other].map(|ports| Some(ports.inputs.join(", ")));
            pair("inputs", own, other, &mut text);
        }
        if own.outputs != other.outputs {
            let [own, other] = [own, other].map(|ports| Some(ports.outputs.join(", ")));
            pair("outputs", own, other, &mut text);
        }
    }
    let value = |(name, old, new): &(String, Option<Type>, Option<Type>), text: &mut String| {
        let [old, new] = [old, new].map(|ty| ty.as_ref().map(short));
        pair(&format!("value {name}"), old, new, text);
    };
    let (ports, values): (Vec<_>, Vec<_>) =
        found.values.iter().partition(|(name, ..)| is_port(name));
    ports.into_iter().for_each(|one| value(one, &mut text));
    for one in &found.sizes {
        let _ = writeln!(text, "{one}");
    }
    let [old, new] = &found.conditions;
    if !(old.is_empty() && new.is_empty()) {
        let _ = writeln!(text, "{}", screen.bold("where"));
        lines(old, |one| screen.red(format_args!("- {one}")), &mut text);
        lines(new, |one| screen.green(format_args!("+ {one}")), &mut text);
    }
    // What one model alone has is given by a node that it alone has.
    let values = values
        .into_iter()
        .filter(|(_, old, new)| is_all || old.is_some() && new.is_some());
    let values: Vec<_> = values.collect();
    let most = if is_all { usize::MAX } else { MOST };
    for (old, new) in found.nodes.iter().take(most) {
        if let Some(node) = old.as_ref().or(new.as_ref()) {
            let what = format!("node {}", node.place.node);
            let [old, new] = [old, new].map(|node| node.as_ref().map(node_text));
            pair(&what, old, new, &mut text);
        }
    }
    values
        .iter()
        .take(most)
        .for_each(|one| value(one, &mut text));
    let left = [
        (found.nodes.len().saturating_sub(most), "node"),
        (values.len().saturating_sub(most), "value"),
    ];
    let left = left.into_iter().filter(|(n, _)| *n > 0);
    let left: Vec<String> = left.map(|(n, what)| count(n, what)).collect();
    if !left.is_empty() {
        let _ = writeln!(text, "and {} more: --all shows them", left.join(" and "));
    }
    let _ = writeln!(text, "{}", screen.bold(summary(names, found)));
    text
}

fn other_names(renamed: usize) -> String {
    match renamed {
        0 => String::new(),
        1 => "; 1 value has another name".to_owned(),
        n => format!("; {n} values have other names"),
    }
}

/// `1 node`, `3 nodes`.
fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

fn lines<T: Display>(all: &[T], line: impl Fn(&T) -> String, text: &mut String) {
    for one in all {
        let _ = writeln!(text, "{}", line(one));
    }
}

fn node_text(node: &NodeText) -> String {
    format!("{}: {}", node.place.index, node.text)
}

/// `a.onnx, b.onnx: 1 node and 3 values differ; 2 nodes only in a.onnx`.
fn summary([first, second]: &[String; 2], found: &Difference) -> String {
    let counts = |kind: [bool; 2]| {
        let nodes = found.nodes.iter();
        let nodes = nodes.filter(|(a, b)| [a.is_some(), b.is_some()] == kind);
        let values = found.values.iter();
        let values = values.filter(|(_, a, b)| [a.is_some(), b.is_some()] == kind);
        let counts = [(nodes.count(), "node"), (values.count(), "value")];
        let counts = counts.into_iter().filter(|(n, _)| *n > 0);
        let counts: Vec<String> = counts.map(|(n, what)| count(n, what)).collect();
        (!counts.is_empty()).then(|| counts.join(" and "))
    };
    let parts = [
        counts([true, true]).map(|both| format!("{both} differ")),
        counts([true, false]).map(|own| format!("{own} only in {first}")),
        counts([false, true]).map(|new| format!("{new} only in {second}")),
    ];
    let sizes = match found.sizes.len() {
        0 => None,
        1 => Some(format!("1 size differs in {second}")),
        n => Some(format!("{n} sizes differ in {second}")),
    };
    let parts: Vec<String> = parts.into_iter().flatten().chain(sizes).collect();
    let other = other_names(found.renamed);
    match parts.is_empty() {
        true => format!("{first}, {second}: the conditions, inputs or outputs differ{other}"),
        false => format!("{first}, {second}: {}{other}", parts.join("; ")),
    }
}
