//! Floats as small integers.

use kanshape_types::Dtype;

use crate::array::{Array, axis};
use crate::call::Attr;
use crate::context::{Calculate, Context, Outputs};
use crate::number::is_float;
use crate::scalars::{Function as F, Scalars};
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "QuantizeLinear" => quantize,
        "DequantizeLinear" => dequantize,
        _ => return None,
    })
}

/// The element of a scale or a zero point for a place: one for all, or one for each place along an axis.
fn of_place<T: Clone>(own: &Array<T>, at: Option<usize>, place: &[usize]) -> Result<T, Stop> {
    match (own.rank(), at) {
        (0, _) => own.at(&[]),
        (1, _) if own.shape[0] == 1 => own.at(&[0]),
        (1, Some(at)) => own.at(&place[at..=at]),
        _ => Stop::opaque("a scale for each block"),
    }
}

fn axis_of<S: Scalars>(c: &Context<'_, S>, rank: usize) -> Result<Option<usize>, Stop> {
    if c.int("block_size", 0) != 0 {
        return Stop::opaque("a scale for each block");
    }
    Ok(axis(c.int("axis", 1), rank).ok())
}

fn quantize<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, scale, zero) = (c.input(0)?, c.input(1)?, c.optional(2));
    let at = axis_of(c, x.rank())?;
    let to = match (zero, c.attr("output_dtype")) {
        (Some(zero), _) => zero.dtype,
        (None, Some(Attr::Dtype(to))) => *to,
        (None, _) => Dtype::U8,
    };
    let own = Array::by(to, x.shape.clone(), |place| {
        let scale = of_place(scale, at, place)?;
        let mut own = c.apply(F::Div, x.dtype, &[x.at(place)?, scale])?;
        if !is_float(to) {
            own = c.apply(F::Round, x.dtype, &[own])?;
        }
        if let Some(zero) = zero {
            let zero = of_place(zero, at, place)?;
            let zero = c.apply(F::Cast(x.dtype), to, &[zero])?;
            own = c.apply(F::Add, x.dtype, &[own, zero])?;
        }
        c.apply(F::Saturate(to), x.dtype, &[own])
    })?;
    Ok(vec![own])
}

fn dequantize<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (x, scale, zero) = (c.input(0)?, c.input(1)?, c.optional(2));
    let at = axis_of(c, x.rank())?;
    let d = scale.dtype;
    let own = Array::by(d, x.shape.clone(), |place| {
        let mut own = c.apply(F::Cast(d), x.dtype, &[x.at(place)?])?;
        if let Some(zero) = zero {
            let zero = of_place(zero, at, place)?;
            let zero = c.apply(F::Cast(d), x.dtype, &[zero])?;
            own = c.apply(F::Sub, d, &[own, zero])?;
        }
        let scale = of_place(scale, at, place)?;
        c.apply(F::Mul, d, &[own, scale])
    })?;
    Ok(vec![own])
}
