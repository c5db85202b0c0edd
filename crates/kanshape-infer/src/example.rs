//! [`Example`]: a worked example of an operator, as its documentation has it.

use crate::attribute::{members, outside};
use crate::{AttrValue, Call, Operator, code};
use kanshape_diag::Diagnostic;
use kanshape_syntax::parse_conditions;
use kanshape_types::{Conditions, Type};

/// A worked example: a call, and what comes of it.
///
/// It is written `INPUTS {NAME = VALUE, ...} -> OUTPUTS`, with `-` for an operand that is left out, the attributes only
/// if there are some, and perhaps `where` with what holds between the names at the end.
///
/// ```
/// use kanshape_infer::{Example, Relations};
///
/// let relations = Relations::load_str("mine.kan", "op Neg [axis: int = 0] (X: T[..s]) -> (Y: T[..s])")?;
/// let neg = relations.operator("Neg", None)?;
/// let example = Example::read(&neg, "f32[2, n] {axis = 1} -> f32[2, n]")?;
/// let mut answers = neg.query(example.forwards())?.solve()?;
/// assert_eq!(Some(&answers.next().unwrap().outputs[0]), example.outputs[0].as_ref());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Example {
    /// The inputs; `None` is one that is left out.
    pub inputs: Vec<Option<Type>>,
    /// The attributes that are given.
    pub attrs: Vec<(Box<str>, AttrValue)>,
    /// The outputs. What holds between their names is said with the first one that is there.
    pub outputs: Vec<Option<Type>>,
}

impl Example {
    /// Reads an example of an operator.
    ///
    /// # Errors
    /// A [`Diagnostic`] if it is not written as examples are, if a type in it can't be read, or if the operator has no
    /// such attribute.
    pub fn read(operator: &Operator, text: &str) -> Result<Example, Diagnostic> {
        let wrong = |why: &str| {
            Diagnostic::new(code::BAD_EXAMPLE, format!("`{text}` is no example: {why}"))
                .with_help("an example is written `INPUTS {NAME = VALUE} -> OUTPUTS`")
        };
        let (call, outputs) = cut(text, "->").ok_or_else(|| wrong("it has no arrow"))?;
        let (inputs, attrs) = match cut(call, " {") {
            // A set of dtypes stands before the brackets of a type.
            Some((inputs, behind)) => match behind.trim_end().strip_suffix('}') {
                Some(attrs) => (inputs, attrs),
                None => return Err(wrong("nothing stands behind the attributes but the arrow")),
            },
            None => match call
                .trim()
                .strip_prefix('{')
                .and_then(|c| c.strip_suffix('}'))
            {
                Some(attrs) => ("", attrs),
                None => (call, ""),
            },
        };
        let (outputs, conditions) = match cut(outputs, " where ") {
            Some((outputs, conditions)) => (outputs, parse_conditions(conditions)?),
            None => (outputs, Vec::new()),
        };
        let attrs = members(attrs).map(|attr| {
            let (name, value) = attr
                .split_once('=')
                .ok_or_else(|| wrong(&format!("the attribute `{attr}` has no value")))?;
            let name = name.trim();
            Ok((name.into(), operator.attribute(name)?.read(value)?))
        });
        let mut outputs = operands(outputs)?;
        if let Some(first) = outputs.iter_mut().flatten().next() {
            let conditions: Conditions = conditions.into_iter().map(|c| c.node).collect();
            *first = first.clone().with_conditions(conditions);
        }
        Ok(Example {
            inputs: operands(inputs)?,
            attrs: attrs.collect::<Result<_, Diagnostic>>()?,
            outputs,
        })
    }

    /// The call, with nothing known of its outputs but which there are.
    pub fn forwards(&self) -> Call {
        let outputs = self.outputs.iter();
        let unknown = outputs.map(|ty| ty.as_ref().map(|_| Type::UNKNOWN));
        Call {
            outputs: Some(unknown.collect()),
            ..self.call()
        }
    }

    /// The whole call with its outputs.
    pub fn call(&self) -> Call {
        Call {
            inputs: self.inputs.clone(),
            outputs: Some(self.outputs.clone()),
            attrs: self.attrs.clone(),
        }
    }
}

fn operands(text: &str) -> Result<Vec<Option<Type>>, Diagnostic> {
    let read = |text: &str| match text {
        "-" => Ok(None),
        text => text.parse().map(Some),
    };
    members(text).map(read).collect()
}

/// What stands before and behind the first such sign that stands in no brackets and no quotes.
fn cut<'t>(text: &'t str, sign: &str) -> Option<(&'t str, &'t str)> {
    let at = outside(text).find(|at| text[*at..].starts_with(sign))?;
    Some((&text[..at], &text[at + sign.len()..]))
}
