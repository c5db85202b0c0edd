//! [`Shape`]: the dims of a tensor, and at most one run of them whose length is unknown.

use std::fmt;

use kanshape_diag::Diagnostic;
use smallvec::SmallVec;

use crate::{Dim, Name};

/// The dims of a tensor from left to right. Up to four are kept in place.
///
/// ```
/// use kanshape::Shape;
///
/// assert_eq!(Shape::known([2, 3]).rank(), Some(2));
/// assert_eq!(Shape::unknown().rank(), None);
/// ```
#[derive(Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    dims: SmallVec<[Dim; 4]>,
    /// Mostly there is none, and types are copied often.
    run: Option<Box<Run>>,
}

/// Up to four dims are written into their places, where the derived clone pushes each of them: types are copied often.
impl Clone for Shape {
    fn clone(&self) -> Shape {
        let dim = |i| self.dims.get(i).cloned().unwrap_or(Dim::Hole);
        Shape {
            dims: match self.dims.len() {
                len @ 0..=4 => SmallVec::from_buf_and_len([dim(0), dim(1), dim(2), dim(3)], len),
                _ => self.dims.clone(),
            },
            run: self.run.clone(),
        }
    }
}

/// A run of dims, none or more, that stands before one of the dims of a [`Shape`].
///
/// ```
/// use kanshape::Shape;
///
/// let shape: Shape = "[2, ...batch, n]".parse()?;
/// let run = shape.run().unwrap();
/// assert_eq!((run.at, run.name.as_deref()), (1, Some("batch")));
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    /// How many dims of the shape stand left of the run.
    pub at: usize,
    /// `batch` of `...batch`; none for `...`.
    pub name: Option<Name>,
}

impl Shape {
    /// A shape of known rank: `[2, n]`. No dims are a scalar's.
    pub fn known<I>(dims: I) -> Shape
    where
        I: IntoIterator,
        I::Item: Into<Dim>,
    {
        Shape {
            dims: dims.into_iter().map(Into::into).collect(),
            run: None,
        }
    }

    /// Nothing known: `[...]`.
    pub fn unknown() -> Shape {
        Shape::known(std::iter::empty::<Dim>()).with_run(0, None)
    }

    /// The same with a run of unknown length after the first `at` dims, instead of the one it had,
    /// if any. A place beyond the last dim is taken for the end.
    pub fn with_run(mut self, at: usize, name: Option<Name>) -> Shape {
        let at = at.min(self.dims.len());
        self.run = Some(Box::new(Run { at, name }));
        self
    }

    /// How many dims there are; none if there is a run.
    pub fn rank(&self) -> Option<usize> {
        match self.run {
            None => Some(self.dims.len()),
            Some(_) => None,
        }
    }

    /// The dims, if the rank is known.
    ///
    /// ```
    /// use kanshape::{Dim, Shape};
    ///
    /// let shape: Shape = "[2, n]".parse()?;
    /// assert_eq!(shape.dims().map(<[Dim]>::len), Some(2));
    /// // There may be more dims than the one that is written.
    /// let open: Shape = "[2, ...]".parse()?;
    /// assert_eq!(open.dims(), None);
    /// assert_eq!((open.before().len(), open.after().len()), (1, 0));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn dims(&self) -> Option<&[Dim]> {
        self.run.is_none().then_some(&self.dims)
    }

    /// The dims that are written, left and right of a run. They are all there are only if there is no run: see [`Shape::dims`].
    pub fn known_dims(&self) -> &[Dim] {
        &self.dims
    }

    /// The run of unknown length.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_deref()
    }

    /// The dims left of the run: all of them if there is none.
    pub fn before(&self) -> &[Dim] {
        &self.dims[..self.split()]
    }

    /// The dims right of the run: none of them if there is none.
    pub fn after(&self) -> &[Dim] {
        &self.dims[self.split()..]
    }

    /// The dims that are written, from left to right: [`Shape::known_dims`].
    pub fn iter(&self) -> std::slice::Iter<'_, Dim> {
        self.dims.iter()
    }

    /// Whether the rank and every size is a number, with or without an identity.
    pub fn is_ground(&self) -> bool {
        self.run.is_none() && self.iter().all(|dim| dim.extent().is_some())
    }

    /// How many elements a tensor of this shape has, if that is known and can be counted.
    pub fn elements(&self) -> Option<u64> {
        if self.run.is_none() && self.iter().any(|dim| dim.extent() == Some(0)) {
            return Some(0);
        }
        let mut extents = self.iter().map(Dim::extent);
        match self.run {
            None => extents.try_fold(1u64, |product, size| product.checked_mul(size?)),
            Some(_) => None,
        }
    }

    /// Adds a dim at the right end.
    pub fn push(&mut self, dim: Dim) {
        self.dims.push(dim);
    }

    fn split(&self) -> usize {
        self.run.as_ref().map_or(self.dims.len(), |run| run.at)
    }
}

impl<D: Into<Dim>> FromIterator<D> for Shape {
    fn from_iter<I: IntoIterator<Item = D>>(dims: I) -> Self {
        Shape::known(dims)
    }
}

impl<D: Into<Dim>, const N: usize> From<[D; N]> for Shape {
    fn from(dims: [D; N]) -> Self {
        Shape::known(dims)
    }
}

macro_rules! try_from_slices {
    ($($integer:ident)*) => {$(
        /// The shape with these sizes.
        ///
        /// # Errors
        /// A number that is no size.
        impl TryFrom<&[$integer]> for Shape {
            type Error = Diagnostic;

            fn try_from(sizes: &[$integer]) -> Result<Shape, Diagnostic> {
                let dims = sizes.iter().map(|size| Dim::try_from(*size));
                Ok(Shape::known(dims.collect::<Result<Vec<_>, _>>()?))
            }
        }
    )*};
}

try_from_slices! { usize i64 i32 }

impl<'a> IntoIterator for &'a Shape {
    type Item = &'a Dim;
    type IntoIter = std::slice::Iter<'a, Dim>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// `[2, n, ...batch, ?]`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        let mut separator = "";
        for dim in self.before() {
            write!(f, "{separator}{dim}")?;
            separator = ", ";
        }
        if let Some(run) = &self.run {
            write!(f, "{separator}...{}", run.name.as_deref().unwrap_or(""))?;
            separator = ", ";
        }
        for dim in self.after() {
            write!(f, "{separator}{dim}")?;
            separator = ", ";
        }
        f.write_str("]")
    }
}
