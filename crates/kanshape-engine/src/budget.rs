//! How much work a query may do, counted in steps so that the same query always ends the same way.

use crate::control;

/// Steps left. One step is about one run of a small constraint; what is larger takes as many as it is times larger
/// ([`work`](crate::work)).
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    total: u64,
}

impl Budget {
    /// A budget of this number of steps.
    pub fn new(steps: u64) -> Budget {
        Budget {
            left: steps,
            total: steps,
        }
    }

    /// Takes `n` steps and those that the work since the last time has cost, or says that fewer are left:
    /// in this budget or in that of the entry it is a part of ([`Control::run`](crate::Control::run)).
    pub fn spend(&mut self, n: u64) -> Result<(), Stop> {
        let left = match control::charge(n) {
            Ok(n) => {
                let left = self.left.checked_sub(n);
                if left.is_none() {
                    control::out_of_steps();
                }
                left
            }
            Err(control::Ended) => None,
        };
        match left {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Stop::Budget)
            }
        }
    }

    /// Takes at most `n` steps out of this budget, as one of their own.
    pub fn share(&mut self, n: u64) -> Budget {
        Budget::new(self.left.min(n))
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

/// Says whether the entry that is being run goes on. For loops that have no budget at hand and could otherwise go through
/// all of a long text before the next one is spent.
///
/// # Errors
/// [`Stop::Budget`] if it has ended.
pub fn checkpoint() -> Result<(), Stop> {
    match control::is_over() {
        true => Err(Stop::Budget),
        false => Ok(()),
    }
}

/// Why a state can't be carried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// What is known can't hold together.
    Conflict,
    /// The steps ran out: nothing follows about what would have come.
    Budget,
    /// A number grew beyond what the engine computes with: likewise.
    Overflow,
}

impl From<crate::linear::Overflow> for Stop {
    fn from(_: crate::linear::Overflow) -> Stop {
        Stop::Overflow
    }
}
