//! Files to test with: all that can be written, in no particular order.

use kanshape_syntax::relation::*;
use kanshape_syntax::tree::{CmpOp, Ident, MulOp, Sign, Span, Spanned};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const NAMES: &[&str] = &[
    "x", "sh", "_rest", "größe", "Tensor", "min", "f32", "is", "where", "x1", "op", "domain",
    "since", "type",
];
const HEADS: &[&str] = &["A", "Append", "if", "größe", "_a", "op", "domain", "type"];
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

fn float() -> impl Strategy<Value = Float> + Clone {
    use prop::num::f64::{NORMAL, POSITIVE, SUBNORMAL, ZERO};
    let any = POSITIVE | NORMAL | SUBNORMAL | ZERO;
    prop_oneof![any, select(&[0.5, 1.0, 1e-5, 1e16, f64::MAX][..])]
        .prop_map(|value| Float::new(value).unwrap())
}

fn boxed(term: impl Strategy<Value = Term>) -> impl Strategy<Value = Box<Spanned<Term>>> {
    term.prop_map(|term| Box::new(spanned(term)))
}

pub(crate) fn term() -> BoxedStrategy<Term> {
    let leaf = prop_oneof![
        4 => ident(NAMES).prop_map(Term::Name),
        1 => Just(Term::Any),
        1 => any::<u64>().prop_map(Term::Int),
        1 => float().prop_map(Term::Float),
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
    leaf.prop_recursive(3, 12, 3, move |g| {
        let many = || vec(g.clone().prop_map(spanned), 2..4);
        let known = (vec(term(), 1..3), g.clone().prop_map(spanned));
        prop_oneof![
            many().prop_map(Goal::All),
            many().prop_map(Goal::Any),
            known.prop_map(|(terms, then)| Goal::Known(terms, Box::new(then))),
        ]
    })
    .boxed()
}

fn doc() -> impl Strategy<Value = Vec<Box<str>>> {
    let line = "(> )?[^\\s\\p{C}](.*[^\\s\\p{C}])?| x|";
    vec(line.prop_map(Into::into), 0..3)
}

fn clause() -> impl Strategy<Value = Clause> {
    let kind = option::weighted(0.2, ident(&["Shape", "int", "Type"]));
    let param = (term(), kind).prop_map(|(term, kind)| Param {
        term: spanned(term),
        kind,
    });
    (doc(), ident(HEADS), vec(param, 0..3), goal()).prop_map(|(doc, name, params, body)| Clause {
        doc,
        name,
        params,
        body: spanned(body),
    })
}

/// A default of an attribute.
fn literal() -> BoxedStrategy<Term> {
    let number = prop_oneof![
        any::<u64>().prop_map(Term::Int),
        float().prop_map(Term::Float)
    ];
    let leaf = prop_oneof![
        number.clone(),
        number.prop_map(|n| Term::Sum(vec![(Sign::Minus, spanned(n))])),
        text().prop_map(Term::Text),
        any::<bool>().prop_map(Term::Bool),
        ident(NAMES).prop_map(Term::Name),
    ];
    leaf.prop_recursive(2, 8, 3, |t| {
        vec(t.prop_map(|t| Element::One(spanned(t))), 0..3).prop_map(Term::List)
    })
    .boxed()
}

fn attr() -> impl Strategy<Value = Attr> {
    let kind = ident(&["int", "ints", "tensors", "fn", "op"]);
    let given = prop_oneof![
        Just((false, false, None)),
        Just((true, false, None)),
        Just((false, true, None)),
        literal().prop_map(|value| (false, false, Some(spanned(value)))),
    ];
    let given = (ident(NAMES), kind, given);
    given.prop_map(|(name, kind, (optional, required, default))| Attr {
        name,
        kind,
        optional,
        required,
        default,
    })
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let dtype = prop_oneof![
        3 => ident(NAMES).prop_map(Dtypes::Name),
        1 => vec(ident(NAMES), 0..3).prop_map(Dtypes::Set),
    ];
    let dim = prop_oneof![
        3 => term().prop_map(|t| Element::One(spanned(t))),
        1 => option::of(term().prop_map(spanned)).prop_map(Element::Rest),
    ];
    let tensor = (dtype.prop_map(spanned), vec(dim, 0..3))
        .prop_map(|(dtype, dims)| Pattern::Tensor { dtype, dims });
    let call = (ident(NAMES), vec(term().prop_map(spanned), 0..3))
        .prop_map(|(name, args)| Pattern::Term(spanned(Term::Call(name, args))));
    prop_oneof![3 => tensor, 1 => call]
}

fn formal() -> impl Strategy<Value = Formal> {
    let known = (pattern(), option::of(ident(NAMES)));
    (ident(NAMES), option::of(known), any::<bool>()).prop_map(|(name, known, optional)| {
        let (pattern, contents) = known.unzip();
        Formal {
            name,
            pattern: pattern.map(spanned),
            optional,
            variadic: false,
            contents: contents.flatten(),
        }
    })
}

fn formals() -> impl Strategy<Value = Vec<Formal>> {
    let rest = option::weighted(0.2, ident(NAMES)).prop_map(|name| {
        name.map(|name| Formal {
            name,
            pattern: None,
            optional: false,
            variadic: true,
            contents: None,
        })
    });
    (vec(formal(), 0..3), rest).prop_map(|(mut formals, rest)| {
        formals.extend(rest);
        formals
    })
}

/// A name, perhaps with a dot in it.
fn dotted() -> impl Strategy<Value = Ident> {
    let word = || ident(&["linalg", "op", "since", "domain"]);
    let two = (word(), word()).prop_map(|(a, b)| spanned(format!("{}.{}", a.node, b.node).into()));
    prop_oneof![2 => word(), 1 => two]
}

fn op() -> impl Strategy<Value = Op> {
    let domain = prop_oneof![2 => Just("ai.onnx".into()), 1 => Just("".into()), 1 => text()];
    let name = dotted();
    let since = prop_oneof![Just(1), any::<u64>()];
    let operands = (formals(), formals(), goal());
    let signature = select(&["(n)->()", "->"][..]);
    let what = prop_oneof![
        3 => operands.prop_map(|(inputs, outputs, body)| (inputs, outputs, None, body)),
        1 => signature.prop_map(|text| (vec![], vec![], Some(spanned(text.into())), Goal::True)),
    ];
    let aliases = vec(dotted(), 0..3);
    let all = (doc(), domain, name, aliases, vec(attr(), 0..3), since, what);
    all.prop_map(|(doc, domain, name, aliases, attrs, since, what)| {
        let (inputs, outputs, signature, body) = what;
        let mut op = Op {
            doc,
            domain,
            name,
            aliases,
            attrs,
            inputs,
            outputs,
            signature,
            since,
            body: spanned(body),
        };
        name_apart(&mut op);
        op
    })
}

/// No two attributes and operands of an operator have the same name.
fn name_apart(op: &mut Op) {
    let attrs = op.attrs.iter_mut().map(|attr| &mut attr.name);
    let formals = op.inputs.iter_mut().chain(&mut op.outputs);
    let names = attrs.chain(formals.map(|formal| &mut formal.name));
    let mut seen: Vec<Ident> = Vec::new();
    for (i, name) in names.enumerate() {
        if seen.contains(name) {
            *name = spanned(format!("x{i}_").into());
        }
        seen.push(name.clone());
    }
}

/// What is written in a rule in place of an input: a leaf, a constant or the result of another operator.
fn node() -> BoxedStrategy<Node> {
    let name = || ident(&["x", "A", "MatMul", "größe"]);
    let number = prop_oneof![
        any::<u64>().prop_map(Term::Int),
        float().prop_map(Term::Float)
    ];
    let member = literal().prop_map(|term| Element::One(spanned(term)));
    let contents = prop_oneof![
        number.clone(),
        number.prop_map(|n| Term::Sum(vec![(Sign::Minus, spanned(n))])),
        any::<bool>().prop_map(Term::Bool),
        vec(member, 0..3).prop_map(Term::List),
    ];
    let leaf = prop_oneof![
        4 => name().prop_map(Node::Leaf),
        1 => name().prop_map(Node::Constant),
        1 => contents.prop_map(|term| Node::Literal(spanned(term))),
        1 => Just(Node::None),
    ];
    leaf.prop_recursive(3, 12, 3, move |node| {
        let domain = option::weighted(0.2, ident(&["onnx", "com.microsoft"]));
        let attrs = vec(
            (ident(&["axis", "perm", "op"]), term().prop_map(spanned)),
            0..2,
        );
        let args = vec(node.prop_map(spanned), 0..3);
        (domain, name(), attrs, args).prop_map(|(domain, name, attrs, args)| {
            Node::Call(Box::new(Applied {
                domain,
                name,
                attrs,
                args,
            }))
        })
    })
    .boxed()
}

fn rule() -> impl Strategy<Value = Rule> {
    let domain = prop_oneof![Just("ai.onnx".into()), Just("".into())];
    let side = || vec(node().prop_map(spanned), 1..3);
    let head = (
        doc(),
        domain,
        dotted(),
        vec(attr(), 0..2),
        vec(formal(), 0..3),
    );
    (head, side(), any::<bool>(), side(), goal()).prop_map(|(head, left, both, right, body)| {
        let (doc, domain, name, attrs, leaves) = head;
        Rule {
            doc,
            domain,
            name,
            attrs,
            leaves,
            left,
            both,
            right,
            body: spanned(body),
        }
    })
}

/// A type.
fn new_type() -> impl Strategy<Value = NewType> {
    (doc(), ident(HEADS), vec(ident(NAMES), 0..3)).prop_map(|(doc, name, mut params)| {
        params.sort_by(|a, b| a.node.cmp(&b.node));
        params.dedup();
        NewType { doc, name, params }
    })
}

pub(crate) fn file() -> impl Strategy<Value = File> {
    let clauses = vec(clause().prop_map(spanned), 0..4);
    let ops = vec(op().prop_map(spanned), 0..3);
    let rules = vec(rule().prop_map(spanned), 0..3);
    let types = vec(new_type().prop_map(spanned), 0..3);
    (clauses, ops, rules, types).prop_map(|(clauses, ops, rules, types)| File {
        clauses,
        ops,
        rules,
        types,
    })
}
