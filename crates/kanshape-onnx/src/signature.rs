//! A model as one line.

use crate::report::{Report, Required};
use kanshape::tree::{CmpOp, Expr};
use kanshape::{Condition, Type};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// A model as one line: what it takes, what it gives, and what has to hold between them.
///
/// What the model requires is all there, with names for sizes that are neither those of an input nor those of an output where it
/// speaks of these. What ties such sizes to those of inputs and outputs is there as well, or it is said how many conditions do. What is only
/// known of them by themselves is left out. A condition that has to hold in a body has that behind it in words.
pub fn signature(report: &Report<'_>) -> String {
    let types = |all: &[(Cow<'_, str>, Arc<Type>)]| {
        let types = all.iter().map(|(_, ty)| ty.to_string());
        types.collect::<Vec<_>>().join(", ")
    };
    let mut line = types(&report.inputs);
    if !line.is_empty() {
        line.push(' ');
    }
    let _ = write!(line, "-> {}", types(&report.outputs));
    let mut shown = BTreeSet::new();
    for (_, ty) in report.inputs.iter().chain(&report.outputs) {
        names(ty, &mut shown);
    }
    let hidden = hidden(report, &shown);
    let are_few = hidden.iter().filter(|is| **is).count() <= MOST_HIDDEN;
    let mut before = " where";
    for (one, is_hidden) in report.conditions.iter().zip(&hidden) {
        let condition = &one.condition;
        let is_asked =
            speaks_of(condition, &shown).1 || one.demands && !is_replaced(report, condition);
        if is_asked && !is_hidden || *is_hidden && are_few {
            let _ = write!(line, "{before} {}", one.condition);
            for under in &one.under {
                let _ = write!(line, " {under}");
            }
            before = ",";
        }
    }
    if !are_few {
        let count = hidden.iter().filter(|is| **is).count();
        let and = if before == "," { ", and" } else { " where" };
        let _ = write!(line, "{and} {count} conditions on sizes of other values");
    }
    if report.nonempty {
        line.push_str(" (no size is 0)");
    }
    line
}

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
