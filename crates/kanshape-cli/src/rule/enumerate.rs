//! `kanshape rule enum`: all rules between small terms.

use std::io::{self, Write};

use kanshape_batch::effort::Effort;
use kanshape_batch::rule_json;
use kanshape_rewrite::{Enumerate, Rules};

use super::bounds;
use crate::args::RuleEnumArgs;
use crate::exit::{Exit, Failure};
use crate::load::load;
use crate::screen::Screen;
use crate::{mistake, read};

pub(super) fn run(args: &RuleEnumArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load(&args.load, screen)?;
    let mut known = Rules::default();
    for path in &args.known {
        let name = path.display().to_string();
        let text = read::text(path).map_err(|e| mistake::unreadable(&name, e))?;
        known.extend(Rules::load_str(loaded.relations(), &name, &text)?);
    }
    let ops = args.ops.iter().flat_map(|text| split(text));
    let enumerate = Enumerate::new(loaded.relations(), ops)
        .size(args.size)
        .leaves(args.leaves)
        .known(known)
        .opset(args.opset)
        .types_only(args.types_only)
        .bounds(bounds(&args.bounds));
    let steps = effort.budget.unwrap_or(u64::MAX);
    let found = effort.deadline().run(steps, || enumerate.run())?;
    let mut out = screen.out();
    if args.json {
        let answer = rule_json::EnumJson::of(&found);
        serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        for rule in &found.rules {
            writeln!(out, "{rule}")?;
        }
    }
    out.flush()?;
    if !args.json && !found.cut_off.is_empty() {
        screen.note(format!("cut off: {}", found.cut_off.join("; ")))?;
    }
    Ok(match found.cut_off.is_empty() {
        true => Exit::Solved,
        false => Exit::Unknown,
    })
}

/// The operators of a list. A comma within brackets belongs to an attribute.
fn split(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (c, depth, all.last_mut()) {
            (',', 0, _) => all.push(String::new()),
            (_, _, Some(last)) => last.push(c),
            _ => {}
        }
    }
    let all = all.iter().map(|text| text.trim());
    all.filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}
