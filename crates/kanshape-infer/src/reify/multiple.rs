//! Expressions for variables of which something else is a multiple.
//!
//! Where `2*d` is `(n + 1)//2`, `d` need not have a name: it is `(n + 1)//2//2`, and `(n + 1)//2` is even.

use super::naming::{Definition, Naming, application, definitions, number};
use super::symbol::Expr;
use crate::limits::{MAX_NAMED_DEPTH, MAX_REPEATED};
use kanshape_engine::{Constraint, Function, Int, Linear, Var};
use kanshape_syntax::tree::{MulOp, Sign};
use std::borrow::Borrow;

/// An application whose value is `factor*v + shift` for a variable `v`: what a size is known to be divisible by.
#[derive(Clone, Debug)]
pub(super) struct Multiple {
    of: Definition,
    factor: Int,
    shift: Int,
}

impl<'a> Naming<'a> {
    /// The same, where a variable of which an application is a multiple is called by that: `(n + 1)//2//2` rather than
    /// a name that nobody has given.
    #[must_use]
    pub(crate) fn with_parts<C: Borrow<Constraint>>(mut self, constraints: &[C]) -> Naming<'a> {
        for of in definitions(self.state, constraints) {
            if let ([(v, factor)], shift) = (of.out.terms(), of.out.offset())
                && (*factor > 1 || *factor == 1 && shift != 0)
                && !self.defined.contains_key(v)
            {
                let (v, factor) = (*v, *factor);
                self.parts
                    .entry(v)
                    .or_insert(Multiple { of, factor, shift });
            }
        }
        self
    }

    /// If a variable is called by a part of this application: what that is divided by, and what is left over.
    pub(crate) fn divided(
        &self,
        function: Function,
        args: &[Linear],
        out: &Linear,
    ) -> Option<(Int, Int)> {
        let is_own =
            |p: &&Multiple| p.of.function == function && p.of.args == args && p.of.out == *out;
        let own = self.divided.iter().find(is_own)?;
        Some((own.factor, kanshape_engine::modulo(own.shift, own.factor)))
    }

    /// The expression of a variable of which an application is a multiple.
    pub(super) fn part(&mut self, v: Var) -> Option<Expr> {
        if self.depth >= MAX_NAMED_DEPTH {
            return None;
        }
        let part = self.parts.remove(&v)?;
        self.depth += 1;
        let args: Option<Vec<Expr>> = part.of.args.iter().map(|a| self.form(a)).collect();
        self.depth -= 1;
        // It may be a part of its own arguments, which have called it by a name then.
        if self.exprs.contains_key(&v) {
            return None;
        }
        let mut e = application(part.of.function, args?);
        if part.shift != 0 {
            let sign = if part.shift > 0 {
                Sign::Minus
            } else {
                Sign::Plus
            };
            let shift = number(part.shift.abs());
            e = Expr::Sum(vec![(Sign::Plus, e), (sign, shift)]);
        }
        if part.factor > 1 {
            e = Expr::Chain(Box::new(e), vec![(MulOp::FloorDiv, number(part.factor))]);
        }
        if e.size() > MAX_REPEATED {
            return None;
        }
        match part.factor {
            1 => self.said.push(part.of.constraint),
            _ => self.divided.push(part),
        }
        Some(e)
    }
}
