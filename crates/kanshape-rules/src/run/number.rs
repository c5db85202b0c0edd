//! The arithmetic of a clause, stated in the engine.

use super::clause::Run;
use super::walk;
use crate::encode::MAX_SIZE;
use crate::encode::form::number;
use crate::rules::rule::{Number, Value};
use kanshape_engine::{
    Constraint, Domain, Function, INF, Int, Linear, NEG_INF, State, Stop, Term, View,
};
use kanshape_syntax::tree::{MulOp, Sign};

impl Run<'_> {
    /// The value of a number. Where it has none (a divisor of 0), the state is in conflict.
    pub(super) fn number(&mut self, view: &mut View<'_>, n: &Number) -> Result<Linear, Stop> {
        Ok(match n {
            Number::Int(n) => Linear::constant(*n),
            Number::Term(term) => number(&self.term(view, term)?)?,
            Number::Length(list) => {
                let list = self.term(view, list)?;
                let (length, goal) = walk::length(view, list)?;
                self.goals.extend(goal);
                length
            }
            Number::Total(list) => {
                let list = self.term(view, list)?;
                let (sum, goal) = walk::sum(view, list)?;
                self.goals.extend(goal);
                sum
            }
            Number::Product(list) => self.product_of(view, list)?,
            Number::Sum(terms) => {
                let mut sum = Linear::default();
                for (sign, term) in terms {
                    let term = self.plain(view, term)?;
                    let factor = match sign {
                        Sign::Plus => 1,
                        Sign::Minus => -1,
                    };
                    sum.add_assign_scaled(&term, factor)?;
                }
                sum
            }
            Number::Chain(first, rest) => {
                // Factors that stand together are multiplied together: a 0 among them settles all.
                let mut factors = vec![self.plain(view, first)?];
                for (op, operand) in rest {
                    let operand = self.plain(view, operand)?;
                    let function = match op {
                        MulOp::Mul => {
                            factors.push(operand);
                            continue;
                        }
                        MulOp::FloorDiv => Function::FloorDiv,
                        MulOp::Mod => Function::Mod,
                    };
                    let whole = multiplied(view, &mut factors)?;
                    factors.push(view.apply(function, &[whole, operand], Domain::ALL)?);
                }
                multiplied(view, &mut factors)?
            }
            Number::CeilDiv(parts) => {
                let args = [self.plain(view, &parts[0])?, self.plain(view, &parts[1])?];
                view.apply(Function::CeilDiv, &args, Domain::ALL)?
            }
            Number::Broadcast(all) => {
                let args = all.iter().map(|n| self.number(view, n));
                let args = args.collect::<Result<Vec<Linear>, Stop>>()?;
                view.apply(Function::Broadcast, &args, Domain::ALL)?
            }
            n @ Number::Nominal(_) => Linear::constant(self.constant(n).ok_or(Stop::Conflict)?),
            Number::Min(all) => self.applied(view, Function::Min, all)?,
            Number::Max(all) => self.applied(view, Function::Max, all)?,
        })
    }

    /// A number that is written out.
    pub(super) fn constant(&self, n: &Number) -> Option<Int> {
        match n {
            Number::Int(n) => Some(*n),
            Number::Nominal(place) => Some(self.context.identities.by_place(*place)),
            _ => None,
        }
    }

    fn applied(
        &mut self,
        view: &mut View<'_>,
        function: Function,
        args: &[Number],
    ) -> Result<Linear, Stop> {
        let args = args.iter().map(|n| self.plain(view, n));
        let args = args.collect::<Result<Vec<Linear>, Stop>>()?;
        view.apply(function, &args, Domain::ALL)
    }

    /// The value of a number that has to be a plain size, because something is done with it.
    fn plain(&mut self, view: &mut View<'_>, n: &Number) -> Result<Linear, Stop> {
        let form = self.number(view, n)?;
        if !self.context.identities.is_empty() {
            // Nor is a number beyond all sizes that something inside came to.
            view.restrict(&form, &Domain::interval(NEG_INF, MAX_SIZE))?;
        }
        Ok(form)
    }

    /// The product of a list of numbers.
    fn product_of(&mut self, view: &mut View<'_>, list: &Value) -> Result<Linear, Stop> {
        let Term::Seq(seq) = self.term(view, list)? else {
            return Err(Stop::Conflict);
        };
        let domain = match view.has_no_negative(seq.parts()) {
            true => Domain::interval(0, INF),
            false => Domain::ALL,
        };
        let out = Linear::var(view.int(domain));
        view.post(Constraint::SeqProduct {
            out: out.clone(),
            seq,
        })?;
        Ok(out)
    }
}

/// The product of what is in `factors`, which is empty afterwards.
fn multiplied(state: &mut State, factors: &mut Vec<Linear>) -> Result<Linear, Stop> {
    let factors = std::mem::take(factors);
    match factors.as_slice() {
        [only] => Ok(only.clone()),
        factors => state.apply(Function::Product, factors, Domain::ALL),
    }
}
