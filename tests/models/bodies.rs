//! Bodies that may not be run: what they require is reported with when they are.

use crate::encode::{
    Message, body, function, graph, input, int_attr, ints, message, model, model_with, node, value,
};
use crate::survive::survive;
use kanshape_onnx::{Model, Options, Report, check};

const F32: i64 = 1;
const I64: i64 = 7;
const BOOL: i64 = 9;

/// The conditions, each with the bodies in which it has to hold.
fn conditions(report: &Report<'_>) -> Vec<String> {
    let all = report.conditions.iter().map(|one| {
        let under = one.under.iter().map(|under| format!(" {under}"));
        format!("{}{}", one.condition, under.collect::<String>())
    });
    all.collect()
}

/// Errors and warnings, each with its node.
fn problems(report: &Report<'_>) -> Vec<String> {
    let all = report.problems.iter().map(|problem| {
        let node = problem.node.as_ref().map_or("", |place| &place.node);
        let diagnostic = &problem.diagnostic;
        let is = diagnostic.severity.name();
        format!("{is} {} {node}", diagnostic.code)
    });
    all.collect()
}

/// What a model of these nodes is: the verdict, the type of `y`, the conditions and the problems.
#[track_caller]
fn assert_is(nodes: &[Message], wanted: [&str; 2], all: &[&str], wrong: &[&str]) {
    survive(&whole(nodes), |_, report| {
        let verdict = format!("{:?}", report.verdict);
        let found = [verdict, report.outputs[0].1.to_string()];
        assert_eq!(found, wanted);
        assert_eq!(conditions(report), all);
        assert_eq!(problems(report), wrong);
    })
    .unwrap();
}

/// The verdict of a model, and the type of `y`.
fn found(nodes: &[Message]) -> [String; 2] {
    let mut found = [String::new(), String::new()];
    survive(&whole(nodes), |_, report| {
        let verdict = format!("{:?}", report.verdict);
        found = [verdict, report.outputs[0].1.to_string()];
    })
    .unwrap();
    found
}

/// A model of these nodes, with inputs and constants that they may take.
fn whole(nodes: &[Message]) -> Vec<u8> {
    whole_with(nodes, &[])
}

/// The same with other constants.
fn whole_with(nodes: &[Message], more: &[Message]) -> Vec<u8> {
    let inputs = [
        input("x", F32, &["N".into(), 3.into()]),
        input("c", BOOL, &[]),
        input("d", BOOL, &[]),
        input("m", I64, &[]),
        input("w45", F32, &[4.into(), 5.into()]),
        input("w65", F32, &[6.into(), 5.into()]),
        input("w35", F32, &[3.into(), 5.into()]),
        input("w24", F32, &[2.into(), 4.into()]),
    ];
    let tensors = [
        ints("two_six", &[2], &[2, 6]),
        ints("four_three", &[2], &[4, 3]),
        ints("flat", &[1], &[-1]),
        ints("zero", &[], &[0]),
        ints("four", &[], &[4]),
        ints("five", &[], &[5]),
        ints("one", &[], &[1]),
        message().int(2, BOOL).int(5, 1).text(8, "yes"),
    ];
    let tensors = [&tensors[..], more].concat();
    let graph = graph(nodes, &inputs, &[value("y", None)]).messages(5, &tensors);
    model(&graph, 17)
}

fn named(name: &str, op: &str, inputs: &[&str], output: &str) -> Message {
    node(op, inputs, &[output]).text(3, name)
}

fn branch(nodes: &[Message]) -> Message {
    graph(nodes, &[], &[value("r", None)])
}

fn choice_of(name: &str, cond: &str, then: &[Message], other: &[Message], y: &str) -> Message {
    named(name, "If", &[cond], y)
        .message(5, &body("then_branch", &branch(then)))
        .message(5, &body("else_branch", &branch(other)))
}

fn choice(then: Message, other: Message) -> Message {
    choice_of("if", "c", &[then], &[other], "y")
}

fn multiplied(w: &str) -> Message {
    named("mm", "MatMul", &["x", w], "r")
}

fn reshaped(to: &str) -> Message {
    named("rs", "Reshape", &["x", to], "r")
}

fn same() -> Message {
    named("same", "Identity", &["x"], "r")
}

#[test]
fn no_branch_can_be_run() {
    let nodes = [choice(multiplied("w45"), multiplied("w65"))];
    assert_is(
        &nodes,
        ["Never", "?"],
        &[],
        &[
            "error K0617 if",
            "warning K0101 if/then_branch/mm",
            "warning K0101 if/else_branch/mm",
        ],
    );
}

#[test]
fn one_branch_can_be_run() {
    let nodes = [choice(multiplied("w45"), multiplied("w35"))];
    let wrong = ["warning K0101 if/then_branch/mm"];
    assert_is(&nodes, ["Depends", "f32[N, 5]"], &["c == false"], &wrong);
    let nodes = [choice(reshaped("two_six"), multiplied("w45"))];
    let wrong = ["warning K0101 if/else_branch/mm"];
    let all = ["N == 4", "c == true"];
    assert_is(&nodes, ["Depends", "f32[2, 6]"], &all, &wrong);
}

#[test]
fn a_branch_that_requires_something() {
    let under = "N == 4 in then_branch of if, if c == true";
    let nodes = [choice(reshaped("two_six"), same())];
    assert_is(&nodes, ["Depends", "f32[d0, d1]"], &[under], &[]);
    // What is 4 there is `N` all the same.
    let nodes = [choice(reshaped("four_three"), same())];
    assert_is(&nodes, ["Depends", "f32[N, 3]"], &[under], &[]);
}

#[test]
fn both_branches_require_the_same() {
    // One of them is run.
    let nodes = [choice(reshaped("two_six"), reshaped("two_six"))];
    assert_is(&nodes, ["Depends", "f32[2, 6]"], &["N == 4"], &[]);
}

#[test]
fn branches_that_require_nothing() {
    let relu = named("relu", "Relu", &["x"], "r");
    let nodes = [choice(relu.clone(), same())];
    assert_is(&nodes, ["Always", "f32[N, 3]"], &[], &[]);
    let nodes = [choice(relu, multiplied("w35"))];
    assert_is(&nodes, ["Always", "f32[N, d0]"], &[], &[]);
}

#[test]
fn a_choice_in_a_choice() {
    let inner = choice_of("in", "d", &[reshaped("two_six")], &[multiplied("w45")], "r");
    let nodes = [choice_of("if", "c", &[inner], &[same()], "y")];
    let wrong = ["warning K0101 if/then_branch/in/else_branch/mm"];
    let all = [
        "N == 4 in then_branch of if, if c == true",
        "d == true in then_branch of if, if c == true",
    ];
    assert_is(&nodes, ["Depends", "f32[d0, d1]"], &all, &wrong);
    // Nothing can be run in it, so the other branch is.
    let inner = choice_of("in", "d", &[multiplied("w65")], &[multiplied("w45")], "r");
    let nodes = [choice_of("if", "c", &[inner], &[same()], "y")];
    let wrong = [
        "warning K0617 if/then_branch/in",
        "warning K0101 if/then_branch/in/then_branch/mm",
        "warning K0101 if/then_branch/in/else_branch/mm",
    ];
    assert_is(&nodes, ["Depends", "f32[N, 3]"], &["c == false"], &wrong);
}

#[test]
fn what_is_required_later_holds_in_a_branch() {
    // With three rows, four can't be made of them.
    let more = named("add", "Concat", &["x", "x"], "z").message(5, &int_attr("axis", 0));
    let later = named("later", "MatMul", &["w36", "z"], "u");
    let w36 = named("w36", "ConstantOfShape", &["three_six"], "w36");
    let nodes = [
        choice(reshaped("two_six"), same()),
        named("three_six", "Constant", &[], "three_six")
            .message(5, &crate::encode::ints_attr("value_ints", [3, 6])),
        w36,
        more,
        later,
    ];
    let all = ["N == 3", "c == false"];
    assert_is(
        &nodes,
        ["Depends", "f32[3, 3]"],
        &all,
        &["warning K0101 if/then_branch/rs"],
    );
}

#[test]
fn a_condition_that_is_made_of_sizes() {
    let nodes = [
        node("Shape", &["x"], &["s"]),
        node("Gather", &["s", "zero"], &["n"]),
        named("eq", "Equal", &["n", "four"], "is_four"),
        choice_of("if", "is_four", &[same()], &[multiplied("w45")], "y"),
    ];
    let wrong = ["warning K0101 if/else_branch/mm"];
    assert_is(&nodes, ["Depends", "f32[4, 3]"], &["N == 4"], &wrong);
}

/// A loop that carries `a`, which is `x` at first, and gives `b`.
fn repeated(operands: [&str; 2], nodes: &[Message]) -> Message {
    let inputs = ["i", "go", "a"].map(|name| value(name, None));
    let outputs = ["on", "b"].map(|name| value(name, None));
    let nodes = [nodes, &[node("Identity", &["go"], &["on"])]].concat();
    let [limit, cond] = operands;
    named("loop", "Loop", &[limit, cond, "x"], "y")
        .message(5, &body("body", &graph(&nodes, &inputs, &outputs)))
}

#[test]
fn a_body_that_can_not_be_run() {
    let wrong = ["warning K0101 loop/body/mm"];
    let mm = named("mm", "MatMul", &["a", "w45"], "b");
    let all: [([&str; 2], &str); 3] = [
        (["m", ""], "m <= 0"),
        (["", "c"], "c == false"),
        (["m", "c"], "m <= 0 or c == false"),
    ];
    for (operands, required) in all {
        let nodes = [repeated(operands, std::slice::from_ref(&mm))];
        assert_is(&nodes, ["Depends", "f32[N, 3]"], &[required], &wrong);
    }
    // Which of 3 and 4 is wrong is not known, so after one iteration there are five columns, and after any number of them some.
    for (operands, y) in [(["five", ""], "f32[N, 5]"), (["", ""], "f32[N, d0]")] {
        let nodes = [repeated(operands, std::slice::from_ref(&mm))];
        let wrong = ["error K0101 loop/body/mm"];
        assert_is(&nodes, ["Never", y], &[], &wrong);
    }
    // No iteration, and nothing is wrong.
    let nodes = [repeated(["zero", ""], std::slice::from_ref(&mm))];
    assert_is(&nodes, ["Always", "f32[N, 3]"], &[], &[]);
}

#[test]
fn as_often_as_there_are_rows() {
    let mm = named("mm", "MatMul", &["a", "w45"], "b");
    let nodes = [
        node("Shape", &["x"], &["s"]),
        node("Gather", &["s", "zero"], &["n"]),
        repeated(["n", ""], &[mm]),
    ];
    let wrong = ["warning K0101 loop/body/mm"];
    assert_is(&nodes, ["Depends", "f32[0, 3]"], &["N == 0"], &wrong);
}

#[test]
fn a_body_that_requires_something() {
    let rs = named("rs", "Reshape", &["a", "four_three"], "b");
    let nodes = [repeated(["m", ""], std::slice::from_ref(&rs))];
    let each = "N == 4 in each iteration of loop";
    assert_is(&nodes, ["Depends", "f32[N, 3]"], &[each], &[]);
    let nodes = [repeated(["five", ""], &[rs])];
    assert_is(&nodes, ["Depends", "f32[4, 3]"], &["N == 4"], &[]);
}

#[test]
fn a_body_that_is_given_something_else_each_time() {
    let twice = named("cat", "Concat", &["a", "a"], "b").message(5, &int_attr("axis", 0));
    let mm = named("mm", "MatMul", &["w24", "a"], "unused");
    let nodes = [repeated(["m", ""], &[twice, mm])];
    let all = [
        "N == 4 in the first iteration of loop",
        "i0 == 4 in each iteration of loop but the first",
    ];
    // What a later iteration is given is not followed.
    let wrong = ["warning K0618 loop"];
    assert_is(&nodes, ["Unknown", "f32[d0, 3]"], &all, &wrong);
}

/// A loop that doubles the rows of what it carries, and gives a slice of each iteration.
fn sliced(operands: [&str; 2], on: Message, slice: &[Message]) -> Message {
    let inputs = ["i", "go", "a"].map(|name| value(name, None));
    let outputs = ["on", "b", "slice"].map(|name| value(name, None));
    let twice = named("cat", "Concat", &["a", "a"], "b").message(5, &int_attr("axis", 0));
    let nodes = [&[on, twice], slice].concat();
    let [limit, cond] = operands;
    node("Loop", &[limit, cond, "x"], &["last", "y"])
        .text(3, "loop")
        .message(5, &body("body", &graph(&nodes, &inputs, &outputs)))
}

#[test]
fn the_slices_of_a_loop_are_alike() {
    let goes_on = || node("Identity", &["go"], &["on"]);
    let slices = [
        vec![named("relu", "Relu", &["b"], "slice")],
        // As long as the number of the iteration.
        vec![
            node("Unsqueeze", &["i", "flat"], &["counted"]),
            node("ConstantOfShape", &["counted"], &["slice"]),
        ],
        // As many as there happen to be, which are the same in each iteration.
        vec![node("NonZero", &["w45"], &["slice"])],
        // What it carries grows, and no slice does.
        vec![named("relu", "Relu", &["w45"], "slice")],
        vec![named("add", "Add", &["x", "x"], "slice")],
    ];
    let all = slices.map(|slice| found(&[sliced(["five", ""], goes_on(), &slice)]));
    let known = [
        ["Unknown", "f32[5, d1, 3]"],
        ["Unknown", "f32[5, d1]"],
        ["Always", "i64[5, 2, d1]"],
        ["Always", "f32[5, 4, 5]"],
        ["Always", "f32[5, d1, 3]"],
    ];
    assert_eq!(all, known);
    let grows = [named("relu", "Relu", &["b"], "slice")];
    let nodes = [sliced(["five", ""], goes_on(), &grows)];
    let wrong = ["warning K0618 loop"];
    assert_is(&nodes, known[0], &[], &wrong);
}

/// A loop over what it carries, `from` at first, with these nodes that make `b` of `a`, and `slice`.
fn carrying(from: &str, nodes: &[Message]) -> Message {
    let inputs = ["i", "go", "a"].map(|name| value(name, None));
    let outputs = ["on", "b", "slice"].map(|name| value(name, None));
    let nodes = [nodes, &[node("Identity", &["go"], &["on"])]].concat();
    node("Loop", &["five", "", from], &["last", "y"])
        .text(3, "loop")
        .message(5, &body("body", &graph(&nodes, &inputs, &outputs)))
}

#[test]
fn what_is_the_same_in_each_iteration() {
    let same = || node("Identity", &["a"], &["b"]);
    let is = |of: &[Message], verdict: &str| {
        let found = found(of);
        assert_eq!(found[0], verdict, "{}", found[1]);
    };
    let to_rank = |of: &str| choice_of("rank", of, &[self::same()], &[twice("x", "r")], "slice");
    let all: [(Vec<Message>, &str); 8] = [
        // What is in the carried value may be something else each time, and its shape is not.
        (vec![same(), node("NonZero", &["a"], &["slice"])], "Unknown"),
        (vec![same(), node("Shape", &["a"], &["slice"])], "Always"),
        (
            vec![same(), node("Add", &["a", "z"], &["slice"])],
            "Depends",
        ),
        (
            vec![same(), node("Transpose", &["a"], &["slice"])],
            "Always",
        ),
        // A choice by a value from outside, and by one that is calculated each time.
        (vec![same(), to_rank("d")], "Always"),
        (vec![same(), to_rank("go")], "Unknown"),
        // It is broadcast to what it is added to, once.
        (
            vec![node("Add", &["a", "z"], &["b"]), same_as("a", "slice")],
            "Unknown",
        ),
        // A loop in it.
        (
            vec![same(), each_row("a", &[same_as("row", "out")], "slice")],
            "Always",
        ),
    ];
    let all = all.map(|(nodes, verdict)| {
        let z = node("ConstantOfShape", &["four_three"], &["z"]);
        let [found, _] = found(&[z, same_as("x", "v"), carrying("v", &nodes)]);
        (found, verdict)
    });
    assert!(all.iter().all(|(found, known)| found == known), "{all:?}");
    // A size without a name that grows.
    let grows = node("Concat", &["a", "a"], &["b"]).message(5, &int_attr("axis", 1));
    let from = node("NonZero", &["x"], &["v"]);
    is(
        &[from.clone(), carrying("v", &[grows, same_as("a", "slice")])],
        "Unknown",
    );
    is(
        &[from, carrying("v", &[same(), same_as("a", "slice")])],
        "Always",
    );
    // Of each row.
    let mask = |of: &str| vec![each_row("x", &[node("NonZero", &[of], &["out"])], "y")];
    is(&mask("row"), "Unknown");
    is(&mask("w45"), "Always");
}

fn same_as(of: &str, y: &str) -> Message {
    node("Identity", &[of], &[y])
}

fn twice(of: &str, y: &str) -> Message {
    node("Concat", &[of, of], &[y]).message(5, &int_attr("axis", 0))
}

#[test]
fn one_iteration_is_what_it_is() {
    let goes_on = || node("Identity", &["go"], &["on"]);
    let ends = || node("Less", &["five", "four"], &["on"]);
    let grows = [named("relu", "Relu", &["b"], "slice")];
    // Once, whatever the condition is; or as the condition that the body gives is false.
    let once = [
        (["one", ""], goes_on()),
        (["one", "yes"], goes_on()),
        (["five", "yes"], ends()),
        (["", "yes"], ends()),
    ];
    for (operands, on) in once {
        let nodes = [sliced(operands, on, &grows)];
        assert_is(&nodes, ["Always", "f32[1, 2*N, 3]"], &[], &[]);
    }
    // Once at most: without any iteration there is no slice, and its rows are not those of one.
    for (operands, on) in [(["one", "c"], goes_on()), (["m", "c"], ends())] {
        let nodes = [sliced(operands, on, &grows)];
        let [verdict, y] = found(&nodes);
        assert_eq!([verdict.as_str(), y.as_str()], ["Always", "f32[d1, d2, 3]"]);
    }
}

#[test]
fn a_condition_of_one_element_has_any_rank() {
    for rank in 0..4 {
        let shape = ints("ones", &[rank], &vec![1; rank as usize]);
        let cond = |name: &str| node("Expand", &["c", "ones"], &[name]);
        let branches = [
            cond("is"),
            choice_of(
                "if",
                "is",
                &[same()],
                &[named("neg", "Neg", &["x"], "r")],
                "y",
            ),
        ];
        let relu = named("relu", "Relu", &["a"], "b");
        let turns = [
            cond("is"),
            node("Expand", &["m", "ones"], &["most"]),
            repeated(["most", "is"], &[relu]),
        ];
        for nodes in [&branches[..], &turns] {
            let graph = whole_with(nodes, std::slice::from_ref(&shape));
            survive(&graph, |_, report| {
                assert_eq!(report.verdict, kanshape::Verdict::Always);
                assert_eq!(report.outputs[0].1.to_string(), "f32[N, 3]");
            })
            .unwrap();
        }
    }
}

/// A scan over the rows of `x`, whose state is a row of `w45`.
fn scanned(rows: &str, nodes: &[Message]) -> [Message; 2] {
    let inputs = ["st", "row"].map(|name| value(name, None));
    let outputs = ["next", "out"].map(|name| value(name, None));
    let first = node("Gather", &["w45", "zero"], &["first"]);
    let scan = node("Scan", &["first", rows], &["last", "y"]).text(3, "scan");
    let scan = scan.message(5, &int_attr("num_scan_inputs", 1));
    let own = body("body", &graph(nodes, &inputs, &outputs));
    [first, scan.message(5, &own)]
}

#[test]
fn scans() {
    let next = node("Identity", &["st"], &["next"]);
    let out = named("relu", "Relu", &["row"], "out");
    assert_is(
        &scanned("x", &[next.clone(), out]),
        ["Always", "f32[N, 3]"],
        &[],
        &[],
    );
    // Five and three don't fit together, so there may be no rows.
    let out = named("add", "Add", &["row", "st"], "out");
    let wrong = ["warning K0101 scan/body/add"];
    assert_is(
        &scanned("x", &[next.clone(), out.clone()]),
        ["Depends", "f32[0, d0]"],
        &["N == 0"],
        &wrong,
    );
    let nodes = scanned("w24", &[next, out]);
    let wrong = ["error K0101 scan/body/add"];
    assert_is(&nodes, ["Never", "f32[2, d0]"], &[], &wrong);
}

/// A loop that gives `v`: `x` or, if `d` holds in its last iteration, the elements of `x` in one dim.
fn loop_of_two_ranks() -> Message {
    let flat = [named("flatten", "Reshape", &["x", "flat"], "r")];
    let inner = [
        choice_of("rank", "d", &flat, &[same()], "next"),
        named("on", "Identity", &["go"], "goes_on"),
    ];
    let inputs = ["i", "go", "a"].map(|name| value(name, None));
    let outputs = ["goes_on", "next"].map(|name| value(name, None));
    let inner = graph(&inner, &inputs, &outputs);
    named("loop", "Loop", &["m", "c", "x"], "v").message(5, &body("body", &inner))
}

#[test]
fn what_is_required_of_a_loop_that_gives_several_ranks() {
    let product = |of: &str, y: &str| named("mm", "MatMul", &[of, "w35"], y);
    let unknown = ["Unknown", "f32[...]"];
    let nodes = [loop_of_two_ranks(), product("v", "y")];
    assert_is(&nodes, unknown, &[], &["warning K0618 loop"]);
    // Of a value that is made of it.
    let relu = named("relu", "Relu", &["v"], "u");
    let nodes = [loop_of_two_ranks(), relu, product("u", "y")];
    assert_is(&nodes, unknown, &[], &["warning K0618 loop"]);
    // In a branch, with the loop before it or in it.
    let wrong = ["warning K0618 if"];
    let before = [loop_of_two_ranks(), choice(product("v", "r"), same())];
    assert_is(&before, unknown, &[], &wrong);
    let then = [loop_of_two_ranks(), product("v", "r")];
    let within = [choice_of("if", "c", &then, &[same()], "y")];
    assert_is(&within, unknown, &[], &wrong);
    // Any rank does.
    let nodes = [loop_of_two_ranks(), named("relu", "Relu", &["v"], "y")];
    assert_is(&nodes, ["Always", "f32[...]"], &[], &[]);
}

/// A scan over the rows of a value, of which each comes to `out`.
fn each_row(of: &str, nodes: &[Message], y: &str) -> Message {
    let inner = graph(nodes, &[value("row", None)], &[value("out", None)]);
    named("scan", "Scan", &[of], y)
        .message(5, &int_attr("num_scan_inputs", 1))
        .message(5, &body("body", &inner))
}

#[test]
fn what_is_required_of_a_scan_whose_body_gives_several_types() {
    let product = |of: &str, y: &str| named("mm", "MatMul", &[of, "w35"], y);
    let rows = |of: &str, y: &str| {
        let twice = node("Concat", &["row", "row"], &["r"]).message(5, &int_attr("axis", 0));
        let same = named("same", "Identity", &["row"], "r");
        each_row(of, &[choice_of("rank", "d", &[twice], &[same], "out")], y)
    };
    // A row has three or six columns.
    let nodes = [rows("x", "v"), named("relu", "Relu", &["v"], "y")];
    assert_is(&nodes, ["Always", "f32[N, d0]"], &[], &[]);
    let wrong = ["warning K0618 scan"];
    let nodes = [rows("x", "v"), product("v", "y")];
    assert_is(&nodes, ["Unknown", "f32[N, 5]"], &[], &wrong);
    // Two of them that nobody knows have to be the same.
    let nodes = [rows("x", "v"), named("mm", "MatMul", &["v", "v"], "y")];
    assert_eq!(found(&nodes)[0], "Unknown");
}

#[test]
fn what_is_required_of_a_scan_of_a_choice() {
    let product = |of: &str, y: &str| named("mm", "MatMul", &[of, "w35"], y);
    let flat = named("flatten", "Reshape", &["x", "flat"], "r");
    let ranks = choice_of("rank", "d", &[flat], &[same()], "v");
    let rows = |y: &str| each_row("v", &[named("relu", "Relu", &["row"], "out")], y);
    let nodes = [ranks.clone(), rows("w"), product("w", "y")];
    assert_eq!(found(&nodes)[0], "Unknown");
    // The same in a branch that another choice says is taken.
    let other = [ranks, rows("r")];
    let first = choice_of("first", "c", &[same()], &other, "w");
    let second = choice_of("second", "c", &[same()], &[product("w", "r")], "y");
    assert_eq!(found(&[first, second])[0], "Unknown");
}

#[test]
fn what_is_required_of_a_loop_after_a_loop_that_is_not_run() {
    let turn = |name: &str, from: &str, op: [&str; 2], y: &str| {
        let inputs = ["i", "go", "a"].map(|name| value(name, None));
        let outputs = ["on", "b"].map(|name| value(name, None));
        let nodes = [
            named("op", op[0], &["w24", op[1]], "b"),
            node("Identity", &["go"], &["on"]),
        ];
        named(name, "Loop", &["m", "", from], y)
            .message(5, &body("body", &graph(&nodes, &inputs, &outputs)))
    };
    // The first one can't be run, and `m` is 0 for the second one too: `y` has three columns.
    let nodes = [
        turn("first", "x", ["MatMul", "w65"], "v"),
        turn("second", "v", ["Reshape", "flat"], "w"),
        named("mm", "MatMul", &["w", "w45"], "y"),
    ];
    assert_eq!(found(&nodes)[0], "Unknown");
}

/// The nodes of the bodies of a model, each with the values that it takes and gives.
fn nodes_in_bodies(model: &Model<'_>) -> Vec<String> {
    let bodies = model.bodies();
    let nodes = bodies.iter().flat_map(|body| &body.nodes);
    let text = |node: &kanshape_onnx::BodyNode<'_>| {
        let place = &node.place;
        let (inputs, outputs) = (node.inputs.join(", "), node.outputs.join(", "));
        format!("{} {}: {inputs} -> {outputs}", place.node, place.index)
    };
    nodes.map(text).collect()
}

#[test]
fn nodes_of_bodies_take_values_from_around_them() {
    let inner = choice_of(
        "inner",
        "d",
        &[multiplied("w35")],
        &[multiplied("w35")],
        "r",
    );
    let outer = choice_of(
        "outer",
        "c",
        &[inner],
        &[named("n", "Neg", &["x"], "r")],
        "y",
    );
    let bytes = whole(&[outer]);
    let model = Model::read(&bytes).unwrap();
    let nodes = nodes_in_bodies(&model);
    assert_eq!(
        nodes,
        [
            "outer/then_branch/inner 0: d -> outer/then_branch/r",
            "outer/else_branch/n 0: x -> outer/else_branch/r",
            "outer/then_branch/inner/then_branch/mm 0: x, w35 -> outer/then_branch/inner/then_branch/r",
            "outer/then_branch/inner/else_branch/mm 0: x, w35 -> outer/then_branch/inner/else_branch/r",
        ]
    );
    // Each value of a body has its name in the report.
    let report = check(&model, &Options::default());
    for body in model.bodies() {
        for name in body.nodes.iter().flat_map(|node| &node.outputs) {
            assert!(report.value(name).is_some(), "{name}");
        }
    }
}

#[test]
fn nodes_of_functions_are_those_of_each_call() {
    let twice = function(
        "Twice",
        &["a"],
        &["b"],
        &[named("sum", "Add", &["a", "a"], "b")],
    );
    let call = |name: &str, x: &str, y: &str| named(name, "Twice", &[x], y).text(7, "own");
    let graph = graph(
        &[call("f", "x", "t"), call("g", "t", "y")],
        &[input("x", F32, &["N".into()])],
        &[value("y", None)],
    );
    let bytes = model_with(&graph, &[twice], &[("", 18), ("own", 1)]);
    let model = Model::read(&bytes).unwrap();
    assert_eq!(
        nodes_in_bodies(&model),
        [
            "f/Twice/sum 0: x, x -> f/Twice/b",
            "g/Twice/sum 0: t, t -> g/Twice/b",
        ]
    );
    assert!(model.bodies().iter().all(|body| body.is_function));
}

#[test]
fn bodies_without_end_are_left_out() {
    // Each function calls the next one twice.
    let name = |i: usize| format!("F{i}");
    let functions: Vec<Message> = (0..40)
        .map(|i| {
            let call = |x: &str, y: &str| node(&name(i + 1), &[x], &[y]).text(7, "own");
            function(&name(i), &["a"], &["c"], &[call("a", "b"), call("b", "c")])
        })
        .collect();
    let graph = graph(
        &[node("F0", &["x"], &["y"]).text(7, "own")],
        &[input("x", F32, &["N".into()])],
        &[value("y", None)],
    );
    let bytes = model_with(&graph, &functions, &[("", 18), ("own", 1)]);
    let model = Model::read(&bytes).unwrap();
    let count: usize = model.bodies().iter().map(|body| body.nodes.len()).sum();
    assert!((1_000..=100_000).contains(&count), "{count}");
}
