//! What an operator costs in a large model and in a small one: no kind of graph may cost more the more of it there is. And everyday
//! operators are calculated: none is posted to the engine, which costs a hundred times more.

use super::encode::{Dim, Message, body, graph, input, int_attr, model, node, tensor_type, value};
use cpu_time::ThreadTime;
use kanshape_onnx::{Model, Options, check};

/// ONNX's numbers of dtypes.
const F32: i64 = 1;
const I64: i64 = 7;
const BOOL: i64 = 9;

/// How much more an operator may cost in a model that is eight times as large: memory and logarithms. What is quadratic costs nearly
/// eight times as much.
const MOST: f64 = 3.0;

/// A kind of graph, and how large the small one is. `make` gives the model and the number of its operators.
struct Row {
    name: &'static str,
    make: fn(usize) -> (Message, usize),
    small: usize,
    /// Does each operator need the engine? A body is run if a value says so, and of an unknown rank nothing is calculated.
    is_posted: bool,
}

const ROWS: [Row; 12] = [
    row("a chain of one name", chain, 2_000),
    row("one value that many take", wide, 2_000),
    posted(
        "one value that many take, known at the end",
        wide_learns,
        500,
    ),
    row("inputs with names", inputs, 1_000),
    row("sums of values with names", sums, 250),
    row("sums that share no name", apart, 250),
    row("products of values with names", products, 250),
    row("concatenations of one name", concats, 500),
    row("convolutions of names", convolutions, 500),
    row("shapes that are computed", shapes, 250),
    posted("ifs side by side", ifs, 60),
    posted("loops side by side", loops, 60),
];

const fn row(name: &'static str, make: fn(usize) -> (Message, usize), small: usize) -> Row {
    Row {
        name,
        make,
        small,
        is_posted: false,
    }
}

const fn posted(name: &'static str, make: fn(usize) -> (Message, usize), small: usize) -> Row {
    let row = row(name, make, small);
    Row {
        is_posted: true,
        ..row
    }
}

#[test]
fn an_operator_costs_as_much_in_a_large_model_as_in_a_small_one() {
    let mut growing = Vec::new();
    for row in &ROWS {
        let [small, large] = [row.small, 8 * row.small].map(|n| cost(row, n));
        let growth = large / small;
        println!("{:44} {growth:5.2} times {small:7.2} us", row.name);
        if growth > MOST {
            growing.push((row.name, growth));
        }
    }
    assert!(growing.is_empty(), "{growing:?}");
}

/// The size of each value is a sum that is one name longer than that of the value before: too long for a form, so that it is in the
/// engine. What such a graph costs is proportional to the names that are written.
#[test]
fn a_name_of_a_long_sum_costs_as_much_as_one_of_a_short_sum() {
    let row = posted("concatenations of other names", concats_of_names, 250);
    let [small, large] = [row.small, 3 * row.small].map(|n| cost(&row, n));
    assert!(large <= MOST * small, "{small} us, {large} us");
}

/// The CPU microseconds of an operator: the least of three times.
fn cost(row: &Row, n: usize) -> f64 {
    let (graph, operators) = (row.make)(n);
    let bytes = model(&graph, 17);
    let taken = (0..3).map(|_| {
        let start = ThreadTime::now();
        let model = Model::read(&bytes).unwrap();
        let report = check(&model, &Options::default());
        assert!(
            report.problems.is_empty(),
            "{}: {:?}",
            row.name,
            report.problems
        );
        assert!(row.is_posted || report.solved == 0, "{}", row.name);
        drop(report);
        start.elapsed().as_secs_f64()
    });
    taken.fold(f64::INFINITY, f64::min) * 1e6 / operators as f64
}

/// A value of `f32` with these dims.
fn f32s<const N: usize>(name: &str, dims: [Dim; N]) -> Message {
    input(name, F32, &dims)
}

/// One node behind the other.
fn behind(
    n: usize,
    op: &str,
    attrs: &[Message],
    second: impl Fn(usize) -> Option<String>,
) -> Vec<Message> {
    let all = (0..n).map(|k| {
        let (from, to) = (format!("x{k}"), format!("x{}", k + 1));
        let second = second(k);
        let inputs: Vec<&str> = std::iter::once(&*from).chain(second.as_deref()).collect();
        node(op, &inputs, &[&to]).messages(5, attrs)
    });
    all.collect()
}

fn chain(n: usize) -> (Message, usize) {
    let nodes = behind(n, "Relu", &[], |_| None);
    (graph(&nodes, &[f32s("x0", ["N".into(), 4.into()])], &[]), n)
}

fn relus(n: usize) -> Vec<Message> {
    (0..n)
        .map(|k| node("Relu", &["x"], &[&format!("y{k}")]))
        .collect()
}

fn wide(n: usize) -> (Message, usize) {
    (
        graph(&relus(n), &[f32s("x", ["N".into(), 4.into()])], &[]),
        n,
    )
}

fn wide_learns(n: usize) -> (Message, usize) {
    let mut nodes = relus(n);
    nodes.push(node("Add", &["y0", "z"], &["out"]));
    let x = value("x", Some(&tensor_type(F32, None)));
    let inputs = [f32s("z", [3.into(), 4.into()]), x];
    (graph(&nodes, &inputs, &[]), n + 1)
}

fn inputs(n: usize) -> (Message, usize) {
    let nodes = (0..n).map(|k| node("Relu", &[&format!("x{k}")], &[&format!("y{k}")]));
    let named = (0..n).map(|k| f32s(&format!("x{k}"), [(&*format!("N{k}")).into(), 4.into()]));
    (
        graph(&nodes.collect::<Vec<_>>(), &named.collect::<Vec<_>>(), &[]),
        n,
    )
}

fn sums(n: usize) -> (Message, usize) {
    let nodes = behind(n, "Add", &[], |k| Some(format!("s{k}")));
    let size = |k: usize| Dim::Name(format!("N{k}"));
    let mut inputs = vec![f32s("x0", [size(0), 4.into()])];
    inputs.extend((0..n).map(|k| f32s(&format!("s{k}"), [size(k + 1), 4.into()])));
    (graph(&nodes, &inputs, &[]), n)
}

fn apart(n: usize) -> (Message, usize) {
    let nodes = (0..n).map(|k| {
        let [a, b, sum] = ["a", "b", "s"].map(|name| format!("{name}{k}"));
        node("Add", &[&a, &b], &[&sum])
    });
    let inputs = (0..n).flat_map(|k| {
        let size = move |name: &str| Dim::Name(format!("{name}{k}"));
        [("a", "A", "B"), ("b", "C", "D")]
            .map(|(name, first, second)| f32s(&format!("{name}{k}"), [size(first), size(second)]))
    });
    (
        graph(&nodes.collect::<Vec<_>>(), &inputs.collect::<Vec<_>>(), &[]),
        n,
    )
}

fn products(n: usize) -> (Message, usize) {
    let nodes = behind(n, "MatMul", &[], |k| Some(format!("w{k}")));
    let mut inputs = vec![f32s("x0", ["N".into(), "K".into()])];
    inputs.extend((0..n).map(|k| {
        let sizes = ["A", "B"].map(|name| Dim::Name(format!("{name}{k}")));
        f32s(&format!("w{k}"), sizes)
    }));
    (graph(&nodes, &inputs, &[]), n)
}

fn concats(n: usize) -> (Message, usize) {
    let nodes = behind(n, "Concat", &[int_attr("axis", 0)], |_| Some("y".into()));
    let inputs = ["x0", "y"].map(|name| f32s(name, ["N".into(), 4.into()]));
    (graph(&nodes, &inputs, &[]), n)
}

/// For an operator counts each name in a sum.
fn concats_of_names(n: usize) -> (Message, usize) {
    let second = |k| Some(format!("y{k}"));
    let nodes = behind(n, "Concat", &[int_attr("axis", 0)], second);
    let size = |k: usize| Dim::Name(format!("N{k}"));
    let mut inputs = vec![f32s("x0", [size(0), 4.into()])];
    inputs.extend((0..n).map(|k| f32s(&format!("y{k}"), [size(k + 1), 4.into()])));
    (graph(&nodes, &inputs, &[]), n * n / 2)
}

fn convolutions(n: usize) -> (Message, usize) {
    let nodes = behind(n, "Conv", &[], |_| Some("w".into()));
    let x = f32s("x0", ["N".into(), 4.into(), "H".into(), "W".into()]);
    let w = f32s("w", [4.into(), 4.into(), 3.into(), 3.into()]);
    (graph(&nodes, &[x, w], &[]), n)
}

fn shapes(n: usize) -> (Message, usize) {
    let nodes = (0..n).flat_map(|k| {
        let [x, s, y] = [format!("x{k}"), format!("s{k}"), format!("x{}", k + 1)];
        [
            node("Shape", &[&x], &[&s]),
            node("Reshape", &[&x, &s], &[&y]),
        ]
    });
    let x = f32s("x0", ["N".into(), "H".into(), 4.into()]);
    (graph(&nodes.collect::<Vec<_>>(), &[x], &[]), 2 * n)
}

fn ifs(n: usize) -> (Message, usize) {
    let branch = |op: &str, name: &str| {
        let result = value(name, None);
        graph(&[node(op, &["x"], &[name])], &[], &[result])
    };
    let nodes = (0..n).map(|k| {
        let [then, other] =
            [("Relu", "t"), ("Sigmoid", "e")].map(|(op, name)| branch(op, &format!("{name}{k}")));
        let node = node("If", &["c"], &[&format!("o{k}")]);
        node.messages(
            5,
            &[body("then_branch", &then), body("else_branch", &other)],
        )
    });
    let inputs = [f32s("x", ["N".into(), 4.into()]), input("c", BOOL, &[])];
    (graph(&nodes.collect::<Vec<_>>(), &inputs, &[]), 3 * n)
}

fn loops(n: usize) -> (Message, usize) {
    let nodes = (0..n).map(|k| {
        let [on, to] = [format!("c{k}"), format!("r{k}")];
        let inner = [
            node("Identity", &["on"], &[&on]),
            node("Relu", &["v"], &[&to]),
        ];
        let taken = [
            input("i", I64, &[]),
            input("on", BOOL, &[]),
            value("v", None),
        ];
        let given = [value(&on, None), value(&to, None)];
        let node = node("Loop", &["m", "c", "x"], &[&format!("o{k}")]);
        node.messages(5, &[body("body", &graph(&inner, &taken, &given))])
    });
    let inputs = [
        f32s("x", ["N".into(), 4.into()]),
        input("c", BOOL, &[]),
        input("m", I64, &[]),
    ];
    (graph(&nodes.collect::<Vec<_>>(), &inputs, &[]), 3 * n)
}
