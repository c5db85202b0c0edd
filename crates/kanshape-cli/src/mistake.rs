//! The mistakes in a command, one function each. Those in the lines of `batch` are worded by `kanshape-batch`, and those in
//! signatures and types by the crates that read them.

use std::fmt::Display;

use kanshape::Diagnostic;
use kanshape::diag::suggest;

kanshape::diag::codes! {
    BAD_PARAM "K0508" "a parameter without a value"
    UNREADABLE "K0510" "a file that cannot be read"
    UNKNOWN_CODE "K0511" "a code that no diagnostic has"
    MODEL_OPTION "K0516" "something said of a model that is not written as it should be"
    UNWRITABLE "K0517" "a file that cannot be written"
    NO_SITE "K0519" "the page in the browser is not in a folder"
    NOT_RUN "K0521" "a model that could not be run"
}

pub(crate) fn bad_param(text: &str) -> Diagnostic {
    Diagnostic::new(BAD_PARAM, "a parameter is given as `NAME=VALUE`")
        .with_label(0..text.len(), "no value")
        .with_source("param", text)
        .with_help(format!("to query it, write `{text}=?`"))
}

pub(crate) fn bad_attr(text: &str) -> Diagnostic {
    Diagnostic::new(BAD_PARAM, "an attribute is given as `NAME=VALUE`")
        .with_label(0..text.len(), "no value")
        .with_source("attr", text)
        .with_help(format!("to query it, write `{text}=?`"))
}

pub(crate) fn unreadable(file: &str, why: impl Display) -> Diagnostic {
    Diagnostic::new(UNREADABLE, format!("`{file}` cannot be read: {why}"))
}

pub(crate) fn unwritable(file: &dyn Display, why: impl Display) -> Diagnostic {
    Diagnostic::new(UNWRITABLE, format!("`{file}` cannot be written: {why}"))
}

pub(crate) fn not_run(file: &str, why: impl Display) -> Diagnostic {
    let headline = format!("`{file}` could not be run: {why}");
    Diagnostic::new(NOT_RUN, headline).with_help(
        "`--run` needs a Python that has the packages `kanshape` and `onnxruntime`: `python3`, or what `KANSHAPE_PYTHON` names",
    )
}

/// `--run` with what onnxruntime does not run.
pub(crate) fn not_onnx(file: &str) -> Diagnostic {
    Diagnostic::new(
        NOT_RUN,
        format!("`{file}` could not be run: it is not an ONNX model"),
    )
    .with_help("`--run` runs models with onnxruntime, which reads ONNX alone")
}

pub(crate) fn one_target(target: &dyn Display, count: usize) -> Diagnostic {
    let headline = format!("`--write {target}` is no folder, and there are {count} models");
    Diagnostic::new(MODEL_OPTION, headline)
        .with_help("name a folder that is there: each model is written into it under its own name")
}

pub(crate) fn same_target(a: &dyn Display, b: &dyn Display) -> Diagnostic {
    let headline = format!("`{a}` and `{b}` would be written to the same file");
    Diagnostic::new(MODEL_OPTION, headline).with_help("write one of them to another folder")
}

pub(crate) fn unknown_code(code: &str, near: Option<&str>) -> Diagnostic {
    let d = Diagnostic::new(UNKNOWN_CODE, format!("no diagnostic has the code `{code}`"));
    match near {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help("`kanshape explain` lists all codes"),
    }
}

/// A model has no value, node or operator of this name.
pub(crate) fn not_in_model<'n>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let headline = format!("the model has no {what} `{name}`");
    let d = Diagnostic::new(kanshape_onnx::code::NO_SUCH_VALUE, headline);
    match suggest(name, known) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d,
    }
}

pub(crate) fn model_option(option: &str, text: &str, form: &str) -> Diagnostic {
    Diagnostic::new(MODEL_OPTION, format!("`{option} {text}` is not {form}"))
}

/// A folder has no page in the browser.
pub(crate) fn no_site(folder: &dyn Display) -> Diagnostic {
    Diagnostic::new(NO_SITE, format!("there is no site in `{folder}`"))
        .with_help("`cargo xtask web` builds one into `target/web`; without `--site` it is that of this program")
}
