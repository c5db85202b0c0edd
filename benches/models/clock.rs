//! CPU time, of this process.

use cpu_time::ProcessTime;
use std::time::Duration;

/// A round takes at least this long, so that the clock is fine enough.
const ROUND: Duration = Duration::from_millis(20);

/// The seconds of CPU time that something takes: the mean of one round.
pub(crate) fn seconds(mut run: impl FnMut()) -> f64 {
    let mut count = 0u32;
    let start = ProcessTime::now();
    loop {
        run();
        count += 1;
        let taken = start.elapsed();
        if taken >= ROUND {
            return taken.as_secs_f64() / f64::from(count);
        }
    }
}

/// The same of one time.
pub(crate) fn once(run: impl FnOnce()) -> f64 {
    let start = ProcessTime::now();
    run();
    start.elapsed().as_secs_f64()
}
