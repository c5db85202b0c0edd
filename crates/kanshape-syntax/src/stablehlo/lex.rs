//! The words of MLIR's text, and the iterator that hands them to the parser.

use kanshape_diag::Diagnostic;
use logos::Logos;

use super::MAX_DEPTH;
use crate::tree::Span;
use crate::{code, problem};

#[allow(warnings, clippy::all, reason = "generated code")]
#[rustfmt::skip]
#[path = "../generated/stablehlo_words.rs"]
mod words;

pub(crate) use words::Token;

/// The words for the parser: what is no word, and a bracket too many, is an error.
pub(crate) struct Lexer<'input> {
    text: &'input str,
    words: logos::Lexer<'input, Token<'input>>,
    /// What comes first, and is not written: what the text is.
    unwritten: Option<Token<'input>>,
    depth: usize,
}

impl<'input> Lexer<'input> {
    /// The words of a text behind the one that says what it is.
    pub(crate) fn new(first: Token<'input>, text: &'input str) -> Self {
        Lexer {
            text,
            words: Token::lexer(text),
            unwritten: Some(first),
            depth: 0,
        }
    }

    fn track(&mut self, token: Token<'_>, at: Span) -> Result<(), Box<Diagnostic>> {
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::LeftProperties => {
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
            Token::RightParen
            | Token::RightBracket
            | Token::RightBrace
            | Token::RightProperties => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Ok(())
    }
}

impl<'input> Iterator for Lexer<'input> {
    type Item = Result<(usize, Token<'input>, usize), Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(token) = self.unwritten.take() {
            let at = self.words.span().end;
            return Some(Ok((at, token, at)));
        }
        let token = self.words.next()?;
        let range = self.words.span();
        let at = Span::new(range.start, range.end);
        Some(match token {
            Ok(token) => self.track(token, at).map(|()| (at.start, token, at.end)),
            Err(()) => Err(Box::new(unknown(self.text, at.start))),
        })
    }
}

/// What stands here is no word.
fn unknown(text: &str, start: usize) -> Diagnostic {
    let rest = text.get(start..).unwrap_or_default();
    let mark = rest.chars().next().map(String::from).unwrap_or_default();
    let at = Span::new(start, start + mark.len());
    if mark == "\"" {
        return problem::new(
            code::UNCLOSED_TEXT,
            "a text is never closed",
            at,
            "opened here",
        );
    }
    let opens = rest
        .find(['<', '('])
        .filter(|end| !rest[..*end].contains(char::is_whitespace));
    match opens {
        Some(end) if end > 0 => problem::new(
            code::UNCLOSED_TEXT,
            format!("`{}` is never closed", &rest[..=end]),
            Span::new(start, start + end + 1),
            "opened here",
        ),
        _ => problem::new(
            code::UNKNOWN_CHARACTER,
            format!("`{mark}` is no part of MLIR's text"),
            at,
            "",
        ),
    }
}
