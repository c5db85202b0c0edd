//! The way in.

use kanshape_diag::Diagnostic;

use super::failure;
use super::lex::{Lexer, Token};
use super::{ExprId, Pattern, Program, Type};
use crate::code;
use crate::problem;
use crate::tree::{Span, Spanned};

#[allow(
    clippy::all,
    clippy::unwrap_used,
    unreachable_pub,
    unused_extern_crates,
    reason = "generated code"
)]
mod grammar {
    lalrpop_util::lalrpop_mod!(generated, "/relay.rs");
    pub(super) use generated::TextParser;
}

/// How many bytes a program may have.
const MAX_PROGRAM: usize = 64 << 20;

/// What has been read of a text.
pub(crate) enum Parsed {
    Program,
    Type(Spanned<Type>),
    Pattern(Spanned<Pattern>),
    Expr(ExprId),
}

/// Reads a program in Relay's text format: definitions, or an expression.
///
/// # Errors
///
/// The first mistake, with its place in `text`.
///
/// ```
/// use kanshape_syntax::parse_relay_program;
///
/// let program = parse_relay_program("def @main(%x: float32) { log( %x) }")?;
/// assert_eq!(program.to_string(), "def @main(%x: float32) {\n  log(%x)\n}\n");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
pub fn parse_relay_program(text: &str) -> Result<Program, Diagnostic> {
    read(Token::OnlyProgram, "program", text).map(|read| read.0)
}

/// Reads a type of Relay.
///
/// # Errors
///
/// The first mistake, with its place in `text`.
///
/// ```
/// use kanshape_syntax::parse_relay_type;
///
/// let ty = parse_relay_type("fn (Tensor[(2,n , ?),float32]) -> List[ ( ) ]")?;
/// assert_eq!(ty.to_string(), "fn (Tensor[(2, n, ?), float32]) -> List[()]");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
pub fn parse_relay_type(text: &str) -> Result<Type, Diagnostic> {
    match read(Token::OnlyType, "type", text)?.1 {
        Parsed::Type(ty) => Ok(ty.node),
        _ => Err(not_this("type", text)),
    }
}

/// Reads a pattern of a `match`.
///
/// # Errors
///
/// The first mistake, with its place in `text`.
pub fn parse_relay_pattern(text: &str) -> Result<Pattern, Diagnostic> {
    match read(Token::OnlyPattern, "pattern", text)?.1 {
        Parsed::Pattern(pattern) => Ok(pattern.node),
        _ => Err(not_this("pattern", text)),
    }
}

/// Reads an expression: the program has no definitions, and the expression is its [`Program::main`].
///
/// # Errors
///
/// The first mistake, with its place in `text`.
pub fn parse_relay_expr(text: &str) -> Result<Program, Diagnostic> {
    match read(Token::OnlyExpr, "expression", text)? {
        (mut program, Parsed::Expr(id)) => {
            program.main = Some(id);
            Ok(program)
        }
        _ => Err(not_this("expression", text)),
    }
}

fn read(first: Token<'_>, what: &str, text: &str) -> Result<(Program, Parsed), Diagnostic> {
    if text.len() > MAX_PROGRAM {
        let at = Span::new(MAX_PROGRAM, MAX_PROGRAM);
        let headline = format!("a {what} of more than {MAX_PROGRAM} bytes");
        return Err(problem::new(code::TEXT_TOO_LONG, headline, at, ""));
    }
    let mut program = Program::default();
    grammar::TextParser::new()
        .parse(text, &mut program, Lexer::new(first, text))
        .map_err(|e| failure::explain(e, what, text))
        .map(|parsed| (program, parsed))
}

fn not_this(what: &str, text: &str) -> Diagnostic {
    let at = Span::new(0, text.len());
    problem::new(code::UNEXPECTED, format!("no {what}"), at, "").with_source(what, text)
}
