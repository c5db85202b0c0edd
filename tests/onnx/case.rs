//! [`Case`]: one recorded call of an operator.

use kanshape::{AttrValue, Content, Contents, Dim, Dtype, Name, Type};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A row of `node_cases.jsonl` or `onnxruntime_cases.jsonl`.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) op: String,
    pub(crate) domain: String,
    pub(crate) opset: u64,
    attrs: BTreeMap<String, Attr>,
    inputs: Vec<Operand>,
    outputs: Vec<Operand>,
    /// How many outputs were wanted, where the call was refused.
    pub(crate) refused: Option<usize>,
}

/// What is given of an attribute, by its kind.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Attr {
    Int(i64),
    Ints(Vec<i64>),
    Float(f64),
    Floats(Vec<f64>),
    String(String),
    Strings(Vec<String>),
    Tensor(Constant),
    Graph(Graph),
    #[serde(rename = "type_proto")]
    Type(Declared),
}

/// A tensor that is an attribute.
#[derive(Debug, Deserialize)]
struct Constant {
    dtype: String,
    shape: Vec<u64>,
    data: Option<Vec<Value>>,
}

/// What a body takes and gives.
#[derive(Debug, Deserialize)]
struct Graph {
    inputs: Vec<Declared>,
    outputs: Vec<Declared>,
}

/// A type as a model declares it.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Declared {
    Tensor {
        dtype: String,
        shape: Option<Vec<Value>>,
    },
    Sequence {
        elem: Box<Declared>,
    },
    Optional {
        elem: Box<Declared>,
    },
}

/// An input or an output.
#[derive(Debug, Deserialize)]
struct Operand {
    #[serde(default)]
    optional_absent: bool,
    dtype: Option<String>,
    shape: Option<Vec<u64>>,
    value: Option<Vec<Value>>,
    declared_type: Option<Declared>,
    elem_shapes: Option<Vec<Vec<u64>>>,
}

impl Case {
    /// What the catalog calls the operator.
    pub(crate) fn name(&self) -> String {
        match self.domain.as_str() {
            "" => format!("onnx::{}", self.op),
            domain => format!(
                "{}::{}",
                domain.strip_prefix("ai.").unwrap_or(domain),
                self.op
            ),
        }
    }

    /// The inputs; `None` is one that is left out.
    pub(crate) fn inputs(&self) -> Vec<Option<Type>> {
        self.inputs.iter().map(Operand::ty).collect()
    }

    /// The outputs; `None` is one that is left out.
    pub(crate) fn outputs(&self) -> Vec<Option<Type>> {
        self.outputs.iter().map(Operand::ty).collect()
    }

    pub(crate) fn attrs(&self) -> Vec<(Box<str>, AttrValue)> {
        let attrs = self.attrs.iter();
        attrs
            .map(|(name, a)| (name.as_str().into(), a.value()))
            .collect()
    }
}

impl Attr {
    fn value(&self) -> AttrValue {
        match self {
            Attr::Int(n) => (*n).into(),
            Attr::Ints(all) => all.iter().copied().collect(),
            Attr::Float(x) => (*x).into(),
            Attr::Floats(all) => all.iter().copied().collect(),
            Attr::String(text) => text.as_str().into(),
            Attr::Strings(all) => all.iter().map(String::as_str).collect(),
            Attr::Tensor(constant) => {
                let ty = Type::tensor(
                    dtype(&constant.dtype),
                    constant.shape.iter().copied().map(Dim::Size),
                );
                let members = constant.data.as_deref();
                ty.with_contents(members.and_then(contents)).into()
            }
            Attr::Graph(graph) => graph.ty().into(),
            Attr::Type(ty) => ty.ty(true).into(),
        }
    }
}

impl Graph {
    /// The type of the body. What a model declares of the shapes of a sequence's tensors is not always true, so
    /// it is left open in what comes out.
    fn ty(&self) -> Type {
        let params = self.inputs.iter().map(|ty| ty.ty(true));
        let mut results: Vec<Type> = self.outputs.iter().map(|ty| ty.ty(false)).collect();
        let result = match results.len() {
            1 => results.remove(0),
            _ => Type::tuple(results),
        };
        Type::function(params, result)
    }
}

impl Declared {
    /// As a type; `elements` says whether shapes of elements are taken as they are declared.
    fn ty(&self, elements: bool) -> Type {
        match self {
            Declared::Tensor { dtype, shape } => match shape {
                Some(dims) => Type::tensor(self::dtype(dtype), dims.iter().map(dim)),
                None => of_any_shape(dtype),
            },
            Declared::Sequence { elem } => sequence(match elements {
                true => elem.ty(true),
                false => of_any_shape(elem.dtype()),
            }),
            Declared::Optional { elem } => Type::adt(Name::word("Optional"), [elem.ty(elements)]),
        }
    }

    /// As a type, with this for the innermost tensor.
    fn around(&self, tensor: Type) -> Type {
        match self {
            Declared::Tensor { .. } => tensor,
            Declared::Sequence { elem } => sequence(elem.around(tensor)),
            Declared::Optional { elem } => Type::adt(Name::word("Optional"), [elem.around(tensor)]),
        }
    }

    fn dtype(&self) -> &str {
        match self {
            Declared::Tensor { dtype, .. } => dtype,
            Declared::Sequence { elem } | Declared::Optional { elem } => elem.dtype(),
        }
    }
}

impl Operand {
    fn ty(&self) -> Option<Type> {
        if self.optional_absent {
            return None;
        }
        if let Some(declared) = &self.declared_type {
            let shapes = self.elem_shapes.as_deref().unwrap_or_default();
            return Some(declared.around(common(declared.dtype(), shapes)));
        }
        let dtype = dtype(self.dtype.as_deref().unwrap());
        let ty = Type::tensor(
            dtype,
            self.shape.as_ref().unwrap().iter().copied().map(Dim::Size),
        );
        Some(ty.with_contents(self.value.as_deref().and_then(contents)))
    }
}

fn dtype(name: &str) -> Dtype {
    name.parse().unwrap()
}

fn sequence(of: Type) -> Type {
    Type::adt(Name::word("Sequence"), [of])
}

fn of_any_shape(dtype: &str) -> Type {
    format!("{dtype}[...]").parse().unwrap()
}

/// What tensors of these shapes have in common.
fn common(dtype: &str, shapes: &[Vec<u64>]) -> Type {
    let tensors = shapes
        .iter()
        .map(|shape| Type::tensor(self::dtype(dtype), shape.iter().copied().map(Dim::Size)));
    let joined = tensors.reduce(|a, b| kanshape::order::join(&a, &b));
    joined.unwrap_or_else(|| of_any_shape(dtype))
}

fn dim(value: &Value) -> Dim {
    match value {
        Value::Number(size) => Dim::Size(size.as_u64().unwrap()),
        Value::String(name) => name.parse().unwrap(),
        _ => Dim::Hole,
    }
}

/// Contents; none where there are too many.
fn contents(members: &[Value]) -> Option<Contents> {
    Contents::new(members.iter().map(|member| match member {
        Value::Bool(truth) => Content::Bool(*truth),
        Value::String(text) => Content::from(text.parse::<f64>().unwrap()),
        Value::Number(number) => match number.as_i64() {
            Some(n) => Content::Int(n),
            None => Content::from(number.as_f64().unwrap()),
        },
        other => panic!("{other} is no member"),
    }))
}

/// All rows of ONNX's own tests.
pub(crate) fn all() -> Vec<Case> {
    read(include_str!("../data/onnx/node_cases.jsonl"))
}

/// All rows of a file.
pub(crate) fn read(file: &str) -> Vec<Case> {
    file.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
