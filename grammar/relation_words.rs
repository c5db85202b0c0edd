//! The words of files of relations. `cargo xtask parsers` makes the lexer of them that the library has.

/// A word of the relation language.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip(r"#[^\n]*", allow_greedy = true))]
pub(crate) enum Token<'input> {
    /// `/// ...` up to the end of the line; without the slashes.
    #[regex(r"///[^\n]*", |lex| &lex.slice()[3..], allow_greedy = true)]
    Doc(&'input str),
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Name(&'input str),
    /// The name of an operator behind that of its domain.
    #[regex(r"[\p{XID_Start}_][\p{XID_Continue}.]*::[\p{XID_Start}_][\p{XID_Continue}.]*")]
    Qualified(&'input str),
    #[regex(r"[0-9]+")]
    Int(&'input str),
    #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Float(&'input str),
    /// A text as written, with its quotes.
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text(&'input str),

    #[token("_", priority = 10)]
    Underscore,
    #[token("false")]
    False,
    #[token("for")]
    For,
    #[token("in")]
    In,
    #[token("none")]
    None,
    #[token("true")]
    True,

    // These are names wherever they begin nothing.
    #[token("domain")]
    Domain,
    #[token("op")]
    Op,
    #[token("rule")]
    Rule,
    #[token("const")]
    Const,
    #[token("since")]
    Since,
    #[token("type")]
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
    #[token("and")]
    #[token("&")]
    #[token("&&")]
    And,
    #[token("or")]
    #[token("|")]
    #[token("||")]
    Or,
    #[token("not")]
    #[token("!")]
    #[token("\\+")]
    Not,
    #[token(":=")]
    Becomes,
}
