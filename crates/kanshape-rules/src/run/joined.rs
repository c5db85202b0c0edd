//! Lists of things that are no numbers, one behind the other.
//!
//! Lists of numbers are sequences, which the engine joins by itself.

use crate::encode::form::{CONS, Front, chain_length, front, front_of, uncons};
use kanshape_engine::{Choice, Goal, Look, Stop, Term, View, Ways};

/// The goal that `whole` is `front` and then `back`.
pub(super) fn goal(front: Term, back: Term, whole: Term) -> Goal {
    Goal::choice(Joined { front, back, whole })
}

#[derive(Debug)]
struct Joined {
    front: Term,
    back: Term,
    whole: Term,
}

impl Choice for Joined {
    /// First: there is nothing in front. Second: there is something.
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        let (mut empty, mut more) = (true, true);
        match front(look, &self.front) {
            Front::Empty => more = false,
            Front::First(..) | Front::Hidden => empty = false,
            Front::Open => {
                if let Front::Empty = front(look, &self.whole) {
                    more = false;
                } else if let Some(whole) = chain_length(look, &self.whole)?
                    && let Some(back) = chain_length(look, &self.back)?
                {
                    empty = whole == back;
                    more = whole > back;
                }
            }
        }
        let ways = [empty, more].into_iter().enumerate();
        Ok(ways.filter_map(|(way, may)| may.then_some(way)).collect())
    }

    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        if way == 0 {
            crate::encode::form::no_more(view, &self.front)?;
            view.unify(&self.back, &self.whole)?;
            return Ok(Goal::succeed());
        }
        let (first, rest) = uncons(view, &self.front)?;
        let whole = match front_of(view, &self.whole) {
            Front::First(other, whole) => {
                view.unify(&first, &other)?;
                whole
            }
            _ => {
                let whole = Term::Var(view.any());
                let own = crate::encode::form::node(view, CONS, [first, whole.clone()]);
                view.unify(&self.whole, &own)?;
                whole
            }
        };
        Ok(goal(rest, self.back.clone(), whole))
    }
}
