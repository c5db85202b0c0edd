//! [`Effort`]: how long a question may take.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kanshape::{Control, Query};

/// The time of a core that a question has at most, unless its user says otherwise. Its steps end it long before: this is for
/// what they fail to count.
const MOST_TIME: Duration = Duration::from_millis(1_800);
/// The memory that it has at most, likewise.
const MOST_BYTES: usize = 192 << 20;
/// The least time between two measurements of memory: one takes longer than a small question, and in this time no question allocates much.
const TIME_TO_LOOK: Duration = Duration::from_millis(2);

/// How long a question may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// None unless the user says it.
    pub budget: Option<u64>,
    /// The same of time.
    pub timeout: Option<Duration>,
}

impl Effort {
    /// The steps of a question.
    pub fn steps(&self) -> u64 {
        self.budget.unwrap_or(Query::DEFAULT_BUDGET)
    }

    /// What ends a question that begins now besides its steps.
    pub fn control(&self) -> Control {
        match (self.timeout, self.budget) {
            (None, None) => within_limits(),
            _ => self.deadline(),
        }
    }

    /// The same for a model, which may be of any size: nothing but what the user says.
    pub fn deadline(&self) -> Control {
        match self.timeout {
            Some(time) => Control::default().timeout(time),
            None => Control::default(),
        }
    }
}

/// Ends a question on this thread that takes more than any should.
fn within_limits() -> Control {
    let start = usage::time();
    // The memory at the first measurement, and the time of the last one.
    let (before, measured) = (OnceLock::new(), AtomicU64::new(0));
    Control::default().until(move || {
        let time = usage::time().saturating_sub(start);
        let now = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let since = Duration::from_nanos(now.saturating_sub(measured.load(Ordering::Relaxed)));
        if time > MOST_TIME || since < TIME_TO_LOOK {
            return time > MOST_TIME;
        }
        measured.store(now, Ordering::Relaxed);
        let bytes = usage::bytes();
        bytes.saturating_sub(*before.get_or_init(|| bytes)) > MOST_BYTES
    })
}

/// What this thread and its process have taken so far.
#[cfg(not(target_family = "wasm"))]
mod usage {
    use std::time::Duration;

    pub(super) fn time() -> Duration {
        cpu_time::ThreadTime::now().as_duration()
    }

    pub(super) fn bytes() -> usize {
        memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
    }
}

/// The same where there is one thread, and a clock of the embedder's.
#[cfg(target_family = "wasm")]
mod usage {
    use std::time::Duration;

    pub(super) fn time() -> Duration {
        kanshape::clock::Moment::now().since_start()
    }

    pub(super) fn bytes() -> usize {
        core::arch::wasm32::memory_size(0) << 16
    }
}

/// Reads what stands behind `--timeout`.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "is no number of seconds, such as 0.5 or 10".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "is no time that can pass".to_owned())
}
