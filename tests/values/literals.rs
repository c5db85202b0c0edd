//! Numbers and lists without a dtype, where an array is expected.

use std::sync::Arc;

use half::f16;
use kanshape::{
    Dtype, Type, code,
    value::{AnyArray, Filter, Value},
};
use ndarray::{arr0, arr1, arr2};

fn filter(ty: &str, value: impl Into<Value>, allow_downcast: Option<bool>) -> Option<AnyArray> {
    let ty: Type = ty.parse().unwrap();
    let value = value.into();
    assert!(ty.filter_value(&value, true, allow_downcast).is_err());
    match ty.filter_value(&value, false, allow_downcast) {
        Ok(Value::Array(array)) => Some(array),
        Ok(other) => panic!("{other:?}"),
        Err(_) => None,
    }
}

#[test]
fn a_number_becomes_an_array_if_nothing_is_lost() {
    assert_eq!(
        filter("f16[]", 3, None),
        Some(arr0(f16::from_f32(3.0)).into())
    );
    assert_eq!(filter("i8[]", 3.0, None), Some(arr0(3i8).into()));
    assert_eq!(filter("bool[]", 1, None), Some(arr0(true).into()));
    assert_eq!(filter("u8[]", true, None), Some(arr0(1u8).into()));
    assert_eq!(
        filter("f32[]", f64::INFINITY, None),
        Some(arr0(f32::INFINITY).into())
    );
    assert!(filter("f32[]", f64::NAN, None).is_some());
    assert_eq!(filter("bool[]", 3, None), None);
    assert_eq!(filter("u8[]", -1, None), None);
    assert_eq!(filter("f32[]", 1e300, None), None);
    assert_eq!(filter("f32[]", (1i64 << 24) + 1, None), None);
    assert_eq!(filter("f32[]", 0.1, Some(false)), None);
    assert_eq!(filter("f64[]", Value::Complex(1.0, 0.0), None), None);
    assert_eq!(filter("f64[]", "text", None), None);
}

#[test]
fn with_downcast_it_becomes_the_nearest_there_is() {
    let allowed = Some(true);
    assert_eq!(filter("f32[]", 0.1, allowed), Some(arr0(0.1f32).into()));
    assert_eq!(filter("i8[]", -2.9, allowed), Some(arr0(-2i8).into()));
    assert_eq!(filter("bool[]", 0.1, allowed), Some(arr0(true).into()));
    assert_eq!(
        filter("bool[]", Value::Complex(0.0, 1.0), allowed),
        Some(arr0(true).into())
    );
    // No number that the dtype has is near.
    assert_eq!(filter("i8[]", 300, allowed), None);
    assert_eq!(filter("i8[]", f64::NAN, allowed), None);
    assert_eq!(filter("f64[]", Value::Complex(1.0, 2.0), allowed), None);
}

#[test]
fn arrays_wrap_as_astype_does() {
    let ty: Type = "i8[1]".parse().unwrap();
    let value = arr1(&[300i64]).into();
    assert_eq!(
        ty.filter_value(&value, false, None).unwrap_err().code,
        code::VALUE_DTYPE
    );
    let wrapped = ty.filter_value(&value, false, Some(true)).unwrap();
    assert_eq!(wrapped, arr1(&[44i8]).into());
}

#[test]
fn a_list_becomes_an_array_of_its_shape() {
    let nested = || Value::list([Value::list([1, 2]), Value::list([3, 4])]);
    assert_eq!(
        filter("i32[2, 2]", nested(), None),
        Some(arr2(&[[1, 2], [3, 4]]).into())
    );
    assert_eq!(filter("i32[n, n]", nested(), None).unwrap().shape(), [2, 2]);
    assert_eq!(filter("i32[4]", nested(), None), None);
    let ragged = Value::list([Value::list([1, 2]), Value::list([3])]);
    assert_eq!(filter("i32[...]", ragged, Some(true)), None);
    let mixed = Value::list([Value::list([1, 2]), Value::from(3)]);
    assert_eq!(filter("i32[...]", mixed, Some(true)), None);
    assert_eq!(
        filter("f32[0]", Value::list([0i64; 0]), None)
            .unwrap()
            .shape(),
        [0]
    );
    let texts = Value::list(["a", "b"]);
    assert_eq!(
        filter("str[2]", texts, None),
        Some(arr1(&["a".to_owned(), "b".to_owned()]).into())
    );
}

#[test]
fn an_open_dtype_is_numpys_or_the_first_that_fits() {
    let dtype = |ty, value: Value| filter(ty, value, None).map(|array| array.dtype());
    assert_eq!(dtype("?[]", 3.into()), Some(Dtype::I64));
    assert_eq!(dtype("?[]", u64::MAX.into()), Some(Dtype::U64));
    assert_eq!(dtype("?[]", true.into()), Some(Dtype::Bool));
    assert_eq!(dtype("T[]", 0.5.into()), Some(Dtype::F64));
    assert_eq!(dtype("{f16, f32}[]", 0.5.into()), Some(Dtype::F16));
    assert_eq!(dtype("{f16, f32}[]", 0.1.into()), None);
    assert_eq!(
        dtype("?[2]", Value::list([Value::from(1), Value::from(0.5)])),
        Some(Dtype::F64)
    );
    assert_eq!(dtype("?[0]", Value::list([0i64; 0])), Some(Dtype::F64));
}

#[test]
fn no_list_is_too_large_to_be_refused() {
    let ty: Type = "f32[...]".parse().unwrap();
    // Two elements at each of many levels: 2^60 of them, in no memory at all.
    let mut value = Value::from(0);
    for _ in 0..60 {
        value = Value::list([value.clone(), value]);
    }
    assert!(ty.filter_value(&value, false, Some(true)).is_err());
    // Deep rather than wide.
    let mut value = Value::from(0);
    for _ in 0..1000 {
        value = Value::list([value]);
    }
    assert!(ty.filter_value(&value, false, Some(true)).is_err());
    // Nothing, many times.
    let wide = |item: Value, length| Value::List(Arc::from(vec![item; length]));
    let empty = wide(
        wide(wide(Value::list([0i64; 0]), 1 << 16), 1 << 16),
        1 << 16,
    );
    assert!(ty.filter_value(&empty, false, Some(true)).is_err());
}
