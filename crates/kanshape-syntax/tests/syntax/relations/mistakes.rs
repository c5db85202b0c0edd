//! What a person sees who made a mistake. Every code has a mistake of its own here.

use std::collections::BTreeSet;
use std::fmt::Write;

use kanshape_diag::Diagnostic;
use kanshape_syntax::{code, parse_relations, relation};

type Mistakes = &'static [(&'static str, &'static str)];

const CLAUSES: Mistakes = &[
    // The head.
    (code::UNEXPECTED, "x = 2"),
    (code::UNEXPECTED, "Flatten :- true"),
    (code::UNEXPECTED, "A(x). Flatten :- true"),
    (code::UNEXPECTED, ":- true"),
    (code::UNEXPECTED, "A(x = 1) :- true"),
    (code::UNEXPECTED, "A(sh: [1]) :- true"),
    (code::UNEXPECTED, "\"(n)->()\"(A, B)"),
    (code::UNEXPECTED, "A(x) 2"),
    (code::NO_NECK, "Flatten(sh, bt) = Tensor(sh, bt)"),
    (code::NO_NECK, "Flatten(sh, bt) := Tensor(sh, bt)"),
    (code::NO_NECK, "A(x) <- B(x)"),
    (code::NO_NECK, "A(x) <= B(x)"),
    (code::NO_NECK, "A(x) => B(x)"),
    (code::NO_NECK, "A(x) -> B(x)"),
    (code::NO_NECK, "A(x) : - B(x)"),
    (code::NO_NECK, "A(x): B(x)"),
    (code::NO_NECK, "A(x) if B(x)"),
    (code::UNKNOWN_CHARACTER, "A(x) ← B(x)"),
    // What parts goals and clauses.
    (code::UNEXPECTED, "A(x) :-"),
    (code::UNEXPECTED, "A(x) :- ."),
    (code::UNEXPECTED, "A(x) :- B(x),"),
    (code::UNEXPECTED, "A(x) :- B(x),\nC(x) :- D(x)"),
    (code::UNEXPECTED, "A(x) :- B(x) & C(x)"),
    (code::UNEXPECTED, "A(x) :- B(x) and C(x)"),
    (code::UNEXPECTED, "A(x) :- B(x) | C(x)"),
    (code::UNEXPECTED, "A(x) :- B(x) or C(x)"),
    (code::UNEXPECTED, "A(x) :- B(x) -> C(x) ; D(x)"),
    (code::UNEXPECTED, "A(x) :- not B(x)"),
    (code::UNEXPECTED, "A(x) :- !B(x)"),
    (code::UNEXPECTED, "A(x) :- B(x y)"),
    (code::UNEXPECTED, "A(x) :- x = [1 2]"),
    (code::UNEXPECTED, "A(x). % comment"),
    (code::UNEXPECTED, "A(x)\n// comment"),
    (code::NO_SEPARATOR, "A(x) :- B(x) C(x)"),
    (code::NO_SEPARATOR, "A(x, y) :- B(x)\n    y = 2"),
    (code::NO_SEPARATOR, "A(x) :- x = 1 \"(n)->()\"(x, x)"),
    (code::NO_SEPARATOR, "A(1) A(2)"),
    (code::LOOSE_DOC, "/// A."),
    (code::LOOSE_DOC, "A(x) :-\n    /// the rest\n    B(x)"),
    // Brackets and texts.
    (
        code::UNBALANCED,
        "Flatten(Tensor(sh, bt), O :- O = Tensor(sh, bt)",
    ),
    (code::UNBALANCED, "A(x) :- B((x)"),
    (code::UNBALANCED, "A(x)) :- B(x)"),
    (code::UNBALANCED, "A([x, y) :- B(x)"),
    (code::UNCLOSED_TEXT, "A(x) :- x = \"SAME\nB(x)"),
    (code::UNCLOSED_TEXT, "A(x) :- x = \"SAME\\\""),
    (code::UNKNOWN_CHARACTER, "A(x) :- x = 'SAME'"),
    (code::UNKNOWN_CHARACTER, "A(x) :- x = “SAME”"),
    (code::UNEXPECTED, "A(x) :- x = ?"),
    (code::UNKNOWN_CHARACTER, "A(x) :- x = 2^3"),
    (code::BAD_ESCAPE, r#"A("a\d+")"#),
    (code::BAD_ESCAPE, r#"A("\u{d800}")"#),
    // Goals and terms.
    (code::NOT_A_GOAL, "A(x) :- x"),
    (code::NOT_A_GOAL, "A(x) :- 2, B(x)"),
    (code::NOT_A_GOAL, "A(x) :- \"(n)->()\""),
    (code::NOT_A_GOAL, "A(x) :- x + 1"),
    (code::NOT_A_GOAL, "A(x) :- ()"),
    (code::NOT_A_GOAL, "A(x) :- B(x) // what B says"),
    (code::NOT_A_GOAL, "A(x) :- (B(x), ..rest)"),
    (code::NOT_A_TERM, "A(x) :- B((x = 2))"),
    (code::NOT_A_TERM, "A(x) :- (B(x) ; C(x)) + 1 = x"),
    (code::NOT_A_TERM, "A(x) :- x = \"(n)->()\"(x, x)"),
    (code::UNEXPECTED, "A(x) :- B(x = 2)"),
    (code::UNEXPECTED, "A(x) :- B(x, ..rest)"),
    (code::UNKNOWN_CLASS, "A(x) :- x[0]: Float"),
    (code::RESERVED, "A(in) :- B(in)"),
    (code::RESERVED, "A(and, x)"),
    (code::RESERVED, "none(x) :- B(x)"),
    (code::RESERVED, "A(x) :- x = [1 for true in x]"),
    // Lists.
    (code::UNEXPECTED, "A([x | rest])"),
    (code::UNEXPECTED, "A([x, *rest])"),
    (code::UNEXPECTED, "A(x) :- x = [y for (y, z) in x]"),
    (code::UNEXPECTED, "A(x) :- x = [y for y in x if y > 0]"),
    (code::UNEXPECTED, "A(x) :- x[::2] = x"),
    (code::UNEXPECTED, "A(x) :- x[1:2:2] = x"),
    (code::UNEXPECTED, "A(x) :- x[0, 1] = 2"),
    (code::UNEVEN, "A(x) :- x = [y + z for y, z in x]"),
    (code::DECLARED_TWICE, "A(x) :- x = [y for y, y in x, x]"),
    // Arithmetic.
    (code::UNEXPECTED, "A(x) :- x = 1/2"),
    (code::UNEXPECTED, "A(x) :- x = floor(1/2)"),
    (code::UNEXPECTED, "A(x) :- x = ceil(x + 1/2)"),
    (code::UNEXPECTED, "A(x) :- x = 2**3"),
    (code::UNEXPECTED, "A(x) :- x = .5"),
    (code::UNEXPECTED, "A(1.)"),
    (code::UNEXPECTED, "A(x) :- x <> 2"),
    (code::UNEXPECTED, "A(x) :- x => 2"),
    (code::UNEXPECTED, "A(x) :- x =< 2"),
    (code::BAD_ARGUMENT, "A(x) :- x = ceil(x)"),
    (code::NUMBER_TOO_LARGE, "A(18446744073709551616)"),
    // Once it is known.
    (code::NOT_A_GOAL, "A(s) :- known(s)"),
    (code::NOT_A_GOAL, "A(s) :- known(s), s = 1"),
    (code::NOT_A_GOAL, "A(s) :- known s => s = 1"),
    (code::UNEXPECTED, "A(s) :- known(s) -> s = 1"),
    (code::UNEXPECTED, "A(s) :- known(s) => known(s) => s = 1"),
    (code::BAD_ARGUMENT, "A(s) :- known() => s = 1"),
    (code::UNEXPECTED, "A(s) :- s => 1"),
    (code::UNEXPECTED, "A(s) :- B(s) => C(s)"),
    (code::RESERVED, "known(s)"),
    (code::UNEXPECTED, "A(.5)"),
    (code::NUMBER_TOO_LARGE, "A(1e999)"),
    (code::UNEXPECTED, "A(x) :- x = 1.5.2"),
    // Signatures.
    (code::UNEXPECTED, "A(x, y) :- \"(m n)->()\"(x, y)"),
    (code::NO_ARROW, "A(x, y) :-\n    true,\n    \"(m,n)\"(x, y)"),
    (
        code::BAD_PREFIX,
        r#"A(x, y) :- "\u{2b}\u{2b}(m)->()"(x, y)"#,
    ),
    (code::OPERAND_COUNT, "A(x) :- \"(n),(n)->()\"(x, x)"),
];

const OPERATORS: Mistakes = &[
    (code::NO_OUTPUTS, "op Conv(x)"),
    (code::NO_OUTPUTS, "op Conv(x) :- A(x)"),
    (code::NO_OUTPUTS, "op Conv(x) since 7"),
    (code::NO_OUTPUTS, "op Conv(x)\nop Add(a, b) -> (c)"),
    (code::NO_OUTPUTS, "op Conv(x) => (y)"),
    (code::UNEXPECTED, "op Conv(x) -> y: T[n]"),
    (code::UNEXPECTED, "op Conv(x) -> T[n]"),
    (code::UNEXPECTED, "op Conv(x) ->"),
    (code::UNKNOWN_CHARACTER, "op Conv(x) → (y)"),
    (code::UNEXPECTED, "Conv(x: T[n]) -> (y)"),
    (code::UNEXPECTED, "op Conv(B: T?[m]) -> (y)"),
    (code::UNEXPECTED, "op Conv(B?: T[m]) -> (y)"),
    (code::UNEXPECTED, "op Conv(B: T[m?]) -> (y)"),
    (code::UNEXPECTED, "op Conv(B: T[m] = s?) -> (y)"),
    (code::UNEXPECTED, "op Conv attr strides: ints (x) -> (y)"),
    (code::UNEXPECTED, "op Conv(x) -> (y) attr strides: ints"),
    (code::UNEXPECTED, "op Conv(x) -> (y)\n   attr strides: ints"),
    (code::UNEXPECTED, "op Conv [attr strides: ints] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [strides] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [strides = 1] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [int axis] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [strides: int[]] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [strides: [int]] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [axis?: int] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [axis: int := 1] (x) -> (y)"),
    (code::NO_NECK, "op Conv(x) -> (y) := A(x)"),
    (code::NO_NECK, "op Conv(x) -> (y) = A(x)"),
    (code::NO_NECK, "op Conv(x) -> (y): A(x)"),
    (code::NO_NECK, "op Conv(x) -> (y) where A(x)"),
    (code::UNEXPECTED, "op Conv(x) -> (y) since: 7"),
    (code::UNEXPECTED, "op Conv(x) -> (y) since = 7"),
    (code::UNEXPECTED, "op Conv(x) -> (y) since \"7\""),
    (code::UNEXPECTED, "op Conv(x) -> (y) since 7.5"),
    (code::UNEXPECTED, "op Conv(x) -> (y) since"),
    (code::UNEXPECTED, "op Conv since 7 (x) -> (y)"),
    (code::UNEXPECTED, "op Conv(x) -> (y) :- A(x) since 7"),
    (code::UNEXPECTED, "op Conv(x) -> (y) version 7"),
    (code::UNEXPECTED, "op Conv(x) -> (y) :- A(x) since: 7"),
    (code::UNBALANCED, "op Conv [axis: int (x) -> (y)"),
    (code::UNBALANCED, "op Conv [axis: int = 0 (x) -> (y)"),
    (code::UNBALANCED, "op Conv [axis: dtype = f32 (x) -> (y)"),
    (code::UNBALANCED, "op Conv [axis: string = \"a\" (x) -> (y)"),
    (code::UNBALANCED, "op Conv [axis: int? (x) -> (y)"),
    (code::UNBALANCED, "op Conv [axis: int, (x) -> (y)"),
    (code::UNBALANCED, "op Conv [axis: int"),
    (code::UNBALANCED, "op Conv [axis: int) (x) -> (y)"),
    (code::UNEXPECTED, "op Conv(x: T[n, y: T[m]) -> (y)"),
    (code::UNBALANCED, "op Conv(x: T[n] -> (y)"),
    (code::UNBALANCED, "op Conv(x) -> (y :- A(x)"),
    (
        code::UNEXPECTED,
        "op Conv [pads: ints? kernel: ints] (x) -> (y)",
    ),
    (code::UNEXPECTED, "op Conv [pads: ints = none] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [pads: ints = (1, 1)] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [pads: int = 1 + 1] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [pads: int = 1?] (x) -> (y)"),
    (code::UNEXPECTED, "op Conv [pads: int = len(x)] (x) -> (y)"),
    (
        code::NOT_A_GOAL,
        "op Conv(x) -> (y) :- A(x), op Add(a) -> (b)",
    ),
    (
        code::NOT_A_GOAL,
        "op Conv(x) -> (y) :- A(x),\nop Add(a) -> (b)",
    ),
    (code::NOT_A_GOAL, "op Conv(x) -> (y) :-\nop Add(a) -> (b)"),
    (code::UNEXPECTED, "op Conv(x) -> (y) :- (op Add(a) -> (b))"),
    (
        code::NO_SEPARATOR,
        "op Conv(x) -> (y) :- A(x) op Add(a) -> (b)",
    ),
    (code::NO_SEPARATOR, "op Conv(x) -> (y) op Add(a) -> (b)"),
    (code::UNEXPECTED, "domain ai.onnx"),
    (code::NO_SEPARATOR, "domain \"a\" op Add(a) -> (b)"),
    (code::UNEXPECTED, "domain: \"a\""),
    (code::LOOSE_DOC, "/// a\ndomain \"a\""),
    (code::UNEXPECTED, "op (x) -> (y)"),
    (code::UNEXPECTED, "op \"Conv\"(x) -> (y)"),
    (code::UNEXPECTED, "op ai.onnx::Conv(x) -> (y)"),
    (code::UNEXPECTED, "op onnx::Conv(x) -> (y)"),
    (code::UNEXPECTED, "op Conv"),
    (code::UNEXPECTED, "op"),
    (code::UNEXPECTED, "op Conv :- true"),
    (code::UNEXPECTED, "op Conv -> (y)"),
    (code::UNEXPECTED, "op Conv \"(m n)->()\""),
    (code::UNEXPECTED, "op Conv \"(n)->()\" :- true"),
    (code::DECLARED_TWICE, "op Conv(x, x) -> (y)"),
    (code::DECLARED_TWICE, "op Conv [a: int] (x) -> (a)"),
    (code::NOT_LAST, "op Conv(..xs, y) -> (z)"),
    (code::UNEXPECTED, "op Conv(..xs: T[..]) -> (z)"),
    (code::UNEXPECTED, "op Conv(..xs?) -> (z)"),
    (code::UNEXPECTED, "op Conv(xs..) -> (z)"),
    (code::UNEXPECTED, "op Conv(xs...) -> (z)"),
    (code::UNEXPECTED, "op Conv(x: T) -> (z)"),
    (code::UNEXPECTED, "op Conv(x: [n]) -> (z)"),
    (code::UNEXPECTED, "op Conv(x: _[n]) -> (z)"),
    (code::UNEXPECTED, "op Conv(x: ?[n]) -> (z)"),
    (code::UNEXPECTED, "op Conv(x: T[n, ?]) -> (z)"),
    (code::UNEXPECTED, "op Conv(x: T[..] = [1, 2]) -> (z)"),
    (code::UNEXPECTED, "op Conv(x = s) -> (z)"),
    (code::UNEXPECTED, "op Conv(x[n]) -> (z)"),
    (code::UNEXPECTED, "op Conv(f32[n]) -> (z)"),
    (code::UNEXPECTED, "op Conv(x > 0) -> (z)"),
    (code::UNEXPECTED, "op Conv(x: T[n] > 0) -> (z)"),
    (code::UNEXPECTED, "op Conv(x: (n, m)) -> (z)"),
];

/// What is said of them, and which codes they have.
fn shown(mistakes: Mistakes) -> (String, BTreeSet<&'static str>) {
    let mut seen = BTreeSet::new();
    let mut shown = String::new();
    let mut wrong = Vec::new();
    for (code, text) in mistakes {
        let d = parse_relations(text).err();
        let d = d.unwrap_or_else(|| panic!("{text} reads"));
        writeln!(shown, "{d}\n").unwrap();
        if d.code != *code {
            wrong.push(format!("not {code}: {d}"));
        }
        seen.insert(*code);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (shown, seen)
}

#[test]
fn mistakes() {
    insta::assert_snapshot!(shown(CLAUSES).0);
}

#[test]
fn mistakes_in_operators() {
    insta::assert_snapshot!(shown(OPERATORS).0);
}

#[test]
fn every_code_has_a_mistake() {
    // Programs are read by another parser, which has its own tests.
    let of_programs = [code::UNKNOWN_SUFFIX, code::LITERAL_RANGE];
    let mut seen = BTreeSet::from([code::USED_ONCE, code::MAYBE_GOAL]);
    seen.extend(of_programs);
    seen.extend(shown(CLAUSES).1);
    seen.extend(shown(OPERATORS).1);
    // Questions are in no file.
    let of_files = code::UNCLOSED_TEXT..code::NO_QUESTION;
    let codes = code::ALL.iter().map(|(code, _)| *code);
    for code in codes.filter(|code| of_files.contains(code)) {
        assert!(seen.contains(code), "{code}");
    }
}

const QUESTIONABLE: Mistakes = &[
    (code::USED_ONCE, "Halves(n, m) :- n = 2*k"),
    (code::USED_ONCE, "Rank(shape, n) :- n = len(shpae)"),
    (code::USED_ONCE, "A(xs, ys) :- ys = [0 for x in xs]"),
    (code::USED_ONCE, "A(xs, ys, x) :- ys = [x + 1 for x in xs]"),
    (code::MAYBE_GOAL, "A(x) :-\n    B(x)\n    C(1)"),
    (code::USED_ONCE, "op A(x) -> (y) :- x = [m]"),
    (
        code::USED_ONCE,
        "op A(kernel: T[n]) -> (y) :- n = len(kernal)",
    ),
    (code::MAYBE_GOAL, "op A(x) -> (y) :-\n    B(x)\n    C(1)"),
];

fn warnings(text: &str) -> Vec<Diagnostic> {
    let file = parse_relations(text).unwrap();
    let warnings = relation::warnings(&file, text, |name| name == "f32");
    let name = |d: Diagnostic| d.with_source("relations", text);
    warnings.into_iter().map(name).collect()
}

#[test]
fn questionable() {
    let mut shown = String::new();
    for (code, text) in QUESTIONABLE {
        for d in warnings(text) {
            writeln!(shown, "{d}\n").unwrap();
            assert_eq!(d.code, *code, "{d}");
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn unquestionable() {
    for text in [
        "Identity(I, I) :- true",
        "Flatten(Tensor(sh, bt), O) :- O = Tensor((sh[0], prod(sh[1:])), bt)",
        "A(_, _rest, f32)",
        "A(bt) :- bt: Float",
        "A(xs, ys) :- ys = [0 for _ in xs], xs = [x + y for x, y in ys, ys]",
        "A(x) :- x = [x for x in x]",
        "A(1) :- B(1)\nA(2)",
        "A(1) :- B(1).\n  A(2)",
        "A(1) :- B(1)\n  /// Two.\n  A(2)",
        "A(1)\n  A(2)\n  A(3)",
        "  A(1) :- B(1)\n  A(2)\n",
        "  A(1) :- B(1)\n  A(2)\n    :- true",
        "op A [axis: int, a: dtype = f32] (x: T[n, ..r], ..xs) -> (y: i64[2*m] = v)",
        "op A(x: T[n]) -> (y: Sequence(B)) :- x = y",
        "op A(x) -> (y) :- known(x) => y = x",
        "A(1) :- B(1)\n  op A(x) -> (y)",
        "op A \"(n)->()\"\n  A(2)",
    ] {
        assert_eq!(warnings(text), [], "{text}");
    }
}
