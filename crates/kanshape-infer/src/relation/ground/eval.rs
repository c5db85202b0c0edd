//! Terms of rules as values, as far as everything in them is known.

use super::code::{Each, Piece, Term};
use super::store::{List, Val};
use super::{Frame, Ground, Stop};
use smallvec::SmallVec;

impl<'a> Ground<'a> {
    /// The value of a term, or [`Stop::Wait`] if something in it is not known yet.
    #[inline]
    pub(super) fn eval(&mut self, frame: Frame, term: &'a Term) -> Result<Val, Stop> {
        self.spend(1)?;
        match term {
            Term::Slot(slot) => self.known(frame, *slot),
            Term::Int(n) => Ok(Val::Int(*n)),
            term => self.calculate(frame, term),
        }
    }

    fn calculate(&mut self, frame: Frame, term: &'a Term) -> Result<Val, Stop> {
        Ok(match term {
            Term::Slot(slot) => self.known(frame, *slot)?,
            Term::Any => return Err(Stop::Wait),
            Term::Int(n) => Val::Int(*n),
            Term::Dtype(dtype) => Val::Dtype(*dtype),
            Term::Number(number) => Val::Int(self.number(frame, number)?),
            Term::None => Val::None,
            Term::Some(of) => {
                let of = self.eval(frame, of)?;
                self.store.push_some(of)?
            }
            Term::Tensor(parts) => {
                let (shape, dtype) = (self.eval(frame, &parts[0])?, self.eval(frame, &parts[1])?);
                let Val::Dtype(dtype) = dtype else {
                    return Err(Stop::Leave);
                };
                let contents = self.contents(frame, &parts[2])?;
                self.store.push_tensor(dtype, shape.numbers()?, contents)?
            }
            Term::Node(label, parts) => {
                let mut vals: SmallVec<[Val; 4]> = SmallVec::new();
                for part in parts {
                    vals.push(self.eval(frame, part)?);
                }
                Val::Node(*label, self.store.push_cells(&vals)?)
            }
            Term::Numbers(pieces) => Val::Numbers(self.list_of_numbers(frame, pieces)?),
            Term::List(pieces) => self.list_of_others(frame, pieces)?,
            Term::Index(parts) => {
                let list = self.eval(frame, &parts[0])?;
                let index = self.eval(frame, &parts[1])?.int()?;
                let length = list.length().ok_or(Stop::Leave)?;
                let place = place(index, length).filter(|p| *p < length);
                self.member(list, place.ok_or(Stop::Fail)?)?
            }
            Term::Slice(slice) => {
                let (list, from, to) = &**slice;
                let list = self.eval(frame, list)?.numbers()?;
                let mut bound = |bound: &'a Option<Term>, none: usize| match bound {
                    None => Ok(none),
                    Some(bound) => {
                        let at = self.eval(frame, bound)?.int()?;
                        place(at, list.len()).ok_or(Stop::Fail)
                    }
                };
                let (from, to) = (bound(from, 0)?, bound(to, list.len())?);
                Val::Numbers(list.part(from, to).ok_or(Stop::Fail)?)
            }
            Term::Each(each) => self.each(frame, each)?,
            Term::Promote(dtypes) => {
                let [a, b] = &**dtypes;
                match (self.eval(frame, a)?, self.eval(frame, b)?) {
                    (Val::Dtype(a), Val::Dtype(b)) => {
                        Val::Dtype(self.promotion.promote(a, b).ok_or(Stop::Fail)?)
                    }
                    _ => return Err(Stop::Leave),
                }
            }
            Term::Beyond => return Err(Stop::Leave),
        })
    }

    /// What a variable is.
    #[inline]
    pub(super) fn known(&self, frame: Frame, slot: usize) -> Result<Val, Stop> {
        let val = self.get(frame, slot);
        match val.is_known() {
            true => Ok(val),
            false => Err(Stop::Wait),
        }
    }

    /// The contents of a tensor that is made.
    fn contents(&mut self, frame: Frame, term: &'a Term) -> Result<Option<List>, Stop> {
        if let Term::Any = term {
            return Ok(None);
        }
        match (self.eval(frame, term), term) {
            (Ok(list), _) => Ok(Some(list.numbers()?)),
            (Err(Stop::Wait), Term::Slot(slot)) => match self.get(frame, *slot) {
                Val::Hidden => Ok(None),
                // If somebody speaks of them later, that comes too late.
                Val::Open if self.dropping => {
                    self.stack[frame.0 + slot] = Val::Hidden;
                    Ok(None)
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
        let mut all: SmallVec<[i64; 8]> = SmallVec::new();
        for piece in pieces {
            match piece {
                Piece::One(term) => all.push(self.eval(frame, term)?.int()?),
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
    pub(super) fn length(&mut self, frame: Frame, list: &'a Term) -> Result<usize, Stop> {
        let val = match list {
            Term::Slot(slot) => match self.get(frame, *slot) {
                Val::Open | Val::Hidden => return Err(Stop::Wait),
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
        self.spend_on(length)?;
        let (mut numbers, mut others) = (SmallVec::<[i64; 8]>::new(), SmallVec::<[Val; 4]>::new());
        for i in 0..length {
            for (list, name) in lists.iter().zip(&each.names) {
                if let Some(name) = name {
                    self.stack[frame.0 + name.slot] = self.member(*list, i)?;
                }
            }
            let val = self.eval(frame, &each.body);
            for name in each.names.iter().flatten() {
                self.stack[frame.0 + name.slot] = Val::Open;
            }
            match each.numbers {
                true => numbers.push(val?.int()?),
                false => others.push(val?),
            }
        }
        Ok(match each.numbers {
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
