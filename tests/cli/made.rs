//! Models that tests make.

use crate::encode::{graph, input, message, model as encoded, node, value};

pub(crate) const F32: i64 = 1;

/// A model in a file.
pub(crate) fn made(name: &str, bytes: &[u8]) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("made");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    // Another test may read it now.
    let own = folder.join(format!("{name}-{:?}", std::thread::current().id()));
    std::fs::write(&own, bytes).unwrap();
    std::fs::rename(&own, &path).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A folder for what a test writes.
pub(crate) fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Two convolutions of a picture of any size, then a reshape that fits one size of the batch.
pub(crate) fn small() -> String {
    let weights = |name: &str, dims: [i64; 4]| {
        let tensor = dims.iter().fold(message(), |t, d| t.int(1, *d));
        tensor.int(2, F32).text(8, name).text(13, "").int(14, 1)
    };
    let shape = message()
        .int(1, 2)
        .int(2, 7)
        .text(8, "shape")
        .bytes(9, &[2i64, -1].map(i64::to_le_bytes).concat());
    let nodes = [
        node("Conv", &["x", "w1"], &["a"]).text(3, "conv_1"),
        node("Relu", &["a"], &["b"]).text(3, "relu_1"),
        node("Conv", &["b", "w2"], &["c"]).text(3, "conv_2"),
        node("Reshape", &["c", "shape"], &["y"]).text(3, "flat"),
    ];
    let x = input("x", F32, &["N".into(), 3.into(), 8.into(), 8.into()]);
    let graph = graph(&nodes, &[x], &[value("y", None)])
        .message(5, &weights("w1", [4, 3, 3, 3]))
        .message(5, &weights("w2", [8, 4, 1, 1]))
        .message(5, &shape);
    made("small.onnx", &encoded(&graph, 17))
}
