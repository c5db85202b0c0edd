//! Sums of products.

use kanshape_types::Dtype;

use crate::array::{Array, broadcast, places};
use crate::call::Attr;
use crate::context::{Calculate, Context, Outputs};
use crate::ops::elementwise::times;
use crate::ops::movement::transposed;
use crate::scalars::{Function as F, Scalars};
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "MatMul" => |c| {
            let (a, b) = (c.input(0)?, c.input(1)?);
            Ok(vec![product(c, a, b)?])
        },
        "Gemm" => gemm,
        "Einsum" => einsum,
        _ => return None,
    })
}

/// The sum of the products of two lists.
pub(crate) fn dot<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    pairs: &[(S::Scalar, S::Scalar)],
) -> Result<S::Scalar, Stop> {
    let all = pairs.iter();
    let all = all.map(|(a, b)| c.apply(F::Mul, d, &[a.clone(), b.clone()]));
    let all = all.collect::<Result<Vec<_>, Stop>>()?;
    c.sum(d, &all)
}

/// The product of matrices, which may be vectors or have dims of a batch.
fn product<S: Scalars>(
    c: &mut Context<'_, S>,
    a: &Array<S::Scalar>,
    b: &Array<S::Scalar>,
) -> Result<Array<S::Scalar>, Stop> {
    let (of_vector, by_vector) = (a.rank() == 1, b.rank() == 1);
    let as_matrix = |x: &Array<S::Scalar>, front: bool| match (x.rank(), front) {
        (0, _) => Stop::refused("a product of a scalar"),
        (1, true) => x.reshaped(vec![1, x.shape[0]]),
        (1, false) => x.reshaped(vec![x.shape[0], 1]),
        _ => Ok(x.clone()),
    };
    let (a, b) = (as_matrix(a, true)?, as_matrix(b, false)?);
    let (batch_a, batch_b) = (a.rank() - 2, b.rank() - 2);
    let (m, k, n) = (a.shape[batch_a], a.shape[batch_a + 1], b.shape[batch_b + 1]);
    if b.shape[batch_b] != k {
        return Stop::refused("inner sizes that are not the same");
    }
    let batch = broadcast(&a.shape[..batch_a], &b.shape[..batch_b])?;
    let mut shape = batch.clone();
    shape.extend([m, n]);
    let mut result = Array::by(a.dtype, shape, |place| {
        let (outer, inner) = place.split_at(batch.len());
        let pairs = (0..k).map(|i| {
            Ok((
                in_batch(&a, outer, [inner[0], i])?,
                in_batch(&b, outer, [i, inner[1]])?,
            ))
        });
        let pairs = pairs.collect::<Result<Vec<_>, Stop>>()?;
        dot(c, a.dtype, &pairs)
    })?;
    let mut shape = batch;
    shape.extend((!of_vector).then_some(m));
    shape.extend((!by_vector).then_some(n));
    result.shape = shape;
    Ok(result)
}

/// An element of a matrix in a batch that may be broadcast.
fn in_batch<T: Clone>(x: &Array<T>, outer: &[usize], inner: [usize; 2]) -> Result<T, Stop> {
    let rank = x.rank() - 2;
    let outer = outer[outer.len() - rank..].iter().zip(&x.shape);
    let mut place: Vec<usize> = outer
        .map(|(at, size)| if *size == 1 { 0 } else { *at })
        .collect();
    place.extend(inner);
    x.at(&place)
}

fn gemm<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let turned = |x: &Array<S::Scalar>, turn: i64| match (x.rank(), turn) {
        (2, 0) => Ok(x.clone()),
        (2, _) => transposed(x, &[1, 0]),
        _ => Stop::refused("a Gemm of other than matrices"),
    };
    let a = turned(c.input(0)?, c.int("transA", 0))?;
    let b = turned(c.input(1)?, c.int("transB", 0))?;
    let (alpha, beta) = (c.float("alpha", 1.0), c.float("beta", 1.0));
    let d = a.dtype;
    let ab = product(c, &a, &b)?;
    let ab = c.elementwise(d, &[&ab], |c, args| times(c, d, args[0].clone(), alpha))?;
    let Some(bias) = c.optional(2) else {
        return Ok(vec![ab]);
    };
    let shape = ab.shape.clone();
    let own = c.elementwise(d, &[&ab, bias], |c, args| {
        let bias = times(c, d, args[1].clone(), beta)?;
        c.apply(F::Add, d, &[args[0].clone(), bias])
    })?;
    match own.shape == shape {
        true => Ok(vec![own]),
        false => Stop::refused("a bias that is larger than the product"),
    }
}

/// The letters of each operand of an equation, and of the output. Dims that `...` stands for are numbered from the end.
fn letters(equation: &str, ranks: &[usize]) -> Result<(Vec<Vec<char>>, Vec<char>), Stop> {
    let equation: String = equation.chars().filter(|c| !c.is_whitespace()).collect();
    let (inputs, output) = match equation.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (&*equation, None),
    };
    let mut most = 0;
    let mut all = Vec::new();
    let rest = |count: usize| {
        (0..count)
            .rev()
            .map(|i| char::from(b'0' + (i as u8).min(9)))
    };
    let terms: Vec<&str> = inputs.split(',').collect();
    if terms.len() != ranks.len() || ranks.iter().any(|rank| *rank > 9) {
        return Stop::refused("an equation of other operands");
    }
    for (term, rank) in terms.iter().zip(ranks) {
        let mut own = Vec::new();
        match term.split_once("...") {
            Some((before, behind)) => {
                let Some(count) = rank.checked_sub(before.len() + behind.len()) else {
                    return Stop::refused("an equation of more dims");
                };
                most = most.max(count);
                own.extend(before.chars());
                own.extend(rest(count));
                own.extend(behind.chars());
            }
            None => own.extend(term.chars()),
        }
        if own.len() != *rank {
            return Stop::refused("an equation of other dims");
        }
        all.push(own);
    }
    let output = match output.map(|output| output.split_once("...").ok_or(output)) {
        Some(Ok((before, behind))) => before
            .chars()
            .chain(rest(most))
            .chain(behind.chars())
            .collect(),
        Some(Err(output)) => output.chars().collect(),
        None => {
            let named = || all.iter().flatten().filter(|c| c.is_alphabetic());
            let mut once: Vec<char> = named().copied().collect();
            once.retain(|c| named().filter(|own| *own == c).count() == 1);
            once.sort_unstable();
            rest(most).chain(once).collect()
        }
    };
    Ok((all, output))
}

fn einsum<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let inputs = c.all_inputs()?;
    let Some(Attr::Text(equation)) = c.attr("equation") else {
        return Stop::refused("an Einsum without an equation");
    };
    let ranks: Vec<usize> = inputs.iter().map(|own| own.rank()).collect();
    let (terms, output) = letters(equation, &ranks)?;
    let mut names: Vec<char> = output.clone();
    let mut sizes: Vec<usize> = vec![0; names.len()];
    for (term, own) in terms.iter().zip(&inputs) {
        for (name, size) in term.iter().zip(&own.shape) {
            match names.iter().position(|own| own == name) {
                Some(at) if sizes[at] == 0 || sizes[at] == 1 => sizes[at] = *size,
                Some(at) if sizes[at] == *size || *size == 1 => {}
                Some(_) => return Stop::refused("a letter of two sizes"),
                None => {
                    names.push(*name);
                    sizes.push(*size);
                }
            }
        }
    }
    let d = c.input(0)?.dtype;
    let (outer, inner) = sizes.split_at(output.len());
    let own = Array::by(d, outer.to_vec(), |place| {
        let mut products = Vec::new();
        for summed in places(inner) {
            let at = [place, &summed[..]].concat();
            let mut factors = Vec::new();
            for (term, own) in terms.iter().zip(&inputs) {
                let from = term.iter().zip(&own.shape).map(|(name, size)| {
                    let known = names.iter().position(|own| own == name);
                    if *size == 1 {
                        0
                    } else {
                        known.map_or(0, |i| at[i])
                    }
                });
                factors.push(own.at(&from.collect::<Vec<_>>())?);
            }
            products.push(c.fold(F::Mul, d, &factors, None)?);
        }
        c.sum(d, &products)
    })?;
    Ok(vec![own])
}
