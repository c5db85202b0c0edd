//! Signatures in texts.

use kanshape_diag::Diagnostic;

use super::failure::Read;
use super::{Goal, Term};
use crate::code;
use crate::problem::{self, refuse};
use crate::signature::parse::parse_signature;
use crate::text::{place, read};
use crate::tree::{Signature, Span, Spanned};

/// A text that is a signature, and the signature.
pub(crate) fn of_signature<'i>(raw: &str, at: Span) -> Read<'i, (Spanned<Box<str>>, Signature)> {
    let text = read(raw, at)?;
    let signature = parse_signature(&text).map_err(|d| refuse(shifted(d, raw, at)))?;
    Ok((Spanned::new(text, at), signature))
}

/// A signature as a goal about its operands.
pub(crate) fn signature<'i>(raw: &str, at: Span, args: Vec<Spanned<Term>>) -> Read<'i, Goal> {
    let (text, signature) = of_signature(raw, at)?;
    let (inputs, outputs) = (signature.inputs.len(), signature.outputs.len());
    if args.len() != inputs + outputs {
        return Err(refuse(
            problem::new(
                code::OPERAND_COUNT,
                format!(
                    "the signature has {} operands, and here are {}",
                    inputs + outputs,
                    args.len()
                ),
                at,
                format!("inputs: {inputs}, outputs: {outputs}"),
            )
            .with_help("behind it stand all inputs, and then all outputs"),
        ));
    }
    Ok(Goal::Signature(text, args))
}

/// The diagnostic about a text, about the text as it is written between its quotes.
fn shifted(mut d: Diagnostic, raw: &str, at: Span) -> Diagnostic {
    for label in &mut d.labels {
        let empty = label.start == label.end;
        label.start = place(raw, at, label.start);
        label.end = if empty {
            label.start
        } else {
            place(raw, at, label.end)
        };
    }
    d
}
