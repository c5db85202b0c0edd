//! What the tree of an operator says, and how it is printed.

use kanshape_syntax::parse_relations;
use kanshape_syntax::relation::{
    Dtypes, Element, Example, File, Float, Goal, Item, Op, Pattern, Term,
};

fn read(text: &str) -> File {
    parse_relations(text).unwrap_or_else(|d| panic!("{d}"))
}

fn op(text: &str) -> Op {
    let mut file = read(text);
    assert_eq!(file.ops.len(), 1);
    file.ops.remove(0).node
}

#[test]
fn attributes() {
    let op = op("op F [axis: int, pads: ints?, mode: string = \"a\", x: float = -0.5] (A) -> (B)");
    let attrs: Vec<_> = op.attrs.iter().collect();
    let names: Vec<&str> = attrs.iter().map(|attr| &*attr.name.node).collect();
    assert_eq!(names, ["axis", "pads", "mode", "x"]);
    let kinds: Vec<&str> = attrs.iter().map(|attr| &*attr.kind.node).collect();
    assert_eq!(kinds, ["int", "ints", "string", "float"]);
    let optional: Vec<bool> = attrs.iter().map(|attr| attr.optional).collect();
    assert_eq!(optional, [false, true, false, false]);
    let default = |i: usize| attrs[i].default.as_ref().map(|d| d.node.to_string());
    assert_eq!(default(1), None);
    assert_eq!(default(2).unwrap(), "\"a\"");
    assert_eq!(default(3).unwrap(), "-0.5");
}

#[test]
fn an_attribute_with_a_default_may_be_none() {
    let op = op("op F [axis: int? = -1] (A) -> (B)");
    let [axis] = &op.attrs[..] else {
        panic!("{op}");
    };
    assert!(axis.optional);
    assert_eq!(axis.to_string(), "axis: int? = -1");
}

#[test]
fn operands() {
    let op = op(
        "op F(a, b?, c: T[n, 2*m, ..r]?, d: {i32, i64}[k] = s, ..e) -> (y: Sequence(A), z: f32[])",
    );
    let [a, b, c, d, e] = &op.inputs[..] else {
        panic!("{op}");
    };
    assert!(a.pattern.is_none() && !a.optional && !a.variadic);
    assert!(b.pattern.is_none() && b.optional);
    assert!(c.optional && c.contents.is_none());
    let Pattern::Tensor { dtype, dims } = &c.pattern.as_ref().unwrap().node else {
        panic!("{c}");
    };
    assert!(matches!(&dtype.node, Dtypes::Name(t) if &*t.node == "T"));
    assert!(matches!(
        &dims[..],
        [Element::One(_), Element::One(_), Element::Rest(Some(_))]
    ));
    let Pattern::Tensor { dtype, .. } = &d.pattern.as_ref().unwrap().node else {
        panic!("{d}");
    };
    assert!(matches!(&dtype.node, Dtypes::Set(set) if set.len() == 2));
    assert_eq!(&*d.contents.as_ref().unwrap().node, "s");
    assert!(e.variadic && e.pattern.is_none() && !e.optional);
    let [y, z] = &op.outputs[..] else {
        panic!("{op}");
    };
    let Pattern::Term(term) = &y.pattern.as_ref().unwrap().node else {
        panic!("{y}");
    };
    assert_eq!(term.node.to_string(), "Sequence(A)");
    assert_eq!(z.to_string(), "z: f32[]");
    assert_eq!(op.since, 1);
    assert_eq!(op.body.node, Goal::True);
}

#[test]
fn domains() {
    let file = read(
        "op A(x) -> (y)\ndomain \"ai.onnx\"\nop B(x) -> (y)\nR(x)\nop C(x) -> (y)\ndomain \"\"\nop D(x) -> (y)",
    );
    let domains: Vec<&str> = file.ops.iter().map(|op| &*op.node.domain).collect();
    assert_eq!(domains, ["", "ai.onnx", "ai.onnx", ""]);
    assert_eq!(
        file.to_string(),
        "op A(x) -> (y)\n\ndomain \"ai.onnx\"\n\nop B(x) -> (y)\nR(x)\nop C(x) -> (y)\n\ndomain \"\"\n\nop D(x) -> (y)\n"
    );
}

#[test]
fn order() {
    let file = read("A(1)\nop B(x) -> (y)\nop C(x) -> (y)\nD(1)\nop E(x) -> (y)");
    let names: Vec<&str> = file
        .items()
        .map(|item| match item {
            Item::Clause(clause) => &*clause.node.name.node,
            Item::Op(op) => &*op.node.name.node,
            Item::Rule(rule) => &*rule.node.name.node,
            Item::Type(ty) => &*ty.node.name.node,
        })
        .collect();
    assert_eq!(names, ["A", "B", "C", "D", "E"]);
    assert_eq!(file.clauses.len(), 2);
}

#[test]
fn documentation() {
    let op = op(
        "/// The same.\n///\n/// > f32[n] -> f32[n]\n/// >f32\n/// > -\n/// = never\nop Same(x) -> (y)",
    );
    let examples: Vec<Example<'_>> = op.examples().collect();
    assert_eq!(
        (examples[0].question, examples[0].answers.len()),
        ("f32[n] -> f32[n]", 0)
    );
    assert_eq!(
        (examples[1].question, &*examples[1].answers),
        ("-", &["never"][..])
    );
    assert!(op.prose().eq(["The same.", "", ">f32"]));
    assert_eq!(op.doc.len(), 6);
}

#[test]
fn several_names() {
    let op = op("op linalg.solve, solve, since \"(n,n),(n)->(n)\"");
    assert_eq!(&*op.name.node, "linalg.solve");
    let aliases: Vec<&str> = op.aliases.iter().map(|name| &*name.node).collect();
    assert_eq!(aliases, ["solve", "since"]);
}

#[test]
fn signatures() {
    let op = op("op MatMul [k: int] \"+(m?,n),(n,p?)->(m?,p?)\" since 9.");
    assert_eq!(
        &*op.signature.as_ref().unwrap().node,
        "+(m?,n),(n,p?)->(m?,p?)"
    );
    assert_eq!(op.since, 9);
    assert!(op.inputs.is_empty() && op.outputs.is_empty());
}

/// What begins an operator, and all that ONNX calls its attributes and operands, are names.
#[test]
fn names() {
    let text = "op since [domain: int, op: int, known: int, to: int, end: int?] (min, max, axes, value, sparse_value)\n    -> (since, then_branch, else_branch) since 7 :- since = op, domain = known";
    assert_eq!(op(text).attrs.len(), 5);
    assert_eq!(
        read("op(x) :- domain(x), since(x).\ndomain(op)")
            .clauses
            .len(),
        2
    );
    let file = read("A(x) :- x = op\nB(x)\nC(x) :- x = domain\nop D(x) -> (y)");
    assert_eq!((file.clauses.len(), file.ops.len()), (3, 1));
}

#[test]
fn known() {
    let op = op(
        "op F(x: i64[n] = s) -> (y) :- n > 1, known(s, n) => (A(s), n = 2), known(s) => n = 1 ; n = 0",
    );
    let Goal::Any(ways) = &op.body.node else {
        panic!("{op}");
    };
    let Goal::All(goals) = &ways[0].node else {
        panic!("{op}");
    };
    let Goal::Known(terms, then) = &goals[1].node else {
        panic!("{op}");
    };
    assert_eq!(terms.len(), 2);
    assert!(matches!(then.node, Goal::All(_)));
    assert_eq!(goals[2].to_string(), "known(s) => n = 1");
}

#[test]
fn floats() {
    for (text, value) in [
        ("0.5", 0.5),
        ("1.0", 1.0),
        ("1e-5", 1e-5),
        ("1E5", 1e5),
        ("2.5e+10", 2.5e10),
        ("0.1", 0.1),
        ("1e-400", 0.0),
    ] {
        let file = read(&format!("A({text})."));
        let Term::Float(float) = file.clauses[0].node.params[0].term.node else {
            panic!("{file}");
        };
        assert_eq!(float.get(), value, "{text}");
        assert_eq!(read(&file.to_string()), file);
    }
    for value in [-1.0, -0.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Float::new(value), None);
    }
    // A stop behind a number ends a clause.
    assert_eq!(read("A(x) :- x = 1.\nB(2)").clauses.len(), 2);
    assert_eq!(read("A(x) :- x = 1.5.\nB(2)").clauses.len(), 2);
    assert_eq!(read("A([1, ..r], r)").clauses.len(), 1);
}

#[test]
fn prints() {
    for (text, canonical) in [
        ("op F( a,b? , )->( ) .", "op F(a, b?) -> ()"),
        (
            "op F[a:int,](x:T [ n,.. ] ?=s)->(y:Map(K,V))since 007:-true",
            "op F [a: int] (x: T[n, ..]? = s) -> (y: Map(K, V)) since 7",
        ),
        (
            "op F [] (x: {f32,}[]) -> (..y)",
            "op F(x: {f32}[]) -> (..y)",
        ),
        (
            "op F(x) -> (y) :- known( x )=>(y = x), x = 1",
            "op F(x) -> (y) :-\n    known(x) => y = x,\n    x = 1",
        ),
        (
            "op F [auto_pad: string = \"NOTSET\", dilations: ints?, group: int = 1, pads: ints?, strides: ints?] (X: T[n]) -> (Y: T[n]) since 11 :- n = 1",
            "op F [auto_pad: string = \"NOTSET\", dilations: ints?, group: int = 1, pads: ints?, strides: ints?]\n    (X: T[n]) -> (Y: T[n]) since 11 :- n = 1",
        ),
    ] {
        assert_eq!(read(text).to_string().trim_end(), canonical);
        assert_eq!(read(canonical).to_string().trim_end(), canonical);
    }
}

#[test]
fn places() {
    let text = "/// A.\nop F [a: int = [1, -2]] (x: T[n] = s) -> (y) since 3 :- n = 1.\nR(1)";
    let file = read(text);
    let written = |span: kanshape_syntax::tree::Span| &text[span.start..span.end];
    let op = &file.ops[0];
    assert_eq!(
        written(op.span),
        "op F [a: int = [1, -2]] (x: T[n] = s) -> (y) since 3 :- n = 1."
    );
    assert_eq!(written(op.node.name.span), "F");
    assert_eq!(
        written(op.node.attrs[0].default.as_ref().unwrap().span),
        "[1, -2]"
    );
    assert_eq!(
        written(op.node.inputs[0].pattern.as_ref().unwrap().span),
        "T[n]"
    );
    assert_eq!(written(op.node.body.span), "n = 1");
}
