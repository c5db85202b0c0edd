//! What a model requires of its sizes, and which of them are open.

use std::collections::HashSet;
use std::fmt::Write;

use kanshape::explain::Sizes;
use kanshape::{Type, Verdict};
use kanshape_onnx::{OpenDim, Options, Report, Requirement, cases};

use super::diagnostics::problems_of;
use super::nodes::{place, place_of};
use super::{View, count};

/// The most conditions that fit on a screen beside all else.
const CONDITIONS: usize = 10;
/// The most open dims, likewise.
const OPEN: usize = 6;
/// The most that is shown of what is known of one of them, likewise.
const FACTS: usize = 2;

/// From so many conditions on it is looked whether there are fewer where no size is 0.
const MANY: usize = 3;
/// What is under a heading is indented so far.
const INDENT: &str = "      ";

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// What fits on a screen.
    Screen,
    /// All there is.
    All,
}

/// Is it what the model requires of its inputs, or was it given? What is left is known of sizes that a node has brought.
fn is_required(one: &&Requirement) -> bool {
    one.demands || one.node.is_none()
}

fn required(report: &Report<'_>) -> usize {
    report.conditions.iter().filter(is_required).count()
}

impl View<'_, '_> {
    /// `where H % 32 == 0`, each with the nodes that require it; those that have to hold in a case under this.
    pub(super) fn conditions(&self, extent: Extent, text: &mut String) {
        let all: Vec<&Requirement> = self.report.conditions.iter().filter(is_required).collect();
        let most = match extent {
            Extent::Screen => CONDITIONS,
            Extent::All => all.len(),
        };
        let shown = all.iter().copied().take(most);
        for case in cases(shown) {
            let indent = match case.under.is_empty() {
                true => "",
                false => INDENT,
            };
            if !case.under.is_empty() {
                let when = match extent {
                    Extent::Screen => case.when_with(|path| self.shortened(path)),
                    Extent::All => case.when(),
                };
                let _ = writeln!(text, "{when}:");
            }
            for one in &case.conditions {
                let _ = match case.under.is_empty() {
                    true => writeln!(text, "where {}", one.condition),
                    false => writeln!(text, "{indent}{}", one.condition),
                };
                let reason = match extent {
                    Extent::Screen => reason_of(one, |path| self.shortened(path)),
                    Extent::All => reason(one),
                };
                if let Some(reason) = reason {
                    let _ = writeln!(text, "{indent}{INDENT}{}", self.screen.grey(reason));
                }
                if let Some((name, allowed)) = &one.allowed {
                    let line = format!("so {name} is one of {allowed}");
                    let _ = writeln!(text, "{indent}{INDENT}{}", self.screen.grey(line));
                }
            }
        }
        if all.len() > most {
            let more = count(all.len() - most, "more condition");
            let note = format!("      and {more}; --all shows all");
            let _ = writeln!(text, "{}", self.screen.grey(note));
        }
    }

    /// Is it worth to find out what is left of the conditions where no size is 0?
    pub(in crate::check) fn may_be_shorter(&self, options: &Options) -> bool {
        let is_whole =
            !self.select.quiet && self.select.only.is_none() && !self.select.is_of_parts();
        let is_long = self.required() >= MANY || self.report.verdict == Verdict::Unknown;
        is_whole && is_long && !options.assume_nonempty && self.report.untyped.is_empty()
    }

    /// `with no size 0: always, 1 condition (--assume-nonempty)`, if that is less than what is said without.
    pub(in crate::check) fn without_empty(&self, nonempty: &Report<'_>, text: &mut String) {
        let (own, other) = (self.required(), required(nonempty));
        let is_decided = self.report.verdict == Verdict::Unknown
            && matches!(nonempty.verdict, Verdict::Always | Verdict::Depends);
        if !is_decided && (own < MANY || nonempty.verdict == Verdict::Unknown || 2 * other > own) {
            return;
        }
        let conditions = match other {
            0 => String::new(),
            n => format!(", {}", count(n, "condition")),
        };
        let verdict = nonempty.verdict.name();
        let line = format!("with no size 0: {verdict}{conditions} (--assume-nonempty)");
        let _ = writeln!(text, "{}", self.screen.grey(line));
    }

    fn required(&self) -> usize {
        required(self.report)
    }

    /// `known d0 <= 100`: what is known of the sizes that nodes have brought.
    pub(super) fn facts(&self, text: &mut String) {
        for one in self.all_facts() {
            let _ = writeln!(text, "known {}", one.condition);
            for under in &one.under {
                let _ = writeln!(text, "      {}", self.screen.grey(under));
            }
            if let Some(place) = &one.node {
                let line = format!("of {}", self::place(place));
                let _ = writeln!(text, "      {}", self.screen.grey(line));
            }
        }
    }

    /// What is known of sizes that nodes have brought. What speaks of none of them holds for all inputs, and says nothing.
    fn all_facts(&self) -> Vec<&Requirement> {
        let dims = self.report.dims.iter().filter(|dim| dim.node.is_some());
        let brought: HashSet<&str> = dims.map(|dim| dim.name.as_str()).collect();
        let inputs = self.report.inputs.iter();
        let mut own = HashSet::new();
        inputs.for_each(|(_, ty)| add_names(ty, &mut own));
        let says_something = |one: &&Requirement| {
            let (mut some, mut other) = (false, false);
            one.condition.for_each_name(&mut |name| {
                some = true;
                other |= brought.contains(name) || !own.contains(name);
            });
            other || !some
        };
        let facts = self.report.conditions.iter();
        let facts = facts.filter(|one| !is_required(one));
        facts.filter(says_something).collect()
    }

    /// `open d0`: a size that nobody has named, where it is first met, and what is known of it. On a screen those that what is shown
    /// there speaks of, and otherwise all that are open.
    pub(super) fn open_dims(&self, extent: Extent, text: &mut String) {
        let shown = match extent {
            Extent::Screen => self.names_shown(),
            Extent::All => HashSet::new(),
        };
        let is_shown = |dim: &&OpenDim| match extent {
            Extent::Screen => {
                !dim.named && shown.contains(dim.name.as_str()) && !self.is_of_a_wrong_node(dim)
            }
            Extent::All => true,
        };
        let dims: Vec<&OpenDim> = self.report.dims.iter().filter(is_shown).collect();
        let most = match extent {
            Extent::Screen => OPEN,
            Extent::All => dims.len(),
        };
        let mut facts = self.all_facts();
        for dim in dims.iter().take(most) {
            let _ = writeln!(text, "open {}", dim.name);
            let _ = writeln!(text, "      {}", self.screen.grey(self.open(dim, extent)));
            let (own, others): (Vec<_>, Vec<_>) = facts.into_iter().partition(|one| {
                let mut is = false;
                one.condition
                    .for_each_name(&mut |name| is |= *dim.name == *name);
                is
            });
            facts = others;
            let most = match extent {
                Extent::Screen => FACTS,
                Extent::All => own.len(),
            };
            for one in own.iter().take(most) {
                let under: String = one.under.iter().map(|under| format!(", {under}")).collect();
                let line = format!("{}{under}", one.condition);
                let _ = writeln!(text, "      {}", self.screen.grey(line));
            }
            if own.len() > most {
                let more = count(own.len() - most, "more fact");
                let note = format!("      and {more}; --all shows all");
                let _ = writeln!(text, "{}", self.screen.grey(note));
            }
        }
        if dims.len() > most {
            let more = count(dims.len() - most, "more open dim");
            let note = format!("      and {more}; --all shows all");
            let _ = writeln!(text, "{}", self.screen.grey(note));
        }
    }

    /// `torch fixed d0 (dim 2 of x) to 64; the program holds for d0 % 32 == 0`.
    pub(super) fn assumed(&self, extent: Extent, text: &mut String) {
        let all = &self.report.assumed;
        let most = match extent {
            Extent::Screen => CONDITIONS,
            Extent::All => all.len(),
        };
        for one in all.iter().take(most) {
            let _ = writeln!(text, "torch {one}");
        }
        if all.len() > most {
            let more = count(all.len() - most, "more assumption");
            let note = format!("      and {more}; --all shows all");
            let _ = writeln!(text, "{}", self.screen.grey(note));
        }
    }

    /// What a node gives that can't be is open for no reason of its own.
    fn is_of_a_wrong_node(&self, dim: &OpenDim) -> bool {
        let of = dim.node.as_ref();
        of.is_some_and(|of| problems_of(self.report).any(|node| node == of))
    }

    fn open(&self, dim: &OpenDim, extent: Extent) -> String {
        let is_input = self
            .report
            .inputs
            .iter()
            .any(|(name, _)| *name == dim.value);
        let mut line = format!("dim {} of {}", dim.axis, dim.value);
        match &dim.node {
            Some(node) => {
                let node = match extent {
                    Extent::Screen => place_of(node, |path| self.shortened(path)),
                    Extent::All => place(node),
                };
                let _ = write!(line, ", made by {node}");
            }
            None if is_input => line.push_str(", an input"),
            None => {}
        }
        if !dim.depends_on.is_empty() {
            let names: Vec<&str> = dim.depends_on.iter().map(|n| n.as_str()).collect();
            let _ = write!(line, "; tied to {}", names.join(", "));
        }
        line
    }

    /// The names in what a screen shows: in inputs, outputs and conditions.
    fn names_shown(&self) -> HashSet<String> {
        let mut names = HashSet::new();
        for (_, ty) in self.report.inputs.iter().chain(&self.report.outputs) {
            add_names(ty, &mut names);
        }
        let required = self.report.conditions.iter().filter(is_required);
        for one in required.take(CONDITIONS) {
            one.condition.for_each_name(&mut |name| {
                names.insert(name.to_owned());
            });
        }
        names
    }
}

fn add_names(ty: &Type, names: &mut HashSet<String>) {
    kanshape_onnx::for_each_name(ty, &mut |_, name| {
        names.insert(name.to_owned());
    });
}

/// `required by Reshape_3 (Reshape, node 3); holds for N = 1, not for N = 2`.
pub(crate) fn reason(one: &Requirement) -> Option<String> {
    reason_of(one, str::to_owned)
}

/// The same, with paths of nodes written in some way. What [need not hold](Requirement::unless_empty) where there are no elements is
/// `required of tensors that have elements`.
fn reason_of(one: &Requirement, path: impl Fn(&str) -> String) -> Option<String> {
    let nodes = one.node.iter().chain(&one.others);
    let nodes: Vec<String> = nodes.map(|node| place_of(node, &path)).collect();
    let of = if one.unless_empty {
        " of tensors that have elements"
    } else {
        ""
    };
    let from = (!nodes.is_empty()).then(|| format!("required{of} by {}", nodes.join(" and ")));
    let sizes = sizes(one.holds.as_ref(), one.fails.as_ref());
    let parts: Vec<String> = from.into_iter().chain(sizes).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// `holds for n = 3, not for n = 1`.
pub(crate) fn sizes(holds: Option<&Sizes>, fails: Option<&Sizes>) -> Option<String> {
    match (holds, fails) {
        (Some(holds), Some(fails)) => Some(format!("holds for {holds}, not for {fails}")),
        (Some(holds), None) => Some(format!("holds for {holds}")),
        (None, Some(fails)) => Some(format!("does not hold for {fails}")),
        (None, None) => None,
    }
}
