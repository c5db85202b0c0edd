//! What the page asks: lines, and models that they are about. Each worker of a page is known by a name of its own, and its questions are
//! answered one after the other, as in the module that runs in a browser.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use kanshape::Control;
use kanshape_batch::effort::Effort;
use kanshape_batch::loaded::Loaded;
use kanshape_batch::type_json::TypesAs;
use kanshape_batch::{Batch, Subjects};

/// The workers of pages that are known at a time. A page has two, and makes new ones where a question is given up.
const MOST_WORKERS: usize = 32;
/// The longest name of one.
const MOST_NAME: usize = 64;
/// The stack that a question has, as in a browser.
const STACK: usize = 16 << 20;
/// How often it is asked whether somebody still waits.
const PAUSE: Duration = Duration::from_millis(20);

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The body is a line.
    Answer,
    /// The body is a line about a model that is to be written with its types.
    Typed,
    /// The body is a name of so many bytes, and a model of that name.
    Put(usize),
}

/// A question: whose, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    worker: String,
    what: What,
}

impl Asked {
    /// Reads a path such as `ask/WORKER/answer`, `ask/WORKER/typed` or `ask/WORKER/put/5`.
    pub(super) fn read(path: &str) -> Option<Asked> {
        let (worker, what) = path.strip_prefix("ask/")?.split_once('/')?;
        if worker.is_empty() || worker.len() > MOST_NAME {
            return None;
        }
        let what = match what {
            "answer" => What::Answer,
            "typed" => What::Typed,
            what => What::Put(what.strip_prefix("put/")?.parse().ok()?),
        };
        let worker = worker.to_owned();
        Some(Asked { worker, what })
    }
}

/// What is answered.
pub(super) enum WorkerReply {
    /// JSON.
    Text(Vec<u8>),
    /// A model.
    Model(Vec<u8>),
    /// Nobody waits for it any more, or it has failed.
    Nothing,
}

/// What one worker has been answered with, and its models.
struct WorkerModels {
    batch: Batch,
    subjects: Subjects,
}

impl WorkerModels {
    fn new() -> WorkerModels {
        let batch = Batch::new(Loaded::default(), Effort::default(), TypesAs::Text);
        WorkerModels {
            subjects: batch.subjects(),
            batch,
        }
    }

    fn answer(&mut self, what: What, mut body: Vec<u8>) -> WorkerReply {
        match what {
            What::Answer => WorkerReply::Text(self.batch.answer(&body, 1, &mut self.subjects)),
            What::Typed => match self.batch.typed(&body, &mut self.subjects) {
                Ok(model) => WorkerReply::Model(model),
                Err(line) => WorkerReply::Text(line),
            },
            What::Put(length) => {
                let bytes = body.split_off(length.min(body.len()));
                let name = String::from_utf8_lossy(&body);
                match bytes.is_empty() {
                    true => self.batch.remove_model(&name),
                    false => self.batch.set_model(&name, bytes),
                }
                WorkerReply::Text(b"null".to_vec())
            }
        }
    }
}

type Shared = Arc<Mutex<WorkerModels>>;

/// The workers of pages, the one that asked last at the end.
#[derive(Default)]
pub(super) struct Workers {
    all: Mutex<VecDeque<(String, Shared)>>,
}

impl Workers {
    /// Answers, unless `gone` says that nobody waits for it.
    pub(super) fn answer(
        &self,
        asked: &Asked,
        body: Vec<u8>,
        gone: impl Fn() -> bool,
    ) -> WorkerReply {
        let instance = self.of(&asked.worker);
        let what = asked.what;
        let stop = Arc::new(AtomicBool::new(false));
        let control = Control::default().cancel(Arc::clone(&stop));
        let (give, take) = sync_channel(1);
        let work = move || {
            let mut own = locked(&instance);
            let answer = control.run(u64::MAX, || own.answer(what, body));
            // Who has gone takes nothing.
            let _ = give.send(answer);
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn(work);
        if thread.is_err() {
            return WorkerReply::Nothing;
        }
        loop {
            match take.recv_timeout(PAUSE) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return WorkerReply::Nothing,
                Err(RecvTimeoutError::Timeout) if gone() => {
                    stop.store(true, Ordering::Relaxed);
                    return WorkerReply::Nothing;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn of(&self, worker: &str) -> Shared {
        let mut all = locked(&self.all);
        let known = all.iter().position(|own| own.0 == worker);
        let own = match known.and_then(|at| all.remove(at)) {
            Some(own) => own,
            None => {
                // The one that has asked for nothing for the longest time.
                if all.len() >= MOST_WORKERS {
                    all.pop_front();
                }
                (worker.to_owned(), Arc::new(Mutex::new(WorkerModels::new())))
            }
        };
        let instance = Arc::clone(&own.1);
        all.push_back(own);
        instance
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::time::Instant;

    fn line(workers: &Workers, worker: &str, line: &str) -> String {
        let asked = Asked::read(&format!("ask/{worker}/answer")).unwrap();
        match workers.answer(&asked, line.as_bytes().to_vec(), || false) {
            WorkerReply::Text(text) => String::from_utf8(text).unwrap(),
            _ => panic!("no answer"),
        }
    }

    #[test]
    fn paths() {
        let read = |path| Asked::read(path).map(|asked| asked.what);
        assert_eq!(read("ask/a/answer"), Some(What::Answer));
        assert_eq!(read("ask/a/typed"), Some(What::Typed));
        assert_eq!(read("ask/a/put/12"), Some(What::Put(12)));
        for wrong in [
            "ask/a",
            "ask//answer",
            "ask/a/put/-1",
            "ask/a/x",
            "a/answer",
            "",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn each_worker_has_models_of_its_own() {
        let workers = Workers::default();
        let answer = line(
            &workers,
            "a",
            r#"{"signature":"(n)->(n)","inputs":["f32[3]"]}"#,
        );
        assert!(answer.contains("f32[3]"), "{answer}");
        let put = Asked::read("ask/a/put/1").unwrap();
        workers.answer(&put, b"m\0".to_vec(), || false);
        // What is no model is known to the one, and there is none for the other.
        assert!(line(&workers, "a", r#"{"model":"m"}"#).contains("K0601"));
        assert!(!line(&workers, "b", r#"{"model":"m"}"#).contains("K0601"));
        for i in 0..2 * MOST_WORKERS {
            line(&workers, &i.to_string(), "{}");
        }
        assert_eq!(locked(&workers.all).len(), MOST_WORKERS);
    }

    #[test]
    fn a_question_ends_with_who_asked_it() {
        let workers = Workers::default();
        let asked = Asked::read("ask/a/answer").unwrap();
        // Nothing ends this one by itself for a long time.
        let long = r#"{"signature":"(a,b,c,d)->(d,c,b,a)","max_dim":1000,"limit":100000000,"timeout":600,"budget":100000000000000}"#;
        let start = Instant::now();
        let answer = workers.answer(&asked, long.into(), || true);
        assert!(matches!(answer, WorkerReply::Nothing));
        // The next one of the same worker waits for no more than its end.
        line(&workers, "a", "{}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
