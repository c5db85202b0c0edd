//! `kanshape simplify`: a model without what it does not need.

use std::collections::BTreeMap;
use std::io::{self, Write};

use kanshape_onnx::{Model, Options};
use kanshape_rewrite::{EVERYDAY, Rules, Simplified, extract, simplify};
use serde::Serialize;

use crate::args::SimplifyArgs;
use crate::check::options::beside;
use crate::exit::{Exit, Failure};
use crate::load::load;
use crate::screen::Screen;
use crate::{mistake, read};
use kanshape_batch::effort::Effort;

/// What the rules are called that come with the program.
const OWN: &str = "everyday.kan";

pub(crate) fn run(args: &SimplifyArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load(&args.load, screen)?;
    let name = args.model.display().to_string();
    let bytes = read::bytes(&args.model).map_err(|e| mistake::unreadable(&name, e))?;
    let options = Options {
        control: effort.deadline(),
        budget: effort.budget,
        relations: Some(loaded.relations().clone()),
        ..Options::default()
    };
    let options = beside(&options, &args.model);
    let mut rules = Rules::default();
    if !args.no_rules {
        rules.extend(Rules::load_str(loaded.relations(), OWN, EVERYDAY)?);
    }
    for path in &args.rules {
        let name = path.display().to_string();
        let text = read::text(path).map_err(|e| mistake::unreadable(&name, e))?;
        rules.extend(Rules::load_str(loaded.relations(), &name, &text)?);
    }
    let whole = Model::read(&bytes)?.nodes();
    let bytes = match args.from.is_empty() && args.to.is_empty() {
        true => bytes,
        false => extract(&bytes, &args.from, &args.to, &options)?,
    };
    let mut done = simplify(&bytes, &rules, &options)?;
    let outside = whole - done.nodes.0;
    done.nodes.0 = whole;
    if let Some(to) = &args.output {
        let shown = to.display();
        std::fs::write(to, &done.bytes).map_err(|e| mistake::unwritable(&shown, e))?;
    }
    let mut out = screen.out();
    if args.json {
        let answer = SimplifyJson::of(&name, &done, outside);
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        report(&mut out, &name, &done, outside)?;
    }
    out.flush()?;
    if let (Some(to), false) = (&args.output, args.json) {
        screen.note(format!("written to {}", to.display()))?;
    }
    Ok(Exit::Solved)
}

/// How often each rule was applied.
fn applied(done: &Simplified) -> BTreeMap<&str, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for place in &done.applied {
        *counts.entry(&place.rule).or_default() += 1;
    }
    counts
}

fn report(out: &mut impl Write, name: &str, done: &Simplified, outside: usize) -> io::Result<()> {
    let (before, after) = done.nodes;
    writeln!(out, "{name}: {before} nodes, now {after}")?;
    let steps = [
        (outside, "outside of the part"),
        (done.known, "left out, since what they give is known"),
        (done.unused, "left out, since nothing needs what they give"),
        (done.branches, "replaced by the branch that is run"),
    ];
    for (count, what) in steps.into_iter().filter(|step| step.0 > 0) {
        writeln!(out, "  {count} {what}")?;
    }
    for (rule, count) in applied(done) {
        let times = if count == 1 { "time" } else { "times" };
        writeln!(out, "  {rule}: applied {count} {times}")?;
    }
    if done.refused {
        writeln!(
            out,
            "  a step was not taken: an output would have been of another type"
        )?;
    }
    Ok(())
}

/// What has come of a model, as JSON.
#[derive(Serialize)]
struct SimplifyJson<'r> {
    model: &'r str,
    nodes: Nodes,
    /// How many of them are outside of the part that is wanted.
    outside: usize,
    known: usize,
    unused: usize,
    branches: usize,
    applied: BTreeMap<&'r str, usize>,
    /// What can't be read has an answer of its own.
    error: Option<()>,
}

#[derive(Serialize)]
struct Nodes {
    before: usize,
    after: usize,
}

impl<'r> SimplifyJson<'r> {
    fn of(model: &'r str, done: &'r Simplified, outside: usize) -> SimplifyJson<'r> {
        let (before, after) = done.nodes;
        SimplifyJson {
            model,
            nodes: Nodes { before, after },
            outside,
            known: done.known,
            unused: done.unused,
            branches: done.branches,
            applied: applied(done),
            error: None,
        }
    }
}
