//! [`Effort`]: how long a question may take.

use std::time::Duration;

use cpu_time::ThreadTime;
use kanshape::{Control, Query};
use memory_stats::memory_stats;

/// The time of a core that a question has at most, unless its user says otherwise. Its steps end it long before: this is for
/// what they fail to count.
const MOST_TIME: Duration = Duration::from_millis(1_800);
/// The memory that it has at most, likewise.
const MOST_BYTES: usize = 192 << 20;

/// How long a question may take.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// None unless the user says it.
    pub(crate) budget: Option<u64>,
    pub(crate) timeout: Option<Duration>,
}

impl Effort {
    /// The steps of a question.
    pub(crate) fn steps(&self) -> u64 {
        self.budget.unwrap_or(Query::DEFAULT_BUDGET)
    }

    /// What ends a question that begins now besides its steps.
    pub(crate) fn control(&self) -> Control {
        match (self.timeout, self.budget) {
            (None, None) => within_limits(),
            _ => self.deadline(),
        }
    }

    /// The same for a model, which may be of any size: nothing but what the user says.
    pub(crate) fn deadline(&self) -> Control {
        match self.timeout {
            Some(time) => Control::default().timeout(time),
            None => Control::default(),
        }
    }
}

/// Ends a question on this thread that takes more than any should.
fn within_limits() -> Control {
    let physical = || memory_stats().map_or(0, |stats| stats.physical_mem);
    let (start, before) = (ThreadTime::now().as_duration(), physical());
    Control::default().until(move || {
        let time = ThreadTime::now().as_duration().saturating_sub(start);
        time > MOST_TIME || physical().saturating_sub(before) > MOST_BYTES
    })
}

/// Reads what stands behind `--timeout`.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "is no number of seconds, such as 0.5 or 10".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "is no time that can pass".to_owned())
}
