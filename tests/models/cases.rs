//! What has to hold where a branch is run: in groups, and in words of the inputs.

use crate::encode::{
    Message, body, graph, input, int_attr, ints, ints_attr, message, model, node, value,
};
use crate::survive::survive;
use kanshape_onnx::{cases, signature};

const F32: i64 = 1;
const I32: i64 = 6;
const I64: i64 = 7;
const BOOL: i64 = 9;

fn named(name: &str, op: &str, inputs: &[&str], outputs: &[&str]) -> Message {
    node(op, inputs, outputs).text(3, name)
}

/// Frames of a signal, of which there has to be just one.
fn one_frame(window: &str, step: i64) -> Vec<Message> {
    let frames = node("Conv", &["x", window], &["frames"]);
    vec![
        frames.message(5, &ints_attr("strides", [step])),
        node("Squeeze", &["frames", "last"], &["r"]),
    ]
}

/// A model whose branch is chosen by what these nodes give as `cond`.
fn chosen_by(nodes: &[Message], branches: [Vec<Message>; 2]) -> Vec<u8> {
    let branch = |nodes: &[Message]| graph(nodes, &[], &[value("r", None)]);
    let choice = named("choice", "If", &["cond"], &["y"])
        .message(5, &body("then_branch", &branch(&branches[0])))
        .message(5, &body("else_branch", &branch(&branches[1])));
    let nodes = [nodes, &[choice]].concat();
    let inputs = [
        input("x", F32, &["b".into(), 1.into(), "n".into()]),
        input("rate", I64, &[]),
        input("small", I32, &[]),
        input("on", BOOL, &[]),
        input("ids", I64, &["k".into()]),
        input("wide", F32, &[1.into(), 1.into(), 192.into()]),
        input("narrow", F32, &[1.into(), 1.into(), 96.into()]),
    ];
    let tensors = [
        ints("last", &[1], &[2]),
        ints("flat", &[1], &[-1]),
        ints("kilo", &[], &[16000]),
        ints("zero", &[], &[0]),
        ints("two", &[], &[2]),
        message().int(2, BOOL).int(5, 1).text(8, "yes"),
    ];
    let graph = graph(&nodes, &inputs, &[value("y", None)]).messages(5, &tensors);
    model(&graph, 17)
}

fn line(bytes: &[u8]) -> String {
    survive(bytes, |_, report| signature(report)).unwrap()
}

fn both() -> [Vec<Message>; 2] {
    [one_frame("wide", 512), one_frame("narrow", 256)]
}

/// When the first of two cases holds.
fn first_case(nodes: &[Message]) -> String {
    let when = survive(&chosen_by(nodes, both()), |_, report| {
        let cases = cases(&report.conditions);
        let of_branches = cases.iter().filter(|case| !case.under.is_empty());
        let all: Vec<String> = of_branches.map(|case| case.when()).collect();
        assert_eq!(all[1], "else");
        all[0].clone()
    });
    when.unwrap()
}

#[test]
fn conditions_are_grouped_by_what_the_inputs_are() {
    let nodes = [node("Equal", &["rate", "kilo"], &["cond"])];
    let head = "x f32[b, 1, n], rate i64[], small i32[], on bool[], ids i64[k], wide f32[1, 1, 192], narrow f32[1, 1, 96] -> f32[b, 1]";
    let cases = "\n  where rate == 16000: 192 <= n <= 703\n  else:                96 <= n <= 351";
    assert_eq!(line(&chosen_by(&nodes, both())), format!("{head}{cases}"));
    // The same the other way round, with what is equal first.
    let nodes = [
        node("Equal", &["kilo", "rate"], &["same"]),
        node("Not", &["same"], &["cond"]),
    ];
    let [wide, narrow] = both();
    let found = line(&chosen_by(&nodes, [narrow, wide]));
    assert_eq!(found, format!("{head}{cases}"));
}

#[test]
fn a_guard_is_followed_back_to_inputs() {
    let cast = |from: &str, to: i64, out: &str| {
        node("Cast", &[from], &[out]).message(5, &int_attr("to", to))
    };
    let gather = node("Gather", &["ids", "two"], &["id"]);
    for (nodes, when) in [
        (
            vec![node("Identity", &["on"], &["cond"])],
            "where on == true",
        ),
        (
            vec![node("Less", &["rate", "kilo"], &["cond"])],
            "where rate < 16000",
        ),
        (vec![cast("rate", BOOL, "cond")], "where rate == 0"),
        (
            vec![
                node("GreaterOrEqual", &["rate", "kilo"], &["more"]),
                node("And", &["on", "more"], &["cond"]),
            ],
            "where on == true and rate >= 16000",
        ),
        (
            vec![
                cast("small", I64, "large"),
                node("Equal", &["large", "two"], &["cond"]),
            ],
            "where small == 2",
        ),
        (
            vec![gather, node("Equal", &["id", "zero"], &["cond"])],
            "where ids[2] == 0",
        ),
        // As torch writes a look at one element.
        (
            vec![
                node("Reshape", &["rate", "flat"], &["all"]),
                node("Gather", &["all", "zero"], &["first"]),
                node("Equal", &["first", "kilo"], &["cond"]),
            ],
            "where rate == 16000",
        ),
        (
            vec![node("Equal", &["on", "yes"], &["cond"])],
            "where on == true",
        ),
    ] {
        assert_eq!(first_case(&nodes), when);
    }
}

/// A number may be another one after a cast, and what is calculated of many is in no input.
#[test]
fn a_guard_that_no_input_says_is_a_value() {
    let less = node("Cast", &["rate"], &["less"]).message(5, &int_attr("to", I32));
    let nodes = [less, node("Equal", &["less", "small"], &["cond"])];
    assert_eq!(first_case(&nodes), "where cond == true");
    let all = named("sum", "ReduceSum", &["ids"], &["all"]).message(5, &int_attr("keepdims", 0));
    let nodes = [all, node("Equal", &["all", "zero"], &["cond"])];
    assert_eq!(first_case(&nodes), "where cond == true");
}

/// A squeeze that torch exports, in a model where something behind it has to know the rank: that the last size is 1 is a condition,
/// and what is calculated of the rank follows.
#[test]
fn what_a_choice_decides_decides_the_next() {
    let of_size = [
        node("Shape", &["x"], &["s"]).message(5, &int_attr("start", 2)),
        node("Squeeze", &["s"], &["size"]),
        node("Equal", &["size", "one"], &["is_one"]),
    ];
    let squeezed = graph(
        &[node("Squeeze", &["x", "last"], &["t"])],
        &[],
        &[value("t", None)],
    );
    let same = graph(
        &[node("Identity", &["x"], &["e"])],
        &[],
        &[value("e", None)],
    );
    let choice = named("squeeze", "If", &["is_one"], &["q"])
        .message(5, &body("then_branch", &squeezed))
        .message(5, &body("else_branch", &same));
    let of_rank = [
        node("Shape", &["q"], &["sq"]),
        node("Size", &["sq"], &["rank"]),
        node("Equal", &["rank", "two"], &["is_two"]),
        node("Not", &["is_two"], &["other"]),
    ];
    let more = graph(
        &[node("Unsqueeze", &["q", "first"], &["u"])],
        &[],
        &[value("u", None)],
    );
    let as_it_is = graph(
        &[node("Identity", &["q"], &["i"])],
        &[],
        &[value("i", None)],
    );
    let next = named("next", "If", &["other"], &["z"])
        .message(5, &body("then_branch", &more))
        .message(5, &body("else_branch", &as_it_is));
    let turned = node("Transpose", &["z"], &["y"]).message(5, &ints_attr("perm", [1, 0]));
    let nodes = [&of_size[..], &[choice], &of_rank, &[next, turned]].concat();
    let inputs = [input("x", F32, &["b".into(), 3.into(), "n".into()])];
    let tensors = [
        ints("last", &[1], &[2]),
        ints("first", &[1], &[0]),
        ints("one", &[], &[1]),
        ints("two", &[], &[2]),
    ];
    let graph = graph(&nodes, &inputs, &[value("y", None)]).messages(5, &tensors);
    let bytes = model(&graph, 17);
    survive(&bytes, |_, report| {
        assert_eq!(signature(report), "f32[b, 3, 1] -> f32[3, b] where n == 1");
        for (name, is) in [("is_one", "true"), ("is_two", "true"), ("other", "false")] {
            let ty = report.value(name).unwrap().to_string();
            assert_eq!(ty, format!("bool[] = [{is}]"), "{name}");
        }
    })
    .unwrap();
}
