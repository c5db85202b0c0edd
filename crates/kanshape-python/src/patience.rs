//! [`Patience`]: how long a user waits for an answer.

use crate::raise;
use kanshape::{Control, Query};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a user waits: until a deadline, if there is one, and until Ctrl-C.
#[derive(Clone, Default)]
pub(crate) struct Patience {
    timeout: Option<Duration>,
    ended: Arc<Mutex<Ended>>,
}

/// Why a search was stopped.
#[derive(Default)]
enum Ended {
    #[default]
    Not,
    Late,
    /// It has still to be raised.
    Signal(PyErr),
    /// It has been raised.
    Interrupted,
}

impl Patience {
    /// `seconds` is a timeout; without one only Ctrl-C stops the search.
    pub(crate) fn new(seconds: Option<f64>) -> PyResult<Patience> {
        Ok(Patience {
            timeout: Patience::seconds(seconds)?,
            ended: Arc::default(),
        })
    }

    /// A timeout. One that is longer than any time is none.
    pub(crate) fn seconds(seconds: Option<f64>) -> PyResult<Option<Duration>> {
        match seconds {
            None => Ok(None),
            Some(seconds) if seconds >= 0.0 => Ok(Duration::try_from_secs_f64(seconds).ok()),
            Some(_) => Err(raise::value("a timeout is a number of seconds, 0 or more")),
        }
    }

    /// The query, stopped when this is at its end. The deadline is counted from now.
    pub(crate) fn of(&self, query: Query) -> Query {
        query.stop_if(self.is_over())
    }

    /// What ends anything else when this is at its end.
    pub(crate) fn control(&self) -> Control {
        Control::default().until(self.is_over())
    }

    /// Runs what may take this many steps, without the interpreter's lock. What has been found out when the time is over is kept; Ctrl-C is
    /// an exception.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        budget: Option<u64>,
        f: impl FnOnce() -> T + Send,
    ) -> PyResult<T> {
        let control = self.control();
        let found = py.detach(|| control.run(budget.unwrap_or(u64::MAX), f));
        self.check().map(|()| found)
    }

    fn is_over(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let deadline = self
            .timeout
            .and_then(|timeout| Instant::now().checked_add(timeout));
        let ended = Arc::clone(&self.ended);
        move || {
            let state = || ended.lock().unwrap_or_else(PoisonError::into_inner);
            // Python reports a signal once, and a search checks for it more than once.
            if !matches!(*state(), Ended::Not) {
                return true;
            }
            let end = if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                Ended::Late
            } else {
                // Only the main thread gets signals; elsewhere this does nothing.
                match Python::attach(|py| py.check_signals()) {
                    Ok(()) => return false,
                    Err(signal) => Ended::Signal(signal),
                }
            };
            let mut ended = state();
            if matches!(*ended, Ended::Not) {
                *ended = end;
            }
            true
        }
    }

    /// The exception of a search that found nothing: that of the signal, or that nothing was decided in time. A second call
    /// gives the same error, but for a signal, which Python raises once.
    pub(crate) fn undecided(&self, py: Python<'_>) -> PyErr {
        if let Err(signal) = self.check() {
            return signal;
        }
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let why = match *ended {
            Ended::Late => "no answer was found within the timeout",
            Ended::Signal(_) | Ended::Interrupted => "the search was interrupted",
            Ended::Not => "no answer was found within the budget",
        };
        raise::undecided(py, why)
    }

    /// An error if the user has pressed Ctrl-C.
    pub(crate) fn check(&self) -> PyResult<()> {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        match &*ended {
            Ended::Signal(_) => match std::mem::replace(&mut *ended, Ended::Interrupted) {
                Ended::Signal(signal) => Err(signal),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
