//! Types as values, and back.

use super::plan::int;
use super::value::{Node, Numbers, Tensor, Value};
use crate::lower::Labels;
use crate::relation::float;
use kanshape_types::{
    Content, Contents, Dim, DtypeSet, Shape, Tensor as TensorType, Type, TypeKind,
};
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
            Value::Tensor(tensor) => tensor.to_type(),
            Value::Node(node) => {
                let parts = node.parts.iter().map(|part| part.to_type(labels));
                let parts: Option<Vec<Type>> = parts.collect();
                Some(labels.build(node.label, parts?))
            }
            _ => None,
        }
    }
}

impl Tensor {
    /// A tensor of which everything is known; of its contents it may be nothing.
    pub(crate) fn of_type(ty: &TensorType) -> Option<Tensor> {
        if ty.shape.run().is_some() {
            return None;
        }
        let size = |dim: &Dim| match dim {
            Dim::Size(n) if *n <= Dim::MAX_SIZE => Some(*n as i64),
            _ => None,
        };
        let shape: Option<Numbers> = ty.shape.dims().iter().map(size).collect();
        let member = |c: &Content| match c {
            Content::Int(n) => Some(*n),
            Content::Bool(truth) => Some(i64::from(*truth)),
            Content::Float(x) => int(float::code(x.get())),
            _ => None,
        };
        let contents = match &ty.contents {
            None => None,
            Some(contents) => {
                let members: Option<Arc<[i64]>> = contents.iter().map(member).collect();
                Some(members?)
            }
        };
        Some(Tensor {
            dtype: ty.dtype.known()?,
            shape: shape?,
            contents,
        })
    }

    /// The type that it is. `None` if its contents are texts, or no contents of its dtype.
    pub(crate) fn to_type(&self) -> Option<Type> {
        let shape: Shape = self.shape.iter().map(|n| Dim::Size(*n as u64)).collect();
        let ty = TensorType::new(self.dtype, shape);
        let Some(contents) = &self.contents else {
            return Some(ty.into());
        };
        let set = DtypeSet::from(self.dtype);
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
}
