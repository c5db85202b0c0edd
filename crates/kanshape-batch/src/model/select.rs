//! [`Select`]: which parts of a report are shown.

use kanshape_onnx::{ModelNode, Place};

use crate::type_json::TypesAs;

/// Which parts of a report are shown.
#[derive(Clone, Debug, Default)]
pub struct Select {
    /// All values with their types.
    pub values: bool,
    /// All nodes, as a table.
    pub nodes: bool,
    /// The nodes of bodies and functions.
    pub bodies: bool,
    /// The types of values as objects, beside their texts.
    pub type_data: bool,
    /// The names of sizes, each with the dims and conditions that speak of it.
    pub names: bool,
    /// Memory and multiplications.
    pub bytes: bool,
    /// Who wrote the model, for which versions, and its operators by count.
    pub summary: bool,
    /// All conditions and open sizes, and not what fits on a screen.
    pub all: bool,
    /// The model as one line of the signature language, in JSON.
    pub signature: bool,
    /// Declared types against found ones.
    pub declared: bool,
    /// Values, by name.
    pub value: Vec<NamePattern>,
    /// Nodes, by name or number.
    pub node: Vec<NamePattern>,
    /// Nodes, by operator.
    pub op: Vec<NamePattern>,
    /// One part and nothing else.
    pub only: Option<Only>,
    /// Diagnostics and the exit code, and nothing else.
    pub quiet: bool,
    /// How types are written in JSON.
    pub types: TypesAs,
}

impl Select {
    /// Are nodes requested, some or all?
    pub fn asks_for_nodes(&self) -> bool {
        self.nodes || !(self.node.is_empty() && self.op.is_empty())
    }

    /// Is this node requested?
    pub fn is_node(&self, node: &ModelNode<'_>) -> bool {
        let place = &node.place;
        self.nodes
            || self.node.iter().any(|p| p.fits_node(place))
            || self.op.iter().any(|p| p.fits(&place.op))
    }

    /// Are some values or nodes requested, rather than the model?
    pub fn is_of_parts(&self) -> bool {
        !(self.value.is_empty() && self.node.is_empty() && self.op.is_empty())
    }
}

/// A part of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Only {
    /// What is wrong
    Errors,
    /// What the model requires of its sizes
    Conditions,
    /// The sizes that are open
    Open,
}

/// A name, in which `*` is any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(pub String);

impl NamePattern {
    /// Is this such a node, by its name or its number?
    pub fn fits_node(&self, place: &Place) -> bool {
        self.fits(&place.node) || self.0 == place.index.to_string()
    }

    /// Is this such a name?
    pub fn fits(&self, name: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else {
            return false;
        };
        let Some(last) = parts.next_back() else {
            return rest.is_empty();
        };
        // The earliest place of each part leaves the most to those behind it.
        for part in parts {
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text() {
        for (pattern, name, fits) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("", "", true),
            ("*", "", true),
            ("a*", "ab", true),
            ("*b", "ab", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("/m/*/conv*", "/m/x/y/conv_1", true),
            ("/m/*/conv*", "/m/conv_1", false),
            ("*b*b", "abcb", true),
            ("*b*b", "abc", false),
        ] {
            assert_eq!(
                NamePattern(pattern.into()).fits(name),
                fits,
                "{pattern} {name}"
            );
        }
    }
}
