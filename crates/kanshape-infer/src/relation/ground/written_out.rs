//! Calls that are written out: what the relation says stands where it is called.
//!
//! Most relations of a rule are there to be read: `Grouped(group, c, g, m)` is three steps with a name. Called, they
//! cost their arguments, a frame and a look at the clauses. Those whose clauses a look at the arguments tells apart
//! are steps of the caller instead, over variables of its own.

use super::code::{Guard, Step, Term, Way};
use super::plan::{DEEPEST, Planner, counts, int};
use crate::relation::rule::{Clause, Rule, Value};
use std::sync::Arc;

/// The relations that a clause can call.
#[derive(Clone, Copy)]
pub(super) struct Calls<'r> {
    rules: &'r [Arc<Rule>],
    /// Whose clause it is.
    number: usize,
    /// Where it is written out itself.
    outside: Option<&'r Calls<'r>>,
}

/// Relations are written out so many inside of each other.
const MOST_INSIDE: usize = 6;
/// A clause with more variables than this has no more written out: they are made anew for each run.
const MOST_SLOTS: usize = 96;
/// So many clauses are written out in one: each of several may call several more.
const MOST_CLAUSES: usize = 64;

impl<'r> Calls<'r> {
    pub(super) fn from(rules: &'r [Arc<Rule>], number: usize) -> Calls<'r> {
        Calls {
            rules,
            number,
            outside: None,
        }
    }

    /// The relations that are written out here, the innermost first.
    fn inside(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(self), |calls| calls.outside).map(|calls| calls.number)
    }
}

impl Planner<'_> {
    /// Writes a call.
    pub(super) fn call(&self, number: usize, args: Box<[Term]>, all: &mut Vec<Step>) {
        let rule = &self.calls.rules[number];
        let mut inside = self.calls.inside();
        let stays = rule.native.is_some()
            || inside.any(|outer| outer == number)
            || self.calls.inside().count() >= MOST_INSIDE
            || self.slots.get() >= MOST_SLOTS;
        let fit = rule.clauses.iter().filter(|clause| may_fit(clause, &args));
        let fit: Vec<&Clause> = fit.collect();
        let written = self.written.get() + fit.len();
        if stays || written > MOST_CLAUSES || !are_told_apart(&fit) {
            return all.push(Step::Call(number, args));
        }
        self.written.set(written);
        let args = args.into_iter().enumerate();
        let args = args.map(|(i, arg)| self.argument(arg, &fit, i, all));
        let args: Vec<Term> = args.collect();
        match &fit[..] {
            [] => all.push(Step::Fail),
            [clause] => self.clause(number, clause, &args, all),
            several => all.push(Step::Either(self.ways(several, |clause| {
                let mut steps = Vec::new();
                self.clause(number, clause, &args, &mut steps);
                Way {
                    guards: guards(clause, &args),
                    steps: steps.into(),
                }
            }))),
        }
    }

    /// An argument as something that can stand wherever its variable does.
    fn argument(&self, arg: Term, fit: &[&Clause], place: usize, all: &mut Vec<Step>) -> Term {
        let is_variable =
            |clause: &&Clause| matches!(clause.head[place], Value::Slot(_) | Value::Any(_));
        match arg {
            Term::Slot(_) | Term::Int(_) | Term::Dtype(_) | Term::None => arg,
            Term::Any if fit.iter().all(is_variable) => arg,
            Term::Any => self.fresh(),
            calculated => {
                let own = self.fresh();
                all.push(Step::Equal(own.clone(), calculated));
                own
            }
        }
    }

    /// A variable that nothing else speaks of.
    fn fresh(&self) -> Term {
        let slot = self.slots.get();
        self.slots.set(slot + 1);
        Term::Slot(slot)
    }

    /// Writes what a clause says of these arguments.
    fn clause(&self, number: usize, clause: &Clause, args: &[Term], all: &mut Vec<Step>) {
        let counts = counts(clause);
        let mut vars: Vec<Option<Term>> = vec![None; counts.len()];
        let mut said = vec![false; args.len()];
        for (i, (pattern, arg)) in clause.head.iter().zip(args).enumerate() {
            // Of any argument nothing is said, and what is said of a variable is said of its argument.
            said[i] = matches!(arg, Term::Any) || matches!(pattern, Value::Any(_));
            if let (false, Value::Slot(slot)) = (said[i], pattern)
                && vars[*slot].is_none()
            {
                vars[*slot] = Some(arg.clone());
                said[i] = true;
            }
        }
        let vars = vars
            .into_iter()
            .zip(counts)
            .map(|(var, count)| match (var, count) {
                (Some(arg), _) => arg,
                (None, 1) => Term::Any,
                (None, _) => self.fresh(),
            });
        let planner = Planner {
            vars: vars.collect(),
            kinds: &clause.slots,
            slots: self.slots,
            written: self.written,
            calls: Calls {
                number,
                outside: Some(&self.calls),
                ..self.calls
            },
        };
        for ((pattern, arg), _) in clause
            .head
            .iter()
            .zip(args)
            .zip(said)
            .filter(|(_, said)| !said)
        {
            if !is_same(pattern, arg) {
                all.push(Step::Equal(arg.clone(), planner.term(pattern, DEEPEST)));
            }
        }
        for step in &clause.body.steps {
            planner.step(step, DEEPEST, all);
        }
    }
}

fn is_same(pattern: &Value, arg: &Term) -> bool {
    match (pattern, arg) {
        (Value::Int(n), Term::Int(own)) => int(*n) == Some(*own),
        (Value::Dtype(a), Term::Dtype(b)) => a == b,
        (Value::None, Term::None) => true,
        _ => false,
    }
}

/// May a clause hold of these arguments, as far as they are written down?
fn may_fit(clause: &Clause, args: &[Term]) -> bool {
    clause
        .head
        .iter()
        .zip(args)
        .all(|(pattern, arg)| match (pattern, arg) {
            (Value::Int(_), Term::Int(_)) | (Value::Dtype(_), Term::Dtype(_)) => {
                is_same(pattern, arg)
            }
            (Value::None, Term::Some(_)) | (Value::Some(_), Term::None) => false,
            _ => true,
        })
}

/// Is there for any two of them an argument that tells which of them it is?
fn are_told_apart(clauses: &[&Clause]) -> bool {
    let differ = |(a, b): (&Value, &Value)| match (a, b) {
        (Value::Int(a), Value::Int(b)) => a != b,
        (Value::Dtype(a), Value::Dtype(b)) => a != b,
        (Value::None, Value::Some(_)) | (Value::Some(_), Value::None) => true,
        _ => false,
    };
    clauses.iter().enumerate().all(|(i, clause)| {
        let mut others = clauses[..i].iter();
        others.all(|other| clause.head.iter().zip(&other.head).any(differ))
    })
}

/// By what a look tells that it is not this clause.
fn guards(clause: &Clause, args: &[Term]) -> Box<[Guard]> {
    let guards = clause.head.iter().zip(args).filter_map(|(pattern, arg)| {
        let Term::Slot(slot) = arg else {
            return None;
        };
        let pattern = match pattern {
            Value::Int(n) => Term::Int(int(*n)?),
            Value::Dtype(dtype) => Term::Dtype(*dtype),
            Value::None => Term::None,
            Value::Some(_) => Term::Some(Box::new(Term::Any)),
            _ => return None,
        };
        Some(Guard::Like(*slot, pattern))
    });
    guards.collect()
}
