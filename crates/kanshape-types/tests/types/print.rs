//! Printing and reading are inverse, and the direct print is that of the tree.

use kanshape_types::{
    Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type,
};
use proptest::prelude::*;
use proptest::sample::select;

fn dim() -> impl Strategy<Value = Dim> {
    let names = &["n", "m", "d0", "half", "f1", "in", "where", "type", "größe"];
    let exprs = &[
        "2*k",
        "n + 1",
        "n - 2*m",
        "-k + n",
        "(h + 2*p - 3)//2 + 1",
        "a*(b + 1) % 8",
        "min(a, max(b, 3))",
        "prod(...r, 2)",
        "ceil((a + 1)/2)",
    ];
    prop_oneof![
        4 => (0..=Dim::MAX_SIZE).prop_map(Dim::Size),
        4 => (0u64..5).prop_map(Dim::Size),
        4 => select(names).prop_map(|name| Dim::Name(Name::word(name))),
        1 => select(exprs).prop_map(|text| text.parse().unwrap()),
        1 => (0..=Dim::MAX_SIZE, select(names))
            .prop_map(|(size, identity)| Dim::nominal(size, Name::word(identity))),
        1 => Just(Dim::Hole),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    let run = (0usize..5, prop::option::of(select(&["r", "batch"])));
    (prop::collection::vec(dim(), 0..7), prop::option::of(run)).prop_map(|(dims, run)| {
        let shape = Shape::known(dims);
        match run {
            None => shape,
            Some((at, name)) => shape.with_run(at, name.map(Name::word)),
        }
    })
}

fn dtype() -> impl Strategy<Value = DtypeTerm> {
    prop_oneof![
        6 => select(&Dtype::ALL).prop_map(DtypeTerm::Known),
        2 => select(&["T", "U", "t0", "t16", "x"])
            .prop_map(|name| DtypeTerm::Name(Name::word(name))),
        1 => (1u32..).prop_filter_map("no dtype", |bits| {
            let set = DtypeSet::from_bits(bits);
            (!set.is_empty()).then(|| set.into())
        }),
        1 => select(&DtypeSet::CLASSES).prop_map(|(_, set)| set.into()),
        1 => Just(DtypeTerm::Hole),
    ]
}

/// A member that some dtype has.
fn content() -> impl Strategy<Value = Content> {
    let small = -2i64..5;
    let exprs = &["2*k", "n + 1", "n - 2*m", "-k + n", "-n", "min(a, -1)"];
    prop_oneof![
        2 => Just(Content::Hole),
        2 => small.prop_map(Content::Int),
        1 => any::<i64>().prop_map(Content::Int),
        2 => select(&["n", "in", "where", "d0"]).prop_map(|name| Dim::Name(Name::word(name)).into()),
        1 => select(exprs).prop_map(|text| text.parse::<Dim>().unwrap().into()),
        1 => any::<bool>().prop_map(Content::Bool),
        1 => prop_oneof![any::<f64>(), Just(0.5), Just(2.0)].prop_map(Content::from),
        1 => ".{0,3}".prop_map(|text| Content::from(&*text)),
    ]
}

fn with_contents() -> impl Strategy<Value = Type> {
    let shape = prop::collection::vec(0u64..3, 0..4);
    let shape = prop_oneof![3 => shape.prop_map(|sizes| Shape::known(sizes.into_iter().map(Dim::Size))), 1 => Just(Shape::unknown())];
    let members = prop::collection::vec(content(), 27);
    (dtype(), shape, members).prop_map(|(dtype, shape, mut members)| {
        let sizes = shape.iter().filter_map(Dim::extent);
        let count: u64 = sizes.product();
        members.truncate(count as usize);
        let mut dtypes = dtype.set();
        members.retain(|member| {
            let set = dtypes.intersection(member.dtypes());
            let fits = !set.is_empty();
            if fits {
                dtypes = set;
            }
            fits
        });
        members.resize(count as usize, Content::Hole);
        Tensor::new(dtype, shape)
            .with_contents(Contents::new(members))
            .into()
    })
}

fn tensor() -> impl Strategy<Value = Type> {
    let plain = (dtype(), shape()).prop_map(|(dtype, shape)| Tensor::new(dtype, shape).into());
    prop_oneof![3 => plain, 1 => with_contents()]
}

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        6 => tensor(),
        1 => Just(Type::UNKNOWN),
        1 => select(&["A", "B"]).prop_map(|name| Type::adt(Name::word(name), [])),
        1 => select(&["RandomState", "csr", "Sparse[f32[m, ?], csr]", "Sparse[type ?, F]"])
            .prop_map(|text| text.parse().unwrap()),
    ];
    let nested = leaf.prop_recursive(4, 16, 3, |part| {
        let parts = || prop::collection::vec(part.clone(), 0..4);
        prop_oneof![
            parts().prop_map(Type::tuple),
            (parts(), part.clone()).prop_map(|(params, result)| Type::function(params, result)),
            (select(&["List", "Option"]), parts())
                .prop_map(|(name, args)| Type::adt(Name::word(name), args)),
        ]
    });
    let conditions = &[
        "n >= 1",
        "1 <= n <= m",
        "n % 8 == 0",
        "d0 == broadcast(a, b)",
        "...r == broadcast(...left, ...right)",
        "n in {1, 3}",
        "n in {6@district, 7@n, 8}",
        "n != 6@district",
        "d0 == broadcast(a, 6@district)",
        "T in {f32, f64}",
        "T: Float",
        "U == promote(T, f32)",
        "x != str",
    ];
    (nested, prop::sample::subsequence(conditions, 0..3)).prop_map(|(ty, conditions)| {
        if conditions.is_empty() {
            return ty;
        }
        let holder: Type = format!("? where {}", conditions.join(", "))
            .parse()
            .unwrap();
        ty.with_conditions(holder.conditions)
    })
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(ty in ty()) {
        let text = ty.to_string();
        prop_assert_eq!(&text.parse::<Type>().unwrap(), &ty, "{}", text);
        prop_assert_eq!(&Type::from_tree(&ty.to_tree()).unwrap(), &ty);
    }

    #[test]
    fn the_direct_print_is_that_of_the_tree(ty in tensor()) {
        prop_assert_eq!(ty.to_string(), ty.to_tree().to_string());
    }

    #[test]
    fn no_text_is_too_odd(text in "\\PC*") {
        let _ = text.parse::<Type>();
        let _ = text.parse::<Dim>();
        let _ = text.parse::<Dtype>();
    }

    #[test]
    fn no_words_are_too_odd(words in prop::collection::vec(select(&[
        "f32", "T", "Float", "float", "@", "6@n", "[", "]", "(", ")", "{", "}", ",", "...", "...r", "?", "n",
        "2", "+", "*", "where", "in", "==", ">=", ":", "promote", "fn", "->", "tuple", "List",
        "Sparse", "csr", "RandomState", "type",
    ]), 0..16)) {
        if let Ok(ty) = words.join(" ").parse::<Type>() {
            prop_assert_eq!(ty.to_string().parse::<Type>(), Ok(ty));
        }
    }
}
