//! Types that say what is in a tensor, against the sets of values that they mean, listed one by one.

use crate::laws::cases;
use crate::values::{self, Names, all_names};
use kanshape::order::{Filtered, filter, in_same_class, is_super, join, meet, meet_all, same};
use kanshape::{Content, Type, Verdict};
use proptest::prelude::*;
use proptest::sample::select;

/// A tensor, with what is in it: numbers, or 0 and 1 for truth values.
#[derive(Clone, Debug)]
struct Value {
    outside: values::Value,
    elements: Vec<i64>,
}

/// Elements that tell a number from its neighbours and a hole from all of them.
const ELEMENTS: [i64; 7] = [-1, 0, 1, 2, 3, 4, 11];

fn all_values() -> Vec<Value> {
    let shapes: [&[u64]; 14] = [
        &[],
        &[0],
        &[1],
        &[2],
        &[3],
        &[1, 1],
        &[1, 2],
        &[2, 1],
        &[0, 0],
        &[0, 2],
        &[2, 0],
        &[0, 1],
        &[1, 0],
        &[0, 1, 2],
    ];
    let mut all = Vec::new();
    for dtype in ["f32", "f64", "i64", "bool"] {
        for dims in shapes {
            let count = dims.iter().product::<u64>();
            let choices = if dtype == "bool" {
                &[0, 1][..]
            } else {
                &ELEMENTS
            };
            let mut lists = vec![vec![]];
            for _ in 0..count {
                lists = lists
                    .iter()
                    .flat_map(|list: &Vec<i64>| {
                        choices.iter().map(|e| {
                            let mut list = list.clone();
                            list.push(*e);
                            list
                        })
                    })
                    .collect();
            }
            let dims = dims.to_vec();
            all.extend(lists.into_iter().map(|elements| Value {
                outside: values::Value {
                    dtype,
                    dims: dims.clone(),
                },
                elements,
            }));
        }
    }
    all
}

fn contains(ty: &Type, value: &Value, names: &Names) -> bool {
    let Some(contents) = ty.contents() else {
        return values::contains(ty, &value.outside, names);
    };
    let is = |member: &Content, element: i64| match member {
        Content::Hole => true,
        Content::Bool(bool) => value.outside.dtype == "bool" && element == i64::from(*bool),
        // No float that is tried has a fraction.
        Content::Float(float) => {
            value.outside.dtype.starts_with('f') && float.get() == element as f64
        }
        member => values::size(&member.expr().unwrap(), names) == element,
    };
    values::contains(ty, &value.outside, names)
        && contents.len() == value.elements.len()
        && contents.iter().zip(&value.elements).all(|(m, e)| is(m, *e))
}

fn member() -> impl Strategy<Value = String> {
    select(vec![
        "?", "?", "0", "1", "2", "-1", "n", "n", "m", "n + 1", "2*m - 1", "true", "1.0",
    ])
    .prop_map(str::to_owned)
}

fn tensor() -> impl Strategy<Value = Type> {
    let dtype = select(vec![
        "i64",
        "i64",
        "i64",
        "f32",
        "bool",
        "?",
        "T",
        "{f32, i64}",
    ]);
    let shape = select(vec![
        "", "1", "2", "2", "2", "?", "n", "1, 2", "?, 2", "2, ?", "?, ?", "...", "..., 2", "...r",
        "m, n", "3", "0",
    ]);
    let condition = select(vec!["", "", "", "n != 1", "n == m", "m >= 1"]);
    let members = prop::option::weighted(0.75, prop::collection::vec(member(), 3));
    let count = 0..4usize;
    (dtype, shape, condition, members, count).prop_filter_map(
        "contents that the type can have",
        |(dtype, shape, condition, members, count)| {
            let plain = format!("{dtype}[{shape}]");
            let dims: Type = plain.parse().unwrap();
            let shape = &dims.as_tensor().unwrap().shape;
            let extents = shape.iter().map(|dim| dim.extent());
            let ground = extents
                .product::<Option<u64>>()
                .filter(|_| shape.run().is_none());
            let count = ground.map_or(count, |n| n as usize);
            let mut text = match members {
                Some(members) => format!("{plain} = [{}]", members[..count.min(3)].join(", ")),
                None => plain,
            };
            let names = ["n", "m"].into_iter().filter(|n| condition.contains(n));
            let shown = text.replace("true", "");
            if !condition.is_empty() && names.into_iter().all(|n| shown.contains(n)) {
                text = format!("{text} where {condition}");
            }
            // `T` is one of a few dtypes, and `bool` is none of them.
            let strange = dtype == "T" && text.contains("true");
            text.parse().ok().filter(|_| !strange)
        },
    )
}

/// Tuples of such types, and functions between them.
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

/// Do contents say something of the dims, as a condition would?
fn bounds_dims(ty: &Type) -> bool {
    let open = |ty: &Type| ty.as_tensor().is_some_and(|t| !t.shape.is_ground());
    (ty.contents().is_some() && open(ty)) || ty.parts().any(bounds_dims)
}

/// Has the type no values, as far as can be decided?
fn is_empty(ty: &Type) -> bool {
    let other = "str[5, 7, 9]".parse().unwrap();
    is_super(&other, ty) == Verdict::Always
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_those_of_the_sets(a in tensor(), b in tensor()) {
        let values = all_values();
        let mut held = [0, 0];
        for names in all_names(&[&a, &b]).iter().filter(|n| values::stated(&b, n)) {
            // What has no value among those that are listed has others, or none at all.
            let mut inside = values.iter().filter(|v| contains(&b, v, names)).peekable();
            if inside.peek().is_some() {
                held[usize::from(inside.all(|v| contains(&a, v, names)))] += 1;
            }
        }
        match is_super(&a, &b) {
            Verdict::Always => prop_assert_eq!(held[0], 0, "{} above {}", a, b),
            Verdict::Never => prop_assert_eq!(held[1], 0, "{} above {}", a, b),
            // A type without a value among those that are listed decides nothing.
            Verdict::Depends => prop_assert!(held[0] > 0 || held == [0, 0], "{} above {}: {:?}", a, b, held),
            Verdict::Unknown => prop_assert!(!a.conditions.is_empty() || !b.conditions.is_empty() || bounds_dims(&b), "{} above {}", a, b),
        }
    }

    #[test]
    fn meet_is_the_intersection(a in tensor(), b in tensor()) {
        let values = all_values();
        let met = meet_all(&a, &b);
        let one = meet(&a, &b);
        let fresh = |t: &Type| t.conditions.iter().any(|c| c.to_string().contains('d'));
        let types = met.iter().flat_map(|m| &m.types).collect::<Vec<_>>();
        prop_assert!(!types.iter().any(|t| fresh(t)), "{} and {}: {:?}", a, b, types.iter().map(|t| t.to_string()).collect::<Vec<_>>());
        for names in all_names(&[&a, &b]) {
            for v in &values {
                let both = contains(&a, v, &names) && contains(&b, v, &names);
                match &met {
                    Err(_) => prop_assert!(!both, "{} and {} have {:?}", a, b, v),
                    Ok(met) if met.complete => {
                        let here = met.types.iter().filter(|t| contains(t, v, &names)).count();
                        let types: Vec<String> = met.types.iter().map(Type::to_string).collect();
                        prop_assert_eq!(here, usize::from(both), "{} and {}: {:?} {:?} {:?}", a, b, types, v, names);
                        prop_assert!(contains(one.as_ref().unwrap(), v, &names) || !both);
                    }
                    Ok(_) => {}
                }
            }
        }
    }

    #[test]
    fn join_is_above_both(a in tensor(), b in tensor()) {
        let above = join(&a, &b);
        for names in all_names(&[&a, &b]) {
            for v in all_values() {
                let either = contains(&a, &v, &names) || contains(&b, &v, &names);
                prop_assert!(!either || contains(&above, &v, &names), "{} or {}, {}: {:?} {:?}", a, b, above, v, names);
            }
        }
        for x in [&a, &b] {
            prop_assert_eq!(is_super(&above, x), Verdict::Always, "{} or {}: {}", a, b, above);
        }
    }

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
        let plain = a.clone().with_contents(None);
        prop_assert_eq!(is_super(&plain, &a), Verdict::Always, "{} is above itself with contents", plain);
        let (ab, bc) = (is_super(&a, &b), is_super(&b, &c));
        if ab == Verdict::Always && bc == Verdict::Always {
            prop_assert_eq!(is_super(&a, &c), Verdict::Always, "{} {} {}", a, b, c);
        }
    }

    #[test]
    fn meet_and_join_bound(a in any_type(), b in any_type()) {
        // In a function, what contents say of names is not used.
        let hard = bounds_dims(&a) || bounds_dims(&b);
        let holds = |verdict| verdict == Verdict::Always || (hard && verdict == Verdict::Unknown);
        let above = join(&a, &b);
        for x in [&a, &b] {
            prop_assert!(holds(is_super(&above, x)), "{} or {}: {}", a, b, above);
        }
        if let Ok(met) = meet_all(&a, &b) && met.complete {
            for ty in &met.types {
                for x in [&a, &b] {
                    let verdict = is_super(x, ty);
                    prop_assert!(holds(verdict), "{} and {}: {} is {}", a, b, ty, verdict);
                }
            }
        }
    }

    #[test]
    fn meet_and_filter_keep_what_is_below(a in tensor(), b in tensor()) {
        if let Ok(met) = meet_all(&a, &b) && met.complete {
            for ty in &met.types {
                for x in [&a, &b] {
                    let verdict = is_super(x, ty);
                    prop_assert!(verdict == Verdict::Always, "{} and {}: {} is {}", a, b, ty, verdict);
                }
            }
        }
        match is_super(&a, &b) {
            // What contents say of several dims together is not always used by the join.
            Verdict::Always if is_empty(&b) || bounds_dims(&b) => {}
            Verdict::Always => {
                if let Ok(met) = meet(&a, &b) {
                    prop_assert_eq!(same(&met, &b), Verdict::Always, "{} {}: {}", a, b, met);
                }
                prop_assert_eq!(same(&join(&a, &b), &a), Verdict::Always, "{} {}: {}", a, b, join(&a, &b));
                prop_assert!(matches!(filter(&a, &b), Filtered::Same(_)));
            }
            _ => prop_assert!(!matches!(filter(&a, &b), Filtered::Same(_))),
        }
    }

    #[test]
    fn the_class_is_that_of_the_shape(a in tensor(), b in tensor()) {
        let plain = |ty: &Type| ty.clone().with_contents(None);
        prop_assert_eq!(in_same_class(&a, &b), in_same_class(&plain(&a), &plain(&b)));
    }

    #[test]
    fn printed_types_read_back(a in tensor(), b in tensor()) {
        let mut all = vec![join(&a, &b)];
        all.extend(meet_all(&a, &b).into_iter().flat_map(|m| m.types));
        for ty in all {
            let read = ty.to_string().parse::<Type>();
            prop_assert_eq!(read.map(|ty| ty.to_string()).ok(), Some(ty.to_string()));
        }
    }
}
