//! The variables of one clause, by name.

use crate::encode::kind::{Kinds, Open};
use kanshape_syntax::tree::{Ident, Span};

/// A variable of a clause.
#[derive(Debug)]
pub(super) struct Variable {
    pub name: Box<str>,
    pub kind: Open,
    /// Where it is written first.
    pub place: Span,
}

/// The variables of the clause that is being compiled.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub variables: Vec<Variable>,
    /// The names that can be spoken of, the innermost last.
    visible: Vec<usize>,
    /// The slots that were spoken of, in order.
    mentioned: Vec<usize>,
}

impl Scope {
    /// The slot that a name has already.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let slots = self.visible.iter().rev().copied();
        slots
            .into_iter()
            .find(|&slot| *self.variables[slot].name == *name)
    }

    /// The slot of a name, which is a variable from now on.
    pub(super) fn slot(&mut self, kinds: &mut Kinds, name: &Ident) -> usize {
        let slot = match self.find(&name.node) {
            Some(slot) => slot,
            None => self.declare(kinds, name, false),
        };
        self.mentioned.push(slot);
        slot
    }

    fn declare(&mut self, kinds: &mut Kinds, name: &Ident, member: bool) -> usize {
        let slot = self.variables.len();
        self.variables.push(Variable {
            name: name.node.clone(),
            kind: kinds.open(),
            place: name.span,
        });
        match member {
            true => self.visible.push(slot),
            // Whatever is in sight further in, it is seen until the end of the clause.
            false => self.visible.insert(0, slot),
        }
        slot
    }

    /// A variable that no text can name.
    pub(super) fn add(&mut self, kind: Open, place: Span) {
        self.variables.push(Variable {
            name: "".into(),
            kind,
            place,
        });
    }

    /// A name for the members of a list, until [`Scope::leave`].
    pub(super) fn enter(&mut self, kinds: &mut Kinds, name: &Ident) -> usize {
        self.declare(kinds, name, true)
    }

    /// The last `count` names of members are not in sight any more.
    pub(super) fn leave(&mut self, count: usize) {
        self.visible.truncate(self.visible.len() - count);
    }

    /// A point from which [`Scope::since`] counts.
    pub(super) fn mark(&self) -> usize {
        self.mentioned.len()
    }

    /// The slots that were spoken of since then and that are not these.
    pub(super) fn since(&self, mark: usize, without: &[Option<usize>]) -> Box<[usize]> {
        let mut slots: Vec<usize> = self.mentioned[mark..].to_vec();
        slots.sort_unstable();
        slots.dedup();
        slots.retain(|slot| !without.contains(&Some(*slot)));
        slots.into()
    }
}
