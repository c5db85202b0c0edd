//! Constraints on lists: members, places, parts, sums, the same for all members.
//!
//! What shows is used at once. Of a list of numbers the rest is said by sequences and their lengths; other lists
//! are walked from the left, one member at a time, as far as there is no choice.

use super::clause::same;
use super::walk;
use crate::encode::form::{Front, NATURAL, fresh_list, front, known, uncons};
use kanshape_engine::{
    Choice, Domain, Goal, Linear, Look, NEG_INF, Part, Seq, Stop, Term, View, Ways,
};

/// The value is a member of the list.
pub(super) fn member(view: &mut View<'_>, value: Term, list: Term) -> Result<Option<Goal>, Stop> {
    match (&value, &list) {
        (Term::Int(l), Term::Seq(seq)) => {
            let (before, after) = (fresh_list(view), fresh_list(view));
            let parts = before.parts().iter().cloned();
            let parts = parts.chain([Part::One(l.clone())]);
            let whole: Seq = parts.chain(after.parts().iter().cloned()).collect();
            view.post(same(seq.clone(), whole))?;
            Ok(None)
        }
        _ => Ok(Some(Goal::choice(Pick {
            list,
            index: None,
            value,
        }))),
    }
}

/// The member at an index, from the left or, if it is negative, from the right.
pub(super) fn at(
    view: &mut View<'_>,
    list: Term,
    index: Linear,
) -> Result<(Term, Option<Goal>), Stop> {
    if let Term::Seq(seq) = &list {
        if let Some(l) = shown(view, seq, &index)? {
            return Ok((Term::Int(l), None));
        }
        let length = view.length(seq)?;
        let (place, goal) = offset(view, index, &length)?;
        let value = Linear::var(view.int(Domain::ALL));
        let before = view.run_of_integers(place);
        let after = fresh_list(view);
        let parts = [Part::Run(before), Part::One(value.clone())].into_iter();
        let whole: Seq = parts.chain(after.parts().iter().cloned()).collect();
        view.post(same(seq.clone(), whole))?;
        return Ok((Term::Int(value), goal));
    }
    let value = Term::Var(view.any());
    let mut goals = Vec::new();
    let place = match known(view, &index)? {
        Some(0..) => index,
        _ => {
            let (length, goal) = walk::length(view, list.clone())?;
            goals.extend(goal);
            let (place, goal) = offset(view, index, &length)?;
            goals.extend(goal);
            place
        }
    };
    goals.push(Goal::choice(Pick {
        list,
        index: Some(place),
        value: value.clone(),
    }));
    Ok((value, Some(Goal::All(goals))))
}

/// The member at a place that shows.
fn shown(view: &View<'_>, seq: &Seq, index: &Linear) -> Result<Option<Linear>, Stop> {
    let Some(index) = known(view, index)? else {
        return Ok(None);
    };
    let parts = view.parts(seq);
    let place = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
    let (upto, at) = match index {
        0.. => (parts.get(..=place), parts.get(place)),
        _ => {
            let from = parts.len().checked_sub(place);
            (
                from.and_then(|from| parts.get(from..)),
                from.and_then(|from| parts.get(from)),
            )
        }
    };
    let all_show = upto.is_some_and(|p| p.iter().all(|p| matches!(p, Part::One(_))));
    match at {
        Some(Part::One(l)) if all_show => Ok(Some(l.clone())),
        _ => Ok(None),
    }
}

/// The part of a list from one index up to but not including another. There has to be as much.
pub(super) fn between(
    view: &mut View<'_>,
    list: Term,
    from: Option<Linear>,
    to: Option<Linear>,
) -> Result<(Term, Vec<Goal>), Stop> {
    let Term::Seq(seq) = &list else {
        // The compiler lets nothing through but a number, and none behind it.
        let count = from.and_then(|l| l.as_constant()).unwrap_or(0);
        let mut rest = list;
        for _ in 0..count {
            view.budget().spend(1)?;
            rest = uncons(view, &rest)?.1;
        }
        return Ok((rest, Vec::new()));
    };
    if let Some(part) = shown_part(view, seq, from.as_ref(), to.as_ref())? {
        return Ok((Term::Seq(part), Vec::new()));
    }
    let length = view.length(seq)?;
    let mut goals = Vec::new();
    let mut place = |view: &mut View<'_>, bound: Option<Linear>, none: Linear| {
        let Some(bound) = bound else {
            return Ok(none);
        };
        let (place, goal) = offset(view, bound, &length)?;
        goals.extend(goal);
        Ok::<Linear, Stop>(place)
    };
    let from = place(view, from, Linear::constant(0))?;
    let to = place(view, to, length.clone())?;
    let inner = to.minus(&from)?;
    let behind = length.minus(&to)?;
    let mut parts = Vec::with_capacity(3);
    for length in [&from, &inner, &behind] {
        let length = view.resolve(length)?;
        view.restrict(&length, &NATURAL)?;
        parts.push(Part::Run(view.run_of_integers(length)));
    }
    let part: Seq = [parts[1].clone()].into_iter().collect();
    view.post(same(seq.clone(), parts.into_iter().collect()))?;
    Ok((Term::Seq(part), goals))
}

/// A part whose ends show.
fn shown_part(
    view: &View<'_>,
    seq: &Seq,
    from: Option<&Linear>,
    to: Option<&Linear>,
) -> Result<Option<Seq>, Stop> {
    let parts = view.parts(seq);
    let shows = |parts: &[Part]| parts.iter().all(|p| matches!(p, Part::One(_)));
    let place = |bound: Option<&Linear>, none: usize| -> Result<Option<usize>, Stop> {
        let Some(bound) = bound else {
            return Ok(Some(none));
        };
        let Some(n) = known(view, bound)? else {
            return Ok(None);
        };
        let distance = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
        Ok(match n {
            0.. => parts
                .get(..distance)
                .filter(|p| shows(p))
                .map(<[Part]>::len),
            _ => {
                let start = parts.len().checked_sub(distance);
                start.filter(|s| shows(&parts[*s..]))
            }
        })
    };
    let (Some(from), Some(to)) = (place(from, 0)?, place(to, parts.len())?) else {
        return Ok(None);
    };
    Ok(parts.get(from..to).map(|p| p.iter().cloned().collect()))
}

/// How far from the left an index is, in a list of this length.
fn offset(
    view: &mut View<'_>,
    index: Linear,
    length: &Linear,
) -> Result<(Linear, Option<Goal>), Stop> {
    let index = view.resolve(&index)?;
    let (lo, hi) = view.bounds(&index);
    if lo >= 0 {
        return Ok((index, None));
    }
    if hi < 0 {
        let place = length.plus(&index)?;
        view.restrict(&place, &NATURAL)?;
        return Ok((place, None));
    }
    let place = Linear::var(view.int(NATURAL));
    let goal = Goal::choice(Sign {
        index,
        length: length.clone(),
        place: place.clone(),
    });
    Ok((place, Some(goal)))
}

/// An index that may count from the left or from the right.
#[derive(Debug)]
struct Sign {
    index: Linear,
    length: Linear,
    place: Linear,
}

impl Choice for Sign {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        let index = look.resolve(&self.index)?;
        look.note_form(&index);
        let (lo, hi) = look.bounds(&index);
        Ok([hi >= 0, lo < 0]
            .into_iter()
            .enumerate()
            .filter_map(|(way, may)| may.then_some(way))
            .collect())
    }

    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        let (domain, place) = match way {
            0 => (NATURAL, self.index.clone()),
            _ => (
                Domain::interval(NEG_INF, -1),
                self.length.plus(&self.index)?,
            ),
        };
        view.restrict(&self.index, &domain)?;
        view.equate(&self.place, &place)?;
        Ok(Goal::succeed())
    }
}

/// A member of a list, at a place if one is given.
#[derive(Debug)]
struct Pick {
    list: Term,
    index: Option<Linear>,
    value: Term,
}

impl Choice for Pick {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        if let Front::Empty = front(look, &self.list) {
            return Ok(Ways::new());
        }
        let (mut here, mut later) = (true, true);
        if let Some(index) = &self.index {
            let index = look.resolve(index)?;
            look.note_form(&index);
            here = look.may_be(&index, 0);
            later = look.bounds(&index).1 > 0;
        }
        let ways = [here, later].into_iter().enumerate();
        Ok(ways.filter_map(|(way, may)| may.then_some(way)).collect())
    }

    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        let (first, rest) = uncons(view, &self.list)?;
        if way == 0 {
            if let Some(index) = &self.index {
                view.restrict(index, &Domain::interval(0, 0))?;
            }
            view.unify(&first, &self.value)?;
            return Ok(Goal::succeed());
        }
        let index = match &self.index {
            Some(index) => {
                let mut before = index.clone();
                before.add_constant(-1)?;
                view.restrict(&before, &NATURAL)?;
                Some(before)
            }
            None => None,
        };
        Ok(Goal::choice(Pick {
            list: rest,
            index,
            value: self.value.clone(),
        }))
    }
}
