//! Values of users' types, the built-in ones among them.

use kanshape::{
    Diagnostic, Dtype, Type, code,
    user::{ArgumentError, Constructor, UserType, Vocabulary},
    value::{Filter, RandomState, SparseFormat, SparseMatrix, UserValue, Value},
};
use ndarray::Array1;

fn matrix(dtype: Dtype, shape: [u64; 2], format: SparseFormat) -> Value {
    Value::user(SparseMatrix {
        format,
        dtype,
        shape,
    })
}

#[test]
fn a_sparse_matrix_has_a_format_a_dtype_and_a_shape() {
    let csr = matrix(Dtype::F32, [2, 3], SparseFormat::Csr);
    let contains = |ty: &str| ty.parse::<Type>().unwrap().contains(&csr);
    for ty in [
        "Sparse[f32[2, 3], csr]",
        "Sparse[f32[m, n], csr]",
        "Sparse[?[2, ?], csr]",
        "Sparse[f32[...], ?]",
        "Sparse[T[...r], F] where prod(...r) == 6",
        "Sparse[A, csr]",
        "?",
        "A",
    ] {
        assert!(contains(ty), "{ty}");
    }
    for ty in [
        "Sparse[f64[2, 3], csr]",
        "Sparse[f32[n, n], csr]",
        "Sparse[f32[2, 3], csc]",
        "Sparse[f32[m, n], csr] where m >= n",
        "f32[2, 3]",
        "RandomState",
        "csr",
    ] {
        assert!(!contains(ty), "{ty}");
    }
    assert_eq!(Type::of(&csr).to_string(), "Sparse[f32[2, 3], csr]");
}

#[test]
fn a_sparse_matrix_is_converted_as_an_array_is() {
    let csr = matrix(Dtype::F32, [2, 3], SparseFormat::Csr);
    let filter = |ty: &str, strict, allow_downcast| {
        let ty: Type = ty.parse().unwrap();
        ty.filter_value(&csr, strict, allow_downcast).ok()
    };
    let coo = Some(matrix(Dtype::F64, [2, 3], SparseFormat::Coo));
    assert_eq!(filter("Sparse[f64[2, n], coo]", false, None), coo);
    assert_eq!(filter("Sparse[f64[2, n], coo]", true, None), None);
    assert_eq!(filter("Sparse[f64[3, n], coo]", false, None), None);
    assert_eq!(filter("Sparse[f16[2, n], csr]", false, None), None);
    let half = Some(matrix(Dtype::F16, [2, 3], SparseFormat::Csr));
    assert_eq!(filter("Sparse[f16[2, n], csr]", false, Some(true)), half);
}

#[test]
fn a_matrix_shares_names_with_what_is_beside_it() {
    let ty: Type = "(Sparse[f32[m, n], csr], f32[n])".parse().unwrap();
    let value = |size| {
        let vector = Value::from(Array1::<f32>::zeros(size));
        Value::tuple([matrix(Dtype::F32, [2, 3], SparseFormat::Csr), vector])
    };
    assert!(ty.contains(&value(3)));
    assert!(!ty.contains(&value(2)));
}

#[test]
fn the_state_of_a_generator() {
    let state = |words: &[u64]| {
        Value::user(RandomState {
            bit_generator: "PCG64".parse().unwrap(),
            words: words.into(),
        })
    };
    let ty = Type::random_state();
    assert_eq!(Type::of(&state(&[1])), ty);
    assert!(ty.contains(&state(&[1, 2])));
    assert!(!ty.contains(&Value::from(3)));
    assert!(ty.values_eq(&state(&[1]), &state(&[1])));
    assert!(!ty.values_eq_approx(&state(&[1]), &state(&[2])));
    assert_eq!(ty.memory_size().unwrap().to_string(), "?");
}

/// `Boxed[T]`: one value of a type, in a box of its own.
struct Boxed;

#[derive(Clone, Debug, PartialEq)]
struct InABox(Value);

impl UserValue for InABox {}

impl UserType for Boxed {
    fn name(&self) -> &str {
        "Boxed"
    }

    fn parameters(&self) -> &[&str] {
        &["content"]
    }

    fn check(&self, args: &[Type]) -> Result<(), ArgumentError> {
        match args {
            [content] if content.as_tensor().is_some() => Ok(()),
            _ => Err(ArgumentError::new(0, "is no tensor")),
        }
    }

    fn filter_value(
        &self,
        args: &[Type],
        value: &Value,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        let content = match value.downcast_ref::<InABox>() {
            Some(InABox(content)) => content,
            None if !strict => value,
            None => return Err(Diagnostic::new(code::VALUE_REFUSED, "this is in no box")),
        };
        let content = args[0].filter_value(content, strict, allow_downcast)?;
        Ok(Value::user(InABox(content)))
    }

    fn args_of(&self, value: &Value) -> Vec<Type> {
        match value.downcast_ref::<InABox>() {
            Some(InABox(content)) => vec![Type::of(content)],
            None => vec![Type::UNKNOWN],
        }
    }

    fn memory_size(&self, args: &[Type]) -> kanshape::Dim {
        args[0].memory_size().unwrap_or(kanshape::Dim::Hole)
    }
}

#[test]
fn a_users_type_has_arguments_like_the_built_in_ones() {
    let words = Vocabulary::default()
        .with(Constructor::new(Boxed).unwrap())
        .unwrap();
    let ty = words.parse("(Boxed[f32[n]], Boxed[f32[n]])").unwrap();
    let boxed = |size| Value::user(InABox(Array1::<f32>::zeros(size).into()));
    assert!(ty.contains(&Value::tuple([boxed(2), boxed(2)])));
    assert!(!ty.contains(&Value::tuple([boxed(2), boxed(3)])));

    let plain = Value::from(Array1::<f32>::zeros(2));
    assert!(!ty.contains(&Value::tuple([boxed(2), plain.clone()])));
    let filtered = ty.filter_value(&Value::tuple([boxed(2), plain]), false, None);
    assert_eq!(filtered, Ok(Value::tuple([boxed(2), boxed(2)])));
    assert_eq!(ty.memory_size().unwrap().to_string(), "8*n");
    assert_eq!(
        words.parse("Boxed[RandomState]").unwrap_err().code,
        code::WRONG_ARGUMENT
    );
}
