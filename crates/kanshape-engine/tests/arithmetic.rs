//! Constraints over integers have exactly the solutions that trying all numbers finds, in whatever
//! order they are stated.
#![allow(clippy::unwrap_used, missing_docs)]

use kanshape_engine::*;
use proptest::prelude::*;

const VARS: usize = 3;
const MOST: Int = 6;

#[derive(Clone, Debug)]
enum Rule {
    /// `sum(c * v) + k` compared with 0.
    Zero(Vec<Int>, Int),
    NonNegative(Vec<Int>, Int),
    NonZero(Vec<Int>, Int),
    /// `f(form, form) = form`.
    Apply(Function, Vec<(Vec<Int>, Int)>, (Vec<Int>, Int)),
}

fn form() -> impl Strategy<Value = (Vec<Int>, Int)> {
    (prop::collection::vec(-2..=3i128, VARS), -4..=6i128)
}

/// Mostly lone variables and numbers: what signatures are made of.
fn simple() -> impl Strategy<Value = (Vec<Int>, Int)> {
    let lone = (0..VARS, 0..=2i128).prop_map(|(i, k)| {
        let mut c = vec![0; VARS];
        c[i] = 1;
        (c, k)
    });
    prop_oneof![4 => lone, 1 => (0..=MOST).prop_map(|k| (vec![0; VARS], k)), 1 => form()]
}

fn function() -> impl Strategy<Value = Function> {
    prop::sample::select(vec![
        Function::Product,
        Function::FloorDiv,
        Function::CeilDiv,
        Function::Mod,
        Function::Min,
        Function::Max,
        Function::Broadcast,
    ])
}

fn rule() -> impl Strategy<Value = Rule> {
    prop_oneof![
        1 => form().prop_map(|(c, k)| Rule::Zero(c, k)),
        1 => form().prop_map(|(c, k)| Rule::NonNegative(c, k)),
        1 => form().prop_map(|(c, k)| Rule::NonZero(c, k)),
        4 => (function(), simple(), simple(), simple())
            .prop_map(|(f, a, b, out)| Rule::Apply(f, vec![a, b], out)),
    ]
}

fn value(form: &(Vec<Int>, Int), at: &[Int]) -> Int {
    form.0.iter().zip(at).map(|(c, x)| c * x).sum::<Int>() + form.1
}

fn apply(f: Function, args: &[Int]) -> Option<Int> {
    let (a, b) = (args[0], args[1]);
    match f {
        Function::Product => Some(a * b),
        Function::Min => Some(a.min(b)),
        Function::Max => Some(a.max(b)),
        Function::Broadcast if a == b || b == 1 => Some(a),
        Function::Broadcast => (a == 1).then_some(b),
        _ if b == 0 => None,
        Function::FloorDiv => Some(div_floor(a, b)),
        Function::CeilDiv => Some(-div_floor(-a, b)),
        Function::Mod => Some(a - b * div_floor(a, b)),
    }
}

fn holds(rule: &Rule, at: &[Int]) -> bool {
    match rule {
        Rule::Zero(c, k) => value(&(c.clone(), *k), at) == 0,
        Rule::NonNegative(c, k) => value(&(c.clone(), *k), at) >= 0,
        Rule::NonZero(c, k) => value(&(c.clone(), *k), at) != 0,
        Rule::Apply(f, args, out) => {
            let args: Vec<Int> = args.iter().map(|a| value(a, at)).collect();
            apply(*f, &args) == Some(value(out, at))
        }
    }
}

fn by_trying(rules: &[Rule]) -> Vec<Vec<Int>> {
    let mut all = Vec::new();
    for code in 0..(MOST + 1).pow(VARS as u32) {
        let at: Vec<Int> = (0..VARS)
            .map(|i| code / (MOST + 1).pow((VARS - 1 - i) as u32) % (MOST + 1))
            .collect();
        if rules.iter().all(|r| holds(r, &at)) {
            all.push(at);
        }
    }
    all
}

/// When something is made of what has been stated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    /// When all of it has been.
    AtOnce,
    /// After each rule; how large the numbers can be is said last.
    EachTime,
}

fn by_engine(rules: &[Rule], run: Run) -> Result<Vec<Vec<Int>>, Stop> {
    let mut budget = Budget::new(20_000);
    let mut state = State::new();
    let small = Domain::interval(0, MOST);
    let first = match run {
        Run::AtOnce => small.clone(),
        Run::EachTime => Domain::interval(0, 1 << 62),
    };
    let vars: Vec<Var> = (0..VARS).map(|_| state.int(first.clone())).collect();
    let linear = |form: &(Vec<Int>, Int)| {
        let mut l = Linear::constant(form.1);
        for (&c, &v) in form.0.iter().zip(&vars) {
            l.add_term(v, c).unwrap();
        }
        l
    };
    let mut state_all = || -> Result<(), Stop> {
        for rule in rules {
            match rule {
                Rule::Zero(c, k) => {
                    state.equate(&linear(&(c.clone(), *k)), &Linear::default())?;
                }
                Rule::NonNegative(c, k) => {
                    state.post(Constraint::NonNegative(linear(&(c.clone(), *k))))?;
                }
                Rule::NonZero(c, k) => {
                    state.post(Constraint::NonZero(linear(&(c.clone(), *k))))?;
                }
                Rule::Apply(f, args, out) => {
                    let args: Vec<Linear> = args.iter().map(linear).collect();
                    let got = state.apply(*f, &args, Domain::ALL)?;
                    state.equate(&got, &linear(out))?;
                }
            }
            if run == Run::EachTime {
                state.propagate(&mut budget)?;
            }
        }
        for v in &vars {
            state.restrict(&Linear::var(*v), &small)?;
        }
        state.propagate(&mut budget)
    };
    match state_all() {
        Ok(()) => {}
        Err(Stop::Conflict) => return Ok(Vec::new()),
        Err(stop) => return Err(stop),
    }
    let forms: Vec<Linear> = vars
        .iter()
        .map(|&v| state.resolve(&Linear::var(v)))
        .collect::<Result<_, _>>()?;
    let mut shown: Vec<Var> = forms.iter().flat_map(|l| state.open_vars_of(l)).collect();
    shown.sort_unstable();
    shown.dedup();
    let mut found = Vec::new();
    if let Some(mut all) = Labeling::new(&state, &shown, &mut budget)? {
        while let Some(numbers) = all.next(&mut budget)? {
            let at = |l: &Linear| {
                l.terms().iter().fold(l.offset(), |sum, &(v, c)| {
                    let place = shown.iter().position(|w| *w == v).unwrap();
                    sum + c * numbers[place]
                })
            };
            found.push(forms.iter().map(at).collect());
        }
    }
    // Whether there are any is found on another way.
    if let Ok(there) = satisfiable(&state, &mut Budget::new(20_000)) {
        assert_eq!(there, !found.is_empty(), "{rules:?}");
    }
    found.sort();
    Ok(found)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn solutions_are_those_of_trying_all(rules in prop::collection::vec(rule(), 1..4)) {
        // What is beyond the budget is said to be, and never answered wrongly.
        if let Ok(found) = by_engine(&rules, Run::AtOnce) {
            prop_assert_eq!(found, by_trying(&rules));
        }
    }

    #[test]
    fn what_is_stated_later_is_as_what_is_stated_first(
        rules in prop::collection::vec(rule(), 1..6),
    ) {
        if let Ok(found) = by_engine(&rules, Run::EachTime) {
            prop_assert_eq!(found, by_trying(&rules));
        }
    }

    #[test]
    fn the_order_of_stating_does_not_matter(
        (rules, shuffled) in prop::collection::vec(rule(), 2..5)
            .prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
    ) {
        if let (Ok(one), Ok(other)) = (by_engine(&rules, Run::AtOnce), by_engine(&shuffled, Run::AtOnce)) {
            prop_assert_eq!(one, other);
        }
    }
}

#[test]
fn equal_polynomials_become_equal_forms() -> Result<(), Stop> {
    let mut state = State::new();
    let n = Linear::var(state.int(Domain::interval(0, INF)));
    let mut next = n.clone();
    next.add_constant(1)?;
    // (n + 1) * (n + 1) = n*n + 2*n + 1
    let square = state.apply(Function::Product, &[next.clone(), next], Domain::ALL)?;
    let mut sum = state.apply(Function::Product, &[n.clone(), n.clone()], Domain::ALL)?;
    sum.add_assign_scaled(&n, 2)?;
    sum.add_constant(1)?;
    assert_eq!(state.resolve(&square)?, state.resolve(&sum)?);
    Ok(())
}

#[test]
fn a_product_is_not_less_than_its_factors_make_it() -> Result<(), Stop> {
    let mut state = State::new();
    let [x, y, z] = [2, 3, 1].map(|least| Linear::var(state.int(Domain::interval(least, INF))));
    let xy = state.apply(Function::Product, &[x.clone(), y.clone()], Domain::ALL)?;
    // (x - 2)*(y - 3) >= 0
    let mut least = x.scaled(3)?.add_scaled(&y, 2)?;
    least.add_constant(-6)?;
    let mut less = least.minus(&xy)?;
    less.add_constant(-1)?;
    let mut open = state.clone();
    assert_eq!(open.restrict(&less, &Domain::interval(0, INF)), Ok(()));
    let mut budget = Budget::new(100);
    assert_eq!(open.propagate(&mut budget), Err(Stop::Conflict));
    // As one equation.
    let mut one_less = least.clone();
    one_less.add_constant(-1)?;
    let mut equal = state.clone();
    let ended = equal.equate(&xy, &one_less);
    let ended = ended.and_then(|()| equal.propagate(&mut budget));
    assert_eq!(ended, Err(Stop::Conflict));
    // x*y*z is 6 times z or more.
    let xyz = state.apply(Function::Product, &[x, y, z.clone()], Domain::ALL)?;
    let less = z.scaled(6)?.minus(&xyz)?;
    let ended = state.restrict(&less, &Domain::interval(1, INF));
    let ended = ended.and_then(|()| state.propagate(&mut budget));
    assert_eq!(ended, Err(Stop::Conflict));
    Ok(())
}
