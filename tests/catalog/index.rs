//! The index of the catalog is that of its files.

use allocation_counter::measure;
use kanshape::{Call, Relations, catalog};

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

/// A process that queries one operator reads that operator, what it calls, and the lines of the index that are about them. The texts of the
/// catalog are 480 KB, and its index 88 KB; none of this is copied, and what is taken is the same however many operators there are.
#[test]
fn a_first_answer_reads_what_it_calls() {
    let call = |inputs: &[&str]| Call {
        inputs: inputs.iter().map(|ty| Some(ty.parse().unwrap())).collect(),
        ..Call::default()
    };
    let questions = [
        ("onnx::Add", call(&["f32[8, 1, 6]", "f32[7, 1]"])),
        ("onnx::Conv", call(&["f32[1, 3, 9, 9]", "f32[4, 3, 3, 3]"])),
        ("numpy::matmul", call(&["f32[2, 3]", "f32[3, 4]"])),
    ];
    for (name, call) in questions {
        let taken = measure(|| {
            let files = catalog::FILES.iter().copied();
            let loaded = Relations::load_indexed(files, catalog::INDEX).unwrap();
            let operator = loaded.operator(name, None).unwrap();
            let mut answers = operator.query(call.clone()).unwrap().solve().unwrap();
            assert!(answers.next().is_some());
        });
        assert!(taken.bytes_total < 600_000, "{name}: {taken:?}");
        assert!(taken.count_total < 4_000, "{name}: {taken:?}");
    }
}
