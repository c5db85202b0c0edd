//! The attributes of a line, as models and their tools write them: numbers, texts, lists of them, tensors with their
//! contents, the types of bodies. What is grouped under a name that is no attribute is several of them.

use kanshape::operator::Attribute;
use kanshape::tree::mlir_enumerant;
use kanshape::{
    AttrValue, Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Name, Operator, Shape, Tensor,
    Type,
};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::LineError;
use super::fields::Line;
use super::value::{list, object, text};
use crate::field::Field;
use crate::mistake;
use crate::type_json::float_of;

/// The attributes that a line gives.
pub(super) fn attrs(
    line: &Line<'_>,
    operator: &Operator,
) -> Result<Vec<(Box<str>, AttrValue)>, LineError> {
    let Some(raw) = line.value(Field::Attrs) else {
        return Ok(Vec::new());
    };
    read(raw, Field::Attrs.name(), operator)
}

/// The attributes by their names, which stand at a place of the line.
pub(super) fn read(
    raw: &RawValue,
    place: &str,
    operator: &Operator,
) -> Result<Vec<(Box<str>, AttrValue)>, LineError> {
    let given = object(raw).ok_or_else(|| {
        let wrong = mistake::wrong_kind(place, "an object of attributes by name");
        LineError::new(wrong, place)
    })?;
    let mut attrs = Vec::with_capacity(given.len());
    for (name, raw) in given {
        let place = format!("{place}.{name}");
        let json = serde_json::from_str(raw.get()).map_err(|_| "is a number that is too large");
        let json =
            json.map_err(|why| LineError::new(mistake::bad_value(&place, why), place.clone()))?;
        attribute(&name, json, &place, operator, &mut attrs)?;
    }
    Ok(attrs)
}

/// An attribute, or those that are grouped under this name.
fn attribute(
    name: &str,
    json: Value,
    place: &str,
    operator: &Operator,
    attrs: &mut Vec<(Box<str>, AttrValue)>,
) -> Result<(), LineError> {
    let attribute = match operator.attribute(name) {
        Ok(attribute) => attribute,
        Err(unknown) => {
            let members = members(json).ok_or_else(|| LineError::new(unknown, place))?;
            for (member, json) in members {
                let place = format!("{place}.{member}");
                self::attribute(&member, json, &place, operator, attrs)?;
            }
            return Ok(());
        }
    };
    // What has no inputs is a constant.
    let is_constant = attribute.is_type() && operator.inputs().next().is_none();
    let value = match is_constant && is_elements(&json) {
        true => elements(json).map(AttrValue::from),
        false => value(json),
    };
    let value = value.map_err(|why| LineError::new(mistake::bad_value(place, why), place))?;
    let value = sizes(&value, &attribute).unwrap_or(value);
    attrs.push((name.into(), value));
    Ok(())
}

/// The texts of a value as sizes, where the attribute is of numbers and a text names one or leaves one open: `"n + 1"`, `["n", 1]`,
/// `"[1, ?]"`.
fn sizes(value: &AttrValue, attribute: &Attribute<'_>) -> Option<AttrValue> {
    let written = match value {
        AttrValue::Text(text) => text.to_string(),
        AttrValue::List(members) if members.iter().any(|m| matches!(m, AttrValue::Text(_))) => {
            let members = members.iter().map(|member| match member {
                AttrValue::Text(text) => text.to_string(),
                member => member.to_string(),
            });
            format!("[{}]", members.collect::<Vec<_>>().join(", "))
        }
        _ => return None,
    };
    let read = attribute.read(&written).ok()?;
    let is_named = |value: &AttrValue| matches!(value, AttrValue::Dim(Dim::Name(_) | Dim::Expr(_)));
    let is_open = |value: &AttrValue| matches!(value, AttrValue::Hole | AttrValue::Dim(Dim::Hole));
    let is_number = |value: &AttrValue| matches!(value, AttrValue::Int(_) | AttrValue::Dim(_));
    match &read {
        AttrValue::List(all) if all.iter().all(|value| is_number(value) || is_open(value)) => {
            all.iter().any(|value| is_named(value) || is_open(value))
        }
        value => is_named(value),
    }
    .then_some(read)
}

/// What is grouped in an object; of several objects, for each name the list of what they have there.
fn members(json: Value) -> Option<Vec<(String, Value)>> {
    match json {
        Value::Object(group) => Some(group.into_iter().collect()),
        Value::Array(groups) if !groups.is_empty() => {
            let mut members: Vec<(String, Vec<Value>)> = Vec::new();
            for (i, group) in groups.into_iter().enumerate() {
                let Value::Object(group) = group else {
                    return None;
                };
                for (name, json) in group {
                    match members.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, list)) => list.push(json),
                        None if i == 0 => members.push((name, vec![json])),
                        None => return None,
                    }
                }
                if members.iter().any(|(_, list)| list.len() != i + 1) {
                    return None;
                }
            }
            let lists = members.into_iter();
            Some(lists.map(|(n, list)| (n, Value::Array(list))).collect())
        }
        _ => None,
    }
}

/// Whether this is what is in a tensor, by itself or in rows.
fn is_elements(json: &Value) -> bool {
    matches!(json, Value::Number(_) | Value::Bool(_) | Value::Array(_))
}

/// The tensor of what is in it, whose dtype is not said. JSON is no deeper here than its reader allows.
fn elements(json: Value) -> Result<Type, AttrError> {
    let mut shape: Vec<Dim> = Vec::new();
    let mut data = vec![json];
    while let Some(Value::Array(first)) = data.first() {
        let len = first.len();
        shape.push(Dim::Size(len as u64));
        let mut inner = Vec::with_capacity(data.len().saturating_mul(len));
        for row in data {
            match row {
                Value::Array(row) if row.len() == len => inner.extend(row),
                _ => return Err("has rows that are not as long as the others"),
            }
        }
        data = inner;
    }
    let members = data.iter().map(|member| content(member, false));
    let members: Vec<Content> = members.collect::<Result<_, AttrError>>()?;
    let contents = Contents::new(members);
    Ok(Tensor::new(DtypeTerm::Hole, Shape::known(shape))
        .with_contents(contents)
        .into())
}

/// Adds the types of bodies to the attributes: each to the next one that is a type and is not given, the rest to one that is a list of
/// types.
pub(super) fn regions(
    line: &Line<'_>,
    operator: &Operator,
    attrs: &mut Vec<(Box<str>, AttrValue)>,
) -> Result<(), LineError> {
    let wanted = "a list of the types of functions, each a text";
    let Some(list) = list(line, Field::Regions, wanted)? else {
        return Ok(());
    };
    let count = list.len();
    let mut bodies = list.into_iter().enumerate();
    let mut body = || -> Result<Option<AttrValue>, LineError> {
        let Some((i, raw)) = bodies.next() else {
            return Ok(None);
        };
        let place = || format!("regions[{i}]");
        let text = text(raw, Field::Regions, place)?;
        let ty: Type = text.parse().map_err(|d| LineError::new(d, place()))?;
        Ok(Some(ty.into()))
    };
    for attribute in operator.attributes() {
        if attrs.iter().any(|(name, _)| &**name == attribute.name) {
            continue;
        }
        let value = match (attribute.is_type(), attribute.is_list_of_types()) {
            (true, _) => body()?,
            (_, true) => {
                let mut all = Vec::new();
                while let Some(one) = body()? {
                    all.push(one);
                }
                Some(AttrValue::List(all))
            }
            _ => None,
        };
        attrs.extend(value.map(|value| (attribute.name.into(), value)));
    }
    match body()? {
        None => Ok(()),
        Some(_) => Err(LineError::new(
            mistake::too_many_regions(&operator.full_name(), count),
            Field::Regions.name(),
        )),
    }
}

/// Why something is no value.
type AttrError = &'static str;

/// A value. JSON is no deeper here than its reader allows.
fn value(json: Value) -> Result<AttrValue, AttrError> {
    Ok(match json {
        Value::Null => AttrValue::Hole,
        Value::Bool(truth) => truth.into(),
        Value::String(text) => AttrValue::Text(mlir_enumerant(&text).unwrap_or(&text).into()),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(n), _) => n.into(),
            (None, Some(x)) if number.is_f64() => x.into(),
            _ => return Err("is a number that is too large"),
        },
        Value::Array(members) => {
            let members = members.into_iter().map(value);
            AttrValue::List(members.collect::<Result<_, AttrError>>()?)
        }
        Value::Object(object) if object.contains_key("graph") => body(&object)?.into(),
        Value::Object(object) if object.contains_key("kind") => declared(&object)?.into(),
        Value::Object(object) => tensor(&object)?.into(),
    })
}

/// A tensor with its contents: `{"dtype", "shape", "data"}`.
fn tensor(object: &Map<String, Value>) -> Result<Type, AttrError> {
    let dtype = dtype(object)?;
    let tensor = Tensor::new(dtype.clone(), shape(object)?);
    let Some(Value::Array(data)) = object.get("data") else {
        return Ok(tensor.into());
    };
    let count = tensor.shape.iter().try_fold(1u64, |n, dim| match dim {
        Dim::Size(size) => n.checked_mul(*size),
        _ => None,
    });
    if count.is_some_and(|count| count != data.len() as u64) {
        return Err("has not as many `data` as its shape says");
    }
    let floats = dtype.set().is_subset(DtypeSet::FLOAT);
    let members = data.iter().map(|member| content(member, floats));
    let members: Vec<Content> = members.collect::<Result<_, AttrError>>()?;
    let Some(contents) = Contents::new(members) else {
        // More than is worth saying.
        return Ok(tensor.into());
    };
    if contents.dtypes().intersection(dtype.set()).is_empty() {
        return Err("has `data` that a tensor of its dtype can't have");
    }
    Ok(tensor.with_contents(Some(contents)).into())
}

fn content(json: &Value, floats: bool) -> Result<Content, AttrError> {
    Ok(match json {
        Value::Bool(truth) => (*truth).into(),
        // A number that JSON has not.
        Value::String(text) if floats => match float_of(text) {
            Some(number) => number.into(),
            None => {
                return Err(
                    "has `data` that is no number, nor \"NaN\", \"Infinity\" or \"-Infinity\"",
                );
            }
        },
        Value::String(text) => text.as_str().into(),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(n), _) => n.into(),
            (None, Some(x)) if number.is_f64() => x.into(),
            // A number that is not known.
            _ => Content::Hole,
        },
        Value::Null => Content::Hole,
        Value::Array(_) | Value::Object(_) => {
            return Err("has `data` that is no list of numbers, truth values or texts");
        }
    })
}

/// The type of a body: `{"graph", "inputs": [{"type"}], "outputs": [{"type"}]}`.
fn body(object: &Map<String, Value>) -> Result<Type, AttrError> {
    let types = |name: &str| {
        let Some(Value::Array(operands)) = object.get(name) else {
            return Err("is a graph without lists of `inputs` and `outputs`");
        };
        let ty = |operand: &Value| match operand.get("type") {
            Some(Value::Object(ty)) => declared(ty),
            None | Some(Value::Null) => Ok(Type::UNKNOWN),
            Some(_) => Err("is a graph with an operand whose `type` is none"),
        };
        operands
            .iter()
            .map(ty)
            .collect::<Result<Vec<Type>, AttrError>>()
    };
    let (params, mut results) = (types("inputs")?, types("outputs")?);
    let result = match results.len() {
        1 => results.remove(0),
        _ => Type::tuple(results),
    };
    Ok(Type::function(params, result))
}

/// A type as a model declares it: `{"kind": "tensor", "dtype", "shape"}`, or of sequences, optionals and maps.
fn declared(object: &Map<String, Value>) -> Result<Type, AttrError> {
    let of = |name: &str| match object.get(name) {
        Some(Value::Object(ty)) => declared(ty),
        None | Some(Value::Null) => Ok(Type::UNKNOWN),
        Some(_) => Err("has a type in it that is no object"),
    };
    match object.get("kind").and_then(Value::as_str) {
        Some("tensor") => Ok(Tensor::new(dtype(object)?, shape(object)?).into()),
        // Its tensors differ in shape, whatever shape a model declares for them.
        Some("sequence") => Ok(Type::adt(Name::word("Sequence"), [any_shape(of("elem")?)])),
        Some("optional") => Ok(Type::adt(Name::word("Optional"), [of("elem")?])),
        Some("map") => {
            let key = match object.get("key") {
                Some(Value::String(name)) => Type::tensor(named(name)?, [] as [Dim; 0]),
                _ => of("key")?,
            };
            Ok(Type::adt(Name::word("Map"), [key, of("value")?]))
        }
        _ => Err("has a type whose kind is not `tensor`, `sequence`, `optional` or `map`"),
    }
}

/// The same type with tensors of any shape.
fn any_shape(ty: Type) -> Type {
    match ty.as_tensor() {
        Some(tensor) => {
            let any = Shape::default().with_run(0, None);
            Tensor::new(tensor.dtype.clone(), any).into()
        }
        None => ty.map_parts(&mut |part| any_shape(part.clone())),
    }
}

fn dtype(object: &Map<String, Value>) -> Result<DtypeTerm, AttrError> {
    match object.get("dtype") {
        Some(Value::String(name)) => named(name),
        None | Some(Value::Null) => Ok(DtypeTerm::Hole),
        Some(_) => Err("has a dtype that is no text"),
    }
}

fn named(name: &str) -> Result<DtypeTerm, AttrError> {
    let dtype = Dtype::named(name).map(DtypeTerm::from);
    dtype.ok_or("has a dtype that is not known")
}

/// A shape: sizes, names, and null for a dim of which nothing is known; null for any shape.
fn shape(object: &Map<String, Value>) -> Result<Shape, AttrError> {
    let dims = match object.get("shape") {
        Some(Value::Array(dims)) => dims,
        None | Some(Value::Null) => return Ok(Shape::unknown()),
        Some(_) => return Err("has a shape that is no list"),
    };
    let dim = |json: &Value| match json {
        Value::Null => Ok(Dim::Hole),
        // A tool may call a dim by anything; what no dim is called is one that is not known.
        Value::String(name) => Ok(name.parse().unwrap_or(Dim::Hole)),
        Value::Number(size) => size
            .as_u64()
            .map(Dim::Size)
            .ok_or("has a dim that is no size"),
        _ => Err("has a dim that is no size, name or null"),
    };
    Ok(Shape::known(
        dims.iter()
            .map(dim)
            .collect::<Result<Vec<Dim>, AttrError>>()?,
    ))
}
