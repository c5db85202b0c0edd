//! The memory that the values of a model take, and the multiplications that its nodes do, as data.

use kanshape::Dim;
use kanshape_onnx::{ASSUMED_SIZE, Cost, Model, Place, Report, cost};
use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub(super) struct BytesJson {
    weights: SizeJson,
    peak: Option<PeakJson>,
    /// Values whose size is not known.
    unknown: usize,
    /// By their names, in their order.
    #[serde(serialize_with = "by_name")]
    values: Vec<(String, Dim)>,
    multiply_adds: SizeJson,
    nodes: Vec<NodeCostJson>,
}

#[derive(Serialize)]
struct PeakJson {
    bytes: SizeJson,
    node: Place,
    /// The size of every name for which it is the most; null if there are no names.
    assumed_size: Option<u64>,
}

#[derive(Serialize)]
struct NodeCostJson {
    node: Place,
    multiply_adds: SizeJson,
}

fn by_name<S: Serializer>(values: &[(String, Dim)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(values.iter().map(|(name, n)| (name, SizeJson(n.clone()))))
}

/// A number, a text with names, or null if it is not known.
#[derive(Debug)]
pub(crate) struct SizeJson(pub(crate) Dim);

impl Serialize for SizeJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Dim::Hole => serializer.serialize_none(),
            size => match size.size() {
                Some(n) => serializer.serialize_u64(n),
                None => serializer.collect_str(size),
            },
        }
    }
}

/// What a model takes.
pub(super) fn json(model: &Model<'_>, report: &Report<'_>) -> BytesJson {
    let Cost {
        values,
        weights,
        peak,
        unknown,
        nodes,
        multiply_adds,
    } = cost(model, report);
    let nodes = nodes.into_iter();
    BytesJson {
        weights: SizeJson(weights),
        peak: peak.map(|peak| PeakJson {
            bytes: SizeJson(peak.bytes),
            node: peak.node,
            assumed_size: peak.is_assumed.then_some(ASSUMED_SIZE),
        }),
        unknown,
        values,
        multiply_adds: SizeJson(multiply_adds),
        nodes: nodes
            .map(|(node, n)| NodeCostJson {
                node,
                multiply_adds: SizeJson(n),
            })
            .collect(),
    }
}
