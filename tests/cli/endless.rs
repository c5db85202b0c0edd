//! Files that never begin or never end: each command that reads one is over in time, with a clear error.
#![cfg(unix)]

use crate::program::kanshape;
use std::process::Command;
use std::time::{Duration, Instant};

/// A pipe that nobody writes to.
fn fifo(name: &str) -> String {
    let path = std::env::temp_dir().join(format!("kanshape-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    path.display().to_string()
}

#[track_caller]
fn is_over(args: &[&str], code: i32, says: &str) {
    let start = Instant::now();
    let run = kanshape(args);
    assert_eq!(run.code, Some(code), "{args:?}: {}{}", run.out, run.err);
    let shown = run.err + &run.out;
    assert!(shown.contains(says), "{args:?}: {shown}");
    assert!(start.elapsed() < Duration::from_secs(60), "{args:?}");
}

#[test]
fn a_pipe_without_a_writer_has_a_deadline() {
    let pipe = fifo("pipe");
    let late = "nothing more came within --timeout";
    for args in [
        &["check", &pipe][..],
        &["signature", &pipe],
        &["check", "--json", &pipe],
        &["program", "--of", "f32[2]", &pipe],
        &["infer", "(n)->(n)", "f32[2]", "--load", &pipe],
        &["rule", "check", &pipe],
    ] {
        is_over(&[args, &["--timeout", "0.3"]].concat(), 2, late);
    }
    std::fs::remove_file(pipe).unwrap();
}

#[test]
fn a_model_that_is_served_is_a_file() {
    let pipe = fifo("served");
    is_over(&["serve", &pipe], 2, "it is no file on a disk");
    std::fs::remove_file(pipe).unwrap();
}

#[test]
fn a_device_without_an_end_has_a_size() {
    let long = "it is no file on a disk, and more than 128 MiB long";
    is_over(&["check", "/dev/zero"], 2, long);
    is_over(&["program", "--of", "f32[2]", "/dev/zero"], 2, long);
}
