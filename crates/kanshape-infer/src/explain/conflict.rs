//! [`Conflict`]: facts that can't hold together, what would, and the places of both.

use super::core::CoreSearch;
use super::fact::{Fact, FactId};
use super::place::{Mark, Text};
use super::repair::Repair;
use super::swapped;
use super::words::Words;
use super::{alone, elements, finder, given, help, left_out};
use crate::limits::MAX_DISPUTED_CORES;
use crate::{Query, Verdict, code};
use kanshape_diag::{Diagnostic, Position};
use std::fmt;

/// Facts that can't hold together, and what they could be instead.
///
/// Displays as the diagnostic does.
///
/// ```
/// use kanshape::{Error, Signature};
///
/// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
/// let Err(Error::Never(refusal)) = matmul.infer(&["f32[2, 3]".parse()?, "f32[5, 4]".parse()?]) else {
///     unreachable!()
/// };
/// let conflict = refusal.conflict();
/// assert_eq!(conflict.facts.len(), 2);
/// assert!(conflict.to_string().contains("input 0 would fit as f32[2, 5]"));
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Conflict {
    /// The facts: without any one of them, the others can hold. None if the relation can't hold of anything, or
    /// the budget did not allow to find them.
    pub facts: Vec<Fact>,
    /// What could be given instead of one of them, the smallest change first. With any of these the query has
    /// an answer.
    pub repairs: Vec<Repair>,
    /// The same for people: code, headline, the place in the signature, help.
    pub diagnostic: Diagnostic,
}

impl Conflict {
    /// A code that stays: K0101.
    pub fn code(&self) -> &'static str {
        self.diagnostic.code
    }

    /// Where the facts clash in the text of the signature or operator: the place of the first that has one.
    pub fn location(&self) -> Option<Position> {
        self.diagnostic.position()
    }

    /// What is wrong, in one line.
    pub fn message(&self) -> &str {
        &self.diagnostic.headline
    }
}

/// The text of the diagnostic; facts and repairs with `{:#?}`.
impl fmt::Debug for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return fmt::Display::fmt(self, f);
        }
        f.debug_struct("Conflict")
            .field("facts", &self.facts)
            .field("repairs", &self.repairs)
            .field("diagnostic", &self.diagnostic)
            .finish()
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for Conflict {}

impl Query {
    /// Why it has no solution: a core of its facts, none of which can be left out. `None` if it has one, or nobody knows.
    ///
    /// ```
    /// use kanshape::Signature;
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let query = matmul.query().inputs(["f32[2, 3]".parse()?]);
    /// assert_eq!(query.explain(), None);
    /// let conflict = query.input(1, "f32[4, 5]".parse()?).explain().unwrap();
    /// assert_eq!(conflict.facts.len(), 2);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn explain(&self) -> Option<Conflict> {
        self.within_budget(|| self.found_conflict().or_else(|| self.bare_conflict()))
    }

    /// An explanation solves many queries, which share the steps of this one.
    fn within_budget<T>(&self, explain: impl FnOnce() -> T) -> T {
        self.control.run(self.budget, explain)
    }

    /// The same of a query that is known to have no solution.
    pub(crate) fn conflict(&self) -> Conflict {
        let found = || self.found_conflict().unwrap_or_else(|| of(self, &[]));
        self.within_budget(found)
    }

    /// All the reasons why it has no solution that have no fact in common: each alone is enough. None if it has one, or
    /// nobody knows.
    pub fn explain_all(&self) -> Vec<Conflict> {
        self.within_budget(|| self.all_conflicts())
    }

    fn all_conflicts(&self) -> Vec<Conflict> {
        let mut search = CoreSearch::new(self);
        let mut conflicts = Vec::new();
        while let Some(core) = search.core() {
            conflicts.push(of(self, &core));
            if core.is_empty() {
                break;
            }
            search.set_aside(&core);
        }
        if conflicts.is_empty() {
            conflicts.extend(self.bare_conflict());
        }
        conflicts
    }

    /// The same question without the facts that are part of a conflict: what follows from it holds whichever of these facts is
    /// wrong. None if they were not all found.
    pub(crate) fn undisputed(&self) -> Option<Query> {
        let rest = || {
            let mut search = CoreSearch::new(self);
            for _ in 0..MAX_DISPUTED_CORES {
                match search.core() {
                    Some(core) if core.is_empty() => return None,
                    Some(core) => search.set_aside(&core),
                    None => return Some(search.rest(self)),
                }
            }
            None
        };
        self.within_budget(rest)
    }

    fn found_conflict(&self) -> Option<Conflict> {
        let mut search = CoreSearch::new(self);
        let core = search.core()?;
        let mut conflict = of(self, &core);
        if conflict.repairs.is_empty() && !core.is_empty() {
            search.set_aside(&core);
            if conflict.diagnostic.help.is_empty() && search.core().is_some() {
                conflict.diagnostic.help.push(help::NOT_ALONE.into());
            }
        }
        Some(conflict)
    }

    /// A conflict of no facts, if it has no solution: no core of them was found in time.
    fn bare_conflict(&self) -> Option<Conflict> {
        let never = self
            .solve()
            .is_ok_and(|mut answers| answers.verdict() == Verdict::Never);
        never.then(|| of(self, &[]))
    }
}

impl Query {
    /// The same question with these facts alone given, of those that it was given.
    ///
    /// ```
    /// use kanshape::{Signature, Verdict};
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let query = matmul.query().inputs(["f32[2, 3]".parse()?, "f32[4, 5]".parse()?]);
    /// let facts = query.explain().unwrap().facts;
    /// assert_eq!(query.with_only(&facts).solve()?.verdict(), Verdict::Never);
    /// assert_ne!(query.with_only(&facts[1..]).solve()?.verdict(), Verdict::Never);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn with_only(&self, facts: &[Fact]) -> Query {
        let words = Words::new(self);
        let spots = given::spots(self);
        let is_kept = |spot: &FactId| {
            let slot = words.slot(spot.at);
            facts
                .iter()
                .any(|fact| fact.slot == slot && fact.part == spot.part && fact.about == spot.about)
        };
        let marks: Vec<bool> = spots.iter().map(is_kept).collect();
        given::with_only(self, &marks)
    }
}

fn of(query: &Query, core: &[FactId]) -> Conflict {
    let words = Words::new(query);
    let text = Text::of(query);
    let marks: Vec<Option<Mark>> = core.iter().map(|spot| text.mark(query, spot)).collect();
    let repairs = finder::repairs(query, core, &words);
    let lacks = match core {
        [] => left_out::lines(query),
        _ => Vec::new(),
    };
    let elements = elements::of(query);
    let headline = match &elements {
        Some(elements) => elements.headline.clone(),
        None => words.headline(core, &marks, !lacks.is_empty()),
    };
    let mut diagnostic = Diagnostic::new(code::NEVER, headline);
    for (spot, mark) in core.iter().zip(&marks) {
        match mark {
            Some(mark) => {
                let label = words.label(spot, mark);
                diagnostic = diagnostic.with_label(mark.span.into(), label);
            }
            None => diagnostic = diagnostic.with_step(words.sentence(spot)),
        }
    }
    if core.is_empty() && lacks.is_empty() {
        diagnostic.labels = alone::labels(query);
    }
    diagnostic.labels.sort_by_key(|label| label.start);
    diagnostic.source = Some(text.source);
    diagnostic.help = match elements.and_then(|elements| elements.help) {
        Some(help) => vec![help],
        None => help::lines(&repairs, &words),
    };
    diagnostic.help.extend(swapped::line(query, core, &words));
    diagnostic.help.extend(lacks);
    Conflict {
        facts: core
            .iter()
            .zip(&marks)
            .map(|(spot, mark)| words.fact(spot, mark.as_ref()))
            .collect(),
        repairs,
        diagnostic,
    }
}
