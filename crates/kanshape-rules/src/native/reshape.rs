//! Reshaping: what a list of sizes, 0 and -1 makes of a shape.

use super::{Native, Param, is_list, is_number, members, number};
use crate::encode::Kind;
use crate::rules::Context;
use crate::rules::native::{self, Arguments};
use kanshape_engine::{
    Constraint, Domain, Goal, Int, Linear, Look, Num, Part, Seq, Stop, Term, View,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// `Reshaped(sh, s, allowzero, to)`: `to` is the shape that `s` asks for of a tensor of shape `sh`. In `s`, -1
/// denotes the size that is left, and 0 for the dim of `sh` in its place unless `allowzero` is 1.
///
/// A size that is not known is taken for itself, though it might come to be 0. Where -1 denotes the remaining size,
/// dims that are copied or have the same symbol on both sides cancel: with nothing in the tensor, any size could
/// remain. Without -1 both sides have as many elements, 0 included, so nothing cancels.
#[derive(Debug)]
pub(super) struct Reshaped;

/// What a member of the list asks for.
enum Member {
    Copy,
    Left,
    Size(Linear),
}

impl Native for Reshaped {
    fn name(&self) -> &'static str {
        "Reshaped"
    }

    fn params(&self) -> Vec<Param> {
        let ints = || Param::Is(Kind::Int.list());
        vec![ints(), ints(), Param::Is(Kind::Int), ints()]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        if !is_list(look, &args[0]) || !is_list(look, &args[1]) || !is_number(look, &args[2])? {
            return Ok(false);
        }
        let rank = members(look, &args[0]).len();
        let copies = number(look, &args[2])? != 1;
        let mut known = true;
        for (i, l) in members(look, &args[1]).into_iter().enumerate() {
            let l = look.resolve(&l)?;
            look.note_form(&l);
            let constant = l.as_constant();
            // No dim is there to be copied, whatever the other members are.
            if copies && constant == Some(0) && i >= rank {
                return Ok(true);
            }
            known &= constant.is_some() || look.is_never_negative(&l);
        }
        Ok(known)
    }

    fn may_refuse(&self) -> bool {
        true
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let sizes = members(view, &args[0]);
        let allows_zero = number(view, &args[2])? == 1;
        let mut from: Vec<Option<Linear>> = Vec::with_capacity(sizes.len());
        for l in &sizes {
            from.push(Some(view.resolve(l)?));
        }
        let mut target = Vec::new();
        for l in members(view, &args[1]) {
            let l = view.resolve(&l)?;
            target.push(match l.as_constant() {
                Some(0) if !allows_zero => Member::Copy,
                Some(-1) => Member::Left,
                Some(..-1) => return Ok(Goal::fail()),
                _ => Member::Size(l),
            });
        }
        let left = target.iter().filter(|a| matches!(a, Member::Left)).count();
        // A 0 that stands for itself leaves any size for -1.
        let is_zero = |a: &Member| matches!(a, Member::Size(l) if l.as_constant() == Some(0));
        if left > 1 || (left == 1 && target.iter().any(is_zero)) {
            return Ok(Goal::fail());
        }
        // Copied dims first: each denotes the one in its place.
        let mut to: Vec<Linear> = Vec::with_capacity(target.len());
        for (i, a) in target.iter().enumerate() {
            let own = from.get_mut(i);
            to.push(match a {
                Member::Copy if left == 0 => match own {
                    Some(Some(l)) => l.clone(),
                    _ => return Ok(Goal::fail()),
                },
                Member::Copy => match own.and_then(Option::take) {
                    Some(l) => l,
                    None => return Ok(Goal::fail()),
                },
                Member::Size(l) => l.clone(),
                Member::Left => Linear::var(view.int(crate::encode::sizes())),
            });
        }
        let mut rest: Vec<Linear> = Vec::new();
        for (l, a) in to.iter().zip(&target) {
            match a {
                Member::Copy if left == 1 => {}
                Member::Size(own) if left == 1 => {
                    let same = from.iter_mut().find(|f| f.as_ref() == Some(own));
                    match same {
                        Some(same) => *same = None,
                        None => rest.push(l.clone()),
                    }
                }
                _ => rest.push(l.clone()),
            }
        }
        let from: Vec<Linear> = from.into_iter().flatten().collect();
        let mut goals = vec![Goal::equal(args[3].clone(), super::list(to))];
        match (&rest[..], &from[..]) {
            ([one], from) if from.iter().all(|l| l.as_constant().is_some()) => {
                let mut size: Int = 1;
                for l in from {
                    let n = l.as_constant().unwrap_or(1);
                    size = size.checked_mul(n).ok_or(Stop::Overflow)?;
                }
                goals.push(Goal::In(one.clone(), Domain::interval(size, size)));
            }
            ([one], [size]) => goals.push(Goal::equal(one.clone(), size.clone())),
            (rest, from) => {
                let product = Linear::var(view.int(crate::encode::naturals()));
                for side in [from, rest] {
                    let seq: Seq = side.iter().cloned().map(Part::One).collect();
                    let out = product.clone();
                    goals.push(Goal::Holds(Constraint::SeqProduct { out, seq }));
                }
            }
        }
        Ok(Goal::all(goals))
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let allows_zero = args.int(2)? == 1;
        let (from, target) = (args.numbers(0)?.to_vec(), args.numbers(1)?.to_vec());
        let shape = reshaped(args, &from, &target, allows_zero)?;
        args.say_numbers(3, &shape)
    }
}

/// What is queried, where all is known.
fn reshaped(
    args: &mut dyn Arguments,
    from: &[Num],
    target: &[Num],
    allows_zero: bool,
) -> Result<SmallVec<[Num; 4]>, native::Stop> {
    use native::Stop::{Fail, Leave};
    let mut to = SmallVec::<[Num; 4]>::new();
    let mut left = None;
    // What is on both sides is the same on both.
    let mut rest: Vec<Num> = from.to_vec();
    let has_left = target.iter().any(|s| s.int() == Some(-1));
    if allows_zero && has_left && target.iter().any(|s| s.int() == Some(0)) {
        return Err(Fail);
    }
    let mut known = Num::ONE;
    for (i, s) in target.iter().enumerate() {
        let dim = match s.int() {
            Some(0) if !allows_zero => *from.get(i).ok_or(Fail)?,
            Some(-1) if left.is_some() => return Err(Fail),
            Some(-1) => {
                left = Some(i);
                to.push(Num::ONE);
                continue;
            }
            Some(..0) => return Err(Fail),
            Some(_) => *s,
            // It may be 0, which copies a dim unless that is the same.
            None if allows_zero || args.is_never_zero(*s) || from.get(i) == Some(s) => *s,
            None => return Err(Leave),
        };
        to.push(dim);
        match rest
            .iter()
            .position(|own| has_left && *own == dim && own.int().is_none())
        {
            Some(at) => {
                rest.remove(at);
            }
            None => known = args.multiply(known, dim)?,
        }
    }
    let mut total = Num::ONE;
    for dim in rest {
        total = args.multiply(total, dim)?;
    }
    match left {
        // Of nothing, anything could be left.
        Some(_) if known == Num::ZERO => Err(Leave),
        Some(i) => {
            let are_integers = total.int().is_some() && known.int().is_some();
            match args.exact_div(total, known) {
                Some(part) => to[i] = part,
                None if are_integers => return Err(Fail),
                None => return Err(Leave),
            }
            Ok(to)
        }
        None => {
            args.equate(total, known)?;
            Ok(to)
        }
    }
}

/// `ReshapeDim(s, d, o)`: what a member `s` of the shape that a tensor is reshaped to says of the dim `o`
/// there, where the tensor had `d`. 0 denotes `d`, a size for itself, and -1 says nothing. A size that is
/// not known is taken for itself, though it might come to be 0.
#[derive(Debug)]
pub(super) struct ReshapeDim;

impl Native for ReshapeDim {
    fn name(&self) -> &'static str {
        "ReshapeDim"
    }

    fn params(&self) -> Vec<Param> {
        vec![Param::Is(Kind::Int); 3]
    }

    fn ready(&self, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        let Term::Int(s) = look.walk(&args[0]) else {
            return Ok(false);
        };
        let s = look.resolve(&s)?;
        look.note_form(&s);
        Ok(s.as_constant().is_some() || look.is_never_negative(&s))
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let Term::Int(s) = view.walk(&args[0]) else {
            return Ok(Goal::succeed());
        };
        Ok(match view.resolve(&s)?.as_constant() {
            Some(0) => Goal::equal(args[2].clone(), args[1].clone()),
            Some(-1) => Goal::succeed(),
            Some(..-1) => Goal::fail(),
            _ => Goal::equal(args[2].clone(), args[0].clone()),
        })
    }
    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let size = args.num(0)?;
        match size.int() {
            Some(-1) => Ok(()),
            // It copies what nobody speaks of.
            Some(0) if args.is_ignored(1) => Ok(()),
            Some(0) => {
                let copied = args.num(1)?;
                args.say_num(2, copied)
            }
            Some(..0) => Err(native::Stop::Fail),
            Some(_) => args.say_num(2, size),
            None if args.is_never_zero(size) => args.say_num(2, size),
            None => Err(native::Stop::Leave),
        }
    }
}
