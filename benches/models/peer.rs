//! [`Peer`]: `onnx.shape_inference`, in a Python of its own.

use std::io::{BufRead, BufReader, Error, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The package, and the version of it.
const PACKAGE: &str = "onnx==1.23.2";

/// The peer, which waits for models.
pub(crate) struct Peer {
    process: Child,
    requests: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    /// Its version.
    pub version: String,
}

/// What it takes, in seconds of CPU time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// `infer_shapes(bytes)` as it is called from Python, which reads its result again.
    pub whole: f64,
    /// Its C++ alone.
    pub native: f64,
    /// The same without data propagation.
    pub without_data: f64,
}

impl Taken {
    /// The better of both, each.
    pub(crate) fn min(self, other: Taken) -> Taken {
        Taken {
            whole: self.whole.min(other.whole),
            native: self.native.min(other.native),
            without_data: self.without_data.min(other.without_data),
        }
    }
}

impl Peer {
    /// Sets the peer up in a folder, unless it is there, and starts it.
    pub(crate) fn start(folder: &Path) -> Result<Peer, Error> {
        let python = set_up(&folder.join("peer"))?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/models/peer.py");
        let mut process = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let no_pipe = || Error::other("the peer has no pipe");
        let requests = process.stdin.take().ok_or_else(no_pipe)?;
        let answers = process.stdout.take().ok_or_else(no_pipe)?;
        let mut peer = Peer {
            process,
            requests,
            answers: BufReader::new(answers).lines(),
            version: String::new(),
        };
        peer.version = peer.line()?;
        Ok(peer)
    }

    fn line(&mut self) -> Result<String, Error> {
        let line = self.answers.next();
        line.ok_or_else(|| Error::other("the peer has ended"))?
    }

    /// What it takes for the model in a file.
    pub(crate) fn ask(&mut self, model: &Path) -> Result<Taken, Error> {
        writeln!(self.requests, "{}", model.display())?;
        let line = self.line()?;
        let numbers: Vec<f64> = line.split(' ').filter_map(|n| n.parse().ok()).collect();
        match numbers[..] {
            [whole, native, without_data] => Ok(Taken {
                whole,
                native,
                without_data,
            }),
            _ => Err(Error::other(format!("the peer says {line:?}"))),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A Python that has the package.
fn set_up(folder: &Path) -> Result<PathBuf, Error> {
    let python = match cfg!(windows) {
        true => folder.join("Scripts/python.exe"),
        false => folder.join("bin/python"),
    };
    let ready = folder.join(PACKAGE);
    if !ready.exists() {
        let system = if cfg!(windows) { "python" } else { "python3" };
        run(Command::new(system).args(["-m", "venv"]).arg(folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", PACKAGE]))?;
        std::fs::write(ready, "")?;
    }
    Ok(python)
}

fn run(command: &mut Command) -> Result<(), Error> {
    let status = command.status()?;
    match status.success() {
        true => Ok(()),
        false => Err(Error::other(format!("{command:?}: {status}"))),
    }
}
