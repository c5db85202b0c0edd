//! [`Problem`]: a query as the engine sees it.

use super::template::Template;
use crate::conjunction::Conjunction;
use crate::{Operator, Query};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Budget, Domain, Goal, Int, Linear, State, Stop, Stream, Term};
use kanshape_rules::encode::form;
use kanshape_rules::encode::{
    AttrSlot, Operand, Presence, QueryVars, SHAPED, TENSOR, Trouble, most_dims, sizes,
};
use kanshape_rules::rules::CallArg;
use kanshape_rules::rules::Context;
use kanshape_rules::rules::op::Attr;
use kanshape_types::{Name, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A query as goals: what is given, and the stream of states in which the signature holds of it.
pub(crate) struct Problem {
    pub given: Arc<QueryVars>,
    pub stream: Stream,
    pub budget: Budget,
}

/// The same before the search begins.
pub(crate) struct StatedQuery {
    pub all: Conjunction,
    /// What the signature says.
    pub goal: Goal,
    pub budget: Budget,
}

impl StatedQuery {
    /// States all of a query.
    pub(crate) fn new(query: &Query) -> Result<StatedQuery, Diagnostic> {
        let mut budget = Budget::new(query.budget);
        let mut given = QueryVars::default();
        given.identities = query.identities();
        given.operands.labels = query.subject.labels.clone();
        let mut state = State::with_members(given.identities.dims());
        if query.exact {
            state.be_exact();
        }
        let mut all = Conjunction::new(state, given, query.promotion);
        let goal = match state_given(query, &mut all, &mut budget) {
            Ok(()) => rule(query, &mut all),
            Err(Trouble::Text(diagnostic)) => return Err(*diagnostic),
            Err(Trouble::Stop(stop)) => stopped(stop),
        };
        Ok(StatedQuery { all, goal, budget })
    }

    /// States what a query gives and its template does not.
    pub(crate) fn from(query: &Query, template: &Template) -> Result<StatedQuery, Diagnostic> {
        if template.fails {
            // What is written wrongly is still found.
            return Ok(StatedQuery {
                goal: Goal::fail(),
                ..StatedQuery::new(query)?
            });
        }
        let known = &template.all;
        let mut budget = Budget::new(query.budget);
        let given = known.given.without_operands();
        let mut all = Conjunction::new(known.state.clone(), given, query.promotion);
        let mut goals = Vec::new();
        let stated = budget.spend(template.steps).map_err(Trouble::from);
        let stated = stated.and_then(|()| state_more(query, template, &mut all, &mut goals));
        let goal = match stated {
            Ok(()) => Goal::all(goals),
            Err(Trouble::Text(diagnostic)) => return Err(*diagnostic),
            Err(Trouble::Stop(stop)) => stopped(stop),
        };
        Ok(StatedQuery { all, goal, budget })
    }
}

impl Problem {
    pub(crate) fn new(query: &Query) -> Result<Problem, Diagnostic> {
        match query.subject.template(query) {
            Some(template) if !query.exact => Problem::from(query, template),
            _ => Problem::of(query, StatedQuery::new(query)?),
        }
    }

    /// A query that goes on from a template.
    pub(crate) fn from(query: &Query, template: &Template) -> Result<Problem, Diagnostic> {
        Problem::of(query, StatedQuery::from(query, template)?)
    }

    /// How many parts of a node have runs of which a ground answer says how long they are: what a tensor has in it is no
    /// part of it.
    pub(crate) fn measured_children(label: u32) -> usize {
        if label == TENSOR { SHAPED } else { usize::MAX }
    }

    fn of(query: &Query, stated: StatedQuery) -> Result<Problem, Diagnostic> {
        let StatedQuery { all, goal, budget } = stated;
        let Conjunction { state, given, .. } = all;
        let mut stream = Stream::new(state, goal);
        if query.ground {
            let operands = given.operands.iter();
            let terms = operands.map(|o| given.term(o));
            stream = stream.measuring(terms, Problem::measured_children);
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

/// Keeps the first conflict, so that what is written wrongly behind it is still found.
#[derive(Default)]
struct Conflicts(Option<Stop>);

impl Conflicts {
    fn keep(&mut self, stated: Result<(), Trouble>) -> Result<(), Trouble> {
        match stated {
            Err(Trouble::Stop(stop)) => {
                self.0.get_or_insert(stop);
                Ok(())
            }
            other => other,
        }
    }
}

fn state_given(query: &Query, all: &mut Conjunction, budget: &mut Budget) -> Result<(), Trouble> {
    let subject = &query.subject;
    let Conjunction { state, given, .. } = all;
    declare(query, state, given)?;
    for (i, ty) in query.inputs.iter().enumerate() {
        let operand = given.operand(state, ty, subject.is_tensor(i))?;
        given.operands.inputs.push(operand);
    }
    for (ty, i) in query.outputs.iter().zip(query.inputs.len()..) {
        let operand = given.operand(state, ty, subject.is_tensor(i))?;
        given.operands.outputs.push(operand);
    }
    for label in &subject.params {
        let form = match query.given_param(label) {
            Some(dim) => given.dim(state, dim)?,
            None => Linear::var(state.int(sizes())),
        };
        given.params.push(form);
    }
    if let Some(operator) = subject.called() {
        for rule in operator.parts().attrs.iter() {
            let attr = attribute(query, operator, rule, state, given)?;
            given.attrs.push(attr);
        }
        given.rest = subject.has_rest().then(|| state.any());
        let open = subject.args.iter().filter_map(|arg| match arg {
            CallArg::Open(operand) => Some(*operand),
            _ => None,
        });
        given.presences.extend(open.map(|operand| Presence {
            operand,
            term: Term::Var(state.any()),
        }));
    }
    let mut conflicts = Conflicts::default();
    let conditions = query.own_conditions().chain(&query.goals);
    conflicts.keep(given.conditions(state, conditions, query.promotion))?;
    if let Some(most) = query.max_rank {
        conflicts.keep(restrict_ranks(state, given, most))?;
    }
    if let Some(stop) = conflicts.0 {
        return Err(stop.into());
    }
    Ok(state.propagate(budget)?)
}

/// States what a query gives and its template does not. What is to be unified with what the template has is a goal.
fn state_more(
    query: &Query,
    template: &Template,
    all: &mut Conjunction,
    goals: &mut Vec<Goal>,
) -> Result<(), Trouble> {
    let subject = &query.subject;
    let (facts, known) = (&template.facts, &template.all.given);
    let Conjunction { state, given, .. } = all;
    declare(query, state, given)?;
    if !known.names.is_empty() {
        in_written_order(query, given);
    }
    let mut operand = |i: usize, ty: &Type, before: &Operand, given: &mut QueryVars| {
        if *ty == facts.operands[i] {
            return Ok::<Operand, Trouble>(given.operand_of(known, before));
        }
        let operand = given.operand(state, ty, subject.is_tensor(i))?;
        goals.push(Goal::equal(known.term(before), given.term(&operand)));
        Ok(operand)
    };
    for (i, ty) in query.inputs.iter().enumerate() {
        let operand = operand(i, ty, &known.operands.inputs[i], given)?;
        given.operands.inputs.push(operand);
    }
    for (i, ty) in query.outputs.iter().enumerate() {
        let before = &known.operands.outputs[i];
        let operand = operand(query.inputs.len() + i, ty, before, given)?;
        given.operands.outputs.push(operand);
    }
    for (label, before) in subject.params.iter().zip(&known.params) {
        let form = match query.given_param(label) {
            same if same == facts.param(label) => before.clone(),
            Some(dim) => {
                let form = given.dim(state, dim)?;
                goals.push(Goal::equal(before.clone(), form.clone()));
                form
            }
            None => before.clone(),
        };
        given.params.push(form);
    }
    if let Some(operator) = subject.called() {
        let is_same = Arc::ptr_eq(&query.attrs, &facts.attrs);
        for (rule, before) in operator.parts().attrs.iter().zip(&known.attrs) {
            if is_same || rule.value_among(&query.attrs) == rule.value_among(&facts.attrs) {
                given.attrs.push(before.clone());
                continue;
            }
            let attr = attribute(query, operator, rule, state, given)?;
            goals.push(Goal::equal(before.term.clone(), attr.term.clone()));
            given.attrs.push(attr);
        }
        given.rest = known.rest;
        given.presences = known.presences.clone();
    }
    let mut conflicts = Conflicts::default();
    let mut conditions = facts.conditions.iter().peekable();
    let new = query.own_conditions().chain(&query.goals).filter(|c| {
        let is_known = conditions.peek() == Some(c);
        if is_known {
            conditions.next();
        }
        !is_known
    });
    conflicts.keep(given.conditions(state, new, query.promotion))?;
    if let Some(most) = query.max_rank
        && facts.max_rank != Some(most)
    {
        conflicts.keep(restrict_ranks(state, given, most))?;
    }
    match conflicts.0 {
        Some(stop) => Err(stop.into()),
        None => Ok(()),
    }
}

/// Puts the names that a template has made among those of the query, in the order in which they are written in types.
fn in_written_order(query: &Query, given: &mut QueryVars) {
    let mut places: FxHashMap<Box<str>, usize> = FxHashMap::default();
    for ty in query.inputs.iter().chain(&query.outputs) {
        ty.for_each_name(&mut |name| {
            let next = places.len();
            places.entry(name.into()).or_insert(next);
        });
    }
    given.sort_names(|name| places.get(name.as_str()).copied().unwrap_or(usize::MAX));
}

/// Makes the names of a query, in the order in which they are written.
fn declare(query: &Query, state: &mut State, given: &mut QueryVars) -> Result<(), Trouble> {
    for ty in query.inputs.iter().chain(&query.outputs) {
        given.declare(state, ty)?;
    }
    for label in &query.subject.params {
        if let Some(dim) = query.given_param(label) {
            given.declare_dim(state, dim)?;
        }
    }
    Ok(())
}

fn attribute(
    query: &Query,
    operator: &Operator,
    rule: &Attr,
    state: &mut State,
    given: &mut QueryVars,
) -> Result<AttrSlot, Trouble> {
    let words = &operator.library().words;
    let value = rule.value_among(&query.attrs);
    let term = given.attribute(state, words, &rule.name, &rule.kind, value)?;
    Ok(AttrSlot {
        name: Name::word(&*rule.name),
        kind: rule.kind.clone(),
        term,
        queried: value.is_queried(&rule.kind),
    })
}

/// From now on no shape has more dims than this.
fn restrict_ranks(state: &mut State, given: &QueryVars, most: u64) -> Result<(), Trouble> {
    let mut conflicts = Conflicts::default();
    for slot in &given.slots {
        let rank = state.length(&slot.shape)?;
        let domain = Domain::interval(0, Int::from(most));
        conflicts.keep(state.restrict(&rank, &domain).map_err(Trouble::from))?;
    }
    for operand in given.operands.iter() {
        conflicts.keep(most_dims(state, given.term(operand), most).map_err(Trouble::from))?;
    }
    conflicts.0.map_or(Ok(()), |stop| Err(stop.into()))
}

/// The rule of the query as a goal about what is given.
fn rule(query: &Query, all: &mut Conjunction) -> Goal {
    all.state.allow_integers();
    let subject = &query.subject;
    let given = &all.given;
    let context = Arc::new(Context {
        library: Arc::clone(&subject.library),
        promotion: query.promotion,
        identities: given.identities.clone(),
        texts: Arc::clone(&given.texts),
    });
    let operands: Vec<Term> = given.operands.iter().map(|o| given.term(o)).collect();
    let attrs: Vec<Term> = given.attrs.iter().map(|attr| attr.term.clone()).collect();
    let params: Vec<Term> = given.params.iter().cloned().map(Term::Int).collect();
    let rule = all.call(
        &context,
        &subject.rule,
        &subject.args,
        &operands,
        &params,
        &attrs,
    );
    let state = &mut all.state;
    let presences = all.given.presences.iter().map(|presence| {
        let there = form::node(state, form::SOME, [operands[presence.operand].clone()]);
        let ways = [form::none(), there].map(|way| Goal::equal(presence.term.clone(), way));
        Goal::any(ways)
    });
    Goal::all(std::iter::once(rule).chain(presences))
}
