//! The queries of the brute-force reading, and its answers.

use std::collections::BTreeMap;

/// A shape: every size a number.
pub type Shape = Vec<u64>;

/// One concrete solution of a signature.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ground {
    /// The shapes left of the arrow.
    pub inputs: Vec<Shape>,
    /// The shapes right of the arrow.
    pub outputs: Vec<Shape>,
    /// Declared parameters by label, and the lengths of runs written `.k.` by name.
    pub params: BTreeMap<String, u64>,
}

/// What is known of one shape: nothing, or its rank and some of its sizes.
pub type PartialShape = Option<Vec<Option<u64>>>;

/// What is known of a solution before it is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    /// One entry for each operand left of the arrow.
    pub inputs: Vec<PartialShape>,
    /// One entry for each operand right of the arrow.
    pub outputs: Vec<PartialShape>,
    /// The parameters that are known; the others are solved for.
    pub params: BTreeMap<String, u64>,
}

impl Partial {
    /// Nothing is known but how many operands there are.
    pub fn nothing(inputs: usize, outputs: usize) -> Self {
        Partial {
            inputs: vec![None; inputs],
            outputs: vec![None; outputs],
            params: BTreeMap::new(),
        }
    }

    /// Everything is known.
    pub fn everything(ground: &Ground) -> Self {
        let known = |shapes: &[Shape]| {
            shapes
                .iter()
                .map(|shape| Some(shape.iter().copied().map(Some).collect()))
                .collect()
        };
        Partial {
            inputs: known(&ground.inputs),
            outputs: known(&ground.outputs),
            params: ground.params.clone(),
        }
    }

    /// The same with each slot forgotten in turn, and once with all of them forgotten.
    pub fn each_hidden(&self) -> Vec<Partial> {
        let mut all = Vec::new();
        for at in 0..self.inputs.len() {
            let mut partial = self.clone();
            partial.inputs[at] = None;
            all.push(partial);
        }
        for at in 0..self.outputs.len() {
            let mut partial = self.clone();
            partial.outputs[at] = None;
            all.push(partial);
        }
        for label in self.params.keys() {
            let mut partial = self.clone();
            partial.params.remove(label);
            all.push(partial);
        }
        all.push(Partial::nothing(self.inputs.len(), self.outputs.len()));
        all
    }

    /// Whether a solution is an instance of what is known.
    pub fn admits(&self, ground: &Ground) -> bool {
        let shapes = |known: &[PartialShape], shapes: &[Shape]| {
            known.len() == shapes.len()
                && known.iter().zip(shapes).all(|(known, shape)| match known {
                    None => true,
                    Some(dims) => {
                        dims.len() == shape.len()
                            && dims
                                .iter()
                                .zip(shape)
                                .all(|(dim, size)| dim.is_none_or(|dim| dim == *size))
                    }
                })
        };
        shapes(&self.inputs, &ground.inputs)
            && shapes(&self.outputs, &ground.outputs)
            && self
                .params
                .iter()
                .all(|(label, value)| ground.params.get(label) == Some(value))
    }
}

/// Where an enumeration ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// No shape has more dims. The length of a run is part of a rank, so this bounds `.k.` too.
    pub max_rank: usize,
    /// No dim and no declared parameter is greater.
    pub max_dim: u64,
}

impl Bounds {
    /// Ranks up to `max_rank`, sizes and parameters up to `max_dim`.
    pub fn new(max_rank: usize, max_dim: u64) -> Self {
        Bounds { max_rank, max_dim }
    }
}

/// Whether concrete shapes satisfy a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// They do.
    Yes,
    /// They do not.
    No,
    /// The search was given up, or a number left the range of `i128`.
    TooBig,
}
