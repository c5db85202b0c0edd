//! Queries that give all inputs, and answers from values.

use super::call::Args;
use super::value::{Numbers, Tensor, Value};
use super::{Ground, STEPS, Stop};
use crate::direct::Outcome;
use crate::program::CallArg;
use crate::query::Query;
use crate::relation::{Kind, Words, float};
use crate::{Answer, AttrValue};
use kanshape_types::{
    Content, Contents, Dim, DtypeSet, Shape, Tensor as TensorType, Type, TypeKind,
};
use std::sync::Arc;

/// The answer to a question about an operator whose inputs and attributes are known.
pub(crate) fn of_query(query: &Query) -> Outcome {
    match answer(query) {
        Ok(answer) => Outcome::Answer(Box::new(answer)),
        Err(Stop::Fail) => Outcome::Never,
        Err(Stop::Leave) => Outcome::NotPlain,
    }
}

fn answer(query: &Query) -> Result<Answer, Stop> {
    let program = query.signature.program();
    let (Some(operator), Some(calls)) = (&program.operator, &program.calls) else {
        return Err(Stop::Leave);
    };
    let [(rule, call_args)] = &calls.calls[..] else {
        return Err(Stop::Leave);
    };
    if !query.outputs.iter().all(Type::is_unknown) {
        return Err(Stop::Leave);
    }
    let words = &calls.library.words;
    let mut texts: Vec<Box<str>> = Vec::new();
    let count = query.inputs.len();
    let mut inputs = Vec::with_capacity(count);
    for ty in &query.inputs {
        inputs.push(value(ty)?);
    }
    let operand = |i: &usize| inputs.get(*i).cloned();
    let mut args = Args::new();
    let mut attrs = operator.parts().attrs.iter();
    for arg in call_args {
        args.push(match arg {
            CallArg::Type(i) => operand(i),
            CallArg::Present(i) => operand(i).map(|v| Value::Some(Arc::new(v))),
            CallArg::Absent => Some(Value::None),
            CallArg::Types(all) => {
                let known: Option<Vec<Value>> = all.iter().map(operand).collect();
                match known {
                    Some(known) => Some(Value::List(known.into())),
                    // A list of outputs, whose number would be forgotten.
                    None => return Err(Stop::Leave),
                }
            }
            CallArg::Rest => None,
            CallArg::Attr(_) => {
                let rule = attrs.next().ok_or(Stop::Leave)?;
                let own = query.attrs.iter().rev().find(|a| a.0 == rule.name);
                let given = own.map(|a| &a.1).or(rule.default.as_ref());
                Some(match given {
                    Some(given) => attribute(words, &mut texts, &rule.kind, given)?,
                    None if rule.optional => Value::None,
                    None => return Err(Stop::Leave),
                })
            }
        });
    }
    let mut ground = Ground {
        library: &calls.library,
        promotion: query.promotion,
        left: STEPS,
        depth: 0,
        dropping: false,
    };
    let known = ground.operator(*rule, &args)?;
    let mut answer = Answer {
        inputs: query.inputs.clone(),
        outputs: vec![Type::UNKNOWN; query.outputs.len()],
        ..Answer::default()
    };
    for (arg, value) in call_args.iter().zip(&known) {
        match (arg, value) {
            (CallArg::Type(i), Some(value)) if *i >= count => {
                answer.outputs[i - count] = written(value)?;
            }
            (CallArg::Present(i), Some(Value::Some(value))) if *i >= count => {
                answer.outputs[i - count] = written(value)?;
            }
            (CallArg::Type(i) | CallArg::Present(i), _) if *i >= count => {
                return Err(Stop::Leave);
            }
            (CallArg::Rest, Some(Value::List(list))) => {
                for value in list.iter() {
                    answer.outputs.push(written(value)?);
                }
            }
            (CallArg::Rest, _) => return Err(Stop::Leave),
            _ => {}
        }
    }
    Ok(answer)
}

/// A type of which everything is known, as a value. A tensor's contents may be unknown altogether.
fn value(ty: &Type) -> Result<Value, Stop> {
    let TypeKind::Tensor(tensor) = &ty.kind else {
        return Err(Stop::Leave);
    };
    if !ty.conditions.is_empty() || tensor.shape.run().is_some() {
        return Err(Stop::Leave);
    }
    let dtype = tensor.dtype.known().ok_or(Stop::Leave)?;
    let mut shape = Numbers::new();
    for dim in tensor.shape.dims() {
        match dim {
            Dim::Size(n) if *n <= Dim::MAX_SIZE => shape.push(*n as i64),
            _ => return Err(Stop::Leave),
        }
    }
    let member = |c: &Content| match c {
        Content::Int(n) => Ok(*n),
        Content::Bool(truth) => Ok(i64::from(*truth)),
        Content::Float(x) => super::eval::int(float::code(x.get())),
        _ => Err(Stop::Leave),
    };
    let contents = match &tensor.contents {
        None => None,
        Some(contents) => {
            let members: Result<Arc<[i64]>, Stop> = contents.iter().map(member).collect();
            Some(members?)
        }
    };
    Ok(Value::Tensor(Arc::new(Tensor {
        dtype,
        shape,
        contents,
    })))
}

/// A value as the type that an answer has.
fn written(value: &Value) -> Result<Type, Stop> {
    let Value::Tensor(tensor) = value else {
        return Err(Stop::Leave);
    };
    let shape: Shape = tensor.shape.iter().map(|n| Dim::Size(*n as u64)).collect();
    let ty = TensorType::new(tensor.dtype, shape);
    let Some(contents) = &tensor.contents else {
        return Ok(ty.into());
    };
    let set = DtypeSet::from(tensor.dtype);
    let member = |n: &i64| {
        if set.is_subset(DtypeSet::INT.union(DtypeSet::UINT)) {
            Some(Content::Int(*n))
        } else if set == DtypeSet::BOOL {
            Some(Content::Bool(*n != 0))
        } else if set.is_subset(DtypeSet::FLOAT) {
            float::value(i128::from(*n)).map(Content::from)
        } else {
            None
        }
    };
    let members: Option<Vec<Content>> = contents.iter().map(member).collect();
    let contents = members.and_then(Contents::new).ok_or(Stop::Leave)?;
    Ok(ty.with_contents(Some(contents)).into())
}

/// An attribute that is known.
fn attribute(
    words: &Words,
    texts: &mut Vec<Box<str>>,
    kind: &Kind,
    value: &AttrValue,
) -> Result<Value, Stop> {
    Ok(match (kind, value) {
        (Kind::Option(_), AttrValue::Absent) => Value::None,
        (Kind::Option(of), value) => Value::Some(Arc::new(attribute(words, texts, of, value)?)),
        (Kind::Int, AttrValue::Int(n)) => Value::Int(*n),
        (Kind::Int, AttrValue::Dim(Dim::Size(n))) if *n <= Dim::MAX_SIZE => Value::Int(*n as i64),
        (Kind::Float, AttrValue::Float(x)) => Value::Int(super::eval::int(float::code(x.get()))?),
        (Kind::Float, AttrValue::Int(n)) => Value::Int(super::eval::int(float::code(*n as f64))?),
        (Kind::Bool, AttrValue::Bool(truth)) => Value::Int(i64::from(*truth)),
        (Kind::Text, AttrValue::Text(text)) => Value::Int(match words.find_text(text) {
            Some(n) => super::eval::int(n)?,
            None => {
                let known = texts.iter().position(|t| t == text);
                let place = known.unwrap_or_else(|| {
                    texts.push(text.clone());
                    texts.len() - 1
                });
                (words.text_count() + place) as i64
            }
        }),
        (Kind::Dtype, AttrValue::Dtype(dtype)) => Value::Dtype(*dtype),
        (Kind::Type, AttrValue::Type(ty)) => self::value(ty)?,
        (Kind::List(of), AttrValue::List(members)) if of.is_number() => {
            let mut list = Numbers::new();
            for member in members {
                match attribute(words, texts, of, member)? {
                    Value::Int(n) => list.push(n),
                    _ => return Err(Stop::Leave),
                }
            }
            Value::Numbers(list)
        }
        (kind, AttrValue::Text(text)) => {
            let read = AttrValue::read(kind, text).ok_or(Stop::Leave)?;
            attribute(words, texts, kind, &read)?
        }
        _ => return Err(Stop::Leave),
    })
}
