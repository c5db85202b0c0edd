//! The operators that come with kanshape, as text.
//!
//! These files are relations and operators in the relation language: the rules that ONNX's operators have, by domain
//! and version, those of onnxruntime, NumPy's functions with their parameters, torch's operators (ATen) with theirs and the functions that stand on
//! them, operators of others, mostly a signature each, those of Relay, and those of StableHLO. Whoever can solve loads them all
//! together: they are one catalog, and the index of its names is made where they are loaded.
//!
//! The crate must not know how to read them, nor how to solve.
//!
//! ```
//! let (name, text) = kanshape_catalog::FILES[0];
//! assert_eq!(name, "onnx/dtypes.kan");
//! assert!(text.contains("Floats(T) :- T in {f16, bf16, f32, f64}"));
//! ```

macro_rules! files {
    ($($folder:literal: $($theme:literal)*;)*) => {
        &[$($((
            concat!($folder, "/", $theme, ".kan"),
            include_str!(concat!("../", $folder, "/", $theme, ".kan")),
        )),*),*]
    };
}

/// The multiplications that calls of ONNX's operators do, a line each: the file says how.
pub const MULTIPLY_ADDS: &str = include_str!("../onnx/multiply_adds.txt");

/// The parameters of torch's operators in their order, a line each: the file says how.
pub const ATEN_SCHEMAS: &str = include_str!("../aten/schemas.txt");

/// The same of torch's functions that have other parameters than the operators that they stand on.
pub const TORCH_SCHEMAS: &str = include_str!("../torch/schemas.txt");

/// A file to be read on top of [`FILES`]: operators of ONNX as `onnx.reference` and onnxruntime take them, where these run
/// calls that the specification excludes. Name and text.
pub const LENIENT: (&str, &str) = ("onnx/lenient.kan", include_str!("../onnx/lenient.kan"));

/// Where in the files each operator is, made from them by `cargo xtask index`: with it an operator is compiled when it is
/// first used. A test compares it with the files.
pub const INDEX: &str = include_str!("../index.txt");

/// The files, a theme each: name and text.
pub const FILES: &[(&str, &str)] = files! {
    "onnx":
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
    "old";
    "microsoft":
    "fused"
    "quantized"
    "attention"
    "pieces"
    "decoding"
    "onnx";
    "ops":
    "numpy_dtypes"
    "language"
    "elementwise"
    "reduce"
    "linalg"
    "numpy_gufuncs"
    "index"
    "shape"
    "nn"
    "einsum";
    "numpy":
    "parts"
    "elementwise"
    "reduce"
    "shape"
    "create"
    "index"
    "linalg"
    "signal";
    "aten":
    "parts"
    "elementwise"
    "create"
    "reduce"
    "shape"
    "pieces"
    "index"
    "products"
    "linalg"
    "conv"
    "pool"
    "nn"
    "loss"
    "fft"
    "symbols"
    "prim";
    "torch":
    "functional"
    "loss"
    "functions"
    "masked"
    "windows";
    "relay":
    "elementwise"
    "reduce"
    "transform"
    "layout"
    "nn"
    "sort"
    "vision"
    "dyn"
    "qnn"
    "sparse"
    "contrib";
    "stablehlo":
    "dtypes"
    "parts"
    "elementwise"
    "shape"
    "contract"
    "reduce"
    "dynamic"
    "control"
    "collective"
    "quantized"
    "chlo"
    "sdy";
};
