//! Relations that say the same of all members of lists: they are walked, rather than called once for each member.

use super::call::Args;
use super::step::Waiting;
use super::store::Val;
use super::{Evaluator, Frame, Stop};
use crate::rules::plan::{Planned, Walk, Walked};
use crate::rules::rule::{Piece, Step, Value};

impl Walk {
    /// The walk that a relation with these clauses is, by its number.
    pub fn new(rule: usize, clauses: &[Planned]) -> Option<Walk> {
        let [Planned { clause: end, .. }, Planned { clause, repeats }] = clauses else {
            return None;
        };
        let is_call = |step: &&Step| matches!(step, Step::Call(called, _) if *called == rule);
        let mut calls = clause.body.steps.iter().filter(is_call);
        let (Some(Step::Call(_, called)), None) = (calls.next(), calls.next()) else {
            return None;
        };
        if !end.body.steps.is_empty() || *repeats {
            return None;
        }
        let args = clause.head.iter().zip(called).zip(&end.head);
        let args = args.map(|args| match args {
            ((Value::List(list, _), Value::Slot(rest)), end) => {
                let is_empty = matches!(end, Value::List(p, _) if p.is_empty());
                match &list[..] {
                    [Piece::One(first), Piece::Rest(Value::Slot(own))]
                        if own == rest && is_empty =>
                    {
                        Some(Walked::List(first.clone(), *rest))
                    }
                    _ => None,
                }
            }
            ((Value::Slot(own), Value::Slot(same)), Value::Any(_)) if own == same => {
                Some(Walked::Same(Some(*own)))
            }
            ((Value::Any(_), Value::Any(_)), Value::Any(_)) => Some(Walked::Same(None)),
            _ => None,
        });
        let args: Box<[Walked]> = args.collect::<Option<_>>()?;
        let same = |slot: usize| {
            let mut args = args.iter();
            args.any(|arg| matches!(arg, Walked::Same(Some(own)) if *own == slot))
        };
        Some(Walk {
            slots: clause.slots.len(),
            own: (0..clause.slots.len())
                .filter(|slot| !same(*slot))
                .collect(),
            steps: clause
                .body
                .steps
                .iter()
                .filter(|s| !is_call(s))
                .cloned()
                .collect(),
            args,
        })
    }
}

impl<'a> Evaluator<'a> {
    /// Walks through lists, if there are any, and all of their members are known. `false` if that has not been enough.
    pub(super) fn walk(&mut self, walk: &'a Walk, args: Args) -> Result<bool, Stop> {
        let frame = Frame(self.stack.len());
        self.stack.resize(frame.0 + walk.slots, Val::Open);
        let walked = self.walk_in(walk, args, frame);
        self.stack.truncate(frame.0);
        walked
    }

    fn walk_in(&mut self, walk: &'a Walk, args: Args, frame: Frame) -> Result<bool, Stop> {
        let mut length = None;
        for (i, arg) in walk.args.iter().enumerate() {
            let val = self.stack[args.start + i];
            match arg {
                Walked::Same(slot) => {
                    if let Some(slot) = slot {
                        self.bind(frame, *slot, val)?;
                    }
                }
                Walked::List(..) => {
                    let (Val::Numbers(_) | Val::List(_), Some(own)) = (val, val.length()) else {
                        return Ok(false);
                    };
                    if length.is_some_and(|length| length != own) {
                        return Err(Stop::Fail);
                    }
                    length = Some(own);
                }
            }
        }
        let Some(length) = length else {
            return Ok(false);
        };
        let mut waiting = Waiting::new();
        for place in 0..length {
            self.spend(1)?;
            let mut all = true;
            for (i, arg) in walk.args.iter().enumerate() {
                let Walked::List(first, rest) = arg else {
                    continue;
                };
                let list = self.stack[args.start + i];
                let member = self.member(list, place)?;
                all &= self.take_apart(frame, first, member)?;
                self.stack[frame.0 + rest] = list.part(place + 1, length)?;
            }
            self.steps(frame, &walk.steps, &mut waiting)?;
            if !all || !waiting.is_empty() {
                return Ok(false);
            }
            for slot in &walk.own {
                self.stack[frame.0 + slot] = Val::Open;
            }
        }
        for i in args.open() {
            if let Walked::Same(Some(slot)) = &walk.args[i] {
                self.stack[args.start + i] = self.get(frame, *slot);
            }
        }
        Ok(true)
    }
}
