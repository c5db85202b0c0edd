//! Trees to test with: all that can be written, in no particular order.

use std::ops::RangeInclusive;

use kanshape_syntax::tree::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// Names of dims. Words of the language are names as well.
const DIMS: &[&str] = &[
    "n", "m", "k", "in", "where", "min", "dim", "dtype", "fn", "forall", "and", "promote", "prod",
    "ceil", "_", "a1", "größe", "x",
];
const OPTIONALS: &[&str] = &["o", "opt", "Type", "max"];
const TYPES: &[&str] = &[
    "A",
    "RandomState",
    "type",
    "tuple",
    "tensor",
    "Tensor",
    "TensorType",
];
const RUNS: &[&str] = &["r", "batch", "or", "PromotedDType"];
const DTYPES: &[&str] = &["f32", "T", "t", "Float", "bool", "broadcast"];

fn ident(names: &'static [&'static str]) -> impl Strategy<Value = Ident> + Clone {
    select(names).prop_map(|name| Spanned::new(name.into(), Span::default()))
}

fn spanned<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn int() -> impl Strategy<Value = u64> + Clone {
    prop_oneof![0..10u64, Just(u64::MAX), any::<u64>()]
}

/// A size with an identity, where a whole dim can stand.
fn nominal() -> impl Strategy<Value = Expr> + Clone {
    (int(), ident(DIMS)).prop_map(|(size, identity)| {
        let size = spanned(size);
        Expr::Nominal(Box::new(Nominal { size, identity }))
    })
}

/// Where an expression stands, which says what it may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A dim of an operand or a type.
    Dim,
    /// A side of a condition.
    Condition,
}

pub(crate) fn expr(place: Place) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![ident(DIMS).prop_map(Expr::Name), int().prop_map(Expr::Int)];
    leaf.prop_recursive(3, 24, 4, move |e| {
        let sign = select(&[Sign::Plus, Sign::Minus][..]);
        let op = select(&[MulOp::Mul, MulOp::FloorDiv, MulOp::Mod][..]);
        let with_run = prop_oneof![
            4 => e.clone(),
            1 => option::of(ident(RUNS)).prop_map(Expr::Run)
        ];
        let broadcast = prop_oneof![4 => with_run.clone(), 1 => nominal()];
        let sum = vec((sign, e.clone()), 1..4).prop_map(|mut terms| {
            // A single term with a plus is no sum.
            if terms.len() == 1 {
                terms[0].0 = Sign::Minus;
            }
            Expr::Sum(terms)
        });
        let chain = (e.clone(), vec((op, e.clone()), 1..4))
            .prop_map(|(first, rest)| Expr::Chain(Box::new(first), rest));
        let ceil =
            (e.clone(), e.clone()).prop_map(|(a, b)| Expr::CeilDiv(Box::new(a), Box::new(b)));
        let call = |func, args: BoxedStrategy<Expr>, n: RangeInclusive<usize>| {
            vec(args, n).prop_map(move |args| Expr::Call(func, args))
        };
        let everywhere = prop_oneof![
            sum,
            chain,
            ceil,
            call(Func::Min, e.clone().boxed(), 1..=3),
            call(Func::Max, e.clone().boxed(), 1..=3),
            call(Func::Prod, with_run.clone().boxed(), 0..=3),
        ];
        if place == Place::Dim {
            return everywhere.boxed();
        }
        let dtype = ident(DTYPES).prop_map(Expr::Name).boxed();
        prop_oneof![
            4 => everywhere,
            1 => call(Func::Broadcast, broadcast.boxed(), 1..=3),
            1 => call(Func::Promote, dtype, 1..=3),
        ]
        .boxed()
    })
    .boxed()
}

pub(crate) fn dtype(holes: bool) -> BoxedStrategy<DtypeExpr> {
    let leaf = prop_oneof![
        3 => ident(DTYPES).prop_map(DtypeExpr::Name),
        1 => vec(ident(DTYPES), 1..4).prop_map(DtypeExpr::Set),
    ];
    let leaf = if holes {
        prop_oneof![4 => leaf, 1 => Just(DtypeExpr::Hole)].boxed()
    } else {
        leaf.boxed()
    };
    leaf.prop_recursive(2, 6, 3, |d| vec(d, 1..4).prop_map(DtypeExpr::Promote))
        .boxed()
}

pub(crate) fn condition() -> BoxedStrategy<Spanned<Condition>> {
    let e = || expr(Place::Condition);
    let op = select(
        &[
            CmpOp::Eq,
            CmpOp::Ne,
            CmpOp::Lt,
            CmpOp::Le,
            CmpOp::Gt,
            CmpOp::Ge,
        ][..],
    );
    let equality = select(&[CmpOp::Eq, CmpOp::Ne][..]);
    let side = prop_oneof![e(), option::of(ident(RUNS)).prop_map(Expr::Run)];
    let run = || option::of(ident(RUNS)).prop_map(Expr::Run);
    let list = dims().prop_map(Expr::List);
    let whole = prop_oneof![4 => e(), 1 => nominal()];
    prop_oneof![
        (e(), vec((op, e()), 1..3)).prop_map(|(a, rest)| Condition::Compare(a, rest)),
        (side.clone(), side).prop_map(|(a, b)| Condition::Compare(a, vec![(CmpOp::Eq, b)])),
        (run(), list, any::<bool>()).prop_map(|(run, list, turned)| {
            let (a, b) = if turned { (list, run) } else { (run, list) };
            Condition::Compare(a, vec![(CmpOp::Eq, b)])
        }),
        (whole.clone(), vec((equality, whole.clone()), 1..3))
            .prop_map(|(a, rest)| Condition::Compare(a, rest)),
        (whole.clone(), vec(whole, 1..4)).prop_map(|(a, members)| Condition::In(a, members)),
        (ident(DTYPES), dtype(false)).prop_map(|(name, d)| Condition::Dtype(name, d)),
    ]
    .prop_map(spanned)
    .boxed()
}

/// An expression that is a dim by itself: anything but a negative number.
fn dim() -> impl Strategy<Value = Expr> {
    let sized = expr(Place::Dim).prop_filter("a size", |e| match e {
        Expr::Sum(terms) => !matches!(terms[..], [(Sign::Minus, Expr::Int(_))]),
        _ => true,
    });
    prop_oneof![6 => sized, 1 => nominal()]
}

/// A text of its own: whatever is a dim, or a side of a condition.
pub(crate) fn whole_expr() -> impl Strategy<Value = Expr> {
    prop_oneof![8 => expr(Place::Condition), 1 => nominal()]
}

fn item() -> BoxedStrategy<Item> {
    let small = |names| prop_oneof![ident(names).prop_map(Expr::Name), int().prop_map(Expr::Int)];
    prop_oneof![
        6 => dim().prop_map(Item::Dim),
        1 => small(OPTIONALS).prop_map(Item::Optional),
        1 => small(DIMS).prop_map(Item::OrOne),
        1 => option::of(ident(RUNS)).prop_map(Item::Run),
        1 => int().prop_map(Item::Skip),
        1 => ident(DIMS).prop_map(Item::SkipNamed),
    ]
    .boxed()
}

/// One run at most, and no optional dim beside a run of unknown length.
fn shape() -> impl Strategy<Value = Pattern> {
    vec(item(), 0..5).prop_map(|mut items| {
        let mut runs = 0;
        items.retain(|item| {
            runs += usize::from(matches!(item, Item::Run(_)));
            runs < 2 || !matches!(item, Item::Run(_))
        });
        if items.iter().any(|item| matches!(item, Item::SkipNamed(_))) {
            items.retain(|item| !matches!(item, Item::Optional(_)));
        }
        Pattern::Shape(items.into_iter().map(spanned).collect())
    })
}

fn operand() -> impl Strategy<Value = Operand> {
    let dtype = option::of(dtype(false).prop_map(spanned));
    let shape = (shape(), dtype).prop_map(|(pattern, dtype)| Operand {
        pattern,
        dtype,
        span: Span::default(),
    });
    let starts_with_a_word = |ty: &Type| match ty {
        Type::Hole | Type::Tuple(_) => false,
        Type::Tensor { dtype, .. } => !matches!(dtype.node, DtypeExpr::Hole | DtypeExpr::Set(_)),
        Type::Name(_) | Type::Fn(..) | Type::Adt(..) => true,
    };
    let types = ty(false).prop_filter("a word", starts_with_a_word);
    prop_oneof![4 => shape, 1 => types.prop_map(whole_type)]
}

fn whole_type(ty: Type) -> Operand {
    Operand {
        pattern: Pattern::Type(Box::new(spanned(ty))),
        dtype: None,
        span: Span::default(),
    }
}

/// Operands that have every run, so that all of them can be spoken of.
fn all_runs() -> Vec<Operand> {
    let names = RUNS.iter().map(|run| Some(spanned(Box::from(*run))));
    names
        .chain([None])
        .map(|run| Operand {
            pattern: Pattern::Shape(vec![spanned(Item::Run(run))]),
            dtype: None,
            span: Span::default(),
        })
        .collect()
}

fn params() -> impl Strategy<Value = Vec<Param>> {
    vec((ident(OPTIONALS), ident(DIMS), any::<bool>()), 0..4).prop_map(|all| {
        let mut params: Vec<Param> = Vec::new();
        for (label, name, same) in all {
            let label = if same { name.clone() } else { label };
            if params.iter().all(|p| p.label != label && p.name != name) {
                params.push(Param { label, name });
            }
        }
        params
    })
}

fn prefix() -> impl Strategy<Value = Prefix> {
    let kind = select(&[PrefixKind::Broadcast, PrefixKind::Equal][..]);
    (kind, option::of(int())).prop_map(|(kind, max)| Prefix {
        kind,
        max,
        span: Span::default(),
    })
}

fn short() -> impl Strategy<Value = Signature> {
    (
        params(),
        option::of(prefix()),
        vec(operand(), 0..4),
        vec(operand(), 0..3),
        vec(condition(), 0..3),
    )
        .prop_map(|(params, prefix, mut inputs, outputs, conditions)| {
            inputs.extend(all_runs());
            Signature {
                params,
                prefix,
                inputs,
                outputs,
                conditions,
                variables: Vec::new(),
                relations: Vec::new(),
            }
        })
}

fn relational() -> impl Strategy<Value = Signature> {
    let operands = || {
        vec(
            ident(DIMS).prop_map(|name| whole_type(Type::Name(name))),
            0..4,
        )
    };
    let name = select(&["Broadcast", "Same", "R"][..]);
    let relation = (name, vec(ident(DIMS), 0..4)).prop_map(|(name, args)| {
        spanned(Relation {
            name: spanned(name.into()),
            args,
        })
    });
    (operands(), operands(), vec(relation, 0..3)).prop_map(|(inputs, outputs, relations)| {
        Signature {
            params: Vec::new(),
            prefix: None,
            inputs,
            outputs,
            conditions: Vec::new(),
            variables: DIMS.iter().map(|name| spanned(Box::from(*name))).collect(),
            relations,
        }
    })
}

pub(crate) fn signature() -> impl Strategy<Value = Signature> {
    prop_oneof![4 => short(), 1 => relational()]
}

fn dim_item() -> impl Strategy<Value = Spanned<DimItem>> {
    prop_oneof![
        4 => dim().prop_map(DimItem::Dim),
        1 => Just(DimItem::Hole),
    ]
    .prop_map(spanned)
}

/// A list of dims as a type has it, with one run at most.
fn dims() -> impl Strategy<Value = Vec<Spanned<DimItem>>> {
    let run = option::of((any::<prop::sample::Index>(), option::of(ident(RUNS))));
    (vec(dim_item(), 0..5), run).prop_map(|(mut shape, run)| {
        if let Some((at, name)) = run {
            let at = at.index(shape.len() + 1);
            shape.insert(at, spanned(DimItem::Run(name)));
        }
        shape
    })
}

/// One member of what a tensor has in it: what is written alike is the same.
fn content() -> impl Strategy<Value = Content> {
    let float = prop_oneof![
        any::<f64>(),
        Just(f64::NAN),
        Just(f64::NEG_INFINITY),
        Just(3.0)
    ];
    prop_oneof![
        4 => expr(Place::Dim).prop_map(Content::Dim),
        1 => (0..10u64).prop_map(|n| Content::Dim(Expr::Sum(vec![(Sign::Minus, Expr::Int(n))]))),
        2 => Just(Content::Hole),
        1 => any::<bool>().prop_map(Content::Bool),
        1 => float.prop_map(|float| Content::Float(Float::new(float))),
        1 => any::<String>().prop_map(|text| Content::Text(text.into())),
    ]
}

fn tensor(contents: bool) -> impl Strategy<Value = Type> {
    let members = vec(content().prop_map(spanned), 0..5).prop_map(spanned);
    let members = if contents {
        option::weighted(0.2, members).boxed()
    } else {
        Just(None).boxed()
    };
    (dtype(true), dims(), members).prop_map(|(dtype, shape, contents)| Type::Tensor {
        dtype: spanned(dtype),
        shape,
        contents,
    })
}

/// A type; in a query its tensors may have `contents`, in a signature not.
fn ty(contents: bool) -> BoxedStrategy<Type> {
    let leaf = prop_oneof![
        1 => Just(Type::Hole),
        1 => ident(TYPES).prop_map(Type::Name),
        3 => tensor(contents),
    ];
    leaf.prop_recursive(3, 16, 4, |t| {
        let types = |n: RangeInclusive<usize>| vec(t.clone().prop_map(spanned), n);
        prop_oneof![
            types(0..=3).prop_map(Type::Tuple),
            (types(0..=3), t.clone()).prop_map(|(a, r)| Type::Fn(a, Box::new(spanned(r)))),
            (ident(DTYPES), types(1..=3)).prop_map(|(name, args)| Type::Adt(name, args)),
        ]
    })
    .boxed()
}

pub(crate) fn type_text() -> impl Strategy<Value = TypeText> {
    (ty(true), vec(condition(), 0..3)).prop_map(|(ty, conditions)| TypeText {
        ty: spanned(ty),
        conditions,
    })
}
