//! What is found of each rule, as a person reads it.

use std::collections::BTreeMap;
use std::fmt::Write;

use kanshape::Type;
use kanshape_rewrite::{Case, Soundness};

use crate::corpus::rows;

#[test]
fn each_rule() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (i, row) in rows().iter().enumerate() {
            let Some(rule) = row.read(false) else {
                continue;
            };
            let shown = match row.checked(false) {
                Some((_, soundness)) => shown(soundness),
                None => format!("error {}\n", rule.checked().unwrap_err()),
            };
            let name: String = row
                .name
                .chars()
                .map(|c| if c.is_alphanumeric() { c } else { '_' })
                .collect();
            insta::assert_snapshot!(format!("{i:03}_{name}"), format!("{rule:?}\n{shown}"));
        }
    });
}

/// Each rule that has no text says why, and it is counted here how many do.
#[test]
fn rules_without_a_text() {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows() {
        assert_eq!(row.rule.is_none(), row.reason.is_some(), "{}", row.name);
        if let Some(reason) = row.reason {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    let shown: Vec<String> = reasons
        .iter()
        .map(|(why, n)| format!("{n:3} {why}"))
        .collect();
    insta::assert_snapshot!("without_text", shown.join("\n"));
}

fn shown(soundness: &Soundness) -> String {
    let mut text = format!("{}", soundness.verdict);
    if let Some(bound) = soundness.complete_up_to {
        let dim = bound
            .dim
            .map_or(String::new(), |dim| format!(", size {dim}"));
        let _ = write!(text, " (up to rank {}{dim})", bound.rank);
    }
    text.push('\n');
    let _ = soundness
        .why
        .iter()
        .try_for_each(|why| writeln!(text, "why {why}"));
    if let Some(case) = &soundness.counterexample {
        let _ = writeln!(text, "not for {}", of_case(case));
    }
    match &soundness.needs {
        Some(needs) if !needs.is_empty() => {
            let _ = writeln!(text, "needs {}", needs.join(", "));
        }
        _ => {}
    }
    if let Some(audit) = soundness.audit {
        let _ = writeln!(text, "audit {}", audit.name());
    }
    if let Some(case) = &soundness.lost {
        let _ = writeln!(text, "lost {}", of_case(case));
    }
    let _ = writeln!(
        text,
        "refines {:?} {:?}",
        soundness.forward, soundness.backward
    );
    text
}

fn of_case(case: &Case) -> String {
    let listed = |types: &[Type]| {
        let types = types.iter().map(ToString::to_string);
        types.collect::<Vec<_>>().join(", ")
    };
    let leaves = case.leaves.iter().map(|(name, ty)| format!("{name} {ty}"));
    let leaves = leaves.collect::<Vec<_>>().join(", ");
    let right = case.right.as_deref().map_or("never".into(), listed);
    let why = case
        .why
        .as_deref()
        .map_or(String::new(), |why| format!(" ({why})"));
    format!("{leaves}: {} becomes {right}{why}", listed(&case.left))
}
