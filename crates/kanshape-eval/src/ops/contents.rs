//! Arrays of sizes, of constants, and of what is counted.

use kanshape_types::Dtype;

use crate::array::{Array, count, places};
use crate::call::Attr;
use crate::context::{Calculate, Context, Outputs};
use crate::number::{Number, is_int};
use crate::ops::movement::sizes;
use crate::scalars::Scalars;
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "Shape" => shape,
        "Size" => |c| {
            let all = count(&c.input(0)?.shape)?;
            let all = c.scalars.number(Number::Int(all as i64));
            Ok(vec![Array::new(Dtype::I64, Vec::new(), vec![all])?])
        },
        "Constant" => constant,
        "ConstantOfShape" => constant_of_shape,
        "Range" => range,
        "EyeLike" => eye_like,
        "NonZero" => non_zero,
        _ => return None,
    })
}

fn ints<S: Scalars>(c: &mut Context<'_, S>, all: &[i64]) -> Array<S::Scalar> {
    Array {
        dtype: Dtype::I64,
        shape: vec![all.len()],
        data: all
            .iter()
            .map(|n| c.scalars.number(Number::Int(*n)))
            .collect(),
    }
}

fn shape<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let rank = x.rank() as i64;
    let counted = |n: i64| (if n < 0 { n.saturating_add(rank) } else { n }).clamp(0, rank) as usize;
    let (start, end) = (counted(c.int("start", 0)), counted(c.int("end", rank)));
    let all: Vec<i64> = x.shape[start..end.max(start)]
        .iter()
        .map(|n| *n as i64)
        .collect();
    Ok(vec![ints(c, &all)])
}

fn constant<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let [(name, value)] = c.call.attrs else {
        return Stop::opaque("a Constant of other attributes");
    };
    let (dtype, shape, all): (Dtype, Vec<usize>, Vec<Number>) = match (&**name, value) {
        ("value_int", Attr::Int(n)) => (Dtype::I64, vec![], vec![Number::Int(*n)]),
        ("value_float", Attr::Float(x)) => (Dtype::F32, vec![], vec![Number::Float(*x)]),
        ("value_ints", Attr::Ints(all)) => {
            let own = all.iter().map(|n| Number::Int(*n)).collect();
            (Dtype::I64, vec![all.len()], own)
        }
        ("value_floats", Attr::Floats(all)) => {
            let own = all.iter().map(|x| Number::Float(*x)).collect();
            (Dtype::F32, vec![all.len()], own)
        }
        ("value", Attr::Tensor(own)) => (own.dtype, own.shape.clone(), own.data.clone()),
        _ => return Stop::opaque("a Constant of another kind"),
    };
    let data = all.into_iter().map(|own| c.scalars.number(own)).collect();
    Ok(vec![Array::new(dtype, shape, data)?])
}

fn constant_of_shape<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let shape = sizes(&c.contents(c.input(0)?)?)?;
    let (dtype, value) = match c.attr("value") {
        Some(Attr::Tensor(Array { dtype, data, .. })) if data.len() == 1 => (*dtype, data[0]),
        Some(_) => return Stop::opaque("a ConstantOfShape of several values"),
        None => (Dtype::F32, Number::Float(0.0)),
    };
    let value = c.scalars.number(value);
    Ok(vec![Array::by(dtype, shape, |_| Ok(value.clone()))?])
}

fn range<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let dtype = c.input(0)?.dtype;
    let mut all = Vec::new();
    for at in 0..3 {
        match c.numbers(c.input(at)?)?[..] {
            [own] => all.push(own),
            _ => return Stop::refused("a range of several numbers"),
        }
    }
    let [start, limit, step] = [all[0].float(), all[1].float(), all[2].float()];
    let rounds = ((limit - start) / step).ceil().max(0.0);
    if !rounds.is_finite() {
        return Stop::refused("a range without an end");
    }
    let shape = vec![count(&[rounds.min(1e9) as usize])?];
    let own = Array::by(dtype, shape, |place| {
        let own = start + place[0] as f64 * step;
        Ok(c.scalars.number(match is_int(dtype) {
            true => Number::Int(own as i64),
            false => Number::Float(own),
        }))
    })?;
    Ok(vec![own])
}

fn eye_like<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let k = c.int("k", 0);
    let dtype = match c.attr("dtype") {
        Some(Attr::Dtype(own)) => *own,
        _ => x.dtype,
    };
    if x.rank() != 2 {
        return Stop::refused("the unit of no matrix");
    }
    let own = Array::by(dtype, x.shape.clone(), |place| {
        let is_one = place[1] as i64 - place[0] as i64 == k;
        c.constant(f64::from(u8::from(is_one)), dtype)
    })?;
    Ok(vec![own])
}

fn non_zero<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let numbers = c.numbers(x)?;
    let there = places(&x.shape).zip(numbers);
    let there: Vec<Vec<usize>> = there.filter(|own| own.1.truth()).map(|own| own.0).collect();
    let own = Array::by(Dtype::I64, vec![x.rank(), there.len()], |place| {
        let own = there[place[1]][place[0]];
        Ok(c.scalars.number(Number::Int(own as i64)))
    })?;
    Ok(vec![own])
}
