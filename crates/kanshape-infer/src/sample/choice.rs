//! Who chooses: a generator of random numbers, or a function.

/// What makes the choices of a [sample](crate::Query::sample). With the feature `rand`, every generator of `rand` 0.10
/// does; without it, and where choices are to be made again, [`By`] a function.
pub trait Choose {
    /// The index of one of so many ways, of which there is at least one. A greater one counts as the last.
    fn choose(&mut self, ways: u64) -> u64;
}

/// Choices by a function that is given a number of ways and returns the index of one.
///
/// ```
/// use kanshape::{Signature, choice::By};
///
/// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
/// let smallest = matmul.query().sample(&mut By(|_| 0))?;
/// let largest = matmul.query().sample(&mut By(|ways| ways - 1))?;
/// assert_ne!(smallest, largest);
/// # Ok::<(), kanshape::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct By<F: FnMut(u64) -> u64>(pub F);

impl<F: FnMut(u64) -> u64> Choose for By<F> {
    fn choose(&mut self, ways: u64) -> u64 {
        (self.0)(ways)
    }
}

#[cfg(feature = "rand")]
impl<R: rand_core::Rng + ?Sized> Choose for R {
    fn choose(&mut self, ways: u64) -> u64 {
        // There are few ways: each is as likely as another.
        self.next_u64() % ways.max(1)
    }
}
