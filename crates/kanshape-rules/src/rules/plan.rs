//! Rules as they are calculated: variables that are written once are anything, and calls are inlined (`inline`).

use super::inline::Calls;
use super::library::Library;
use super::rule::{
    Body, Clause, Each, Either, Guard, Kinded, Number, Piece, Rule, Side, Step, Value,
};
use crate::encode::Kind;
use crate::limits::MAX_PLAN_DEPTH;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The clauses of a relation.
#[derive(Clone, Debug)]
pub struct Plan {
    pub clauses: Box<[Planned]>,
    /// It says the same of all members of lists.
    pub walk: Option<Walk>,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Planned {
    pub clause: Clause,
    /// Two arguments are the same variable.
    pub repeats: bool,
}

/// What a relation says that goes through lists side by side: it holds of empty ones, and of others where `steps` hold
/// of their first members and it holds of the rest.
#[derive(Clone, Debug)]
pub struct Walk {
    /// How many variables it has.
    pub slots: usize,
    pub args: Box<[Walked]>,
    pub steps: Box<[Step]>,
    /// The variables that are others for each member.
    pub own: Box<[usize]>,
}

/// An argument of such a relation.
#[derive(Clone, Debug)]
pub enum Walked {
    /// A list: what its first member is like, and the variable for the others.
    List(Value, usize),
    /// The same all the way.
    Same(Option<usize>),
}

impl Plan {
    /// The plan of a rule, which can call these, and may be the one with this number.
    pub fn new(library: &Library, rule: &Rule, number: usize) -> Plan {
        let clauses = rule.clauses.iter().map(|clause| {
            let counts = counts(clause);
            let var = |slot: usize| match counts[slot] {
                1 => Value::Any(Kinded::Is(clause.slots[slot].clone())),
                _ => Value::Slot(slot),
            };
            let kinds = RefCell::new(Slots {
                kinds: clause.slots.to_vec(),
                next: clause.slots.len(),
            });
            let planner = Planner {
                vars: (0..counts.len()).map(var).collect(),
                slots: &kinds,
                inlined: &Cell::new(0),
                calls: Calls::from(library, number),
            };
            let named = clause.head.iter().filter_map(|value| match value {
                Value::Slot(slot) => Some(*slot),
                _ => None,
            });
            let mut named: Vec<usize> = named.collect();
            named.sort_unstable();
            let mut planned = Clause {
                head: planner.terms(&clause.head),
                body: Body {
                    guards: Box::default(),
                    steps: planner.steps(&clause.body.steps, MAX_PLAN_DEPTH),
                },
                slots: Arc::default(),
            };
            planned.declare(&kinds.take().kinds.into());
            Planned {
                clause: planned,
                repeats: named.windows(2).any(|pair| pair[0] == pair[1]),
            }
        });
        let clauses: Box<[Planned]> = clauses.collect();
        Plan {
            walk: Walk::new(number, &clauses),
            clauses,
        }
    }
}

/// How often each variable of a clause is written. The names of members are written where they are declared, too.
pub(super) fn counts(clause: &Clause) -> Vec<u32> {
    let mut counts = vec![0; clause.slots.len()];
    let mut note = |slot: usize| counts[slot] += 1;
    clause.head.iter().for_each(|v| v.each_slot(&mut note));
    clause
        .body
        .steps
        .iter()
        .for_each(|s| s.each_slot(&mut note));
    counts
}

/// The variables of a clause that is being written.
#[derive(Default)]
pub(super) struct Slots {
    /// Their kinds.
    pub kinds: Vec<Kind>,
    /// From here on they are not used in what is being written.
    next: usize,
}

impl Slots {
    /// A variable that nothing else in what is being written is.
    pub(super) fn fresh(&mut self, kind: &Kind) -> usize {
        while self.kinds.get(self.next).is_some_and(|own| own != kind) {
            self.next += 1;
        }
        if self.next == self.kinds.len() {
            self.kinds.push(kind.clone());
        }
        self.next += 1;
        self.next - 1
    }
}

/// Writes one clause.
pub(super) struct Planner<'r> {
    /// What each of its variables is: one that is written once is anything.
    pub vars: Vec<Value>,
    /// The kinds of the variables where it is run.
    pub slots: &'r RefCell<Slots>,
    /// How many clauses of relations have been inlined in it.
    pub inlined: &'r Cell<usize>,
    /// The relation that it belongs to, and those that it can call.
    pub calls: Calls<'r>,
}

impl Planner<'_> {
    pub(super) fn steps(&self, steps: &[Step], deep: usize) -> Box<[Step]> {
        let mut all = Vec::with_capacity(steps.len());
        for step in steps {
            self.step(step, deep, &mut all);
        }
        all.into()
    }

    /// Writes a step. `deep` is how much more may be inside of what is written.
    pub(super) fn step(&self, step: &Step, deep: usize, all: &mut Vec<Step>) {
        let term = |value: &Value| self.term(value);
        all.push(match step {
            Step::Fail => Step::Fail,
            Step::Equal(a, b) => Step::Equal(term(a), term(b)),
            Step::Compare(a, op, b) => Step::Compare(term(a), *op, term(b)),
            Step::Class(dtype, set) => Step::Class(term(dtype), *set),
            Step::Among(value, numbers) => Step::Among(term(value), numbers.clone()),
            Step::Member(value, list) => Step::Member(term(value), term(list)),
            Step::Call(rule, args) => return self.call(*rule, self.terms(args), deep, all),
            Step::Broadcast(out, args) => Step::Broadcast(term(out), self.terms(args)),
            Step::Either(either) => {
                Step::Either(self.either(&either.ways, |way| self.body(way, deep)))
            }
            Step::Known(terms, body) => Step::Known(
                self.terms(terms),
                self.either(&body.ways, |way| self.body(way, deep)),
            ),
        });
    }

    fn body(&self, body: &Body, deep: usize) -> Body {
        Body {
            guards: body.guards.iter().filter_map(|g| self.guard(g)).collect(),
            steps: self.steps(&body.steps, deep.saturating_sub(1)),
        }
    }

    /// Several ways, of which one is taken: so their own variables are in the same places if they are of the same
    /// kinds.
    pub(super) fn either<W>(&self, ways: &[W], mut write: impl FnMut(&W) -> Body) -> Arc<Either> {
        let first = self.slots.borrow().next;
        let mut most = first;
        let ways = ways.iter().map(|way| {
            self.slots.borrow_mut().next = first;
            let way = write(way);
            most = most.max(self.slots.borrow().next);
            way
        });
        let ways: Box<[Body]> = ways.collect();
        self.slots.borrow_mut().next = most;
        let mut shared = Vec::new();
        for way in &ways {
            way.steps
                .iter()
                .for_each(|s| s.each_slot(&mut |slot| shared.push(slot)));
        }
        shared.sort_unstable();
        shared.dedup();
        Arc::new(Either {
            ways,
            shared: shared.into(),
            slots: Arc::default(),
        })
    }

    /// A guard, if it says anything here.
    fn guard(&self, guard: &Guard) -> Option<Guard> {
        let side = |side: &Side| match side {
            Side::Slot(slot) => match &self.vars[*slot] {
                Value::Slot(slot) => Some(Side::Slot(*slot)),
                Value::Int(n) => Some(Side::Int(*n)),
                _ => None,
            },
            Side::Int(n) => Some(Side::Int(*n)),
            Side::Length(slot) => match &self.vars[*slot] {
                Value::Slot(slot) => Some(Side::Length(*slot)),
                _ => None,
            },
        };
        Some(match guard {
            Guard::Compare(a, op, b) => Guard::Compare(side(a)?, *op, side(b)?),
            Guard::Like(slot, value) => match self.vars[*slot] {
                Value::Slot(slot) => Guard::Like(slot, self.term(value)),
                _ => return None,
            },
            Guard::Class(slot, set) => match self.vars[*slot] {
                Value::Slot(slot) => Guard::Class(slot, *set),
                _ => return None,
            },
        })
    }

    pub(super) fn terms(&self, values: &[Value]) -> Box<[Value]> {
        values.iter().map(|v| self.term(v)).collect()
    }

    pub(super) fn term(&self, value: &Value) -> Value {
        let term = |value: &Value| self.term(value);
        match value {
            Value::Slot(slot) => self.vars[*slot].clone(),
            Value::Any(_) | Value::Int(_) | Value::Dtype(_) | Value::None => value.clone(),
            Value::Some(of) => Value::Some(Box::new(term(of))),
            Value::Tensor(parts) => Value::Tensor(Box::new(parts.each_ref().map(term))),
            Value::Node(label, parts) => Value::Node(*label, self.terms(parts)),
            Value::List(pieces, of) => {
                let pieces = pieces.iter().map(|piece| match piece {
                    Piece::One(value) => Piece::One(term(value)),
                    Piece::Rest(value) => Piece::Rest(term(value)),
                });
                Value::List(pieces.collect(), of.clone())
            }
            Value::Number(number) => match number.map(&mut |value| self.term(value)) {
                Number::Int(n) => Value::Int(n),
                Number::Term(value) => value,
                number => Value::Number(Box::new(number)),
            },
            Value::Index(parts) => Value::Index(Box::new(parts.each_ref().map(term))),
            Value::Slice(slice) => {
                let (list, from, to) = &**slice;
                let slice = (term(list), from.as_ref().map(term), to.as_ref().map(term));
                Value::Slice(Box::new(slice))
            }
            Value::Each(each) => {
                let name = |slot: &Option<usize>| match self.vars[(*slot)?] {
                    Value::Slot(slot) => Some(slot),
                    _ => None,
                };
                Value::Each(Arc::new(Each {
                    body: term(&each.body),
                    names: each.names.iter().map(name).collect(),
                    lists: self.terms(&each.lists),
                    of: each.of.clone(),
                    shared: Box::default(),
                    slots: Arc::default(),
                }))
            }
            Value::Promote(dtypes) => Value::Promote(self.terms(dtypes)),
            Value::Function(parts) => Value::Function(Box::new(parts.each_ref().map(term))),
        }
    }
}

impl Clause {
    /// From now on its variables, and those of all that is in it, are of these kinds.
    fn declare(&mut self, kinds: &Arc<[Kind]>) {
        self.slots = Arc::clone(kinds);
        self.head.iter_mut().for_each(|value| value.declare(kinds));
        self.body.declare(kinds);
    }
}

impl Body {
    fn declare(&mut self, kinds: &Arc<[Kind]>) {
        for step in &mut self.steps {
            step.each_term_mut(&mut |value| value.declare(kinds));
            if let Step::Either(either) | Step::Known(_, either) = step
                && let Some(either) = Arc::get_mut(either)
            {
                either.slots = Arc::clone(kinds);
                either.ways.iter_mut().for_each(|way| way.declare(kinds));
            }
        }
    }
}

impl Value {
    fn declare(&mut self, kinds: &Arc<[Kind]>) {
        if let Value::Each(each) = self {
            Arc::make_mut(each).slots = Arc::clone(kinds);
        }
        self.each_part_mut(&mut |part| part.declare(kinds));
    }
}
