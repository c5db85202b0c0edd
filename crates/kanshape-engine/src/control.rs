//! [`Control`]: what ends a question besides its steps, and the meter that counts work wherever it is done.
//!
//! A [`Budget`](crate::Budget) is spent where its owner passes it on. Much work is done below that: forms are added, lists
//! are copied, answers are written. That work is counted by [`work`], on a meter of the thread, and the next budget that is
//! spent pays for it. So a step costs the same time and memory, whatever the sizes are that it is about.
//!
//! An entry - a query, a graph, a question about two types - is run under [`Control::run`]. Whatever budgets are made below
//! it, they have no more steps between them than the entry has, and all of them end when it is cancelled or out of time.

use crate::clock::Moment;
use crate::limits::{STEPS_TO_LOOK, UNITS};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What has ended an entry: [`ended_by`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// Its steps were taken.
    #[default]
    Steps,
    /// The deadline of one of its controls passed.
    Deadline,
    /// The flag of one of its controls was set, or its condition came true.
    Cancelled,
}

/// What ends a question besides its steps: a point in time, a flag that another thread sets, a condition of the caller's.
///
/// A question that is ended so has said nothing wrong: its verdict is unknown, and its answers are not complete.
///
/// ```
/// use kanshape_engine::Control;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::time::Duration;
///
/// let cancel = Arc::new(AtomicBool::new(false));
/// let control = Control::default().timeout(Duration::from_secs(60)).cancel(Arc::clone(&cancel));
/// assert!(!control.is_over());
/// cancel.store(true, Ordering::Relaxed);
/// assert!(control.is_over());
/// ```
#[derive(Clone, Default)]
pub struct Control {
    deadline: Option<Moment>,
    cancel: Option<Arc<AtomicBool>>,
    until: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl Control {
    /// Ends at a point in time.
    #[must_use]
    pub fn deadline(mut self, at: Moment) -> Control {
        self.deadline = Some(self.deadline.map_or(at, |before| before.min(at)));
        self
    }

    /// Ends after some time, counted from now.
    #[must_use]
    pub fn timeout(self, time: Duration) -> Control {
        match Moment::now().checked_add(time) {
            Some(at) => self.deadline(at),
            None => self,
        }
    }

    /// Ends when the flag is set.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Control {
        self.cancel = Some(flag);
        self
    }

    /// Ends when this is true. It is called every few thousand steps, on the thread that does the work.
    #[must_use]
    pub fn until(mut self, is_over: impl Fn() -> bool + Send + Sync + 'static) -> Control {
        self.until = Some(Arc::new(is_over));
        self
    }

    /// Is it over?
    pub fn is_over(&self) -> bool {
        self.ending().is_some()
    }

    /// What has ended it, if it is over.
    fn ending(&self) -> Option<Ending> {
        let cancel = self.cancel.as_ref();
        if cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Ending::Cancelled);
        }
        if self.deadline.is_some_and(|at| Moment::now() >= at) {
            return Some(Ending::Deadline);
        }
        let until = self.until.as_ref();
        until
            .is_some_and(|is_over| is_over())
            .then_some(Ending::Cancelled)
    }

    /// Does nothing of it ever end?
    fn is_none(&self) -> bool {
        self.deadline.is_none() && self.cancel.is_none() && self.until.is_none()
    }

    /// The same for an entry that is run in several goes: it takes what it needs out of the steps that are left.
    pub fn go_on<T>(&self, left: &mut u64, f: impl FnOnce() -> T) -> T {
        let entered = Entered::new(self.clone(), *left, true);
        let result = f();
        *left = left.saturating_sub(entered.used());
        result
    }

    /// Runs `f` so that all budgets in it have at most `steps` between them and end when this is over. An entry within
    /// another has no more than that one has.
    pub fn run<T>(&self, steps: u64, f: impl FnOnce() -> T) -> T {
        let _entered = Entered::new(self.clone(), steps, true);
        f()
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("deadline", &self.deadline)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}

/// The steps that are left where no entry has been entered, or one that no steps bound. It stays what it is, whatever is taken.
const NO_ENTRY: u64 = u64::MAX;

/// Runs `f` as if no entry had been entered. What is prepared once for all questions must not depend on what the first of
/// them had left.
pub fn unmetered<T>(f: impl FnOnce() -> T) -> T {
    let _entered = Entered::new(Control::default(), NO_ENTRY, false);
    f()
}

struct Meter {
    /// Units of work that nothing has paid for.
    work: Cell<u64>,
    /// Steps that the entry has left.
    left: Cell<u64>,
    /// Steps up to the next look at the controls.
    until_look: Cell<u64>,
    /// The entry has ended: its steps are taken, or one of the controls says so.
    ended: Cell<bool>,
    /// How often a budget has ended because its entry did.
    stops: Cell<u64>,
    /// How often more has been required than has to hold.
    assumptions: Cell<u64>,
    /// What the last budget that has ended has ended by.
    ending: Cell<Ending>,
}

impl Meter {
    /// Ends the entry.
    fn end(&self) -> Ended {
        self.ended.set(true);
        self.stops.set(self.stops.get() + 1);
        Ended
    }

    /// Looks at the controls with the next charge, if there are any.
    fn look_soon(&self) {
        let has_controls = CONTROLS.with_borrow(|all| !all.is_empty());
        self.until_look.set(if has_controls { 0 } else { u64::MAX });
    }
}

thread_local! {
    static METER: Meter = const {
        Meter {
            work: Cell::new(0),
            left: Cell::new(NO_ENTRY),
            until_look: Cell::new(u64::MAX),
            ended: Cell::new(false),
            stops: Cell::new(0),
            assumptions: Cell::new(0),
            ending: Cell::new(Ending::Steps),
        }
    };
    /// The controls of the entries, the innermost last.
    static CONTROLS: RefCell<Vec<Control>> = const { RefCell::new(Vec::new()) };
}

/// Counts work that no budget is at hand for: `units` is about the number of numbers, names or terms that were read or copied.
#[inline]
pub fn work(units: usize) {
    METER.with(|m| m.work.set(m.work.get().saturating_add(units as u64)));
}

/// How often a budget of this thread has ended because its entry did. What was found out meanwhile holds for that entry only.
pub fn stops() -> u64 {
    METER.with(|m| m.stops.get())
}

/// Notes that a relation requires more than has to hold.
pub(crate) fn note_assumption() {
    METER.with(|m| m.assumptions.set(m.assumptions.get() + 1));
}

/// How often a relation has [required more than has to hold](crate::View::note_assumption) on this thread.
pub fn assumptions() -> u64 {
    METER.with(|m| m.assumptions.get())
}

/// What the last budget of this thread that has ended has ended by: its own steps or those of its entry, or a control.
pub fn ended_by() -> Ending {
    METER.with(|m| m.ending.get())
}

/// Notes that a budget has ended by its own steps.
#[cold]
pub(crate) fn out_of_steps() {
    METER.with(|m| m.ending.set(Ending::Steps));
}

/// Has the entry that is being run ended? For whoever has no budget at hand.
pub fn is_over() -> bool {
    charge(0).is_err()
}

/// The entry has ended.
pub(crate) struct Ended;

/// Takes `n` steps of the entry, and those that the work since the last time comes to. Returns all of them.
#[inline]
pub(crate) fn charge(n: u64) -> Result<u64, Ended> {
    METER.with(|m| {
        let work = m.work.get();
        m.work.set(work % UNITS);
        let n = n.saturating_add(work / UNITS);
        if m.ended.get() {
            return Err(m.end());
        }
        match m.left.get() {
            NO_ENTRY => {}
            left => match left.checked_sub(n) {
                Some(left) => m.left.set(left),
                None => {
                    m.left.set(0);
                    m.ending.set(Ending::Steps);
                    return Err(m.end());
                }
            },
        }
        // At 0 it is time to look, even for whoever takes no steps: an entry within this one may have seen the end.
        match m.until_look.get() {
            until if until > n => m.until_look.set(until - n),
            _ => look(m)?,
        }
        Ok(n)
    })
}

/// Looks at the controls.
#[cold]
fn look(m: &Meter) -> Result<(), Ended> {
    m.until_look.set(STEPS_TO_LOOK);
    match CONTROLS.with_borrow(|all| all.iter().find_map(Control::ending)) {
        Some(ending) => {
            m.ending.set(ending);
            Err(m.end())
        }
        None => Ok(()),
    }
}

/// An entry that is being run; what was before it comes back when it is dropped, after a panic as well.
struct Entered {
    before: Option<Vec<Control>>,
    has_control: bool,
    left: u64,
    ended: bool,
    steps: u64,
    charges: bool,
}

impl Entered {
    fn new(control: Control, steps: u64, charges: bool) -> Entered {
        METER.with(|m| {
            let left = m.left.get();
            let steps = if charges { steps.min(left) } else { steps };
            let has_control = !control.is_none();
            let before = (!charges).then(|| CONTROLS.take());
            if has_control {
                CONTROLS.with_borrow_mut(|all| all.push(control));
            }
            if left == NO_ENTRY || !charges {
                m.work.set(0);
            }
            m.left.set(steps);
            // What is within an entry that has ended has ended as well.
            let ended = m.ended.get();
            m.ended.set(ended && charges);
            if has_control || !charges {
                m.look_soon();
            }
            Entered {
                before,
                has_control,
                left,
                ended,
                steps,
                charges,
            }
        })
    }
}

impl Entered {
    /// The steps taken so far.
    fn used(&self) -> u64 {
        METER.with(|m| self.steps.saturating_sub(m.left.get()))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        if self.has_control {
            CONTROLS.with_borrow_mut(|all| drop(all.pop()));
        }
        if let Some(before) = self.before.take() {
            CONTROLS.set(before);
        }
        let used = self.used();
        METER.with(|m| {
            if self.left == NO_ENTRY || !self.charges {
                m.work.set(0);
            }
            m.left.set(match self.charges && self.left != NO_ENTRY {
                true => self.left.saturating_sub(used),
                false => self.left,
            });
            // Whether what has ended this one ends the entry around it is found out by a look.
            let has_ended = m.ended.replace(self.ended);
            if self.has_control || !self.charges || has_ended {
                m.look_soon();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spend(n: u64) -> bool {
        charge(n).is_ok()
    }

    #[test]
    fn an_entry_ends_after_one_within_it_has_seen_the_end() {
        let flag = Arc::new(AtomicBool::new(false));
        let control = Control::default().cancel(Arc::clone(&flag));
        control.run(1_000_000, || {
            assert!(!is_over());
            flag.store(true, Ordering::Relaxed);
            let mut left = 20_000;
            assert!(!Control::default().go_on(&mut left, || spend(STEPS_TO_LOOK + 1)));
            assert!(is_over());
        });
        assert!(!is_over());
    }

    #[test]
    fn an_entry_that_is_out_of_steps_is_over_and_the_one_around_it_is_not() {
        Control::default().run(1_000, || {
            Control::default().run(10, || {
                assert!(spend(10) && !is_over());
                assert!(!spend(1) && is_over());
            });
            assert!(!is_over() && spend(990));
            assert!(!spend(1) && is_over());
        });
    }

    #[test]
    fn what_ends_one_entry_ends_none_behind_it() {
        // Steps outside of any entry are no steps of one.
        assert!(spend(3));
        for steps in [u64::MAX, 1_000] {
            let over = Control::default().until(|| true);
            assert!(!over.run(steps, || spend(1)));
            assert!(!is_over() && spend(1));
        }
        assert!(Control::default().run(5, || spend(5)));
    }

    #[test]
    fn it_is_known_what_has_ended_an_entry() {
        let over = Control::default().until(|| true);
        assert!(!over.run(1_000, || spend(1)));
        assert_eq!(ended_by(), Ending::Cancelled);
        let late = Control::default().deadline(Moment::now());
        assert!(!late.run(1_000, || spend(1)));
        assert_eq!(ended_by(), Ending::Deadline);
        assert!(!Control::default().run(1, || spend(2)));
        assert_eq!(ended_by(), Ending::Steps);
        // A budget that has fewer steps than its entry.
        assert!(!late.run(1_000, || spend(1)));
        assert!(crate::Budget::new(1).spend(2).is_err());
        assert_eq!(ended_by(), Ending::Steps);
    }

    #[test]
    fn an_entry_that_is_ended_takes_what_it_has_used() {
        Control::default().run(1_000, || {
            let over = Control::default().until(|| true);
            assert!(!over.run(900, || spend(1)));
            assert!(spend(900));
        });
    }
}
