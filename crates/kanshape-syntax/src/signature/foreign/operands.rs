//! A signature whose operands are written as elsewhere: `f32(n)->f32(n)`, `(m,n),(n,p)->m,p`, `[s=2] (n)->(n//s)`,
//! `Float[Array, "n m"] -> ...`.

use logos::Logos;

use super::jaxtyping;
use crate::signature::lex::Token;
use crate::signature::parse;
use crate::signature::scene::{closer, is_closer, is_word};
use crate::tree::Span;

/// The help: what is wrong first, and the whole signature as it would be right. None if this is no such text.
pub(super) fn meant(text: &str) -> Option<String> {
    let quoted = text.replace('\'', "\"");
    let mut reader = Reader::new(&quoted)?;
    let signature = reader.signature()?;
    let why = reader.why?;
    parse::is_right(Token::StartSignature, &signature).then(|| format!("{why}: `{signature}`"))
}

const IN_PARENTHESES: &str = "the dims of an operand stand in parentheses";
const DTYPE_BEHIND: &str = "the dtype of an operand stands behind its dims";
const VALUE: &str =
    "the value of a parameter is given with the question, `--param s=2`, or stands behind `where`";
const COMMA: &str = "operands have a comma between them";

/// A side of the arrow, as it is assembled.
#[derive(Default)]
struct Side {
    operands: Vec<String>,
    /// Words without parentheses, which may be the dims of one operand.
    bare: Vec<String>,
}

struct Reader<'t> {
    text: &'t str,
    words: Vec<(Token<'t>, Span)>,
    at: usize,
    why: Option<&'static str>,
    conditions: Vec<String>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Option<Self> {
        let words = Token::lexer(text).spanned();
        let words = words.map(|(word, at)| Some((word.ok()?, Span::new(at.start, at.end))));
        Some(Reader {
            text,
            words: words.collect::<Option<_>>()?,
            at: 0,
            why: None,
            conditions: Vec::new(),
        })
    }

    fn word(&self, i: usize) -> Option<Token<'t>> {
        self.words.get(i).map(|(word, _)| *word)
    }

    fn written(&self, i: usize) -> &'t str {
        self.words
            .get(i)
            .map_or("", |(_, at)| &self.text[at.start..at.end])
    }

    /// The first reason is the one that is named.
    fn because(&mut self, why: &'static str) {
        self.why.get_or_insert(why);
    }

    /// Where the bracket at `open` is closed.
    fn close(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (i, (word, _)) in self.words.iter().enumerate().skip(open) {
            if closer(*word).is_some() {
                depth += 1;
            } else if is_closer(*word) {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i);
                }
            }
        }
        None
    }

    /// What is written between two words.
    fn between(&self, open: usize, close: usize) -> &'t str {
        match (self.words.get(open), self.words.get(close)) {
            (Some((_, open)), Some((_, close))) => self.text[open.end..close.start].trim(),
            _ => "",
        }
    }

    fn signature(&mut self) -> Option<String> {
        let params = self.params()?;
        let prefix = self.prefix();
        let inputs = self.side()?;
        if self.word(self.at) != Some(Token::Arrow) {
            return None;
        }
        self.at += 1;
        let outputs = self.side()?;
        let mut conditions = std::mem::take(&mut self.conditions);
        match self.word(self.at) {
            None => {}
            Some(Token::Where) => {
                let from = self.words.get(self.at)?.1.end;
                conditions.push(self.text[from..].trim().to_owned());
            }
            Some(_) => return None,
        }
        // Words alone are types as long as everything is a word.
        if inputs.operands.is_empty() && outputs.operands.is_empty() {
            return None;
        }
        let inputs = self.joined(inputs)?;
        let outputs = self.joined(outputs)?;
        let conditions = match conditions.is_empty() {
            true => String::new(),
            false => format!(" where {}", conditions.join(", ")),
        };
        Some(format!("{params}{prefix}{inputs}->{outputs}{conditions}"))
    }

    /// The operands of a side; words alone are the dims of one.
    fn joined(&mut self, side: Side) -> Option<String> {
        match (side.operands.is_empty(), side.bare.is_empty()) {
            (_, true) => Some(side.operands.join(",")),
            (true, false) => {
                self.because(IN_PARENTHESES);
                Some(format!("({})", side.bare.join(",")))
            }
            (false, false) => None,
        }
    }

    /// `[s = 2, t]` in front of everything else.
    fn params(&mut self) -> Option<String> {
        let close = match self.word(0) {
            Some(Token::LeftBracket) => self.close(0)?,
            _ => return Some(String::new()),
        };
        // With a comma, an arrow or a dtype behind it is an operand.
        if matches!(
            self.word(close + 1),
            None | Some(Token::Comma | Token::Arrow | Token::Colon)
        ) {
            return Some(String::new());
        }
        let mut params = Vec::new();
        let mut i = 1;
        while i < close {
            let name = self.written(i);
            if !is_word(name) {
                return None;
            }
            let is = matches!(
                self.word(i + 1),
                Some(Token::Equals | Token::EqualsEquals | Token::Colon)
            );
            match (is, self.word(i + 2)) {
                (true, Some(Token::Int(size))) => {
                    self.because(VALUE);
                    params.push(name.to_owned());
                    self.conditions.push(format!("{name} == {size}"));
                    i += 3;
                }
                (true, _) if is_word(self.written(i + 2)) => {
                    params.push(format!("{name}: {}", self.written(i + 2)));
                    i += 3;
                }
                (true, _) => return None,
                (false, _) => {
                    params.push(name.to_owned());
                    i += 1;
                }
            }
            match self.word(i) {
                Some(Token::Comma) => i += 1,
                _ if i == close => {}
                _ => return None,
            }
        }
        self.at = close + 1;
        Some(format!("[{}] ", params.join(", ")))
    }

    fn prefix(&mut self) -> &'t str {
        let from = self.at;
        if !matches!(self.word(from), Some(Token::Plus | Token::Equals)) {
            return "";
        }
        self.at += 1 + usize::from(matches!(self.word(from + 1), Some(Token::Int(_))));
        let start = self.words.get(from).map_or(0, |(_, at)| at.start);
        let end = self.words.get(self.at - 1).map_or(start, |(_, at)| at.end);
        &self.text[start..end]
    }

    /// The operands up to the arrow, the conditions or the end.
    fn side(&mut self) -> Option<Side> {
        let mut side = Side::default();
        let mut first = true;
        loop {
            match self.word(self.at) {
                None | Some(Token::Arrow | Token::Where) => return Some(side),
                Some(Token::Comma) if !first => self.at += 1,
                Some(_) if !first => self.because(COMMA),
                Some(_) => {}
            }
            first = false;
            self.operand(&mut side)?;
        }
    }

    fn operand(&mut self, side: &mut Side) -> Option<()> {
        let from = self.at;
        match self.word(from)? {
            open @ (Token::LeftParen | Token::LeftBracket) => {
                let close = self.close(from)?;
                // Behind a prefix these may be parameters.
                let before = from.checked_sub(1).and_then(|i| self.word(i));
                match (open, before) {
                    (Token::LeftParen, _) => {}
                    (_, None | Some(Token::Comma | Token::Arrow)) => self.because(IN_PARENTHESES),
                    _ => return None,
                }
                let dims = self.between(from, close);
                self.at = close + 1;
                let dtype = self.dtype_behind()?;
                side.operands.push(format!("({dims}){dtype}"));
            }
            Token::Int(_) | Token::Dots | Token::Run(_) => {
                side.bare.push(self.written(from).to_owned());
                self.at += 1;
            }
            Token::Fn | Token::Tensor | Token::TensorType | Token::MlirTensor | Token::Tuple => {
                return None;
            }
            _ if is_word(self.written(from)) => self.named(from, side)?,
            _ => return None,
        }
        Some(())
    }

    /// What a word begins.
    fn named(&mut self, from: usize, side: &mut Side) -> Option<()> {
        let name = self.written(from);
        let colon = usize::from(self.word(from + 1) == Some(Token::Colon));
        match self.word(from + 1 + colon) {
            Some(Token::LeftParen) if is_dtype(name) => {
                let close = self.close(from + 1 + colon)?;
                let dims = self.between(from + 1 + colon, close);
                self.because(DTYPE_BEHIND);
                side.operands.push(format!("({dims}):{name}"));
                self.at = close + 1;
            }
            Some(Token::LeftBracket) if colon == 0 => {
                let close = self.close(from + 1)?;
                side.operands.push(match self.word(close.checked_sub(1)?) {
                    Some(Token::Text(dims)) => {
                        let dims = jaxtyping::dims(dims.trim_matches('"'), true)?;
                        self.because("the dims of an operand have commas between them, and its dtype stands behind");
                        format!("({}):{}", dims.join(","), jaxtyping::dtype(name)?)
                    }
                    _ => format!("{name}[{}]", self.between(from + 1, close)),
                });
                self.at = close + 1;
            }
            Some(Token::LeftParen) => return None,
            _ if colon == 0 => {
                side.bare.push(name.to_owned());
                self.at += 1;
            }
            _ => return None,
        }
        Some(())
    }

    /// `:f32` or, without the colon, what had better be one.
    fn dtype_behind(&mut self) -> Option<String> {
        let colon = self.word(self.at) == Some(Token::Colon);
        let from = self.at + usize::from(colon);
        let word = self.written(from);
        if is_word(word) && self.word(from) != Some(Token::Where) {
            if self.word(from + 1) == Some(Token::LeftParen) {
                // `promote(x, y)`; a word between two operands is no dtype of either for sure.
                if !colon {
                    return None;
                }
                let close = self.close(from + 1)?;
                self.at = close + 1;
                return Some(format!(":{word}({})", self.between(from + 1, close)));
            }
            self.at = from + 1;
            if !colon {
                self.because("a dtype stands behind a colon");
            }
            return Some(format!(":{word}"));
        }
        match (colon, self.word(from)) {
            (false, _) => Some(String::new()),
            (true, Some(Token::LeftBrace)) => {
                let close = self.close(from)?;
                self.at = close + 1;
                Some(format!(":{{{}}}", self.between(from, close)))
            }
            (true, _) => None,
        }
    }
}

/// Whether a word in front of a parenthesis may be a dtype: types of other kinds have a capital.
fn is_dtype(word: &str) -> bool {
    word.starts_with(|c: char| c.is_lowercase()) || jaxtyping::dtype(word).is_some()
}
