//! [`Ratio`]: an exact number.

use kanshape_eval::Stop;

/// A number whose numerator and denominator have no common factor; the denominator is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ratio {
    pub(super) above: i128,
    pub(super) below: i128,
}

fn overflow<T>() -> Result<T, Stop> {
    Err(Stop::Opaque("numbers that are too large".into()))
}

fn common(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1).max(1)
}

impl Ratio {
    pub(super) const ONE: Ratio = Ratio { above: 1, below: 1 };

    pub(super) fn int(n: i64) -> Ratio {
        Ratio {
            above: n.into(),
            below: 1,
        }
    }

    fn of(above: i128, below: i128) -> Result<Ratio, Stop> {
        let least = i128::MIN;
        if below == 0 || above == least || below == least {
            return overflow();
        }
        let by = common(above, below) * below.signum();
        Ok(Ratio {
            above: above / by,
            below: below / by,
        })
    }

    /// A float is a number with a power of two below; none that is too small or too large.
    pub(super) fn float(x: f64) -> Option<Ratio> {
        let mut below: i128 = 1;
        let mut own = x;
        while own.fract() != 0.0 && below < 1 << 90 {
            own *= 2.0;
            below *= 2;
        }
        let is_whole = own.is_finite() && own.fract() == 0.0 && own.abs() < 1e24;
        if !is_whole {
            return None;
        }
        Ratio::of(own as i128, below).ok()
    }

    pub(super) fn is_zero(self) -> bool {
        self.above == 0
    }

    pub(super) fn as_float(self) -> f64 {
        self.above as f64 / self.below as f64
    }

    pub(super) fn plus(self, other: Ratio) -> Result<Ratio, Stop> {
        let one = self.above.checked_mul(other.below);
        let two = other.above.checked_mul(self.below);
        let below = self.below.checked_mul(other.below);
        match (one.zip(two).and_then(|(a, b)| a.checked_add(b)), below) {
            (Some(above), Some(below)) => Ratio::of(above, below),
            _ => overflow(),
        }
    }

    pub(super) fn times(self, other: Ratio) -> Result<Ratio, Stop> {
        let above = self.above.checked_mul(other.above);
        match above.zip(self.below.checked_mul(other.below)) {
            Some((above, below)) => Ratio::of(above, below),
            None => overflow(),
        }
    }

    pub(super) fn inverse(self) -> Result<Ratio, Stop> {
        Ratio::of(self.below, self.above)
    }

    pub(super) fn negative(self) -> Ratio {
        Ratio {
            above: -self.above,
            ..self
        }
    }

    /// Its root, if that is exact.
    pub(super) fn root(self) -> Option<Ratio> {
        let root = |n: i128| {
            let own = (n as f64).sqrt() as i128;
            (own.checked_mul(own)? == n).then_some(own)
        };
        Ratio::of(root(self.above)?, root(self.below)?).ok()
    }

    pub(super) fn order(self, other: Ratio) -> std::cmp::Ordering {
        match self.plus(other.negative()) {
            Ok(difference) => difference.above.cmp(&0),
            Err(_) => self.as_float().total_cmp(&other.as_float()),
        }
    }
}
