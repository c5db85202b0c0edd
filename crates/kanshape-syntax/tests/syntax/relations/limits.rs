//! Long and deep files end in a tree or in an error, soon.

use std::time::{Duration, Instant};

use kanshape_syntax::{MAX_DEPTH, code, parse_relations, relation};

const LONG: usize = 1 << 20;

/// `piece` again and again, about a megabyte of it.
fn long(piece: &str) -> String {
    piece.repeat(LONG / piece.len())
}

fn same(text: &str) {
    let file = parse_relations(text).unwrap_or_else(|d| panic!("{d}"));
    let print = file.to_string();
    let again = parse_relations(&print).unwrap_or_else(|d| panic!("{d}"));
    // Too long to be shown.
    assert!(again == file);
    relation::warnings(&file, text, |_| false);
}

#[test]
fn long_files_read() {
    for text in [
        long("A(x) :- B(x).\n"),
        long("A(x).  "),
        long("A(x) :- B(x)\n  C(x)\n"),
        long("/// doc\n") + "A(x)",
        long("# comment\n"),
        long("\n"),
        format!("A({}x)", long("x, ")),
        format!("A([{}x])", long("x, ")),
        format!("A(({}x))", long("x, ")),
        format!("A(x) :- {}true", long("B(x), ")),
        format!("A(x) :- {}true", long("B(x) ; ")),
        format!("A(x) :- (({}true), x = 1)", long("B(x), ")),
        format!("A(x) :- x{}", long(" + x") + " = 1"),
        format!("A(x) :- x{} = 1", long("*x")),
        format!("A(x) :- x{}", long(" < x")),
        format!("A(\"{}\")", long("a")),
        format!("A(\"{}\")", long("\\n")),
        format!("A({})", long("x")),
        format!("A({})", long("é")),
        format!("A(\"{}\")", long("\\u{e9}é")),
        format!("A(x) :- x = [{}x for x in x]", long("x + ")),
        long("op F(x) -> (y) since 2.\n"),
        long("domain \"a\"\n") + "op F(x) -> (y)",
        format!("op F [a: ints = [{}]] (x) -> (y)", long("-1, ")),
        format!("op F(x: {{{}}}[{}]) -> (y)", long("f32, "), long("n, ")),
        format!(
            "A(x) :- known({}x) => ({}true)",
            long("x, "),
            long("B(x), ")
        ),
        format!(
            "A(x) :- \"{}(n)->()\"({}x)",
            "(n),".repeat(10_000),
            "x, ".repeat(10_001)
        ),
    ] {
        same(&text);
    }
    let names: Vec<String> = (0..50_000).map(|i| format!("x{i}")).collect();
    let all = format!("A({}) :- B({})", names.join(", "), names.join(", "));
    same(&all);
    same(&format!("op F({}) -> ()", names.join(", ")));
    same(&format!("op F [{}: int] () -> ()", names.join(": int, ")));
}

#[test]
fn errors_at_the_end_of_long_files_are_short() {
    for text in [
        long("A(x)\n") + "A(x",
        long("A(x)\n") + "A(x) = 2",
        long("A(x)\n") + "A(\"(m n)->()\")\nB(x) :- \"(m n)->()\"(x, x)",
        format!("A({}x y)", long("x, ")),
        format!("A(\"{}", long("a")),
        format!("A(\"{}\")", long("\\q")),
        format!("A(x) :- \"{}\"(x)", long("(n),")),
        long("\u{1b}"),
        long("("),
        long("A"),
        format!("A(x) {}", long("A")),
        format!("A(x {})", long("A")),
        format!("A(x) :- {}", long("A")),
        format!("A(x) :- {}[0]: Float", long("A")),
        format!("A(x) :- x = [1 for {0}, {0} in x, x]", long("A")),
        format!("A([*{}])", long("A")),
        format!("A(x)) {}", long("A")),
        format!("op {}", long("A")),
        format!("op {0}({0}, {0}) -> ()", long("A")),
        format!("op A(..{}, x) -> ()", long("A")),
        format!("op A(x) -> (y) since {}", long("1")),
        format!("op A [{}] (x) -> (y)", long("A")),
        format!("op A({}x: T) -> (y)", long("x, ")),
        long("domain "),
        long("op "),
        format!("A(x) :- {}x", long("known(x) => ")),
        format!("A({})", long("1") + ".0"),
    ] {
        let d = parse_relations(&text).unwrap_err();
        assert!(d.to_string().len() < 2000, "{}", d.code);
    }
    let text = format!("A({}) :-\n  B(1)\n  {}(2)", long("x"), long("B"));
    for d in relation::warnings(&parse_relations(&text).unwrap(), &text, |_| false) {
        assert!(d.to_string().len() < 2000, "{}", d.code);
    }
}

/// Twice as many clauses take about twice the time; a hundred times as long is what only a square
/// would need.
#[test]
fn time_grows_with_the_length() {
    let time = |clauses: usize| -> Duration {
        let text: String = (0..clauses)
            .map(|i| format!("/// No. {i}.\nR{i}(Tensor(sh{i}, bt), O) :- O = Tensor((sh{i}[0], prod(sh{i}[1:])), bt)\n"))
            .collect();
        let start = Instant::now();
        let file = parse_relations(&text).unwrap();
        assert_eq!(file.clauses.len(), clauses);
        assert!(relation::warnings(&file, &text, |_| false).is_empty());
        start.elapsed()
    };
    let few = time(1_000);
    let many = time(10_000);
    assert!(
        many < few * 100 + Duration::from_millis(200),
        "{few:?} {many:?}"
    );
}

#[test]
fn nesting_is_bounded() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, inner, close) in [
        ("(", "x", ")"),
        ("(", "x", ",)"),
        ("(", "B(x)", ")"),
        ("(true ; ", "true", ")"),
        ("(true, ", "true", ")"),
        ("[", "x", "]"),
        ("{", "x", "}"),
        ("f(", "x", ")"),
        ("ceil(", "x", "/2)"),
        ("[..", "x", "]"),
        ("[x for x in ", "x", "]"),
        ("x[", "0", "]"),
        ("x[0:", "0", "]"),
        ("2*(1 + ", "x", ")"),
        ("known(x) => (", "true", ")"),
    ] {
        let read = |depth| {
            let inner = nested(open, inner, close, depth);
            parse_relations(&format!("A(x) :- {inner} = x"))
                .or_else(|_| parse_relations(&format!("A(x) :- {inner}")))
        };
        let file = read(MAX_DEPTH - 1).unwrap_or_else(|d| panic!("{d}"));
        let print = file.to_string();
        assert_eq!(parse_relations(&print).unwrap(), file);
        assert_eq!(
            read(MAX_DEPTH + 1).unwrap_err().code,
            code::TOO_DEEP,
            "{open}"
        );
        assert_eq!(read(LONG).unwrap_err().code, code::TOO_DEEP, "{open}");
    }
}

#[test]
fn nesting_is_bounded_in_operators() {
    for (before, behind) in [
        ("op F [a: ints = ", "] () -> ()"),
        ("op F(x: T[n, ", "]) -> ()"),
        ("op F() -> (x: A(", "))"),
    ] {
        let read = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            parse_relations(&format!("{before}{open}{close}{behind}"))
        };
        let file = read(MAX_DEPTH - 2).unwrap_or_else(|d| panic!("{d}"));
        assert_eq!(parse_relations(&file.to_string()).unwrap(), file);
        assert_eq!(read(MAX_DEPTH).unwrap_err().code, code::TOO_DEEP);
        assert_eq!(read(LONG).unwrap_err().code, code::TOO_DEEP);
    }
}

/// Brackets behind a term nest the tree without nesting in each other.
#[test]
fn brackets_behind_a_term_are_bounded() {
    let read = |count| parse_relations(&format!("A(x) :- x{} = 1", "[0]".repeat(count)));
    assert!(read(8).is_ok());
    assert_eq!(read(9).unwrap_err().code, code::TOO_DEEP);
    assert_eq!(read(LONG).unwrap_err().code, code::TOO_DEEP);
    // As deep as a tree can be, on the small stack of a test.
    let mut term = "x".to_owned();
    for _ in 0..MAX_DEPTH - 2 {
        term = format!("(2*({term} + 1){})", "[0]".repeat(8));
        if term.matches('(').count() + 4 > MAX_DEPTH {
            break;
        }
    }
    let text = format!("A(x) :- {term} = 1");
    same(&text);
    let file = parse_relations(&text).unwrap();
    assert_eq!(file.clone(), file);
    assert!(format!("{file:?}").len() > 1000);
}
