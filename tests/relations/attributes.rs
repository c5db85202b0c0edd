//! Attributes of operators that are one of several things: a number, a list, lists of lists, or none.

use kanshape::{AttrValue, Call, Operator, Relations};

const OWN: &str = "
    op Sort [axis: int? = -1] (x: T[..sh]) -> (y: T[..out]) :-
        axis = none, out = [prod(sh)] ;
        axis = some(at), -len(sh) <= at < len(sh), out = sh
    op Pad [width: int_or_lists] (x: T[..sh]) -> (y: T[..out]) :-
        width = one(n), out = [d + n for d in sh] ;
        width = many([a, b]), out = [d + a + b for d in sh] ;
        width = lists([first, ..more]), Widened([first, ..more], sh, out)
    Widened([], [], [])
    Widened([list, ..lists], [d, ..ds], [d + sum(list), ..os]) :- Widened(lists, ds, os)
";

fn operator(name: &str) -> Operator {
    let relations = Relations::load_str("own.kan", OWN).unwrap();
    relations.operator(name, None).unwrap()
}

/// The answers to a call with this attribute, each with the attributes that were queried.
fn answers(
    name: &str,
    input: &str,
    output: Option<&str>,
    attr: Option<(&str, AttrValue)>,
) -> Vec<String> {
    let call = Call {
        inputs: vec![Some(input.parse().unwrap())],
        outputs: output.map(|ty| vec![Some(ty.parse().unwrap())]),
        attrs: attr
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .collect(),
        ..Call::default()
    };
    let answers = operator(name).query(call).unwrap().solve().unwrap();
    answers.map(|answer| answer.to_string()).collect()
}

#[test]
fn a_default_counts_unless_the_attribute_is_said_to_be_none() {
    let sort =
        |axis: Option<AttrValue>| answers("Sort", "f32[2, 3]", None, axis.map(|a| ("axis", a)));
    assert_eq!(sort(None), ["f32[2, 3] -> f32[2, 3]"]);
    assert_eq!(sort(Some(0.into())), ["f32[2, 3] -> f32[2, 3]"]);
    assert!(sort(Some(2.into())).is_empty());
    for none in [AttrValue::Absent, "-".into(), "none".into(), "None".into()] {
        assert_eq!(sort(Some(none)), ["f32[2, 3] -> f32[6]"]);
    }
    // Queried, it may be none as well.
    let found = answers(
        "Sort",
        "f32[2, 3]",
        Some("f32[6]"),
        Some(("axis", AttrValue::Unknown)),
    );
    assert_eq!(found, ["[axis = -] f32[2, 3] -> f32[6]"]);
}

#[test]
fn a_number_a_list_or_lists() {
    let pad = |width: AttrValue| answers("Pad", "f32[2, n]", None, Some(("width", width)));
    assert_eq!(pad(1.into()), ["f32[2, n] -> f32[3, n + 1]"]);
    assert_eq!(pad([1, 2].into()), ["f32[2, n] -> f32[5, n + 3]"]);
    assert_eq!(
        pad([vec![1], vec![2, 3]].into()),
        ["f32[2, n] -> f32[3, n + 5]"]
    );
    assert_eq!(pad("[[1], [2, 3]]".into()), ["f32[2, n] -> f32[3, n + 5]"]);
    // A number among lists is a list of one.
    let mixed = AttrValue::List(vec![1.into(), [2, 3].into()]);
    assert_eq!(pad(mixed), ["f32[2, n] -> f32[3, n + 5]"]);
    assert!(pad([vec![1]].into()).is_empty());
}

#[test]
fn lists_are_found_out() {
    let width = AttrValue::List(vec![[1].into(), AttrValue::List(vec![AttrValue::Hole])]);
    let found = answers(
        "Pad",
        "f32[2, 3]",
        Some("f32[3, 5]"),
        Some(("width", width)),
    );
    assert_eq!(found, ["[width = [[1], [2]]] f32[2, 3] -> f32[3, 5]"]);
}
