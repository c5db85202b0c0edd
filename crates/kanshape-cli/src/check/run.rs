//! `check --run`: a model run with onnxruntime. Which sizes are tried and what is compared is decided in the package for Python ([`Report.verify`](../../../kanshape-python/python/kanshape/_verify.py)): this starts it and reads its result.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use kanshape::{Diagnostic, Dim, Shape, Type};
use kanshape_batch::model::runs::Runs;
use kanshape_onnx::{Options, Report};
use serde::{Deserialize, Serialize};

use crate::mistake;

/// The request to Python.
#[derive(Serialize)]
struct Request {
    model: String,
    options: RunFacts,
}

/// What is known of the model, as `kanshape.check` in Python takes it.
#[derive(Serialize)]
struct RunFacts {
    inputs: BTreeMap<String, String>,
    cuts: BTreeMap<String, String>,
    trust_annotations: bool,
}

/// What Python replies.
#[derive(Deserialize)]
#[serde(untagged)]
enum Reply {
    Refused { refused: String },
    Runs(Runs),
}

/// What comes of running the model in this file.
pub(super) fn run(
    name: &str,
    path: &Path,
    report: &Report<'_>,
    options: &Options,
) -> Result<Runs, Diagnostic> {
    let fail = |why: String| mistake::not_run(name, why);
    let request = Request {
        model: path.to_string_lossy().into_owned(),
        options: RunFacts {
            inputs: given(report),
            cuts: options
                .cuts
                .iter()
                .map(|(name, ty)| (name.clone(), ty.to_string()))
                .collect(),
            trust_annotations: options.trust_annotations,
        },
    };
    let python = std::env::var_os("KANSHAPE_PYTHON").unwrap_or_else(|| "python3".into());
    let shown = Path::new(&python).display().to_string();
    let mut child = Command::new(&python)
        .args(["-c", "from kanshape._verify import main; main()"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|why| fail(format!("`{shown}` can't be started: {why}")))?;
    let text = serde_json::to_vec(&request).unwrap_or_default();
    // What ends without reading it says why.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(&text);
    }
    let done = child
        .wait_with_output()
        .map_err(|why| fail(why.to_string()))?;
    match serde_json::from_slice(&done.stdout) {
        Ok(Reply::Runs(runs)) => Ok(runs),
        Ok(Reply::Refused { refused }) => Err(fail(refused)),
        Err(_) => {
            let errors = String::from_utf8_lossy(&done.stderr);
            let last = errors.lines().rev().find(|line| !line.trim().is_empty());
            Err(fail(
                last.unwrap_or("Python has printed nothing").to_owned(),
            ))
        }
    }
}

/// The types of the inputs, with names for the dims that were free before anything was found out: what has been found of them is to be tried.
fn given(report: &Report<'_>) -> BTreeMap<String, String> {
    let inputs = report.inputs.iter().map(|(name, ty)| {
        let own = report.free.iter().filter(|free| free.input == **name);
        let Some(tensor) = ty.as_tensor().filter(|own| own.shape.run().is_none()) else {
            return (name.to_string(), ty.to_string());
        };
        let mut dims = tensor.shape.known_dims().to_vec();
        for free in own {
            if let Some(dim) = dims.get_mut(free.axis) {
                *dim = Dim::Name(free.name.clone());
            }
        }
        let mut tensor = tensor.clone();
        tensor.shape = Shape::known(dims);
        (name.to_string(), Type::from(tensor).to_string())
    });
    inputs.collect()
}

/// The runs, as text.
pub(super) fn shown(runs: &Runs, text: &mut String) {
    use std::fmt::Write as _;
    let other = match runs.differences.len() {
        0 => "all as predicted".to_owned(),
        1 => "1 differs from the prediction".to_owned(),
        count => format!("{count} differ from the prediction"),
    };
    let _ = writeln!(
        text,
        "run {} times with onnxruntime, {} completed: {other}",
        runs.count, runs.finished
    );
    for one in &runs.differences {
        let inputs = one.inputs.iter().map(|(name, ty)| format!("{name} {ty}"));
        let inputs = inputs.collect::<Vec<_>>().join(", ");
        let came = match one.error {
            Some(_) => "did not run",
            None => "ran",
        };
        let _ = writeln!(text, "  {inputs}: {}, {came}", one.predicted);
        for line in &one.lines {
            let _ = writeln!(text, "      {line}");
        }
    }
}
