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

    /// What begins an operator is a name here, as it is wherever it begins none.
    fn word(&self, i: usize) -> Option<Token<'t>> {
        self.words.get(i).map(|(word, _)| match word {
            Token::Domain => Token::Name("domain"),
            Token::Op => Token::Name("op"),
            Token::Rule => Token::Name("rule"),
            Token::Const => Token::Name("const"),
            Token::Since => Token::Name("since"),
            Token::Type => Token::Name("type"),
            word => *word,
        })
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

    /// Whether nothing stands between the word that does not fit and the one before it.
    pub(super) fn touches_before(&self) -> bool {
        self.span_before(1)
            .is_some_and(|before| before.end == self.span().start)
    }

    /// The innermost open bracket.
    pub(super) fn opener(&self) -> Option<(Token<'t>, Span)> {
        self.open.last().and_then(|i| self.words.get(*i)).copied()
    }

    /// The word before the innermost open bracket.
    pub(super) fn before_opener(&self) -> Option<Token<'t>> {
        self.word(self.open.last()?.checked_sub(1)?)
    }

    /// Whether the only open bracket is that of the head of a clause.
    pub(super) fn opens_head(&self) -> bool {
        let [first] = self.open[..] else {
            return false;
        };
        let before = first.checked_sub(2).and_then(|i| self.word(i));
        matches!(self.before_opener(), Some(Token::Name(_)))
            && !matches!(before, Some(Token::Neck | Token::Comma | Token::Semicolon))
            && self.part().is_none()
    }

    /// In which part of the head of an operator this is, and how many brackets are open in it.
    pub(super) fn part(&self) -> Option<(Part, usize)> {
        let (first, inner) = self.open.split_first()?;
        let before = |back| self.word(first.checked_sub(back)?);
        let part = match (before(2), before(1)?, self.word(*first)?) {
            (_, Token::Arrow, Token::LeftParen) => Part::Outputs,
            (_, Token::RightBracket, Token::LeftParen) => Part::Inputs,
            (Some(Token::Name("op")), Token::Name(_), Token::LeftParen) => Part::Inputs,
            (Some(Token::Name("op")), Token::Name(_), Token::LeftBracket) => Part::Attrs,
            _ => return None,
        };
        Some((part, inner.len()))
    }

    /// The name before the list that has just ended, `known` behind `known(s, t)`.
    pub(super) fn before_list(&self) -> Option<&'t str> {
        let mut depth = 0;
        for i in (0..self.at).rev() {
            let (word, _) = self.words.get(i)?;
            if closes(*word) {
                depth += 1;
            } else if opens(*word) {
                depth -= 1;
            }
            if depth == 0 {
                let before = self.word(i.checked_sub(1)?);
                return match before? {
                    Token::Name(name) if opens(*word) => Some(name),
                    _ => None,
                };
            }
        }
        None
    }

    /// Whether it is the text of a domain that a doc line stands before.
    pub(super) fn documents_domain(&self) -> bool {
        matches!(self.found(), Some(Token::Text(_)))
            && self.before(1) == Some(Token::Name("domain"))
            && matches!(self.before(2), Some(Token::Doc(_)))
    }

    /// Whether this word stands before it within the same goal.
    pub(super) fn in_goal(&self, wanted: Token<'t>) -> bool {
        let mut depth = 0;
        for (word, _) in self.words[..self.at].iter().rev() {
            match word {
                Token::Comma | Token::Semicolon | Token::Neck if depth == 0 => return false,
                word if *word == wanted && depth == 0 => return true,
                word if closes(*word) => depth += 1,
                word if opens(*word) && depth == 0 => return false,
                word if opens(*word) => depth -= 1,
                _ => {}
            }
        }
        false
    }
}

/// A list in the head of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Attrs,
    Inputs,
    Outputs,
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
