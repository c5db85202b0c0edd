//! Sizes with an identity, as numbers that no plain size is.
//!
//! `6@district` is the same as itself and nothing else, so that for the engine it is a number of its
//! own, far above every size. What takes part in arithmetic or is compared by order has to be a plain
//! size; then it is none of these.

use super::{MAX_SIZE, sizes};
use crate::limits::MAX_IDENTITIES;
use kanshape_engine::{Domain, Int};
use kanshape_syntax::tree::{Condition, Expr};
use kanshape_types::{Dim, Nominal, Type};

/// The first of the numbers that denote sizes with an identity: above all sizes, and no power or
/// product that somebody would write.
const FIRST: Int = (1 << 80) + 0x1de0_717e_0000_0001;

/// The sizes with an identity that a question is about, in the order in which they are met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identities {
    known: Vec<Nominal>,
    /// Each is taken for its plain size.
    plain: bool,
}

/// Which of the identities a number denotes.
pub fn index_of(n: Int) -> Option<usize> {
    let place = usize::try_from(n.checked_sub(FIRST)?).ok()?;
    (place < MAX_IDENTITIES).then_some(place)
}

impl Identities {
    /// With every one of them taken for its plain size.
    pub fn plain() -> Identities {
        Identities {
            known: Vec::new(),
            plain: true,
        }
    }

    pub fn note(&mut self, nominal: &Nominal) {
        if !self.plain && !self.known.contains(nominal) {
            self.known.push(nominal.clone());
        }
    }

    pub fn note_type(&mut self, ty: &Type) {
        if let Some(tensor) = ty.as_tensor() {
            tensor.shape.iter().for_each(|dim| self.note_dim(dim));
        }
        ty.conditions.iter().for_each(|c| self.note_condition(c));
        ty.parts().for_each(|part| self.note_type(part));
    }

    pub fn note_dim(&mut self, dim: &Dim) {
        match dim {
            Dim::Nominal(nominal) => self.note(nominal),
            Dim::Expr(e) => self.note_expr(e),
            Dim::Size(_) | Dim::Name(_) | Dim::Hole => {}
        }
    }

    pub fn note_condition(&mut self, c: &Condition) {
        c.parts().into_iter().for_each(|e| self.note_expr(e));
    }

    pub fn note_expr(&mut self, e: &Expr) {
        if let Expr::Nominal(_) = e
            && let Dim::Nominal(nominal) = Dim::expr(e.clone())
        {
            self.note(&nominal);
        }
        e.parts().into_iter().for_each(|e| self.note_expr(e));
    }

    /// Whether there is none, so that every dim is a plain size.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The number that denotes one. One that has not been noted is like no other.
    pub fn number(&self, nominal: &Nominal) -> Int {
        if self.plain {
            return Int::from(nominal.size);
        }
        let place = self.known.iter().position(|n| n == nominal);
        FIRST + place.unwrap_or(self.known.len()) as Int
    }

    /// The number that denotes one, by its place.
    pub fn by_place(&self, place: usize) -> Int {
        match self.known.get(place) {
            Some(nominal) => self.number(nominal),
            None => FIRST + self.known.len() as Int,
        }
    }

    /// One by its place.
    pub fn nth(&self, place: usize) -> Option<&Nominal> {
        self.known.get(place)
    }

    /// The size with an identity that a number denotes.
    pub fn get(&self, n: Int) -> Option<&Nominal> {
        self.known.get(index_of(n)?)
    }

    /// All that a dim can be.
    pub fn dims(&self) -> Domain {
        match self.known.len() {
            0 => sizes(),
            count => Domain::interval(0, FIRST + count as Int - 1),
        }
    }

    /// What a dim that is not given can be where sizes are at most `most`.
    pub fn within(&self, most: Int, listed: Option<&[Int]>) -> Domain {
        match listed {
            Some(values) if !self.is_empty() => {
                let kept = values.iter().copied();
                Domain::of(kept.filter(|&n| n <= most || n > MAX_SIZE))
            }
            _ => Domain::interval(0, most),
        }
    }
}
