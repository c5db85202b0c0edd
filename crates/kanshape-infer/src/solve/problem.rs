//! [`Problem`]: a query as the engine sees it.

use super::template::Template;
use crate::conjunction::Conjunction;
use crate::{Operator, Query};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Budget, Domain, Goal, Int, Linear, State, Stop, Stream, Term};
use kanshape_rules::encode::form;
use kanshape_rules::encode::{
    AttrSlot, Presence, QueryVars, SHAPED, TENSOR, Trouble, most_dims, sizes,
};
use kanshape_rules::rules::CallArg;
use kanshape_rules::rules::Context;
use kanshape_rules::rules::op::Attr;
use kanshape_types::Name;
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
        let mut given = QueryVars {
            identities: query.identities(),
            ..QueryVars::default()
        };
        given.operands.labels = query.subject.labels.clone();
        let mut state = State::with_members(given.identities.dims());
        if query.exact {
            state.be_exact();
        }
        let mut all = Conjunction::new(state, given, query.promotion);
        let stated = state_given(query, None, &mut all, &mut Vec::new());
        let stated = stated.and_then(|()| Ok(all.state.propagate(&mut budget)?));
        let goal = match stated {
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
        let stated = stated.and_then(|()| state_given(query, Some(template), &mut all, &mut goals));
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

/// States what a query gives, beyond what its template does if it goes on from one. What is to be unified with what that has is a goal.
fn state_given(
    query: &Query,
    template: Option<&Template>,
    all: &mut Conjunction,
    goals: &mut Vec<Goal>,
) -> Result<(), Trouble> {
    let subject = &query.subject;
    let known = template.map(|template| (&template.facts, &template.all.given));
    let Conjunction { state, given, .. } = all;
    declare(query, state, given)?;
    if known.is_some_and(|(_, known)| !known.names.is_empty()) {
        in_written_order(query, given);
    }
    let mut stated = known.map(|(facts, known)| facts.operands.iter().zip(known.operands.iter()));
    for (i, ty) in query.inputs.iter().chain(&query.outputs).enumerate() {
        let before = stated.as_mut().and_then(Iterator::next).zip(known);
        let operand = match before {
            Some(((same, before), (_, known))) if same == ty => given.operand_of(known, before),
            before => {
                let operand = given.operand(state, ty, subject.is_tensor(i))?;
                if let Some(((_, before), (_, known))) = before {
                    goals.push(Goal::equal(known.term(before), given.term(&operand)));
                }
                operand
            }
        };
        match i < query.inputs.len() {
            true => given.operands.inputs.push(operand),
            false => given.operands.outputs.push(operand),
        }
    }
    for (i, label) in subject.params.iter().enumerate() {
        let before = known.map(|(facts, known)| (facts.param(label), &known.params[i]));
        let form = match (query.given_param(label), before) {
            (dim, Some((same, before))) if dim == same || dim.is_none() => before.clone(),
            (Some(dim), before) => {
                let form = given.dim(state, dim)?;
                if let Some((_, before)) = before {
                    goals.push(Goal::equal(before.clone(), form.clone()));
                }
                form
            }
            (None, _) => Linear::var(state.int(sizes())),
        };
        given.params.push(form);
    }
    if let Some(operator) = subject.called() {
        for (i, rule) in operator.parts().attrs.iter().enumerate() {
            let own = &query.attrs;
            let is_same = |attrs: &Arc<Vec<_>>| {
                Arc::ptr_eq(own, attrs) || rule.value_among(own) == rule.value_among(attrs)
            };
            let attr = match known.map(|(facts, known)| (&facts.attrs, &known.attrs[i])) {
                Some((attrs, before)) if is_same(attrs) => before.clone(),
                before => {
                    let attr = attribute(query, operator, rule, state, given)?;
                    if let Some((_, before)) = before {
                        goals.push(Goal::equal(before.term.clone(), attr.term.clone()));
                    }
                    attr
                }
            };
            given.attrs.push(attr);
        }
        if let Some((_, known)) = known {
            given.rest = known.rest;
            given.presences = known.presences.clone();
        } else {
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
    }
    let mut conflicts = Conflicts::default();
    let stated = known.map_or(&[][..], |(facts, _)| &facts.conditions);
    let mut stated = stated.iter().peekable();
    let new = query.own_conditions().chain(&query.goals);
    let new = new.filter(|one| stated.next_if_eq(one).is_none());
    conflicts.keep(given.conditions(state, new, query.promotion))?;
    if let Some(most) = query.max_rank
        && known.is_none_or(|(facts, _)| facts.max_rank != Some(most))
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
    given
        .names
        .sort_by_place(|name| places.get(name.as_str()).copied().unwrap_or(usize::MAX));
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
