//! [`Record`]: what the values of a model really are.

use kanshape::{Dim, Dtype, Name, Type, order};
use kanshape_onnx::{InputDim, Options};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file of `real/`.
#[derive(Debug, Deserialize)]
pub(crate) struct Record {
    pub(crate) model: String,
    /// Input, dim, the size that stood there, the name it was given.
    input_edits: Vec<(String, usize, u64, String)>,
    pub(crate) runs: Vec<Run>,
    #[serde(default)]
    pub(crate) failed: Vec<Failed>,
}

/// What came out for some sizes.
#[derive(Debug, Deserialize)]
pub(crate) struct Run {
    pub(crate) bindings: BTreeMap<String, u64>,
    pub(crate) inputs: BTreeMap<String, Value>,
    pub(crate) values: BTreeMap<String, Value>,
}

/// Sizes for which the model does not run.
#[derive(Debug, Deserialize)]
pub(crate) struct Failed {
    pub(crate) bindings: BTreeMap<String, u64>,
    pub(crate) error: String,
}

/// What a value is.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Tensor { dtype: String, shape: Vec<u64> },
    Sequence { elems: Vec<Value> },
}

impl Value {
    /// Is it a sequence without members?
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Value::Sequence { elems } if elems.is_empty())
    }

    pub(crate) fn ty(&self) -> Type {
        match self {
            Value::Tensor { dtype, shape } => {
                let dtype: Dtype = dtype.parse().unwrap();
                Type::tensor(dtype, shape.iter().copied().map(Dim::Size))
            }
            Value::Sequence { elems } => {
                let joined = elems.iter().map(Value::ty);
                let joined = joined.reduce(|a, b| order::join(&a, &b));
                Type::adt(Name::word("Sequence"), [joined.unwrap_or(Type::UNKNOWN)])
            }
        }
    }
}

impl Record {
    /// All of them, each with the bytes of its model.
    pub(crate) fn all() -> Vec<(Record, Vec<u8>)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models");
        let mut files = Vec::new();
        for folder in ["", "simple", "pytorch-operator"] {
            let listed = std::fs::read_dir(root.join("real").join(folder)).unwrap();
            let paths = listed.map(|entry| entry.unwrap().path());
            files.extend(paths.filter(|p| p.extension().is_some_and(|e| e == "json")));
        }
        files.sort();
        let read = |path: PathBuf| {
            let record: Record = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
            let model = root.join(format!("{}.onnx", record.model));
            let bytes = std::fs::read(model).unwrap();
            (record, bytes)
        };
        files.into_iter().map(read).collect()
    }

    /// The dims of inputs that were made open, with their names.
    pub(crate) fn named(&self) -> Options {
        let edits = self.input_edits.iter();
        let dims = edits.map(|(input, axis, _, name)| InputDim {
            input: input.clone(),
            axis: *axis,
            dim: name.parse().unwrap(),
        });
        Options {
            dims: dims.collect(),
            ..Options::default()
        }
    }

    /// The same at these sizes.
    pub(crate) fn at(&self, bindings: &BTreeMap<String, u64>) -> Options {
        Options {
            set: bindings
                .iter()
                .map(|(name, size)| (name.clone(), *size))
                .collect(),
            ..self.named()
        }
    }
}
