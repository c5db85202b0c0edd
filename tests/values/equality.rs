//! When two values are equal, and when nearly.

use half::{bf16, f16};
use kanshape::{
    Type,
    value::{UserValue, Value},
};
use ndarray::{Array1, arr0, arr1, arr2};
use num_complex::Complex;

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

#[test]
fn equal_is_same_dtype_shape_and_elements() {
    let one: Value = arr1(&[1.0f32, 2.0]).into();
    assert!(ty("f32[2]").values_eq(&one, &arr1(&[1.0f32, 2.0]).into()));
    assert!(!ty("f32[2]").values_eq(&one, &arr1(&[1.0f32, 2.5]).into()));
    assert!(!ty("?").values_eq(&one, &arr1(&[1.0f64, 2.0]).into()));
    assert!(!ty("?").values_eq(&one, &arr2(&[[1.0f32, 2.0]]).into()));
    let none = || Value::from(Array1::<i8>::zeros(0));
    assert!(ty("i8[0]").values_eq(&none(), &none()));
    assert!(ty("str[1]").values_eq(
        &arr1(&["a".to_owned()]).into(),
        &arr1(&["a".to_owned()]).into()
    ));
}

#[test]
fn what_is_no_number_is_equal_to_itself_and_nothing_else() {
    let with = |rest: f64| Value::from(arr1(&[f64::NAN, rest]));
    assert!(ty("f64[2]").values_eq(&with(1.0), &with(1.0)));
    assert!(!ty("f64[2]").values_eq(&with(1.0), &with(2.0)));
    assert!(ty("f64[2]").values_eq_approx(&with(1.0), &with(1.0 + 1e-9)));
    assert!(!ty("f64[2]").values_eq_approx(&with(1.0), &with(f64::NAN)));
    assert!(!ty("f64[2]").values_eq_approx(&with(f64::NAN), &with(1.0)));
}

#[test]
fn the_tolerance_is_the_dtypes() {
    macro_rules! near {
        ($text:literal, $one:expr, $near:expr, $far:expr) => {
            let [one, near, far] = [$one, $near, $far].map(|element| Value::from(arr0(element)));
            assert!(ty($text).values_eq_approx(&one, &near), "{}", $text);
            assert!(!ty($text).values_eq(&one, &near), "{}", $text);
            assert!(!ty($text).values_eq_approx(&one, &far), "{}", $text);
        };
    }
    near!("f64[]", 1.0, 1.0 + 9e-6, 1.0 + 2e-5);
    near!("f64[]", 0.0, 9e-9, 2e-8);
    near!("f32[]", 1.0f32, 1.0 + 1.5e-5, 1.0 + 3e-5);
    near!("f32[]", 0.0f32, 9e-6, 2e-5);
    let half = f16::from_f64;
    near!("f16[]", half(1.0), half(1.001), half(1.01));
    let brain = bf16::from_f64;
    near!("bf16[]", brain(1.0), brain(1.01), brain(1.05));
    let i = |im: f32| Complex::new(1.0, im);
    near!("c64[]", i(0.0), i(1e-5), i(1e-4));
}

#[test]
fn integers_and_infinities_are_never_near() {
    let [three, four] = [3i64, 4].map(|element| Value::from(arr0(element)));
    assert!(!ty("i64[]").values_eq_approx(&three, &four));
    let [inf, large] = [f64::INFINITY, 1e300].map(|element| Value::from(arr0(element)));
    assert!(ty("f64[]").values_eq_approx(&inf, &inf));
    assert!(!ty("f64[]").values_eq_approx(&large, &inf));
    assert!(!ty("f64[]").values_eq_approx(&inf, &large));
}

/// A value that is equal to nothing, not even itself.
#[derive(Clone, Debug)]
struct Alone;

impl PartialEq for Alone {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

impl UserValue for Alone {}

#[test]
fn tuples_are_compared_field_by_field() {
    let pair = |x: f32| Value::tuple([Value::from(arr0(x)), Value::from(true)]);
    let text = "(f32[], ?)";
    assert!(!ty(text).values_eq(&pair(1.0), &pair(1.000001)));
    assert!(ty(text).values_eq_approx(&pair(1.0), &pair(1.000001)));
    assert!(ty("?").values_eq_approx(&pair(1.0), &pair(1.000001)));
    assert!(!ty(text).values_eq(&pair(1.0), &Value::tuple([arr0(1.0f32)])));
    assert!(!ty("?").values_eq(&Value::user(Alone), &Value::user(Alone)));
}
