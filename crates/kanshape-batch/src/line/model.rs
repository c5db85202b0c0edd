//! A line as a question about a model that was given: what `check`, `signature`, `why` and `diff` say of it.

use std::collections::{BTreeMap, HashSet};
use std::io;

use kanshape::{Dim, Type};
use kanshape_onnx::{InputDim, Model, Options, Report, check, diff, why};
use kanshape_rewrite::extract;
use serde_json::value::RawValue;

use super::fields::Line;
use super::graph::{entries, types, wrong_kind};
use super::query::effort;
use super::reply::{ReplyHead, write_object};
use super::subjects::Subjects;
use super::value::{list, text, whole_text, yes};
use super::{Batch, LineError};
use crate::effort::Effort;
use crate::field::Field;
use crate::model::diff::Compared;
use crate::model::json::ModelJson;
use crate::model::select::Select;
use crate::model::way::WayAnswer;

/// The question of a line about a model.
pub(super) struct ModelQuestion {
    pub(super) name: String,
    pub(super) options: Options,
    about: About,
}

enum About {
    /// Its types, and these parts of the report.
    Report(Box<Select>),
    /// The same of the part of it between these values.
    Part(Box<Select>, Vec<String>, Vec<String>),
    /// Where a size comes from.
    Why(String),
    /// What is other in another model.
    Diff(String),
}

const PARTS: &str = "a list of \"nodes\", \"bodies\", \"types\", \"bytes\", \"declared\", \"names\", \"summary\" and \"signature\"";

/// Reads a line about a model.
pub(super) fn question(
    line: &Line<'_>,
    subjects: &Subjects,
    all: Effort,
) -> Result<ModelQuestion, LineError> {
    let Some(raw) = line.value(Field::Model) else {
        return Err(wrong_kind("model", "the name of a model"));
    };
    let name = whole_text(raw, Field::Model)?.into_owned();
    let own = effort(line, all)?;
    let mut options = Options {
        trust_annotations: yes(line, Field::TrustAnnotations)?,
        assume_nonempty: yes(line, Field::AssumeNonempty)?,
        relations: Some(subjects.relations().clone()),
        control: own.deadline(),
        budget: own.budget,
        ..Options::default()
    };
    if let Some(raw) = line.value(Field::Inputs) {
        options.inputs = types(raw, "inputs")?;
    }
    if let Some(raw) = line.value(Field::Given) {
        options.given = types(raw, "given")?;
    }
    if let Some(raw) = line.value(Field::Cut) {
        options.cuts = types(raw, "cut")?;
    }
    if let Some(raw) = line.value(Field::Dims) {
        options.dims = dims(raw)?;
    }
    if let Some(raw) = line.value(Field::Set) {
        for (name, raw) in entries(raw, "set", "an object of sizes by name")? {
            let place = format!("set.{name}");
            let size = raw.get().parse();
            let size = size.map_err(|_| wrong_kind(&place, "a natural number"))?;
            options.set.push((name.into_owned(), size));
        }
    }
    let about = match (line.value(Field::Why), line.value(Field::Diff)) {
        (Some(_), Some(_)) => return Err(wrong_kind("diff", "absent where there is a `why`")),
        (Some(raw), None) => About::Why(whole_text(raw, Field::Why)?.into_owned()),
        (None, Some(raw)) => About::Diff(whole_text(raw, Field::Diff)?.into_owned()),
        (None, None) => {
            let select = Box::new(parts(line)?);
            let (from, to) = (values(line, Field::From)?, values(line, Field::To)?);
            match (from, to) {
                (None, None) => About::Report(select),
                (from, to) => About::Part(select, from.unwrap_or_default(), to.unwrap_or_default()),
            }
        }
    };
    if let About::Report(select) | About::Part(select, ..) = &about {
        options.declared = select.declared;
    }
    Ok(ModelQuestion {
        name,
        options,
        about,
    })
}

/// Which parts of the report are wanted beside types, conditions and problems.
fn parts(line: &Line<'_>) -> Result<Select, LineError> {
    let mut select = Select::default();
    for raw in list(line, Field::Parts, PARTS)?.into_iter().flatten() {
        let wrong = || wrong_kind("parts", PARTS);
        match &*text(raw, Field::Parts, || "parts".into()).map_err(|_| wrong())? {
            "nodes" => select.nodes = true,
            "bodies" => select.bodies = true,
            "types" => select.type_data = true,
            "names" => select.names = true,
            "bytes" => select.bytes = true,
            "declared" => select.declared = true,
            "summary" => select.summary = true,
            "signature" => select.signature = true,
            _ => return Err(wrong()),
        }
    }
    Ok(select)
}

/// The names of values.
fn values(line: &Line<'_>, field: Field) -> Result<Option<Vec<String>>, LineError> {
    let all = list(line, field, "a list of the names of values")?;
    let read = all.map(|all| {
        let names = all.into_iter();
        let names = names.map(|raw| Ok(text(raw, field, || field.name().into())?.into_owned()));
        names.collect::<Result<_, LineError>>()
    });
    read.transpose()
}

/// `{"input:0": "N", "*:0": 8}`.
fn dims(raw: &RawValue) -> Result<Vec<InputDim>, LineError> {
    let mut dims = Vec::new();
    for (spot, raw) in entries(raw, "dims", "an object of dims by `INPUT:AXIS`")? {
        let place = format!("dims.{spot}");
        let wrong = || wrong_kind(&place, "a size or a dim as text, at an `INPUT:AXIS`");
        let (input, axis) = spot.rsplit_once(':').ok_or_else(wrong)?;
        let axis = axis.trim().parse().map_err(|_| wrong())?;
        let dim = match raw.get().parse() {
            Ok(size) => Dim::Size(size),
            Err(_) => {
                let text: String = serde_json::from_str(raw.get()).map_err(|_| wrong())?;
                // A number that is no size is no dim either.
                if text.trim().parse::<i128>().is_ok() {
                    return Err(wrong());
                }
                text.parse().map_err(|d| LineError::new(d, place.clone()))?
            }
        };
        dims.push(InputDim {
            input: input.trim().to_owned(),
            axis,
            dim,
        });
    }
    Ok(dims)
}

/// Answers a line about a model.
pub(super) fn answer(
    batch: &Batch,
    question: &ModelQuestion,
    out: &mut Vec<u8>,
    head: ReplyHead<'_>,
) -> Result<io::Result<()>, LineError> {
    let ModelQuestion {
        name,
        options: own,
        about,
    } = question;
    let read = |name, field| {
        let program = batch.model(name).map_err(|d| LineError::new(d, field))?;
        let model = Model::read(&program.model).map_err(|d| LineError::new(d, field))?;
        Ok::<_, LineError>((model, program.known(own)))
    };
    let (model, options) = read(name, "model")?;
    Ok(match about {
        About::Report(select) => {
            let mut report = check(&model, &options);
            if select.only.is_none() {
                let program = batch.model(name).map_err(|d| LineError::new(d, "model"))?;
                report.assumed = program.assumed(own);
            }
            let select = Select {
                types: batch.types,
                ..(**select).clone()
            };
            write_object(out, head, &ModelJson::new(name, &model, &report, &select))
        }
        About::Part(select, from, to) => {
            let program = batch.model(name).map_err(|d| LineError::new(d, "model"))?;
            let part = extract(&program.model, from, to, &options);
            let part = part.map_err(|d| LineError::new(d, "from"))?;
            let part = Model::read(&part)?;
            // What is given of the whole is in the types of its values.
            let whole = check(&model, &options);
            let mut own = Options {
                control: options.control.clone(),
                budget: options.budget,
                assume_nonempty: options.assume_nonempty,
                relations: options.relations.clone(),
                ..Options::default()
            };
            own.inputs = inputs_of(&check(&part, &own), &whole);
            let report = check(&part, &own);
            let select = Select {
                types: batch.types,
                ..(**select).clone()
            };
            write_object(out, head, &ModelJson::new(name, &part, &report, &select))
        }
        About::Why(spot) => {
            let (ways, report) =
                why(&model, &options, spot).map_err(|d| LineError::new(d, "why"))?;
            let found = WayAnswer { spot, ways, report };
            write_object(out, head, &found.json(name))
        }
        About::Diff(other) => {
            let (second, known) = read(other, "diff")?;
            let reports = [check(&model, &options), check(&second, &known)];
            let found = diff((&model, &reports[0]), (&second, &reports[1]));
            let names = [name.clone(), other.clone()];
            write_object(out, head, &Compared::of(&names, &found))
        }
    })
}

/// The inputs of a part of a model, with the types that they have in the whole.
fn inputs_of(part: &Report<'_>, whole: &Report<'_>) -> Vec<(String, Type)> {
    let names: HashSet<&str> = part.inputs.iter().map(|(name, _)| &**name).collect();
    let all = whole.inputs.iter().chain(&whole.values);
    let own = all.filter(|(name, _)| names.contains(&**name));
    let own: BTreeMap<&str, &Type> = own.map(|(name, ty)| (&**name, &**ty)).collect();
    own.into_iter()
        .map(|(name, ty)| (name.to_owned(), ty.clone()))
        .collect()
}
