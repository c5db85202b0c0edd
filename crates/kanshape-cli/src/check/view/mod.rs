//! What has been found out of a model, as text for people.
//!
//! By default a screenful: a line of [`summary`], [`ports`], [`conditions`] and the [`diagnostics`]. [`values`] and
//! [`nodes`] are shown on request.

pub(super) mod bytes;
pub(crate) mod conditions;
pub(super) mod declared;
pub(super) mod diagnostics;
pub(crate) mod nodes;
mod operators;
mod ports;
pub(super) mod summary;
mod values;

use std::cell::OnceCell;
use std::collections::HashMap;

use kanshape::{Diagnostic, Type};
use kanshape_onnx::{Model, ModelNode, Report};

use kanshape_batch::model::select::{Only, Select};

use crate::screen::Screen;

/// Paths of nodes up to this length are shown whole.
const LONG_PATH: usize = 32;
/// Paths are cut to at most so many parts.
const MOST_PARTS: usize = 4;

/// A model with what has been found out of it.
pub(super) struct View<'v, 'a> {
    pub(super) name: &'v str,
    pub(super) model: &'v Model<'a>,
    pub(super) report: &'v Report<'a>,
    pub(super) select: &'v Select,
    pub(super) screen: &'v Screen,
    /// There are several models: each says which one it is.
    pub(super) is_one_of_many: bool,
    /// The types of the values, found when the first is needed.
    pub(super) types: OnceCell<HashMap<&'v str, &'v Type>>,
    /// The names of the nodes, likewise.
    pub(super) names: OnceCell<Vec<String>>,
}

/// What is shown of a model.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) text: String,
    /// Names of values or nodes that the model does not have.
    pub(super) missing: Vec<Diagnostic>,
}

impl View<'_, '_> {
    /// What was requested.
    pub(super) fn shown(&self) -> Shown {
        let mut shown = Shown::default();
        if self.select.quiet {
            return shown;
        }
        if let Some(only) = self.select.only {
            self.only(only, &mut shown.text);
            return shown;
        }
        if self.select.is_of_parts() {
            if self.is_one_of_many {
                self.heading(&mut shown.text);
            }
            let all = self.all_nodes();
            self.value_parts(&all, &mut shown);
            self.node_parts(&all, &mut shown);
            return shown;
        }
        let text = &mut shown.text;
        self.summary(text);
        self.ports(text);
        if self.select.bytes {
            self.bytes(text);
        }
        if self.select.declared {
            self.declared(text);
        }
        if self.select.values {
            self.values(text);
        }
        if self.select.nodes {
            let all = self.all_nodes();
            self.node_table(&all.iter().collect::<Vec<_>>(), text);
        }
        if self.select.summary {
            self.operators(text);
        }
        let extent = match self.select.all {
            true => conditions::Extent::All,
            false => conditions::Extent::Screen,
        };
        self.conditions(extent, text);
        self.open_dims(extent, text);
        self.assumed(extent, text);
        shown
    }

    /// One part of the report, and nothing else.
    fn only(&self, only: Only, text: &mut String) {
        let mut part = String::new();
        match only {
            Only::Errors => {
                for one in diagnostics::diagnostics(self.report) {
                    part.push_str(&self.screen.shown(&one));
                    part.push('\n');
                }
            }
            Only::Conditions => {
                self.conditions(conditions::Extent::All, &mut part);
                self.facts(&mut part);
            }
            Only::Open => self.open_dims(conditions::Extent::All, &mut part),
        }
        if self.is_one_of_many && !part.is_empty() {
            self.heading(text);
        }
        text.push_str(&part);
    }

    fn heading(&self, text: &mut String) {
        text.push_str(&self.screen.bold(format_args!("{}:", self.name)));
        text.push('\n');
    }

    /// The path of a node without its first parts, as far as no other node ends so. On a screen long paths hide what is
    /// different about them.
    fn shortened(&self, path: &str) -> String {
        if path.len() <= LONG_PATH {
            return path.to_owned();
        }
        let names = self.names.get_or_init(|| {
            let nodes = self.model.each_node();
            nodes.map(|node| node.place.node).collect()
        });
        let mut starts: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
        starts.reverse();
        let is_alone = |end: &str| {
            let all = names.iter().filter(|name| name.ends_with(end));
            all.take(2).count() <= 1
        };
        let ends = starts.into_iter().take(MOST_PARTS).map(|at| &path[at..]);
        let mut ends = ends.filter(|end| end.len() + 1 < path.len());
        match ends.find(|end| is_alone(end)) {
            Some(end) => format!("…{end}"),
            None => path.to_owned(),
        }
    }

    fn all_nodes(&self) -> Vec<ModelNode<'_>> {
        self.model.each_node().collect()
    }
}

/// `1 node`, `2 nodes`.
fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
