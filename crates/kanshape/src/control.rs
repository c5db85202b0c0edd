//! What bounds the work of a query, seen from code that works on behalf of one.
//!
//! A caller bounds a query by [`Query::budget`](crate::Query::budget) and a [`Control`](crate::Control). Code that does work of its own
//! for it - a front end that walks a program, a search over queries - is run under [`Control::run`](crate::Control::run), asks
//! [`is_over`] in its loops, and counts what it does by [`work`].
//!
//! ```
//! use kanshape::{Control, control::is_over};
//!
//! let done = Control::default().run(1_000, || (0..u32::MAX).take_while(|_| {
//!     kanshape::control::work(64);
//!     !is_over()
//! }).count());
//! assert!(done < 1_000_000);
//! ```

pub use kanshape_engine::{Limit, is_over, stops, work};

/// The limits of kanshape, with the crate that each is of. What is beyond one is left open, printed more coarsely, refused with a
/// reason or *unknown*, and never a wrong answer.
///
/// A caller sets how much work a query may take by its budget, a [`Control`](crate::Control) or `max_dim`; the limits are constants that
/// bound what one step costs, and what is worth printing.
///
/// ```
/// let limits: Vec<_> = kanshape::control::limits().collect();
/// let branches = limits.iter().find(|(_, limit)| limit.name == "MAX_BRANCHES");
/// assert!(branches.is_some_and(|(of, limit)| *of == "kanshape-engine" && limit.value == 64));
/// ```
pub fn limits() -> impl Iterator<Item = (&'static str, Limit)> {
    let crates = [
        ("kanshape-engine", kanshape_engine::LIMITS),
        ("kanshape-rules", kanshape_rules::LIMITS),
        ("kanshape-infer", kanshape_infer::LIMITS),
    ];
    crates
        .into_iter()
        .flat_map(|(name, limits)| limits.iter().map(move |limit| (name, *limit)))
}
