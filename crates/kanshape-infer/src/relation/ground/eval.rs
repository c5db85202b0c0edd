//! Terms of rules as values, as far as everything in them is known.

use super::super::rule::{self, Piece};
use super::value::{Node, Numbers, Tensor, Value};
use super::{Frame, Ground, Stop};
use kanshape_engine::Int;
use kanshape_syntax::tree::{Expr, Func, MulOp, Sign};
use kanshape_types::Dim;
use std::sync::Arc;

/// A number of a rule as one that fits here.
pub(super) fn int(n: Int) -> Result<i64, Stop> {
    i64::try_from(n).map_err(|_| Stop::Leave)
}

impl Ground<'_> {
    /// The value of a term; `None` if something in it is not known yet.
    pub(super) fn eval(
        &mut self,
        frame: &mut Frame,
        term: &rule::Value,
    ) -> Result<Option<Value>, Stop> {
        use rule::Value as Term;
        self.spend(1)?;
        macro_rules! known {
            ($term:expr) => {
                match self.eval(frame, $term)? {
                    Some(value) => value,
                    None => return Ok(None),
                }
            };
        }
        Ok(Some(match term {
            Term::Slot(slot) => {
                let value = frame[*slot].as_ref();
                return Ok(value.filter(|v| !matches!(v, Value::Length(_))).cloned());
            }
            Term::Any(_) => return Ok(None),
            Term::Int(n) => Value::Int(int(*n)?),
            Term::Dtype(dtype) => Value::Dtype(*dtype),
            Term::None => Value::None,
            Term::Some(of) => Value::Some(Arc::new(known!(of))),
            Term::Tensor(parts) => {
                let (Value::Numbers(shape), Value::Dtype(dtype)) =
                    (known!(&parts[0]), known!(&parts[1]))
                else {
                    return Err(Stop::Fail);
                };
                let is_size = |n: &i64| *n >= 0 && *n as u64 <= Dim::MAX_SIZE;
                if !shape.iter().all(is_size) {
                    return Err(Stop::Fail);
                }
                let contents = match self.eval(frame, &parts[2])? {
                    Some(Value::Numbers(contents)) => Some(contents.as_slice().into()),
                    _ => None,
                };
                Value::Tensor(Arc::new(Tensor {
                    dtype,
                    shape,
                    contents,
                }))
            }
            Term::Node(label, parts) => {
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    values.push(known!(part));
                }
                let node = Node::new(*label, values.into()).ok_or(Stop::Leave)?;
                Value::Node(Arc::new(node))
            }
            Term::List(pieces, of) if of.kind().is_number() => {
                let mut all = Numbers::new();
                for piece in pieces {
                    match piece {
                        Piece::One(term) => all.push(number(known!(term))?),
                        Piece::Rest(term) => match known!(term) {
                            Value::Numbers(rest) => all.extend_from_slice(&rest),
                            _ => return Err(Stop::Leave),
                        },
                    }
                }
                Value::Numbers(all)
            }
            Term::List(pieces, _) => {
                let mut all = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    match piece {
                        Piece::One(term) => all.push(known!(term)),
                        Piece::Rest(term) => match known!(term) {
                            Value::List(rest) => all.extend_from_slice(&rest),
                            _ => return Err(Stop::Leave),
                        },
                    }
                }
                Value::List(all.into())
            }
            Term::Number(number) => {
                let (e, leaves) = &**number;
                // One level of names is a constant lookup; most expressions have one or two.
                let mut values: smallvec::SmallVec<[Value; 2]> = smallvec::SmallVec::new();
                for leaf in leaves {
                    values.push(known!(leaf));
                }
                Value::Int(expr(e, &values)?)
            }
            Term::Sum(list) => {
                let list = numbers(known!(list))?;
                let sum = list.iter().try_fold(0i64, |sum, n| sum.checked_add(*n));
                Value::Int(sum.ok_or(Stop::Leave)?)
            }
            Term::Length(list) => match self.length(frame, list)? {
                Some(n) => Value::Int(n as i64),
                None => return Ok(None),
            },
            Term::Index(parts) => {
                let list = known!(&parts[0]);
                let index = number(known!(&parts[1]))?;
                let length = match &list {
                    Value::Numbers(list) => list.len(),
                    Value::List(list) => list.len(),
                    _ => return Err(Stop::Leave),
                };
                let place = place(index, length).filter(|p| *p < length);
                match (list, place) {
                    (_, None) => return Err(Stop::Fail),
                    (Value::Numbers(list), Some(p)) => Value::Int(list[p]),
                    (Value::List(list), Some(p)) => list[p].clone(),
                    _ => return Err(Stop::Leave),
                }
            }
            Term::Slice(slice) => {
                let (list, from, to) = &**slice;
                let Value::Numbers(list) = known!(list) else {
                    return Err(Stop::Leave);
                };
                let mut bound = |term: &Option<rule::Value>, none: usize| match term {
                    None => Ok(Some(none)),
                    Some(term) => match self.eval(frame, term)? {
                        Some(at) => place(number(at)?, list.len()).ok_or(Stop::Fail).map(Some),
                        None => Ok(None),
                    },
                };
                let (Some(from), Some(to)) = (bound(from, 0)?, bound(to, list.len())?) else {
                    return Ok(None);
                };
                match list.get(from..to) {
                    Some(part) => Value::Numbers(part.into()),
                    None => return Err(Stop::Fail),
                }
            }
            Term::Each(each) => return self.each(frame, each),
            Term::Promote(dtypes) => {
                let mut all = Vec::with_capacity(dtypes.len());
                for dtype in dtypes {
                    match known!(dtype) {
                        Value::Dtype(dtype) => all.push(dtype),
                        _ => return Err(Stop::Leave),
                    }
                }
                let promotion = self.promotion;
                match &all[..] {
                    [a, b] => Value::Dtype(promotion.promote(*a, *b).ok_or(Stop::Fail)?),
                    _ => return Err(Stop::Leave),
                }
            }
            Term::Function(_) => return Err(Stop::Leave),
        }))
    }

    /// The length of a list, if that is known.
    pub(super) fn length(
        &mut self,
        frame: &mut Frame,
        list: &rule::Value,
    ) -> Result<Option<usize>, Stop> {
        if let rule::Value::Slot(slot) = list {
            return match &frame[*slot] {
                Some(list) => list.length().ok_or(Stop::Leave).map(Some),
                None => Ok(None),
            };
        }
        match self.eval(frame, list)? {
            Some(list) => list.length().ok_or(Stop::Leave).map(Some),
            None => Ok(None),
        }
    }

    /// The same for the members of lists, side by side.
    pub(super) fn each(
        &mut self,
        frame: &mut Frame,
        each: &rule::Each,
    ) -> Result<Option<Value>, Stop> {
        let mut lists: smallvec::SmallVec<[Value; 4]> = smallvec::SmallVec::new();
        let mut length = None;
        for list in &each.lists {
            let Some(list) = self.eval(frame, list)? else {
                return Ok(None);
            };
            let own = match &list {
                Value::Numbers(list) => list.len(),
                Value::List(list) => list.len(),
                _ => return Err(Stop::Leave),
            };
            if length.is_some_and(|l| l != own) {
                return Err(Stop::Fail);
            }
            length = Some(own);
            lists.push(list);
        }
        let is_number = each.of.kind().is_number();
        let (mut all_numbers, mut all) = (Numbers::new(), Vec::new());
        for i in 0..length.unwrap_or(0) {
            for (list, name) in lists.iter().zip(&each.names) {
                if let Some(slot) = name {
                    frame[*slot] = Some(match list {
                        Value::Numbers(list) => Value::Int(list[i]),
                        Value::List(list) => list[i].clone(),
                        _ => return Err(Stop::Leave),
                    });
                }
            }
            let value = self.eval(frame, &each.body)?;
            for slot in each.names.iter().flatten() {
                frame[*slot] = None;
            }
            match value {
                None => return Ok(None),
                Some(value) if is_number => all_numbers.push(number(value)?),
                Some(value) => all.push(value),
            }
        }
        Ok(Some(match is_number {
            true => Value::Numbers(all_numbers),
            false => Value::List(all.into()),
        }))
    }
}

pub(super) fn number(value: Value) -> Result<i64, Stop> {
    match value {
        Value::Int(n) => Ok(n),
        _ => Err(Stop::Leave),
    }
}

pub(super) fn numbers(value: Value) -> Result<Numbers, Stop> {
    match value {
        Value::Numbers(list) => Ok(list),
        _ => Err(Stop::Leave),
    }
}

/// How far from the left an index is; `None` if it is out of sight.
fn place(index: i64, length: usize) -> Option<usize> {
    match index {
        0.. => usize::try_from(index).ok().filter(|i| *i <= length),
        _ => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

/// An expression over the values of its leaves, whose names are their places.
pub(super) fn expr(e: &Expr, leaves: &[Value]) -> Result<i64, Stop> {
    let leaf = |name: &str| -> Result<&Value, Stop> {
        let place: usize = name.parse().map_err(|_| Stop::Leave)?;
        leaves.get(place).ok_or(Stop::Leave)
    };
    let checked = |n: Option<i64>| n.ok_or(Stop::Leave);
    Ok(match e {
        Expr::Int(n) => i64::try_from(*n).map_err(|_| Stop::Leave)?,
        Expr::Name(name) => match leaf(&name.node)? {
            Value::Int(n) => *n,
            _ => return Err(Stop::Leave),
        },
        Expr::Sum(terms) => {
            let mut sum = 0i64;
            for (sign, term) in terms {
                let term = expr(term, leaves)?;
                sum = checked(match sign {
                    Sign::Plus => sum.checked_add(term),
                    Sign::Minus => sum.checked_sub(term),
                })?;
            }
            sum
        }
        Expr::Chain(first, rest) => {
            let mut value = expr(first, leaves)?;
            for (op, operand) in rest {
                let operand = expr(operand, leaves)?;
                value = match op {
                    MulOp::Mul => checked(value.checked_mul(operand))?,
                    MulOp::FloorDiv | MulOp::Mod if operand < 1 => return Err(Stop::Leave),
                    MulOp::FloorDiv => value.div_euclid(operand),
                    MulOp::Mod => value.rem_euclid(operand),
                };
            }
            value
        }
        Expr::CeilDiv(a, b) => {
            let (a, b) = (expr(a, leaves)?, expr(b, leaves)?);
            if b < 1 {
                return Err(Stop::Leave);
            }
            let below = checked(a.checked_neg())?.div_euclid(b);
            checked(below.checked_neg())?
        }
        Expr::Call(Func::Min, args) => fold(args, leaves, |a, b| Some(a.min(b)))?,
        Expr::Call(Func::Max, args) => fold(args, leaves, |a, b| Some(a.max(b)))?,
        Expr::Call(Func::Prod, args) => {
            let mut product = 1i64;
            for arg in args {
                match arg {
                    Expr::Run(Some(name)) => match leaf(&name.node)? {
                        Value::Numbers(list) => {
                            for n in list {
                                product = checked(product.checked_mul(*n))?;
                            }
                        }
                        _ => return Err(Stop::Leave),
                    },
                    arg => product = checked(product.checked_mul(expr(arg, leaves)?))?,
                }
            }
            product
        }
        Expr::Call(Func::Broadcast | Func::Promote, _)
        | Expr::Nominal(_)
        | Expr::Run(_)
        | Expr::List(_) => return Err(Stop::Leave),
    })
}

fn fold(args: &[Expr], leaves: &[Value], f: fn(i64, i64) -> Option<i64>) -> Result<i64, Stop> {
    let mut args = args.iter();
    let first = args.next().ok_or(Stop::Leave)?;
    let mut value = expr(first, leaves)?;
    for arg in args {
        value = f(value, expr(arg, leaves)?).ok_or(Stop::Leave)?;
    }
    Ok(value)
}

/// An expression in which one leaf is open, as so many times that leaf and a number; `None` if it is not one.
pub(super) fn linear(
    e: &Expr,
    leaves: &[Option<Value>],
    open: usize,
) -> Result<Option<(i64, i64)>, Stop> {
    let checked = |n: Option<i64>| n.ok_or(Stop::Leave);
    Ok(Some(match e {
        Expr::Int(n) => (0, i64::try_from(*n).map_err(|_| Stop::Leave)?),
        Expr::Name(name) => {
            let place: usize = name.node.parse().map_err(|_| Stop::Leave)?;
            match leaves.get(place) {
                _ if place == open => (1, 0),
                Some(Some(Value::Int(n))) => (0, *n),
                _ => return Ok(None),
            }
        }
        Expr::Sum(terms) => {
            let mut sum = (0i64, 0i64);
            for (sign, term) in terms {
                let Some(term) = linear(term, leaves, open)? else {
                    return Ok(None);
                };
                let add = match sign {
                    Sign::Plus => i64::checked_add,
                    Sign::Minus => i64::checked_sub,
                };
                sum = (checked(add(sum.0, term.0))?, checked(add(sum.1, term.1))?);
            }
            sum
        }
        Expr::Chain(first, rest) => {
            let Some(mut product) = linear(first, leaves, open)? else {
                return Ok(None);
            };
            for (op, factor) in rest {
                let (MulOp::Mul, Some(factor)) = (op, linear(factor, leaves, open)?) else {
                    return Ok(None);
                };
                product = match (product, factor) {
                    ((a, b), (0, n)) | ((0, n), (a, b)) => {
                        (checked(a.checked_mul(n))?, checked(b.checked_mul(n))?)
                    }
                    _ => return Ok(None),
                };
            }
            product
        }
        _ => return Ok(None),
    }))
}
