//! The words of the language, and the iterator that hands them to the parser.

use kanshape_diag::Diagnostic;
use logos::Logos;

use crate::code;
use crate::text;
use crate::tree::Span;
use crate::{MAX_DEPTH, problem};

#[allow(warnings, clippy::all, reason = "generated code")]
#[rustfmt::skip]
#[path = "../generated/signature_words.rs"]
mod words;

pub(crate) use words::Token;

/// The words of a text, after one that says what the text is to be.
///
/// It also bounds how deeply a tree can nest: brackets do that, and the arrows of functions do, since
/// `fn() -> fn() -> ...` nests to the right without any bracket.
pub(crate) struct Lexer<'input> {
    start: Option<Token<'input>>,
    words: logos::Lexer<'input, Token<'input>>,
    /// Open brackets.
    brackets: usize,
    /// Which of them stand behind `fn`, one bit each.
    of_fn: u128,
    /// Arrows of functions that lead here: those since the last comma of each open bracket.
    arrows: usize,
    /// The same for each open bracket alone.
    arrows_at: [u8; MAX_DEPTH + 1],
    last: Last,
}

/// The word before, as far as it tells whether an arrow is that of a function.
#[derive(PartialEq, Eq)]
enum Last {
    Fn,
    /// The bracket that closes what a function takes.
    Params,
    Other,
}

// The bits are as many as the brackets.
const _: () = assert!(MAX_DEPTH < u128::BITS as usize);

impl<'input> Lexer<'input> {
    pub(crate) fn new(start: Token<'input>, text: &'input str) -> Self {
        Lexer {
            start: Some(start),
            words: Token::lexer(text),
            brackets: 0,
            of_fn: 0,
            arrows: 0,
            arrows_at: [0; MAX_DEPTH + 1],
            last: Last::Other,
        }
    }

    /// Whether the text still nests within bounds after `token`.
    fn nest(&mut self, token: Token<'_>) -> bool {
        let last = std::mem::replace(&mut self.last, Last::Other);
        match token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                self.of_fn = self.of_fn << 1 | u128::from(last == Last::Fn);
                self.brackets += 1;
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace => {
                self.forget_arrows();
                if self.of_fn & 1 == 1 {
                    self.last = Last::Params;
                }
                self.of_fn >>= 1;
                self.brackets = self.brackets.saturating_sub(1);
            }
            Token::Comma => self.forget_arrows(),
            Token::Fn => self.last = Last::Fn,
            // Other arrows part inputs from outputs, and nest nothing.
            Token::Arrow if last == Last::Params => {
                if let Some(count) = self.arrows_at.get_mut(self.brackets) {
                    *count += 1;
                    self.arrows += 1;
                }
            }
            _ => return true,
        }
        self.arrows + self.brackets <= MAX_DEPTH
    }

    fn forget_arrows(&mut self) {
        if let Some(count) = self.arrows_at.get_mut(self.brackets) {
            self.arrows -= usize::from(std::mem::take(count));
        }
    }
}

impl<'input> Iterator for Lexer<'input> {
    type Item = Result<(usize, Token<'input>, usize), Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(start) = self.start.take() {
            return Some(Ok((0, start, 0)));
        }
        let token = self.words.next()?;
        let span = self.words.span();
        let Ok(token) = token else {
            return Some(Err(unknown(self.words.source(), span.start)));
        };
        if !self.nest(token) {
            let headline = format!("nested more than {MAX_DEPTH} deep");
            let at = Span::new(span.start, span.end);
            return Some(Err(Box::new(problem::new(
                code::TOO_DEEP,
                headline,
                at,
                "one too many",
            ))));
        }
        Some(Ok((span.start, token, span.end)))
    }
}

/// The characters that are no part of the language, with what is written instead.
const INSTEAD: [(&str, &str); 35] = [
    // Longer ones first.
    ("—>", "->"),
    ("–>", "->"),
    ("−>", "->"),
    ("~>", "->"),
    ("→", "->"),
    ("➔", "->"),
    ("➜", "->"),
    ("➝", "->"),
    ("⟶", "->"),
    ("⇒", "->"),
    ("↦", "->"),
    ("×", "*"),
    ("·", "*"),
    ("∗", "*"),
    ("÷", "//"),
    ("−", "-"),
    ("–", "-"),
    ("—", "-"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("∈", "in"),
    ("∧", "and"),
    ("…", "..."),
    ("∀", "forall"),
    ("&&", "and"),
    ("&", "and"),
    ("!", "!="),
    (";", ","),
    ("（", "("),
    ("）", ")"),
    ("［", "["),
    ("］", "]"),
    ("，", ","),
    ("：", ":"),
];

/// What is written for a power.
pub(crate) const NO_POWERS: &str = "there are no powers; write a product: `n*n`";

fn unknown(text: &str, start: usize) -> Box<Diagnostic> {
    let rest = &text[start..];
    if rest.starts_with('"') {
        return Box::new(text::unclosed(rest, start));
    }
    let instead = INSTEAD.iter().find(|(mark, _)| rest.starts_with(mark));
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let len = instead.map_or(first, |(mark, _)| mark.len());
    let mark = rest[..len].escape_debug();
    let mut d = problem::new(
        code::UNKNOWN_CHARACTER,
        format!("`{mark}` is no part of the language"),
        Span::new(start, start + len),
        "",
    );
    if let Some((_, instead)) = instead {
        d.help.push(format!("write `{instead}`"));
    } else if rest.starts_with('^') {
        d.help.push(NO_POWERS.into());
    }
    Box::new(d)
}
