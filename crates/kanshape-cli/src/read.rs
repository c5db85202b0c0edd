//! Files that are read whole.
//!
//! A pipe or a device may have no end, or may never begin. So what is no file on a disk is read on a thread of its own, up to a size,
//! and within the time that the user allows.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use kanshape::Diagnostic;
use kanshape_onnx::{Exported, Options};

/// How many bytes are read of what is no file on a disk: `docs/cli.md`.
const MAX_STREAM: u64 = 128 << 20;

/// How long reading such a thing may take.
static TIME: OnceLock<Duration> = OnceLock::new();

/// Says how long reading a pipe or a device may take; without that, as long as it takes.
pub(crate) fn within(time: Option<Duration>) {
    if let Some(time) = time {
        // A program says it once.
        let _ = TIME.set(time);
    }
}

/// What is in a file.
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    // What is not there, or is a folder, is an error of the reading itself.
    match fs::metadata(path) {
        Ok(about) if !about.is_file() && !about.is_dir() => stream(path, TIME.get().copied()),
        _ => fs::read(path),
    }
}

/// A model as it is read; a program that torch has exported, or a module of StableHLO, becomes one.
pub(crate) fn model(name: &str, bytes: Vec<u8>, options: &Options) -> Result<Exported, Diagnostic> {
    let relations = options.relations.as_ref().unwrap_or(kanshape::catalog());
    kanshape_batch::model::read(name, bytes, relations)
}

/// Is this a module of StableHLO?
pub(crate) fn is_module(path: &Path, bytes: &[u8]) -> bool {
    kanshape_batch::model::is_module(&path.to_string_lossy(), bytes)
}

/// The same of a text.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    let invalid = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8");
    String::from_utf8(bytes(path)?).map_err(invalid)
}

fn stream(path: &Path, time: Option<Duration>) -> io::Result<Vec<u8>> {
    let (send, receive) = mpsc::sync_channel(1);
    let own = path.to_owned();
    // It ends with the program if what it reads never does.
    std::thread::Builder::new().spawn(move || {
        let read = File::open(own).and_then(bounded);
        let _ = send.send(read);
    })?;
    let late = || {
        io::Error::new(
            io::ErrorKind::TimedOut,
            "nothing more came within --timeout",
        )
    };
    match time {
        None => receive.recv().map_err(io::Error::other)?,
        Some(time) => receive.recv_timeout(time).map_err(|e| match e {
            RecvTimeoutError::Timeout => late(),
            e @ RecvTimeoutError::Disconnected => io::Error::other(e),
        })?,
    }
}

fn bounded(input: impl Read) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    input.take(MAX_STREAM + 1).read_to_end(&mut all)?;
    if all.len() as u64 > MAX_STREAM {
        let most = MAX_STREAM >> 20;
        return Err(io::Error::other(format!(
            "it is no file on a disk, and more than {most} MiB long"
        )));
    }
    Ok(all)
}
