//! Work on all cores whose results are written in the order in which it was given.
//!
//! The thread that calls reads, workers answer, and one more thread writes. A reader that is ahead of what has been written by
//! [`AHEAD`] waits, so that no more is in memory than that; and an answer is written as soon as all those before it are, so
//! that a caller who waits for it before the next question is not kept waiting.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::exit::Failure;

/// The most lines that may be read, for each core, that are not written yet.
const AHEAD: usize = 16;
/// The most bytes of lines in.
const BYTES_AHEAD: usize = 32 << 20;

/// What has been given and is not written yet.
#[derive(Default)]
struct Ahead {
    count: usize,
    bytes: usize,
    /// Nothing can be written any more.
    closed: bool,
}

/// The gate that the reader waits at.
#[derive(Default)]
struct Gate {
    ahead: Mutex<Ahead>,
    moved: Condvar,
}

impl Gate {
    fn open(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until one more may be given. `false` if there is nobody to take it.
    fn enter(&self, bytes: usize, most: usize) -> bool {
        let full = |a: &mut Ahead| {
            !a.closed && a.count > 0 && (a.count >= most || a.bytes + bytes > BYTES_AHEAD)
        };
        let ahead = self.moved.wait_while(self.open(), full);
        let mut ahead = ahead.unwrap_or_else(PoisonError::into_inner);
        ahead.count += 1;
        ahead.bytes += bytes;
        !ahead.closed
    }

    fn leave(&self, bytes: usize) {
        let mut ahead = self.open();
        ahead.count -= 1;
        ahead.bytes -= bytes;
        self.moved.notify_one();
    }

    fn close(&self) {
        self.open().closed = true;
        self.moved.notify_one();
    }
}

/// What is given, and how much memory it takes.
pub(super) trait Weight {
    fn bytes(&self) -> usize;
}

/// What one worker has come to: the place, the size of what was given, the result.
type Finished = (usize, usize, Vec<u8>);

/// Works off whatever `read` gives, with a worker's own `W` on each core, and writes the results to standard output in the
/// order in which it was given.
///
/// # Errors
/// The first of `read`, after all that was given before it is written; and of writing.
pub(super) fn run<T: Weight + Send, W>(
    read: impl FnOnce(&mut dyn FnMut(T) -> bool) -> Result<(), Failure>,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &T) -> Vec<u8> + Sync,
) -> Result<(), Failure> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let gate = Gate::default();
    let (give, take) = sync_channel::<(usize, T)>(workers);
    let take = Mutex::new(take);
    let (put, get) = sync_channel::<Finished>(workers);
    thread::scope(|scope| {
        for _ in 0..workers {
            let (put, take, worker, work) = (put.clone(), &take, &worker, &work);
            scope.spawn(move || {
                let mut own = worker();
                while let Some((place, given)) = next(take) {
                    let found = work(&mut own, &given);
                    if put.send((place, given.bytes(), found)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(put);
        let gate = &gate;
        let writer = scope.spawn(move || {
            let written = write(&get, gate);
            gate.close();
            written
        });
        let done = read_all(read, give, gate, AHEAD * workers);
        let written = writer.join().unwrap_or(Ok(()));
        done?;
        Ok(written?)
    })
}

/// Gives all that there is, each with its place.
fn read_all<T: Weight>(
    read: impl FnOnce(&mut dyn FnMut(T) -> bool) -> Result<(), Failure>,
    give: SyncSender<(usize, T)>,
    gate: &Gate,
    most: usize,
) -> Result<(), Failure> {
    let mut place = 0;
    read(&mut |given| {
        let goes_on = gate.enter(given.bytes(), most) && give.send((place, given)).is_ok();
        place += 1;
        goes_on
    })
}

fn next<T>(take: &Mutex<Receiver<T>>) -> Option<T> {
    let take = take.lock().unwrap_or_else(PoisonError::into_inner);
    take.recv().ok()
}

/// Writes what is found in the order of its places.
fn write(get: &Receiver<Finished>, gate: &Gate) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut early: BTreeMap<usize, (usize, Vec<u8>)> = BTreeMap::new();
    let mut next = 0;
    loop {
        let found = match get.try_recv() {
            Ok(found) => found,
            Err(TryRecvError::Disconnected) => break,
            Err(TryRecvError::Empty) => {
                out.flush()?;
                match get.recv() {
                    Ok(found) => found,
                    Err(_) => break,
                }
            }
        };
        let (place, bytes, reply) = found;
        early.insert(place, (bytes, reply));
        while let Some((bytes, reply)) = early.remove(&next) {
            out.write_all(&reply)?;
            gate.leave(bytes);
            next += 1;
        }
    }
    out.flush()
}
