//! The names of a query: what its types, parameters and attributes call something.

use crate::{AttrValue, Query};
use kanshape_types::{Dim, DtypeTerm, Type};
use rustc_hash::FxHashSet;

/// Every name that something given has.
pub(super) fn of_query(query: &Query) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    let mut note = |name: &str| {
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
    };
    for ty in query.inputs.iter().chain(&query.outputs) {
        of_type(ty, &mut note);
    }
    for (_, dim) in &query.params {
        of_dim(dim, &mut note);
    }
    for (_, value) in query.attrs.iter() {
        of_attr(value, &mut note);
    }
    names
}

/// The names in a type, but for those that only its conditions have.
pub(super) fn of_type(ty: &Type, note: &mut dyn FnMut(&str)) {
    if let kanshape_types::TypeKind::Var(name) = &ty.kind {
        note(name);
    }
    if let Some(tensor) = ty.as_tensor() {
        if let DtypeTerm::Name(name) = &tensor.dtype {
            note(name);
        }
        tensor.shape.iter().for_each(|dim| of_dim(dim, note));
        if let Some(run) = tensor.shape.run().and_then(|run| run.name.as_ref()) {
            note(run);
        }
        if let Some(contents) = &tensor.contents {
            contents.for_each_name(note);
        }
    }
    ty.parts().for_each(|part| of_type(part, note));
}

/// The names in a dim.
pub(super) fn of_dim(dim: &Dim, note: &mut dyn FnMut(&str)) {
    match dim {
        Dim::Name(name) => note(name),
        Dim::Expr(expr) => expr.for_each_name(note),
        Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => {}
    }
}

/// The names in the value of an attribute.
pub(super) fn of_attr(value: &AttrValue, note: &mut dyn FnMut(&str)) {
    match value {
        AttrValue::Dim(dim) => of_dim(dim, note),
        AttrValue::Type(ty) => of_type(ty, note),
        AttrValue::List(members) => members.iter().for_each(|m| of_attr(m, note)),
        _ => {}
    }
}
