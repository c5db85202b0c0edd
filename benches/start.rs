//! What the first answer of a process costs: its CPU time, from its start to its end.
//!
//!     cargo bench -p kanshape-cli --bench start
//!     cargo bench -p kanshape-cli --bench start -- onnx           # the rows with this in their names
//!
//! It reads the times of processes in `/proc`, and so it runs on Linux.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::io::Read;
use std::process::{Command, ExitCode, Stdio};

use kanshape::{Call, catalog};

/// How often each process is started.
const ROUNDS: usize = 100;
/// The first argument of this program where it is one of those that are measured.
const SOLVE: &str = "--solve";

const MODEL: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/data/models/simple/test_single_relu_model.onnx"
);

/// The questions: a name, and the arguments of `kanshape`.
const OF_PROGRAM: &[(&str, &[&str])] = &[
    ("nothing but the version", &["--version"]),
    (
        "a signature",
        &["infer", "(m,n),(n,p)->(m,p)", "f32[2,3]", "f32[3,4]"],
    ),
    (
        "onnx::Add",
        &["infer", "onnx::Add", "f32[8,1,6]", "f32[7,1]"],
    ),
    (
        "onnx::Conv",
        &[
            "infer",
            "onnx::Conv",
            "f32[1,3,224,224]",
            "f32[64,3,7,7]",
            "--attr",
            "strides=[2,2]",
            "--attr",
            "pads=[3,3,3,3]",
        ],
    ),
    (
        "numpy::matmul",
        &["infer", "numpy::matmul", "f32[2,3]", "f32[3,4]"],
    ),
    ("an ONNX model of one node", &["check", MODEL]),
];

/// What is wanted of some of them, as the least.
const WANTED: &[(&str, f64)] = &[("kanshape: onnx::Add", 1.6)];

/// The same of a program that uses the library: the operator and its inputs.
const OF_LIBRARY: &[(&str, &[&str])] = &[
    ("nothing", &[]),
    ("onnx::Add", &["f32[8,1,6]", "f32[7,1]"]),
    ("onnx::Relu", &["f32[8]"]),
    ("numpy::matmul", &["f32[2,3]", "f32[3,4]"]),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, question)) = args.split_first()
        && first == SOLVE
    {
        solve(question);
        return ExitCode::SUCCESS;
    }
    let only = args.iter().find(|arg| !arg.starts_with('-'));
    let is_wanted = |name: &str| only.is_none_or(|only| name.contains(only.as_str()));
    println!(
        "{:<44} {:>8} {:>8} {:>8}",
        "CPU time of a process, ms", "least", "median", "wanted"
    );
    for (name, args) in OF_PROGRAM {
        let name = format!("kanshape: {name}");
        if is_wanted(&name) {
            row(&name, || {
                let mut command = Command::new(env!("CARGO_BIN_EXE_kanshape"));
                command.args(*args);
                command
            });
        }
    }
    let this = std::env::current_exe().unwrap();
    for (operator, inputs) in OF_LIBRARY {
        let name = format!("library: {operator}");
        if is_wanted(&name) {
            row(&name, || {
                let mut command = Command::new(&this);
                command.args([SOLVE, operator]).args(*inputs);
                command
            });
        }
    }
    ExitCode::SUCCESS
}

/// Solves one question, in a process of its own.
fn solve(question: &[String]) {
    let (operator, inputs) = question.split_first().unwrap();
    if inputs.is_empty() {
        return;
    }
    let inputs = inputs.iter().map(|input| Some(input.parse().unwrap()));
    let call = Call {
        inputs: inputs.collect(),
        ..Call::default()
    };
    let operator = catalog().operator(operator, None).unwrap();
    let mut answers = operator.query(call).unwrap().solve().unwrap();
    println!("{}", answers.next().unwrap().outputs[0]);
}

fn row(name: &str, command: impl Fn() -> Command) {
    let mut times: Vec<f64> = (0..ROUNDS).map(|_| milliseconds(&mut command())).collect();
    times.sort_by(f64::total_cmp);
    print!("{name:<44} {:>8.2} {:>8.2}", times[0], times[ROUNDS / 2]);
    match WANTED.iter().find(|own| own.0 == name) {
        Some((_, wanted)) => println!(" {wanted:>8.2}"),
        None => println!(),
    }
}

/// The CPU time of a process.
fn milliseconds(command: &mut Command) -> f64 {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    // What it has taken is known from its end until somebody waits for it.
    let of_child = |file: &str| {
        let path = format!("/proc/{}/{file}", child.id());
        std::fs::read_to_string(path).unwrap()
    };
    while !of_child("stat").contains(") Z ") {
        std::thread::yield_now();
    }
    let taken = of_child("schedstat");
    let nanoseconds: f64 = taken.split(' ').next().unwrap().parse().unwrap();
    assert!(child.wait().unwrap().success());
    nanoseconds / 1e6
}
