//! Where a parser stopped: the words around, the open brackets, and what would have fitted.

use logos::Logos;

use crate::signature::lex::Token;
use crate::tree::Span;

/// Where a parser stopped.
pub(crate) struct Scene<'t> {
    pub(crate) text: &'t str,
    /// Which text was wanted.
    pub(crate) start: Token<'t>,
    /// The terminals of the grammar that fit here.
    pub(crate) expected: Vec<String>,
    words: Vec<(Token<'t>, Span)>,
    /// Which of the words does not fit; their number at the end of the text.
    at: usize,
    /// The words before it that opened a bracket not closed yet.
    open: Vec<usize>,
    /// The word that opened the bracket which the word before it closes.
    closed: Option<usize>,
    in_conditions: bool,
}

impl<'t> Scene<'t> {
    /// The parser could not go on at the byte `offset`.
    pub(crate) fn new(
        text: &'t str,
        start: Token<'t>,
        offset: usize,
        expected: Vec<String>,
    ) -> Self {
        let words: Vec<_> = Token::lexer(text)
            .spanned()
            .map_while(|(word, at)| Some((word.ok()?, Span::new(at.start, at.end))))
            .collect();
        let at = words.partition_point(|(_, span)| span.start < offset);
        let mut open = Vec::new();
        let mut closed = None;
        let mut in_conditions = matches!(start, Token::StartCondition | Token::StartConditions);
        for (i, (word, _)) in words[..at].iter().enumerate() {
            closed = None;
            if closer(*word).is_some() {
                open.push(i);
            } else if is_closer(*word) {
                closed = open.pop();
            } else if *word == Token::Where && open.is_empty() && i > 0 {
                // In brackets, and behind a colon, it is a name.
                in_conditions |= words[i - 1].0 != Token::Colon;
            }
        }
        Scene {
            text,
            start,
            expected,
            words,
            at,
            open,
            closed,
            in_conditions,
        }
    }

    /// Whether this terminal of the grammar would have fitted.
    pub(crate) fn fits(&self, terminal: &str) -> bool {
        self.expected.iter().any(|e| e == terminal)
    }

    /// Whether a dim would have fitted.
    pub(crate) fn fits_dim(&self) -> bool {
        self.fits("NAME") && self.fits("INT")
    }

    /// The word that does not fit; none is the end of the text.
    pub(crate) fn found(&self) -> Option<Token<'t>> {
        self.word(self.at)
    }

    /// The word `back` words before it.
    pub(crate) fn before(&self, back: usize) -> Option<Token<'t>> {
        self.word(self.at.checked_sub(back)?)
    }

    /// The word behind it.
    pub(crate) fn next(&self) -> Option<Token<'t>> {
        self.word(self.at + 1)
    }

    /// The word behind that.
    pub(crate) fn after_next(&self) -> Option<Token<'t>> {
        self.word(self.at + 2)
    }

    /// Where the word behind it stands.
    pub(crate) fn next_span(&self) -> Option<Span> {
        self.words.get(self.at + 1).map(|(_, span)| *span)
    }

    fn word(&self, i: usize) -> Option<Token<'t>> {
        self.words.get(i).map(|(word, _)| *word)
    }

    /// Where the word stands that does not fit.
    pub(crate) fn span(&self) -> Span {
        match self.words.get(self.at) {
            Some((_, span)) => *span,
            None => {
                let end = self.text.trim_end().len();
                Span::new(end, end)
            }
        }
    }

    /// Where the word before it stands.
    pub(crate) fn last(&self) -> Option<Span> {
        let last = self.at.checked_sub(1).and_then(|i| self.words.get(i));
        last.map(|(_, span)| *span)
    }

    /// From the word before to the one that does not fit.
    pub(crate) fn span_with_last(&self) -> Span {
        self.last().map_or(self.span(), |last| last.to(self.span()))
    }

    /// Whether nothing stands between the last word and the one that does not fit.
    pub(crate) fn touches_last(&self) -> bool {
        self.last()
            .is_some_and(|last| last.end == self.span().start)
    }

    /// What is written at `span`.
    pub(crate) fn written(&self, span: Span) -> &'t str {
        &self.text[span.start..span.end]
    }

    /// What stands in the bracket that does not fit here, if it is short and closed, with nothing but words and commas
    /// in it: with a space behind each comma.
    pub(crate) fn bracketed(&self) -> Option<String> {
        /// Longer ones are not written again.
        const MOST: usize = 16;
        let inside = self.words[self.at..].iter().skip(1).take(MOST);
        let mut text = String::new();
        for (word, span) in inside {
            match word {
                Token::Comma => text.push_str(", "),
                word if is_closer(*word) => return (!text.is_empty()).then_some(text),
                word if closer(*word).is_some() => return None,
                _ => text.push_str(self.written(*span)),
            }
        }
        None
    }

    /// Whether the other side of a comparison is to come.
    pub(crate) fn after_comparison(&self) -> bool {
        self.before(1).is_some_and(is_comparison) && self.in_conditions() && self.opener().is_none()
    }

    /// Whether a parenthesis is open that stands beside the `==` of a run.
    pub(crate) fn opens_list(&self) -> bool {
        let Some(&at) = self.open.first() else {
            return false;
        };
        let before = |back: usize| self.word(at.checked_sub(back)?);
        self.word(at) == Some(Token::LeftParen)
            && before(1) == Some(Token::EqualsEquals)
            && matches!(before(2), Some(Token::Run(_) | Token::Dots))
    }

    /// Whether this is about the contents of a tensor, behind the `=` of a type: the innermost bracket
    /// that is open behind it, if there is one.
    pub(crate) fn contents_opener(&self) -> Option<Option<Token<'t>>> {
        let outside = |opener: Option<&usize>| {
            let from = opener.map_or(0, |i| i + 1);
            let mut depth = 0usize;
            let mut equals = false;
            for (word, _) in &self.words[from..self.at] {
                match *word {
                    word if closer(word).is_some() => depth += 1,
                    word if is_closer(word) => depth = depth.saturating_sub(1),
                    Token::Equals if depth == 0 => equals = true,
                    Token::Comma if depth == 0 => equals = false,
                    _ => {}
                }
            }
            equals
        };
        if outside(self.open.last()) {
            return Some(None);
        }
        // A bracket that stands behind the `=`, or within such a one.
        let opened = self.open.iter().rev().take(2).any(|i| {
            let before = i.checked_sub(1).and_then(|i| self.word(i));
            before == Some(Token::Equals)
        });
        opened.then(|| self.opener().map(|(word, _)| word))
    }

    /// The innermost open bracket.
    pub(crate) fn opener(&self) -> Option<(Token<'t>, Span)> {
        self.open.last().and_then(|i| self.words.get(*i)).copied()
    }

    /// The word before the innermost open bracket.
    pub(crate) fn before_opener(&self) -> Option<Token<'t>> {
        self.word(self.open.last()?.checked_sub(1)?)
    }

    /// The word before the bracket which the word before closes, if it closes one.
    pub(crate) fn before_closed(&self) -> Option<Token<'t>> {
        self.word(self.closed?.checked_sub(1)?)
    }

    /// The first word of the text.
    pub(crate) fn first(&self) -> Option<Token<'t>> {
        self.word(0)
    }

    /// Whether a name stands before it, be it a word of the language.
    pub(crate) fn after_word(&self) -> bool {
        self.last().is_some_and(|last| is_word(self.written(last)))
    }

    /// Whether this is about an operand that is a type, within its brackets.
    pub(crate) fn in_type_operand(&self) -> bool {
        let before = self.open.first().and_then(|i| i.checked_sub(1));
        let Some((word, span)) = before.and_then(|i| self.words.get(i)) else {
            return false;
        };
        let named = *word == Token::RightParen || is_word(self.written(*span));
        self.in_operands() && named && self.first() != Some(Token::Forall)
    }

    /// Whether the place is behind `where`.
    pub(crate) fn in_conditions(&self) -> bool {
        self.in_conditions
    }

    /// Whether this is about the operands of a signature.
    pub(crate) fn in_operands(&self) -> bool {
        self.start == Token::StartSignature && !self.in_conditions()
    }

    /// Whether this is about a type, and not its conditions.
    pub(crate) fn in_type(&self) -> bool {
        self.start == Token::StartType && !self.in_conditions()
    }

    /// What the text is called.
    pub(crate) fn name(&self) -> &'static str {
        name(self.start)
    }
}

/// Whether this can be a name.
pub(crate) fn is_word(written: &str) -> bool {
    written.starts_with(|c: char| c == '_' || c.is_alphabetic())
}

/// What a text is called.
pub(crate) fn name(start: Token<'_>) -> &'static str {
    match start {
        Token::StartSignature => "signature",
        Token::StartType => "type",
        Token::StartCondition | Token::StartConditions => "condition",
        _ => "expression",
    }
}

/// What closes this bracket, if it is one that opens.
pub(crate) fn closer(word: Token<'_>) -> Option<Token<'static>> {
    match word {
        Token::LeftParen => Some(Token::RightParen),
        Token::LeftBracket => Some(Token::RightBracket),
        Token::LeftBrace => Some(Token::RightBrace),
        _ => None,
    }
}

/// `==`, `<=` and the others.
pub(crate) fn is_comparison(word: Token<'_>) -> bool {
    matches!(
        word,
        Token::EqualsEquals
            | Token::NotEquals
            | Token::Less
            | Token::LessEquals
            | Token::Greater
            | Token::GreaterEquals
    )
}

/// Whether this is a bracket that closes.
pub(crate) fn is_closer(word: Token<'_>) -> bool {
    matches!(
        word,
        Token::RightParen | Token::RightBracket | Token::RightBrace
    )
}
