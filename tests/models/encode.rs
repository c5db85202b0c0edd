//! Models made by hand: messages of ONNX's schema as bytes.

/// A message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message(pub(crate) Vec<u8>);

impl Message {
    fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    pub(crate) fn int(mut self, field: u64, n: i64) -> Message {
        self.varint(field << 3);
        self.varint(n as u64);
        self
    }

    pub(crate) fn float(mut self, field: u64, x: f32) -> Message {
        self.varint(field << 3 | 5);
        self.0.extend(x.to_le_bytes());
        self
    }

    pub(crate) fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    pub(crate) fn text(self, field: u64, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    pub(crate) fn message(self, field: u64, message: &Message) -> Message {
        self.bytes(field, &message.0)
    }

    pub(crate) fn messages(self, field: u64, all: &[Message]) -> Message {
        all.iter().fold(self, |own, one| own.message(field, one))
    }
}

pub(crate) fn message() -> Message {
    Message::default()
}

/// The fields of a message that are bytes, by number; numbers are passed over.
pub(crate) fn fields(mut message: &[u8]) -> Vec<(u64, &[u8])> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut n = 0;
        for shift in (0..).step_by(7) {
            let (byte, rest) = bytes.split_first().unwrap();
            *bytes = rest;
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        n
    }
    let mut all = Vec::new();
    while !message.is_empty() {
        let tag = varint(&mut message);
        let len = match tag & 7 {
            0 => {
                varint(&mut message);
                continue;
            }
            1 => 8,
            5 => 4,
            _ => varint(&mut message) as usize,
        };
        let (bytes, rest) = message.split_at(len);
        message = rest;
        if tag & 7 == 2 {
            all.push((tag >> 3, bytes));
        }
    }
    all
}

/// The messages in a message that have this number.
pub(crate) fn of_number(message: &[u8], number: u64) -> Vec<&[u8]> {
    let all = fields(message).into_iter();
    all.filter(|(own, _)| *own == number)
        .map(|(_, bytes)| bytes)
        .collect()
}

/// A dim as it is declared.
#[derive(Clone, Debug)]
pub(crate) enum Dim {
    Size(i64),
    Name(String),
    Open,
}

impl From<i64> for Dim {
    fn from(size: i64) -> Dim {
        Dim::Size(size)
    }
}

impl From<&str> for Dim {
    fn from(name: &str) -> Dim {
        Dim::Name(name.parse().unwrap())
    }
}

/// The type of a tensor.
pub(crate) fn tensor_type(dtype: i64, dims: Option<&[Dim]>) -> Message {
    let tensor = message().int(1, dtype);
    let tensor = match dims {
        None => tensor,
        Some(dims) => {
            let dims = dims.iter().map(|dim| match dim {
                Dim::Size(size) => message().int(1, *size),
                Dim::Name(name) => message().text(2, name),
                Dim::Open => message(),
            });
            tensor.message(2, &message().messages(1, &dims.collect::<Vec<_>>()))
        }
    };
    message().message(1, &tensor)
}

/// A sequence of these.
pub(crate) fn sequence_type(of: &Message) -> Message {
    message().message(4, &message().message(1, of))
}

/// A value, and the type that is declared for it.
pub(crate) fn value(name: &str, ty: Option<&Message>) -> Message {
    let value = message().text(1, name);
    match ty {
        Some(ty) => value.message(2, ty),
        None => value,
    }
}

/// A tensor of `f32` or another dtype with these dims.
pub(crate) fn input(name: &str, dtype: i64, dims: &[Dim]) -> Message {
    value(name, Some(&tensor_type(dtype, Some(dims))))
}

/// A node.
pub(crate) fn node(op: &str, inputs: &[&str], outputs: &[&str]) -> Message {
    let node = inputs.iter().fold(message(), |m, name| m.text(1, name));
    let node = outputs.iter().fold(node, |m, name| m.text(2, name));
    node.text(4, op)
}

/// An attribute that is a body.
pub(crate) fn body(name: &str, graph: &Message) -> Message {
    message().text(1, name).int(20, 5).message(6, graph)
}

/// A graph.
pub(crate) fn graph(nodes: &[Message], inputs: &[Message], outputs: &[Message]) -> Message {
    let graph = message().messages(1, nodes).text(2, "g");
    graph.messages(11, inputs).messages(12, outputs)
}

/// A model of this version of ONNX's operators.
pub(crate) fn model(graph: &Message, opset: i64) -> Vec<u8> {
    let opset = message().text(1, "").int(2, opset);
    message().int(1, 8).message(7, graph).message(8, &opset).0
}

/// The same for operators of another domain.
pub(crate) fn model_with(
    graph: &Message,
    functions: &[Message],
    opsets: &[(&str, i64)],
) -> Vec<u8> {
    let opsets = opsets
        .iter()
        .map(|(domain, version)| message().text(1, domain).int(2, *version));
    let model = message().int(1, 10).message(7, graph);
    let model = model.messages(8, &opsets.collect::<Vec<_>>());
    model.messages(25, functions).0
}

/// An attribute that is a list of integers.
pub(crate) fn ints_attr(name: &str, all: impl IntoIterator<Item = i64>) -> Message {
    let attribute = message().text(1, name).int(20, 7);
    all.into_iter().fold(attribute, |m, n| m.int(8, n))
}

/// An attribute that is an integer.
pub(crate) fn int_attr(name: &str, n: i64) -> Message {
    message().text(1, name).int(20, 2).int(3, n)
}

/// A function of the domain `own`.
pub(crate) fn function(
    name: &str,
    inputs: &[&str],
    outputs: &[&str],
    nodes: &[Message],
) -> Message {
    let function = inputs
        .iter()
        .fold(message().text(1, name), |m, input| m.text(4, input));
    let function = outputs.iter().fold(function, |m, output| m.text(5, output));
    let opsets =
        [("", 18), ("own", 1)].map(|(domain, version)| message().text(1, domain).int(2, version));
    function
        .messages(7, nodes)
        .messages(9, &opsets)
        .text(10, "own")
}
/// A tensor of integers.
pub(crate) fn ints(name: &str, dims: &[i64], data: &[i64]) -> Message {
    let tensor = dims.iter().fold(message(), |m, d| m.int(1, *d));
    let raw: Vec<u8> = data.iter().flat_map(|n| n.to_le_bytes()).collect();
    tensor.int(2, 7).text(8, name).bytes(9, &raw)
}
