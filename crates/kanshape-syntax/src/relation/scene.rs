//! Where the parser stopped: the words around, the open brackets, and what would have fitted.

use std::borrow::Cow;

use super::lex::{Token, Words, closes, opens};
use crate::problem;
use crate::tree::Span;

/// Where the parser stopped.
pub(super) struct Scene<'t> {
    pub(super) text: &'t str,
    /// The terminals of the grammar that fit here.
    expected: Vec<String>,
    words: Vec<(Token<'t>, Span)>,
    /// Which of the words does not fit; their number at the end of the text.
    at: usize,
    /// The words before it that opened a bracket not closed yet.
    open: Vec<usize>,
}

impl<'t> Scene<'t> {
    /// The parser could not go on at the byte `offset`.
    pub(super) fn new(text: &'t str, offset: usize, expected: Vec<String>) -> Self {
        let words: Vec<_> = Words::new(text).map_while(Result::ok).collect();
        let at = words.partition_point(|(_, span)| span.start < offset);
        let mut open = Vec::new();
        for (i, (word, _)) in words[..at].iter().enumerate() {
            if opens(*word) {
                open.push(i);
            } else if closes(*word) {
                open.pop();
            }
        }
        Scene {
            text,
            expected,
            words,
            at,
            open,
        }
    }

    /// Whether this terminal of the grammar would have fitted.
    pub(super) fn fits(&self, terminal: &str) -> bool {
        self.expected.iter().any(|e| e == terminal)
    }

    /// Whether a term would have fitted.
    pub(super) fn fits_term(&self) -> bool {
        self.fits("NAME") && self.fits("INT")
    }

    /// Whether nothing but a clause, or what belongs to one that could end here, would have
    /// fitted.
    pub(super) fn fits_clause(&self) -> bool {
        self.fits("DOC")
    }

    /// The word that does not fit; none is the end of the text.
    pub(super) fn found(&self) -> Option<Token<'t>> {
        self.word(self.at)
    }

    /// The word `back` words before it.
    pub(super) fn before(&self, back: usize) -> Option<Token<'t>> {
        self.word(self.at.checked_sub(back)?)
    }

    /// The word behind it.
    pub(super) fn next(&self) -> Option<Token<'t>> {
        self.word(self.at + 1)
    }

    fn word(&self, i: usize) -> Option<Token<'t>> {
        self.words.get(i).map(|(word, _)| *word)
    }

    /// Where the word stands that does not fit.
    pub(super) fn span(&self) -> Span {
        self.span_at(self.at).unwrap_or_else(|| {
            let end = self.text.trim_end().len();
            Span::new(end, end)
        })
    }

    /// Where the word behind it stands.
    pub(super) fn next_span(&self) -> Option<Span> {
        self.span_at(self.at + 1)
    }

    /// Where the word stands that is `back` words before it.
    pub(super) fn span_before(&self, back: usize) -> Option<Span> {
        self.span_at(self.at.checked_sub(back)?)
    }

    fn span_at(&self, i: usize) -> Option<Span> {
        self.words.get(i).map(|(_, span)| *span)
    }

    /// What is written at `span`, as a message quotes it.
    pub(super) fn written(&self, span: Span) -> Cow<'t, str> {
        problem::brief(&self.text[span.start..span.end])
    }

    /// Whether nothing stands between the word that does not fit and the one behind it.
    pub(super) fn touches_next(&self) -> bool {
        self.next_span()
            .is_some_and(|next| next.start == self.span().end)
    }

    /// The innermost open bracket.
    pub(super) fn opener(&self) -> Option<(Token<'t>, Span)> {
        self.open.last().and_then(|i| self.words.get(*i)).copied()
    }

    /// The word before the innermost open bracket.
    pub(super) fn before_opener(&self) -> Option<Token<'t>> {
        self.word(self.open.last()?.checked_sub(1)?)
    }

    /// Whether the only open bracket is that of a head.
    pub(super) fn opens_head(&self) -> bool {
        let [first] = self.open[..] else {
            return false;
        };
        let before = first.checked_sub(2).and_then(|i| self.word(i));
        matches!(self.before_opener(), Some(Token::Name(_)))
            && !matches!(before, Some(Token::Neck | Token::Comma | Token::Semicolon))
    }
}

/// What closes this bracket.
pub(super) fn closer(word: Token<'_>) -> Option<Token<'static>> {
    match word {
        Token::LeftParen => Some(Token::RightParen),
        Token::LeftBracket => Some(Token::RightBracket),
        Token::LeftBrace => Some(Token::RightBrace),
        _ => None,
    }
}
