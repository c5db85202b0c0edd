//! [`Array`]: elements in a shape.

use kanshape_types::Dtype;

use crate::number::Number;
use crate::stop::Stop;

/// The most elements that an array has.
pub const MOST_ELEMENTS: usize = 1 << 14;
/// The most elements that are read to calculate one array.
pub const MOST_WORK: usize = 1 << 21;

/// Elements in a shape, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Array<T> {
    /// What each element is of.
    pub dtype: Dtype,
    /// The sizes.
    pub shape: Vec<usize>,
    /// The elements, row by row.
    pub data: Vec<T>,
}

/// How many elements a shape has.
pub(crate) fn count(shape: &[usize]) -> Result<usize, Stop> {
    let mut all: usize = 1;
    if shape.contains(&0) {
        return Ok(0);
    }
    for size in shape {
        all = match all.checked_mul(*size) {
            Some(all) if all <= MOST_ELEMENTS => all,
            _ => return Stop::opaque("an array of too many elements"),
        };
    }
    Ok(all)
}

/// All places of a shape, row by row.
pub(crate) struct Places<'a> {
    shape: &'a [usize],
    next: Option<Vec<usize>>,
}

pub(crate) fn places(shape: &[usize]) -> Places<'_> {
    let next = (!shape.contains(&0)).then(|| vec![0; shape.len()]);
    Places { shape, next }
}

impl Iterator for Places<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let own = self.next.take()?;
        let mut next = own.clone();
        if advance(&mut next, self.shape) {
            self.next = Some(next);
        }
        Some(own)
    }
}

/// Goes on to the next place of a shape; false after the last one.
fn advance(place: &mut [usize], shape: &[usize]) -> bool {
    for axis in (0..place.len()).rev() {
        place[axis] += 1;
        if place[axis] < shape[axis] {
            return true;
        }
        place[axis] = 0;
    }
    false
}

/// The shape that both broadcast to.
pub(crate) fn broadcast(a: &[usize], b: &[usize]) -> Result<Vec<usize>, Stop> {
    let rank = a.len().max(b.len());
    let size = |shape: &[usize], axis: usize| match (axis + shape.len()).checked_sub(rank) {
        Some(own) => shape[own],
        None => 1,
    };
    let both = (0..rank).map(|axis| match (size(a, axis), size(b, axis)) {
        (a, b) if a == b || b == 1 => Ok(a),
        (1, b) => Ok(b),
        _ => Stop::refused("shapes that do not broadcast"),
    });
    both.collect()
}

/// An axis that may count from the end.
pub(crate) fn axis(axis: i64, rank: usize) -> Result<usize, Stop> {
    let counted = if axis < 0 { axis + rank as i64 } else { axis };
    match usize::try_from(counted) {
        Ok(own) if own < rank => Ok(own),
        _ => Stop::refused(format!("axis {axis} of {rank} dims")),
    }
}

impl<T: Clone> Array<T> {
    /// These elements in this shape.
    ///
    /// # Errors
    /// [`Stop`] if there are too many, or not as many as the shape has.
    pub fn new(dtype: Dtype, shape: Vec<usize>, data: Vec<T>) -> Result<Array<T>, Stop> {
        match count(&shape)? == data.len() {
            true => Ok(Array { dtype, shape, data }),
            false => Stop::refused("not as many elements as the shape has"),
        }
    }

    /// An array by what it has in each place.
    pub(crate) fn by(
        dtype: Dtype,
        shape: Vec<usize>,
        mut element: impl FnMut(&[usize]) -> Result<T, Stop>,
    ) -> Result<Array<T>, Stop> {
        let count = count(&shape)?;
        let mut data = Vec::with_capacity(count);
        let mut place = vec![0; shape.len()];
        for _ in 0..count {
            data.push(element(&place)?);
            advance(&mut place, &shape);
        }
        Ok(Array { dtype, shape, data })
    }

    pub(crate) fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The element in a place.
    pub(crate) fn at(&self, place: &[usize]) -> Result<T, Stop> {
        let mut flat = 0;
        for (at, size) in place.iter().zip(&self.shape) {
            if at >= size {
                return Stop::refused("a place out of range");
            }
            flat = flat * size + at;
        }
        match self.data.get(flat) {
            Some(own) if place.len() == self.rank() => Ok(own.clone()),
            _ => Stop::refused("a place out of range"),
        }
    }

    /// The element in a place of a shape to which this array broadcasts.
    pub(crate) fn at_broadcast(&self, place: &[usize]) -> Result<T, Stop> {
        let Some(more) = place.len().checked_sub(self.rank()) else {
            return Stop::refused("shapes that do not broadcast");
        };
        let mut flat = 0;
        for (at, size) in place[more..].iter().zip(&self.shape) {
            if *size != 1 && at >= size {
                return Stop::refused("a place out of range");
            }
            flat = flat * size + if *size == 1 { 0 } else { *at };
        }
        match self.data.get(flat) {
            Some(own) => Ok(own.clone()),
            None => Stop::refused("a place out of range"),
        }
    }

    /// The same elements in another shape.
    pub(crate) fn reshaped(&self, shape: Vec<usize>) -> Result<Array<T>, Stop> {
        Array::new(self.dtype, shape, self.data.clone())
    }
}

impl Array<Number> {
    /// A list of integers.
    pub fn ints(all: &[i64]) -> Array<Number> {
        Array {
            dtype: Dtype::I64,
            shape: vec![all.len()],
            data: all.iter().map(|n| Number::Int(*n)).collect(),
        }
    }
}
