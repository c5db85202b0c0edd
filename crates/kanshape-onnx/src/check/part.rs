//! Bodies that may not be run: what they require holds only if they are.
//!
//! Such a body is put into a clone of the graph ([`GuardedPart`]), and stands there as a hypothesis until the whole graph is
//! known. Then it is put behind that graph again, with the guard under which it is run: what this requires beyond the
//! graph with the guard alone is reported under the body. Of two branches of which one is impossible the other is run
//! always, and the guard is a condition; a loop whose body is impossible is run zero times.

use super::{NamedValue, NodeOrigin, ValueHome};
use crate::problem::{Place, Problem};
use crate::report::{Requirement, Said, Under, When};
use hashbrown::HashMap;
use kanshape::graph::{Graph, Placed, ValueId};
use kanshape::{Type, Verdict};
use std::sync::Arc;

/// So often parts are tried, all together; of a large graph, less often.
pub(super) const MOST_TRIED: usize = 2_000;

/// So many parts there are at most: each is a graph.
pub(super) const MOST_OPEN: usize = 400;

/// A body that may not be run.
#[derive(Clone)]
pub(super) struct GuardedPart {
    pub place: Place,
    pub origin: NodeOrigin,
    pub guard: Guard,
    /// The body that contains it.
    pub parent: Option<usize>,
    /// The other branch.
    pub other: Option<usize>,
    /// The later iterations of a loop, of its first one.
    pub later: Option<usize>,
    /// Outputs of its node that are what these are if it is not run.
    pub unrun: Vec<(ValueId, ValueId)>,
    /// The graph without it and with it.
    pub before: Box<Graph>,
    pub after: Box<Graph>,
    /// Where its nodes are from.
    pub origins: Vec<NodeOrigin>,
    pub results: Vec<ValueId>,
    /// The outputs of its node, which are its results if it is run.
    pub outputs: Vec<ValueId>,
    pub is_open: bool,
    /// What it is given that has parts of which nothing is known, and which may be others each time.
    pub vague: Vec<(ValueId, Type)>,
}

/// A value with what it is called.
pub(super) type CalledValue = (ValueId, String);

/// What a scan goes through, and along which axis of each.
pub(super) type Scanned = Vec<(CalledValue, usize)>;

/// When a body is run.
#[derive(Clone, Debug)]
pub(super) enum Guard {
    /// When a value is true, or false.
    Branch {
        body: String,
        cond: CalledValue,
        is: bool,
        /// The same in words of the model's inputs.
        says: Option<Said>,
    },
    /// At least once, and as often as these say.
    Loop {
        body: String,
        when: When,
        limit: Option<CalledValue>,
        cond: Option<CalledValue>,
    },
    /// Once for each slice of these along an axis.
    Scan { body: String, scanned: Scanned },
    /// In ways that can't be stated here.
    Other { body: String, when: When },
}

impl Guard {
    pub(super) fn body(&self) -> &str {
        let (Guard::Branch { body, .. }
        | Guard::Loop { body, .. }
        | Guard::Scan { body, .. }
        | Guard::Other { body, .. }) = self;
        body
    }
}

/// The outcome of the parts in a graph.
#[derive(Default)]
pub(super) struct Settled {
    pub requirements: Vec<Requirement>,
    pub problems: Vec<Problem>,
    /// By the places of the values.
    pub types: HashMap<usize, Arc<Type>>,
    pub verdict: Option<Verdict>,
}

impl Settled {
    pub(super) fn add(&mut self, other: Settled) {
        self.requirements.extend(other.requirements);
        self.problems.extend(other.problems);
        self.types.extend(other.types);
        if let Some(verdict) = other.verdict {
            self.judge(verdict);
        }
    }

    /// The verdict of one of several things all of which have to hold.
    pub(super) fn judge(&mut self, verdict: Verdict) {
        let rank = |v: Verdict| match v {
            Verdict::Always => 0,
            Verdict::Depends => 1,
            Verdict::Unknown => 2,
            Verdict::Never => 3,
        };
        self.verdict = match self.verdict {
            Some(own) if rank(own) >= rank(verdict) => Some(own),
            _ => Some(verdict),
        };
    }
}

/// What stands where: in the model, or in a part.
#[derive(Default)]
pub(super) struct Index {
    pub entries: HashMap<Option<usize>, Vec<(usize, ValueId)>>,
    pub parts: HashMap<Option<usize>, Vec<usize>>,
}

impl Index {
    pub(super) fn of(values: &[NamedValue], parts: &[GuardedPart]) -> Index {
        let mut index = Index::default();
        for (i, entry) in values.iter().enumerate() {
            let (own, value) = match entry.value {
                ValueHome::Value(value) => (None, value),
                ValueHome::In(part, value) => (Some(part as usize), value),
                ValueHome::Fixed(_) => continue,
            };
            index.entries.entry(own).or_default().push((i, value));
        }
        for (i, part) in parts.iter().enumerate().filter(|(_, part)| part.is_open) {
            index.parts.entry(part.parent).or_default().push(i);
        }
        index
    }
}

/// A graph in which parts stand: with the places where they do.
pub(super) struct Standing {
    /// On the heap: parts are nested, and a graph takes 2 KB.
    pub graph: Box<Graph>,
    pub origins: Vec<NodeOrigin>,
    /// Parts whose own parts stand in it; none is the model.
    pub parents: Vec<(Option<usize>, Option<Arc<Placed>>)>,
    /// The same of the graphs around.
    pub around: Vec<(Option<usize>, Option<Arc<Placed>>)>,
    pub under: Vec<Under>,
    /// Choices whose outputs may be one thing or another, and what stands here where theirs do: of what is required of
    /// these it matters which branch is run.
    pub also: Vec<(usize, Option<Arc<Placed>>)>,
    /// The parts of which it is certain whether they are run.
    pub decided: Vec<usize>,
    /// The branches among them that are run always, in the order in which that was found out.
    pub taken: Vec<Taken>,
}

/// A branch that is run always, since the other one can't be.
pub(super) struct Taken {
    pub part: usize,
    /// The truth value that it is run for.
    pub cond: (ValueId, bool),
    /// It follows from conditions on sizes, and from the branches before it.
    pub is_implied: bool,
    /// The outputs of its node, with what they are if it is run.
    pub outputs: Vec<(ValueId, Type)>,
}

impl Standing {
    /// Where a value of its first part is.
    pub(super) fn placed(&self, value: ValueId) -> ValueId {
        let (_, placed) = &self.parents[0];
        Placing(placed.as_ref()).value(value)
    }
}

/// A part that has been put behind a graph.
pub(super) struct Tried {
    /// What it would come to; `None` if it cannot be run.
    pub settled: Option<Settled>,
    /// What is wrong with it. Nothing if only its guard can't hold.
    pub problems: Vec<Problem>,
    pub types: HashMap<usize, Arc<Type>>,
    /// The graph with it, and its results there.
    pub graph: Option<(Box<Graph>, Vec<ValueId>)>,
}

/// Where values are.
#[derive(Clone, Copy)]
pub(super) struct Placing<'p>(pub Option<&'p Arc<Placed>>);

impl Placing<'_> {
    pub(super) fn value(self, value: ValueId) -> ValueId {
        self.0.map_or(value, |placed| placed.value(value))
    }
}
