//! The order between types, as far as it can be seen without solving anything.
//!
//! A type is a set of values; [`is_super`] tests whether one set holds the other, [`meet`] is what is in
//! both. Sizes, holes, dtypes and unknown ranks decide most questions by a look at each dim; here
//! is that look, which allocates nothing where both types are concrete. Where a name would have to
//! be solved for, or a condition weighed, the answer is `None`: then `kanshape-infer` solves it with the
//! engine, and gives the same answers to what is decided here.

use crate::{Content, Contents, Dim, DtypeTerm, Shape, Tensor, Type, TypeKind};

/// Is every value of `b` one of `a`, whatever the names in them denote? `None` if that takes
/// solving.
///
/// ```
/// use kanshape_types::{Type, order::is_super};
///
/// let [any, three]: [Type; 2] = ["f32[?, 2]".parse()?, "f32[3, 2]".parse()?];
/// assert_eq!(is_super(&any, &three), Some(true));
/// assert_eq!(is_super(&three, &any), Some(false));
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub fn is_super(a: &Type, b: &Type) -> Option<bool> {
    if !a.conditions.is_empty() {
        return None;
    }
    let decided = match (&a.kind, &b.kind) {
        (TypeKind::Unknown, _) => Some(true),
        (TypeKind::Tensor(a), TypeKind::Tensor(b)) => is_super_tensor(a, b),
        _ => None,
    };
    // Conditions leave `b` fewer values, or none.
    decided.filter(|&yes| yes || b.conditions.is_empty())
}

fn is_super_tensor(a: &Tensor, b: &Tensor) -> Option<bool> {
    let dtype = match (&a.dtype, &b.dtype) {
        (DtypeTerm::Hole, _) => Some(true),
        (DtypeTerm::Name(x), DtypeTerm::Name(y)) if x == y => Some(true),
        (DtypeTerm::Name(_), _) | (_, DtypeTerm::Name(_)) => None,
        (a, b) => Some(b.set().is_subset(a.set())),
    };
    let (x, y) = (&a.shape, &b.shape);
    let shape = match (x.run(), y.run()) {
        (None, None) if x.known_dims().len() != y.known_dims().len() => Some(false),
        (None, None) => all(x.known_dims(), y.known_dims()),
        // A rank against all ranks from some number on.
        (None, Some(run)) if run.name.is_none() && y.known_dims().iter().all(is_free) => {
            Some(false)
        }
        (Some(run), None) if run.name.is_none() => {
            match y.known_dims().len() < x.known_dims().len() {
                true => Some(false),
                false => around(x, y.known_dims(), y.known_dims()),
            }
        }
        (Some(r), Some(_))
            if r.name.is_none()
                && y.before().len() >= x.before().len()
                && y.after().len() >= x.after().len() =>
        {
            around(x, y.before(), y.after())
        }
        (Some(r), Some(s))
            if r.name.is_some() && r == s && x.known_dims().len() == y.known_dims().len() =>
        {
            all(x.known_dims(), y.known_dims())
        }
        _ => None,
    };
    // One part that does not fit is enough, unless another could make `b` empty.
    match (dtype, shape, is_super_contents(a, b)) {
        (Some(true), Some(true), Some(true)) => Some(true),
        (Some(false), ..) | (_, Some(false), _) | (.., Some(false)) => {
            let values = y.known_dims().iter().all(is_free) && is_free_of_contents(b);
            values.then_some(false)
        }
        _ => None,
    }
}

/// The contents of tensors of which one may be within the other.
fn is_super_contents(a: &Tensor, b: &Tensor) -> Option<bool> {
    let Some(expected) = &a.contents else {
        return Some(true);
    };
    let given = match &b.contents {
        Some(given) if given.len() == expected.len() => given,
        Some(_) => return Some(false),
        // A member at this place takes at least this number of elements.
        None if expected.say_something() && b.shape.is_ground() => {
            let empty = b.shape.iter().any(|dim| dim.extent() == Some(0));
            return (!empty).then_some(false);
        }
        None => return None,
    };
    let mut decided = Some(true);
    for (a, b) in expected.iter().zip(given) {
        match (a, b) {
            (Content::Hole, _) => {}
            (a, b) if a == b => {}
            (_, Content::Hole) | (Content::Int(_), Content::Int(_)) => return Some(false),
            _ => decided = None,
        }
    }
    decided
}

/// Has a tensor values, as far as its contents go?
fn is_free_of_contents(tensor: &Tensor) -> bool {
    tensor.contents.as_ref().is_none_or(|contents| {
        let plain = |member: &Content| matches!(member, Content::Hole | Content::Int(_));
        let dtype = tensor.dtype.known();
        tensor.shape.is_ground()
            && dtype.is_some_and(|dtype| contents.dtypes().contains(dtype))
            && contents.iter().all(plain)
    })
}

/// Can a dim be any size, or is it one? An expression may be none at all.
fn is_free(dim: &Dim) -> bool {
    !matches!(dim, Dim::Expr(_))
}

/// The dims left and right of the run of `a` against the first and the last of others.
fn around(a: &Shape, first: &[Dim], last: &[Dim]) -> Option<bool> {
    let (before, after) = (a.before(), a.after());
    let left = all(before, first.get(..before.len())?)?;
    let right = all(after, last.get(last.len() - after.len()..)?)?;
    Some(left && right)
}

fn all(a: &[Dim], b: &[Dim]) -> Option<bool> {
    let mut decided = Some(true);
    for (a, b) in a.iter().zip(b) {
        match is_super_dim(a, b) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => decided = None,
        }
    }
    decided
}

fn is_super_dim(a: &Dim, b: &Dim) -> Option<bool> {
    match (a, b) {
        (Dim::Hole, _) => Some(true),
        (Dim::Size(a), Dim::Size(b)) => Some(a == b),
        (Dim::Name(a), Dim::Name(b)) if a == b => Some(true),
        (Dim::Nominal(a), Dim::Nominal(b)) => Some(a == b),
        (Dim::Size(_), Dim::Nominal(_)) | (Dim::Nominal(_), Dim::Size(_)) => Some(false),
        (Dim::Size(_) | Dim::Nominal(_) | Dim::Name(_), Dim::Hole) => Some(false),
        _ => None,
    }
}

/// The two types have no value in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash;

/// The type of the values that are in both, whatever the names in them denote. `None` if that
/// takes solving.
///
/// # Errors
/// [`Clash`] if there are none.
pub fn meet(a: &Type, b: &Type) -> Option<Result<Type, Clash>> {
    if !b.conditions.is_empty() || !a.conditions.is_empty() {
        return None;
    }
    match (&a.kind, &b.kind) {
        (TypeKind::Tensor(a), TypeKind::Tensor(b)) => match meet_tensor(a, b)? {
            Ok(tensor) => Some(Ok(tensor.into())),
            Err(clash) => Some(Err(clash)),
        },
        (TypeKind::Unknown, TypeKind::Unknown) => Some(Ok(Type::UNKNOWN)),
        _ => None,
    }
}

fn meet_tensor(a: &Tensor, b: &Tensor) -> Option<Result<Tensor, Clash>> {
    let contents = match (&a.contents, &b.contents) {
        (None, None) => None,
        // Their number is that of the elements of both.
        (None, Some(contents)) | (Some(contents), None)
            if a.shape.is_ground() && a.shape == b.shape && a.dtype == b.dtype =>
        {
            Some(contents.clone()).filter(Contents::say_something)
        }
        _ => return None,
    };
    let (x, y) = (&a.shape, &b.shape);
    if x.run().is_some() || y.run().is_some() {
        return None;
    }
    // A clash is certain only where nothing is left to be solved; so all is examined.
    let mut clash = x.known_dims().len() != y.known_dims().len();
    let dtype = match (&a.dtype, &b.dtype) {
        (DtypeTerm::Hole, other) | (other, DtypeTerm::Hole) => other.clone(),
        (DtypeTerm::Name(x), DtypeTerm::Name(y)) if x == y => a.dtype.clone(),
        (DtypeTerm::Name(_), _) | (_, DtypeTerm::Name(_)) => return None,
        (a, b) => {
            let set = a.set() & b.set();
            clash |= set.is_empty();
            set.into()
        }
    };
    if clash {
        return Some(Err(Clash));
    }
    let mut shape = Shape::default();
    for (x, y) in x.known_dims().iter().zip(y.known_dims()) {
        shape.push(match (x, y) {
            (Dim::Hole, other) | (other, Dim::Hole) => other.clone(),
            (Dim::Size(x), Dim::Size(y)) if x != y => return Some(Err(Clash)),
            (Dim::Size(_), Dim::Size(_)) => x.clone(),
            (Dim::Nominal(m), Dim::Nominal(n)) if m == n => x.clone(),
            (Dim::Name(m), Dim::Name(n)) if m == n => x.clone(),
            _ => return None,
        });
    }
    Some(Ok(Tensor::new(dtype, shape).with_contents(contents)))
}
