//! Conditions, none of which follows from the others.

#[cfg(feature = "ndarray")]
use super::hold::next_case;
use super::lists::same_run;
use super::periodic;
use super::witness::is_refuted;
#[cfg(feature = "ndarray")]
use crate::limits::HOLD_STEPS;
use crate::limits::{IMPLIED_STEPS, MANY_CONDITIONS, MAX_DEDUPED, MAX_IMPLIED};
use kanshape_engine::{
    Budget, Domain, Linear, Part, Seq, State, Stop, Var, checkpoint, is_over, satisfiable, work,
};
#[cfg(feature = "ndarray")]
use kanshape_engine::{Goal, Stream};
use kanshape_rules::encode::{
    Identities, MAX_SIZE, Scope, Trouble, atoms, dtypes, is_evident, negations, sizes,
};
use kanshape_rules::given::condition;
use kanshape_syntax::tree::{CmpOp, Condition, Expr};
use kanshape_types::{DtypeSet, Name, Promotion};
use rustc_hash::FxHashMap;

/// Names as free variables, made when they are first met.
#[derive(Clone, Default)]
pub(crate) struct NameScope {
    sizes: FxHashMap<Name, Var>,
    dtypes: FxHashMap<Name, Option<Var>>,
    runs: FxHashMap<Name, Var>,
    identities: Identities,
}

impl NameScope {
    /// With these names as dtype variables, and the sizes with an identity of these conditions.
    pub(crate) fn new<'a>(
        dtypes: impl IntoIterator<Item = Name>,
        conditions: impl IntoIterator<Item = &'a Condition>,
    ) -> NameScope {
        let mut identities = Identities::default();
        for c in conditions {
            identities.note_condition(c);
        }
        NameScope {
            dtypes: dtypes.into_iter().map(|n| (n, None)).collect(),
            identities,
            ..NameScope::default()
        }
    }

    /// What a size can be, if it is a number or one open variable.
    pub(super) fn domain_of(&mut self, state: &mut State, name: &Name) -> Option<Domain> {
        let form = self.size(state, name).ok()?;
        let form = state.resolve(&form).ok()?;
        match form.as_constant() {
            Some(n) => Some(Domain::interval(n, n)),
            None => Some(state.domain(form.as_var()?)),
        }
    }

    /// Calls a size by a name, which is new. `false` if that is too much for the state.
    pub(super) fn call(&mut self, state: &mut State, name: Name, size: &Linear) -> bool {
        let v = state.int(Domain::ALL);
        self.sizes.insert(name, v);
        state.equate(&Linear::var(v), size).is_ok()
    }

    /// What a run has come to be.
    pub(crate) fn parts_of(&mut self, state: &mut State, name: &Name) -> Vec<Part> {
        let run = self.run(state, Some(name));
        run.map_or_else(|_| Vec::new(), |run| state.parts(&run))
    }

    /// What a dtype variable can be.
    pub(crate) fn dtypes_of(&mut self, state: &mut State, name: &Name) -> DtypeSet {
        match self.dtype(state, name) {
            Ok(Some(v)) => dtypes(state.mask(v)),
            _ => DtypeSet::ANY,
        }
    }
}

impl Scope for NameScope {
    fn size(&mut self, state: &mut State, name: &str) -> Result<Linear, Trouble> {
        let dims = || self.identities.dims();
        let v = *self
            .sizes
            .entry(Name::word(name))
            .or_insert_with(|| state.int(dims()));
        Ok(Linear::var(v))
    }

    fn run(&mut self, state: &mut State, name: Option<&str>) -> Result<Seq, Trouble> {
        let v = *self
            .runs
            .entry(Name::word(name.unwrap_or("...")))
            .or_insert_with(|| state.run(sizes()));
        Ok(Seq::run(v))
    }

    fn identities(&self) -> &Identities {
        &self.identities
    }

    fn dtype(&mut self, state: &mut State, name: &str) -> Result<Option<Var>, Trouble> {
        Ok(self
            .dtypes
            .get_mut(&Name::word(name))
            .map(|v| *v.get_or_insert_with(|| state.atom(atoms(DtypeSet::ANY)))))
    }

    fn is_dtype(&self, name: &str) -> Option<bool> {
        // All dtype variables are listed.
        Some(self.dtypes.contains_key(&Name::word(name)))
    }
}

/// States conditions.
pub(crate) fn state_all(
    state: &mut State,
    known: &mut NameScope,
    conditions: &[Condition],
    promotion: Promotion,
) -> Result<(), Trouble> {
    for c in conditions {
        checkpoint()?;
        condition(state, known, c, promotion)?;
    }
    Ok(state.propagate(&mut Budget::new(IMPLIED_STEPS))?)
}

/// Is it certain that the conditions can't hold together in `state`?
fn refuted(
    mut state: State,
    known: &mut NameScope,
    conditions: &[Condition],
    promotion: Promotion,
) -> bool {
    let mut budget = Budget::new(IMPLIED_STEPS);
    let mut conflict = || -> Result<bool, Trouble> {
        state_all(&mut state, known, conditions, promotion)?;
        if state.open_constraints().any(|c| c.is_structural()) {
            return Ok(false);
        }
        Ok(!satisfiable(&state, &mut budget)?)
    };
    match conflict() {
        Ok(conflict) => conflict,
        Err(Trouble::Stop(Stop::Conflict)) => true,
        Err(_) => false,
    }
}

/// Is it certain that these conditions, in which these are names of dtypes, can't hold together?
pub(crate) fn contradict<'n>(
    conditions: &[Condition],
    dtypes: impl Iterator<Item = &'n Name>,
    promotion: Promotion,
) -> bool {
    let mut known = NameScope::new(dtypes.cloned(), conditions);
    refuted(
        State::with_members(sizes()),
        &mut known,
        conditions,
        promotion,
    )
}

/// Can these conditions, in which these are names of dtypes, hold together? `None` if that is too much to find out.
#[cfg(feature = "ndarray")]
pub(crate) fn can_hold<'n>(
    conditions: &[Condition],
    dtypes: impl Iterator<Item = &'n Name>,
    promotion: Promotion,
) -> Option<bool> {
    let mut known = NameScope::new(dtypes.cloned(), conditions);
    let mut state = State::with_members(sizes());
    match state_all(&mut state, &mut known, conditions, promotion) {
        Ok(()) => {}
        Err(Trouble::Stop(Stop::Conflict)) => return Some(false),
        Err(_) => return None,
    }
    let mut budget = Budget::new(HOLD_STEPS);
    let mut stream = Stream::new(state, Goal::succeed());
    match next_case(&mut stream, &mut budget).ok()? {
        Some(_) => Some(true),
        None => (!stream.overflowed()).then_some(false),
    }
}

/// Does a condition follow from what is stated in `state`?
pub(crate) fn follows(
    state: &State,
    known: &NameScope,
    c: &Condition,
    promotion: Promotion,
) -> bool {
    let sides = c.parts();
    if sides.iter().any(|side| matches!(side, Expr::Run(_))) {
        let mut pairs = sides.windows(2);
        return pairs.all(|pair| same_run(state, known, pair[0], pair[1], promotion));
    }
    let Some(ways) = negations(c) else {
        return false;
    };
    ways.iter()
        .all(|way| refuted(state.clone(), &mut known.clone(), way, promotion))
}

/// Does a condition follow from others? That it could not be found out counts as no.
pub(crate) fn implied(
    from: &[Condition],
    dtypes: &[Name],
    c: &Condition,
    promotion: Promotion,
) -> bool {
    if from.contains(c) || periodic::follows(from, c) == Some(true) {
        return true;
    }
    if is_refuted(from, dtypes, c) {
        return false;
    }
    let mut known = NameScope::new(dtypes.iter().cloned(), from.iter().chain([c]));
    let mut state = State::with_members(sizes());
    let stated = state_all(&mut state, &mut known, from, promotion);
    stated.is_ok() && follows(&state, &known, c, promotion)
}

/// Is one of the sides a run of which the others say nothing? Then it follows from none of them.
fn has_a_run_of_its_own(c: &Condition, others: &[Condition]) -> bool {
    c.parts().into_iter().any(|side| {
        let Expr::Run(Some(run)) = side else {
            return false;
        };
        let mut said = false;
        for other in others {
            other.for_each_name(&mut |name| said |= name == &*run.node);
        }
        !said
    })
}

/// Without the bounds of expressions that follow from all that are none: propagation has found them.
pub(crate) fn without_bounds(
    conditions: Vec<Condition>,
    dtype_names: &[Name],
    promotion: Promotion,
) -> Vec<Condition> {
    if !(MANY_CONDITIONS..MAX_IMPLIED).contains(&conditions.len()) {
        return conditions;
    }
    let others: Vec<Condition> = conditions
        .iter()
        .filter(|c| !is_bound(c))
        .cloned()
        .collect();
    let mut known = NameScope::new(dtype_names.iter().cloned(), conditions.iter());
    let mut state = State::with_members(sizes());
    if state_all(&mut state, &mut known, &others, promotion).is_err() {
        return conditions;
    }
    let stays = |c: &Condition| !is_bound(c) || !follows(&state, &known, c, promotion);
    conditions.into_iter().filter(stays).collect()
}

/// Is it a bound of an expression, or a list of what that can be?
fn is_bound(c: &Condition) -> bool {
    match c {
        Condition::Compare(e, rest) => {
            let is_order = |op: &CmpOp| !matches!(op, CmpOp::Eq);
            !matches!(e, Expr::Name(_)) && rest.iter().all(|(op, _)| is_order(op))
        }
        Condition::In(e, values) => {
            !matches!(e, Expr::Name(_)) && values.iter().all(|v| matches!(v, Expr::Int(_)))
        }
        Condition::Dtype(..) => false,
    }
}

/// Takes out of `conditions`, from the back, what follows from the rest. That the dims are no
/// larger than a size can be is taken for granted.
pub(crate) fn minimal(
    mut conditions: Vec<Condition>,
    dims: &[Expr],
    dtype_names: &[Name],
    promotion: Promotion,
) -> Vec<Condition> {
    let mut seen: Vec<Condition> = Vec::with_capacity(conditions.len());
    conditions.retain(|c| {
        work(seen.len());
        let new = !seen.contains(c);
        if new {
            seen.push(c.clone());
        }
        new
    });
    conditions = without_bounds(conditions, dtype_names, promotion);
    if conditions.len() > MAX_DEDUPED || dims.len() > 4 * MAX_DEDUPED {
        return conditions;
    }
    let mut i = conditions.len();
    while i > 0 {
        i -= 1;
        if is_over() {
            // What is left is true, if not all of it is needed.
            return conditions;
        }
        let tested = conditions.remove(i);
        if is_evident(&tested, &conditions) || periodic::follows(&conditions, &tested) == Some(true)
        {
            continue;
        }
        if has_a_run_of_its_own(&tested, &conditions)
            || is_refuted(&conditions, dtype_names, &tested)
        {
            conditions.insert(i, tested);
            continue;
        }
        let about = conditions.iter().chain([&tested]);
        let mut known = NameScope::new(dtype_names.iter().cloned(), about);
        let mut state = State::with_members(sizes());
        let mut state_others = || -> Result<(), Trouble> {
            for dim in dims {
                let form = kanshape_rules::given::expr(&mut state, &mut known, dim)?;
                state.restrict(&form, &Domain::interval(-MAX_SIZE, MAX_SIZE))?;
            }
            state_all(&mut state, &mut known, &conditions, promotion)
        };
        let stated = state_others().is_ok();
        if !(stated && follows(&state, &known, &tested, promotion)) {
            conditions.insert(i, tested);
        }
    }
    conditions
}
