//! `Sparse[f32[m, n], csr]`: sparse matrices, and the words for their formats.

use std::fmt;
use std::sync::{Arc, LazyLock};

use kanshape_diag::Diagnostic;

use super::{ArgumentError, Constructor, UserType};
use crate::ty::value::storage;
use crate::{Dim, Dtype, DtypeTerm, Shape, Tensor, Type, TypeKind, UserValue, Value, error};

/// How a sparse matrix is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SparseFormat {
    /// `bsr`: dense blocks, row after row.
    Bsr,
    /// `coo`: coordinates and values.
    Coo,
    /// `csc`: column after column.
    Csc,
    /// `csr`: row after row.
    Csr,
}

impl SparseFormat {
    /// Every format, by name.
    pub const ALL: [SparseFormat; 4] = [
        SparseFormat::Bsr,
        SparseFormat::Coo,
        SparseFormat::Csc,
        SparseFormat::Csr,
    ];

    /// The word for it: `csr`.
    pub const fn name(self) -> &'static str {
        match self {
            SparseFormat::Bsr => "bsr",
            SparseFormat::Coo => "coo",
            SparseFormat::Csc => "csc",
            SparseFormat::Csr => "csr",
        }
    }

    /// The format as an argument of a type: a constructor without arguments.
    pub fn to_type(self) -> Type {
        TypeKind::User(BUILT_IN.formats[self as usize].clone(), Arc::default()).into()
    }

    /// The format that a type denotes as an argument.
    fn of(ty: &Type) -> Option<SparseFormat> {
        match &ty.kind {
            TypeKind::User(constructor, _) => SparseFormat::ALL
                .into_iter()
                .find(|format| *constructor.name() == *format.name()),
            _ => None,
        }
    }
}

impl fmt::Display for SparseFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A sparse matrix, as far as its type is concerned: what is stored in it is the owner's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SparseMatrix {
    /// How it is stored.
    pub format: SparseFormat,
    /// What its elements are.
    pub dtype: Dtype,
    /// Rows and columns.
    pub shape: [u64; 2],
}

impl UserValue for SparseMatrix {
    fn type_of(&self) -> Type {
        TypeKind::User(BUILT_IN.sparse.clone(), self.args().into()).into()
    }
}

impl SparseMatrix {
    fn args(&self) -> [Type; 2] {
        [
            Type::tensor(self.dtype, self.shape.map(Dim::Size)),
            self.format.to_type(),
        ]
    }
}

impl Type {
    /// `Sparse[f32[m, n], csr]`.
    ///
    /// # Errors
    ///
    /// Shapes that have not two dims.
    pub fn sparse(
        dtype: impl Into<DtypeTerm>,
        shape: impl Into<Shape>,
        format: SparseFormat,
    ) -> Result<Type, Diagnostic> {
        let tensor = Tensor::new(dtype, shape);
        BUILT_IN.sparse.apply([tensor.into(), format.to_type()])
    }
}

struct Sparse;

impl UserType for Sparse {
    fn name(&self) -> &str {
        "Sparse"
    }

    fn parameters(&self) -> &[&str] {
        &["matrix", "format"]
    }

    fn check(&self, args: &[Type]) -> Result<(), ArgumentError> {
        match args.first().map(|matrix| &matrix.kind) {
            Some(TypeKind::Tensor(matrix)) if matrix.shape.known_dims().len() > 2 => {
                Err(ArgumentError::new(0, "has more than two dims"))
            }
            Some(TypeKind::Tensor(matrix)) if matrix.shape.rank().is_some_and(|rank| rank < 2) => {
                Err(ArgumentError::new(0, "has fewer than two dims"))
            }
            Some(TypeKind::Tensor(_) | TypeKind::Unknown | TypeKind::Var(_)) => Ok(()),
            _ => Err(ArgumentError::new(0, "is no tensor")),
        }?;
        match args.get(1) {
            Some(format) if SparseFormat::of(format).is_some() => Ok(()),
            Some(Type {
                kind: TypeKind::Unknown | TypeKind::Var(_),
                ..
            }) => Ok(()),
            _ => Err(ArgumentError::new(1, "is no format: csr, csc, coo or bsr")),
        }
    }

    /// A matrix is converted to the format that is required, and to the dtype if that is the
    /// larger one or `allow_downcast` is `Some(true)`.
    fn filter_value(
        &self,
        args: &[Type],
        value: &Value,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        let Some(matrix) = value.downcast_ref::<SparseMatrix>() else {
            return Err(error::value_refused("this is no sparse matrix"));
        };
        let [inner, format] = args else {
            return Err(error::value_refused(
                "a sparse matrix has a matrix type and a format",
            ));
        };
        let format = SparseFormat::of(format).unwrap_or(matrix.format);
        if strict && format != matrix.format {
            let why = format!("the matrix is stored as {}, not {format}", matrix.format);
            return Err(error::value_refused(why));
        }
        let dtype = match inner.as_tensor() {
            None => matrix.dtype,
            Some(tensor) => storage(matrix.dtype, tensor.dtype.set(), strict, allow_downcast)?,
        };
        Ok(Value::user(SparseMatrix {
            format,
            dtype,
            ..*matrix
        }))
    }

    fn args_of(&self, value: &Value) -> Vec<Type> {
        match value.downcast_ref::<SparseMatrix>() {
            Some(matrix) => matrix.args().into(),
            None => vec![Type::UNKNOWN; 2],
        }
    }

    fn docs(&self) -> &str {
        "A sparse matrix: the type of the matrix it stands for, and how it is stored."
    }
}

/// A word for a format. It has no values.
struct Format(SparseFormat);

impl UserType for Format {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn filter_value(
        &self,
        _args: &[Type],
        _value: &Value,
        _strict: bool,
        _allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        let why = format!(
            "`{}` is a format of sparse matrices, and has no values",
            self.0
        );
        Err(error::value_refused(why))
    }

    fn docs(&self) -> &str {
        "A format of sparse matrices."
    }
}

struct BuiltIn {
    sparse: Constructor,
    formats: [Constructor; 4],
}

static BUILT_IN: LazyLock<BuiltIn> = LazyLock::new(|| BuiltIn {
    sparse: Constructor::known(Sparse),
    formats: SparseFormat::ALL.map(|format| Constructor::known(Format(format))),
});

pub(super) fn constructors() -> impl Iterator<Item = Constructor> {
    let BuiltIn { sparse, formats } = &*BUILT_IN;
    std::iter::once(sparse).chain(formats).cloned()
}
