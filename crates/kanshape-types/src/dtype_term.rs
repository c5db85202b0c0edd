//! [`DtypeTerm`]: the dtype of a tensor, as far as it is known.

use std::fmt;

use crate::{Dtype, DtypeSet, Name};

/// The dtype of a tensor, as far as it is known.
///
/// ```
/// use kanshape::{Dtype, DtypeTerm, Type};
///
/// let known = |text: &str| text.parse::<DtypeTerm>().map(|term| term.known());
/// assert_eq!(known("f32"), Ok(Some(Dtype::F32)));
/// assert_eq!(known("T"), Ok(None));
/// assert_eq!(known("{f32, f64}"), Ok(None));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DtypeTerm {
    /// `f32`.
    Known(Dtype),
    /// `T`: an unknown that is the same wherever it is written.
    Name(Name),
    /// `{f32, f64}`, `Float`: one of these. Those built by [`From`] have two or more, and not all.
    Set(DtypeSet),
    /// `?`: an unknown of its own.
    Hole,
}

impl DtypeTerm {
    /// The dtypes it can be, for all that is said here.
    pub fn set(&self) -> DtypeSet {
        match self {
            DtypeTerm::Known(dtype) => (*dtype).into(),
            DtypeTerm::Set(set) => *set,
            DtypeTerm::Name(_) | DtypeTerm::Hole => DtypeSet::ANY,
        }
    }

    /// The dtype, if it is known.
    pub fn known(&self) -> Option<Dtype> {
        match self {
            DtypeTerm::Known(dtype) => Some(*dtype),
            _ => None,
        }
    }
}

impl From<Dtype> for DtypeTerm {
    fn from(dtype: Dtype) -> Self {
        DtypeTerm::Known(dtype)
    }
}

/// A set of one is known, and of a set of all nothing is.
impl From<DtypeSet> for DtypeTerm {
    fn from(set: DtypeSet) -> Self {
        match set.single() {
            Some(dtype) => DtypeTerm::Known(dtype),
            None if set == DtypeSet::ANY => DtypeTerm::Hole,
            None => DtypeTerm::Set(set),
        }
    }
}

impl From<Name> for DtypeTerm {
    fn from(name: Name) -> Self {
        DtypeTerm::Name(name)
    }
}

impl fmt::Display for DtypeTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DtypeTerm::Known(dtype) => f.write_str(dtype.name()),
            DtypeTerm::Name(name) => f.write_str(name),
            DtypeTerm::Set(set) => set.fmt(f),
            DtypeTerm::Hole => f.write_str("?"),
        }
    }
}
