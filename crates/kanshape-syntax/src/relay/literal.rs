//! Numbers of programs: `1`, `-42i16`, `3.5f`, `1e-5f64`.

use kanshape_diag::Diagnostic;

use super::Float;
use crate::tree::Span;
use crate::{code, problem};

/// A constant of rank 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// Its value.
    pub kind: LiteralKind,
    /// `int32`, `float16`, `bool`.
    pub dtype: &'static str,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// `1`.
    Int(i64),
    /// `0.5`.
    Float(Float),
    /// `True`.
    Bool(bool),
}

const DTYPES: [(&str, &str, u32); 13] = [
    ("f", "float32", 32),
    ("f16", "float16", 16),
    ("f32", "float32", 32),
    ("f64", "float64", 64),
    ("bf16", "bfloat16", 32),
    ("i8", "int8", 8),
    ("i16", "int16", 16),
    ("i32", "int32", 32),
    ("i64", "int64", 64),
    ("u8", "uint8", 8),
    ("u16", "uint16", 16),
    ("u32", "uint32", 32),
    ("u64", "uint64", 63),
];

/// Where the suffix of a number begins.
fn suffix_of(text: &str) -> usize {
    let mut digits = text.len();
    let bytes = text.as_bytes();
    // The exponent has a letter as well, with digits behind it and none of the suffixes begins with it.
    for (i, b) in bytes.iter().enumerate() {
        if b.is_ascii_alphabetic() && !matches!(b, b'e' | b'E') {
            digits = i;
            break;
        }
    }
    digits
}

/// The number that `text` denotes.
pub(crate) fn read(text: &str, is_negative: bool, at: Span) -> Result<Literal, Box<Diagnostic>> {
    let (digits, suffix) = text.split_at(suffix_of(text));
    let is_float = digits.contains(['.', 'e', 'E']);
    let known = DTYPES.iter().find(|(name, ..)| *name == suffix);
    let (dtype, bits) = match known {
        Some((_, dtype, bits)) => (*dtype, *bits),
        None if suffix.is_empty() && is_float => ("float32", 32),
        None if suffix.is_empty() => ("", 64),
        None => {
            return Err(Box::new(
                problem::new(
                    code::UNKNOWN_SUFFIX,
                    format!("numbers have no suffix `{suffix}`"),
                    at,
                    "",
                )
                .with_help("the suffixes are f16, f32, f64, i8, i16, i32, i64, u8, u16, u32 and u64; `f` is f32"),
            ));
        }
    };
    if dtype.contains("float") {
        let number: f64 = digits.parse().unwrap_or(f64::INFINITY);
        let most = match dtype {
            "float16" => 65504.0,
            "float64" => f64::MAX,
            _ => f64::from(f32::MAX),
        };
        if number > most {
            return Err(too_large(text, dtype, at));
        }
        let number = if is_negative { -number } else { number };
        return Ok(Literal {
            kind: LiteralKind::Float(Float::new(number)),
            dtype,
        });
    }
    if is_float {
        return Err(Box::new(problem::new(
            code::UNKNOWN_SUFFIX,
            format!("`{digits}` is no integer, and `{suffix}` is a suffix of integers"),
            at,
            "",
        )));
    }
    let number: i128 = digits.parse().unwrap_or(i128::MAX);
    let number = if is_negative {
        number.saturating_neg()
    } else {
        number
    };
    let (low, high) = match dtype {
        _ if dtype.starts_with('u') => (0, (1i128 << bits) - 1),
        _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    };
    if number < low || number > high {
        return Err(too_large(
            text,
            if dtype.is_empty() { "int64" } else { dtype },
            at,
        ));
    }
    let dtype = match dtype {
        "" if i32::try_from(number).is_ok() => "int32",
        "" => "int64",
        dtype => dtype,
    };
    let number = i64::try_from(number).map_err(|_| too_large(text, dtype, at))?;
    Ok(Literal {
        kind: LiteralKind::Int(number),
        dtype,
    })
}

fn too_large(text: &str, dtype: &str, at: Span) -> Box<Diagnostic> {
    Box::new(problem::new(
        code::LITERAL_RANGE,
        format!("`{text}` does not fit `{dtype}`"),
        at,
        format!("no value of `{dtype}`"),
    ))
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let suffix = DTYPES
            .iter()
            .rev()
            .find(|(_, dtype, _)| *dtype == self.dtype)
            .map_or("", |(suffix, ..)| suffix);
        match self.kind {
            LiteralKind::Bool(true) => f.write_str("True"),
            LiteralKind::Bool(false) => f.write_str("False"),
            LiteralKind::Int(n) if self.dtype == "int32" => write!(f, "{n}"),
            LiteralKind::Int(n) => write!(f, "{n}{suffix}"),
            LiteralKind::Float(n) => write!(f, "{n}{suffix}"),
        }
    }
}
