//! The promotion tables are those of the libraries, and run in every direction.

use kanshape_types::{Dtype, DtypeSet, Promotion, States};
use proptest::prelude::*;
use serde_json::Value;

/// What a library was seen to promote `a` and `b` to.
struct Recorded(Value);

impl Recorded {
    fn read(text: &str, table: &str) -> Recorded {
        let mut file: Value = serde_json::from_str(text).unwrap();
        Recorded(file[table].take())
    }

    fn dtypes(&self) -> DtypeSet {
        let rows = self.0.as_object().unwrap();
        rows.keys()
            .map(|name| name.parse::<Dtype>().unwrap())
            .collect()
    }

    fn promote(&self, a: Dtype, b: Dtype) -> Option<Dtype> {
        let cell = &self.0[a.name()][b.name()];
        cell.as_str().map(|name| name.parse().unwrap())
    }
}

fn equal(promotion: Promotion, recorded: &Recorded) {
    let known = recorded.dtypes();
    for a in known {
        for b in known {
            assert_eq!(
                promotion.promote(a, b),
                recorded.promote(a, b),
                "{promotion}: {a}, {b}"
            );
        }
    }
}

/// Dtypes that were not recorded promote with themselves only.
fn others_alone(promotion: Promotion, known: DtypeSet) {
    for a in DtypeSet::ANY {
        for b in !known {
            let expected = (a == b).then_some(a);
            assert_eq!(promotion.promote(a, b), expected, "{promotion}: {a}, {b}");
            assert_eq!(promotion.promote(b, a), expected, "{promotion}: {b}, {a}");
        }
    }
}

/// Known result and one argument give the set of the other.
fn equal_backwards(promotion: Promotion, recorded: &Recorded) {
    let known = recorded.dtypes();
    for a in known {
        for c in known {
            let expected: DtypeSet = known
                .iter()
                .filter(|&b| recorded.promote(a, b) == Some(c))
                .collect();
            let (_, second, _) = promotion.refine(a.into(), known, c.into());
            let (first, _, _) = promotion.refine(known, a.into(), c.into());
            assert_eq!(second, expected, "{promotion}: {a}, ? -> {c}");
            assert_eq!(first, expected, "{promotion}: ?, {a} -> {c}");
        }
    }
}

#[test]
fn numpy() {
    let text = include_str!("../data/numpy_promotion.json");
    let plain = Recorded::read(text, "promote_types");
    let with_bf16 = Recorded::read(text, "promote_types_with_ml_dtypes_bf16");
    equal(Promotion::Numpy, &plain);
    equal_backwards(Promotion::Numpy, &plain);
    equal(Promotion::Numpy, &with_bf16);
    equal_backwards(Promotion::Numpy, &with_bf16);
    others_alone(Promotion::Numpy, with_bf16.dtypes());
}

#[test]
fn torch() {
    let text = include_str!("../data/torch_promotion.json");
    let recorded = Recorded::read(text, "promote_types");
    equal(Promotion::Torch, &recorded);
    equal_backwards(Promotion::Torch, &recorded);
    others_alone(Promotion::Torch, recorded.dtypes());
}

#[test]
fn jax() {
    let text = include_str!("../data/jax_promotion.json");
    let recorded = Recorded::read(text, "promote_types");
    equal(Promotion::Jax, &recorded);
    equal_backwards(Promotion::Jax, &recorded);
    others_alone(Promotion::Jax, recorded.dtypes());
}

#[test]
fn none_asks_for_equal_dtypes() {
    others_alone(Promotion::None, DtypeSet::EMPTY);
}

/// What NumPy makes of several dtypes: complex numbers first, then floats, then integers, one after the other.
fn by_category(dtypes: &[Dtype]) -> Option<Dtype> {
    let category = |d: &Dtype| {
        let classes = [DtypeSet::COMPLEX, DtypeSet::FLOAT];
        classes
            .iter()
            .position(|class| class.contains(*d))
            .unwrap_or(2)
    };
    let mut sorted = dtypes.to_vec();
    sorted.sort_by_key(category);
    let (first, rest) = sorted.split_first()?;
    let promote = |a, b: &Dtype| Promotion::Numpy.promote(a, *b);
    rest.iter().try_fold(*first, promote)
}

/// All lists of so many dtypes.
fn lists(of: DtypeSet, count: u32) -> impl Iterator<Item = Vec<Dtype>> {
    let all: Vec<Dtype> = of.iter().collect();
    (0..all.len().pow(count)).map(move |number| {
        let digit = |place| all[number / all.len().pow(place) % all.len()];
        (0..count).map(digit).collect()
    })
}

#[test]
fn several_dtypes_promote_as_numpy_promotes_them() {
    let text = include_str!("../data/numpy_promotion.json");
    let all = Recorded::read(text, "promote_types").dtypes();
    let mut otherwise = 0;
    for count in [1, 2, 3, 4] {
        for dtypes in lists(all, count) {
            let found = Promotion::Numpy.promote_all(dtypes.iter().copied());
            assert_eq!(found, by_category(&dtypes), "{dtypes:?}");
            let promote = |a, b: &Dtype| Promotion::Numpy.promote(a, *b);
            let pairwise = dtypes[1..].iter().try_fold(dtypes[0], promote);
            otherwise += usize::from(count == 3 && found != pairwise);
        }
    }
    assert_eq!((all.len(), otherwise), (14, 14));
}

/// Those of the other tables are the same in any order but for what is refused.
#[test]
fn in_the_other_tables_pairs_say_all() {
    for promotion in [Promotion::Torch, Promotion::Jax, Promotion::None] {
        for dtypes in lists(Promotion::Numpy.results([DtypeSet::ANY]), 3) {
            let [a, b, c] = dtypes[..] else {
                unreachable!()
            };
            let pairwise = promotion
                .promote(a, b)
                .and_then(|ab| promotion.promote(ab, c));
            if let (Some(found), Some(pairwise)) = (promotion.promote_all([a, b, c]), pairwise) {
                assert_eq!(found, pairwise, "{promotion}: {dtypes:?}");
            }
        }
    }
}

#[test]
fn names() {
    for promotion in Promotion::ALL {
        assert_eq!(promotion.to_string().parse(), Ok(promotion));
    }
    assert_eq!(Promotion::default(), Promotion::Numpy);
    let error = "Numpy".parse::<Promotion>().unwrap_err();
    assert_eq!(error.code, "K0208");
    assert_eq!(error.help[1], "did you mean `numpy`?");
}

fn brute_force(
    promotion: Promotion,
    (x, y, z): (DtypeSet, DtypeSet, DtypeSet),
) -> (DtypeSet, DtypeSet, DtypeSet) {
    let mut left = (DtypeSet::EMPTY, DtypeSet::EMPTY, DtypeSet::EMPTY);
    for a in x {
        for b in y {
            if let Some(c) = promotion.promote(a, b).filter(|&c| z.contains(c)) {
                left.0 |= a.into();
                left.1 |= b.into();
                left.2 |= c.into();
            }
        }
    }
    left
}

/// Sets of every density: one dtype, a few, many, all.
fn set() -> impl Strategy<Value = DtypeSet> {
    let bits = any::<u32>;
    prop_oneof![
        (0..Dtype::COUNT).prop_map(|index| Dtype::from_index(index).unwrap().into()),
        (bits(), bits()).prop_map(|(a, b)| DtypeSet::from_bits(a & b)),
        (bits(), bits()).prop_map(|(a, b)| DtypeSet::from_bits(a | b)),
        Just(DtypeSet::ANY),
        Just(DtypeSet::EMPTY),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// What follows step by step is what follows of all dtypes together.
    #[test]
    fn refine_partly_is_the_relation(
        promotion in prop::sample::select(&Promotion::ALL),
        sets in (set(), set(), set(), set()),
    ) {
        let (x, y, z, out) = sets;
        let mut left = [DtypeSet::EMPTY; 4];
        for a in x {
            for b in y {
                for c in z {
                    if let Some(d) = promotion.promote_all([a, b, c]).filter(|d| out.contains(*d)) {
                        for (set, dtype) in left.iter_mut().zip([a, b, c, d]) {
                            *set |= dtype.into();
                        }
                    }
                }
            }
        }
        let between = promotion.refine_partly(x.into(), y, States::ANY, false).2;
        let (between, z, out) = promotion.refine_partly(between, z, out.into(), true);
        let (x, y, _) = promotion.refine_partly(x.into(), y, between, false);
        prop_assert_eq!([x.into(), y, z, out.into()], left);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn refine_is_the_relation(
        promotion in prop::sample::select(&Promotion::ALL),
        sets in (set(), set(), set()),
    ) {
        let (x, y, z) = sets;
        let refined = promotion.refine(x, y, z);
        prop_assert_eq!(refined, brute_force(promotion, sets));
        let swapped = promotion.refine(y, x, z);
        prop_assert_eq!(refined, (swapped.1, swapped.0, swapped.2));
    }
}
