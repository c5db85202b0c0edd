//! [`Scalars`]: what elements are, and how one is calculated from others.

use kanshape_types::Dtype;

use crate::number::Number;
use crate::stop::Stop;

/// A function of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "their names are those of the operators")]
pub enum Function {
    Neg,
    Abs,
    Sign,
    Floor,
    Ceil,
    Round,
    Exp,
    Log,
    Sqrt,
    Erf,
    Tanh,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Asinh,
    Acosh,
    Atanh,
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    /// The remainder with the sign of the divisor.
    Mod,
    /// The remainder with the sign of the dividend.
    Fmod,
    Max,
    Min,
    Not,
    And,
    Or,
    Xor,
    BitNot,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Equal,
    Less,
    LessOrEqual,
    IsNan,
    IsInf,
    /// Of a condition, what it is if that holds, and what else.
    Where,
    /// To a dtype, of an element of another one.
    Cast(Dtype),
    /// The nearest number of a dtype, and the largest one of a number that is too large.
    Saturate(Dtype),
}

/// What elements are.
pub trait Scalars {
    /// An element.
    type Scalar: Clone;

    /// A number as an element.
    fn number(&mut self, number: Number) -> Self::Scalar;

    /// The number that it is, if that is known.
    fn known(&self, scalar: &Self::Scalar) -> Option<Number>;

    /// A function of elements of this dtype.
    ///
    /// # Errors
    /// [`Stop`] if it is not defined of these, or not calculated.
    fn apply(
        &mut self,
        function: Function,
        dtype: Dtype,
        args: &[Self::Scalar],
    ) -> Result<Self::Scalar, Stop>;

    /// The one of `choices` that an index, which is not known, is of.
    ///
    /// # Errors
    /// [`Stop`] if that is not calculated.
    fn select(
        &mut self,
        _index: &Self::Scalar,
        _choices: &[Self::Scalar],
    ) -> Result<Self::Scalar, Stop> {
        Stop::opaque("an index that is not known")
    }
}
