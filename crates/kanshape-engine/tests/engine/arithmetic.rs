//! Constraints over integers have exactly the solutions that trying all numbers finds, in whatever
//! order they are stated.

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
    /// A product of variables is a number times another one.
    Products(Vec<usize>, Int, Vec<usize>),
}

/// How many variables there are, and up to what they are tried.
#[derive(Clone, Copy)]
struct Space {
    vars: usize,
    most: Int,
}

const SPACE: Space = Space {
    vars: VARS,
    most: MOST,
};

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

/// Products with factors in common, many of them in circles, of which some are not 0.
fn products() -> impl Strategy<Value = Vec<Rule>> {
    let product = |factors| prop::collection::vec(0..VARS, factors);
    let products = (product(2..=3), 1..=3i128, product(0..=2))
        .prop_map(|(left, times, right)| Rule::Products(left, times, right));
    let positive = prop::collection::vec(prop::bool::weighted(0.4), VARS);
    (prop::collection::vec(products, 2..=3), positive).prop_map(|(mut rules, positive)| {
        let positive = (0..VARS).filter(|i| positive[*i]);
        rules.splice(0..0, positive.map(|i| at_least_one(i, VARS)));
        rules
    })
}

fn at_least_one(i: usize, vars: usize) -> Rule {
    let mut c = vec![0; vars];
    c[i] = 1;
    Rule::NonNegative(c, -1)
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
        Rule::Products(left, times, right) => {
            let product = |factors: &[usize]| factors.iter().map(|i| at[*i]).product::<Int>();
            product(left) == times * product(right)
        }
    }
}

fn by_trying(rules: &[Rule], Space { vars, most }: Space) -> Vec<Vec<Int>> {
    let mut all = Vec::new();
    for code in 0..(most + 1).pow(vars as u32) {
        let at: Vec<Int> = (0..vars)
            .map(|i| code / (most + 1).pow((vars - 1 - i) as u32) % (most + 1))
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

fn by_engine(rules: &[Rule], run: Run, space: Space) -> Result<Vec<Vec<Int>>, Stop> {
    let mut budget = Budget::new(20_000);
    let mut state = State::new();
    let small = Domain::interval(0, space.most);
    let first = match run {
        Run::AtOnce => small.clone(),
        Run::EachTime => Domain::interval(0, 1 << 62),
    };
    let vars: Vec<Var> = (0..space.vars).map(|_| state.int(first.clone())).collect();
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
                Rule::Products(left, times, right) => {
                    let mut product = |factors: &[usize]| {
                        let factors = factors.iter().map(|i| Linear::var(vars[*i]));
                        let factors: Vec<Linear> = factors.collect();
                        state.apply(Function::Product, &factors, Domain::ALL)
                    };
                    let (left, right) = (product(left)?, product(right)?);
                    state.equate(&left, &right.scaled(*times)?)?;
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
        if let Ok(found) = by_engine(&rules, Run::AtOnce, SPACE) {
            prop_assert_eq!(found, by_trying(&rules, SPACE));
        }
    }

    #[test]
    fn what_is_stated_later_is_as_what_is_stated_first(
        rules in prop::collection::vec(rule(), 1..6),
    ) {
        if let Ok(found) = by_engine(&rules, Run::EachTime, SPACE) {
            prop_assert_eq!(found, by_trying(&rules, SPACE));
        }
    }

    #[test]
    fn a_product_that_cancels_is_kept(
        rules in products(),
        later in prop::collection::vec(rule(), 0..2),
    ) {
        let rules = [rules, later].concat();
        for run in [Run::AtOnce, Run::EachTime] {
            if let Ok(found) = by_engine(&rules, run, SPACE) {
                prop_assert_eq!(found, by_trying(&rules, SPACE));
            }
        }
    }

    #[test]
    fn the_order_of_stating_does_not_matter(
        (rules, shuffled) in prop::collection::vec(rule(), 2..5)
            .prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
    ) {
        if let (Ok(one), Ok(other)) = (by_engine(&rules, Run::AtOnce, SPACE), by_engine(&shuffled, Run::AtOnce, SPACE)) {
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

/// `(k*b + r) / b` is known for all `b` above `r`.
#[test]
fn a_multiple_of_the_divisor_is_divided() -> Result<(), Stop> {
    for code in 0..(5 * 7 * 3) {
        let (times, rest) = (code % 5 - 2, code / 5 % 7 - 3);
        let function = [Function::FloorDiv, Function::CeilDiv, Function::Mod][code as usize / 35];
        let mut state = State::new();
        let b = Linear::var(state.int(Domain::interval(Int::abs(rest) + 1, INF)));
        let mut a = b.scaled(times)?;
        a.add_constant(rest)?;
        let out = state.apply(function, &[a, b.clone()], Domain::ALL)?;
        state.propagate(&mut Budget::new(1000))?;
        let out = state.resolve(&out)?;
        for n in (rest.abs() + 1)..8 {
            let expected = apply(function, &[times * n + rest, n]);
            let found = out.offset() + b.vars().map(|v| out.coefficient(v)).sum::<Int>() * n;
            assert_eq!(
                Some(found),
                expected,
                "{function:?} of {times}*{n} + {rest}"
            );
        }
        assert!(
            out.vars().all(|v| b.coefficient(v) != 0),
            "{function:?}: {out:?}"
        );
    }
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

/// `b >= 1, a*b == a, a*b*b == 2*a` and its kind: one variable is a product by the next, in a circle of `count`, and one of them
/// times any of the other factors, once or twice, is twice itself.
fn circles(count: usize) {
    // The variables of the circle, and behind them the factors from each to the next.
    let space = Space {
        vars: 2 * count,
        most: [9, 4, 2][count - 1],
    };
    let circle: Vec<Rule> = (0..count)
        .map(|i| Rule::Products(vec![i, count + i], 1, vec![(i + 1) % count]))
        .collect();
    let each = |base: usize, code: usize, i: usize| code / base.pow(i as u32) % base;
    for times in 1..3usize.pow(count as u32) {
        let factors = (0..count).flat_map(|i| vec![count + i; each(3, times, i)]);
        let one: Vec<usize> = std::iter::once(0).chain(factors).collect();
        let last = Rule::Products(one, 2, vec![0]);
        for positive in 0..1 << count {
            let positive = (0..count).filter(|i| each(2, positive, *i) == 1);
            let bounds: Vec<Rule> = positive
                .map(|i| at_least_one(count + i, space.vars))
                .collect();
            let last = std::slice::from_ref(&last);
            for rules in [
                [&bounds, &circle[..], last].concat(),
                [last, &circle, &bounds].concat(),
                [&circle, last, &bounds].concat(),
            ] {
                let expected = by_trying(&rules, space);
                for run in [Run::AtOnce, Run::EachTime] {
                    let found = by_engine(&rules, run, space);
                    assert_eq!(found, Ok(expected.clone()), "{rules:?}");
                }
            }
        }
    }
}

#[test]
fn a_variable_that_is_a_factor_of_itself_loses_no_product() {
    circles(1);
}

#[test]
fn two_variables_that_are_factors_of_each_other_lose_no_product() {
    circles(2);
}

#[test]
fn three_variables_in_a_circle_lose_no_product() {
    circles(3);
}

/// Two products, each of which is replaced by what the other one says.
#[test]
fn two_products_that_follow_from_each_other_are_not_both_dropped() {
    let [n, m, k] = [0, 1, 2];
    for positive in 0..8 {
        let positive = (0..3).filter(|i| positive >> i & 1 == 1);
        let mut rules: Vec<Rule> = positive.map(|i| at_least_one(i, VARS)).collect();
        rules.push(Rule::Products(vec![n, n, m], 1, vec![n, k]));
        rules.push(Rule::Products(vec![n, m], 1, vec![n, n, n, m]));
        rules.push(Rule::Products(vec![n, k], 2, vec![n, m]));
        rules.push(Rule::Products(vec![m, k], 1, vec![k, k]));
        for rules in [rules.clone(), rules.into_iter().rev().collect()] {
            let expected = by_trying(&rules, SPACE);
            for run in [Run::AtOnce, Run::EachTime] {
                assert_eq!(
                    by_engine(&rules, run, SPACE),
                    Ok(expected.clone()),
                    "{rules:?}"
                );
            }
        }
    }
}
