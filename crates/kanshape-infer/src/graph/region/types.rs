//! What a type says outside of the graph that it is one of, and what is known of the values of scalars.

use super::super::{Graph, ValueId};
use crate::order;
use kanshape_syntax::tree::Expr;
use kanshape_types::{
    Conditions, Content, Contents, Dim, Dtype, DtypeTerm, Shape, Tensor, Type, TypeKind,
};

/// A type as far as it is made of numbers and of names for which `is_known` holds, without conditions. A name that a graph has made up
/// says nothing outside of it.
pub fn only_named(ty: &Type, is_known: &dyn Fn(&str) -> bool) -> Type {
    let TypeKind::Tensor(tensor) = &ty.kind else {
        let parts = ty.map_parts(&mut |part| only_named(part, is_known));
        return parts.with_conditions(Conditions::NONE);
    };
    let dims = tensor.shape.known_dims().iter().map(|dim| {
        let mut known = true;
        dim.for_each_name(&mut |name| known &= is_known(name));
        if known { dim.clone() } else { Dim::Hole }
    });
    let mut shape = Shape::known(dims);
    if let Some(run) = tensor.shape.run() {
        shape = shape.with_run(run.at, None);
    }
    let contents = tensor.contents.as_ref().map(|contents| {
        contents.map(&mut |member| {
            let mut known = true;
            member.for_each_name(&mut |name| known &= is_known(name));
            if known { member.clone() } else { Content::Hole }
        })
    });
    let dtype = match &tensor.dtype {
        DtypeTerm::Name(name) if !is_known(name) => DtypeTerm::Hole,
        dtype => dtype.clone(),
    };
    let tensor = Tensor::new(dtype, shape);
    tensor.with_contents(contents).into()
}

/// Has a type parts of which nothing is known, that have no name?
pub fn is_vague(ty: &Type) -> bool {
    match ty.as_tensor() {
        Some(tensor) => {
            tensor.shape.run().is_some() || tensor.shape.known_dims().contains(&Dim::Hole)
        }
        None => ty.is_unknown() || ty.parts().any(is_vague),
    }
}

/// The truth value that a value of a type is, if that is known.
pub fn known_truth(ty: &Type) -> Option<bool> {
    match ty.contents().map(Contents::as_slice)? {
        [Content::Bool(is)] => Some(*is),
        _ => None,
    }
}

/// The number that a tensor is, as an expression, if something is known of it. A negative one is as good as 0.
pub fn known_number(ty: &Type) -> Option<Expr> {
    match ty.contents().map(Contents::as_slice)? {
        [Content::Int(n)] => Some(Expr::Int(u64::try_from(*n).unwrap_or(0))),
        [named @ (Content::Name(_) | Content::Expr(_))] => named.expr(),
        _ => None,
    }
}

/// A dim of a tensor, as an expression.
pub fn known_size(ty: &Type, axis: usize) -> Option<Expr> {
    let shape = &ty.as_tensor()?.shape;
    shape.rank()?;
    match shape.known_dims().get(axis)? {
        Dim::Size(n) => Some(Expr::Int(*n)),
        Dim::Name(name) => Content::Name(name.clone()).expr(),
        Dim::Expr(e) => Some((**e).clone()),
        Dim::Nominal(_) | Dim::Hole => None,
    }
}

/// What values of two graphs have in common, in names that hold outside of them.
pub(super) fn common(
    parts: [(&Graph, &[ValueId]); 2],
    is_named: &dyn Fn(&str) -> bool,
) -> Vec<Type> {
    let [own, other] = parts.map(|(graph, values)| graph.clone().types(values));
    let pairs = own.iter().zip(&other);
    pairs
        .map(|(a, b)| {
            let [a, b] = [a, b].map(|ty| only_named(ty, is_named));
            let both = order::join(&a, &b);
            let (Some(x), Some(y), Some(joined)) = (a.as_tensor(), b.as_tensor(), both.as_tensor())
            else {
                return both;
            };
            if x.shape.rank().is_none() || x.shape.rank() != y.shape.rank() {
                return both;
            }
            let dims = x.shape.known_dims().iter().zip(y.shape.known_dims());
            let dims: Vec<Dim> = dims
                .map(|(x, y)| match x == y {
                    true => x.clone(),
                    // What one branch requires of a name does not make it another size there.
                    false if dim_in(parts[1].0, x).as_ref() == Some(y) => x.clone(),
                    false if dim_in(parts[0].0, y).as_ref() == Some(x) => y.clone(),
                    false => Dim::Hole,
                })
                .collect();
            let tensor = Tensor::new(joined.dtype.clone(), Shape::known(dims));
            tensor.with_contents(joined.contents.clone()).into()
        })
        .collect()
}

/// What a dim is known to be where a graph holds.
pub(super) fn dim_in(graph: &Graph, dim: &Dim) -> Option<Dim> {
    if *dim == Dim::Hole {
        return None;
    }
    let mut graph = graph.clone();
    let value = graph.value(&Type::tensor(Dtype::F32, [dim.clone()]));
    let ty = graph.ty(value.ok()?);
    ty.as_tensor()?.shape.known_dims().first().cloned()
}
