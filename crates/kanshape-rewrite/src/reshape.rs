//! `Reshape` by a -1 beside a 0 that copies a dim: types say what it gives where that dim is 0, and executors refuse it. A rule that makes a
//! program stop is not sound.

use kanshape::{Content, Dim, Operator, Type};

/// Why an executor refuses it.
pub(crate) const REFUSED: &str = "`Reshape` has a -1 beside a 0 that copies a size of 0: what is left is not known, and executors refuse it";

/// Is an operator the `Reshape` of ONNX?
pub(crate) fn is_reshape(operator: &Operator) -> bool {
    operator.name() == "Reshape" && operator.domain_name() == "onnx"
}

/// The dims that a `Reshape` of data of this type by this shape copies, if it has a -1 as well. A dim that is not known is a hole.
pub(crate) fn copied(data: &Type, shape: &Type) -> Vec<Dim> {
    let Some(members) = shape.contents() else {
        return Vec::new();
    };
    if !members.iter().any(|own| *own == Content::Int(-1)) {
        return Vec::new();
    }
    let dims = data.as_tensor().map(|tensor| &tensor.shape);
    let dims = dims.filter(|shape| shape.rank().is_some());
    let zeros = members.iter().enumerate();
    let zeros = zeros.filter(|(_, own)| **own == Content::Int(0));
    let dim = |place: usize| dims.and_then(|shape| shape.iter().nth(place).cloned());
    zeros
        .map(|(place, _)| dim(place).unwrap_or(Dim::Hole))
        .collect()
}

/// Is a size of 0 copied beside a -1?
pub(crate) fn copies_zero(data: &Type, shape: &Type) -> bool {
    copied(data, shape).contains(&Dim::Size(0))
}
