//! `ij,jk->ik`: a letter is an axis.

use super::Mistake;
use super::axes::{Axes, Axis, Text};
use crate::tree::{Span, Spanned};

const LETTERS: &str = "an axis of einsum is one letter: `einsum: ij,jk->ik`";

/// Reads what begins at `from`. Without an arrow, the output has the letters that stand once, in order of the alphabet.
pub(super) fn read(text: &str, from: usize) -> Result<Text, Mistake> {
    let written = &text[from..];
    let (inputs, outputs) = match written.split_once("->") {
        Some((inputs, _)) => (inputs, Some(from + inputs.len() + "->".len())),
        None => (written, None),
    };
    let mut at = from;
    let mut list = Vec::new();
    for operand in inputs.split(',') {
        list.push(axes(text, Span::new(at, at + operand.len()))?);
        at += operand.len() + 1;
    }
    let output = match outputs {
        Some(from) => {
            let output = axes(text, Span::new(from, text.len()))?;
            let names = output.names();
            let twice = names
                .iter()
                .enumerate()
                .find(|(i, name)| names[..*i].contains(name));
            if let Some((_, name)) = twice {
                return Err(Mistake {
                    headline: format!("the axis `{}` stands twice in the output", name.node),
                    at: name.span,
                    help: "each axis of an output stands there once",
                });
            }
            output
        }
        None => implicit(&list, text.len()),
    };
    Ok(Text {
        inputs: list,
        outputs: vec![output],
    })
}

fn axes(text: &str, at: Span) -> Result<Axes, Mistake> {
    let written = &text[at.start..at.end];
    let start = at.start + (written.len() - written.trim_start().len());
    let span = Span::new(start, start + written.trim().len());
    let mut list: Vec<Spanned<Axis>> = Vec::new();
    let mut rest = &text[span.start..span.end];
    while let Some(c) = rest.chars().next() {
        let from = span.end - rest.len();
        let mistake = |headline: String, help| {
            let at = Span::new(from, from + c.len_utf8());
            Err(Mistake { headline, at, help })
        };
        let len = if rest.starts_with("...") {
            3
        } else {
            c.len_utf8()
        };
        let at = Span::new(from, from + len);
        if rest.starts_with("...") {
            if list.iter().any(|axis| matches!(axis.node, Axis::Run)) {
                return mistake("an operand has one `...`".to_owned(), LETTERS);
            }
            list.push(Spanned::new(Axis::Run, at));
        } else if c.is_ascii_alphabetic() {
            let name = Spanned::new(c.to_string().into(), at);
            list.push(Spanned::new(Axis::Name(name), at));
        } else if !c.is_whitespace() {
            return mistake(format!("`{c}` is no axis of einsum"), LETTERS);
        }
        rest = &rest[len..];
    }
    Ok(Axes { list, span })
}

fn implicit(inputs: &[Axes], end: usize) -> Axes {
    let at = Span::new(end, end);
    let all: Vec<_> = inputs.iter().flat_map(Axes::names).collect();
    let count = |name: &&crate::tree::Ident| all.iter().filter(|other| *other == name).count();
    let mut once: Vec<_> = all.iter().filter(|name| count(name) == 1).collect();
    once.sort_by(|a, b| a.node.cmp(&b.node));
    let run = inputs.iter().any(|axes| axes.run().is_some());
    let run = run.then(|| Spanned::new(Axis::Run, at));
    let named = once.into_iter().map(|name| {
        let name = Spanned::new(name.node.clone(), at);
        Spanned::new(Axis::Name(name), at)
    });
    Axes {
        list: run.into_iter().chain(named).collect(),
        span: at,
    }
}

/// Whether a text of words alone is one of einsum: its letters say something, which as names of types they do not.
///
/// A name of a type that stands in an input and in the output says that they are the same: `A, A -> A`. So a word of the
/// output that no input has is what tells; where all are words of the inputs, they are small letters and the operands several.
pub(super) fn is_likely(text: &str) -> bool {
    /// No tensor of einsum has more axes in practice.
    const MOST: usize = 8;
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output.trim())),
        None => (text, None),
    };
    let inputs: Vec<&str> = inputs.split(',').map(str::trim).collect();
    let words = || inputs.iter().copied().chain(output);
    let letters = |word: &str| {
        word.strip_prefix("...")
            .map_or_else(|| word.to_owned(), str::to_owned)
    };
    let plain = |word: &str| {
        let letters = letters(word);
        let one_case = letters.bytes().all(|b| b.is_ascii_lowercase())
            || letters.bytes().all(|b| b.is_ascii_uppercase());
        one_case && letters.len() <= MOST
    };
    if !words().all(plain) || inputs.iter().any(|word| word.is_empty()) {
        return false;
    }
    let of_inputs: String = inputs.concat();
    let longest = words().map(|word| letters(word).len()).max();
    let small = of_inputs
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b == b'.');
    match output {
        // Without an arrow it is one if several operands have letters, one of them more than one.
        None => longest > Some(1) && inputs.len() > 1,
        Some("") => inputs.len() > 1 && small,
        Some(output) => {
            let known = letters(output).chars().all(|c| of_inputs.contains(c));
            let free = !inputs.contains(&output);
            known
                && longest > Some(1)
                && (free || (inputs.len() > 1 && small && longest <= Some(4)))
        }
    }
}
