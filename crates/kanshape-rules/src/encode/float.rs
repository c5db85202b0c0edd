//! Floats as the engine's integers.
//!
//! The engine knows integers only. A float is the integer whose order among the others is that of the
//! float: its bits, with those of negative numbers turned around. So equality and order are those of
//! floats, and nothing is calculated but in Rust ([`crate::native`]).

use kanshape_engine::Int;

/// The integer that denotes a float. Zero has one sign.
pub fn code(x: f64) -> Int {
    let bits = (x + 0.0).to_bits() as i64;
    Int::from(if bits < 0 { i64::MIN - bits } else { bits })
}

/// The float that an integer denotes.
pub fn value(code: Int) -> Option<f64> {
    let code = i64::try_from(code).ok()?;
    let bits = if code < 0 {
        i64::MIN.wrapping_sub(code)
    } else {
        code
    };
    Some(f64::from_bits(bits as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_keep_the_order() {
        let all = [
            f64::NEG_INFINITY,
            -2.5,
            -1e-300,
            0.0,
            1e-300,
            0.6,
            1.0,
            2.5,
            f64::INFINITY,
        ];
        for pair in all.windows(2) {
            assert!(code(pair[0]) < code(pair[1]), "{pair:?}");
        }
        for x in all {
            assert_eq!(value(code(x)), Some(x));
        }
        assert_eq!(code(-0.0), code(0.0));
    }
}
