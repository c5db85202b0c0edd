//! The JSON of a program. Fields that are not known are ignored; a version whose fields may mean something else is an error.

use std::collections::BTreeMap;

use kanshape::{Diagnostic, Dtype};
use serde::Deserialize;
use serde_json::Value;

use super::archive::no_archive;
use crate::code;

/// The newest version of the format that is read.
const MAJOR: u64 = 8;

#[derive(Deserialize)]
pub(super) struct Program {
    pub(super) graph_module: Module,
    #[serde(default)]
    schema_version: Version,
    /// Between which numbers a symbol is.
    #[serde(default)]
    pub(super) range_constraints: BTreeMap<String, Range>,
}

#[derive(Deserialize, Default)]
pub(super) struct Range {
    #[serde(default)]
    pub(super) min_val: Option<i64>,
    #[serde(default)]
    pub(super) max_val: Option<i64>,
}

#[derive(Deserialize, Default)]
struct Version {
    #[serde(default)]
    major: u64,
}

#[derive(Deserialize)]
pub(super) struct Module {
    pub(super) graph: Graph,
    #[serde(default)]
    pub(super) signature: Signature,
}

#[derive(Deserialize)]
pub(super) struct Graph {
    #[serde(default)]
    pub(super) inputs: Vec<Value>,
    #[serde(default)]
    pub(super) outputs: Vec<Value>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) tensor_values: BTreeMap<String, Tensor>,
    #[serde(default)]
    pub(super) sym_int_values: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) target: String,
    #[serde(default)]
    pub(super) inputs: Vec<Input>,
    #[serde(default)]
    pub(super) outputs: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(from = "Argument")]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) arg: Value,
    /// The body that it is: `{"as_graph": {"graph": ..}}`.
    pub(super) body: Option<Graph>,
}

#[derive(Deserialize)]
struct Argument {
    #[serde(default)]
    name: String,
    arg: Value,
}

impl From<Argument> for Input {
    /// JSON is no deeper than its reader allows, and so are bodies in bodies. One that can't be read is none.
    fn from(argument: Argument) -> Input {
        let Argument { name, mut arg } = argument;
        let body = arg.get_mut("as_graph").and_then(|of| of.get_mut("graph"));
        let body = body.and_then(|graph| serde_json::from_value(graph.take()).ok());
        Input { name, arg, body }
    }
}

#[derive(Deserialize)]
pub(super) struct Tensor {
    dtype: u64,
    pub(super) sizes: Vec<Value>,
}

#[derive(Deserialize, Default)]
pub(super) struct Signature {
    #[serde(default)]
    pub(super) input_specs: Vec<Value>,
}

impl Tensor {
    pub(super) fn dtype(&self) -> Option<Dtype> {
        scalar_type(self.dtype)
    }
}

/// The dtype that a number of torch's format denotes.
pub(super) fn scalar_type(number: u64) -> Option<Dtype> {
    Some(match number {
        1 => Dtype::U8,
        2 => Dtype::I8,
        3 => Dtype::I16,
        4 => Dtype::I32,
        5 => Dtype::I64,
        6 => Dtype::F16,
        7 => Dtype::F32,
        8 => Dtype::F64,
        10 => Dtype::C64,
        11 => Dtype::C128,
        12 => Dtype::Bool,
        13 => Dtype::BF16,
        28 => Dtype::U16,
        _ => return None,
    })
}

/// The one field that says which of several things something is, `{"as_tensor": ..}`, and what it has.
pub(super) fn case(value: &Value) -> Option<(&str, &Value)> {
    let (key, of) = value.as_object()?.iter().next()?;
    Some((key, of))
}

/// The name that a value has: `{"name": ..}`, `{"as_name": ..}`.
pub(super) fn name(value: &Value) -> Option<&str> {
    value.get("name").or_else(|| value.get("as_name"))?.as_str()
}

/// Reads a program.
pub(super) fn read(text: &[u8]) -> Result<Program, Diagnostic> {
    let program: Program = serde_json::from_slice(text).map_err(|e| no_archive(&e.to_string()))?;
    let major = program.schema_version.major;
    if major > MAJOR {
        let headline = format!(
            "the program is of version {major} of torch's format, and {MAJOR} is the newest that is read"
        );
        return Err(Diagnostic::new(code::PROGRAM_VERSION, headline));
    }
    Ok(program)
}
