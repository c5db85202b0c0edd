//! Patterns against values.

use super::number::int;
use super::store::{TensorVal, Val};
use super::{Evaluator, Frame, Stop};
use crate::rules::rule::{Each, Value};
use kanshape_engine::Num;
use smallvec::SmallVec;

pub(super) fn fits(is: bool) -> Result<bool, Stop> {
    match is {
        true => Ok(true),
        false => Err(Stop::Fail),
    }
}

impl<'a> Evaluator<'a> {
    /// From now on the pattern is the value. `false` if something in it is not known yet; what could be taken apart has
    /// been.
    #[inline]
    pub(super) fn take_apart(
        &mut self,
        frame: Frame,
        pattern: &'a Value,
        val: Val,
    ) -> Result<bool, Stop> {
        self.spend(1)?;
        match pattern {
            Value::Any(_) => Ok(true),
            Value::Slot(slot) => self.bind(frame, *slot, val),
            pattern => self.apart(frame, pattern, val),
        }
    }

    fn apart(&mut self, frame: Frame, pattern: &'a Value, val: Val) -> Result<bool, Stop> {
        match (pattern, val) {
            (_, Val::Open | Val::Ignored) => Ok(true),
            // It would constrain what is unknown.
            (_, Val::Hidden | Val::Extremes(_)) => Err(Stop::Leave),
            (Value::None, Val::There) => Err(Stop::Fail),
            (_, Val::There) => Ok(true),
            (pattern, Val::Length(n)) => self.length_apart(frame, pattern, n),
            (Value::Number(number), Val::Int(n)) => self.solve(frame, number, n),
            (Value::Int(n), Val::Int(m)) => {
                self.same_number(int(*n)?, m)?;
                Ok(true)
            }
            (Value::Dtype(a), Val::Dtype(b)) => {
                self.dtype_among(b, (*a).into())?;
                Ok(true)
            }
            (Value::None, val) => fits(matches!(val, Val::None)),
            (Value::Some(pattern), Val::Some(of)) => {
                self.take_apart(frame, pattern, self.store.cell(of))
            }
            (Value::Tensor(parts), Val::Tensor(tensor)) => {
                self.tensor_apart(frame, parts, self.store.tensor(tensor))
            }
            (Value::Node(label, parts), Val::Node(own, cells)) => {
                fits(*label == own && parts.len() == cells.len())?;
                let mut all = true;
                for (i, part) in parts.iter().enumerate() {
                    let own = self.store.cells(cells)[i];
                    all &= self.take_apart(frame, part, own)?;
                }
                Ok(all)
            }
            (Value::Some(_) | Value::Tensor(_) | Value::Node(..), _) => Err(Stop::Fail),
            (Value::Each(each), Val::Numbers(_) | Val::List(_)) => {
                self.each_apart(frame, each, val)
            }
            (Value::List(pieces, _), Val::Numbers(_) | Val::List(_)) => {
                self.pieces(frame, pieces, val)
            }
            // What is calculated is compared.
            (pattern, val) => match self.eval(frame, pattern) {
                Ok(own) => self.same(own, val).map(|()| true),
                Err(Stop::Wait) => Ok(false),
                Err(stop) => Err(stop),
            },
        }
    }

    /// From now on the variable is the value, or what is known of it.
    #[inline]
    pub(super) fn bind(&mut self, frame: Frame, slot: usize, val: Val) -> Result<bool, Stop> {
        match (self.get(frame, slot), val) {
            (_, Val::Open | Val::Ignored) => Ok(true),
            (Val::Open | Val::Ignored, _) => {
                self.set(frame, slot, val);
                Ok(true)
            }
            (known, val) => self.meet(frame, slot, known, val),
        }
    }

    /// From now on the variable, of which something is known, is the value as well.
    fn meet(&mut self, frame: Frame, slot: usize, known: Val, val: Val) -> Result<bool, Stop> {
        let is_new = match (known, val) {
            (known, val) if known.is_hidden() && val.is_hidden() => false,
            // It would constrain what is unknown.
            (known, val) if known.is_hidden() || val.is_hidden() => return Err(Stop::Leave),
            (Val::Length(n), _) => {
                fits(val.length() == Some(n as usize))?;
                !matches!(val, Val::Length(_))
            }
            (known, Val::Length(n)) => {
                fits(known.length() == Some(n as usize))?;
                false
            }
            (Val::There, Val::None) | (Val::None, Val::There) => return Err(Stop::Fail),
            (Val::There, _) => !matches!(val, Val::There),
            (_, Val::There) => false,
            (known, val) => {
                self.same(known, val)?;
                false
            }
        };
        if is_new {
            self.set(frame, slot, val);
        }
        Ok(true)
    }

    /// From now on a list has this length.
    pub(super) fn set_length(
        &mut self,
        frame: Frame,
        list: &'a Value,
        length: i64,
    ) -> Result<bool, Stop> {
        let length = match u32::try_from(length) {
            Ok(length) => length,
            Err(_) if length < 0 => return Err(Stop::Fail),
            Err(_) => return Err(Stop::Leave),
        };
        match list {
            Value::Slot(slot) => self.bind(frame, *slot, Val::Length(length)),
            Value::Any(_) => Ok(true),
            _ => Ok(false),
        }
    }

    fn tensor_apart(
        &mut self,
        frame: Frame,
        [shape, dtype, contents]: &'a [Value; 3],
        tensor: TensorVal<'a>,
    ) -> Result<bool, Stop> {
        let mut all = self.take_apart(frame, dtype, Val::Dtype(tensor.dtype))?;
        all &= self.take_apart(frame, shape, Val::Numbers(tensor.shape))?;
        Ok(all
            & match (tensor.contents, contents) {
                (_, Value::Any(_)) => true,
                (Some(own), _) => self.take_apart(frame, contents, Val::Numbers(own))?,
                (None, _) => {
                    let hidden = tensor.extremes.map_or(Val::Hidden, Val::Extremes);
                    self.take_apart(frame, contents, hidden)?
                }
            })
    }

    /// A list of which every member is made alike: what it is made of are the members of other lists.
    fn each_apart(&mut self, frame: Frame, each: &'a Each, list: Val) -> Result<bool, Stop> {
        match self.each(frame, each) {
            Ok(own) => return self.same(own, list).map(|()| true),
            Err(Stop::Wait) => {}
            Err(stop) => return Err(stop),
        }
        let count = list.length().ok_or(Stop::Leave)?;
        // For each member what its names are.
        let mut parts: SmallVec<[Val; 8]> = SmallVec::new();
        for i in 0..count {
            let member = self.member(list, i)?;
            if !self.take_apart(frame, &each.body, member)? {
                self.forget_members(frame, each);
                return Ok(false);
            }
            for name in each.names.iter().flatten() {
                let part = self.get(frame, *name);
                if !part.is_known() {
                    self.forget_members(frame, each);
                    return Ok(false);
                }
                parts.push(part);
            }
            self.forget_members(frame, each);
        }
        let named = each.names.iter().flatten().count();
        let mut all = true;
        let mut before = 0;
        for (name, own) in each.names.iter().zip(&each.lists) {
            let members = match name {
                None => Val::Length(u32::try_from(count).map_err(|_| Stop::Leave)?),
                Some(name) => {
                    let own = parts.iter().skip(before).step_by(named);
                    before += 1;
                    match each.slots[*name].is_number() {
                        true => {
                            let own = own.map(|part| part.num());
                            let own = own.collect::<Result<SmallVec<[Num; 8]>, Stop>>()?;
                            Val::Numbers(self.store.push_numbers(&own)?)
                        }
                        false => {
                            let own: SmallVec<[Val; 8]> = own.copied().collect();
                            Val::List(self.store.push_cells(&own)?)
                        }
                    }
                }
            };
            all &= self.take_apart(frame, own, members)?;
        }
        Ok(all)
    }

    /// The names of members are open again. That they were known is no news to anybody.
    fn forget_members(&mut self, frame: Frame, each: &Each) {
        for name in each.names.iter().flatten() {
            let was = std::mem::replace(&mut self.stack[frame.0 + *name], Val::Open);
            self.learnt -= u32::from(!matches!(was, Val::Open));
        }
    }
}
