//! Where a rule can go several ways: the clauses of a relation, the alternatives of a body, and goals that wait for
//! something to be known.

use super::clause::Run;
use super::matching::{guards_may_hold, may_hold};
use crate::encode::form;
use crate::native;
use crate::rules::Context;
use crate::rules::Rule;
use crate::rules::rule::Either;
use kanshape_engine::{Choice, Goal, Look, Stop, Term, View, Ways};
use std::sync::Arc;

/// A relation of some arguments.
#[derive(Debug)]
struct Call {
    context: Arc<Context>,
    rule: Arc<Rule>,
    args: Box<[Term]>,
}

/// The goal that a relation holds of the arguments.
pub fn call(context: &Arc<Context>, rule: &Arc<Rule>, args: Box<[Term]>) -> Goal {
    if let Some(native) = &rule.native {
        return native::goal(context, native, args);
    }
    Goal::choice(Call {
        context: Arc::clone(context),
        rule: Arc::clone(rule),
        args,
    })
}

impl Choice for Call {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        let clauses = &self.rule.clauses;
        if clauses.len() == 1 {
            // There is nothing to choose.
            return Ok(Ways::from_slice(&[0]));
        }
        let mut ways = Ways::new();
        for (i, clause) in clauses.iter().enumerate() {
            if may_hold(look, clause, &self.args)? {
                ways.push(i);
            }
        }
        Ok(ways)
    }

    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        let clause = &self.rule.clauses[way];
        let mut run = Run {
            context: &self.context,
            slots: &clause.slots,
            frame: vec![None; clause.slots.len()],
            goals: Vec::new(),
        };
        view.budget().spend(clause.slots.len() as u64)?;
        for (value, arg) in clause.head.iter().zip(&self.args) {
            run.equal(view, value, arg)?;
        }
        run.body(view, &clause.body)?;
        Ok(Goal::All(run.goals))
    }
}

/// Alternatives inside of a clause.
#[derive(Debug)]
pub(super) struct OneOf {
    pub context: Arc<Context>,
    pub either: Arc<Either>,
    pub frame: Vec<Option<Term>>,
}

impl Choice for OneOf {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        let mut ways = Ways::new();
        for (i, body) in self.either.ways.iter().enumerate() {
            look.budget().spend(1)?;
            if guards_may_hold(look, body, &self.frame)? {
                ways.push(i);
            }
        }
        Ok(ways)
    }

    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        let mut run = Run {
            context: &self.context,
            slots: &self.either.slots,
            frame: self.frame.clone(),
            goals: Vec::new(),
        };
        run.body(view, &self.either.ways[way])?;
        Ok(Goal::All(run.goals))
    }
}

/// Goals that wait for something to be known.
#[derive(Debug)]
pub(super) struct When {
    pub context: Arc<Context>,
    pub terms: Box<[Term]>,
    pub body: Arc<Either>,
    pub frame: Vec<Option<Term>>,
}

impl Choice for When {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        for term in &self.terms {
            if !form::is_known(look, term)? {
                return Ok(Ways::from_slice(&[0, 1]));
            }
        }
        Ok(Ways::from_slice(&[0]))
    }

    fn take(&self, _: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        let mut run = Run {
            context: &self.context,
            slots: &self.body.slots,
            frame: self.frame.clone(),
            goals: Vec::new(),
        };
        for way in &self.body.ways {
            run.body(view, way)?;
        }
        Ok(Goal::All(run.goals))
    }

    fn is_redundant(&self) -> bool {
        true
    }
}
