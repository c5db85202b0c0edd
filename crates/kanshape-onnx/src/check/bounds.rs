//! The least and the largest value of a size as one condition: `192 <= n <= 703`.

use crate::report::{Required, Requirement};
use hashbrown::HashMap;
use kanshape::Condition;
use kanshape::tree::{CmpOp, Expr};

/// Conditions in which a lower and an upper bound of the same name, required in the same bodies and of the same tensors, are one.
pub(super) fn joined(all: Vec<Requirement>) -> Vec<Requirement> {
    let mut joined: Vec<Requirement> = Vec::with_capacity(all.len());
    // Where bounds of a name are of which the other one is still missing.
    let mut single: HashMap<String, Vec<usize>> = HashMap::new();
    for one in all {
        let Some((name, own)) = bound(&one) else {
            joined.push(one);
            continue;
        };
        let places = single.entry(name.to_owned()).or_default();
        let fits = places.iter().position(|i| {
            let other = &joined[*i];
            let is_other_side = bound(other).is_some_and(|(_, own2)| own.is_lower != own2.is_lower);
            is_other_side
                && other.under == one.under
                && other.demands == one.demands
                && other.unless_empty == one.unless_empty
        });
        let Some(at) = fits.map(|at| places.swap_remove(at)) else {
            places.push(joined.len());
            joined.push(one);
            continue;
        };
        let other = joined[at].clone();
        joined[at] = both(other, one);
    }
    joined
}

/// A bound of a name.
struct Bound {
    is_lower: bool,
    op: CmpOp,
    value: u64,
}

fn bound(one: &Requirement) -> Option<(&str, Bound)> {
    let Required::Condition(Condition::Compare(Expr::Name(name), rest)) = &one.condition else {
        return None;
    };
    let [(op, Expr::Int(value))] = &rest[..] else {
        return None;
    };
    let is_lower = match op {
        CmpOp::Ge | CmpOp::Gt => true,
        CmpOp::Le | CmpOp::Lt => false,
        CmpOp::Eq | CmpOp::Ne => return None,
    };
    let bound = Bound {
        is_lower,
        op: *op,
        value: *value,
    };
    Some((&name.node, bound))
}

fn both(one: Requirement, other: Requirement) -> Requirement {
    let condition = {
        let (Some((_, a)), Some((_, b))) = (bound(&one), bound(&other)) else {
            return one;
        };
        let (lower, upper) = if a.is_lower { (a, b) } else { (b, a) };
        let Required::Condition(Condition::Compare(name, _)) = &one.condition else {
            return one;
        };
        let op = match lower.op {
            CmpOp::Gt => CmpOp::Lt,
            _ => CmpOp::Le,
        };
        let rest = vec![(op, name.clone()), (upper.op, Expr::Int(upper.value))];
        Condition::Compare(Expr::Int(lower.value), rest)
    };
    let mut others = one.others;
    for place in other.node.into_iter().chain(other.others) {
        if one.node.as_ref() != Some(&place) && !others.contains(&place) {
            others.push(place);
        }
    }
    Requirement {
        condition: Required::Condition(condition),
        others,
        holds: one.holds.or(other.holds),
        fails: one.fails.or(other.fails),
        allowed: other.allowed.or(one.allowed),
        ..one
    }
}
