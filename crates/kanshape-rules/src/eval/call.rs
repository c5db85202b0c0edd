//! Calls of relations: with what is known of the arguments, for the rest.

use super::arguments::OnStack;
use super::guard::may_be;
use super::step::{Held, Todo, Waiting, only_one};
use super::store::Val;
use super::{Evaluator, Frame, Stop};
use crate::limits::MAX_CALL_DEPTH;
use crate::rules::Rule;
use crate::rules::plan::{Plan, Planned};
use crate::rules::rule::Value;
use smallvec::SmallVec;

/// The arguments of a call.
#[derive(Clone, Copy)]
pub(super) struct Args {
    /// Where they begin on the stack.
    pub start: usize,
    /// Which of them are not known, one bit each.
    pub open: u64,
}

impl Args {
    /// The places of those that are not known.
    pub(super) fn open(self) -> impl Iterator<Item = usize> {
        let mut left = self.open;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros() as usize;
            // The last bit has been taken.
            left &= left.checked_sub(1)?;
            Some(place)
        })
    }
}

/// The bit of an argument. Of more arguments than there are bits, nothing is calculated.
fn bit(place: usize) -> Result<u64, Stop> {
    let place = u32::try_from(place).map_err(|_| Stop::Leave)?;
    1u64.checked_shl(place).ok_or(Stop::Leave)
}

impl<'a> Evaluator<'a> {
    /// A call as a step. `false` if some of its arguments have come out, but not all could be taken apart.
    pub(super) fn call_step(
        &mut self,
        frame: Frame,
        rule: usize,
        terms: &'a [Value],
    ) -> Result<bool, Stop> {
        let start = self.stack.len();
        let called = self.call_from(frame, rule, terms, start);
        self.stack.truncate(start);
        called
    }

    fn call_from(
        &mut self,
        frame: Frame,
        number: usize,
        terms: &'a [Value],
        start: usize,
    ) -> Result<bool, Stop> {
        let library = self.library;
        let rule = library.rule(number);
        let mut args = Args { start, open: 0 };
        for (i, term) in terms.iter().enumerate() {
            let val = match term {
                Value::Slot(slot) => self.get(frame, *slot),
                Value::Any(_) if rule.native.is_some() => Val::Ignored,
                Value::Any(_) => Val::Open,
                term => match self.eval(frame, term) {
                    Ok(val) => val,
                    Err(Stop::Wait) => Val::Open,
                    Err(stop) => return Err(stop),
                },
            };
            if val.is_open() {
                args.open |= bit(i)?;
            }
            self.stack.push(val);
        }
        // What is learnt inside of the call is no news here.
        let learnt = self.learnt;
        let called = match &rule.native {
            Some(native) => native.calculate(&mut OnStack {
                evaluator: self,
                start,
            }),
            None => self.relation(library.plan(number), args),
        };
        self.learnt = learnt;
        // Though more has to be known, something may have come out already.
        let mut all = match called {
            Err(Stop::Wait) => false,
            called => called.map(|()| true)?,
        };
        for i in args.open() {
            all &= self.take_apart(frame, &terms[i], self.stack[start + i])?;
        }
        Ok(all)
    }

    /// Fills in what a relation says of the arguments that are not known.
    fn relation(&mut self, plan: &'a Plan, args: Args) -> Result<(), Stop> {
        if let Some(walk) = &plan.walk
            && self.walk(walk, args)?
        {
            return Ok(());
        }
        if self.depth >= MAX_CALL_DEPTH {
            return Err(Stop::Leave);
        }
        let clauses = &plan.clauses;
        self.spend(1 + clauses.len() as u32 / 4)?;
        let first = self.candidate(clauses, args).ok_or(Stop::Fail)?;
        match self.candidate(&clauses[first + 1..], args) {
            None => self.inside(&clauses[first], args),
            Some(_) => self.one_of(&clauses[first..], args),
        }
    }

    /// The first clause that may hold, as far as a look shows.
    fn candidate(&self, clauses: &[Planned], args: Args) -> Option<usize> {
        let vals = &self.stack[args.start..];
        clauses.iter().position(|planned| {
            let mut pairs = planned.clause.head.iter().zip(vals);
            pairs.all(|(pattern, val)| may_be(pattern, *val))
        })
    }

    /// Fills in the arguments by the only clause of these that holds ([`only_one`]).
    #[inline(never)]
    fn one_of(&mut self, clauses: &'a [Planned], args: Args) -> Result<(), Stop> {
        let mut found: Option<Held> = None;
        let mut rest = clauses;
        while let Some(next) = self.candidate(rest, args) {
            let own = Args {
                start: self.stack.len(),
                ..args
            };
            self.stack.extend_from_within(args.start..own.start);
            let (held, open) = self.try_out(|run| run.inside(&rest[next], own));
            let vals = held.map(|()| SmallVec::from_slice(&self.stack[own.start..]));
            self.stack.truncate(own.start);
            only_one(&mut found, vals, open, &self.stack[args.start..])?;
            rest = &rest[next + 1..];
        }
        // No other can hold, whatever the names are: so what this one needs has to hold.
        let (found, open) = found.ok_or(Stop::Fail)?;
        self.stack[args.start..].copy_from_slice(&found);
        open.into_iter().try_for_each(|r| self.leave_open(r))
    }

    fn inside(&mut self, clause: &'a Planned, args: Args) -> Result<(), Stop> {
        self.depth += 1;
        let held = self.clause(clause, args);
        self.depth -= 1;
        held
    }

    /// Fills in the arguments by one clause, if it holds of those that are known. If it has to wait, what follows
    /// already is filled in.
    fn clause(&mut self, clause: &'a Planned, args: Args) -> Result<(), Stop> {
        let frame = Frame(self.stack.len());
        self.stack
            .resize(frame.0 + clause.clause.slots.len(), Val::Open);
        let held = self.clause_in(clause, args, frame);
        self.stack.truncate(frame.0);
        held
    }

    fn clause_in(&mut self, clause: &'a Planned, args: Args, frame: Frame) -> Result<(), Stop> {
        let Planned { clause, repeats } = clause;
        let mut waiting = Waiting::new();
        for (i, pattern) in clause.head.iter().enumerate() {
            let val = self.stack[args.start + i];
            if !self.take_apart(frame, pattern, val)? {
                waiting.push(Todo::Match(pattern, val));
            }
        }
        let settled = self.settle(frame, &clause.body.steps, &mut waiting);
        if let Err(Stop::Fail | Stop::Leave) = settled {
            return settled;
        }
        // Of what an operator gives, nobody says more.
        self.dropping |= self.depth == 0;
        let mut all = settled;
        for i in args.open() {
            let place = args.start + i;
            let val = match &clause.head[i] {
                Value::Any(_) => continue,
                Value::Slot(slot) => {
                    let val = self.get(frame, *slot);
                    if *repeats && val.is_open() {
                        // It may be the same as another one: only the engine can say so.
                        all = Err(Stop::Wait);
                    }
                    Ok(val)
                }
                pattern => self.eval(frame, pattern),
            };
            match val {
                Ok(val) => self.stack[place] = val,
                Err(Stop::Wait) => all = Err(Stop::Wait),
                Err(stop) => return Err(stop),
            }
        }
        all
    }

    /// The arguments of a rule from those that are known, which are the whole question.
    pub(super) fn whole(&mut self, rule: &'a Rule, args: &mut [Val]) -> Result<(), Stop> {
        if rule.native.is_some() {
            return Err(Stop::Leave);
        }
        let plan = self.library.plan_of(rule, usize::MAX);
        let mut open = 0;
        for (i, val) in args.iter().enumerate() {
            if val.is_open() {
                open |= bit(i)?;
            }
        }
        self.stack.extend_from_slice(args);
        let own = Args { start: 0, open };
        match &*plan.clauses {
            [planned] => self.clause(planned, own)?,
            _ => self.relation(plan, own)?,
        }
        args.copy_from_slice(&self.stack[..args.len()]);
        Ok(())
    }
}
