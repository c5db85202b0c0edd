//! Numbers, texts and lists without a dtype, as arrays that have one.

use kanshape_diag::Diagnostic;

use super::number::Number;
use super::{AnyArray, Value};
use crate::{Dtype, DtypeSet, Promotion, error};

/// As deep as NumPy lets lists nest.
const MAX_RANK: usize = 64;
/// More elements than anybody writes down; a list may hold another many times over.
const MAX_ELEMENTS: usize = 1 << 26;

/// The literals of a value, in the shape of its lists.
pub(super) struct Literals {
    shape: Vec<usize>,
    elements: Elements,
    /// The dtype that NumPy would give them.
    dtype: Dtype,
}

enum Elements {
    Numbers(Vec<Number>),
    Texts(Vec<String>),
}

impl Literals {
    pub(super) fn of(value: &Value) -> Result<Literals, Diagnostic> {
        let shape = shape_of(value)?;
        let mut flat = Vec::new();
        flatten(value, &shape, &mut flat)?;
        let (elements, dtype) = elements(&flat)?;
        Ok(Literals {
            shape,
            elements,
            dtype,
        })
    }

    /// The array of them, in one of these dtypes: NumPy's, if it is among them, else the first
    /// that takes them as they are. If there is but one, and `lossy`, they are changed as need be.
    pub(super) fn into_array(self, dtypes: DtypeSet, lossy: bool) -> Result<AnyArray, Diagnostic> {
        let one = dtypes.single();
        if let (Some(dtype), true) = (one, lossy) {
            return self
                .array(dtype)
                .ok_or_else(|| error::value_refused(format!("this has no value as {dtype}")));
        }
        let first = std::iter::once(self.dtype).filter(|dtype| dtypes.contains(*dtype));
        // Where nothing is queried, nothing else is tried.
        let others = dtypes.iter().filter(|_| dtypes != DtypeSet::ANY);
        first
            .chain(others)
            .find_map(|dtype| self.array(dtype).filter(|array| self.are(array)))
            .ok_or_else(|| {
                let why = format!("no array of {dtypes} has exactly this value");
                let refused = error::value_refused(why);
                match one {
                    Some(_) => refused.with_help("with `allow_downcast` the nearest one is taken"),
                    None => refused,
                }
            })
    }

    fn array(&self, dtype: Dtype) -> Option<AnyArray> {
        match &self.elements {
            Elements::Numbers(numbers) => AnyArray::of_literals(dtype, &self.shape, numbers),
            Elements::Texts(texts) if dtype == Dtype::Str => {
                AnyArray::of_texts(&self.shape, texts.clone())
            }
            Elements::Texts(_) => None,
        }
    }

    /// Whether the elements of an array made from these are equal to them.
    fn are(&self, array: &AnyArray) -> bool {
        match (&self.elements, array.numbers()) {
            (Elements::Numbers(literals), Some(numbers)) => literals
                .iter()
                .zip(numbers)
                .all(|(literal, number)| literal.equals(number)),
            (Elements::Texts(_), None) => true,
            _ => false,
        }
    }
}

/// The shape of lists in lists, as the first of each has it.
fn shape_of(value: &Value) -> Result<Vec<usize>, Diagnostic> {
    let mut shape = Vec::new();
    let mut at = value;
    while let Value::List(items) | Value::Tuple(items) = at {
        shape.push(items.len());
        match items.first() {
            Some(first) if shape.len() < MAX_RANK => at = first,
            Some(_) => return Err(error::value_refused("the lists are nested too deeply")),
            None => break,
        }
    }
    // Empty lists are counted as well: there may be as many of them.
    let count = shape
        .iter()
        .try_fold(1usize, |count, &length| count.checked_mul(length.max(1)));
    match count {
        Some(count) if count <= MAX_ELEMENTS => Ok(shape),
        _ => Err(error::value_refused("the lists have too many elements")),
    }
}

/// The elements from left to right. Never deeper than the shape is long.
fn flatten<'v>(
    value: &'v Value,
    shape: &[usize],
    into: &mut Vec<&'v Value>,
) -> Result<(), Diagnostic> {
    match (value, shape) {
        (Value::List(items) | Value::Tuple(items), [length, rest @ ..])
            if items.len() == *length =>
        {
            items.iter().try_for_each(|item| flatten(item, rest, into))
        }
        (Value::List(_) | Value::Tuple(_), _) | (_, [_, ..]) => {
            Err(error::value_refused("the lists have different lengths"))
        }
        (value, []) => {
            into.push(value);
            Ok(())
        }
    }
}

fn elements(flat: &[&Value]) -> Result<(Elements, Dtype), Diagnostic> {
    if let Some(Value::Str(_)) = flat.first() {
        let texts = flat.iter().map(|value| match value {
            Value::Str(text) => Ok(text.to_string()),
            _ => Err(error::value_refused("a text stands beside something else")),
        });
        return Ok((
            Elements::Texts(texts.collect::<Result<_, _>>()?),
            Dtype::Str,
        ));
    }
    let mut numbers = Vec::with_capacity(flat.len());
    let mut dtypes: Option<Dtype> = None;
    for value in flat {
        let (number, dtype) = match **value {
            Value::Bool(bool) => (Number::Int(bool.into()), Dtype::Bool),
            Value::Int(int) if i64::try_from(int).is_err() && u64::try_from(int).is_ok() => {
                (Number::Int(int), Dtype::U64)
            }
            Value::Int(int) => (Number::Int(int), Dtype::I64),
            Value::Float(float) => (Number::Float(float), Dtype::F64),
            Value::Complex(re, im) => (Number::Complex(re, im), Dtype::C128),
            Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Array(_) | Value::User(_) => {
                return Err(error::value_refused("this is no number"));
            }
        };
        numbers.push(number);
        dtypes = match dtypes {
            None => Some(dtype),
            Some(before) => Promotion::Numpy.promote(before, dtype),
        };
    }
    // An empty list is one of floats, in NumPy.
    Ok((Elements::Numbers(numbers), dtypes.unwrap_or(Dtype::F64)))
}
