//! Contents of leaves that are drawn: small integers that are all different, then others, then reals.

use kanshape::{Content, Contents, Dtype, Tensor, Type};
use kanshape_eval::{Array, Number};

use crate::instances::Random;
use crate::sides::{array, sizes};

/// How contents are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Draw {
    /// 1, 2, 3 and so on through all leaves.
    Counted,
    /// Whole numbers from -3 to 3.
    Small,
    /// Reals on both sides of 0.
    Reals,
    /// Reals above 0.
    Positive,
    /// Whole numbers with long steps between them.
    Large,
    /// 0 and 1, so that indices are in range.
    Bits,
    /// What is no number, infinities, and both zeros among other reals.
    Special,
    /// The ends of the dtype of integers, and what is near them.
    Edges,
    /// Multiples of a half.
    Halves,
    /// Floats that dtypes with fewer bits have not: too large, or with too many digits.
    Wide,
}

/// In this order: what is found first is what is shown.
pub(super) const DRAWS: [Draw; 6] = [
    Draw::Counted,
    Draw::Small,
    Draw::Bits,
    Draw::Reals,
    Draw::Positive,
    Draw::Large,
];

/// What is drawn for a rule that is about elements that are no numbers.
pub(super) const SPECIAL: [Draw; 2] = [Draw::Special; 2];
/// And for one that is not proved: where whole numbers are divided, few of what is drawn have a quotient.
pub(super) const MORE: [Draw; 6] = [
    Draw::Large,
    Draw::Small,
    Draw::Large,
    Draw::Positive,
    Draw::Large,
    Draw::Small,
];
pub(super) const EDGES: [Draw; 4] = [Draw::Edges; 4];

/// What is drawn for a rule in which elements of one dtype become those of another one.
pub(super) const OF_CASTS: [Draw; 2] = [Draw::Wide; 2];
/// And for one that rounds.
pub(super) const OF_ROUNDS: [Draw; 1] = [Draw::Halves];

/// Elements of [`Draw::Wide`] for floats of 64, of 32 and of 16 bits.
const WIDE: [&[f64]; 3] = [
    &[1e40, -1e300, 1.000_976_562_5, -70_000.5, 0.5],
    &[70_000.5, -1e30, 1.000_976_562_5, -2.5, 0.5],
    &[1.000_976_562_5, -500.0, 2.5, -0.5],
];

/// Elements of [`Draw::Special`].
const SPECIAL_REALS: [f64; 7] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -0.0,
    0.0,
    1.5,
    -2.5,
];

impl Draw {
    pub(super) fn are_real(self) -> bool {
        matches!(
            self,
            Draw::Reals | Draw::Positive | Draw::Special | Draw::Halves | Draw::Wide
        )
    }

    fn number(self, counted: &mut i64, random: &mut Random) -> f64 {
        *counted += 1;
        match self {
            Draw::Counted => *counted as f64,
            Draw::Small | Draw::Edges => random.below(7) as f64 - 3.0,
            Draw::Special => SPECIAL_REALS[random.below(SPECIAL_REALS.len() as u64) as usize],
            Draw::Wide => WIDE[1][random.below(WIDE[1].len() as u64) as usize],
            Draw::Halves => (random.below(21) as f64 - 10.0) / 2.0,
            Draw::Bits => random.below(2) as f64,
            // Numbers of few bits: sums and products of them are mostly exact.
            Draw::Reals => (random.below(4001) as f64 - 2000.5) / 512.0,
            Draw::Positive => (random.below(2000) as f64 + 1.0) / 512.0,
            Draw::Large => (random.below(41) as f64 - 20.0) * 7.0,
        }
    }
}

/// Contents for leaves of these types. Those that are known stay; none if a dtype has no numbers.
pub(super) fn drawn(
    leaves: &[Type],
    draw: Draw,
    random: &mut Random,
) -> Option<Vec<Array<Number>>> {
    let mut counted = 0;
    let all = leaves.iter().map(|ty| {
        if let Some(own) = array(ty) {
            return Some(own);
        }
        let dtype = ty.as_tensor()?.dtype.known()?;
        let count: usize = sizes(ty)?
            .iter()
            .try_fold(1_usize, |n, size| n.checked_mul(*size))?;
        let data = (0..count).map(|_| element(dtype, draw, &mut counted, random));
        Array::new(dtype, sizes(ty)?, data.collect::<Option<_>>()?).ok()
    });
    all.collect()
}

fn element(dtype: Dtype, draw: Draw, counted: &mut i64, random: &mut Random) -> Option<Number> {
    Some(match dtype.name().as_bytes().first()? {
        _ if dtype == Dtype::Bool => Number::Bool(random.below(2) == 1),
        b'i' | b'u' if matches!(draw, Draw::Edges | Draw::Wide) => {
            Number::Int(edge(dtype, random)?)
        }
        b'f' | b'b' if draw == Draw::Wide => {
            let all = match dtype {
                Dtype::F64 => WIDE[0],
                Dtype::F32 => WIDE[1],
                Dtype::F16 => WIDE[2],
                // The nearest number of any other one is what is drawn elsewhere.
                _ => &[1.0, -2.0, 0.5],
            };
            Number::Float(all[random.below(all.len() as u64) as usize])
        }
        b'i' => Number::Int(draw.number(counted, random) as i64 % 64),
        b'u' => Number::Int((draw.number(counted, random) as i64).rem_euclid(4)),
        b'f' | b'b' => Number::Float(draw.number(counted, random)),
        _ => return None,
    })
}

/// An integer near an end of a dtype, or near 0.
fn edge(dtype: Dtype, random: &mut Random) -> Option<i64> {
    let bits: u32 = dtype.name()[1..].parse().ok()?;
    let near = random.below(3) as i64;
    // Unsigned integers of 64 bits have no end among those of a counterexample.
    let (least, largest) = match (dtype.name().starts_with('u'), bits) {
        (true, 1..=32) => (0, (1_i64 << bits) - 1),
        (true, _) => (0, i64::MAX),
        (false, 1..=63) => (-(1_i64 << (bits - 1)), (1_i64 << (bits - 1)) - 1),
        (false, _) => (i64::MIN, i64::MAX),
    };
    Some(match random.below(4) {
        0 => least + near,
        1 => largest - near,
        // The square of it is too large.
        2 if bits > 2 => 3 << (bits / 2 - 2).min(bits - 3),
        _ => near,
    })
}

/// A type with these contents.
pub(super) fn with_contents(own: &Array<Number>) -> Type {
    let members = own.data.iter().map(|number| match number {
        Number::Float(x) => Content::from(*x),
        Number::Int(n) => Content::Int(*n),
        Number::Bool(b) => Content::Bool(*b),
    });
    let shape = kanshape::Shape::known(own.shape.iter().map(|n| kanshape::Dim::Size(*n as u64)));
    Tensor::new(own.dtype, shape)
        .with_contents(Contents::new(members))
        .into()
}
