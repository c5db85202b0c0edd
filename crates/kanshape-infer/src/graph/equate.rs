//! Two values that are one: dtype against dtype and size against size where nothing else is open, and else type against type.

use super::apply::Snapshot;
use super::known::ValueState;
use super::sizes::{Reader, Writer};
use super::{Assumption, Graph, Refused, ValueId};
use crate::limits::CHANGE_STEPS;
use kanshape_engine::{Budget, Constraint, Linear, Num, State, Term};
use kanshape_rules::encode::{Trouble, What};
use kanshape_rules::eval::{ElementType, Residual, Value};
use kanshape_types::DtypeSet;
use smallvec::SmallVec;

/// What of two tensors is not the same, if nothing else of them is open.
#[derive(Default)]
struct Different {
    dtype: Option<Residual>,
    sizes: SmallVec<[(Num, Num); 4]>,
}

impl Different {
    fn is_nothing(&self) -> bool {
        self.dtype.is_none() && self.sizes.is_empty()
    }
}

impl Graph {
    /// From now on the two values have the same type.
    ///
    /// # Errors
    /// A [`Refused`] if they can't. The graph is then as it was before.
    pub fn equate(&mut self, a: ValueId, b: ValueId) -> Result<(), Refused> {
        if let Some(different) = self.different(a, b)
            && self.equate_parts(a, b, &different).is_ok()
        {
            return Ok(());
        }
        self.equate_types(a, b)
    }

    /// The same. Where it says something of what the user has named, it is a condition; then the graph is returned as it
    /// was before.
    ///
    /// # Errors
    /// As [`Graph::equate`].
    pub fn equate_noting(&mut self, a: ValueId, b: ValueId) -> Result<Option<Graph>, Refused> {
        if let Some(different) = self.different(a, b)
            && let Ok(snapshot) = self.equate_parts(a, b, &different)
        {
            let snapshot = snapshot.filter(|old| self.narrows_names(&old.mark.state));
            return Ok(snapshot.map(|old| {
                let mut before = self.clone();
                before.restore(old);
                before
            }));
        }
        let before = self.clone();
        self.equate_types(a, b)?;
        Ok(self.narrows_names(&before.all.state).then_some(before))
    }

    /// What of two values is not the same, if they are tensors of one rank without contents.
    fn different(&mut self, a: ValueId, b: ValueId) -> Option<Different> {
        let typed = |value: ValueId| match self.values.get(value.index()) {
            Some(ValueState::Typed(id)) => Some(*id),
            _ => None,
        };
        let (one, other) = (typed(a)?, typed(b)?);
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        let (Value::Tensor(one), Value::Tensor(other)) =
            (cache.table.value(one), cache.table.value(other))
        else {
            return None;
        };
        let is_plain = one.contents.is_none() && other.contents.is_none();
        if !is_plain || one.shape.len() != other.shape.len() {
            return None;
        }
        let mut reader = Reader {
            sizes: &mut self.sizes,
            state: &self.all.state,
            forms: &mut cache.forms,
        };
        let mut different = Different::default();
        if one.dtype != other.dtype {
            let dtypes = [one.dtype, other.dtype].map(|own| reader.refreshed_dtype(own));
            different.dtype = match dtypes {
                [x, y] if x == y => None,
                [ElementType::Open(x), ElementType::Open(y)] => Some(Residual::SameDtype(x, y)),
                [ElementType::Open(open), ElementType::Known(known)]
                | [ElementType::Known(known), ElementType::Open(open)] => {
                    Some(Residual::DtypeAmong(open, DtypeSet::from(known)))
                }
                [ElementType::Known(_), ElementType::Known(_)] => return None,
            };
        }
        for (x, y) in one.shape.iter().zip(&other.shape) {
            if x == y {
                continue;
            }
            let (x, y) = (reader.refreshed(*x).ok()?, reader.refreshed(*y).ok()?);
            if x != y {
                different.sizes.push((x, y));
            }
        }
        Some(different)
    }

    /// States that these parts are the same. Returns the graph as it was before, if anything was stated; after an error it is as it
    /// was before.
    fn equate_parts(
        &mut self,
        a: ValueId,
        b: ValueId,
        different: &Different,
    ) -> Result<Option<Snapshot>, Trouble> {
        if different.is_nothing() {
            return Ok(None);
        }
        let before = self.snapshot();
        if let Err(trouble) = self.state_parts(different) {
            self.restore(before);
            return Err(trouble);
        }
        self.given.push_back(Assumption::Same(a, b));
        Ok(Some(before))
    }

    fn state_parts(&mut self, different: &Different) -> Result<(), Trouble> {
        if let Some(dtype) = &different.dtype {
            self.state_residual(dtype)?;
        }
        for (x, y) in &different.sizes {
            let (x, y) = {
                let mut guard = self.cache.open();
                let mut writer = Writer {
                    sizes: &mut self.sizes,
                    state: &mut self.all.state,
                    forms: &mut guard.forms,
                };
                (writer.linear(*x)?, writer.linear(*y)?)
            };
            self.all.state.equate(&x, &y)?;
        }
        self.follow(Vec::new())
    }

    fn equate_types(&mut self, a: ValueId, b: ValueId) -> Result<(), Refused> {
        self.change(
            a,
            |graph| graph.ty(b),
            |graph| {
                let (one, other) = (graph.before(a)?, graph.before(b)?);
                let budget = &mut Budget::new(CHANGE_STEPS);
                graph.all.state.unify(&one.term, &other.term, budget)?;
                graph.given.push_back(Assumption::Same(a, b));
                Ok(vec![one, other])
            },
        )
    }

    /// Is more known of what the user has named than in an earlier state? Or may it be, since something has to hold that did not
    /// have to.
    fn narrows_names(&self, before: &State) -> bool {
        let names = &self.all.given.names;
        let is_other = |what: What| match what {
            What::Size(v) => {
                let now = |state: &State| state.resolve(&Linear::var(v)).ok();
                now(&self.all.state) != now(before) || self.all.state.domain(v) != before.domain(v)
            }
            What::Dtype(v) => {
                let (old, new) = (before.root(v), self.all.state.root(v));
                old != new || before.mask(old) != self.all.state.mask(new)
            }
            What::Run(v) | What::Type(v) => {
                let term = Term::Var(v);
                before.walk(&term) != self.all.state.walk(&term)
            }
        };
        let has_dtypes = || {
            let mut all = names.iter();
            all.any(|user| matches!(user.what, What::Dtype(_) | What::Type(_)))
        };
        // Of dtypes alone, and nobody has named one.
        let is_apart = |c: &Constraint| matches!(c, Constraint::Atoms { .. }) && !has_dtypes();
        let mut new = self.all.state.open_constraints_since(before.posted_count());
        names.iter().any(|user| is_other(user.what)) || !new.all(is_apart)
    }
}
