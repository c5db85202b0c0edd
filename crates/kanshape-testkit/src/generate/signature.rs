//! Signatures small enough to be tried out by brute force, most of them with solutions.

use kanshape_syntax::tree::{
    CmpOp, Condition, DtypeExpr, Expr, Func, Ident, Item, MulOp, Operand, Param, Pattern, Prefix,
    PrefixKind, Sign, Signature, Span, Spanned,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::brute::Relation;
use crate::text::text_of;

/// How much of the language a generated signature uses, and how large it gets.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The most operands left of the arrow; there is at least one.
    pub max_inputs: usize,
    /// The most operands right of the arrow; there may be none.
    pub max_outputs: usize,
    /// The most items in an operand.
    pub max_items: usize,
    /// Whether operands are annotated with dtypes.
    pub dtypes: bool,
    /// Whether dims are mostly expressions, over names that mostly no operand shows alone, and conditions are about
    /// expressions too. There is nothing else in it then.
    pub expressions: bool,
}

impl Default for Style {
    /// Up to three inputs, two outputs and three items, without dtypes.
    fn default() -> Self {
        Style {
            max_inputs: 3,
            max_outputs: 2,
            max_items: 3,
            dtypes: false,
            expressions: false,
        }
    }
}

impl Style {
    /// Up to two inputs whose dims are expressions.
    pub fn expressions() -> Self {
        Style {
            max_inputs: 2,
            max_outputs: 0,
            max_items: 2,
            dtypes: false,
            expressions: true,
        }
    }
}

/// Signatures in the default [`Style`].
pub fn signatures() -> impl Strategy<Value = Signature> {
    signatures_in(Style::default())
}

/// The same as texts.
pub fn signature_texts() -> impl Strategy<Value = String> {
    signatures().prop_map(|signature| text_of(&signature))
}

/// Signatures in a style of your own.
///
/// All of them are well formed: no name is optional and plain, no run stands in an expression that
/// stands in no operand.
pub fn signatures_in(style: Style) -> impl Strategy<Value = Signature> {
    let all = match style.expressions {
        true => (Just(vec![Feature::Expr]), Just(Vec::new())).boxed(),
        false => (subsequence(Feature::ALL, 0..=3), params()).boxed(),
    };
    all.prop_flat_map(move |(features, params)| {
        let declared: Vec<String> = params
            .iter()
            .map(|param| param.name.node.to_string())
            .collect();
        let inputs = vec(
            operand(&features, &declared, false, style),
            1..=style.max_inputs,
        );
        let outputs = vec(
            operand(&features, &declared, true, style),
            0..=style.max_outputs,
        );
        let (without, with, prefix) = match style.expressions {
            true => (1, 2, Just(None).boxed()),
            false => (3, 1, prefix().boxed()),
        };
        let conditions = prop_oneof![
            without => Just(Vec::new()),
            with => vec(condition(declared, style), 1..=2),
        ];
        (Just(params), prefix, inputs, outputs, conditions)
    })
    .prop_map(|(params, prefix, inputs, outputs, conditions)| Signature {
        params,
        prefix,
        inputs,
        outputs,
        conditions: conditions.into_iter().map(unplaced).collect(),
        variables: Vec::new(),
        relations: Vec::new(),
    })
    .prop_filter("no meaning", |signature| Relation::new(signature).is_ok())
}

/// What a signature may have besides names and numerals. A signature has at most three of them,
/// so that its solutions are not all in the narrow place where everything meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    Ellipsis,
    NamedRun,
    Skip,
    CountedSkip,
    Optional,
    OrOne,
    Expr,
}

impl Feature {
    const ALL: &[Feature] = &[
        Feature::Ellipsis,
        Feature::NamedRun,
        Feature::Skip,
        Feature::CountedSkip,
        Feature::Optional,
        Feature::OrOne,
        Feature::Expr,
    ];
}

fn unplaced<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn ident(name: &str) -> Ident {
    unplaced(name.into())
}

fn name(name: &str) -> Expr {
    Expr::Name(ident(name))
}

fn params() -> impl Strategy<Value = Vec<Param>> {
    let labelled = |label: &'static str, short: &'static str| Param {
        label: ident(label),
        name: ident(short),
    };
    prop_oneof![
        6 => Just(Vec::new()),
        1 => Just(vec![labelled("s", "s")]),
        1 => Just(vec![labelled("stride", "s"), labelled("p", "p")]),
    ]
}

fn prefix() -> impl Strategy<Value = Option<Prefix>> {
    let kind = select(vec![PrefixKind::Broadcast, PrefixKind::Equal]);
    let max = prop_oneof![3 => Just(None), 1 => (0..=2u64).prop_map(Some)];
    let written = (kind, max).prop_map(|(kind, max)| Prefix {
        kind,
        max,
        span: Span::default(),
    });
    prop_oneof![2 => Just(None), 2 => written.prop_map(Some)]
}

fn operand(
    features: &[Feature],
    declared: &[String],
    is_output: bool,
    style: Style,
) -> impl Strategy<Value = Operand> + use<> {
    let items = vec(
        item(features, declared, is_output, style),
        0..=style.max_items,
    );
    let dtype = if style.dtypes {
        prop_oneof![1 => Just(None), 3 => dtype(is_output).prop_map(Some)].boxed()
    } else {
        Just(None).boxed()
    };
    (items, dtype).prop_map(|(items, dtype)| Operand {
        pattern: Pattern::Shape(without_repeated_runs(items)),
        dtype: dtype.map(unplaced),
        span: Span::default(),
    })
}

/// `...` stands at most once in an operand, and so does each `...r` here.
fn without_repeated_runs(items: Vec<Item>) -> Vec<Spanned<Item>> {
    let mut kept: Vec<Item> = Vec::new();
    for item in items {
        if !(matches!(item, Item::Run(_)) && kept.iter().any(|k| matches!(k, Item::Run(_)))) {
            kept.push(item);
        }
    }
    kept.into_iter().map(unplaced).collect()
}

fn item(
    features: &[Feature],
    declared: &[String],
    is_output: bool,
    style: Style,
) -> BoxedStrategy<Item> {
    let plain = select(names(style)).prop_map(|short| Item::Dim(name(short)));
    let numeral = (0..=3u64).prop_map(|numeral| Item::Dim(Expr::Int(numeral)));
    let mut kinds: Vec<(u32, BoxedStrategy<Item>)> = vec![(8, plain.boxed()), (1, numeral.boxed())];
    for feature in features {
        let kind = match feature {
            Feature::Ellipsis => Just(Item::Run(None)).boxed(),
            Feature::NamedRun => Just(Item::Run(Some(ident("r")))).boxed(),
            Feature::Skip => (0..=2u64).prop_map(Item::Skip).boxed(),
            Feature::CountedSkip if is_output => {
                select(vec![Item::SkipNamed(ident("k")), Item::Dim(name("k"))]).boxed()
            }
            Feature::CountedSkip => Just(Item::SkipNamed(ident("k"))).boxed(),
            Feature::Optional => select(vec![name("x"), name("y"), Expr::Int(3)])
                .prop_map(Item::Optional)
                .boxed(),
            Feature::OrOne => select(vec![name("a"), name("b"), name("n"), Expr::Int(2)])
                .prop_map(Item::OrOne)
                .boxed(),
            Feature::Expr => dim_expr(features, declared, style)
                .prop_map(Item::Dim)
                .boxed(),
        };
        let weight = match feature {
            Feature::Expr if style.expressions => 12,
            // An input that is an expression narrows the solutions down.
            Feature::Expr if !is_output => 1,
            Feature::Expr => 6,
            _ => 3,
        };
        kinds.push((weight, kind));
    }
    proptest::strategy::Union::new_weighted(kinds).boxed()
}

/// The names of dims. What no operand shows has to be tried for each of them.
fn names(style: Style) -> Vec<&'static str> {
    match style.expressions {
        true => vec!["a", "a", "a", "b", "b", "c"],
        false => vec!["a", "b", "c"],
    }
}

/// An expression of one operation or two.
fn dim_expr(features: &[Feature], declared: &[String], style: Style) -> BoxedStrategy<Expr> {
    let mut runs = Vec::new();
    if features.contains(&Feature::Ellipsis) {
        runs.push(Expr::Run(None));
    }
    if features.contains(&Feature::NamedRun) {
        runs.push(Expr::Run(Some(ident("r"))));
    }
    let leaf = leaf(declared, style);
    let once = operation(leaf.clone(), runs.clone());
    let twice = operation(prop_oneof![2 => leaf, 1 => once.clone()].boxed(), runs);
    prop_oneof![2 => once, 1 => twice].boxed()
}

fn leaf(declared: &[String], style: Style) -> BoxedStrategy<Expr> {
    let mut names: Vec<Expr> = names(style).into_iter().map(name).collect();
    // A parameter is worth using wherever there is one.
    for param in declared {
        names.extend([name(param), name(param)]);
    }
    prop_oneof![
        3 => select(names),
        1 => (0..=3u64).prop_map(Expr::Int),
    ]
    .boxed()
}

fn operation(arg: BoxedStrategy<Expr>, runs: Vec<Expr>) -> BoxedStrategy<Expr> {
    let sign = select(vec![Sign::Plus, Sign::Plus, Sign::Minus]);
    let sum = (arg.clone(), vec((sign, arg.clone()), 1..=2)).prop_map(|(first, rest)| {
        let terms = std::iter::once((Sign::Plus, first)).chain(rest);
        Expr::Sum(terms.collect())
    });
    let op = select(vec![MulOp::Mul, MulOp::FloorDiv, MulOp::Mod]);
    let divisor = prop_oneof![3 => (1..=3u64).prop_map(Expr::Int), 1 => arg.clone()];
    let chain = (arg.clone(), op, divisor)
        .prop_map(|(first, op, factor)| Expr::Chain(Box::new(first), vec![(op, factor)]));
    let ceil = (arg.clone(), (1..=3u64).prop_map(Expr::Int))
        .prop_map(|(a, b)| Expr::CeilDiv(Box::new(a), Box::new(b)));
    let choice = (select(vec![Func::Min, Func::Max]), vec(arg.clone(), 1..=3))
        .prop_map(|(func, args)| Expr::Call(func, args));
    let factor = if runs.is_empty() {
        arg
    } else {
        prop_oneof![2 => select(runs), 1 => arg].boxed()
    };
    let prod = vec(factor, 0..=2).prop_map(|args| Expr::Call(Func::Prod, args));
    prop_oneof![3 => sum, 3 => chain, 1 => ceil, 1 => choice, 2 => prod].boxed()
}

fn condition(declared: Vec<String>, style: Style) -> impl Strategy<Value = Condition> {
    let mut names = vec!["a".to_owned(), "b".to_owned()];
    names.extend(declared);
    let names = select(names).prop_map(|short| name(&short)).boxed();
    let side = prop_oneof![3 => (0..=3u64).prop_map(Expr::Int), 1 => names.clone()];
    let left = match style.expressions {
        true => prop_oneof![2 => names.clone(), 1 => operation(names.clone(), Vec::new())].boxed(),
        false => names.clone(),
    };
    let op = || {
        select(vec![
            CmpOp::Eq,
            CmpOp::Ne,
            CmpOp::Lt,
            CmpOp::Le,
            CmpOp::Gt,
            CmpOp::Ge,
        ])
    };
    let compare = (left, op(), side)
        .prop_map(|(left, op, right)| Condition::Compare(left, vec![(op, right)]));
    let between = (0..=1u64, names.clone(), 2..=3u64).prop_map(|(low, middle, high)| {
        let rest = vec![(CmpOp::Le, middle), (CmpOp::Lt, Expr::Int(high))];
        Condition::Compare(Expr::Int(low), rest)
    });
    let divisible = (names.clone(), 1..=3u64).prop_map(|(of, by)| {
        let rest = Expr::Chain(Box::new(of), vec![(MulOp::Mod, Expr::Int(by))]);
        Condition::Compare(rest, vec![(CmpOp::Eq, Expr::Int(0))])
    });
    let member = (names, subsequence(vec![0u64, 1, 2, 3], 1..=3))
        .prop_map(|(of, members)| Condition::In(of, members.into_iter().map(Expr::Int).collect()));
    prop_oneof![3 => compare, 1 => between, 1 => divisible, 1 => member]
}

fn dtype(is_output: bool) -> BoxedStrategy<DtypeExpr> {
    let variable = select(vec!["T", "U"]).prop_map(|short| DtypeExpr::Name(ident(short)));
    let fixed = select(vec!["f32", "i64", "bool", "Float", "Int", "Num", "Any"])
        .prop_map(|word| DtypeExpr::Name(ident(word)));
    let set = subsequence(vec!["f32", "f64", "i32", "Bool"], 1..=3)
        .prop_map(|words| DtypeExpr::Set(words.into_iter().map(ident).collect()));
    let promoted = vec(variable.clone(), 1..=2).prop_map(DtypeExpr::Promote);
    let promoted_weight = if is_output { 3 } else { 1 };
    prop_oneof![4 => variable, 2 => fixed, 1 => set, promoted_weight => promoted].boxed()
}
