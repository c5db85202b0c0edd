//! Patterns of lists.

use super::store::Val;
use super::take_apart::fits;
use super::{Evaluator, Frame, Stop};
use crate::rules::rule::{Piece, Value};

impl<'a> Evaluator<'a> {
    /// The pieces of a list against its members: those before the first part of any length, those behind the last
    /// one, and that part itself if it is the only one whose length is open.
    pub(super) fn pieces(
        &mut self,
        frame: Frame,
        pieces: &'a [Piece],
        list: Val,
    ) -> Result<bool, Stop> {
        let (mut from, mut to) = (0, list.length().ok_or(Stop::Leave)?);
        let mut pieces = pieces;
        let mut all = true;
        while let Some((first, rest)) = pieces.split_first() {
            if let ([], Piece::Rest(pattern)) = (rest, first) {
                return Ok(all & self.take_apart(frame, pattern, list.part(from, to)?)?);
            }
            let Some(n) = self.length_of(frame, first)? else {
                break;
            };
            fits(n <= to - from)?;
            all &= self.piece(frame, first, list, from, from + n)?;
            from += n;
            pieces = rest;
        }
        while let Some((last, rest)) = pieces.split_last() {
            if let ([], Piece::Rest(pattern)) = (rest, last) {
                return Ok(all & self.take_apart(frame, pattern, list.part(from, to)?)?);
            }
            let Some(n) = self.length_of(frame, last)? else {
                return Ok(false);
            };
            fits(n <= to - from)?;
            all &= self.piece(frame, last, list, to - n, to)?;
            to -= n;
            pieces = rest;
        }
        fits(from == to)?;
        Ok(all)
    }

    fn piece(
        &mut self,
        frame: Frame,
        piece: &'a Piece,
        list: Val,
        from: usize,
        to: usize,
    ) -> Result<bool, Stop> {
        match piece {
            Piece::One(pattern) => {
                let member = self.member(list, from)?;
                self.take_apart(frame, pattern, member)
            }
            Piece::Rest(pattern) => self.take_apart(frame, pattern, list.part(from, to)?),
        }
    }

    /// How many members a piece is, if that is known.
    fn length_of(&mut self, frame: Frame, piece: &'a Piece) -> Result<Option<usize>, Stop> {
        match piece {
            Piece::One(_) => Ok(Some(1)),
            Piece::Rest(pattern) => match self.length(frame, pattern) {
                Ok(n) => Ok(Some(n)),
                Err(Stop::Wait) => Ok(None),
                Err(stop) => Err(stop),
            },
        }
    }

    /// What follows of a pattern from the length of the list alone.
    pub(super) fn length_apart(
        &mut self,
        frame: Frame,
        pattern: &'a Value,
        length: u32,
    ) -> Result<bool, Stop> {
        let pieces = match pattern {
            Value::List(pieces, _) => pieces,
            Value::Each(each) => {
                for list in &each.lists {
                    self.take_apart(frame, list, Val::Length(length))?;
                }
                return Ok(true);
            }
            _ => return Ok(true),
        };
        let mut left = length as usize;
        let mut open = None;
        for piece in pieces {
            match (self.length_of(frame, piece)?, piece) {
                (Some(n), _) => left = left.checked_sub(n).ok_or(Stop::Fail)?,
                (None, Piece::Rest(rest)) if open.is_none() => open = Some(rest),
                (None, _) => return Ok(true),
            }
        }
        match open {
            Some(rest) => self.set_length(frame, rest, left as i64),
            None => fits(left == 0),
        }
    }
}
