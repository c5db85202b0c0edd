//! [`Template`]: a query that has been stated and propagated, from which queries that give more continue.
//!
//! What follows from a rule alone, whatever is given, is found once. A state is persistent: each query copies that of
//! its template, unifies what it gives, and propagates from there. An explanation solves one query many times with other
//! sizes: what these share is a template as well.

use super::problem::StatedQuery;
use super::query::param_among;
use crate::conjunction::Conjunction;
use crate::limits::TEMPLATE_STEPS;
use crate::solve::subject::Subject;
use crate::{AttrValue, Query};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Stop, unmetered};
use kanshape_syntax::tree::Condition;
use kanshape_types::{Dim, Promotion, Type};
use std::sync::Arc;

/// A query that has been stated and propagated.
#[derive(Debug)]
pub(crate) struct Template {
    /// What has been stated.
    pub facts: Facts,
    pub all: Conjunction,
    /// It has no answer, whatever else is given.
    pub fails: bool,
    /// The steps that it took: they count for each query that continues from here.
    pub steps: u64,
}

/// What a query states.
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
        param_among(&self.params, label)
    }
}

impl Template {
    /// States a query and propagates it. `None` if that takes too many steps.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the query is wrong.
    pub(crate) fn new(query: &Query) -> Result<Option<Template>, Diagnostic> {
        let facts = Facts::of(query);
        let StatedQuery {
            mut all,
            goal,
            mut budget,
        } = StatedQuery::new(query)?;
        let fails = match all.state.settle(goal, &mut budget) {
            Ok(()) => false,
            Err(Stop::Conflict) => true,
            Err(_) => return Ok(None),
        };
        Ok(Some(Template {
            facts,
            all,
            fails,
            steps: budget.used(),
        }))
    }

    /// The template of all queries about a subject: nothing is given but the attributes.
    pub(crate) fn of_subject(subject: &Arc<Subject>) -> Option<Template> {
        let mut query = Query::new(Arc::clone(subject));
        query.budget = TEMPLATE_STEPS;
        // It is kept for other queries, whatever the one that needs it first has left.
        unmetered(|| Template::new(&query)).ok().flatten()
    }

    /// May a query about the same rule continue from here? It has to give the same and more; only that it is solved in the same
    /// way is checked.
    pub(crate) fn is_of(&self, query: &Query) -> bool {
        let facts = &self.facts;
        facts.promotion == query.promotion
            && facts.plain_sizes == query.plain_sizes
            && self.all.given.identities == query.identities()
    }
}
