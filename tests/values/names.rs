//! Types with names: what some assignment of sizes, dtypes and runs makes them contain.

use kanshape::{
    Dim, Type, code,
    value::{Filter, Value},
};
use kanshape_types::value_at;
use ndarray::{ArrayD, IxDyn, arr0};
use std::collections::BTreeSet;

fn zeros(shape: &[usize]) -> Value {
    ArrayD::<f32>::zeros(IxDyn(shape)).into()
}

#[track_caller]
fn check(ty: &str, inside: &[&[usize]], outside: &[&[usize]]) {
    let parsed: Type = ty.parse().unwrap();
    for shape in inside {
        assert!(
            parsed.contains(&zeros(shape)),
            "{ty} should contain {shape:?}"
        );
    }
    for shape in outside {
        assert!(
            !parsed.contains(&zeros(shape)),
            "{ty} should not contain {shape:?}"
        );
    }
}

#[test]
fn a_name_is_one_size() {
    check("f32[n, n]", &[&[0, 0], &[3, 3]], &[&[2, 3], &[3]]);
    check("f32[?, ?]", &[&[0, 0], &[2, 3]], &[&[]]);
    check("f32[n, ?, n]", &[&[2, 5, 2]], &[&[2, 2, 5]]);
}

#[test]
fn runs() {
    check("f32[...]", &[&[], &[1, 2, 3]], &[]);
    check(
        "f32[...batch, n, n]",
        &[&[3, 3], &[7, 3, 3]],
        &[&[3], &[7, 3, 4]],
    );
    check(
        "f32[prod(...r), ...r]",
        &[&[6, 2, 3], &[1]],
        &[&[5, 2, 3], &[0]],
    );
    check("f32[2, ..., 3]", &[&[2, 3], &[2, 9, 3]], &[&[2], &[3, 2]]);
}

#[test]
fn expressions_are_solved() {
    check("f32[2*k]", &[&[0], &[6]], &[&[5]]);
    check("f32[2*k, k + 1]", &[&[6, 4]], &[&[6, 5], &[5, 4], &[6, 0]]);
    check("f32[n - 3]", &[&[0], &[9]], &[]);
    check("f32[n // 2, n]", &[&[3, 6], &[3, 7]], &[&[3, 8]]);
    check(
        "f32[n // 2, n % 3]",
        &[&[3, 0], &[3, 1]],
        &[&[3, 2], &[3, 3]],
    );
    check(
        "f32[m*n, m + n]",
        &[&[12, 7], &[12, 8], &[12, 13]],
        &[&[12, 9]],
    );
    check("f32[k*k]", &[&[0], &[1], &[49]], &[&[2], &[50]]);
    check("f32[min(k, 3)]", &[&[0], &[3]], &[&[4]]);
    check("f32[max(k, 3)]", &[&[3], &[9]], &[&[2]]);
    check(
        "f32[ceil(k/4), k]",
        &[&[2, 5], &[2, 8], &[0, 0]],
        &[&[2, 4], &[2, 9]],
    );
    check("f32[k // 0]", &[], &[&[0], &[1]]);
}

#[test]
fn conditions_are_checked() {
    check("f32[n] where n >= 1", &[&[1]], &[&[0]]);
    check("f32[n, 3] where n != 1", &[&[0, 3], &[2, 3]], &[&[1, 3]]);
    check(
        "f32[n] where n % 8 == 0, n <= 16",
        &[&[0], &[8], &[16]],
        &[&[4], &[24]],
    );
    check("f32[n] where n in {1, 3}", &[&[1], &[3]], &[&[2]]);
    check(
        "f32[n] where n == 2*k, k % 2 == 1",
        &[&[2], &[6]],
        &[&[3], &[4]],
    );
    check(
        "f32[m, n] where m < n <= 4",
        &[&[1, 4]],
        &[&[4, 4], &[1, 5]],
    );
    check(
        "f32[a, b, c] where c == broadcast(a, b)",
        &[&[1, 3, 3], &[2, 2, 2]],
        &[&[2, 3, 3]],
    );
    check("f32[...r] where prod(...r) <= 6", &[&[2, 3], &[]], &[&[7]]);
    // Nothing in the value settles these.
    check("f32[n] where k >= 1", &[&[0]], &[]);
    check("f32[n] where k < 0", &[], &[&[0]]);
    check(
        "f32[...r] where ...s == broadcast(...r, ...q)",
        &[&[2]],
        &[],
    );
}

/// What the engine decides is what all sizes of the names up to 12 show, tried one by one.
#[test]
fn sizes_of_names_are_as_tried_one_by_one() {
    let dims = [
        "2*a + 3*b",
        "a*b",
        "a // 2",
        "a % 3",
        "max(a, b)",
        "min(a, 4)",
        "a*a",
        "a + b",
        "ceil(b/3)",
    ];
    let mut contained = 0;
    for first in dims {
        for second in dims {
            let ty: Type = format!("f32[{first}, {second}] where a <= 12, b <= 12, a != 1")
                .parse()
                .unwrap();
            let tensor = ty.as_tensor().unwrap();
            let at = |place: usize, a, b| match &tensor.shape.known_dims()[place] {
                Dim::Expr(e) => value_at(e, &|name| match name {
                    "a" => Some(a),
                    _ => Some(b),
                }),
                _ => None,
            };
            let names = (0..=12)
                .filter(|a| *a != 1)
                .flat_map(|a| (0..=12).map(move |b| (a, b)));
            let shapes: BTreeSet<_> = names.map(|(a, b)| (at(0, a, b), at(1, a, b))).collect();
            for (n, m) in (0..9).flat_map(|n| (0..9).map(move |m| (n, m))) {
                let expected = shapes.contains(&(Some(n as i128), Some(m as i128)));
                contained += usize::from(expected);
                assert_eq!(ty.contains(&zeros(&[n, m])), expected, "{ty} {n} {m}");
            }
        }
    }
    assert!(contained > 1000, "{contained}");
}

#[test]
fn what_does_not_hold_is_named() {
    let ty: Type = "f32[n] where n >= 1".parse().unwrap();
    let error = ty.filter_value(&zeros(&[0]), true, None).unwrap_err();
    assert_eq!(
        (error.code, &*error.headline),
        (code::VALUE_CONDITION, "`n >= 1` does not hold")
    );
    let ty: Type = "f32[2, n]".parse().unwrap();
    let error = ty.filter_value(&zeros(&[3, 4]), true, None).unwrap_err();
    assert_eq!(
        (error.code, &*error.headline),
        (code::VALUE_SHAPE, "the shape is [3, 4], not [2, n]")
    );
}

#[test]
fn names_are_shared_in_a_tuple() {
    let ty: Type = "(f32[n], f32[n, m], f32[2*m])".parse().unwrap();
    let value = |n, m, double| Value::tuple([zeros(&[n]), zeros(&[3, m]), zeros(&[double])]);
    assert!(ty.contains(&value(3, 2, 4)));
    assert!(!ty.contains(&value(2, 2, 4)));
    assert!(!ty.contains(&value(3, 2, 5)));
    assert!(!ty.contains(&Value::tuple([zeros(&[3])])));
    assert!(!ty.contains(&zeros(&[3])));
}

#[test]
fn dtypes_have_names_too() {
    let [single, double] = [Value::from(arr0(1.0f32)), Value::from(arr0(1.0f64))];
    let [int, bool] = [Value::from(arr0(1i32)), Value::from(arr0(true))];
    let pair = |a: &Value, b: &Value| Value::tuple([a.clone(), b.clone()]);
    let same: Type = "(T[], T[])".parse().unwrap();
    assert!(same.contains(&pair(&single, &single)));
    assert!(!same.contains(&pair(&single, &double)));

    let float: Type = "T[] where T: Float".parse().unwrap();
    assert!(float.contains(&single));
    assert!(!float.contains(&int));
    let set: Type = "T[] where T in {f32, bool}".parse().unwrap();
    assert!(set.contains(&bool));
    assert!(!set.contains(&double));

    let promoted: Type = "(T[], U[], R[]) where R == promote(T, U)".parse().unwrap();
    let three = |a: &Value, b: &Value, c: &Value| Value::tuple([a, b, c].map(Clone::clone));
    assert!(promoted.contains(&three(&single, &int, &double)));
    assert!(!promoted.contains(&three(&single, &int, &single)));

    // A literal takes the dtype of the array beside it, wherever that stands.
    let filtered = same.filter_value(&pair(&Value::from(3), &single), false, None);
    assert_eq!(filtered, Ok(pair(&Value::from(arr0(3.0f32)), &single)));
}

#[test]
fn a_type_variable_is_one_type() {
    let ty: Type = "tuple(A, A)".parse().unwrap();
    assert!(ty.contains(&Value::tuple([zeros(&[2]), zeros(&[2])])));
    assert!(!ty.contains(&Value::tuple([zeros(&[2]), zeros(&[3])])));
    assert!(
        "?".parse::<Type>()
            .unwrap()
            .contains(&Value::from("anything"))
    );
}

#[test]
fn no_question_runs_away() {
    // Beyond what is searched: said to be so, and not contained.
    let ty: Type = "f32[a*a*a + b*b*b + c*c*c]".parse().unwrap();
    let _ = ty.contains(&zeros(&[33]));
    let ty: Type = "f32[2*a + 2*b]".parse().unwrap();
    assert!(!ty.contains(&zeros(&[4001])));
    let ty: Type = "f32[a*b*c*d*e, 0] where a > 4611686018427387904, b > 4611686018427387904"
        .parse()
        .unwrap();
    assert!(!ty.contains(&zeros(&[7, 0])));
}

#[test]
fn huge_shapes_without_elements() {
    let huge = zeros(&[1 << 40, 0, 1 << 20]);
    let ty: Type = "f64[n, 0, m]".parse().unwrap();
    assert!(!ty.contains(&huge));
    let Ok(Value::Array(array)) = ty.filter_value(&huge, false, None) else {
        panic!("f32 is taken for f64");
    };
    assert_eq!(array.shape(), [1 << 40, 0, 1 << 20]);
    assert_eq!(
        Type::of(&huge).to_string(),
        "f32[1099511627776, 0, 1048576]"
    );
    assert_eq!(Type::of(&huge).memory_size().unwrap().size(), Some(0));
}
