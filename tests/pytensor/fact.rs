//! [`Fact`]: one recorded call of an operator.

use kanshape::{Dim, Dtype, Type};
use serde::Deserialize;
use std::fmt;

/// A row of `pytensor_op_facts.jsonl`.
#[derive(Debug, Deserialize)]
pub(crate) struct Fact {
    pub(crate) id: String,
    pub(crate) op: String,
    pub(crate) params: Params,
    pub(crate) inputs: Vec<Static>,
    /// None where PyTensor raised an error.
    pub(crate) output: Option<Static>,
}

/// What a call is given beside its inputs. What an operator does not have is left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Params {
    /// None is all of them.
    pub(crate) axis: Option<Axes>,
    pub(crate) keepdims: bool,
    /// Of `dimshuffle`.
    pub(crate) pattern: Vec<Place>,
    /// Of `transpose`; None turns the order around.
    pub(crate) axes: Option<Vec<usize>>,
    /// Of `reshape`; -1 is any size.
    pub(crate) newshape: Vec<i64>,
    /// Of `broadcast_to` and `specify_shape`; None requires nothing.
    pub(crate) shape: Vec<Option<u64>>,
}

/// One axis or several, counted from the right if negative.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Axes {
    One(i64),
    Many(Vec<i64>),
}

/// A dim of what `dimshuffle` gives.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Place {
    /// The input's dim of this number.
    Old(usize),
    /// A new dim of size 1.
    New(New),
}

#[derive(Debug, Deserialize)]
pub(crate) enum New {
    #[serde(rename = "x")]
    X,
}

/// A type as PyTensor knows it: a dtype, and a size or nothing for each dim.
#[derive(Debug, Deserialize)]
pub(crate) struct Static {
    dtype: String,
    pub(crate) shape: Vec<Option<u64>>,
}

impl Fact {
    pub(crate) fn rank(&self) -> usize {
        self.inputs[0].shape.len()
    }
}

impl Axes {
    pub(crate) fn list(&self) -> &[i64] {
        match self {
            Axes::One(axis) => std::slice::from_ref(axis),
            Axes::Many(axes) => axes,
        }
    }
}

impl Static {
    pub(crate) fn dtype(&self) -> Dtype {
        self.dtype.parse().unwrap()
    }

    pub(crate) fn ty(&self) -> Type {
        Type::tensor(self.dtype(), dims(&self.shape))
    }

    /// The same, and unknown sizes are not 1. They get names, of which the first is `n0` after this many.
    pub(crate) fn without_ones(&self, names: &mut usize) -> Type {
        let mut conditions = Vec::new();
        let mut dim = |size: &Option<u64>| match size {
            Some(size) => size.to_string(),
            None => {
                let name = format!("n{names}");
                *names += 1;
                conditions.push(format!("{name} != 1"));
                name
            }
        };
        let dims: Vec<String> = self.shape.iter().map(&mut dim).collect();
        let given = if conditions.is_empty() { "" } else { " where " };
        let text = format!(
            "{}[{}]{given}{}",
            self.dtype,
            dims.join(", "),
            conditions.join(", ")
        );
        text.parse().unwrap()
    }
}

pub(crate) fn dims(sizes: &[Option<u64>]) -> impl Iterator<Item = Dim> {
    sizes.iter().map(|size| size.map_or(Dim::Hole, Dim::Size))
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs: Vec<String> = self.inputs.iter().map(|s| s.ty().to_string()).collect();
        let output = self.output.as_ref().map(|s| s.ty().to_string());
        let output = output.as_deref().unwrap_or("an error");
        let (id, op, params) = (&self.id, &self.op, &self.params);
        write!(
            f,
            "{id}: {op} of {}, {params:?}, gives {output}",
            inputs.join(", ")
        )
    }
}

/// All rows.
pub(crate) fn all() -> Vec<Fact> {
    include_str!("../data/pytensor_op_facts.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
