//! [`Value`]: what a type is a set of.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use kanshape_diag::Diagnostic;

use crate::{Dtype, DtypeSet, Promotion, Type, error};

#[cfg(feature = "ndarray")]
mod array;
#[cfg(feature = "ndarray")]
mod elements;
#[cfg(feature = "ndarray")]
mod equal;
#[cfg(feature = "ndarray")]
mod filter;
#[cfg(feature = "ndarray")]
mod fit;
#[cfg(feature = "ndarray")]
mod literal;
#[cfg(feature = "ndarray")]
mod number;
#[cfg(feature = "ndarray")]
mod of;

#[cfg(feature = "ndarray")]
pub use array::{AnyArray, Element};
#[cfg(feature = "ndarray")]
pub use filter::Fitted;
#[cfg(feature = "ndarray")]
pub use of::TypeOf;

/// A value, whose type is known at run time only.
///
/// Numbers, texts and lists are as a program's source has them, without a dtype: it is the type
/// which they are filtered for that gives them one. Whoever nests lists and tuples bounds how
/// deeply.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `True`.
    Bool(bool),
    /// `3`.
    Int(i128),
    /// `0.1`.
    Float(f64),
    /// `1 + 2j`: the real and the imaginary part.
    Complex(f64, f64),
    /// `"text"`.
    Str(Arc<str>),
    /// `[1, 2]`: numbers, or lists of equal shape, that can become an array.
    List(Arc<[Value]>),
    /// `(x, y)`: one value for each field of a tuple type.
    Tuple(Arc<[Value]>),
    /// An array, which has a dtype.
    #[cfg(feature = "ndarray")]
    Array(AnyArray),
    /// A value of a user's type.
    User(AnyValue),
}

impl Value {
    /// A list of these.
    pub fn list<V: Into<Value>>(items: impl IntoIterator<Item = V>) -> Value {
        Value::List(items.into_iter().map(Into::into).collect())
    }

    /// A tuple of these.
    pub fn tuple<V: Into<Value>>(fields: impl IntoIterator<Item = V>) -> Value {
        Value::Tuple(fields.into_iter().map(Into::into).collect())
    }

    /// A value of a user's type.
    pub fn user(value: impl UserValue) -> Value {
        Value::User(AnyValue(Arc::new(value)))
    }

    /// The value of a user's type, if it is a `T`.
    pub fn downcast_ref<T: UserValue>(&self) -> Option<&T> {
        match self {
            Value::User(value) => value.downcast_ref(),
            _ => None,
        }
    }
}

/// What can be a value of a user's type.
pub trait UserValue: Any + Clone + PartialEq + fmt::Debug + Send + Sync {
    /// The least type that contains it. `?` by default: some type, which it does not know.
    fn type_of(&self) -> Type {
        Type::UNKNOWN
    }
}

/// A value of a user's type, whatever it is.
#[derive(Clone)]
pub struct AnyValue(Arc<dyn Erased>);

impl AnyValue {
    /// The value, if it is a `T`.
    pub fn downcast_ref<T: UserValue>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }

    /// The least type that contains it, as far as it knows.
    pub fn type_of(&self) -> Type {
        self.0.type_of()
    }
}

impl PartialEq for AnyValue {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0.as_any())
    }
}

impl fmt::Debug for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// [`UserValue`] without `Self` in its signatures.
trait Erased: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Any) -> bool;
    fn type_of(&self) -> Type;
}

impl<T: UserValue> Erased for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn type_of(&self) -> Type {
        UserValue::type_of(self)
    }
}

/// The dtype of these in which elements are stored that are `from`.
///
/// That is `from` itself, or, unless `strict`, the first that `from` promotes to after NumPy's
/// table. With `allow_downcast` it may also be a smaller one, if there is no choice.
///
/// # Errors
///
/// There is none.
pub(crate) fn storage(
    from: Dtype,
    dtypes: DtypeSet,
    strict: bool,
    allow_downcast: Option<bool>,
) -> Result<Dtype, Diagnostic> {
    let larger = |to: &Dtype| Promotion::Numpy.promote(from, *to) == Some(*to);
    let to = match () {
        () if dtypes.contains(from) => Some(from),
        () if strict => None,
        () if allow_downcast == Some(true) => {
            dtypes.single().or_else(|| dtypes.iter().find(larger))
        }
        () => dtypes.iter().find(larger),
    };
    to.ok_or_else(|| error::value_dtype(from, dtypes, strict))
}

macro_rules! from {
    ($($variant:ident: $($ty:ty)*;)*) => {$($(
        impl From<$ty> for Value {
            fn from(value: $ty) -> Self {
                Value::$variant(value.into())
            }
        }
    )*)*};
}

from! {
    Bool: bool;
    Int: i8 i16 i32 i64 i128 u8 u16 u32 u64;
    Float: f32 f64;
    Str: &str String;
}
