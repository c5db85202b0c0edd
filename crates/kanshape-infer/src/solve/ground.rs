//! Ground answers: numbers for every size that a state leaves open, within bounds.

use crate::Query;
use crate::reify::{self, AttrTemplate};
use crate::{Answer, AttrValue};
use kanshape_engine::{Budget, Domain, INF, Int, Labeling, Linear, Part, State, Stop, Var};
use kanshape_rules::encode::{End, Identities, Operands, QueryVars, Slot};
use kanshape_types::{Conditions, Dim, DtypeTerm, Name, Shape, Tensor, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The ground answers of one state of the search.
#[derive(Debug)]
pub(crate) struct Enumeration {
    ground: Labeling,
    templates: Templates,
    /// Could two sets of numbers come to one answer, or another state have come to it already?
    may_repeat: bool,
}

/// An answer with places for its numbers.
#[derive(Debug)]
struct Templates {
    tensors: Vec<Template>,
    operands: Operands,
    params: Vec<(Name, Affine)>,
    attrs: Vec<(Name, AttrTemplate)>,
    /// The numbers in them.
    attr_numbers: Vec<Affine>,
    conditions: Conditions,
    absent: Vec<usize>,
    identities: Identities,
}

#[derive(Debug)]
pub(crate) struct Template {
    pub dtype: DtypeTerm,
    pub dims: Vec<Affine>,
}

/// A size as a form over the enumerated numbers, by place.
#[derive(Clone, Debug)]
pub(crate) enum Affine {
    Number(Int),
    Place(usize),
    Sum(Vec<(usize, Int)>, Int),
}

impl Affine {
    fn new(l: &Linear, places: &FxHashMap<Var, usize>) -> Affine {
        if let Some(n) = l.as_constant() {
            return Affine::Number(n);
        }
        if let Some(v) = l.as_var() {
            return Affine::Place(places[&v]);
        }
        let terms = l.terms().iter().map(|&(v, c)| (places[&v], c));
        Affine::Sum(terms.collect(), l.offset())
    }

    fn value(&self, numbers: &[Int]) -> Int {
        match self {
            Affine::Number(n) => *n,
            Affine::Place(i) => numbers[*i],
            Affine::Sum(terms, offset) => terms
                .iter()
                .fold(*offset, |sum, &(i, c)| sum + c * numbers[i]),
        }
    }
}

impl Enumeration {
    /// `None` if the state has no ground answers within the bounds.
    pub(crate) fn new(
        query: &Query,
        given: &QueryVars,
        mut state: State,
        max_dim: Option<u64>,
        forked: bool,
        budget: &mut Budget,
    ) -> Result<Option<Enumeration>, Stop> {
        let settled = given.settled(&state)?;
        let given = &*settled;
        for slot in &given.slots {
            state.spell_out(&slot.shape, budget)?;
        }
        if let Some(most) = max_dim {
            within(query, given, &mut state, most, Bounded::NotGiven, budget)?;
        }
        let mut shown: Vec<Var> = Vec::new();
        let mut places: FxHashMap<Var, usize> = FxHashMap::default();
        let mut alone: Vec<bool> = Vec::new();
        let mut show = |state: &State, l: &Linear| {
            for v in l.vars() {
                let next = shown.len();
                let place = *places.entry(v).or_insert(next);
                if place == next {
                    shown.push(v);
                    alone.push(false);
                }
                alone[place] |= l.terms().len() == 1;
            }
            let _ = state;
        };
        let mut all: Vec<Vec<Linear>> = Vec::new();
        for slot in &given.slots {
            let forms = dims(&state, slot)?;
            forms.iter().for_each(|l| show(&state, l));
            all.push(forms);
        }
        let mut params = Vec::new();
        for form in &given.params {
            let form = state.resolve(form)?;
            show(&state, &form);
            params.push(form);
        }
        let mut attr_numbers = Vec::new();
        let attrs = attrs(query, &state, given, &mut attr_numbers)?;
        attr_numbers.iter().for_each(|l| show(&state, l));
        let Some(ground) = Labeling::new(&state, &shown, budget)? else {
            return Ok(None);
        };
        let (dtypes, conditions) = reify::dtypes_of(&state, given, query.promotion);
        let tensors: Vec<Template> = all
            .iter()
            .zip(dtypes)
            .map(|(forms, dtype)| Template {
                dtype,
                dims: forms.iter().map(|l| Affine::new(l, &places)).collect(),
            })
            .collect();
        let labels = query.subject.params.iter();
        let params = labels
            .zip(&params)
            .map(|(label, l)| (label.clone(), Affine::new(l, &places)))
            .collect();
        Ok(Some(Enumeration {
            ground,
            templates: Templates {
                tensors,
                operands: given.operands.clone(),
                params,
                attrs,
                attr_numbers: attr_numbers
                    .iter()
                    .map(|l| Affine::new(l, &places))
                    .collect(),
                conditions,
                absent: given.absent(&state),
                identities: given.identities.clone(),
            },
            may_repeat: forked || !alone.into_iter().all(|a| a),
        }))
    }

    /// Were there numbers that were not decided to make an answer?
    pub(crate) fn is_undecided(&self) -> bool {
        self.ground.is_undecided()
    }

    /// The next answer that is not among `seen` yet; those that could come again are noted there.
    pub(crate) fn next(
        &mut self,
        seen: &mut FxHashSet<Box<[Int]>>,
        budget: &mut Budget,
    ) -> Result<Option<Answer>, Stop> {
        while let Some(numbers) = self.ground.next(budget)? {
            if self.may_repeat && !seen.insert(self.templates.key(numbers)) {
                continue;
            }
            return Ok(Some(self.templates.answer(numbers)));
        }
        Ok(None)
    }
}

impl Templates {
    /// What tells one answer from another: ranks, sizes, parameters.
    fn key(&self, numbers: &[Int]) -> Box<[Int]> {
        let mut key: Vec<Int> = self.absent.iter().map(|i| *i as Int).collect();
        for t in &self.tensors {
            key.push(t.dims.len() as Int);
            key.extend(t.dims.iter().map(|f| f.value(numbers)));
        }
        key.extend(self.params.iter().map(|p| p.1.value(numbers)));
        key.push(self.attr_numbers.len() as Int);
        key.extend(self.attr_numbers.iter().map(|f| f.value(numbers)));
        key.into()
    }

    fn attrs(&self, numbers: &[Int]) -> Vec<(Name, AttrValue)> {
        let mut number = |place: usize| {
            let n = self.attr_numbers[place].value(numbers);
            i64::try_from(n).map_or(AttrValue::Hole, AttrValue::Int)
        };
        let attrs = self.attrs.iter();
        let value = |(name, a): &(Name, AttrTemplate)| (name.clone(), a.value(&mut number));
        attrs.map(value).collect()
    }

    fn answer(&self, numbers: &[Int]) -> Answer {
        let size = |f: &Affine| {
            let n = f.value(numbers);
            match self.identities.get(n) {
                Some(nominal) => Dim::Nominal(Arc::new(nominal.clone())),
                None => Dim::Size(u64::try_from(n).unwrap_or(0)),
            }
        };
        let (inputs, outputs) = self.operands.types(&mut |end| match end {
            End::Tensor(i) => {
                let t = &self.tensors[i];
                let shape: Shape = t.dims.iter().map(size).collect();
                Tensor::new(t.dtype.clone(), shape).into()
            }
            End::Open(_) => Type::UNKNOWN,
        });
        Answer {
            inputs,
            outputs,
            params: self
                .params
                .iter()
                .map(|(label, f)| (label.clone(), size(f)))
                .collect(),
            attrs: self.attrs(numbers),
            conditions: self.conditions.clone(),
            absent: self.absent.clone(),
        }
    }
}

/// The attributes that were queried, and the numbers in them.
fn attrs(
    query: &Query,
    state: &State,
    given: &QueryVars,
    numbers: &mut Vec<Linear>,
) -> Result<Vec<(Name, AttrTemplate)>, Stop> {
    match query.subject.called() {
        Some(operator) => {
            let words = &operator.library().words;
            AttrTemplate::all(state, given, words, numbers)
        }
        None => Ok(Vec::new()),
    }
}

/// Which sizes are bounded.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Bounded {
    /// All that the query does not give.
    NotGiven,
    /// Those that are open.
    Open,
}

/// Restricts sizes and other numbers to those up to `most`.
pub(crate) fn within(
    query: &Query,
    given: &QueryVars,
    state: &mut State,
    most: u64,
    bounded: Bounded,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let most = Int::from(most);
    for slot in &given.slots {
        for (i, l) in dims(state, slot)?.into_iter().enumerate() {
            let is_fixed = bounded == Bounded::Open && l.as_constant().is_some();
            if !is_fixed && !is_given(slot, i) {
                let domain = l.as_var().map(|v| state.domain(v));
                let listed = domain.as_ref().and_then(|d| d.only());
                state.restrict(&l, &given.identities.within(most, listed))?;
            }
        }
    }
    // The length of a run is a rank rather than a size.
    let declared = query.subject.params.iter().take(query.subject.declared);
    for (label, form) in declared.zip(&given.params) {
        let mut written = query.params.iter().filter(|p| *p.0 == **label);
        if !written.any(|p| p.1.size().is_some()) {
            state.restrict(form, &Domain::interval(0, most))?;
        }
    }
    let mut numbers = Vec::new();
    attrs(query, state, given, &mut numbers)?;
    for l in numbers.iter().filter(|l| l.as_constant().is_none()) {
        state.restrict(l, &Domain::interval(-most, most))?;
    }
    state.propagate(budget)
}

/// Restricts the sizes that are open to those from `least` on.
pub(crate) fn at_least(
    given: &QueryVars,
    state: &mut State,
    least: u64,
    budget: &mut Budget,
) -> Result<(), Stop> {
    for slot in &given.slots {
        for l in dims(state, slot)? {
            if l.as_constant().is_none() {
                state.restrict(&l, &Domain::interval(Int::from(least), INF))?;
            }
        }
    }
    state.propagate(budget)
}

/// The sizes of the answer of a state, and the numbers in it.
pub(crate) fn numbers(
    query: &Query,
    given: &QueryVars,
    state: &State,
) -> Result<Vec<Linear>, Stop> {
    let mut numbers = given.params.clone();
    for slot in &given.slots {
        numbers.extend(dims(state, slot)?);
    }
    attrs(query, state, given, &mut numbers)?;
    Ok(numbers)
}

/// The dims of a slot, all of them known to be there.
fn dims(state: &State, slot: &Slot) -> Result<Vec<Linear>, Stop> {
    state
        .parts(&slot.shape)
        .iter()
        .map(|p| match p {
            Part::One(l) => state.resolve(l),
            Part::Run(_) => Err(Stop::Overflow),
        })
        .collect()
}

/// Is the dim a number in the query itself?
fn is_given(slot: &Slot, i: usize) -> bool {
    slot.given
        .as_tensor()
        .filter(|t| t.shape.run().is_none())
        .and_then(|t| t.shape.known_dims().get(i))
        .is_some_and(|d| d.extent().is_some())
}
