//! What the elements of a dtype can be: the nearest float, and the shortest that is written for it.

use kanshape_syntax::tree::Float;

use crate::Dtype;

/// The number of this dtype that is nearest. Those of 8 and 4 bits take every number as it is.
pub(super) fn nearest(float: Float, dtype: Dtype) -> Float {
    let number = float.get();
    Float::new(match dtype {
        Dtype::F32 | Dtype::C64 => f64::from(number as f32),
        Dtype::F16 => rounded(number, 11, -14, 65504.0),
        Dtype::BF16 => rounded(number, 8, -126, f64::from_bits(0x47ef_e000_0000_0000)),
        _ => number,
    })
}

/// The shortest decimal whose nearest number of this dtype is `float`.
pub(super) fn shortest(float: Float, dtype: Dtype) -> Float {
    if !matches!(dtype, Dtype::F32 | Dtype::C64 | Dtype::F16 | Dtype::BF16) {
        return float;
    }
    let decimals = (0..17).filter_map(|digits| {
        let text = format!("{:.digits$e}", float.get());
        text.parse().ok().map(Float::new)
    });
    let mut decimals = decimals.filter(|decimal| nearest(*decimal, dtype) == float);
    decimals.next().unwrap_or(float)
}

/// The nearest number with this number of binary digits, the even one of two, and an exponent of at least
/// `least`. What rounds to more than `max` is an infinity.
fn rounded(number: f64, digits: i32, least: i32, max: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    // An exponent below all of these is as good as zero.
    let exponent = ((number.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let unit = 2f64.powi(exponent.max(least) - (digits - 1));
    let near = (number / unit).round_ties_even() * unit;
    match near.abs() > max {
        true => f64::INFINITY.copysign(number),
        false => near,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_dtype() {
        let near = |number: f64, dtype| nearest(Float::new(number), dtype).get();
        assert_eq!(near(0.1, Dtype::F64), 0.1);
        assert_eq!(near(0.1, Dtype::F32), f64::from(0.1f32));
        assert_eq!(near(0.1, Dtype::F16), 0.0999755859375);
        assert_eq!(near(0.1, Dtype::BF16), 0.10009765625);
        assert_eq!(near(65519.0, Dtype::F16), 65504.0);
        assert_eq!(near(65520.0, Dtype::F16), f64::INFINITY);
        assert_eq!(near(3e-8, Dtype::F16), 2f64.powi(-24));
        assert_eq!(near(2f64.powi(-25), Dtype::F16), 0.0);
        assert_eq!(near(f64::from(f32::MAX), Dtype::BF16), f64::INFINITY);
        assert_eq!(near(1e-300, Dtype::F16), 0.0);
    }

    #[test]
    fn decimals_are_short() {
        let short = |number: f64, dtype| {
            let number = nearest(Float::new(number), dtype);
            shortest(number, dtype).to_string()
        };
        for dtype in [
            Dtype::F64,
            Dtype::F32,
            Dtype::F16,
            Dtype::BF16,
            Dtype::F8E5M2,
        ] {
            assert_eq!(short(0.1, dtype), "0.1");
            assert_eq!(short(-2.0, dtype), "-2.0");
            assert_eq!(short(f64::NEG_INFINITY, dtype), "-inf");
            assert_eq!(short(f64::NAN, dtype), "nan");
        }
        assert_eq!(short(0.333333333333, Dtype::F32), "0.33333334");
        assert_eq!(short(0.333333333333, Dtype::F16), "0.3333");
    }
}
