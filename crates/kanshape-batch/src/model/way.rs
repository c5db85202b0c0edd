//! Where a size comes from, as a line of JSON. Fields are only ever added.

use kanshape::graph::Site;
use kanshape_onnx::{Cause, Place, Report, Requirement, Spot, Step, Way};
use serde::Serialize;

/// The question, and the answer to it.
pub struct WayAnswer<'f> {
    /// `logits:1`.
    pub spot: &'f str,
    /// Where each size of it comes from.
    pub ways: Vec<Way>,
    /// What was found out of the model.
    pub report: Report<'f>,
}

/// The conditions on a size: those that speak of one of its names, or say what an input's size is.
pub fn conditions<'f>(way: &Way, report: &'f Report<'_>) -> Vec<&'f Requirement> {
    let Some(first) = way.steps.first() else {
        return Vec::new();
    };
    let Ok(size) = first.at.size.parse::<kanshape::Dim>() else {
        return Vec::new();
    };
    let mut names = Vec::new();
    match &size {
        kanshape::Dim::Name(name) => names.push(name.to_string()),
        kanshape::Dim::Expr(e) => e.for_each_name(&mut |name| names.push(name.to_owned())),
        _ => {}
    }
    let speaks_of = |one: &&Requirement| {
        let mut is = false;
        one.condition
            .for_each_name(&mut |name| is |= names.iter().any(|own| own == name));
        is
    };
    report.conditions.iter().filter(speaks_of).collect()
}

#[derive(Serialize)]
struct WayLine<'a> {
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
    nodes: Vec<&'a Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<SpotJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Box<CauseJson<'a>>>,
}

/// The ways as a line.
pub fn line(model: &str, found: &WayAnswer<'_>) -> String {
    // Nothing in it can fail to be written.
    let mut text = serde_json::to_string(&found.json(model)).unwrap_or_default();
    text.push('\n');
    text
}

impl WayAnswer<'_> {
    /// The same as an object.
    pub(crate) fn json<'j>(&'j self, model: &'j str) -> impl Serialize {
        let dims = self.ways.iter().map(|way| WayJson {
            axis: way.steps.first().and_then(|step| spot(&step.at).axis),
            size: way.steps.first().map_or("?", |step| &step.at.size),
            steps: way.steps.iter().map(step).collect(),
            complete: !way.is_cut,
            conditions: texts(way, self),
        });
        WayLine {
            model,
            value: self.spot,
            dims: dims.collect(),
        }
    }
}

fn texts(way: &Way, found: &WayAnswer<'_>) -> Vec<String> {
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
        nodes: nodes.into_iter().collect(),
        from: Vec::new(),
        end: None,
    }
}
