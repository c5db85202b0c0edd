//! Terms of rules as values, as far as everything in them is known.

use super::number::int;
use super::store::{List, Val};
use super::value::ElementType;
use super::{Evaluator, Frame, Stop};
use crate::rules::rule::{Each, Piece, Value};
use kanshape_engine::Num;
use kanshape_types::Dtype;
use smallvec::SmallVec;

impl<'a> Evaluator<'a> {
    /// The value of a term, or [`Stop::Wait`] if something in it is not known yet.
    #[inline]
    pub(super) fn eval(&mut self, frame: Frame, term: &'a Value) -> Result<Val, Stop> {
        self.spend(1)?;
        match term {
            Value::Slot(slot) => self.value_of(frame, *slot),
            Value::Int(n) => Ok(Val::Int(int(*n)?)),
            term => self.calculate(frame, term),
        }
    }

    fn calculate(&mut self, frame: Frame, term: &'a Value) -> Result<Val, Stop> {
        Ok(match term {
            Value::Slot(slot) => self.value_of(frame, *slot)?,
            Value::Any(_) => return Err(Stop::Wait),
            Value::Int(n) => Val::Int(int(*n)?),
            Value::Dtype(dtype) => Val::Dtype((*dtype).into()),
            Value::Number(number) => Val::Int(self.number(frame, number)?),
            Value::None => Val::None,
            Value::Some(of) => {
                let of = self.eval(frame, of)?;
                self.store.push_some(of)?
            }
            Value::Tensor(parts) => {
                let (shape, dtype) = (self.eval(frame, &parts[0])?, self.eval(frame, &parts[1])?);
                let Val::Dtype(dtype) = dtype else {
                    return Err(Stop::Leave);
                };
                let (contents, extremes) = self.contents(frame, &parts[2])?;
                self.tensor(dtype, shape.numbers()?, contents, extremes)?
            }
            Value::Node(label, parts) => {
                let mut vals: SmallVec<[Val; 4]> = SmallVec::new();
                for part in parts {
                    vals.push(self.eval(frame, part)?);
                }
                Val::Node(*label, self.store.push_cells(&vals)?)
            }
            Value::List(pieces, of) if of.kind().is_number() => {
                Val::Numbers(self.list_of_numbers(frame, pieces)?)
            }
            Value::List(pieces, _) => self.list_of_others(frame, pieces)?,
            Value::Index(parts) => {
                let list = self.eval(frame, &parts[0])?;
                let index = self.eval(frame, &parts[1])?.int()?;
                let length = list.length().ok_or(Stop::Leave)?;
                let place = place(index, length).filter(|p| *p < length);
                self.member(list, place.ok_or(Stop::Fail)?)?
            }
            Value::Slice(slice) => {
                let (list, from, to) = &**slice;
                let list = self.eval(frame, list)?.numbers()?;
                let mut bound = |bound: &'a Option<Value>, none: usize| match bound {
                    None => Ok(none),
                    Some(bound) => {
                        let at = self.eval(frame, bound)?.int()?;
                        place(at, list.len()).ok_or(Stop::Fail)
                    }
                };
                let (from, to) = (bound(from, 0)?, bound(to, list.len())?);
                Val::Numbers(list.part(from, to).ok_or(Stop::Fail)?)
            }
            Value::Each(each) => self.each(frame, each)?,
            Value::Promote(dtypes) => {
                let mut known = SmallVec::<[Dtype; 4]>::new();
                for dtype in dtypes {
                    let Val::Dtype(dtype) = self.eval(frame, dtype)? else {
                        return Err(Stop::Leave);
                    };
                    known.push(dtype.known().ok_or(Stop::Leave)?);
                }
                let promoted = match known[..] {
                    [a, b] => self.promotion.promote(a, b),
                    _ => self.promotion.promote_all(known),
                };
                Val::Dtype(promoted.ok_or(Stop::Fail)?.into())
            }
            Value::Function(_) => return Err(Stop::Leave),
        })
    }

    /// What a variable is.
    #[inline]
    pub(super) fn value_of(&self, frame: Frame, slot: usize) -> Result<Val, Stop> {
        let val = self.get(frame, slot);
        match val.is_known() {
            true => Ok(val),
            false => Err(Stop::Wait),
        }
    }

    /// A tensor, whose dims have to be sizes.
    pub(super) fn tensor(
        &mut self,
        dtype: ElementType,
        shape: List,
        contents: Option<List>,
        extremes: Option<List>,
    ) -> Result<Val, Stop> {
        for i in 0..shape.len() {
            let dim = self.store.number(shape, i);
            self.natural(dim)?;
        }
        self.store.push_tensor(dtype, shape, contents, extremes)
    }

    /// The contents of a tensor that is made, and what they are at least and at most where they are not known.
    fn contents(
        &mut self,
        frame: Frame,
        term: &'a Value,
    ) -> Result<(Option<List>, Option<List>), Stop> {
        if let Value::Any(_) = term {
            return Ok((None, None));
        }
        match (self.eval(frame, term), term) {
            (Ok(list), _) => Ok((Some(list.numbers()?), None)),
            (Err(Stop::Wait), Value::Slot(slot)) => match self.get(frame, *slot) {
                Val::Hidden => Ok((None, None)),
                Val::Extremes(extremes) => Ok((None, Some(extremes))),
                // If somebody speaks of them later, that comes too late.
                Val::Open if self.dropping => {
                    self.stack[frame.0 + slot] = Val::Hidden;
                    Ok((None, None))
                }
                _ => Err(Stop::Wait),
            },
            (Err(stop), _) => Err(stop),
        }
    }

    fn list_of_numbers(&mut self, frame: Frame, pieces: &'a [Piece]) -> Result<List, Stop> {
        if let [Piece::Rest(all)] = pieces {
            return self.eval(frame, all)?.numbers();
        }
        let mut all: SmallVec<[Num; 8]> = SmallVec::new();
        for piece in pieces {
            match piece {
                Piece::One(term) => all.push(self.eval(frame, term)?.num()?),
                Piece::Rest(term) => {
                    let rest = self.eval(frame, term)?.numbers()?;
                    self.spend_on(rest.len())?;
                    all.extend_from_slice(self.store.numbers(rest));
                }
            }
        }
        self.store.push_numbers(&all)
    }

    fn list_of_others(&mut self, frame: Frame, pieces: &'a [Piece]) -> Result<Val, Stop> {
        let mut all: SmallVec<[Val; 4]> = SmallVec::new();
        for piece in pieces {
            match piece {
                Piece::One(term) => all.push(self.eval(frame, term)?),
                Piece::Rest(term) => match self.eval(frame, term)? {
                    Val::List(rest) => {
                        self.spend_on(rest.len())?;
                        all.extend_from_slice(self.store.cells(rest));
                    }
                    _ => return Err(Stop::Leave),
                },
            }
        }
        Ok(Val::List(self.store.push_cells(&all)?))
    }

    /// The length of a list.
    pub(super) fn length(&mut self, frame: Frame, list: &'a Value) -> Result<usize, Stop> {
        let val = match list {
            Value::Slot(slot) => match self.get(frame, *slot) {
                Val::Open | Val::Hidden | Val::Extremes(_) => return Err(Stop::Wait),
                val => val,
            },
            list => self.eval(frame, list)?,
        };
        val.length().ok_or(Stop::Leave)
    }

    /// A member of a list that has it.
    #[inline]
    pub(super) fn member(&self, list: Val, i: usize) -> Result<Val, Stop> {
        match list {
            Val::Numbers(list) => Ok(Val::Int(self.store.number(list, i))),
            Val::List(cells) => Ok(self.store.cells(cells)[i]),
            _ => Err(Stop::Leave),
        }
    }

    /// The same for the members of lists, side by side.
    pub(super) fn each(&mut self, frame: Frame, each: &'a Each) -> Result<Val, Stop> {
        let mut lists: SmallVec<[Val; 8]> = SmallVec::new();
        let mut length = None;
        for (list, name) in each.lists.iter().zip(&each.names) {
            let (list, own) = match name {
                Some(_) => {
                    let list = self.eval(frame, list)?;
                    (list, list.length().ok_or(Stop::Leave)?)
                }
                // It says no more than how many there are.
                None => (Val::Open, self.length(frame, list)?),
            };
            if length.is_some_and(|length| length != own) {
                return Err(Stop::Fail);
            }
            length = Some(own);
            lists.push(list);
        }
        let length = length.unwrap_or(0);
        let numbers_only = each.of.kind().is_number();
        self.spend_on(length)?;
        let (mut numbers, mut others) = (SmallVec::<[Num; 8]>::new(), SmallVec::<[Val; 4]>::new());
        for i in 0..length {
            for (list, name) in lists.iter().zip(&each.names) {
                if let Some(name) = name {
                    self.stack[frame.0 + *name] = self.member(*list, i)?;
                }
            }
            let val = self.eval(frame, &each.body);
            for name in each.names.iter().flatten() {
                self.stack[frame.0 + *name] = Val::Open;
            }
            match numbers_only {
                true => numbers.push(val?.num()?),
                false => others.push(val?),
            }
        }
        Ok(match numbers_only {
            true => Val::Numbers(self.store.push_numbers(&numbers)?),
            false => Val::List(self.store.push_cells(&others)?),
        })
    }
}

/// How far from the left an index is; `None` if it is out of sight.
fn place(index: i64, length: usize) -> Option<usize> {
    match index {
        0.. => usize::try_from(index).ok().filter(|i| *i <= length),
        _ => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}
