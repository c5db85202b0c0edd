//! What holds of every type and every value.

use kanshape::{
    Type,
    value::{Filter, Value},
};
use ndarray::{ArrayD, IxDyn};
use num_complex::Complex;
use proptest::prelude::*;
use proptest::sample::select;

fn array() -> impl Strategy<Value = Value> {
    let shape = prop::collection::vec(0usize..4, 0..4);
    (0..8, shape, select(&[0.0, 1.0, 0.5, -2.0, 1e30, f64::NAN])).prop_map(|(kind, shape, x)| {
        let shape = IxDyn(&shape);
        match kind {
            0 => ArrayD::from_elem(shape, x != 0.0).into(),
            1 => ArrayD::from_elem(shape, x as i8).into(),
            2 => ArrayD::from_elem(shape, x as i64).into(),
            3 => ArrayD::from_elem(shape, x as u16).into(),
            4 => ArrayD::from_elem(shape, half::f16::from_f64(x)).into(),
            5 => ArrayD::from_elem(shape, x as f32).into(),
            6 => ArrayD::from_elem(shape, Complex::new(x, 1.0)).into(),
            _ => ArrayD::from_elem(shape, x).into(),
        }
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => array(),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::from("text")),
    ];
    leaf.prop_recursive(3, 12, 3, |part| {
        prop_oneof![
            prop::collection::vec(part.clone(), 0..3).prop_map(Value::tuple),
            prop::collection::vec(part, 0..3).prop_map(Value::list),
        ]
    })
}

fn ty() -> impl Strategy<Value = Type> {
    let dims = select(&[
        "", "n", "n, n", "2, ?", "...", "...r", "2*k", "n, n + 1", "3, m", "m*n", "0", "1, 2, 3",
    ]);
    let dtype = select(&[
        "bool",
        "i8",
        "i64",
        "u16",
        "f16",
        "f32",
        "f64",
        "c128",
        "?",
        "T",
        "Float",
        "{f32, f64}",
        "i4",
        "str",
    ]);
    let leaf = prop_oneof![
        8 => (dtype, dims).prop_map(|(dtype, dims)| format!("{dtype}[{dims}]")),
        1 => select(&["?", "A", "RandomState"]).prop_map(str::to_owned),
    ];
    let nested = leaf.prop_recursive(2, 6, 3, |part| {
        prop::collection::vec(part, 0..3).prop_map(|parts| match parts.as_slice() {
            [] => "tuple()".to_owned(),
            parts => format!("tuple({})", parts.join(", ")),
        })
    });
    let conditions = select(&[
        "",
        " where n >= 1",
        " where n != 1, n <= 16",
        " where m % 2 == 0",
    ]);
    (nested, conditions).prop_map(|(ty, conditions)| format!("{ty}{conditions}").parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_is_of_its_type(value in value()) {
        let ty = Type::of(&value);
        prop_assert!(ty.contains(&value), "{}", ty);
        prop_assert_eq!(ty.to_string().parse::<Type>(), Ok(ty));
    }

    #[test]
    fn a_type_contains_what_its_strict_filter_lets_through(ty in ty(), value in value()) {
        let filtered = ty.filter_value(&value, true, None);
        prop_assert_eq!(ty.contains(&value), filtered.is_ok());
        if let Ok(filtered) = filtered {
            prop_assert!(Type::UNKNOWN.values_eq(&filtered, &value));
        }
    }

    #[test]
    fn what_is_filtered_is_of_the_type(
        ty in ty(),
        value in value(),
        allow_downcast in select(&[None, Some(false), Some(true)]),
    ) {
        if let Ok(filtered) = ty.filter_value(&value, false, allow_downcast) {
            prop_assert!(ty.contains(&filtered), "{} {:?}", ty, filtered);
        }
        // What is of the type already is left as it is.
        if ty.contains(&value) {
            prop_assert!(ty.filter_value(&value, false, allow_downcast).is_ok());
        }
    }

    #[test]
    fn what_may_be_lost_is_more_than_what_may_not(ty in ty(), value in array()) {
        let accepted = |allow| ty.filter_value(&value, false, allow).is_ok();
        prop_assert_eq!(accepted(None), accepted(Some(false)));
        prop_assert!(!accepted(Some(false)) || accepted(Some(true)));
    }

    #[test]
    fn a_value_is_equal_to_itself(ty in ty(), value in value()) {
        prop_assert!(Type::UNKNOWN.values_eq(&value, &value));
        prop_assert!(Type::UNKNOWN.values_eq_approx(&value, &value));
        if ty.contains(&value) {
            prop_assert!(ty.values_eq(&value, &value));
            prop_assert!(ty.values_eq_approx(&value, &value));
        }
    }

    #[test]
    fn the_size_of_a_value_is_that_of_its_elements(value in array()) {
        let Value::Array(array) = &value else { unreachable!() };
        let bits = array.dtype().size_bits().unwrap() as usize;
        let bytes = array.shape().iter().product::<usize>() * bits / 8;
        prop_assert_eq!(Type::of(&value).memory_size().unwrap().size(), Some(bytes as u64));
    }
}
