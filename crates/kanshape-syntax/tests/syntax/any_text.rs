//! No text makes a reader panic, and every error points into its text.

use std::fmt::Display;

use kanshape_diag::Diagnostic;
use kanshape_syntax::{
    code, parse_condition, parse_conditions, parse_expr, parse_signature, parse_type,
};
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
    "->",
    "=>",
    ",",
    ":",
    "...",
    ".",
    "?",
    "|",
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
    "n",
    "m",
    "k",
    "2",
    "1",
    "0",
    "f32",
    "in",
    "and",
    "where",
    "dim",
    "dtype",
    "fn",
    "forall",
    "tensor",
    "Tensor",
    "TensorType",
    "tuple",
    "type",
    "Type",
    "promote",
    "PromotedDType",
    "ConcatDim",
    "min",
    "prod",
    "ceil",
    "broadcast",
    "None",
    "...r",
    ".k.",
    ".2.",
    "|1",
    "@",
    "6@n",
    "@d",
    "(n)",
    "f32[2]",
    "→",
    "é",
    "\u{202e}",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(select(SOUP), 0..24).prop_map(|pieces| pieces.concat())
}

/// A text that reads, with one piece of it replaced.
fn broken() -> impl Strategy<Value = String> {
    let good = select(
        &[
            "[stride: s, pad: p] +2(c,h?),(o,.k.,n|1):t->(o,(h + 2*p - k)//s + 1) where s >= 1",
            "(dim a, dtype x) -> (Tensor((a,), x)) -> Tensor((ConcatDim([a, a]),), x)",
            "forall (A : Type) (B : Type), Same(A, B) => (A, B) -> A",
            "RandomState, Sparse[t[m, n], f], fn(t[n], ?) -> u[] -> List[type A], promote(t, u)[n]",
            "(Tensor[(2, None), T], TensorType(T, (?,)), Tensor((n,), T))",
            "Pair[Tensor[(2, n), T], tensor<2x?xf32>]",
            "(f32[2, n, ?], List[type ?], fn(T[...r]) -> tensor<2x?xf32>) where T in {f32, f64}",
            "1 <= n <= 8, x: {f32, f64} and ... == broadcast(...a, ...b)",
            "(6@district,n),(7 @ d)->(n,6@district) where n == 6@district, n in {6@a, 7@b}",
            "((6@d), f32[6@district, n]) where n != 6@d, n == broadcast(m, 6@d)",
        ][..],
    );
    let at = any::<prop::sample::Index>();
    (good, at, 0..4usize, select(SOUP)).prop_map(|(good, at, removed, piece)| {
        let start = at.index(good.len());
        let end = (start + removed).min(good.len());
        format!("{}{piece}{}", &good[..start], &good[end..])
    })
}

/// Reads `text` as everything there is.
fn read(text: &str) -> Result<(), TestCaseError> {
    check(text, parse_signature)?;
    check(text, parse_type)?;
    check(text, parse_condition)?;
    check(text, parse_expr)?;
    let list = parse_conditions(text);
    if let Err(d) = &list {
        points_into(text, d)?;
    }
    Ok(())
}

fn check<T: Display + PartialEq + std::fmt::Debug>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, Diagnostic>,
) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(tree) => {
            let print = tree.to_string();
            let again = parse(&print).map_err(|d| TestCaseError::fail(d.to_string()))?;
            prop_assert_eq!(&again, &tree);
            prop_assert_eq!(again.to_string(), print);
            Ok(())
        }
        Err(d) => points_into(text, &d),
    }
}

fn points_into(text: &str, d: &Diagnostic) -> Result<(), TestCaseError> {
    prop_assert!(
        code::ALL.iter().any(|(code, _)| *code == d.code),
        "{}",
        d.code
    );
    prop_assert!(!d.labels.is_empty());
    for label in &d.labels {
        prop_assert!(
            label.start <= label.end && label.end <= text.len(),
            "{:?}",
            d
        );
        prop_assert!(text.is_char_boundary(label.start) && text.is_char_boundary(label.end));
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
