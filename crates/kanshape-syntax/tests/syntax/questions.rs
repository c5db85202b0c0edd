//! Questions split into the texts of their parts.

use kanshape_syntax::{Question, code, split_binding, split_list, split_question};
use proptest::prelude::*;

fn split(text: &str) -> Question<'_> {
    split_question(text).unwrap_or_else(|d| panic!("{d}"))
}

#[test]
fn all_parts() {
    let question =
        split("[s = 2, mode = \"a, ]\"] f32[2, n],  - -> (?, i64[]) where n >= 3, n < 9");
    assert_eq!(question.values, [("s", "2"), ("mode", "\"a, ]\"")]);
    assert_eq!(question.inputs, ["f32[2, n]", "-"]);
    assert_eq!(question.outputs, Some(vec!["(?, i64[])"]));
    assert_eq!(question.conditions, Some("n >= 3, n < 9"));
}

#[test]
fn parts_that_are_left_out() {
    assert_eq!(split(""), Question::default());
    assert_eq!(split("?").inputs, ["?"]);
    assert_eq!(split("?").outputs, None);
    assert_eq!(split("-> f32[2]").inputs, [""; 0]);
    assert_eq!(split("f32[2] ->").outputs, Some(vec![]));
    assert_eq!(split("[] ?").values, []);
    assert_eq!(split("[a = [1, [2, 3]]]").values, [("a", "[1, [2, 3]]")]);
}

#[test]
fn what_a_type_has_in_it_is_no_part_of_the_question() {
    let question = split("fn(f32[2], ?) -> f32[], tensor<2x?xf32>, {f32, f64}[n] -> fn() -> ?, ?");
    assert_eq!(
        question.inputs,
        ["fn(f32[2], ?) -> f32[]", "tensor<2x?xf32>", "{f32, f64}[n]"]
    );
    assert_eq!(question.outputs, Some(vec!["fn() -> ?", "?"]));
    let question = split("i64[2] = [n, 2], str[1] = [\"a -> b, where\"] -> ?");
    assert_eq!(
        question.inputs,
        ["i64[2] = [n, 2]", "str[1] = [\"a -> b, where\"]"]
    );
}

#[test]
fn mistakes() {
    let mistake = |text: &str, headline: &str, help: &[&str]| {
        let d = split_question(text).unwrap_err();
        assert_eq!(
            (d.code, &*d.headline),
            (code::NO_QUESTION, headline),
            "{text}"
        );
        assert_eq!(d.help, help, "{text}");
        assert!(d.labels.iter().all(|l| l.end <= text.len()), "{text}");
    };
    let named = "a parameter or an attribute is given as `NAME = VALUE`";
    mistake("[axis: 1] f32[2]", named, &["write `axis = 1`"]);
    mistake("[axis] f32[2]", named, &["to query it, write `axis = ?`"]);
    mistake("[axis =] f32[2]", named, &[]);
    mistake("[2 = 3] f32[2]", named, &[]);
    mistake("[axis = 1 f32[2]", "a bracket that is never closed", &[]);
    let comma = "something is missing beside a comma";
    let hole = ["write `?` for an operand of which nothing is known"];
    mistake("?, , ?", comma, &hole);
    mistake("? -> ?,", comma, &hole);
    mistake("[a = 1,, b = 2] ?", comma, &hole);
}

#[test]
fn what_is_no_word_of_the_language_belongs_to_its_part() {
    // Whoever reads the type says what is wrong with it.
    assert_eq!(split("f32[2], f32[$2]").inputs, ["f32[2]", "f32[$2]"]);
    assert_eq!(split("f32[2], \"a").inputs, ["f32[2]", "\"a"]);
}

#[test]
fn lists_and_bindings() {
    assert_eq!(split_list("[1, ?, [2, 3]]"), Some(vec!["1", "?", "[2, 3]"]));
    assert_eq!(split_list(" [] "), Some(vec![]));
    for text in ["", "2", "[1", "[1] [2]", "f32[2]", "[1,, 2]", "[$]"] {
        assert_eq!(split_list(text), None, "{text}");
    }
    assert_eq!(
        split_binding("equation = ij,jk->ik"),
        Some(("equation", "ij,jk->ik"))
    );
    assert_eq!(split_binding("axis"), None);
}

fn line() -> impl Strategy<Value = String> {
    let word = prop::sample::select(
        &[
            "[", "]", "(", ")", "{", "}", ",", "->", "where", "fn", "=", ":", "?", "-", "f32", "n",
            "2", "\"", "é", "$", " ", "...", "<", ">",
        ][..],
    );
    prop::collection::vec(word, 0..24).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn nothing_is_lost_or_made_up(text in line()) {
        let Ok(question) = split_question(&text) else { return Ok(()) };
        let inputs = question.inputs.iter().copied();
        let values = question.values.iter().flat_map(|(name, value)| [*name, *value]);
        let outputs = question.outputs.iter().flatten().copied();
        let mut at = 0;
        for part in values.chain(inputs).chain(outputs).chain(question.conditions) {
            let found = text[at..].find(part);
            prop_assert!(found.is_some(), "{text}: {part}");
            at += found.unwrap_or(0) + part.len();
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        let _ = split_question(&text);
        let _ = split_list(&text);
    }
}

#[test]
fn a_long_text_takes_no_long_time() {
    for part in ["[", "(", ",", "f32[2],", "->", "fn(", "where ", "\""] {
        let text = part.repeat(100_000);
        let _ = split_question(&text);
        let _ = split_list(&text);
    }
}
