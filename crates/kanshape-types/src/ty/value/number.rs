//! [`Number`]: one element of an array or one literal, whatever its dtype.

use std::fmt;

use half::{bf16, f16};
use num_complex::Complex;

use crate::Float;

/// A number without a dtype. A truth value is 0 or 1.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

impl Number {
    /// Equality as NumPy has it between dtypes: an integer beside a float is taken for one. Not a
    /// number is equal to itself.
    pub(super) fn equals(self, other: Number) -> bool {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a == b,
            (a, b) => {
                let ((a, a_im), (b, b_im)) = (a.parts(), b.parts());
                same(a, b) && same(a_im, b_im)
            }
        }
    }

    /// Whether the two differ by no more than `atol + rtol * |other|`.
    pub(super) fn is_close(self, other: Number, rtol: f64, atol: f64) -> bool {
        if self.equals(other) {
            return true;
        }
        let ((a, a_im), (b, b_im)) = (self.parts(), other.parts());
        let size = b.hypot(b_im);
        // Beside an infinity everything else would be close.
        size.is_finite() && (a - b).hypot(a_im - b_im) <= atol + rtol * size
    }

    /// The integer that it is, if it is one.
    pub(super) fn whole(self) -> Option<i128> {
        match self {
            Number::Int(int) => Some(int),
            other => match other.parts() {
                (re, 0.0) if re.fract() == 0.0 && re.abs() < 2f64.powi(100) => Some(re as i128),
                _ => None,
            },
        }
    }

    /// The real and the imaginary part.
    fn parts(self) -> (f64, f64) {
        match self {
            Number::Int(int) => (int as f64, 0.0),
            Number::Float(float) => (float, 0.0),
            Number::Complex(re, im) => (re, im),
        }
    }
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// `2`, `0.5`, `1.0+2.0j`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(int) => int.fmt(f),
            Number::Float(float) => Float::new(*float).fmt(f),
            Number::Complex(re, im) => write!(f, "{re:?}{im:+?}j"),
        }
    }
}

/// What a number becomes as an element of an array.
///
/// `cast` is `astype`: integers wrap, fractions and imaginary parts are dropped. `of_literal` is
/// what an array is made from: it knows no number that the type hasn't.
pub(super) trait Numeric: Copy {
    fn number(self) -> Number;
    fn cast(number: Number) -> Self;
    fn of_literal(number: Number) -> Option<Self>;
}

impl Numeric for bool {
    fn number(self) -> Number {
        Number::Int(self.into())
    }

    fn cast(number: Number) -> Self {
        let (re, im) = match number {
            Number::Int(int) => return int != 0,
            other => other.parts(),
        };
        re != 0.0 || im != 0.0
    }

    fn of_literal(number: Number) -> Option<Self> {
        Some(bool::cast(number))
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Numeric for $ty {
            fn number(self) -> Number {
                Number::Int(self.into())
            }

            fn cast(number: Number) -> Self {
                match number {
                    Number::Int(int) => int as $ty,
                    Number::Float(float) | Number::Complex(float, _) => float as $ty,
                }
            }

            fn of_literal(number: Number) -> Option<Self> {
                let int = match number {
                    Number::Int(int) => int,
                    // Every size of integer is well within 100 bits.
                    Number::Float(float) if float.abs() < 2f64.powi(100) => float as i128,
                    Number::Float(_) | Number::Complex(..) => return None,
                };
                int.try_into().ok()
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($ty:ident: $from_f64:expr, $from_int:expr;)*) => {$(
        impl Numeric for $ty {
            fn number(self) -> Number {
                Number::Float(self.into())
            }

            fn cast(number: Number) -> Self {
                match number {
                    Number::Int(int) => $from_int(int),
                    Number::Float(float) | Number::Complex(float, _) => $from_f64(float),
                }
            }

            fn of_literal(number: Number) -> Option<Self> {
                match number {
                    Number::Complex(..) => None,
                    real => Some($ty::cast(real)),
                }
            }
        }
    )*};
}

floats! {
    f16: f16::from_f64, |int: i128| f16::from_f64(int as f64);
    bf16: bf16::from_f64, |int: i128| bf16::from_f64(int as f64);
    f32: |float: f64| float as f32, |int: i128| int as f32;
    f64: |float: f64| float, |int: i128| int as f64;
}

macro_rules! complex {
    ($($part:ident)*) => {$(
        impl Numeric for Complex<$part> {
            fn number(self) -> Number {
                Number::Complex(self.re.into(), self.im.into())
            }

            fn cast(number: Number) -> Self {
                match number {
                    Number::Complex(re, im) => Complex::new(re as $part, im as $part),
                    real => Complex::new($part::cast(real), 0.0),
                }
            }

            fn of_literal(number: Number) -> Option<Self> {
                Some(Self::cast(number))
            }
        }
    )*};
}

complex! { f32 f64 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_are_those_of_astype() {
        assert_eq!(i8::cast(Number::Int(300)), 44);
        assert_eq!(u8::cast(Number::Int(-1)), 255);
        assert_eq!(i32::cast(Number::Float(-1.9)), -1);
        assert_eq!(f32::cast(Number::Complex(0.5, 2.0)), 0.5);
        assert!(bool::cast(Number::Float(f64::NAN)));
        assert!(bool::cast(Number::Complex(0.0, 1.0)));
    }

    #[test]
    fn a_literal_has_to_exist() {
        assert_eq!(i8::of_literal(Number::Int(300)), None);
        assert_eq!(
            u64::of_literal(Number::Int(u64::MAX.into())),
            Some(u64::MAX)
        );
        assert_eq!(i64::of_literal(Number::Float(f64::NAN)), None);
        assert_eq!(i64::of_literal(Number::Float(f64::INFINITY)), None);
        assert_eq!(u8::of_literal(Number::Float(255.5)), Some(255));
        assert_eq!(f64::of_literal(Number::Complex(1.0, 0.0)), None);
    }

    #[test]
    fn infinities_are_close_to_themselves_only() {
        let [inf, one, nan] = [f64::INFINITY, 1.0, f64::NAN].map(Number::Float);
        assert!(inf.is_close(inf, 1e-5, 1e-8));
        assert!(!one.is_close(inf, 1e-5, 1e-8));
        assert!(!inf.is_close(one, 1e-5, 1e-8));
        assert!(!inf.is_close(Number::Float(-f64::INFINITY), 1e-5, 1e-8));
        assert!(nan.is_close(nan, 1e-5, 1e-8));
        assert!(!nan.is_close(one, 1e-5, 1e-8));
    }
}
