//! [`Example`]: a query about an operator, and its answer.

use crate::code;
use crate::text::Piece;
use kanshape_diag::Diagnostic;
use std::ops::Range;

/// A query and what it must answer.
#[derive(Clone, Debug)]
pub struct Example {
    pub(crate) query: Piece,
    pub(crate) question: Question,
    pub(crate) expected: Expected,
}

/// A query taken apart. The parts are texts: types, values, conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The parameters that are given, and their values.
    pub params: Vec<(String, String)>,
    /// One type for each input.
    pub inputs: Vec<String>,
    /// One type for each output; empty if nothing is said of them.
    pub outputs: Vec<String>,
    /// What stands after `where`.
    pub conditions: Option<String>,
}

/// What a query must answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// There is no answer.
    Never,
    /// These answers, in this order, as they are printed.
    Answers {
        /// The first ones.
        first: Vec<String>,
        /// There are more.
        more: bool,
    },
}

impl Example {
    /// The query, as written.
    pub fn query(&self) -> &str {
        self.query.as_str()
    }

    /// The query, taken apart.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What it must answer.
    pub fn expected(&self) -> &Expected {
        &self.expected
    }

    /// A diagnostic about the query, pointing at it in the file.
    #[must_use]
    pub fn mistake(&self, code: &'static str, headline: &str) -> Diagnostic {
        let file = self.query.file();
        file.mistake(code, headline, self.query.range(), "")
    }
}

impl Question {
    /// Takes a query apart: `[PARAM: VALUE, ...] INPUTS -> OUTPUTS where CONDITIONS`.
    pub(crate) fn read(query: &Piece) -> Result<Question, Diagnostic> {
        let mut question = Question::default();
        let mut rest = query.trim();
        if rest.as_str().starts_with('[') {
            let close = marks(&rest)?.find(|m| m.kind == Kind::Close);
            let at = close.map_or(0..0, |m| m.at);
            for param in split(&rest.part(1..at.start))? {
                question.params.push(self::param(&param)?);
            }
            rest = rest.part(at.end..rest.as_str().len()).trim();
        }
        let find = |kind| Ok::<_, Diagnostic>(marks(&rest)?.find(|m| m.kind == kind));
        let end = rest.as_str().len();
        let mut types = rest.clone();
        if let Some(mark) = find(Kind::Where)? {
            let conditions = rest.part(mark.at.end..end).trim();
            question.conditions = Some(conditions.as_str().into());
            types = rest.part(0..mark.at.start);
        }
        let mut inputs = types.clone();
        if let Some(mark) = find(Kind::Arrow)?.filter(|m| m.at.end <= types.as_str().len()) {
            inputs = types.part(0..mark.at.start);
            question.outputs = texts(&types.part(mark.at.end..types.as_str().len()))?;
        }
        question.inputs = texts(&inputs)?;
        Ok(question)
    }
}

fn param(text: &Piece) -> Result<(String, String), Diagnostic> {
    match text.as_str().split_once(':') {
        Some((label, value)) => Ok((label.trim().into(), value.trim().into())),
        None => Err(bad(text, "a parameter is given as `name: value`")),
    }
}

fn texts(list: &Piece) -> Result<Vec<String>, Diagnostic> {
    let texts = split(list)?;
    Ok(texts.iter().map(|t| t.as_str().to_owned()).collect())
}

/// The parts of a list with commas.
fn split(list: &Piece) -> Result<Vec<Piece>, Diagnostic> {
    let mut parts = Vec::new();
    let mut start = 0;
    for comma in marks(list)?.filter(|m| m.kind == Kind::Comma) {
        parts.push(list.part(start..comma.at.start).trim());
        start = comma.at.end;
    }
    let last = list.part(start..list.as_str().len()).trim();
    if !(parts.is_empty() && last.as_str().is_empty()) {
        parts.push(last);
    }
    match parts.iter().find(|p| p.as_str().is_empty()) {
        Some(empty) => Err(bad(empty, "something is missing beside a comma")),
        None => Ok(parts),
    }
}

fn bad(at: &Piece, headline: &str) -> Diagnostic {
    at.file().mistake(code::BAD_QUERY, headline, at.range(), "")
}

/// A place of a query where it can be taken apart.
#[derive(Debug)]
struct Mark {
    kind: Kind,
    at: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Arrow,
    Comma,
    Where,
    /// A bracket that closes the outermost one.
    Close,
}

/// The marks outside of all brackets, from left to right.
fn marks(text: &Piece) -> Result<impl Iterator<Item = Mark> + use<>, Diagnostic> {
    let all = text.as_str();
    let mut marks = Vec::new();
    let mut depth = 0_usize;
    for (i, c) in all.char_indices() {
        let mut mark = |kind, length| {
            let at = i..i + length;
            marks.push(Mark { kind, at });
        };
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                if depth == 0 {
                    let at = text.part(i..i + 1);
                    return Err(bad(&at, "a bracket that was never opened"));
                }
                depth -= 1;
                if depth == 0 {
                    mark(Kind::Close, 1);
                }
            }
            '-' if depth == 0 && all[i..].starts_with("->") => mark(Kind::Arrow, 2),
            ',' if depth == 0 => mark(Kind::Comma, 1),
            'w' if depth == 0 && is_word(all, i, "where") => {
                // The conditions have commas of their own.
                mark(Kind::Where, 5);
                return Ok(marks.into_iter());
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(bad(text, "a bracket that is never closed"));
    }
    Ok(marks.into_iter())
}

fn is_word(text: &str, at: usize, word: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    text[at..].starts_with(word)
        && !text[..at].ends_with(part_of_name)
        && !text[at + word.len()..].starts_with(part_of_name)
}
