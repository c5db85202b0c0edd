//! Types with contents: an array is one of their values if it has them.

use half::{bf16, f16};
use kanshape::{
    Type, code,
    value::{Filter, Value},
};
use ndarray::{Array, IxDyn, arr0, arr1, arr2};
use num_complex::Complex;
use proptest::prelude::*;
use proptest::sample::select;

#[track_caller]
fn check(ty: &str, value: impl Into<Value>, inside: bool) {
    let parsed: Type = ty.parse().unwrap();
    let value = value.into();
    assert_eq!(parsed.contains(&value), inside, "{ty} {value:?}");
}

#[test]
fn numbers() {
    check("i64[3] = [2, ?, -1]", arr1(&[2i64, 7, -1]), true);
    check("i64[3] = [2, ?, -1]", arr1(&[2i64, 7, 1]), false);
    check("i64[3] = [2, ?, -1]", arr1(&[2i32, 7, -1]), false);
    check("?[3] = [2, ?, -1]", arr1(&[2i32, 7, -1]), true);
    check("?[3] = [2, ?, -1]", arr1(&[2.0f32, 7.5, -1.0]), true);
    check("i64[] = 5", arr0(5i64), true);
    check("i64[] = [5]", arr0(6i64), false);
    check("i64[2, 2] = [1, 2, 3, 4]", arr2(&[[1i64, 2], [3, 4]]), true);
    check(
        "i64[2, 2] = [1, 2, 3, 4]",
        arr2(&[[1i64, 3], [2, 4]]),
        false,
    );
    check("i64[0] = []", Array::<i64, _>::zeros(0), true);
    check("u64[1] = [9223372036854775807]", arr1(&[u64::MAX]), false);
    check("i64[1] = [-9223372036854775808]", arr1(&[i64::MIN]), true);
}

#[test]
fn arrays_that_are_no_rows() {
    let columns = arr2(&[[1i64, 3], [2, 4]]).reversed_axes();
    check("i64[2, 2] = [1, 2, 3, 4]", columns, true);
}

#[test]
fn as_many_as_there_are() {
    check("i64[?] = [1, 2]", arr1(&[1i64, 2]), true);
    check("i64[?] = [1, 2]", arr1(&[1i64, 2, 3]), false);
    check("i64[...] = [1, 2]", arr2(&[[1i64], [2]]), true);
    check("i64[n] = [n, n]", arr1(&[2i64, 2]), true);
    check("i64[n] = [n, n]", arr1(&[3i64, 3]), false);
}

#[test]
fn truth_values_and_texts() {
    check("bool[2] = [true, false]", arr1(&[true, false]), true);
    check("bool[2] = [1, 0]", arr1(&[true, false]), true);
    check("bool[2] = [true, false]", arr1(&[true, true]), false);
    check("?[1] = [true]", arr1(&[1i64]), false);
    check("bool[1] = [n]", arr1(&[true]), true);
    check("bool[1] = [n] where n != 1", arr1(&[true]), false);
    let texts = || arr1(&["a".to_owned(), "b\n".to_owned()]);
    check(r#"str[2] = ["a", "b\n"]"#, texts(), true);
    check(r#"str[2] = ["a", ?]"#, texts(), true);
    check(r#"str[2] = ["a", "b"]"#, texts(), false);
    check("?[2] = [1, 2]", texts(), false);
}

#[test]
fn floats_are_those_of_the_dtype() {
    for ty in ["f32[1] = [0.1]", "?[1] = [0.1]", "Float[1] = [0.1]"] {
        check(ty, arr1(&[0.1f32]), true);
        check(ty, arr1(&[0.1000001f32]), false);
    }
    check("f64[1] = [0.1]", arr1(&[0.1f64]), true);
    check("f64[1] = [0.1]", arr1(&[f64::from(0.1f32)]), false);
    check("f16[1] = [0.1]", arr1(&[f16::from_f32(0.1)]), true);
    check("bf16[1] = [0.1]", arr1(&[bf16::from_f32(0.1)]), true);
    check(
        "c64[2] = [0.1, 2]",
        arr1(&[Complex::new(0.1f32, 0.0), 2.0.into()]),
        true,
    );
    check("c64[1] = [0.1]", arr1(&[Complex::new(0.1f32, 1.0)]), false);
    check(
        "f32[3] = [inf, -inf, nan]",
        arr1(&[f32::INFINITY, f32::NEG_INFINITY, f32::NAN]),
        true,
    );
    check("f32[1] = [nan]", arr1(&[0.0f32]), false);
    check("f32[1] = [0.0]", arr1(&[-0.0f32]), true);
    check("f32[1] = [n]", arr1(&[2.0f32]), true);
    check("f32[1] = [n]", arr1(&[2.5f32]), false);
}

#[test]
fn names_are_those_of_the_type() {
    let pair = |n: usize, members: &[i64]| {
        Value::tuple([
            Value::from(Array::<f32, _>::zeros(IxDyn(&[n]))),
            arr1(members).into(),
        ])
    };
    let ty = "(f32[n], i64[2] = [n, 2*n - 1])";
    check(ty, pair(3, &[3, 5]), true);
    check(ty, pair(3, &[3, 6]), false);
    check(ty, pair(4, &[3, 5]), false);
    check(ty, pair(0, &[0, -1]), true);
    // A name is a size.
    check("i64[1] = [n]", arr1(&[-1i64]), false);
    check("i64[1] = [n - 2]", arr1(&[-1i64]), true);
    check("i64[1] = [n - 2]", arr1(&[-3i64]), false);
    check("i64[2] = [n, 2] where n != 1", arr1(&[1i64, 2]), false);
    check("i64[2] = [n, 2] where n != 1", arr1(&[0i64, 2]), true);
}

#[test]
fn what_differs_is_reported() {
    let ty: Type = "i64[3] = [1, 2, ?]".parse().unwrap();
    let error = ty
        .filter_value(&arr1(&[1i64, 3, 4]).into(), true, None)
        .unwrap_err();
    assert_eq!(error.code, code::VALUE_CONTENTS);
    assert_eq!(error.headline, "element 1, row by row, is 3, not 2");
}

#[test]
fn literals_get_the_contents_they_have() {
    let ty: Type = "f32[2] = [1, 0.5]".parse().unwrap();
    let list = |items: [f64; 2]| Value::list(items);
    assert!(ty.filter_value(&list([1.0, 0.5]), false, None).is_ok());
    assert!(ty.filter_value(&list([1.0, 0.25]), false, None).is_err());
}

fn array() -> impl Strategy<Value = Value> {
    (0..5, prop::collection::vec(-3i64..4, 0..4)).prop_map(|(kind, numbers)| {
        let floats = numbers.iter().map(|n| *n as f64 / 2.0);
        match kind {
            0 => Array::from_vec(numbers).into(),
            1 => Array::from_iter(numbers.iter().map(|n| n.unsigned_abs() as u8)).into(),
            2 => Array::from_iter(numbers.iter().map(|n| *n > 0)).into(),
            3 => Array::from_iter(floats).into(),
            _ => Array::from_iter(floats.map(|x| x as f32 / 3.0)).into(),
        }
    })
}

/// The type of the array with all that is in it, or with a hole here and there.
fn full(value: &Value, holes: u8) -> Type {
    let Value::Array(array) = value else {
        unreachable!()
    };
    let shown = match array {
        kanshape::value::AnyArray::I64(a) => a.iter().map(ToString::to_string).collect::<Vec<_>>(),
        kanshape::value::AnyArray::U8(a) => a.iter().map(ToString::to_string).collect(),
        kanshape::value::AnyArray::Bool(a) => a.iter().map(ToString::to_string).collect(),
        kanshape::value::AnyArray::F64(a) => a.iter().map(|x| format!("{x:?}")).collect(),
        kanshape::value::AnyArray::F32(a) => a.iter().map(|x| format!("{x:?}")).collect(),
        other => panic!("{other:?} is not among the arrays that are tried"),
    };
    let member = |(i, text): (usize, String)| match holes >> i & 1 {
        0 => text,
        _ => "?".to_owned(),
    };
    let members: Vec<String> = shown.into_iter().enumerate().map(member).collect();
    let text = format!("{} = [{}]", Type::of(value), members.join(", "));
    text.parse().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_value_has_its_own_contents(value in array(), holes in 0u8..16) {
        let ty = full(&value, holes);
        prop_assert!(ty.contains(&value), "{} {:?}", ty, value);
        prop_assert!(Type::of(&value).contains(&value));
        prop_assert!(Type::of(&value).contents().is_none());
    }

    /// What a type contains, every type above it contains.
    #[test]
    fn the_order_is_that_of_the_values(a in array(), b in array(), holes in select(vec![0u8, 1, 2, 3])) {
        let (of_a, of_b) = (full(&a, holes), full(&b, 0));
        if kanshape::order::is_super(&of_a, &of_b) == kanshape::Verdict::Always {
            prop_assert!(of_a.contains(&b), "{} {}", of_a, of_b);
        } else {
            prop_assert!(!of_a.contains(&b), "{} {}", of_a, of_b);
        }
    }
}
