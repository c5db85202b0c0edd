//! Texts in quotes: what their escapes denote, and back.

use std::fmt::{self, Formatter, Write};

use kanshape_diag::Diagnostic;
use lalrpop_util::ParseError;

use crate::code;
use crate::problem::{self, refuse};
use crate::tree::Span;

/// The escapes of one letter, and what they denote.
const ESCAPES: [(char, char); 6] = [
    ('"', '"'),
    ('\\', '\\'),
    ('n', '\n'),
    ('r', '\r'),
    ('t', '\t'),
    ('0', '\0'),
];

/// A character of a text, with the bytes that write it.
type Char = Result<(char, Span), Span>;

/// The characters of a text; `raw` has its quotes and begins at the byte `start`.
fn chars(raw: &str, start: usize) -> impl Iterator<Item = Char> + '_ {
    let inner = raw.strip_prefix('"').unwrap_or(raw);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut rest = inner;
    let mut at = start + (raw.len() > inner.len()) as usize;
    std::iter::from_fn(move || {
        let c = rest.chars().next()?;
        let (value, len) = match rest.strip_prefix('\\') {
            None => (Some(c), c.len_utf8()),
            Some(escape) => unescape(escape),
        };
        let span = Span::new(at, at + len);
        at += len;
        rest = rest.get(len..).unwrap_or_default();
        Some(value.map(|c| (c, span)).ok_or(span))
    })
}

/// What an escape denotes, if anything, and its length with the backslash.
fn unescape(escape: &str) -> (Option<char>, usize) {
    let Some(letter) = escape.chars().next() else {
        return (None, 1);
    };
    if let Some((_, c)) = ESCAPES.iter().find(|(l, _)| *l == letter) {
        return (Some(*c), 2);
    }
    let digits = escape.strip_prefix("u{").and_then(|s| s.split_once('}'));
    match digits {
        Some((digits, _)) if digits.len() <= 6 && !digits.starts_with('+') => {
            let c = u32::from_str_radix(digits, 16).ok();
            (c.and_then(char::from_u32), "\\u{}".len() + digits.len())
        }
        _ => (None, 1 + letter.len_utf8()),
    }
}

/// What is written between the quotes, for a parser of the words `T`.
pub(crate) fn read<T>(
    raw: &str,
    at: Span,
) -> Result<Box<str>, ParseError<usize, T, Box<Diagnostic>>> {
    let mut text = String::with_capacity(raw.len());
    for c in chars(raw, at.start) {
        match c {
            Ok((c, _)) => text.push(c),
            Err(at) => {
                return Err(refuse(
                    problem::new(code::BAD_ESCAPE, "there is no such escape", at, "")
                        .with_help(r#"the escapes are `\"`, `\\`, `\n`, `\r`, `\t`, `\0` and `\u{e9}`; a backslash is written `\\`"#),
                ));
            }
        }
    }
    Ok(text.into())
}

/// What stands between the quotes of a text that is written with them, if that is what this is.
pub fn unquoted(raw: &str) -> Option<Box<str>> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    let mut escaped = false;
    let closes = |c: char| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    };
    if inner.contains(closes) {
        return None;
    }
    chars(raw, 0).map(|c| c.ok().map(|(c, _)| c)).collect()
}

/// That the text at the beginning of `rest` has no second quote in its line.
pub(crate) fn unclosed(rest: &str, start: usize) -> Diagnostic {
    let line = rest.lines().next().unwrap_or(rest);
    problem::new(
        code::UNCLOSED_TEXT,
        "this text is never closed",
        Span::new(start, start + line.trim_end().len()),
        "expected `\"` before the end of the line",
    )
    .with_help("a text ends in its line; a line break in it is written `\\n`")
}

/// A text with its quotes.
pub fn quoted(text: &str) -> String {
    struct Quoted<'t>(&'t str);
    impl fmt::Display for Quoted<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            write(f, self.0)
        }
    }
    Quoted(text).to_string()
}

/// Writes a text with its quotes.
pub(crate) fn write(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match ESCAPES.iter().find(|(_, stands_for)| *stands_for == c) {
            Some((letter, _)) => write!(f, "\\{letter}")?,
            None if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            None => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// Where the byte `offset` of what a text denotes is written.
pub(crate) fn place(raw: &str, at: Span, offset: usize) -> usize {
    let mut left = offset;
    for (c, span) in chars(raw, at.start).flatten() {
        if left < c.len_utf8() {
            return span.start;
        }
        left -= c.len_utf8();
    }
    at.end.saturating_sub("\"".len()).max(at.start)
}
