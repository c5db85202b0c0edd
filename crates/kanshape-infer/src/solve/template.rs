//! [`Template`]: a question that has been stated and propagated, from which questions that give more go on.
//!
//! What follows from a rule alone, whatever is given, is found once. A state is persistent: each question copies that of
//! its template, unifies what it gives, and propagates from there. Explanations ask one question many times with other
//! sizes: what these share is a template as well.

use super::problem::Stated;
use crate::encode::Given;
use crate::solve::subject::Subject;
use crate::{AttrValue, Query};
use kanshape_diag::Diagnostic;
use kanshape_engine::{State, Stop};
use kanshape_syntax::tree::Condition;
use kanshape_types::{Dim, Promotion, Type};
use std::sync::Arc;

/// The steps that may be taken to propagate what every question about a rule starts with.
const STEPS: u64 = 20_000;

/// A question that has been stated and propagated.
#[derive(Debug)]
pub(crate) struct Template {
    /// What has been stated.
    pub facts: Facts,
    pub given: Given,
    /// `None` if it has no answer, whatever else is given.
    pub state: Option<State>,
    /// The steps that it took: each question that goes on from here has taken them.
    pub steps: u64,
}

/// What a question states.
#[derive(Debug)]
pub(crate) struct Facts {
    pub operands: Vec<Type>,
    params: Vec<(Box<str>, Dim)>,
    pub attrs: Arc<Vec<(Box<str>, AttrValue)>>,
    pub conditions: Vec<Condition>,
    pub max_rank: Option<u64>,
    promotion: Promotion,
    plain_sizes: bool,
}

impl Facts {
    fn of(query: &Query) -> Facts {
        Facts {
            operands: query.inputs.iter().chain(&query.outputs).cloned().collect(),
            params: query.params.clone(),
            attrs: Arc::clone(&query.attrs),
            conditions: query
                .own_conditions()
                .chain(&query.goals)
                .cloned()
                .collect(),
            max_rank: query.max_rank,
            promotion: query.promotion,
            plain_sizes: query.plain_sizes,
        }
    }

    /// What has been stated of a parameter.
    pub(crate) fn param(&self, label: &str) -> Option<&Dim> {
        let mut given = self.params.iter().rev();
        given.find(|p| *p.0 == *label).map(|p| &p.1)
    }
}

impl Template {
    /// States a question and propagates it. `None` if that takes too much.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the question is wrong.
    pub(crate) fn new(query: &Query) -> Result<Option<Template>, Diagnostic> {
        let facts = Facts::of(query);
        let Stated {
            given,
            mut state,
            goal,
            mut budget,
        } = Stated::new(query)?;
        let state = match state.settle(goal, &mut budget) {
            Ok(()) => Some(state),
            Err(Stop::Conflict) => None,
            Err(_) => return Ok(None),
        };
        Ok(Some(Template {
            facts,
            given,
            state,
            steps: budget.used(),
        }))
    }

    /// What every question about a rule starts with: nothing is given but the attributes.
    pub(crate) fn of_subject(subject: &Arc<Subject>) -> Option<Template> {
        let mut query = Query::new(Arc::clone(subject));
        query.budget = STEPS;
        Template::new(&query).ok().flatten()
    }

    /// Does a question about the same rule state more than this? Of what types are it is not looked at.
    pub(crate) fn is_of(&self, query: &Query) -> bool {
        let facts = &self.facts;
        facts.promotion == query.promotion
            && facts.plain_sizes == query.plain_sizes
            && self.given.identities == query.identities()
    }
}
