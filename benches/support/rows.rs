//! A table of what questions take, in CPU time, beside what is wanted; and criterion's figures in CPU time.
//!
//! What else a machine does makes wall time twice as long, and CPU time a little.

// No bench uses all of it.
#![allow(dead_code, clippy::print_stdout)]

use cpu_time::ThreadTime;
use criterion::Criterion;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use std::time::Duration;

/// A round takes at least this long, so that the clock is fine enough.
const ROUND: Duration = Duration::from_millis(20);

/// The CPU time of a run, in microseconds: the least mean of nine rounds.
pub(crate) fn micros(run: &mut dyn FnMut()) -> f64 {
    let start = ThreadTime::now();
    let mut count = 0u32;
    while start.elapsed() < ROUND {
        run();
        count += 1;
    }
    let means = (0..9).map(|_| {
        let start = ThreadTime::now();
        (0..count).for_each(|_| run());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(count)
    });
    means.fold(f64::INFINITY, f64::min)
}

/// The heading of the rows.
pub(crate) fn heading() {
    println!(
        "{:<52} {:>9} {:>9} {:>6}",
        "us of CPU time", "measured", "wanted", "ratio"
    );
}

/// A row: what was measured, and at most how much is wanted, if anything is.
pub(crate) fn row(name: &str, measured: f64, wanted: Option<f64>) {
    print!("{name:<52} {measured:>9.3}");
    match wanted {
        Some(wanted) => println!(" {wanted:>9.2} {:>5.1}x", measured / wanted),
        None => println!(),
    }
}

/// The CPU time of this thread, as something that criterion measures.
pub(crate) struct CpuTime;

/// It writes durations.
static WRITER: WallTime = WallTime;

impl Measurement for CpuTime {
    type Intermediate = ThreadTime;
    type Value = Duration;

    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }

    fn end(&self, start: ThreadTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WRITER.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WRITER.formatter()
    }
}

/// Criterion, measuring CPU time.
pub(crate) fn criterion() -> Criterion<CpuTime> {
    Criterion::default().with_measurement(CpuTime)
}

/// A bench with a table of its own: the table, unless it is a test (`cargo test --benches` only wants to see that it runs), and
/// criterion's groups, unless only the table is wanted (`--table`).
pub(crate) fn run(table: fn(), benches: fn()) {
    let has = |flag: &str| std::env::args().any(|arg| arg == flag);
    if !has("--test") {
        table();
    }
    if !has("--table") {
        benches();
        criterion().configure_from_args().final_summary();
    }
}
