//! Scalars of Python and JAX's arrays of a weak type: what they are depends on what they stand beside.
//!
//! NumPy 2 and JAX have the same rule: such a value takes the dtype of the others where that has its kind - a truth value, a whole number, a
//! float, a complex number - or a greater one, and is of the default of its kind otherwise.

use crate::raise;
use kanshape::{Dtype, DtypeSet, DtypeTerm, Promotion, Tensor, Type};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt};

/// The kind of a number, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NumberKind {
    Bool,
    Int,
    Float,
    Complex,
}

impl NumberKind {
    fn of(dtype: Dtype) -> Option<NumberKind> {
        let kinds = [
            (DtypeSet::BOOL, NumberKind::Bool),
            (DtypeSet::INT | DtypeSet::UINT, NumberKind::Int),
            (DtypeSet::FLOAT, NumberKind::Float),
            (DtypeSet::COMPLEX, NumberKind::Complex),
        ];
        let kind = kinds.into_iter().find(|(set, _)| set.contains(dtype));
        kind.map(|(_, kind)| kind)
    }
}

/// A value whose dtype depends on the others.
pub(crate) struct Weak {
    kind: NumberKind,
    /// The dtype that it has by itself, if it is an array.
    own: Option<Dtype>,
    /// What it is, if it is a whole number of Python.
    number: Option<i128>,
}

impl Weak {
    /// The scalar of Python that this is.
    pub(crate) fn scalar(obj: &Bound<'_, PyAny>) -> PyResult<Option<Weak>> {
        let kind = if obj.is_exact_instance_of::<PyFloat>() {
            NumberKind::Float
        } else if obj.is_instance_of::<PyBool>() {
            NumberKind::Bool
        } else if obj.is_exact_instance_of::<PyInt>() {
            NumberKind::Int
        } else if obj.is_exact_instance_of::<PyComplex>() {
            NumberKind::Complex
        } else {
            return Ok(None);
        };
        let number = match kind {
            NumberKind::Int => Some(obj.extract().unwrap_or(i128::MAX)),
            _ => None,
        };
        Ok(Some(Weak {
            kind,
            own: None,
            number,
        }))
    }

    /// An array of JAX that has a weak type.
    pub(crate) fn array(obj: &Bound<'_, PyAny>, ty: &Type) -> PyResult<Option<Weak>> {
        let weak = obj.getattr_opt(intern!(obj.py(), "weak_type"))?;
        let is_weak = weak.is_some_and(|weak| weak.is_truthy().unwrap_or(false));
        let own = ty.as_tensor().and_then(|tensor| tensor.dtype.known());
        let kind = own.and_then(NumberKind::of).filter(|_| is_weak);
        Ok(kind.map(|kind| Weak {
            kind,
            own,
            number: None,
        }))
    }

    /// The dtype that it has beside others: beside those that are known, the first of the greatest kind counts.
    fn beside(
        &self,
        py: Python<'_>,
        others: &[DtypeTerm],
        promotion: Promotion,
    ) -> PyResult<DtypeTerm> {
        let mut greatest: Option<(NumberKind, Dtype)> = None;
        for other in others {
            let Some(dtype) = other.known() else {
                return Ok(DtypeTerm::Hole);
            };
            let Some(kind) = NumberKind::of(dtype) else {
                continue;
            };
            if greatest.is_none_or(|(least, _)| least < kind) {
                greatest = Some((kind, dtype));
            }
        }
        let dtype = match greatest {
            Some((kind, dtype)) if kind >= self.kind => {
                self.check(dtype, promotion)?;
                dtype
            }
            // A complex number takes the precision of a float.
            Some((NumberKind::Float, dtype)) if self.kind == NumberKind::Complex => match dtype {
                Dtype::F64 => Dtype::C128,
                _ => Dtype::C64,
            },
            _ => self.alone(py, promotion)?,
        };
        Ok(dtype.into())
    }

    /// The dtype that it has by itself.
    pub(crate) fn alone(&self, py: Python<'_>, promotion: Promotion) -> PyResult<Dtype> {
        if let Some(own) = self.own {
            return Ok(own);
        }
        let name = match promotion {
            Promotion::Jax => "jax",
            Promotion::Torch => "torch",
            _ => "numpy",
        };
        static DEFAULT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let default = DEFAULT.import(py, "kanshape._describe", "default_dtype")?;
        let kind = match self.kind {
            NumberKind::Bool => "bool",
            NumberKind::Int => "int",
            NumberKind::Float => "float",
            NumberKind::Complex => "complex",
        };
        let dtype: String = default.call1((name, kind))?.extract()?;
        dtype.parse().map_err(|d| raise::text(py, &d))
    }

    /// NumPy refuses a number of Python that the dtype has not.
    fn check(&self, dtype: Dtype, promotion: Promotion) -> PyResult<()> {
        let range = match dtype {
            Dtype::I8 => -(1 << 7)..=(1 << 7) - 1,
            Dtype::I16 => -(1 << 15)..=(1 << 15) - 1,
            Dtype::I32 => -(1 << 31)..=(1 << 31) - 1,
            Dtype::I64 => -(1 << 63)..=(1 << 63) - 1,
            Dtype::U8 => 0..=(1 << 8) - 1,
            Dtype::U16 => 0..=(1 << 16) - 1,
            Dtype::U32 => 0..=(1 << 32) - 1,
            Dtype::U64 => 0..=(1 << 64) - 1,
            _ => return Ok(()),
        };
        match self.number {
            Some(n) if promotion == Promotion::Numpy && !range.contains(&n) => Err(raise::value(
                format!("Python integer {n} out of bounds for {dtype}"),
            )),
            _ => Ok(()),
        }
    }
}

/// Gives the weak ones among operands the dtypes that they have beside the others; by themselves, if `alone`.
pub(crate) fn settle(
    py: Python<'_>,
    operands: &mut [(&mut Type, Option<&Weak>)],
    promotion: Promotion,
    alone: bool,
) -> PyResult<()> {
    let dtype = |ty: &Type| ty.as_tensor().map_or(DtypeTerm::Hole, |t| t.dtype.clone());
    let strong = operands.iter().filter(|(_, weak)| weak.is_none());
    let mut others: Vec<DtypeTerm> = strong.map(|(ty, _)| dtype(ty)).collect();
    if others.is_empty() || alone {
        // They are of the greatest kind of them.
        others.clear();
        for (_, weak) in operands.iter() {
            if let Some(weak) = weak {
                others.push(weak.alone(py, promotion)?.into());
            }
        }
    }
    for (ty, weak) in operands {
        let Some(weak) = weak else {
            continue;
        };
        let dtype = match alone {
            true => weak.alone(py, promotion)?.into(),
            false => weak.beside(py, &others, promotion)?,
        };
        if let Some(tensor) = ty.as_tensor() {
            let settled = Tensor::new(dtype, tensor.shape.clone());
            **ty = Type::from(settled.with_contents(tensor.contents.clone()));
        }
    }
    Ok(())
}
