//! `kanshape rewrite`: rules applied to a model.

mod json;

use std::io::{self, Write};

use kanshape::tree::Condition;
use kanshape::tree::parse_conditions;
use kanshape_onnx::Options;
use kanshape_rewrite::{Held, Rewritten, Rules};

use crate::args::RewriteArgs;
use crate::exit::{Exit, Failure};
use crate::load::load;
use crate::screen::Screen;
use crate::{mistake, read};
use kanshape_batch::effort::Effort;

pub(crate) fn run(args: &RewriteArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load(&args.load, screen)?;
    let name = args.model.display().to_string();
    let bytes = read::bytes(&args.model).map_err(|e| mistake::unreadable(&name, e))?;
    let mut assumed: Vec<Condition> = Vec::new();
    for text in &args.assume {
        assumed.extend(parse_conditions(text)?.into_iter().map(|one| one.node));
    }
    let options = Options {
        control: effort.deadline(),
        budget: effort.budget,
        relations: Some(loaded.relations().clone()),
        ..Options::default()
    };
    let mut rules = Rules::default();
    for path in &args.rules {
        let name = path.display().to_string();
        let text = read::text(path).map_err(|e| mistake::unreadable(&name, e))?;
        rules.extend(Rules::load_str(loaded.relations(), &name, &text)?);
    }
    let rewritten = kanshape_rewrite::rewrite(&bytes, &rules, &assumed, &options)?;
    let written = match (&args.write, args.dry_run) {
        (Some(to), false) => {
            let shown = to.display().to_string();
            std::fs::write(to, &rewritten.bytes).map_err(|e| mistake::unwritable(&shown, e))?;
            Some(shown)
        }
        _ => None,
    };
    let mut out = screen.out();
    if args.json {
        let answer = json::RewriteJson::of(&name, &rules, &rewritten, written.as_deref());
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        report(&mut out, &name, &rules, &rewritten)?;
        if let Some(to) = written {
            out.flush()?;
            screen.note(format!("written to {to}"))?;
        }
    }
    out.flush()?;
    Ok(match rewritten.looped.is_empty() {
        true => Exit::Solved,
        false => Exit::Never,
    })
}

/// A line for each rule that matches, with what it waits for.
fn report(
    out: &mut impl Write,
    name: &str,
    rules: &Rules,
    rewritten: &Rewritten,
) -> io::Result<()> {
    let count = rewritten.applied.len();
    let plural = if count == 1 { "" } else { "s" };
    writeln!(out, "{name}: {count} rewrite{plural}")?;
    for rule in rules.iter() {
        let applied = rewritten.applied.iter();
        let applied = applied.filter(|place| place.rule == rule.name()).count();
        if applied > 0 {
            writeln!(out, "  {}: applied {applied} times", rule.name())?;
        }
        for (place, held) in rewritten
            .left
            .iter()
            .filter(|one| one.0.rule == rule.name())
        {
            let why = match held {
                Held::Always => continue,
                Held::Depends(needs) => format!("needs {}", needs.join(", ")),
                Held::Never(why) => format!("not applied: {why}"),
                Held::Unknown(why) => format!("not known to hold: {why}"),
            };
            writeln!(out, "  {} at {}: {why}", rule.name(), place.value)?;
        }
    }
    if !rewritten.looped.is_empty() {
        let names = rewritten.looped.join(", ");
        writeln!(out, "  these rules go round, and were stopped: {names}")?;
    }
    if !rewritten.cut_off.is_empty() {
        let names = rewritten.cut_off.join(", ");
        writeln!(
            out,
            "  cut off: these rules may match at more places than were searched: {names}"
        )?;
    }
    Ok(())
}
