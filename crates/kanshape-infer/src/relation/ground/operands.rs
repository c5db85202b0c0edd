//! What the rule of an operator is called with, and what comes out of it.

use super::attribute::Attributes;
use super::store::{Store, Val};
use super::{Ground, Stop};
use crate::program::CallArg;
use crate::{AttrValue, Operator};
use smallvec::SmallVec;

/// What the rule of an operator is called with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arg {
    /// An attribute, or something that is left out.
    Known(Val),
    /// An input, by its place among those that are there.
    Input(usize),
    /// The same, where it might have been left out.
    Present(usize),
    /// So many inputs from this one on.
    Inputs(usize, usize),
    /// An output, and whether it is asked for.
    Output(bool),
    /// The same, where it might have been left out.
    PresentOutput,
    /// A list of so many outputs.
    Outputs(usize),
    /// A list of however many outputs.
    Rest,
}

/// A call: its operands, of which `count` are inputs and the others outputs, and its attributes.
pub(super) struct Called<'a> {
    pub operator: &'a Operator,
    pub args: &'a [CallArg],
    pub count: usize,
    pub attrs: &'a [(Box<str>, AttrValue)],
}

impl Called<'_> {
    /// What the rule is called with. Attributes are put into the store.
    ///
    /// # Errors
    /// [`Stop::Leave`] if not all attributes are known, or one of them is the type of a function.
    pub(super) fn arguments(
        &self,
        asked: impl Fn(usize) -> bool,
        store: &mut Store<'_>,
    ) -> Result<SmallVec<[Arg; 16]>, Stop> {
        let mut attributes = Attributes::new(&self.operator.library().words);
        let mut all = SmallVec::new();
        for arg in self.args {
            all.push(match arg {
                CallArg::Type(i) => match i.checked_sub(self.count) {
                    None => Arg::Input(*i),
                    Some(output) => Arg::Output(asked(output)),
                },
                CallArg::Present(i) if *i < self.count => Arg::Present(*i),
                CallArg::Present(_) => Arg::PresentOutput,
                CallArg::Absent => Arg::Known(Val::None),
                CallArg::Types(all) => match all.first() {
                    None => Arg::Known(Val::List(store.push_cells(&[])?)),
                    Some(first) if *first < self.count => Arg::Inputs(*first, all.len()),
                    Some(_) => Arg::Outputs(all.len()),
                },
                CallArg::Rest => Arg::Rest,
                CallArg::Attr(i) => {
                    let rule = &self.operator.parts().attrs[*i];
                    let own = self.attrs.iter().rev().find(|a| a.0 == rule.name);
                    Arg::Known(match own.map(|a| &a.1).or(rule.default.as_ref()) {
                        Some(given) => attributes.load(&rule.kind, given, store)?,
                        None if rule.optional => Val::None,
                        None => return Err(Stop::Leave),
                    })
                }
            });
        }
        Ok(all)
    }
}

impl Ground<'_> {
    /// The outputs that are asked for, in order, from the inputs that are there.
    ///
    /// # Errors
    /// [`Stop::Fail`] if there is no such call; [`Stop::Leave`] if only the engine can say, or too few inputs are
    /// given.
    pub(super) fn outputs(
        &mut self,
        rule: usize,
        args: &[Arg],
        inputs: &[Val],
    ) -> Result<SmallVec<[Val; 4]>, Stop> {
        let input = |i: usize| inputs.get(i).copied().ok_or(Stop::Leave);
        let store = &mut self.store;
        let mut vals: SmallVec<[Val; 16]> = SmallVec::new();
        for arg in args {
            vals.push(match *arg {
                Arg::Known(val) => val,
                Arg::Input(i) => input(i)?,
                Arg::Present(i) => store.push_some(input(i)?)?,
                Arg::Inputs(first, count) => {
                    let all = inputs.get(first..first + count).ok_or(Stop::Leave)?;
                    Val::List(store.push_cells(all)?)
                }
                Arg::Output(_) | Arg::Rest => Val::Open,
                Arg::PresentOutput => Val::There,
                Arg::Outputs(count) => Val::Length(u32::try_from(count).map_err(|_| Stop::Leave)?),
            });
        }
        self.operator(rule, &mut vals).map_err(|stop| match stop {
            Stop::Fail => Stop::Fail,
            Stop::Wait | Stop::Leave => Stop::Leave,
        })?;
        let mut outputs = SmallVec::new();
        for (arg, val) in args.iter().zip(vals) {
            match (arg, val) {
                (Arg::Known(_) | Arg::Input(_) | Arg::Present(_) | Arg::Inputs(..), _) => {}
                (Arg::Output(false), val) => {
                    // Nobody asks for it, but it has to be there.
                    self.store.is_type(val)?;
                }
                (Arg::Output(true), val) => outputs.push(val),
                (Arg::PresentOutput, Val::Some(of)) => outputs.push(self.store.cell(of)),
                (Arg::Outputs(_) | Arg::Rest, Val::List(cells)) => {
                    outputs.extend_from_slice(self.store.cells(cells));
                }
                _ => return Err(Stop::Leave),
            }
        }
        Ok(outputs)
    }
}
