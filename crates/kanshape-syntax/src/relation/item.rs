//! What a file is made of, one after the other.

use super::{Clause, File, Op};
use crate::tree::Spanned;

/// A clause or an operator of a [`File`].
#[derive(Clone, Copy, Debug)]
pub enum Item<'f> {
    /// A clause.
    Clause(&'f Spanned<Clause>),
    /// An operator.
    Op(&'f Spanned<Op>),
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
