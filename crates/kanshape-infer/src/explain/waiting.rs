//! Facts that can wait: a question is begun without them, and each of those that differ in them alone carries on from
//! there.

use super::fact::{About, At, Spot};
use super::given::with_only;
use crate::Query;
use crate::begun::{Begun, Place};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// So many facts can wait. Of more, none does.
const MOST: usize = 256;

/// The facts that can wait, and the question without them.
pub(super) struct Waiting {
    /// By spot.
    places: Vec<Option<Waits>>,
    begun: Option<Beginning>,
}

/// A fact that can wait.
#[derive(Clone, Copy)]
struct Waits {
    /// Where it is put in.
    place: Place,
    /// The spot that has to be kept, so that there is such a place: the rank of the shape, the list.
    around: usize,
    /// How much of its shape or list stands behind it.
    behind: usize,
}

/// A question that was begun.
struct Beginning {
    /// By spot: is it part of it?
    kept: Vec<bool>,
    /// By spot: is it left open?
    waits: Vec<bool>,
    /// None if that takes too much.
    begun: Option<Begun>,
}

impl Waiting {
    pub(super) fn new(query: &Query, spots: &[Spot]) -> Waiting {
        let around = |about| matches!(about, About::Rank | About::Value);
        let around = spots.iter().enumerate().filter(|(_, s)| around(s.about));
        let around = around.filter(|(_, spot)| spot.part.is_empty());
        let around: FxHashMap<At, usize> = around.map(|(i, spot)| (spot.at, i)).collect();
        let waits = |spot: &Spot| {
            let place = match (spot.at, spot.about) {
                (At::Operand(i), About::Dim(axis)) => Place::Dim(i, axis),
                (At::Operand(i), About::Dtype) => Place::Dtype(i),
                (At::Attr(i), About::Member(m)) => Place::Member(i, m),
                _ => return None,
            };
            let can_wait = spot.part.is_empty() && place.can_wait(query);
            can_wait.then_some(Waits {
                place,
                around: *around.get(&spot.at)?,
                behind: place.behind(query),
            })
        };
        let mut places: Vec<Option<Waits>> = spots.iter().map(waits).collect();
        if places.iter().flatten().count() > MOST {
            places.fill(None);
        }
        Waiting {
            places,
            begun: None,
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

    /// What was begun is of use as long as what is kept differs from it in what can wait alone.
    pub(super) fn keep_to(&mut self, kept: &[bool]) {
        self.begun = self.begun.take().filter(|begun| begun.is_of(kept));
    }

    /// The question with what is kept, and all that can wait left open.
    pub(super) fn begin(&mut self, query: &Query, marks: &[bool]) -> Option<&Begun> {
        if self.begun.is_none() {
            let waits: Vec<bool> = (0..marks.len()).map(|i| self.has(i, marks)).collect();
            let fixed = marks
                .iter()
                .zip(&waits)
                .map(|(kept, waits)| *kept && !waits);
            let fixed: Vec<bool> = fixed.collect();
            let open = with_only(query, &fixed);
            let places = self.places.iter().zip(&waits).filter(|(_, waits)| **waits);
            let places: Vec<Place> = places
                .filter_map(|(p, _)| Some(p.as_ref()?.place))
                .collect();
            self.begun = Some(Beginning {
                kept: fixed,
                waits,
                begun: Begun::new(&open, &places),
            });
        }
        self.begun.as_ref()?.begun.as_ref()
    }
}

impl Beginning {
    /// Do these facts differ from its own in what is left open alone?
    fn is_of(&self, kept: &[bool]) -> bool {
        let mut all = self.kept.iter().zip(&self.waits).zip(kept);
        all.all(|((own, waits), kept)| *waits || own == kept)
    }
}
