//! A question as one line: `[s: ?] f32[2, n], ? -> f32[2, 4] where n >= 3`, as answers are printed; of an operator
//! `f32[8, 8], - {axis = ?} -> f32[8]`, as its examples are.

use kanshape::Diagnostic;

use crate::loaded::Subject;
use crate::question::{Question, conditions, param};

/// Reads a question about a signature or an operator.
pub(crate) fn read(subject: Subject, line: &str) -> Result<Question, Diagnostic> {
    let mut question = Question::new(subject);
    let (line, behind) = match split_word(line, "where") {
        Some((line, behind)) => (line, Some(behind)),
        None => (line, None),
    };
    let mut line = line.trim();
    if let Some((params, rest)) = leading_params(line) {
        for text in split_commas(params) {
            question.params.push(param(text, ':')?);
        }
        line = rest;
    }
    let (mut inputs, outputs) = split_arrow(line);
    if let (Subject::Operator(_), Some((before, attrs))) =
        (&question.subject, trailing_attrs(inputs))
    {
        for text in operands(attrs) {
            let attr = question.attr(text)?;
            question.attrs.push(attr);
        }
        inputs = before;
    }
    question.inputs = question.operands("input", &operands(inputs))?;
    question.outputs = match outputs {
        Some(outputs) => question.operands("output", &operands(outputs))?,
        None => None,
    };
    if let Some(behind) = behind {
        question.conditions = conditions(behind)?;
    }
    Ok(question)
}

/// What stands in the brackets in front of the types.
fn leading_params(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.split_once(']')
}

/// What stands before the braces at the end, and in them.
fn trailing_attrs(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end();
    let close = line.len().checked_sub(1)?;
    // What stands in these braces is not outside, nor is the opening one.
    let before = outside(line).map(|(i, _)| i).filter(|i| *i < close).last();
    let open = before.map_or(0, |i| i + 1);
    let inner = line.get(open..)?.strip_prefix('{')?.strip_suffix('}')?;
    Some((&line[..open], inner))
}

/// The texts of operands, or of attributes.
fn operands(text: &str) -> Vec<&str> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    split_commas(text).into_iter().map(str::trim).collect()
}

/// The bytes of a text that stand in no bracket and no quotes.
fn outside(text: &str) -> impl Iterator<Item = (usize, u8)> + '_ {
    let mut depth = 0_usize;
    let mut quoted = false;
    let bytes = text.as_bytes();
    text.bytes().enumerate().filter_map(move |(i, byte)| {
        let is_escaped = i > 0 && bytes[i - 1] == b'\\';
        if byte == b'"' && !(quoted && is_escaped) {
            quoted = !quoted;
        }
        if quoted {
            return None;
        }
        let is_arrow = byte == b'>' && i > 0 && bytes[i - 1] == b'-';
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'>' if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some((i, byte))
    })
}

fn split_commas(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (i, byte) in outside(text) {
        if byte == b',' {
            pieces.push(&text[start..i]);
            start = i + 1;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// What stands left and right of the arrow that is not part of the type of a function.
fn split_arrow(text: &str) -> (&str, Option<&str>) {
    let mut start = 0;
    for (i, byte) in outside(text) {
        if byte == b',' {
            start = i + 1;
        }
        if text[i..].starts_with("->") {
            if text[start..].trim_start().starts_with("fn") && start < i {
                // The arrow of this function; the next one is another's.
                start = i + 2;
                continue;
            }
            return (&text[..i], Some(&text[i + 2..]));
        }
    }
    (text, None)
}

/// The text before and after a word that stands in no bracket.
fn split_word<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    outside(text).map(|(i, _)| i).find_map(|i| {
        let (before, rest) = text.split_at_checked(i)?;
        let after = rest.strip_prefix(word)?;
        let whole = !is_part(before.chars().next_back()) && !is_part(after.chars().next());
        whole.then_some((before, after))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use kanshape::Type;

    #[test]
    fn pieces() {
        let signature = Subject::Signature("[s] (a,b),(c)->(d)".parse().unwrap());
        let line = "[s: ?] f32[2, n], ? -> f32[n] where n >= 3, n <= 5";
        let question = read(signature.clone(), line).unwrap();
        assert_eq!(question.inputs.unwrap().len(), 2);
        let outputs = question.outputs.unwrap();
        assert_eq!(outputs[0].as_ref().unwrap().to_string(), "f32[n]");
        assert_eq!(question.params.len(), 1);
        assert_eq!(question.conditions.len(), 2);

        let question = read(signature, "fn(f32[2], ?) -> f32[], tensor<2x?xf32> -> ?").unwrap();
        assert_eq!(question.inputs.unwrap().len(), 2);
        assert_eq!(question.outputs.unwrap(), [Some(Type::UNKNOWN)]);
    }

    #[test]
    fn attributes() {
        let text = "op Pool [size: ints, mode: string = \"max\"] (X: T[..a]) -> (Y: T[..b])";
        let relations = kanshape::Relations::load_str("mine.kan", text).unwrap();
        let pool = Subject::Operator(relations.operator("Pool", None).unwrap());
        let line = r#"{f32, f64}[8, 8] {size = [2, ?], mode = "a, \" -> }"} -> ?"#;
        let question = read(pool.clone(), line).unwrap();
        assert_eq!(question.attrs.len(), 2);
        assert_eq!(question.attrs[0].1.to_string(), "[2, ?]");
        assert_eq!(question.attrs[1].1.to_string(), r#"a, " -> }"#);
        assert_eq!(question.inputs.unwrap().len(), 1);
        assert_eq!(question.outputs.unwrap(), [Some(Type::UNKNOWN)]);

        let question = read(pool, "{size = ?} -> -").unwrap();
        assert_eq!((question.inputs, question.attrs.len()), (None, 1));
        assert_eq!(question.outputs.unwrap(), [None]);
    }
}
