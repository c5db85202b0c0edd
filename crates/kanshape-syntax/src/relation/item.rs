//! What a file is made of, one after the other.

use super::rule::Rule;
use super::{Clause, File, Goal, Op};
use crate::tree::{Span, Spanned};

/// A clause, an operator or a rule of a [`File`].
#[derive(Clone, Copy, Debug)]
pub enum Item<'f> {
    /// A clause.
    Clause(&'f Spanned<Clause>),
    /// An operator.
    Op(&'f Spanned<Op>),
    /// A rule.
    Rule(&'f Spanned<Rule>),
}

impl<'f> Item<'f> {
    /// Where it stands, without its documentation.
    pub fn span(self) -> Span {
        match self {
            Item::Clause(clause) => clause.span,
            Item::Op(op) => op.span,
            Item::Rule(rule) => rule.span,
        }
    }

    /// The lines that begin with `///` before it.
    pub fn doc(self) -> &'f [Box<str>] {
        match self {
            Item::Clause(clause) => &clause.node.doc,
            Item::Op(op) => &op.node.doc,
            Item::Rule(rule) => &rule.node.doc,
        }
    }

    /// What has to hold.
    pub fn body(self) -> &'f Spanned<Goal> {
        match self {
            Item::Clause(clause) => &clause.node.body,
            Item::Op(op) => &op.node.body,
            Item::Rule(rule) => &rule.node.body,
        }
    }
}

impl File {
    /// Clauses, operators and rules in the order in which they are written.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let mut clauses = self.clauses.iter().map(Item::Clause).peekable();
        let mut ops = self.ops.iter().map(Item::Op).peekable();
        let mut rules = self.rules.iter().map(Item::Rule).peekable();
        std::iter::from_fn(move || {
            let start = |item: Option<&Item<'_>>| item.map_or(usize::MAX, |i| i.span().start);
            let starts = [
                start(clauses.peek()),
                start(ops.peek()),
                start(rules.peek()),
            ];
            // Of items that are at the same place, as in a tree that nobody has written, clauses come first.
            match starts.iter().min() {
                Some(first) if *first == starts[0] && clauses.peek().is_some() => clauses.next(),
                Some(first) if *first == starts[1] && ops.peek().is_some() => ops.next(),
                _ => rules.next(),
            }
        })
    }
}
