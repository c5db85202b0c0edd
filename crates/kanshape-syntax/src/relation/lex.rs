//! The words of the relation language, and the iterator that hands them to the parser.

use kanshape_diag::Diagnostic;
use logos::Logos;

use crate::text;
use crate::tree::Span;
use crate::{MAX_DEPTH, code, problem};

#[allow(warnings, clippy::all, reason = "generated code")]
#[rustfmt::skip]
#[path = "../generated/relation_words.rs"]
mod words;

pub(crate) use words::Token;

/// A word with its place, or the place of what is no word.
pub(crate) type Word<'input> = Result<(Token<'input>, Span), Span>;

/// The words of a text.
///
/// Within brackets `:-` is a colon and a minus: `sh[:-1]`. No clause begins there. `and`, `or` and `not` are names behind `op`: some
/// operators are called so.
pub(crate) struct Words<'input> {
    words: logos::Lexer<'input, Token<'input>>,
    /// Open brackets.
    depth: usize,
    /// Where the minus of a `:-` stands that has been taken apart.
    minus: Option<Span>,
    /// Whether the word before was `op`.
    behind_op: bool,
}

impl<'input> Words<'input> {
    pub(crate) fn new(text: &'input str) -> Self {
        Words {
            words: Token::lexer(text),
            depth: 0,
            minus: None,
            behind_op: false,
        }
    }
}

impl<'input> Iterator for Words<'input> {
    type Item = Word<'input>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(span) = self.minus.take() {
            return Some(Ok((Token::Minus, span)));
        }
        let token = self.words.next()?;
        let span = self.words.span();
        let mut span = Span::new(span.start, span.end);
        let Ok(mut token) = token else {
            return Some(Err(span));
        };
        let word = self.words.slice();
        if self.behind_op && matches!(word, "and" | "or" | "not") {
            token = Token::Name(word);
        }
        self.behind_op = token == Token::Op;
        if opens(token) {
            self.depth += 1;
        } else if closes(token) {
            self.depth = self.depth.saturating_sub(1);
        } else if token == Token::Neck && self.depth > 0 {
            let middle = span.start + ":".len();
            self.minus = Some(Span::new(middle, span.end));
            span.end = middle;
            token = Token::Colon;
        }
        Some(Ok((token, span)))
    }
}

/// Whether this is a bracket that opens.
pub(crate) fn opens(token: Token<'_>) -> bool {
    matches!(
        token,
        Token::LeftParen | Token::LeftBracket | Token::LeftBrace
    )
}

/// Whether this is a bracket that closes.
pub(crate) fn closes(token: Token<'_>) -> bool {
    matches!(
        token,
        Token::RightParen | Token::RightBracket | Token::RightBrace
    )
}

/// The words for the parser: what is no word, and a bracket too many, is an error.
pub(crate) struct Lexer<'input> {
    text: &'input str,
    words: Words<'input>,
    /// What the parser gets before all words of the text.
    first: Option<Token<'input>>,
}

impl<'input> Lexer<'input> {
    pub(crate) fn new(text: &'input str) -> Self {
        Lexer {
            text,
            words: Words::new(text),
            first: None,
        }
    }

    /// The words of one piece of a file, behind the one that says which.
    pub(crate) fn only(first: Token<'input>, text: &'input str) -> Self {
        Lexer {
            first: Some(first),
            ..Lexer::new(text)
        }
    }
}

impl<'input> Iterator for Lexer<'input> {
    type Item = Result<(usize, Token<'input>, usize), Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok((0, first, 0)));
        }
        Some(match self.words.next()? {
            Ok((token, at)) if self.words.depth <= MAX_DEPTH => Ok((at.start, token, at.end)),
            Ok((_, at)) => Err(Box::new(problem::new(
                code::TOO_DEEP,
                format!("nested more than {MAX_DEPTH} deep"),
                at,
                "one too many",
            ))),
            Err(at) => Err(Box::new(unknown(self.text, at.start))),
        })
    }
}

/// The characters that are no part of the language, with what is written instead.
const INSTEAD: [(&str, &str); 18] = [
    ("←", ":-"),
    ("⟵", ":-"),
    ("⇐", ":-"),
    ("→", "->"),
    ("×", "*"),
    ("·", "*"),
    ("÷", "//"),
    ("−", "-"),
    ("–", "-"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("∈", "in"),
    ("∧", ","),
    ("∨", ";"),
    ("…", ".."),
    ("“", "\""),
    ("”", "\""),
];

fn unknown(text: &str, start: usize) -> Diagnostic {
    let rest = &text[start..];
    let first = rest.chars().next();
    let at = |len| Span::new(start, start + len);
    if first == Some('"') {
        return text::unclosed(rest, start);
    }
    let instead = INSTEAD.iter().find(|(mark, _)| rest.starts_with(mark));
    let mark = first.map(String::from).unwrap_or_default();
    let d = problem::new(
        code::UNKNOWN_CHARACTER,
        format!("`{mark}` is no part of the language"),
        at(mark.len()),
        "",
    );
    match (first, instead) {
        (_, Some((_, instead))) => d.with_help(format!("write `{instead}`")),
        (Some('^'), _) => d.with_help("there are no powers; write `n*n`"),
        (Some('\''), _) => d.with_help("a text stands between double quotes: `\"SAME_UPPER\"`"),
        _ => d,
    }
}
