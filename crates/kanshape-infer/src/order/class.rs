//! Aesara's coarser question: the same dtype, and the same dims known to be 1.

use super::implied::Facts;
use crate::Verdict;
use kanshape_types::{Dim, DtypeTerm, Type, TypeKind};

/// Are `a` and `b` in one class: tensors with the same dtype, the same rank and the same dims known to
/// be 1? Other types are in one class when they are made alike of such.
///
/// What is known is what counts, as in Aesara's `in_same_class`: a dim of unknown size is not known to
/// be 1. [`Verdict::Depends`] where a dtype or a rank is unknown that decides.
pub fn in_same_class(a: &Type, b: &Type) -> Verdict {
    let facts = (Facts::of(a, &[b]), Facts::of(b, &[a]));
    class(a, b, &facts)
}

fn class(a: &Type, b: &Type, facts: &(Facts, Facts)) -> Verdict {
    match (&a.kind, &b.kind) {
        (TypeKind::Tensor(x), TypeKind::Tensor(y)) => {
            let dtype = dtypes(&x.dtype, &y.dtype, facts);
            let one = |dim: &Dim, facts: &Facts| facts.equal(dim, &Dim::Size(1));
            let ones = |a: &[Dim], b: &[Dim]| {
                let mut pairs = a.iter().zip(b);
                pairs.all(|(a, b)| one(a, &facts.0) == one(b, &facts.1))
            };
            let shape = match (x.shape.run(), y.shape.run()) {
                (None, None) if x.shape.known_dims().len() != y.shape.known_dims().len() => {
                    Verdict::Never
                }
                (None, None) if ones(x.shape.known_dims(), y.shape.known_dims()) => Verdict::Always,
                (None, None) => Verdict::Never,
                (Some(r), Some(s)) if r.name.is_some() && r == s => {
                    match ones(x.shape.known_dims(), y.shape.known_dims()) {
                        true => Verdict::Always,
                        false => Verdict::Never,
                    }
                }
                _ => Verdict::Depends,
            };
            both(dtype, shape)
        }
        (TypeKind::Unknown | TypeKind::Var(_), _) | (_, TypeKind::Unknown | TypeKind::Var(_)) => {
            match a == b && !a.is_unknown() {
                true => Verdict::Always,
                false => Verdict::Depends,
            }
        }
        _ => {
            // Made alike: the same once all parts are put out of sight.
            let outside = |ty: &Type| super::bare(ty).map_parts(&mut |_| Type::UNKNOWN);
            if outside(a) != outside(b) {
                return Verdict::Never;
            }
            let parts = a.parts().zip(b.parts());
            parts.fold(Verdict::Always, |sum, (a, b)| both(sum, class(a, b, facts)))
        }
    }
}

fn dtypes(a: &DtypeTerm, b: &DtypeTerm, facts: &(Facts, Facts)) -> Verdict {
    if let (DtypeTerm::Name(x), DtypeTerm::Name(y)) = (a, b)
        && x == y
    {
        return Verdict::Always;
    }
    match (facts.0.dtype(a), facts.1.dtype(b)) {
        (Some(x), Some(y)) if x == y => Verdict::Always,
        _ if (facts.0.set(a) & facts.1.set(b)).is_empty() => Verdict::Never,
        _ => Verdict::Depends,
    }
}

fn both(a: Verdict, b: Verdict) -> Verdict {
    match (a, b) {
        (Verdict::Never, _) | (_, Verdict::Never) => Verdict::Never,
        (Verdict::Always, other) | (other, Verdict::Always) => other,
        _ => Verdict::Depends,
    }
}
