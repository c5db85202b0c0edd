//! [`Value`]: what torch's operators are called with.

use kanshape::types::TypeKind;
use kanshape::{AttrValue, Content, Contents, Dim, Dtype, DtypeTerm, Name, Type};

/// The type that a number of the program is where a tensor may stand: its argument is a tensor without dims.
const SCALAR: &str = "Scalar";

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `None`.
    None,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A size of which a name or an expression is known.
    Size(Dim),
    /// A number that need not be whole.
    Float(f64),
    /// A complex number: which one it is decides no type.
    Complex,
    /// A text, and what is written as one: a device, a layout, a memory format.
    Text(Box<str>),
    /// A dtype; one that kanshape has not is none that is known.
    Dtype(DtypeTerm),
    /// A tensor.
    Tensor(Type),
    /// Several.
    List(Vec<Value>),
}

impl Value {
    /// What it is as an operand of an operator: `None` if it is left out.
    pub(crate) fn into_operand(self) -> Option<Option<Type>> {
        let (dtype, content) = match self {
            Value::None => return Some(None),
            Value::Tensor(ty) => return Some(Some(ty)),
            Value::Bool(truth) => (Dtype::Bool, Content::from(truth)),
            Value::Int(n) => (Dtype::I64, Content::from(n)),
            Value::Size(dim) => (Dtype::I64, Content::from(dim)),
            Value::Float(x) => (Dtype::F64, Content::from(x)),
            Value::Complex => (Dtype::C128, Content::Hole),
            Value::Text(text) => match number(&text)? {
                Some(x) => (Dtype::F64, Content::from(x)),
                None => (Dtype::C128, Content::Hole),
            },
            Value::Dtype(_) | Value::List(_) => return None,
        };
        let number = Type::tensor(dtype, [] as [Dim; 0]).with_contents(Contents::new([content]));
        Some(Some(Type::adt(Name::word(SCALAR), [number])))
    }

    /// What it is as a member of a list of operands: an empty tuple if it is left out.
    pub(crate) fn into_member(self) -> Option<Type> {
        Some(self.into_operand()?.unwrap_or_else(|| Type::tuple([])))
    }

    /// What it is as an attribute.
    pub(crate) fn into_attribute(self, floats: bool) -> Option<AttrValue> {
        Some(match self {
            Value::None => AttrValue::Absent,
            Value::Bool(truth) if floats => f64::from(u8::from(truth)).into(),
            Value::Bool(truth) => truth.into(),
            Value::Int(n) => n.into(),
            // Which number it is decides no type.
            Value::Size(_) | Value::Complex if floats => AttrValue::Hole,
            Value::Size(dim) => dim.into(),
            Value::Float(x) => x.into(),
            Value::Complex => return None,
            Value::Text(text) if floats => number(&text)?.map_or(AttrValue::Hole, AttrValue::from),
            Value::Text(text) => AttrValue::Text(text),
            Value::Dtype(DtypeTerm::Known(dtype)) => dtype.into(),
            Value::Dtype(_) => AttrValue::Hole,
            Value::Tensor(_) => return None,
            Value::List(members) => {
                let members = members.into_iter().map(|m| m.into_attribute(floats));
                AttrValue::List(members.collect::<Option<_>>()?)
            }
        })
    }

    /// Is it a number of the program, and no tensor?
    pub(crate) fn is_number(&self) -> bool {
        match self {
            Value::Bool(_) | Value::Int(_) | Value::Size(_) | Value::Float(_) | Value::Complex => {
                true
            }
            Value::Text(text) => number(text).is_some(),
            Value::None | Value::Dtype(_) | Value::Tensor(_) | Value::List(_) => false,
        }
    }

    /// What it is called in a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::None => "None",
            Value::Bool(_) => "a truth value",
            Value::Int(_) | Value::Size(_) => "a whole number",
            Value::Float(_) => "a float",
            Value::Complex => "a complex number",
            Value::Text(_) => "a text",
            Value::Dtype(_) => "a dtype",
            Value::Tensor(_) => "a tensor",
            Value::List(_) => "a list",
        }
    }
}

/// The number that a text is where a number has none of its own: one that is not finite; of a complex one no more than that it
/// is one.
fn number(text: &str) -> Option<Option<f64>> {
    if text.trim_end_matches(')').ends_with('j') {
        return Some(None);
    }
    matches!(text, "inf" | "-inf" | "nan").then(|| text.parse().ok())
}

/// Is this what a number of the program is: no tensor, but something that stands where one may?
///
/// ```
/// assert!(kanshape_torch::is_scalar(&"Scalar[i64[] = [n]]".parse()?));
/// assert!(!kanshape_torch::is_scalar(&"i64[] = [n]".parse()?));
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub fn is_scalar(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Adt(name, _) if name.as_str() == SCALAR)
}
