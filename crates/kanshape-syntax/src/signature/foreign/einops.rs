//! `b h w -> b (h w)`: a word is an axis, and a parenthesis a product of some.

use logos::Logos;

use super::Mistake;
use super::axes::{Axes, Axis, Text};
use crate::signature::lex::Token;
use crate::signature::scene::is_word;
use crate::tree::{Span, Spanned};

const WORDS: &str =
    "axes are words, `1` and `...`, in parentheses those of one dim: `einops: b h w -> b (h w)`";

/// Reads what begins at `from`.
pub(super) fn read(text: &str, from: usize) -> Result<Text, Mistake> {
    let mut inputs = Vec::new();
    let mut outputs = Vec::new();
    let mut arrow = false;
    let mut axes = Axes {
        list: Vec::new(),
        span: Span::new(from, from),
    };
    let mut group: Option<(usize, Vec<Spanned<Axis>>)> = None;
    let mistake = |headline: String, at: Span| Mistake {
        headline,
        at,
        help: WORDS,
    };
    for (word, at) in Token::lexer(&text[from..]).spanned() {
        let at = Span::new(from + at.start, from + at.end);
        let written = &text[at.start..at.end];
        let axis = match word {
            Ok(Token::LeftParen) if group.is_none() => {
                group = Some((at.start, Vec::new()));
                continue;
            }
            Ok(Token::RightParen) if group.is_some() => match group.take() {
                Some((start, inner)) => Spanned::new(Axis::Group(inner), Span::new(start, at.end)),
                None => continue,
            },
            Ok(Token::Comma | Token::Arrow)
                if group.is_none() && !(arrow && word == Ok(Token::Arrow)) =>
            {
                let next = Axes {
                    list: Vec::new(),
                    span: Span::new(at.end, at.end),
                };
                let done = std::mem::replace(&mut axes, next);
                if arrow { &mut outputs } else { &mut inputs }.push(done);
                arrow |= word == Ok(Token::Arrow);
                continue;
            }
            Ok(Token::Dots) => Spanned::new(Axis::Run, at),
            Ok(Token::Int("1")) => Spanned::new(Axis::One, at),
            Ok(_) if is_word(written) => {
                let name = Spanned::new(written.into(), at);
                Spanned::new(Axis::Name(name), at)
            }
            _ => return Err(mistake(format!("`{written}` is no axis of einops"), at)),
        };
        match &mut group {
            Some((_, inner)) => inner.push(axis),
            None => {
                let start = if axes.list.is_empty() {
                    at.start.min(axis.span.start)
                } else {
                    axes.span.start
                };
                axes.span = Span::new(start, at.end);
                axes.list.push(axis);
            }
        }
    }
    let end = Span::new(text.len(), text.len());
    if let Some((start, _)) = group {
        return Err(mistake(
            "`(` is never closed".to_owned(),
            Span::new(start, start + 1),
        ));
    }
    if !arrow {
        return Err(mistake("a text of einops needs `->`".to_owned(), end));
    }
    outputs.push(axes);
    let text = Text { inputs, outputs };
    // `einsum` of einops takes a diagonal, `rearrange` does not.
    for axes in &text.outputs {
        let names = axes.names();
        let twice = names
            .iter()
            .enumerate()
            .find(|(i, name)| names[..*i].contains(name));
        if let Some((_, name)) = twice {
            return Err(mistake(
                format!("the axis `{}` stands twice in the output", name.node),
                name.span,
            ));
        }
    }
    Ok(text)
}

/// Whether a text without a label is one of einops: words side by side, which come from the inputs, and in
/// parentheses two or more.
pub(super) fn is_likely(text: &Text) -> bool {
    let all = || text.inputs.iter().chain(&text.outputs);
    let is_name = |axis: &Spanned<Axis>| matches!(axis.node, Axis::Name(_));
    let beside = |axes: &Axes| axes.list.windows(2).any(|two| two.iter().any(is_name));
    let alone = |axis: &Spanned<Axis>| matches!(&axis.node, Axis::Group(inner) if inner.len() == 1);
    let known: Vec<_> = text.inputs.iter().flat_map(Axes::names).collect();
    // A word that touches a parenthesis is no axis, but a call or a dtype.
    let touch = |axes: &Axes| {
        axes.list
            .windows(2)
            .any(|two| two[0].span.end == two[1].span.start)
    };
    all().any(beside)
        && !all().any(touch)
        && !all().any(|axes| axes.list.is_empty() || axes.list.iter().any(alone))
        && text
            .outputs
            .iter()
            .flat_map(Axes::names)
            .all(|name| known.contains(&name))
}
