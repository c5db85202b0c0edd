//! Running one clause: its steps as goals, its terms as terms of the engine.

use super::joined;
use super::lists;
use super::walk;
use super::ways::{OneOf, When, call};
use crate::encode as lower;
use crate::encode::Kind;
use crate::encode::form::{self, NONE, SOME, fresh, number};
use crate::encode::{TENSOR, atoms};
use crate::native;
use crate::rules::Clause;
use crate::rules::Context;
use crate::rules::rule::{Body, Number, Piece, Step, Value};
use kanshape_engine::{
    Budget, Constraint, Domain, Function, Goal, Linear, Part, Seq, State, Stop, Term, View,
    broadcast,
};
use std::sync::Arc;

/// One clause, with what its slots denote so far.
pub(super) struct Run<'a> {
    pub context: &'a Arc<Context>,
    pub slots: &'a Arc<[Kind]>,
    pub frame: Vec<Option<Term>>,
    /// What is still to be done.
    pub goals: Vec<Goal>,
}

impl Run<'_> {
    pub(super) fn body(&mut self, view: &mut View<'_>, body: &Body) -> Result<(), Stop> {
        body.steps.iter().try_for_each(|step| self.step(view, step))
    }

    fn step(&mut self, view: &mut View<'_>, step: &Step) -> Result<(), Stop> {
        view.budget().spend(1)?;
        if let Step::Equal(a, Value::Number(value)) = step
            && let Number::Broadcast(args) = &**value
        {
            // Stated as a relation, with no variable in between.
            let out = number(&self.term(view, a)?)?;
            let args = args.iter().map(|n| self.number(view, n));
            let args = args.collect::<Result<Vec<Linear>, Stop>>()?;
            return view.relate(Function::Broadcast, &args, &out);
        }
        match step {
            Step::Fail => return Err(Stop::Conflict),
            Step::Equal(a, b) => {
                // A side that is taken apart has to be the pattern.
                let (pattern, value) = match a {
                    Value::Slot(_) if !self.is_new(a) => (b, a),
                    _ => (a, b),
                };
                let term = self.term(view, value)?;
                self.equal(view, pattern, &term)?;
            }
            Step::Compare(a, op, b) => match (self.term(view, a)?, self.term(view, b)?) {
                (Term::Int(a), Term::Int(b)) => {
                    lower::holds(view, &a, *op, &b)?;
                }
                (Term::Atom(a), Term::Atom(b)) => lower::apart(view, a, b)?,
                _ => return Err(Stop::Conflict),
            },
            Step::Class(value, set) => match self.term(view, value)? {
                Term::Atom(v) => view.restrict_atom(v, atoms(*set))?,
                _ => return Err(Stop::Conflict),
            },
            Step::Among(value, numbers) => {
                let form = number(&self.term(view, value)?)?;
                let numbers = numbers.iter().filter_map(|n| self.constant(n));
                view.restrict(&form, &Domain::of(numbers))?;
            }
            Step::Member(value, list) => {
                let value = self.term(view, value)?;
                let list = self.term(view, list)?;
                let goal = lists::member(view, value, list)?;
                self.goals.extend(goal);
            }
            Step::Call(rule, args) => {
                let args = self.terms(view, args)?;
                // A clause that is examined on its own calls nothing.
                if let Some(rule) = self.context.library.get(*rule) {
                    self.goals.push(call(self.context, rule, args));
                }
            }
            Step::Broadcast(out, args) => {
                let out = self.seq(view, out)?;
                let args = args.iter().map(|arg| self.seq(view, arg));
                let args = args.collect::<Result<Vec<Seq>, Stop>>()?;
                broadcast(view, out, args)?;
            }
            Step::Either(either) => {
                self.make(view, &either.shared);
                self.goals.push(Goal::choice(OneOf {
                    context: Arc::clone(self.context),
                    either: Arc::clone(either),
                    frame: self.frame.clone(),
                }));
            }
            Step::Known(values, body) => {
                let terms = self.terms(view, values)?;
                self.make(view, &body.shared);
                self.goals.push(Goal::choice(When {
                    context: Arc::clone(self.context),
                    terms,
                    body: Arc::clone(body),
                    frame: self.frame.clone(),
                }));
            }
        }
        Ok(())
    }

    fn is_new(&self, value: &Value) -> bool {
        matches!(value, Value::Slot(slot) if self.frame[*slot].is_none())
    }

    /// Gives variables to slots that have none.
    pub(super) fn make(&mut self, view: &mut View<'_>, slots: &[usize]) {
        for &slot in slots {
            self.slot(view, slot);
        }
    }

    fn slot(&mut self, view: &mut View<'_>, slot: usize) -> Term {
        let kind = &self.slots[slot];
        self.frame[slot]
            .get_or_insert_with(|| fresh(view, kind))
            .clone()
    }

    fn terms(&mut self, view: &mut View<'_>, values: &[Value]) -> Result<Box<[Term]>, Stop> {
        values.iter().map(|v| self.term(view, v)).collect()
    }

    /// What a value denotes.
    pub(super) fn term(&mut self, view: &mut View<'_>, value: &Value) -> Result<Term, Stop> {
        Ok(match value {
            Value::Slot(slot) => match self.slot(view, *slot) {
                term @ Term::Var(_) => self.shown(view, *slot, &term)?,
                term => term,
            },
            Value::Any(kind) => fresh(view, kind.kind()),
            Value::Int(n) => Term::Int(Linear::constant(*n)),
            Value::Dtype(dtype) => Term::Atom(view.atom(atoms((*dtype).into()))),
            Value::None => Term::node(NONE, []),
            Value::Some(of) => {
                let of = self.term(view, of)?;
                form::node(view, SOME, [of])
            }
            Value::Tensor(parts) => {
                let [shape, dtype, contents] = &**parts;
                let shape = self.term(view, shape)?;
                if let Term::Seq(seq) = &shape {
                    view.restrict_members(seq)?;
                }
                let dtype = self.term(view, dtype)?;
                Term::node(TENSOR, [dtype, shape, self.contents(view, contents)?])
            }
            Value::Node(label, parts) => {
                let parts = self.terms(view, parts)?;
                form::node(view, *label, parts)
            }
            Value::List(pieces, of) if of.kind().is_number() => {
                let mut parts: Vec<Part> = Vec::with_capacity(pieces.len());
                for piece in pieces {
                    match piece {
                        Piece::One(v) => parts.push(Part::One(number(&self.term(view, v)?)?)),
                        Piece::Rest(v) => parts.extend_from_slice(self.seq(view, v)?.parts()),
                    }
                }
                view.budget().spend(parts.len() as u64)?;
                Term::Seq(parts.into_iter().collect())
            }
            Value::List(pieces, of) => {
                let mut list = form::empty(of.kind());
                for (i, piece) in pieces.iter().rev().enumerate() {
                    list = match piece {
                        Piece::One(v) => {
                            let first = self.term(view, v)?;
                            form::node(view, form::CONS, [first, list])
                        }
                        Piece::Rest(v) if i == 0 => self.term(view, v)?,
                        Piece::Rest(v) => {
                            let front = self.term(view, v)?;
                            let whole = Term::Var(view.any());
                            self.goals.push(joined::goal(front, list, whole.clone()));
                            whole
                        }
                    };
                }
                list
            }
            Value::Number(number) => Term::Int(self.number(view, number)?),
            Value::Index(parts) => {
                let list = self.term(view, &parts[0])?;
                let index = number(&self.term(view, &parts[1])?)?;
                let (term, goal) = lists::at(view, list, index)?;
                self.goals.extend(goal);
                term
            }
            Value::Slice(slice) => {
                let (list, from, to) = &**slice;
                let list = self.term(view, list)?;
                let mut bound = |bound: &Option<Value>| {
                    let bound = bound.as_ref().map(|b| number(&self.term(view, b)?));
                    bound.transpose()
                };
                let (from, to) = (bound(from)?, bound(to)?);
                let (part, goals) = lists::between(view, list, from, to)?;
                self.goals.extend(goals);
                part
            }
            Value::Each(each) => walk::each(self, view, each)?,
            Value::Function(parts) => {
                let function = Term::Var(view.any());
                let [params, results] = &**parts;
                let args = [
                    function.clone(),
                    self.term(view, params)?,
                    self.term(view, results)?,
                ];
                self.goals.push(native::function(self.context, args));
                function
            }
            Value::Promote(dtypes) => {
                let mut vars = Vec::with_capacity(dtypes.len());
                for dtype in dtypes {
                    match self.term(view, dtype)? {
                        Term::Atom(v) => vars.push(v),
                        _ => return Err(Stop::Conflict),
                    }
                }
                let promotion = self.context.promotion;
                Term::Atom(lower::promote_all(view, &vars, promotion)?)
            }
        })
    }

    /// The contents of a tensor: nothing is known of them where they are spoken of for the first time.
    fn contents(&mut self, view: &mut View<'_>, value: &Value) -> Result<Term, Stop> {
        match value {
            Value::Any(_) => Ok(Term::Var(view.any())),
            Value::Slot(slot) => {
                let term = &mut self.frame[*slot];
                Ok(term.get_or_insert_with(|| Term::Var(view.any())).clone())
            }
            value => self.term(view, value),
        }
    }

    /// A variable as what it has come to be. The contents of a tensor are a variable until somebody speaks of
    /// them as a list.
    fn shown(&mut self, view: &mut View<'_>, slot: usize, term: &Term) -> Result<Term, Stop> {
        let mut shown = view.walk(term);
        if let (Term::Var(_), Kind::List(of)) = (&shown, &self.slots[slot])
            && of.is_number()
        {
            let list = Term::Seq(form::fresh_list(view));
            view.unify(&shown, &list)?;
            shown = list;
        }
        self.frame[slot] = Some(shown.clone());
        Ok(shown)
    }

    fn seq(&mut self, view: &mut View<'_>, value: &Value) -> Result<Seq, Stop> {
        match self.term(view, value)? {
            Term::Seq(seq) => Ok(seq),
            _ => Err(Stop::Conflict),
        }
    }
}

/// Two lists of numbers are the same.
pub(super) fn same(a: Seq, b: Seq) -> Constraint {
    Constraint::SeqEqual(a, b)
}

/// Steps whose slots are partly known, as those of a condition that is given are.
pub struct GivenSteps<'a> {
    pub context: &'a Arc<Context>,
    pub slots: &'a Arc<[Kind]>,
    pub frame: Vec<Option<Term>>,
    pub steps: &'a [Step],
}

impl GivenSteps<'_> {
    /// States them, and a number of them: 0 if none is requested.
    ///
    /// # Errors
    /// [`Stop`].
    pub fn state(
        self,
        state: &mut State,
        budget: &mut Budget,
        value: Option<&Number>,
    ) -> Result<Linear, Stop> {
        let mut run = Run {
            context: self.context,
            slots: self.slots,
            frame: self.frame,
            goals: Vec::new(),
        };
        let mut view = View::new(state, budget);
        for step in self.steps {
            run.step(&mut view, step)?;
        }
        let value = value.map(|value| run.number(&mut view, value));
        let value = value.transpose()?.unwrap_or_default();
        // What has to be chosen is in rules alone.
        match run.goals.is_empty() {
            true => Ok(value),
            false => Err(Stop::Overflow),
        }
    }
}

/// States what a clause says of any arguments, as far as nothing has to be chosen.
pub fn own_goals(
    context: &Arc<Context>,
    clause: &Clause,
    state: &mut State,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let mut run = Run {
        context,
        slots: &clause.slots,
        frame: vec![None; clause.slots.len()],
        goals: Vec::new(),
    };
    let mut view = View::new(state, budget);
    for value in &clause.head {
        run.term(&mut view, value)?;
    }
    run.body(&mut view, &clause.body)
}
