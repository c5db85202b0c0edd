//! Search is fair, terms are finite, and the order of goals does not matter.

use kanshape_engine::*;

fn number(n: Int) -> Term {
    Term::Int(Linear::constant(n))
}

fn answers(goal: Goal, state: State, x: &Term, count: usize) -> Vec<Term> {
    let mut budget = Budget::new(10_000);
    let mut stream = Stream::new(state, goal);
    let mut found = Vec::new();
    while found.len() < count {
        match stream.next(&mut budget) {
            Ok(Some(state)) => found.push(state.reify(x).unwrap()),
            _ => break,
        }
    }
    found
}

/// Holds never, and never says so.
fn endless() -> Goal {
    Goal::later(|_| Ok(endless()))
}

/// `x` is one of 0, 1, 2, ...
fn from(n: Int, x: Term) -> Goal {
    Goal::any([
        Goal::equal(x.clone(), number(n)),
        Goal::later(move |_| Ok(from(n + 1, x.clone()))),
    ])
}

#[test]
fn an_endless_branch_starves_no_other() {
    let mut state = State::new();
    let x = Term::Var(state.any());
    let goal = Goal::any([endless(), Goal::equal(x.clone(), number(7))]);
    assert_eq!(answers(goal, state, &x, 1), [number(7)]);
}

#[test]
fn two_endless_streams_take_turns() {
    let mut state = State::new();
    let x = Term::Var(state.any());
    let goal = Goal::any([from(0, x.clone()), from(1000, x.clone())]);
    let found = answers(goal, state, &x, 20);
    for n in [0, 5, 1000, 1005] {
        assert!(found.contains(&number(n)), "{n} in {found:?}");
    }
}

#[test]
fn no_term_contains_itself() {
    let mut state = State::new();
    let mut budget = Budget::new(1_000);
    let (x, y) = (Term::Var(state.any()), Term::Var(state.any()));
    let wrapped = |t: &Term| Term::node(1, [t.clone()]);
    state.unify(&x, &wrapped(&y), &mut budget).unwrap();
    assert_eq!(
        state.unify(&y, &wrapped(&x), &mut budget),
        Err(Stop::Conflict)
    );
}

#[test]
fn every_order_of_goals_has_the_same_answers() {
    let build = |order: [usize; 3]| {
        let mut state = State::new();
        let x = Linear::var(state.int(Domain::interval(0, 20)));
        let y = Linear::var(state.int(Domain::interval(0, 20)));
        let mut sum = x.plus(&y).unwrap();
        sum.add_constant(-5).unwrap();
        let goals = [
            Goal::any([2, 3, 9].map(|n| Goal::equal(x.clone(), Linear::constant(n)))),
            Goal::Holds(Constraint::Zero(sum)),
            Goal::In(y.clone(), Domain::interval(1, 2)),
        ];
        let goal = Goal::all(order.map(|i| goals[i].clone()));
        let mut found: Vec<String> = answers(goal, state, &Term::Int(y), 10)
            .iter()
            .map(|t| format!("{t:?}"))
            .collect();
        found.sort();
        found
    };
    let first = build([0, 1, 2]);
    assert_eq!(first.len(), 1);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(build(order), first);
    }
}

#[test]
fn states_can_be_shared_between_threads() {
    fn shareable<T: Send + Sync + Clone>() {}
    shareable::<State>();
    shareable::<Stream>();
}

#[test]
fn a_run_can_be_cut_from_both_ends() {
    let mut state = State::with_members(Domain::interval(0, INF));
    let mut budget = Budget::new(1_000);
    let run = state.run(Domain::interval(0, INF));
    let one = |n| Part::One(Linear::constant(n));
    let all: Seq = [one(1), one(2), one(3), one(4)].into_iter().collect();
    let cut: Seq = [one(1), Part::Run(run), one(4)].into_iter().collect();
    state.post(Constraint::SeqEqual(all, cut)).unwrap();
    state.propagate(&mut budget).unwrap();
    let known = state.reify(&Term::Seq(Seq::run(run))).unwrap();
    assert_eq!(known, Term::Seq([one(2), one(3)].into_iter().collect()));
}

/// Where all sequences can be empty it is seen without a search; where one cannot, it is found by one.
#[test]
fn sequences_that_broadcast_are_there() {
    let mut state = State::with_members(Domain::interval(0, INF));
    let [out, a, b] = [0; 3].map(|_| Seq::run(state.run(Domain::interval(0, 8))));
    let args = vec![a.clone(), b];
    state
        .post(Constraint::SeqBroadcast { out, args })
        .and_then(|()| state.propagate(&mut Budget::new(1_000)))
        .unwrap();
    assert_eq!(satisfiable(&state, &mut Budget::new(8)), Ok(true));
    let length = state.length(&a).unwrap();
    state
        .restrict(&length, &Domain::interval(2, 2))
        .and_then(|()| state.propagate(&mut Budget::new(1_000)))
        .unwrap();
    assert_eq!(satisfiable(&state, &mut Budget::new(10_000)), Ok(true));
}
