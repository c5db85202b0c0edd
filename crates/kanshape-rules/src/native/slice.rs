//! Where a slice ends.

use super::{Native, Param};
use crate::encode::Kind;
use crate::rules::native::{Arguments, Stop};
use kanshape_engine::Int;

/// `EndOf(e, d, end)`: an end `e` on an axis of `d`. `end` is `d` where `e` is a number that means the end of any axis, which is
/// what exporters write for it: the greatest of 32 bits or more. Otherwise it is `e`.
///
/// A size that is not known is taken for itself: an axis as long as that is not met.
#[derive(Debug)]
pub(super) struct EndOf;

/// The least number that means the end of any axis.
const FAR: Int = i32::MAX as Int;

impl Native for EndOf {
    fn name(&self) -> &'static str {
        "EndOf"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Is(Kind::Int); 3]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), Stop> {
        let e = args.num(0)?;
        let end = match args.int(0) {
            Ok(FAR..) => args.num(1)?,
            Err(stop) if !args.is_of_sizes(e) => return Err(stop),
            Ok(_) | Err(_) => e,
        };
        args.say_num(2, end)
    }
}
