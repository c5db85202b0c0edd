//! Users' types: read, printed, compared, and refused with a place.

use kanshape_diag::Diagnostic;
use kanshape_types::{
    Constructor, Dtype, Name, Type, TypeKind, UserType, Vocabulary, code,
    value::{RandomState, SparseFormat, SparseMatrix, Value},
};

/// A type that contains nothing, with this name and number of parameters.
struct Empty(&'static str, &'static [&'static str]);

impl UserType for Empty {
    fn name(&self) -> &str {
        self.0
    }

    fn parameters(&self) -> &[&str] {
        self.1
    }

    fn filter_value(
        &self,
        _args: &[Type],
        _value: &Value,
        _strict: bool,
        _allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        Err(Diagnostic::new(code::VALUE_REFUSED, "there are none"))
    }
}

fn vocabulary() -> Vocabulary {
    let nothing = Constructor::new(Empty("Nothing", &[])).unwrap();
    let pair = Constructor::new(Empty("Pair", &["left", "right"])).unwrap();
    let words = Vocabulary::default().with(nothing).unwrap();
    words.with(pair).unwrap()
}

#[test]
fn a_word_of_the_vocabulary_is_a_users_type() {
    let ty = vocabulary().parse("Nothing").unwrap();
    assert!(
        matches!(&ty.kind, TypeKind::User(name, args) if *name.name() == *"Nothing" && args.is_empty())
    );
    assert_eq!(
        ty,
        vocabulary().parse("Nothing").unwrap(),
        "by name, not by address"
    );

    // The built-in vocabulary doesn't know it.
    assert_eq!(
        "Nothing".parse::<Type>().unwrap(),
        Type::adt(Name::word("Nothing"), [])
    );
}

#[test]
fn types_print_and_read_back() {
    for (text, print) in [
        ("Nothing", "Nothing"),
        ("Pair[f32[2], Nothing]", "Pair[f32[2], Nothing]"),
        ("Pair[Nothing, ?]", "Pair[type Nothing, ?]"),
        ("Pair[type A, B]", "Pair[type A, B]"),
        (
            "Pair[Pair[A, csr], (Nothing, f32[n])]",
            "Pair[Pair[type A, csr], (Nothing, f32[n])]",
        ),
        (
            "fn(Nothing) -> Pair[?, ?]",
            "fn(Nothing) -> Pair[type ?, ?]",
        ),
        ("List[Nothing, f32[]]", "List[Nothing, f32[]]"),
        (
            "Sparse[float32[m, n], csr] where m >= 1",
            "Sparse[f32[m, n], csr] where m >= 1",
        ),
        ("Sparse[?, ?]", "Sparse[type ?, ?]"),
        ("Sparse[f32[...], F]", "Sparse[f32[...], F]"),
        ("(RandomState, f64[])", "(RandomState, f64[])"),
    ] {
        let ty = vocabulary().parse(text).unwrap();
        assert_eq!(ty.to_string(), print);
        assert_eq!(vocabulary().parse(print).unwrap(), ty);
    }
}

#[test]
fn what_is_wrong_is_shown_at_its_place() {
    for (text, wrong, place) in [
        ("(Pair[f32[2]], ?)", code::WRONG_ARITY, "Pair[f32[2]]"),
        ("Pair", code::WRONG_ARITY, "Pair"),
        ("Nothing[n]", code::WRONG_ARITY, "Nothing[n]"),
        ("Sparse", code::WRONG_ARITY, "Sparse"),
        (
            "Sparse[f32[2, 2, 2], csr]",
            code::WRONG_ARGUMENT,
            "f32[2, 2, 2]",
        ),
        ("Sparse[f32[2], csr]", code::WRONG_ARGUMENT, "f32[2]"),
        (
            "Sparse[f32[2, ..., n, 3], csr]",
            code::WRONG_ARGUMENT,
            "f32[2, ..., n, 3]",
        ),
        (
            "Sparse[RandomState, csr]",
            code::WRONG_ARGUMENT,
            "RandomState",
        ),
        ("Sparse[f32[2, 2], f32[]]", code::WRONG_ARGUMENT, "f32[]"),
        ("Pair[2, Nothing]", code::WRONG_ARGUMENT, "2"),
        ("Pair[n + 1, ?]", code::WRONG_ARGUMENT, "n + 1"),
        ("Pair[...r, ?]", code::WRONG_ARGUMENT, "...r"),
    ] {
        let error = vocabulary().parse(text).unwrap_err();
        assert_eq!(error.code, wrong, "{text}: {error}");
        let label = &error.labels[0];
        assert_eq!(&text[label.start..label.end], place, "{text}");
    }
    let error = "Sparse[f32[2, 2]]".parse::<Type>().unwrap_err();
    assert_eq!(error.headline, "`Sparse` takes 2 arguments, not 1");
    assert_eq!(error.help, ["write `Sparse[matrix, format]`"]);
}

#[test]
fn a_name_reads_back() {
    for name in [
        "",
        "two words",
        "f32",
        "float",
        "Float",
        "f23",
        "where ",
        "?",
        "A[B]",
        "1",
        "fn(",
    ] {
        let error = Constructor::new(Empty(name, &[])).unwrap_err();
        assert_eq!(error.code, code::TYPE_NAME, "{name}");
    }
    let again = Constructor::new(Empty("Sparse", &[])).unwrap();
    assert_eq!(
        Vocabulary::default().with(again).unwrap_err().code,
        code::TYPE_NAME
    );
}

#[test]
fn constructors_are_their_names() {
    let one = Constructor::new(Empty("A", &[])).unwrap();
    let same = Constructor::new(Empty("A", &[])).unwrap();
    let other = Constructor::new(Empty("B", &[])).unwrap();
    assert_eq!(one, same);
    assert!(one < other);
    assert!(one.apply([]).is_ok());
    assert_eq!(
        one.apply([Type::UNKNOWN]).unwrap_err().code,
        code::WRONG_ARITY
    );
}

#[test]
fn the_built_in_words() {
    let names: Vec<_> = Vocabulary::default()
        .iter()
        .map(|c| c.to_string())
        .collect();
    assert_eq!(names, ["RandomState", "Sparse", "bsr", "coo", "csc", "csr"]);
    let ty = Type::sparse(Dtype::F32, [2, 3], SparseFormat::Csr).unwrap();
    assert_eq!(ty.to_string(), "Sparse[f32[2, 3], csr]");
    assert_eq!(ty, "Sparse[f32[2, 3], csr]".parse().unwrap());
    assert_eq!(Type::random_state(), "RandomState".parse().unwrap());
}

#[test]
fn values_know_their_type() {
    let matrix = SparseMatrix {
        format: SparseFormat::Coo,
        dtype: Dtype::F64,
        shape: [2, 0],
    };
    let Value::User(value) = Value::user(matrix) else {
        unreachable!()
    };
    assert_eq!(value.type_of().to_string(), "Sparse[f64[2, 0], coo]");
    assert_eq!(value.downcast_ref(), Some(&matrix));
    assert_eq!(value.downcast_ref::<RandomState>(), None);
    assert_eq!(Value::user(matrix), Value::user(matrix));
    let state = RandomState {
        bit_generator: Name::word("PCG64"),
        words: [1, 2].into(),
    };
    assert_ne!(Value::user(matrix), Value::user(state));
}
