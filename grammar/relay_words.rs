//! The words of Relay's text format. `cargo xtask parsers` makes the lexer of them that the library has.

use logos::Lexer;

/// A word of a program.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
pub(crate) enum Token<'input> {
    /// What a name is, and a keyword is. `word` says which word it is, so that nobody meets this one.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*(::[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*)*", word)]
    Word,
    Name(&'input str),
    /// A name with `<` directly behind it: type arguments follow.
    #[regex(r"@?[A-Za-z_][A-Za-z0-9_.]*<", |lex| lex.slice().trim_end_matches('<'))]
    Generic(&'input str),
    #[regex(r"%[A-Za-z_][A-Za-z0-9_]*|%[0-9]+", |lex| &lex.slice()[1..])]
    Local(&'input str),
    #[regex(r"@[A-Za-z_][A-Za-z0-9_.]*", |lex| &lex.slice()[1..])]
    Global(&'input str),
    #[regex(r"\?[A-Za-z0-9_]+", |lex| &lex.slice()[1..])]
    NamedHole(&'input str),
    #[regex(r"'[A-Za-z0-9_]+", |lex| &lex.slice()[1..])]
    Rigid(&'input str),
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?([a-z]+[0-9]*)?")]
    Number(&'input str),
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text(&'input str),
    #[regex(r"meta\[[A-Za-z0-9_.]+\]\[[0-9]+\]")]
    Meta(&'input str),
    #[regex(r#"#\[version = "[^"\r\n]*"\]"#)]
    Version(&'input str),
    /// A comment begins, in which others may be.
    #[token("/*")]
    Comment,
    /// What follows is JSON, and not read.
    #[token("#[metadata]")]
    Metadata,

    // `keyword` says how they are written.
    Underscore,
    Def,
    Fn,
    Let,
    If,
    Else,
    Match,
    #[token("match?")]
    MatchPartial,
    Type,
    Data,
    Extern,
    Forall,
    Where,
    Tensor,
    True,
    False,

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
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("..")]
    Rest,
    #[token(".")]
    Dot,
    #[token("?")]
    Question,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    /// The rest of a line is a comment, but in a shape.
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

    // The first word says what the text is. Nobody writes these: the reader puts them there.
    OnlyProgram,
    OnlyType,
    OnlyPattern,
    OnlyExpr,
}

/// The word that this name is, if it is one of the language.
fn keyword(name: &str) -> Option<Token<'static>> {
    Some(match name {
        "_" => Token::Underscore,
        "def" => Token::Def,
        "fn" => Token::Fn,
        "let" => Token::Let,
        "if" => Token::If,
        "else" => Token::Else,
        "match" => Token::Match,
        "type" => Token::Type,
        "data" => Token::Data,
        "extern" => Token::Extern,
        "forall" => Token::Forall,
        "where" => Token::Where,
        "Tensor" => Token::Tensor,
        "True" => Token::True,
        "False" => Token::False,
        _ => return None,
    })
}

/// A name or a keyword.
fn word<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Token<'input> {
    let name = lexer.slice();
    keyword(name).unwrap_or(Token::Name(name))
}
