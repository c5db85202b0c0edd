//! The laws: an order, whose meet is the greatest lower bound and whose join an upper one, and what
//! each says of the values.

use crate::values::{all_names, all_values, contains, listed, stated};
use kanshape::order::{Filtered, filter, is_super, join, meet, meet_all, same};
use kanshape::{Type, Verdict};
use proptest::prelude::*;
use proptest::sample::select;

fn dtype() -> impl Strategy<Value = String> {
    select(vec!["f32", "f32", "f64", "?", "T", "{f32, f64}"]).prop_map(str::to_owned)
}

fn dim() -> impl Strategy<Value = String> {
    select(vec!["0", "1", "2", "2", "n", "m", "?", "?", "n + 1", "2*m"]).prop_map(str::to_owned)
}

fn shape() -> impl Strategy<Value = Vec<String>> {
    let run = select(vec!["", "", "", "...", "...r"]);
    (prop::collection::vec(dim(), 0..3), run, 0..3usize).prop_map(|(mut dims, run, at)| {
        if !run.is_empty() {
            dims.insert(at.min(dims.len()), run.to_owned());
        }
        dims
    })
}

fn condition() -> impl Strategy<Value = String> {
    select(vec![
        "n != 1",
        "n <= 2",
        "m >= 1",
        "n == m",
        "n % 2 == 0",
        "m in {1, 2}",
        "...r == []",
        "...r == [2]",
        "...r == [?]",
        "...r == [n]",
        "...r == [n, ...]",
        "...r == [..., n + 1, 2]",
    ])
    .prop_map(str::to_owned)
}

/// Types over the names `n`, `m`, `r` and `T`. A condition is about a size that the type shows.
pub(crate) fn tensor() -> impl Strategy<Value = Type> {
    let conditions = prop::collection::vec(condition(), 0..2);
    (dtype(), shape(), conditions).prop_map(|(dtype, shape, conditions)| {
        let text = format!("{dtype}[{}]", shape.join(", "));
        let shown = |c: &String| {
            let names = ["n", "m", "...r"].into_iter();
            let names: Vec<&str> = names.filter(|n| c.contains(n)).collect();
            names.iter().all(|n| shape.iter().any(|d| d.contains(n)))
        };
        let conditions: Vec<String> = conditions.into_iter().filter(shown).collect();
        let text = match conditions.is_empty() {
            true => text,
            false => format!("{text} where {}", conditions.join(", ")),
        };
        text.parse().unwrap()
    })
}

fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![8 => tensor(), 1 => Just(Type::UNKNOWN)];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let bare = |ty: Type| ty.with_conditions(Default::default());
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(move |(a, b)| Type::tuple([bare(a), bare(b)])),
            (inner.clone(), inner).prop_map(move |(a, b)| Type::function([bare(a)], bare(b))),
        ]
    })
}

pub(crate) fn cases() -> u32 {
    let set = std::env::var("KANSHAPE_CASES").ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(64)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_the_sets(a in tensor(), b in tensor()) {
        let (values, all) = (all_values(), all_names(&[&a, &b]));
        let mut held = [0, 0];
        for names in all.iter().filter(|n| stated(&b, n) && listed(&b, n)) {
            let inside = |v| !contains(&b, v, names) || contains(&a, v, names);
            held[usize::from(values.iter().all(inside))] += 1;
        }
        match is_super(&a, &b) {
            Verdict::Always => prop_assert_eq!(held[0], 0, "{} above {}", a, b),
            Verdict::Never => prop_assert_eq!(held[1], 0, "{} above {}", a, b),
            Verdict::Depends => prop_assert!(held[0] > 0 && held[1] > 0, "{} above {}: {:?}", a, b, held),
            Verdict::Unknown => prop_assert!(!a.conditions.is_empty() || !b.conditions.is_empty(), "{} above {}", a, b),
        }
    }

    #[test]
    fn meet_is_the_intersection(a in tensor(), b in tensor()) {
        let values = all_values();
        let met = meet_all(&a, &b);
        // A name of our own in the conditions would have to be found: no small types need one, but where
        // there is no end of them (`f32[...r, ?]` and `f32[?, ...r]`).
        let fresh = |t: &Type| t.conditions.iter().any(|c| c.to_string().contains('d'));
        let ended = met.iter().filter(|m| m.complete);
        prop_assert!(!ended.flat_map(|m| &m.types).any(fresh), "{} and {}: {:?}", a, b, met.map(|m| m.types.iter().map(Type::to_string).collect::<Vec<_>>()));
        let one = meet(&a, &b);
        for names in all_names(&[&a, &b]) {
            for v in &values {
                let both = contains(&a, v, &names) && contains(&b, v, &names);
                match &met {
                    Err(_) => prop_assert!(!both, "{} and {} have {:?}", a, b, v),
                    Ok(met) if met.complete => {
                        let here = met.types.iter().filter(|t| contains(t, v, &names)).count();
                        prop_assert_eq!(here, usize::from(both), "{} and {}: {:?} {:?}", a, b, v, names);
                        let one = contains(one.as_ref().unwrap(), v, &names);
                        prop_assert!(one || !both);
                    }
                    Ok(_) => {}
                }
            }
        }
    }

    #[test]
    fn join_is_above_both(a in tensor(), b in tensor()) {
        let values = all_values();
        let above = join(&a, &b);
        for names in all_names(&[&a, &b]) {
            for v in &values {
                let either = contains(&a, v, &names) || contains(&b, v, &names);
                prop_assert!(!either || contains(&above, v, &names), "{} or {}, {}: {:?} {:?}", a, b, above, v, names);
            }
        }
        prop_assert_eq!(same(&above, &join(&b, &a)) != Verdict::Never || above.to_string().contains("..."), true, "{} {}", a, b);
    }

    /// No type that is above both is below the join and not the join.
    #[test]
    fn no_join_is_less(a in tensor(), b in tensor(), c in tensor()) {
        let above = join(&a, &b);
        if is_super(&c, &a) == Verdict::Always && is_super(&c, &b) == Verdict::Always
            && is_super(&above, &c) == Verdict::Always {
            prop_assert_eq!(is_super(&c, &above), Verdict::Always, "{} or {}: {} rather than {}", a, b, c, above);
        }
    }

    #[test]
    fn it_is_an_order(a in any_type(), b in any_type(), c in any_type()) {
        prop_assert_eq!(is_super(&a, &a), Verdict::Always, "{} above itself", a);
        prop_assert_eq!(is_super(&Type::UNKNOWN, &a), Verdict::Always);
        let (ab, bc) = (is_super(&a, &b), is_super(&b, &c));
        if ab == Verdict::Always && bc == Verdict::Always {
            prop_assert_eq!(is_super(&a, &c), Verdict::Always, "{} {} {}", a, b, c);
        }
        if ab == Verdict::Always && is_super(&b, &a) == Verdict::Always {
            prop_assert_eq!(same(&a, &b), Verdict::Always);
        }
    }

    #[test]
    fn meet_and_join_bound(a in any_type(), b in any_type()) {
        let above = join(&a, &b);
        for x in [&a, &b] {
            prop_assert_eq!(is_super(&above, x), Verdict::Always, "{} or {}: {}", a, b, above);
        }
        if let Ok(met) = meet_all(&a, &b) && met.complete {
            for ty in &met.types {
                for x in [&a, &b] {
                    let verdict = is_super(x, ty);
                    prop_assert!(verdict == Verdict::Always, "{} and {}: {} is {}", a, b, ty, verdict);
                }
            }
        }
        // What is below both is below the meet.
        match is_super(&a, &b) {
            Verdict::Always => {
                prop_assert_eq!(same(&meet(&a, &b).unwrap(), &b), Verdict::Always, "{} {}", a, b);
                prop_assert_eq!(same(&above, &a), Verdict::Always, "{} {}: {}", a, b, above);
                prop_assert!(matches!(filter(&a, &b), Filtered::Same(_)));
            }
            _ => prop_assert!(!matches!(filter(&a, &b), Filtered::Same(_))),
        }
    }

    /// Every printed meet and join reads back.
    #[test]
    fn printed_types_read_back(a in any_type(), b in any_type()) {
        let mut all = vec![join(&a, &b)];
        all.extend(meet_all(&a, &b).into_iter().flat_map(|m| m.types));
        for ty in all {
            prop_assert_eq!(ty.to_string().parse::<Type>().unwrap().to_string(), ty.to_string());
        }
    }
}
