//! The steps of a body, each as soon as it can be taken.

use super::store::Val;
use super::take_apart::fits;
use super::value::{ElementType, OpenDtype};
use super::{Evaluator, Frame, Residual, Residuals, Stop};
use crate::rules::rule::{Body, Either, Number, Step, Value};
use kanshape_engine::Num;
use kanshape_syntax::tree::CmpOp;
use kanshape_types::DtypeSet;
use smallvec::SmallVec;

/// What waits until more is known.
pub(super) type Waiting<'a> = SmallVec<[Todo<'a>; 4]>;

/// Something that is still to be done.
#[derive(Clone, Copy)]
pub(super) enum Todo<'a> {
    Step(&'a Step),
    /// An argument that came before its pattern could be taken apart.
    Match(&'a Value, Val),
}

impl Todo<'_> {
    /// Calls `f` with each slot that it speaks of.
    fn each_slot(&self, f: &mut dyn FnMut(usize)) {
        match self {
            Todo::Step(step) => step.each_slot(f),
            Todo::Match(pattern, _) => pattern.each_slot(f),
        }
    }
}

/// Is something known?
enum Look {
    Yes,
    NotYet,
    Never,
}

impl<'a> Evaluator<'a> {
    /// Makes steps hold, beside what waits already. The frame then has what follows.
    pub(super) fn settle(
        &mut self,
        frame: Frame,
        steps: &'a [Step],
        waiting: &mut Waiting<'a>,
    ) -> Result<(), Stop> {
        self.steps(frame, steps, waiting)?;
        match waiting.is_empty() {
            true => Ok(()),
            false => self.settle_waiting(frame, waiting),
        }
    }

    #[inline(never)]
    fn settle_waiting(&mut self, frame: Frame, waiting: &mut Waiting<'a>) -> Result<(), Stop> {
        while !waiting.is_empty() {
            let learnt = self.learnt;
            let pending = std::mem::take(waiting);
            for todo in &pending {
                self.todo(frame, *todo, waiting)?;
            }
            if waiting.len() < pending.len() || self.learnt != learnt {
                if self.depth == 0 {
                    self.dropping = false;
                }
                continue;
            }
            // What waits for something that nobody says, says nothing; but first everybody else has to have had his
            // say.
            let hints = waiting.iter().all(|todo| self.is_hint(frame, *todo));
            match hints && (self.depth == 0 || self.dropping) {
                true => {
                    self.leave_dtypes_open(frame, waiting);
                    return waiting.iter().try_for_each(|t| self.give_up(frame, *t));
                }
                false if self.depth == 0 && !self.dropping => self.dropping = true,
                false => return Err(Stop::Wait),
            }
        }
        Ok(())
    }

    pub(super) fn steps(
        &mut self,
        frame: Frame,
        steps: &'a [Step],
        waiting: &mut Waiting<'a>,
    ) -> Result<(), Stop> {
        for step in steps {
            self.todo(frame, Todo::Step(step), waiting)?;
        }
        Ok(())
    }

    /// Does something, or has it wait.
    fn todo(
        &mut self,
        frame: Frame,
        todo: Todo<'a>,
        waiting: &mut Waiting<'a>,
    ) -> Result<(), Stop> {
        self.spend(1)?;
        let done = match todo {
            Todo::Step(step) => self.step(frame, step, waiting),
            Todo::Match(pattern, val) => self.take_apart(frame, pattern, val),
        };
        match done {
            Ok(true) => Ok(()),
            Ok(false) | Err(Stop::Wait) => {
                waiting.push(todo);
                Ok(())
            }
            Err(stop) => Err(stop),
        }
    }

    /// Takes a step. What it is made of may have to wait for itself.
    fn step(
        &mut self,
        frame: Frame,
        step: &'a Step,
        waiting: &mut Waiting<'a>,
    ) -> Result<bool, Stop> {
        match step {
            Step::Fail => Err(Stop::Fail),
            Step::Equal(a, b) => self.equal(frame, a, b),
            Step::Compare(a, op, b) => match (self.eval(frame, a)?, *op, self.eval(frame, b)?) {
                (Val::Int(a), op, Val::Int(b)) => self.compare(a, op, b).map(|()| true),
                (Val::Dtype(a), CmpOp::Ne, Val::Dtype(b)) => match (a.known(), b.known()) {
                    (Some(a), Some(b)) => fits(a != b),
                    _ if (a.set() & b.set()).is_empty() => Ok(true),
                    _ => Err(Stop::Leave),
                },
                _ => Err(Stop::Leave),
            },
            Step::Class(dtype, set) => match self.eval(frame, dtype)? {
                Val::Dtype(dtype) => self.dtype_among(dtype, *set).map(|()| true),
                _ => Err(Stop::Leave),
            },
            Step::Among(number, numbers) => {
                let n = self.eval(frame, number)?.num()?;
                self.among(n, numbers).map(|()| true)
            }
            Step::Member(number, list) => {
                let n = self.eval(frame, number)?.num()?;
                let list = self.eval(frame, list)?.numbers()?;
                self.spend_on(list.len())?;
                let list = self.store.numbers(list);
                let is_int = |n: &Num| n.int().is_some();
                match list.contains(&n) {
                    true => Ok(true),
                    false if is_int(&n) && list.iter().all(is_int) => Err(Stop::Fail),
                    // Which one it is depends on names.
                    false => Err(Stop::Leave),
                }
            }
            Step::Call(rule, args) => self.call_step(frame, *rule, args),
            Step::Broadcast(out, args) => self.broadcast(frame, out, args),
            Step::Either(either) => self.either(frame, &either.ways, waiting),
            Step::Known(terms, body) => match self.look(frame, terms)? {
                Look::Yes => self.known(frame, body, waiting),
                Look::NotYet => Ok(false),
                Look::Never => Ok(true),
            },
        }
    }

    /// From now on the number is one of these.
    fn among(&mut self, n: Num, numbers: &[Number]) -> Result<(), Stop> {
        let integers = numbers.iter().map(|own| match own {
            Number::Int(own) => i64::try_from(*own).ok(),
            _ => None,
        });
        let Some(n_int) = n.int() else {
            let integers: Option<Box<[i64]>> = integers.collect();
            return self.leave_open(Residual::Among(n, integers.ok_or(Stop::Leave)?));
        };
        fits(integers.into_iter().any(|own| own == Some(n_int))).map(|_| ())
    }

    /// What follows once something is known.
    fn known(
        &mut self,
        frame: Frame,
        body: &'a Either,
        waiting: &mut Waiting<'a>,
    ) -> Result<bool, Stop> {
        for way in &body.ways {
            self.steps(frame, &way.steps, waiting)?;
        }
        Ok(true)
    }

    fn equal(&mut self, frame: Frame, a: &'a Value, b: &'a Value) -> Result<bool, Stop> {
        for (from, to) in [(a, b), (b, a)] {
            match self.eval(frame, from) {
                Ok(val) => return self.take_apart(frame, to, val),
                Err(Stop::Wait) => {}
                Err(stop) => return Err(stop),
            }
        }
        // The one may know at least how long the other is.
        for (from, to) in [(a, b), (b, a)] {
            if let Value::Slot(slot) = from {
                let val @ Val::Length(_) = self.get(frame, *slot) else {
                    continue;
                };
                self.take_apart(frame, to, val)?;
            }
        }
        Ok(false)
    }

    /// Are these known? A list is when its length is, and what may be left out is when it is known whether it is.
    fn look(&mut self, frame: Frame, terms: &'a [Value]) -> Result<Look, Stop> {
        let mut look = Look::Yes;
        for term in terms {
            match term {
                Value::Slot(slot) => match self.get(frame, *slot) {
                    Val::Hidden | Val::Extremes(_) => return Ok(Look::Never),
                    Val::Open | Val::Ignored => look = Look::NotYet,
                    // A name is no number yet.
                    val if val.is_atom() => look = Look::NotYet,
                    _ => {}
                },
                term => match self.eval(frame, term) {
                    Ok(val) if val.is_atom() => look = Look::NotYet,
                    Ok(_) => {}
                    Err(Stop::Wait) => look = Look::NotYet,
                    Err(stop) => return Err(stop),
                },
            }
        }
        Ok(look)
    }

    /// Is it irrelevant if it is never done? A dtype of which nobody says more can be any that it may be.
    fn is_hint(&self, frame: Frame, todo: Todo<'_>) -> bool {
        match todo {
            Todo::Step(Step::Known(..)) => true,
            Todo::Step(Step::Call(rule, _)) => self.library.rule(*rule).native.is_some(),
            Todo::Step(Step::Class(Value::Slot(slot), set)) => {
                matches!(self.get(frame, *slot), Val::Open) && *set != DtypeSet::EMPTY
            }
            _ => false,
        }
    }

    /// A dtype that is constrained by its class alone becomes an open dtype of this call, which is unlike that of any other call.
    fn leave_dtypes_open(&mut self, frame: Frame, waiting: &mut Waiting<'a>) {
        // A caller may constrain it further.
        let Some(mut number) = self.fresh.filter(|_| self.depth == 0 && self.trials == 0) else {
            return;
        };
        let class = |todo: &Todo<'a>| match todo {
            Todo::Step(Step::Class(Value::Slot(slot), set)) => Some((*slot, *set)),
            _ => None,
        };
        let mut of_others: SmallVec<[usize; 8]> = SmallVec::new();
        for todo in waiting.iter().filter(|todo| class(todo).is_none()) {
            todo.each_slot(&mut |slot| of_others.push(slot));
        }
        let mut open: SmallVec<[(usize, DtypeSet); 4]> = SmallVec::new();
        for (slot, set) in waiting.iter().filter_map(class) {
            if of_others.contains(&slot) {
                continue;
            }
            match open.iter_mut().find(|own| own.0 == slot) {
                Some((_, own)) => *own &= set,
                None => open.push((slot, set)),
            }
        }
        open.retain(|(_, set)| *set != DtypeSet::EMPTY);
        for (slot, set) in &open {
            let dtype = match set.single() {
                Some(dtype) => ElementType::from(dtype),
                None => {
                    number += 1;
                    ElementType::Open(OpenDtype::fresh(number - 1, *set))
                }
            };
            self.stack[frame.0 + slot] = Val::Dtype(dtype);
        }
        self.fresh = Some(number);
        waiting.retain(|todo| class(todo).is_none_or(|own| open.iter().all(|o| o.0 != own.0)));
    }

    /// It is not going to be done. So nobody may say later what it waits for.
    fn give_up(&mut self, frame: Frame, todo: Todo<'_>) -> Result<(), Stop> {
        self.has_dropped = true;
        let mut hide = |slot: usize| {
            let val = &mut self.stack[frame.0 + slot];
            let was_open = matches!(val, Val::Open);
            if was_open {
                *val = Val::Hidden;
            }
            was_open
        };
        match todo {
            Todo::Step(Step::Known(terms, _)) => {
                let mut hide = |slot| {
                    hide(slot);
                };
                terms.iter().for_each(|term| term.each_slot(&mut hide));
            }
            Todo::Step(Step::Call(_, terms)) => {
                for term in terms {
                    if let Value::Slot(slot) = term {
                        hide(*slot);
                    }
                }
            }
            // Somebody else has given it up: both may not go together.
            Todo::Step(Step::Class(Value::Slot(slot), _)) if !hide(*slot) => {
                return Err(Stop::Leave);
            }
            _ => {}
        }
        Ok(())
    }

    /// Just one of the bodies has to hold.
    fn either(
        &mut self,
        frame: Frame,
        ways: &'a [Body],
        waiting: &mut Waiting<'a>,
    ) -> Result<bool, Stop> {
        let mut may_hold = ways
            .iter()
            .filter(|way| self.guards_may_hold(frame, &way.guards));
        let first = may_hold.next().ok_or(Stop::Fail)?;
        match may_hold.next() {
            // The only one left: what it says holds.
            None => self.steps(frame, &first.steps, waiting).map(|()| true),
            Some(_) => self.one_way(frame, ways),
        }
    }

    /// Commits to the only alternative that can hold ([`only_one`]).
    #[inline(never)]
    fn one_way(&mut self, frame: Frame, ways: &'a [Body]) -> Result<bool, Stop> {
        let top = self.stack.len();
        let learnt = self.learnt;
        let mut found: Option<Held> = None;
        for way in ways {
            if !self.guards_may_hold(frame, &way.guards) {
                continue;
            }
            self.stack.extend_from_within(frame.0..top);
            self.depth += 1;
            let (held, open) =
                self.try_out(|run| run.settle(Frame(top), &way.steps, &mut Waiting::new()));
            self.depth -= 1;
            let own = held.map(|()| SmallVec::from_slice(&self.stack[top..]));
            self.stack.truncate(top);
            self.learnt = learnt;
            if only_one(&mut found, own, open, &self.stack[frame.0..]).is_err() {
                return Ok(false);
            }
        }
        // No other can hold, whatever the names are: so what this one needs has to hold.
        let (found, open) = found.ok_or(Stop::Fail)?;
        self.stack[frame.0..].copy_from_slice(&found);
        open.into_iter().try_for_each(|r| self.leave_open(r))?;
        self.learnt += 1;
        Ok(true)
    }
}

/// What an alternative that holds makes of the variables, and what has to hold between names for it.
pub(super) type Held = (SmallVec<[Val; 16]>, Residuals);

/// Adds an alternative to those before it, of which at most one may hold. Several may if none of them binds a variable or leaves
/// something open: they are equal.
///
/// # Errors
/// [`Stop::Wait`] if two hold that are not equal, or more has to be known first.
pub(super) fn only_one(
    found: &mut Option<Held>,
    held: Result<SmallVec<[Val; 16]>, Stop>,
    open: Residuals,
    before: &[Val],
) -> Result<(), Stop> {
    let binds_nothing =
        |vals: &[Val], open: &Residuals| open.is_empty() && is_as_before(before, vals);
    match (held, &found) {
        (Err(Stop::Fail), _) => Ok(()),
        (Ok(vals), None) => {
            *found = Some((vals, open));
            Ok(())
        }
        (Ok(vals), Some((other, other_open)))
            if binds_nothing(&vals, &open) && binds_nothing(other, other_open) =>
        {
            Ok(())
        }
        (Ok(_) | Err(Stop::Wait | Stop::Leave), _) => Err(Stop::Wait),
    }
}

/// Has nothing become known of these? A value that is known is never another: only one of which nothing, or only the length
/// or the presence is known, becomes one of another kind.
fn is_as_before(before: &[Val], after: &[Val]) -> bool {
    let mut all = before.iter().zip(after);
    all.all(|(a, b)| std::mem::discriminant(a) == std::mem::discriminant(b))
}
