//! Lists that are walked from the left, as far as there is no choice: added up, counted, destructured
//! side by side.

use super::clause::Run;
use crate::encode::form::{Front, NATURAL, fresh, fresh_list, front, front_of, no_more, uncons};
use crate::rules::Context;
use crate::rules::rule::Each;
use kanshape_engine::{Choice, Domain, Goal, Linear, Look, Seq, Stop, Term, View, Ways};
use std::sync::Arc;

/// The sum of a list of numbers.
pub(super) fn sum(view: &mut View<'_>, list: Term) -> Result<(Linear, Option<Goal>), Stop> {
    fold(view, list, false)
}

/// The length of a list.
pub(super) fn length(view: &mut View<'_>, list: Term) -> Result<(Linear, Option<Goal>), Stop> {
    match &list {
        Term::Seq(seq) => Ok((view.length(seq)?, None)),
        _ => fold(view, list, true),
    }
}

fn fold(view: &mut View<'_>, list: Term, count: bool) -> Result<(Linear, Option<Goal>), Stop> {
    let domain = if count { NATURAL } else { Domain::ALL };
    let out = Linear::var(view.int(domain));
    let total = Total {
        list,
        count,
        out: out.clone(),
    };
    let goal = total.carry_on(view)?;
    let goal = match goal {
        Goal::All(goals) if goals.is_empty() => None,
        goal => Some(goal),
    };
    Ok((view.resolve(&out)?, goal))
}

/// A list added up, or counted.
#[derive(Debug)]
struct Total {
    list: Term,
    count: bool,
    out: Linear,
}

impl Total {
    /// Goes through as much of the list as shows.
    fn carry_on(mut self, view: &mut View<'_>) -> Result<Goal, Stop> {
        loop {
            // The summands are walked each time.
            view.budget().spend(1 + self.out.terms().len() as u64 / 8)?;
            match front_of(view, &self.list) {
                Front::Empty => {
                    view.equate(&self.out, &Linear::default())?;
                    return Ok(Goal::succeed());
                }
                Front::First(first, rest) => self.step(&first, rest)?,
                Front::Hidden => {
                    let (first, rest) = uncons(view, &self.list)?;
                    self.step(&first, rest)?;
                }
                Front::Open => return Ok(Goal::choice(self)),
            }
        }
    }

    fn step(&mut self, first: &Term, rest: Term) -> Result<(), Stop> {
        self.list = rest;
        match first {
            Term::Int(l) if !self.count => self.out = self.out.minus(l)?,
            _ => self.out.add_constant(-1)?,
        }
        Ok(())
    }
}

impl Choice for Total {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        // A sum gets longer with every member.
        look.budget().spend(self.out.terms().len() as u64 / 4)?;
        let out = look.resolve(&self.out)?;
        let front = front(look, &self.list);
        if let Front::Open = front {
            look.note_form(&out);
        }
        // Counted down, what is left is never negative; added up, it may be anything.
        let (ends, goes_on) = (look.may_be(&out, 0), !self.count || look.bounds(&out).1 > 0);
        Ok(ways_of(front, ends, goes_on))
    }

    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        if way == 0 {
            no_more(view, &self.list)?;
            view.equate(&self.out, &Linear::default())?;
            return Ok(Goal::succeed());
        }
        let mut next = Total {
            list: self.list.clone(),
            count: self.count,
            out: self.out.clone(),
        };
        let (first, rest) = uncons(view, &self.list)?;
        next.step(&first, rest)?;
        next.carry_on(view)
    }
}

/// Whether a list can end here or go on, by what shows of it.
fn ways_of(front: Front, ends: bool, goes_on: bool) -> Ways {
    let (may_end, may_go_on) = match front {
        Front::Empty => (true, false),
        Front::First(..) | Front::Hidden => (false, true),
        Front::Open => (true, true),
    };
    let ways = [may_end && ends, may_go_on && goes_on].into_iter();
    ways.enumerate()
        .filter_map(|(way, may)| may.then_some(way))
        .collect()
}

/// The same for the members of lists, side by side.
pub(super) fn each(run: &mut Run<'_>, view: &mut View<'_>, each: &Arc<Each>) -> Result<Term, Stop> {
    let mut lists = Vec::with_capacity(each.lists.len());
    for list in &each.lists {
        lists.push(run.term(view, list)?);
    }
    run.make(view, &each.shared);
    let mut lengths: Vec<Linear> = Vec::new();
    for list in &lists {
        if let Term::Seq(seq) = list {
            lengths.push(view.length(seq)?);
        }
    }
    for pair in lengths.windows(2) {
        view.equate(&pair[0], &pair[1])?;
    }
    let out = match (each.of.kind().is_number(), lengths.first()) {
        (true, Some(length)) => {
            let length = view.resolve(length)?;
            Term::Seq(Seq::run(view.run_of_integers(length)))
        }
        (true, None) => Term::Seq(fresh_list(view)),
        (false, _) => Term::Var(view.any()),
    };
    let side_by_side = SideBySide {
        context: Arc::clone(run.context),
        each: Arc::clone(each),
        frame: run.frame.clone(),
        lists,
        out: out.clone(),
    };
    let goal = side_by_side.carry_on(view)?;
    run.goals.push(goal);
    Ok(out)
}

/// Lists that are walked together.
#[derive(Debug)]
struct SideBySide {
    context: Arc<Context>,
    each: Arc<Each>,
    frame: Vec<Option<Term>>,
    lists: Vec<Term>,
    out: Term,
}

impl SideBySide {
    fn all(&self) -> impl Iterator<Item = &Term> {
        self.lists.iter().chain([&self.out])
    }

    /// Goes through as much of the lists as shows.
    fn carry_on(mut self, view: &mut View<'_>) -> Result<Goal, Stop> {
        let mut goals = Vec::new();
        loop {
            view.budget().spend(1 + self.lists.len() as u64)?;
            let mut ends = false;
            let mut goes_on = false;
            for list in self.all() {
                match front_of(view, list) {
                    Front::Empty => ends = true,
                    Front::First(..) | Front::Hidden => goes_on = true,
                    Front::Open => {}
                }
            }
            match (ends, goes_on) {
                (true, true) => return Err(Stop::Conflict),
                (true, false) => {
                    self.end(view)?;
                    return Ok(Goal::All(goals));
                }
                (false, true) => self = self.step(view, &mut goals)?,
                (false, false) => {
                    goals.push(Goal::choice(self));
                    return Ok(Goal::All(goals));
                }
            }
        }
    }

    fn end(&self, view: &mut View<'_>) -> Result<(), Stop> {
        self.all().try_for_each(|list| no_more(view, list))
    }

    /// Says of the first members what has to be said, and goes on to the rest.
    fn step(&self, view: &mut View<'_>, goals: &mut Vec<Goal>) -> Result<SideBySide, Stop> {
        let mut run = Run {
            context: &self.context,
            slots: &self.each.slots,
            frame: self.frame.clone(),
            goals: Vec::new(),
        };
        let mut lists = Vec::with_capacity(self.lists.len());
        for (list, name) in self.lists.iter().zip(&self.each.names) {
            let (first, rest) = uncons(view, list)?;
            if let Some(slot) = name {
                // A list of which nothing is known has members of no kind, and the body is about one of its own.
                let own = match view.walk(&first) {
                    Term::Var(_) => {
                        let own = fresh(view, &self.each.slots[*slot]);
                        view.unify(&first, &own)?;
                        own
                    }
                    known => known,
                };
                run.frame[*slot] = Some(own);
            }
            lists.push(rest);
        }
        let (first, out) = uncons(view, &self.out)?;
        run.equal(view, &self.each.body, &first)?;
        goals.append(&mut run.goals);
        Ok(SideBySide {
            context: Arc::clone(&self.context),
            each: Arc::clone(&self.each),
            frame: self.frame.clone(),
            lists,
            out,
        })
    }
}

impl Choice for SideBySide {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        let mut both = Ways::from_slice(&[0, 1]);
        for list in self.all() {
            let ways = ways_of(front(look, list), true, true);
            both.retain(|way| ways.contains(way));
        }
        Ok(both)
    }

    fn take(&self, way: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        if way == 0 {
            self.end(view)?;
            return Ok(Goal::succeed());
        }
        let mut goals = Vec::new();
        let next = self.step(view, &mut goals)?;
        goals.push(next.carry_on(view)?);
        Ok(Goal::All(goals))
    }
}
