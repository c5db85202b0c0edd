//! [`Type::values_eq`] and [`Type::values_eq_approx`]: when two values of a type are equal.

use super::{AnyArray, Value};
use crate::{Dtype, DtypeSet, Type, TypeKind};

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
    match (&ty.kind, a, b) {
        (TypeKind::User(constructor, args), ..) => {
            let behaviour = constructor.behaviour();
            match approx {
                true => behaviour.values_eq_approx(args, a, b),
                false => behaviour.values_eq(args, a, b),
            }
        }
        (_, Value::Array(a), Value::Array(b)) => a.equals(b, approx),
        (TypeKind::Tuple(fields), Value::Tuple(a), Value::Tuple(b)) => {
            let lengths = [a.len(), b.len()];
            let mut pairs = fields.iter().zip(a.iter().zip(b.iter()));
            lengths == [fields.len(); 2] && pairs.all(|(ty, (a, b))| equal(ty, a, b, approx))
        }
        // What is known of these is in the values.
        (_, Value::Tuple(a), Value::Tuple(b)) => {
            let mut pairs = a.iter().zip(b.iter());
            a.len() == b.len() && pairs.all(|(a, b)| equal(&Type::UNKNOWN, a, b, approx))
        }
        _ => a == b,
    }
}

impl AnyArray {
    fn equals(&self, other: &AnyArray, approx: bool) -> bool {
        if self.dtype() != other.dtype() || self.shape() != other.shape() {
            return false;
        }
        let (Some(mut a), Some(b)) = (self.numbers(), other.numbers()) else {
            return self == other;
        };
        let mut b = b;
        let (rtol, atol) = match approx {
            true => tolerance(self.dtype()),
            false => (0.0, 0.0),
        };
        let close = rtol > 0.0;
        a.all(|a| {
            b.next().is_some_and(|b| match close {
                true => a.is_close(b, rtol, atol),
                false => a.equals(b),
            })
        })
    }
}

/// The tolerance, relative and absolute, between elements of a dtype; none but for floating and
/// complex ones.
fn tolerance(dtype: Dtype) -> (f64, f64) {
    match dtype {
        Dtype::F16 => (1e-3, 1e-3),
        Dtype::BF16 => (1.6e-2, 1e-5),
        Dtype::F32 | Dtype::C64 => (1e-5, 1e-5),
        _ if DtypeSet::FLOAT.union(DtypeSet::COMPLEX).contains(dtype) => (1e-5, 1e-8),
        _ => (0.0, 0.0),
    }
}
