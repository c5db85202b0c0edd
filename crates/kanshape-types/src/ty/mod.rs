//! [`Type`]: what a value is, as far as it is known.

pub(crate) mod user;
pub(crate) mod value;

use std::sync::Arc;

use crate::{Conditions, Constructor, Contents, Dim, Dtype, DtypeTerm, Name, Shape};

/// What a value is, as far as it is known, and the conditions on the names in it.
///
/// Read one from text by [`str::parse`], print it by [`Display`](std::fmt::Display). Readers bound
/// how deeply types nest; whoever nests types by hand bounds it himself.
///
/// ```
/// use kanshape::{Type, shorthand::f32s};
///
/// let ty: Type = "f32[2, n]".parse()?;
/// assert_eq!(ty.rank(), Some(2));
/// assert_eq!(ty.to_string(), "f32[2, n]");
/// assert_eq!("float32[2,3]".parse::<Type>()?, f32s([2, 3]));
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type {
    /// The type itself.
    pub kind: TypeKind,
    /// What stands behind `where`. Those of a type inside another are printed with the outermost.
    pub conditions: Conditions,
}

/// What kind of type.
///
/// ```
/// use kanshape::{Type, types::TypeKind};
///
/// let ty: Type = "(f32[2], ?)".parse()?;
/// let TypeKind::Tuple(fields) = &ty.kind else { unreachable!() };
/// assert_eq!(fields[1].kind, TypeKind::Unknown);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeKind {
    /// `?`: nothing known, not even that it is a tensor.
    Unknown,
    /// `f32[2, n]`.
    Tensor(Tensor),
    /// `(f32[2], i64[])`.
    Tuple(Arc<[Type]>),
    /// `fn(f32[n]) -> f32[]`.
    Fn(Arc<FnType>),
    /// `List[f32[2]]`: an algebraic data type and its arguments, one or more.
    Adt(Name, Arc<[Type]>),
    /// `Sparse[f32[2, n], csr]`: a user's type, or a built-in one that is made in the same way. The
    /// arguments are as many as the constructor takes ([`Constructor::apply`]), and covariant.
    User(Constructor, Arc<[Type]>),
    /// `A`: a type variable, or an algebraic data type without arguments.
    Var(Name),
}

/// A tensor: what its elements are, how many there are along each dim, and what is known of them.
///
/// ```
/// use kanshape::{Dtype, Tensor, Type};
///
/// let tensor = Tensor::new(Dtype::F32, [2, 3]);
/// assert_eq!(Type::from(tensor).to_string(), "f32[2, 3]");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tensor {
    /// `f32`.
    pub dtype: DtypeTerm,
    /// `[2, n]`.
    pub shape: Shape,
    /// `[1, ?, k]` in `i64[3] = [1, ?, k]`; mostly none.
    pub contents: Option<Contents>,
}

impl Tensor {
    /// A tensor of which nothing but its type is known.
    pub fn new(dtype: impl Into<DtypeTerm>, shape: impl Into<Shape>) -> Tensor {
        Tensor {
            dtype: dtype.into(),
            shape: shape.into(),
            contents: None,
        }
    }

    /// The same with these contents instead of those it had, as elements of its dtype have them
    /// ([`Contents::as_of`]). Whoever gives them sees to it that the dtype can have them
    /// ([`Contents::dtypes`]), and that they are as many as the elements.
    #[must_use]
    pub fn with_contents(mut self, contents: Option<Contents>) -> Tensor {
        self.contents = contents.map(|contents| contents.as_of(self.dtype.set()));
        self
    }
}

/// The type of a function.
///
/// ```
/// use kanshape::{Type, types::TypeKind};
///
/// let ty: Type = "fn(f32[n], ?) -> f32[]".parse()?;
/// let TypeKind::Fn(function) = &ty.kind else { unreachable!() };
/// assert_eq!((function.params.len(), function.result.to_string()), (2, "f32[]".into()));
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FnType {
    /// What it takes.
    pub params: Box<[Type]>,
    /// What it gives.
    pub result: Type,
}

impl AsRef<Type> for Type {
    fn as_ref(&self) -> &Type {
        self
    }
}

impl Type {
    /// `?`: nothing known.
    pub const UNKNOWN: Type = Type {
        kind: TypeKind::Unknown,
        conditions: Conditions::NONE,
    };

    /// `?`: nothing known.
    pub const fn unknown() -> Type {
        Type::UNKNOWN
    }

    /// A tensor of known rank: `f32[2, n]`.
    pub fn tensor<I>(dtype: impl Into<DtypeTerm>, dims: I) -> Type
    where
        I: IntoIterator,
        I::Item: Into<Dim>,
    {
        Tensor::new(dtype, Shape::known(dims)).into()
    }

    /// `(f32[2], i64[])`.
    pub fn tuple(fields: impl IntoIterator<Item = Type>) -> Type {
        TypeKind::Tuple(fields.into_iter().collect()).into()
    }

    /// `fn(f32[n]) -> f32[]`.
    pub fn function(params: impl IntoIterator<Item = Type>, result: Type) -> Type {
        TypeKind::Fn(Arc::new(FnType {
            params: params.into_iter().collect(),
            result,
        }))
        .into()
    }

    /// `List[f32[2]]`; without arguments, `List`.
    pub fn adt(name: Name, args: impl IntoIterator<Item = Type>) -> Type {
        let mut args = args.into_iter().peekable();
        match args.peek() {
            None => TypeKind::Var(name),
            Some(_) => TypeKind::Adt(name, args.collect()),
        }
        .into()
    }

    /// The same with these contents instead of those it had, if it is a tensor:
    /// [`Tensor::with_contents`].
    ///
    /// ```
    /// use kanshape::{Content, Contents, Dim, shorthand::i64s};
    ///
    /// let members = [Content::Int(2), "n".parse::<Dim>()?.into(), Content::Hole];
    /// let shape = i64s([3]).with_contents(Contents::new(members));
    /// assert_eq!(shape.to_string(), "i64[3] = [2, n, ?]");
    /// assert_eq!("i64[3] = [2, n, ?]".parse(), Ok(shape));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[must_use]
    pub fn with_contents(mut self, contents: Option<Contents>) -> Type {
        self.kind = match self.kind {
            TypeKind::Tensor(tensor) => TypeKind::Tensor(tensor.with_contents(contents)),
            kind => kind,
        };
        self
    }

    /// What is known of what it has in it, if it is a tensor and something is.
    pub fn contents(&self) -> Option<&Contents> {
        self.as_tensor().and_then(|tensor| tensor.contents.as_ref())
    }

    /// Puts a tensor behind these types, and has its dims written where they stand: a type is large, and to move one that has
    /// just been written takes longer than to write it.
    ///
    /// ```
    /// use kanshape::{Dim, Dtype, Type};
    ///
    /// let mut types = Vec::new();
    /// Type::push_tensor(&mut types, Dtype::F32, |shape| [2, 3].map(|n| shape.push(Dim::from(n))));
    /// types[0].clone().push_to(&mut types);
    /// assert_eq!(types, ["f32[2, 3]".parse()?, "f32[2, 3]".parse()?]);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    #[inline]
    pub fn push_tensor<R>(
        types: &mut Vec<Type>,
        dtype: Dtype,
        write: impl FnOnce(&mut Shape) -> R,
    ) -> R {
        types.push(Tensor::new(dtype, Shape::default()).into());
        match types.last_mut().map(|ty| &mut ty.kind) {
            Some(TypeKind::Tensor(tensor)) => write(&mut tensor.shape),
            _ => write(&mut Shape::default()),
        }
    }

    /// Puts a copy of it behind these types, in the same way.
    #[inline]
    pub fn push_to(&self, types: &mut Vec<Type>) {
        match &self.kind {
            TypeKind::Tensor(Tensor {
                dtype: DtypeTerm::Known(dtype),
                shape,
                contents: None,
            }) if shape.run().is_none() && self.conditions.is_empty() => {
                Type::push_tensor(types, *dtype, |own| {
                    shape.iter().for_each(|dim| own.push(dim.clone()));
                });
            }
            _ => types.push(self.clone()),
        }
    }

    /// The tensor, if it is one.
    pub fn as_tensor(&self) -> Option<&Tensor> {
        match &self.kind {
            TypeKind::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The dtype of a tensor, if it is known.
    ///
    /// ```
    /// use kanshape::{Dim, Dtype, Type};
    ///
    /// let ty: Type = "f32[2, n]".parse()?;
    /// assert_eq!((ty.dtype(), ty.rank()), (Some(Dtype::F32), Some(2)));
    /// assert_eq!(ty.dims(), Some(&[Dim::from(2), "n".parse()?][..]));
    /// assert_eq!((ty.size(0), ty.size(1)), (Some(2), None));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn dtype(&self) -> Option<Dtype> {
        self.as_tensor()?.dtype.known()
    }

    /// How many dims a tensor has, if that is known.
    pub fn rank(&self) -> Option<usize> {
        self.as_tensor()?.shape.rank()
    }

    /// The dims of a tensor, if it is known how many there are.
    pub fn dims(&self) -> Option<&[Dim]> {
        self.as_tensor()?.shape.dims()
    }

    /// The size of a dim of a tensor, if it is a plain number.
    pub fn size(&self, axis: usize) -> Option<u64> {
        self.dims()?.get(axis)?.size()
    }

    /// The types that it is made of, from left to right: the fields of a tuple, the parameters and the
    /// result of a function, the arguments of a type constructor.
    pub fn parts(&self) -> impl Iterator<Item = &Type> {
        let (all, last): (&[Type], Option<&Type>) = match &self.kind {
            TypeKind::Tuple(parts) | TypeKind::Adt(_, parts) | TypeKind::User(_, parts) => {
                (parts, None)
            }
            TypeKind::Fn(f) => (&f.params, Some(&f.result)),
            TypeKind::Unknown | TypeKind::Tensor(_) | TypeKind::Var(_) => (&[], None),
        };
        all.iter().chain(last)
    }

    /// The same with `f` of each of its parts, and with its own conditions.
    #[must_use]
    pub fn map_parts(&self, f: &mut dyn FnMut(&Type) -> Type) -> Type {
        let kind = match &self.kind {
            TypeKind::Tuple(parts) => TypeKind::Tuple(parts.iter().map(f).collect()),
            TypeKind::Adt(name, parts) => {
                TypeKind::Adt(name.clone(), parts.iter().map(f).collect())
            }
            TypeKind::User(constructor, parts) => {
                TypeKind::User(constructor.clone(), parts.iter().map(f).collect())
            }
            TypeKind::Fn(function) => TypeKind::Fn(Arc::new(FnType {
                params: function.params.iter().map(&mut *f).collect(),
                result: f(&function.result),
            })),
            kind @ (TypeKind::Unknown | TypeKind::Tensor(_) | TypeKind::Var(_)) => kind.clone(),
        };
        Type {
            kind,
            conditions: self.conditions.clone(),
        }
    }

    /// Whether nothing is known: `?`.
    pub fn is_unknown(&self) -> bool {
        matches!(self.kind, TypeKind::Unknown)
    }

    /// The same with these conditions instead of those it had.
    pub fn with_conditions(mut self, conditions: Conditions) -> Type {
        self.conditions = conditions;
        self
    }
}

impl Default for Type {
    fn default() -> Self {
        Type::UNKNOWN
    }
}

impl From<TypeKind> for Type {
    fn from(kind: TypeKind) -> Self {
        Type {
            kind,
            conditions: Conditions::NONE,
        }
    }
}

impl From<Tensor> for Type {
    fn from(tensor: Tensor) -> Self {
        TypeKind::Tensor(tensor).into()
    }
}

impl From<&Type> for Type {
    fn from(ty: &Type) -> Self {
        ty.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Content;

    #[test]
    fn small_and_shareable() {
        fn shareable<T: Send + Sync + Clone + Eq + std::hash::Hash>() {}
        shareable::<Type>();
        assert_eq!(size_of::<Name>(), 8);
        assert!(size_of::<Dim>() <= 16, "{}", size_of::<Dim>());
        assert!(size_of::<DtypeTerm>() <= 16, "{}", size_of::<DtypeTerm>());
        assert!(size_of::<Content>() <= 24, "{}", size_of::<Content>());
        assert!(size_of::<Type>() <= 128, "{}", size_of::<Type>());
    }
}
