//! Counting members.

use super::{Native, Param};
use crate::encode::Kind;
use crate::rules::native::{Arguments, Stop};
use kanshape_engine::Int;
use std::collections::BTreeSet;

/// `CountNonzero(v, n)`: `n` members are not 0.
#[derive(Debug)]
pub(super) struct CountNonzero;

/// `CountDistinct(v, parts, n)`: `v` is cut into `parts` parts of one length, of which `n` are different.
#[derive(Debug)]
pub(super) struct CountDistinct;

/// Says how many there are.
pub(super) fn says(args: &mut dyn Arguments, i: usize, count: usize) -> Result<(), Stop> {
    args.say_int(i, Int::try_from(count).map_err(|_| Stop::Leave)?)
}

impl Native for CountNonzero {
    fn name(&self) -> &'static str {
        "CountNonzero"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Cells, Param::Is(Kind::Int)]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        // The code of the float 0.0 is 0 as well.
        let all = args.ints(0)?;
        says(args, 1, all.into_iter().filter(|n| *n != 0).count())
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

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        let all = args.ints(0)?;
        let parts = usize::try_from(args.int(1)?).map_err(|_| Stop::Fail)?;
        args.begin(0)?;
        if parts == 0 || all.len() % parts != 0 {
            return says(args, 2, 0);
        }
        let part = all.len() / parts;
        let different: BTreeSet<&[Int]> = match part {
            // Nothing is like nothing.
            0 => BTreeSet::from([&[][..]]),
            part => all.chunks(part).collect(),
        };
        says(args, 2, different.len())
    }
}
