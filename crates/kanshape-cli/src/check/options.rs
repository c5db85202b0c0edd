//! The options of models on the command line, read.

use kanshape::{Diagnostic, Dim, Type};
use kanshape_onnx::{Data, InputDim, Options};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path};

use crate::args::{FactArgs, InputArgs};
use crate::exit::Failure;
use crate::load::load;
use crate::mistake;
use crate::screen::Screen;
use kanshape_batch::effort::Effort;

/// The options for the model in this file, which may have data in files beside it: in its folder or below, and nowhere else.
pub(crate) fn beside(options: &Options, model: &Path) -> Options {
    let folder = model.parent().unwrap_or(Path::new("")).to_owned();
    let data = Data::new(move |location, offset, length| {
        let parts = Path::new(location).components();
        let mut own = parts.filter(|part| *part != Component::CurDir);
        if location.is_empty() || !own.all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let path = folder.join(location);
        if !path.is_file() {
            return None;
        }
        let mut file = File::open(path).ok()?;
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    });
    Options {
        data: Some(data),
        ..options.clone()
    }
}

/// What is known of models beside what stands in them.
pub(crate) fn options(
    facts: &FactArgs,
    effort: &Effort,
    screen: &Screen,
) -> Result<Options, Failure> {
    let mut options = inputs(&facts.inputs, effort, screen)?;
    for text in &facts.outputs {
        let form = "NAME=TYPE, such as `logits=f32[8,1000]`";
        options.given.push(given("--output", text, form)?);
    }
    for text in &facts.cuts {
        let form = "VALUE=TYPE, such as `pool_out=f32[N,64,112,112]`";
        options.cuts.push(given("--cut", text, form)?);
    }
    Ok(options)
}

/// The same without types of values.
pub(crate) fn inputs(
    args: &InputArgs,
    effort: &Effort,
    screen: &Screen,
) -> Result<Options, Failure> {
    let relations = load(&args.load, screen)?.relations().clone();
    let mut options = Options {
        trust_annotations: args.trust_annotations,
        assume_nonempty: args.assume_nonempty,
        relations: Some(relations),
        control: effort.deadline(),
        budget: effort.budget,
        ..Options::default()
    };
    for text in &args.dims {
        options.dims.push(dim(text).ok_or_else(|| {
            mistake::model_option("--dim", text, "INPUT:AXIS=DIM, such as `input:0=N`")
        })?);
    }
    if let Some(text) = &args.batch {
        let dim = lone_dim(text);
        let wrong = || mistake::model_option("--batch", text, "a dim, such as `N`");
        options.batch = Some(dim.ok_or_else(wrong)?);
    }
    for text in &args.inputs {
        let form = "INPUT=TYPE, such as `x=f32[N,3,H,W]`";
        options.inputs.push(given("--input", text, form)?);
    }
    for text in &args.set {
        let wrong = || mistake::model_option("--set", text, "NAME=SIZE, such as `N=8`");
        let (name, size) = text.rsplit_once('=').ok_or_else(wrong)?;
        let size = size.trim().parse().map_err(|_| wrong())?;
        options.set.push((name.trim().to_owned(), size));
    }
    Ok(options)
}

/// `input:0=N`. A name may have colons in it.
fn dim(text: &str) -> Option<InputDim> {
    let (place, dim) = text.rsplit_once('=')?;
    let (input, axis) = place.rsplit_once(':')?;
    Some(InputDim {
        input: input.trim().to_owned(),
        axis: axis.trim().parse().unwrap_or(usize::MAX),
        dim: lone_dim(dim)?,
    })
}

/// `N`, `2*N`, `8`.
fn lone_dim(text: &str) -> Option<Dim> {
    let ty: Type = format!("?[{}]", text.trim()).parse().ok()?;
    let [dim] = ty.as_tensor()?.shape.known_dims() else {
        return None;
    };
    (*dim != Dim::Hole).then(|| dim.clone())
}

/// `logits=f32[8,1000]`. A type may have `=` in it, a name hardly ever.
fn given(option: &str, text: &str, form: &str) -> Result<(String, Type), Diagnostic> {
    let wrong = || mistake::model_option(option, text, form);
    let (name, ty) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name.trim().to_owned(), ty.trim().parse()?))
}
