//! From a rule to the form in which it is calculated.

use super::code::{
    Clause, Each, Guard, Known, Member, Number, Piece, Plan, Side, Step, Term, Walk, Way,
};
use super::signature;
use super::written_out::Calls;
use crate::relation::Kind;
use crate::relation::rule::{self, Body, Rule, Value};
use kanshape_engine::Int;
use kanshape_syntax::tree::{Expr, Func, Sign};
use std::cell::Cell;
use std::sync::Arc;

/// What is written more deeply is left to the engine.
pub(super) const DEEPEST: usize = 24;

impl Plan {
    /// The plan of one of these relations.
    pub(crate) fn new(rules: &[Arc<Rule>], number: usize) -> Plan {
        let clauses = rules[number].clauses.iter().map(|clause| {
            let counts = counts(clause);
            let var = |slot: usize| match counts[slot] {
                1 => Term::Any,
                _ => Term::Slot(slot),
            };
            let slots = Cell::new(counts.len());
            let planner = Planner {
                vars: (0..counts.len()).map(var).collect(),
                kinds: &clause.slots,
                slots: &slots,
                written: &Cell::new(0),
                calls: Calls::from(rules, number),
            };
            let named = clause.head.iter().filter_map(|value| match value {
                Value::Slot(slot) => Some(*slot),
                _ => None,
            });
            let mut named: Vec<usize> = named.collect();
            named.sort_unstable();
            Clause {
                head: planner.terms(&clause.head, DEEPEST),
                steps: planner.steps(&clause.body.steps, DEEPEST),
                repeats: named.windows(2).any(|pair| pair[0] == pair[1]),
                slots: slots.get(),
            }
        });
        let clauses: Box<[Clause]> = clauses.collect();
        Plan {
            walk: Walk::new(number, &clauses),
            clauses,
        }
    }
}

/// How often each variable of a clause is written.
pub(super) fn counts(clause: &rule::Clause) -> Vec<u32> {
    let mut counts = vec![0; clause.slots.len()];
    clause.head.iter().for_each(|v| count(v, &mut counts));
    count_body(&clause.body, &mut counts);
    counts
}

/// Counts how often variables are written.
fn count(value: &Value, counts: &mut [u32]) {
    let mut all = |values: &[Value]| values.iter().for_each(|v| count(v, counts));
    match value {
        Value::Slot(slot) => counts[*slot] += 1,
        Value::Any(_) | Value::Int(_) | Value::Dtype(_) | Value::None => {}
        Value::Some(of) | Value::Sum(of) | Value::Length(of) => count(of, counts),
        Value::Tensor(parts) => all(&parts[..]),
        Value::Index(parts) | Value::Function(parts) => all(&parts[..]),
        Value::Node(_, parts) | Value::Promote(parts) => all(parts),
        Value::List(pieces, _) => {
            for piece in pieces {
                match piece {
                    rule::Piece::One(v) | rule::Piece::Rest(v) => count(v, counts),
                }
            }
        }
        Value::Number(number) => all(&number.1),
        Value::Slice(slice) => {
            let bounds = slice.1.iter().chain(&slice.2);
            bounds.chain([&slice.0]).for_each(|v| count(v, counts));
        }
        Value::Each(each) => {
            all(&each.lists);
            count(&each.body, counts);
            // A member is written where it gets its name.
            each.names.iter().flatten().for_each(|s| counts[*s] += 2);
        }
    }
}

fn count_body(body: &Body, counts: &mut [u32]) {
    for step in &body.steps {
        match step {
            rule::Step::Fail => {}
            rule::Step::Equal(a, b) | rule::Step::Compare(a, _, b) | rule::Step::Member(a, b) => {
                count(a, counts);
                count(b, counts);
            }
            rule::Step::Class(a, _) | rule::Step::Among(a, _) => count(a, counts),
            rule::Step::Call(_, args) | rule::Step::Signature(_, args) => {
                args.iter().for_each(|v| count(v, counts));
            }
            rule::Step::Either(either) => {
                either.ways.iter().for_each(|way| count_body(way, counts));
            }
            rule::Step::Known(terms, body) => {
                terms.iter().for_each(|v| count(v, counts));
                body.ways.iter().for_each(|way| count_body(way, counts));
            }
        }
    }
}

/// A number of a rule as one that fits here.
pub(super) fn int(n: Int) -> Option<i64> {
    i64::try_from(n).ok()
}

/// Writes one clause. `deep` is how much more may be inside of what is written.
pub(super) struct Planner<'r> {
    /// What each of its variables is: one that is written once is anything.
    pub vars: Vec<Term>,
    /// What sort of thing it is.
    pub kinds: &'r [Kind],
    /// How many variables there are where it is run.
    pub slots: &'r Cell<usize>,
    /// How many clauses of relations have been written out in it.
    pub written: &'r Cell<usize>,
    /// The relation that it belongs to, and those that it can call.
    pub calls: Calls<'r>,
}

impl Planner<'_> {
    fn member(&self, slot: Option<usize>) -> Option<Member> {
        let own = slot?;
        match self.vars[own] {
            Term::Slot(slot) => Some(Member {
                slot,
                is_number: self.kinds[own].is_number(),
            }),
            _ => None,
        }
    }

    pub(super) fn steps(&self, steps: &[rule::Step], deep: usize) -> Box<[Step]> {
        let mut all = Vec::with_capacity(steps.len());
        for step in steps {
            self.step(step, deep, &mut all);
        }
        all.into()
    }

    pub(super) fn step(&self, step: &rule::Step, deep: usize, all: &mut Vec<Step>) {
        let Some(deep) = deep.checked_sub(1) else {
            return all.push(Step::Beyond);
        };
        let term = |value: &Value| self.term(value, deep);
        all.push(match step {
            rule::Step::Fail => Step::Fail,
            rule::Step::Equal(a, b) => Step::Equal(term(a), term(b)),
            rule::Step::Compare(a, op, b) => Step::Compare(term(a), *op, term(b)),
            rule::Step::Class(dtype, set) => Step::Class(term(dtype), *set),
            rule::Step::Among(value, numbers) => {
                // No number here is any of those that don't fit.
                let numbers = numbers.iter().filter_map(|n| int(*n));
                Step::Among(term(value), numbers.collect())
            }
            rule::Step::Member(value, list) => Step::Member(term(value), term(list)),
            rule::Step::Call(rule, args) => return self.call(*rule, self.terms(args, deep), all),
            rule::Step::Signature(own, args) if signature::is_simple(own.program()) => {
                Step::Signature(own.clone(), self.terms(args, deep))
            }
            rule::Step::Signature(..) => Step::Beyond,
            rule::Step::Either(either) => Step::Either(self.ways(&either.ways, |way| Way {
                guards: way.guards.iter().filter_map(|g| self.guard(g)).collect(),
                steps: self.steps(&way.steps, deep),
            })),
            rule::Step::Known(terms, body) => match &*body.ways {
                [way] => {
                    let mut counts = vec![0; self.vars.len()];
                    terms.iter().for_each(|v| count(v, &mut counts));
                    let named = self.vars.iter().zip(counts);
                    let slots = named.filter_map(|(var, count)| match var {
                        Term::Slot(slot) if count > 0 => Some(*slot),
                        _ => None,
                    });
                    Step::Known(Box::new(Known {
                        terms: self.terms(terms, deep),
                        slots: slots.collect(),
                        steps: self.steps(&way.steps, deep),
                    }))
                }
                _ => Step::Beyond,
            },
        });
    }

    /// Several ways, of which one is gone: so their own variables are in the same places.
    pub(super) fn ways<W>(&self, ways: &[W], mut write: impl FnMut(&W) -> Way) -> Box<[Way]> {
        let (first, mut most) = (self.slots.get(), 0);
        let ways = ways.iter().map(|way| {
            self.slots.set(first);
            let way = write(way);
            most = most.max(self.slots.get());
            way
        });
        let ways = ways.collect();
        self.slots.set(first.max(most));
        ways
    }

    /// A guard, if it says anything here.
    fn guard(&self, guard: &rule::Guard) -> Option<Guard> {
        let side = |side: &rule::Side| match side {
            rule::Side::Slot(slot) => match self.vars[*slot] {
                Term::Slot(slot) => Some(Side::Slot(slot)),
                Term::Int(n) => Some(Side::Int(n)),
                _ => None,
            },
            rule::Side::Int(n) => int(*n).map(Side::Int),
            // The step says it as soon.
            rule::Side::Length(_) => None,
        };
        Some(match guard {
            rule::Guard::Compare(a, op, b) => Guard::Compare(side(a)?, *op, side(b)?),
            rule::Guard::Like(slot, value) => match self.vars[*slot] {
                Term::Slot(slot) => Guard::Like(slot, self.term(value, DEEPEST)),
                _ => return None,
            },
            rule::Guard::Class(..) => return None,
        })
    }

    pub(super) fn terms(&self, values: &[Value], deep: usize) -> Box<[Term]> {
        values.iter().map(|v| self.term(v, deep)).collect()
    }

    pub(super) fn term(&self, value: &Value, deep: usize) -> Term {
        let Some(deep) = deep.checked_sub(1) else {
            return Term::Beyond;
        };
        let term = |value: &Value| self.term(value, deep);
        let number = |number: Number| Term::Number(Box::new(number));
        match value {
            Value::Slot(slot) => self.vars[*slot].clone(),
            Value::Any(_) => Term::Any,
            Value::Int(n) => int(*n).map_or(Term::Beyond, Term::Int),
            Value::Dtype(dtype) => Term::Dtype(*dtype),
            Value::None => Term::None,
            Value::Some(of) => Term::Some(Box::new(term(of))),
            Value::Tensor(parts) => Term::Tensor(Box::new(parts.each_ref().map(term))),
            Value::Node(label, parts) => Term::Node(*label, self.terms(parts, deep)),
            Value::List(pieces, of) => {
                let pieces = pieces.iter().map(|piece| match piece {
                    rule::Piece::One(value) => Piece::One(term(value)),
                    rule::Piece::Rest(value) => Piece::Rest(term(value)),
                });
                match of.kind().is_number() {
                    true => Term::Numbers(pieces.collect()),
                    false => Term::List(pieces.collect()),
                }
            }
            Value::Number(own) => match self.number(&own.0, &own.1, deep) {
                Some(own) => number(own),
                None => Term::Beyond,
            },
            Value::Sum(list) => number(Number::Total(term(list))),
            Value::Length(list) => number(Number::Length(term(list))),
            Value::Index(parts) => Term::Index(Box::new(parts.each_ref().map(term))),
            Value::Slice(slice) => {
                let (list, from, to) = &**slice;
                let slice = (term(list), from.as_ref().map(term), to.as_ref().map(term));
                Term::Slice(Box::new(slice))
            }
            Value::Each(each) => Term::Each(Box::new(Each {
                body: term(&each.body),
                names: each.names.iter().map(|name| self.member(*name)).collect(),
                lists: self.terms(&each.lists, deep),
                numbers: each.of.kind().is_number(),
            })),
            Value::Promote(dtypes) => match &**dtypes {
                [a, b] => Term::Promote(Box::new([term(a), term(b)])),
                _ => Term::Beyond,
            },
            Value::Function(_) => Term::Beyond,
        }
    }

    /// An expression over the places of its leaves. `None` if only the engine knows what it is.
    fn number(&self, e: &Expr, leaves: &[Value], deep: usize) -> Option<Number> {
        let deep = deep.checked_sub(1)?;
        let number = |e: &Expr| self.number(e, leaves, deep);
        let leaf = |name: &str| {
            let place: usize = name.parse().ok()?;
            Some(self.term(leaves.get(place)?, deep))
        };
        let all = |all: &[Expr]| all.iter().map(number).collect::<Option<Box<[Number]>>>();
        Some(match e {
            Expr::Int(n) => Number::Int(i64::try_from(*n).ok()?),
            Expr::Name(name) => match leaf(&name.node)? {
                Term::Slot(slot) => Number::Slot(slot),
                Term::Int(n) => Number::Int(n),
                Term::Number(own) => *own,
                term => Number::Term(term),
            },
            // The least number is no other's negative.
            Expr::Sum(terms) if let [(Sign::Minus, Expr::Int(n))] = &terms[..] => {
                Number::Int(int(-Int::from(*n))?)
            }
            Expr::Sum(terms) => {
                let terms = terms
                    .iter()
                    .map(|(sign, term)| Some((*sign, number(term)?)));
                Number::Sum(terms.collect::<Option<_>>()?)
            }
            Expr::Chain(first, rest) => {
                let rest = rest.iter().map(|(op, factor)| Some((*op, number(factor)?)));
                Number::Chain(Box::new(number(first)?), rest.collect::<Option<_>>()?)
            }
            Expr::CeilDiv(a, b) => Number::CeilDiv(Box::new([number(a)?, number(b)?])),
            Expr::Call(Func::Min, args) => Number::Least(all(args)?),
            Expr::Call(Func::Max, args) => Number::Greatest(all(args)?),
            Expr::Call(Func::Prod, args) => match &args[..] {
                [Expr::Run(Some(name))] => Number::Product(leaf(&name.node)?),
                [first, rest @ ..] => {
                    let times = |e: &Expr| Some((kanshape_syntax::tree::MulOp::Mul, number(e)?));
                    let rest = rest.iter().map(times).collect::<Option<_>>()?;
                    Number::Chain(Box::new(number(first)?), rest)
                }
                [] => return None,
            },
            Expr::Call(Func::Broadcast | Func::Promote, _)
            | Expr::Nominal(_)
            | Expr::Run(_)
            | Expr::List(_) => return None,
        })
    }
}
