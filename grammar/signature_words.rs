//! The words of signatures and types. `cargo xtask parsers` makes the lexer of them that the library has.

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

    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Name(&'input str),
    #[regex(r"[0-9]+")]
    Int(&'input str),
    #[regex(r"[0-9]+(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)")]
    Float(&'input str),
    /// With its quotes.
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text(&'input str),
    /// `...r`; without the dots.
    #[regex(r"\.\.\.[\p{XID_Start}_]\p{XID_Continue}*", |lex| &lex.slice()[3..])]
    Run(&'input str),

    #[token("and")]
    And,
    #[token("dim")]
    Dim,
    #[token("dtype")]
    Dtype,
    #[token("fn")]
    Fn,
    #[token("forall")]
    Forall,
    #[token("in")]
    In,
    #[token("promote")]
    Promote,
    #[token("PromotedDType")]
    PromotedDtype,
    #[token("tensor")]
    MlirTensor,
    #[token("Tensor")]
    Tensor,
    #[token("TensorType")]
    TensorType,
    #[token("tuple")]
    Tuple,
    #[token("type")]
    Type,
    #[token("Type")]
    Kind,
    #[token("where")]
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
    #[token("...")]
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
