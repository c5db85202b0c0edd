//! Attributes as they are written in a module, as attributes of an operator.

use kanshape::operator::Attribute as Formal;
use kanshape::tree::stablehlo::{Attribute, Dense, MlirType};
use kanshape::{AttrValue, Content, Contents, Operator, Type};

use crate::ty;

/// The most elements of a constant that are contents. Shapes are short; what is larger is data.
const MOST_ELEMENTS: u64 = 1024;

/// The attributes that an operator has of those that are written. Others say nothing that it is about.
pub(crate) fn values(
    operator: &Operator,
    written: &[(Box<str>, Attribute)],
) -> Vec<(Box<str>, AttrValue)> {
    let mut values = Vec::with_capacity(written.len());
    add(operator, written, &mut values);
    values
}

fn add(
    operator: &Operator,
    written: &[(Box<str>, Attribute)],
    values: &mut Vec<(Box<str>, AttrValue)>,
) {
    for (name, attribute) in written {
        if let Ok(formal) = operator.attribute(name) {
            let is_new = values.iter().all(|(own, _)| own != name);
            if is_new {
                // What can't be read is there all the same.
                let read = value(&formal, attribute).unwrap_or(AttrValue::Hole);
                values.push((name.clone(), read));
            }
            continue;
        }
        match attribute {
            Attribute::Group(members) => add(operator, members, values),
            Attribute::List(groups) => add(operator, &side_by_side(groups), values),
            _ => {}
        }
    }
}

/// Of several groups, for each name the list of what they have there.
fn side_by_side(groups: &[Attribute]) -> Vec<(Box<str>, Attribute)> {
    let mut all: Vec<(Box<str>, Vec<Attribute>)> = Vec::new();
    for group in groups {
        let Attribute::Group(members) = group else {
            return Vec::new();
        };
        for (name, value) in members {
            match all.iter_mut().find(|(own, _)| own == name) {
                Some((_, list)) => list.push(value.clone()),
                None => all.push((name.clone(), vec![value.clone()])),
            }
        }
    }
    let lists = all.into_iter();
    lists
        .map(|(name, list)| (name, Attribute::List(list)))
        .collect()
}

fn value(formal: &Formal<'_>, attribute: &Attribute) -> Option<AttrValue> {
    match attribute {
        Attribute::Dense(dense) if formal.is_type() => constant(dense).map(AttrValue::from),
        attribute => plain(attribute),
    }
}

fn plain(attribute: &Attribute) -> Option<AttrValue> {
    Some(match attribute {
        Attribute::Int(n) => (*n).into(),
        Attribute::Float(x) => (*x).into(),
        Attribute::Bool(truth) => (*truth).into(),
        Attribute::Text(text) | Attribute::Symbol(text) => AttrValue::Text(text.clone()),
        Attribute::List(members) => {
            let members: Option<Vec<AttrValue>> = members.iter().map(plain).collect();
            AttrValue::List(members?)
        }
        Attribute::Dense(dense) => rows(dense)?,
        Attribute::Group(_) | Attribute::Other(_) => return None,
    })
}

/// The elements of a dense attribute, in rows as its type says.
fn rows(dense: &Dense) -> Option<AttrValue> {
    let elements = dense.elements.as_deref()?;
    if matches!(elements, Attribute::Text(_)) {
        return None;
    }
    let Some(MlirType::Tensor {
        dims: Some(dims), ..
    }) = &dense.ty
    else {
        return plain(elements);
    };
    if matches!(elements, Attribute::List(_)) {
        return plain(elements);
    }
    let sizes: Option<Vec<u64>> = dims.iter().copied().collect();
    let mut all = plain(elements)?;
    // A size of 0 makes no other one small.
    let mut made = 1u64;
    for size in sizes?.into_iter().rev() {
        made = made.max(1).checked_mul(size)?;
        if made > MOST_ELEMENTS {
            return None;
        }
        all = AttrValue::List(vec![all; usize::try_from(size).ok()?]);
    }
    Some(all)
}

/// The type of a constant, with what is in it where that is little.
pub(crate) fn constant(dense: &Dense) -> Option<Type> {
    let ty = ty::of(dense.ty.as_ref()?)?;
    let Some(elements) = dense.elements.as_deref() else {
        return Some(ty);
    };
    let count = ty.as_tensor().and_then(|tensor| tensor.shape.elements());
    let Some(count) = count.filter(|count| *count <= MOST_ELEMENTS) else {
        return Some(ty);
    };
    let mut members = Vec::new();
    if flatten(elements, &mut members).is_none() {
        return Some(ty);
    }
    if !matches!(elements, Attribute::List(_))
        && let (Some(one), Ok(count)) = (members.first().cloned(), usize::try_from(count))
    {
        members = vec![one; count];
    }
    let is_whole = members.len() as u64 == count;
    let contents = is_whole.then(|| Contents::new(members)).flatten();
    let fits = |contents: &Contents| {
        let own = ty.as_tensor().map(|tensor| tensor.dtype.set());
        own.is_some_and(|own| !contents.dtypes().intersection(own).is_empty())
    };
    let contents = contents.filter(fits);
    Some(ty.with_contents(contents))
}

fn flatten(elements: &Attribute, members: &mut Vec<Content>) -> Option<()> {
    match elements {
        Attribute::Int(n) => members.push((*n).into()),
        Attribute::Float(x) => members.push((*x).into()),
        Attribute::Bool(truth) => members.push((*truth).into()),
        Attribute::List(rows) => rows.iter().try_for_each(|row| flatten(row, members))?,
        _ => return None,
    }
    Some(())
}
