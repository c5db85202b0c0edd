//! What is other, as a line of JSON. Fields are only ever added.

use kanshape_onnx::{Difference, NodeText, Place, Ports};
use serde::Serialize;

/// What differs, as an object.
#[derive(Serialize)]
pub struct Compared<'a> {
    a: &'a str,
    b: &'a str,
    same: bool,
    inputs: Option<[&'a [String]; 2]>,
    outputs: Option<[&'a [String]; 2]>,
    nodes: Vec<Pair<Option<NodeDiffJson<'a>>>>,
    values: Vec<ValueJson<'a>>,
    #[serde(rename = "where")]
    conditions: Pair<&'a [String]>,
    /// How many values are the same in both under other names.
    renamed: usize,
    /// Of models of different systems only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<SizeJson<'a>>,
}

#[derive(Serialize)]
struct SizeJson<'a> {
    value: &'a str,
    axis: usize,
    change: &'static str,
    a: String,
    b: String,
}

/// What the first model has, and what the second one has.
#[derive(Serialize)]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(Serialize)]
struct NodeDiffJson<'a> {
    node: &'a Place,
    text: &'a str,
}

#[derive(Serialize)]
struct ValueJson<'a> {
    name: &'a str,
    a: Option<String>,
    b: Option<String>,
}

impl<'a> Compared<'a> {
    /// The same of two models of these names.
    pub fn of([a, b]: &'a [String; 2], found: &'a Difference) -> Compared<'a> {
        let ports = |names: fn(&Ports) -> &[String]| {
            let [own, other] = found.ports.as_ref()?;
            let both = [names(own), names(other)];
            (both[0] != both[1]).then_some(both)
        };
        Compared {
            a,
            b,
            same: found.is_none(),
            inputs: ports(|p| &p.inputs),
            outputs: ports(|p| &p.outputs),
            nodes: found
                .nodes
                .iter()
                .map(|(a, b)| Pair {
                    a: node(a.as_ref()),
                    b: node(b.as_ref()),
                })
                .collect(),
            values: found
                .values
                .iter()
                .map(|(name, a, b)| ValueJson {
                    name,
                    a: a.as_ref().map(ToString::to_string),
                    b: b.as_ref().map(ToString::to_string),
                })
                .collect(),
            conditions: Pair {
                a: &found.conditions[0],
                b: &found.conditions[1],
            },
            renamed: found.renamed,
            sizes: found
                .sizes
                .iter()
                .map(|one| SizeJson {
                    value: &one.value,
                    axis: one.axis,
                    change: one.change.word(),
                    a: one.first.to_string(),
                    b: one.second.to_string(),
                })
                .collect(),
        }
    }
}

/// The same as a line.
pub fn line(names: &[String; 2], found: &Difference) -> String {
    // Nothing in it can fail to be written.
    let mut text = serde_json::to_string(&Compared::of(names, found)).unwrap_or_default();
    text.push('\n');
    text
}

fn node(node: Option<&NodeText>) -> Option<NodeDiffJson<'_>> {
    node.map(|node| NodeDiffJson {
        node: &node.place,
        text: &node.text,
    })
}
