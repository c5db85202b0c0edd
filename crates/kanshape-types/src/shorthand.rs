//! Types of known rank in one word: `f32s([2, 3])`.

use crate::{Dim, Dtype, DtypeTerm, Shape, Tensor, Type};

/// The dims of a [shorthand](self): an array, a `Vec` or a slice of sizes, names and dims. `[]` are those of a scalar.
///
/// ```
/// use kanshape::{Dim, shorthand::f32s};
///
/// assert_eq!(f32s([]).to_string(), "f32[]");
/// assert_eq!(f32s([2, 3]).to_string(), "f32[2, 3]");
/// assert_eq!(f32s(vec![Dim::Hole]).to_string(), "f32[?]");
/// ```
pub trait Dims {
    /// The dims, from left to right.
    fn into_shape(self) -> Shape;
}

// One for each length: so that `[]`, which says nothing of what it has none of, has one way to be read.
impl Dims for [Dim; 0] {
    fn into_shape(self) -> Shape {
        Shape::default()
    }
}

macro_rules! arrays {
    ($($length:literal)*) => {$(
        impl<D: Into<Dim>> Dims for [D; $length] {
            fn into_shape(self) -> Shape {
                Shape::known(self)
            }
        }
    )*};
}

arrays! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 }

impl<D: Into<Dim>> Dims for Vec<D> {
    fn into_shape(self) -> Shape {
        Shape::known(self)
    }
}

impl<'a, D> Dims for &'a [D]
where
    &'a D: Into<Dim>,
{
    fn into_shape(self) -> Shape {
        Shape::known(self)
    }
}

impl Dims for Shape {
    fn into_shape(self) -> Shape {
        self
    }
}

macro_rules! shorthands {
    ($($function:ident $dtype:ident $doc:literal)*) => {$(
        #[doc = $doc]
        pub fn $function(dims: impl Dims) -> Type {
            Tensor::new(Dtype::$dtype, dims.into_shape()).into()
        }
    )*};
}

shorthands! {
    bools Bool "`bool[...]` with these dims."
    i8s I8 "`i8[...]` with these dims."
    i16s I16 "`i16[...]` with these dims."
    i32s I32 "`i32[...]` with these dims."
    i64s I64 "`i64[...]` with these dims."
    u8s U8 "`u8[...]` with these dims."
    u16s U16 "`u16[...]` with these dims."
    u32s U32 "`u32[...]` with these dims."
    u64s U64 "`u64[...]` with these dims."
    f16s F16 "`f16[...]` with these dims."
    bf16s BF16 "`bf16[...]` with these dims."
    f32s F32 "`f32[...]` with these dims: `f32s([2, 3])`, `f32s([])`."
    f64s F64 "`f64[...]` with these dims."
    c64s C64 "`c64[...]` with these dims."
    c128s C128 "`c128[...]` with these dims."
}

/// A tensor with these dims and an unknown dtype: `?[2, 3]`.
pub fn any(dims: impl Dims) -> Type {
    Tensor::new(DtypeTerm::Hole, dims.into_shape()).into()
}
