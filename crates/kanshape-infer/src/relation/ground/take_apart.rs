//! Patterns against values.

use super::super::rule::{self, Piece};
use super::value::{Numbers, Value};
use super::{Frame, Ground, Stop};

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
        use rule::Value as Term;
        self.spend(1)?;
        match (pattern, value) {
            (Term::Any(_), _) => Ok(Match::Done),
            (Term::Slot(slot), value) => match &frame[*slot] {
                Some(known) => same(known, value),
                None => {
                    frame[*slot] = Some(value.clone());
                    Ok(Match::Done)
                }
            },
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
            (Term::Node(label, parts), Value::Node(of, values)) => {
                if label != of || parts.len() != values.len() {
                    return Err(Stop::Fail);
                }
                let mut all = Match::Done;
                for (part, value) in parts.iter().zip(values.iter()) {
                    all = all.and(self.take_apart(frame, part, value)?);
                }
                Ok(all)
            }
            (Term::Node(..), _) => Err(Stop::Fail),
            (Term::List(pieces, _), Value::Numbers(list)) => self.pieces(frame, pieces, list),
            (Term::List(pieces, _), Value::List(list)) => self.members(frame, pieces, list),
            // What is calculated is compared.
            (pattern, value) => match self.eval(frame, pattern)? {
                Some(own) => same(&own, value),
                None => Ok(Match::Wait),
            },
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
                Piece::Rest(pattern) => match self.eval(frame, pattern)? {
                    Some(Value::Numbers(own)) => match list.strip_prefix(own.as_slice()) {
                        Some(others) => list = others,
                        None => return Err(Stop::Fail),
                    },
                    Some(_) => return Err(Stop::Leave),
                    None => break,
                },
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
                Piece::Rest(pattern) => match self.eval(frame, pattern)? {
                    Some(Value::Numbers(own)) => match list.strip_suffix(own.as_slice()) {
                        Some(others) => list = others,
                        None => return Err(Stop::Fail),
                    },
                    Some(_) => return Err(Stop::Leave),
                    None => break,
                },
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
                Piece::Rest(pattern) => match self.eval(frame, pattern)? {
                    Some(Value::List(own)) => match list.strip_prefix(&*own) {
                        Some(others) => list = others,
                        None => return Err(Stop::Fail),
                    },
                    Some(_) => return Err(Stop::Leave),
                    None => return Ok(Match::Wait),
                },
            }
        }
        fits(list.is_empty())?;
        Ok(all)
    }

    /// The ways to split a list that is known by a pattern with two parts of unknown length and nothing of unknown
    /// length between them: how many numbers the first of the two can have.
    pub(super) fn splits(
        &mut self,
        frame: &mut Frame,
        pieces: &[Piece],
        list: &[i64],
    ) -> Result<Option<(usize, usize)>, Stop> {
        let mut open = None;
        let (mut known, mut count) = (0, 0);
        for piece in pieces {
            match piece {
                Piece::One(_) => known += 1,
                Piece::Rest(pattern) => match self.eval(frame, pattern)? {
                    Some(Value::Numbers(own)) => known += own.len(),
                    Some(_) => return Err(Stop::Leave),
                    None => {
                        count += 1;
                        if let (None, rule::Value::Slot(slot)) = (open, pattern) {
                            open = Some(*slot);
                        }
                    }
                },
            }
        }
        match (open, list.len().checked_sub(known)) {
            (_, None) => Err(Stop::Fail),
            (Some(slot), Some(most)) if count == 2 => Ok(Some((slot, most))),
            _ => Ok(None),
        }
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
