//! Numbers for the names that an answer makes up in its attributes: `[[d0, 3 - d0]]` is `[[0, 3]]`.

use kanshape::tree::Expr;
use kanshape::{Answer, AttrValue, Condition, Conditions, Dim};

/// The most names that numbers are found for.
const MOST_NAMES: usize = 8;
/// The numbers that are tried for each of them.
const MOST_NUMBER: u64 = 8;
/// The numbers that are tried for all of an answer.
const MOST_TRIED: usize = 2_000;
/// The most ways to fill one answer.
const MOST_WAYS: usize = 24;

/// The attributes of an answer with numbers for the names that it makes up in them, small ones first. What conditions
/// say of these names alone holds; what they say of others is for the caller to find out.
pub(super) fn fillings(
    answer: &Answer,
    is_made_up: &dyn Fn(&str) -> bool,
) -> Vec<Vec<(Box<str>, AttrValue)>> {
    let mut names: Vec<Box<str>> = Vec::new();
    for (_, value) in &answer.attrs {
        numbers_of(value, &mut |dim| {
            dim.for_each_name(&mut |name| {
                if is_made_up(name) && !names.iter().any(|own| **own == *name) {
                    names.push(name.into());
                }
            });
        });
    }
    let mut found = Vec::new();
    if names.is_empty() || names.len() > MOST_NAMES {
        return found;
    }
    let conditions: Vec<(&Condition, usize)> = answer
        .conditions
        .iter()
        .filter_map(|condition| Some((condition, last_of(condition, &names)?)))
        .collect();
    let mut numbers: Vec<u64> = vec![0];
    for _ in 0..MOST_TRIED {
        let depth = numbers.len();
        let value = |name: &str| {
            let at = names.iter().position(|own| **own == *name)?;
            numbers.get(at).copied()
        };
        let mut own = conditions.iter().filter(|(_, last)| last + 1 == depth);
        let fits = own.all(|(condition, _)| holds(condition, &value) != Some(false));
        if fits && depth == names.len() {
            let filled = answer.attrs.iter().map(|(name, own)| {
                let own = filled(own, &value)?;
                Some((Box::from(name.as_str()), own))
            });
            found.extend(filled.collect::<Option<Vec<_>>>());
            if found.len() == MOST_WAYS {
                break;
            }
        } else if fits {
            numbers.push(0);
            continue;
        }
        // The next number of the last name that has one.
        while numbers.last() == Some(&MOST_NUMBER) {
            numbers.pop();
        }
        match numbers.last_mut() {
            Some(last) => *last += 1,
            None => break,
        }
    }
    found
}

/// The numbers in a value.
fn numbers_of(value: &AttrValue, f: &mut dyn FnMut(&Dim)) {
    match value {
        AttrValue::Dim(dim) => f(dim),
        AttrValue::List(members) => members.iter().for_each(|member| numbers_of(member, f)),
        _ => {}
    }
}

/// A value with numbers for its names. What is open besides stays so. `None` if a number is none.
fn filled(value: &AttrValue, names: &dyn Fn(&str) -> Option<u64>) -> Option<AttrValue> {
    Some(match value {
        AttrValue::Dim(Dim::Hole) => AttrValue::Hole,
        AttrValue::Dim(dim) => AttrValue::Int(dim.integer_at(names)?),
        AttrValue::List(members) => {
            let members = members.iter().map(|member| filled(member, names));
            AttrValue::List(members.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// The last of the names in a condition; `None` if it speaks of others as well, or of none.
fn last_of(condition: &Condition, names: &[Box<str>]) -> Option<usize> {
    let mut last = None;
    let mut others = false;
    let one: Conditions = std::iter::once(condition.clone()).collect();
    one.for_each_name(
        &mut |name| match names.iter().position(|own| **own == *name) {
            Some(at) => last = last.max(Some(at)),
            None => others = true,
        },
    );
    last.filter(|_| !others)
}

/// Does a condition hold? `None` if that can't be calculated.
fn holds(condition: &Condition, names: &dyn Fn(&str) -> Option<u64>) -> Option<bool> {
    let value = |e: &Expr| Dim::expr(e.clone()).integer_at(names);
    match condition {
        Condition::Compare(first, rest) => {
            let mut left = value(first)?;
            for (op, right) in rest {
                let right = value(right)?;
                if !op.holds(left, right) {
                    return Some(false);
                }
                left = right;
            }
            Some(true)
        }
        Condition::In(of, list) => {
            let of = value(of)?;
            let list: Option<Vec<i64>> = list.iter().map(value).collect();
            Some(list?.contains(&of))
        }
        Condition::Dtype(..) => None,
    }
}
