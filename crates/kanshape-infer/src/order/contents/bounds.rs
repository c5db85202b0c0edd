//! What contents say of the type that they are in: that there are as many elements as members, and
//! that the dtype has such members.

use super::equal;
use crate::order::skolem::among;
use kanshape_syntax::tree::{Condition, DimItem, Expr, Func};
use kanshape_types::{Content, Contents, Dim, DtypeSet, DtypeTerm, Shape, Tensor, Type, TypeKind};

/// What follows for the names of a type from the contents in it. The contents of what functions take
/// and give say nothing: there are functions that nobody can call.
pub(crate) fn facts(ty: &Type) -> Vec<Condition> {
    let mut all = Vec::new();
    for_each_contents(ty, &mut |tensor, contents| {
        if !tensor.shape.is_ground() {
            all.extend(count(&tensor.shape, contents.len()));
        }
        all.extend(dtype(tensor, contents));
    });
    all
}

/// The same, as far as an answer need say it: that numbers are no texts, and large ones no `i8`, goes
/// without saying, and so do conditions on several dims together.
pub(super) fn worth_saying(ty: &Type) -> Vec<Condition> {
    let mut all = Vec::new();
    for_each_contents(ty, &mut |tensor, contents| {
        if !tensor.shape.is_ground() {
            all.extend(settled_count(&tensor.shape, contents.len()));
        }
        if !are_numbers(contents) {
            all.extend(dtype(tensor, contents));
        }
    });
    all
}

fn for_each_contents<'t>(ty: &'t Type, f: &mut dyn FnMut(&'t Tensor, &'t Contents)) {
    match &ty.kind {
        TypeKind::Tensor(tensor) => {
            if let Some(contents) = &tensor.contents {
                f(tensor, contents);
            }
        }
        TypeKind::Fn(_) => {}
        _ => ty.parts().for_each(|part| for_each_contents(part, f)),
    }
}

/// That a dtype variable denotes one that has the contents.
fn dtype(tensor: &Tensor, contents: &Contents) -> Option<Condition> {
    let dtypes = contents.dtypes();
    match &tensor.dtype {
        DtypeTerm::Name(name) if dtypes != DtypeSet::ANY => Some(among(name, dtypes)),
        _ => None,
    }
}

/// Is no member a value of another kind than the integers?
fn are_numbers(contents: &Contents) -> bool {
    let value = |m: &Content| matches!(m, Content::Bool(_) | Content::Float(_) | Content::Text(_));
    !contents.iter().any(value)
}

/// The condition that a shape has this number of elements; none if that takes a name for a hole.
pub(super) fn count(shape: &Shape, len: usize) -> Option<Condition> {
    let factors = shape.to_tree().into_iter().map(|item| match item.node {
        DimItem::Dim(Expr::Nominal(n)) => Some(Expr::Int(n.size.node)),
        DimItem::Dim(e) => Some(e),
        DimItem::Run(Some(name)) => Some(Expr::Run(Some(name))),
        DimItem::Hole | DimItem::Run(None) => None,
    });
    let mut factors = factors.collect::<Option<Vec<Expr>>>()?;
    let product = match factors.pop() {
        Some(only) if factors.is_empty() && !matches!(only, Expr::Run(_)) => only,
        last => Expr::Call(Func::Prod, factors.into_iter().chain(last).collect()),
    };
    Some(equal(product, Expr::Int(len as u64)))
}

/// The same, if it is about one dim.
pub(super) fn settled_count(shape: &Shape, len: usize) -> Option<Condition> {
    let mut open = shape.iter().filter(|dim| dim.extent().is_none());
    let one = open.next().is_none() || open.next().is_none();
    let about_one = one && shape.run().is_none();
    about_one.then(|| count(shape, len))?
}

/// The type with what its contents say of its dims and dtypes said there, where a type can, and in
/// conditions else.
pub(crate) fn settled(ty: &Type) -> Type {
    let mut all: Vec<Condition> = ty.conditions.iter().cloned().collect();
    for fact in worth_saying(ty) {
        if !all.contains(&fact) {
            all.push(fact);
        }
    }
    filled_in(ty).with_conditions(all.into_iter().collect())
}

/// The type with the dtype and the one dim that its contents tell.
pub(crate) fn filled_in(ty: &Type) -> Type {
    let (tensor, contents) = match (ty.as_tensor(), ty.contents()) {
        (Some(tensor), Some(contents)) => (tensor, contents),
        (Some(_), None) => return ty.clone(),
        (None, _) => return ty.map_parts(&mut filled_in),
    };
    let possible = tensor.dtype.set().intersection(contents.dtypes());
    let dtype = match &tensor.dtype {
        DtypeTerm::Set(_) if !are_numbers(contents) => possible.into(),
        DtypeTerm::Hole if possible.single().is_some() => possible.into(),
        term => term.clone(),
    };
    let tensor = Tensor::new(dtype, filled(&tensor.shape, contents.len()));
    Type::from(tensor.with_contents(Some(contents.clone()))).with_conditions(ty.conditions.clone())
}

/// The shape with this number of elements: one hole among known sizes is then known as well.
pub(crate) fn filled(shape: &Shape, len: usize) -> Shape {
    let mut holes = shape.iter().filter(|dim| **dim == Dim::Hole);
    let one = holes.next().is_some() && holes.next().is_none() && shape.run().is_none();
    let known = shape.iter().filter(|dim| **dim != Dim::Hole);
    let known = known
        .map(Dim::extent)
        .try_fold(1u64, |product, size| product.checked_mul(size?));
    match known {
        Some(known @ 1..) if one && (len as u64).is_multiple_of(known) => {
            let size = Dim::Size(len as u64 / known);
            let dims = shape.iter().map(|dim| match dim {
                Dim::Hole => size.clone(),
                dim => dim.clone(),
            });
            dims.collect()
        }
        _ => shape.clone(),
    }
}
