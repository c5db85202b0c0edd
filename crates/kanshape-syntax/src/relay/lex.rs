//! The words of Relay's text format, and the iterator that hands them to the parser.

use kanshape_diag::Diagnostic;
use logos::Logos;

use super::MAX_DEPTH;
use crate::tree::Span;
use crate::{code, problem};

#[allow(warnings, clippy::all, reason = "generated code")]
#[rustfmt::skip]
#[path = "../generated/relay_words.rs"]
mod words;

pub(crate) use words::Token;

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
                Ok(Token::Comment) => match comment(self.words.remainder()) {
                    Some(length) => self.words.bump(length),
                    None => {
                        return Some(Err(Box::new(problem::new(
                            code::UNCLOSED_TEXT,
                            "a comment is never closed",
                            at,
                            "opened here",
                        ))));
                    }
                },
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

/// The length of the rest of a comment, with the comments nested in it. `None` if it has no end.
fn comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (1_usize, 0);
    while depth > 0 {
        let next = at + text.get(at..)?.find(['*', '/'])?;
        let pair = text.as_bytes().get(next..next + 2)?;
        at = match pair {
            b"/*" => {
                depth += 1;
                next + 2
            }
            b"*/" => {
                depth -= 1;
                next + 2
            }
            _ => next + 1,
        };
    }
    Some(at)
}
