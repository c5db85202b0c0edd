//! Inputs that just don't fit: a sample in which one dim, the rank or the dtype of one tensor is another, so that it is refused; or one
//! number of an attribute.

use super::Choose;
use crate::solve::answers::Answers;
use crate::{Answer, AttrValue, Error, Query};
use kanshape_engine::{Chooser, pick};
use kanshape_types::{Dim, Dtype, DtypeTerm, Shape, Tensor, Type, TypeKind};
use std::sync::Arc;

impl Query {
    /// Inputs that are refused, and that are those of a [sample](Query::sample) but for one dim, one dtype or one rank. Where
    /// all such fit, one number of an attribute that the query leaves open is another by one. The answer has inputs,
    /// parameters and attributes, and no outputs.
    ///
    /// ```
    /// use kanshape::{Signature, Verdict, choice::By};
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let refused = matmul.query().near_miss(&mut By(|ways| ways / 2))?;
    /// assert_eq!(matmul.check(&refused.inputs, &[])?, Verdict::Never);
    /// # Ok::<(), kanshape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Query::sample`]; [`Error::Unknown`] as well if the rule takes whatever is near the sample.
    pub fn near_miss(&self, rng: &mut (impl Choose + ?Sized)) -> Result<Answer, Error> {
        self.near_miss_by(&mut |ways| rng.choose(ways))
    }

    fn near_miss_by(&self, choose: &mut Chooser<'_>) -> Result<Answer, Error> {
        let sample = self.sample_by(choose)?;
        let forward = self.for_samples().forward(&sample, self.outputs.clone());
        let mut left = self.budget;
        let found = self
            .control
            .go_on(&mut left, || refused(&forward, &sample, choose));
        let Some(found) = found else {
            return Err(Error::Unknown(self.stopped_with(left)));
        };
        let mut answer = Answer {
            inputs: found.inputs,
            outputs: Vec::new(),
            ..sample
        };
        for (label, value) in &mut answer.attrs {
            if let Some(own) = found.attrs.iter().rfind(|own| *own.0 == *label.as_str()) {
                value.clone_from(&own.1);
            }
        }
        Ok(answer)
    }
}

/// The query with one of its inputs changed so that there is no answer; with one of the attributes that were chosen if the
/// rule takes whatever is near the inputs.
fn refused(query: &Query, sample: &Answer, choose: &mut Chooser<'_>) -> Option<Query> {
    let inputs = changed(query.inputs.len(), choose, |at| {
        let others = near(&query.inputs[at], query.min_dim).into_iter();
        let with = |other| {
            let mut changed = query.clone();
            changed.inputs[at] = other;
            changed
        };
        others.map(with).collect()
    });
    inputs.or_else(|| {
        let is_chosen = |name: &str| sample.attrs.iter().any(|own| own.0.as_str() == name);
        let of_query = query.attrs.iter().enumerate();
        let chosen = of_query.filter(|(_, own)| is_chosen(&own.0));
        let chosen: Vec<usize> = chosen.map(|(at, _)| at).collect();
        changed(chosen.len(), choose, |at| {
            let at = chosen[at];
            let others = near_value(&query.attrs[at].1).into_iter();
            let with = |other| {
                let mut changed = query.clone();
                Arc::make_mut(&mut changed.attrs)[at].1 = other;
                changed
            };
            others.map(with).collect()
        })
    })
}

/// A query that has no answer, among those that a change of one of `count` places comes to.
fn changed(
    count: usize,
    choose: &mut Chooser<'_>,
    at: impl Fn(usize) -> Vec<Query>,
) -> Option<Query> {
    let mut places: Vec<usize> = (0..count).collect();
    while !places.is_empty() {
        let place = places.remove(pick(choose, places.len()));
        let mut others = at(place);
        while !others.is_empty() {
            let other = others.remove(pick(choose, others.len()));
            if Answers::are_there(&other) == Some(false) {
                return Some(other);
            }
        }
    }
    None
}

/// The numbers that differ from an attribute's by one, in one place of a list.
fn near_value(value: &AttrValue) -> Vec<AttrValue> {
    match value {
        AttrValue::Dim(Dim::Size(size)) => {
            let size = i64::try_from(*size).unwrap_or(i64::MAX);
            near_value(&AttrValue::Int(size))
        }
        AttrValue::Int(number) => {
            let others = [number.checked_add(1), number.checked_sub(1)];
            others.into_iter().flatten().map(AttrValue::Int).collect()
        }
        AttrValue::List(members) => {
            let at = |i: usize| {
                let others = near_value(&members[i]).into_iter();
                others.map(move |other| {
                    let mut changed = members.to_vec();
                    changed[i] = other;
                    AttrValue::List(changed)
                })
            };
            (0..members.len()).flat_map(at).collect()
        }
        _ => Vec::new(),
    }
}

/// The types of which one part differs.
fn near_parts(ty: &Type, least: u64) -> Vec<Type> {
    let of_part = |(at, part): (usize, &Type)| {
        let others = near(part, least).into_iter();
        let with = move |other: Type| {
            let mut place = 0..;
            ty.map_parts(&mut |own| match place.next() {
                Some(i) if i == at => other.clone(),
                _ => own.clone(),
            })
        };
        others.map(with).collect::<Vec<Type>>()
    };
    ty.parts().enumerate().flat_map(of_part).collect()
}

/// The types that differ from a type in one dim, which is no less than `least`, the rank or the dtype of one tensor.
fn near(ty: &Type, least: u64) -> Vec<Type> {
    let TypeKind::Tensor(t) = &ty.kind else {
        return near_parts(ty, least);
    };
    let dims: Vec<Dim> = t.shape.iter().cloned().collect();
    let mut shapes: Vec<Vec<Dim>> = Vec::new();
    for (i, dim) in dims.iter().enumerate() {
        let Some(size) = dim.extent() else {
            continue;
        };
        let less = size.checked_sub(1).filter(|less| *less >= least);
        for other in [Some(size + 1), less].into_iter().flatten() {
            let mut dims = dims.clone();
            dims[i] = Dim::Size(other);
            shapes.push(dims);
        }
    }
    if !dims.is_empty() {
        shapes.push(dims[1..].to_vec());
    }
    shapes.push([&[Dim::Size(2)], &dims[..]].concat());
    let known = t.dtype.set().single();
    let others = [Dtype::F32, Dtype::I64, Dtype::Bool, Dtype::C64, Dtype::Str];
    let others = others.into_iter().filter(|dtype| Some(*dtype) != known);
    let of_shape =
        |dims: Vec<Dim>| Tensor::new(t.dtype.clone(), dims.into_iter().collect::<Shape>()).into();
    let of_dtype = |dtype| Tensor::new(DtypeTerm::Known(dtype), t.shape.clone()).into();
    let shapes = shapes.into_iter().map(of_shape);
    shapes.chain(others.map(of_dtype)).collect()
}
