//! Broadcasting of lists that are known.

use super::store::Val;
use super::value::Numbers;
use super::{Evaluator, Frame, Residual, Stop};
use crate::rules::rule::Value;
use kanshape_engine::Num;
use smallvec::SmallVec;

impl<'a> Evaluator<'a> {
    /// What some dims broadcast to, which has to be something.
    pub(super) fn broadcast_dims(&mut self, dims: &[Num]) -> Result<Num, Stop> {
        let mut out = Num::ONE;
        let mut are_integers = true;
        for &dim in dims {
            are_integers &= dim.int().is_some();
            match (out, dim) {
                (a, b) if a == b => {}
                (Num::ONE, b) => out = b,
                (_, Num::ONE) => {}
                (a, b) if a.int().is_some() && b.int().is_some() => return Err(Stop::Fail),
                _ if are_integers => return Err(Stop::Fail),
                _ => return self.broadcast_names(dims),
            }
        }
        Ok(out)
    }

    /// The same where two of them differ, and one is no integer.
    fn broadcast_names(&mut self, dims: &[Num]) -> Result<Num, Stop> {
        let out = self.forms.broadcast(dims).map_err(|_| Stop::Fail)?;
        let mut args: SmallVec<[Num; 4]> =
            dims.iter().copied().filter(|n| *n != Num::ONE).collect();
        args.sort_unstable();
        args.dedup();
        self.leave_open(Residual::Broadcast(args, out))?;
        Ok(out)
    }

    /// The list `out` is what the others broadcast to, aligned on the right.
    pub(super) fn broadcast(
        &mut self,
        frame: Frame,
        out: &'a Value,
        args: &'a [Value],
    ) -> Result<bool, Stop> {
        let mut lists = SmallVec::<[_; 4]>::new();
        let mut rank = 0;
        for arg in args {
            let list = self.eval(frame, arg)?.numbers()?;
            self.spend_on(list.len())?;
            rank = rank.max(list.len());
            lists.push(list);
        }
        let mut dims = Numbers::new();
        for i in 0..rank {
            let mut own = SmallVec::<[Num; 4]>::new();
            for list in &lists {
                if let Some(at) = (i + list.len()).checked_sub(rank) {
                    own.push(self.store.number(*list, at));
                }
            }
            dims.push(self.broadcast_dims(&own)?);
        }
        let list = self.store.push_numbers(&dims)?;
        self.take_apart(frame, out, Val::Numbers(list))
    }
}
