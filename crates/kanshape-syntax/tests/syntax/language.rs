//! Every form of the language reads, and prints as it should.

use kanshape_syntax::tree::{Condition, Pattern, Type};
use kanshape_syntax::{
    code, parse_condition, parse_conditions, parse_expr, parse_signature, parse_type,
};

/// That `text` is a signature, whose print is `print`.
#[track_caller]
fn signature(text: &str, print: &str) {
    let tree = parse_signature(text).unwrap_or_else(|d| panic!("{d}"));
    assert_eq!(tree.to_string(), print);
    assert_eq!(parse_signature(print), Ok(tree));
}

/// The same for a type.
#[track_caller]
fn ty(text: &str, print: &str) {
    let tree = parse_type(text).unwrap_or_else(|d| panic!("{d}"));
    assert_eq!(tree.to_string(), print);
    assert_eq!(parse_type(print), Ok(tree));
}

/// Lines that print as they are written.
const LINES: &[&str] = &[
    "(d),(d)->()",
    "(m,n),(n,p)->(m,p)",
    "(M,.k.),(J,.k.)->(J,.k.)",
    "(M,.1.),(J,.1.)->(J,.1.)",
    "(d)->()",
    "(d,...)->(...)",
    "(.1.,d,...)->(.1.,...)",
    "(.2.,d,...)->(.2.,...)",
    "(.2.,d,...,k,.1.)->(.2.,...,.1.)",
    "(2)->()",
    "(2,.2.)->()",
    "+(d)->()",
    "=(d),(d)->()",
    "+(),()->()",
    "=(),()->()",
    "+2(d),(d)->()",
    "=2(d),(d)->()",
    "(.k.)->(k):i64",
    "+(m?,n),(n,p?)->(m?,p?)",
    "(n,d)->(p)",
    "(m,n):t,(n,p):t->(m,p):t",
    "(n)->():i64",
    "(n):{f32,f64}->():Float",
    "[stride: s, pad: p] +(c,h),(o,c,k)->(o,(h + 2*p - k)//s + 1) where s >= 1",
    "[s] (c,h),(o,c,k)->(o,(h - k)//s + 1)",
    "(d,...r)->(d,prod(...r))",
    "(m),(n)->(min(m,n))",
    "(n|1),(4|1)->(n,4)",
    "(n?,3?)->()",
    "(a)->(ceil(a/2))",
    "(n)->() where n % 8 == 0, x: Float, T in {f32, f64}",
    "(...a),(...b)->(...c) where ...c == broadcast(...a, ...b)",
    "->()",
    "()->",
    "->",
    "(6@district,n)->(n)",
    "(6@in,district):t->(district,6@district)",
    "(n)->() where n == 6@district, n in {6@district, 7@region}",
    "(in),(where)->(min,dim)",
    "(dim,dtype)->(dim,dtype)",
    "(forall):type->(fn):promote(type,where)",
];

#[test]
fn lines() {
    for line in LINES {
        signature(line, line);
    }
}

#[test]
fn lines_that_print_differently() {
    signature("=(),(),()->(3,)", "=(),(),()->(3)");
    signature(
        "(a):x,(b):y->(a+b):promote(x,y)",
        "(a):x,(b):y->(a + b):promote(x,y)",
    );
    signature(
        "[stride: s, pad: p] +(c,h),(o,c,k)->(o,(h + 2*p - k)//s + 1)  where s >= 1",
        "[stride: s, pad: p] +(c,h),(o,c,k)->(o,(h + 2*p - k)//s + 1) where s >= 1",
    );
    signature(
        "(n)->() where n % 8 == 0 and n > 0",
        "(n)->() where n % 8 == 0, n > 0",
    );
    signature("(01)->()", "(1)->()");
    signature("[s: s](s)->()", "[s] (s)->()");
    signature("(06 @\n district)->()", "(6@district)->()");
    signature("((6@district))->()", "(6@district)->()");
    signature(
        "(dim a, dtype x) -> Tensor((a, 6@district), x) -> Tensor((ConcatDim([6@district]),), x)",
        "(a,6@district):x->(6@district):x",
    );
    signature("\t( m ,\n n )\r\n->\t( ... )", "(m,n)->(...)");
}

#[test]
fn long_form_with_dims_and_dtypes() {
    let short = "(a):x,(b):y->(a + b):promote(x,y)";
    signature(
        "(dim a, dim b, dtype x, dtype y) -> \
         (Tensor((a,), x), Tensor((b,), y)) -> \
         Tensor((ConcatDim([a, b]),), PromotedDType([x, y]))",
        short,
    );
    signature(
        "(dim a, dtype x) -> Tensor((a, 2), x) -> (Tensor((), x), Tensor((a,), bool)) where a > 1",
        "(a,2):x->():x,(a):bool where a > 1",
    );
}

#[test]
fn long_form_with_relations() {
    let text = "forall (Lhs : Type) (Rhs : Type) (Out : Type), \
                Broadcast(Lhs, Rhs, Out) => (Lhs, Rhs) -> Out";
    signature(text, text);
    let tree = parse_signature(text).unwrap();
    assert_eq!(tree.variables.len(), 3);
    assert_eq!(tree.relations.len(), 1);
    let Pattern::Type(ty) = &tree.inputs[1].pattern else {
        panic!("an operand is a type");
    };
    assert!(matches!(&ty.node, Type::Name(name) if &*name.node == "Rhs"));
    signature(
        "forall (A B : Type), (A) -> (B)",
        "forall (A : Type) (B : Type), A -> B",
    );
}

#[test]
fn operands_that_are_types() {
    for (text, print) in [
        (
            "RandomState, (n):t -> RandomState, (n):t",
            "RandomState,(n):t->RandomState,(n):t",
        ),
        (
            "Sparse[t[m,n], f], (n,p):t -> (m,p):t",
            "Sparse[t[m, n], f],(n,p):t->(m,p):t",
        ),
        ("A, A -> A", "A,A->A"),
        ("List[t[n]] -> (n):t", "List[t[n]]->(n):t"),
        ("t[m, n], t[n, p] -> t[m, p]", "t[m, n],t[n, p]->t[m, p]"),
        (
            "fn(t[n]) -> u[], t[m, n] -> u[m]",
            "fn(t[n]) -> u[],t[m, n]->u[m]",
        ),
        ("fn() -> fn(A) -> B -> C", "fn() -> fn(A) -> B->C"),
        ("-> A", "->A"),
        ("A ->", "A->"),
        ("[s] +2 A, (n) -> t[...r, s]", "[s] +2A,(n)->t[...r, s]"),
        ("+A->A", "+A->A"),
        ("fn, tensor, forall -> dim", "fn,tensor,forall->dim"),
        (
            "t[n] -> B where n >= 2, t: Float",
            "t[n]->B where n >= 2, t: Float",
        ),
        ("List[type A] -> A", "List[type A]->A"),
        ("Tensor[(2, n), t] -> tensor<2x?xf32>", "t[2, n]->f32[2, ?]"),
        ("TensorType(t, (n,)) -> Tensor((n,), t)", "t[n]->t[n]"),
        ("promote(x, y)[n] -> x[n]", "promote(x, y)[n]->x[n]"),
        (
            "Pair[(t[n], A), {f32, f64}[6@d]] -> t[?]",
            "Pair[(t[n], A), {f32, f64}[6@d]]->t[?]",
        ),
    ] {
        signature(text, print);
    }
    let text = "[s] A , fn( t[n] ) -> u[] -> (n)";
    let tree = parse_signature(text).unwrap();
    let operands = tree.inputs.iter().chain(&tree.outputs);
    let places: Vec<&str> = operands
        .map(|operand| &text[operand.span.start..operand.span.end])
        .collect();
    assert_eq!(places, ["A", "fn( t[n] ) -> u[]", "(n)"]);
}

#[test]
fn conditions() {
    for text in [
        "s >= 1",
        "1 <= n <= 8",
        "n % 8 == 0",
        "x: Float",
        "x: {f32, f64}",
        "n in {1, 3}",
        "T in {f32, f64}",
        "d0 == broadcast(a, b)",
        "... == broadcast(...a, ...b)",
        "in in {in}",
        "min == min(min, and)",
        "T == promote(x, y)",
        "n != m",
        "n == 6@district",
        "6@district != n == m",
        "n in {6@district, 7@region, 8}",
        "6@where in {n, 6@in}",
        "n == broadcast(m, 6@district)",
    ] {
        let tree = parse_condition(text).unwrap_or_else(|d| panic!("{d}"));
        assert_eq!(tree.to_string(), text);
    }
    let list = parse_conditions("n in {1} and x: Float, and < and").unwrap();
    assert!(matches!(
        list.iter().map(|c| &c.node).collect::<Vec<_>>()[..],
        [
            Condition::In(..),
            Condition::Dtype(..),
            Condition::Compare(..)
        ]
    ));
}

#[test]
fn exprs() {
    for (text, print) in [
        ("a+b-c", "a + b - c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a*b)*c", "(a*b)*c"),
        ("a*b//c % d", "a*b//c % d"),
        ("-a+(2)", "-a + 2"),
        ("prod()", "prod()"),
        ("max(a,b,)", "max(a, b)"),
        ("ceil((h - k)/s) + 1", "ceil((h - k)/s) + 1"),
        ("ceil(2*h/(s + 1))", "ceil(2*h/(s + 1))"),
        ("6 @ district", "6@district"),
        ("(0@and)", "0@and"),
        ("broadcast(n, (6@d))", "broadcast(n, 6@d)"),
    ] {
        let tree = parse_expr(text).unwrap_or_else(|d| panic!("{d}"));
        assert_eq!(tree.to_string(), print);
    }
}

#[test]
fn types() {
    for text in [
        "f32[2, n, 2*k, ?]",
        "f32[]",
        "?[2, 3]",
        "f32[...]",
        "?",
        "f32[...batch, n]",
        "T[2, n] where T in {f32, f64}",
        "(f32[2], i64[])",
        "fn(f32[n]) -> f32[]",
        "List[f32[2]]",
        "List[type ?]",
        "List[type A, B]",
        "List[A, ?[2]]",
        "tuple(?, ?)",
        "tuple()",
        "tuple(a)",
        "(f32[2],)",
        "(n, f32[2])",
        "A",
        "fn() -> fn(?, A) -> B",
        "{f32, f64}[2]",
        "promote(x, {f32, f64}, ?)[2]",
        "T[type, type - 1]",
        "f32[6@district, n, 6]",
        "f32[district, 6@district] where district != 6@district",
        "tensor[n, fn, tuple]",
    ] {
        ty(text, text);
    }
}

#[test]
fn types_as_others_write_them() {
    for (text, print) in [
        ("Tensor[(2, n), float32]", "float32[2, n]"),
        ("Tensor[(), float32]", "float32[]"),
        ("Tensor[(2,), ?]", "?[2]"),
        ("Tensor[2, float32]", "float32[2]"),
        ("Tensor((2, n), float32)", "float32[2, n]"),
        ("tensor<2x?xf32>", "f32[2, ?]"),
        ("tensor<f32>", "f32[]"),
        ("tensor<*xf32>", "f32[...]"),
        ("tensor<2xNonexf32>", "f32[2, ?]"),
        ("tensor< 2 x n x f32 >", "f32[2, n]"),
        ("TensorType(float64, (2, None))", "float64[2, ?]"),
        ("TensorType(float64, ())", "float64[]"),
        ("float32[2,n]", "float32[2, n]"),
        ("f32[None, 2]", "f32[?, 2]"),
        ("Tensor[(6@district, n), float32]", "float32[6@district, n]"),
        ("Tensor[6@district, float32]", "float32[6@district]"),
        ("TensorType(float64, (6@None, None))", "float64[6@None, ?]"),
    ] {
        ty(text, print);
    }
}

#[test]
fn lists_are_shapes_or_tuples() {
    for (text, print) in [
        ("(2, 3)", "?[2, 3]"),
        ("(2, None)", "?[2, ?]"),
        ("(n,)", "?[n]"),
        ("(n)", "?[n]"),
        ("()", "?[]"),
        ("(?, ?)", "?[?, ?]"),
        ("(...)", "?[...]"),
        ("(f32[2])", "f32[2]"),
        ("((f32[2]))", "f32[2]"),
        ("((2, 3), f32[])", "(?[2, 3], f32[])"),
        ("((n), f32[])", "(?[n], f32[])"),
        ("(6@d)", "?[6@d]"),
        ("(6@d, n)", "?[6@d, n]"),
        ("f32[(6@d)]", "f32[6@d]"),
        ("((6@d), f32[])", "(?[6@d], f32[])"),
        ("(n, f32[])", "(n, f32[])"),
        ("(?, f32[])", "(?, f32[])"),
    ] {
        ty(text, print);
    }
    let bare = parse_type("f32").unwrap().ty.node;
    assert!(matches!(bare, Type::Name(_)), "what `f32` is, others know");
}

#[test]
fn contents() {
    for text in [
        "i64[3] = [2, n, ?]",
        "i64[2] = [n, 2] where n != 1",
        "i64[2] = [-1, -n + 2*(m - 1)]",
        "f32[4] = [0.5, 1e-7, -inf, nan]",
        "bool[2] = [true, false]",
        r#"str[2] = ["a \"b\"", ""]"#,
        "f32[0] = []",
        "(i64[1] = [n], f32[n])",
        "List[i64[1] = [n]]",
        "fn(i64[1] = [n]) -> f32[n]",
        "T[...r] = [n]",
        "Where[where] = [where] where where > 1",
    ] {
        ty(text, text);
    }
    ty("i64[] = 5", "i64[] = [5]");
    ty("i64[]=[5,]", "i64[] = [5]");
    ty("f32[] = -0.50", "f32[] = [-0.5]");
    ty("f32[2] = [1E2, 0.5e+1]", "f32[2] = [100.0, 5.0]");
    ty("i64[2] = [None, (n)]", "i64[2] = [?, n]");
    ty("bool[2] = [True, False]", "bool[2] = [true, false]");
    ty("Tensor[(2,), int64] = [1, 2]", "int64[2] = [1, 2]");
    ty("tensor<2xi64> = [1, 2]", "i64[2] = [1, 2]");
    ty("(2, 1) = [n, 2]", "?[2, 1] = [n, 2]");
    ty("i64[] = n where n > 1", "i64[] = [n] where n > 1");
    ty("(i64[] = 5, f32[])", "(i64[] = [5], f32[])");
}

#[test]
fn contents_have_places() {
    let tree = parse_type("i64[2] = [n, -1]").unwrap();
    let Type::Tensor { contents, .. } = &tree.ty.node else {
        panic!("{tree:?}");
    };
    let contents = contents.as_ref().unwrap();
    assert_eq!((contents.span.start, contents.span.end), (9, 16));
    let places = contents.node.iter().map(|member| member.span);
    let places: Vec<_> = places.map(|span| (span.start, span.end)).collect();
    assert_eq!(places, [(10, 11), (13, 15)]);
}

#[test]
fn texts_in_contents_end_and_have_escapes() {
    let d = parse_type(r#"str[1] = ["a]"#).unwrap_err();
    assert_eq!(d.code, code::UNCLOSED_TEXT);
    let d = parse_type(r#"str[1] = ["a\q"]"#).unwrap_err();
    assert_eq!(d.code, code::BAD_ESCAPE);
    assert_eq!((d.labels[0].start, d.labels[0].end), (12, 14));
}
