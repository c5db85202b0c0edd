//! Axes that become one element.

use kanshape_types::Dtype;

use crate::array::{Array, axis, places};
use crate::context::{Calculate, Context, Outputs};
use crate::number::{Number, range};
use crate::ops::elementwise::divided;
use crate::scalars::{Function as F, Scalars};
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "ReduceSum" => |c| reduce(c, |c, d, all| c.sum(d, all)),
        "ReduceMean" => |c| reduce(c, mean),
        "ReduceMax" => |c| reduce(c, |c, d, all| extreme(c, d, all, F::Max)),
        "ReduceMin" => |c| reduce(c, |c, d, all| extreme(c, d, all, F::Min)),
        "ReduceProd" => |c| reduce(c, |c, d, all| c.fold(F::Mul, d, all, Some(1.0))),
        "ReduceSumSquare" => |c| reduce(c, sum_of_squares),
        "ReduceL1" => |c| {
            reduce(c, |c, d, all| {
                let all = all
                    .iter()
                    .map(|own| c.apply(F::Abs, d, std::slice::from_ref(own)));
                let all = all.collect::<Result<Vec<_>, Stop>>()?;
                c.sum(d, &all)
            })
        },
        "ReduceL2" => |c| {
            reduce(c, |c, d, all| {
                let sum = sum_of_squares(c, d, all)?;
                c.apply(F::Sqrt, d, &[sum])
            })
        },
        "ReduceLogSum" => |c| {
            reduce(c, |c, d, all| {
                let sum = c.sum(d, all)?;
                c.apply(F::Log, d, &[sum])
            })
        },
        "ReduceLogSumExp" => |c| {
            reduce(c, |c, d, all| {
                let (exps, shift) = exps(c, d, all)?;
                let sum = c.sum(d, &exps)?;
                let log = c.apply(F::Log, d, &[sum])?;
                c.apply(F::Add, d, &[log, shift])
            })
        },
        "ArgMax" => |c| arg_extreme(c, true),
        "ArgMin" => |c| arg_extreme(c, false),
        "CumSum" => cum_sum,
        "TopK" => top_k,
        _ => return None,
    })
}

/// The elements of an array along some axes, for each place of the others.
pub(crate) fn along<T: Clone>(
    x: &Array<T>,
    axes: &[usize],
    place: &[usize],
) -> Result<Vec<T>, Stop> {
    let sizes: Vec<usize> = axes.iter().map(|axis| x.shape[*axis]).collect();
    let all = places(&sizes).map(|own| {
        let mut from = place.to_vec();
        axes.iter().zip(own).for_each(|(axis, at)| from[*axis] = at);
        x.at(&from)
    });
    all.collect()
}

fn reduce<S: Scalars>(
    c: &mut Context<'_, S>,
    element: impl Fn(&mut Context<'_, S>, Dtype, &[S::Scalar]) -> Result<S::Scalar, Stop>,
) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let axes = c.ints_at("axes", 1)?.unwrap_or_default();
    let axes = axes.iter().map(|own| axis(*own, x.rank()));
    let mut axes: Vec<usize> = axes.collect::<Result<_, Stop>>()?;
    if axes.is_empty() {
        if c.int("noop_with_empty_axes", 0) != 0 {
            let own = Array::by(x.dtype, x.shape.clone(), |place| {
                element(c, x.dtype, &[x.at(place)?])
            })?;
            return Ok(vec![own]);
        }
        axes = (0..x.rank()).collect();
    }
    axes.sort_unstable();
    axes.dedup();
    let kept = reduced(x, &axes, |all| element(c, x.dtype, all))?;
    with_or_without(c, kept, &axes)
}

/// An array whose axes are of size 1, by a function of what was along them.
pub(crate) fn reduced<T: Clone, U: Clone>(
    x: &Array<T>,
    axes: &[usize],
    mut element: impl FnMut(&[T]) -> Result<U, Stop>,
) -> Result<Array<U>, Stop> {
    let mut shape = x.shape.clone();
    axes.iter().for_each(|axis| shape[*axis] = 1);
    Array::by(x.dtype, shape, |place| element(&along(x, axes, place)?))
}

fn with_or_without<S: Scalars>(
    c: &Context<'_, S>,
    kept: Array<S::Scalar>,
    axes: &[usize],
) -> Outputs<S::Scalar> {
    if c.int("keepdims", 1) != 0 {
        return Ok(vec![kept]);
    }
    let rest = (0..kept.rank()).filter(|at| !axes.contains(at));
    Ok(vec![
        kept.reshaped(rest.map(|at| kept.shape[at]).collect())?,
    ])
}

pub(crate) fn mean<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    all: &[S::Scalar],
) -> Result<S::Scalar, Stop> {
    let sum = c.sum(d, all)?;
    divided(c, d, sum, all.len() as f64)
}

fn extreme<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    all: &[S::Scalar],
    function: F,
) -> Result<S::Scalar, Stop> {
    if all.is_empty() {
        let is_max = function == F::Max;
        let none = match range(d) {
            Some((least, largest)) => {
                let own = if is_max { least } else { largest };
                Number::Int(i64::try_from(own).unwrap_or(i64::MAX))
            }
            None if d == Dtype::Bool => Number::Bool(!is_max),
            None => Number::Float(if is_max {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }),
        };
        return Ok(c.scalars.number(none));
    }
    let function = match (d, function) {
        (Dtype::Bool, F::Max) => F::Or,
        (Dtype::Bool, _) => F::And,
        (_, function) => function,
    };
    c.fold(function, d, all, None)
}

fn sum_of_squares<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    all: &[S::Scalar],
) -> Result<S::Scalar, Stop> {
    let all = all.iter();
    let all = all.map(|own| c.apply(F::Mul, d, &[own.clone(), own.clone()]));
    let all = all.collect::<Result<Vec<_>, Stop>>()?;
    c.sum(d, &all)
}

/// The exponentials of elements without their largest one, and that one; 0 if they are not all known numbers.
pub(crate) fn exps<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    all: &[S::Scalar],
) -> Result<(Vec<S::Scalar>, S::Scalar), Stop> {
    let known = all.iter().map(|own| Some(c.scalars.known(own)?.float()));
    let known: Option<Vec<f64>> = known.collect();
    let largest = known
        .into_iter()
        .flatten()
        .fold(f64::NEG_INFINITY, f64::max);
    let shift = if largest.is_finite() { largest } else { 0.0 };
    let shift = c.constant(shift, d)?;
    let all = all.iter().map(|own| {
        let less = c.apply(F::Sub, d, &[own.clone(), shift.clone()])?;
        c.apply(F::Exp, d, &[less])
    });
    Ok((all.collect::<Result<_, Stop>>()?, shift))
}

fn arg_extreme<S: Scalars>(c: &mut Context<'_, S>, is_max: bool) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let at = axis(c.int("axis", 0), x.rank())?;
    let takes_last = c.int("select_last_index", 0) != 0;
    let mut kept = reduced(x, &[at], |all| {
        let mut best: Option<(f64, usize)> = None;
        for (i, own) in all.iter().enumerate() {
            let Some(number) = c.scalars.known(own) else {
                return Stop::opaque("the place of the largest of what is not known");
            };
            let number = if is_max {
                number.float()
            } else {
                -number.float()
            };
            let is_better = |(own, _): (f64, usize)| number > own || takes_last && number == own;
            if best.is_none_or(is_better) {
                best = Some((number, i));
            }
        }
        match best {
            Some((_, i)) => Ok(c.scalars.number(Number::Int(i as i64))),
            None => Stop::refused("the largest of nothing"),
        }
    })?;
    kept.dtype = Dtype::I64;
    with_or_without(c, kept, &[at])
}

fn cum_sum<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let at = match c.contents(c.input(1)?)?[..] {
        [at] => axis(at, x.rank())?,
        _ => return Stop::refused("several axes"),
    };
    let exclusive = c.int("exclusive", 0) != 0;
    let reverse = c.int("reverse", 0) != 0;
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let all = along(x, &[at], place)?;
        let own = place[at];
        let part = match (reverse, exclusive) {
            (false, false) => &all[..=own],
            (false, true) => &all[..own],
            (true, false) => &all[own..],
            (true, true) => &all[own + 1..],
        };
        c.sum(x.dtype, part)
    })?;
    Ok(vec![own])
}

fn top_k<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let at = axis(c.int("axis", -1), x.rank())?;
    let Some(k) = c
        .ints_at("k", 1)?
        .and_then(|all| usize::try_from(*all.first()?).ok())
    else {
        return Stop::refused("a TopK without a number");
    };
    if k > x.shape[at] {
        return Stop::refused("more than there are");
    }
    let sign = if c.int("largest", 1) != 0 { -1.0 } else { 1.0 };
    let mut shape = x.shape.clone();
    shape[at] = k;
    let order = |c: &Context<'_, S>, place: &[usize]| {
        let all = along(x, &[at], place)?;
        let mut keys = Vec::new();
        for (i, own) in all.iter().enumerate() {
            match c.scalars.known(own) {
                Some(number) => keys.push((sign * number.float(), i)),
                None => return Stop::opaque("the order of what is not known"),
            }
        }
        keys.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Ok((keys[place[at]].1, all))
    };
    let values = Array::by(x.dtype, shape.clone(), |place| {
        let (from, all) = order(c, place)?;
        Ok(all[from].clone())
    })?;
    let indices = Array::by(Dtype::I64, shape, |place| {
        let (from, _) = order(c, place)?;
        Ok(c.scalars.number(Number::Int(from as i64)))
    })?;
    Ok([values, indices]
        .into_iter()
        .take(c.call.outputs.max(1))
        .collect())
}
