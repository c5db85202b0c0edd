//! Inputs that just don't fit: a sample in which one dim, the rank or the dtype of one input is another, so that it is refused.

use crate::solve::answers::Answers;
use crate::{Answer, Error, Query};
use kanshape_engine::{Chooser, pick};
use kanshape_types::{Dim, Dtype, DtypeTerm, Shape, Tensor, Type, TypeKind};

impl Query {
    /// Inputs that are refused, and that are those of a [sample](Query::sample) but for one dim, one dtype or one rank. The
    /// answer has inputs, parameters and attributes, and no outputs.
    ///
    /// ```
    /// use kanshape_infer::{Signature, Verdict};
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let refused = matmul.query().near_miss(&mut |ways| ways / 2)?;
    /// assert_eq!(matmul.check(&refused.inputs, &[])?, Verdict::Never);
    /// # Ok::<(), kanshape_infer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Query::sample`]; [`Error::Unknown`] as well if the rule takes whatever is near the sample.
    pub fn near_miss(&self, choose: &mut dyn FnMut(u64) -> u64) -> Result<Answer, Error> {
        let sample = self.sample(choose)?;
        let forward = self.for_samples().forward(&sample, self.outputs.clone());
        let mut left = self.budget;
        let found = self.control.go_on(&mut left, || refused(&forward, choose));
        match found {
            Some(inputs) => Ok(Answer {
                inputs,
                outputs: Vec::new(),
                ..sample
            }),
            None => Err(Error::Unknown),
        }
    }
}

/// The inputs of the query with one of them changed so that there is no answer.
fn refused(query: &Query, choose: &mut Chooser<'_>) -> Option<Vec<Type>> {
    let mut places: Vec<usize> = (0..query.inputs.len()).collect();
    while !places.is_empty() {
        let at = places.remove(pick(choose, places.len()));
        let mut others = near(&query.inputs[at]);
        while !others.is_empty() {
            let other = others.remove(pick(choose, others.len()));
            let mut changed = query.clone();
            changed.inputs[at] = other;
            if Answers::are_there(&changed) == Some(false) {
                return Some(changed.inputs);
            }
        }
    }
    None
}

/// The types that differ from a tensor's in one dim, the rank or the dtype.
fn near(ty: &Type) -> Vec<Type> {
    let TypeKind::Tensor(t) = &ty.kind else {
        return Vec::new();
    };
    let dims: Vec<Dim> = t.shape.iter().cloned().collect();
    let mut shapes: Vec<Vec<Dim>> = Vec::new();
    for (i, dim) in dims.iter().enumerate() {
        let Some(size) = dim.extent() else {
            continue;
        };
        for other in [Some(size + 1), size.checked_sub(1)].into_iter().flatten() {
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
