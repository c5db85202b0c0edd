//! What a model is made of, by count.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kanshape_onnx::Model;
use serde::Serialize;

/// How often the graph of a model has which operator, the most frequent first.
pub fn operators(model: &Model<'_>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for node in model.each_node() {
        *counts.entry(node.place.op).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// What a model is made of.
#[derive(Serialize)]
pub(super) struct SummaryJson<'a> {
    producer: Option<String>,
    /// The version of the format, and what else the model says of itself.
    format: Option<i64>,
    properties: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    versions: BTreeMap<&'a str, u64>,
    operators: BTreeMap<String, usize>,
}

impl<'a> SummaryJson<'a> {
    pub(super) fn of(model: &'a Model<'_>) -> SummaryJson<'a> {
        let versions = model.versions();
        let versions = versions.map(|(domain, version)| match domain {
            "" => ("ai.onnx", version),
            domain => (domain, version),
        });
        SummaryJson {
            producer: model.producer(),
            format: model.format(),
            properties: model.properties(),
            versions: versions.collect(),
            operators: operators(model).into_iter().collect(),
        }
    }
}
