//! Graphs of several nodes, most of them what a function of ONNX is made of.

use crate::encode::{self, Dim, Message, message};
use half::{bf16, f16};
use kanshape::{Dtype, Name, Type, Verdict, order};
use kanshape_onnx::{Model, check};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// How many outputs are recorded.
const ALL: usize = 316;

/// A row of `multi_node_cases.jsonl`.
#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    opset_imports: BTreeMap<String, i64>,
    nodes: Vec<Node>,
    inputs: Vec<Operand>,
    outputs: Vec<Operand>,
}

#[derive(Debug, Deserialize)]
struct Node {
    op: String,
    domain: String,
    attrs: Map<String, Value>,
    attr_types: BTreeMap<String, String>,
    #[serde(rename = "in")]
    inputs: Vec<String>,
    #[serde(rename = "out")]
    outputs: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Body {
    inputs: Vec<Declared>,
    outputs: Vec<Declared>,
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Declared {
    name: String,
    #[serde(rename = "type")]
    ty: Option<DeclaredType>,
}

#[derive(Debug, Deserialize)]
struct DeclaredType {
    dtype: Option<String>,
    shape: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
struct Operand {
    name: String,
    dtype: String,
    shape: Option<Vec<u64>>,
    value: Option<Vec<Value>>,
    #[serde(default)]
    elem_shapes: Vec<Vec<u64>>,
}

/// The number of a dtype in models.
fn number(dtype: &str) -> i64 {
    let numbers = [
        "",
        "f32",
        "u8",
        "i8",
        "u16",
        "i16",
        "i32",
        "i64",
        "str",
        "bool",
        "f16",
        "f64",
        "u32",
        "u64",
        "c64",
        "c128",
        "bf16",
        "f8e4m3fn",
        "f8e4m3fnuz",
        "f8e5m2",
        "f8e5m2fnuz",
        "u4",
        "i4",
        "f4e2m1",
    ];
    numbers.iter().position(|name| *name == dtype).unwrap() as i64
}

fn float(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().unwrap(),
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        value => value.as_f64().unwrap(),
    }
}

fn int(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| float(value) as i64)
}

/// A tensor with its floats as bytes.
fn raw<const N: usize>(tensor: Message, data: &[Value], bytes: fn(f64) -> [u8; N]) -> Message {
    let all: Vec<u8> = data.iter().flat_map(|x| bytes(float(x))).collect();
    tensor.bytes(9, &all)
}

/// A tensor with what is in it.
fn tensor(name: &str, dtype: &str, shape: &[u64], data: Option<&[Value]>) -> Message {
    let tensor = shape.iter().fold(message(), |m, d| m.int(1, *d as i64));
    let tensor = tensor.int(2, number(dtype)).text(8, name);
    let Some(data) = data else { return tensor };
    match dtype {
        "str" => data
            .iter()
            .fold(tensor, |m, s| m.text(6, s.as_str().unwrap())),
        "f32" => data.iter().fold(tensor, |m, x| m.float(4, float(x) as f32)),
        "f64" => raw(tensor, data, f64::to_le_bytes),
        "f16" => raw(tensor, data, |x| f16::from_f64(x).to_le_bytes()),
        "bf16" => raw(tensor, data, |x| bf16::from_f64(x).to_le_bytes()),
        "i64" => data.iter().fold(tensor, |m, n| m.int(7, int(n))),
        "i32" | "i16" | "i8" | "u16" | "u8" | "bool" => {
            data.iter().fold(tensor, |m, n| m.int(5, int(n)))
        }
        "u32" | "u64" => data.iter().fold(tensor, |m, n| m.int(11, int(n))),
        // What is in the others decides about no type.
        _ => tensor,
    }
}

fn dims(shape: &[Value]) -> Vec<Dim> {
    let dims = shape.iter().map(|dim| match dim {
        Value::Number(size) => Dim::Size(size.as_i64().unwrap()),
        Value::String(name) => Dim::Name(name.clone()),
        _ => Dim::Open,
    });
    dims.collect()
}

impl Node {
    fn message(&self) -> Message {
        let node = self
            .inputs
            .iter()
            .fold(message(), |m, name| m.text(1, name));
        let node = self.outputs.iter().fold(node, |m, name| m.text(2, name));
        let node = node.text(4, &self.op).text(7, &self.domain);
        self.attrs.iter().fold(node, |m, (name, value)| {
            m.message(5, &attribute(name, &self.attr_types[name], value))
        })
    }
}

fn attribute(name: &str, kind: &str, value: &Value) -> Message {
    let attribute = message().text(1, name);
    let list = || value.as_array().unwrap().iter();
    match kind {
        "FLOAT" => attribute.int(20, 1).float(2, float(value) as f32),
        "INT" => attribute.int(20, 2).int(3, int(value)),
        "STRING" => attribute.int(20, 3).text(4, value.as_str().unwrap()),
        "TENSOR" => {
            let shape: Vec<u64> = value["shape"]
                .as_array()
                .unwrap()
                .iter()
                .map(|d| d.as_u64().unwrap())
                .collect();
            let data = value["data"].as_array().map(Vec::as_slice);
            let tensor = tensor("", value["dtype"].as_str().unwrap(), &shape, data);
            attribute.int(20, 4).message(5, &tensor)
        }
        "GRAPH" => {
            let body: Body = serde_json::from_value(value.clone()).unwrap();
            encode::body(name, &body.message())
        }
        "FLOATS" => list().fold(attribute.int(20, 6), |m, x| m.float(7, float(x) as f32)),
        "INTS" => list().fold(attribute.int(20, 7), |m, n| m.int(8, int(n))),
        "STRINGS" => list().fold(attribute.int(20, 8), |m, s| m.text(9, s.as_str().unwrap())),
        other => panic!("{other}"),
    }
}

impl Body {
    fn message(&self) -> Message {
        let nodes: Vec<Message> = self.nodes.iter().map(Node::message).collect();
        let values = |all: &[Declared]| all.iter().map(Declared::message).collect::<Vec<_>>();
        encode::graph(&nodes, &values(&self.inputs), &values(&self.outputs))
    }
}

impl Declared {
    fn message(&self) -> Message {
        let ty = self.ty.as_ref().and_then(|ty| {
            let dims = ty.shape.as_deref().map(dims);
            Some(encode::tensor_type(
                number(ty.dtype.as_deref()?),
                dims.as_deref(),
            ))
        });
        encode::value(&self.name, ty.as_ref())
    }
}

impl Operand {
    /// What it really is; of a sequence, what its members have in common.
    fn ty(&self) -> Type {
        let dtype: Dtype = self.dtype.parse().unwrap();
        match &self.shape {
            Some(shape) => Type::tensor(dtype, shape.iter().copied().map(kanshape::Dim::Size)),
            None => {
                let members = self.elem_shapes.iter();
                let members = members.map(|shape| {
                    Type::tensor(dtype, shape.iter().copied().map(kanshape::Dim::Size))
                });
                Type::adt(
                    Name::word("Sequence"),
                    members.reduce(|a, b| order::join(&a, &b)),
                )
            }
        }
    }

    fn input(&self) -> Message {
        let own = |ty: &Type| {
            let tensor = ty.as_tensor().unwrap();
            let dims = tensor
                .shape
                .iter()
                .map(|d| d.size().map_or(Dim::Open, |n| Dim::Size(n as i64)));
            encode::tensor_type(number(&self.dtype), Some(&dims.collect::<Vec<_>>()))
        };
        let ty = self.ty();
        let message = match ty.as_tensor() {
            Some(_) => own(&ty),
            None => encode::sequence_type(&own(ty.parts().next().unwrap())),
        };
        encode::value(&self.name, Some(&message))
    }
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        let nodes: Vec<Message> = self.nodes.iter().map(Node::message).collect();
        let inputs: Vec<Message> = self.inputs.iter().map(Operand::input).collect();
        let outputs: Vec<Message> = self
            .outputs
            .iter()
            .map(|o| encode::value(&o.name, None))
            .collect();
        let graph = encode::graph(&nodes, &inputs, &outputs);
        let known = self.inputs.iter().filter(|i| i.value.is_some());
        let known = known.map(|i| {
            tensor(
                &i.name,
                &i.dtype,
                i.shape.as_ref().unwrap(),
                i.value.as_deref(),
            )
        });
        let graph = graph.messages(5, &known.collect::<Vec<_>>());
        let versions = self.opset_imports.iter();
        let versions = versions.map(|(domain, version)| message().text(1, domain).int(2, *version));
        let model = message().int(1, 8).message(7, &graph);
        model.messages(8, &versions.collect::<Vec<_>>()).0
    }
}

#[test]
fn outputs_are_the_recorded_ones() {
    let (mut count, mut wrong, mut open) = (0, Vec::new(), Vec::new());
    for line in include_str!("../data/onnx/multi_node_cases.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let bytes = case.bytes();
        let model = Model::read(&bytes).unwrap();
        let report = check(&model, &kanshape_onnx::Options::default());
        let unwritten = kanshape_onnx::code::UNWRITTEN;
        for problem in &report.problems {
            if problem.diagnostic.code == unwritten {
                assert_eq!(report.verdict, Verdict::Unknown, "{}", case.id);
                open.push(case.id.clone());
                continue;
            }
            wrong.push(format!(
                "{}: {} {:?}",
                case.id, problem.diagnostic, problem.node
            ));
        }
        for one in &report.untyped {
            wrong.push(format!("{}: {one:?}", case.id));
        }
        for operand in &case.outputs {
            let mut outputs = report.outputs.iter();
            let (_, found) = outputs.find(|(name, _)| *name == operand.name).unwrap();
            let (found, real) = (Type::clone(found).with_contents(None), operand.ty());
            if found != real {
                wrong.push(format!("{}: {}: {found} is {real}", case.id, operand.name));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Of the members of two sequences of which nothing is known it is not known whether they can be added.
    assert_eq!(open, ["test_sequence_map_add_2_sequences_expanded"]);
    assert_eq!(count, ALL);
}
