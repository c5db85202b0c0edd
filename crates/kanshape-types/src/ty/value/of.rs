//! [`Type::of`]: the type of a value.

use ndarray::{ArrayBase, Data, Dimension};

use super::{AnyArray, AnyValue, Element, Value};
use crate::{Dim, Dtype, Type};

/// What has a type.
pub trait TypeOf {
    /// The least type that contains it; `?` where it has none of its own, as a number without a
    /// dtype.
    fn type_of(&self) -> Type;
}

impl Type {
    /// The least type that contains a value.
    ///
    /// ```
    /// use kanshape::{Type, shorthand::f32s};
    /// use ndarray::Array2;
    ///
    /// assert_eq!(Type::of(&Array2::<f32>::zeros((2, 3))), f32s([2, 3]));
    /// ```
    pub fn of<V: TypeOf + ?Sized>(value: &V) -> Type {
        value.type_of()
    }
}

fn array(dtype: Dtype, shape: &[usize]) -> Type {
    Type::tensor(dtype, shape.iter().map(|&size| Dim::Size(size as u64)))
}

impl<S, D> TypeOf for ArrayBase<S, D>
where
    S: Data,
    S::Elem: Element,
    D: Dimension,
{
    fn type_of(&self) -> Type {
        array(S::Elem::DTYPE, self.shape())
    }
}

impl TypeOf for AnyArray {
    fn type_of(&self) -> Type {
        array(self.dtype(), self.shape())
    }
}

impl TypeOf for AnyValue {
    fn type_of(&self) -> Type {
        AnyValue::type_of(self)
    }
}

impl TypeOf for Value {
    fn type_of(&self) -> Type {
        match self {
            Value::Array(array) => array.type_of(),
            Value::User(value) => value.type_of(),
            Value::Tuple(fields) => Type::tuple(fields.iter().map(Type::of)),
            Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Complex(..)
            | Value::Str(_)
            | Value::List(_) => Type::UNKNOWN,
        }
    }
}
