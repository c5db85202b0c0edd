//! The operators that come with kanshape.

use crate::Catalog;
use std::sync::OnceLock;

macro_rules! files {
    ($($theme:literal)*) => {
        &[$((
            concat!($theme, ".kan"),
            include_str!(concat!("../ops/", $theme, ".kan")),
        )),*]
    };
}

/// The files of the operators that come with kanshape, a theme each: name and text.
pub const FILES: &[(&str, &str)] = files! {
    "language"
    "elementwise"
    "reduce"
    "linalg"
    "numpy_gufuncs"
    "index"
    "shape"
    "nn"
    "einsum"
};

pub(crate) fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| {
        let mut catalog = Catalog::new();
        for (name, text) in FILES {
            // A mistake in these files is a bug, and the tests find it.
            if let Err(mistake) = Catalog::load_str(name, text).and_then(|file| catalog.merge(file))
            {
                debug_assert!(false, "{mistake}");
            }
        }
        catalog
    })
}
