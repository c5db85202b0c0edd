//! Conditions in which a product of sizes stands beside its factors.

use kanshape::{Outcome, Signature, Verdict};

/// Sizes up to this: none that holds is larger, unless the other may be anything.
const MOST: u64 = 12;

/// The answers in numbers are those that multiplying finds, and the search comes to an end.
#[test]
fn a_product_beside_its_factors_has_the_solutions_that_it_has() {
    let sig: Signature = "(n,m)->()".parse().unwrap();
    let mut compared = 0;
    for (a, b, c) in [
        (2, 1, 0),
        (3, 1, 0),
        (2, 3, 0),
        (2, 1, 3),
        (3, 2, 2),
        (6, 3, 2),
        (4, 1, 1),
    ] {
        for k in 0..=12u64 {
            let condition = format!("{a}*N*M + {b}*M + {c}*N == {k}");
            let query = sig
                .query()
                .input(0, "f32[N, M]".parse().unwrap())
                .given(condition.parse().unwrap());
            let pairs = (0..=MOST).flat_map(|n| (0..=MOST).map(move |m| (n, m)));
            let mut holds: Vec<String> = pairs
                .filter(|(n, m)| a * n * m + b * m + c * n == k)
                .map(|(n, m)| format!("f32[{n}, {m}]"))
                .collect();

            let mut named = query.clone().solve().unwrap();
            let verdict = named.verdict();
            assert!(!named.is_stopped(), "{condition}: {:?}", named.outcome());
            assert!(holds.is_empty() || verdict != Verdict::Never, "{condition}");
            assert!(
                !holds.is_empty() || verdict != Verdict::Always,
                "{condition}"
            );

            let mut ground = query.ground().max_dim(MOST).solve().unwrap();
            let mut found: Vec<String> = ground
                .by_ref()
                .map(|one| one.inputs[0].to_string())
                .collect();
            assert_eq!(ground.outcome(), Outcome::Complete, "{condition}");
            found.sort();
            holds.sort();
            assert_eq!(found, holds, "{condition}");
            compared += 1;
        }
    }
    assert_eq!(compared, 91);
}
