//! Every value of every model is what was recorded.

use crate::record::{Failed, Record, Run, Value};
use kanshape::graph::Graph;
use kanshape::{Type, Verdict, catalog, order};
use kanshape_onnx::{Model, Report, check};
use std::collections::BTreeMap;

/// Values whose types turn on what is in the inputs: models and values, and why not more can be said.
const OPEN: &[(&str, &str, &str)] = &[
    (
        "expand_shape_model",
        "Y",
        "the shape to expand to is an input",
    ),
    (
        "sequence_model8",
        "seq_1",
        "the sizes of the parts are an input",
    ),
    (
        "strnorm_model_monday",
        "y",
        "how many texts are left turns on the texts",
    ),
];

/// How many values are recorded, each for several sizes.
const ALL: usize = 6123;

/// What differs between what was found and what was recorded.
fn differences(record: &Record, run: &Run, found: &BTreeMap<&str, Type>) -> Vec<String> {
    let recorded = run.inputs.iter().chain(&run.values);
    recorded
        .filter_map(|(name, value)| difference(record, name, value, found.get(name.as_str())))
        .map(|what| format!("{} {:?} {what}", record.model, run.bindings))
        .collect()
}

fn difference(record: &Record, name: &str, value: &Value, found: Option<&Type>) -> Option<String> {
    let real = value.ty();
    let found = found.cloned().unwrap_or_default().with_contents(None);
    let open =
        |(model, value, _): &&(&str, &str, &str)| record.model.contains(model) && *value == name;
    let is_right = match OPEN.iter().find(open) {
        Some(_) => order::is_super(&found, &real) != Verdict::Never,
        // Of what is not in a sequence nothing has been recorded.
        None if value.is_empty() => found.parts().count() == 1,
        None => found == real,
    };
    (!is_right).then(|| format!("{name}: {found} is {real}"))
}

/// The values of a report. Where a name is met twice - an initializer that is an input as well - it is the same value.
fn values<'r>(report: &'r Report<'_>) -> BTreeMap<&'r str, Type> {
    let values = report.values.iter();
    values
        .map(|(name, ty)| (&**name, Type::clone(ty)))
        .collect()
}

fn assert_none(count: usize, wrong: &[String]) {
    let first = &wrong[..wrong.len().min(60)];
    assert!(
        wrong.is_empty(),
        "{} of {count}\n{}",
        wrong.len(),
        first.join("\n")
    );
}

#[test]
fn at_the_sizes_of_the_record() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (record, bytes) in Record::all() {
        let model = Model::read(&bytes).unwrap();
        for run in &record.runs {
            let report = check(&model, &record.at(&run.bindings));
            assert!(
                !report.has_errors(),
                "{}: {:?}",
                record.model,
                report.problems
            );
            wrong.extend(differences(&record, run, &values(&report)));
            count += run.inputs.len() + run.values.len();
        }
    }
    assert_eq!(count, ALL);
    assert_none(count, &wrong);
}

/// The types with these sizes for their names.
fn with_sizes<'r>(
    report: &'r Report<'_>,
    sizes: &BTreeMap<String, u64>,
) -> BTreeMap<&'r str, Type> {
    let mut graph = Graph::new(catalog());
    for (name, size) in sizes {
        let named = graph
            .value(&kanshape::shorthand::f32s([name
                .parse::<kanshape::Dim>()
                .unwrap()]))
            .unwrap();
        graph
            .assume(
                named,
                &kanshape::shorthand::f32s([kanshape::Dim::Size(*size)]),
            )
            .unwrap();
    }
    let values = report.values.iter();
    let values: Vec<_> = values
        .map(|(name, ty)| (&**name, graph.value(ty).unwrap()))
        .collect();
    let mut reading = graph.read();
    let found = values
        .into_iter()
        .map(|(name, value)| (name, reading.ty(value)));
    let mut found: BTreeMap<&str, Type> = found.collect();
    // Of a sequence in which nothing has a name, nothing is replaced; holes would get names of their own.
    for (name, ty) in &report.values {
        if ty.as_tensor().is_none() && ty.to_string().contains('?') {
            found.insert(name, Type::clone(ty));
        }
    }
    found
}

#[test]
fn with_names_that_are_replaced_by_the_sizes() {
    let mut wrong = Vec::new();
    for (record, bytes) in Record::all() {
        let model = Model::read(&bytes).unwrap();
        let report = check(&model, &record.named());
        assert!(
            !report.has_errors(),
            "{}: {:?}",
            record.model,
            report.problems
        );
        for run in &record.runs {
            wrong.extend(differences(
                &record,
                run,
                &with_sizes(&report, &run.bindings),
            ));
        }
    }
    assert_none(ALL, &wrong);
}

#[test]
fn sizes_for_which_a_model_does_not_run() {
    let by_itself = |failed: &&Failed| {
        // An operator that is not there in the runtime, or data that do not fit: these are no mistakes of the model.
        !failed.error.contains("NOT_IMPLEMENTED") && !failed.error.contains("SplitToSequence")
    };
    let mut count = 0;
    for (record, bytes) in Record::all() {
        let model = Model::read(&bytes).unwrap();
        for failed in record.failed.iter().filter(by_itself) {
            let report = check(&model, &record.at(&failed.bindings));
            assert_eq!(
                report.verdict,
                Verdict::Never,
                "{} {:?}",
                record.model,
                failed.bindings
            );
            assert!(report.has_errors());
            // With the name it is the condition that says so.
            let report = check(&model, &record.named());
            assert_eq!(report.verdict, Verdict::Depends, "{}", record.model);
            assert!(report.conditions.iter().any(|c| c.demands));
            count += 1;
        }
    }
    assert_eq!(count, 9);
}

/// What is in an input can be given like the type of any value: what is made of it is typed then.
#[test]
fn with_what_is_in_the_inputs() {
    let typed = |record: &Record, bytes: &[u8], name: &str, contents: &[u64]| {
        let members = contents.iter().map(|n| *n as i64);
        let ty = Type::tensor(
            kanshape::Dtype::I64,
            [kanshape::Dim::Size(contents.len() as u64)],
        )
        .with_contents(kanshape::Contents::new(members));
        let options = kanshape_onnx::Options {
            given: vec![(name.into(), ty)],
            ..record.at(&record.runs[0].bindings)
        };
        let model = Model::read(bytes).unwrap();
        let report = check(&model, &options);
        assert!(!report.has_errors(), "{:?}", report.problems);
        let values = values(&report);
        let real = record.runs[0].values.iter();
        for (name, real) in real {
            assert_eq!(values[name.as_str()].clone().with_contents(None), real.ty());
        }
    };
    let mut count = 0;
    for (record, bytes) in Record::all() {
        if record.model.contains("expand_shape_model") {
            // It is not recorded, but with what came out it gives that.
            let Value::Tensor { shape: real, .. } = &record.runs[0].values["Y"] else {
                unreachable!()
            };
            let Value::Tensor { shape, .. } = &record.runs[0].inputs["shape"] else {
                unreachable!()
            };
            let behind = real.len() - shape[0] as usize;
            typed(&record, &bytes, "shape", &real[behind..]);
            count += 1;
        }
        if record.model.contains("sequence_model8") {
            typed(&record, &bytes, "Splits", &[0, 0, 0]);
            count += 1;
        }
    }
    assert_eq!(count, 5);
}
