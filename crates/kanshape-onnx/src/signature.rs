//! A model as one line.

use crate::cases::{Case, cases};
use crate::compare::words;
use crate::report::{Report, Required};
use kanshape::tree::{CmpOp, Expr};
use kanshape::{Condition, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A model as one line: what it takes, what it gives, and what has to hold between them.
///
/// What the model requires is all there, with names for sizes that are neither those of an input nor those of an output where it
/// speaks of these. What ties such sizes to those of inputs and outputs is there as well, or it is said how many conditions do. What is only
/// known of them by themselves is left out. Conditions that have to hold where a branch is run are behind what that says of the
/// inputs, one case a line; then the inputs have their names.
///
/// ```text
/// input f32[b, n], sr i64[] -> f32[b, 1]
///   where sr == 16000: 192 <= n <= 703
///   else:              96 <= n <= 351
/// ```
///
/// Three and more of one type in a row are counted, `24 of f32[b, 12, past, 64]`. Where it is long, the beginning that long names
/// have in common is left out: `…_1` is `p2o_DynamicDimension_1`. Where it still is, conditions for which there is no room are counted:
/// `and 9 more conditions`.
pub fn signature(report: &Report<'_>) -> String {
    let is_long = |text: &str| text.chars().count() > LONG;
    let line = whole(report, None);
    if !is_long(&line) {
        return line;
    }
    let line = with_short_names(&line, report);
    if !is_long(&line) {
        return line;
    }
    with_short_names(&whole(report, Some(LONG)), report)
}

/// A longer line has short names, and not all conditions.
const LONG: usize = 220;

/// Longer names are shortened.
const LONG_NAME: usize = 12;

/// A line in which names of sizes that begin alike have no beginning, as far as that tells them from all others.
fn with_short_names(line: &str, report: &Report<'_>) -> String {
    let mut names = BTreeSet::new();
    for (_, ty) in report.inputs.iter().chain(&report.outputs) {
        self::names(ty, &mut names);
    }
    let long = || names.iter().filter(|name| name.chars().count() > LONG_NAME);
    let (Some(first), Some(last)) = (long().next(), long().next_back()) else {
        return line.to_owned();
    };
    // Of sorted texts, what all have in common is what the first and the last have.
    let both = first.char_indices().zip(last.chars());
    let differs = both.into_iter().find(|((_, a), b)| a != b);
    let common = &first[..differs.map_or(0, |((at, _), _)| at)];
    let Some(cut) = common.rfind('_').filter(|cut| *cut > 0) else {
        return line.to_owned();
    };
    let words = words(line).map(
        |word| match names.contains(word) && word.starts_with(common) {
            true if word.chars().count() > LONG_NAME => format!("…{}", &word[cut..]),
            _ => word.to_owned(),
        },
    );
    words.collect()
}

/// Equal texts in a row, counted.
fn counted(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    let rows = all.chunk_by(|a, b| a == b);
    let texts = rows.map(|row| match row {
        [one, _, _, ..] => format!("{} of {one}", row.len()),
        row => row.join(", "),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// All of it; or, of a number of characters, as many conditions as there is room for.
fn whole(report: &Report<'_>, room: Option<usize>) -> String {
    let mut shown = BTreeSet::new();
    for (_, ty) in report.inputs.iter().chain(&report.outputs) {
        names(ty, &mut shown);
    }
    let hidden = hidden(report, &shown);
    let are_few = hidden.iter().filter(|is| **is).count() <= MOST_HIDDEN;
    let listed = report.conditions.iter().zip(&hidden);
    let listed = listed.filter(|(one, is_hidden)| {
        let is_asked = speaks_of(&one.condition, &shown).1
            || one.demands && !is_replaced(report, &one.condition);
        is_asked && !**is_hidden || **is_hidden && are_few
    });
    let cases = cases(listed.map(|(one, _)| one));
    let are_named = cases.iter().any(|case| !case.under.is_empty());
    let inputs = report.inputs.iter().map(|(name, ty)| match are_named {
        true => format!("{name} {ty}"),
        false => ty.to_string(),
    });
    let inputs = counted(inputs);
    let outputs = counted(report.outputs.iter().map(|(_, ty)| ty.to_string()));
    let mut line = match inputs.is_empty() {
        true => format!("-> {outputs}"),
        false => format!("{inputs} -> {outputs}"),
    };
    let mut used = line.chars().count() + ROOM_OF_COUNT;
    let mut has_room = |text: &str| {
        let more = used + text.chars().count() + 2;
        let is_enough = room.is_none_or(|room| more <= room);
        used = if is_enough { more } else { used };
        is_enough
    };
    let always = cases.iter().filter(|case| case.under.is_empty());
    let always: Vec<String> = always.flat_map(texts_of).collect();
    let count = always.len();
    let written: Vec<String> = always.into_iter().filter(|text| has_room(text)).collect();
    let mut omitted = count - written.len();
    let rest: Vec<&Case<'_>> = cases.iter().filter(|case| !case.under.is_empty()).collect();
    let whens: Vec<String> = rest.iter().map(|case| case.when_with(shortened)).collect();
    let mut below = String::new();
    for (i, (case, when)) in rest.iter().zip(&whens).enumerate() {
        // What is said of both branches stands below each other.
        let next = rest.get(i + 1).filter(|next| next.is_else);
        let own = match (case.is_else, next) {
            (true, _) => whens[i - 1].chars().count(),
            (false, Some(_)) => whens[i + 1].chars().count(),
            (false, None) => 0,
        };
        let head = format!("{when}:");
        let width = (own + 1).min(WIDEST);
        let text = format!("\n  {head:width$} {}", texts_of(case).join(", "));
        match has_room(&text) {
            true => below.push_str(&text),
            false => omitted += case.conditions.len(),
        }
    }
    let mut counted = None;
    if !are_few {
        let count = hidden.iter().filter(|is| **is).count();
        match room {
            Some(_) => omitted += count,
            None => counted = Some(format!("{count} conditions on sizes of other values")),
        }
    }
    if omitted > 0 {
        let more = if written.is_empty() { "" } else { "more " };
        let plural = if omitted == 1 { "" } else { "s" };
        counted = Some(format!("{omitted} {more}condition{plural}"));
    }
    let and = match (&counted, written.is_empty()) {
        (Some(counted), false) => format!(", and {counted}"),
        (Some(counted), true) => counted.clone(),
        (None, _) => String::new(),
    };
    if !written.is_empty() || !and.is_empty() {
        let _ = write!(line, " where {}{and}", written.join(", "));
    }
    if report.nonempty {
        line.push_str(" (no size is 0)");
    }
    line.push_str(&below);
    line
}

/// So many characters are kept for how many conditions are not there.
const ROOM_OF_COUNT: usize = 30;

/// Longer words push what is behind them to the right.
const WIDEST: usize = 40;

fn texts_of(case: &Case<'_>) -> Vec<String> {
    let all = case.conditions.iter().map(|one| match &one.condition {
        Required::Value(text) => shortened(text),
        Required::Condition(condition) => condition.to_string(),
    });
    all.collect()
}

/// The end of a path that is long.
fn shortened(path: &str) -> String {
    match path.rfind('/') {
        Some(at) if path.chars().count() > LONG_PATH => format!("…{}", &path[at..]),
        _ => path.to_owned(),
    }
}

/// Longer paths are shortened.
const LONG_PATH: usize = 32;

/// More conditions on sizes that no type shows are counted only.
const MOST_HIDDEN: usize = 4;

/// Which conditions tie sizes that no type shows to those that one shows, over several of them if need be.
fn hidden(report: &Report<'_>, shown: &BTreeSet<String>) -> Vec<bool> {
    let mut met = shown.clone();
    let mut hidden = vec![false; report.conditions.len()];
    loop {
        let before = met.len();
        for (one, is_hidden) in report.conditions.iter().zip(&mut hidden) {
            let condition = &one.condition;
            if *is_hidden || one.demands || is_replaced(report, condition) {
                continue;
            }
            let (some, all) = speaks_of(condition, &met);
            if some && !speaks_of(condition, shown).1 {
                *is_hidden = true;
            }
            if some && !all {
                condition.for_each_name(&mut |name| {
                    met.insert(name.to_owned());
                });
            }
        }
        if met.len() == before {
            return hidden;
        }
    }
}

/// Does a condition speak of some of these names, and of no other?
fn speaks_of(condition: &Required, names: &BTreeSet<String>) -> (bool, bool) {
    let (mut some, mut all) = (false, true);
    condition.for_each_name(&mut |name| {
        let is = names.contains(name);
        some |= is;
        all &= is;
    });
    (some, all)
}

/// Is it `N == e` for a name that no type has, since `e` is there in its place?
fn is_replaced(report: &Report<'_>, condition: &Required) -> bool {
    let Required::Condition(Condition::Compare(Expr::Name(name), rest)) = condition else {
        return false;
    };
    let is_open = report.dims.iter().any(|dim| dim.name == *name.node);
    matches!(&rest[..], [(CmpOp::Eq, _)]) && !is_open
}

fn names(ty: &Type, all: &mut BTreeSet<String>) {
    crate::check::for_each_name(ty, &mut |_, name| {
        all.insert(name.to_owned());
    });
}
