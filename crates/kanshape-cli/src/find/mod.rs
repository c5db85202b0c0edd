//! `kanshape find`: which operators make a type of others.

use std::io::{self, Write};

use kanshape::{Dim, Type};
use kanshape_rewrite::{Cost, Find, Found};

use crate::args::FindArgs;
use crate::exit::{Exit, Failure};
use crate::load::load;
use crate::screen::Screen;
use kanshape_batch::effort::Effort;
use kanshape_batch::find_json;

/// The steps of a search, for each operator of a chain.
const STEPS: u64 = 20_000_000;
/// The most operators that are named of those that were cut off.
const MOST_NAMED: usize = 12;

pub(crate) fn run(args: &FindArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load(&args.load, screen)?;
    let read = |text: &String| text.parse::<Type>();
    let Some((to, from)) = args.types.split_last() else {
        return Ok(Exit::Wrong);
    };
    let output = read(to)?;
    let inputs: Vec<Type> = from.iter().map(read).collect::<Result<_, _>>()?;
    let find = Find::new(loaded.relations(), inputs, output)
        .depth(args.depth)
        .ops(args.ops.iter().cloned())
        .opset(args.opset);
    let steps = effort.budget.unwrap_or(STEPS);
    let mut finding = effort.deadline().run(steps, || find.run());
    if args.cost {
        finding.sort_by_cost();
    }
    finding.found.truncate(args.limit.unwrap_or(usize::MAX));
    let mut out = screen.out();
    let exit = match (finding.found.is_empty(), finding.cut_off.is_empty()) {
        (false, _) => Exit::Solved,
        (true, true) => Exit::Never,
        (true, false) => Exit::Unknown,
    };
    if args.json {
        let answer = find_json::FindAnswer::of(&finding, args.cost);
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        return Ok(exit);
    }
    let texts: Vec<String> = finding.found.iter().map(Found::to_string).collect();
    let width = texts.iter().map(|text| text.chars().count()).max();
    let width = width.filter(|_| args.cost).unwrap_or(0);
    for (text, one) in texts.iter().zip(&finding.found) {
        write!(out, "{text:width$}")?;
        if args.cost {
            write!(out, "  {}", written(&one.cost()))?;
        }
        writeln!(out)?;
    }
    out.flush()?;
    if finding.found.is_empty() {
        screen.note("no operator was found")?;
    }
    if !finding.cut_off.is_empty() {
        screen.note(format!("cut off: {}", shortened(&finding.cut_off)))?;
    }
    Ok(exit)
}

/// The first names of a list, and how many more there are.
fn shortened(names: &[String]) -> String {
    let first = names.iter().take(MOST_NAMED).map(String::as_str);
    let first = first.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first}, and {more} more, which `--json` lists"),
    }
}

/// `24*N multiply-adds, 32*N bytes`: without multiplications if there are none.
fn written(cost: &Cost) -> String {
    let bytes = format!("{} bytes", cost.bytes);
    match &cost.multiply_adds {
        Dim::Size(0) => bytes,
        products => format!("{products} multiply-adds, {bytes}"),
    }
}
