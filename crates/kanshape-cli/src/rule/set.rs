//! `kanshape rule check --set`: rules among themselves.

use std::io::{self, Write};

use kanshape_batch::effort::Effort;
use kanshape_batch::rule_json;
use kanshape_rewrite::{Related, Relation, Set};

use super::rules;
use crate::args::RuleCheckArgs;
use crate::exit::{Exit, Failure};
use crate::screen::Screen;

pub(super) fn check(
    args: &RuleCheckArgs,
    effort: &Effort,
    screen: &Screen,
) -> Result<Exit, Failure> {
    let rules = rules(args, effort, screen)?;
    let steps = effort.budget.unwrap_or(u64::MAX);
    let set = effort.control().run(steps, || match args.types_only {
        true => rules.related(),
        false => rules.related_with_values(),
    })?;
    let mut out = screen.out();
    if args.json {
        serde_json::to_writer(&mut out, &rule_json::SetJson::of(&set)).map_err(io::Error::from)?;
        writeln!(out)?;
        out.flush()?;
        return Ok(exit(&set));
    }
    for related in &set.related {
        write_related(&mut out, related, screen)?;
    }
    out.flush()?;
    if set.related.is_empty() && set.cut_off.is_empty() {
        screen.note("no rule undoes another or itself, and none says what another does")?;
    }
    if !set.cut_off.is_empty() {
        screen.note(format!("cut off: {}", set.cut_off.join(", ")))?;
    }
    Ok(exit(&set))
}

/// 1 if some rules are related, 3 if not all were compared.
fn exit(set: &Set) -> Exit {
    match (set.related.is_empty(), set.cut_off.is_empty()) {
        (false, _) => Exit::Never,
        (true, false) => Exit::Unknown,
        (true, true) => Exit::Solved,
    }
}

fn write_related(out: &mut impl Write, related: &Related, screen: &Screen) -> io::Result<()> {
    let (rule, other) = (screen.bold(&related.rule), &related.other);
    match related.relation {
        Relation::Same => write!(out, "{rule}: the same as {other}"),
        Relation::Subsumed => write!(out, "{rule}: {other} does the same, and more"),
        Relation::Undone => write!(out, "{rule}: undone by {other}"),
        Relation::Loops => write!(out, "{rule}: matches its own result"),
    }?;
    match &related.under {
        None => writeln!(out, ", if it can hold there"),
        Some(needs) if needs.is_empty() => writeln!(out),
        Some(needs) => writeln!(out, ", where {}", needs.join(", ")),
    }
}
