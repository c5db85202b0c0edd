//! Sizes that two things have in common.

use super::{Native, Param};
use crate::encode::Kind;
use crate::rules::Context;
use crate::rules::native::{self, Arguments};
use kanshape_engine::{Goal, Linear, Look, Stop, Term, View};
use std::sync::Arc;

/// `IfSame(a, b, c)`: `c` is `a` where `a` and `b` are the same size, and anything where they differ. Sizes that are not
/// known may be the same one all the same.
#[derive(Debug)]
pub(super) struct IfSame;

/// Two sizes as far as they are known.
fn both(look: &mut Look<'_>, args: &[Term]) -> Result<Option<[Linear; 2]>, Stop> {
    let (Term::Int(a), Term::Int(b)) = (look.walk(&args[0]), look.walk(&args[1])) else {
        return Ok(None);
    };
    Ok(Some([look.resolve(&a)?, look.resolve(&b)?]))
}

impl Native for IfSame {
    fn name(&self) -> &'static str {
        "IfSame"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Is(Kind::Int); 3]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        let Some(both) = both(look, args)? else {
            return Ok(false);
        };
        both.iter().for_each(|l| look.note_form(l));
        let [a, b] = both;
        Ok(a == b || a.as_constant().is_some() && b.as_constant().is_some())
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let (Term::Int(a), Term::Int(b)) = (view.walk(&args[0]), view.walk(&args[1])) else {
            return Ok(Goal::succeed());
        };
        Ok(match view.resolve(&a)? == view.resolve(&b)? {
            true => Goal::equal(args[2].clone(), args[0].clone()),
            false => Goal::succeed(),
        })
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let (a, b) = (args.num(0)?, args.num(1)?);
        let are_known = a.int().is_some() && b.int().is_some();
        match a == b {
            true => args.say_num(2, a),
            false if are_known => Ok(()),
            // They may be the same one all the same.
            false => Err(native::Stop::Wait),
        }
    }
}
