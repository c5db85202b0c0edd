//! [`AnyArray`]: an array of `ndarray` whose dtype is known at run time only.

use half::{bf16, f16};
use ndarray::{ArcArray, ArrayBase, ArrayViewD, DataOwned, Dimension, IxDyn};
use num_complex::Complex;

use super::Value;
use super::number::{Number, Numeric};
use crate::Dtype;

/// An element of an [`AnyArray`]: those Rust types that hold a dtype's elements.
///
/// The dtypes of 4 bits and the floats of 8 have no such type.
pub trait Element: Clone + 'static + sealed::Sealed {
    /// The dtype.
    const DTYPE: Dtype;
}

mod sealed {
    use super::{AnyArray, ArcArray, IxDyn};

    pub trait Sealed: Sized {
        fn wrap(array: ArcArray<Self, IxDyn>) -> AnyArray;
        fn unwrap(array: &AnyArray) -> Option<&ArcArray<Self, IxDyn>>;
    }
}

macro_rules! elements {
    ($($variant:ident $ty:ty, $doc:literal;)*) => {
        /// An array of any dtype and rank. Cloning one is cheap: the elements are shared.
        #[non_exhaustive]
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyArray {
            $(#[doc = $doc] $variant(ArcArray<$ty, IxDyn>),)*
        }

        $(
            impl Element for $ty {
                const DTYPE: Dtype = Dtype::$variant;
            }

            impl sealed::Sealed for $ty {
                fn wrap(array: ArcArray<Self, IxDyn>) -> AnyArray {
                    AnyArray::$variant(array)
                }

                fn unwrap(array: &AnyArray) -> Option<&ArcArray<Self, IxDyn>> {
                    match array {
                        AnyArray::$variant(array) => Some(array),
                        _ => None,
                    }
                }
            }
        )*

        impl AnyArray {
            /// What its elements are.
            pub fn dtype(&self) -> Dtype {
                match self {
                    $(AnyArray::$variant(_) => Dtype::$variant,)*
                }
            }

            /// How many elements there are along each dim.
            pub fn shape(&self) -> &[usize] {
                match self {
                    $(AnyArray::$variant(array) => array.shape(),)*
                }
            }
        }
    };
}

elements! {
    Bool bool, "`bool`.";
    I8 i8, "`i8`.";
    I16 i16, "`i16`.";
    I32 i32, "`i32`.";
    I64 i64, "`i64`.";
    U8 u8, "`u8`.";
    U16 u16, "`u16`.";
    U32 u32, "`u32`.";
    U64 u64, "`u64`.";
    F16 f16, "`f16`.";
    BF16 bf16, "`bf16`.";
    F32 f32, "`f32`.";
    F64 f64, "`f64`.";
    C64 Complex<f32>, "`c64`.";
    C128 Complex<f64>, "`c128`.";
    Str String, "`str`.";
}

/// Does `$body` for an array of numbers, with its elements as `$ty`.
macro_rules! for_numbers {
    ($dtype:expr, $ty:ident => $body:expr, else $other:expr) => {
        for_numbers!(@ $dtype, $ty => $body, else $other,
            Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64,
            F16 f16, BF16 bf16, F32 f32, F64 f64, C64 Complex<f32>, C128 Complex<f64>)
    };
    (@ $dtype:expr, $ty:ident => $body:expr, else $other:expr, $($variant:ident $element:ty),*) => {
        match $dtype {
            $(Dtype::$variant => {
                type $ty = $element;
                $body
            })*
            _ => $other,
        }
    };
}

impl AnyArray {
    /// The elements, if they are of this type.
    pub fn view<T: Element>(&self) -> Option<ArrayViewD<'_, T>> {
        T::unwrap(self).map(|array| array.view())
    }

    /// The elements as numbers, row by row; none for texts.
    pub(super) fn numbers(&self) -> Option<Box<dyn Iterator<Item = Number> + '_>> {
        for_numbers!(self.dtype(), T => {
            let numbers = <T as sealed::Sealed>::unwrap(self)?.iter().map(|x| x.number());
            Some(Box::new(numbers))
        }, else None)
    }

    /// The array with its elements as another dtype's, as `astype` does it; none if either has
    /// no numbers, or no Rust type holds them.
    pub(super) fn cast(&self, to: Dtype) -> Option<AnyArray> {
        if to == self.dtype() {
            return Some(self.clone());
        }
        let numbers = self.numbers()?;
        for_numbers!(to, T => {
            let elements = numbers.map(<T as Numeric>::cast).collect();
            shaped::<T>(self.shape(), elements)
        }, else None)
    }

    /// The array of these literals, row by row; none if one of them is none of this dtype.
    pub(super) fn of_literals(to: Dtype, shape: &[usize], numbers: &[Number]) -> Option<AnyArray> {
        for_numbers!(to, T => {
            let literals = numbers.iter().map(|&number| <T as Numeric>::of_literal(number));
            shaped::<T>(shape, literals.collect::<Option<_>>()?)
        }, else None)
    }

    /// The array of these texts, row by row.
    pub(super) fn of_texts(shape: &[usize], texts: Vec<String>) -> Option<AnyArray> {
        shaped(shape, texts)
    }
}

fn shaped<T: Element>(shape: &[usize], elements: Vec<T>) -> Option<AnyArray> {
    let array = ArcArray::from_shape_vec(IxDyn(shape), elements).ok()?;
    Some(T::wrap(array))
}

/// An array that owns its elements. Nothing is copied, unless it only borrows them.
impl<S, D> From<ArrayBase<S, D>> for AnyArray
where
    S: DataOwned,
    S::Elem: Element,
    D: Dimension,
{
    fn from(array: ArrayBase<S, D>) -> Self {
        <S::Elem as sealed::Sealed>::wrap(array.into_shared().into_dyn())
    }
}

impl From<AnyArray> for Value {
    fn from(array: AnyArray) -> Self {
        Value::Array(array)
    }
}

impl<S, D> From<ArrayBase<S, D>> for Value
where
    S: DataOwned,
    S::Elem: Element,
    D: Dimension,
{
    fn from(array: ArrayBase<S, D>) -> Self {
        Value::Array(array.into())
    }
}
