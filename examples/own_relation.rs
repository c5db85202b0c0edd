//! Relations of your own on the engine alone: no tensors, no text.
//!
//! A list is built from trees, `append` is written as a goal that calls itself, and `divides` is a
//! relation stated in Rust; both are solved in any direction.
//!
//!     cargo run -p kanshape-engine --example own_relation
#![allow(clippy::print_stdout)]

use kanshape_engine::{
    Budget, Domain, Goal, INF, Labeling, Linear, Refined, Relation, State, Stop, Stream, Term, Var,
    View, modulo,
};
use std::sync::Arc;

const NIL: u32 = 0;
const CONS: u32 = 1;

fn nil() -> Term {
    Term::node(NIL, [])
}

fn cons(head: Term, tail: Term) -> Term {
    Term::node(CONS, [head, tail])
}

/// `xs` followed by `ys` is `zs`.
fn append(xs: Term, ys: Term, zs: Term) -> Goal {
    let done = Goal::all([
        Goal::equal(xs.clone(), nil()),
        Goal::equal(ys.clone(), zs.clone()),
    ]);
    let step = Goal::later(move |state| {
        let [head, tail, rest] = [(); 3].map(|()| Term::Var(state.any()));
        Ok(Goal::all([
            Goal::equal(xs.clone(), cons(head.clone(), tail.clone())),
            Goal::equal(zs.clone(), cons(head, rest.clone())),
            append(tail, ys.clone(), rest),
        ]))
    });
    Goal::any([done, step])
}

/// `part` divides `whole`.
#[derive(Debug)]
struct Divides {
    part: Var,
    whole: Var,
}

impl Relation for Divides {
    fn vars(&self) -> Vec<Var> {
        vec![self.part, self.whole]
    }

    fn refine(&self, view: &mut View<'_>) -> Result<Refined, Stop> {
        match (view.value(self.part), view.value(self.whole)) {
            (Some(part), Some(whole)) if part != 0 && modulo(whole, part) == 0 => {
                Ok(Refined::Settled)
            }
            (Some(_), Some(_)) => Err(Stop::Conflict),
            (None, Some(whole)) if whole > 0 => {
                view.restrict(&Linear::var(self.part), &Domain::interval(1, whole))?;
                Ok(Refined::Open)
            }
            _ => Ok(Refined::Open),
        }
    }
}

fn show(term: &Term) -> String {
    let mut items = Vec::new();
    let mut rest = term.clone();
    while let Term::Node(CONS, parts) = &rest {
        items.push(match &parts[0] {
            Term::Int(l) => l.as_constant().map_or("?".into(), |n| n.to_string()),
            _ => "?".into(),
        });
        rest = parts[1].clone();
    }
    format!("[{}]", items.join(", "))
}

fn main() -> Result<(), Stop> {
    let mut budget = Budget::new(10_000);

    // Backwards: which two lists make [1, 2, 3]?
    let mut state = State::new();
    let (xs, ys) = (Term::Var(state.any()), Term::Var(state.any()));
    let number = |n| Term::Int(Linear::constant(n));
    let zs = cons(number(1), cons(number(2), cons(number(3), nil())));
    let mut splits = Stream::new(state, append(xs.clone(), ys.clone(), zs));
    let mut count = 0;
    while let Some(state) = splits.next(&mut budget)? {
        println!(
            "{} ++ {}",
            show(&state.reify(&xs)?),
            show(&state.reify(&ys)?)
        );
        count += 1;
    }
    assert_eq!(count, 4);

    // A term can't contain itself.
    let mut state = State::new();
    let x = Term::Var(state.any());
    assert_eq!(
        state.unify(&x, &cons(number(1), x.clone()), &mut budget),
        Err(Stop::Conflict)
    );

    // A relation in Rust, beside the built-in constraints: what divides 12 and is odd?
    let mut state = State::new();
    let part = state.int(Domain::interval(0, INF));
    let half = state.int(Domain::interval(0, INF));
    let mut odd = Linear::constant(1);
    odd.add_term(half, 2)?;
    state.equate(&Linear::var(part), &odd)?;
    let whole = state.int(Domain::interval(12, 12));
    let divides = Arc::new(Divides { part, whole });
    state.post(kanshape_engine::Constraint::Custom(divides))?;
    state.propagate(&mut budget)?;
    let shown = state.open_vars_of(&Linear::var(part));
    let mut divisors = Vec::new();
    if let Some(mut all) = Labeling::new(&state, &shown, &mut budget)? {
        while let Some(values) = all.next(&mut budget)? {
            divisors.push(2 * values[0] + 1);
        }
    }
    println!("odd divisors of 12: {divisors:?}");
    assert_eq!(divisors, [1, 3]);
    Ok(())
}
