//! Expressions and conditions over named sizes, evaluated word by word, and a search for the names that are open.
//!
//! It knows nothing of the solver: a claim with names in it is tested by putting numbers in their place.

use std::collections::{BTreeMap, BTreeSet};

use kanshape_syntax::tree::{CmpOp, Condition, DtypeExpr, Expr, Func, MulOp, Sign};

/// What the names are.
pub type Names = BTreeMap<Box<str>, i128>;

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// A name in it is open.
    Open,
    /// It is undefined: a division by zero, or sizes that do not broadcast.
    Undefined,
    /// It is about runs, dtypes or identities, which are not evaluated here.
    Unsupported,
}

/// The value of an expression.
///
/// # Errors
/// If it has none.
pub fn eval(e: &Expr, names: &Names) -> Result<i128, NoValue> {
    let overflow = NoValue::Unsupported;
    Ok(match e {
        Expr::Int(n) => i128::from(*n),
        Expr::Name(n) => *names.get(&*n.node).ok_or(NoValue::Open)?,
        Expr::Sum(terms) => {
            let mut sum = 0i128;
            for (sign, term) in terms {
                let x = eval(term, names)?;
                let next = match sign {
                    Sign::Plus => sum.checked_add(x),
                    Sign::Minus => sum.checked_sub(x),
                };
                sum = next.ok_or(overflow)?;
            }
            sum
        }
        Expr::Chain(first, rest) => {
            let mut value = eval(first, names)?;
            for (op, term) in rest {
                let x = eval(term, names)?;
                value = match op {
                    MulOp::Mul => value.checked_mul(x).ok_or(overflow)?,
                    MulOp::FloorDiv => floor_div(value, x)?,
                    MulOp::Mod => value - x * floor_div(value, x)?,
                };
            }
            value
        }
        Expr::CeilDiv(a, b) => -floor_div(-eval(a, names)?, eval(b, names)?)?,
        Expr::Call(Func::Promote, _) => return Err(NoValue::Unsupported),
        Expr::Call(func, args) => {
            let args: Vec<i128> = args
                .iter()
                .map(|a| eval(a, names))
                .collect::<Result<_, _>>()?;
            call(*func, &args)?
        }
        Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => return Err(NoValue::Unsupported),
    })
}

fn call(func: Func, args: &[i128]) -> Result<i128, NoValue> {
    match func {
        Func::Min => args.iter().min().copied().ok_or(NoValue::Undefined),
        Func::Max => args.iter().max().copied().ok_or(NoValue::Undefined),
        Func::Prod => args
            .iter()
            .try_fold(1i128, |product, x| product.checked_mul(*x))
            .ok_or(NoValue::Unsupported),
        Func::Broadcast => args.iter().try_fold(1, |out, x| match (out, *x) {
            (1, x) => Ok(x),
            (out, 1) => Ok(out),
            (out, x) if out == x => Ok(out),
            _ => Err(NoValue::Undefined),
        }),
        Func::Promote => Err(NoValue::Unsupported),
    }
}

fn floor_div(a: i128, b: i128) -> Result<i128, NoValue> {
    if b == 0 {
        return Err(NoValue::Undefined);
    }
    let q = a / b;
    Ok(match a % b != 0 && (a < 0) != (b < 0) {
        true => q - 1,
        false => q,
    })
}

/// Does a condition hold? One of which a part is undefined does not.
///
/// # Errors
/// If a name in it is open, or it is about something that is not evaluated here.
pub fn holds(c: &Condition, names: &Names) -> Result<bool, NoValue> {
    let value = |e: &Expr| match eval(e, names) {
        Ok(x) => Ok(Some(x)),
        Err(NoValue::Undefined) => Ok(None),
        Err(other) => Err(other),
    };
    match c {
        Condition::Compare(first, rest) => {
            let mut left = value(first)?;
            let mut all = true;
            for (op, e) in rest {
                let right = value(e)?;
                all &= matches!((left, right), (Some(a), Some(b)) if op.holds(a, b));
                left = right;
            }
            Ok(all)
        }
        Condition::In(e, values) => {
            let x = value(e)?;
            let mut any = false;
            for v in values {
                any |= x.is_some() && value(v)? == x;
            }
            Ok(any)
        }
        Condition::Dtype(..) => Err(NoValue::Unsupported),
    }
}

/// What the names that are open have to satisfy.
#[derive(Clone, Debug)]
pub enum Check {
    /// The expression has this value.
    Equal(Expr, i128),
    /// The condition holds.
    Holds(Condition),
}

/// What a search for open names has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// With these names all checks hold.
    Found(Names),
    /// There are none among the numbers that were tried.
    None,
    /// The checks are about something that is not evaluated, or there was too much to try.
    GaveUp,
}

/// How far an open name is tried where no check restricts it, by how many others are open: it may be a sum of others.
const TRIED: [i128; 3] = [256, 48, 24];

/// What is tried after these: a name may have to be larger than a product of others.
const LARGE: [i128; 3] = [1_000, 10_000, 1_000_000];

/// How many checks are evaluated in one search.
const BUDGET: u32 = 100_000;

/// Are there sizes for the open names, which are never negative, that satisfy all checks?
pub fn search(checks: &[Check], names: &Names) -> Search {
    let mut budget = BUDGET;
    let checks: Vec<&Check> = checks.iter().filter(|c| !is_about_dtypes(c)).collect();
    step(&checks, names.clone(), &mut budget)
}

/// Conditions on dtypes are not evaluated: the cases have no open dtypes.
fn is_about_dtypes(check: &Check) -> bool {
    matches!(
        check,
        Check::Holds(Condition::Dtype(_, DtypeExpr::Set(_) | DtypeExpr::Name(_)))
    )
}

fn step(checks: &[&Check], mut names: Names, budget: &mut u32) -> Search {
    let mut gave_up = false;
    loop {
        let mut settled = false;
        for check in checks {
            *budget = budget.saturating_sub(1);
            if *budget == 0 {
                return Search::GaveUp;
            }
            match verdict(check, &names) {
                Ok(true) => {}
                Ok(false) => return Search::None,
                Err(NoValue::Open) => {
                    if let Some((name, x)) = forced(check, &names) {
                        if x < 0 {
                            return Search::None;
                        }
                        names.insert(name, x);
                        settled = true;
                    }
                }
                Err(_) => gave_up = true,
            }
        }
        if !settled {
            break;
        }
    }
    let Some((name, tried)) = next(checks, &names) else {
        return match gave_up {
            true => Search::GaveUp,
            false => Search::Found(names),
        };
    };
    for x in tried {
        let mut names = names.clone();
        names.insert(name.clone(), x);
        match step(checks, names, budget) {
            Search::None => {}
            other => return other,
        }
    }
    Search::None
}

fn verdict(check: &Check, names: &Names) -> Result<bool, NoValue> {
    match check {
        Check::Equal(e, x) => match eval(e, names) {
            Ok(y) => Ok(y == *x),
            Err(NoValue::Undefined) => Ok(false),
            Err(other) => Err(other),
        },
        Check::Holds(c) => holds(c, names),
    }
}

/// An open name that a check leaves one number for: `2*n + k == 3*m`, of which `k` and `m` are known.
fn forced(check: &Check, names: &Names) -> Option<(Box<str>, i128)> {
    let solved = |left: Linear, right: Linear| {
        let name = left.name.clone().or(right.name.clone())?;
        let times = left.of(&name)?.checked_sub(right.of(&name)?)?;
        let rest = right.rest.checked_sub(left.rest)?;
        (times != 0 && rest % times == 0).then(|| (name, rest / times))
    };
    match check {
        Check::Equal(e, x) => solved(linear(e, names)?, Linear::number(*x)),
        Check::Holds(Condition::Compare(first, rest)) => {
            let sides = std::iter::once(first).chain(rest.iter().map(|(_, e)| e));
            let pairs = sides.zip(rest);
            let mut equal = pairs.filter(|(_, (op, _))| *op == CmpOp::Eq);
            equal.find_map(|(left, (_, right))| solved(linear(left, names)?, linear(right, names)?))
        }
        Check::Holds(_) => None,
    }
}

/// `times*name + rest`, of one open name.
struct Linear {
    name: Option<Box<str>>,
    times: i128,
    rest: i128,
}

impl Linear {
    fn number(rest: i128) -> Linear {
        Linear {
            name: None,
            times: 0,
            rest,
        }
    }

    /// How often a name is in it; `None` if another one is.
    fn of(&self, name: &str) -> Option<i128> {
        match &self.name {
            None => Some(0),
            Some(own) => (**own == *name).then_some(self.times),
        }
    }

    fn scaled(self, by: i128) -> Option<Linear> {
        Some(Linear {
            times: self.times.checked_mul(by)?,
            rest: self.rest.checked_mul(by)?,
            name: self.name,
        })
    }

    fn plus(self, other: Linear) -> Option<Linear> {
        let name = self.name.clone().or(other.name.clone());
        let times = match &name {
            Some(name) => self.of(name)?.checked_add(other.of(name)?)?,
            None => 0,
        };
        let rest = self.rest.checked_add(other.rest)?;
        Some(Linear { name, times, rest })
    }
}

/// An expression as a sum of one open name and a number, if it is one.
fn linear(e: &Expr, names: &Names) -> Option<Linear> {
    match eval(e, names) {
        Ok(x) => return Some(Linear::number(x)),
        Err(NoValue::Open) => {}
        Err(_) => return None,
    }
    match e {
        Expr::Name(n) => Some(Linear {
            name: Some(n.node.clone()),
            times: 1,
            rest: 0,
        }),
        Expr::Sum(terms) => terms
            .iter()
            .try_fold(Linear::number(0), |sum, (sign, term)| {
                let by = match sign {
                    Sign::Plus => 1,
                    Sign::Minus => -1,
                };
                sum.plus(linear(term, names)?.scaled(by)?)
            }),
        Expr::Chain(first, rest) => rest
            .iter()
            .try_fold(linear(first, names)?, |left, (op, e)| {
                let right = linear(e, names)?;
                match (op, &left.name, &right.name) {
                    (MulOp::Mul, _, None) => left.scaled(right.rest),
                    (MulOp::Mul, None, _) => right.scaled(left.rest),
                    _ => None,
                }
            }),
        _ => None,
    }
}

/// The name to try next, and what: one of which a condition lists what it can be, before any other.
fn next(checks: &[&Check], names: &Names) -> Option<(Box<str>, Vec<i128>)> {
    let mut open: BTreeSet<Box<str>> = BTreeSet::new();
    for check in checks {
        if let Check::Holds(Condition::In(Expr::Name(n), values)) = check
            && !names.contains_key(&*n.node)
            && let Ok(values) = values.iter().map(|v| eval(v, names)).collect()
        {
            return Some((n.node.clone(), values));
        }
        let mut note = |name: &str| {
            if !names.contains_key(name) {
                open.insert(name.into());
            }
        };
        match check {
            Check::Equal(e, _) => e.for_each_name(&mut note),
            Check::Holds(c) => c.for_each_name(&mut note),
        }
    }
    let last = TRIED[open.len().clamp(1, TRIED.len()) - 1];
    let first = open.into_iter().next();
    first.map(|name| (name, (0..=last).chain(LARGE).collect()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use kanshape_syntax::{parse_condition, parse_expr};

    fn names(all: &[(&str, i128)]) -> Names {
        all.iter().map(|(n, x)| ((*n).into(), *x)).collect()
    }

    #[test]
    fn what_is_undefined_does_not_hold() {
        let c = parse_condition("broadcast(n, 2) == 2").unwrap().node;
        assert_eq!(holds(&c, &names(&[("n", 1)])), Ok(true));
        assert_eq!(holds(&c, &names(&[("n", 3)])), Ok(false));
        assert_eq!(holds(&c, &names(&[])), Err(NoValue::Open));
    }

    #[test]
    fn open_names_are_found_where_conditions_leave_some() {
        let checks: Vec<Check> = ["d0 == broadcast(n, m)", "d1*d1 == d0", "d1 in {2, 3}"]
            .iter()
            .map(|c| Check::Holds(parse_condition(c).unwrap().node))
            .collect();
        let found = search(&checks, &names(&[("n", 9), ("m", 1)]));
        let all = names(&[("d0", 9), ("d1", 3), ("m", 1), ("n", 9)]);
        assert_eq!(found, Search::Found(all));
        assert_eq!(search(&checks, &names(&[("n", 9), ("m", 4)])), Search::None);
        let e = Check::Equal(parse_expr("2*d1 + 1").unwrap(), 7);
        assert_eq!(
            search(&[e], &names(&[])),
            Search::Found(names(&[("d1", 3)]))
        );
        // What is forced may be above all that is tried.
        let checks = ["d0 + 24*d1 == 1024", "d1 == 32", "d2 + 3*d3 <= 5"];
        let checks: Vec<Check> = checks
            .iter()
            .map(|c| Check::Holds(parse_condition(c).unwrap().node))
            .collect();
        let all = names(&[("d0", 256), ("d1", 32), ("d2", 0), ("d3", 0)]);
        assert_eq!(search(&checks, &names(&[])), Search::Found(all));
        // A size is not negative.
        let e = Check::Equal(parse_expr("m*(2*m + d1)").unwrap(), 1);
        assert_eq!(search(&[e], &names(&[("m", 1)])), Search::None);
    }
}
