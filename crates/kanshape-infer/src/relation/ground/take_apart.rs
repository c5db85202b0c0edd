//! Patterns against values.

use super::super::rule::{self, Piece, Value as Term};
use super::eval;
use super::value::{Numbers, Value};
use super::{Frame, Ground, Stop};
use kanshape_syntax::tree::Expr;
use smallvec::SmallVec;

/// What a pattern has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// All of it fits.
    Done,
    /// Something in it is not known yet; what could be taken apart has been.
    Wait,
}

impl Match {
    fn and(self, other: Match) -> Match {
        match (self, other) {
            (Match::Done, Match::Done) => Match::Done,
            _ => Match::Wait,
        }
    }
}

fn fits(is: bool) -> Result<Match, Stop> {
    match is {
        true => Ok(Match::Done),
        false => Err(Stop::Fail),
    }
}

impl Ground<'_> {
    /// From now on the pattern is the value.
    pub(super) fn take_apart(
        &mut self,
        frame: &mut Frame,
        pattern: &rule::Value,
        value: &Value,
    ) -> Result<Match, Stop> {
        self.spend(1)?;
        match (pattern, value) {
            (Term::Any(_), _) => Ok(Match::Done),
            (Term::Slot(slot), value) => match &frame[*slot] {
                Some(Value::Length(n)) => {
                    fits(value.length() == Some(*n))?;
                    frame[*slot] = Some(value.clone());
                    Ok(Match::Done)
                }
                Some(known) => match value {
                    Value::Length(n) => fits(known.length() == Some(*n)),
                    value => same(known, value),
                },
                None => {
                    frame[*slot] = Some(value.clone());
                    Ok(Match::Done)
                }
            },
            // Of what is more than a name, a length says nothing.
            (_, Value::Length(_)) => Ok(Match::Done),
            (Term::Length(list), Value::Int(n)) => {
                if let Some(own) = self.length(frame, list)? {
                    return fits(i64::try_from(own) == Ok(*n));
                }
                let n = usize::try_from(*n).map_err(|_| Stop::Fail)?;
                match &**list {
                    Term::Slot(slot) => {
                        frame[*slot] = Some(Value::Length(n));
                        Ok(Match::Done)
                    }
                    _ => Ok(Match::Wait),
                }
            }
            (Term::Number(number), Value::Int(n)) => self.solve(frame, number, *n),
            (Term::Int(n), Value::Int(m)) => fits(*n == i128::from(*m)),
            (Term::Dtype(a), Value::Dtype(b)) => fits(a == b),
            (Term::None, value) => fits(*value == Value::None),
            (Term::Some(pattern), Value::Some(value)) => self.take_apart(frame, pattern, value),
            (Term::Some(_), _) => Err(Stop::Fail),
            (Term::Tensor(parts), Value::Tensor(tensor)) => {
                let dtype = self.take_apart(frame, &parts[1], &Value::Dtype(tensor.dtype))?;
                let shape = self.list(frame, &parts[0], &tensor.shape)?;
                let contents = match &tensor.contents {
                    // Nothing is known of them, so nothing is asked of them.
                    None => Match::Done,
                    Some(contents) => self.list(frame, &parts[2], contents)?,
                };
                Ok(dtype.and(shape).and(contents))
            }
            (Term::Tensor(_), _) => Err(Stop::Fail),
            (Term::Node(label, parts), Value::Node(node)) => {
                if *label != node.label || parts.len() != node.parts.len() {
                    return Err(Stop::Fail);
                }
                let mut all = Match::Done;
                for (part, value) in parts.iter().zip(&node.parts) {
                    all = all.and(self.take_apart(frame, part, value)?);
                }
                Ok(all)
            }
            (Term::Node(..), _) => Err(Stop::Fail),
            (Term::Each(each), Value::Numbers(_) | Value::List(_)) => {
                self.each_apart(frame, each, value)
            }
            (Term::List(pieces, _), Value::Numbers(list)) => self.pieces(frame, pieces, list),
            (Term::List(pieces, _), Value::List(list)) => self.members(frame, pieces, list),
            // What is calculated is compared.
            (pattern, value) => match self.eval(frame, pattern)? {
                Some(own) => same(&own, value),
                None => Ok(Match::Wait),
            },
        }
    }

    /// A list of which every member is made alike: what it is made of are the members of other lists.
    fn each_apart(
        &mut self,
        frame: &mut Frame,
        each: &rule::Each,
        value: &Value,
    ) -> Result<Match, Stop> {
        if let Some(own) = self.each(frame, each)? {
            return same(&own, value);
        }
        let count = value.length().unwrap_or(0);
        let mut parts: SmallVec<[Vec<Value>; 2]> =
            SmallVec::from_elem(Vec::new(), each.names.len());
        for i in 0..count {
            let member = match value {
                Value::Numbers(list) => Value::Int(list[i]),
                Value::List(list) => list[i].clone(),
                _ => return Err(Stop::Leave),
            };
            let found = self.take_apart(frame, &each.body, &member)?;
            for (slot, parts) in each.names.iter().zip(&mut parts) {
                let part = slot.and_then(|slot| frame[slot].take());
                match part.filter(|p| !matches!(p, Value::Length(_))) {
                    Some(part) => parts.push(part),
                    None if slot.is_none() => {}
                    None => return Ok(Match::Wait),
                }
            }
            if found == Match::Wait {
                return Ok(Match::Wait);
            }
        }
        let mut all = Match::Done;
        for ((slot, list), parts) in each.names.iter().zip(&each.lists).zip(parts) {
            let list_of = match (slot, parts.first()) {
                (None, _) | (_, None) => Value::Length(count),
                (_, Some(Value::Int(_))) => {
                    let numbers = parts.iter().map(|p| match p {
                        Value::Int(n) => Ok(*n),
                        _ => Err(Stop::Leave),
                    });
                    Value::Numbers(numbers.collect::<Result<Numbers, Stop>>()?)
                }
                (_, Some(_)) => Value::List(parts.into()),
            };
            all = all.and(self.take_apart(frame, list, &list_of)?);
        }
        Ok(all)
    }

    /// From now on the expression is the number: with one leaf unknown, and that in a sum, it is solved.
    fn solve(
        &mut self,
        frame: &mut Frame,
        number: &(Expr, Box<[Term]>),
        value: i64,
    ) -> Result<Match, Stop> {
        let (e, leaves) = number;
        let mut known: SmallVec<[Option<Value>; 4]> = SmallVec::new();
        let mut open = None;
        for (i, leaf) in leaves.iter().enumerate() {
            let leaf = self.eval(frame, leaf)?;
            if leaf.is_none() && open.replace(i).is_some() {
                return Ok(Match::Wait);
            }
            known.push(leaf);
        }
        let Some(open) = open else {
            let known: Option<SmallVec<[Value; 2]>> = known.into_iter().collect();
            let known = known.ok_or(Stop::Leave)?;
            return fits(eval::expr(e, &known)? == value);
        };
        let Some((factor, rest)) = eval::linear(e, &known, open)? else {
            return Ok(Match::Wait);
        };
        let apart = value.checked_sub(rest).ok_or(Stop::Leave)?;
        match (apart.checked_div(factor), apart.checked_rem(factor)) {
            _ if factor == 0 => fits(apart == 0),
            (Some(n), Some(0)) => self.take_apart(frame, &leaves[open], &Value::Int(n)),
            (_, Some(_)) => Err(Stop::Fail),
            (_, None) => Err(Stop::Leave),
        }
    }

    /// A pattern of a list of numbers.
    fn list(
        &mut self,
        frame: &mut Frame,
        pattern: &rule::Value,
        list: &[i64],
    ) -> Result<Match, Stop> {
        match pattern {
            rule::Value::Any(_) => Ok(Match::Done),
            rule::Value::List(pieces, _) => self.pieces(frame, pieces, list),
            pattern => self.take_apart(frame, pattern, &Value::Numbers(list.into())),
        }
    }

    /// The pieces of a list against its members: those before the first part of any length, those behind the last
    /// one, and that part itself if it is the only one whose length is open.
    fn pieces(&mut self, frame: &mut Frame, pieces: &[Piece], list: &[i64]) -> Result<Match, Stop> {
        let mut list = list;
        let mut pieces = pieces;
        let mut all = Match::Done;
        // From the left as far as lengths are known.
        while let Some((first, rest)) = pieces.split_first() {
            match first {
                Piece::One(pattern) => {
                    let Some((n, others)) = list.split_first() else {
                        return Err(Stop::Fail);
                    };
                    all = all.and(self.take_apart(frame, pattern, &Value::Int(*n))?);
                    list = others;
                }
                Piece::Rest(pattern) => {
                    let Some(n) = self.length(frame, pattern)? else {
                        break;
                    };
                    let (own, others) = list.split_at_checked(n).ok_or(Stop::Fail)?;
                    let own = Value::Numbers(own.into());
                    all = all.and(self.take_apart(frame, pattern, &own)?);
                    list = others;
                }
            }
            pieces = rest;
        }
        // From the right.
        while let Some((last, rest)) = pieces.split_last() {
            match last {
                Piece::One(pattern) => {
                    let Some((n, others)) = list.split_last() else {
                        return Err(Stop::Fail);
                    };
                    all = all.and(self.take_apart(frame, pattern, &Value::Int(*n))?);
                    list = others;
                }
                Piece::Rest(pattern) => {
                    let Some(n) = self.length(frame, pattern)? else {
                        break;
                    };
                    let from = list.len().checked_sub(n).ok_or(Stop::Fail)?;
                    let (others, own) = list.split_at(from);
                    let own = Value::Numbers(own.into());
                    all = all.and(self.take_apart(frame, pattern, &own)?);
                    list = others;
                }
            }
            pieces = rest;
        }
        match pieces {
            [] => {
                fits(list.is_empty())?;
                Ok(all)
            }
            [Piece::Rest(pattern)] => {
                let rest = Value::Numbers(Numbers::from_slice(list));
                Ok(all.and(self.take_apart(frame, pattern, &rest)?))
            }
            _ => Ok(Match::Wait),
        }
    }

    /// The same for lists of other things.
    fn members(
        &mut self,
        frame: &mut Frame,
        pieces: &[Piece],
        list: &[Value],
    ) -> Result<Match, Stop> {
        let mut list = list;
        let mut all = Match::Done;
        for (i, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::One(pattern) => {
                    let Some((first, others)) = list.split_first() else {
                        return Err(Stop::Fail);
                    };
                    all = all.and(self.take_apart(frame, pattern, first)?);
                    list = others;
                }
                Piece::Rest(pattern) if i + 1 == pieces.len() => {
                    let rest = Value::List(list.into());
                    return Ok(all.and(self.take_apart(frame, pattern, &rest)?));
                }
                Piece::Rest(pattern) => {
                    let Some(n) = self.length(frame, pattern)? else {
                        return Ok(Match::Wait);
                    };
                    let (own, others) = list.split_at_checked(n).ok_or(Stop::Fail)?;
                    let own = Value::List(own.into());
                    all = all.and(self.take_apart(frame, pattern, &own)?);
                    list = others;
                }
            }
        }
        fits(list.is_empty())?;
        Ok(all)
    }
}

/// Are two values the same? Contents of which nothing is known are the same as any.
pub(super) fn same(a: &Value, b: &Value) -> Result<Match, Stop> {
    match (a, b) {
        (Value::Tensor(a), Value::Tensor(b)) => {
            if a.contents.is_some() && b.contents.is_some() {
                fits(a == b)
            } else if a.contents.is_none() && b.contents.is_none() {
                fits(a.dtype == b.dtype && a.shape == b.shape)
            } else {
                // What is known of one has to reach the other.
                Err(Stop::Leave)
            }
        }
        (a, b) => fits(a == b),
    }
}
