//! [`Meets`]: what `Max` and `Min` are of, as the largest of the smallest of them.

use kanshape_eval::Stop;

use super::algebra::{Algebra, Expr};

/// The most expressions in one.
const MOST_MEETS: usize = 64;

/// The largest of the smallest of these: each list is sorted, and none is larger than another one whatever the numbers are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Meets(Vec<Vec<Expr>>);

impl Meets {
    pub(super) fn of(one: Expr) -> Meets {
        Meets(vec![vec![one]])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Vec<Expr>> {
        self.0.iter()
    }

    /// The only expression that there is.
    pub(super) fn one(&self) -> Option<Expr> {
        match &self.0[..] {
            [one] if one.len() == 1 => Some(one[0]),
            _ => None,
        }
    }

    /// The larger one of both.
    pub(super) fn or(&self, other: &Meets, algebra: &Algebra) -> Result<Meets, Stop> {
        Meets(self.0.iter().chain(&other.0).cloned().collect()).reduced(algebra)
    }

    /// The smaller one of both.
    pub(super) fn and(&self, other: &Meets, algebra: &Algebra) -> Result<Meets, Stop> {
        let pairs = self
            .0
            .iter()
            .flat_map(|a| other.0.iter().map(move |b| (a, b)));
        let both = pairs.map(|(a, b)| a.iter().chain(b).copied().collect());
        Meets(both.take(MOST_MEETS * MOST_MEETS).collect()).reduced(algebra)
    }

    fn reduced(self, algebra: &Algebra) -> Result<Meets, Stop> {
        let all = self.0.into_iter().map(|meet| smallest(meet, algebra));
        let mut all: Vec<Vec<Expr>> = all.collect();
        all.sort_unstable();
        all.dedup();
        let is_below = |i: usize, j: usize| {
            let below = is_below(&all[i], &all[j], algebra);
            below && (i < j || !self::is_below(&all[j], &all[i], algebra))
        };
        let kept = (0..all.len()).filter(|i| !(0..all.len()).any(|j| j != *i && is_below(*i, j)));
        let kept: Vec<Vec<Expr>> = kept.map(|i| all[i].clone()).collect();
        match kept.len() > MOST_MEETS {
            true => Err(Stop::Opaque("expressions that are too large".into())),
            false => Ok(Meets(kept)),
        }
    }
}

/// The same without the constants that are not the smallest one.
fn smallest(mut meet: Vec<Expr>, algebra: &Algebra) -> Vec<Expr> {
    meet.sort_unstable();
    meet.dedup();
    let constants = meet.iter().filter(|own| algebra.ratio(**own).is_some());
    let least = constants
        .copied()
        .reduce(|a, b| match (algebra.ratio(a), algebra.ratio(b)) {
            (Some(x), Some(y)) if y.order(x).is_lt() => b,
            _ => a,
        });
    meet.retain(|own| algebra.ratio(*own).is_none() || Some(*own) == least);
    meet
}

/// Is the smallest of these never larger than the smallest of the others?
fn is_below(these: &[Expr], others: &[Expr], algebra: &Algebra) -> bool {
    others.iter().all(|other| {
        these
            .iter()
            .any(|own| match (algebra.ratio(*own), algebra.ratio(*other)) {
                (Some(x), Some(y)) => x.order(y).is_le(),
                _ => own == other,
            })
    })
}
