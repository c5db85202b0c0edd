//! The order of what was found: what a user of ONNX would look for first.

use kanshape::Operator;

use super::{Find, Found, Operand};

/// Operators that move data, the ones that are met most in models first.
const MOVES: &[&str] = &[
    "identity",
    "transpose",
    "flatten",
    "unsqueeze",
    "squeeze",
    "reshape",
    "concat",
    "cast",
    "slice",
    "split",
    "expand",
    "tile",
    "shape",
    "depthtospace",
    "spacetodepth",
];

/// Operators that calculate, the ones that are met most first.
const COMMON: &[&str] = &[
    "matmul",
    "gemm",
    "conv",
    "add",
    "mul",
    "sub",
    "div",
    "relu",
    "softmax",
    "sigmoid",
    "tanh",
    "gelu",
    "layernormalization",
    "batchnormalization",
    "reducemean",
    "reducesum",
    "reducemax",
    "globalaveragepool",
    "globalmaxpool",
    "argmax",
    "sqrt",
    "exp",
    "log",
    "pow",
    "erf",
    "clip",
    "leakyrelu",
    "elu",
    "logsoftmax",
    "abs",
    "neg",
    "where",
    "equal",
    "greater",
    "less",
    "not",
    "and",
    "or",
    "isnan",
    "max",
    "min",
    "sum",
    "mean",
    "reciprocal",
    "floor",
    "ceil",
    "round",
    "sin",
    "cos",
    "hardswish",
    "hardsigmoid",
    "softplus",
    "swish",
    "mish",
    "selu",
    "reducemin",
    "reduceprod",
    "argmin",
    "einsum",
    "convtranspose",
    "instancenormalization",
    "groupnormalization",
    "rmsnormalization",
    "dropout",
    "size",
    "range",
    "cumsum",
];

/// Operators that pad, sample and index.
const INDEXING: &[&str] = &[
    "pad",
    "resize",
    "maxpool",
    "averagepool",
    "gather",
    "onehot",
    "topk",
    "gatherelements",
    "scatternd",
    "scatterelements",
    "gathernd",
    "trilu",
    "nonzero",
];

/// Of a call, the smallest is the first: how many operators it has, whose they are, the operands of which a type is all that is
/// known, what kind of operator it is, the attributes and constants that it needs, and how common it is.
type RankKey = (usize, usize, usize, usize, usize, usize);

impl Find<'_> {
    /// Sorts what was found.
    pub(super) fn sort(&self, found: &mut [Found]) {
        found.sort_by_cached_key(|one| self.key(one));
    }

    fn key(&self, found: &Found) -> RankKey {
        let (group, common) = self.place(found);
        let mut key = (1, self.domain(found), 0, group, found.attrs.len(), common);
        for operand in found.inputs.iter().flatten() {
            match operand {
                Operand::Given(..) => {}
                Operand::Further(ty) if super::is_constant(ty) => key.4 += 1,
                Operand::Further(_) => key.2 += 1,
                Operand::Made(made) => {
                    let own = self.key(made);
                    key.0 += own.0;
                    key.1 = key.1.max(own.1);
                    key.2 += own.2;
                    key.3 = key.3.max(own.3);
                    key.4 += own.4;
                    key.5 += own.5;
                }
            }
        }
        key
    }

    /// The domains of the query come in their order; else ONNX comes first, then its other domains, what belongs to no
    /// domain, and the rest.
    fn domain(&self, found: &Found) -> usize {
        let domain = found.op.rsplit_once("::").map_or("", |own| own.0);
        let is = |op: &String| op == domain || short(op) == domain;
        if let Some(place) = self.ops.iter().position(is) {
            return place;
        }
        let own = match domain {
            "onnx" => 0,
            own if own.starts_with("ai.onnx") || own.starts_with("onnx") => 1,
            "" => 2,
            _ => 3,
        };
        self.ops.len() + own
    }

    /// The kind of an operator and its place among those of its kind. To make a type of the same type, data is not moved.
    fn place(&self, found: &Found) -> (usize, usize) {
        let name = found.op.rsplit_once("::").map_or(&*found.op, |own| own.1);
        let name = name.rsplit_once('.').map_or(name, |own| own.1);
        let name: String = name.chars().filter(|c| *c != '_').collect();
        let name = name.to_ascii_lowercase();
        let is_same = self.inputs.contains(&self.output);
        let groups = match is_same {
            true => [COMMON, MOVES, INDEXING],
            false => [MOVES, COMMON, INDEXING],
        };
        let place = |list: &[&str]| list.iter().position(|own| *own == name);
        let mut found = groups.iter().enumerate();
        found
            .find_map(|(group, list)| Some((group, place(list)?)))
            .unwrap_or((groups.len(), 0))
    }
}

/// A domain as it stands in names.
fn short(domain: &str) -> &str {
    match domain {
        "ai.onnx" => "onnx",
        own => own,
    }
}

/// Those with the fewest operands and attributes first, which are searched fastest.
pub(super) fn by_size(operators: &mut [Operator]) {
    operators.sort_by_key(|own| (own.inputs().count(), own.attributes().count()));
}
