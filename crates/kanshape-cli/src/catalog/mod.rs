//! `kanshape catalog`: what has a name.
//!
//! `operator` shows an operator with its examples answered now; `list` lists them, `check` solves the examples of operators
//! in every direction, and `paint` colours rules.

mod check;
mod list;
mod operator;
mod paint;

use std::io::Write;

use kanshape::Operator;

use crate::args::CatalogArgs;
use crate::exit::{Exit, Failure};
use crate::load::load;
use crate::screen::Screen;
use kanshape_batch::effort::Effort;
use kanshape_batch::loaded::Loaded;

pub(crate) fn run(args: &CatalogArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let steps = effort.budget.unwrap_or(u64::MAX);
    effort.deadline().run(steps, || show(args, screen))
}

fn show(args: &CatalogArgs, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load(&args.load, screen)?;
    if args.check {
        return check::run(&checked(args, &loaded)?, screen);
    }
    let mut out = screen.out();
    match args.name.as_deref() {
        None => list::all(&mut out, screen, &loaded, args.json)?,
        Some(name) => match loaded.domain(name) {
            operators if !operators.is_empty() => {
                list::operators(&mut out, screen, &operators, args.json)?;
            }
            _ => match loaded.named(name, args.opset) {
                Some(Ok(operator)) => {
                    operator::show(&mut out, screen, &loaded, &operator, args.json)?;
                }
                // A signature that is written out, or a relation of a file, has no more to it.
                _ => writeln!(out, "{}", loaded.subject(name, args.opset)?)?,
            },
        },
    }
    out.flush()?;
    Ok(Exit::Solved)
}

/// The operators whose examples are checked: those that are named; else those of the files that were loaded, or all.
fn checked(args: &CatalogArgs, loaded: &Loaded) -> Result<Vec<Operator>, Failure> {
    let Some(name) = args.name.as_deref() else {
        return Ok(loaded.own_operators_or_all());
    };
    let domain = loaded.domain(name);
    if !domain.is_empty() {
        return Ok(domain);
    }
    let operator = loaded.relations().operator(name, args.opset)?;
    Ok(match args.opset {
        Some(_) => vec![operator],
        None => loaded.versions(&operator),
    })
}
