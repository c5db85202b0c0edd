//! How much work a query may do, counted in steps so that the same query always ends the same way.

use std::fmt;
use std::sync::Arc;

/// Ends a search from outside: a function that is called every [`Interrupt::EVERY`] steps, and says whether to stop.
///
/// It is for deadlines and for users who no longer wait. What it ends has run out of budget.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Interrupt {
    /// How many steps are taken between two calls of it: about a millisecond.
    pub const EVERY: u64 = 2048;

    /// Stops where this is true.
    pub fn new(stop: impl Fn() -> bool + Send + Sync + 'static) -> Interrupt {
        Interrupt(Arc::new(stop))
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}

/// Steps left. One step is about one run of one constraint.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    total: u64,
    interrupt: Option<Interrupt>,
    /// The interrupt is called when fewer steps than this are left.
    poll: u64,
}

impl Budget {
    /// So many steps.
    pub fn new(steps: u64) -> Budget {
        Budget::with_interrupt(steps, None)
    }

    /// So many steps, unless the interrupt ends them sooner.
    pub fn with_interrupt(steps: u64, interrupt: Option<Interrupt>) -> Budget {
        let poll = match interrupt {
            Some(_) => steps.saturating_sub(Interrupt::EVERY),
            None => 0,
        };
        Budget {
            left: steps,
            total: steps,
            interrupt,
            poll,
        }
    }

    /// Takes `n` steps, or says that there are not so many left.
    pub fn spend(&mut self, n: u64) -> Result<(), Stop> {
        match self.left.checked_sub(n) {
            Some(left) => {
                self.left = left;
                if left < self.poll {
                    self.poll()?;
                }
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Stop::Budget)
            }
        }
    }

    fn poll(&mut self) -> Result<(), Stop> {
        self.poll = self.left.saturating_sub(Interrupt::EVERY);
        if self.interrupt.as_ref().is_some_and(|stop| stop.0()) {
            self.left = 0;
            return Err(Stop::Budget);
        }
        Ok(())
    }

    /// Takes at most `n` steps out of this budget, as one of their own.
    pub fn share(&mut self, n: u64) -> Budget {
        Budget::with_interrupt(self.left.min(n), self.interrupt.clone())
    }

    /// Pays for what a share has used.
    pub fn settle(&mut self, share: &Budget) {
        self.left = self.left.saturating_sub(share.used());
    }

    /// Steps not yet taken.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Steps taken.
    pub fn used(&self) -> u64 {
        self.total - self.left
    }
}

/// Why a state can't be carried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// What is known can't hold together.
    Conflict,
    /// The steps ran out: nothing is said of what would have come.
    Budget,
    /// A number grew beyond what the engine computes with: likewise.
    Overflow,
}

impl From<crate::linear::Overflow> for Stop {
    fn from(_: crate::linear::Overflow) -> Stop {
        Stop::Overflow
    }
}
