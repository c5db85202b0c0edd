//! Types of known rank in one word: `f32s([2, 3])`.

use crate::{Dim, Dtype, DtypeTerm, Type};

macro_rules! shorthands {
    ($($function:ident $dtype:ident $doc:literal)*) => {$(
        #[doc = $doc]
        pub fn $function<I>(dims: I) -> Type
        where
            I: IntoIterator,
            I::Item: Into<Dim>,
        {
            Type::tensor(Dtype::$dtype, dims)
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
    f32s F32 "`f32[...]` with these dims: `f32s([2, 3])`, `f32s([\"m\", \"n\"])`."
    f64s F64 "`f64[...]` with these dims."
    c64s C64 "`c64[...]` with these dims."
    c128s C128 "`c128[...]` with these dims."
}

/// A tensor with these dims and an unknown dtype: `?[2, 3]`.
pub fn any<I>(dims: I) -> Type
where
    I: IntoIterator,
    I::Item: Into<Dim>,
{
    Type::tensor(DtypeTerm::Hole, dims)
}
