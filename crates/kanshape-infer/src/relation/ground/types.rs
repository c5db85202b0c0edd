//! Types as values, and back.

use super::Stop;
use super::plan::int;
use super::store::{Store, Val};
use super::value::{DEEPEST, Node, Numbers, Tensor, Value};
use crate::lower::Labels;
use crate::relation::float;
use kanshape_types::{
    Content, Contents, Dim, Dtype, DtypeSet, Shape, Tensor as TensorType, Type, TypeKind,
};
use smallvec::SmallVec;
use std::sync::Arc;

impl Value {
    /// A type of which everything is known, but for the contents of tensors, of which nothing may be known. `None`
    /// for all others, and for those whose label a library does not have.
    pub(crate) fn of_type(ty: &Type, labels: &Labels) -> Option<Value> {
        if !ty.conditions.is_empty() {
            return None;
        }
        Some(match &ty.kind {
            TypeKind::Tensor(tensor) => Value::Tensor(Arc::new(Tensor::of_type(tensor)?)),
            TypeKind::Tuple(_) | TypeKind::Adt(..) | TypeKind::User(..) => {
                let label = labels.find(ty)?;
                let parts = ty.parts().map(|part| Value::of_type(part, labels));
                let parts: Option<Box<[Value]>> = parts.collect();
                Value::Node(Arc::new(Node::new(label, parts?)?))
            }
            TypeKind::Unknown | TypeKind::Var(_) | TypeKind::Fn(_) => return None,
        })
    }

    /// A value as the type that an answer has. `None` if it is none, or has texts in it.
    pub(crate) fn to_type(&self, labels: &Labels) -> Option<Type> {
        match self {
            Value::Tensor(tensor) => {
                tensor_type(tensor.dtype, &tensor.shape, tensor.contents.as_deref())
            }
            Value::Node(node) => {
                let parts = node.parts.iter().map(|part| part.to_type(labels));
                let parts: Option<Vec<Type>> = parts.collect();
                Some(labels.build(node.label, parts?))
            }
        }
    }
}

impl Tensor {
    /// A tensor of which everything is known; of its contents it may be nothing.
    fn of_type(ty: &TensorType) -> Option<Tensor> {
        let contents = match &ty.contents {
            None => None,
            Some(contents) => Some(codes(contents).collect::<Option<_>>()?),
        };
        Some(Tensor {
            dtype: ty.dtype.known()?,
            shape: sizes(&ty.shape)?,
            contents,
        })
    }
}

impl Store<'_> {
    /// A type that is given, if everything is known of it: as [`Value::of_type`].
    pub(super) fn load_type(&mut self, ty: &Type, labels: &Labels) -> Result<Val, Stop> {
        self.load_nested(ty, labels, DEEPEST)
    }

    fn load_nested(&mut self, ty: &Type, labels: &Labels, deep: usize) -> Result<Val, Stop> {
        if !ty.conditions.is_empty() {
            return Err(Stop::Leave);
        }
        match &ty.kind {
            TypeKind::Tensor(tensor) => {
                let dtype = tensor.dtype.known().ok_or(Stop::Leave)?;
                let shape = sizes(&tensor.shape).ok_or(Stop::Leave)?;
                let shape = self.push_numbers(&shape)?;
                let contents = match &tensor.contents {
                    None => None,
                    Some(contents) => {
                        let members = codes(contents).collect::<Option<Vec<i64>>>();
                        Some(self.push_numbers(&members.ok_or(Stop::Leave)?)?)
                    }
                };
                self.push_tensor(dtype, shape, contents)
            }
            TypeKind::Tuple(_) | TypeKind::Adt(..) | TypeKind::User(..) => {
                let label = labels.find(ty).ok_or(Stop::Leave)?;
                let deep = deep.checked_sub(1).ok_or(Stop::Leave)?;
                let mut parts: SmallVec<[Val; 4]> = SmallVec::new();
                for part in ty.parts() {
                    parts.push(self.load_nested(part, labels, deep)?);
                }
                Ok(Val::Node(label, self.push_cells(&parts)?))
            }
            TypeKind::Unknown | TypeKind::Var(_) | TypeKind::Fn(_) => Err(Stop::Leave),
        }
    }

    /// A value as the type that an answer has. [`Stop::Leave`] if it is none, or has texts in it.
    pub(super) fn to_type(&self, val: Val, labels: &Labels) -> Result<Type, Stop> {
        let ty = match val {
            Val::Tensor(place) => {
                let tensor = self.tensor(place);
                let contents = tensor.contents.map(|list| self.numbers(list));
                tensor_type(tensor.dtype, self.numbers(tensor.shape), contents)
            }
            val => self.unload(val)?.to_type(labels),
        };
        ty.ok_or(Stop::Leave)
    }
}

/// The sizes of a shape that are all known.
fn sizes(shape: &Shape) -> Option<Numbers> {
    let size = |dim: &Dim| match dim {
        Dim::Size(n) if *n <= Dim::MAX_SIZE => Some(*n as i64),
        _ => None,
    };
    match shape.run() {
        Some(_) => None,
        None => shape.dims().iter().map(size).collect(),
    }
}

/// The numbers of contents; `None` for a member that is not known, or a text.
fn codes(contents: &Contents) -> impl Iterator<Item = Option<i64>> {
    contents.iter().map(|c| match c {
        Content::Int(n) => Some(*n),
        Content::Bool(truth) => Some(i64::from(*truth)),
        Content::Float(x) => int(float::code(x.get())),
        _ => None,
    })
}

/// The type that a tensor is. `None` if its contents are texts, or no contents of its dtype.
fn tensor_type(dtype: Dtype, shape: &[i64], contents: Option<&[i64]>) -> Option<Type> {
    let shape: Shape = shape.iter().map(|n| Dim::Size(*n as u64)).collect();
    let ty = TensorType::new(dtype, shape);
    let Some(contents) = contents else {
        return Some(ty.into());
    };
    let set = DtypeSet::from(dtype);
    let member = |n: &i64| {
        if set.is_subset(DtypeSet::INT.union(DtypeSet::UINT)) {
            Some(Content::Int(*n))
        } else if set == DtypeSet::BOOL {
            Some(Content::Bool(*n != 0))
        } else if set.is_subset(DtypeSet::FLOAT) {
            float::value(i128::from(*n)).map(Content::from)
        } else {
            None
        }
    };
    let members: Option<Vec<Content>> = contents.iter().map(member).collect();
    let contents = Contents::new(members?)?;
    Some(ty.with_contents(Some(contents)).into())
}
