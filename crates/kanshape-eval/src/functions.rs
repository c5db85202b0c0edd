//! Functions that the standard library has not.

use std::f64::consts::PI;

/// The error function, by the series whose terms are all of one sign.
pub(crate) fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() > 6.0 {
        return 1_f64.copysign(x);
    }
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    sum * 2.0 / PI.sqrt() * (-x * x).exp()
}

#[cfg(test)]
mod tests {
    use super::erf;

    #[test]
    fn the_error_function_is_that_of_tables() {
        for (x, expected) in [
            (0.0, 0.0),
            (0.5, 0.520_499_877_8),
            (1.0, 0.842_700_792_9),
            (-2.0, -0.995_322_265_0),
        ] {
            assert!((erf(x) - expected).abs() < 1e-9, "{x}");
        }
        assert!((erf(3.5) - 0.999_999_256_9).abs() < 1e-9);
    }
}
