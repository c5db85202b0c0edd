//! Where a size comes from, as a line of JSON. Fields are only ever added.

use kanshape::graph::Site;
use kanshape_onnx::{Cause, Place, Spot, Step, Way};
use serde::Serialize;

use super::{Found, conditions};
use crate::check::json::PlaceJson;

#[derive(Serialize)]
struct Line<'a> {
    model: &'a str,
    value: &'a str,
    dims: Vec<WayJson<'a>>,
}

#[derive(Serialize)]
struct WayJson<'a> {
    axis: Option<usize>,
    size: &'a str,
    steps: Vec<StepJson<'a>>,
    complete: bool,
    #[serde(rename = "where")]
    conditions: Vec<String>,
}

#[derive(Serialize)]
struct StepJson<'a> {
    #[serde(flatten)]
    at: SpotJson<'a>,
    #[serde(flatten)]
    cause: CauseJson<'a>,
}

#[derive(Serialize)]
struct SpotJson<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<usize>,
    size: &'a str,
}

#[derive(Serialize)]
struct CauseJson<'a> {
    /// `input`, `constant`, `made`, `handed_on` or `computed`.
    kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<PlaceJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<SpotJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Box<CauseJson<'a>>>,
}

pub(super) fn line(model: &str, found: &Found<'_>) -> String {
    let dims = found.ways.iter().map(|way| WayJson {
        axis: way.steps.first().and_then(|step| spot(&step.at).axis),
        size: way.steps.first().map_or("?", |step| &step.at.size),
        steps: way.steps.iter().map(step).collect(),
        complete: !way.is_cut,
        conditions: texts(way, found),
    });
    let line = Line {
        model,
        value: found.spot,
        dims: dims.collect(),
    };
    // Nothing in it can fail to be written.
    let mut text = serde_json::to_string(&line).unwrap_or_default();
    text.push('\n');
    text
}

fn texts(way: &Way, found: &Found<'_>) -> Vec<String> {
    let conditions = conditions(way, &found.report).into_iter();
    conditions.map(|one| one.condition.to_string()).collect()
}

fn step(step: &Step) -> StepJson<'_> {
    StepJson {
        at: spot(&step.at),
        cause: cause(&step.cause),
    }
}

fn spot(spot: &Spot) -> SpotJson<'_> {
    let (axis, element) = match spot.site {
        Site::Dim(axis) => (Some(axis), None),
        Site::Element(k) => (None, Some(k)),
    };
    SpotJson {
        value: &spot.value,
        axis,
        element,
        size: &spot.size,
    }
}

fn cause(cause: &Cause) -> CauseJson<'_> {
    match cause {
        Cause::Input { required_by } => plain("input", required_by),
        Cause::Constant => plain("constant", []),
        Cause::Made { node } => plain("made", node),
        Cause::HandedOn { through, of, end } => CauseJson {
            from: vec![spot(of)],
            end: end.as_deref().map(|end| Box::new(self::cause(end))),
            ..plain("handed_on", through)
        },
        Cause::Computed { node, of } => CauseJson {
            from: of.iter().map(spot).collect(),
            ..plain("computed", node)
        },
    }
}

fn plain<'a>(kind: &'static str, nodes: impl IntoIterator<Item = &'a Place>) -> CauseJson<'a> {
    CauseJson {
        kind,
        nodes: nodes.into_iter().map(PlaceJson).collect(),
        from: Vec::new(),
        end: None,
    }
}
