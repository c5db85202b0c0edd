//! [`Cost`]: the memory that the values of a model take, and the multiplications that its nodes do.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::model::Model;
use crate::nodes::ModelNode;
use crate::problem::Place;
use crate::report::Report;
use hashbrown::HashMap;
use kanshape::catalog::MULTIPLY_ADDS;
use kanshape::{Dim, Dtype, Shape, Signature, Tensor, Type};

/// The size that every name has where the largest of several sums with names is chosen.
pub const ASSUMED_SIZE: u64 = 1024;

/// What a model costs. Sizes are in bytes, and in the names of the model; a hole is a size that is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Of each value, in the order of the report.
    pub values: Vec<(String, Dim)>,
    /// The constants of the model, together.
    pub weights: Dim,
    /// When the values that are held at the same time take the most.
    pub peak: Option<Peak>,
    /// How many values that are held have a size that is not known: they are in no sum.
    pub unknown: usize,
    /// The multiplications of each node that does some, each with an addition. They are not known of one with a hole.
    pub nodes: Vec<(Place, Dim)>,
    /// The multiplications of all nodes of which they are known.
    pub multiply_adds: Dim,
}

/// When the most memory is used, without the constants of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// While this node runs.
    pub node: Place,
    /// A number of bytes.
    pub bytes: Dim,
    /// It is the largest if all names are [`ASSUMED_SIZE`]: with others, another node may take more.
    pub is_assumed: bool,
}

/// What a model costs. A value is held from the node that gives it to the last one that takes it, inputs and outputs of the
/// model all the time that they are known; what bodies of nodes hold is not counted.
pub fn cost(model: &Model<'_>, report: &Report<'_>) -> Cost {
    let types: HashMap<&str, &Type> = report.values.iter().map(|(n, ty)| (&**n, &**ty)).collect();
    let nodes: Vec<ModelNode<'_>> = model.each_node().collect();
    let in_order: Vec<&ModelNode<'_>> = model
        .graph
        .in_order()
        .filter_map(|index| nodes.get(index as usize))
        .collect();
    let initializers: BTreeSet<&str> = model.initializers().collect();
    let weights = initializers
        .iter()
        .filter_map(|name| types.get(name).copied());
    let values = report.values.iter();
    let mut cost = Cost {
        values: values
            .map(|(name, ty)| (name.to_string(), bytes(ty)))
            .collect(),
        weights: sum(weights.map(bytes)),
        peak: None,
        unknown: 0,
        nodes: Vec::new(),
        multiply_adds: Dim::Size(0),
    };
    find_peak(&in_order, report, &types, &mut cost);
    for node in &nodes {
        let of = |names: &[&str]| -> Vec<Option<&Type>> {
            names.iter().map(|name| types.get(name).copied()).collect()
        };
        let count = multiply_adds(&node.place.op, &of(&node.inputs), &of(&node.outputs));
        if let Some(count) = count {
            cost.nodes.push((node.place.clone(), count));
        }
    }
    cost.multiply_adds = sum(cost.nodes.iter().map(|(_, count)| count.clone()));
    cost
}

/// A value between the nodes that hold it.
struct HeldValue {
    from: usize,
    to: usize,
    bytes: Dim,
}

fn find_peak(
    nodes: &[&ModelNode<'_>],
    report: &Report<'_>,
    types: &HashMap<&str, &Type>,
    cost: &mut Cost,
) {
    let Some(end) = nodes.len().checked_sub(1) else {
        return;
    };
    let mut held: HashMap<&str, (usize, usize)> = HashMap::new();
    for (name, _) in &report.inputs {
        held.insert(name, (0, end));
    }
    for (at, node) in nodes.iter().enumerate() {
        for name in node.inputs.iter().filter(|name| !name.is_empty()) {
            if let Some((_, to)) = held.get_mut(name) {
                *to = (*to).max(at);
            }
        }
        for name in node.outputs.iter().filter(|name| !name.is_empty()) {
            held.insert(name, (at, at));
        }
    }
    for (name, _) in &report.outputs {
        if let Some((_, to)) = held.get_mut(&**name) {
            *to = end;
        }
    }
    let mut all: Vec<HeldValue> = Vec::with_capacity(held.len());
    // A sum is written in the order of its terms.
    let mut held: Vec<(&str, (usize, usize))> = held.into_iter().collect();
    held.sort_unstable_by_key(|&(name, (from, to))| (from, to, name));
    for (name, (from, to)) in held {
        match types.get(name).map(|ty| bytes(ty)) {
            Some(bytes) if bytes != Dim::Hole => all.push(HeldValue { from, to, bytes }),
            _ => cost.unknown += 1,
        }
    }
    // What comes and goes with each node.
    let mut change = vec![0i128; nodes.len() + 1];
    for one in &all {
        let size = i128::from(one.bytes.at(&|_| Some(ASSUMED_SIZE)).unwrap_or(0));
        change[one.from] += size;
        change[one.to + 1] -= size;
    }
    let (mut now, mut most, mut place) = (0, -1, 0);
    for (at, change) in change[..nodes.len()].iter().enumerate() {
        now += change;
        if now > most {
            (most, place) = (now, at);
        }
    }
    let is_held = |one: &&HeldValue| (one.from..=one.to).contains(&place);
    let is_assumed = all.iter().any(|one| one.bytes.size().is_none());
    let bytes = sum(all.iter().filter(is_held).map(|one| one.bytes.clone()));
    cost.peak = Some(Peak {
        node: nodes[place].place.clone(),
        bytes,
        is_assumed,
    });
}

/// The bytes of a value. Too many to count are not known either.
fn bytes(ty: &Type) -> Dim {
    ty.memory_size().unwrap_or(Dim::Hole)
}

/// A sum of those that are known: the bytes of as many tensors of bytes.
fn sum(all: impl Iterator<Item = Dim>) -> Dim {
    let known = all.filter(|size| *size != Dim::Hole);
    let tensors = known.map(|size| Type::tensor(Dtype::U8, [size]));
    bytes(&Type::tuple(tensors.collect::<Vec<Type>>()))
}

/// How to count what calls of an operator do.
struct Counted {
    operands: Vec<CostOperand>,
    signature: Signature,
}

#[derive(Clone, Copy)]
enum CostOperand {
    Input(usize),
    Output(usize),
}

/// The multiplications that a call of an ONNX operator does, each with an addition, on operands of these types: none if it does
/// none to speak of, and a hole if they are not known.
pub fn multiply_adds(op: &str, inputs: &[Option<&Type>], outputs: &[Option<&Type>]) -> Option<Dim> {
    static KNOWN: LazyLock<HashMap<&str, Counted>> = LazyLock::new(operators);
    let operator = KNOWN.get(op)?;
    Some(operator.count(inputs, outputs))
}

/// The operators of which it is known, by name.
fn operators() -> HashMap<&'static str, Counted> {
    let lines = MULTIPLY_ADDS.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let found = lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        let (operands, signature): (Vec<&str>, Vec<&str>) =
            words.partition(|word| operand(word).is_some());
        let counted = Counted {
            operands: operands.into_iter().filter_map(operand).collect(),
            signature: signature.join(" ").parse().ok()?,
        };
        Some((name, counted))
    });
    found.collect()
}

/// `x0`, `y0`.
fn operand(word: &str) -> Option<CostOperand> {
    match word.split_at_checked(1)? {
        ("x", place) => place.parse().ok().map(CostOperand::Input),
        ("y", place) => place.parse().ok().map(CostOperand::Output),
        _ => None,
    }
}

impl Counted {
    fn count(&self, inputs: &[Option<&Type>], outputs: &[Option<&Type>]) -> Dim {
        let shape = |operand: &CostOperand| {
            let ty = match operand {
                CostOperand::Input(place) => inputs.get(*place)?,
                CostOperand::Output(place) => outputs.get(*place)?,
            };
            let tensor = ty.as_ref()?.as_tensor()?;
            let is_known =
                tensor.shape.run().is_none() && !tensor.shape.known_dims().contains(&Dim::Hole);
            // What counts are the sizes: operands may have dtypes of their own.
            let shape = Shape::known(tensor.shape.known_dims().to_vec());
            is_known.then(|| Type::from(Tensor::new(Dtype::F32, shape)))
        };
        let shapes: Option<Vec<Type>> = self.operands.iter().map(shape).collect();
        let count = || {
            let answer = self.signature.infer(&shapes?).ok()?;
            answer
                .outputs
                .first()?
                .as_tensor()?
                .shape
                .known_dims()
                .first()
                .cloned()
        };
        count().unwrap_or(Dim::Hole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_read() {
        let lines = MULTIPLY_ADDS.lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert_eq!(operators().len(), lines.count());
    }
}
