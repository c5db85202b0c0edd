//! [`Call`]: what is given of a call of an operator.

use crate::AttrValue;
use kanshape_diag::Diagnostic;
use kanshape_syntax::split_question;
use kanshape_types::{Type, code};
use std::fmt;
use std::str::FromStr;

/// A call of an operator: what is given of it.
///
/// An operand is `None` where it is left out; one of which nothing is known is [`Type::UNKNOWN`].
/// [`Operator::call`](crate::Operator::call) makes one in a line. It is a plain value, to be compared, hashed, printed and read.
///
/// ```
/// use kanshape_infer::Call;
///
/// let call: Call = "[axis = 1] f32[2, n], - -> ?".parse()?;
/// assert_eq!(call.inputs.len(), 2);
/// assert_eq!(call.to_string(), "[axis = 1] f32[2, n], - -> ?");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// The inputs, in order. Those behind the last one are left out.
    pub inputs: Vec<Option<Type>>,
    /// The outputs that are queried. Without any word of them, those that every call has.
    pub outputs: Option<Vec<Option<Type>>>,
    /// The attributes that are not left out.
    pub attrs: Vec<(Box<str>, AttrValue)>,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.attrs.iter().enumerate() {
            let before = if i == 0 { "[" } else { ", " };
            write!(f, "{before}{name} = {value}")?;
        }
        f.write_str(if self.attrs.is_empty() { "" } else { "] " })?;
        operands(f, &self.inputs)?;
        if let Some(outputs) = &self.outputs {
            f.write_str(if self.inputs.is_empty() {
                "-> "
            } else {
                " -> "
            })?;
            operands(f, outputs)?;
        }
        Ok(())
    }
}

fn operands(f: &mut fmt::Formatter<'_>, types: &[Option<Type>]) -> fmt::Result {
    for (i, ty) in types.iter().enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        match ty {
            Some(ty) => fmt::Display::fmt(ty, f)?,
            None => f.write_str("-")?,
        }
    }
    Ok(())
}

/// The text.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads `[NAME = VALUE, ...] INPUTS -> OUTPUTS`, with `-` for an operand that is left out.
impl FromStr for Call {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Call, Diagnostic> {
        let parts = split_question(text)?;
        if parts.conditions.is_some() {
            return Err(Diagnostic::new(code::MISREAD, "a call has no conditions")
                .with_help("conditions are given to its query: `Query::given`")
                .with_source("call", text));
        }
        let types = |texts: &[&str]| {
            let types = texts.iter().map(|text| match *text {
                "-" => Ok(None),
                text => text.parse().map(Some),
            });
            types.collect::<Result<Vec<Option<Type>>, Diagnostic>>()
        };
        let attrs = parts.values.iter().map(|(name, value)| {
            let Ok(value) = value.parse();
            ((*name).into(), value)
        });
        Ok(Call {
            attrs: attrs.collect(),
            inputs: types(&parts.inputs)?,
            outputs: parts.outputs.as_deref().map(types).transpose()?,
        })
    }
}
