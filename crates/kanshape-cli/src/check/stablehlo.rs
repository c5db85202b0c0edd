//! `kanshape check` of StableHLO's modules in MLIR's text.

use kanshape::tree::parse_conditions;
use kanshape::{Condition, Diagnostic, Relations, Shape, Tensor, Type};
use kanshape_batch::stablehlo_json::StablehloJson;
use kanshape_stablehlo::{Options, Program};
use serde::Serialize;

use super::Done;
use crate::args::{CheckArgs, InputArgs};
use crate::exit::Exit;
use crate::mistake;

/// Checks a module; with `write` its text with the sizes that were found is given back as well.
pub(super) fn check(
    name: &str,
    bytes: &[u8],
    args: &CheckArgs,
    write: bool,
    relations: &Relations,
) -> Result<(Done, Option<String>), Diagnostic> {
    let program = Program::read(name, bytes)?;
    let facts = &args.models.facts.inputs;
    let options = Options {
        inputs: inputs(&program, facts)?,
        given: given(&facts.set)?,
        ..Options::default()
    };
    let (report, written) = match write {
        true => program.refined(relations, &options),
        false => (program.check(relations, &options), None),
    };
    let mut done = Done::with(report.verdict);
    if args.models.json {
        #[derive(Serialize)]
        struct NamedModule<'a> {
            module: &'a str,
            #[serde(flatten)]
            found: StablehloJson<'a>,
        }
        let line = NamedModule {
            module: name,
            found: StablehloJson::of(&report),
        };
        done.out = serde_json::to_string(&line).unwrap_or_default() + "\n";
    } else {
        if !args.quiet {
            done.out = format!("{report}\n");
        }
        done.diagnostics = report.problems.clone();
    }
    if report.is_wrong() && done.exit == Exit::from(kanshape::Verdict::Always) {
        done.exit = Exit::Wrong;
    }
    Ok((done, written))
}

/// The types of the inputs of the entry: the declared ones, with the types and dims that are given.
fn inputs(program: &Program, facts: &InputArgs) -> Result<Option<Vec<Type>>, Diagnostic> {
    if facts.inputs.is_empty() && facts.dims.is_empty() {
        return Ok(None);
    }
    let (names, mut types): (Vec<String>, Vec<Type>) = program.inputs().into_iter().unzip();
    let place = |name: &str| {
        let name = name.trim().trim_start_matches('%');
        let place = names.iter().position(|own| own == name);
        place.ok_or_else(|| mistake::not_in_model("input", name, names.iter().map(String::as_str)))
    };
    for one in &facts.inputs {
        let form = "INPUT=TYPE, such as `arg0=f32[b, 8]`";
        let (name, ty) = one
            .split_once('=')
            .ok_or_else(|| mistake::model_option("--input", one, form))?;
        types[place(name)?] = ty.parse()?;
    }
    for one in &facts.dims {
        let wrong = || mistake::model_option("--dim", one, "INPUT:AXIS=DIM, such as `arg0:0=b`");
        let (at, dim) = one.split_once('=').ok_or_else(wrong)?;
        let (name, axis) = at.rsplit_once(':').ok_or_else(wrong)?;
        let axis: usize = axis.trim().parse().map_err(|_| wrong())?;
        let place = place(name)?;
        let mut dims = types[place].dims().ok_or_else(wrong)?.to_vec();
        *dims.get_mut(axis).ok_or_else(wrong)? = dim.parse().map_err(|_| wrong())?;
        let dtype = types[place].as_tensor().map(|tensor| tensor.dtype.clone());
        types[place] = Tensor::new(dtype.ok_or_else(wrong)?, Shape::known(dims)).into();
    }
    Ok(Some(types))
}

/// What the sizes of names are.
fn given(set: &[String]) -> Result<Vec<Condition>, Diagnostic> {
    let mut given = Vec::new();
    for one in set {
        let text = one.replacen('=', " == ", 1);
        given.extend(parse_conditions(&text)?.into_iter().map(|c| c.node));
    }
    Ok(given)
}
