//! What the texts of types mean, and that the canonical print reads back.

use kanshape_types::{
    Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, TypeKind,
    shorthand::{any, bools, f32s, f64s, i64s},
};

fn dim(text: &str) -> Dim {
    text.parse().unwrap()
}

fn read(text: &str) -> Type {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn tensor(dtype: impl Into<DtypeTerm>, shape: Shape) -> Type {
    Tensor::new(dtype, shape).into()
}

#[test]
fn canonical_texts_are_printed_as_read() {
    for text in [
        "f32[2, n, 2*k, ?]",
        "f32[]",
        "f32[0]",
        "?[2, 3]",
        "f32[...]",
        "?[...]",
        "?",
        "f32[...batch, n]",
        "f32[2, ..., n]",
        "T[2, n] where T in {f32, f64}",
        "(f32[2], i64[])",
        "(f32[2],)",
        "tuple()",
        "tuple(?, ?)",
        "fn(f32[n]) -> f32[]",
        "fn() -> ?",
        "List[f32[2]]",
        "List[type ?]",
        "A",
        "{f32, f64}[2]",
        "Float[2]",
        "t0[d0, d1] where d0 >= 1, t0: Float",
        "f32[n] where n <= 99, n in {8, 16}",
        "z[n] where z == promote(x, f32)",
        "f32[half] where half >= 2",
        "f32[6@district, n]",
        "f32[district, 6@district] where district != 6@district",
        "f32[n] where n in {6@district, 7@region}",
        "(f32[...r, 9223372036854775807@d], T[2@T])",
        "f32[9223372036854775807]",
        "t16[2]",
    ] {
        assert_eq!(read(text).to_string(), text);
        assert_eq!(read(&read(text).to_string()), read(text));
    }
}

#[test]
fn other_forms_are_read_as_the_canonical() {
    for (text, canonical) in [
        ("Tensor[(2, n), float32]", "f32[2, n]"),
        ("tensor<2x?xf32>", "f32[2, ?]"),
        ("TensorType(float64, (2, None))", "f64[2, ?]"),
        ("float32[2,n]", "f32[2, n]"),
        ("(2, 3)", "?[2, 3]"),
        ("()", "?[]"),
        ("(f32[2])", "f32[2]"),
        ("half[2]", "f16[2]"),
        ("half[06 @ half, (7@in)]", "f16[6@half, 7@in]"),
        ("(6@d, 2)", "?[6@d, 2]"),
        ("{float32}[2]", "f32[2]"),
        ("{float64, f32}[2]", "{f32, f64}[2]"),
        ("{f32, Complex}[2]", "{f32, c64, c128}[2]"),
        ("{c64, c128}[2]", "Complex[2]"),
        ("Bool[2]", "bool[2]"),
        ("Any[2]", "?[2]"),
        (
            "T[2] where T in {float32, half}",
            "T[2] where T in {f32, f16}",
        ),
        ("T[2] where T: {float32}", "T[2] where T: {f32}"),
        ("T[2] where T != double", "T[2] where T != f64"),
        ("T[2] where U in {half}", "T[2] where U in {f16}"),
    ] {
        assert_eq!(read(text).to_string(), canonical);
        assert_eq!(read(text), read(canonical), "{text}");
    }
}

#[test]
fn texts_and_constructors_agree() {
    let f32 = Dtype::F32;
    for (text, ty) in [
        ("f32[2, 3]", f32s([2, 3])),
        ("i64[]", i64s([])),
        ("bool[m, n]", bools(["m", "n"].map(dim))),
        ("?[2, 3]", any([2, 3])),
        ("f32[?, 2]", f32s([Dim::Hole, 2.into()])),
        ("f32[2*k]", f32s(["2*k".parse::<Dim>().unwrap()])),
        (
            "f32[6@district, 6]",
            f32s([Dim::nominal(6, Name::word("district")), 6.into()]),
        ),
        ("f32[...]", tensor(f32, Shape::unknown())),
        (
            "f32[2, ...r, n]",
            tensor(
                f32,
                Shape::known([Dim::from(2), dim("n")]).with_run(1, Some(Name::word("r"))),
            ),
        ),
        ("T[2]", tensor(Name::word("T"), Shape::known([2]))),
        ("Float[2]", tensor(DtypeSet::FLOAT, Shape::known([2]))),
        ("?", Type::unknown()),
        ("(f32[2], f64[])", Type::tuple([f32s([2]), f64s([])])),
        (
            "fn(f32[2]) -> ?",
            Type::function([f32s([2])], Type::UNKNOWN),
        ),
        ("List[f32[2]]", Type::adt(Name::word("List"), [f32s([2])])),
        ("List", Type::adt(Name::word("List"), [])),
    ] {
        assert_eq!(read(text), ty, "{text}");
        assert_eq!(ty.to_string(), text);
    }
}

#[test]
fn mistakes_point_at_their_place() {
    for (text, code, place, help) in [
        ("f23[2]", "K0201", "f23", "did you mean `f32`?"),
        (
            "(f32[2], int33[])",
            "K0201",
            "int33",
            "did you mean `int32`?",
        ),
        ("{f32, flaot}[2]", "K0201", "flaot", "did you mean `Float`?"),
        (
            "T[2] where T in {f46}",
            "K0201",
            "f46",
            "did you mean `f64`?",
        ),
        ("float[2]", "K0202", "float", "write `f32` or `f64`"),
        ("int[2]", "K0202", "int", "write `i32` or `i64`"),
        (
            "f32[2, 9223372036854775808]",
            "K0203",
            "9223372036854775808",
            "9223372036854775807",
        ),
        (
            "f32[9223372036854775808@d]",
            "K0203",
            "9223372036854775808",
            "9223372036854775807",
        ),
        ("f32[6@d + 1]", "K0031", "6@d", "`6`"),
        ("T[2] where T in {6@d}", "K0207", "T in {6@d}", ""),
        ("f32", "K0204", "f32", "`f32[]`"),
        ("Float", "K0204", "Float", "`Float[...]`"),
        ("f32[f32[2]]", "K0204", "f32", ""),
        ("promote(x, y)[2]", "K0207", "promote(x, y)", "where z =="),
        ("T[2] where T in {3}", "K0207", "T in {3}", ""),
    ] {
        let error = text.parse::<Type>().unwrap_err();
        assert_eq!(error.code, code, "{text}");
        assert_eq!(error.source.unwrap().text, text);
        let label = &error.labels[0];
        assert_eq!(&text[label.start..label.end], place, "{text}");
        assert!(
            error.help.concat().contains(help),
            "{text}: {:?}",
            error.help
        );
    }
}

#[test]
fn a_name_is_a_dtype_or_a_dim() {
    for text in [
        "T[T]",
        "(T[2], f32[T])",
        "T[2] where T >= 3",
        "f32[n] where n: Float",
    ] {
        assert!(text.parse::<Type>().is_err(), "{text}");
    }
}

#[test]
fn dims() {
    assert_eq!("2".parse(), Ok(Dim::Size(2)));
    assert_eq!(" ? ".parse(), Ok(Dim::Hole));
    assert_eq!("n".parse(), Ok(Dim::Name(Name::word("n"))));
    assert_eq!("2 * k".parse::<Dim>().unwrap().to_string(), "2*k");
    assert_eq!(
        "6@district".parse(),
        Ok(Dim::nominal(6, Name::word("district")))
    );
    for text in [
        "",
        "...",
        "9223372036854775808",
        "9223372036854775808@d",
        "n@d",
        "f32[]",
        "promote(a, b)",
        "broadcast(a, 6@d)",
    ] {
        assert!(text.parse::<Dim>().is_err(), "{text}");
    }
}

#[test]
fn an_identity_is_part_of_the_size() {
    let six = Dim::nominal(6, Name::word("district"));
    assert_ne!(six, Dim::nominal(6, Name::word("region")));
    assert_ne!(six, Dim::Size(6));
    assert_eq!(six.size(), None, "not a plain size");
    assert_eq!(six.extent(), Some(6));
    assert_eq!(Dim::Size(6).extent(), Some(6));
    assert_eq!(dim("n").extent(), None);
    assert_eq!(&*six.as_nominal().unwrap().identity, "district");
    assert!(Shape::known([six, 2.into()]).is_ground());
    assert!(!Shape::known([dim("n")]).is_ground());
}

/// The grammar has no such tree, but a program can make one.
#[test]
fn a_tree_with_an_identity_in_arithmetic_is_refused() {
    use kanshape_syntax::tree::{Expr, Sign, Span};

    let six = kanshape_syntax::parse_expr("6@district").unwrap();
    let sum = Expr::Sum(vec![(Sign::Plus, six), (Sign::Plus, Expr::Int(1))]);
    let error = Dim::from_tree(&sum, Span::default()).unwrap_err();
    assert_eq!(error.code, "K0209");
}

#[test]
fn dtypes() {
    for dtype in Dtype::ALL {
        assert_eq!(dtype.name().parse(), Ok(dtype));
        assert_eq!(dtype.to_string(), dtype.name());
    }
    let error = "float".parse::<Dtype>().unwrap_err();
    assert_eq!(error.code, "K0202");
    let error = "int33".parse::<Dtype>().unwrap_err();
    assert_eq!(error.help, ["did you mean `int32`?"]);
}

#[test]
fn conditions_of_parts_are_printed_with_the_whole() {
    let part = read("f32[n] where n >= 1");
    let whole = Type::tuple([part, f32s([2])]).with_conditions(read("? where n <= 8").conditions);
    assert_eq!(whole.to_string(), "(f32[n], f32[2]) where n <= 8, n >= 1");
}

#[test]
fn shapes() {
    let shape = Shape::known([2, 3]).with_run(1, None);
    assert_eq!(shape.rank(), None);
    assert_eq!(shape.before(), [Dim::Size(2)]);
    assert_eq!(shape.after(), [Dim::Size(3)]);
    assert_eq!(Shape::known([2, 3]).before().len(), 2);
    assert!(Shape::known([2, 3]).after().is_empty());
    assert_eq!(Shape::default().with_run(7, None), Shape::unknown());
    assert!(matches!(Type::default().kind, TypeKind::Unknown));
}

#[cfg(feature = "serde")]
#[test]
fn serde_goes_by_text() {
    use kanshape_types::Promotion;

    let text = r#"["f32[6@district, n]","bf16","torch"]"#;
    let value: (Type, Dtype, Promotion) = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    assert!(serde_json::from_str::<Type>(r#""f32""#).is_err());
    assert!(serde_json::from_str::<Type>("3").is_err());
}
