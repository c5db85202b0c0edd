//! [`Float`]: a number with a point, as one that can be compared and hashed.

use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};
use std::hash::{Hash, Hasher};

/// A number with a point, or an infinity, or what is not a number.
///
/// There is one zero, without a sign, and one value that is not a number and equals itself, so
/// that equality is that of the print.
#[derive(Clone, Copy, Debug)]
pub struct Float(f64);

impl Float {
    /// The number.
    pub fn new(number: f64) -> Float {
        Float(match number {
            n if n.is_nan() => f64::NAN,
            0.0 => 0.0,
            n => n,
        })
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The same with the other sign.
    #[must_use]
    pub fn negated(self) -> Float {
        Float::new(-self.0)
    }

    /// The number that a word denotes where numbers with a point stand: `inf` or `nan`.
    pub fn of_word(word: &str) -> Option<Float> {
        match word {
            "inf" => Some(Float(f64::INFINITY)),
            "nan" => Some(Float(f64::NAN)),
            _ => None,
        }
    }
}

impl From<f64> for Float {
    fn from(number: f64) -> Self {
        Float::new(number)
    }
}

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Float {}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is not a number is above all numbers.
impl Ord for Float {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for Float {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// `0.5`, `1.0`, `1e-7`, `-inf`, `nan`: the shortest that reads back as the same.
impl Display for Float {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n.is_nan() => f.write_str("nan"),
            n => write!(f, "{n:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_zero_and_one_that_is_no_number() {
        assert_eq!(Float::new(-0.0), Float::new(0.0));
        assert_eq!(Float::new(-f64::NAN), Float::new(f64::NAN));
        assert_eq!(Float::new(0.0).negated().to_string(), "0.0");
    }

    #[test]
    fn prints_have_a_point_or_an_exponent() {
        let shown = |n: f64| Float::new(n).to_string();
        assert_eq!(shown(2.0), "2.0");
        assert_eq!(shown(-0.5), "-0.5");
        assert_eq!(shown(1e-7), "1e-7");
        assert_eq!(shown(1e300), "1e300");
        assert_eq!(shown(f64::NEG_INFINITY), "-inf");
        assert_eq!(shown(f64::NAN), "nan");
    }
}
