//! Questions and answers as lines: `[stride = 2] f32[3, 8], ? -> f32[4, 4] where n >= 3`.
//!
//! A line is split into the texts of its parts at the words that stand in no bracket. Each part is read on its own
//! then - a type by [`crate::parse_type`], a value as the attribute that it is for wants it - so that its mistakes are
//! those of a type or a value wherever it stands.

use kanshape_diag::Diagnostic;

use crate::code;
use crate::problem;
use crate::signature::lex::{Lexer, Token};
use crate::signature::scene::{closer, is_closer};
use crate::tree::Span;

/// What the text is called.
const NAME: &str = "question";

/// The parts of a question, each as it is written.
///
/// ```
/// use kanshape_syntax::split_question;
///
/// let question = split_question("[axis = 1] f32[2, n], - -> ? where n >= 3")?;
/// assert_eq!(question.values, [("axis", "1")]);
/// assert_eq!(question.inputs, ["f32[2, n]", "-"]);
/// assert_eq!(question.outputs, Some(vec!["?"]));
/// assert_eq!(question.conditions, Some("n >= 3"));
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question<'t> {
    /// `[stride = 2, pad = ?]`: parameters and attributes by name.
    pub values: Vec<(&'t str, &'t str)>,
    /// The inputs; `-` is one that is left out.
    pub inputs: Vec<&'t str>,
    /// The outputs, if there is an arrow.
    pub outputs: Option<Vec<&'t str>>,
    /// What stands behind `where`.
    pub conditions: Option<&'t str>,
}

/// Splits `[NAME = VALUE, ...] INPUTS -> OUTPUTS where CONDITIONS`; only the inputs need not be left out.
///
/// # Errors
///
/// A text that can't be split into these parts, with the place in it.
pub fn split_question(text: &str) -> Result<Question<'_>, Diagnostic> {
    question(text).map_err(|d| d.with_source(NAME, text))
}

/// The members of a list, `[2, ?]`; none if the text is no list in brackets.
///
/// ```
/// use kanshape_syntax::split_list;
///
/// assert_eq!(split_list(r#"[ [1, 2], "a]" ]"#), Some(vec!["[1, 2]", r#""a]""#]));
/// assert_eq!(split_list("[]"), Some(vec![]));
/// assert_eq!(split_list("[1] + [2]"), None);
/// ```
pub fn split_list(text: &str) -> Option<Vec<&str>> {
    let text = text.trim();
    let words = words(text);
    let (first, last) = (words.first()?, words.last()?);
    let close = words[1..].iter().position(|w| w.depth == 0)? + 1;
    if first.token != Some(Token::LeftBracket) || close + 1 != words.len() {
        return None;
    }
    let inner = Span::new(first.at.end, last.at.start);
    members(text, &words[1..close], inner, 1).ok()
}

/// What stands before `or -`, which says of an operand that it may be left out as well.
///
/// ```
/// use kanshape_syntax::split_or_absent;
///
/// assert_eq!(split_or_absent("f32[2, n] or -"), Some("f32[2, n]"));
/// assert_eq!(split_or_absent("f32[2, n]"), None);
/// ```
pub fn split_or_absent(text: &str) -> Option<&str> {
    let before = text.trim_end().strip_suffix('-')?.trim_end();
    let before = before.strip_suffix("or")?;
    before.ends_with(char::is_whitespace).then(|| before.trim())
}

/// `NAME = VALUE`, as an option of a command has it: the value may be any text.
pub fn split_binding(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    Some((name.trim(), value.trim()))
}

/// A word with its place, and how many brackets are open around it: of a bracket itself, those outside of it.
struct Word<'t> {
    /// None of a character that is no part of the language: whoever reads the part says so.
    token: Option<Token<'t>>,
    at: Span,
    depth: usize,
    /// The arrow of a function.
    of_fn: bool,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    // For each open bracket, whether `fn` stands before it.
    let mut open: Vec<bool> = Vec::new();
    let mut params_end = false;
    // The first word is the lexer's own, and says what it reads.
    for read in Lexer::new(Token::StartType, text).skip(1) {
        let Ok((start, token, end)) = read else {
            // What comes behind is not read: it belongs to the part that is wrong.
            let start = words.last().map_or(0, |w| w.at.end);
            words.push(Word {
                token: None,
                at: Span::new(start, text.len()),
                depth: open.len(),
                of_fn: false,
            });
            break;
        };
        let after_fn = words.last().is_some_and(|w| w.token == Some(Token::Fn));
        let of_fn = token == Token::Arrow && params_end;
        params_end = false;
        let mut depth = open.len();
        if closer(token).is_some() {
            open.push(after_fn && token == Token::LeftParen);
        } else if is_closer(token) {
            params_end = open.pop().unwrap_or(false);
            depth = open.len();
        }
        words.push(Word {
            token: Some(token),
            at: Span::new(start, end),
            depth,
            of_fn,
        });
    }
    words
}

fn question(text: &str) -> Result<Question<'_>, Diagnostic> {
    let words = words(text);
    let mut question = Question::default();
    let mut rest = &words[..];
    if rest
        .first()
        .is_some_and(|w| w.token == Some(Token::LeftBracket))
    {
        let close = rest[1..].iter().position(|w| w.depth == 0);
        let Some(close) = close.map(|at| at + 1) else {
            return Err(problem::new(
                code::NO_QUESTION,
                "a bracket that is never closed",
                rest[0].at,
                "opened here",
            ));
        };
        let inner = Span::new(rest[0].at.end, rest[close].at.start);
        for value in parts(text, &rest[1..close], inner, 1)? {
            question.values.push(binding(text, value)?);
        }
        rest = &rest[close + 1..];
    }
    let mut end = text.len();
    let is = |word: &Word<'_>, token| word.depth == 0 && !word.of_fn && word.token == Some(token);
    if let Some(at) = rest.iter().position(|w| is(w, Token::Where)) {
        question.conditions = Some(text[rest[at].at.end..].trim());
        end = rest[at].at.start;
        rest = &rest[..at];
    }
    let start = rest.first().map_or(end, |w| w.at.start);
    let mut inputs = Span::new(start, end);
    if let Some(at) = rest.iter().position(|w| is(w, Token::Arrow)) {
        let arrow = rest[at].at;
        let outputs = Span::new(arrow.end, end);
        question.outputs = Some(members(text, &rest[at + 1..], outputs, 0)?);
        inputs.end = arrow.start;
        rest = &rest[..at];
    }
    question.inputs = members(text, rest, inputs, 0)?;
    Ok(question)
}

/// The parts between the commas at a depth; none of a text that is blank.
fn members<'t>(
    text: &'t str,
    words: &[Word<'t>],
    within: Span,
    depth: usize,
) -> Result<Vec<&'t str>, Diagnostic> {
    let parts = parts(text, words, within, depth)?.into_iter();
    Ok(parts.map(|at| &text[at.start..at.end]).collect())
}

/// Where these are.
fn parts(
    text: &str,
    words: &[Word<'_>],
    within: Span,
    depth: usize,
) -> Result<Vec<Span>, Diagnostic> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let commas = words
        .iter()
        .filter(|w| w.depth == depth && w.token == Some(Token::Comma));
    let mut parts = Vec::new();
    let mut start = within.start;
    for (from, to) in commas
        .map(|w| (w.at.start, w.at.end))
        .chain([(within.end, within.end)])
    {
        let written = &text[start..from];
        let part = written.trim();
        if part.is_empty() {
            let at = Span::new(start, from);
            let headline = "something is missing beside a comma";
            return Err(problem::new(code::NO_QUESTION, headline, at, "")
                .with_help("write `?` for an operand of which nothing is known"));
        }
        let first = start + written.len() - written.trim_start().len();
        parts.push(Span::new(first, first + part.len()));
        start = to;
    }
    Ok(parts)
}

/// `NAME = VALUE`, in the brackets of a question.
fn binding(text: &str, at: Span) -> Result<(&str, &str), Diagnostic> {
    let part = &text[at.start..at.end];
    let is_name = |name: &str| {
        let mut chars = name.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_')
    };
    if let Some((name, value)) = split_binding(part)
        && is_name(name)
        && !value.is_empty()
    {
        return Ok((name, value));
    }
    let d = problem::new(
        code::NO_QUESTION,
        "a parameter or an attribute is given as `NAME = VALUE`",
        at,
        "no name and value",
    );
    Err(match part.split_once(':') {
        Some((name, value)) if is_name(name.trim()) => {
            d.with_help(format!("write `{} = {}`", name.trim(), value.trim()))
        }
        _ if is_name(part) => d.with_help(format!("to query it, write `{part} = ?`")),
        _ => d,
    })
}
