//! Types as data, as [`crate::type_json`] writes them: `{"dtype": "f32", "shape": [2, "n"]}`.

use kanshape::{Condition, Content, Contents, Dim, DtypeSet, DtypeTerm, Shape, Tensor, Type};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::LineError;
use crate::mistake;
use crate::question;
use crate::type_json::float_of;

/// The type that an object is; none if the value is no object, and may be a text.
pub(super) fn read(raw: &RawValue, place: &str) -> Option<Result<Type, LineError>> {
    if !raw.get().starts_with('{') {
        return None;
    }
    let object: Option<Map<String, Value>> = serde_json::from_str(raw.get()).ok();
    Some(match object {
        Some(object) => ty(&object, place),
        None => Err(wrong(place, "a number that is not too large")),
    })
}

fn wrong(place: &str, wanted: &str) -> LineError {
    LineError::new(mistake::wrong_kind(place, wanted), place)
}

fn ty(object: &Map<String, Value>, place: &str) -> Result<Type, LineError> {
    const FIELDS: [&str; 8] = [
        "dtype", "shape", "contents", "name", "tuple", "type", "parts", "where",
    ];
    if let Some(unknown) = object.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(wrong(&format!("{place}.{unknown}"), "left out"));
    }
    let text = |name: &str| -> Result<Option<&str>, LineError> {
        match object.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(&format!("{place}.{name}"), "a text")),
        }
    };
    let of_text = |name: &str, text: &str| -> Result<Type, LineError> {
        let place = format!("{place}.{name}");
        text.parse().map_err(|d| LineError::new(d, place))
    };
    let ty = match (text("name")?, object.get("tuple"), text("type")?) {
        (Some(name), ..) => of_text("name", name)?,
        (None, Some(tuple), _) => {
            let place = format!("{place}.tuple");
            let Value::Array(members) = tuple else {
                return Err(wrong(&place, "a list of types"));
            };
            let members = members.iter().enumerate();
            let members = members.map(|(i, member)| part(member, &format!("{place}[{i}]")));
            Type::tuple(members.collect::<Result<Vec<Type>, LineError>>()?)
        }
        // What it is made of is in its text.
        (None, None, Some(text)) => of_text("type", text)?,
        (None, None, None) => tensor(object, text("dtype")?, place)?,
    };
    match object.get("where") {
        None | Some(Value::Null) => Ok(ty),
        Some(Value::Array(all)) => {
            let mut conditions: Vec<Condition> = ty.conditions.iter().cloned().collect();
            for (i, one) in all.iter().enumerate() {
                let place = format!("{place}.where[{i}]");
                let Value::String(text) = one else {
                    return Err(wrong(&place, "a text"));
                };
                conditions
                    .extend(question::conditions(text).map_err(|d| LineError::new(d, place))?);
            }
            Ok(ty.with_conditions(conditions.into_iter().collect()))
        }
        Some(_) => Err(wrong(&format!("{place}.where"), "a list of conditions")),
    }
}

fn part(json: &Value, place: &str) -> Result<Type, LineError> {
    match json {
        Value::Null => Ok(Type::UNKNOWN),
        Value::String(text) => text.parse().map_err(|d| LineError::new(d, place)),
        Value::Object(object) => ty(object, place),
        _ => Err(wrong(place, "a type")),
    }
}

fn tensor(
    object: &Map<String, Value>,
    dtype: Option<&str>,
    place: &str,
) -> Result<Type, LineError> {
    let contents = object
        .get("contents")
        .filter(|contents| !contents.is_null());
    let dims = match object.get("shape") {
        Some(Value::Array(dims)) => Some(dims),
        None | Some(Value::Null) => None,
        Some(_) => return Err(wrong(&format!("{place}.shape"), "a list of dims")),
    };
    if dtype.is_none() && dims.is_none() && contents.is_none() {
        return Ok(Type::UNKNOWN);
    }
    let dtype = match dtype {
        None => DtypeTerm::Hole,
        Some(text) => {
            let place = format!("{place}.dtype");
            let scalar: Type = format!("{text}[]")
                .parse()
                .map_err(|d| LineError::new(d, &*place))?;
            match scalar.as_tensor() {
                Some(scalar) if scalar.shape.rank() == Some(0) => scalar.dtype.clone(),
                _ => return Err(wrong(&place, "a dtype")),
            }
        }
    };
    let shape = dims.map_or(Ok(Shape::unknown()), |dims| shape(dims, place))?;
    let contents = match contents {
        None => None,
        Some(Value::Array(members)) => {
            let members = members.iter().enumerate().map(|(i, member)| {
                let place = format!("{place}.contents[{i}]");
                content(member, dtype.set(), &place)
            });
            Contents::new(members.collect::<Result<Vec<Content>, LineError>>()?)
        }
        Some(_) => return Err(wrong(&format!("{place}.contents"), "a list of elements")),
    };
    if let Some(contents) = &contents
        && (!Contents::fit(&shape, contents.len())
            || contents.dtypes().intersection(dtype.set()).is_empty())
    {
        let wanted = "a list of as many elements as the shape says, of the dtype";
        return Err(wrong(&format!("{place}.contents"), wanted));
    }
    Ok(Tensor::new(dtype, shape).with_contents(contents).into())
}

/// Sizes, texts and nulls; one of the texts may be a run of dims.
fn shape(dims: &[Value], place: &str) -> Result<Shape, LineError> {
    let mut shape = Shape::default();
    let mut run = None;
    for (i, json) in dims.iter().enumerate() {
        let place = format!("{place}.shape[{i}]");
        match json {
            Value::Null => shape.push(Dim::Hole),
            Value::Number(size) => match size.as_u64() {
                Some(size) => shape.push(Dim::Size(size)),
                None => return Err(wrong(&place, "a size, a text or null")),
            },
            Value::String(text) => match text.strip_prefix("...") {
                None => shape.push(text.parse().map_err(|d| LineError::new(d, place))?),
                Some(_) if run.is_some() => return Err(wrong(&place, "the only run of dims")),
                Some(_) => {
                    let one: Type = format!("?[{text}]")
                        .parse()
                        .map_err(|d| LineError::new(d, &*place))?;
                    let own = one.as_tensor().and_then(|tensor| tensor.shape.run());
                    let own = own.ok_or_else(|| wrong(&place, "a run of dims"))?;
                    run = Some((i, own.name.clone()));
                }
            },
            _ => return Err(wrong(&place, "a size, a text or null")),
        }
    }
    Ok(match run {
        Some((at, name)) => shape.with_run(at, name),
        None => shape,
    })
}

fn content(json: &Value, dtypes: DtypeSet, place: &str) -> Result<Content, LineError> {
    let wanted = "an element: a number, a truth value, a text or null";
    Ok(match json {
        Value::Null => Content::Hole,
        Value::Bool(truth) => (*truth).into(),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(n), _) => n.into(),
            (None, Some(x)) if number.is_f64() => x.into(),
            _ => return Err(wrong(place, wanted)),
        },
        Value::String(text) => match float_of(text) {
            Some(number) => number.into(),
            None if dtypes.is_subset(DtypeSet::from(kanshape::Dtype::Str)) => text.as_str().into(),
            None => {
                let dim: Dim = text.parse().map_err(|d| LineError::new(d, place))?;
                dim.into()
            }
        },
        Value::Array(_) | Value::Object(_) => return Err(wrong(place, wanted)),
    })
}
