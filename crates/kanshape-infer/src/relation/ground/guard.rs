//! A first look: which clauses and bodies can't hold, without running them.

use super::code::{Guard, Piece, Side, Term};
use super::store::Val;
use super::{Frame, Ground};

impl Ground<'_> {
    /// May what is compared at the beginning of a body be so?
    pub(super) fn guards_may_hold(&self, frame: Frame, guards: &[Guard]) -> bool {
        guards.iter().all(|guard| match guard {
            Guard::Like(slot, pattern) => may_be(pattern, self.get(frame, *slot)),
            Guard::Compare(left, op, right) => {
                let side = |side: &Side| match side {
                    Side::Int(n) => Some(*n),
                    Side::Slot(slot) => self.get(frame, *slot).int().ok(),
                };
                match (side(left), side(right)) {
                    (Some(left), Some(right)) => op.holds(left, right),
                    _ => true,
                }
            }
        })
    }
}

/// May the pattern be the value, as far as its outermost part shows?
#[inline]
pub(super) fn may_be(pattern: &Term, val: Val) -> bool {
    match (pattern, val) {
        (Term::Slot(_) | Term::Any, _) => true,
        (Term::Int(n), Val::Int(m)) => *n == m,
        (Term::Dtype(a), Val::Dtype(b)) => *a == b,
        (Term::None, Val::Some(_) | Val::There) => false,
        (Term::Some(_), Val::None) => false,
        (Term::Numbers(pieces) | Term::List(pieces), val) => match (val.length(), &pieces[..]) {
            (Some(n), []) => n == 0,
            (Some(0), [Piece::One(_), ..]) => false,
            _ => true,
        },
        _ => true,
    }
}
