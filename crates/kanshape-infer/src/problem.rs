//! [`Problem`]: a query as the engine sees it.

use crate::lower::{AttrSlot, Given, SHAPED, TENSOR, Trouble, most_dims, sizes};
use crate::relation::{CallArg, Context, call, form};
use crate::{AttrValue, Query};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Budget, Domain, Goal, Int, Linear, State, Stop, Stream, Term};
use kanshape_types::Name;
use std::sync::Arc;

/// A query as goals: what is given, and the stream of states in which the signature holds of it.
pub(crate) struct Problem {
    pub given: Arc<Given>,
    pub stream: Stream,
    pub budget: Budget,
}

/// The same before the search begins.
pub(crate) struct Stated {
    pub given: Given,
    pub state: State,
    /// What the signature says.
    pub goal: Goal,
    pub budget: Budget,
}

impl Stated {
    pub(crate) fn new(query: &Query) -> Result<Stated, Diagnostic> {
        let mut budget = Budget::new(query.budget);
        let mut given = Given::default();
        given.identities = query.identities();
        given.operands.labels = query.subject.labels.clone();
        let mut state = State::with_members(given.identities.dims());
        let stated = state_given(query, &mut state, &mut given, &mut budget);
        let goal = match stated {
            Ok(()) => rule(query, &mut state, &given),
            Err(Trouble::Text(diagnostic)) => return Err(*diagnostic),
            Err(Trouble::Stop(stop)) => stopped(stop),
        };
        Ok(Stated {
            given,
            state,
            goal,
            budget,
        })
    }
}

impl Problem {
    pub(crate) fn new(query: &Query) -> Result<Problem, Diagnostic> {
        let Stated {
            given,
            state,
            goal,
            budget,
        } = Stated::new(query)?;
        let mut stream = Stream::new(state, goal);
        if query.ground.is_some() {
            let operands = given.operands.iter();
            // What a tensor has in it is no part of a ground answer.
            let children = |label| if label == TENSOR { SHAPED } else { usize::MAX };
            stream = stream.measuring(operands.map(|o| given.term(o)), children);
        }
        Ok(Problem {
            given: Arc::new(given),
            stream,
            budget,
        })
    }
}

/// A goal that ends as the state has ended already.
fn stopped(stop: Stop) -> Goal {
    match stop {
        Stop::Conflict => Goal::fail(),
        other => Goal::later(move |_| Err(other)),
    }
}

fn state_given(
    query: &Query,
    state: &mut State,
    given: &mut Given,
    budget: &mut Budget,
) -> Result<(), Trouble> {
    let params = &query.subject.params;
    for ty in query.inputs.iter().chain(&query.outputs) {
        given.declare(state, ty)?;
    }
    let value = |label: &str| {
        let mut given = query.params.iter().rev();
        given.find(|p| &*p.0 == label).map(|p| &p.1)
    };
    for label in params {
        if let Some(dim) = value(label) {
            given.declare_dim(state, dim)?;
        }
    }
    let mut conflict = None;
    let mut keep = |r: Result<(), Trouble>| match r {
        Err(Trouble::Stop(stop)) => {
            conflict = conflict.or(Some(stop));
            Ok(())
        }
        other => other,
    };
    let subject = &query.subject;
    for (i, ty) in query.inputs.iter().enumerate() {
        let operand = given.operand(state, ty, subject.is_tensor(i))?;
        given.operands.inputs.push(operand);
    }
    for (ty, i) in query.outputs.iter().zip(query.inputs.len()..) {
        let operand = given.operand(state, ty, subject.is_tensor(i))?;
        given.operands.outputs.push(operand);
    }
    for label in params {
        let form = match value(label) {
            Some(dim) => given.dim(state, dim)?,
            None => Linear::var(state.int(sizes())),
        };
        given.params.push(form);
    }
    if let Some(operator) = subject.called() {
        let words = &operator.library().words;
        for rule in operator.parts().attrs.iter() {
            let own = query.attrs.iter().rev().find(|a| a.0 == rule.name);
            // What has neither a value nor a default is asked for.
            let value = own.map(|a| &a.1).or(rule.default.as_ref());
            let none = if rule.optional {
                &AttrValue::Absent
            } else {
                &AttrValue::Hole
            };
            let value = value.unwrap_or(none);
            let term = given.attribute(state, words, &rule.name, &rule.kind, value)?;
            given.attrs.push(AttrSlot {
                name: Name::from(&*rule.name),
                kind: rule.kind.clone(),
                term,
                asked: value.asks(&rule.kind),
            });
        }
        given.rest = subject.has_rest().then(|| state.any());
    }
    let conditions = query.own_conditions().chain(&query.goals);
    keep(given.conditions(state, conditions, query.promotion))?;
    if let Some(most) = query.max_rank {
        for slot in &given.slots {
            let rank = state.length(&slot.shape)?;
            let domain = Domain::interval(0, Int::from(most));
            keep(state.restrict(&rank, &domain).map_err(Trouble::from))?;
        }
        for operand in given.operands.iter() {
            keep(most_dims(state, given.term(operand), most).map_err(Trouble::from))?;
        }
    }
    if let Some(stop) = conflict {
        return Err(stop.into());
    }
    Ok(state.propagate(budget)?)
}

/// The rule of the query as a goal about what is given.
fn rule(query: &Query, state: &mut State, given: &Given) -> Goal {
    state.allow_free_runs();
    let subject = &query.subject;
    let context = Arc::new(Context {
        library: Arc::clone(&subject.library),
        promotion: query.promotion,
        identities: given.identities.clone(),
        texts: Arc::clone(&given.texts),
    });
    let operands: Vec<Term> = given.operands.iter().map(|o| given.term(o)).collect();
    let args = subject.args.iter().map(|arg| match arg {
        CallArg::Param(i) => Term::Int(given.params[*i].clone()),
        CallArg::Attr(i) => given.attrs[*i].term.clone(),
        CallArg::Type(i) => operands[*i].clone(),
        CallArg::Present(i) => form::node(state, form::SOME, [operands[*i].clone()]),
        CallArg::Absent => form::none(),
        CallArg::Types(all) => form::chain(state, all.iter().map(|i| operands[*i].clone())),
        CallArg::Rest => given.rest.map_or_else(|| Term::Var(state.any()), Term::Var),
    });
    let args = args.collect();
    call(&context, &subject.rule, args)
}
