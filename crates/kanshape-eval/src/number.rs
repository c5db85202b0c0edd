//! [`Number`]: an element that is known, and what it is in a dtype.

use std::fmt;

use kanshape_types::Dtype;

use crate::stop::Stop;

/// An element of an array of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Of a dtype of floats.
    Float(f64),
    /// Of a dtype of integers. One of `u64` above the largest `i64` is not calculated.
    Int(i64),
    /// Of `bool`.
    Bool(bool),
}

impl Number {
    /// As a float: `true` is 1.
    pub fn float(self) -> f64 {
        match self {
            Number::Float(x) => x,
            Number::Int(n) => n as f64,
            Number::Bool(b) => f64::from(u8::from(b)),
        }
    }

    /// As an integer, if it is one of `i64`: `true` is 1.
    pub fn int(self) -> Option<i64> {
        match self {
            Number::Float(x) if x.fract() == 0.0 && x.abs() < 9.2e18 => Some(x as i64),
            Number::Float(_) => None,
            Number::Int(n) => Some(n),
            Number::Bool(b) => Some(b.into()),
        }
    }

    /// Is it other than 0?
    pub fn truth(self) -> bool {
        match self {
            Number::Float(x) => x != 0.0,
            Number::Int(n) => n != 0,
            Number::Bool(b) => b,
        }
    }

    /// Neither an infinity nor no number.
    pub fn is_finite(self) -> bool {
        match self {
            Number::Float(x) => x.is_finite(),
            _ => true,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Float(x) => write!(f, "{x}"),
            Number::Int(n) => write!(f, "{n}"),
            Number::Bool(b) => write!(f, "{b}"),
        }
    }
}

/// Is it a dtype of integers?
pub(crate) fn is_int(dtype: Dtype) -> bool {
    bits(dtype).is_some()
}

pub(crate) fn is_float(dtype: Dtype) -> bool {
    format(dtype).is_some()
}

/// The bits of an integer of a dtype, and whether it has a sign.
pub(crate) fn bits(dtype: Dtype) -> Option<(u32, bool)> {
    Some(match dtype {
        Dtype::I2 => (2, true),
        Dtype::I4 => (4, true),
        Dtype::I8 => (8, true),
        Dtype::I16 => (16, true),
        Dtype::I32 => (32, true),
        Dtype::I64 => (64, true),
        Dtype::U2 => (2, false),
        Dtype::U4 => (4, false),
        Dtype::U8 => (8, false),
        Dtype::U16 => (16, false),
        Dtype::U32 => (32, false),
        Dtype::U64 => (64, false),
        _ => return None,
    })
}

/// The least and the largest integer of a dtype.
pub(crate) fn range(dtype: Dtype) -> Option<(i128, i128)> {
    let (bits, has_sign) = bits(dtype)?;
    Some(match has_sign {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    })
}

/// An integer as one of a dtype: what does not fit wraps around.
pub(crate) fn wrapped(n: i128, dtype: Dtype) -> Result<Number, Stop> {
    let Some((least, largest)) = range(dtype) else {
        return Stop::opaque("integers of this dtype");
    };
    let n = (n - least).rem_euclid(largest - least + 1) + least;
    match i64::try_from(n) {
        Ok(n) => Ok(Number::Int(n)),
        Err(_) => Stop::opaque("an integer above the largest i64"),
    }
}

/// How floats of a dtype are made.
#[derive(Clone, Copy)]
struct Format {
    /// The bits of the significand with the one that is not written.
    digits: i32,
    /// The exponent of the smallest normal number.
    least: i32,
    largest: f64,
    has_infinity: bool,
}

fn format(dtype: Dtype) -> Option<Format> {
    let of = |digits, least, largest, has_infinity| {
        Some(Format {
            digits,
            least,
            largest,
            has_infinity,
        })
    };
    match dtype {
        Dtype::F64 => of(53, -1022, f64::MAX, true),
        Dtype::F32 => of(24, -126, f64::from(f32::MAX), true),
        Dtype::F16 => of(11, -14, 65504.0, true),
        Dtype::BF16 => of(8, -126, 3.389_531_389_251_535_5e38, true),
        Dtype::F8E4M3FN => of(4, -6, 448.0, false),
        Dtype::F8E4M3FNUZ => of(4, -7, 240.0, false),
        Dtype::F8E5M2 => of(3, -14, 57344.0, true),
        Dtype::F8E5M2FNUZ => of(3, -15, 57344.0, false),
        Dtype::F8E4M3 => of(4, -6, 240.0, true),
        Dtype::F8E3M4 => of(5, -2, 15.5, true),
        Dtype::F8E4M3B11FNUZ => of(4, -10, 30.0, false),
        Dtype::F4E2M1 => of(2, 0, 6.0, false),
        Dtype::F6E2M3 => of(4, 0, 7.5, false),
        Dtype::F6E3M2 => of(3, -2, 28.0, false),
        _ => None,
    }
}

/// Are all numbers of one dtype also numbers of the other?
pub fn contains(wide: Dtype, narrow: Dtype) -> bool {
    if wide == narrow || narrow == Dtype::Bool {
        return true;
    }
    match (format(wide), format(narrow)) {
        (Some(wide), Some(narrow)) => {
            wide.digits >= narrow.digits
                && wide.largest >= narrow.largest
                && wide.least - wide.digits <= narrow.least - narrow.digits
        }
        (Some(wide), None) => bits(narrow).is_some_and(|own| own.0 as i32 <= wide.digits),
        (None, None) => match (range(wide), range(narrow)) {
            (Some(wide), Some(narrow)) => wide.0 <= narrow.0 && narrow.1 <= wide.1,
            _ => false,
        },
        (None, Some(_)) => false,
    }
}

/// A float as one of a dtype, to the nearest, of two the even one. Small formats saturate.
pub(crate) fn rounded(x: f64, dtype: Dtype) -> Result<Number, Stop> {
    let Some(own) = format(dtype) else {
        return Stop::opaque("floats of this dtype");
    };
    if x == 0.0 || !x.is_finite() || dtype == Dtype::F64 {
        return Ok(Number::Float(x));
    }
    let exponent = ((x.abs().to_bits() >> 52) as i32 - 1023).max(own.least);
    let step = 2_f64.powi(exponent - own.digits + 1);
    let near = (x / step).round_ties_even() * step;
    let is_small = own.digits <= 4;
    Ok(Number::Float(match near.abs() <= own.largest {
        true => near,
        false if own.has_infinity && !is_small => f64::INFINITY.copysign(x),
        false => own.largest.copysign(x),
    }))
}

/// A number as one of a dtype, as `Cast` has it.
pub(crate) fn cast(number: Number, to: Dtype) -> Result<Number, Stop> {
    if to == Dtype::Bool {
        return Ok(Number::Bool(number.truth()));
    }
    if is_float(to) {
        return rounded(number.float(), to);
    }
    match number {
        Number::Float(x) => {
            let Some((least, largest)) = range(to) else {
                return Stop::opaque("a cast to this dtype");
            };
            let whole = x.trunc();
            if !whole.is_finite() || whole < least as f64 || whole > largest as f64 {
                return Stop::refused("a float that is no integer of the dtype is cast to it");
            }
            wrapped(whole as i128, to)
        }
        Number::Int(n) => wrapped(n.into(), to),
        Number::Bool(b) => wrapped(b.into(), to),
    }
}
