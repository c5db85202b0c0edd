//! The types that a model declares, against those that have been found.

use kanshape::{Dim, Type};

/// How a declared type is to the one that has been found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// They are the same.
    Same,
    /// The found one says more.
    Found,
    /// The declared one says more.
    Declared,
    /// Each says something that the other does not.
    Both,
    /// The value can't have the declared type.
    Contradicted,
}

/// A type that a model declares, and the one that has been found.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredType {
    /// The value.
    pub name: String,
    /// As the model has it.
    pub declared: Type,
    /// What the value is.
    pub found: Type,
    /// Which of the two says more.
    pub agreement: Agreement,
}

impl DeclaredType {
    /// Compares two types, of which neither contradicts the other.
    pub(crate) fn new(
        name: &str,
        declared: Type,
        found: Type,
        is_known: &MeansSize<'_>,
        are_equal: &Equal<'_>,
    ) -> Self {
        DeclaredType {
            agreement: agreement(&declared, &found, is_known, are_equal),
            name: name.to_owned(),
            declared,
            found,
        }
    }
}

/// Does a name say something of a size? Those that stand nowhere but in declared types, or have been made up, do not.
pub(crate) type MeansSize<'k> = dyn Fn(&str) -> bool + 'k;

/// Are two sizes the same, whatever their names denote?
pub(crate) type Equal<'k> = dyn Fn(&Dim, &Dim) -> bool + 'k;

fn agreement(
    declared: &Type,
    found: &Type,
    is_known: &MeansSize<'_>,
    are_equal: &Equal<'_>,
) -> Agreement {
    let (mut more, mut less) = (false, false);
    match (declared.as_tensor(), found.as_tensor()) {
        (Some(own), Some(other)) => {
            let dtypes = [own.dtype.known().is_some(), other.dtype.known().is_some()];
            less |= dtypes == [true, false];
            more |= dtypes == [false, true];
            let ranks = [own.shape.run().is_none(), other.shape.run().is_none()];
            less |= ranks == [true, false];
            more |= ranks == [false, true];
            if ranks == [true, true] {
                for (own, other) in own.shape.known_dims().iter().zip(other.shape.known_dims()) {
                    let says = |dim: &Dim| match dim {
                        Dim::Hole => false,
                        Dim::Name(name) => is_known(name),
                        _ => true,
                    };
                    match (says(own), says(other)) {
                        (false, true) => more = true,
                        (true, false) => less = true,
                        (true, true) if own != other && !are_equal(own, other) => {
                            (more, less) = (true, true);
                        }
                        _ => {}
                    }
                }
            }
        }
        _ => {
            more = declared.is_unknown() && !found.is_unknown();
            less = found.is_unknown() && !declared.is_unknown();
        }
    }
    match (more, less) {
        (false, false) => Agreement::Same,
        (true, false) => Agreement::Found,
        (false, true) => Agreement::Declared,
        (true, true) => Agreement::Both,
    }
}
