//! `kanshape rule`: rules that are made to take long, or much memory, and rules among themselves.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{Run, exe, finish, kanshape};

/// A file with these rules.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The memory that a question may take, beside what the program and its stacks reserve.
const KILOBYTES: usize = 256 * 1024 + 450_000;

/// Runs a command on a file, in this many seconds of the processor and in the memory that a question may take.
fn limited(seconds: u64, args: &str, path: &Path) -> Run {
    let limits = format!(
        "ulimit -v {KILOBYTES}; ulimit -t {seconds}; exec {} {args} {}",
        exe().display(),
        path.display()
    );
    let child = Command::new("sh")
        .args(["-c", &limits])
        // The allocator reserves no more than it needs.
        .env("MIMALLOC_ARENA_RESERVE", "65536")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    finish(child, b"")
}

/// Rules each of which is too much.
fn hostile() -> Vec<(&'static str, String)> {
    let leaves = |count: usize| (0..count).map(|i| format!("X{i}")).collect::<Vec<_>>();
    let nested = |op: &str, leaves: &[String]| {
        let all = leaves.iter().skip(1);
        all.fold(leaves[0].clone(), |sum, leaf| {
            format!("{op}({sum}, {leaf})")
        })
    };
    let forty = leaves(40);
    let mut swapped = forty.clone();
    swapped.swap(0, 39);
    let many = leaves(12);
    let deep = |count: usize| format!("{}X{}", "Relu(".repeat(count), ")".repeat(count));
    vec![
        (
            "a sum of 40 leaves",
            format!("Sum({}) => Sum({})", forty.join(", "), swapped.join(", ")),
        ),
        (
            "40 leaves, two by two",
            format!("{} => {}", nested("Add", &forty), nested("Add", &swapped)),
        ),
        (
            "a maximum of 12 leaves",
            format!("Max({}) => {}", many.join(", "), nested("Max", &many)),
        ),
        (
            "products of 12 leaves",
            format!("{} => {}", nested("MatMul", &many), many[0]),
        ),
        (
            "choices of choices",
            "Where(c, Where(d, A, B), Where(e, D, E)) => Where(d, Where(c, A, D), Where(e, B, E))"
                .into(),
        ),
        (
            "2,000 operators in each other",
            format!("{} => X", deep(2_000)),
        ),
        (
            "a rule that matches its own result",
            "Relu(X) => Relu(Relu(X))".into(),
        ),
        (
            "12 concatenations",
            format!(
                "{} => {}",
                nested("Concat[axis = 0]", &many),
                nested("Concat[axis = 1]", &many)
            ),
        ),
    ]
}

/// Each is answered within limits, alone, and one that is not decided says why.
#[test]
fn hostile_rules_are_answered() {
    for (i, (what, rule)) in hostile().into_iter().enumerate() {
        let path = file(
            &format!("hostile{i}.kan"),
            &format!("rule hostile: {rule}\n"),
        );
        // 2 seconds, and as much again for a build without optimisation.
        let run = limited(4, "rule check --json", &path);
        let is_answer = run.out.starts_with(r#"{"rule":"hostile","verdict":"#);
        let is_mistake = run.code == Some(2) && run.out.starts_with(r#"{"error":{"code":"K"#);
        assert!(is_answer || is_mistake, "{what}: {run:?}");
        if run.out.contains(r#""verdict":"unknown""#) {
            // What is proved of values needs no reason.
            let of_types = run.out.split(r#""values":"#).next().unwrap();
            assert!(!of_types.contains(r#""why":null"#), "{what}: {}", run.out);
            // Both sides may be other numbers all the same.
            let is_refuted = run.out.contains(r#""values":{"verdict":"refuted""#);
            let code = if is_refuted { 1 } else { 3 };
            assert_eq!(run.code, Some(code), "{what}");
        }
    }
}

/// A file of 1,000 rules is as many questions: what is kept from one to the next stays small.
#[test]
fn a_thousand_rules() {
    let rules: String = (0..1_000)
        .map(|i| format!("rule r{i}: Reshape(Relu(X), [{i}]) => Relu(Reshape(X, [{i}]))\n"))
        .collect();
    let path = file("thousand.kan", &rules);
    let run = limited(20, "rule check --json --max-rank 2", &path);
    assert_eq!((run.code, &*run.err), (Some(0), ""), "{}", run.out.len());
    let always = run
        .out
        .lines()
        .filter(|line| line.contains(r#""verdict":"always""#));
    assert_eq!(always.count(), 1_000);
    let run = limited(4, "rule check --set --json", &path);
    assert_eq!((run.code, &*run.err), (Some(0), ""), "{}", run.out);
    assert_eq!(run.out, "{\"related\":[],\"cut_off\":[],\"error\":null}\n");
}

const SET: &str = "\
rule swap: Add(X, Y) => Add(Y, X)
rule split: Sub(X, Y) => Add(X, Neg(Y))
rule join: Add(A, Neg(B)) => Sub(A, B)
rule again: Add(P, Neg(Q)) => Sub(P, Q)
rule some: Add(Relu(X), Neg(Y)) => Sub(Relu(X), Y)
";

#[test]
fn rules_among_themselves() {
    let path = file("set.kan", SET);
    let path = path.to_str().unwrap();
    let run = kanshape(&["rule", "check", "--set", path]);
    assert_eq!((run.code, &*run.err), (Some(1), ""));
    assert_eq!(
        run.out,
        "again: the same as join\nswap: matches its own result\nsplit: undone by join\nsome: join does the same, and more\nsome: undone by split\n"
    );
    let run = kanshape(&["rule", "check", "--set", "--json", path]);
    assert_eq!(run.code, Some(1));
    let first = r#"{"related":[{"relation":"same","rule":"again","other":"join","verdict":"always","needs":[]},"#;
    assert!(run.out.starts_with(first), "{}", run.out);
    let run = kanshape(&["rule", "check", "--set", "--rule", "join", path]);
    assert_eq!((run.code, &*run.out), (Some(0), ""));
}

/// A rule that is wrong in values does nothing that a right one does.
#[test]
fn a_rule_that_is_refuted_subsumes_none_that_is_right() {
    let path = file(
        "relu.kan",
        "rule bad: Relu(A) => A\nrule good: Relu(Relu(A)) => Relu(A)\n",
    );
    let path = path.to_str().unwrap();
    let run = kanshape(&["rule", "check", "--set", path]);
    assert!(!run.out.contains("good: bad does the same"), "{run:?}");
    let run = kanshape(&["rule", "check", "--set", "--types-only", path]);
    assert!(run.out.contains("good: bad does the same"), "{run:?}");
}

/// What is wrong in types alone and what is wrong in values have models each, of which those of the values have all contents.
#[test]
fn the_models_of_numbers_that_differ() {
    let rules = file(
        "assoc.kan",
        "rule assoc: MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))\n",
    );
    let models = rules.with_file_name("assoc");
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let run = kanshape(&["rule", "check", &path(&rules), "--write", &path(&models)]);
    assert!(run.out.contains("assoc.values.py\n"), "{run:?}");
    let left = kanshape(&["check", &path(&models.join("assoc.values.left.onnx"))]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.out.contains("output y0: f32[2]"), "{left:?}");
    assert!(!left.out.contains("input "), "{left:?}");
}

/// Both sides of a counterexample are models, which the program reads: the left one has the type that is printed, the right one none.
#[test]
fn the_models_of_a_counterexample() {
    let rules = file(
        "gemm.kan",
        "rule gemm: Add(MatMul(A, B), C) => Gemm(A, B, C)\n",
    );
    let models = rules.with_file_name("gemm");
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let run = kanshape(&["rule", "check", &path(&rules), "--write", &path(&models)]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.out.contains("  left   Add(MatMul(A, B), C)  f32[]\n"),
        "{run:?}"
    );
    assert!(run.out.contains("gemm.right.onnx, "), "{run:?}");
    let script = std::fs::read_to_string(models.join("gemm.py")).unwrap();
    assert!(
        script.contains("with_name(f\"gemm.{side}.onnx\")"),
        "{script}"
    );
    let left = kanshape(&["check", &path(&models.join("gemm.left.onnx"))]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.out.contains("output y0: f32[]\n"), "{left:?}");
    let right = kanshape(&["check", &path(&models.join("gemm.right.onnx"))]);
    assert_eq!(right.code, Some(1), "{right:?}");
    assert!(right.out.contains("1 error"), "{right:?}");
}
