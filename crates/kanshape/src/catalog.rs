//! The catalog that comes with kanshape, ready for queries.

use crate::Relations;
use std::sync::LazyLock;

pub use kanshape_catalog::*;

static CATALOG: LazyLock<Relations> = LazyLock::new(|| {
    let loaded = Relations::load_indexed(FILES.iter().copied(), INDEX);
    // A mistake in these files is a bug, and the tests find it.
    loaded.unwrap_or_else(|mistake| {
        debug_assert!(false, "{mistake}");
        Relations::standard()
    })
});

static LENIENT_CATALOG: LazyLock<Relations> = LazyLock::new(|| {
    let loaded = CATALOG.with([kanshape_catalog::LENIENT]);
    loaded.unwrap_or_else(|mistake| {
        debug_assert!(false, "{mistake}");
        CATALOG.clone()
    })
});

/// The [`catalog`], in which operators of ONNX take what the executors take, too: a bound of `Clip` of shape `[1]`, a slope of
/// `PRelu` that is larger than what it is multiplied with, a pool whose window is longer than its axis. The specification
/// excludes these calls, and `onnx.reference` and onnxruntime run them; of pools it is onnxruntime that does.
///
/// ```
/// use kanshape::{Call, catalog, catalog::lenient_catalog};
///
/// let call = Call {
///     inputs: vec![Some("f32[3, 4]".parse()?), Some("f32[1]".parse()?)],
///     ..Call::default()
/// };
/// let clip = catalog().operator("onnx::Clip", None)?;
/// assert!(clip.query(call.clone())?.solve()?.next().is_none());
/// let clip = lenient_catalog().operator("onnx::Clip", None)?;
/// assert_eq!(clip.query(call)?.solve()?.next().unwrap().outputs[0].to_string(), "f32[3, 4]");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub fn lenient_catalog() -> &'static Relations {
    &LENIENT_CATALOG
}

/// The operators that come with kanshape, those of ONNX, NumPy, torch and others, beside the relations of the standard
/// library. Each is read and compiled when it is first used.
///
/// ```
/// use kanshape::{Call, catalog};
///
/// let add = catalog().operator("onnx::Add", None)?;
/// let mut answers = add
///     .query(Call {
///         inputs: vec![Some("f32[8, 1, 6]".parse()?), Some("f32[7, 1]".parse()?)],
///         ..Call::default()
///     })?
///     .solve()?;
/// assert_eq!(answers.next().unwrap().outputs[0].to_string(), "f32[8, 7, 6]");
///
/// // By its name alone, where that is unique.
/// assert_eq!(catalog().operator("solve", None)?.full_name(), "numpy::solve");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub fn catalog() -> &'static Relations {
    &CATALOG
}
