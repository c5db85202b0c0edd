//! Which texts say the same.

use kanshape_syntax::relation::{Element, Goal, Term};
use kanshape_syntax::{parse_relations, relation};

/// The canonical print of a text.
fn print(text: &str) -> String {
    parse_relations(text)
        .unwrap_or_else(|d| panic!("{d}"))
        .to_string()
}

#[test]
fn the_page_loads() {
    let file = parse_relations(
        "Identity(I, I) :- true\n\
         Flatten(Tensor(sh, bt), O) :- O = Tensor((sh[0], prod(sh[1:])), bt)\n",
    )
    .unwrap();
    assert_eq!(file.clauses.len(), 2);
    let flatten = &file.clauses[1].node;
    assert_eq!(&*flatten.name.node, "Flatten");
    assert_eq!(flatten.params.len(), 2);
    let Goal::Compare(_, sides) = &flatten.body.node else {
        panic!("{:?}", flatten.body);
    };
    assert_eq!(sides[0].1.to_string(), "Tensor([sh[0], prod(sh[1:])], bt)");
    // What the page had once is a mistake of kinds, not of form.
    parse_relations("Flatten(Tensor(sh, bt), O) :-\n  O = Tensor(sh[0], prod(sh[1:]))").unwrap();
}

#[test]
fn prints() {
    for (text, canonical) in [
        ("A()", "A()"),
        ("A(x,y)  :-true .", "A(x, y)"),
        ("A(x) :- B(x),C(x)", "A(x) :-\n    B(x),\n    C(x)"),
        ("A(x) :- (B(x),C(x))", "A(x) :-\n    B(x),\n    C(x)"),
        (
            "A(x):-B(x),C(x);x==1;(D(x);x<2),false",
            "A(x) :-\n    B(x), C(x) ;\n    x = 1 ;\n    (D(x) ; x < 2), false",
        ),
        (
            "A(x) :- (B(x), C(x)), x in {1, 2,}",
            "A(x) :-\n    (B(x), C(x)),\n    x in [1, 2]",
        ),
        ("A(bt) :- bt: {f32, f64}", "A(bt) :- bt in [f32, f64]"),
        ("A(bt) :- bt:Float", "A(bt) :- bt: Float"),
        ("A(sh:Shape, n : int)", "A(sh: Shape, n: int)"),
        (
            "A((a), (a,), (a, b), (), (a, ..r), [a,])",
            "A(a, [a], [a, b], [], [a, ..r], [a])",
        ),
        ("A(x) :- x[ :-1 ][-1] = x[:]", "A(x) :- x[:-1][-1] = x[:]"),
        (
            "A(x) :- x = -1+(2-x)*3//(4%x)",
            "A(x) :- x = -1 + (2 - x)*3//(4 % x)",
        ),
        ("A(x) :- (x + 1)*2 = (x)", "A(x) :- (x + 1)*2 = x"),
        (
            "A(x) :- ceil((x+1)/2)=min(x,1)",
            "A(x) :- ceil((x + 1)/2) = min(x, 1)",
        ),
        (
            "A(x) :- 1<=x<=8,x!=007",
            "A(x) :-\n    1 <= x <= 8,\n    x != 7",
        ),
        (
            "A(xs) :- xs=[x+y for x,_ in xs,[1,2]]",
            "A(xs) :- xs = [x + y for x, _ in xs, [1, 2]]",
        ),
        ("A(none, true, _, _x)", "A(none, true, _, _x)"),
        (r#"A("\u{e9}\t\"\\\u{7}")"#, r#"A("é\t\"\\\u{7}")"#),
        (
            "A(x, y) :- \"(n) -> ()\"(x, y)",
            "A(x, y) :- \"(n) -> ()\"(x, y)",
        ),
        (
            "A([x, ..]) :- [..a, ..b] = [..(x + 1)]",
            "A([x, ..]) :- [..a, ..b] = [..(x + 1)]",
        ),
        ("A(größe)", "A(größe)"),
        (
            "A(Tensor, in_, format, nonesuch)",
            "A(Tensor, in_, format, nonesuch)",
        ),
    ] {
        assert_eq!(print(text).trim_end(), canonical);
        assert_eq!(print(canonical).trim_end(), canonical);
    }
}

#[test]
fn clauses_need_no_stop() {
    let with = "A(1). A(2) :- B(2).\nB(x) :- x = 2.";
    let without = "A(1)\nA(2) :-\n  B(2)\nB(x) :- x = 2";
    assert_eq!(print(with), print(without));
    assert_eq!(parse_relations(with).unwrap().clauses.len(), 3);
    assert_eq!(parse_relations(" # nothing\n").unwrap().clauses.len(), 0);
    assert_eq!(parse_relations("").unwrap(), relation::File::default());
}

#[test]
fn comments_and_docs() {
    let text = "# A file.\r\n\
                ///  What it is,\r\n\
                ///\r\n\
                /// and why.\r\n\
                A(x) :- # the head\r\n\
                \x20 B(x) # , C(x)\r\n\
                # D(x)\r\n";
    let file = parse_relations(text).unwrap();
    let clause = &file.clauses[0].node;
    let doc: Vec<&str> = clause.doc.iter().map(AsRef::as_ref).collect();
    assert_eq!(doc, [" What it is,", "", "and why."]);
    assert_eq!(
        file.to_string(),
        "///  What it is,\n///\n/// and why.\nA(x) :- B(x)\n"
    );
    // In a text `#` is a character like others.
    assert_eq!(print("A(\"# no comment\")"), "A(\"# no comment\")\n");
}

#[test]
fn places() {
    let text = "A(x).\nB(sh) :- sh[0] = (1, 2).";
    let file = parse_relations(text).unwrap();
    let written = |span: kanshape_syntax::tree::Span| &text[span.start..span.end];
    let b = &file.clauses[1];
    assert_eq!(written(b.span), "B(sh) :- sh[0] = (1, 2).");
    assert_eq!(written(b.node.name.span), "B");
    assert_eq!(written(b.node.body.span), "sh[0] = (1, 2)");
    let Goal::Compare(first, rest) = &b.node.body.node else {
        panic!("{b:?}");
    };
    assert_eq!(written(first.span), "sh[0]");
    assert_eq!(written(rest[0].1.span), "(1, 2)");
    let Term::List(parts) = &rest[0].1.node else {
        panic!("{b:?}");
    };
    let Element::One(two) = &parts[1] else {
        panic!("{b:?}");
    };
    assert_eq!(written(two.span), "2");
}

/// A mistake in a signature is shown where it is written, whatever its text escapes.
#[test]
fn places_in_signatures() {
    for (text, at) in [
        ("A(x) :- \"(m n)->()\"(x, x)", "n)"),
        (r#"A(x) :- "\u{28}m\tn)->()"(x, x)"#, "n)"),
        ("A(x) :- \"é(m n)->()\"(x, x)", "(m"),
        ("A(x) :- \"(n)\"(x, x)", "\"(x"),
        ("A(x) :- \"\"(x, x)", "\"(x"),
    ] {
        let d = parse_relations(text).unwrap_err();
        let start = d.labels[0].start;
        assert!(text[start..].starts_with(at), "{d}");
        assert_eq!(d.source.unwrap().text, text);
    }
}
