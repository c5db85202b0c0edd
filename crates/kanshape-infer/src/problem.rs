//! [`Problem`]: a query as the engine sees it.

use crate::lower::{AttrSlot, Given, SHAPED, TENSOR, Trouble, most_dims, post, sizes, variants};
use crate::{AttrValue, Query, Signature};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Budget, Domain, Goal, Int, Linear, State, Stop, Stream};
use kanshape_types::{Name, Promotion};
use std::sync::Arc;

/// A query as goals: what is given, and the stream of states in which the signature holds of it.
pub(crate) struct Problem {
    pub given: Arc<Given>,
    pub stream: Stream,
    pub budget: Budget,
    /// Too many variants of optional dims to look at them all.
    pub too_many: bool,
}

/// The same before the search begins.
pub(crate) struct Stated {
    pub given: Given,
    pub state: State,
    /// What the signature says.
    pub goal: Goal,
    pub budget: Budget,
    /// Too many variants of optional dims to look at them all.
    pub too_many: bool,
}

impl Stated {
    pub(crate) fn new(query: &Query) -> Result<Stated, Diagnostic> {
        let mut budget = Budget::new(query.budget);
        let mut given = Given::default();
        given.identities = query.identities();
        given.operands.labels = query.signature.program().labels.clone();
        let mut state = State::with_members(given.identities.dims());
        let stated = state_given(query, &mut state, &mut given, &mut budget);
        let (goal, too_many) = match stated {
            Ok(()) => rule(&query.signature, query.promotion, &mut state, &given),
            Err(Trouble::Text(diagnostic)) => return Err(*diagnostic),
            Err(Trouble::Stop(stop)) => (stopped(stop), false),
        };
        Ok(Stated {
            given,
            state,
            goal,
            budget,
            too_many,
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
            too_many,
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
            too_many,
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
    let params = &query.signature.program().params;
    for ty in query.inputs.iter().chain(&query.outputs) {
        given.declare(state, ty)?;
    }
    let value = |label: &str| {
        let mut given = query.params.iter().rev();
        given.find(|p| &*p.0 == label).map(|p| &p.1)
    };
    for (label, _) in params {
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
    let program = query.signature.program();
    for (ty, rule) in query.inputs.iter().zip(&program.inputs) {
        let operand = given.operand(state, ty, rule.is_tensor())?;
        given.operands.inputs.push(operand);
    }
    for (ty, rule) in query.outputs.iter().zip(&program.outputs) {
        let operand = given.operand(state, ty, rule.is_tensor())?;
        given.operands.outputs.push(operand);
    }
    for (label, _) in params {
        let form = match value(label) {
            Some(dim) => given.dim(state, dim)?,
            None => Linear::var(state.int(sizes())),
        };
        given.params.push(form);
    }
    if let Some(operator) = &program.operator {
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
        given.rest = program.has_rest().then(|| state.any());
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

/// The signature as a goal, one way for each set of optional dims that the ranks allow; and whether there
/// are too many of them.
pub(crate) fn rule(
    signature: &Signature,
    promotion: Promotion,
    state: &mut State,
    given: &Given,
) -> (Goal, bool) {
    let program = signature.program();
    let mut ranks = Vec::with_capacity(given.operands.inputs.len());
    if program.optionals > 0 {
        for operand in &given.operands.inputs {
            // What is no tensor drops nothing.
            let none = kanshape_engine::Seq::default();
            let shape = given.tensor(operand).map_or(&none, |s| &s.shape);
            match state.length(shape) {
                Ok(rank) => ranks.push(state.bounds(&rank)),
                Err(stop) => return (stopped(stop), false),
            }
        }
    }
    let Some(mut variants) = variants(program, &ranks) else {
        return (stopped(Stop::Budget), true);
    };
    if variants.len() == 1 {
        // Nothing to choose: no copy of the state is needed.
        let variant = variants.remove(0);
        let goal = match post(state, program, given, &variant, promotion) {
            Ok(goal) => goal,
            Err(stop) => stopped(stop),
        };
        return (goal, false);
    }
    let shared = Arc::new((signature.clone(), given.clone()));
    let ways = variants.into_iter().map(|variant| {
        let shared = Arc::clone(&shared);
        Goal::later(move |state| post(state, shared.0.program(), &shared.1, &variant, promotion))
    });
    (Goal::any(ways), false)
}
