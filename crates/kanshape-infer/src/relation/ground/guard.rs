//! A first look: which clauses and bodies can't hold, without running them.

use super::super::rule::{Clause, Guard, Side, Value as Term};
use super::call::Args;
use super::value::Value;
use super::{Frame, Ground};
use kanshape_engine::Int;
use kanshape_syntax::tree::CmpOp;

impl Ground<'_> {
    /// May what is compared at the beginning of a body be so?
    pub(super) fn guards_may_hold(&self, frame: &Frame, guards: &[Guard]) -> bool {
        guards.iter().all(|guard| match guard {
            Guard::Like(slot, pattern) => frame[*slot]
                .as_ref()
                .is_none_or(|value| may_be(pattern, value)),
            Guard::Class(slot, set) => match &frame[*slot] {
                Some(Value::Dtype(dtype)) => set.contains(*dtype),
                _ => true,
            },
            Guard::Compare(left, op, right) => {
                let side = |side: &Side| match side {
                    Side::Int(n) => Some(*n),
                    Side::Slot(slot) => match &frame[*slot] {
                        Some(Value::Int(n)) => Some(Int::from(*n)),
                        _ => None,
                    },
                    Side::Length(_) => None,
                };
                let (Some(left), Some(right)) = (side(left), side(right)) else {
                    return true;
                };
                match op {
                    CmpOp::Eq => left == right,
                    CmpOp::Ne => left != right,
                    CmpOp::Lt => left < right,
                    CmpOp::Le => left <= right,
                    CmpOp::Gt => left > right,
                    CmpOp::Ge => left >= right,
                }
            }
        })
    }

    /// May the clause hold of the arguments?
    pub(super) fn may_hold(&self, clause: &Clause, args: &Args) -> bool {
        let mut pairs = clause.head.iter().zip(args);
        pairs.all(|(pattern, arg)| arg.as_ref().is_none_or(|value| may_be(pattern, value)))
    }
}

/// May the pattern be the value, as far as its outermost part shows?
fn may_be(pattern: &Term, value: &Value) -> bool {
    match (pattern, value) {
        (Term::Int(n), Value::Int(m)) => *n == Int::from(*m),
        (Term::Dtype(a), Value::Dtype(b)) => a == b,
        (Term::None, value) => *value == Value::None,
        (Term::Some(_), value) => *value != Value::None,
        (Term::List(pieces, _), list) => match (list.length(), &pieces[..]) {
            (Some(n), []) => n == 0,
            (Some(0), [super::super::rule::Piece::One(_), ..]) => false,
            _ => true,
        },
        _ => true,
    }
}
