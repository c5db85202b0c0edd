//! Inlining: what a relation says stands where it is called.
//!
//! Most relations of a rule are there to be read: `Grouped(group, c, g, m)` is three steps with a name. Called, they
//! cost their arguments, a frame and a look at the clauses. Those whose clauses the arguments tell apart are steps of
//! the caller instead, over variables of its own.

use super::library::Library;
use super::plan::{Planner, counts};
use super::rule::{Body, Clause, Guard, Kinded, Step, Value};
use crate::encode::Kind;
use crate::limits::MAX_PLAN_DEPTH;
use crate::limits::{MAX_INLINE_CLAUSES, MAX_INLINE_DEPTH, MAX_INLINE_SLOTS};

/// The relations that a clause can call.
#[derive(Clone, Copy)]
pub(super) struct Calls<'r> {
    library: &'r Library,
    /// Whose clause it is.
    number: usize,
    /// Where it is inlined itself.
    outside: Option<&'r Calls<'r>>,
}

impl<'r> Calls<'r> {
    pub(super) fn from(library: &'r Library, number: usize) -> Calls<'r> {
        Calls {
            library,
            number,
            outside: None,
        }
    }

    /// The relations that are inlined here, the innermost first.
    fn inside(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(self), |calls| calls.outside).map(|calls| calls.number)
    }
}

impl Planner<'_> {
    /// Writes a call.
    pub(super) fn call(&self, number: usize, args: Box<[Value]>, deep: usize, all: &mut Vec<Step>) {
        let rule = self.calls.library.rule(number);
        let mut inside = self.calls.inside();
        let stays = rule.native.is_some()
            || deep == 0
            || inside.any(|outer| outer == number)
            || self.calls.inside().count() >= MAX_INLINE_DEPTH
            || self.slots.borrow().kinds.len() >= MAX_INLINE_SLOTS;
        let fit = rule.clauses.iter().filter(|clause| may_fit(clause, &args));
        let fit: Vec<&Clause> = fit.collect();
        let inlined = self.inlined.get() + fit.len();
        if stays || inlined > MAX_INLINE_CLAUSES || !are_told_apart(&fit) {
            return all.push(Step::Call(number, args));
        }
        self.inlined.set(inlined);
        let args = args.into_iter().zip(&rule.kinds).enumerate();
        let args = args.map(|(i, (arg, kind))| self.argument(arg, kind, &fit, i, all));
        let args: Vec<Value> = args.collect();
        match &fit[..] {
            [] => all.push(Step::Fail),
            [clause] => self.clause(number, clause, &args, all),
            several => all.push(Step::Either(self.either(several, |clause| {
                let mut steps = Vec::new();
                self.clause(number, clause, &args, &mut steps);
                Body {
                    guards: guards(clause, &args),
                    steps: steps.into(),
                }
            }))),
        }
    }

    /// An argument as something that can stand wherever its variable does.
    fn argument(
        &self,
        arg: Value,
        kind: &Kind,
        fit: &[&Clause],
        place: usize,
        all: &mut Vec<Step>,
    ) -> Value {
        let is_variable =
            |clause: &&Clause| matches!(clause.head[place], Value::Slot(_) | Value::Any(_));
        match arg {
            Value::Slot(_) | Value::Int(_) | Value::Dtype(_) | Value::None => arg,
            Value::Any(_) if fit.iter().all(is_variable) => arg,
            Value::Any(_) => self.fresh(kind),
            calculated => {
                let own = self.fresh(kind);
                all.push(Step::Equal(own.clone(), calculated));
                own
            }
        }
    }

    /// A variable that nothing else speaks of.
    fn fresh(&self, kind: &Kind) -> Value {
        Value::Slot(self.slots.borrow_mut().fresh(kind))
    }

    /// Writes what a clause says of these arguments.
    fn clause(&self, number: usize, clause: &Clause, args: &[Value], all: &mut Vec<Step>) {
        let counts = counts(clause);
        let mut vars: Vec<Option<Value>> = vec![None; counts.len()];
        let mut said = vec![false; args.len()];
        for (i, (pattern, arg)) in clause.head.iter().zip(args).enumerate() {
            // An argument is arbitrary, and what is stated about a variable is stated about its argument.
            said[i] = matches!(arg, Value::Any(_)) || matches!(pattern, Value::Any(_));
            if let (false, Value::Slot(slot)) = (said[i], pattern)
                && vars[*slot].is_none()
            {
                vars[*slot] = Some(arg.clone());
                said[i] = true;
            }
        }
        let vars = vars.into_iter().zip(counts).zip(clause.slots.iter());
        let vars = vars.map(|((var, count), kind)| match (var, count) {
            (Some(arg), _) => arg,
            (None, 1) => Value::Any(Kinded::Is(kind.clone())),
            (None, _) => self.fresh(kind),
        });
        let planner = Planner {
            vars: vars.collect(),
            slots: self.slots,
            inlined: self.inlined,
            calls: Calls {
                number,
                outside: Some(&self.calls),
                ..self.calls
            },
        };
        let pairs = clause.head.iter().zip(args).zip(said);
        for ((pattern, arg), _) in pairs.filter(|(_, said)| !said) {
            if !is_same(pattern, arg) {
                all.push(Step::Equal(arg.clone(), planner.term(pattern)));
            }
        }
        for step in &clause.body.steps {
            planner.step(step, MAX_PLAN_DEPTH, all);
        }
    }
}

fn is_same(pattern: &Value, arg: &Value) -> bool {
    match (pattern, arg) {
        (Value::Int(n), Value::Int(own)) => n == own,
        (Value::Dtype(a), Value::Dtype(b)) => a == b,
        (Value::None, Value::None) => true,
        _ => false,
    }
}

/// May a clause hold of these arguments, as far as they are written down?
fn may_fit(clause: &Clause, args: &[Value]) -> bool {
    clause
        .head
        .iter()
        .zip(args)
        .all(|(pattern, arg)| match (pattern, arg) {
            (Value::Int(_), Value::Int(_)) | (Value::Dtype(_), Value::Dtype(_)) => {
                is_same(pattern, arg)
            }
            (Value::None, Value::Some(_)) | (Value::Some(_), Value::None) => false,
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
fn guards(clause: &Clause, args: &[Value]) -> Box<[Guard]> {
    let guards = clause.head.iter().zip(args).filter_map(|(pattern, arg)| {
        let Value::Slot(slot) = arg else {
            return None;
        };
        let pattern = match pattern {
            Value::Int(_) | Value::Dtype(_) | Value::None => pattern.clone(),
            Value::Some(_) => Value::Some(Box::new(Value::Any(Kinded::Is(Kind::Type)))),
            _ => return None,
        };
        Some(Guard::Like(*slot, pattern))
    });
    guards.collect()
}
