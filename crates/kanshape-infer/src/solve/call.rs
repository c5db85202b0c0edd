//! [`Call`]: what is given of a call of an operator.

use crate::AttrValue;
use kanshape_diag::Diagnostic;
use kanshape_syntax::{split_or_absent, split_question};
use kanshape_types::{Type, code};
use std::fmt;
use std::str::FromStr;

/// A call of an operator: what is given of it.
///
/// An operand is `None` where it is left out; one of which nothing is known is [`Type::UNKNOWN`].
/// [`Operator::call`](crate::Operator::call) makes one in a line. It is a plain value, to be compared, hashed, printed and read.
///
/// ```
/// use kanshape::Call;
///
/// let call: Call = "[axis = 1] f32[2, n], - -> ?".parse()?;
/// assert_eq!(call.inputs.len(), 2);
/// assert_eq!(call.to_string(), "[axis = 1] f32[2, n], - -> ?");
/// // It is not known whether the second input is there.
/// let call: Call = "f32[2], f32[] or -".parse()?;
/// assert_eq!(call.may_be_absent, [1]);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// The inputs, in order. Those behind the last one are left out.
    pub inputs: Vec<Option<Type>>,
    /// The outputs that are queried. Without any word of them, those that every call has.
    pub outputs: Option<Vec<Option<Type>>>,
    /// The attributes that are not left out.
    pub attrs: Vec<(Box<str>, AttrValue)>,
    /// The places of optional inputs that may be left out as well: what is given of these holds if they are there, and
    /// each answer says whether they are ([`Answer::absent`](crate::Answer::absent)).
    pub may_be_absent: Vec<usize>,
}

impl Call {
    /// Reads an operand, `f32[2]`, `-` for one that is left out, or `f32[2] or -` for one that may be left out: it is true of
    /// that alone.
    ///
    /// # Errors
    /// A [`Diagnostic`] if that is no type.
    pub fn read_operand(text: &str) -> Result<(Option<Type>, bool), Diagnostic> {
        if text.trim() == "-" {
            return Ok((None, false));
        }
        Ok(match split_or_absent(text) {
            Some(before) => (Some(before.parse()?), true),
            None => (Some(text.parse()?), false),
        })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.attrs.iter().enumerate() {
            let before = if i == 0 { "[" } else { ", " };
            write!(f, "{before}{name} = {value}")?;
        }
        f.write_str(if self.attrs.is_empty() { "" } else { "] " })?;
        operands(f, &self.inputs, &self.may_be_absent)?;
        if let Some(outputs) = &self.outputs {
            f.write_str(if self.inputs.is_empty() {
                "-> "
            } else {
                " -> "
            })?;
            operands(f, outputs, &[])?;
        }
        Ok(())
    }
}

fn operands(
    f: &mut fmt::Formatter<'_>,
    types: &[Option<Type>],
    may_be_absent: &[usize],
) -> fmt::Result {
    for (i, ty) in types.iter().enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        match ty {
            Some(ty) => fmt::Display::fmt(ty, f)?,
            None => f.write_str("-")?,
        }
        if ty.is_some() && may_be_absent.contains(&i) {
            f.write_str(" or -")?;
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

/// Reads `[NAME = VALUE, ...] INPUTS -> OUTPUTS`, with `-` for an operand that is left out, and `or -` behind an input that
/// may be left out.
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
        let mut inputs = Vec::with_capacity(parts.inputs.len());
        let mut may_be_absent = Vec::new();
        for (i, text) in parts.inputs.iter().enumerate() {
            let (ty, is_open) = Call::read_operand(text)?;
            inputs.push(ty);
            may_be_absent.extend(is_open.then_some(i));
        }
        Ok(Call {
            attrs: attrs.collect(),
            inputs,
            may_be_absent,
            outputs: parts.outputs.as_deref().map(types).transpose()?,
        })
    }
}
