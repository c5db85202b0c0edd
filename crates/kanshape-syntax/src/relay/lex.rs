//! The words of Relay's text format, and the iterator that hands them to the parser.

use kanshape_diag::Diagnostic;
use logos::Logos;

use super::MAX_DEPTH;
use crate::tree::Span;
use crate::{code, problem};

/// A word of a program.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C]+")]
#[logos(skip r"/\*([^*]|\*+[^*/])*\*+/")]
pub(crate) enum Token<'input> {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*(::[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*)*")]
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
    /// What follows is JSON, and not read.
    #[token("#[metadata]")]
    Metadata,

    #[token("_", priority = 10)]
    Underscore,
    #[token("def")]
    Def,
    #[token("fn")]
    Fn,
    #[token("let")]
    Let,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("match")]
    Match,
    #[token("match?")]
    MatchPartial,
    #[token("type")]
    Type,
    #[token("data")]
    Data,
    #[token("extern")]
    Extern,
    #[token("forall")]
    Forall,
    #[token("where")]
    Where,
    #[token("Tensor")]
    Tensor,
    #[token("True")]
    True,
    #[token("False")]
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

/// The words for the parser: what is no word, and a bracket too many, is an error.
pub(crate) struct Lexer<'input> {
    text: &'input str,
    words: logos::Lexer<'input, Token<'input>>,
    first: Option<Token<'input>>,
    depth: usize,
    /// The depth outside of the outermost `Tensor[` that is open.
    tensor: Option<usize>,
    last_is_tensor: bool,
}

impl<'input> Lexer<'input> {
    /// The words of a text behind the one that says what it is.
    pub(crate) fn new(first: Token<'input>, text: &'input str) -> Self {
        Lexer {
            text,
            words: Token::lexer(text),
            first: Some(first),
            depth: 0,
            tensor: None,
            last_is_tensor: false,
        }
    }

    fn track(&mut self, token: Token<'_>, at: Span) -> Result<(), Box<Diagnostic>> {
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                if self.last_is_tensor && self.tensor.is_none() {
                    self.tensor = Some(self.depth);
                }
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err(Box::new(problem::new(
                        code::TOO_DEEP,
                        format!("nested more than {MAX_DEPTH} deep"),
                        at,
                        "one too many",
                    )));
                }
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace => {
                self.depth = self.depth.saturating_sub(1);
                if self.tensor == Some(self.depth) {
                    self.tensor = None;
                }
            }
            _ => {}
        }
        self.last_is_tensor = token == Token::Tensor;
        Ok(())
    }
}

impl<'input> Iterator for Lexer<'input> {
    type Item = Result<(usize, Token<'input>, usize), Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok((0, first, 0)));
        }
        loop {
            let token = self.words.next()?;
            let range = self.words.span();
            let at = Span::new(range.start, range.end);
            match token {
                Ok(Token::SlashSlash) if self.tensor.is_none() => {
                    let rest = self.words.remainder();
                    self.words.bump(rest.find('\n').unwrap_or(rest.len()));
                }
                Ok(Token::Metadata) => return None,
                Ok(token) => {
                    return Some(self.track(token, at).map(|()| (at.start, token, at.end)));
                }
                Err(()) => {
                    let rest = &self.text[at.start..];
                    let mark = rest.chars().next().map(String::from).unwrap_or_default();
                    let end = at.start + mark.len();
                    let d = match mark.as_str() {
                        "\"" => problem::new(
                            code::UNCLOSED_TEXT,
                            "a text is never closed",
                            Span::new(at.start, end),
                            "opened here",
                        ),
                        _ => problem::new(
                            code::UNKNOWN_CHARACTER,
                            format!("`{mark}` is no part of Relay's text format"),
                            Span::new(at.start, end),
                            "",
                        ),
                    };
                    return Some(Err(Box::new(d)));
                }
            }
        }
    }
}
