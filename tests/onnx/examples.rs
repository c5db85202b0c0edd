//! The files load without a warning, and the worked examples of the operators are right.

use kanshape::{AttrValue, Call, Operator, Type, onnx};

#[test]
fn the_files_have_no_warnings() {
    let warnings: Vec<String> = onnx().warnings().map(|w| w.to_string()).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}

#[test]
fn every_operator_says_what_it_does_and_has_an_example() {
    for operator in onnx().operators() {
        assert!(operator.doc().any(|line| !line.is_empty()), "{operator:?}");
        assert!(operator.examples().next().is_some(), "{operator:?}");
    }
}

#[test]
fn the_examples_are_right() {
    let mut wrong = Vec::new();
    for operator in onnx().operators() {
        for example in operator.examples() {
            let found = Example::read(example).and_then(|example| example.answers(&operator));
            let is_right = match found.as_deref() {
                Ok([answer]) => outputs(answer) == outputs(example),
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{operator:?}: {example}: {found:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What an example says comes out.
fn outputs(example: &str) -> Option<&str> {
    split_at(example, "->").map(|(_, outputs)| outputs.trim())
}

/// A line such as `f32[2, 3], - {axis = 1} -> f32[2]`.
struct Example {
    inputs: Vec<Option<Type>>,
    attrs: Vec<(Box<str>, AttrValue)>,
    outputs: Vec<Option<Type>>,
}

impl Example {
    fn read(line: &str) -> Result<Example, String> {
        let (call, outputs) = split_at(line, "->").ok_or("no `->`")?;
        let outputs = outputs.split(" where ").next().unwrap_or_default();
        let (inputs, attrs) = match split_at(call, "{") {
            Some((inputs, attrs)) => (inputs, attrs.trim_end().strip_suffix('}').ok_or("no `}`")?),
            None => (call, ""),
        };
        let read = |text: &str| match text {
            "-" => Ok(None),
            text => text.parse().map(Some).map_err(|e| format!("{e}")),
        };
        let attr = |text: &str| {
            let (name, value) = text.split_once('=').ok_or("no `=`")?;
            Ok::<_, String>((
                name.trim().into(),
                AttrValue::from(value.trim().trim_matches('"')),
            ))
        };
        Ok(Example {
            inputs: parts(inputs)
                .into_iter()
                .map(read)
                .collect::<Result<_, _>>()?,
            attrs: parts(attrs)
                .into_iter()
                .map(attr)
                .collect::<Result<_, _>>()?,
            outputs: vec![Some(Type::UNKNOWN); parts(outputs).len()],
        })
    }

    /// The answers, at most a few.
    fn answers(self, operator: &Operator) -> Result<Vec<String>, String> {
        let call = Call {
            inputs: self.inputs,
            outputs: Some(self.outputs),
            attrs: self.attrs,
        };
        let query = operator.query(call).map_err(|e| e.to_string())?;
        let answers = query.limit(5).solve().map_err(|e| e.to_string())?;
        Ok(answers.map(|answer| answer.to_string()).collect())
    }
}

/// A text before and behind the first such sign that stands in no brackets and in no quotes.
fn split_at<'a>(text: &'a str, sign: &str) -> Option<(&'a str, &'a str)> {
    let (mut depth, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            _ if depth == 0 && text[at..].starts_with(sign) => {
                return Some((&text[..at], &text[at + sign.len()..]));
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What stands between the commas that stand in no brackets and in no quotes.
fn parts(mut text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while let Some((part, rest)) = split_at(text, ",") {
        parts.push(part.trim());
        text = rest;
    }
    parts.extend(Some(text.trim()).filter(|part| !part.is_empty()));
    parts
}
