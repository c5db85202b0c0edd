//! Choices drop out as more becomes known, are taken at once when one way is left, and starve nothing.

use kanshape_engine::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn number(n: Int) -> Linear {
    Linear::constant(n)
}

/// `x` is one of these numbers; `looks` counts the calls of `ways`.
#[derive(Debug)]
struct Among {
    x: Linear,
    values: Vec<Int>,
    looks: Arc<AtomicUsize>,
}

impl Choice for Among {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        look.note_form(&self.x);
        let x = look.resolve(&self.x)?;
        let may = |i: &usize| look.may_be(&x, self.values[*i]);
        Ok((0..self.values.len()).filter(may).collect())
    }

    fn take(&self, way: usize, _: &mut View<'_>) -> Result<Goal, Stop> {
        Ok(Goal::equal(self.x.clone(), number(self.values[way])))
    }
}

fn among(x: Var, values: &[Int]) -> (Goal, Arc<AtomicUsize>) {
    let looks = Arc::new(AtomicUsize::new(0));
    let choice = Among {
        x: Linear::var(x),
        values: values.to_vec(),
        looks: Arc::clone(&looks),
    };
    (Goal::choice(choice), looks)
}

fn all(state: State, goal: Goal, x: Var) -> (Vec<Option<Int>>, bool) {
    let mut stream = Stream::new(state, goal);
    let mut budget = Budget::new(1_000_000);
    let mut found = Vec::new();
    while let Some(state) = stream.next(&mut budget).unwrap() {
        found.push(state.value(x));
    }
    (found, stream.forked())
}

#[test]
fn what_is_learned_later_leaves_one_way_and_nothing_is_copied() {
    let mut state = State::new();
    let x = state.int(Domain::interval(0, 100));
    let (choice, _) = among(x, &[3, 5, 50]);
    let goal = Goal::all([choice, Goal::In(Linear::var(x), Domain::interval(4, 20))]);
    assert_eq!(all(state, goal, x), (vec![Some(5)], false));
}

#[test]
fn no_way_left_is_a_conflict() {
    let mut state = State::new();
    let x = state.int(Domain::interval(0, 100));
    let (choice, _) = among(x, &[3, 5]);
    let goal = Goal::all([choice, Goal::In(Linear::var(x), Domain::interval(6, 20))]);
    assert_eq!(all(state, goal, x), (vec![], false));
}

#[test]
fn several_ways_are_all_shown() {
    let mut state = State::new();
    let x = state.int(Domain::interval(0, 100));
    let (choice, _) = among(x, &[3, 5, 500]);
    assert_eq!(all(state, choice, x), (vec![Some(3), Some(5)], true));
}

#[test]
fn choices_are_looked_at_again_only_when_what_they_turn_on_has_changed() {
    const MANY: usize = 500;
    let mut state = State::new();
    let vars: Vec<Var> = (0..MANY)
        .map(|_| state.int(Domain::interval(0, 9)))
        .collect();
    let (choices, looks): (Vec<Goal>, Vec<_>) = vars.iter().map(|&x| among(x, &[1, 2])).unzip();
    let facts = vars
        .iter()
        .map(|&x| Goal::later(move |_| Ok(Goal::equal(Linear::var(x), number(2)))));
    let goal = Goal::all([Goal::All(choices), Goal::all(facts)]);
    assert_eq!(all(state, goal, vars[MANY - 1]), (vec![Some(2)], false));
    let looks: usize = looks.iter().map(|l| l.load(Ordering::Relaxed)).sum();
    assert!(looks <= 3 * MANY, "{looks}");
}

/// One way, for ever.
#[derive(Debug)]
struct Endless;

impl Choice for Endless {
    fn ways(&self, _: &mut Look<'_>) -> Result<Ways, Stop> {
        Ok(Ways::from_slice(&[0]))
    }

    fn take(&self, _: usize, _: &mut View<'_>) -> Result<Goal, Stop> {
        Ok(Goal::choice(Endless))
    }
}

#[test]
fn one_way_for_ever_starves_no_other_branch_and_ends_by_budget() {
    let mut state = State::new();
    let x = state.int(Domain::interval(0, 100));
    let goal = Goal::any([
        Goal::choice(Endless),
        Goal::equal(Linear::var(x), number(7)),
    ]);
    let mut stream = Stream::new(state, goal);
    let mut budget = Budget::new(10_000);
    let found = stream.next(&mut budget).unwrap().unwrap();
    assert_eq!(found.value(x), Some(7));
    assert_eq!(stream.next(&mut budget).unwrap_err(), Stop::Budget);
}

#[test]
fn the_choice_with_the_fewest_ways_is_split_first() {
    let mut state = State::new();
    let [x, y] = [(); 2].map(|()| state.int(Domain::interval(0, 9)));
    let (many, _) = among(x, &[1, 2, 3, 4, 5]);
    let (few, looks) = among(y, &[1, 2]);
    let sum = Linear::var(x).minus(&Linear::var(y)).unwrap();
    let goal = Goal::all([many, few, Goal::Holds(Constraint::Zero(sum))]);
    let (found, _) = all(state, goal, x);
    assert_eq!(found, [Some(1), Some(2)]);
    assert!(looks.load(Ordering::Relaxed) <= 4);
}

#[test]
fn a_free_run_has_any_integers_until_it_is_a_sequence_of_members() {
    let mut budget = Budget::new(1_000);
    let build = |state: &mut State| {
        let free = state.run_of_integers(number(2));
        let minus: Seq = [Part::One(number(-1)), Part::One(number(3))]
            .into_iter()
            .collect();
        (free, minus)
    };
    let mut state = State::with_members(Domain::interval(0, INF));
    let (free, minus) = build(&mut state);
    state.spell_out(&Seq::run(free), &mut budget).unwrap();
    state
        .post(Constraint::SeqEqual(Seq::run(free), minus.clone()))
        .unwrap();
    state.propagate(&mut budget).unwrap();
    // The other way round, and through another run.
    let bound = state.run_of_length(number(2));
    let (free, _) = build(&mut state);
    state
        .post(Constraint::SeqEqual(Seq::run(bound), Seq::run(free)))
        .unwrap();
    state.propagate(&mut budget).unwrap();
    let mut other = state.clone();
    other
        .post(Constraint::SeqEqual(Seq::run(free), minus.clone()))
        .unwrap();
    assert_eq!(other.propagate(&mut budget), Err(Stop::Conflict));
    // A sequence that is known first, and bounded then.
    let (free, _) = build(&mut state);
    state
        .post(Constraint::SeqEqual(Seq::run(free), minus))
        .unwrap();
    state.propagate(&mut budget).unwrap();
    assert_eq!(state.restrict_members(&Seq::run(free)), Err(Stop::Conflict));
}

/// That a combination is left is known after two have been found, and not after the budget has run out.
#[test]
fn a_choice_that_is_too_much_is_undecided_until_it_is_tried_again() {
    let mut state = State::new();
    state.set_origin(7);
    let x = state.int(Domain::interval(0, 100));
    let (choice, _) = among(x, &[3, 5]);
    state.settle(choice, &mut Budget::new(1_000)).unwrap();
    assert_eq!(state.commit(7, &mut Budget::new(1)), Ok(false));
    assert_eq!(state.undecided_choices(), [7]);
    assert_eq!(state.commit(7, &mut Budget::new(1_000)), Ok(false));
    assert_eq!(state.undecided_choices(), []);
    state.commit(7, &mut Budget::new(1)).unwrap();
    state.equate(&Linear::var(x), &number(5)).unwrap();
    state.propagate(&mut Budget::new(1_000)).unwrap();
    assert_eq!(state.undecided_choices(), []);
}
