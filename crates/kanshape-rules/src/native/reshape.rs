//! Reshaping: what a list of sizes, 0 and -1 makes of a shape.

use super::{Native, Param, form, is_list, is_number, members, number};
use crate::encode::Kind;
use crate::rules::Context;
use crate::rules::native::{self, Arguments};
use kanshape_engine::{
    Constraint, Domain, Function, Goal, Int, Linear, Look, Num, Part, Seq, State, Stop, Term, View,
};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// `Reshaped(sh, s, allowzero, to)`: `to` is the shape that `s` requests for a tensor of shape `sh`. In `s`, -1
/// denotes the size that is left, and 0 for the dim of `sh` in its place unless `allowzero` is 1.
///
/// An unknown size that may be 0 copies a dim where it is 0. If the element counts agree whatever the sizes are, the size is
/// required to be 1 or more instead, unless the dim that would be copied is 0 as well, or another one is. That may be too much: a conflict with it is
/// none, and in a state that is exact nothing follows. Otherwise it is written as `size_or_copied`. Where -1 denotes the remaining size, dims that are copied or have the same
/// symbol on both sides cancel: with nothing in the tensor, any size could remain; other sizes in the list are required to be 1 or
/// more where the count is a multiple of them. Without -1 both sides have as many
/// elements, 0 included, so nothing cancels. Where they agree if a size in the list that is a quotient is one without a
/// remainder, that is required of it: it is too much only where another size is 0.
#[derive(Debug)]
pub(super) struct Reshaped;

/// What a member of the list denotes.
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

    fn may_refuse(&self) -> bool {
        true
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let allows_zero = args.int(2)? == 1;
        let (from, target) = (args.numbers(0)?.to_vec(), args.numbers(1)?.to_vec());
        let shape = reshaped(args, &from, &target, allows_zero)?;
        args.say_numbers(3, &shape)
    }

    // Of sizes that may be 0 or -1 the engine says what holds in either case, and what it has to assume.
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
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
        if let Some(goal) = one_open(args, &from, &target, allows_zero) {
            return Ok(goal);
        }
        let mut goals = Vec::new();
        let mut agree = false;
        if !allows_zero {
            (goals, agree) = sizes_that_copy(view, &from, &mut target)?;
            if left == 1 {
                goals.extend(sizes_of_something(view, &from, &target)?);
            }
            if !goals.is_empty() && view.is_exact() {
                return Ok(Goal::succeed());
            }
            goals.iter().for_each(|_| view.note_assumption());
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
        goals.push(Goal::equal(args[3].clone(), super::list(to)));
        if agree {
            return Ok(Goal::all(goals));
        }
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
}

/// The goal where all is a number but one size: the dim in its place is what the numbers leave, and the size is that dim, or 0
/// if it copies that dim. None if more is open, if any dim would do, or if the products are too large.
fn one_open(
    args: &[Term],
    from: &[Option<Linear>],
    target: &[Member],
    allows_zero: bool,
) -> Option<Goal> {
    let number = |l: &Option<Linear>| l.as_ref().and_then(Linear::as_constant);
    let mut own = from.iter().map(number);
    let total = own.try_fold(1, |p: Int, n| p.checked_mul(n?))?;
    let mut open = None;
    let mut others: Int = 1;
    let mut to = Vec::with_capacity(target.len());
    for (i, member) in target.iter().enumerate() {
        let dim = match member {
            Member::Left => return None,
            Member::Copy => from.get(i).and_then(number),
            Member::Size(l) => l.as_constant(),
        };
        match (dim, member) {
            (Some(n), _) => others = others.checked_mul(n)?,
            (None, Member::Size(l)) if open.is_none() => open = Some((i, l)),
            (None, _) => return None,
        }
        to.push(dim);
    }
    let (at, size) = open?;
    if others == 0 {
        return None;
    }
    if total % others != 0 {
        return Some(Goal::fail());
    }
    let dim = total / others;
    let is_copied = from.get(at).and_then(number) == Some(dim);
    let own = (dim > 0 || allows_zero).then_some(dim);
    let copying = (is_copied && !allows_zero).then_some(0);
    let sizes = Domain::of(own.into_iter().chain(copying));
    to[at] = Some(dim);
    let to = to.into_iter().flatten().map(Linear::constant);
    Some(Goal::all([
        Goal::In(size.clone(), sizes),
        Goal::equal(args[3].clone(), super::list(to)),
    ]))
}

/// Handles the sizes of the target that may be 0. If the element counts agree whatever the sizes are, and there are elements, the goals
/// exclude 0. Otherwise the size is replaced by `size_or_copied`, because the counts may agree only where a dim is copied; so it is where
/// another dim is 0 as well. Do the counts agree then?
fn sizes_that_copy(
    view: &mut View<'_>,
    from: &[Option<Linear>],
    target: &mut [Member],
) -> Result<(Vec<Goal>, bool), Stop> {
    let mut goals = Vec::new();
    let mut copying = Vec::new();
    for (i, member) in target.iter().enumerate() {
        let Member::Size(l) = member else { continue };
        let copied = from.get(i).and_then(Option::as_ref);
        if let Some(goal) = copies_nothing(view, l, copied)? {
            copying.push((i, l.clone(), copied.cloned(), goal));
        }
    }
    if copying.is_empty() {
        return Ok((goals, false));
    }
    let has_left = has_left(target);
    // Of nothing, the counts agree if a dim is copied as well.
    let is_nothing = !has_left && from.iter().flatten().any(|l| l.as_constant() == Some(0));
    let agree = !is_nothing && has_as_many(view, from, target, &[])?;
    let mut is_exact = !agree;
    if !is_nothing && !agree {
        let whole = quotients(view, target);
        if !whole.is_empty() && has_as_many(view, from, target, &whole)? {
            is_exact = false;
            let whole = whole.into_iter();
            goals.extend(whole.map(|(a, b)| Goal::equal(Term::Int(a), Term::Int(b))));
        }
    }
    let mut sizes = Vec::new();
    for (i, l, copied, goal) in copying {
        let is_free = is_exact || agree && !has_left && is_empty_with(view, from, target, i, &l)?;
        match copied {
            Some(copied) if is_free => sizes.push((i, size_or_copied(view, &l, &copied)?)),
            _ => goals.push(goal),
        }
    }
    for (i, size) in sizes {
        target[i] = Member::Size(size);
    }
    Ok((goals, agree && !has_left))
}

/// Does a member of the target denote the size that is left?
fn has_left(target: &[Member]) -> bool {
    target.iter().any(|member| matches!(member, Member::Left))
}

/// Is another dim of what is made 0 where the size at `i` is, so that both have no elements?
fn is_empty_with(
    view: &View<'_>,
    from: &[Option<Linear>],
    target: &[Member],
    i: usize,
    size: &Linear,
) -> Result<bool, Stop> {
    let factor = match (size.terms(), size.offset()) {
        ([(v, 1..)], 0) => Linear::var(*v),
        _ => size.clone(),
    };
    for (j, member) in target.iter().enumerate().filter(|(j, _)| *j != i) {
        let copied = from.get(j).and_then(Option::as_ref);
        let is_0 = |l: &Linear| view.is_multiple(l, &factor);
        let is_empty = match (member, copied) {
            (Member::Size(own), Some(copied)) => is_0(own)? && is_0(copied)?,
            (Member::Copy, Some(copied)) => is_0(copied)?,
            _ => false,
        };
        if is_empty {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where -1 denotes the size that is left: the sizes by which the count of the input is divided are 1 or more. A size that copies a dim
/// where it is 0 has been handled, and one that is a dim of the input as well is divided by in no case.
fn sizes_of_something(
    view: &mut View<'_>,
    from: &[Option<Linear>],
    target: &[Member],
) -> Result<Vec<Goal>, Stop> {
    let mut dims: Vec<&Linear> = from.iter().flatten().collect();
    let mut goals = Vec::new();
    for member in target {
        let Member::Size(l) = member else { continue };
        if let Some(at) = dims.iter().position(|dim| *dim == l) {
            dims.swap_remove(at);
        } else if view.may_be(l, 0) {
            let some = Domain::interval(1, crate::encode::MAX_SIZE);
            goals.push(Goal::In(l.clone(), some));
        }
    }
    match goals.is_empty() || has_as_many(view, from, target, &[])? {
        true => Ok(goals),
        false => Ok(Vec::new()),
    }
}

/// The sizes of a target without -1 that are quotients, as `h` and `4*(h//4)`: the same where nothing is left over.
fn quotients(view: &View<'_>, target: &[Member]) -> Vec<(Linear, Linear)> {
    if has_left(target) {
        return Vec::new();
    }
    let quotient = |member: &Member| match member {
        Member::Size(l) => {
            let (of, by) = view.quotient_of(l.as_var()?)?;
            // A sum would be solved for one of its parts, of which more may be known than that.
            let is_product = of.terms().len() == 1 && of.offset() == 0;
            Some((of, l.scaled(by).ok()?)).filter(|_| is_product)
        }
        Member::Copy | Member::Left => None,
    };
    target.iter().filter_map(quotient).collect()
}

/// Do the element counts agree whatever the sizes are, if no size copies a dim and these are the same? With -1 in the target: is the
/// count of the input a multiple of the product of the other sizes?
fn has_as_many(
    view: &View<'_>,
    from: &[Option<Linear>],
    target: &[Member],
    same: &[(Linear, Linear)],
) -> Result<bool, Stop> {
    let mut state: State = (**view).clone();
    for (a, b) in same {
        match state.equate(a, b) {
            Ok(()) => {}
            Err(Stop::Conflict) => return Ok(false),
            Err(stop) => return Err(stop),
        }
    }
    let mut has_left = false;
    let mut to = Vec::with_capacity(target.len());
    for (i, member) in target.iter().enumerate() {
        match member {
            Member::Left => has_left = true,
            Member::Size(l) => to.push(l.clone()),
            // That there is no dim to copy is refused by the caller.
            Member::Copy => to.extend(from.get(i).cloned().flatten()),
        }
    }
    let from: Vec<Linear> = from.iter().flatten().cloned().collect();
    let mut product = |side: &[Linear]| {
        let side = side.iter().map(|l| state.resolve(l));
        let side = side.collect::<Result<Vec<Linear>, Stop>>()?;
        let product = state.apply(Function::Product, &side, Domain::ALL)?;
        state.resolve(&product)
    };
    let (from, to) = (product(&from)?, product(&to)?);
    match has_left {
        true => state.is_multiple(&from, &to),
        false => Ok(from == to),
    }
}

/// `max(l, copied*(1 - min(l, 1)))`: the size, or the dim that is copied where it is 0.
fn size_or_copied(view: &mut View<'_>, l: &Linear, copied: &Linear) -> Result<Linear, Stop> {
    let one = Linear::constant(1);
    if *copied == one {
        return view.apply(Function::Max, &[l.clone(), one], crate::encode::naturals());
    }
    let is_some = view.apply(
        Function::Min,
        &[l.clone(), one.clone()],
        Domain::interval(0, 1),
    )?;
    let is_none = one.minus(&is_some)?;
    let copied = view.apply(
        Function::Product,
        &[copied.clone(), is_none],
        crate::encode::naturals(),
    )?;
    view.apply(
        Function::Max,
        &[l.clone(), copied],
        crate::encode::naturals(),
    )
}

/// What keeps the size `l`, if it comes to be 0, from being another one: that of the dim in its place, if there is one.
fn copies_nothing(
    view: &mut View<'_>,
    l: &Linear,
    copied: Option<&Linear>,
) -> Result<Option<Goal>, Stop> {
    if !view.may_be(l, 0) {
        return Ok(None);
    }
    let at_least_one = || Goal::In(l.clone(), Domain::interval(1, crate::encode::MAX_SIZE));
    let Some(copied) = copied else {
        return Ok(Some(at_least_one()));
    };
    if copied.as_constant() == Some(0) || view.is_never_negative(&l.minus(copied)?) {
        return Ok(None);
    }
    if !view.may_be(copied, 0) {
        return Ok(Some(at_least_one()));
    }
    // Where the dim is not 0, its factors are not.
    let mut rest = view.without_factors_of(l, copied)?;
    if let ([(v, 1..)], 0) = (rest.terms(), rest.offset()) {
        rest = Linear::var(*v);
    }
    if !view.may_be(&rest, 0) {
        return Ok(None);
    }
    let least = Linear::var(view.int(Domain::interval(0, 1)));
    let min = Constraint::Apply {
        function: Function::Min,
        args: smallvec![copied.clone(), Linear::constant(1)],
        out: least.clone(),
    };
    let no_less = Constraint::NonNegative(rest.minus(&least)?);
    Ok(Some(Goal::all([Goal::Holds(min), Goal::Holds(no_less)])))
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
            // It may be -1.
            None if args.bounds(*s).0 < 0 => return Err(Leave),
            // It may be 0, which copies a dim unless that is the same.
            None if allows_zero || args.is_never_zero(*s) || from.get(i) == Some(s) => *s,
            // Where it is 0, the dim is as well.
            None if !has_left && is_multiple(args, from.get(i), *s) => *s,
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

/// Is a dim a multiple of a size, whatever the names denote?
fn is_multiple(args: &mut dyn Arguments, dim: Option<&Num>, size: Num) -> bool {
    dim.is_some_and(|dim| args.exact_div(*dim, size).is_some())
}

/// `ReshapeDim(s, sh, allowzero, o)`: what a member `s` of the shape that a tensor is reshaped to says of the dim `o` there,
/// before the tensor's own shape `sh` is known. It is `s` where that is a size; nothing follows from 0 unless `allowzero` is
/// 1, because 0 copies a dim, and from -1. An unknown size that may be 0 is `o` or 0: it waits until one of them or `sh` is known.
/// Once `sh` is known, [`Reshaped`] requires the rest.
#[derive(Debug)]
pub(super) struct ReshapeDim;

impl Native for ReshapeDim {
    fn name(&self) -> &'static str {
        "ReshapeDim"
    }

    fn params(&self) -> Vec<Param> {
        let int = || Param::Is(Kind::Int);
        vec![int(), Param::Is(Kind::Int.list()), int(), int()]
    }

    fn calculate(&self, args: &mut dyn Arguments) -> Result<(), native::Stop> {
        let size = args.num(0)?;
        match size.int() {
            Some(0 | -1) => Ok(()),
            Some(..0) => Err(native::Stop::Fail),
            Some(_) => args.say_num(3, size),
            None if args.bounds(size).0 >= 0 && args.is_never_zero(size) => args.say_num(3, size),
            // `Reshaped` says all that follows.
            None if args.numbers(1).is_ok() => Ok(()),
            None => Err(native::Stop::Leave),
        }
    }

    // A size that may be 0 is bounded by the dim, where nobody says which it is.
    fn ready(&self, _: &Arc<Context>, look: &mut Look<'_>, args: &[Term]) -> Result<bool, Stop> {
        let Term::Int(s) = look.walk(&args[0]) else {
            return Ok(false);
        };
        let s = look.resolve(&s)?;
        look.note_form(&s);
        if s.as_constant().is_some() {
            return Ok(true);
        }
        if !look.is_never_negative(&s) {
            return Ok(false);
        }
        let may_copy = !is_number(look, &args[2])? || number(look, &args[2])? != 1;
        if !may_copy || !look.may_be(&s, 0) {
            return Ok(true);
        }
        Ok(is_number(look, &args[3])? || is_list(look, &args[1]))
    }

    fn say(&self, _: &Arc<Context>, view: &mut View<'_>, args: &[Term]) -> Result<Goal, Stop> {
        let s = form(view, &args[0])?;
        let is_size = || Goal::equal(args[3].clone(), args[0].clone());
        Ok(match s.as_constant() {
            Some(0 | -1) => Goal::succeed(),
            Some(..-1) => Goal::fail(),
            Some(_) => is_size(),
            None if !view.may_be(&s, 0) => is_size(),
            None if form(view, &args[2])?.as_constant() == Some(1) => is_size(),
            None => match form(view, &args[3])?.as_constant() {
                Some(dim) => Goal::In(s, Domain::of([0, dim])),
                None => Goal::succeed(),
            },
        })
    }
}
