//! 0 solved, 1 never, 2 a text or a file is wrong, 3 the budget ran out.

use crate::program::{kanshape, with_input};

#[track_caller]
fn code(args: &[&str], expected: i32) {
    let run = kanshape(args);
    assert_eq!(run.code, Some(expected), "{args:?}\n{}{}", run.out, run.err);
}

const MATMUL: &str = "(m,n),(n,p)->(m,p)";

#[test]
fn solved() {
    code(&["infer", MATMUL, "f32[2,3]", "f32[3,4]"], 0);
    code(&["infer", "+(),()->()", "f32[n]", "f32[3]"], 0);
    code(&["enum", "+(),()->()", "--output", "f32[2]"], 0);
    code(&["infer", MATMUL, "f32[2,3]", "f32[3,4]", "--json"], 0);
    code(&["parse", MATMUL], 0);
    code(&["catalog"], 0);
    code(&["completions", "bash"], 0);
    code(&["--version"], 0);
}

#[test]
fn never() {
    for json in [&[][..], &["--json"]] {
        code(
            &[&["infer", MATMUL, "f32[2,3]", "f32[4,4]"], json].concat(),
            1,
        );
    }
    code(&["enum", MATMUL, "f32[2,3]", "f32[4,4]"], 1);
    let run = kanshape(&["infer", MATMUL, "f32[2,3]", "f32[4,4]"]);
    assert_eq!(run.out, "");
    assert!(run.err.starts_with("error[K0101]"), "{}", run.err);
}

#[test]
fn wrong() {
    code(&["infer", "(m n)->()", "?"], 2);
    code(&["infer", "no_such_operator", "?"], 2);
    code(&["infer", MATMUL, "f32[2,3]"], 2);
    code(&["infer", MATMUL, "f32[2,3", "?"], 2);
    code(&["infer", MATMUL, "?", "?", "--param", "s"], 2);
    code(&["infer", MATMUL, "?", "?", "--param", "s=2"], 2);
    code(&["infer", MATMUL, "?", "?", "--where", "n >"], 2);
    code(&["infer", MATMUL, "?", "?", "--promotion", "nupy"], 2);
    code(&["infer", MATMUL, "?", "?", "--no-such-option"], 2);
    code(&["infer"], 2);
    code(&["no-such-command"], 2);
    code(&[], 2);
    code(&["parse", "(m"], 2);
    code(&["catalog", "no_such_operator"], 2);
    code(&["batch", "no/such/file"], 2);
    code(&["explain", "K9999"], 2);
}

#[test]
fn out_of_budget() {
    code(
        &[
            "infer",
            "(...r)->(prod(...r))",
            "f32[...]",
            "--budget",
            "100",
        ],
        3,
    );
    code(
        &[
            "infer",
            "(...r)->(prod(...r))",
            "f32[...]",
            "--budget",
            "100",
            "--json",
        ],
        3,
    );
    code(&["enum", "(n)->(n)", "--budget", "100"], 3);
    code(
        &["infer", "(...r)->(prod(...r))", "f32[...]", "--limit", "2"],
        0,
    );
}

#[test]
fn of_a_batch_says_nothing_of_its_lines() {
    let run = with_input(&["batch"], b"nonsense\n");
    assert_eq!(run.code, Some(0));
}
