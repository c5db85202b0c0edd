//! Hostile lines: each is answered within limits, and so is the line behind it.

use std::process::{Command, Stdio};

use crate::hostile_lines::lines;
use crate::program::{exe, finish};

/// The next line, and its answer.
const NEXT: &str = r#"{"id":"next","signature":"(n)->(n)","inputs":["f32[3]"]}"#;

/// The memory that the program may take: 256 MB more than it needs for each of up to four cores, and what its allocator
/// reserves.
const KILOBYTES: usize = 2_500_000;

#[test]
fn each_is_answered_and_so_is_the_next() {
    let mut input = String::new();
    let all = lines();
    for hostile in &all {
        input.push_str(&hostile.line);
        input.push('\n');
        input.push_str(NEXT);
        input.push('\n');
    }
    // The limit of time is one of the processor: 2 seconds a line, and as much again for a build without optimisation.
    let limits = format!(
        "ulimit -v {KILOBYTES}; ulimit -t {}; exec {} batch",
        4 * all.len(),
        exe().display()
    );
    let child = Command::new("sh")
        .args(["-c", &limits])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let run = finish(child, input.as_bytes());
    let answers: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        (run.code, &*run.err),
        (Some(0), ""),
        "{} lines",
        answers.len()
    );
    assert_eq!(answers.len(), 2 * all.len());
    for (i, (pair, hostile)) in answers.chunks(2).zip(&all).enumerate() {
        let number = format!(r#","line":{},"#, 2 * i + 1);
        let start: String = pair[0].chars().take(60).collect();
        assert!(pair[0].contains(&number), "{}: {start}", hostile.name);
        assert!(pair[0].contains(r#""error":"#), "{}: {start}", hostile.name);
        let next = format!(r#"{{"id":"next","line":{},"verdict":"always""#, 2 * i + 2);
        assert!(
            pair[1].starts_with(&next),
            "behind {}: {}",
            hostile.name,
            pair[1]
        );
    }
}

#[test]
fn a_timeout_ends_a_question_of_any_budget() {
    let line = r#"{"id":1,"op":"onnx::Conv","inputs":["f32[...]","f32[...]"],"budget":100000000000,"limit":1000000}"#;
    let run = crate::program::with_input(&["batch", "--timeout", "0.2"], line.as_bytes()).solved();
    assert!(run.contains(r#""complete":false"#), "{run}");
}
