//! [`Type::values_eq`] and [`Type::values_eq_approx`]: when two values of a type are equal.

use super::number::Number;
use super::{AnyArray, Value};
use crate::{Dtype, Type, TypeKind};

impl Type {
    /// Whether two values of the type are equal: arrays of the same dtype and shape, element by
    /// element, where what is not a number is equal to itself; tuples field by field; values of a
    /// user's type as that says.
    pub fn values_eq(&self, a: &Value, b: &Value) -> bool {
        equal(self, a, b, false)
    }

    /// Whether two values of the type are equal but for rounding.
    ///
    /// Floating and complex elements `x` and `y` are if `|x - y| <= atol + rtol * |y|`; whatever is
    /// infinite, or not a number, must be so in both.
    ///
    /// | dtype | rtol | atol |
    /// |---|---|---|
    /// | `f64`, `c128` | 1e-5 | 1e-8 |
    /// | `f32`, `c64` | 1e-5 | 1e-5 |
    /// | `f16` | 1e-3 | 1e-3 |
    /// | `bf16` | 1.6e-2 | 1e-5 |
    ///
    /// The row of `bf16` is torch's, the others are Aesara's.
    pub fn values_eq_approx(&self, a: &Value, b: &Value) -> bool {
        equal(self, a, b, true)
    }
}

fn equal(ty: &Type, a: &Value, b: &Value, approx: bool) -> bool {
    // Where a type says nothing of the parts of a value, what is known of them is in the value.
    let parts = match &ty.kind {
        TypeKind::User(constructor, args) => {
            let behaviour = constructor.behaviour();
            return match approx {
                true => behaviour.values_eq_approx(args, a, b),
                false => behaviour.values_eq(args, a, b),
            };
        }
        TypeKind::Tuple(fields) => fields,
        _ => [].as_slice(),
    };
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.equals(b, approx),
        (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
            let parts = parts.iter().chain(std::iter::repeat(&Type::UNKNOWN));
            let mut pairs = parts.zip(a.iter().zip(b.iter()));
            a.len() == b.len() && pairs.all(|(part, (a, b))| equal(part, a, b, approx))
        }
        (Value::Float(a), Value::Float(b)) => Number::Float(*a).equals(Number::Float(*b)),
        (Value::Complex(a, a_im), Value::Complex(b, b_im)) => {
            Number::Complex(*a, *a_im).equals(Number::Complex(*b, *b_im))
        }
        _ => a == b,
    }
}

impl AnyArray {
    fn equals(&self, other: &AnyArray, approx: bool) -> bool {
        if self.dtype() != other.dtype() || self.shape() != other.shape() {
            return false;
        }
        let (Some(a), Some(b)) = (self.numbers(), other.numbers()) else {
            return self == other;
        };
        match tolerance(self.dtype()).filter(|_| approx) {
            Some((rtol, atol)) => a.zip(b).all(|(a, b)| a.is_close(b, rtol, atol)),
            None => a.zip(b).all(|(a, b)| a.equals(b)),
        }
    }
}

/// The tolerance, relative and absolute, between elements of a dtype, if they are ever rounded.
fn tolerance(dtype: Dtype) -> Option<(f64, f64)> {
    match dtype {
        Dtype::F16 => Some((1e-3, 1e-3)),
        Dtype::BF16 => Some((1.6e-2, 1e-5)),
        Dtype::F32 | Dtype::C64 => Some((1e-5, 1e-5)),
        Dtype::F64 | Dtype::C128 => Some((1e-5, 1e-8)),
        // Those of 8 and 4 bits are in no array.
        _ => None,
    }
}
