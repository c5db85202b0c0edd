//! The words of signatures and types. `cargo xtask parsers` makes the lexer of them that the library has.

use crate::name;
use logos::Lexer;

/// A word of the language.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
pub(crate) enum Token<'input> {
    // Not written by anybody: the lexer's first token says which text is wanted.
    StartSignature,
    StartType,
    StartCondition,
    StartConditions,
    StartExpr,

    /// What begins as a name does. `word` says which word it is, so that nobody meets this one.
    #[regex(r"[A-Za-z_]|[^\x00-\x7F]", word)]
    Word,
    Name(&'input str),
    #[regex(r"[0-9]+")]
    Int(&'input str),
    #[regex(r"[0-9]+(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)")]
    Float(&'input str),
    /// With its quotes.
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text(&'input str),
    /// `...r`; without the dots.
    Run(&'input str),

    // `keyword` says how they are written.
    And,
    Dim,
    Dtype,
    Fn,
    Forall,
    In,
    Promote,
    PromotedDtype,
    MlirTensor,
    Tensor,
    TensorType,
    Tuple,
    Type,
    Kind,
    Where,

    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("->")]
    Arrow,
    #[token("=>")]
    FatArrow,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("...", run)]
    Dots,
    #[token(".")]
    Dot,
    #[token("?")]
    Question,
    #[token("|")]
    Bar,
    #[token("@")]
    At,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("//")]
    SlashSlash,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("=")]
    Equals,
    #[token("==")]
    EqualsEquals,
    #[token("!=")]
    NotEquals,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEquals,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEquals,
}

/// The word that this name is, if it is one of the language.
fn keyword(name: &str) -> Option<Token<'static>> {
    Some(match name {
        "and" => Token::And,
        "dim" => Token::Dim,
        "dtype" => Token::Dtype,
        "fn" => Token::Fn,
        "forall" => Token::Forall,
        "in" => Token::In,
        "promote" => Token::Promote,
        "PromotedDType" => Token::PromotedDtype,
        "tensor" => Token::MlirTensor,
        "Tensor" => Token::Tensor,
        "TensorType" => Token::TensorType,
        "tuple" => Token::Tuple,
        "type" => Token::Type,
        "Type" => Token::Kind,
        "where" => Token::Where,
        _ => return None,
    })
}

/// A name or a keyword, whose first character has been read.
fn word<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Result<Token<'input>, ()> {
    let name = name::read(lexer)?;
    Ok(keyword(name).unwrap_or(Token::Name(name)))
}

/// The dots of a run, with the name behind them if there is one.
fn run<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Token<'input> {
    let name = name::first(lexer.remainder());
    lexer.bump(name.len());
    if name.is_empty() { Token::Dots } else { Token::Run(name) }
}
