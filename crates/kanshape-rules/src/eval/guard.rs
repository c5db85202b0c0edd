//! A first look: which clauses and bodies can't hold, without running them.

use super::store::Val;
use super::{Evaluator, Frame};
use crate::rules::rule::{Guard, Piece, Side, Value};
use kanshape_engine::Int;

impl Evaluator<'_> {
    /// May what is compared at the beginning of a body be so?
    pub(super) fn guards_may_hold(&self, frame: Frame, guards: &[Guard]) -> bool {
        guards.iter().all(|guard| match guard {
            Guard::Like(slot, pattern) => may_be(pattern, self.get(frame, *slot)),
            Guard::Compare(left, op, right) => {
                let side = |side: &Side| match side {
                    Side::Int(n) => Some(*n),
                    Side::Slot(slot) => self.get(frame, *slot).int().ok().map(Int::from),
                    Side::Length(slot) => self.get(frame, *slot).length().map(|n| n as Int),
                };
                match (side(left), side(right)) {
                    (Some(left), Some(right)) => op.holds(left, right),
                    _ => true,
                }
            }
            Guard::Class(slot, set) => match self.get(frame, *slot) {
                Val::Dtype(dtype) => !(dtype.set() & *set).is_empty(),
                _ => true,
            },
        })
    }
}

/// May the pattern be the value, as far as its outermost part shows?
#[inline]
pub(super) fn may_be(pattern: &Value, val: Val) -> bool {
    match (pattern, val) {
        (Value::Slot(_) | Value::Any(_), _) => true,
        (Value::Int(n), Val::Int(m)) => m.int().is_none_or(|m| *n == m.into()),
        (Value::Dtype(a), Val::Dtype(b)) => b.set().contains(*a),
        (Value::None, Val::Some(_) | Val::There) => false,
        (Value::Some(_), Val::None) => false,
        (Value::List(pieces, _), val) => match (val.length(), &pieces[..]) {
            (Some(n), []) => n == 0,
            (Some(0), [Piece::One(_), ..]) => false,
            _ => true,
        },
        _ => true,
    }
}
