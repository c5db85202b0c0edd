//! Conditions without the names that nobody has given and that an equation defines.
//!
//! For a name that stands nowhere else some natural number has to do. Where an equation says which one, the name is replaced
//! by it, and the equation by the condition that this is natural.

use super::normal::{Reader, compared, normal_condition};
use super::size::First;
use kanshape_engine::{Num, is_over, work};
use kanshape_syntax::tree::{CmpOp, Condition, Expr, Func, Span, Spanned};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// How many names and numbers a value has at most that is written in other conditions.
const MAX_VALUE: usize = 16;

/// Conditions without the hidden names for which one of them says what they can be: `d` of `d == n*m` and `d + k == 8`, and
/// of `d + 3 <= n`. Each comes with its old place; what only says that a name is natural comes last. A hidden name is a
/// natural number, and nothing but these conditions speaks of it.
pub fn without_defined(
    conditions: Vec<Condition>,
    is_hidden: &dyn Fn(&str) -> bool,
    first: First<'_>,
) -> Vec<(usize, Condition)> {
    let mut all: Vec<Option<Condition>> = conditions.into_iter().map(Some).collect();
    join_broadcasts(&mut all, is_hidden, first);
    let mut conditions = Conditions {
        all,
        places: FxHashMap::default(),
        todo: VecDeque::new(),
        solved: BTreeSet::new(),
    };
    for i in 0..conditions.all.len() {
        conditions.note(i, is_hidden);
    }
    while let Some(name) = conditions.todo.pop_front() {
        if is_over() {
            // The conditions are true as they stand.
            break;
        }
        let own = conditions.with(&name);
        let mut reader = Reader::new(first);
        let solved = own
            .iter()
            .map(|&i| reader.solve(conditions.all[i].as_ref()?, &name));
        let solved: Vec<Option<Solved>> = solved.collect();
        let left: Vec<Option<Condition>> = match &solved[..] {
            all if all.iter().all(|one| matches!(one, Some(Solved::AtLeast))) => {
                vec![None; own.len()]
            }
            all if all.iter().all(|one| matches!(one, Some(Solved::AtMost(_)))) => {
                let rest = |one| match one {
                    Some(Solved::AtMost(rest)) => rest,
                    _ => None,
                };
                solved.into_iter().map(rest).collect()
            }
            all => {
                let is_short = |value: &Expr| own.len() == 1 || value.size() <= MAX_VALUE;
                let value = all.iter().enumerate().find_map(|(at, one)| match one {
                    Some(Solved::Is(value, rest)) if is_short(value) => Some((at, value, rest)),
                    _ => None,
                });
                let Some((at, value, rest)) = value else {
                    continue;
                };
                conditions.solved.insert(own[at]);
                let replaced = own.iter().enumerate().map(|(k, &i)| match k == at {
                    true => rest.clone(),
                    false => Some(replace(conditions.all[i].clone()?, &name, value)),
                });
                replaced.collect()
            }
        };
        for (i, c) in own.into_iter().zip(left) {
            conditions.all[i] = c.map(|c| normal_condition(c, first));
            conditions.note(i, is_hidden);
        }
    }
    let mut all: Vec<(usize, Condition)> = Vec::with_capacity(conditions.all.len());
    let left = conditions.all.into_iter().enumerate();
    all.extend(left.filter_map(|(i, c)| Some((i, c?))));
    all.sort_by_key(|(i, _)| conditions.solved.contains(i));
    all
}

/// Writes what sizes broadcast to, and that broadcasts with, as one broadcast: of `d == broadcast(a, b)` and
/// `e == broadcast(c, d)`, `e == broadcast(a, b, c)` is left where nothing else speaks of `d`.
fn join_broadcasts(
    all: &mut [Option<Condition>],
    is_hidden: &dyn Fn(&str) -> bool,
    first: First<'_>,
) {
    let mut uses: FxHashMap<Box<str>, Vec<usize>> = FxHashMap::default();
    for (i, c) in all.iter().enumerate() {
        let Some(c) = c else { continue };
        c.for_each_name(&mut |name| {
            if is_hidden(name) {
                uses.entry(name.into()).or_default().push(i);
            }
        });
    }
    let mut changed: Vec<usize> = Vec::new();
    for i in 0..all.len() {
        let Some((Expr::Name(name), inner)) = all[i].as_ref().and_then(broadcast) else {
            continue;
        };
        // One place is that of the definition.
        let Some([a, b]) = uses.get(&name.node).map(Vec::as_slice) else {
            continue;
        };
        let user = if *a == i { *b } else { *a };
        let is_own = |arg: &Expr| matches!(arg, Expr::Name(own) if own.node == name.node);
        let joined = match all[user].as_ref().and_then(broadcast) {
            Some((out, args)) if user != i && args.iter().any(is_own) && !is_own(out) => {
                let mut joined: Vec<Expr> = Vec::with_capacity(args.len() + inner.len());
                for arg in args.iter().filter(|arg| !is_own(arg)).chain(inner) {
                    if !joined.contains(arg) {
                        joined.push(arg.clone());
                    }
                }
                work(joined.len());
                if joined.len() > MAX_VALUE {
                    continue;
                }
                let value = Expr::Call(Func::Broadcast, joined);
                Condition::Compare(out.clone(), vec![(CmpOp::Eq, value)])
            }
            _ => continue,
        };
        inner.iter().for_each(|arg| {
            let mut moved = |name: &str| {
                let own = uses.get_mut(name).into_iter().flatten();
                own.filter(|place| **place == i)
                    .for_each(|place| *place = user);
            };
            arg.for_each_name(&mut moved);
        });
        all[user] = Some(joined);
        all[i] = None;
        changed.push(user);
    }
    // Once at the end: what is joined step by step may be long.
    changed.sort_unstable();
    changed.dedup();
    for i in changed {
        all[i] = all[i].take().map(|c| normal_condition(c, first));
    }
}

/// The two sides of an equation that says what some sizes broadcast to.
fn broadcast(c: &Condition) -> Option<(&Expr, &[Expr])> {
    match c {
        Condition::Compare(out, rest) => match &rest[..] {
            [(CmpOp::Eq, Expr::Call(Func::Broadcast, args))] => Some((out, args)),
            _ => None,
        },
        _ => None,
    }
}

struct Conditions {
    all: Vec<Option<Condition>>,
    /// Where each hidden name is, or has been.
    places: FxHashMap<Box<str>, BTreeSet<usize>>,
    /// The names that may be defined.
    todo: VecDeque<Box<str>>,
    /// The equations that have become the condition that a name is natural.
    solved: BTreeSet<usize>,
}

impl Conditions {
    /// Notes the hidden names of a condition: what could not be solved for one of them may be now.
    fn note(&mut self, i: usize, is_hidden: &dyn Fn(&str) -> bool) {
        let Some(c) = &self.all[i] else { return };
        c.for_each_name(&mut |name| {
            if is_hidden(name) {
                self.places.entry(name.into()).or_default().insert(i);
                self.todo.push_back(name.into());
            }
        });
    }

    /// The conditions that speak of a name.
    fn with(&self, name: &str) -> Vec<usize> {
        let is_there = |i: &usize| {
            let mut is = false;
            if let Some(c) = &self.all[*i] {
                c.for_each_name(&mut |own| is |= own == name);
            }
            is
        };
        let noted = self.places.get(name).into_iter().flatten().copied();
        let own: Vec<usize> = noted.filter(is_there).collect();
        work(16 * own.len());
        own
    }
}

/// A condition with an expression for a name.
fn replace(c: Condition, name: &str, value: &Expr) -> Condition {
    c.map_leaves(&mut |leaf| match *leaf.node == *name {
        true => value.clone(),
        false => Expr::Name(leaf),
    })
}

/// What a condition says of a name, which is a natural number.
enum Solved {
    /// What it is; and that this is natural, where it does not follow.
    Is(Expr, Option<Condition>),
    /// It holds where the name is large enough.
    AtLeast,
    /// It holds for 0 if it does for any number: what it says of the others then.
    AtMost(Option<Condition>),
}

impl Reader<'_> {
    /// Solves a condition for a name that is added or taken off once, and is nowhere else in it.
    fn solve(&mut self, c: &Condition, name: &str) -> Option<Solved> {
        let Condition::Compare(a, rest) = c else {
            return None;
        };
        let [(op, b)] = &rest[..] else { return None };
        let (a, b) = (self.read(a)?, self.read(b)?);
        let difference = match op {
            CmpOp::Lt | CmpOp::Le => self.forms.sub(b, a),
            _ => self.forms.sub(a, b),
        };
        let difference = difference.ok()?;
        let name = Expr::Name(Spanned::new(name.into(), Span::default()));
        let g = self.read(&name)?.form()?;
        let (terms, _) = self.terms(difference);
        let times = terms.iter().find(|t| t.0[..] == [g])?.1;
        let mut places = 0;
        self.forms.all_generators(difference, &mut |own| {
            places += usize::from(own == g);
            places < 2
        });
        if places != 1 {
            return None;
        }
        let others = self.forms.combine(&[(difference, 1), (g.into(), -times)]);
        let others = others.ok()?;
        match op {
            CmpOp::Eq if times.abs() == 1 => {
                let value = self.forms.combine(&[(others, -times)]).ok()?;
                let rest = self.above_zero(value, CmpOp::Ge);
                Some(Solved::Is(self.write(value), rest))
            }
            CmpOp::Eq | CmpOp::Ne => None,
            _ if times > 0 => Some(Solved::AtLeast),
            CmpOp::Lt | CmpOp::Gt => Some(Solved::AtMost(self.above_zero(others, CmpOp::Gt))),
            CmpOp::Le | CmpOp::Ge => Some(Solved::AtMost(self.above_zero(others, CmpOp::Ge))),
        }
    }

    /// `n > 0` or `n >= 0`, if it does not hold for all sizes.
    fn above_zero(&mut self, n: Num, op: CmpOp) -> Option<Condition> {
        let least = self.forms.bounds(n).0;
        if least > 0 || least == 0 && op == CmpOp::Ge {
            return None;
        }
        let (_, factors) = self.forms.factors(n);
        let found = match factors.len() {
            2.. => None,
            _ => self.balanced(n, op),
        };
        // A product, or a number that is not above 0.
        Some(found.unwrap_or_else(|| compared(self.write(n), op, Expr::Int(0))))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{First, without_defined};
    use kanshape_syntax::parse_condition;
    use kanshape_syntax::tree::Condition;
    use kanshape_testkit::symbolic::{Check, Search, search};
    use proptest::prelude::*;

    fn read(texts: &[&str]) -> Vec<Condition> {
        let read = |text: &&str| parse_condition(text).unwrap().node;
        texts.iter().map(read).collect()
    }

    fn left(texts: &[&str]) -> Vec<String> {
        let is_hidden = |name: &str| name.starts_with('d');
        let left = without_defined(read(texts), &is_hidden, First::default());
        left.iter().map(|(_, c)| c.to_string()).collect()
    }

    #[test]
    fn a_name_that_an_equation_defines_is_replaced() {
        for (conditions, expected) in [
            (&["d0 == n*m", "d0 + k == 8"][..], &["n*m + k == 8"][..]),
            (&["2*d1 == n + d0//3", "n == d1"], &["n == d0//3"]),
            (&["d0 == n*(n - 3)"], &["n*(n - 3) >= 0"]),
            (&["d1 == k*n", "d0 + 24*d1 == k*n*(n + 24)"], &[]),
            (&["d0 + d1 == n", "d0 >= 2"], &["n >= 2"]),
            (&["d0 + 3 >= n"], &[]),
            (&["d0 + 3 <= n", "d0 != 1"], &["d0 + 3 <= n", "d0 != 1"]),
            (&["d0 == n - m", "n <= 3"], &["n <= 3", "n >= m"]),
            (&["2*d0 == n"], &["2*d0 == n"]),
            (&["d0*d0 == n"], &["d0*d0 == n"]),
            (&["d0 == broadcast(n, m)"], &["d0 == broadcast(n, m)"]),
            (&["n == 2*m"], &["n == 2*m"]),
        ] {
            assert_eq!(left(conditions), expected, "{conditions:?}");
        }
    }

    fn condition() -> impl Strategy<Value = String> {
        let names = || prop::sample::select(vec!["n", "m", "d0", "d1", "d2"]);
        let product = (names(), names()).prop_map(|(a, b)| format!("{a}*{b}"));
        let term = prop_oneof![
            4 => names().prop_map(String::from),
            2 => product,
            2 => (1..4u64, names()).prop_map(|(k, a)| format!("{k}*{a}")),
            1 => (2..4u64).prop_map(|k| format!("n//{k}")),
            1 => (0..4u64).prop_map(|n| n.to_string()),
        ];
        let sign = || prop::sample::select(vec!["+", "-"]);
        let side = prop::collection::vec((sign(), term), 1..3);
        let side = side.prop_map(|terms| {
            let mut text = String::from("0");
            for (sign, term) in terms {
                text += &format!(" {sign} {term}");
            }
            text
        });
        let op = prop::sample::select(vec!["==", "==", "==", "!=", "<=", ">=", "<"]);
        (side.clone(), op, side).prop_map(|(a, op, b)| format!("{a} {op} {b}"))
    }

    proptest! {
        /// For the other names the same holds as before.
        #[test]
        fn what_is_left_says_the_same(texts in prop::collection::vec(condition(), 1..4)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let before = read(&texts);
            let is_hidden = |name: &str| name.starts_with('d');
            let after = without_defined(before.clone(), &is_hidden, First::default());
            let after: Vec<Condition> = after.into_iter().map(|(_, c)| c).collect();
            let holds = |all: &[Condition], n, m| {
                let mut checks: Vec<Check> = all.iter().cloned().map(Check::Holds).collect();
                for name in ["d0", "d1", "d2"] {
                    let is_there = |c: &&Condition| c.to_string().contains(name);
                    if all.iter().any(|c| is_there(&c)) {
                        checks.push(Check::Holds(read(&[&format!("{name} >= 0")]).remove(0)));
                    }
                }
                search(&checks, &[("n".into(), n), ("m".into(), m)].into())
            };
            for (n, m) in [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)] {
                let (before, after) = (holds(&before, n, m), holds(&after, n, m));
                let is = |found: &Search| matches!(found, Search::Found(_));
                if ![&before, &after].contains(&&Search::GaveUp) {
                    prop_assert_eq!(is(&before), is(&after), "n = {}, m = {}", n, m);
                }
            }
        }
    }
}
