//! Nothing that a user can write crashes or hangs: an answer, or a clear error, within the budget.
#![allow(clippy::unwrap_used, missing_docs)]

mod page;

use kanshape::{
    Dim, Query, Signature, Type, Verdict,
    shorthand::{any, f32s},
};
use std::time::{Duration, Instant};

/// Runs in well under the time that a person would call a hang, even unoptimised.
fn quick<T>(what: &str, f: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = f();
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{what} took {took:?}");
    value
}

fn first(query: &Query) -> (Verdict, Option<String>) {
    let mut answers = query.clone().limit(1).solve().unwrap();
    let verdict = answers.verdict();
    (verdict, answers.next().map(|a| a.to_string()))
}

fn row(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect::<Vec<_>>().join(",")
}

#[test]
fn a_signature_of_a_megabyte() {
    let names = row(170_000, |i| format!("n{i}"));
    assert!(names.len() > 1_000_000);
    let text = format!("({names})->(n0,n169999)");
    let signature: Signature = quick("parsing", || text.parse().unwrap());
    let (verdict, answer) = quick("solving", || first(&signature.query()));
    assert!(
        matches!(verdict, Verdict::Always | Verdict::Unknown),
        "{verdict}"
    );
    assert!(verdict == Verdict::Unknown || answer.is_some());
}

#[test]
fn a_sum_of_a_hundred_thousand_terms() {
    let sum = row(100_000, |i| format!("n{i}")).replace(',', "+");
    let names = row(100_000, |i| format!("n{i}"));
    let signature: Signature = format!("({names})->({sum})").parse().unwrap();
    let ones = any(vec![1; 100_000]);
    let (verdict, answer) = quick("adding", || first(&signature.query().input(0, ones)));
    assert_eq!(verdict, Verdict::Always);
    assert!(answer.unwrap().ends_with("-> t0[100000]"));
}

#[test]
fn rank_ten_thousand() {
    let add: Signature = "+(),()->()".parse().unwrap();
    let long = f32s(vec![2; 10_000]);
    let (verdict, _) = quick("known dims", || {
        first(&add.query().inputs([long.clone(), long.clone()]))
    });
    assert_eq!(verdict, Verdict::Always);
    let open = Type::tensor(kanshape::Dtype::F32, std::iter::repeat_n(Dim::Hole, 10_000));
    let (verdict, _) = quick("open dims", || {
        first(&add.query().inputs([open, long.clone()]))
    });
    assert!(matches!(verdict, Verdict::Always | Verdict::Unknown));
    let product: Signature = "(...r)->(prod(...r))".parse().unwrap();
    let (verdict, _) = quick("their product", || first(&product.query().input(0, long)));
    assert_eq!(verdict, Verdict::Never, "2^10000 is no size");
    let (verdict, _) = quick("a skip over more dims than there is room for", || {
        let skip: Signature = "(.9000000000000000000.)->()".parse().unwrap();
        first(&skip.query())
    });
    assert_ne!(verdict, Verdict::Always);
}

#[test]
fn ten_thousand_operands() {
    for text in [
        format!("{}->()", row(10_000, |_| "(n)".into())),
        format!("+{}->()", row(10_000, |_| "()".into())),
        format!("={}->(n)", row(10_000, |_| "(n)".into())),
        format!("+{}->(n?)", row(10_000, |_| "(n?)".into())),
        format!("+{}->()", row(10_000, |i| format!("(n{i}?)"))),
    ] {
        let signature: Signature = match text.parse() {
            Ok(signature) => signature,
            // Each operand may be the first one without its optional dims, which is as many ways to read it.
            Err(error) => {
                assert!(text.contains('?'), "{error}");
                assert_eq!(error.code, "K0304");
                continue;
            }
        };
        let given = std::iter::repeat_n(f32s([3]), 10_000);
        let (verdict, _) = quick(&text[..12], || first(&signature.query().inputs(given)));
        assert!(
            matches!(verdict, Verdict::Always | Verdict::Unknown),
            "{verdict}"
        );
        quick("nothing given", || first(&signature.query()));
    }
}

#[test]
fn deep_parentheses_are_refused() {
    for n in [100, 10_000, 500_000] {
        let text = format!("({}a{})->()", "(".repeat(n), ")".repeat(n));
        let error = quick("reading", || text.parse::<Signature>().unwrap_err());
        assert_eq!(error.code, "K0004");
        let text = format!("{}f32[]{}", "(".repeat(n), ",)".repeat(n));
        assert!(quick("reading", || text.parse::<Type>().is_err()));
    }
}

#[test]
fn sizes_near_the_greatest() {
    let max = Dim::Size(Dim::MAX_SIZE);
    let cases = [
        (
            "(a),(b)->(a+b)",
            vec![any([&max]), any([1])],
            Verdict::Never,
        ),
        (
            "(a),(b)->(a*b)",
            vec![any([&max]), any([&max])],
            Verdict::Never,
        ),
        (
            "(a),(b)->(a*b//b)",
            vec![any([&max]), any([&max])],
            Verdict::Always,
        ),
        (
            "(a),(b)->(a-b)",
            vec![any([&max]), any([&max])],
            Verdict::Always,
        ),
        (
            "(a),(b)->(max(a,b))",
            vec![any([&max]), any([&max])],
            Verdict::Always,
        ),
        (
            "(a),(b)->(a % b)",
            vec![any([&max]), any([2])],
            Verdict::Always,
        ),
        (
            "(a),(b)->(a*a*a*a*a*b)",
            vec![any([&max]), any([0])],
            Verdict::Always,
        ),
        (
            "(a),(b)->(a*9223372036854775807+b)",
            vec![any([&max]), any([&max])],
            Verdict::Never,
        ),
    ];
    for (text, inputs, verdict) in cases {
        let signature: Signature = text.parse().unwrap();
        let found = first(&signature.query().inputs(inputs));
        assert_eq!(found.0, verdict, "{text}: {:?}", found.1);
    }
    assert_eq!(
        "f32[9223372036854775808]".parse::<Type>().unwrap_err().code,
        "K0203"
    );
    assert_eq!(
        "f32[99999999999999999999]"
            .parse::<Type>()
            .unwrap_err()
            .code,
        "K0005"
    );
}

#[test]
fn beyond_the_solver_is_unknown() {
    let fermat: Signature = "(a),(b),(c)->() where a >= 1, b >= 1, a*a*a + b*b*b == c*c*c"
        .parse()
        .unwrap();
    assert_eq!(
        quick("cubes", || first(&fermat.query()).0),
        Verdict::Unknown
    );
    let endless: Signature = "+(),()->()".parse().unwrap();
    let mut answers = endless.query().budget(2_000).solve().unwrap();
    assert!(answers.by_ref().count() > 1);
    assert!(!answers.complete() && answers.is_stopped());
}

#[test]
fn no_budget_no_claim() {
    for steps in 0..200 {
        let signature: Signature = "[s] (h),(k)->((h - k)//s + 1)".parse().unwrap();
        let query = signature
            .query()
            .inputs([f32s([9]), f32s([3])])
            .output(0, f32s([4]))
            .budget(steps);
        let (verdict, _) = first(&query);
        assert!(
            matches!(verdict, Verdict::Always | Verdict::Unknown),
            "{steps}: {verdict}"
        );
    }
}

/// Bounds that come from the limits of numbers alone are no conditions; those that are stated are, however large.
#[test]
fn a_large_bound_that_is_stated_is_a_condition() {
    for bound in [1_000_000u64, 2_147_483_647, 3_000_000_000, 1 << 39] {
        let signature: Signature = format!("(n)->() where n <= {bound}").parse().unwrap();
        let query = signature.query().input(0, "f32[N]".parse().unwrap());
        let (verdict, answer) = first(&query);
        assert_eq!(verdict, Verdict::Depends, "{bound}");
        assert!(answer.unwrap().ends_with(&format!("where N <= {bound}")));
    }
}

/// Names with which a dim of the user's is no size are none for which something fails.
#[test]
fn that_sizes_have_a_limit_is_no_condition_on_the_names_of_a_dim() {
    for (signature, dim, verdict) in [
        ("(a)->(a)", "4*n*n", Verdict::Always),
        ("(a)->(a)", "9223372036854775807*n", Verdict::Always),
        ("(a*a*a)->(a)", "n*n*n", Verdict::Unknown),
        ("(a)->(a)", "n - 3", Verdict::Depends),
    ] {
        let signature: Signature = signature.parse().unwrap();
        let query = signature
            .query()
            .input(0, any([&dim.parse::<Dim>().unwrap()]));
        assert_eq!(first(&query).0, verdict, "{dim}");
    }
}

/// A domain keeps all values that are excluded, also where two lists of them meet.
#[test]
fn a_hundred_sizes_that_are_excluded() {
    let excluding = |name: &str, from: u64| {
        let all = (from..from + 100).step_by(2);
        all.map(|size| format!("{name} != {size}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let text = format!(
        "(a),(b)->() where {}, {}, a == b",
        excluding("a", 3),
        excluding("b", 4)
    );
    let signature: Signature = text.parse().unwrap();
    for (size, is) in [
        (2, true),
        (3, false),
        (4, false),
        (101, false),
        (102, false),
        (103, true),
    ] {
        let inputs = [f32s([size]), Type::UNKNOWN];
        let verdict = signature.check(&inputs, &[]).unwrap();
        assert_eq!(verdict == Verdict::Never, !is, "{size}");
    }
    let open = ["f32[n]", "f32[n]"].map(|ty| ty.parse().unwrap());
    let answer = signature.infer(&open).unwrap().to_string();
    assert!(
        (3..103).all(|size| answer.contains(&format!("n != {size}"))),
        "{answer}"
    );
}
