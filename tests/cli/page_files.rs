//! The files that the sessions of pages speak of, in a folder of their own: small models, each with one thing wrong.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::encode::{
    self, Dim, Message, body, graph, input, message, model, model_with, node, value,
};

/// The dtypes of ONNX by their numbers.
const F32: i64 = 1;
const I64: i64 = 7;
const BOOL: i64 = 9;
const NONE: i64 = 999;

/// The version of ONNX's operators that the models have.
const OPSET: i64 = 21;

/// The folder, with the files in it.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
        std::fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in files() {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        folder
    })
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("twice.kan", b"Twice(A, A)\n".to_vec()),
        (
            "newer.pt2",
            include_bytes!("../data/torch/newer.pt2").to_vec(),
        ),
        (
            "quant.kan",
            b"/// A tensor with its scale.\ntype Quantized(values, scale)\n\nop Dequantize(q: Quantized(A, S)) -> (y: f32[..s]) :- A: T[..s], S: f32[], T in {i8, u8}\nop Add8(a: Quantized(A, S), b: Quantized(A, S)) -> (c: Quantized(A, S))\n"
                .to_vec(),
        ),
        (
            "gemm.kan",
            b"rule gemm: Add(MatMul(A, B), C) => Gemm(A, B, C)\n".to_vec(),
        ),
        (
            "assoc.kan",
            b"rule assoc: MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))\n".to_vec(),
        ),
        ("zero.kan", b"rule zero: Add(A, c) => A\n".to_vec()),
        (
            "order.kan",
            b"rule order: MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C)) :- rank(A) = 2, rank(B) = 2, rank(C) = 2\n"
                .to_vec(),
        ),
        (
            "swap.kan",
            b"rule swap: Add(X, Y) => Add(Y, X)\nrule split: Sub(X, Y) => Add(X, Neg(Y))\nrule join: Add(A, Neg(B)) => Sub(A, B)\n"
                .to_vec(),
        ),
        (
            "prog.relay",
            b"def @main(%x: Tensor[(n, 10), float32], %w) -> Tensor[(n, 5), float32] { nn.dense(%x, %w) }\n"
                .to_vec(),
        ),
        (
            "part.relay",
            b"def @main(%x: Tensor[(m, n), float32], %w: Tensor[(k, n), float32]) -> Tensor[(m, k), float32] { nn.matmul(%x, _) }\n"
                .to_vec(),
        ),
        ("relu.onnx", of_nodes(&[relu("x", "y")])),
        ("twice.onnx", of_nodes(&[relu("x", "y"), relu("y", "y")])),
        ("dangling.onnx", of_nodes(&[relu("z", "y")])),
        (
            "cycle.onnx",
            of_nodes(&[node("Add", &["x", "z"], &["y"]), relu("y", "z")]),
        ),
        ("bad-type.onnx", bad_type()),
        ("bad-tensor.onnx", bad_tensor()),
        (
            "deep.onnx",
            with_functions("F", &[function("F", &[of_own("F", "x", "y")])]),
        ),
        ("long.onnx", long()),
        ("no-version.onnx", no_version()),
        ("body.onnx", wrong_body()),
        ("no-body.onnx", no_body()),
        ("unwritten.onnx", unwritten()),
        ("undecided.onnx", undecided()),
        ("hint.onnx", hint()),
        ("untyped.onnx", with_functions("Twice", &[])),
    ]
}

/// `x: f32[2, 3]`.
fn x() -> Message {
    input("x", F32, &[2.into(), 3.into()])
}

/// `y`, of which nothing is declared.
fn y() -> Message {
    value("y", None)
}

fn relu(from: &str, to: &str) -> Message {
    node("Relu", &[from], &[to])
}

/// A model from `x` to `y`.
fn of_nodes(nodes: &[Message]) -> Vec<u8> {
    model(&graph(nodes, &[x()], &[y()]), OPSET)
}

fn bad_type() -> Vec<u8> {
    let x = input("x", NONE, &[2.into(), 3.into()]);
    model(&graph(&[relu("x", "y")], &[x], &[y()]), OPSET)
}

/// A choice between two products that can't be.
fn no_body() -> Vec<u8> {
    let product = |w: &str| {
        graph(
            &[node("MatMul", &["x", w], &["p"])],
            &[],
            &[value("p", None)],
        )
    };
    let choice = node("If", &["c"], &["y"])
        .message(5, &body("then_branch", &product("v")))
        .message(5, &body("else_branch", &product("w")));
    let c = input("c", BOOL, &[]);
    let v = input("v", F32, &[4.into(), 5.into()]);
    let w = input("w", F32, &[6.into(), 5.into()]);
    model(&graph(&[choice], &[c, x(), v, w], &[y()]), OPSET)
}

/// A loop that doubles what it is given, and multiplies it with something else before that.
fn unwritten() -> Vec<u8> {
    let nodes = [
        node("Concat", &["a", "a"], &["b"]).message(5, &encode::int_attr("axis", 0)),
        node("MatMul", &["w", "a"], &["p"]),
        node("Identity", &["go"], &["on"]),
    ];
    let inputs = ["i", "go", "a"].map(|name| value(name, None));
    let inner = graph(&nodes, &inputs, &["on", "b"].map(|name| value(name, None)));
    let again = node("Loop", &["m", "", "x"], &["y"]).message(5, &body("body", &inner));
    let m = input("m", I64, &[]);
    let w = input("w", F32, &[5.into(), 2.into()]);
    model(&graph(&[again], &[m, x(), w], &[y()]), OPSET)
}

/// Of two numbers that follow each other one is even.
fn undecided() -> Vec<u8> {
    let x = input("x", F32, &["N".into(), "N + 1".into()]);
    let to = [2i64, -1].map(i64::to_le_bytes).concat();
    let to = message().int(1, 2).int(2, I64).text(8, "to").bytes(9, &to);
    let nodes = [node("Reshape", &["x", "to"], &["y"])];
    model(&graph(&nodes, &[x], &[y()]).message(5, &to), OPSET)
}

/// An initializer of three elements with the bytes of one.
fn bad_tensor() -> Vec<u8> {
    let tensor = message()
        .int(1, 3)
        .int(2, F32)
        .text(8, "w")
        .bytes(9, &[0; 4]);
    let nodes = [node("Add", &["x", "w"], &["y"])];
    let graph = graph(&nodes, &[x()], &[y()]).message(5, &tensor);
    model(&graph, OPSET)
}

/// The model says a version of no domain.
fn no_version() -> Vec<u8> {
    model_with(&graph(&[relu("x", "y")], &[x()], &[y()]), &[], &[])
}

/// A loop hands its number and a condition to its body, which takes neither.
fn wrong_body() -> Vec<u8> {
    let go_on = [node("Identity", &["more"], &["on"])];
    let inner = graph(&go_on, &[input("more", BOOL, &[])], &[value("on", None)]);
    let looped = node("Loop", &["", "", "x"], &["y"]).message(5, &body("body", &inner));
    of_nodes(&[looped])
}

/// An output that is declared with the dims the other way round.
fn hint() -> Vec<u8> {
    let declared = encode::tensor_type(F32, Some(&[Dim::Size(3), Dim::Size(2)]));
    let y = value("y", Some(&declared));
    model(&graph(&[relu("x", "y")], &[x()], &[y]), OPSET)
}

/// A call of an operator of the domain `own`.
fn of_own(op: &str, from: &str, to: &str) -> Message {
    node(op, &[from], &[to]).text(7, "own")
}

/// A function of the domain `own` from `x` to `y`.
fn function(name: &str, nodes: &[Message]) -> Message {
    encode::function(name, &["x"], &["y"], nodes)
}

/// A model that calls an operator of the domain `own`, with the functions of that.
fn with_functions(called: &str, functions: &[Message]) -> Vec<u8> {
    let graph = graph(&[of_own(called, "x", "y")], &[x()], &[y()]);
    model_with(&graph, functions, &[("", OPSET), ("own", 1)])
}

/// Each function calls the next one a hundred times.
fn long() -> Vec<u8> {
    let names = ["F", "G", "H", "I", "J"];
    let calls = |next: &str| {
        let calls = (0..100).map(|i| of_own(next, "x", if i == 0 { "y" } else { "" }));
        calls.collect::<Vec<_>>()
    };
    let functions: Vec<Message> = names
        .windows(2)
        .map(|pair| function(pair[0], &calls(pair[1])))
        .collect();
    with_functions("F", &functions)
}
