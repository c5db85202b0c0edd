//! Sizes that show that a condition does not follow from others: they are looked for before anything is proved.

use super::counterexample::{Candidates, sizes_around};
use crate::limits::{MAX_WITNESS_NAMES, MAX_WITNESS_SIZES};
use kanshape_engine::work;
use kanshape_syntax::tree::{Condition, Expr, Func};
use kanshape_types::{Dim, Dtype, Name, value_at};
use rustc_hash::FxHashMap;

/// Are there sizes for which the others hold, and the condition does not? Few are tried: `false` says nothing. Conditions on dtypes,
/// runs and lists are not tried.
pub(crate) fn is_refuted(others: &[Condition], dtypes: &[Name], c: &Condition) -> bool {
    let mut names: Vec<Box<str>> = Vec::new();
    add_names(c, &mut names);
    let own = names.len();
    if own == 0 {
        return false;
    }
    for other in others {
        add_names(other, &mut names);
        if names.len() > MAX_WITNESS_NAMES {
            return false;
        }
    }
    let is_dtype =
        |name: &str| dtypes.iter().any(|own| own.as_str() == name) || Dtype::named(name).is_some();
    if names.iter().any(|name| is_dtype(name)) {
        return false;
    }
    let candidates = Candidates {
        names: own,
        values: sizes_around(&[0, 1, 2, 6, 97], [c], MAX_WITNESS_SIZES),
        others: &[97, 6, 2, 1],
    };
    let mut sizes: FxHashMap<&str, u64> = FxHashMap::default();
    candidates.any(&mut |value| {
        work(others.len() + 1);
        sizes.clear();
        sizes.extend(
            names
                .iter()
                .enumerate()
                .map(|(i, name)| (&**name, value(i))),
        );
        let at = |name: &str| sizes.get(name).copied();
        let holds = |c: &Condition| holds_at(c, &at);
        // Mostly it is the condition itself that holds.
        holds(c) == Some(false) && others.iter().all(|other| holds(other) == Some(true))
    })
}

fn add_names(c: &Condition, names: &mut Vec<Box<str>>) {
    c.for_each_name(&mut |name| {
        if names.iter().all(|own| **own != *name) {
            names.push(name.into());
        }
    });
}

/// Does a condition hold where its names are these sizes? `None` where it is not one on sizes, or a number grows too large.
pub(super) fn holds_at(c: &Condition, sizes: &dyn Fn(&str) -> Option<u64>) -> Option<bool> {
    let clash = || c.parts().into_iter().any(|e| clashes(e, sizes));
    compared_at(c, sizes).or_else(|| clash().then_some(false))
}

/// Are there sizes in it that do not broadcast?
fn clashes(e: &Expr, sizes: &dyn Fn(&str) -> Option<u64>) -> bool {
    let have_values = |parts: &[&Expr]| parts.iter().all(|part| value_at(part, sizes).is_some());
    let parts = e.parts();
    parts.iter().any(|part| clashes(part, sizes))
        || matches!(e, Expr::Call(Func::Broadcast, _))
            && have_values(&parts)
            && value_at(e, sizes).is_none()
}

fn compared_at(c: &Condition, sizes: &dyn Fn(&str) -> Option<u64>) -> Option<bool> {
    let value = |e: &Expr| {
        let n = value_at(e, sizes)?;
        (n.unsigned_abs() <= u128::from(Dim::MAX_SIZE)).then_some(n)
    };
    match c {
        Condition::Compare(first, rest) => {
            let mut left = value(first)?;
            let mut all = true;
            for (op, right) in rest {
                let right = value(right)?;
                all &= op.holds(left, right);
                left = right;
            }
            Some(all)
        }
        Condition::In(e, values) => {
            let n = value(e)?;
            let mut is_one = false;
            for own in values {
                is_one |= value(own)? == n;
            }
            Some(is_one)
        }
        Condition::Dtype(..) => None,
    }
}
