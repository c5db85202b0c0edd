//! What torch refuses, as a query of our operator that means the same.

use crate::mutation::{mistake, never};
use kanshape::{AttrValue, Call, Dim, Dtype, Query, Signature, Type, catalog};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The number of rows that are refused by ours as well.
const EXPLAINED: usize = 59;

/// A row of `op_errors.jsonl`.
#[derive(Debug, Deserialize)]
struct Row {
    id: String,
    op: String,
    inputs: Vec<Tensor>,
    args: Vec<Value>,
    kwargs: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<u64>,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../data/torch/op_errors.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A number, or the only one of a list.
fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Array(all) => match &all[..] {
            [one] => int(one),
            _ => None,
        },
        value => value.as_i64(),
    }
}

fn ints(value: &Value) -> Option<Vec<i64>> {
    value.as_array()?.iter().map(Value::as_i64).collect()
}

/// A tensor of integers with these in it.
fn list(of: &[i64]) -> Type {
    let members = kanshape::Contents::new(of.iter().copied());
    Type::tensor(Dtype::I64, [Dim::Size(of.len() as u64)]).with_contents(members)
}

impl Row {
    fn ty(&self, i: usize) -> Option<Type> {
        let tensor = self.inputs.get(i)?;
        let dtype: Dtype = tensor.dtype.parse().ok()?;
        Some(Type::tensor(
            dtype,
            tensor.shape.iter().copied().map(Dim::Size),
        ))
    }

    /// The tensor that an argument is.
    fn tensor(&self, arg: &Value) -> Option<Type> {
        let i = arg.as_object()?.get("tensor")?.as_u64()?;
        self.ty(usize::try_from(i).ok()?)
    }

    fn tensors(&self, args: &[Value]) -> Option<Vec<Type>> {
        args.iter().map(|arg| self.tensor(arg)).collect()
    }

    /// One number for each spatial axis.
    fn spatial(&self, name: &str, axes: usize) -> Option<Vec<i64>> {
        let value = self.kwargs.get(name)?;
        ints(value).or_else(|| Some(vec![int(value)?; axes]))
    }

    /// The query that means the same, if we have such an operator.
    fn query(&self) -> Option<Query> {
        // Where the result goes is no part of the relation.
        if self.kwargs.contains_key("out") {
            return None;
        }
        let first = self.args.first()?;
        match self.op.as_str() {
            "dot" | "vdot" => self.signature("(n),(n)->()"),
            "linalg.cross" => self.signature("+(3),(3)->(3)"),
            "nn.functional.triplet_margin_loss"
            | "nn.functional.triplet_margin_with_distance_loss" => {
                self.signature("+(d),(d),(d)->()")
            }
            "tril" | "triu" => self.onnx("Trilu", vec![self.tensor(first)?], vec![]),
            "reshape" | "view" | "view_copy" => {
                let shape = list(&ints(self.args.get(1)?)?);
                // In torch a 0 is a size.
                let attrs = vec![("allowzero", 1.into())];
                self.onnx("Reshape", vec![self.tensor(first)?, shape], attrs)
            }
            "reshape_as" | "view_as" => {
                let shape = &self.inputs.get(1)?.shape;
                let shape: Vec<i64> = shape.iter().map(|n| *n as i64).collect();
                self.onnx("Reshape", vec![self.tensor(first)?, list(&shape)], vec![])
            }
            "cat" => {
                let axis = self.kwargs.get("dim").and_then(int).unwrap_or(0);
                let inputs = self.tensors(first.as_array()?)?;
                self.onnx("Concat", inputs, vec![("axis", axis.into())])
            }
            "gather" => {
                let inputs = vec![self.tensor(first)?, self.tensor(self.args.get(2)?)?];
                let axis = int(self.args.get(1)?)?;
                self.onnx("GatherElements", inputs, vec![("axis", axis.into())])
            }
            "scatter" | "scatter_add" => {
                let mut inputs = vec![self.tensor(first)?];
                inputs.extend(self.tensors(self.args.get(2..)?)?);
                let axis = int(self.args.get(1)?)?;
                self.onnx("ScatterElements", inputs, vec![("axis", axis.into())])
            }
            "nn.functional.group_norm" => {
                let channels = self.inputs.first()?.shape.get(1)?;
                let each = Type::tensor(Dtype::F32, [Dim::Size(*channels)]);
                let inputs = vec![self.tensor(first)?, each.clone(), each];
                let groups = int(self.args.get(1)?)?;
                self.onnx(
                    "GroupNormalization",
                    inputs,
                    vec![("num_groups", groups.into())],
                )
            }
            op => match op.strip_prefix("nn.functional.")?.strip_suffix('d')? {
                op if op.starts_with("conv") => self.conv(),
                op if op.starts_with("max_pool") => self.pool(op),
                _ => None,
            },
        }
    }

    fn conv(&self) -> Option<Query> {
        let inputs = self.tensors(&self.args)?;
        let axes = inputs.first()?.as_tensor()?.shape.rank()?.checked_sub(2)?;
        let mut attrs: Vec<(&str, AttrValue)> = Vec::new();
        for (name, own) in [("strides", "stride"), ("dilations", "dilation")] {
            attrs.extend(
                self.spatial(own, axes)
                    .map(|all| (name, all.into_iter().collect())),
            );
        }
        match self.kwargs.get("padding") {
            Some(Value::String(_)) => attrs.push(("auto_pad", "SAME_UPPER".into())),
            Some(_) => {
                let pads = self.spatial("padding", axes)?;
                attrs.push(("pads", [&pads[..], &pads].concat().into_iter().collect()));
            }
            None => {}
        }
        attrs.extend(
            self.kwargs
                .get("groups")
                .and_then(int)
                .map(|n| ("group", n.into())),
        );
        self.onnx("Conv", inputs, attrs)
    }

    fn pool(&self, op: &str) -> Option<Query> {
        let input = self.tensor(self.args.first()?)?;
        let axes = op.strip_prefix("max_pool")?.parse().ok()?;
        // Without a batch it is another operator.
        if input.as_tensor()?.shape.rank()? != axes + 2 {
            return None;
        }
        let kernel = self.spatial("kernel_size", axes)?;
        let names = [("strides", "stride"), ("dilations", "dilation")];
        // A window is as far from the next one as it is large.
        let mut attrs = vec![("kernel_shape", kernel.iter().copied().collect())];
        for (name, own) in names {
            let all = self.spatial(own, axes);
            let all = all.or_else(|| (own == "stride").then(|| kernel.clone()));
            attrs.extend(all.map(|all| (name, all.into_iter().collect())));
        }
        if let Some(pads) = self.spatial("padding", axes) {
            attrs.push(("pads", [&pads[..], &pads].concat().into_iter().collect()));
        }
        self.onnx("MaxPool", vec![input], attrs)
    }

    fn signature(&self, text: &str) -> Option<Query> {
        let signature: Signature = text.parse().unwrap();
        Some(signature.query().inputs(self.tensors(&self.args)?))
    }

    fn onnx(&self, op: &str, inputs: Vec<Type>, attrs: Vec<(&str, AttrValue)>) -> Option<Query> {
        let call = Call {
            inputs: inputs.into_iter().map(Some).collect(),
            outputs: None,
            attrs: attrs
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect(),
            ..Call::default()
        };
        catalog().operator(op, None).unwrap().query(call).ok()
    }
}

#[test]
fn what_torch_refuses_is_explained() {
    let (mut explained, mut wrong) = (0, Vec::new());
    for row in rows() {
        // What torch refuses for the values that are in a tensor or that a flag has can be, as far as shapes go.
        let Some(query) = row.query().filter(never) else {
            continue;
        };
        if row.inputs.is_empty() {
            // Of nothing that was given there is nothing to be said.
            continue;
        }
        explained += 1;
        let conflict = query.explain().unwrap();
        let mistake = match conflict.facts.is_empty() {
            true => Some("it has no core".to_owned()),
            false => mistake(&query, &conflict),
        };
        wrong.extend(mistake.map(|what| format!("{}: {what}\n{conflict}", row.id)));
    }
    assert!(
        wrong.is_empty(),
        "{} rows: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(3)]
    );
    assert_eq!(explained, EXPLAINED);
}
