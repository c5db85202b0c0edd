//! What hostile lines cost: each is put to `kanshape batch` on a processor of its own, with a harmless line behind it.
//!
//!     cargo bench -p kanshape-cli --bench hostile
//!     cargo bench -p kanshape-cli --bench hostile -- product      # those with this in their names
//!
//! The bench fails if a line takes more than two seconds or 256 MB, or is not answered.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/cli/hostile_lines.rs"]
mod hostile_lines;

use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const NEXT: &str = r#"{"id":"next","signature":"(n)->(n)","inputs":["f32[3]"]}"#;
const MOST: Duration = Duration::from_secs(2);
const MOST_KB: u64 = 256 << 10;

fn main() -> ExitCode {
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let mut is_good = true;
    let start = peak_of(&mut Vec::new(), "").2;
    println!("{:<44} {:>8} {:>8}  answer", "line", "seconds", "MB more");
    for hostile in hostile_lines::lines() {
        if only
            .as_ref()
            .is_some_and(|only| !hostile.name.contains(only))
        {
            continue;
        }
        let mut out = Vec::new();
        let (answered, time, peak) = peak_of(&mut out, &hostile.line);
        let more = peak.saturating_sub(start);
        let fits = answered && time < MOST && more < MOST_KB;
        is_good &= fits;
        let answer = String::from_utf8_lossy(&out);
        let answer: String = answer.chars().skip_while(|c| *c != 'v').take(40).collect();
        let mark = if fits { "" } else { "  <- too much" };
        let (name, seconds) = (&hostile.name, time.as_secs_f64());
        println!(
            "{name:<44} {seconds:>8.2} {:>8}  {answer}{mark}",
            more >> 10
        );
    }
    match is_good {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Puts a line to the program: is it answered, and the next one, in which time, and with how many kilobytes at most?
fn peak_of(out: &mut Vec<u8>, line: &str) -> (bool, Duration, u64) {
    let start = Instant::now();
    let exe = env!("CARGO_BIN_EXE_kanshape");
    // The peak is read when the program has answered and waits for more.
    let mut child = Command::new(exe)
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = std::io::BufReader::new(child.stdout.take().unwrap());
    let wrote = writeln!(stdin, "{line}\n{NEXT}").is_ok();
    let mut next = Vec::new();
    use std::io::BufRead;
    if !line.is_empty() {
        let _ = answers.read_until(b'\n', out);
    }
    let _ = answers.read_until(b'\n', &mut next);
    let time = start.elapsed();
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok());
    drop(stdin);
    let ended = child.wait().is_ok_and(|status| status.success());
    let is_next = next.starts_with(br#"{"id":"next""#);
    (wrote && ended && is_next, time, peak.unwrap_or(u64::MAX))
}
