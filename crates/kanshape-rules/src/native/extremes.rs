//! What is known of a list that is as long as a name says: its least and its greatest member.
//!
//! Lists of the engine have no such property, and types don't write it: where it is calculated with names, it goes from node to node of a
//! graph. What the engine solves says nothing of it.

use super::Param;
use crate::encode::Kind;
use crate::rules::Context;
use crate::rules::native::{Arguments, Extremes, Native, Numbers, Stop};
use kanshape_engine::{Goal, Look, Num, Stop as EngineStop, Term, View};
use kanshape_types::{Dtype, DtypeSet};
use std::sync::Arc;

/// A relation that is calculated, and of which the engine knows nothing.
#[derive(Debug)]
struct OfExtremes {
    name: &'static str,
    params: &'static [Sort],
    refuses: bool,
    calculate: fn(&mut dyn Arguments) -> Result<(), Stop>,
}

/// What sort of thing an argument is.
#[derive(Clone, Copy, Debug)]
enum Sort {
    Dtype,
    Int,
    Ints,
    Cells,
}

impl From<Sort> for Param {
    fn from(sort: Sort) -> Param {
        match sort {
            Sort::Dtype => Param::Is(Kind::Dtype),
            Sort::Int => Param::Is(Kind::Int),
            Sort::Ints => Param::Is(Kind::Int.list()),
            Sort::Cells => Param::Cells,
        }
    }
}

impl Native for OfExtremes {
    fn name(&self) -> &str {
        self.name
    }

    fn params(&self) -> Vec<Param> {
        self.params.iter().map(|sort| Param::from(*sort)).collect()
    }

    fn may_refuse(&self) -> bool {
        self.refuses
    }

    fn ready(&self, _: &Arc<Context>, _: &mut Look<'_>, _: &[Term]) -> Result<bool, EngineStop> {
        Ok(true)
    }

    fn say(&self, _: &Arc<Context>, _: &mut View<'_>, _: &[Term]) -> Result<Goal, EngineStop> {
        Ok(Goal::succeed())
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        (self.calculate)(args)
    }
}

/// All of them.
pub(super) fn all() -> impl Iterator<Item = Arc<dyn Native>> {
    use Sort::{Cells, Int, Ints};
    let calculated = |name, params, calculate| OfExtremes {
        name,
        params,
        refuses: false,
        calculate,
    };
    let own = [
        calculated("Stepwise", &[Int, Int, Int, Cells], stepwise),
        calculated("SameNumber", &[Sort::Dtype, Cells, Cells], same_number),
        calculated("SameExtremes", &[Cells, Cells], same_extremes),
        calculated(
            "SumExtremes",
            &[Sort::Dtype, Cells, Cells, Cells],
            sum_extremes,
        ),
        calculated("AllNonzero", &[Cells, Ints, Int, Cells], all_nonzero),
        OfExtremes {
            refuses: true,
            ..calculated("ExtremesWithin", &[Cells, Ints, Int], extremes_within)
        },
    ];
    own.into_iter().map(|own| Arc::new(own) as Arc<dyn Native>)
}

/// `Stepwise(from, by, n, v)`: `v` are `n` numbers, the first is `from` and each is `by` more than the one before.
fn stepwise(args: &mut dyn Arguments) -> Result<(), Stop> {
    let (first, by, n) = (args.num(0)?, args.num(1)?, args.num(2)?);
    let Some(by) = by.int() else {
        return Ok(());
    };
    let moves = args.combine(&[(n, 1), (Num::ONE, -1)])?;
    let last = args.combine(&[(first, 1), (moves, by)])?;
    let (least, greatest) = match by {
        ..0 => (last, first),
        _ => (first, last),
    };
    args.say_extremes(3, Extremes { least, greatest })
}

/// `SameNumber(T, x, v)`: all members of `v` are the one of `x`, of an integer dtype `T` or truth values.
fn same_number(args: &mut dyn Arguments) -> Result<(), Stop> {
    let counted = DtypeSet::INT.union(DtypeSet::UINT).union(DtypeSet::BOOL);
    if args.is_hidden(1) || !counted.contains(args.dtype(0)?) {
        return Ok(());
    }
    let [x] = args.numbers(1)? else {
        return Ok(());
    };
    let (least, greatest) = (*x, *x);
    args.say_extremes(2, Extremes { least, greatest })
}

/// `SameExtremes(v, w)`: where `w` has members, they are those of `v`, in any order and any number.
fn same_extremes(args: &mut dyn Arguments) -> Result<(), Stop> {
    match args.extremes(0)? {
        Some(extremes) => args.say_extremes(1, extremes),
        None => Ok(()),
    }
}

/// `SumExtremes(T, v, w, z)`: where `z` has members, they are sums, in the dtype `T`, of one member of `v` and one of `w`. It is used where all
/// members of one of the two are the same number, and for the dtypes in which sizes are calculated: others wrap around.
fn sum_extremes(args: &mut dyn Arguments) -> Result<(), Stop> {
    let (Extremes { least, greatest }, added) = match (args.extremes(1)?, args.extremes(2)?) {
        (Some(own), None) => (own, 2),
        (None, Some(own)) => (own, 1),
        _ => return Ok(()),
    };
    let of_sizes = matches!(args.dtype(0)?, Dtype::I32 | Dtype::I64);
    if !of_sizes || args.is_hidden(added) {
        return Ok(());
    }
    let by = match args.numbers(added)? {
        [by, rest @ ..] if rest.iter().all(|other| other == by) => *by,
        _ => return Ok(()),
    };
    let extremes = Extremes {
        least: args.combine(&[(least, 1), (by, 1)])?,
        greatest: args.combine(&[(greatest, 1), (by, 1)])?,
    };
    args.say_extremes(3, extremes)
}

/// `AllNonzero(v, shape, n, at)`: of the members `v` of a tensor of this shape `n` are not 0, and they stand at `at`. It is about members all of
/// which are 0, or none.
fn all_nonzero(args: &mut dyn Arguments) -> Result<(), Stop> {
    let Some(Extremes { least, greatest }) = args.extremes(0)? else {
        return Ok(());
    };
    let shape = Numbers::from_slice(args.numbers(1)?);
    let count = match (args.bounds(least), args.bounds(greatest)) {
        ((0, 0), (0, 0)) => Num::ZERO,
        ((1.., _), _) | (_, (_, ..0)) => product(args, &shape)?,
        _ => return Ok(()),
    };
    args.say_num(2, count)?;
    if shape.len() != 1 {
        return Ok(());
    }
    let extremes = Extremes {
        least: Num::ZERO,
        greatest: args.combine(&[(count, 1), (Num::ONE, -1)])?,
    };
    args.say_extremes(3, extremes)
}

/// `ExtremesWithin(v, shape, d)`: each of the members `v` of a tensor of this shape is a place among `d` ones, which may be counted from the
/// end. It is about lists whose members are not known.
fn extremes_within(args: &mut dyn Arguments) -> Result<(), Stop> {
    let Some(Extremes { least, greatest }) = args.extremes(0)? else {
        return Ok(());
    };
    let shape = Numbers::from_slice(args.numbers(1)?);
    let d = args.num(2)?;
    let count = product(args, &shape)?;
    let below = args.combine(&[(d, 1), (greatest, -1), (Num::ONE, -1)])?;
    require(args, below, d, count)?;
    let above = args.combine(&[(d, 1), (least, 1)])?;
    require(args, above, d, count)
}

/// The product of these.
fn product(args: &mut dyn Arguments, factors: &[Num]) -> Result<Num, Stop> {
    let mut product = Num::ONE;
    for n in factors {
        product = args.multiply(product, *n)?;
    }
    Ok(product)
}

/// From now on `n` is not negative where there are members, of which there are `count`; without any it would be `empty`.
fn require(args: &mut dyn Arguments, n: Num, empty: Num, count: Num) -> Result<(), Stop> {
    // Mostly `n` is not negative without members either. Then the condition is shorter.
    let with_count = args.combine(&[(n, 1), (count, 1)])?;
    if args.bounds(with_count).0 >= 0 {
        return args.require_natural(n);
    }
    let some = args.min(&[count, Num::ONE])?;
    let apart = args.combine(&[(empty, 1), (n, -1)])?;
    let apart = args.multiply(some, apart)?;
    let n = args.combine(&[(empty, 1), (apart, -1)])?;
    args.require_natural(n)
}
