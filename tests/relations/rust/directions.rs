//! One relation in Rust, whichever of its arguments are known.

use super::super::{all, ground};
use super::{Stated, load, stated};
use kanshape::{Relations, relation::Progress};

/// The greatest common divisor: nothing is said before both are known.
fn gcd() -> Stated {
    stated("Gcd", &["int", "int", "int"], |args| {
        let [a, b, g] = args.all();
        let (Some(mut x), Some(mut y)) = (args.value(&a), args.value(&b)) else {
            return Ok(Progress::Waiting);
        };
        while y != 0 {
            (x, y) = (y, x % y);
        }
        args.set(&g, x)?;
        Ok(Progress::Done)
    })
}

/// `g*g <= n < (g + 1)*(g + 1)`, by bounds from either side.
fn root() -> Stated {
    stated("Root", &["int", "int"], |args| {
        let [n, g] = args.all();
        args.at_least(&n, 0)?;
        args.at_least(&g, 0)?;
        if let Some(least) = args.least(&n) {
            args.at_least(&g, least.isqrt())?;
        }
        if let Some(most) = args.most(&n) {
            args.at_most(&g, most.isqrt())?;
        }
        if let Some(square) = args.least(&g).and_then(|g| g.checked_mul(g)) {
            args.at_least(&n, square)?;
        }
        let above = |g: i64| g.checked_add(1).and_then(|g| g.checked_mul(g));
        if let Some(above) = args.most(&g).and_then(above) {
            args.at_most(&n, above - 1)?;
        }
        match args.value(&g) {
            Some(_) => Ok(Progress::Done),
            None => Ok(Progress::Waiting),
        }
    })
}

fn relations() -> Relations {
    load(
        [gcd(), root()],
        "Common(Tensor([a], T), Tensor([b], T), Tensor([g], T)) :- Gcd(a, b, g)
         Rooted(Tensor([n], T), Tensor([g], T)) :- Root(n, g)
         Squares(Tensor([n], T), Tensor([g], T)) :- Root(n, g), n = g*g",
    )
}

#[test]
fn forwards() {
    let r = relations();
    assert_eq!(
        all(&r, "Common", &["f32[12]", "f32[18]", "?"]),
        ["f32[12], f32[18] -> f32[6]"]
    );
    assert_eq!(all(&r, "Rooted", &["f32[17]", "?"]), ["f32[17] -> f32[4]"]);
}

#[test]
fn backwards() {
    let r = relations();
    assert_eq!(
        all(&r, "Rooted", &["?", "f32[4]"]),
        ["f32[d0] -> f32[4] where d0 >= 16, d0 <= 24"]
    );
    assert_eq!(all(&r, "Squares", &["?", "f32[4]"]), ["f32[16] -> f32[4]"]);
    assert_eq!(all(&r, "Squares", &["f32[17]", "?"]), [] as [&str; 0]);
    // What is known of the first argument by other means is few enough to be tried.
    let known = load(
        [gcd()],
        "Common(Tensor([a], T), Tensor([b], T), Tensor([g], T)) :-
            Gcd(a, b, g), 1 <= a <= 12",
    );
    assert_eq!(
        all(&known, "Common", &["?", "f32[12]", "f32[6]"]),
        ["f32[6], f32[12] -> f32[6]"]
    );
    assert_eq!(
        all(&known, "Common", &["?", "f32[12]", "f32[4]"]),
        ["f32[4], f32[12] -> f32[4]", "f32[8], f32[12] -> f32[4]"]
    );
}

/// Every number of up to this size in each argument, against what the definition says.
const MOST: u64 = 9;

#[test]
fn all_subsets_of_arguments_agree_with_brute_force() {
    let r = relations();
    let holds = |a: u64, b: u64, g: u64| {
        let divides = |d: u64| a.is_multiple_of(d) && b.is_multiple_of(d);
        let greatest = (1..=MOST).filter(|d| divides(*d)).max();
        match (a, b) {
            (0, 0) => g == 0,
            _ => greatest == Some(g),
        }
    };
    let write = |n: Option<u64>| n.map_or("f32[?]".into(), |n| format!("f32[{n}]"));
    let choices: Vec<Option<u64>> = [None, Some(0), Some(1), Some(4), Some(6), Some(9)].into();
    for &a in &choices {
        for &b in &choices {
            for &g in &choices {
                let types = [a, b, g].map(write);
                let types: Vec<&str> = types.iter().map(String::as_str).collect();
                let mut found = ground(&r, "Common", &types, 1, MOST);
                let mut expected = Vec::new();
                let within = |n: u64, known: Option<u64>| known.is_none_or(|k| k == n);
                for x in 0..=MOST {
                    for y in 0..=MOST {
                        for z in 0..=MOST {
                            if within(x, a) && within(y, b) && within(z, g) && holds(x, y, z) {
                                expected.push(format!("f32[{x}], f32[{y}] -> f32[{z}]"));
                            }
                        }
                    }
                }
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "{types:?}");
            }
        }
    }
}

#[test]
fn bounds_agree_with_brute_force() {
    let r = relations();
    let mut found = ground(&r, "Rooted", &["f32[?]", "f32[?]"], 1, 40);
    let mut expected: Vec<String> = (0..=40u64)
        .map(|n| format!("f32[{n}] -> f32[{}]", n.isqrt()))
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}
