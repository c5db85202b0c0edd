//! Sizes as torch's programs write them, in the notation of SymPy's `srepr`: `Add(Symbol('s0', integer=True), Integer(-1))`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kanshape::Dim;
use kanshape::tree::{Expr, Func, MulOp, Sign, parse_symbolic};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::json::{Range, case};

/// Sizes by the texts of their expressions: the same ones stand in many types, and may be long.
#[derive(Default)]
pub(super) struct SizeTable<'p>(RefCell<FxHashMap<&'p str, Dim>>);

impl<'p> SizeTable<'p> {
    /// A size of a tensor: `{"as_int": 3}`, `{"as_expr": {"expr_str": ..}}`. What can't be read is not known.
    pub(super) fn dim(&self, value: &'p Value) -> Dim {
        match case(value) {
            Some(("as_int", n)) => n.as_u64().map_or(Dim::Hole, Dim::Size),
            Some(("as_expr", e)) => {
                let Some(text) = text(e) else {
                    return Dim::Hole;
                };
                let mut known = self.0.borrow_mut();
                let read = || expression(e).map_or(Dim::Hole, Dim::expr);
                known.entry(text).or_insert_with(read).clone()
            }
            _ => Dim::Hole,
        }
    }
}

/// A number of the program as a member of an attribute: itself, or an expression over the names of sizes that is never negative, as
/// names in an attribute are those of the graph. `None` if nothing of this is known.
pub(super) fn argument(value: &Value, ranges: &BTreeMap<String, Range>) -> Option<String> {
    match case(value)? {
        ("as_int", n) => n.as_i64().map(|n| n.to_string()),
        ("as_expr", e) => {
            let e = expression(e)?;
            let least = bounds(&e, ranges).0?;
            (least >= 0).then(|| Dim::expr(e).to_string())
        }
        _ => None,
    }
}

/// The least and the greatest value that an expression may have, as far as they are known.
type Interval = (Option<i128>, Option<i128>);

/// Between which numbers an expression is. It is no deeper than the reader of expressions allows.
fn bounds(e: &Expr, ranges: &BTreeMap<String, Range>) -> Interval {
    let of = |e: &Expr| bounds(e, ranges);
    match e {
        Expr::Int(n) => (Some(i128::from(*n)), Some(i128::from(*n))),
        Expr::Name(name) => {
            let range = ranges.get(&*name.node);
            let least = range.and_then(|range| range.min_val).unwrap_or(0);
            let most = range.and_then(|range| range.max_val);
            (Some(i128::from(least.max(0))), most.map(i128::from))
        }
        Expr::Sum(terms) => terms.iter().fold((Some(0), Some(0)), |sum, (sign, term)| {
            let (least, most) = of(term);
            let plus = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
            let minus = |a: Option<i128>, b: Option<i128>| a?.checked_sub(b?);
            match sign {
                Sign::Plus => (plus(sum.0, least), plus(sum.1, most)),
                Sign::Minus => (minus(sum.0, most), minus(sum.1, least)),
            }
        }),
        Expr::Chain(first, rest) => rest
            .iter()
            .fold(of(first), |so_far, (op, factor)| match op {
                MulOp::Mul => product(so_far, of(factor)),
                MulOp::FloorDiv => quotient(so_far, of(factor)),
                MulOp::Mod => match of(factor) {
                    (Some(0..), most) => (Some(0), most.map(|most| most - 1)),
                    _ => (None, None),
                },
            }),
        Expr::CeilDiv(a, b) => match (of(a), of(b)) {
            ((least, most), (Some(c @ 1..), Some(d))) if c == d => {
                let up = |n: Option<i128>| n?.checked_add(c - 1);
                quotient((up(least), up(most)), (Some(c), Some(c)))
            }
            ((Some(0..), _), (Some(0..), _)) => (Some(0), None),
            _ => (None, None),
        },
        Expr::Call(Func::Max, args) => {
            let all: Vec<Interval> = args.iter().map(of).collect();
            let most: Option<Vec<i128>> = all.iter().map(|b| b.1).collect();
            let most = most.and_then(|all| all.into_iter().max());
            (all.iter().filter_map(|b| b.0).max(), most)
        }
        Expr::Call(Func::Min, args) => {
            let all: Vec<Interval> = args.iter().map(of).collect();
            let least: Option<Vec<i128>> = all.iter().map(|b| b.0).collect();
            let least = least.and_then(|all| all.into_iter().min());
            (least, all.iter().filter_map(|b| b.1).min())
        }
        _ => (None, None),
    }
}

fn product(a: Interval, b: Interval) -> Interval {
    let times = |a: Option<i128>, b: Option<i128>| a?.checked_mul(b?);
    match (a, b) {
        ((Some(c), Some(d)), x) | (x, (Some(c), Some(d))) if c == d && c < 0 => {
            (times(x.1, Some(c)), times(x.0, Some(c)))
        }
        ((Some(least @ 0..), most), (Some(other @ 0..), others)) => {
            (least.checked_mul(other), times(most, others))
        }
        _ => (None, None),
    }
}

fn quotient(a: Interval, b: Interval) -> Interval {
    match (a, b) {
        ((least, most), (Some(c @ 1..), Some(d))) if c == d => {
            let down = |n: Option<i128>| n.map(|n| n.div_euclid(c));
            (down(least), down(most))
        }
        // What is divided by 0 is no size.
        ((Some(0..), most), (Some(0..), _)) => (Some(0), most),
        _ => (None, None),
    }
}

fn expression(value: &Value) -> Option<Expr> {
    parse_symbolic(text(value)?, &mut |name| Some(name.to_owned()))
}

fn text(value: &Value) -> Option<&str> {
    value.get("expr_str")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_that_may_be_negative_is_not_known() {
        let two = Range {
            min_val: Some(2),
            max_val: Some(9),
        };
        let ranges = BTreeMap::from([("s".to_owned(), two)]);
        let read = |text: &str| {
            let value = serde_json::json!({"as_expr": {"expr_str": text}});
            argument(&value, &ranges)
        };
        for (text, known) in [
            ("s", true),
            ("s - 2", true),
            ("s - 3", false),
            ("(s - 1)//4 + 1", true),
            ("9 - s", true),
            ("8 - s", false),
            ("7 - n % 7", true),
            ("-1*s", false),
            ("n*s - n", false),
            ("Max(0, n - s)", true),
            ("Min(n, s - 2)", true),
            ("CeilToInt(IntTrueDiv(s - 2, 2))", true),
            ("n//s", true),
            ("s//n", true),
            ("s//(n - s)", false),
        ] {
            assert_eq!(read(text).is_some(), known, "{text}");
        }
        let own = read("CeilToInt(IntTrueDiv(s - 2, 2))");
        assert_eq!(own.as_deref(), Some("ceil((s - 2)/2)"));
    }
}
