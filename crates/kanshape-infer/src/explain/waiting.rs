//! Facts that can wait: the question without them is a template, and each of those that differ in them alone goes on from
//! there.

use super::fact::{Argument, FactId, FactKind};
use super::given::with_only;
use crate::limits::MAX_WAITING;
use crate::solve::template::Template;
use crate::{AttrValue, Query};
use kanshape_types::{Dim, DtypeTerm};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The facts that can wait, and the question without them.
pub(super) struct Waiting {
    /// By spot.
    places: Vec<Option<Waits>>,
    template: Option<Shared>,
}

/// A fact that can wait.
#[derive(Clone, Copy)]
struct Waits {
    /// The spot that has to be kept, so that there is such a place: the rank of the shape, the list.
    around: usize,
    /// How much of its shape or list stands behind it.
    behind: usize,
}

/// What questions share, and the template of it.
struct Shared {
    /// By spot: is it part of it?
    kept: Vec<bool>,
    /// By spot: is it left open?
    waits: Vec<bool>,
    /// None if that takes too much.
    template: Option<Template>,
}

impl Waiting {
    pub(super) fn new(query: &Query, spots: &[FactId]) -> Waiting {
        let around = |about| matches!(about, FactKind::Rank | FactKind::Value);
        let around = spots.iter().enumerate().filter(|(_, s)| around(s.about));
        let around = around.filter(|(_, spot)| spot.part.is_empty());
        let around: FxHashMap<Argument, usize> = around.map(|(i, spot)| (spot.at, i)).collect();
        let waits = |spot: &FactId| {
            let behind = match (spot.at, spot.about) {
                (Argument::Operand(i), FactKind::Dim(axis)) => dims_behind(query, i, axis),
                (Argument::Operand(i), FactKind::Dtype) => dtype_waits(query, i),
                (Argument::Attr(i), FactKind::Member(m)) => members_behind(query, i, m),
                _ => None,
            };
            let behind = behind.filter(|_| spot.part.is_empty())?;
            Some(Waits {
                around: *around.get(&spot.at)?,
                behind,
            })
        };
        let mut places: Vec<Option<Waits>> = spots.iter().map(waits).collect();
        if places.iter().flatten().count() > MAX_WAITING {
            places.fill(None);
        }
        Waiting {
            places,
            template: None,
        }
    }

    /// Can a fact wait, where these are kept?
    pub(super) fn has(&self, i: usize, kept: &[bool]) -> bool {
        self.places[i].is_some_and(|waits| kept[waits.around])
    }

    /// What is kept and can wait: first the dtypes, since most often sizes are all it takes. The sizes that clash mostly
    /// stand at one place of the shapes, counted from their ends: so that is how they are grouped.
    pub(super) fn groups(&self, kept: &[bool]) -> impl Iterator<Item = Vec<usize>> + use<> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (i, waits) in self.places.iter().enumerate() {
            if let Some(waits) = waits.filter(|_| kept[i] && self.has(i, kept)) {
                groups.entry(waits.behind).or_default().push(i);
            }
        }
        groups.into_values()
    }

    /// The template is of use as long as what is kept differs from it in what can wait alone.
    pub(super) fn keep_to(&mut self, kept: &[bool]) {
        self.template = self.template.take().filter(|shared| shared.is_of(kept));
    }

    /// The question with what is kept, and all that can wait left open.
    pub(super) fn template(&mut self, query: &Query, marks: &[bool]) -> Option<&Template> {
        if self.template.is_none() {
            let waits: Vec<bool> = (0..marks.len()).map(|i| self.has(i, marks)).collect();
            let fixed = marks.iter().zip(&waits);
            let fixed: Vec<bool> = fixed.map(|(kept, waits)| *kept && !waits).collect();
            let open = with_only(query, &fixed);
            let is_plain = !query.ground;
            self.template = Some(Shared {
                kept: fixed,
                waits,
                template: is_plain
                    .then(|| Template::new(&open).ok().flatten())
                    .flatten(),
            });
        }
        self.template.as_ref()?.template.as_ref()
    }
}

/// How much of a shape stands behind one of its dims, with itself, if that is a size, so that it can be left open and
/// filled in later.
fn dims_behind(query: &Query, operand: usize, axis: usize) -> Option<usize> {
    let dims = query.operand(operand).as_tensor()?.shape.known_dims();
    let is_size = matches!(dims.get(axis)?, Dim::Size(_));
    is_size.then_some(dims.len() - axis)
}

/// A dtype can wait, and stands nowhere.
fn dtype_waits(query: &Query, operand: usize) -> Option<usize> {
    let dtype = &query.operand(operand).as_tensor()?.dtype;
    let can_wait = !matches!(dtype, DtypeTerm::Hole | DtypeTerm::Name(_));
    can_wait.then_some(0)
}

/// The same as [`dims_behind`] of a list of numbers.
fn members_behind(query: &Query, attr: usize, member: usize) -> Option<usize> {
    let AttrValue::List(members) = &query.attrs.get(attr)?.1 else {
        return None;
    };
    let is_int = matches!(members.get(member)?, AttrValue::Int(_));
    is_int.then_some(members.len() - member)
}

impl Shared {
    /// Do these facts differ from its own in what is left open alone?
    fn is_of(&self, kept: &[bool]) -> bool {
        let mut all = self.kept.iter().zip(&self.waits).zip(kept);
        all.all(|((own, waits), kept)| *waits || own == kept)
    }
}
