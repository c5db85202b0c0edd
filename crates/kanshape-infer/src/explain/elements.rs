//! A reshape that can't be, in elements: how many there are, and how many the shape requires.

use kanshape_types::{Content, Dim, Type};

use crate::{AttrValue, Query};

/// What is wrong, and what would be right.
pub(super) struct Elements {
    pub headline: String,
    pub help: Option<String>,
}

/// A size on one side.
#[derive(Clone, PartialEq)]
enum Size {
    Number(u64),
    /// A name or an expression, as it is written.
    Other(String),
}

/// The explanation of a call of `Reshape` whose elements do not fit. None if this is no such call, or something else is
/// wrong about it.
pub(super) fn of(query: &Query) -> Option<Elements> {
    let operator = query.subject.called()?;
    if operator.name() != "Reshape" || !matches!(operator.domain(), "ai.onnx" | "onnx") {
        return None;
    }
    let data = query.inputs.first()?.as_tensor()?;
    if data.shape.run().is_some() {
        return None;
    }
    let from: Vec<Size> = data
        .shape
        .known_dims()
        .iter()
        .map(size_of)
        .collect::<Option<_>>()?;
    let target = query
        .inputs
        .get(1)
        .and_then(Type::as_tensor)?
        .contents
        .as_ref()?;
    let target: Vec<&Content> = target.iter().collect();
    let mut attrs = query.attrs.iter();
    let allows_zero =
        attrs.any(|(name, value)| &**name == "allowzero" && *value == AttrValue::Int(1));

    // What is on both sides, copied or written, takes no part.
    let mut rest: Vec<Option<Size>> = from.iter().cloned().map(Some).collect();
    let mut sizes = Vec::new();
    let mut is_open = false;
    for (i, member) in target.iter().enumerate() {
        match member.int() {
            Some(0) if !allows_zero => match rest.get_mut(i) {
                Some(own) if own.is_some() => *own = None,
                _ => {
                    return Some(Elements {
                        headline: format!(
                            "the shape copies dim {i} by a 0, and the tensor has {}",
                            match from.len() {
                                1 => "1 dim".to_owned(),
                                n => format!("{n} dims"),
                            }
                        ),
                        help: None,
                    });
                }
            },
            Some(-1) if is_open => return None,
            Some(-1) => is_open = true,
            Some(n) => sizes.push(Size::Number(u64::try_from(n).ok()?)),
            None => sizes.push(Size::Other(member.expr()?.to_string())),
        }
    }
    sizes.retain(|size| {
        let same = rest
            .iter_mut()
            .find(|own| own.as_ref() == Some(size) && matches!(size, Size::Other(_)));
        same.map(|own| *own = None).is_none()
    });
    let numbers = |all: &[Size]| {
        let number = |size: &Size| match size {
            Size::Number(n) => Some(*n),
            Size::Other(_) => None,
        };
        all.iter().map(number).collect::<Option<Vec<u64>>>()
    };
    let from = numbers(&rest.into_iter().flatten().collect::<Vec<_>>())?;
    let to = numbers(&sizes)?;
    let product = |all: &[u64]| all.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
    let (has, wants) = (product(&from)?, product(&to)?);
    let written = |all: &[u64]| match all {
        [] | [_] => product(all).unwrap_or(1).to_string(),
        _ => {
            let factors: Vec<String> = all.iter().map(u64::to_string).collect();
            format!("{} = {}", factors.join("*"), product(all).unwrap_or(0))
        }
    };
    if is_open {
        let divides = wants != 0 && has % wants == 0;
        return (!divides).then(|| Elements {
            headline: format!("{has} elements can't be divided by {}", written(&to)),
            help: None,
        });
    }
    if has == wants {
        return None;
    }
    // One of the sizes that would make it fit: the last one, if it can be.
    let fitting = (0..to.len()).rev().find_map(|i| {
        let mut others = to.clone();
        let own = others.remove(i);
        let others = product(&others)?;
        let size = has.checked_div(others)?;
        let fits = size * others == has && size != own;
        fits.then(|| {
            let mut all: Vec<String> = to.iter().map(u64::to_string).collect();
            all[i] = size.to_string();
            all.join("*")
        })
    });
    let headline = match has {
        1 => format!("1 element doesn't fit {}", written(&to)),
        _ => format!("{has} elements don't fit {}", written(&to)),
    };
    Some(Elements {
        headline,
        help: fitting.map(|would| format!("{would} would fit")),
    })
}

fn size_of(dim: &Dim) -> Option<Size> {
    match dim {
        Dim::Hole => None,
        dim => Some(match dim.size() {
            Some(n) => Size::Number(n),
            None => Size::Other(dim.to_string()),
        }),
    }
}
