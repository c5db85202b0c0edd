//! No text makes the reader panic, and every error points into its text.

use kanshape_syntax::{code, parse_relations, relation};
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of texts, put together at random.
const SOUP: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":-",
    ":",
    ",",
    ";",
    ".",
    "..",
    "...",
    "+",
    "-",
    "*",
    "//",
    "/",
    "%",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    " ",
    "\n",
    "_",
    "true",
    "false",
    "none",
    "in",
    "for",
    "not",
    "and",
    "|",
    "&",
    "!",
    "->",
    "<-",
    ":=",
    "=>",
    "x",
    "A",
    "A(",
    "B(x)",
    "2",
    "0",
    "\"a\"",
    "\"(n)->()\"",
    "\"",
    "\\",
    "'",
    "#",
    "///",
    "/// d\n",
    "Float",
    "Tensor(",
    "ceil(",
    "..r",
    "[0]",
    "[1:]",
    "é",
    "\u{202e}",
    "\u{0}",
    "A(x) :- ",
    "x = ",
    "op ",
    "op F(x)",
    "-> (y)",
    " [",
    "a: int",
    "x: T[n]",
    "?",
    " since 7",
    "domain ",
    "known(x) => ",
    "0.5",
    "1e",
    "\r\n",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(select(SOUP), 0..24).prop_map(|pieces| pieces.concat())
}

/// A text that reads, with one piece of it replaced.
fn broken() -> impl Strategy<Value = String> {
    let good = select(
        &[
            "Flatten(Tensor(sh, bt), O) :- O = Tensor((sh[0], prod(sh[1:])), bt)\nB(1).",
            "/// Doc.\nAppend([x, ..xs], ys, [x, ..zs]) :- Append(xs, ys, zs). A(\"a\\n\")",
            "A(sh: Shape, n) :- (1 <= n <= 8, sh[i:-1] = n ; n in {1, 2}), bt: Float",
            "A(x) :- \"(m,n),(n,p)->(m,p)\"(x, [y + 1 for y, _ in x, x], none)",
            "domain \"a\"\n/// > f32[]\nop F [a: int = -1, b: ints?] (x: T[n, ..r]?, ..xs) -> (y) since 7 :- x = 1",
            "op F(x: {i32, i64}[_] = s) -> (y: Sequence(A)) :- known(s, x) => (s = 0.5, A(x)).\nop G \"(n)->()\"",
            "A(x) :- x = ceil((x + 2)/3) - (2*x % 4), true, false # comment",
        ][..],
    );
    let at = any::<prop::sample::Index>();
    (good, at, 0..4usize, select(SOUP)).prop_map(|(good, at, removed, piece)| {
        let start = at.index(good.len());
        let end = (start + removed).min(good.len());
        format!("{}{piece}{}", &good[..start], &good[end..])
    })
}

fn read(text: &str) -> Result<(), TestCaseError> {
    match parse_relations(text) {
        Ok(file) => {
            let print = file.to_string();
            let again = parse_relations(&print).map_err(|d| TestCaseError::fail(d.to_string()))?;
            prop_assert_eq!(&again, &file);
            prop_assert_eq!(again.to_string(), print);
            for warning in relation::warnings(&file, text, |_| false) {
                points_into(text, &warning.with_source("relations", text))?;
            }
            Ok(())
        }
        Err(d) => points_into(text, &d),
    }
}

fn points_into(text: &str, d: &kanshape_diag::Diagnostic) -> Result<(), TestCaseError> {
    prop_assert!(
        code::ALL.iter().any(|(code, _)| *code == d.code),
        "{}",
        d.code
    );
    prop_assert_eq!(&d.source.as_ref().unwrap().text, text);
    prop_assert!(!d.labels.is_empty());
    for label in &d.labels {
        let (start, end) = (label.start, label.end);
        prop_assert!(start <= end && end <= text.len(), "{:?}", d);
        prop_assert!(text.is_char_boundary(start) && text.is_char_boundary(end));
        prop_assert!(!label.text.ends_with("expected "), "{:?}", d);
    }
    let shown = d.to_string();
    let unsafe_char = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    prop_assert!(!shown.contains(unsafe_char), "{shown:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_characters(text in any::<String>()) {
        read(&text)?;
    }

    #[test]
    fn any_bytes(bytes in any::<Vec<u8>>()) {
        read(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_pieces(text in soup()) {
        read(&text)?;
    }

    #[test]
    fn almost_right(text in broken()) {
        read(&text)?;
    }
}
