//! An order of forms that depends on what they are alone.
//!
//! Forms are numbered as they come, and a table of forms may be used by one caller after the other. What is written for a
//! person, or posted to a store, must not depend on who used the table before: it is sorted by this order.

use super::{Form, Forms, Node, Num, Term};
use crate::limits::MAX_ORDER_DEPTH;
use std::cmp::{Ordering, Reverse};

impl Forms {
    /// The order of two numbers: by their first atoms, atoms before what is made of them, integers last.
    pub fn order(&self, a: Num, b: Num) -> Ordering {
        self.order_in(a, b, MAX_ORDER_DEPTH)
    }

    /// The terms of a sum in order: products of more factors first.
    pub fn sorted_terms(&self, terms: &[Term]) -> Vec<Term> {
        let mut terms = terms.to_vec();
        if terms.len() > 1 {
            terms.sort_by(|a, b| self.order_of_terms(a, b, MAX_ORDER_DEPTH));
        }
        for (monomial, _) in &mut terms {
            monomial.sort_by(|a, b| self.order((*a).into(), (*b).into()));
        }
        terms
    }

    fn order_in(&self, a: Num, b: Num, depth: usize) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        match (a.form(), b.form()) {
            (None, None) => a.int().cmp(&b.int()),
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(f), Some(g)) => self.order_of_forms(f, g, depth).then_with(|| f.cmp(&g)),
        }
    }

    fn order_of_forms(&self, f: Form, g: Form, depth: usize) -> Ordering {
        let (own, other) = (self.node(f), self.node(g));
        if let (Node::Atom(a), Node::Atom(b)) = (own, other) {
            return a.cmp(b);
        }
        let first = |form: Form| {
            let mut first = u32::MAX;
            self.for_each_atom(form.into(), &mut |atom| first = first.min(atom));
            first
        };
        let outer = first(f).cmp(&first(g));
        let outer = outer.then_with(|| kind(own).cmp(&kind(other)));
        if outer != Ordering::Equal || depth == 0 {
            return outer;
        }
        match (own, other) {
            (Node::Floor(a, b), Node::Floor(c, d)) => self
                .order_in(*a, *c, depth - 1)
                .then_with(|| self.order_in(*b, *d, depth - 1)),
            (Node::Sum(a, c), Node::Sum(b, d)) => {
                let sorted = |terms: &[Term]| {
                    let mut terms = terms.to_vec();
                    terms.sort_by(|a, b| self.order_of_terms(a, b, depth - 1));
                    terms
                };
                let (a, b) = (sorted(a), sorted(b));
                let mut pairs = a.iter().zip(&b);
                let different = pairs.find_map(|(a, b)| {
                    let order = self.order_of_terms(a, b, depth - 1);
                    (order != Ordering::Equal).then_some(order)
                });
                different.unwrap_or_else(|| (a.len(), c).cmp(&(b.len(), d)))
            }
            (Node::Min(a), Node::Min(b))
            | (Node::Max(a), Node::Max(b))
            | (Node::Broadcast(a), Node::Broadcast(b)) => {
                let sorted = |all: &[Num]| {
                    let mut all = all.to_vec();
                    all.sort_by(|a, b| self.order_in(*a, *b, depth - 1));
                    all
                };
                let (a, b) = (sorted(a), sorted(b));
                let mut pairs = a.iter().zip(&b);
                let different = pairs.find_map(|(a, b)| {
                    let order = self.order_in(*a, *b, depth - 1);
                    (order != Ordering::Equal).then_some(order)
                });
                different.unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            _ => Ordering::Equal,
        }
    }

    fn order_of_terms(&self, a: &Term, b: &Term, depth: usize) -> Ordering {
        let longer = Reverse(a.0.len()).cmp(&Reverse(b.0.len()));
        longer
            .then_with(|| {
                let sorted = |monomial: &[Form]| {
                    let mut all = monomial.to_vec();
                    all.sort_by(|a, b| self.order_in((*a).into(), (*b).into(), depth));
                    all
                };
                let (a, b) = (sorted(&a.0), sorted(&b.0));
                let mut pairs = a.iter().zip(&b);
                let different = pairs.find_map(|(a, b)| {
                    let order = self.order_in((*a).into(), (*b).into(), depth);
                    (order != Ordering::Equal).then_some(order)
                });
                different.unwrap_or(Ordering::Equal)
            })
            .then_with(|| a.1.cmp(&b.1))
    }
}

/// Atoms first, sums last.
fn kind(node: &Node) -> u8 {
    match node {
        Node::Atom(_) => 0,
        Node::Floor(..) => 1,
        Node::Min(_) => 2,
        Node::Max(_) => 3,
        Node::Broadcast(_) => 4,
        Node::Sum(..) => 5,
    }
}
