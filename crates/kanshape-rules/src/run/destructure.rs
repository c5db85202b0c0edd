//! Terms that are taken apart: a pattern against what an argument shows.

use super::clause::Run;
use super::joined;
use crate::encode::TENSOR;
use crate::encode::form::{self, SOME};
use crate::rules::rule::{Piece, Value};
use kanshape_engine::{Part, Seq, Stop, Term, View};
use std::sync::Arc;

impl Run<'_> {
    /// From now on the value is the term. What the term shows already is taken apart rather than
    /// compared with new variables.
    pub(super) fn equal(
        &mut self,
        view: &mut View<'_>,
        value: &Value,
        term: &Term,
    ) -> Result<(), Stop> {
        match value {
            Value::Any(_) => return Ok(()),
            Value::Slot(slot) if self.frame[*slot].is_none() => {
                self.frame[*slot] = Some(term.clone());
                return Ok(());
            }
            Value::Tensor(parts) => {
                if let Term::Node(TENSOR, of) = view.walk(term)
                    && of.len() == 3
                {
                    self.equal(view, &parts[0], &of[1])?;
                    self.equal(view, &parts[1], &of[0])?;
                    return self.equal(view, &parts[2], &of[2]);
                }
            }
            Value::Node(label, parts) => {
                if let Some(of) = self.node(view, *label, parts.len(), term) {
                    return self.all_equal(view, parts, &of);
                }
            }
            Value::Some(part) => {
                if let Some(of) = self.node(view, SOME, 1, term) {
                    return self.equal(view, part, &of[0]);
                }
            }
            Value::List(pieces, of) if !of.kind().is_number() => {
                return self.chain(view, pieces, term);
            }
            Value::List(pieces, _) if self.sequence(view, pieces, term)? => return Ok(()),
            _ => {}
        }
        let own = self.term(view, value)?;
        view.unify(&own, term)
    }

    fn node(&self, view: &View<'_>, label: u32, count: usize, term: &Term) -> Option<Arc<[Term]>> {
        match view.walk(term) {
            Term::Node(of, parts) if of == label && parts.len() == count => Some(parts),
            _ => None,
        }
    }

    fn all_equal(
        &mut self,
        view: &mut View<'_>,
        values: &[Value],
        terms: &[Term],
    ) -> Result<(), Stop> {
        let mut pairs = values.iter().zip(terms);
        pairs.try_for_each(|(value, term)| self.equal(view, value, term))
    }

    /// Takes a sequence apart that shows as many members at its ends as the pieces require. `false` if
    /// it does not, and nothing has been done.
    fn sequence(
        &mut self,
        view: &mut View<'_>,
        pieces: &[Piece],
        term: &Term,
    ) -> Result<bool, Stop> {
        let Term::Seq(seq) = term else {
            return Ok(false);
        };
        let parts = view.parts(seq);
        view.budget().spend(parts.len() as u64 / 4)?;
        let is_rest = |p: &Piece| matches!(p, Piece::Rest(_));
        let front = pieces.iter().position(is_rest).unwrap_or(pieces.len());
        let rest = &pieces[front..];
        let back = rest.len().saturating_sub(1);
        let shown = |parts: &[Part]| parts.iter().all(|p| matches!(p, Part::One(_)));
        let fits = match rest {
            [] => parts.len() == front && shown(&parts),
            [_, back @ ..] if !back.iter().any(is_rest) => {
                parts.len() >= front + back.len()
                    && shown(&parts[..front])
                    && shown(&parts[parts.len() - back.len()..])
            }
            _ => false,
        };
        if !fits {
            return Ok(false);
        }
        let (first, others) = parts.split_at(front);
        let (middle, last) = others.split_at(others.len() - back);
        let pairs = pieces[..front].iter().zip(first);
        for (piece, part) in pairs.chain(rest.iter().skip(1).zip(last)) {
            if let (Piece::One(value), Part::One(l)) = (piece, part) {
                self.equal(view, value, &Term::Int(l.clone()))?;
            }
        }
        if let Some(Piece::Rest(value)) = rest.first() {
            let middle: Seq = middle.iter().cloned().collect();
            self.equal(view, value, &Term::Seq(middle))?;
        }
        Ok(true)
    }

    /// Takes a list of no numbers apart.
    fn chain(&mut self, view: &mut View<'_>, pieces: &[Piece], term: &Term) -> Result<(), Stop> {
        let mut list = term.clone();
        for (i, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Rest(value) if i + 1 == pieces.len() => {
                    return self.equal(view, value, &list);
                }
                // Where it ends is not seen from here.
                Piece::Rest(value) => {
                    let front = self.term(view, value)?;
                    let back = Term::Var(view.any());
                    self.goals.push(joined::goal(front, back.clone(), list));
                    return self.chain(view, &pieces[i + 1..], &back);
                }
                Piece::One(value) => {
                    let (first, rest) = form::uncons(view, &list)?;
                    self.equal(view, value, &first)?;
                    list = rest;
                }
            }
        }
        form::no_more(view, &list)
    }
}
