//! Sizes that two things have in common.

use super::{Native, Param};
use crate::encode::Kind;
use crate::rules::native::{Arguments, Stop};

/// `IfSame(a, b, c)`: `c` is `a` where `a` and `b` are the same size, and anything where they differ. Sizes that are not
/// known may be the same one all the same.
#[derive(Debug)]
pub(super) struct IfSame;

impl Native for IfSame {
    fn name(&self) -> &'static str {
        "IfSame"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Is(Kind::Int); 3]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        let (a, b) = (args.num(0)?, args.num(1)?);
        let are_known = a.int().is_some() && b.int().is_some();
        match a == b {
            true => args.say_num(2, a),
            false if are_known => Ok(()),
            // They may be the same one all the same.
            false => Err(Stop::Wait),
        }
    }
}
