//! What a file is made of, one after the other.

use super::rule::Rule;
use super::{Clause, File, Goal, NewType, Op};
use crate::tree::{Span, Spanned};

/// A clause, an operator, a rule or a type of a [`File`].
#[derive(Clone, Copy, Debug)]
pub enum Item<'f> {
    /// A clause.
    Clause(&'f Spanned<Clause>),
    /// An operator.
    Op(&'f Spanned<Op>),
    /// A rule.
    Rule(&'f Spanned<Rule>),
    /// A type.
    Type(&'f Spanned<NewType>),
}

impl<'f> Item<'f> {
    /// Where it stands, without its documentation.
    pub fn span(self) -> Span {
        match self {
            Item::Clause(clause) => clause.span,
            Item::Op(op) => op.span,
            Item::Rule(rule) => rule.span,
            Item::Type(ty) => ty.span,
        }
    }

    /// The lines that begin with `///` before it.
    pub fn doc(self) -> &'f [Box<str>] {
        match self {
            Item::Clause(clause) => &clause.node.doc,
            Item::Op(op) => &op.node.doc,
            Item::Rule(rule) => &rule.node.doc,
            Item::Type(ty) => &ty.node.doc,
        }
    }

    /// What has to hold, if it is something that holds.
    pub fn body(self) -> Option<&'f Spanned<Goal>> {
        match self {
            Item::Clause(clause) => Some(&clause.node.body),
            Item::Op(op) => Some(&op.node.body),
            Item::Rule(rule) => Some(&rule.node.body),
            Item::Type(_) => None,
        }
    }
}

impl File {
    /// Clauses, operators, rules and types in the order in which they are written.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let mut clauses = self.clauses.iter().map(Item::Clause).peekable();
        let mut ops = self.ops.iter().map(Item::Op).peekable();
        let mut rules = self.rules.iter().map(Item::Rule).peekable();
        let mut types = self.types.iter().map(Item::Type).peekable();
        std::iter::from_fn(move || {
            let start = |item: Option<&Item<'_>>| item.map_or(usize::MAX, |i| i.span().start);
            let starts = [
                start(clauses.peek()),
                start(ops.peek()),
                start(rules.peek()),
                start(types.peek()),
            ];
            // Of items that are at the same place, as in a tree that nobody has written, clauses come first.
            match starts.iter().min() {
                Some(first) if *first == starts[0] && clauses.peek().is_some() => clauses.next(),
                Some(first) if *first == starts[1] && ops.peek().is_some() => ops.next(),
                Some(first) if *first == starts[2] && rules.peek().is_some() => rules.next(),
                _ => types.next(),
            }
        })
    }
}
