//! What a file is made of, one after the other.

use super::{Clause, File, Goal, Op};
use crate::tree::{Span, Spanned};

/// A clause or an operator of a [`File`].
#[derive(Clone, Copy, Debug)]
pub enum Item<'f> {
    /// A clause.
    Clause(&'f Spanned<Clause>),
    /// An operator.
    Op(&'f Spanned<Op>),
}

impl<'f> Item<'f> {
    /// Where it stands, without its documentation.
    pub fn span(self) -> Span {
        match self {
            Item::Clause(clause) => clause.span,
            Item::Op(op) => op.span,
        }
    }

    /// The lines that begin with `///` before it.
    pub fn doc(self) -> &'f [Box<str>] {
        match self {
            Item::Clause(clause) => &clause.node.doc,
            Item::Op(op) => &op.node.doc,
        }
    }

    /// What has to hold.
    pub fn body(self) -> &'f Spanned<Goal> {
        match self {
            Item::Clause(clause) => &clause.node.body,
            Item::Op(op) => &op.node.body,
        }
    }
}

impl File {
    /// Clauses and operators in the order in which they are written.
    pub fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let mut clauses = self.clauses.iter().peekable();
        let mut ops = self.ops.iter().peekable();
        std::iter::from_fn(move || match (clauses.peek(), ops.peek()) {
            (Some(clause), Some(op)) if op.span.start < clause.span.start => {
                ops.next().map(Item::Op)
            }
            (Some(_), _) => clauses.next().map(Item::Clause),
            (None, _) => ops.next().map(Item::Op),
        })
    }
}
