//! Counting members.

use super::{Native, Param, is_ground_list, is_number, number, numbers};
use crate::encode::Kind;
use crate::rules::Context;
use kanshape_engine::{Goal, Int, Linear, Look, Stop, Term, View};
use std::collections::BTreeSet;
use std::sync::Arc;

/// `CountNonzero(v, n)`: `n` members are not 0.
#[derive(Debug)]
pub(super) struct CountNonzero;

/// `CountDistinct(v, parts, n)`: `v` is cut into `parts` parts of one length, of which `n` are different.
#[derive(Debug)]
pub(super) struct CountDistinct;

/// Says how many there are.
pub(super) fn says(arg: &Term, count: usize) -> Result<Goal, Stop> {
    let count = Int::try_from(count).map_err(|_| Stop::Overflow)?;
    Ok(Goal::equal(arg.clone(), Linear::constant(count)))
}

impl Native for CountNonzero {
    fn name(&self) -> &'static str {
        "CountNonzero"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Cells, Param::Is(Kind::Int)]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        is_ground_list(look, &args[0])
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        // The code of the float 0.0 is 0 as well.
        let all = numbers(view, &args[0])?;
        says(&args[1], all.into_iter().filter(|n| *n != 0).count())
    }
}

impl Native for CountDistinct {
    fn name(&self) -> &'static str {
        "CountDistinct"
    }

    fn params(&self) -> Vec<Param> {
        let int = || Param::Is(Kind::Int);
        vec![Param::Cells, int(), int()]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        Ok(is_ground_list(look, &args[0])? && is_number(look, &args[1])?)
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let all = numbers(view, &args[0])?;
        let parts = usize::try_from(number(view, &args[1])?).map_err(|_| Stop::Conflict)?;
        if parts == 0 || all.len() % parts != 0 {
            return says(&args[2], 0);
        }
        let part = all.len() / parts;
        let different: BTreeSet<&[Int]> = match part {
            // Nothing is like nothing.
            0 => BTreeSet::from([&[][..]]),
            part => all.chunks(part).collect(),
        };
        says(&args[2], different.len())
    }
}
