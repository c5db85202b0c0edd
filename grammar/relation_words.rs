//! The words of files of relations. `cargo xtask parsers` makes the lexer of them that the library has.

use crate::name;
use logos::Lexer;

/// A word of the relation language.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
pub(crate) enum Token<'input> {
    /// `/// ...` up to the end of the line; without the slashes.
    #[regex(r"///[^\n]*", |lex| &lex.slice()[3..], allow_greedy = true)]
    Doc(&'input str),
    /// What begins as a name does. `word` says which word it is, so that nobody meets this one.
    #[regex(r"[A-Za-z_]|[^\x00-\x7F]", word)]
    Word,
    Name(&'input str),
    /// The name of an operator behind that of its domain.
    Qualified(&'input str),
    #[regex(r"[0-9]+")]
    Int(&'input str),
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Float(&'input str),
    /// A text as written, with its quotes.
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text(&'input str),

    // `keyword` says how they are written.
    Underscore,
    False,
    For,
    In,
    None,
    True,

    // These are names wherever they begin nothing.
    Domain,
    Op,
    Rule,
    Const,
    Since,
    Type,

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
    #[token(":-")]
    Neck,
    #[token("->")]
    Arrow,
    #[token("=>")]
    Implies,
    #[token("<=>")]
    Equivalent,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("..")]
    #[token("...")]
    Rest,
    #[token(".")]
    Stop,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
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

    // The first word of a text that is one piece of a file. Nobody writes these: the reader puts them there.
    OnlyRule,
    OnlyLeaf,

    // What other languages write. The grammar has none of these, so the parser stops at them,
    // and `near_miss` says what is written here instead.
    #[token("&")]
    #[token("&&")]
    And,
    #[token("|")]
    #[token("||")]
    Or,
    #[token("\\+")]
    Not,
    #[token(":=")]
    Becomes,
}

/// The word that this name is, if it is one of the language.
fn keyword(name: &str) -> Option<Token<'static>> {
    Some(match name {
        "_" => Token::Underscore,
        "false" => Token::False,
        "for" => Token::For,
        "in" => Token::In,
        "none" => Token::None,
        "true" => Token::True,
        "domain" => Token::Domain,
        "op" => Token::Op,
        "rule" => Token::Rule,
        "const" => Token::Const,
        "since" => Token::Since,
        "type" => Token::Type,
        "and" => Token::And,
        "or" => Token::Or,
        "not" => Token::Not,
        _ => return None,
    })
}

/// A name, a keyword or the name of an operator behind that of its domain, whose first character has been read.
fn word<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Result<Token<'input>, ()> {
    let name = name::read(lexer)?;
    if let Some(qualified) = name::qualified(&lexer.source()[lexer.span().start..]) {
        lexer.bump(qualified.len() - name.len());
        return Ok(Token::Qualified(qualified));
    }
    Ok(keyword(name).unwrap_or(Token::Name(name)))
}
