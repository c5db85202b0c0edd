//! `kanshape rule check --needs`: what rules need as functions of Python or C++.

use std::io::Write;

use kanshape_batch::effort::Effort;
use kanshape_rewrite::Language;

use super::rules;
use crate::args::{PredicateLanguage, RuleCheckArgs};
use crate::exit::{Exit, Failure};
use crate::screen::Screen;

pub(super) fn write(
    args: &RuleCheckArgs,
    effort: &Effort,
    screen: &Screen,
) -> Result<Exit, Failure> {
    let language = match args.needs {
        Some(PredicateLanguage::Cpp) => Language::Cpp,
        Some(PredicateLanguage::Python) | None => Language::Python,
    };
    let rules = rules(args, effort, screen)?;
    let mut out = screen.out();
    let mut exit = Exit::Solved;
    write!(out, "{}", language.prelude())?;
    for rule in rules.iter() {
        let steps = effort.budget.unwrap_or(u64::MAX);
        let soundness = effort.control().run(steps, || match args.types_only {
            true => rule.checked(),
            false => rule.checked_with_values().map(|own| own.0),
        })?;
        writeln!(out, "\n")?;
        match rule.predicate(&soundness, language) {
            Ok(text) => write!(out, "{text}")?,
            Err(why) => {
                exit = Exit::Unknown;
                let why = format!("{}: no predicate: {why}", rule.name());
                writeln!(out, "{}", language.comment(&why))?;
            }
        }
    }
    out.flush()?;
    Ok(exit)
}
