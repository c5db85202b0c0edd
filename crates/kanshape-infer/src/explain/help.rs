//! Repairs in words.

use super::repair::{Edit, EditKind, Repair};
use super::words::Words;
use crate::limits::{MAX_HELP_IN_LINE, MAX_HELP_LINES, MAX_VALUES_IN_LINE};

/// The help where nothing would mend it by itself.
pub(super) const NOT_ALONE: &str =
    "what else is given can't hold together either, so no one change is enough";

/// What would mend it, a line for each way of doing so.
pub(super) fn lines(repairs: &[Repair], words: &Words<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut sizes: Vec<String> = Vec::new();
    let size = |r: &&Repair| {
        matches!(
            r.how,
            EditKind::Dim(_) | EditKind::Content(_) | EditKind::Dtype | EditKind::Type
        )
    };
    for repair in repairs.iter().filter(size).take(MAX_HELP_IN_LINE) {
        sizes.push(sentence(repair, &called(repair, words), &value(repair)));
    }
    if !sizes.is_empty() {
        lines.push(sizes.join("; "));
    }
    let transposed = |r: &&Repair| matches!(r.how, EditKind::Transposed(..));
    if let Some(repair) = repairs.iter().find(transposed) {
        lines.push(format!(
            "did you mean the transpose of {}? {} fits",
            called(repair, words),
            value(repair)
        ));
    }
    for (i, repair) in repairs.iter().enumerate() {
        // A reader needs no second way for one place, where the first is a small one, but that a dim was lost or kept
        // is conveyed by little else.
        let is_kept_dim = |how| matches!(how, EditKind::Squeezed(_) | EditKind::Unsqueezed(_));
        let is_same_way =
            |r: &&Repair| r.slot == repair.slot && (!is_kept_dim(repair.how) || is_kept_dim(r.how));
        if repairs[..i].iter().any(|r| is_same_way(&r)) {
            continue;
        }
        let called = called(repair, words);
        let value = match repair.how {
            EditKind::Value => any_of(repairs.iter().filter(is_same_way).map(value)),
            _ => value(repair),
        };
        if size(&repair) || transposed(&repair) {
            continue;
        }
        lines.push(sentence(repair, &called, &value));
    }
    lines.truncate(MAX_HELP_LINES);
    lines
}

/// A repair in words.
pub(super) fn in_words(repair: &Repair, words: &Words<'_>) -> String {
    sentence(repair, &called(repair, words), &value(repair))
}

/// A repair of what is called so, to this.
fn sentence(repair: &Repair, called: &str, value: &str) -> String {
    match repair.how {
        EditKind::Dim(_) | EditKind::Content(_) | EditKind::Dtype | EditKind::Type => {
            format!("{called} would fit as {value}")
        }
        EditKind::Transposed(..) => format!("{called} would fit transposed, as {value}"),
        EditKind::Squeezed(axis) => {
            format!("{called} would fit without its dim {axis} of 1, as {value}")
        }
        EditKind::Unsqueezed(_) => format!("{called} would fit with one dim of 1 more, as {value}"),
        EditKind::Without(axis) => format!("{called} would fit without its dim {axis}, as {value}"),
        EditKind::With(_) => format!("{called} would fit with one dim more, as {value}"),
        EditKind::Shape => format!("{called} would fit with another shape: {value}"),
        EditKind::Value => format!("{called} could be {value}"),
        EditKind::Default => format!("with {called} = {value} it would fit"),
    }
}

/// `0`, `0 or 1`, `0, 1 or -1`: all of a few, and as many as a reader needs of more.
fn any_of(values: impl Iterator<Item = String>) -> String {
    let mut values: Vec<String> = values.collect();
    if values.len() > MAX_VALUES_IN_LINE {
        values.truncate(MAX_HELP_IN_LINE);
        return format!("{}, ..", values.join(", "));
    }
    match values.pop() {
        Some(last) if !values.is_empty() => format!("{} or {last}", values.join(", ")),
        last => last.unwrap_or_default(),
    }
}

fn called(repair: &Repair, words: &Words<'_>) -> String {
    words.called_slot(&repair.slot)
}

fn value(repair: &Repair) -> String {
    let mut text = match &repair.change {
        Edit::Type(ty) => match repair.how {
            EditKind::Content(_) | EditKind::Type => ty.to_string(),
            _ => ty.clone().with_contents(None).to_string(),
        },
        Edit::Param(dim) => dim.to_string(),
        Edit::Attr(crate::AttrValue::Absent) => "left out".into(),
        Edit::Attr(value) => value.to_string(),
    };
    for (i, condition) in repair.conditions.iter().enumerate() {
        text.push_str(if i == 0 { " where " } else { ", " });
        text.push_str(&condition.to_string());
    }
    text
}
