//! Types, dims, dtypes and promotion tables as text, there and back.

use std::fmt;
use std::str::FromStr;

use kanshape_diag::Diagnostic;
use kanshape_syntax::parse_expr;
use kanshape_syntax::tree::Span;

use crate::dtype::{Lookup, look_up};
use crate::{Dim, Dtype, Promotion, Tensor, Type, TypeKind, Vocabulary, error};

/// `f32[2, n]`, `i64[3] = [2, n, ?]`.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dtype.fmt(f)?;
        self.shape.fmt(f)?;
        let Some(contents) = &self.contents else {
            return Ok(());
        };
        f.write_str(" = ")?;
        contents.fmt_as(f, self.dtype.known())
    }
}

/// The canonical text, which reads back as the same type.
///
/// The printer of trees says what it is. A tensor without conditions, the everyday case, is
/// written directly, as it would say, and without allocating.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TypeKind::Tensor(tensor) if self.conditions.is_empty() => tensor.fmt(f),
            TypeKind::Unknown if self.conditions.is_empty() => f.write_str("?"),
            _ => self.to_tree().fmt(f),
        }
    }
}

/// Reads every form of a type that the language has.
///
/// ```
/// use kanshape_types::{Type, shorthand::f32s};
///
/// assert_eq!("f32[2, 3]".parse(), Ok(f32s([2, 3])));
/// assert_eq!("Tensor[(2, 3), float32]".parse(), Ok(f32s([2, 3])));
///
/// let error = "flaot32[2, 3]".parse::<Type>().unwrap_err();
/// assert_eq!(error.code, "K0201");
/// assert_eq!(error.help, ["did you mean `float32`?"]);
/// ```
impl FromStr for Type {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        Vocabulary::built_in().parse(text)
    }
}

/// Reads a size, a name, an expression or `?`.
impl FromStr for Dim {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        if text.trim() == "?" {
            return Ok(Dim::Hole);
        }
        let expr = parse_expr(text)?;
        Dim::from_tree(&expr, Span::new(0, text.len()))
            .map_err(|diagnostic| diagnostic.with_source("dim", text))
    }
}

/// Reads a canonical name or an alias: the names of NumPy, torch, JAX, `ml_dtypes`, ONNX and MLIR.
///
/// ```
/// use kanshape_types::Dtype;
///
/// assert_eq!("float32".parse(), Ok(Dtype::F32));
/// assert_eq!("torch.half".parse(), Ok(Dtype::F16));
/// assert!("float".parse::<Dtype>().is_err()); // 32 bits or 64?
/// ```
impl FromStr for Dtype {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        let whole = 0..text.len();
        match look_up(text) {
            Lookup::Known(dtype) => Ok(dtype),
            Lookup::Ambiguous(ambiguous) => Err(error::ambiguous_dtype(ambiguous, whole)),
            Lookup::Unknown => Err(error::unknown_dtype(text, whole)),
        }
        .map_err(|diagnostic| diagnostic.with_source("dtype", text))
    }
}

/// Reads `numpy`, `torch`, `jax` or `none`.
impl FromStr for Promotion {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        Promotion::ALL
            .into_iter()
            .find(|promotion| promotion.name() == text)
            .ok_or_else(|| error::unknown_promotion(text).with_source("promotion table", text))
    }
}
