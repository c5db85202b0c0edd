//! The names that others have for the dtypes, as tables.

use super::Dtype;

/// What a word is among the names of dtypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// The name or an alias of this dtype.
    Known(Dtype),
    /// A name that means different dtypes in different places: the headline and the mend.
    Ambiguous(&'static Ambiguous),
    /// No name of a dtype.
    Unknown,
}

/// A name that is refused, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ambiguous {
    /// `float`.
    pub(crate) name: &'static str,
    /// What it means, and where.
    pub(crate) why: &'static str,
    /// What to write instead.
    pub(crate) instead: &'static str,
}

/// What `name` is: canonical, an alias, refused or unknown.
pub(crate) fn look_up(name: &str) -> Lookup {
    if let Some((module, bare)) = name.rsplit_once('.') {
        return look_up_in_module(module, bare);
    }
    if let Some(dtype) = canonical(name).or_else(|| find(ALIASES, name)) {
        return Lookup::Known(dtype);
    }
    match AMBIGUOUS.iter().find(|ambiguous| ambiguous.name == name) {
        Some(ambiguous) => Lookup::Ambiguous(ambiguous),
        None => Lookup::Unknown,
    }
}

/// What a name behind a module is: `torch.float` says which `float` is meant.
fn look_up_in_module(module: &str, bare: &str) -> Lookup {
    let own = match module {
        "torch" => TORCH,
        "np" | "numpy" | "jnp" | "jax.numpy" | "ml_dtypes" | "tf" => &[],
        _ => return Lookup::Unknown,
    };
    if let Some(dtype) = find(own, bare) {
        return Lookup::Known(dtype);
    }
    // A module has the long names only: no library knows `torch.f32`.
    match find(ALIASES, bare) {
        Some(dtype) => Lookup::Known(dtype),
        None if bare == Dtype::Bool.name() => Lookup::Known(Dtype::Bool),
        None => Lookup::Unknown,
    }
}

fn canonical(name: &str) -> Option<Dtype> {
    Dtype::ALL.into_iter().find(|dtype| dtype.name() == name)
}

fn find(table: &[(&str, Dtype)], name: &str) -> Option<Dtype> {
    table
        .iter()
        .find(|(alias, _)| *alias == name)
        .map(|&(_, dtype)| dtype)
}

/// The name of a dtype that `name` is probably meant to be: one slip away.
///
/// The rule is narrow, because every other name is a fine dtype variable. `name` must be three
/// bytes or longer, have a digit, and start with the same letter as the dtype's name (in either
/// case). So `f23`, `int33`, `flaot32` and `F32` are slips; `T`, `f1`, `t16` and `D32` are not.
pub(crate) fn near_miss(name: &str) -> Option<&'static str> {
    if name.len() < 3 || !name.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let name = name.as_bytes();
    let near = |slip: fn(&[u8], &[u8]) -> bool| {
        names()
            .map(|(known, _)| known)
            .find(|known| known.as_bytes()[0] == name[0] && slip(name, known.as_bytes()))
    };
    near(neighbours_swapped).or_else(|| near(one_byte_off))
}

/// Whether `a` and `b` are equal but for two neighbours swapped.
fn neighbours_swapped(a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match (&a[same..], &b[same..]) {
        ([a0, a1, a_rest @ ..], [b0, b1, b_rest @ ..]) => a0 == b1 && a1 == b0 && a_rest == b_rest,
        _ => false,
    }
}

/// Whether `a` and `b` are equal but for one byte changed, added or left out, if for any.
fn one_byte_off(a: &[u8], b: &[u8]) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match (&a[same..], &b[same..]) {
        ([], rest) | (rest, []) => rest.len() <= 1,
        (a @ [_, a_rest @ ..], b @ [_, b_rest @ ..]) => {
            a_rest == b_rest || a_rest == b || a == b_rest
        }
    }
}

/// The canonical names and the aliases, without those behind a module.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, Dtype)> {
    Dtype::ALL
        .into_iter()
        .map(|dtype| (dtype.name(), dtype))
        .chain(ALIASES.iter().copied())
}

/// Names that mean the same wherever they are used.
const ALIASES: &[(&str, Dtype)] = &[
    // NumPy, torch, JAX.
    ("bool_", Dtype::Bool),
    ("int8", Dtype::I8),
    ("int16", Dtype::I16),
    ("int32", Dtype::I32),
    ("int64", Dtype::I64),
    ("uint8", Dtype::U8),
    ("uint16", Dtype::U16),
    ("uint32", Dtype::U32),
    ("uint64", Dtype::U64),
    ("float16", Dtype::F16),
    ("float32", Dtype::F32),
    ("float64", Dtype::F64),
    ("complex64", Dtype::C64),
    ("complex128", Dtype::C128),
    ("str_", Dtype::Str),
    // Named by precision; NumPy, torch, C and ONNX agree on these.
    ("half", Dtype::F16),
    ("single", Dtype::F32),
    ("double", Dtype::F64),
    ("csingle", Dtype::C64),
    ("cdouble", Dtype::C128),
    // `ml_dtypes` and torch.
    ("int2", Dtype::I2),
    ("uint2", Dtype::U2),
    ("int4", Dtype::I4),
    ("uint4", Dtype::U4),
    ("bfloat16", Dtype::BF16),
    ("float8_e4m3fn", Dtype::F8E4M3FN),
    ("float8_e4m3fnuz", Dtype::F8E4M3FNUZ),
    ("float8_e5m2", Dtype::F8E5M2),
    ("float8_e5m2fnuz", Dtype::F8E5M2FNUZ),
    ("float4_e2m1", Dtype::F4E2M1),
    ("float4_e2m1fn", Dtype::F4E2M1),
    ("float6_e2m3fn", Dtype::F6E2M3),
    ("float6_e3m2fn", Dtype::F6E3M2),
    ("float8_e8m0fnu", Dtype::F8E8M0),
    ("float8_e4m3", Dtype::F8E4M3),
    ("float8_e3m4", Dtype::F8E3M4),
    ("float8_e4m3b11fnuz", Dtype::F8E4M3B11FNUZ),
    // ONNX.
    ("string", Dtype::Str),
    ("float8e4m3fn", Dtype::F8E4M3FN),
    ("float8e4m3fnuz", Dtype::F8E4M3FNUZ),
    ("float8e5m2", Dtype::F8E5M2),
    ("float8e5m2fnuz", Dtype::F8E5M2FNUZ),
    ("float4e2m1", Dtype::F4E2M1),
    ("float6e2m3", Dtype::F6E2M3),
    ("float6e3m2", Dtype::F6E3M2),
    ("float8e8m0", Dtype::F8E8M0),
    // MLIR and XLA.
    ("i1", Dtype::Bool),
    ("pred", Dtype::Bool),
    ("ui4", Dtype::U4),
    ("ui8", Dtype::U8),
    ("ui16", Dtype::U16),
    ("ui32", Dtype::U32),
    ("ui64", Dtype::U64),
    ("f8E4M3FN", Dtype::F8E4M3FN),
    ("f8E4M3FNUZ", Dtype::F8E4M3FNUZ),
    ("f8E5M2", Dtype::F8E5M2),
    ("f8E5M2FNUZ", Dtype::F8E5M2FNUZ),
    ("f4E2M1FN", Dtype::F4E2M1),
    ("f6E2M3FN", Dtype::F6E2M3),
    ("f6E3M2FN", Dtype::F6E3M2),
    ("f8E8M0FNU", Dtype::F8E8M0),
    ("f8E4M3", Dtype::F8E4M3),
    ("f8E3M4", Dtype::F8E3M4),
    ("f8E4M3B11FNUZ", Dtype::F8E4M3B11FNUZ),
];

/// Names that mean something only behind `torch.`.
const TORCH: &[(&str, Dtype)] = &[
    ("float", Dtype::F32),
    ("cfloat", Dtype::C64),
    ("short", Dtype::I16),
    ("int", Dtype::I32),
    ("long", Dtype::I64),
];

/// Names that mean different dtypes in different places.
const AMBIGUOUS: &[Ambiguous] = &[
    Ambiguous {
        name: "float",
        why: "`float` has 32 bits in ONNX and torch, and 64 in Python and NumPy",
        instead: "write `f32` or `f64`; for any floating point dtype, `Float`",
    },
    Ambiguous {
        name: "int",
        why: "`int` has 32 bits in ONNX and torch, and 64 in Python and NumPy",
        instead: "write `i32` or `i64`; for any signed integer dtype, `Int`",
    },
    Ambiguous {
        name: "uint",
        why: "`uint` has 32 bits in C, and 64 in NumPy",
        instead: "write `u32` or `u64`; for any unsigned integer dtype, `UInt`",
    },
    Ambiguous {
        name: "complex",
        why: "`complex` has 128 bits in Python and NumPy, and 64 in torch by default",
        instead: "write `c64` or `c128`; for either, `Complex`",
    },
    Ambiguous {
        name: "long",
        why: "`long` has 64 bits in torch, and 32 or 64 in C and NumPy, as the system has it",
        instead: "write `i32` or `i64`",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_stands_for_two_dtypes() {
        let all: Vec<_> = names().collect();
        for (at, (name, _)) in all.iter().enumerate() {
            assert!(
                all[at + 1..].iter().all(|(other, _)| other != name),
                "{name} is listed twice"
            );
            assert!(AMBIGUOUS.iter().all(|ambiguous| ambiguous.name != *name));
        }
    }

    #[test]
    fn slips_are_noticed_and_variables_left_alone() {
        for (slip, meant) in [
            ("f23", "f32"),
            ("int33", "int32"),
            ("flaot32", "float32"),
            ("F32", "f32"),
            ("bf61", "bf16"),
            ("f332", "f32"),
            ("bfloat1", "bfloat16"),
            ("f46", "f64"),
        ] {
            assert_eq!(near_miss(slip), Some(meant));
        }
        for variable in [
            "T", "t0", "t16", "t32", "D32", "f1", "x64", "dt", "flaot", "é1",
        ] {
            assert_eq!(near_miss(variable), None, "{variable}");
        }
    }

    #[test]
    fn a_module_says_which_is_meant() {
        assert_eq!(look_up("torch.float"), Lookup::Known(Dtype::F32));
        assert_eq!(look_up("torch.bool"), Lookup::Known(Dtype::Bool));
        assert_eq!(look_up("np.float64"), Lookup::Known(Dtype::F64));
        assert_eq!(look_up("jax.numpy.bfloat16"), Lookup::Known(Dtype::BF16));
        assert_eq!(look_up("torch.f32"), Lookup::Unknown);
        assert_eq!(look_up("numpy.float"), Lookup::Unknown);
        assert_eq!(look_up("os.float32"), Lookup::Unknown);
        assert_eq!(look_up(".float32"), Lookup::Unknown);
    }
}
