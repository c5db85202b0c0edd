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
/// speaks of these. What is only known of such sizes is left out. A condition that has to hold in a body has that behind it in words.
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
    let mut before = " where";
    for one in &report.conditions {
        let mut is_shown = true;
        let condition = &one.condition;
        condition.for_each_name(&mut |name| is_shown &= shown.contains(name));
        if is_shown || one.demands && !is_replaced(report, condition) {
            let _ = write!(line, "{before} {}", one.condition);
            for under in &one.under {
                let _ = write!(line, " {under}");
            }
            before = ",";
        }
    }
    if report.nonempty {
        line.push_str(" (no size is 0)");
    }
    line
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
