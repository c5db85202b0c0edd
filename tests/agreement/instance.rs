//! Is a concrete solution an instance of an answer? Read from the text of the answer alone.

use kanshape::syntax::tree::{CmpOp, Condition, Expr, Func, MulOp, Sign};
use kanshape::{Answer, Dim, Shape};
use kanshape_testkit::ground::Ground;
use std::collections::BTreeMap;

type Names = BTreeMap<String, i128>;

pub(crate) fn eval(e: &Expr, names: &Names) -> Option<i128> {
    Some(match e {
        Expr::Int(n) => i128::from(*n),
        Expr::Name(n) => *names.get(&*n.node)?,
        Expr::Sum(terms) => {
            let mut sum = 0;
            for (sign, t) in terms {
                let x = eval(t, names)?;
                sum += if *sign == Sign::Plus { x } else { -x };
            }
            sum
        }
        Expr::Chain(first, rest) => {
            let mut value = eval(first, names)?;
            for (op, t) in rest {
                let x = eval(t, names)?;
                value = match op {
                    MulOp::Mul => value * x,
                    MulOp::FloorDiv => floor_div(value, x)?,
                    MulOp::Mod => value - x * floor_div(value, x)?,
                };
            }
            value
        }
        Expr::CeilDiv(a, b) => -floor_div(-eval(a, names)?, eval(b, names)?)?,
        Expr::Call(func, args) => {
            let args = args
                .iter()
                .map(|a| eval(a, names))
                .collect::<Option<Vec<_>>>()?;
            match func {
                Func::Min => *args.iter().min()?,
                Func::Max => *args.iter().max()?,
                Func::Prod => args.iter().product(),
                Func::Broadcast => {
                    let mut out = 1;
                    for x in args {
                        if x != 1 {
                            if out != 1 && out != x {
                                return None;
                            }
                            out = x;
                        }
                    }
                    out
                }
                Func::Promote => return None,
            }
        }
        Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => return None,
    })
}

fn floor_div(a: i128, b: i128) -> Option<i128> {
    (b != 0).then(|| {
        let q = a / b;
        if a % b != 0 && (a < 0) != (b < 0) {
            q - 1
        } else {
            q
        }
    })
}

fn holds(c: &Condition, names: &Names) -> bool {
    match c {
        Condition::Compare(first, rest) => {
            let mut left = eval(first, names);
            rest.iter().all(|(op, e)| {
                let right = eval(e, names);
                let (Some(a), Some(b)) = (left, right) else {
                    return false;
                };
                left = right;
                match op {
                    CmpOp::Eq => a == b,
                    CmpOp::Ne => a != b,
                    CmpOp::Lt => a < b,
                    CmpOp::Le => a <= b,
                    CmpOp::Gt => a > b,
                    CmpOp::Ge => a >= b,
                }
            })
        }
        Condition::In(e, values) => {
            let x = eval(e, names);
            x.is_some() && values.iter().any(|v| eval(v, names) == x)
        }
        Condition::Dtype(..) => true,
    }
}

fn names_of(e: &Expr, into: &mut Vec<String>) {
    match e {
        Expr::Name(n) => into.push(n.node.to_string()),
        Expr::Sum(terms) => terms.iter().for_each(|t| names_of(&t.1, into)),
        Expr::Chain(first, rest) => {
            names_of(first, into);
            rest.iter().for_each(|t| names_of(&t.1, into));
        }
        Expr::CeilDiv(a, b) => {
            names_of(a, into);
            names_of(b, into);
        }
        Expr::Call(_, args) => args.iter().for_each(|a| names_of(a, into)),
        Expr::Int(_) | Expr::Nominal(_) | Expr::Run(_) => {}
        Expr::List(_) => e.parts().into_iter().for_each(|e| names_of(e, into)),
    }
}

/// One thing that an instance has to satisfy.
enum Check {
    Equal(Expr, i128),
    Holds(Condition),
}

/// Is there a value for every name of the answer that makes it this solution?
pub(crate) fn is_instance(answer: &Answer, solution: &Ground) -> bool {
    let mut checks = Vec::new();
    let mut rows: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let types = answer.inputs.iter().chain(&answer.outputs);
    let shapes = solution.inputs.iter().chain(&solution.outputs);
    for (ty, shape) in types.zip(shapes) {
        let Some(tensor) = ty.as_tensor() else {
            return false;
        };
        if !fit(&tensor.shape, shape, &mut checks, &mut rows) {
            return false;
        }
    }
    for (label, value) in &answer.params {
        let Some(&x) = solution.params.get(label.as_str()) else {
            return false;
        };
        equal(value, x, &mut checks);
    }
    checks.extend(answer.conditions.iter().cloned().map(Check::Holds));
    solve(checks, Names::new())
}

fn equal(dim: &Dim, x: u64, checks: &mut Vec<Check>) {
    let e = match dim {
        Dim::Hole => return,
        Dim::Size(n) => Expr::Int(*n),
        Dim::Name(n) => kanshape::syntax::parse_expr(n).unwrap(),
        Dim::Expr(e) => (**e).clone(),
        // A ground solution has numbers alone.
        Dim::Nominal(n) => kanshape::syntax::parse_expr(&n.to_string()).unwrap(),
    };
    checks.push(Check::Equal(e, i128::from(x)));
}

fn fit(
    pattern: &Shape,
    shape: &[u64],
    checks: &mut Vec<Check>,
    rows: &mut BTreeMap<String, Vec<u64>>,
) -> bool {
    let (before, after) = (pattern.before(), pattern.after());
    if shape.len() < before.len() + after.len() {
        return false;
    }
    let middle = &shape[before.len()..shape.len() - after.len()];
    match pattern.run() {
        None if !middle.is_empty() => return false,
        Some(run) => {
            if let Some(name) = &run.name {
                let known = rows
                    .entry(name.to_string())
                    .or_insert_with(|| middle.to_vec());
                if known.as_slice() != middle {
                    return false;
                }
            }
        }
        None => {}
    }
    for (d, &x) in before.iter().zip(shape) {
        equal(d, x, checks);
    }
    for (d, &x) in after.iter().zip(&shape[shape.len() - after.len()..]) {
        equal(d, x, checks);
    }
    true
}

/// Settles names one by one: those that a check names alone first, then by trying small numbers.
fn solve(mut checks: Vec<Check>, mut names: Names) -> bool {
    loop {
        let before = names.len();
        for c in &checks {
            if let Check::Equal(Expr::Name(n), x) = c {
                match names.insert(n.node.to_string(), *x) {
                    Some(y) if y != *x => return false,
                    _ => {}
                }
            }
        }
        if names.len() == before {
            break;
        }
    }
    let mut free = Vec::new();
    for c in &checks {
        match c {
            Check::Equal(e, _) => names_of(e, &mut free),
            Check::Holds(Condition::Compare(first, rest)) => {
                names_of(first, &mut free);
                rest.iter().for_each(|r| names_of(&r.1, &mut free));
            }
            Check::Holds(Condition::In(e, values)) => {
                if values.iter().any(|v| matches!(v, Expr::Name(_))) {
                    continue;
                }
                names_of(e, &mut free);
            }
            Check::Holds(Condition::Dtype(..)) => {}
        }
    }
    checks.retain(|c| {
        !matches!(c, Check::Holds(Condition::In(_, vs)) if vs.iter().any(|v| matches!(v, Expr::Name(_))))
    });
    free.sort();
    free.dedup();
    free.retain(|n| !names.contains_key(n));
    if free.len() > 3 {
        // Too many to try: what has no free name must hold at least.
        return checks.iter().all(|c| match c {
            Check::Equal(e, x) => eval(e, &names).is_none_or(|y| y == *x),
            Check::Holds(_) => true,
        });
    }
    try_all(&checks, &free, &mut names)
}

/// How far a name is tried, by how many others are still free after it. Farther than the reference
/// looks (16), since a name of an answer may be a sum of what the reference tried.
const TRIED: [i128; 3] = [256, 48, 24];

fn try_all(checks: &[Check], free: &[String], names: &mut Names) -> bool {
    let Some((name, rest)) = free.split_first() else {
        return checks.iter().all(|c| match c {
            Check::Equal(e, x) => eval(e, names) == Some(*x),
            Check::Holds(c) => holds(c, names),
        });
    };
    (0..=TRIED[rest.len()]).any(|x| {
        names.insert(name.clone(), x);
        let found = try_all(checks, rest, names);
        names.remove(name);
        found
    })
}
