//! All that has to hold between what is shown, before what is unknown in it has a name.

use super::conditions::{DtypeWriter, Written, of_constraint, of_domain};
use super::naming::Naming;
use super::symbol::Condition;
use kanshape_engine::{Constraint, Int, State, Var};
use kanshape_rules::encode::is_any_size;
use kanshape_syntax::tree;
use kanshape_types::Dim;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a condition comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// What a name of the user's is known to be.
    Fact,
    /// What this variable can be.
    Bounds(Var),
    /// The constraint in this place.
    Constraint(usize),
    /// The dtypes that a variable can be.
    Dtypes,
}

/// What has to hold.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) conditions: Vec<(Source, Condition)>,
    /// Something has to hold that can't be written.
    pub(crate) unwritten: bool,
    /// Some size would have to be larger than the largest one: a limit, at which nothing is known.
    pub(crate) is_beyond: bool,
}

/// All that holds between what is shown. What reads best comes first: what `users` are, the variables of the user's names,
/// before what others are. Each constraint has a place; `place_of` says the one of what [`Naming::said`] counts.
pub(crate) fn collect(
    naming: &mut Naming<'_>,
    constraints: &[(usize, Constraint)],
    place_of: &dyn Fn(usize) -> usize,
    users: &[Var],
    shown: &FxHashSet<Var>,
    dtypes: Vec<Var>,
) -> Collected {
    let mut found = Collected::default();
    let facts = std::mem::take(&mut naming.facts).into_iter();
    found.conditions.extend(facts.map(|c| (Source::Fact, c)));
    let lone = lone(naming.state, constraints, shown);
    let mut open: Vec<Var> = shown.iter().copied().collect();
    let mut written: Vec<Option<Condition>> = Vec::with_capacity(constraints.len());
    // Writing one constraint may write another.
    let mut said = Said::default();
    for (place, constraint) in constraints {
        let is_said = said.now(naming, place_of).contains(place);
        let own = match is_said {
            true => Written::Elsewhere,
            false => of_constraint(naming, constraint, &lone),
        };
        let is_written = !matches!(own, Written::Not);
        found.unwritten |= !is_written;
        // What a constraint is about that can't be written may be a rank, which no condition is about; so may be what a
        // suspended rule waits for.
        let is_about_sizes =
            !matches!(constraint, Constraint::Atoms { .. } | Constraint::Choice(_)) && is_written;
        if is_about_sizes {
            constraint.for_each_var(&mut |v| open.push(v));
        }
        written.push(match own {
            Written::Condition(condition) => Some(condition),
            Written::Elsewhere | Written::Not => None,
        });
    }
    open.sort_unstable();
    open.dedup();
    let order: FxHashMap<Var, usize> = users
        .iter()
        .rev()
        .copied()
        .zip((0..users.len()).rev())
        .collect();
    open.sort_by_key(|v| order.get(v).copied().unwrap_or(usize::MAX));
    for v in open {
        if naming.state.mask(v) != 0 || naming.state.domain(v).len() == Some(0) {
            continue;
        }
        found.is_beyond |= naming.state.domain(v).lo() > Int::from(Dim::MAX_SIZE);
        let bounds = of_domain(naming, v).into_iter();
        let bounds = bounds.map(|c| (Source::Bounds(v), c));
        found.conditions.extend(bounds);
    }
    let said = said.now(naming, place_of);
    for ((place, constraint), condition) in constraints.iter().zip(written) {
        let is_said = said.contains(place) && !matches!(constraint, Constraint::NonNegative(_));
        if let Some(condition) = condition.filter(|_| !is_said) {
            let from = Source::Constraint(*place);
            found.conditions.push((from, condition));
        }
    }
    let writer = DtypeWriter::new(naming.state, &naming.dtypes, dtypes, constraints);
    let dtypes = writer.all(constraints.iter().map(|(place, c)| (*place, c)));
    found
        .conditions
        .extend(dtypes.into_iter().map(|(place, condition)| {
            let from = place.map_or(Source::Dtypes, Source::Constraint);
            (from, condition)
        }));
    found.unwritten |= found.is_beyond;
    found
}

/// Does a condition speak of one of these names?
pub(crate) fn mentions(condition: &tree::Condition, names: &FxHashSet<&str>) -> bool {
    let mut is = false;
    condition.for_each_name(&mut |name| is |= names.contains(name));
    is
}

/// The places of the constraints that are a part of an expression that has been written.
#[derive(Default)]
struct Said {
    places: FxHashSet<usize>,
    counted: usize,
}

impl Said {
    fn now(&mut self, naming: &Naming<'_>, place_of: &dyn Fn(usize) -> usize) -> &FxHashSet<usize> {
        // What could not be written after all is taken off the end again.
        self.counted = self.counted.min(naming.said.len());
        let new = naming.said[self.counted..].iter();
        self.places.extend(new.map(|i| place_of(*i)));
        self.counted = naming.said.len();
        &self.places
    }
}

/// The variables that are in one place of one constraint, may be any size, and are not shown.
fn lone(
    state: &State,
    constraints: &[(usize, Constraint)],
    shown: &FxHashSet<Var>,
) -> FxHashSet<Var> {
    let mut count: FxHashMap<Var, usize> = FxHashMap::default();
    for (_, c) in constraints {
        c.for_each_var(&mut |v| *count.entry(v).or_insert(0) += 1);
    }
    let any_size = |v: Var| {
        let domain = state.domain(v);
        let listed = domain.only().is_some() || !domain.except().is_empty();
        !listed && is_any_size(domain.lo(), domain.hi())
    };
    let lone = count
        .into_iter()
        .filter(|(v, n)| *n == 1 && !shown.contains(v) && any_size(*v));
    lone.map(|(v, _)| v).collect()
}
