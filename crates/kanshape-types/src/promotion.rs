//! [`Promotion`]: which dtype two dtypes meet in, after whose rules.

use std::fmt;

mod partial;
mod table;

pub use partial::States;
use table::Table;

use crate::{Dtype, DtypeSet};

/// Whose rules say what dtypes promote to.
///
/// Promotion is a relation: [`Promotion::refine`] runs it in every direction. Of three dtypes and more, see
/// [`Promotion::promote_all`].
///
/// ```
/// use kanshape::{Dtype, Promotion};
///
/// assert_eq!(Promotion::Numpy.promote(Dtype::I32, Dtype::F32), Some(Dtype::F64));
/// assert_eq!(Promotion::Torch.promote(Dtype::I32, Dtype::F32), Some(Dtype::F32));
/// assert_eq!(Promotion::None.promote(Dtype::I32, Dtype::F32), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Promotion {
    /// `numpy`: those of `np.promote_types`, with `bf16` as `ml_dtypes` has it.
    #[default]
    Numpy,
    /// `torch`: those of `torch.promote_types`.
    Torch,
    /// `jax`: those of `jnp.promote_types` with 64 bits enabled.
    Jax,
    /// `none`: a dtype promotes with itself only.
    None,
}

static NUMPY: Table = Table::read(include_str!("promotion/numpy.txt"));
static TORCH: Table = Table::read(include_str!("promotion/torch.txt"));
static JAX: Table = Table::read(include_str!("promotion/jax.txt"));
static NONE: Table = Table::read("");

impl Promotion {
    /// All of them.
    pub const ALL: [Promotion; 4] = [
        Promotion::Numpy,
        Promotion::Torch,
        Promotion::Jax,
        Promotion::None,
    ];

    /// `numpy`, `torch`, `jax`, `none`.
    pub const fn name(self) -> &'static str {
        match self {
            Promotion::Numpy => "numpy",
            Promotion::Torch => "torch",
            Promotion::Jax => "jax",
            Promotion::None => "none",
        }
    }

    /// The dtype that `a` and `b` promote to; none where the library refuses the pair. A dtype
    /// that the library lacks promotes with itself only.
    pub fn promote(self, a: Dtype, b: Dtype) -> Option<Dtype> {
        self.table().promote(a, b)
    }

    /// The dtype that all of these promote to, in whatever order: `np.result_type`. None where a pair is refused, and of
    /// none.
    ///
    /// ```
    /// use kanshape::{Dtype, Promotion};
    ///
    /// let promote = |a, b| Promotion::Numpy.promote(a, b).unwrap();
    /// assert_eq!(promote(promote(Dtype::I8, Dtype::U8), Dtype::F16), Dtype::F32);
    /// let all = Promotion::Numpy.promote_all([Dtype::I8, Dtype::U8, Dtype::F16]);
    /// assert_eq!(all, Some(Dtype::F16));
    /// ```
    pub fn promote_all(self, dtypes: impl IntoIterator<Item = Dtype>) -> Option<Dtype> {
        self.results(dtypes.into_iter().map(DtypeSet::from))
            .single()
    }

    /// The dtypes that one of each of these sets can promote to.
    pub fn results(self, sets: impl IntoIterator<Item = DtypeSet>) -> DtypeSet {
        let mut sets = sets.into_iter().peekable();
        let mut all = States::from(sets.next().unwrap_or(DtypeSet::EMPTY));
        while let Some(set) = sets.next() {
            let last = sets.peek().is_none();
            all = self.refine_partly(all, set, States::ANY, last).2;
        }
        all.into()
    }

    /// The same as [`Promotion::refine`] of a promotion of more dtypes: `x` is what those before `y` have come to, and `z`
    /// what they come to with it. If `y` is the `last` one, `z` are dtypes.
    pub fn refine_partly(
        self,
        x: States,
        y: DtypeSet,
        z: States,
        last: bool,
    ) -> (States, DtypeSet, States) {
        self.table().refine_partly(x, y, z, last)
    }

    /// What is left of `x`, `y` and `z` when `z` is what `x` and `y` promote to: in each set those
    /// dtypes for which the other two sets have partners. All three are empty if no triple is left.
    ///
    /// ```
    /// use kanshape::{Dtype, DtypeSet, Promotion};
    ///
    /// // What promotes with i32 to i64?
    /// let (_, y, _) = Promotion::Numpy.refine(Dtype::I32.into(), DtypeSet::ANY, Dtype::I64.into());
    /// assert_eq!(y.to_string(), "{i64, u32}");
    /// ```
    pub fn refine(self, x: DtypeSet, y: DtypeSet, z: DtypeSet) -> (DtypeSet, DtypeSet, DtypeSet) {
        self.table().refine(x, y, z)
    }

    fn table(self) -> &'static Table {
        match self {
            Promotion::Numpy => &NUMPY,
            Promotion::Torch => &TORCH,
            Promotion::Jax => &JAX,
            Promotion::None => &NONE,
        }
    }
}

impl fmt::Display for Promotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
