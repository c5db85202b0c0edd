//! Graphs written as lines of text, which are easier to read than calls.
//!
//! `y, z = Split(x, i64[2] = [2, 3]) axis=1` is a node with two inputs, of which the second is a constant, with an
//! attribute and two outputs; `-` is an input that is left out. `x: f32[N, 4]` is an input of the graph.

use super::Model;
use kanshape::graph::ValueId;
use kanshape::{AttrValue, Verdict};
use std::collections::HashMap;

/// What stands between commas that are not in brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

fn attr(text: &str) -> AttrValue {
    if let Some(list) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        let members = list.split(',').filter(|m| !m.is_empty());
        return members.map(|m| m.parse::<i64>().unwrap()).collect();
    }
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(n), _) => n.into(),
        (_, Ok(x)) => x.into(),
        _ => text.into(),
    }
}

/// The model with these lines, and its values by name.
pub(crate) fn model(text: &str) -> (Model, HashMap<String, ValueId>) {
    let mut m = Model::new();
    let mut values = HashMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some((name, ty)) = line.split_once(": ") {
            values.insert(name.into(), m.value(ty));
            continue;
        }
        let (names, call) = line.split_once(" = ").unwrap();
        let (op, rest) = call.split_once('(').unwrap();
        let (args, attrs) = rest.rsplit_once(')').unwrap();
        let args = split(args).into_iter().filter(|arg| !arg.is_empty());
        let inputs: Vec<_> = args
            .map(|arg| match values.get(arg) {
                _ if arg == "-" => None,
                Some(value) => Some(*value),
                None => Some(m.value(arg)),
            })
            .collect();
        let attrs = attrs.split_whitespace().map(|given| {
            let (name, value) = given.split_once('=').unwrap();
            (name.into(), attr(value))
        });
        let names = split(names);
        let outputs = m.add(
            &format!("onnx::{op}"),
            &inputs,
            attrs.collect(),
            names.len(),
        );
        values.extend(names.into_iter().map(String::from).zip(outputs));
    }
    (m, values)
}

/// Text with a number in the place of each of these names.
fn with_sizes(text: &str, sizes: &[(&str, u64)]) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let size = sizes.iter().find(|(name, _)| *name == word);
        match size {
            Some((_, n)) => out.push_str(&n.to_string()),
            None => out.push_str(&word),
        }
        word.clear();
        out.push(c);
    }
    out.trim_end().into()
}

/// The value has this type whatever the sizes are, and for each of these sizes the graph says the same of numbers.
#[track_caller]
pub(crate) fn finds(text: &str, value: &str, ty: &str, sizes: &[&[(&str, u64)]]) {
    let (mut m, values) = model(text);
    let problems = m.graph.problems().map(|p| p.diagnostic.to_string());
    assert_eq!(problems.collect::<Vec<_>>(), [""; 0]);
    assert_eq!(m.ty(values[value]), ty);
    for sizes in sizes {
        let of_numbers = with_sizes(text, sizes);
        let (mut m, values) = model(&of_numbers);
        assert_eq!(m.graph.problems().len(), 0, "{sizes:?}");
        let expected = m.value(&with_sizes(ty, sizes));
        let (mut found, expected) = (m.graph.ty(values[value]), m.graph.ty(expected));
        // Of numbers, more may be known.
        if expected.contents().is_none() {
            found = found.with_contents(None);
        }
        assert_eq!(found, expected, "{sizes:?}");
        assert_ne!(m.verdict(), Verdict::Never);
    }
}
