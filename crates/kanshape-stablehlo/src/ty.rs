//! Types as they are written in a module, as types.

use kanshape::tree::stablehlo::{MlirType, Quantized};
use kanshape::{Dim, Dtype, DtypeTerm, Shape, Tensor, Type};

/// The type; none where there is nothing like it. An element type that is no dtype here, as a quantized one, is not known: the dims
/// are all the same.
pub(crate) fn of(ty: &MlirType) -> Option<Type> {
    Some(match ty {
        MlirType::Tensor { dims, element, .. } => {
            let dtype = dtype(element).map_or(DtypeTerm::Hole, DtypeTerm::from);
            let shape = match dims {
                None => Shape::unknown(),
                Some(dims) => {
                    let dims = dims.iter();
                    Shape::known(dims.map(|dim| dim.map_or(Dim::Hole, Dim::Size)))
                }
            };
            Tensor::new(dtype, shape).into()
        }
        MlirType::Tuple(members) => {
            let members: Option<Vec<Type>> = members.iter().map(of).collect();
            Type::tuple(members?)
        }
        // What orders effects has nothing in it.
        MlirType::Token => Type::tuple([] as [Type; 0]),
        MlirType::Other(_) => return None,
    })
}

/// The same of a tensor whose elements are quantized, as a tensor of the floats that they express.
pub(crate) fn expressed(ty: &MlirType) -> Option<Type> {
    let own = of(ty)?;
    let MlirType::Tensor { element, .. } = ty else {
        return Some(own);
    };
    let quantized = Quantized::read(element).ok();
    let dtype = quantized.and_then(|quantized| dtype(&quantized.expressed));
    match (dtype, own.as_tensor()) {
        (Some(dtype), Some(tensor)) => {
            Some(Tensor::new(DtypeTerm::from(dtype), tensor.shape.clone()).into())
        }
        _ => Some(own),
    }
}

/// A tensor with elements of a dtype that is not known.
pub(crate) fn without_dtype(ty: &Type) -> Type {
    match ty.as_tensor() {
        Some(tensor) => Tensor::new(DtypeTerm::Hole, tensor.shape.clone()).into(),
        None => ty.clone(),
    }
}

/// Is there more to a type than is known here? Of elements that are no dtype, as quantized ones, and of what is no tensor, nothing is
/// checked.
pub(crate) fn is_open(ty: &MlirType) -> bool {
    match ty {
        MlirType::Tensor { element, .. } => !is_plain(element) && dtype(element).is_none(),
        MlirType::Tuple(members) => members.iter().any(is_open),
        MlirType::Token => false,
        MlirType::Other(_) => true,
    }
}

/// The dtype of an element type.
fn dtype(element: &str) -> Option<Dtype> {
    let name = match element {
        "i1" => "bool",
        "complex<f32>" => "c64",
        "complex<f64>" => "c128",
        "f4E2M1FN" => "f4e2m1",
        "f6E2M3FN" => "f6e2m3",
        "f6E3M2FN" => "f6e3m2",
        "f8E4M3FN" => "f8e4m3fn",
        "f8E4M3FNUZ" => "f8e4m3fnuz",
        "f8E5M2" => "f8e5m2",
        "f8E5M2FNUZ" => "f8e5m2fnuz",
        "f8E8M0FNU" => "f8e8m0",
        "f8E4M3" => "f8e4m3",
        "f8E3M4" => "f8e3m4",
        "f8E4M3B11FNUZ" => "f8e4m3b11fnuz",
        // Sizes, mostly.
        "index" => "i64",
        _ => match element.strip_prefix("ui") {
            Some(bits) => return format!("u{bits}").parse().ok(),
            None if is_plain(element) => element,
            None => return None,
        },
    };
    name.parse().ok()
}

/// A dtype that is called the same in both.
fn is_plain(element: &str) -> bool {
    matches!(
        element,
        "i2" | "i4" | "i8" | "i16" | "i32" | "i64" | "bf16" | "f16" | "f32" | "f64"
    )
}

/// A type without what is in its tensors.
pub(crate) fn without_contents(ty: &Type) -> Type {
    match ty.as_tensor() {
        Some(_) => ty.clone().with_contents(None),
        None => ty.map_parts(&mut |part| without_contents(part)),
    }
}
