//! Calls of relations: with what is known of the arguments, for the rest.

use super::super::rule::Value as Term;
use super::take_apart::Match;
use super::value::Value;
use super::{DEEPEST, Frame, Ground, Stop};
use smallvec::SmallVec;

/// The arguments of a call, as far as they are known.
pub(super) type Args = SmallVec<[Option<Value>; 4]>;

impl Ground<'_> {
    /// A call as a step. `false` if more has to be known first.
    pub(super) fn call_step(
        &mut self,
        frame: &mut Frame,
        rule: usize,
        terms: &[Term],
    ) -> Result<bool, Stop> {
        let mut args = Args::new();
        for term in terms {
            args.push(match term {
                Term::Slot(slot) => frame[*slot].clone(),
                term => self.eval(frame, term)?,
            });
        }
        let known: SmallVec<[bool; 12]> = args.iter().map(|a| !is_open(a)).collect();
        if !self.call(rule, &mut args)? {
            return Ok(false);
        }
        let mut all = true;
        for ((term, arg), known) in terms.iter().zip(&args).zip(known) {
            match arg {
                Some(value) if !known => {
                    all &= self.take_apart(frame, term, value)? == Match::Done;
                }
                // Nothing is said of those that are still not known.
                Some(_) | None => {}
            }
        }
        Ok(all)
    }

    /// Fills in what a relation says of the arguments that are not known. `false` if more has to be known first.
    pub(super) fn call(&mut self, rule: usize, args: &mut Args) -> Result<bool, Stop> {
        let library = self.library;
        let rule = &library.rules[rule];
        if let Some(native) = &rule.native {
            return native.calculate(args);
        }
        if self.depth >= DEEPEST {
            return Err(Stop::Leave);
        }
        let mut found: Option<Args> = None;
        for clause in &rule.clauses {
            self.spend(1)?;
            if !self.may_hold(clause, args) {
                continue;
            }
            self.depth += 1;
            let held = self.clause(clause, args);
            self.depth -= 1;
            match held {
                Err(Stop::Fail) => {}
                Ok(own) if found.is_none() => found = Some(own),
                // Two of them hold; or more has to be known first.
                Ok(_) | Err(Stop::Leave) => return Ok(false),
            }
        }
        *args = found.ok_or(Stop::Fail)?;
        Ok(true)
    }

    /// The arguments by one clause, if it holds of those that are known.
    fn clause(&mut self, clause: &super::super::rule::Clause, args: &Args) -> Result<Args, Stop> {
        let mut frame: Frame = vec![None; clause.slots.len()];
        let mut matching: SmallVec<[(&Term, Value); 1]> = SmallVec::new();
        for (pattern, arg) in clause.head.iter().zip(args) {
            if let Some(value) = arg
                && self.take_apart(&mut frame, pattern, value)? == Match::Wait
            {
                matching.push((pattern, value.clone()));
            }
        }
        self.body(&mut frame, &clause.body, &matching)?;
        let mut own = Args::new();
        for (pattern, arg) in clause.head.iter().zip(args) {
            own.push(match (arg, pattern) {
                (None | Some(Value::Length(_)), Term::Slot(slot)) => {
                    let value = frame[*slot].clone();
                    if is_open(&value) && stands_twice(*slot, &clause.head, args) {
                        return Err(Stop::Leave);
                    }
                    value
                }
                (None, Term::Any(_)) => None,
                // What is only partly known of it would be forgotten.
                (None | Some(Value::Length(_)), pattern) => {
                    Some(self.eval(&mut frame, pattern)?.ok_or(Stop::Leave)?)
                }
                (Some(value), _) => Some(value.clone()),
            });
        }
        Ok(own)
    }

    /// The operands of an operator, which are the whole of what is asked.
    pub(super) fn operator(&mut self, rule: usize, args: &Args) -> Result<Args, Stop> {
        let library = self.library;
        let rule = &library.rules[rule];
        match &*rule.clauses {
            [clause] => self.clause(clause, args),
            _ => Err(Stop::Leave),
        }
    }
}

fn is_open(arg: &Option<Value>) -> bool {
    matches!(arg, None | Some(Value::Length(_)))
}

/// Are two arguments that are not known the same? Only the engine can say so.
fn stands_twice(slot: usize, head: &[Term], args: &Args) -> bool {
    let is_it = |(pattern, arg): &(&Term, &Option<Value>)| {
        is_open(arg) && matches!(pattern, Term::Slot(s) if *s == slot)
    };
    head.iter().zip(args).filter(is_it).count() > 1
}

/// From now on the argument of a relation in Rust is this. `true`: it has been said.
pub(crate) fn say(arg: &mut Option<Value>, value: Value) -> Result<bool, Stop> {
    match arg {
        Some(Value::Length(n)) if value.length() == Some(*n) => {
            *arg = Some(value);
            Ok(true)
        }
        Some(own) if *own == value => Ok(true),
        Some(_) => Err(Stop::Fail),
        None => {
            *arg = Some(value);
            Ok(true)
        }
    }
}
