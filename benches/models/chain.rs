//! Generated models: layers of a matrix product, a bias and a relu, one behind the other.

/// A model in ONNX's wire format with this many operators, each layer with weights of its own.
///
/// What goes in is `f32[batch, 4]`; a batch that is a name is open.
pub(crate) fn chain(operators: usize, batch: &str) -> Vec<u8> {
    let mut graph = Vec::new();
    for i in 0..operators {
        let layer = i / 3;
        let (from, to) = (format!("x{i}"), format!("x{}", i + 1));
        let (op, weights) = match i % 3 {
            0 => ("MatMul", Some(format!("w{layer}"))),
            1 => ("Add", Some(format!("b{layer}"))),
            _ => ("Relu", None),
        };
        let mut node = Vec::new();
        text(&mut node, 1, &from);
        if let Some(weights) = &weights {
            text(&mut node, 1, weights);
        }
        text(&mut node, 2, &to);
        text(&mut node, 4, op);
        bytes(&mut graph, 1, &node);
    }
    text(&mut graph, 2, "chain");
    for i in 0..operators {
        let layer = i / 3;
        match i % 3 {
            0 => bytes(&mut graph, 5, &weights(&format!("w{layer}"), &[4, 4])),
            1 => bytes(&mut graph, 5, &weights(&format!("b{layer}"), &[4])),
            _ => {}
        }
    }
    bytes(&mut graph, 11, &declared("x0", &[batch, "4"]));
    bytes(
        &mut graph,
        12,
        &declared(&format!("x{operators}"), &[batch, "4"]),
    );

    let mut model = Vec::new();
    int(&mut model, 1, 8);
    bytes(&mut model, 7, &graph);
    let mut version = Vec::new();
    int(&mut version, 2, 17);
    bytes(&mut model, 8, &version);
    model
}

/// An initializer of floats, all of them 0.
fn weights(name: &str, sizes: &[u64]) -> Vec<u8> {
    let mut tensor = Vec::new();
    for size in sizes {
        int(&mut tensor, 1, *size);
    }
    int(&mut tensor, 2, FLOAT);
    text(&mut tensor, 8, name);
    let floats: u64 = sizes.iter().product();
    bytes(&mut tensor, 9, &vec![0; 4 * floats as usize]);
    tensor
}

/// A value with its type. Sizes are numbers or names.
fn declared(name: &str, sizes: &[&str]) -> Vec<u8> {
    let mut shape = Vec::new();
    for size in sizes {
        let mut dim = Vec::new();
        match size.parse() {
            Ok(n) => int(&mut dim, 1, n),
            Err(_) => text(&mut dim, 2, size),
        }
        bytes(&mut shape, 1, &dim);
    }
    let mut tensor = Vec::new();
    int(&mut tensor, 1, FLOAT);
    bytes(&mut tensor, 2, &shape);
    let mut ty = Vec::new();
    bytes(&mut ty, 1, &tensor);
    let mut value = Vec::new();
    text(&mut value, 1, name);
    bytes(&mut value, 2, &ty);
    value
}

/// The number of `f32` among ONNX's dtypes.
const FLOAT: u64 = 1;

fn text(message: &mut Vec<u8>, field: u64, text: &str) {
    bytes(message, field, text.as_bytes());
}

fn bytes(message: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    varint(message, field << 3 | 2);
    varint(message, bytes.len() as u64);
    message.extend_from_slice(bytes);
}

fn int(message: &mut Vec<u8>, field: u64, n: u64) {
    varint(message, field << 3);
    varint(message, n);
}

fn varint(message: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        message.push(n as u8 | 0x80);
        n >>= 7;
    }
    message.push(n as u8);
}
