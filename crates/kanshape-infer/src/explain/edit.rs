//! Types with one thing of them changed.

use super::repair::EditKind;
use kanshape_types::{Content, Contents, Dim, DtypeTerm, Shape, Tensor, Type};

/// The type with other dims. What it has in it is forgotten where it no longer fits.
pub(crate) fn with_dims(ty: &Type, f: impl Fn(&mut Vec<Dim>)) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        return ty.clone();
    };
    let mut dims = tensor.shape.known_dims().to_vec();
    f(&mut dims);
    let mut shape = Shape::known(dims);
    if let Some(run) = tensor.shape.run() {
        shape = shape.with_run(run.at, run.name.clone());
    }
    let contents = tensor.contents.clone();
    let contents = contents.filter(|c| Contents::fit(&shape, c.len()));
    let tensor = Tensor::new(tensor.dtype.clone(), shape).with_contents(contents);
    Type::from(tensor).with_conditions(ty.conditions.clone())
}

/// The dims of a shape with one less, or one of 1 more, and what was done; each shape once.
pub(super) fn of_other_rank(dims: &[Dim]) -> impl Iterator<Item = (EditKind, Vec<Dim>)> + '_ {
    let rank = dims.len();
    let less = (0..rank).filter(|a| *a == 0 || dims[*a] != dims[*a - 1]);
    let less = less.map(|a| {
        let how = match dims[a] == Dim::Size(1) {
            true => EditKind::Squeezed(a),
            false => EditKind::Without(a),
        };
        (how, [&dims[..a], &dims[a + 1..]].concat())
    });
    let more = (0..=rank).filter(|a| *a == 0 || dims[*a - 1] != Dim::Size(1));
    let more = more.map(|a| {
        let with = [&dims[..a], &[Dim::Size(1)], &dims[a..]].concat();
        (EditKind::Unsqueezed(a), with)
    });
    less.chain(more)
}

/// The type with another member of what it has in it.
pub(super) fn with_member(ty: &Type, at: usize, member: Content) -> Type {
    let mut next = 0;
    let contents = ty.contents().map(|contents| {
        contents.map(&mut |old| {
            next += 1;
            if next - 1 == at {
                member.clone()
            } else {
                old.clone()
            }
        })
    });
    ty.clone().with_contents(contents)
}

/// The type with another dtype. What it has in it is forgotten where it can't be of that.
pub(super) fn with_dtype(ty: &Type, dtype: DtypeTerm) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        return ty.clone();
    };
    let contents = tensor.contents.clone();
    let contents = contents.filter(|c| !c.dtypes().intersection(dtype.set()).is_empty());
    let tensor = Tensor::new(dtype, tensor.shape.clone()).with_contents(contents);
    Type::from(tensor).with_conditions(ty.conditions.clone())
}

/// A dim of a shape, as another shape has it that is below.
pub(super) fn dim_at<'s>(old: &Type, new: &'s Type, axis: usize) -> Option<&'s Dim> {
    let (old, new) = (&old.as_tensor()?.shape, &new.as_tensor()?.shape);
    let dims = new.known_dims();
    match old.run() {
        Some(run) if axis >= run.at => dims.len().checked_sub(old.known_dims().len() - axis),
        _ => Some(axis),
    }
    .and_then(|axis| dims.get(axis))
}
