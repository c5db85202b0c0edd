//! The words of MLIR's text. `cargo xtask parsers` makes the lexer of them that the library has.

use logos::Lexer;

/// A word of a module.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Token<'input> {
    /// What an operation, an attribute or a keyword is called. `word` says which it is, so that nobody meets this one.
    #[regex(r"[A-Za-z_][A-Za-z0-9_$.]*", word)]
    Any,
    /// A word without a dot.
    Word(&'input str),
    /// The name of an operation.
    Name(&'input str),
    Return(&'input str),
    /// The operation that is a function, which may have no body.
    Function(&'input str),
    /// The name of an operation follows that is applied.
    Applies,
    #[regex(r"%[A-Za-z0-9_$.]+(#[0-9]+)?")]
    Value(&'input str),
    #[regex(r#"@([A-Za-z_$.][A-Za-z0-9_$.\-]*|"([^"\\\r\n]|\\[^\r\n])*")"#)]
    Symbol(&'input str),
    #[regex(r"\^[A-Za-z0-9_$.]+")]
    Block(&'input str),
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text(&'input str),
    #[regex(r"-?[0-9]+(\.[0-9]*([eE][+-]?[0-9]+)?)?|0x[0-9A-Fa-f]+")]
    Number(&'input str),
    #[token("tensor<", angled)]
    Tensor(&'input str),
    #[token("dense<", angled)]
    Dense(&'input str),
    #[token("array<", angled)]
    Array(&'input str),
    /// A type that is no tensor's.
    #[regex(r"(tuple|complex|vector|memref)<", angled)]
    #[regex(r"![A-Za-z_][A-Za-z0-9_$.]*")]
    #[regex(r"![A-Za-z_][A-Za-z0-9_$.]*<", angled)]
    Type(&'input str),
    /// An attribute that is written as its dialect does.
    #[regex(r"#[A-Za-z0-9_][A-Za-z0-9_$.]*")]
    #[regex(r"(#[A-Za-z0-9_][A-Za-z0-9_$.]*|dense_resource|affine_map|affine_set|sparse|opaque|strided)<", angled)]
    Attribute(&'input str),
    /// Where something comes from.
    #[token("loc(", parenthesized)]
    Location(&'input str),

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
    #[token("<{")]
    LeftProperties,
    #[token("}>")]
    RightProperties,
    #[token("->")]
    Arrow,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("::")]
    Colons,
    #[token("=")]
    Equals,
    #[token("?")]
    Question,
    #[token("*")]
    Star,

    // The first word says what the text is. Nobody writes these: the reader puts them there.
    OnlyModule,
    OnlyTypes,
    OnlyEntries,
    OnlyPieces,
}

/// What a word is.
fn word<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Token<'input> {
    match lexer.slice() {
        "applies" => Token::Applies,
        name @ ("return" | "func.return" | "stablehlo.return") => Token::Return(name),
        name @ ("module" | "call") => Token::Name(name),
        name @ "func.func" => Token::Function(name),
        name if name.contains('.') => Token::Name(name),
        word => Token::Word(word),
    }
}

/// Reads on to the `>` that closes the `<` which has been read. What is between may be long, and is not looked at.
fn angled<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Result<&'input str, ()> {
    enclosed(lexer, b'<', b'>')
}

/// The same of parentheses.
fn parenthesized<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Result<&'input str, ()> {
    enclosed(lexer, b'(', b')')
}

fn enclosed<'input>(
    lexer: &mut Lexer<'input, Token<'input>>,
    open: u8,
    close: u8,
) -> Result<&'input str, ()> {
    let rest = lexer.remainder().as_bytes();
    let (mut depth, mut at, mut is_text) = (1_usize, 0_usize, false);
    while depth > 0 {
        let byte = *rest.get(at).ok_or(())?;
        match byte {
            b'\\' if is_text => at += 1,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'-' if rest.get(at + 1) == Some(&b'>') => at += 1,
            _ if byte == open => depth += 1,
            _ if byte == close => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    if !lexer.remainder().is_char_boundary(at) {
        return Err(());
    }
    lexer.bump(at);
    Ok(lexer.slice())
}
