//! Normalisations.

use kanshape_types::Dtype;

use crate::array::{Array, axis, count};
use crate::context::{Calculate, Context, Outputs};
use crate::ops::elementwise::plus;
use crate::ops::movement::sizes;
use crate::ops::reduce::{along, exps, mean};
use crate::scalars::{Function as F, Scalars};
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "Softmax" => |c| softmax(c, |_, _, own| Ok(own)),
        "LogSoftmax" => |c| softmax(c, |c, d, own| c.apply(F::Log, d, &[own])),
        "Hardmax" => hardmax,
        "BatchNormalization" => batch_normalization,
        "InstanceNormalization" => instance_normalization,
        "LayerNormalization" => layer_normalization,
        "RMSNormalization" => rms_normalization,
        "GroupNormalization" => group_normalization,
        "LpNormalization" => lp_normalization,
        "MeanVarianceNormalization" => mean_variance_normalization,
        _ => return None,
    })
}

/// The array and the axes of a Softmax: before version 13 it is of a matrix.
fn rows<S: Scalars>(c: &Context<'_, S>) -> Result<(Array<S::Scalar>, usize), Stop> {
    let x = c.input(0)?;
    let is_old = c.call.since < 13;
    let at = axis(c.int("axis", if is_old { 1 } else { -1 }), x.rank())?;
    if !is_old {
        return Ok((x.clone(), at));
    }
    let matrix = vec![count(&x.shape[..at])?, count(&x.shape[at..])?];
    Ok((x.reshaped(matrix)?, 1))
}

fn softmax<S: Scalars>(
    c: &mut Context<'_, S>,
    last: impl Fn(&mut Context<'_, S>, Dtype, S::Scalar) -> Result<S::Scalar, Stop>,
) -> Outputs<S::Scalar> {
    let (x, at) = rows(c)?;
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let (exps, _) = exps(c, x.dtype, &along(&x, &[at], place)?)?;
        let sum = c.sum(x.dtype, &exps)?;
        let own = c.apply(F::Div, x.dtype, &[exps[place[at]].clone(), sum])?;
        last(c, x.dtype, own)
    })?;
    Ok(vec![own.reshaped(c.input(0)?.shape.clone())?])
}

fn hardmax<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, at) = rows(c)?;
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let all = along(&x, &[at], place)?;
        let all = all
            .iter()
            .map(|own| c.scalars.known(own).map(|n| n.float()));
        let Some(all) = all.collect::<Option<Vec<f64>>>() else {
            return Stop::opaque("the largest of what is not known");
        };
        let largest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = all.iter().position(|own| *own == largest);
        c.constant(f64::from(u8::from(first == Some(place[at]))), x.dtype)
    })?;
    Ok(vec![own.reshaped(c.input(0)?.shape.clone())?])
}

/// `(x - mean) / sqrt(variance + epsilon)`.
fn normal<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    x: S::Scalar,
    mean: S::Scalar,
    variance: S::Scalar,
    epsilon: f64,
) -> Result<S::Scalar, Stop> {
    let less = c.apply(F::Sub, d, &[x, mean])?;
    let under = plus(c, d, variance, epsilon)?;
    let under = c.apply(F::Sqrt, d, &[under])?;
    c.apply(F::Div, d, &[less, under])
}

fn variance<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    all: &[S::Scalar],
    center: &S::Scalar,
) -> Result<S::Scalar, Stop> {
    let squares = all.iter().map(|own| {
        let less = c.apply(F::Sub, d, &[own.clone(), center.clone()])?;
        c.apply(F::Mul, d, &[less.clone(), less])
    });
    let squares = squares.collect::<Result<Vec<_>, Stop>>()?;
    mean(c, d, &squares)
}

/// What an element is, normalised by those along some axes.
fn normal_along<S: Scalars>(
    c: &mut Context<'_, S>,
    x: &Array<S::Scalar>,
    axes: &[usize],
    place: &[usize],
    epsilon: f64,
) -> Result<S::Scalar, Stop> {
    let all = along(x, axes, place)?;
    let center = mean(c, x.dtype, &all)?;
    let variance = variance(c, x.dtype, &all, &center)?;
    normal(c, x.dtype, x.at(place)?, center, variance, epsilon)
}

/// Scaled, and moved if there is something to move it by.
fn scaled<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    x: S::Scalar,
    scale: S::Scalar,
    bias: Option<S::Scalar>,
) -> Result<S::Scalar, Stop> {
    let own = c.apply(F::Mul, d, &[x, scale])?;
    match bias {
        Some(bias) => c.apply(F::Add, d, &[own, bias]),
        None => Ok(own),
    }
}

fn batch_normalization<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let [scale, bias, mean, variance] = [c.input(1)?, c.input(2)?, c.input(3)?, c.input(4)?];
    if c.int("training_mode", 0) != 0 || c.call.outputs > 1 || c.int("is_test", 1) == 0 {
        return Stop::opaque("BatchNormalization in training");
    }
    if x.rank() < 2 {
        return Stop::opaque("BatchNormalization without channels");
    }
    let epsilon = c.float("epsilon", 1e-5);
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let of = |own: &Array<S::Scalar>| own.at(&place[1..2]);
        let own = normal(c, x.dtype, x.at(place)?, of(mean)?, of(variance)?, epsilon)?;
        scaled(c, x.dtype, own, of(scale)?, Some(of(bias)?))
    })?;
    Ok(vec![own])
}

fn instance_normalization<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, scale, bias) = (c.input(0)?, c.input(1)?, c.input(2)?);
    let epsilon = c.float("epsilon", 1e-5);
    let axes: Vec<usize> = (2..x.rank()).collect();
    if x.rank() < 2 {
        return Stop::refused("channels that are not there");
    }
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let own = normal_along(c, x, &axes, place, epsilon)?;
        let (scale, bias) = (scale.at(&place[1..2])?, bias.at(&place[1..2])?);
        scaled(c, x.dtype, own, scale, Some(bias))
    })?;
    Ok(vec![own])
}

fn layer_normalization<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    if c.call.outputs > 1 {
        return Stop::opaque("the means of LayerNormalization");
    }
    let (x, scale, bias) = (c.input(0)?, c.input(1)?, c.optional(2));
    let epsilon = c.float("epsilon", 1e-5);
    let first = axis(c.int("axis", -1), x.rank())?;
    let axes: Vec<usize> = (first..x.rank()).collect();
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let own = normal_along(c, x, &axes, place, epsilon)?;
        let bias = bias.map(|bias| bias.at_broadcast(place)).transpose()?;
        scaled(c, x.dtype, own, scale.at_broadcast(place)?, bias)
    })?;
    Ok(vec![own])
}

fn rms_normalization<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, scale) = (c.input(0)?, c.input(1)?);
    let epsilon = c.float("epsilon", 1e-5);
    let first = axis(c.int("axis", -1), x.rank())?;
    let axes: Vec<usize> = (first..x.rank()).collect();
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let all = along(x, &axes, place)?;
        let zero = c.constant(0.0, x.dtype)?;
        let square = variance(c, x.dtype, &all, &zero)?;
        let own = normal(c, x.dtype, x.at(place)?, zero, square, epsilon)?;
        scaled(c, x.dtype, own, scale.at_broadcast(place)?, None)
    })?;
    Ok(vec![own])
}

fn group_normalization<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, scale, bias) = (c.input(0)?, c.input(1)?, c.input(2)?);
    let epsilon = c.float("epsilon", 1e-5);
    let groups = sizes(&[c.int("num_groups", 1)])?[0];
    if c.call.since < 21 || x.rank() < 2 || groups == 0 || x.shape[1] % groups != 0 {
        return Stop::opaque("GroupNormalization of other groups");
    }
    let each = x.shape[1] / groups;
    let split = [&[x.shape[0], groups, each], &x.shape[2..]].concat();
    let split = x.reshaped(split)?;
    let axes: Vec<usize> = (2..split.rank()).collect();
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let of_group = [&[place[0], place[1] / each, place[1] % each], &place[2..]].concat();
        let own = normal_along(c, &split, &axes, &of_group, epsilon)?;
        let (scale, bias) = (scale.at(&place[1..2])?, bias.at(&place[1..2])?);
        scaled(c, x.dtype, own, scale, Some(bias))
    })?;
    Ok(vec![own])
}

fn lp_normalization<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let at = axis(c.int("axis", -1), x.rank())?;
    let p = c.int("p", 2);
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let all = along(x, &[at], place)?;
        let all = all.iter().map(|own| match p {
            1 => c.apply(F::Abs, x.dtype, std::slice::from_ref(own)),
            _ => c.apply(F::Mul, x.dtype, &[own.clone(), own.clone()]),
        });
        let all = all.collect::<Result<Vec<_>, Stop>>()?;
        let sum = c.sum(x.dtype, &all)?;
        let norm = if p == 1 {
            sum
        } else {
            c.apply(F::Sqrt, x.dtype, &[sum])?
        };
        let zero = c.constant(0.0, x.dtype)?;
        let is_zero = c.apply(F::Equal, x.dtype, &[norm.clone(), zero.clone()])?;
        let own = c.apply(F::Div, x.dtype, &[x.at(place)?, norm])?;
        c.apply(F::Where, x.dtype, &[is_zero, zero, own])
    })?;
    Ok(vec![own])
}

fn mean_variance_normalization<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let axes = c.ints("axes").unwrap_or_else(|| vec![0, 2, 3]);
    let axes = axes.iter().map(|own| axis(*own, x.rank()));
    let axes: Vec<usize> = axes.collect::<Result<_, Stop>>()?;
    let own = Array::by(x.dtype, x.shape.clone(), |place| {
        let all = along(x, &axes, place)?;
        let center = mean(c, x.dtype, &all)?;
        let variance = variance(c, x.dtype, &all, &center)?;
        let root = c.apply(F::Sqrt, x.dtype, &[variance])?;
        let under = plus(c, x.dtype, root, 1e-9)?;
        let less = c.apply(F::Sub, x.dtype, &[x.at(place)?, center])?;
        c.apply(F::Div, x.dtype, &[less, under])
    })?;
    Ok(vec![own])
}
