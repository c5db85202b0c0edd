//! Broadcasting of lists that are known.

use super::store::Val;
use super::value::Numbers;
use super::{Evaluator, Frame, Residual, Stop};
use crate::rules::rule::Value;
use kanshape_engine::{Node, Num};
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
        let mut args: SmallVec<[Num; 4]> =
            dims.iter().copied().filter(|n| *n != Num::ONE).collect();
        args.sort_unstable();
        args.dedup();
        self.forms.leave_out_covered(&mut args)?;
        while let Some((at, most)) = self.clipped(&args)? {
            self.leave_open(Residual::NonNegative(most))?;
            args.remove(at);
        }
        let out = self.forms.broadcast(&args).map_err(|_| Stop::Fail)?;
        if args.len() > 1 {
            self.leave_open(Residual::Broadcast(args, out))?;
        }
        Ok(out)
    }

    /// One of these that is `min(n, m)` of another one, `n`, and of an `m` of 2 or more, and what `m` has more than `n`. It broadcasts with
    /// `n` only where it is `n`: it is 1 only where that is.
    fn clipped(&mut self, args: &[Num]) -> Result<Option<(usize, Num)>, Stop> {
        for (at, arg) in args.iter().enumerate() {
            let Some(Node::Min(all)) = arg.form().map(|form| self.forms.node(form)) else {
                continue;
            };
            let Some(n) = all.iter().copied().find(|n| args.contains(n)) else {
                continue;
            };
            let others: SmallVec<[Num; 4]> = all.iter().copied().filter(|m| *m != n).collect();
            if others.iter().all(|m| self.forms.bounds(*m).0 >= 2) {
                let least = self.forms.min(&others).map_err(|_| Stop::Leave)?;
                let more = self.forms.sub(least, n).map_err(|_| Stop::Leave)?;
                return Ok(Some((at, more)));
            }
        }
        Ok(None)
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
