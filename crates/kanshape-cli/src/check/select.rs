//! [`Select`]: which parts of a report are shown.

use kanshape_onnx::{ModelNode, Place};

use crate::args::{CheckArgs, Only, TypesAs};

/// Which parts of a report are shown.
#[derive(Debug)]
pub(super) struct Select {
    /// All values with their types.
    pub(super) values: bool,
    /// All nodes, as a table.
    pub(super) nodes: bool,
    /// Memory and multiplications.
    pub(super) bytes: bool,
    /// Declared types against found ones.
    pub(super) declared: bool,
    /// Values, by name.
    pub(super) value: Vec<Pattern>,
    /// Nodes, by name or number.
    pub(super) node: Vec<Pattern>,
    /// Nodes, by operator.
    pub(super) op: Vec<Pattern>,
    /// One part and nothing else.
    pub(super) only: Option<Only>,
    /// Diagnostics and the exit code, and nothing else.
    pub(super) quiet: bool,
    /// How types are written in JSON.
    pub(super) types: TypesAs,
}

impl Select {
    pub(super) fn of(args: &CheckArgs) -> Select {
        let patterns = |texts: &[String]| texts.iter().map(|text| Pattern(text.clone())).collect();
        Select {
            values: args.values,
            nodes: args.nodes,
            bytes: args.bytes,
            declared: args.declared,
            value: patterns(&args.value),
            node: patterns(&args.node),
            op: patterns(&args.op),
            only: args.only,
            quiet: args.quiet,
            types: args.models.types,
        }
    }

    /// Are nodes requested, some or all?
    pub(super) fn asks_for_nodes(&self) -> bool {
        self.nodes || !(self.node.is_empty() && self.op.is_empty())
    }

    /// Is this node requested?
    pub(super) fn is_node(&self, node: &ModelNode<'_>) -> bool {
        let place = &node.place;
        self.nodes
            || self.node.iter().any(|p| p.fits_node(place))
            || self.op.iter().any(|p| p.fits(&place.op))
    }

    /// Are some values or nodes requested, rather than the model?
    pub(super) fn is_of_parts(&self) -> bool {
        !(self.value.is_empty() && self.node.is_empty() && self.op.is_empty())
    }
}

/// A name, in which `*` is any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern(pub(super) String);

impl Pattern {
    /// Is this such a node, by its name or its number?
    pub(super) fn fits_node(&self, place: &Place) -> bool {
        self.fits(&place.node) || self.0 == place.index.to_string()
    }

    /// Is this such a name?
    pub(super) fn fits(&self, name: &str) -> bool {
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
            assert_eq!(Pattern(pattern.into()).fits(name), fits, "{pattern} {name}");
        }
    }
}
