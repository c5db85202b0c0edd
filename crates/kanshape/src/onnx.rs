//! The operators of ONNX, ready to be asked.

use crate::Relations;
use std::sync::LazyLock;

static ONNX: LazyLock<Relations> = LazyLock::new(|| {
    let loaded = Relations::load(crate::catalog::onnx::FILES.iter().copied());
    // A mistake in these files is a bug, and the tests find it.
    loaded.unwrap_or_else(|mistake| {
        debug_assert!(false, "{mistake}");
        Relations::standard()
    })
});

/// The operators of ONNX, beside the relations of the standard library. They are read and compiled when they
/// are first asked for.
///
/// ```
/// use kanshape::{Call, onnx};
///
/// let add = onnx().operator("onnx::Add", None)?;
/// let mut answers = add
///     .query(Call {
///         inputs: vec![Some("f32[8, 1, 6]".parse()?), Some("f32[7, 1]".parse()?)],
///         ..Call::default()
///     })?
///     .solve()?;
/// assert_eq!(answers.next().unwrap().outputs[0].to_string(), "f32[8, 7, 6]");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub fn onnx() -> &'static Relations {
    &ONNX
}
