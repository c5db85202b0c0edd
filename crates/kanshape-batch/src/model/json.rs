//! A report as one line of JSON. Fields are only ever added.

use kanshape::explain::Sizes;
use kanshape::{Diagnostic, Type, Verdict};
use kanshape_onnx::{
    Agreement, Assumed, Model, OpenDim, Place, Problem, Report, Required, Requirement, Under,
    Untyped, When,
};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use super::cost::{self, BytesJson};
use super::named::{Spoken, named};
use super::nodes::{BodyJson, NodeJson, bodies, nodes};
use super::runs::Runs;
use super::select::{Only, Select};
use super::summary::SummaryJson;
use crate::type_json::{Object, TypeJson, TypesAs};

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
    #[derive(Serialize)]
    struct SignatureJson<'a> {
        #[serde(flatten)]
        head: HeadJson<'a>,
        signature: &'a str,
        inputs: Object<'a, TypeJson<'a>>,
        outputs: Object<'a, TypeJson<'a>>,
        #[serde(flatten)]
        conditions: ConditionsJson<'a>,
        #[serde(flatten)]
        problems: ProblemsJson<'a>,
    }
    line(&SignatureJson {
        head: HeadJson::of(name, report),
        signature,
        inputs: named_types(&report.inputs, types),
        outputs: named_types(&report.outputs, types),
        conditions: ConditionsJson::of(report),
        problems: ProblemsJson::of(report),
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
        verdict: Verdict::Unknown.name(),
        problems: [ProblemJson::of(why, None)],
    })
}

fn line(value: &impl Serialize) -> String {
    // Nothing in it can fail to be written.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The parts of what has been found out of a model that were requested.
#[derive(Serialize)]
pub struct ModelJson<'a> {
    #[serde(flatten)]
    head: HeadJson<'a>,
    #[serde(flatten)]
    types: Option<ValuesJson<'a>>,
    #[serde(flatten)]
    conditions: Option<ConditionsJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dims: Option<&'a [OpenDim]>,
    /// What the program that the model was assumes of sizes. Models of ONNX have none of it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    assumed: &'a [Assumed],
    #[serde(flatten)]
    problems: Option<ProblemsJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<BytesJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<Vec<DeclaredJson<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<NodeJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bodies: Option<Vec<BodyJson>>,
    #[serde(rename = "types", skip_serializing_if = "Option::is_none")]
    type_data: Option<Object<'a, TypeJson<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<BTreeMap<String, Spoken<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<&'a Runs>,
}

impl<'a> ModelJson<'a> {
    /// The parts of a report that were requested.
    pub fn new(
        name: &'a str,
        model: &'a Model<'_>,
        report: &'a Report<'_>,
        select: &Select,
    ) -> ModelJson<'a> {
        let is_whole = select.only.is_none();
        let has = |part| is_whole || select.only == Some(part);
        let is_value =
            |name: &str| select.value.is_empty() || select.value.iter().any(|p| p.fits(name));
        let declared = || {
            each(&report.declared, |one| DeclaredJson {
                name: &one.name,
                declared: TypeJson(&one.declared, select.types),
                found: TypeJson(&one.found, select.types),
                agreement: agreement(one.agreement),
            })
        };
        ModelJson {
            head: HeadJson::of(name, report),
            types: is_whole.then(|| ValuesJson::of(report, select.types, is_value)),
            conditions: has(Only::Conditions).then(|| ConditionsJson::of(report)),
            dims: has(Only::Open).then_some(&report.dims),
            assumed: if is_whole { &report.assumed } else { &[] },
            problems: has(Only::Errors).then(|| ProblemsJson::of(report)),
            bytes: select.bytes.then(|| cost::json(model, report)),
            summary: select.summary.then(|| SummaryJson::of(model)),
            declared: select.declared.then(declared),
            nodes: select.asks_for_nodes().then(|| nodes(model, select)),
            bodies: select.bodies.then(|| bodies(model)),
            type_data: (select.type_data).then(|| named_types(&report.values, TypesAs::Data)),
            names: select.names.then(|| named(report)),
            signature: (select.signature).then(|| kanshape_onnx::signature(report)),
            runs: None,
        }
    }
}

/// What has been found out of a graph, as an object.
#[derive(Serialize)]
pub struct GraphJson<'a> {
    verdict: &'static str,
    #[serde(flatten)]
    types: ValuesJson<'a>,
    #[serde(flatten)]
    conditions: ConditionsJson<'a>,
    dims: &'a [OpenDim],
    #[serde(flatten)]
    problems: ProblemsJson<'a>,
}

impl<'a> GraphJson<'a> {
    /// What was found, with types that are written so.
    pub fn of(report: &'a Report<'_>, types: TypesAs) -> GraphJson<'a> {
        GraphJson {
            verdict: report.verdict.name(),
            types: ValuesJson::of(report, types, |_| true),
            conditions: ConditionsJson::of(report),
            dims: &report.dims,
            problems: ProblemsJson::of(report),
        }
    }
}

#[derive(Serialize)]
struct HeadJson<'a> {
    model: &'a str,
    verdict: &'static str,
    /// It was assumed that no size is 0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    nonempty: bool,
    /// Where only operators are missing: the verdict if these give what the model declares of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    otherwise: Option<&'static str>,
}

impl<'a> HeadJson<'a> {
    fn of(model: &'a str, report: &Report<'_>) -> HeadJson<'a> {
        HeadJson {
            model,
            verdict: report.verdict.name(),
            nonempty: report.nonempty,
            otherwise: (report.lacks_only_operators()).then(|| report.otherwise.name()),
        }
    }
}

#[derive(Serialize)]
struct ValuesJson<'a> {
    inputs: Object<'a, TypeJson<'a>>,
    outputs: Object<'a, TypeJson<'a>>,
    values: Object<'a, TypeJson<'a>>,
}

impl<'a> ValuesJson<'a> {
    fn of(
        report: &'a Report<'_>,
        form: TypesAs,
        is_value: impl Fn(&str) -> bool,
    ) -> ValuesJson<'a> {
        let values = report.values.iter().filter(|(name, _)| is_value(name));
        ValuesJson {
            inputs: named_types(&report.inputs, form),
            outputs: named_types(&report.outputs, form),
            values: named_types(values, form),
        }
    }
}

#[derive(Serialize)]
struct DeclaredJson<'a> {
    name: &'a str,
    declared: TypeJson<'a>,
    found: TypeJson<'a>,
    agreement: &'static str,
}

#[derive(Serialize)]
struct ConditionsJson<'a> {
    /// As texts.
    #[serde(rename = "where")]
    texts: Vec<String>,
    /// By the bodies in which they have to hold, if there are such bodies.
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<Vec<CaseJson>>,
    conditions: Vec<ConditionJson<'a>>,
}

impl<'a> ConditionsJson<'a> {
    fn of(report: &'a Report<'_>) -> ConditionsJson<'a> {
        let cases = kanshape_onnx::cases(&report.conditions);
        let has_bodies = cases.iter().any(|case| !case.under.is_empty());
        let cases = has_bodies.then(|| {
            each(&cases, |case| CaseJson {
                when: (!case.under.is_empty()).then(|| case.when()),
                conditions: each(&case.conditions, |one| one.condition.to_string()),
            })
        });
        ConditionsJson {
            texts: each(&report.conditions, in_words),
            cases,
            conditions: each(&report.conditions, ConditionJson::of),
        }
    }
}

#[derive(Serialize)]
struct ProblemsJson<'a> {
    untyped: &'a [Untyped],
    problems: Vec<ProblemJson<'a>>,
}

impl<'a> ProblemsJson<'a> {
    fn of(report: &'a Report<'_>) -> ProblemsJson<'a> {
        ProblemsJson {
            untyped: &report.untyped,
            problems: each(&report.problems, |Problem { diagnostic, node }| {
                ProblemJson::of(diagnostic, node.as_ref())
            }),
        }
    }
}

/// Names and types, in their order.
fn named_types<'a>(
    all: impl IntoIterator<Item = &'a (Cow<'a, str>, Arc<Type>)>,
    form: TypesAs,
) -> Object<'a, TypeJson<'a>> {
    let all = all.into_iter();
    Object(
        all.map(|(name, ty)| (&**name, TypeJson(ty, form)))
            .collect(),
    )
}

/// Each of several things as something that can be written.
fn each<'a, T, J>(all: &'a [T], one: impl Fn(&'a T) -> J) -> Vec<J> {
    all.iter().map(one).collect()
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
    node: Option<&'a Place>,
    /// Other nodes that require a part of it.
    others: &'a [Place],
    /// Sizes for which it holds, and for which it does not.
    holds: Option<&'a Sizes>,
    fails: Option<&'a Sizes>,
    /// The sizes for which this and the conditions before it on the same name hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<AllowedJson<'a>>,
}

impl<'a> ConditionJson<'a> {
    fn of(one: &'a Requirement) -> ConditionJson<'a> {
        ConditionJson {
            condition: one.condition.to_string(),
            names: names(&one.condition),
            under: each(&one.under, UnderJson::of),
            demands: one.demands,
            unless_empty: one.unless_empty,
            node: one.node.as_ref(),
            others: &one.others,
            holds: one.holds.as_ref(),
            fails: one.fails.as_ref(),
            allowed: one.allowed.as_ref().map(|(name, allowed)| AllowedJson {
                name,
                ranges: each(&allowed.first, |range| [*range.start(), *range.end()]),
                repeated: allowed.repeated,
                every: allowed.period,
            }),
        }
    }
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
#[derive(Serialize)]
struct UnderJson<'a> {
    node: &'a Place,
    body: &'a str,
    /// `is`, `each`, `first`, `later`, `member` or `sometimes`.
    when: &'static str,
    value: Option<&'a str>,
    is: Option<bool>,
    says: Option<&'a str>,
}

impl<'a> UnderJson<'a> {
    fn of(under: &'a Under) -> UnderJson<'a> {
        let (when, value, is) = match &under.when {
            When::Is(value, is) => ("is", Some(&**value), Some(*is)),
            When::Each => ("each", None, None),
            When::First => ("first", None, None),
            When::Later => ("later", None, None),
            When::Member => ("member", None, None),
            When::Sometimes => ("sometimes", None, None),
        };
        UnderJson {
            node: &under.node,
            body: &under.body,
            when,
            value,
            is,
            says: under.says.as_ref().map(|says| &*says.text),
        }
    }
}

#[derive(Serialize)]
struct ProblemJson<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    node: Option<&'a str>,
    op: Option<&'a str>,
    index: Option<usize>,
    steps: &'a [String],
    help: &'a [String],
}

impl<'a> ProblemJson<'a> {
    fn of(diagnostic: &'a Diagnostic, node: Option<&'a Place>) -> ProblemJson<'a> {
        ProblemJson {
            code: diagnostic.code,
            severity: diagnostic.severity.name(),
            message: &diagnostic.headline,
            node: node.map(|place| &*place.node),
            op: node.map(|place| &*place.op),
            index: node.map(|place| place.index),
            steps: &diagnostic.steps,
            help: &diagnostic.help,
        }
    }
}
