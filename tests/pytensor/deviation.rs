//! [`Deviation`]: why a row that PyTensor accepts is answered otherwise here.

use crate::fact::Fact;
use kanshape::Dtype;

/// The rules, each read from the row alone; `docs/deviations.md` says the same in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Deviation {
    /// `specify_shape` requires a size, and the input has another.
    TwoSizes,
    /// `transpose` has more axes than its input, or fewer.
    OtherRank,
    /// `reshape` where no sizes of the unknown dims give as many elements.
    OtherElements,
    /// A function of small integers: f16 suffices for it in NumPy, and PyTensor takes f32.
    HalfPrecision,
}

impl Deviation {
    pub(crate) const ALL: [Deviation; 4] = [
        Deviation::TwoSizes,
        Deviation::OtherRank,
        Deviation::OtherElements,
        Deviation::HalfPrecision,
    ];

    /// The section of the page that gives the reason.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Deviation::TwoSizes => "Two sizes of one dim: never",
            Deviation::OtherRank => "A permutation of another rank: never",
            Deviation::OtherElements => "No sizes give as many elements: never",
            Deviation::HalfPrecision => "Functions of small integers: the dtype is NumPy's",
        }
    }

    pub(crate) fn of(fact: &Fact) -> Option<Deviation> {
        let recorded = fact.output.as_ref()?;
        let (params, input) = (&fact.params, &fact.inputs[0]);
        match fact.op.as_str() {
            "specify_shape" => {
                let mut dims = input.shape.iter().zip(&params.shape);
                let two = dims.any(|(is, wanted)| is.zip(*wanted).is_some_and(|(a, b)| a != b));
                two.then_some(Deviation::TwoSizes)
            }
            "transpose" => {
                let other = params.axes.as_ref().is_some_and(|a| a.len() != fact.rank());
                other.then_some(Deviation::OtherRank)
            }
            "reshape" => (!can_reshape(fact)).then_some(Deviation::OtherElements),
            "exp" | "sqrt" => {
                let small = [Dtype::Bool, Dtype::I8, Dtype::U8].contains(&input.dtype());
                let promoted = recorded.dtype() == Dtype::F32;
                (small && promoted).then_some(Deviation::HalfPrecision)
            }
            _ => None,
        }
    }
}

/// Are there sizes for the unknown dims that give both sides as many elements?
fn can_reshape(fact: &Fact) -> bool {
    let sizes = &fact.inputs[0].shape;
    let (from, from_open) = (sizes.iter().flatten().product(), sizes.contains(&None));
    let wanted = &fact.params.newshape;
    let known = wanted.iter().filter_map(|&n| u64::try_from(n).ok());
    let (to, to_open) = (known.product(), wanted.contains(&-1));
    let divides = |a: u64, b: u64| b == 0 || (a > 0 && b.is_multiple_of(a));
    match (from_open, to_open) {
        (false, false) => from == to,
        (true, false) => divides(from, to),
        (false, true) => divides(to, from),
        (true, true) => true,
    }
}
