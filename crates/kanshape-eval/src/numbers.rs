//! [`Numbers`]: elements that are numbers.

use kanshape_types::Dtype;

use crate::functions;
use crate::number::{self, Number, is_int, wrapped};
use crate::scalars::{Function, Scalars};
use crate::stop::Stop;

/// Elements that are numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers;

impl Scalars for Numbers {
    type Scalar = Number;

    fn number(&mut self, number: Number) -> Number {
        number
    }

    fn known(&self, scalar: &Number) -> Option<Number> {
        Some(*scalar)
    }

    fn apply(&mut self, function: Function, dtype: Dtype, args: &[Number]) -> Result<Number, Stop> {
        use Function as F;
        match (function, args) {
            (F::Where, [condition, yes, no]) => Ok(if condition.truth() { *yes } else { *no }),
            (F::Cast(to), [a]) => number::cast(*a, to),
            (F::Saturate(to), [a]) => saturated(*a, to),
            (F::Not, [a]) => Ok(Number::Bool(!a.truth())),
            (F::And, [a, b]) => Ok(Number::Bool(a.truth() && b.truth())),
            (F::Or, [a, b]) => Ok(Number::Bool(a.truth() || b.truth())),
            (F::Xor, [a, b]) => Ok(Number::Bool(a.truth() != b.truth())),
            (F::Equal, [a, b]) => Ok(Number::Bool(is_equal(*a, *b))),
            (F::Less, [a, b]) => Ok(Number::Bool(is_less(*a, *b))),
            (F::LessOrEqual, [a, b]) => Ok(Number::Bool(is_less(*a, *b) || is_equal(*a, *b))),
            (F::IsNan, [a]) => Ok(Number::Bool(a.float().is_nan())),
            (F::IsInf, [a]) => Ok(Number::Bool(a.float().is_infinite())),
            (_, [a]) if is_int(dtype) => of_int(function, *a, dtype),
            (_, [a, b]) if is_int(dtype) => of_ints(function, *a, *b, dtype),
            (_, [a]) if number::is_float(dtype) => of_float(function, a.float()),
            (_, [a, b]) if number::is_float(dtype) => of_floats(function, a.float(), b.float()),
            _ => Stop::opaque(format!("{function:?} of {dtype}")),
        }
    }
}

fn is_equal(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a == b,
        _ => a.float() == b.float(),
    }
}

fn is_less(a: Number, b: Number) -> bool {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a < b,
        _ => a.float() < b.float(),
    }
}

fn saturated(a: Number, to: Dtype) -> Result<Number, Stop> {
    match number::range(to) {
        Some((least, largest)) => {
            let near = a.float().clamp(least as f64, largest as f64);
            match near.is_nan() {
                true => Stop::refused("what is no number is cast to an integer"),
                false => wrapped(near as i128, to),
            }
        }
        None => number::rounded(a.float(), to),
    }
}

fn int(a: Number) -> Result<i64, Stop> {
    match a.int() {
        Some(n) => Ok(n),
        None => Stop::refused("a float among integers"),
    }
}

fn of_int(function: Function, a: Number, dtype: Dtype) -> Result<Number, Stop> {
    let a = int(a)?;
    let wide = i128::from(a);
    match function {
        Function::Neg => wrapped(-wide, dtype),
        Function::Abs => wrapped(wide.abs(), dtype),
        Function::Sign => wrapped(wide.signum(), dtype),
        Function::BitNot => wrapped(!wide, dtype),
        Function::Floor | Function::Ceil | Function::Round => Ok(Number::Int(a)),
        _ => Stop::opaque(format!("{function:?} of integers")),
    }
}

fn of_ints(function: Function, a: Number, b: Number, dtype: Dtype) -> Result<Number, Stop> {
    use Function as F;
    let exponent = b;
    if let (F::Pow, Number::Float(b)) = (function, exponent) {
        return number::cast(Number::Float(a.float().powf(b)), dtype);
    }
    let (a, b) = (i128::from(int(a)?), i128::from(int(b)?));
    if b == 0 && matches!(function, F::Div | F::Mod | F::Fmod) {
        return Stop::refused("a division of integers by 0");
    }
    let (bits, _) = number::bits(dtype).unwrap_or((64, true));
    let is_shift = (0..i128::from(bits)).contains(&b);
    let is_far = b >= i128::from(bits);
    match function {
        F::Add => wrapped(a + b, dtype),
        F::Sub => wrapped(a - b, dtype),
        F::Mul => wrapped(a * b, dtype),
        F::Div => wrapped(a / b, dtype),
        F::Mod => wrapped(a.rem_euclid(b) + floor_fix(a, b), dtype),
        F::Fmod => wrapped(a % b, dtype),
        F::Max => wrapped(a.max(b), dtype),
        F::Min => wrapped(a.min(b), dtype),
        F::BitAnd => wrapped(a & b, dtype),
        F::BitOr => wrapped(a | b, dtype),
        F::BitXor => wrapped(a ^ b, dtype),
        F::ShiftLeft if is_shift => wrapped(a << b, dtype),
        F::ShiftRight if is_shift => wrapped(a >> b, dtype),
        F::ShiftLeft if is_far => Ok(Number::Int(0)),
        F::ShiftRight if is_far => Ok(Number::Int(if a < 0 { -1 } else { 0 })),
        F::Pow if b >= 0 => {
            let mut power: i128 = 1;
            for _ in 0..b.min(128) {
                power = i128::from(int(wrapped(power * a, dtype)?)?);
            }
            wrapped(power, dtype)
        }
        F::Pow | F::ShiftLeft | F::ShiftRight => Stop::refused(format!("{function:?} by {b}")),
        _ => Stop::opaque(format!("{function:?} of integers")),
    }
}

/// The Euclidean remainder is never negative; this one has the sign of the divisor.
fn floor_fix(a: i128, b: i128) -> i128 {
    if b < 0 && a.rem_euclid(b) != 0 { b } else { 0 }
}

fn of_float(function: Function, x: f64) -> Result<Number, Stop> {
    use Function as F;
    Ok(Number::Float(match function {
        F::Neg => -x,
        F::Abs => x.abs(),
        F::Sign if x == 0.0 || x.is_nan() => x,
        F::Sign => x.signum(),
        F::Floor => x.floor(),
        F::Ceil => x.ceil(),
        F::Round => x.round_ties_even(),
        F::Exp => x.exp(),
        F::Log => x.ln(),
        F::Sqrt => x.sqrt(),
        F::Erf => functions::erf(x),
        F::Tanh => x.tanh(),
        F::Sin => x.sin(),
        F::Cos => x.cos(),
        F::Tan => x.tan(),
        F::Asin => x.asin(),
        F::Acos => x.acos(),
        F::Atan => x.atan(),
        F::Sinh => x.sinh(),
        F::Cosh => x.cosh(),
        F::Asinh => x.asinh(),
        F::Acosh => x.acosh(),
        F::Atanh => x.atanh(),
        _ => return Stop::opaque(format!("{function:?} of floats")),
    }))
}

fn of_floats(function: Function, a: f64, b: f64) -> Result<Number, Stop> {
    use Function as F;
    let is_nan = a.is_nan() || b.is_nan();
    Ok(Number::Float(match function {
        F::Add => a + b,
        F::Sub => a - b,
        F::Mul => a * b,
        F::Div => a / b,
        F::Pow => a.powf(b),
        F::Mod => match a % b {
            0.0 => 0_f64.copysign(b),
            rest if (rest < 0.0) != (b < 0.0) => rest + b,
            rest => rest,
        },
        F::Fmod => a % b,
        F::Max | F::Min if is_nan => f64::NAN,
        F::Max => a.max(b),
        F::Min => a.min(b),
        _ => return Stop::opaque(format!("{function:?} of floats")),
    }))
}
