//! `kanshape rule`: rewrite rules, checked for all shapes.

mod enumerate;
mod needs;
mod set;
mod values;

use std::io::{self, Write};
use std::path::Path;

use kanshape::{Diagnostic, Type};
use kanshape_batch::rule_json;
use kanshape_rewrite::{
    Agreement, Audit, Bounds, Case, Cheaper, CompleteUpTo, Repair, Rule, RuleCost, Rules, Sound,
    Soundness, Values,
};

use crate::args::{BoundArgs, RuleArgs, RuleCheckArgs, RuleCommand};
use crate::exit::{Exit, Failure};
use crate::load::load;
use crate::screen::Screen;
use crate::{mistake, read};
use kanshape_batch::effort::Effort;

pub(crate) fn run(args: &RuleArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    match &args.command {
        RuleCommand::Check(args) if args.set => set::check(args, effort, screen),
        RuleCommand::Check(args) if args.needs.is_some() => needs::write(args, effort, screen),
        RuleCommand::Check(args) => check(args, effort, screen),
        RuleCommand::Enum(args) => enumerate::run(args, effort, screen),
    }
}

fn bounds(args: &BoundArgs) -> Bounds {
    let own = Bounds::default();
    Bounds {
        max_rank: args.max_rank.unwrap_or(own.max_rank),
        max_dim: args.max_dim.unwrap_or(own.max_dim),
    }
}

fn is_refuted(values: &Values) -> bool {
    values.verdict == Agreement::Refuted
}

/// The rules of the files that are meant.
fn rules(args: &RuleCheckArgs, effort: &Effort, screen: &Screen) -> Result<Rules, Failure> {
    let loaded = load(&args.load, screen)?;
    let bounds = bounds(&args.bounds);
    let mut all = Rules::default();
    for path in &args.files {
        let name = path.display().to_string();
        let text = read::text(path).map_err(|e| mistake::unreadable(&name, e))?;
        let rules = Rules::load_str(loaded.relations(), &name, &text)?;
        for name in &args.rule {
            rules.rule(name)?;
        }
        let is_meant =
            |rule: &&Rule| args.rule.is_empty() || args.rule.iter().any(|n| n == rule.name());
        let meant = rules.iter().filter(is_meant).cloned();
        let meant = meant.map(|rule| rule.opset(args.opset).bounds(bounds));
        all.extend(meant.map(|rule| rule.budget(effort.budget)));
    }
    Ok(all)
}

fn check(args: &RuleCheckArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let rules = rules(args, effort, screen)?;
    let mut out = screen.out();
    let mut exit = Exit::Solved;
    for (i, rule) in rules.iter().enumerate() {
        // Each rule is a question.
        let steps = effort.budget.unwrap_or(u64::MAX);
        let (soundness, repairs, values, cost) = effort.control().run(steps, || {
            let (soundness, values) = match args.types_only {
                true => (rule.checked()?, None),
                false => {
                    let (soundness, values) = rule.checked_with_values()?;
                    (soundness, Some(values))
                }
            };
            let is_refuted = values.as_ref().is_some_and(is_refuted);
            let is_meant = is_refuted || matches!(soundness.verdict, Sound::Depends | Sound::Never);
            let repairs = match &values {
                _ if !is_meant => Vec::new(),
                Some(values) => rule.repairs_with_values(values)?,
                None => rule.repairs()?,
            };
            let cost = if args.cost { rule.cost()? } else { None };
            Ok::<_, Diagnostic>((soundness, repairs, values, cost))
        })?;
        let refuted = values.as_ref().filter(|own| is_refuted(own));
        exit = worse(exit, soundness.verdict);
        if refuted.is_some() {
            exit = Exit::Never;
        }
        let of_values = refuted.and_then(|own| own.counterexample.as_ref());
        let cases = soundness.counterexample.iter().chain(of_values);
        let mut written: Vec<Option<String>> = Vec::new();
        if let Some(folder) = &args.write {
            let same = rules.iter().take(i).filter(|own| own.name() == rule.name());
            let stem = match same.count() {
                0 => rule.name().to_owned(),
                n => format!("{}-{}", rule.name(), n + 1),
            };
            for (i, case) in cases.enumerate() {
                // The second one is that of the numbers.
                let stem = if i == 0 {
                    stem.clone()
                } else {
                    format!("{stem}.values")
                };
                written.push(write_models(folder, &stem, rule, case)?);
            }
        }
        if args.json {
            let is_sound = soundness.verdict == Sound::Always && refuted.is_none();
            let repairs = (!is_sound).then_some(&repairs[..]);
            let (values, cost) = (values.as_ref(), cost.as_ref());
            let answer = rule_json::NamedRule::of(rule.name(), &soundness, repairs, values, cost);
            serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
            writeln!(out)?;
            continue;
        }
        if i > 0 {
            writeln!(out)?;
        }
        write_report(
            &mut out,
            rule,
            &soundness,
            &repairs,
            values.as_ref(),
            screen,
        )?;
        for paths in written {
            match paths {
                Some(paths) => writeln!(out, "  models {paths}")?,
                None => writeln!(
                    out,
                    "  models none: a type, attribute or constant of it has no form in ONNX"
                )?,
            }
        }
        if args.cost {
            write_cost(&mut out, cost.as_ref())?;
        }
    }
    out.flush()?;
    Ok(exit)
}

/// A script that calculates both sides of a rule with ONNX's own reference.
const REPLAY: &str = include_str!("replay.py");

/// Writes both sides of a rule on the inputs of a case to STEM.left.onnx and STEM.right.onnx, and STEM.py, which runs them. The paths, or none if the
/// sides can't be models.
fn write_models(
    folder: &Path,
    stem: &str,
    rule: &Rule,
    case: &Case,
) -> Result<Option<String>, Failure> {
    let Some(sides) = rule.models(case)? else {
        return Ok(None);
    };
    let shown = folder.display();
    std::fs::create_dir_all(folder).map_err(|e| mistake::unwritable(&shown, e))?;
    let mut paths = Vec::new();
    for (side, bytes) in [("left", sides.left), ("right", sides.right)] {
        let path = folder.join(format!("{stem}.{side}.onnx"));
        std::fs::write(&path, bytes).map_err(|e| mistake::unwritable(&path.display(), e))?;
        paths.push(path.display().to_string());
    }
    let path = folder.join(format!("{stem}.py"));
    let script = REPLAY.replace("NAME", stem);
    std::fs::write(&path, script).map_err(|e| mistake::unwritable(&path.display(), e))?;
    paths.push(path.display().to_string());
    Ok(Some(paths.join(", ")))
}

/// 0 if all hold always, 1 if one does not, 3 if of one it is not known.
fn worse(exit: Exit, verdict: Sound) -> Exit {
    match (exit, verdict) {
        (Exit::Never, _) | (_, Sound::Depends | Sound::Never) => Exit::Never,
        (_, Sound::Unknown) => Exit::Unknown,
        (exit, Sound::Always) => exit,
    }
}

fn write_report(
    out: &mut impl Write,
    rule: &Rule,
    soundness: &Soundness,
    repairs: &[Repair],
    values: Option<&Values>,
    screen: &Screen,
) -> io::Result<()> {
    let verdict = match soundness.verdict {
        Sound::Always => "holds always",
        Sound::Depends => "holds only under a condition",
        Sound::Never => "never holds",
        Sound::Unknown => "unknown",
    };
    let bound = match (soundness.verdict, soundness.complete_up_to) {
        (Sound::Always | Sound::Never, Some(bound)) => format!(", {}", up_to(bound)),
        _ => String::new(),
    };
    let name = screen.bold(rule.name());
    let refuted = values.filter(|own| is_refuted(own));
    match refuted {
        Some(_) => {
            writeln!(out, "{name}: the sides are not the same numbers")?;
            writeln!(out, "  types  {verdict}{bound}")?;
        }
        _ => writeln!(out, "{name}: {verdict}{bound}")?,
    }
    if let Some(why) = &soundness.why {
        writeln!(out, "  {why}")?;
    }
    if let Some(case) = &soundness.counterexample {
        let [left, right] = [rule.left(), rule.right()];
        let width = left.chars().count().max(right.chars().count());
        let of_right = case.right.as_deref().map_or("never".into(), listed);
        writeln!(out, "  left   {left:width$}  {}", listed(&case.left))?;
        writeln!(out, "  right  {right:width$}  {of_right}")?;
        let leaves = leaves(case);
        if !leaves.is_empty() {
            writeln!(out, "         for {leaves}")?;
        }
        if let Some(why) = &case.why {
            writeln!(out, "  why    {why}")?;
        }
    }
    match (&soundness.needs, soundness.verdict) {
        // What a rule with other numbers needs stands beside these.
        _ if refuted.is_some() => {}
        (Some(needs), Sound::Depends) => {
            writeln!(out, "  needs  {}", needs.join(", "))?;
            if let Some(bound) = soundness.complete_up_to {
                let bound = format!("weakest {}", up_to(bound));
                writeln!(out, "         {}", screen.grey(bound))?;
            }
            if let Some(case) = values.and_then(|own| own.loses.as_ref()) {
                writeln!(out, "         loses  {}", leaves(case))?;
            }
            if values.is_none_or(|own| own.verdict == Agreement::Opaque) {
                let types = "types only: with these goals both sides have one type";
                writeln!(out, "         {}", screen.grey(types))?;
            }
        }
        (None, Sound::Depends) => writeln!(out, "  needs  no goals were found that say it")?,
        _ => {}
    }
    for repair in repairs {
        writeln!(out, "  repair {}", repair.right)?;
        if !repair.needs.is_empty() {
            writeln!(out, "         needs {}", repair.needs.join(", "))?;
        }
    }
    if let Some(audit) = soundness.audit {
        let bound = soundness.audit_up_to.map(up_to);
        let bound = bound.map_or(String::new(), |bound| format!(" {bound}"));
        let name = audit.name();
        let is_of_ranks = audit == Audit::Exact && soundness.lost.is_some();
        let ranks = if is_of_ranks {
            " for leaves of its ranks"
        } else {
            ""
        };
        writeln!(out, "  its own precondition is {name}{ranks}{bound}")?;
        if let Some(case) = &soundness.lost {
            let what = if is_of_ranks { "others" } else { "lost" };
            let (leaves, left) = (leaves(case), listed(&case.left));
            writeln!(out, "         {what}: {leaves}: {left}")?;
        }
    }
    if let Some(values) = values {
        values::write(out, values)?;
    }
    match (soundness.forward, soundness.backward) {
        (Some(true), Some(true)) => writeln!(out, "  both sides have types for the same inputs"),
        (Some(true), Some(false)) => {
            writeln!(
                out,
                "  the right side has a type for more inputs, or another one"
            )
        }
        _ => Ok(()),
    }
}

/// How far something was checked.
fn up_to(bound: CompleteUpTo) -> String {
    match bound.dim {
        Some(dim) => format!("up to rank {} and size {dim}", bound.rank),
        None => format!("up to rank {}", bound.rank),
    }
}

fn write_cost(out: &mut impl Write, cost: Option<&RuleCost>) -> io::Result<()> {
    let Some(cost) = cost else {
        return writeln!(
            out,
            "  cost   no ranks are known for which it can be counted"
        );
    };
    let leaves = cost.leaves.iter().map(|(name, ty)| format!("{name} {ty}"));
    writeln!(
        out,
        "  cost   for {}",
        leaves.collect::<Vec<_>>().join(", ")
    )?;
    let all = [
        ("elements", &cost.elements),
        ("bytes", &cost.bytes),
        ("multiply-adds", &cost.multiply_adds),
    ];
    for (name, own) in all {
        let cheaper = match &own.cheaper {
            Cheaper::Always => "cheaper always".into(),
            Cheaper::Where(condition) => format!("cheaper where {condition}"),
            Cheaper::Never => "cheaper never".into(),
            Cheaper::Same => "the same".into(),
            Cheaper::Unknown => "not known".into(),
        };
        let name = format!("{name}:");
        writeln!(
            out,
            "         {name:14} {} => {}, {cheaper}",
            own.left, own.right
        )?;
    }
    Ok(())
}

fn leaves(case: &Case) -> String {
    let attrs = case
        .attrs
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    let leaves = case.leaves.iter().map(|(name, ty)| format!("{name} {ty}"));
    let all = attrs.chain(leaves);
    all.collect::<Vec<_>>().join(", ")
}

fn listed(types: &[Type]) -> String {
    let types = types.iter().map(ToString::to_string);
    types.collect::<Vec<_>>().join(", ")
}
