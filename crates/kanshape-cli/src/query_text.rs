//! A question as one line: `[s = ?] f32[2, n], ? -> f32[2, 4] where n >= 3`, as answers and examples are written.

use kanshape::Diagnostic;
use kanshape::tree::split_question;

use kanshape_batch::loaded::Subject;
use kanshape_batch::question::{Question, conditions};

/// Reads a question about a signature or an operator.
pub(crate) fn read(subject: Subject, line: &str) -> Result<Question, Diagnostic> {
    let mut question = Question::new(subject);
    let parts = split_question(line)?;
    for (name, value) in parts.values {
        question.give(name, value)?;
    }
    let outputs = parts.outputs.unwrap_or_default();
    question.give_operands(&parts.inputs, &outputs)?;
    if let Some(behind) = parts.conditions {
        question.conditions = conditions(behind)?;
    }
    Ok(question)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use kanshape::Type;

    #[test]
    fn pieces() {
        let signature = Subject::Signature("[s] (a,b),(c)->(d)".parse().unwrap());
        let line = "[s = ?] f32[2, n], ? -> f32[n] where n >= 3, n <= 5";
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
        let line = r#"[size = [2, ?], mode = "a, \" -> ]"] {f32, f64}[8, 8] -> ?"#;
        let question = read(pool.clone(), line).unwrap();
        assert_eq!(question.attrs.len(), 2);
        assert_eq!(question.attrs[0].1.to_string(), "[2, ?]");
        assert_eq!(question.attrs[1].1.to_string(), r#""a, \" -> ]""#);
        assert_eq!(question.inputs.unwrap().len(), 1);
        assert_eq!(question.outputs.unwrap(), [Some(Type::UNKNOWN)]);

        let question = read(pool, "[size = ?] -> -").unwrap();
        assert_eq!((question.inputs, question.attrs.len()), (None, 1));
        assert_eq!(question.outputs.unwrap(), [None]);
    }
}
