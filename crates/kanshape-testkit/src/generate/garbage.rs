//! Texts that are not of the language, or only by chance: for parsers, which must refuse them well.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::signature::signature_texts;

/// What the language is written with, and some things that look like it.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "->",
    "=>",
    "=",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "|",
    "|1",
    "?",
    "...",
    "..",
    ".",
    ".2.",
    ".k.",
    "...r",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "<-",
    "0",
    "1",
    "2",
    "007",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1e3",
    "0x1f",
    "n",
    "m",
    "k",
    "T",
    "_",
    "d0",
    "where",
    "in",
    "and",
    "fn",
    "forall",
    "dim",
    "dtype",
    "Type",
    "type",
    "tuple",
    "Tensor",
    "TensorType",
    "tensor",
    "List",
    "f32",
    "float",
    "int",
    "float32",
    "bool",
    "Float",
    "promote",
    "prod",
    "min",
    "max",
    "ceil",
    "broadcast",
    "Broadcast",
    "None",
    "x",
    "2x?xf32",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\u{a0}",
    "\u{feff}",
    "→",
    "×",
    "é",
    "n\u{301}",
    "\u{202e}",
    "🦀",
    "\0",
    "\"",
    "'",
    "\\",
    ";",
    "#",
    "@",
    "6@district",
    "%x",
    "$",
];

/// A text near the language: tokens thrown together, a signature with a few places spoilt,
/// brackets to a great depth, or any characters at all.
pub fn garbage() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => token_soup(),
        5 => spoilt(signature_texts()),
        1 => deep(),
        1 => any::<String>(),
        1 => vec(any::<u8>(), 0..40).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

/// Tokens of the language in any order.
pub fn token_soup() -> impl Strategy<Value = String> {
    vec(select(TOKENS), 0..24).prop_map(|tokens| tokens.concat())
}

/// Texts with up to four characters or stretches removed, doubled, replaced or put in.
pub fn spoilt(texts: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let change = (any::<Index>(), any::<Index>(), 0..4u8, select(TOKENS));
    (texts, vec(change, 1..=4)).prop_map(|(text, changes)| {
        let mut text = text;
        for (from, to, kind, token) in changes {
            let (from, to) = (boundary(&text, from), boundary(&text, to));
            let (from, to) = (from.min(to), from.max(to));
            let new = match kind {
                0 => String::new(),
                1 => text[from..to].repeat(2),
                2 => token.to_owned(),
                _ => format!("{token}{}", &text[from..to]),
            };
            text.replace_range(from..to, &new);
        }
        text
    })
}

/// Brackets and operators nested a few thousand deep.
pub fn deep() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "(", "[", "{", "((n)+", "min(", "-", "n*(", "ceil(1/", "f32[", "fn(",
    ]);
    (piece, 1..5000usize, any::<bool>()).prop_map(|(piece, depth, closed)| {
        let mut text = format!("({}", piece.repeat(depth));
        if closed {
            text += "n";
            text += &")".repeat(depth + 1);
            text += "->()";
        }
        text
    })
}

/// Some place between two characters.
fn boundary(text: &str, at: Index) -> usize {
    let places: Vec<usize> = text
        .char_indices()
        .map(|(place, _)| place)
        .chain([text.len()])
        .collect();
    *at.get(&places)
}
