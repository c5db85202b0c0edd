//! Where a slice ends.

use super::{Native, Param, member};
use crate::encode::Kind;
use crate::rules::Context;
use crate::rules::native::{self, Arguments};
use kanshape_engine::{Goal, Int, Linear, Look, Stop, Term, View};
use std::sync::Arc;

/// `EndOf(e, d, end)`: an end `e` on an axis of `d`. `end` is `d` where `e` is a number that means the end of any axis, which is
/// what exporters write for it: the greatest of 32 bits or more. Otherwise it is `e`.
///
/// A size that is not known is taken for itself: an axis as long as that is not met.
#[derive(Debug)]
pub(super) struct EndOf;

/// The least number that means the end of any axis.
const FAR: i64 = i32::MAX as i64;

impl Native for EndOf {
    fn name(&self) -> &'static str {
        "EndOf"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Is(Kind::Int); 3]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        let Term::Int(e) = look.walk(&args[0]) else {
            return Ok(false);
        };
        let e = look.resolve(&e)?;
        look.note_form(&e);
        // A size, or something that is calculated of sizes.
        let negative = e.scaled(-1)?;
        Ok(e.as_constant().is_some()
            || look.bounds(&e).0 >= Int::from(i64::MIN)
            || look.is_never_negative(&e)
            || look.is_never_negative(&negative))
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let Some(e) = member(view, &args[0]) else {
            return Ok(Goal::succeed());
        };
        let e: Linear = view.resolve(&e)?;
        let is_far = e.as_constant().is_some_and(|e| e >= Int::from(FAR));
        let end = if is_far { &args[1] } else { &args[0] };
        Ok(Goal::equal(args[2].clone(), end.clone()))
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let e = args.num(0)?;
        match e.int() {
            Some(FAR..) => {
                let d = args.num(1)?;
                args.say_num(2, d)
            }
            _ => args.say_num(2, e),
        }
    }
}
