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
    /// The operation that has functions in it.
    Module(&'input str),
    /// The name of an operation follows that is applied.
    Applies,
    /// The type follows that another one becomes.
    To,
    #[regex(r"%[A-Za-z0-9_$.]+(#[0-9]+)?")]
    Value(&'input str),
    #[regex(r#"@([A-Za-z_$.][A-Za-z0-9_$.\-]*|"([^"\\\r\n]|\\[^\r\n])*")"#)]
    Symbol(&'input str),
    /// A block. `block` says which it is, so that nobody meets this one.
    #[regex(r"\^[A-Za-z0-9_$.]+", block)]
    AnyBlock,
    /// The label of a block.
    Block(&'input str),
    /// A block that an operation goes on to.
    Successor(&'input str),
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
    #[token("<", angled)]
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
        "to" => Token::To,
        name @ ("module" | "builtin.module") => Token::Module(name),
        name @ ("call" | "call_indirect") => Token::Name(name),
        name @ "func.func" => Token::Function(name),
        name if name.contains('.') => Token::Name(name),
        word => Token::Word(word),
    }
}

/// A label has a colon behind it, or behind its parameters.
fn block<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Token<'input> {
    let (rest, name) = (lexer.remainder(), lexer.slice());
    let behind = match rest.strip_prefix('(') {
        Some(params) => end_of(params, b'(', b')').and_then(|end| params.get(end..)),
        None => Some(rest),
    };
    match behind.is_some_and(|text| text.trim_start().starts_with(':')) {
        true => Token::Block(name),
        false => Token::Successor(name),
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
    let at = end_of(lexer.remainder(), open, close).ok_or(())?;
    if !lexer.remainder().is_char_boundary(at) {
        return Err(());
    }
    lexer.bump(at);
    Ok(lexer.slice())
}

/// Behind what closes a bracket that has been opened before the text. Texts in quotes and comments are passed over.
fn end_of(text: &str, open: u8, close: u8) -> Option<usize> {
    let rest = text.as_bytes();
    let (mut depth, mut at, mut is_text) = (1_usize, 0_usize, false);
    while depth > 0 {
        let byte = *rest.get(at)?;
        match byte {
            b'\\' if is_text => at += 1,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'-' if rest.get(at + 1) == Some(&b'>') => at += 1,
            b'/' if rest.get(at + 1) == Some(&b'/') => {
                at += rest[at..].iter().position(|byte| *byte == b'\n')?;
            }
            _ if byte == open => depth += 1,
            _ if byte == close => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    Some(at)
}
