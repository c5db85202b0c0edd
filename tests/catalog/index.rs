//! The index of the catalog is that of its files.

use kanshape::{Relations, catalog};

/// `cargo xtask index` runs this test with this variable set, and it writes the index.
const WRITE: &str = "KANSHAPE_WRITE_INDEX";

#[test]
fn the_index_is_that_of_the_files() {
    let loaded = Relations::load(catalog::FILES.iter().copied()).unwrap();
    let index = loaded.index();
    if std::env::var_os(WRITE).is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../kanshape-catalog/index.txt");
        std::fs::write(path, index).unwrap();
        return;
    }
    let same = index == catalog::INDEX;
    assert!(same, "the files have changed: run `cargo xtask index`");
}
