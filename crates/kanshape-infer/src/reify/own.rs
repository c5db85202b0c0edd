//! What the user states of the names: so much is taken for granted.

use super::minimal::{NameScope, follows, state_all};
use kanshape_engine::{Domain, Part, State};
use kanshape_rules::encode::sizes;
use kanshape_syntax::tree::{Condition, DimItem, Expr};
use kanshape_types::{DtypeSet, Name, Promotion};

/// The user's own conditions, stated.
pub(crate) struct Own {
    pub conditions: Vec<Condition>,
    /// None if they say nothing, or can't be stated.
    stated: Option<(State, NameScope)>,
    promotion: Promotion,
}

impl Own {
    /// The conditions of a query, in which these names are dtype variables.
    pub(crate) fn new(
        conditions: Vec<Condition>,
        promotion: Promotion,
        dtypes: impl IntoIterator<Item = Name>,
    ) -> Own {
        let mut state = State::with_members(sizes());
        let mut known = NameScope::new(dtypes, &conditions);
        let stated = state_all(&mut state, &mut known, &conditions, promotion);
        let stated = stated.is_ok() && !conditions.is_empty();
        Own {
            conditions,
            stated: stated.then_some((state, known)),
            promotion,
        }
    }

    /// What a size can be, if it is a number or one open variable.
    pub(super) fn size(&mut self, name: &Name) -> Option<Domain> {
        let (state, known) = self.stated.as_mut()?;
        known.domain_of(state, name)
    }

    /// What a dtype can be.
    pub(crate) fn dtype(&mut self, name: &Name) -> DtypeSet {
        match &mut self.stated {
            Some((state, known)) => known.dtypes_of(state, name),
            None => DtypeSet::ANY,
        }
    }

    /// Those of the runs that may be any, each once.
    pub(crate) fn free_runs<'a>(
        &self,
        runs: impl Iterator<Item = &'a Name>,
    ) -> Vec<(usize, &'a Name)> {
        let runs = runs.enumerate();
        let Some((mut state, mut known)) = self.stated.clone() else {
            return runs.collect();
        };
        let mut seen: Vec<Vec<Part>> = Vec::new();
        let free = runs.filter(|(_, name)| {
            let parts = known.parts_of(&mut state, name);
            let new = !seen.contains(&parts);
            seen.push(parts.clone());
            new && matches!(parts[..], [Part::Run(_)])
        });
        free.collect()
    }

    /// Does a condition, one of `all` of an answer, require nothing more than these? Names that are not the
    /// user's denote what the rest of the answer makes them.
    pub(crate) fn imply<'a>(
        &self,
        c: &Condition,
        all: impl Iterator<Item = &'a Condition> + Clone,
        is_user: &dyn Fn(&str) -> bool,
    ) -> bool {
        if self.conditions.contains(c) {
            return true;
        }
        let Some((state, known)) = &self.stated else {
            return false;
        };
        // A dim of a list that nothing else speaks of may be any.
        let alone = |name: &str| {
            let mut uses = 0;
            all.clone()
                .for_each(|c| c.for_each_name(&mut |n| uses += usize::from(n == name)));
            uses == 1 && !is_user(name)
        };
        let c = c.clone().map_items(&mut |item| match item {
            DimItem::Dim(Expr::Name(name)) if alone(&name.node) => DimItem::Hole,
            DimItem::Run(Some(name)) if alone(&name.node) => DimItem::Run(None),
            item => item,
        });
        follows(state, known, &c, self.promotion)
    }
}
