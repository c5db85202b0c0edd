//! The numbers by which models call dtypes.

use kanshape::Dtype;

/// Of each number its dtype; 0 denotes none.
const DTYPES: [Option<Dtype>; 29] = [
    None,
    Some(Dtype::F32),
    Some(Dtype::U8),
    Some(Dtype::I8),
    Some(Dtype::U16),
    Some(Dtype::I16),
    Some(Dtype::I32),
    Some(Dtype::I64),
    Some(Dtype::Str),
    Some(Dtype::Bool),
    Some(Dtype::F16),
    Some(Dtype::F64),
    Some(Dtype::U32),
    Some(Dtype::U64),
    Some(Dtype::C64),
    Some(Dtype::C128),
    Some(Dtype::BF16),
    Some(Dtype::F8E4M3FN),
    Some(Dtype::F8E4M3FNUZ),
    Some(Dtype::F8E5M2),
    Some(Dtype::F8E5M2FNUZ),
    Some(Dtype::U4),
    Some(Dtype::I4),
    Some(Dtype::F4E2M1),
    Some(Dtype::F8E8M0),
    Some(Dtype::U2),
    Some(Dtype::I2),
    Some(Dtype::F6E2M3),
    Some(Dtype::F6E3M2),
];

/// The dtype that a number denotes, if any.
pub(crate) fn of_number(number: i64) -> Option<Dtype> {
    *DTYPES.get(usize::try_from(number).ok()?)?
}

/// The number of a dtype, if ONNX has it.
pub(crate) fn number(dtype: Dtype) -> Option<u64> {
    let at = DTYPES.iter().position(|known| *known == Some(dtype));
    at.map(|at| at as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dtype_but_those_of_mlir_alone_has_a_number() {
        let of_mlir = [Dtype::F8E4M3, Dtype::F8E3M4, Dtype::F8E4M3B11FNUZ];
        for dtype in Dtype::ALL {
            let number = number(dtype).map(|n| n as i64);
            let known = (!of_mlir.contains(&dtype)).then_some(dtype);
            assert_eq!(number.and_then(of_number), known);
        }
        assert_eq!(of_number(0), None);
        assert_eq!(of_number(-1), None);
        assert_eq!(of_number(29), None);
    }
}
