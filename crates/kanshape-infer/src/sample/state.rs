//! A sample of one state of the search: numbers and dtypes for what it leaves open.

use crate::solve::ground::{Bounded, Enumeration, at_least, numbers, within};
use crate::{Answer, AttrValue, Query};
use kanshape_engine::{Budget, Chooser, Linear, Part, Seq, State, Stop, Term, Var, choose, pick};
use kanshape_rules::encode::{End, Kind, QueryVars, atoms, dtypes, sizes, tensor};
use kanshape_types::{Dtype, DtypeSet, Type};
use rustc_hash::FxHashSet;

/// The dtypes that are the simplest; the others come behind them.
const SIMPLE: [Dtype; 6] = [
    Dtype::F32,
    Dtype::I64,
    Dtype::Bool,
    Dtype::F64,
    Dtype::I32,
    Dtype::U8,
];

impl Query {
    /// A sample among the answers of a state; `None` if it has none.
    pub(super) fn of_state(
        &self,
        given: &QueryVars,
        mut state: State,
        chooser: &mut Chooser<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Answer>, Stop> {
        let most_dims = self.max_rank.unwrap_or(Query::SAMPLE_MAX_RANK) as usize;
        for v in open_operands(&*given.settled(&state)?) {
            // Any type is one that it can be.
            let rank = pick(chooser, most_dims + 1);
            let dims: Seq = (0..rank)
                .map(|_| Part::One(Linear::var(state.int(sizes()))))
                .collect();
            let dtype = state.atom(atoms(DtypeSet::ANY));
            let contents = Term::Var(state.any());
            state.unify(&Term::Var(v), &tensor(dtype, dims, contents), budget)?;
            state.propagate(budget)?;
        }
        let settled = given.settled(&state)?;
        for slot in &settled.slots {
            state.spell_out(&slot.shape, budget)?;
        }
        if let Some(most) = self.max_dim {
            within(self, &settled, &mut state, most, Bounded::Open, budget)?;
        }
        if self.min_dim > 0 {
            at_least(&settled, &mut state, self.min_dim, budget)?;
        }
        let slots = settled.slots.iter().map(|slot| slot.dtype);
        let attrs = settled.attrs.iter().filter(|attr| attr.queried);
        let attrs = attrs.filter_map(|attr| match (&attr.kind, state.walk(&attr.term)) {
            (Kind::Dtype, Term::Atom(v)) => Some(v),
            _ => None,
        });
        let open: Vec<Var> = slots.chain(attrs).collect();
        for v in open {
            match self.dtype(&state, v, chooser, budget)? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        let mut shown: Vec<Var> = Vec::new();
        for form in numbers(self, &settled, &state)? {
            shown.extend(state.open_vars_of(&form));
        }
        shown.extend(coded(&state, &settled));
        shown.sort_unstable();
        shown.dedup();
        let Some(state) = choose(&state, &shown, chooser, budget)? else {
            return Ok(None);
        };
        let Some(mut answers) = Enumeration::new(self, given, state, None, false, budget)? else {
            return Ok(None);
        };
        let answer = answers.next(&mut FxHashSet::default(), budget)?;
        match answer {
            // A function, a text of which the rule says nothing: there is no choosing it.
            Some(answer) if answer.attrs.iter().any(|(_, value)| is_open(value)) => {
                Err(Stop::Overflow)
            }
            answer => Ok(answer),
        }
    }

    /// The state in which a dtype is chosen.
    fn dtype(
        &self,
        state: &State,
        v: Var,
        chooser: &mut Chooser<'_>,
        budget: &mut Budget,
    ) -> Result<Option<State>, Stop> {
        let set = dtypes(state.mask(v));
        if set.single().is_some() {
            return Ok(Some(state.clone()));
        }
        let preferred = set.intersection(self.preferred);
        // A preferred one that fits not gives way to any that fits.
        for set in [preferred, set.difference(preferred)] {
            let mut left: Vec<Dtype> = set.into_iter().collect();
            left.sort_by_key(|dtype| {
                let place = SIMPLE.iter().position(|simple| simple == dtype);
                place.unwrap_or(SIMPLE.len())
            });
            while !left.is_empty() {
                let dtype = left.remove(pick(chooser, left.len()));
                let mut next = state.clone();
                let fits = next.restrict_atom(v, atoms(dtype.into()));
                match fits.and_then(|()| next.propagate(budget)) {
                    Ok(()) => return Ok(Some(next)),
                    Err(Stop::Conflict) => {}
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(None)
    }
}

fn is_open(value: &AttrValue) -> bool {
    match value {
        AttrValue::Hole | AttrValue::Unknown => true,
        AttrValue::List(members) => members.iter().any(is_open),
        _ => false,
    }
}

/// Operands of which nothing is known, and parts of them.
fn open_operands(given: &QueryVars) -> Vec<Var> {
    let mut open = Vec::new();
    given.operands.types(&mut |end| {
        if let End::Open(v) = end {
            open.push(v);
        }
        Type::UNKNOWN
    });
    open.sort_unstable();
    open.dedup();
    open
}

/// The numbers of attributes that denote something else: a truth value, a text.
fn coded(state: &State, given: &QueryVars) -> Vec<Var> {
    let mut vars = Vec::new();
    for attr in given.attrs.iter().filter(|attr| attr.queried) {
        if let (Kind::Bool | Kind::Text | Kind::Float, Term::Int(form)) =
            (&attr.kind, state.walk(&attr.term))
        {
            vars.extend(state.open_vars_of(&form));
        }
    }
    vars
}
