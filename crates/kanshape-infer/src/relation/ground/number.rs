//! Arithmetic.

use super::code::{Number, Term};
use super::{Frame, Ground, Stop};
use kanshape_syntax::tree::{MulOp, Sign};

fn checked(n: Option<i64>) -> Result<i64, Stop> {
    n.ok_or(Stop::Leave)
}

fn chain(op: MulOp, value: i64, operand: i64) -> Result<i64, Stop> {
    match op {
        MulOp::Mul => checked(value.checked_mul(operand)),
        // What division by such is, only the engine says.
        MulOp::FloorDiv | MulOp::Mod if operand < 1 => Err(Stop::Leave),
        MulOp::FloorDiv => Ok(value.div_euclid(operand)),
        MulOp::Mod => Ok(value.rem_euclid(operand)),
    }
}

fn add(sum: i64, sign: Sign, term: i64) -> Result<i64, Stop> {
    checked(match sign {
        Sign::Plus => sum.checked_add(term),
        Sign::Minus => sum.checked_sub(term),
    })
}

/// What an expression is in which one part is open: so many times that part, and a number.
#[derive(Clone, Copy)]
struct Linear {
    factor: i64,
    rest: i64,
}

/// The part of an expression that is open.
#[derive(Clone, Copy)]
enum Part<'r> {
    Slot(usize),
    Length(&'r Term),
    Other,
}

impl<'a> Ground<'a> {
    /// The value of an expression.
    pub(super) fn number(&mut self, frame: Frame, number: &'a Number) -> Result<i64, Stop> {
        self.spend(1)?;
        Ok(match number {
            Number::Int(n) => *n,
            Number::Slot(slot) => self.known(frame, *slot)?.int()?,
            Number::Term(term) => self.eval(frame, term)?.int()?,
            Number::Length(list) => self.length(frame, list)? as i64,
            Number::Total(list) => {
                let list = self.eval(frame, list)?.numbers()?;
                self.spend_on(list.len())?;
                let mut members = self.store.numbers(list).iter();
                checked(members.try_fold(0i64, |sum, n| sum.checked_add(*n)))?
            }
            Number::Product(list) => {
                let list = self.eval(frame, list)?.numbers()?;
                self.spend_on(list.len())?;
                let mut members = self.store.numbers(list).iter();
                checked(members.try_fold(1i64, |product, n| product.checked_mul(*n)))?
            }
            Number::Sum(terms) => {
                let mut sum = 0;
                for (sign, term) in terms {
                    sum = add(sum, *sign, self.number(frame, term)?)?;
                }
                sum
            }
            Number::Chain(first, rest) => {
                let mut value = self.number(frame, first)?;
                for (op, operand) in rest {
                    value = chain(*op, value, self.number(frame, operand)?)?;
                }
                value
            }
            Number::CeilDiv(parts) => {
                let (a, b) = (
                    self.number(frame, &parts[0])?,
                    self.number(frame, &parts[1])?,
                );
                let below = chain(MulOp::FloorDiv, checked(a.checked_neg())?, b)?;
                checked(below.checked_neg())?
            }
            Number::Least(all) => self.choose(frame, all, i64::min)?,
            Number::Greatest(all) => self.choose(frame, all, i64::max)?,
        })
    }

    fn choose(
        &mut self,
        frame: Frame,
        all: &'a [Number],
        better: fn(i64, i64) -> i64,
    ) -> Result<i64, Stop> {
        let (first, rest) = all.split_first().ok_or(Stop::Leave)?;
        let mut value = self.number(frame, first)?;
        for other in rest {
            value = better(value, self.number(frame, other)?);
        }
        Ok(value)
    }

    /// From now on the expression is the number: with one part of it unknown, and that in a sum, it is solved. `false`
    /// if it has to wait.
    pub(super) fn solve(
        &mut self,
        frame: Frame,
        number: &'a Number,
        value: i64,
    ) -> Result<bool, Stop> {
        let mut open = None;
        let linear = match self.linear(frame, number, &mut open) {
            Err(Stop::Wait) => return Ok(false),
            other => other?,
        };
        let apart = checked(value.checked_sub(linear.rest))?;
        let Some(open) = open else {
            return super::take_apart::fits(apart == 0);
        };
        if linear.factor == 0 {
            return super::take_apart::fits(apart == 0);
        }
        let n = match (
            apart.checked_div(linear.factor),
            apart.checked_rem(linear.factor),
        ) {
            (Some(n), Some(0)) => n,
            (_, Some(_)) => return Err(Stop::Fail),
            (_, None) => return Err(Stop::Leave),
        };
        match open {
            Part::Slot(slot) => self.bind(frame, slot, super::Val::Int(n)),
            Part::Length(list) => self.set_length(frame, list, n),
            Part::Other => Ok(false),
        }
    }

    /// An expression in which no more than one part is open. That one is put into `open`.
    fn linear(
        &mut self,
        frame: Frame,
        number: &'a Number,
        open: &mut Option<Part<'a>>,
    ) -> Result<Linear, Stop> {
        let unknown = Linear { factor: 1, rest: 0 };
        match number {
            Number::Sum(terms) => {
                self.spend(1)?;
                let mut sum = Linear { factor: 0, rest: 0 };
                for (sign, term) in terms {
                    let term = self.linear(frame, term, open)?;
                    sum.factor = add(sum.factor, *sign, term.factor)?;
                    sum.rest = add(sum.rest, *sign, term.rest)?;
                }
                Ok(sum)
            }
            Number::Chain(first, rest) if rest.iter().all(|(op, _)| *op == MulOp::Mul) => {
                self.spend(1)?;
                let mut product = self.linear(frame, first, open)?;
                for (_, factor) in rest {
                    let factor = self.linear(frame, factor, open)?;
                    let (linear, times) = match (product.factor, factor.factor) {
                        (_, 0) => (product, factor.rest),
                        (0, _) => (factor, product.rest),
                        _ => return Err(Stop::Wait),
                    };
                    product.factor = checked(linear.factor.checked_mul(times))?;
                    product.rest = checked(linear.rest.checked_mul(times))?;
                }
                Ok(product)
            }
            number => {
                let rest = match self.number(frame, number) {
                    Err(Stop::Wait) => None,
                    other => Some(other?),
                };
                if let Some(rest) = rest {
                    return Ok(Linear { factor: 0, rest });
                }
                let part = match (number, &open) {
                    (Number::Slot(slot), Some(Part::Slot(other))) if slot == other => {
                        return Ok(unknown);
                    }
                    (_, Some(_)) => return Err(Stop::Wait),
                    (Number::Slot(slot), None) => Part::Slot(*slot),
                    (Number::Length(list), None) => Part::Length(list),
                    (_, None) => Part::Other,
                };
                *open = Some(part);
                Ok(unknown)
            }
        }
    }
}
