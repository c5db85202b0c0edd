//! Sequences: which tensor of one is which, where the model says it.

use crate::encode::{Dim, Message, body, graph, input, int_attr, ints, model, node, value};
use crate::survive::survive;

/// What is given: tensors of which each has a dim of its own, and numbers to point at places with.
fn with_given(nodes: &[Message]) -> Message {
    let of = |name: &str, dims: &[Dim]| input(name, 1, dims);
    let inputs = [
        of("a", &["n".into(), 2.into()]),
        of("b", &["n".into(), 3.into()]),
        of("c", &["m".into(), 3.into()]),
        of("six", &[6.into(), "n".into()]),
        input("place", 7, &[]),
        input("go", 9, &[]),
    ];
    let numbers = [-3, -1, 0, 1, 2].map(|n| ints(&format!("at{n}"), &[], &[n]));
    let sizes = ints("sizes", &[3], &[1, 2, 3]);
    graph(nodes, &inputs, &[])
        .messages(5, &numbers)
        .message(5, &sizes)
}

/// The types of values of these nodes. What is open is a `?`, whatever it is called.
#[track_caller]
fn assert_types(nodes: &[Message], types: &[(&str, &str)]) {
    survive(&model(&with_given(nodes), 18), |_, report| {
        let found = types.iter().map(|(name, _)| {
            let ty = report.value(name).map(ToString::to_string);
            (*name, without_names(&ty.unwrap_or_default()))
        });
        let types = types.iter().map(|(name, ty)| (*name, (*ty).to_owned()));
        assert_eq!(found.collect::<Vec<_>>(), types.collect::<Vec<_>>());
        assert_eq!(report.problems, []);
    })
    .unwrap();
}

/// `d0`, `d1` and so on are names that nobody gave.
fn without_names(ty: &str) -> String {
    let mut text = String::new();
    let mut chars = ty.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == 'd' && next.is_ascii_digit() => {
                while chars.next_if(char::is_ascii_digit).is_some() {}
                text.push('?');
            }
            _ => text.push(c),
        }
    }
    text
}

fn op(op: &str, inputs: &[&str], output: &str) -> Message {
    node(op, inputs, &[output])
}

fn abc() -> Message {
    op("SequenceConstruct", &["a", "b", "c"], "abc")
}

#[test]
fn a_member_is_what_was_put_there() {
    assert_types(
        &[
            abc(),
            op("SequenceAt", &["abc", "at1"], "second"),
            op("SequenceAt", &["abc", "at-1"], "last"),
            op("SequenceAt", &["abc", "at-3"], "first"),
            op("SequenceAt", &["abc", "place"], "any"),
            op("SequenceLength", &["abc"], "count"),
        ],
        &[
            ("abc", "Sequence[f32[?, ?]]"),
            ("second", "f32[n, 3]"),
            ("last", "f32[m, 3]"),
            ("first", "f32[n, 2]"),
            ("any", "f32[?, ?]"),
            ("count", "i64[] = [3]"),
        ],
    );
}

#[test]
fn what_is_put_in_and_taken_out_moves_the_others() {
    assert_types(
        &[
            op("SequenceEmpty", &[], "none"),
            op("SequenceInsert", &["none", "a"], "one"),
            op("SequenceInsert", &["one", "b", "at0"], "two"),
            op("SequenceInsert", &["two", "c", "at-1"], "three"),
            op("SequenceAt", &["three", "at0"], "b0"),
            op("SequenceAt", &["three", "at1"], "c1"),
            op("SequenceAt", &["three", "at2"], "a2"),
            op("SequenceErase", &["three"], "without_a"),
            op("SequenceErase", &["three", "at-3"], "without_b"),
            op("SequenceAt", &["without_b", "at0"], "c0"),
            op("Identity", &["without_b"], "same"),
            op("SequenceLength", &["same"], "count"),
        ],
        &[
            ("two", "Sequence[f32[n, ?]]"),
            ("b0", "f32[n, 3]"),
            ("c1", "f32[m, 3]"),
            ("a2", "f32[n, 2]"),
            ("without_a", "Sequence[f32[?, 3]]"),
            ("without_b", "Sequence[f32[?, ?]]"),
            ("c0", "f32[m, 3]"),
            ("count", "i64[] = [2]"),
        ],
    );
}

/// Where a place is data, nothing is noted of what comes of it, and nothing of what comes of that.
#[test]
fn a_place_that_is_not_known() {
    assert_types(
        &[
            abc(),
            op("SequenceErase", &["abc", "place"], "left"),
            op("SequenceAt", &["left", "at0"], "first"),
            op("SequenceInsert", &["abc", "a", "place"], "more"),
            op("SequenceAt", &["more", "at0"], "other"),
            op("SequenceLength", &["more"], "count"),
        ],
        &[
            ("first", "f32[?, ?]"),
            ("other", "f32[?, ?]"),
            ("count", "i64[]"),
        ],
    );
}

#[test]
fn members_that_are_put_together() {
    let along = |axis| int_attr("axis", axis);
    let stack = |own: Message| own.message(5, &int_attr("new_axis", 1));
    assert_types(
        &[
            op("SequenceConstruct", &["b", "c"], "bc"),
            op("SequenceConstruct", &["b", "b"], "bb"),
            op("ConcatFromSequence", &["bc"], "long").message(5, &along(0)),
            op("ConcatFromSequence", &["bb"], "wide").message(5, &along(-1)),
            stack(op("ConcatFromSequence", &["bb"], "high").message(5, &along(0))),
            stack(op("ConcatFromSequence", &["bb"], "deep").message(5, &along(-1))),
        ],
        &[
            ("long", "f32[n + m, 3]"),
            ("wide", "f32[n, 6]"),
            ("high", "f32[2, n, 3]"),
            ("deep", "f32[n, 3, 2]"),
        ],
    );
}

#[test]
fn parts_of_a_tensor() {
    let along = |axis| int_attr("axis", axis);
    let bare = int_attr("keepdims", 0);
    assert_types(
        &[
            op("SplitToSequence", &["six", "sizes"], "parts"),
            op("SequenceAt", &["parts", "at1"], "part"),
            op("SplitToSequence", &["six", "at2"], "pairs").message(5, &along(-2)),
            op("SequenceLength", &["pairs"], "count"),
            op("SplitToSequence", &["six"], "rows").message(5, &bare),
            op("SequenceAt", &["rows", "at-1"], "row"),
            op("ConcatFromSequence", &["rows"], "whole").message(5, &along(0)),
            // How many there are of `n` is not known.
            op("SplitToSequence", &["six"], "columns").message(5, &along(1)),
            op("SequenceLength", &["columns"], "many"),
        ],
        &[
            ("parts", "Sequence[f32[?, n]]"),
            ("part", "f32[2, n]"),
            ("pairs", "Sequence[f32[2, n]]"),
            ("count", "i64[] = [3]"),
            ("row", "f32[n]"),
            ("whole", "f32[6*n]"),
            ("many", "i64[]"),
        ],
    );
}

/// What a loop is given at first is not what its body is given in the turns after.
#[test]
fn a_loop_that_adds_to_a_sequence() {
    let turn = graph(
        &[
            op("Identity", &["on"], "still"),
            op("SequenceLength", &["own"], "so_many"),
            op("SequenceAt", &["own", "at0"], "head"),
            op("SequenceInsert", &["own", "b"], "more"),
        ],
        &["i", "on", "own"].map(|name| value(name, None)),
        &["still", "more"].map(|name| value(name, None)),
    );
    let around = |given: &str| {
        let run = op("Loop", &["", "go", given], "all").message(5, &body("body", &turn));
        [
            op("SequenceConstruct", &["b"], "just_b"),
            op("SequenceConstruct", &["c"], "just_c"),
            run,
            op("SequenceLength", &["all"], "count"),
            op("SequenceAt", &["all", "at0"], "first"),
        ]
    };
    assert_types(
        &around("just_b"),
        &[
            ("Loop#2/body/so_many", "i64[]"),
            // That all members have the same size is known of numbers only.
            ("Loop#2/body/head", "f32[?, 3]"),
            ("count", "i64[]"),
            ("first", "f32[?, 3]"),
        ],
    );
    assert_types(
        &around("just_c"),
        &[
            ("Loop#2/body/so_many", "i64[]"),
            ("Loop#2/body/head", "f32[?, 3]"),
            ("first", "f32[?, 3]"),
        ],
    );
}

#[test]
fn a_place_where_nothing_is() {
    assert_types(
        &[
            op("SequenceConstruct", &["b"], "one"),
            op("SequenceAt", &["one", "at2"], "nothing"),
            op("SequenceErase", &["one", "at2"], "left"),
            op("SequenceLength", &["left"], "count"),
        ],
        &[("nothing", "f32[?, 3]"), ("count", "i64[]")],
    );
}

/// More than can be examined one by one: what all of them have in common is said, and soon.
#[test]
fn a_sequence_of_thousands() {
    let names: Vec<String> = (0..=10_000).map(|i| format!("s{i}")).collect();
    let mut nodes = vec![op("SequenceEmpty", &[], &names[0])];
    for pair in names.windows(2) {
        nodes.push(op("SequenceInsert", &[&pair[0], "b"], &pair[1]));
    }
    let last = names.last().unwrap();
    nodes.push(op("SequenceLength", &[last], "count"));
    nodes.push(op("SequenceAt", &[last, "at-1"], "b_again"));
    let along = int_attr("axis", 0);
    nodes.push(op("ConcatFromSequence", &[last], "long").message(5, &along));
    assert_types(
        &nodes,
        &[
            ("count", "i64[] = [10000]"),
            ("b_again", "f32[n, 3]"),
            ("long", "f32[?, 3]"),
        ],
    );
}
