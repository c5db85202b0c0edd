//! [`Moment`]: a point in time, where there is a clock and where there is none.
//!
//! `wasm32-unknown-unknown` has no clock: whoever embeds the library there says what time it is, with [`set_clock`].

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant as Moment;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use embedded::{Moment, set_clock};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod embedded {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Says how the time since some start is read. Without, no time passes, and no deadline is ever reached.
    pub fn set_clock(clock: fn() -> Duration) {
        // Whoever was first stays.
        let _ = CLOCK.set(clock);
    }

    /// A point in time, on the clock of the embedder.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Moment(Duration);

    impl Moment {
        /// Now.
        pub fn now() -> Moment {
            Moment(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since the start of the clock.
        pub fn since_start(self) -> Duration {
            self.0
        }

        /// So much later; none if that is beyond all time.
        pub fn checked_add(self, time: Duration) -> Option<Moment> {
            self.0.checked_add(time).map(Moment)
        }
    }
}
