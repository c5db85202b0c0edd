//! The operators of ONNX, as text.
//!
//! These files are relations and operators in the relation language: the rules that ONNX's operators have, by
//! domain and version. Whoever can solve loads them all together.

macro_rules! files {
    ($($theme:literal)*) => {
        &[$((
            concat!("onnx/", $theme, ".kan"),
            include_str!(concat!("../onnx/", $theme, ".kan")),
        )),*]
    };
}

/// The files, a theme each: name and text.
pub const FILES: &[(&str, &str)] = files! {
    "dtypes"
    "parts"
    "arithmetic"
    "logic"
    "activation"
    "matrix"
    "reduce"
    "conv"
    "normalization"
    "attention"
    "recurrent"
    "quantization"
    "image"
    "signal"
    "shape"
    "pieces"
    "index"
    "generate"
    "sequence"
    "control"
    "text"
    "ml"
    "training"
    "old"
};
