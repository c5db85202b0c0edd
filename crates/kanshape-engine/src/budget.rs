//! How much work a query may do, counted in steps so that the same query always ends the same way.

/// Steps left. One step is about one run of one constraint.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    total: u64,
}

impl Budget {
    /// So many steps.
    pub fn new(steps: u64) -> Budget {
        Budget {
            left: steps,
            total: steps,
        }
    }

    /// Takes `n` steps, or says that there are not so many left.
    pub fn spend(&mut self, n: u64) -> Result<(), Stop> {
        match self.left.checked_sub(n) {
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
