//! The way in.

use kanshape_diag::Diagnostic;

use super::failure;
use super::lex::{Lexer, Token};
use super::{Entry, Item, Module, Piece};
use crate::code;
use crate::problem;
use crate::tree::Span;

#[allow(
    clippy::all,
    clippy::unwrap_used,
    unreachable_pub,
    unused_extern_crates,
    reason = "generated code"
)]
#[rustfmt::skip]
#[path = "../generated/stablehlo.rs"]
mod grammar;

/// How many bytes a module may have.
const MAX_MODULE: usize = 256 << 20;

/// What has been read of a text.
pub(crate) enum Parsed {
    Module(Vec<Item>),
    Types(Vec<Piece>),
    Entries(Vec<Entry>),
    Pieces(Vec<Piece>),
}

/// Reads a module in MLIR's text: in the generic form, or as StableHLO and JAX print it.
///
/// # Errors
///
/// The first mistake, with its place in `text`.
///
/// ```
/// use kanshape_syntax::parse_stablehlo;
///
/// let text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
///   %0 = stablehlo.tanh   %x : tensor<?xf32>
///   return %0 : tensor<?xf32>
/// }";
/// let module = parse_stablehlo(text)?;
/// assert!(module.to_string().contains("%0 = stablehlo.tanh %x : tensor<?xf32>\n"));
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
pub fn parse_stablehlo(text: &str) -> Result<Module, Diagnostic> {
    if text.len() > MAX_MODULE {
        let at = Span::new(MAX_MODULE, MAX_MODULE);
        let headline = format!("a module of more than {MAX_MODULE} bytes");
        return Err(problem::new(code::TEXT_TOO_LONG, headline, at, ""));
    }
    match read(Token::OnlyModule, text)? {
        Parsed::Module(items) => Ok(Module::new(text, items)),
        _ => Ok(Module::new(text, Vec::new())),
    }
}

/// Types with commas between; none of what can't be read.
pub(super) fn types(text: &str) -> Option<Vec<Piece>> {
    match read(Token::OnlyTypes, text) {
        Ok(Parsed::Types(types)) => Some(types),
        _ => None,
    }
}

/// What stands in braces.
pub(super) fn entries(text: &str) -> Option<Vec<Entry>> {
    match read(Token::OnlyEntries, text) {
        Ok(Parsed::Entries(entries)) => Some(entries),
        _ => None,
    }
}

/// What stands in brackets.
pub(super) fn pieces(text: &str) -> Option<Vec<Piece>> {
    match read(Token::OnlyPieces, text) {
        Ok(Parsed::Pieces(pieces)) => Some(pieces),
        _ => None,
    }
}

fn read(first: Token<'_>, text: &str) -> Result<Parsed, Diagnostic> {
    grammar::TextParser::new()
        .parse(Lexer::new(first, text))
        .map_err(|e| failure::explain(e, text))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_module_need_not_have_a_name() {
        let function = "{\n  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n    return %x : tensor<2xf32>\n  }\n}\n";
        for head in [
            "module ",
            "module @m ",
            "module attributes {a.b = 1 : i32} ",
            "module @m attributes {a.b = 1 : i32} ",
        ] {
            let module = parse_stablehlo(&format!("{head}{function}")).unwrap();
            assert_eq!(module.functions().len(), 1, "{head}");
            let printed = module.to_string();
            assert!(printed.starts_with(&format!("{head}{{\n")), "{printed}");
            assert_eq!(parse_stablehlo(&printed).unwrap().to_string(), printed);
        }
    }
}
