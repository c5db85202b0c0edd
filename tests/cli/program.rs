//! Runs the program.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// What was printed, if that is all and the code is 0.
    #[track_caller]
    pub(crate) fn solved(self) -> String {
        assert_eq!((self.code, &*self.err), (Some(0), ""), "{}", self.out);
        self.out
    }
}

pub(crate) fn exe() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_kanshape"))
}

/// The program, with pipes, and nothing of the environment that changes how it prints.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(exe());
    command.args(args);
    for name in ["NO_COLOR", "TERM", "LANG", "LC_ALL", "LC_CTYPE"] {
        command.env_remove(name);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub(crate) fn kanshape(args: &[&str]) -> Run {
    with_input(args, b"")
}

pub(crate) fn with_input(args: &[&str], input: &[u8]) -> Run {
    let child = command(args).spawn().unwrap();
    finish(child, input)
}

/// Writes and reads at the same time: neither side waits for the other for ever.
pub(crate) fn finish(mut child: Child, input: &[u8]) -> Run {
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Who does not read his input does not have to.
            let _ = stdin.write_all(input);
        });
        let output = child.wait_with_output().unwrap();
        Run {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    })
}
