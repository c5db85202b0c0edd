//! Types, dims, dtypes and promotion tables as text, there and back.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{Expr, Sign, Span};
use kanshape_syntax::{parse_conditions, parse_expr};

use crate::dtype::{Lookup, look_up};
use crate::{
    Conditions, Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, FnType, Nominal, Promotion,
    Shape, Tensor, Type, TypeKind, Vocabulary, error,
};

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
/// use kanshape::{Type, shorthand::f32s};
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

/// Reads a size, a name, an expression or `?`. A number below 0 is no size; a query may give it all the same
/// ([`Dim::param`]).
impl FromStr for Dim {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        match Dim::param(text)? {
            Dim::Expr(expr) if is_below_zero(&expr) => {
                Err(error::negative_size(0..text.len()).with_source("dim", text))
            }
            dim => Ok(dim),
        }
    }
}

impl Dim {
    /// Reads what a query gives for a parameter or an attribute, which is a dim or a number below 0. No parameter of a signature is
    /// that: the answer says so.
    ///
    /// ```
    /// use kanshape::Dim;
    ///
    /// assert_eq!(Dim::param("-1")?.integer_at(&|_| None), Some(-1));
    /// assert!("-1".parse::<Dim>().is_err());
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn param(text: &str) -> Result<Dim, Diagnostic> {
        if text.trim() == "?" {
            return Ok(Dim::Hole);
        }
        let expr = parse_expr(text)?;
        Dim::from_tree(&expr, Span::new(0, text.len()))
            .map_err(|diagnostic| diagnostic.with_source("dim", text))
    }
}

/// Is it a number with a minus, `-1`?
fn is_below_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Sum(terms) if matches!(terms[..], [(Sign::Minus, Expr::Int(1..))]))
}

/// Reads `[2, n, ...batch, ?]`.
///
/// ```
/// use kanshape::Shape;
///
/// let shape: Shape = "[2, 2*k, ...]".parse()?;
/// assert_eq!(shape.to_string(), "[2, 2*k, ...]");
/// assert_eq!(Shape::try_from(&[2usize, 3][..])?, "[2, 3]".parse()?);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
impl FromStr for Shape {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        match part_of_tensor("shape", "?", text, "")? {
            Tensor {
                contents: None,
                shape,
                ..
            } => Ok(shape),
            _ => Err(error::no_part("shape", text)),
        }
    }
}

/// Reads `[2, n, ?]`, `[0.5, 1.0]`, `["a"]`.
///
/// ```
/// use kanshape::Contents;
///
/// let contents: Contents = "[2, n - 1, ?]".parse()?;
/// assert_eq!(contents.to_string(), "[2, n - 1, ?]");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
impl FromStr for Contents {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        // One element of a scalar is written without brackets in a type.
        if !text.trim_start().starts_with('[') {
            return Err(error::no_part("contents", text));
        }
        let tensor = part_of_tensor("contents", "?[...] = ", text, "")?;
        tensor
            .contents
            .ok_or_else(|| error::no_part("contents", text))
    }
}

/// Reads a dtype, a class, a set of them, a variable or `?`: `f32`, `Float`, `{f32, f64}`, `T`.
impl FromStr for DtypeTerm {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        Ok(part_of_tensor("dtype", "", text, "[]")?.dtype)
    }
}

/// Reads a class or a set: `Float`, `{f32, Int}`, `{}`; `?` is all dtypes.
///
/// ```
/// use kanshape::{Dtype, DtypeSet};
///
/// let set: DtypeSet = "{f32, i64}".parse()?;
/// assert_eq!(set, [Dtype::I64, Dtype::F32].into_iter().collect());
/// assert_eq!("Float".parse::<DtypeSet>()?.to_string(), "Float");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
impl FromStr for DtypeSet {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        if text.trim() == DtypeSet::EMPTY.to_string() {
            return Ok(DtypeSet::EMPTY);
        }
        match text.parse()? {
            DtypeTerm::Name(name) => {
                Err(error::unknown_dtype(&name, 0..text.len()).with_source("dtypes", text))
            }
            term => Ok(term.set()),
        }
    }
}

/// A part of the text of a tensor, `before` and `after` being the rest of it.
fn part_of_tensor(what: &str, before: &str, text: &str, after: &str) -> Result<Tensor, Diagnostic> {
    let whole = format!("{before}{}{after}", text.trim());
    match whole.parse::<Type>() {
        Ok(Type {
            kind: TypeKind::Tensor(tensor),
            conditions,
        }) if conditions.is_empty() => Ok(tensor),
        Ok(_) => Err(error::no_part(what, text)),
        Err(mistake) => Err(mistake),
    }
}

/// Reads what stands behind `where`: `n >= 1, n in {1, 3}`; nothing is no conditions.
///
/// ```
/// use kanshape::Conditions;
///
/// let conditions: Conditions = "n >= 1 and m == 2*n".parse()?;
/// assert_eq!(conditions.to_string(), "n >= 1, m == 2*n");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
impl FromStr for Conditions {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        if text.trim().is_empty() {
            return Ok(Conditions::NONE);
        }
        let conditions = parse_conditions(text)?.into_iter();
        Ok(conditions.map(|condition| condition.node).collect())
    }
}

/// `n >= 1, m == 2*n`.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, condition) in self.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            condition.fmt(f)?;
        }
        Ok(())
    }
}

macro_rules! debug_is_text {
    ($($name:ident)*) => {$(
        /// The text.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

debug_is_text! { Type Tensor Dim Nominal Shape Content Contents Conditions DtypeTerm DtypeSet }

/// The text of the type.
impl fmt::Debug for TypeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Type::from(self.clone()).fmt(f)
    }
}

/// The text of the type.
impl fmt::Debug for FnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Type::from(TypeKind::Fn(Arc::new(self.clone()))).fmt(f)
    }
}

impl Dtype {
    /// The dtype of this name, in any of its spellings. [`FromStr`] says what is wrong with another name.
    ///
    /// ```
    /// use kanshape::Dtype;
    ///
    /// assert_eq!(Dtype::named("float32"), Some(Dtype::F32));
    /// assert_eq!(Dtype::named("float"), None);
    /// ```
    pub fn named(text: &str) -> Option<Dtype> {
        match look_up(text) {
            Lookup::Known(dtype) => Some(dtype),
            Lookup::Ambiguous(_) | Lookup::Unknown => None,
        }
    }
}

/// Reads a canonical name or an alias: the names of NumPy, torch, JAX, `ml_dtypes`, ONNX and MLIR.
///
/// ```
/// use kanshape::Dtype;
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
