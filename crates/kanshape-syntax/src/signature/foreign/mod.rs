//! Texts in the notation of other tools: those that are read behind a label, and those for which the right text is suggested.
//!
//! `einsum: ij,jk->ik` and `einops: b h w -> b (h w)` are signatures. Everything else is a mistake, and what would be right
//! is written out whole: a text is only proposed if it can be read.

mod axes;
mod einops;
mod einsum;
mod jaxtyping;
mod operands;
mod tensor;

use axes::{Sizes, Text};
use kanshape_diag::Diagnostic;

use crate::code;
use crate::problem;
use crate::signature::lex::Token;
use crate::signature::scene::Scene;
use crate::signature::{check, failure};
use crate::tree::{Pattern, Signature, Span, Type};

/// Whoever writes a label wants that notation.
const EINSUM: &str = "einsum:";
const EINOPS: &str = "einops:";
/// A longer text is not read again in another notation.
const LONGEST: usize = 1000;

/// A signature in the notation that its label names, if it has one.
pub(crate) fn labelled(text: &str) -> Option<Result<Signature, Diagnostic>> {
    let start = text.len() - text.trim_start().len();
    let label = [EINSUM, EINOPS]
        .into_iter()
        .find(|label| text[start..].starts_with(label))?;
    let from = start + label.len();
    let (read, lengths) = match label {
        EINSUM => (einsum::read(text, from), false),
        _ => (einops::read(text, from), true),
    };
    Some(
        read.and_then(|axes| axes.signature(Sizes::Stretched, lengths))
            .map_err(|mistake| {
                problem::new(code::BAD_FOREIGN, mistake.headline, mistake.at, "")
                    .with_help(mistake.help)
            }),
    )
}

/// What cannot be read in such a notation.
pub(crate) struct Mistake {
    pub(crate) headline: String,
    pub(crate) at: Span,
    pub(crate) help: &'static str,
}

/// That a signature of words alone is a text of einsum, which says nothing as types: `ij,jk->ik`.
pub(crate) fn not_einsum(signature: &Signature, text: &str) -> check::Checked {
    let named = |operand: &crate::tree::Operand| match &operand.pattern {
        Pattern::Type(ty) => matches!(ty.node, Type::Name(_)),
        Pattern::Shape(_) => false,
    };
    let plain = signature.params.is_empty()
        && signature.prefix.is_none()
        && signature.conditions.is_empty()
        && signature.variables.is_empty();
    if !plain || !signature.inputs.iter().chain(&signature.outputs).all(named) {
        return Ok(());
    }
    match einsum_alone(text) {
        Some(d) => Err(Box::new(d)),
        None => Ok(()),
    }
}

/// The diagnostic of a text that is no signature and no type, but a text of another notation.
pub(crate) fn meant(scene: &Scene<'_>) -> Option<Diagnostic> {
    if scene.text.len() > LONGEST {
        return None;
    }
    match scene.start {
        Token::StartSignature => einsum_alone(scene.text)
            .or_else(|| einops_alone(scene.text))
            .or_else(|| Some(failure::generic(scene).with_help(operands::meant(scene.text)?))),
        Token::StartType => Some(failure::generic(scene).with_help(tensor::meant(scene.text)?)),
        _ => None,
    }
}

/// With what would be right, where a word of another notation is why something cannot be read.
pub(crate) fn mended(mut d: Diagnostic, start: Token<'_>, text: &str) -> Diagnostic {
    let codes = [
        code::UNKNOWN_CHARACTER,
        code::UNKNOWN_FUNCTION,
        code::TWO_ROLES,
    ];
    if !codes.contains(&d.code) || text.len() > LONGEST {
        return d;
    }
    let help = match start {
        Token::StartSignature => operands::meant(text),
        Token::StartType => tensor::meant(text),
        _ => None,
    };
    if let Some(help) = help {
        d.help = vec![help];
    }
    d
}

/// A text of einsum without its label.
fn einsum_alone(text: &str) -> Option<Diagnostic> {
    if text.len() > LONGEST || !einsum::is_likely(text) {
        return None;
    }
    let axes = einsum::read(text, 0).ok()?;
    of_notation("einsum", EINSUM, text, (&axes, false))
}

/// A text of einops without its label.
fn einops_alone(text: &str) -> Option<Diagnostic> {
    let axes = einops::read(text, 0).ok()?;
    if !einops::is_likely(&axes) {
        return None;
    }
    of_notation("einops", EINOPS, text, (&axes, true))
}

fn of_notation(
    name: &str,
    label: &str,
    text: &str,
    (axes, lengths): (&Text, bool),
) -> Option<Diagnostic> {
    let meant = axes.signature(Sizes::Same, lengths).ok()?;
    let is_same = axes.signature(Sizes::Stretched, lengths).ok()? == meant;
    let or = match is_same {
        true => "or as a signature",
        false => "or, if no size of 1 is to be stretched, the signature",
    };
    let start = text.len() - text.trim_start().len();
    let trimmed = text.trim();
    let at = Span::new(start, start + trimmed.len());
    let headline = format!("this is the notation of {name}");
    let help = format!("write `{label} {trimmed}`, {or} `{meant}`");
    Some(problem::new(code::FOREIGN, headline, at, "").with_help(help))
}
