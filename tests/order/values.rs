//! Types as sets of values, listed one by one within small bounds: what `where` and every dim mean,
//! read apart from the engine.

use kanshape::{
    Condition,
    tree::{CmpOp, DimItem, Expr, Func, MulOp, Sign, Spanned},
};
use kanshape::{Dim, DtypeTerm, Tensor, Type};

/// The value of a tensor's type: a dtype and sizes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    pub dtype: &'static str,
    pub dims: Vec<u64>,
}

/// What the names stand for.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    pub sizes: Vec<(&'static str, u64)>,
    pub dtype: &'static str,
    pub run: Vec<u64>,
}

pub(crate) const DTYPES: [&str; 3] = ["f32", "f64", "i64"];

/// Every value within the bounds.
pub(crate) fn all_values() -> Vec<Value> {
    let mut shapes: Vec<Vec<u64>> = vec![vec![]];
    let mut longer = shapes.clone();
    for _ in 0..3 {
        longer = longer
            .iter()
            .flat_map(|s| {
                (0..7).map(move |n| {
                    let mut s = s.clone();
                    s.push(n);
                    s
                })
            })
            .collect();
        shapes.extend(longer.iter().cloned());
    }
    // What tells apart four dims that are names for small sizes, or holes.
    shapes.extend((0..256).map(|n| vec![n / 64, n / 16 % 4, n / 4 % 4, n % 4]));
    let of = |dims: &Vec<u64>| {
        DTYPES.map(|dtype| Value {
            dtype,
            dims: dims.clone(),
        })
    };
    shapes.iter().flat_map(of).collect()
}

/// Every choice within the bounds for the names that the types have.
pub(crate) fn all_names(types: &[&Type]) -> Vec<Names> {
    let texts: Vec<String> = types.iter().map(ToString::to_string).collect();
    let has = |name: &str| texts.iter().any(|t| t.contains(name));
    // So that no expression in them goes beyond the sizes of the values.
    let sizes = |name, end| if has(name) { 0..end } else { 0..1 };
    let dtypes = if has("T") { &DTYPES[..] } else { &DTYPES[..1] };
    let mut runs = vec![vec![]];
    if has("...r") {
        runs.extend((0..5).map(|n| vec![n]));
        runs.extend((0..25).map(|n| vec![n / 5, n % 5]));
    }
    let mut all = Vec::new();
    for n in sizes("n", 6) {
        for m in sizes("m", 4) {
            for dtype in dtypes {
                for run in &runs {
                    all.push(Names {
                        sizes: vec![("n", n), ("m", m)],
                        dtype,
                        run: run.clone(),
                    });
                }
            }
        }
    }
    all
}

pub(crate) fn size(e: &Expr, names: &Names) -> i64 {
    match e {
        Expr::Int(n) => *n as i64,
        Expr::Name(name) => {
            let known = names.sizes.iter().find(|s| s.0 == &*name.node);
            let known = known.unwrap_or_else(|| panic!("a fresh name: {e}"));
            known.1 as i64
        }
        Expr::Sum(terms) => terms
            .iter()
            .map(|(sign, t)| match sign {
                Sign::Plus => size(t, names),
                Sign::Minus => -size(t, names),
            })
            .sum(),
        Expr::Chain(first, rest) => rest.iter().fold(size(first, names), |x, (op, t)| {
            match (op, size(t, names)) {
                (MulOp::Mul, y) => x * y,
                (MulOp::Mod, y) => x.rem_euclid(y),
                (MulOp::FloorDiv, y) => x.div_euclid(y),
            }
        }),
        Expr::Call(Func::Prod, factors) => factors
            .iter()
            .map(|factor| match factor {
                Expr::Run(_) => names.run.iter().product::<u64>() as i64,
                e => size(e, names),
            })
            .product(),
        other => panic!("{other:?} is not among the types that are tried"),
    }
}

/// Does the condition hold?
pub(crate) fn holds(c: &Condition, names: &Names) -> bool {
    match c {
        Condition::Compare(Expr::Run(Some(run)), rest) => {
            assert_eq!(&*run.node, "r");
            rest.iter().all(|(_, side)| match side {
                Expr::List(items) => is_list(&names.run, items, names),
                other => panic!("{other:?} is not among the conditions that are tried"),
            })
        }
        Condition::Compare(first, rest) if first.to_string() == "T" => rest
            .iter()
            .all(|(op, d)| *op == CmpOp::Eq && d.to_string() == names.dtype),
        Condition::Compare(first, rest) => {
            let mut left = size(first, names);
            rest.iter().all(|(op, right)| {
                let right = size(right, names);
                let x = std::mem::replace(&mut left, right);
                match op {
                    CmpOp::Eq => x == right,
                    CmpOp::Ne => x != right,
                    CmpOp::Lt => x < right,
                    CmpOp::Le => x <= right,
                    CmpOp::Gt => x > right,
                    CmpOp::Ge => x >= right,
                }
            })
        }
        Condition::In(Expr::Name(name), values) if &*name.node == "T" => {
            values.iter().any(|v| v.to_string() == names.dtype)
        }
        Condition::In(e, values) => {
            let x = size(e, names);
            values.iter().any(|v| size(v, names) == x)
        }
        Condition::Dtype(name, dtype) => {
            assert_eq!(&*name.node, "T");
            let class: DtypeTerm = dtype.to_string().as_str().parse_term();
            class.set().iter().any(|d| d.name() == names.dtype)
        }
    }
}

/// Has the run the dims of a list?
fn is_list(run: &[u64], items: &[Spanned<DimItem>], names: &Names) -> bool {
    let Some((first, rest)) = items.split_first() else {
        return run.is_empty();
    };
    match &first.node {
        DimItem::Run(None) => (0..=run.len()).any(|n| is_list(&run[n..], rest, names)),
        DimItem::Run(Some(_)) => {
            let behind = run.strip_prefix(&names.run[..]);
            behind.is_some_and(|behind| is_list(behind, rest, names))
        }
        DimItem::Hole => !run.is_empty() && is_list(&run[1..], rest, names),
        DimItem::Dim(e) => {
            let here = run.first().map(|&n| n as i64);
            here == Some(size(e, names)) && is_list(&run[1..], rest, names)
        }
    }
}

trait ParseTerm {
    fn parse_term(&self) -> DtypeTerm;
}

impl ParseTerm for str {
    fn parse_term(&self) -> DtypeTerm {
        let ty: Type = format!("{self}[]").parse().unwrap();
        ty.as_tensor().unwrap().dtype.clone()
    }
}

/// Do the conditions of the type hold?
pub(crate) fn stated(ty: &Type, names: &Names) -> bool {
    ty.conditions.iter().all(|c| holds(c, names))
}

/// Is the value one of the type, whose conditions hold or not?
pub(crate) fn contains(ty: &Type, value: &Value, names: &Names) -> bool {
    match ty.as_tensor() {
        Some(tensor) => stated(ty, names) && fits(tensor, value, names),
        None => ty.is_unknown(),
    }
}

fn fits(tensor: &Tensor, value: &Value, names: &Names) -> bool {
    let dtype = match &tensor.dtype {
        DtypeTerm::Name(_) => value.dtype == names.dtype,
        term => term.set().iter().any(|d| d.name() == value.dtype),
    };
    let dim = |(dim, &n): (&Dim, &u64)| match dim {
        Dim::Size(size) => *size == n,
        Dim::Hole => true,
        Dim::Name(name) => names.sizes.iter().any(|s| s.0 == name.as_str() && s.1 == n),
        Dim::Expr(e) => size(e, names) == n as i64,
        Dim::Nominal(_) => panic!("no types with identities are tried"),
    };
    let shape = &tensor.shape;
    let (before, after) = (shape.before().len(), shape.after().len());
    let count = value.dims.len();
    let middle = match shape.run() {
        None => count == before,
        Some(_) if count < before + after => false,
        Some(run) => {
            let middle = &value.dims[before..count - after];
            run.name.is_none() || *middle == names.run[..]
        }
    };
    dtype
        && middle
        && shape.before().iter().zip(&value.dims).all(dim)
        && shape
            .after()
            .iter()
            .zip(&value.dims[count - after.min(count)..])
            .all(dim)
}

/// Are the values of least rank of a tensor's type among those that are listed, or as good as?
pub(crate) fn listed(ty: &Type, names: &Names) -> bool {
    let shape = &ty.as_tensor().unwrap().shape;
    let named = shape.run().is_some_and(|r| r.name.is_some());
    let run = if named { &names.run[..] } else { &[] };
    let small = |dim: &Dim| match dim.to_tree() {
        DimItem::Dim(e) => size(&e, names) < 4,
        DimItem::Hole | DimItem::Run(_) => true,
    };
    match shape.known_dims().len() + run.len() {
        0..=3 => true,
        4 => shape.iter().all(small) && run.iter().all(|&n| n < 4),
        _ => false,
    }
}
