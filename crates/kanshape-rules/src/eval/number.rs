//! Arithmetic, with integers and with names.

use super::store::Val;
use super::{Evaluator, Frame, Residual, Stop};
use crate::rules::rule::{Number, Value};
use kanshape_engine::{Int, Num};
use kanshape_syntax::tree::{CmpOp, MulOp, Sign};
use smallvec::{SmallVec, smallvec};

/// A number of a rule as one that fits here.
#[inline]
pub(super) fn int(n: Int) -> Result<Num, Stop> {
    Ok(Num::new(i64::try_from(n).map_err(|_| Stop::Leave)?)?)
}

/// What an expression is in which one part is open: a multiple of that part, and a number.
#[derive(Clone, Copy)]
struct Linear {
    factor: Num,
    rest: Num,
}

/// The part of an expression that is open.
#[derive(Clone, Copy)]
enum OpenPart<'r> {
    Slot(usize),
    Length(&'r Value),
    Other,
}

impl<'a> Evaluator<'a> {
    /// The value of an expression.
    pub(super) fn number(&mut self, frame: Frame, number: &'a Number) -> Result<Num, Stop> {
        self.spend(1)?;
        Ok(match number {
            Number::Int(n) => int(*n)?,
            Number::Term(Value::Slot(slot)) => self.value_of(frame, *slot)?.num()?,
            Number::Term(term) => self.eval(frame, term)?.num()?,
            Number::Length(list) => Num::new(self.length(frame, list)? as i64)?,
            Number::Total(list) => {
                let members = self.members(frame, list)?;
                let all: SmallVec<[(Num, i64); 8]> = members.iter().map(|n| (*n, 1)).collect();
                self.combine(&all)?
            }
            Number::Product(list) => {
                let members = self.members(frame, list)?;
                let mut product = Num::ONE;
                for n in members {
                    product = self.multiply(product, n)?;
                }
                product
            }
            Number::Sum(terms) => {
                let mut all: SmallVec<[(Num, i64); 8]> = SmallVec::new();
                for (sign, term) in terms {
                    let times = match sign {
                        Sign::Plus => 1,
                        Sign::Minus => -1,
                    };
                    all.push((self.number(frame, term)?, times));
                }
                self.combine(&all)?
            }
            Number::Chain(first, rest) => {
                let mut value = self.number(frame, first)?;
                for (op, operand) in rest {
                    let operand = self.number(frame, operand)?;
                    value = match op {
                        MulOp::Mul => self.multiply(value, operand)?,
                        MulOp::FloorDiv => self.quotient(value, operand)?,
                        MulOp::Mod => {
                            self.divisor(operand)?;
                            self.forms.modulo(value, operand)?
                        }
                    };
                }
                value
            }
            Number::CeilDiv(parts) => {
                let a = self.number(frame, &parts[0])?;
                let b = self.number(frame, &parts[1])?;
                self.divisor(b)?;
                self.forms.ceil_div(a, b)?
            }
            Number::Min(all) => {
                let all = self.numbers(frame, all)?;
                self.forms.min(&all)?
            }
            Number::Max(all) => {
                let all = self.numbers(frame, all)?;
                self.forms.max(&all)?
            }
            Number::Broadcast(all) => {
                let all = self.numbers(frame, all)?;
                self.broadcast_dims(&all)?
            }
            Number::Nominal(_) => return Err(Stop::Leave),
        })
    }

    fn numbers(&mut self, frame: Frame, all: &'a [Number]) -> Result<SmallVec<[Num; 4]>, Stop> {
        all.iter().map(|n| self.number(frame, n)).collect()
    }

    /// The members of a list of numbers.
    fn members(&mut self, frame: Frame, list: &'a Value) -> Result<SmallVec<[Num; 8]>, Stop> {
        let list = self.eval(frame, list)?.numbers()?;
        self.spend_on(list.len())?;
        Ok(SmallVec::from_slice(self.store.numbers(list)))
    }

    /// The sum of these, each as often as is said.
    #[inline]
    pub(super) fn combine(&mut self, all: &[(Num, i64)]) -> Result<Num, Stop> {
        let mut sum: i64 = 0;
        for (n, times) in all {
            let Some(n) = n.int() else {
                return Ok(self.forms.combine(all)?);
            };
            let n = n.checked_mul(*times).ok_or(Stop::Leave)?;
            sum = sum.checked_add(n).ok_or(Stop::Leave)?;
        }
        Ok(Num::new(sum)?)
    }

    #[inline]
    pub(super) fn multiply(&mut self, a: Num, b: Num) -> Result<Num, Stop> {
        Ok(self.forms.mul(a, b)?)
    }

    /// A quotient, rounded down. A multiple of a number that may be 0 is a multiple where it isn't, and by 0 nothing is divided.
    fn quotient(&mut self, a: Num, b: Num) -> Result<Num, Stop> {
        if b.form().is_some()
            && self.forms.bounds(b).0 == 0
            && let Some(whole) = self.forms.exact_div(a, b)
        {
            self.at_least(b, Num::ONE, 0)?;
            return Ok(whole);
        }
        self.divisor(b)?;
        Ok(self.forms.floor_div(a, b)?)
    }

    /// What division by something else than a positive number is, only the engine says.
    fn divisor(&mut self, n: Num) -> Result<(), Stop> {
        match n.int() {
            Some(1..) => Ok(()),
            Some(_) => Err(Stop::Leave),
            None if self.forms.bounds(n).0 >= 1 => Ok(()),
            None => Err(Stop::Leave),
        }
    }

    /// From now on the comparison holds.
    pub(super) fn compare(&mut self, a: Num, op: CmpOp, b: Num) -> Result<(), Stop> {
        if let (Some(a), Some(b)) = (a.int(), b.int()) {
            return match op.holds(a, b) {
                true => Ok(()),
                false => Err(Stop::Fail),
            };
        }
        match op {
            CmpOp::Eq => self.same_number(a, b),
            CmpOp::Ne => {
                let apart = self.forms.sub(a, b)?;
                match self.is_zero(apart) {
                    Some(true) => Err(Stop::Fail),
                    Some(false) => Ok(()),
                    None => self.leave_open(Residual::NonZero(apart)),
                }
            }
            CmpOp::Ge => self.at_least(a, b, 0),
            CmpOp::Gt => self.at_least(a, b, 1),
            CmpOp::Le => self.at_least(b, a, 0),
            CmpOp::Lt => self.at_least(b, a, 1),
        }
    }

    /// From now on `a >= b + more`.
    fn at_least(&mut self, a: Num, b: Num, more: i64) -> Result<(), Stop> {
        let (a, b) = (self.resolved(a)?, self.resolved(b)?);
        let apart = self.forms.combine(&[(a, 1), (b, -1), (Num::ONE, -more)])?;
        self.natural(apart)
    }

    /// From now on the number is not negative.
    pub(super) fn natural(&mut self, n: Num) -> Result<(), Stop> {
        match self.forms.bounds(n) {
            (0.., _) => Ok(()),
            (_, ..0) => Err(Stop::Fail),
            _ => self.leave_open(Residual::NonNegative(n)),
        }
    }

    /// Is the number 0? `None` if that depends on its names.
    pub(super) fn is_zero(&self, n: Num) -> Option<bool> {
        self.forms.is_zero(n)
    }

    /// From now on the two numbers are the same.
    #[inline]
    pub(super) fn same_number(&mut self, a: Num, b: Num) -> Result<(), Stop> {
        if a == b {
            return Ok(());
        }
        match a.int().is_some() && b.int().is_some() {
            true => Err(Stop::Fail),
            false => self.same_names(a, b),
        }
    }

    fn same_names(&mut self, a: Num, b: Num) -> Result<(), Stop> {
        let (a, b) = (self.resolved(a)?, self.resolved(b)?);
        let apart = self.forms.sub(a, b)?;
        match self.is_zero(apart) {
            Some(true) => Ok(()),
            Some(false) => Err(Stop::Fail),
            None => self.equate(a, b, apart),
        }
    }

    /// From now on the expression is the number: with one part of it unknown, and that in a sum, it is solved. `false`
    /// if it has to wait.
    pub(super) fn solve(
        &mut self,
        frame: Frame,
        number: &'a Number,
        value: Num,
    ) -> Result<bool, Stop> {
        let mut open = None;
        let linear = match self.linear(frame, number, &mut open) {
            Err(Stop::Wait) => return Ok(false),
            other => other?,
        };
        let Some(open) = open else {
            self.same_number(linear.rest, value)?;
            return Ok(true);
        };
        let apart = self.combine(&[(value, 1), (linear.rest, -1)])?;
        let Some(factor) = linear.factor.int() else {
            return Ok(false);
        };
        if factor == 0 {
            self.same_number(apart, Num::ZERO)?;
            return Ok(true);
        }
        let n = match apart.int() {
            Some(apart) => match (apart.checked_div(factor), apart.checked_rem(factor)) {
                (Some(n), Some(0)) => Num::new(n)?,
                (_, Some(_)) => return Err(Stop::Fail),
                (_, None) => return Err(Stop::Leave),
            },
            None => self.part_of(apart, factor)?,
        };
        match open {
            OpenPart::Slot(slot) => self.bind(frame, slot, Val::Int(n)),
            OpenPart::Length(list) => match n.int() {
                Some(n) => self.set_length(frame, list, n),
                None => Err(Stop::Leave),
            },
            OpenPart::Other => Ok(false),
        }
    }

    /// A number by a factor that has to divide it.
    fn part_of(&mut self, n: Num, factor: i64) -> Result<Num, Stop> {
        let (n, by) = match factor {
            ..0 => (
                self.forms.combine(&[(n, -1)])?,
                factor.checked_neg().ok_or(Stop::Leave)?,
            ),
            _ => (n, factor),
        };
        let by = Num::new(by)?;
        let part = self.forms.floor_div(n, by)?;
        let rest = self.forms.modulo(n, by)?;
        self.same_number(rest, Num::ZERO)?;
        Ok(part)
    }

    /// An expression in which no more than one part is open. That one is put into `open`.
    fn linear(
        &mut self,
        frame: Frame,
        number: &'a Number,
        open: &mut Option<OpenPart<'a>>,
    ) -> Result<Linear, Stop> {
        let unknown = Linear {
            factor: Num::ONE,
            rest: Num::ZERO,
        };
        match number {
            Number::Sum(terms) => {
                self.spend(1)?;
                let mut factors: SmallVec<[(Num, i64); 4]> = smallvec![];
                let mut rests: SmallVec<[(Num, i64); 4]> = smallvec![];
                for (sign, term) in terms {
                    let times = match sign {
                        Sign::Plus => 1,
                        Sign::Minus => -1,
                    };
                    let term = self.linear(frame, term, open)?;
                    factors.push((term.factor, times));
                    rests.push((term.rest, times));
                }
                Ok(Linear {
                    factor: self.combine(&factors)?,
                    rest: self.combine(&rests)?,
                })
            }
            Number::Chain(first, rest) if rest.iter().all(|(op, _)| *op == MulOp::Mul) => {
                self.spend(1)?;
                let mut product = self.linear(frame, first, open)?;
                for (_, factor) in rest {
                    let factor = self.linear(frame, factor, open)?;
                    let (linear, times) = match (product.factor, factor.factor) {
                        (_, Num::ZERO) => (product, factor.rest),
                        (Num::ZERO, _) => (factor, product.rest),
                        _ => return Err(Stop::Wait),
                    };
                    product.factor = self.multiply(linear.factor, times)?;
                    product.rest = self.multiply(linear.rest, times)?;
                }
                Ok(product)
            }
            number => {
                let rest = match self.number(frame, number) {
                    Err(Stop::Wait) => None,
                    other => Some(other?),
                };
                if let Some(rest) = rest {
                    return Ok(Linear {
                        factor: Num::ZERO,
                        rest,
                    });
                }
                let part = match (number, &open) {
                    (Number::Term(Value::Slot(slot)), Some(OpenPart::Slot(other)))
                        if slot == other =>
                    {
                        return Ok(unknown);
                    }
                    (_, Some(_)) => return Err(Stop::Wait),
                    (Number::Term(Value::Slot(slot)), None) => OpenPart::Slot(*slot),
                    (Number::Length(list), None) => OpenPart::Length(list),
                    (_, None) => OpenPart::Other,
                };
                *open = Some(part);
                Ok(unknown)
            }
        }
    }
}
