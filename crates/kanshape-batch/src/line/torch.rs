//! A line about a call of torch's operators, with its arguments as torch has them.

use std::io;

use kanshape::{
    Answer, Call, Condition, Conditions, Dim, Dtype, DtypeTerm, Shape, Tensor, Type, Verdict,
};
use kanshape_torch::{is_scalar, resolve};
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::Line;
use super::reply::{self, At, ReplyHead};
use super::subjects::Subjects;
use super::value::{members, object, whole_text};
use super::{LineError, query};
use crate::field::Field;
use crate::loaded::Subject;
use crate::mistake;
use crate::question::Question;
use crate::type_json::{self, TypeJson, TypesAs};
use crate::why_json::WhyJson;

/// Two answers show that there are several.
const ANSWERS: usize = 2;

/// The question of a line.
pub(super) fn question(line: &Line<'_>, subjects: &Subjects) -> Result<Question, LineError> {
    let field = Field::Torch;
    let Some(raw) = line.value(field) else {
        return Err(LineError::from(mistake::no_question()));
    };
    let (mut name, mut args, mut kwargs) = (None, Vec::new(), Vec::new());
    for (key, raw) in members(raw, field, "an object with `op`, `args` and `kwargs`")? {
        let place = format!("{}.{key}", field.name());
        match &*key {
            "op" => name = Some(whole_text(raw, field)?),
            "args" => args = arguments(raw, &place)?,
            "kwargs" => kwargs = named_arguments(raw, &place)?,
            _ => {
                let known = &["op", "args", "kwargs"];
                return Err(LineError::new(
                    mistake::unknown_member(field.name(), &key, known),
                    place,
                ));
            }
        }
    }
    let Some(name) = name else {
        let wrong = mistake::wrong_kind(field.name(), "an object with `op`, `args` and `kwargs`");
        return Err(LineError::new(wrong, field.name()));
    };
    let found = resolve(subjects.relations(), &name, args, kwargs);
    let (operator, call) = found.map_err(|d| LineError::new(d, field.name()))?;
    let Call { inputs, attrs, .. } = call;
    let mut question = Question::new(Subject::Operator(operator));
    question.inputs = Some(inputs);
    question.attrs = attrs;
    question.conditions = query::conditions(line)?;
    question.limit = Some(ANSWERS);
    Ok(question)
}

/// Answers it.
pub(super) fn answer(
    question: &Question,
    reply: &mut Vec<u8>,
    head: ReplyHead<'_>,
    types: TypesAs,
) -> Result<io::Result<()>, LineError> {
    let mut answers = question.query()?.solve()?;
    let verdict = answers.verdict();
    let found: Vec<Answer> = (&mut answers).collect();
    let known = names(question);
    let mut outputs = match verdict != Verdict::Never && has_any_number(question, &found)? {
        true => None,
        false => common(&found),
    };
    let mut is_open = outputs.is_none();
    for ty in outputs.iter_mut().flatten() {
        if is_scalar(ty) {
            // A number of the program has no type.
            *ty = Type::UNKNOWN;
            continue;
        }
        let (own, open) = closed(ty, &known);
        is_open |= open;
        *ty = own;
    }
    let conditions = match &found[..] {
        [one] => about(&one.conditions, &known),
        _ => Vec::new(),
    };
    let verdict = match verdict {
        Verdict::Always | Verdict::Depends if is_open || found.len() != 1 => Verdict::Unknown,
        verdict => verdict,
    };
    let why = match verdict {
        Verdict::Never => answers.query().explain(),
        _ => None,
    };
    let json = AnswerJson {
        verdict: verdict.to_string(),
        outputs: outputs
            .as_ref()
            .map(|all| type_json::types(all, types).collect()),
        conditions: &conditions,
        error: None,
        why: why.as_ref().map(WhyJson::of),
    };
    Ok(reply::write_object(reply, head, &json))
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    verdict: String,
    /// The results in order, those of lists one by one.
    outputs: Option<Vec<TypeJson<'a>>>,
    #[serde(rename = "where")]
    conditions: &'a [Condition],
    error: Option<()>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<WhyJson<'a>>,
}

/// Is it open how many results a call has? None is an answer as well where a list may have any number.
fn has_any_number(question: &Question, found: &[Answer]) -> Result<bool, LineError> {
    let Subject::Operator(operator) = &question.subject else {
        return Ok(false);
    };
    let sure = operator.sure_outputs();
    let is_bare = found
        .iter()
        .all(|answer| answer.outputs.len() == sure.len());
    if !is_bare || found.is_empty() || !operator.outputs().any(|formal| formal.variadic) {
        return Ok(false);
    }
    let mut more = question.clone();
    more.outputs = Some(sure.into_iter().chain([Some(Type::UNKNOWN)]).collect());
    more.limit = Some(1);
    Ok(more.query()?.solve()?.verdict() != Verdict::Never)
}

/// The conditions on the names of the arguments alone.
fn about(conditions: &Conditions, known: &FxHashSet<String>) -> Vec<Condition> {
    let is_about = |condition: &&Condition| {
        let mut all = true;
        condition.for_each_name(&mut |name| all &= known.contains(name));
        all
    };
    conditions.iter().filter(is_about).cloned().collect()
}

/// What all answers say of the outputs; nothing if they have not the same number of them.
fn common(found: &[Answer]) -> Option<Vec<Type>> {
    let (first, others) = found.split_first()?;
    let mut outputs = first.outputs.clone();
    for other in others {
        if other.outputs.len() != outputs.len() {
            return None;
        }
        for (ty, own) in outputs.iter_mut().zip(&other.outputs) {
            if ty != own {
                *ty = Type::UNKNOWN;
            }
        }
    }
    Some(outputs)
}

/// The names that the arguments have in them.
fn names(question: &Question) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    let mut add = |name: &str| {
        names.insert(name.to_owned());
    };
    for ty in question.inputs.iter().flatten().flatten() {
        ty.for_each_name(&mut add);
    }
    for (_, value) in &question.attrs {
        value.for_each_name(&mut add);
    }
    names
}

/// The type with `?` for what the arguments do not say, and whether there is any of that.
fn closed(ty: &Type, known: &FxHashSet<String>) -> (Type, bool) {
    let Some(tensor) = ty.as_tensor() else {
        return (ty.clone(), ty.is_unknown());
    };
    let mut open = tensor.dtype.known().is_none() || tensor.shape.run().is_some();
    let is_known = |dim: &Dim| {
        let mut all = *dim != Dim::Hole;
        dim.for_each_name(&mut |name| all &= known.contains(name));
        all
    };
    let Some(dims) = tensor.shape.dims() else {
        return (ty.clone(), true);
    };
    let dims: Vec<Dim> = dims
        .iter()
        .map(|dim| match is_known(dim) {
            true => dim.clone(),
            false => {
                open = true;
                Dim::Hole
            }
        })
        .collect();
    let dtype = tensor.dtype.clone();
    let own = Tensor::new(dtype, Shape::known(dims)).with_contents(tensor.contents.clone());
    (own.into(), open)
}

/// The arguments in a list.
fn arguments(raw: &RawValue, place: &str) -> Result<Vec<kanshape_torch::Value>, LineError> {
    let wrong = || LineError::new(mistake::wrong_kind(place, "a list of arguments"), place);
    let all: Vec<Value> = serde_json::from_str(raw.get()).map_err(|_| wrong())?;
    let read = |(i, json)| argument(json).map_err(|why| bad(&format!("{place}[{i}]"), why));
    all.into_iter().enumerate().map(read).collect()
}

/// The arguments by their names.
fn named_arguments(
    raw: &RawValue,
    place: &str,
) -> Result<Vec<(Box<str>, kanshape_torch::Value)>, LineError> {
    let wrong = || {
        LineError::new(
            mistake::wrong_kind(place, "an object of arguments by name"),
            place,
        )
    };
    let all = object(raw).ok_or_else(wrong)?.into_iter();
    let read = all.map(|(name, raw)| {
        let json = serde_json::from_str(raw.get()).map_err(|_| "is a number that is too large");
        let value = json.and_then(argument);
        let value = value.map_err(|why| bad(&format!("{place}.{name}"), why))?;
        Ok((name.as_ref().into(), value))
    });
    read.collect()
}

fn bad(place: &str, why: &str) -> LineError {
    LineError {
        what: Box::new(mistake::bad_value(place, why)),
        at: Some(At::whole(place)),
    }
}

/// Why something is no argument.
type ArgumentError = &'static str;

/// An argument. JSON is no deeper here than its reader allows.
fn argument(json: Value) -> Result<kanshape_torch::Value, ArgumentError> {
    use kanshape_torch::Value as Argument;
    Ok(match json {
        Value::Null => Argument::None,
        Value::Bool(truth) => Argument::Bool(truth),
        Value::String(text) => Argument::Text(text.into()),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(n), _) => Argument::Int(n),
            (None, Some(x)) if number.is_f64() => Argument::Float(x),
            _ => return Err("is a number that is too large"),
        },
        Value::Array(members) => {
            let members = members.into_iter().map(argument);
            Argument::List(members.collect::<Result<_, ArgumentError>>()?)
        }
        Value::Object(object) => match object.iter().next() {
            Some((key, value)) if object.len() == 1 => tagged(key, value)?,
            _ => {
                return Err(
                    "is an object with no single field `tensor`, `dtype`, `size`, `float` or `other`",
                );
            }
        },
    })
}

/// An argument that is no number, text or list.
fn tagged(key: &str, value: &Value) -> Result<kanshape_torch::Value, ArgumentError> {
    use kanshape_torch::Value as Argument;
    Ok(match (key, value) {
        ("tensor", Value::String(text)) => {
            Argument::Tensor(text.parse().map_err(|_| "is a tensor whose type is none")?)
        }
        ("tensor", Value::Object(tensor)) => Argument::Tensor(tensor_of(tensor)?),
        ("dtype", Value::String(name)) => Argument::Dtype(dtype(name)),
        ("size", Value::String(text)) => Argument::Size(dim(text)?),
        ("other", Value::String(text)) => Argument::Text(text.as_str().into()),
        ("float", Value::String(text)) => {
            let number = ["inf", "-inf", "nan"].contains(&text.as_str());
            let number = number.then(|| text.parse().ok()).flatten();
            Argument::Float(number.ok_or("is a float that is none of `inf`, `-inf` and `nan`")?)
        }
        ("tensor" | "dtype" | "size" | "float" | "other", _) => {
            return Err("is an object whose field is of the wrong kind");
        }
        _ => {
            return Err(
                "is an object without a field `tensor`, `dtype`, `size`, `float` or `other`",
            );
        }
    })
}

/// A tensor: `{"dtype", "shape"}`, of which either may be null.
fn tensor_of(object: &serde_json::Map<String, Value>) -> Result<Type, ArgumentError> {
    let dtype = match object.get("dtype") {
        Some(Value::String(name)) => dtype(name),
        None | Some(Value::Null) => DtypeTerm::Hole,
        Some(_) => return Err("is a tensor whose dtype is no text"),
    };
    let shape = match object.get("shape") {
        Some(Value::Array(dims)) => {
            let dims = dims.iter().map(|json| match json {
                Value::Null => Ok(Dim::Hole),
                Value::String(text) => dim(text),
                Value::Number(size) => size
                    .as_u64()
                    .map(Dim::Size)
                    .ok_or("is a tensor with a dim that is no size"),
                _ => Err("is a tensor with a dim that is no size, text or null"),
            });
            Shape::known(dims.collect::<Result<Vec<Dim>, ArgumentError>>()?)
        }
        None | Some(Value::Null) => Shape::unknown(),
        Some(_) => return Err("is a tensor whose shape is no list"),
    };
    Ok(Tensor::new(dtype, shape).into())
}

/// A dtype; one that kanshape has not is none that is known.
fn dtype(name: &str) -> DtypeTerm {
    Dtype::named(name).map_or(DtypeTerm::Hole, DtypeTerm::from)
}

fn dim(text: &str) -> Result<Dim, ArgumentError> {
    text.parse().map_err(|_| "has a size in it that is none")
}
