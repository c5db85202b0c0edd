//! The same relations as somebody who knows canrun writes them without a signature.
//!
//! Nothing is enumerated here: shapes have their ranks, and each state is read back as it is. These
//! are what to compare with, for the answers and for the time they take.

use canrun::goals::All;
use canrun::lvec::LVec;
use canrun::{Goal, LVar, Query, State, Value, all, lvec, unify};

use crate::broadcast::broadcast_dim;
use crate::shape::{Shape, Size, fresh, known};

/// A tensor: a dtype and a shape, each of which may be a variable.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// The dtype by name.
    pub dtype: Value<&'static str>,
    /// The shape.
    pub shape: Shape,
}

impl Tensor {
    /// A tensor of known dtype and shape.
    pub fn known(dtype: &'static str, sizes: &[u64]) -> Self {
        Tensor {
            dtype: Value::new(dtype),
            shape: known(sizes),
        }
    }

    /// A tensor of which nothing is known.
    pub fn unknown() -> Self {
        Tensor {
            dtype: Value::var(),
            shape: Value::var(),
        }
    }
}

/// `(m,n),(n,p)->(m,p)`, in any direction: no way has to be searched for.
pub fn matmul(a: &Tensor, b: &Tensor, out: &Tensor) -> All {
    let (m, n, p) = (LVar::new(), LVar::new(), LVar::new());
    all![
        unify(&a.dtype, &b.dtype),
        unify(&a.dtype, &out.dtype),
        unify(&a.shape, lvec![m, n]),
        unify(&b.shape, lvec![n, p]),
        unify(&out.shape, lvec![m, p]),
    ]
}

/// The type of the product of two matrices.
///
/// ```
/// use kanshape_canrun::by_hand::product;
///
/// assert_eq!(product("f32", &[2, 3], &[3, 4]), Some(("f32", vec![2, 4])));
/// assert_eq!(product("f32", &[2, 3], &[4, 3]), None);
/// ```
pub fn product(dtype: &'static str, a: &[u64], b: &[u64]) -> Option<(&'static str, Vec<u64>)> {
    let out = Tensor::unknown();
    let goal = matmul(&Tensor::known(dtype, a), &Tensor::known(dtype, b), &out);
    goal.query((out.dtype, out.shape)).next()
}

/// What the second matrix is, when the product and the rows of the first are known; the size that
/// stays open is `None`.
///
/// ```
/// use kanshape_canrun::by_hand::second_factor;
///
/// assert_eq!(second_factor("f32", 2, &[2, 4]), Some(("f32", [None, Some(4)])));
/// ```
pub fn second_factor(
    dtype: &'static str,
    rows: u64,
    product: &[u64],
) -> Option<(&'static str, [Option<u64>; 2])> {
    let a = Tensor {
        dtype: Value::var(),
        shape: Value::new(lvec![rows, Value::var()]),
    };
    let (n, p): (Size, Size) = (Value::var(), Value::var());
    let b = Tensor {
        dtype: Value::var(),
        shape: Value::new(lvec![n.clone(), p.clone()]),
    };
    // `query` would drop the answer, since one size stays open.
    let state = matmul(&a, &b, &Tensor::known(dtype, product)).apply(State::new())?;
    let size = |size| state.resolve(size).resolved().copied();
    let dtype = state.resolve(&b.dtype).resolved().copied()?;
    Some((dtype, [size(&n), size(&p)]))
}

/// `out` is what `a` and `b` broadcast to, dim by dim from the right, with the ranks given.
pub fn broadcast_add(a: &[Size], b: &[Size], out: &[Size]) -> All {
    let one = Value::new(1);
    let from_right = |shape: &[Size], place: usize| match shape.len().checked_sub(place + 1) {
        Some(at) => shape[at].clone(),
        None => one.clone(),
    };
    let rank = a.len().max(b.len()).max(out.len());
    (0..rank)
        .map(|place| {
            let [a, b, out] = [a, b, out].map(|shape| from_right(shape, place));
            Box::new(broadcast_dim(&a, &b, &out)) as Box<dyn Goal>
        })
        .collect()
}

/// The shape of a broadcasting sum.
///
/// ```
/// use kanshape_canrun::by_hand::sum;
///
/// assert_eq!(sum(&[8, 1, 6, 1], &[7, 1, 5]), Some(vec![8, 7, 6, 5]));
/// assert_eq!(sum(&[2], &[3]), None);
/// ```
pub fn sum(a: &[u64], b: &[u64]) -> Option<Vec<u64>> {
    let out: Vec<Size> = fresh(a.len().max(b.len()));
    let goal = broadcast_add(&values(a), &values(b), &out);
    goal.query(Value::new(LVec::from(out))).next()
}

/// All pairs of shapes of the same rank as `out` that broadcast to it.
///
/// ```
/// use kanshape_canrun::by_hand::pairs;
///
/// assert_eq!(pairs(&[8, 7, 6, 5]).len(), 81);
/// ```
pub fn pairs(out: &[u64]) -> Vec<(Vec<u64>, Vec<u64>)> {
    let (a, b) = (fresh(out.len()), fresh(out.len()));
    let goal = broadcast_add(&a, &b, &values(out));
    goal.query((Value::new(LVec::from(a)), Value::new(LVec::from(b))))
        .collect()
}

fn values(sizes: &[u64]) -> Vec<Size> {
    sizes.iter().copied().map(Value::new).collect()
}
