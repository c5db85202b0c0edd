//! Files to test with: all that can be written, in no particular order.

use kanshape_syntax::relation::*;
use kanshape_syntax::tree::{CmpOp, Ident, MulOp, Sign, Span, Spanned};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const NAMES: &[&str] = &[
    "x", "sh", "_rest", "größe", "Tensor", "min", "f32", "is", "where", "x1", "op",
];
const HEADS: &[&str] = &["A", "Append", "if", "größe", "_a"];
const CLASSES: &[&str] = &["Float", "Int", "UInt", "Bool", "Complex", "Num", "Any"];

fn spanned<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn ident(names: &'static [&'static str]) -> impl Strategy<Value = Ident> + Clone {
    select(names).prop_map(|name| spanned(name.into()))
}

fn text() -> impl Strategy<Value = Box<str>> + Clone {
    prop_oneof![
        any::<String>(),
        "[\"\\\\\n\r\t\0 -~]{0,8}".prop_map(String::from)
    ]
    .prop_map(Into::into)
}

fn boxed(term: impl Strategy<Value = Term>) -> impl Strategy<Value = Box<Spanned<Term>>> {
    term.prop_map(|term| Box::new(spanned(term)))
}

pub(crate) fn term() -> BoxedStrategy<Term> {
    let leaf = prop_oneof![
        4 => ident(NAMES).prop_map(Term::Name),
        1 => Just(Term::Any),
        1 => any::<u64>().prop_map(Term::Int),
        1 => text().prop_map(Term::Text),
        1 => any::<bool>().prop_map(Term::Bool),
        1 => Just(Term::None),
    ];
    leaf.prop_recursive(3, 24, 4, |t| {
        let sign = select(&[Sign::Plus, Sign::Minus][..]);
        let op = select(&[MulOp::Mul, MulOp::FloorDiv, MulOp::Mod][..]);
        let many = |n| vec(t.clone().prop_map(spanned), n);
        let one = t.clone().prop_map(spanned);
        let element = prop_oneof![
            3 => one.clone().prop_map(Element::One),
            1 => option::of(one.clone()).prop_map(Element::Rest),
        ];
        let sum = vec((sign, one.clone()), 1..4).prop_map(|mut addends| {
            // A single one with a plus is no sum, and the first of several has a minus or none.
            if addends.len() == 1 {
                addends[0].0 = Sign::Minus;
            }
            Term::Sum(addends)
        });
        let each = vec((ident(NAMES), one.clone()), 1..3);
        let each = (boxed(t.clone()), each).prop_map(|(body, members)| {
            let (mut names, lists): (Vec<Ident>, Vec<_>) = members.into_iter().unzip();
            for i in 1..names.len() {
                if names[..i].contains(&names[i]) {
                    names[i] = spanned("_".into());
                }
            }
            Term::Each { body, names, lists }
        });
        prop_oneof![
            vec(element, 0..4).prop_map(Term::List),
            (ident(NAMES), many(0..3)).prop_map(|(name, args)| Term::Call(name, args)),
            sum,
            (boxed(t.clone()), vec((op, one.clone()), 1..3))
                .prop_map(|(first, rest)| Term::Chain(first, rest)),
            (boxed(t.clone()), boxed(t.clone())).prop_map(|(a, b)| Term::CeilDiv(a, b)),
            (boxed(t.clone()), boxed(t.clone())).prop_map(|(a, b)| Term::Index(a, b)),
            (
                boxed(t.clone()),
                option::of(boxed(t.clone())),
                option::of(boxed(t.clone()))
            )
                .prop_map(|(of, from, to)| Term::Slice(of, from, to)),
            each,
        ]
    })
    .boxed()
}

fn goal() -> BoxedStrategy<Goal> {
    let term = || term().prop_map(spanned);
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
    let signature = select(&[("(n)->()", 2), ("->", 0), ("+(m,n),(n)->(m):{f32, f64}", 3)][..]);
    let signature = (signature, vec(term(), 3)).prop_map(|((text, count), mut args)| {
        args.truncate(count);
        Goal::Signature(spanned(text.into()), args)
    });
    let leaf = prop_oneof![
        Just(Goal::True),
        Just(Goal::False),
        (ident(NAMES), vec(term(), 0..3)).prop_map(|(name, args)| Goal::Call(name, args)),
        (term(), vec((op, term()), 1..3)).prop_map(|(first, rest)| Goal::Compare(first, rest)),
        (term(), term()).prop_map(|(x, list)| Goal::In(x, list)),
        (ident(NAMES), ident(CLASSES)).prop_map(|(name, class)| Goal::Class(name, class)),
        signature,
    ];
    leaf.prop_recursive(3, 12, 3, |g| {
        let many = || vec(g.clone().prop_map(spanned), 2..4);
        prop_oneof![many().prop_map(Goal::All), many().prop_map(Goal::Any),]
    })
    .boxed()
}

fn clause() -> impl Strategy<Value = Clause> {
    let doc = vec("[^\\s\\p{C}](.*[^\\s\\p{C}])?| x|", 0..3);
    let kind = option::weighted(0.2, ident(&["Shape", "int", "Type"]));
    let param = (term(), kind).prop_map(|(term, kind)| Param {
        term: spanned(term),
        kind,
    });
    (doc, ident(HEADS), vec(param, 0..3), goal()).prop_map(|(doc, name, params, body)| Clause {
        doc: doc.into_iter().map(Into::into).collect(),
        name,
        params,
        body: spanned(body),
    })
}

pub(crate) fn file() -> impl Strategy<Value = File> {
    let clauses = vec(clause().prop_map(spanned), 0..4);
    clauses.prop_map(|clauses| File { clauses })
}
