//! The ways in: one function for each kind of text.

use kanshape_diag::Diagnostic;
use std::str::FromStr;

use crate::MAX_TEXT;
use crate::code;
use crate::signature::check;
use crate::signature::failure;
use crate::signature::foreign;
use crate::signature::lex::{Lexer, Token};
use crate::tree::{Condition, Expr, Signature, Spanned, TypeText};

/// What one automaton reads; which of them, its first token says.
pub(crate) enum Text {
    Signature(Box<Signature>),
    Type(Box<TypeText>),
    Condition(Spanned<Condition>),
    Conditions(Vec<Spanned<Condition>>),
    Expr(Expr),
}

#[allow(
    clippy::all,
    clippy::unwrap_used,
    unreachable_pub,
    unused_extern_crates,
    reason = "generated code"
)]
#[rustfmt::skip]
#[path = "../generated/signature.rs"]
mod grammar;

/// Reads a signature; behind `einsum:` or `einops:` one in the notation of these.
pub fn parse_signature(text: &str) -> Result<Signature, Diagnostic> {
    let placed = |d| failure::place(d, Token::StartSignature, text);
    let labelled = foreign::labelled(text).transpose().map_err(placed)?;
    let signature = match labelled {
        Some(signature) => signature,
        None => match read(Token::StartSignature, text)? {
            Text::Signature(signature) => *signature,
            _ => unreachable!("the first token selects a signature"),
        },
    };
    check::signature(&signature)
        .and_then(|()| foreign::not_einsum(&signature, text))
        .map_err(|d| placed(foreign::mended(*d, Token::StartSignature, text)))?;
    Ok(signature)
}

/// Reads a type, with its conditions.
pub fn parse_type(text: &str) -> Result<TypeText, Diagnostic> {
    let Text::Type(ty) = read(Token::StartType, text)? else {
        unreachable!("the first token selects a type");
    };
    check::ty(&ty).map_err(|d| failure::place(*d, Token::StartType, text))?;
    Ok(*ty)
}

/// Reads one condition of a `where`.
pub fn parse_condition(text: &str) -> Result<Spanned<Condition>, Diagnostic> {
    let Text::Condition(condition) = read(Token::StartCondition, text)? else {
        unreachable!("the first token selects a condition");
    };
    Ok(condition)
}

/// ```
/// use kanshape_syntax::tree::Condition;
///
/// let condition: Condition = "1 <= n<=8".parse()?;
/// assert_eq!(condition.to_string(), "1 <= n <= 8");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
impl FromStr for Condition {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Condition, Diagnostic> {
        parse_condition(text).map(|condition| condition.node)
    }
}

/// Reads the conditions of a `where`, with `,` or `and` between them.
pub fn parse_conditions(text: &str) -> Result<Vec<Spanned<Condition>>, Diagnostic> {
    let Text::Conditions(conditions) = read(Token::StartConditions, text)? else {
        unreachable!("the first token selects conditions");
    };
    Ok(conditions)
}

/// Reads a dim as an expression.
pub fn parse_expr(text: &str) -> Result<Expr, Diagnostic> {
    let Text::Expr(expr) = read(Token::StartExpr, text)? else {
        unreachable!("the first token selects an expression");
    };
    Ok(expr)
}

/// Whether `text` is a signature or a type without a mistake.
pub(crate) fn is_right(start: Token<'_>, text: &str) -> bool {
    let parser = grammar::TextParser::new();
    match parser.parse(text, Lexer::new(start, text)) {
        Ok(Text::Signature(signature)) => check::signature(&signature).is_ok(),
        Ok(Text::Type(ty)) => check::ty(&ty).is_ok(),
        _ => false,
    }
}

/// Whether `text` can be read, whatever else is wrong with it.
pub(crate) fn reads(start: Token<'_>, text: &str) -> bool {
    let parser = grammar::TextParser::new();
    parser.parse(text, Lexer::new(start, text)).is_ok()
}

fn read(start: Token<'_>, text: &str) -> Result<Text, Diagnostic> {
    if text.len() > MAX_TEXT {
        let headline = format!("the text is longer than {MAX_TEXT} bytes");
        return Err(Diagnostic::new(code::TEXT_TOO_LONG, headline));
    }
    let parser = grammar::TextParser::new();
    parser
        .parse(text, Lexer::new(start, text))
        .map_err(|e| failure::explain(e, start, text))
}
