//! A report as one line of JSON. Fields are only ever added.

use kanshape::explain::Sizes;
use kanshape::{Diagnostic, Type, Verdict};
use kanshape_onnx::{Agreement, Model, Place, Report, Required, Requirement, Under, When};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use super::cost;
use super::named::named;
use super::nodes::{bodies, nodes};
use super::runs::Runs;
use super::select::{Only, Select};
use super::summary::SummaryJson;
use crate::type_json::{TypeJson, TypesAs};

/// What has been found out of a model, as a line; and what came of runs, if it was run.
pub fn report(
    name: &str,
    model: &Model<'_>,
    report: &Report<'_>,
    select: &Select,
    runs: Option<&Runs>,
) -> String {
    line(&ModelJson {
        runs,
        ..ModelJson::new(name, model, report, select)
    })
}

/// A model as one line of the signature language, with what it is made of.
pub fn signature(name: &str, signature: &str, report: &Report<'_>, types: TypesAs) -> String {
    line(&SignatureJson {
        name,
        signature,
        report,
        types,
    })
}

/// A file that is no model, or can't be read.
pub fn unread(name: &str, why: &Diagnostic) -> String {
    #[derive(Serialize)]
    struct UnreadLine<'a> {
        model: &'a str,
        verdict: &'a str,
        problems: [ProblemJson<'a>; 1],
    }
    line(&UnreadLine {
        model: name,
        verdict: "unknown",
        problems: [ProblemJson {
            diagnostic: why,
            node: None,
        }],
    })
}

fn line(value: &impl Serialize) -> String {
    // Nothing in it can fail to be written.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}

/// What has been found out of a model, as an object.
pub struct ModelJson<'a> {
    name: &'a str,
    model: &'a Model<'a>,
    report: &'a Report<'a>,
    select: &'a Select,
    runs: Option<&'a Runs>,
}

impl<'a> ModelJson<'a> {
    /// The parts of a report that were requested.
    pub fn new(
        name: &'a str,
        model: &'a Model<'a>,
        report: &'a Report<'a>,
        select: &'a Select,
    ) -> ModelJson<'a> {
        ModelJson {
            name,
            model,
            report,
            select,
            runs: None,
        }
    }
}

impl Serialize for ModelJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ModelJson {
            name,
            model,
            report,
            select,
            runs,
        } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("model", name)?;
        map.serialize_entry("verdict", word(report.verdict))?;
        nonempty(&mut map, report)?;
        match select.only {
            None => {
                let is_value = |name: &str| {
                    select.value.is_empty() || select.value.iter().any(|p| p.fits(name))
                };
                types(&mut map, report, select.types, is_value)?;
                conditions(&mut map, report)?;
                open(&mut map, report)?;
                assumed(&mut map, report)?;
                problems(&mut map, report)?;
            }
            Some(Only::Errors) => problems(&mut map, report)?,
            Some(Only::Conditions) => conditions(&mut map, report)?,
            Some(Only::Open) => open(&mut map, report)?,
        }
        if select.bytes {
            map.serialize_entry("bytes", &cost::json(model, report))?;
        }
        if select.summary {
            map.serialize_entry("summary", &SummaryJson::of(model))?;
        }
        if select.declared {
            let declared = each(&report.declared, |one| DeclaredJson {
                name: &one.name,
                declared: TypeJson(&one.declared, select.types),
                found: TypeJson(&one.found, select.types),
                agreement: agreement(one.agreement),
            });
            map.serialize_entry("declared", &declared)?;
        }
        if select.asks_for_nodes() {
            map.serialize_entry("nodes", &nodes(model, select))?;
        }
        if select.bodies {
            map.serialize_entry("bodies", &bodies(model))?;
        }
        if select.type_data {
            map.serialize_entry("types", &NamedTypes::all(&report.values, TypesAs::Data))?;
        }
        if select.names {
            map.serialize_entry("names", &named(report))?;
        }
        if select.signature {
            map.serialize_entry("signature", &kanshape_onnx::signature(report))?;
        }
        if let Some(runs) = runs {
            map.serialize_entry("runs", runs)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct DeclaredJson<'a> {
    name: &'a str,
    declared: TypeJson<'a>,
    found: TypeJson<'a>,
    agreement: &'static str,
}

struct SignatureJson<'a> {
    name: &'a str,
    signature: &'a str,
    report: &'a Report<'a>,
    types: TypesAs,
}

impl Serialize for SignatureJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.report;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("model", self.name)?;
        map.serialize_entry("verdict", word(report.verdict))?;
        nonempty(&mut map, report)?;
        map.serialize_entry("signature", self.signature)?;
        map.serialize_entry("inputs", &NamedTypes::all(&report.inputs, self.types))?;
        map.serialize_entry("outputs", &NamedTypes::all(&report.outputs, self.types))?;
        conditions(&mut map, report)?;
        problems(&mut map, report)?;
        map.end()
    }
}

/// What has been found out of a graph, as an object.
pub struct GraphJson<'a> {
    /// What was found.
    pub report: &'a Report<'a>,
    /// How types are written.
    pub types: TypesAs,
}

impl Serialize for GraphJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let report = self.report;
        map.serialize_entry("verdict", word(report.verdict))?;
        types(&mut map, report, self.types, |_| true)?;
        conditions(&mut map, report)?;
        open(&mut map, report)?;
        problems(&mut map, report)?;
        map.end()
    }
}

fn types<M: SerializeMap>(
    map: &mut M,
    report: &Report<'_>,
    form: TypesAs,
    is_value: impl Fn(&str) -> bool,
) -> Result<(), M::Error> {
    map.serialize_entry("inputs", &NamedTypes::all(&report.inputs, form))?;
    map.serialize_entry("outputs", &NamedTypes::all(&report.outputs, form))?;
    let values = report.values.iter().filter(|(name, _)| is_value(name));
    map.serialize_entry("values", &NamedTypes(values.collect(), form))
}

/// Where it was assumed that no size is 0, it says so; and where only operators are missing, what the verdict is otherwise.
fn nonempty<M: SerializeMap>(map: &mut M, report: &Report<'_>) -> Result<(), M::Error> {
    if report.nonempty {
        map.serialize_entry("nonempty", &true)?;
    }
    match report.lacks_only_operators() {
        true => map.serialize_entry("otherwise", word(report.otherwise)),
        false => Ok(()),
    }
}

fn conditions<M: SerializeMap>(map: &mut M, report: &Report<'_>) -> Result<(), M::Error> {
    let texts = report.conditions.iter();
    let texts: Vec<String> = texts.map(in_words).collect();
    map.serialize_entry("where", &texts)?;
    let cases = kanshape_onnx::cases(&report.conditions);
    if cases.iter().any(|case| !case.under.is_empty()) {
        map.serialize_entry(
            "cases",
            &each(&cases, |case| CaseJson {
                when: (!case.under.is_empty()).then(|| case.when()),
                conditions: each(&case.conditions, |one| one.condition.to_string()),
            }),
        )?;
    }
    map.serialize_entry(
        "conditions",
        &each(&report.conditions, |c| ConditionJson {
            condition: c.condition.to_string(),
            names: names(&c.condition),
            under: each(&c.under, UnderJson),
            demands: c.demands,
            unless_empty: c.unless_empty,
            node: c.node.as_ref().map(PlaceJson),
            others: each(&c.others, PlaceJson),
            holds: c.holds.as_ref().map(SizesJson),
            fails: c.fails.as_ref().map(SizesJson),
            allowed: c.allowed.as_ref().map(|(name, allowed)| AllowedJson {
                name: name.as_str(),
                ranges: each(&allowed.first, |range| [*range.start(), *range.end()]),
                repeated: allowed.repeated,
                every: allowed.period,
            }),
        }),
    )
}

fn open<M: SerializeMap>(map: &mut M, report: &Report<'_>) -> Result<(), M::Error> {
    map.serialize_entry(
        "dims",
        &each(&report.dims, |dim| DimJson {
            name: dim.name.as_str(),
            value: &dim.value,
            axis: dim.axis,
            node: dim.node.as_ref().map(PlaceJson),
            depends_on: dim.depends_on.iter().map(|n| n.as_str()).collect(),
        }),
    )
}

/// What the program that the model was assumes of sizes. Models of ONNX have none of it.
fn assumed<M: SerializeMap>(map: &mut M, report: &Report<'_>) -> Result<(), M::Error> {
    if report.assumed.is_empty() {
        return Ok(());
    }
    map.serialize_entry(
        "assumed",
        &each(&report.assumed, |one| AssumedJson {
            input: &one.input,
            axis: one.axis,
            name: one.name.as_str(),
            how: one.how.word(),
            assumes: one.assumes.to_string(),
            requires: each(&one.requires, ToString::to_string),
            example: SizesJson(&one.example),
        }),
    )
}

#[derive(Serialize)]
struct AssumedJson<'a> {
    input: &'a str,
    axis: usize,
    name: &'a str,
    how: &'static str,
    assumes: String,
    requires: Vec<String>,
    example: SizesJson<'a>,
}

fn problems<M: SerializeMap>(map: &mut M, report: &Report<'_>) -> Result<(), M::Error> {
    map.serialize_entry(
        "untyped",
        &each(&report.untyped, |one| UntypedJson {
            name: &one.place.node,
            op: &one.place.op,
            index: one.place.index,
            why: &one.why,
            missing: one.is_missing,
            declared: &one.declared,
        }),
    )?;
    map.serialize_entry(
        "problems",
        &each(&report.problems, |p| ProblemJson {
            diagnostic: &p.diagnostic,
            node: p.node.as_ref(),
        }),
    )
}

/// Names and types, in their order.
struct NamedTypes<'a>(Vec<&'a (Cow<'a, str>, Arc<Type>)>, TypesAs);

impl<'a> NamedTypes<'a> {
    fn all(all: &'a [(Cow<'a, str>, Arc<Type>)], form: TypesAs) -> NamedTypes<'a> {
        NamedTypes(all.iter().collect(), form)
    }
}

impl Serialize for NamedTypes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, ty) in &self.0 {
            map.serialize_entry(name, &TypeJson(ty, self.1))?;
        }
        map.end()
    }
}

/// Each of several things as something that can be written.
fn each<'a, T, J>(all: &'a [T], one: impl Fn(&'a T) -> J) -> Vec<J> {
    all.iter().map(one).collect()
}

/// A verdict in a word.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Always => "always",
        Verdict::Depends => "depends",
        Verdict::Never => "never",
        Verdict::Unknown => "unknown",
    }
}

/// What a declared type is beside the one that was found.
pub fn agreement(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Same => "same",
        Agreement::Found => "says less",
        Agreement::Declared => "says more",
        Agreement::Both => "says other",
        Agreement::Contradicted => "contradicted",
    }
}

#[derive(Serialize)]
struct ConditionJson<'a> {
    condition: String,
    /// The names of sizes in it.
    names: BTreeSet<String>,
    /// The bodies in which it has to hold.
    under: Vec<UnderJson<'a>>,
    demands: bool,
    /// It is required only if the node's output has elements.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unless_empty: bool,
    node: Option<PlaceJson<'a>>,
    /// Other nodes that require a part of it.
    others: Vec<PlaceJson<'a>>,
    /// Sizes for which it holds, and for which it does not.
    holds: Option<SizesJson<'a>>,
    fails: Option<SizesJson<'a>>,
    /// The sizes for which this and the conditions before it on the same name hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<AllowedJson<'a>>,
}

#[derive(Serialize)]
struct AllowedJson<'a> {
    name: &'a str,
    /// From and to.
    ranges: Vec<[u64; 2]>,
    /// How many of the ranges, the last ones, are met again.
    repeated: usize,
    /// How far it is to where they are met again.
    every: Option<u64>,
}

/// Conditions that have to hold under the same bodies.
#[derive(Serialize)]
struct CaseJson {
    when: Option<String>,
    conditions: Vec<String>,
}

/// The names of sizes in a condition.
fn names(required: &Required) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    required.for_each_name(&mut |name| {
        names.insert(name.to_owned());
    });
    names
}

/// A condition, with the bodies in which it has to hold.
fn in_words(one: &Requirement) -> String {
    let mut text = one.condition.to_string();
    for under in &one.under {
        let _ = write!(text, " {under}");
    }
    text
}

/// A body that may not be run.
struct UnderJson<'a>(&'a Under);

impl Serialize for UnderJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Under {
            node,
            body,
            when,
            says,
        } = self.0;
        let (when, value, is) = match when {
            When::Is(value, is) => ("is", Some(value), Some(is)),
            When::Each => ("each", None, None),
            When::First => ("first", None, None),
            When::Later => ("later", None, None),
            When::Member => ("member", None, None),
            When::Sometimes => ("sometimes", None, None),
        };
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("node", &PlaceJson(node))?;
        map.serialize_entry("body", body)?;
        map.serialize_entry("when", when)?;
        map.serialize_entry("value", &value)?;
        map.serialize_entry("is", &is)?;
        map.serialize_entry("says", &says.as_ref().map(|says| &says.text))?;
        map.end()
    }
}

/// `{"n":3}`.
struct SizesJson<'a>(&'a Sizes);

impl Serialize for SizesJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sizes = self.0.0.iter();
        serializer.collect_map(sizes.map(|(name, size)| (&**name, size)))
    }
}

#[derive(Serialize)]
struct DimJson<'a> {
    name: &'a str,
    value: &'a str,
    axis: usize,
    node: Option<PlaceJson<'a>>,
    depends_on: Vec<&'a str>,
}

#[derive(Serialize)]
struct UntypedJson<'a> {
    name: &'a str,
    op: &'a str,
    index: usize,
    why: &'a str,
    missing: bool,
    declared: &'a [String],
}

/// A node.
pub struct PlaceJson<'a>(pub(crate) &'a Place);

impl Serialize for PlaceJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("name", &self.0.node)?;
        map.serialize_entry("op", &self.0.op)?;
        map.serialize_entry("index", &self.0.index)?;
        map.end()
    }
}

struct ProblemJson<'a> {
    diagnostic: &'a Diagnostic,
    node: Option<&'a Place>,
}

impl Serialize for ProblemJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", self.diagnostic.code)?;
        map.serialize_entry("severity", self.diagnostic.severity.name())?;
        map.serialize_entry("message", &self.diagnostic.headline)?;
        map.serialize_entry("node", &self.node.map(|place| &place.node))?;
        map.serialize_entry("op", &self.node.map(|place| &place.op))?;
        map.serialize_entry("index", &self.node.map(|place| place.index))?;
        map.serialize_entry("steps", &self.diagnostic.steps)?;
        map.serialize_entry("help", &self.diagnostic.help)?;
        map.end()
    }
}
