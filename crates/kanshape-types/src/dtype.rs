//! [`Dtype`]: what one element of a tensor is.

use std::fmt;
use std::ops::RangeInclusive;

mod alias;

pub(crate) use alias::{Ambiguous, Lookup, look_up, names, near_miss};

/// What one element of a tensor is. The order is that of the language page; it is also the order
/// of the bits of a [`DtypeSet`](crate::DtypeSet).
///
/// ```
/// use kanshape::{Dtype, Promotion};
///
/// assert_eq!("torch.half".parse(), Ok(Dtype::F16));
/// assert_eq!(Dtype::F16.name(), "f16");
/// assert_eq!(Promotion::Numpy.promote(Dtype::I32, Dtype::F32), Some(Dtype::F64));
/// ```
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dtype {
    /// `bool`.
    Bool,
    /// `i4`: a signed integer of 4 bits.
    I4,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `u4`: an unsigned integer of 4 bits.
    U4,
    /// `u8`.
    U8,
    /// `u16`.
    U16,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// `f16`: the half precision of IEEE 754.
    F16,
    /// `bf16`: the upper half of an `f32`.
    BF16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// `c64`: two `f32`.
    C64,
    /// `c128`: two `f64`.
    C128,
    /// `str`: text of any length.
    Str,
    /// `f8e4m3fn`: 4 bits of exponent, 3 of mantissa, no infinities.
    F8E4M3FN,
    /// `f8e4m3fnuz`: the same with one zero and another bias.
    F8E4M3FNUZ,
    /// `f8e5m2`: 5 bits of exponent, 2 of mantissa.
    F8E5M2,
    /// `f8e5m2fnuz`: the same with one zero and no infinities.
    F8E5M2FNUZ,
    /// `f4e2m1`: 2 bits of exponent, 1 of mantissa.
    F4E2M1,
    /// `f6e2m3`: 2 bits of exponent, 3 of mantissa.
    F6E2M3,
    /// `f6e3m2`: 3 bits of exponent, 2 of mantissa.
    F6E3M2,
    /// `f8e8m0`: a power of two, the scale of a block of smaller floats.
    F8E8M0,
    /// `i2`: a signed integer of 2 bits.
    I2,
    /// `u2`: an unsigned integer of 2 bits.
    U2,
    /// `f8e4m3`: 4 bits of exponent, 3 of mantissa, with infinities.
    F8E4M3,
    /// `f8e3m4`: 3 bits of exponent, 4 of mantissa, with infinities.
    F8E3M4,
    /// `f8e4m3b11fnuz`: 4 bits of exponent, whose bias is 11, 3 of mantissa, one zero and no infinities.
    F8E4M3B11FNUZ,
}

impl Dtype {
    /// The integers that its elements are; none if they are something else.
    pub fn integers(self) -> Option<RangeInclusive<i128>> {
        let (is_signed, bits) = match self {
            Dtype::I2 => (true, 2),
            Dtype::I4 => (true, 4),
            Dtype::I8 => (true, 8),
            Dtype::I16 => (true, 16),
            Dtype::I32 => (true, 32),
            Dtype::I64 => (true, 64),
            Dtype::U2 => (false, 2),
            Dtype::U4 => (false, 4),
            Dtype::U8 => (false, 8),
            Dtype::U16 => (false, 16),
            Dtype::U32 => (false, 32),
            Dtype::U64 => (false, 64),
            _ => return None,
        };
        Some(match is_signed {
            true => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
            false => 0..=(1 << bits) - 1,
        })
    }

    /// How many dtypes there are.
    pub const COUNT: usize = 31;

    /// Every dtype, in order.
    pub const ALL: [Dtype; Dtype::COUNT] = [
        Dtype::Bool,
        Dtype::I4,
        Dtype::I8,
        Dtype::I16,
        Dtype::I32,
        Dtype::I64,
        Dtype::U4,
        Dtype::U8,
        Dtype::U16,
        Dtype::U32,
        Dtype::U64,
        Dtype::F16,
        Dtype::BF16,
        Dtype::F32,
        Dtype::F64,
        Dtype::C64,
        Dtype::C128,
        Dtype::Str,
        Dtype::F8E4M3FN,
        Dtype::F8E4M3FNUZ,
        Dtype::F8E5M2,
        Dtype::F8E5M2FNUZ,
        Dtype::F4E2M1,
        Dtype::F6E2M3,
        Dtype::F6E3M2,
        Dtype::F8E8M0,
        Dtype::I2,
        Dtype::U2,
        Dtype::F8E4M3,
        Dtype::F8E3M4,
        Dtype::F8E4M3B11FNUZ,
    ];

    /// The canonical name: `f32`.
    pub const fn name(self) -> &'static str {
        match self {
            Dtype::Bool => "bool",
            Dtype::I4 => "i4",
            Dtype::I8 => "i8",
            Dtype::I16 => "i16",
            Dtype::I32 => "i32",
            Dtype::I64 => "i64",
            Dtype::U4 => "u4",
            Dtype::U8 => "u8",
            Dtype::U16 => "u16",
            Dtype::U32 => "u32",
            Dtype::U64 => "u64",
            Dtype::F16 => "f16",
            Dtype::BF16 => "bf16",
            Dtype::F32 => "f32",
            Dtype::F64 => "f64",
            Dtype::C64 => "c64",
            Dtype::C128 => "c128",
            Dtype::Str => "str",
            Dtype::F8E4M3FN => "f8e4m3fn",
            Dtype::F8E4M3FNUZ => "f8e4m3fnuz",
            Dtype::F8E5M2 => "f8e5m2",
            Dtype::F8E5M2FNUZ => "f8e5m2fnuz",
            Dtype::F4E2M1 => "f4e2m1",
            Dtype::F6E2M3 => "f6e2m3",
            Dtype::F6E3M2 => "f6e3m2",
            Dtype::F8E8M0 => "f8e8m0",
            Dtype::I2 => "i2",
            Dtype::U2 => "u2",
            Dtype::F8E4M3 => "f8e4m3",
            Dtype::F8E3M4 => "f8e3m4",
            Dtype::F8E4M3B11FNUZ => "f8e4m3b11fnuz",
        }
    }

    /// The bits of one element; none for `str`, whose elements differ in length. A `bool` counts
    /// the 8 bits it takes in memory.
    pub const fn size_bits(self) -> Option<u32> {
        match self {
            Dtype::I2 | Dtype::U2 => Some(2),
            Dtype::I4 | Dtype::U4 | Dtype::F4E2M1 => Some(4),
            Dtype::F6E2M3 | Dtype::F6E3M2 => Some(6),
            Dtype::Bool
            | Dtype::I8
            | Dtype::U8
            | Dtype::F8E4M3FN
            | Dtype::F8E4M3FNUZ
            | Dtype::F8E5M2
            | Dtype::F8E5M2FNUZ
            | Dtype::F8E8M0
            | Dtype::F8E4M3
            | Dtype::F8E3M4
            | Dtype::F8E4M3B11FNUZ => Some(8),
            Dtype::I16 | Dtype::U16 | Dtype::F16 | Dtype::BF16 => Some(16),
            Dtype::I32 | Dtype::U32 | Dtype::F32 => Some(32),
            Dtype::I64 | Dtype::U64 | Dtype::F64 | Dtype::C64 => Some(64),
            Dtype::C128 => Some(128),
            Dtype::Str => None,
        }
    }

    /// The place in [`Dtype::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The dtype at a place in [`Dtype::ALL`].
    pub const fn from_index(index: usize) -> Option<Dtype> {
        if index < Dtype::COUNT {
            Some(Dtype::ALL[index])
        } else {
            None
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
