//! The constraints: what each says, when it is settled, and what it tells its variables.
//!
//! A constraint is run when something that it watches has changed. It refines what it can, in
//! whichever direction, and says whether it still has something to say.

mod atoms;
mod broadcast;
mod comparison;
mod division;
mod extremum;
mod factored;
mod function;
mod lone;
mod product;

pub use atoms::AtomTable;
pub use comparison::between;
pub use function::Function;
pub(crate) use function::{Value, apply, relate};
pub use lone::Lone;
pub(crate) use product::factors;

use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::int::Int;
use crate::linear::{Linear, Var};
use crate::store::State;
use crate::store::bounds;
use crate::store::choice::Pending;
use crate::store::relation::{Relation, View};
use crate::store::sequence::{self, Seq};
use smallvec::SmallVec;
use std::sync::Arc;

/// Something that holds between variables.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "a posted constraint lives behind an `Arc`"
)]
pub enum Constraint {
    /// The form is 0.
    Zero(Linear),
    /// The form is 0 or more.
    NonNegative(Linear),
    /// The form is not 0.
    NonZero(Linear),
    /// The form is one of these, sorted.
    Member(Linear, Arc<[Int]>),
    /// `out = function(args)`.
    Apply {
        /// Which function.
        function: Function,
        /// Its arguments.
        args: SmallVec<[Linear; 2]>,
        /// Its value.
        out: Linear,
    },
    /// `table[left, right] = out`.
    Atoms {
        /// The table.
        table: Arc<dyn AtomTable>,
        /// The first argument.
        left: Var,
        /// The second argument.
        right: Var,
        /// The value.
        out: Var,
    },
    /// The two sequences are the same.
    SeqEqual(Seq, Seq),
    /// `out` is what the sequences `args` broadcast to, aligned on the right.
    SeqBroadcast {
        /// What they broadcast to.
        out: Seq,
        /// What is broadcast.
        args: Vec<Seq>,
    },
    /// `out` is the product of the numbers in the sequence.
    SeqProduct {
        /// The product.
        out: Linear,
        /// The factors.
        seq: Seq,
    },
    /// A relation of the caller's own.
    Custom(Arc<dyn Relation>),
    /// One of several alternatives holds. A state that a [`Stream`](crate::Stream) has shown has none of these.
    Choice(Pending),
}

/// What is left of a constraint after a run.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub(crate) enum AfterRun {
    /// It waits for more.
    Keep,
    /// It holds, whatever else becomes known.
    Done,
    /// It waits, in another form.
    Become(Constraint),
}

impl Constraint {
    /// Does a run leave nothing of it, or another constraint? A bound of one variable is in its domain then, and need not be
    /// watched.
    pub(crate) fn is_said_at_once(&self) -> bool {
        matches!(self, Constraint::NonNegative(l) if l.terms().len() <= 1)
    }

    /// Does it compare a form with numbers?
    pub(crate) fn is_comparison(&self) -> bool {
        matches!(
            self,
            Constraint::Zero(_)
                | Constraint::NonNegative(_)
                | Constraint::NonZero(_)
                | Constraint::Member(..)
        )
    }

    /// Calls `f` with every variable that it names.
    pub fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        match self {
            Constraint::Zero(l)
            | Constraint::NonNegative(l)
            | Constraint::NonZero(l)
            | Constraint::Member(l, _) => l.vars().for_each(f),
            Constraint::Apply { args, out, .. } => {
                out.vars().for_each(&mut *f);
                args.iter().flat_map(Linear::vars).for_each(f);
            }
            Constraint::Atoms {
                left, right, out, ..
            } => [*left, *right, *out].into_iter().for_each(f),
            Constraint::SeqEqual(a, b) => {
                a.for_each_var(f);
                b.for_each_var(f);
            }
            Constraint::SeqBroadcast { out, args } => {
                out.for_each_var(f);
                args.iter().for_each(|a| a.for_each_var(f));
            }
            Constraint::SeqProduct { out, seq } => {
                out.vars().for_each(&mut *f);
                seq.for_each_var(f);
            }
            Constraint::Custom(relation) => relation.vars().into_iter().for_each(f),
            Constraint::Choice(pending) => pending.watched().for_each(f),
        }
    }

    /// How many parts it has, as a measure of what a look at it costs.
    pub(crate) fn size(&self) -> u64 {
        let size = match self {
            Constraint::Apply { args, .. } => args.len(),
            Constraint::SeqEqual(a, b) => a.parts().len() + b.parts().len(),
            Constraint::SeqBroadcast { args, .. } => args.iter().map(|a| 1 + a.parts().len()).sum(),
            Constraint::SeqProduct { seq, .. } => seq.parts().len(),
            _ => 1,
        };
        size as u64
    }

    /// Is it about sequences whose length may be open, so that search has to split them?
    pub fn is_structural(&self) -> bool {
        matches!(
            self,
            Constraint::SeqEqual(..)
                | Constraint::SeqBroadcast { .. }
                | Constraint::SeqProduct { .. }
        )
    }

    /// Is it an application of atoms of which two are known, so that the third is in its set whatever else holds? It is only kept to be
    /// written.
    pub fn is_kept_to_be_written(&self, state: &State) -> bool {
        match self {
            Constraint::Atoms {
                left, right, out, ..
            } => atoms::are_known(state, [*left, *right, *out]),
            _ => false,
        }
    }

    /// A caller's relation that is no hint.
    pub fn is_custom(&self) -> bool {
        matches!(self, Constraint::Custom(relation) if !relation.is_redundant())
    }

    /// Does it hold where every variable has the value that `value` gives? `None` if that can't be
    /// decided: it is not about numbers, or a number grows too large.
    pub fn holds(&self, value: &dyn Fn(Var) -> Int) -> Option<bool> {
        let eval = |l: &Linear| l.at(value);
        Some(match self {
            Constraint::Zero(l) => eval(l)? == 0,
            Constraint::NonNegative(l) => eval(l)? >= 0,
            Constraint::NonZero(l) => eval(l)? != 0,
            Constraint::Member(l, values) => values.binary_search(&eval(l)?).is_ok(),
            Constraint::Apply {
                function,
                args,
                out,
            } => {
                let args: Option<SmallVec<[Int; 4]>> = args.iter().map(eval).collect();
                match function.value(&args?) {
                    function::Value::Is(n) => n == eval(out)?,
                    function::Value::None => false,
                    function::Value::TooLarge => return None,
                }
            }
            _ => return None,
        })
    }

    /// Does a constraint on sequences hold since all of them are empty, with these lengths?
    pub(crate) fn holds_of_empty(&self, state: &State, value: &dyn Fn(Var) -> Int) -> bool {
        let is_empty = |seq: &Seq| {
            let length = state.length(seq).ok();
            length.and_then(|length| length.at(value)) == Some(0)
        };
        match self {
            Constraint::SeqEqual(a, b) => is_empty(a) && is_empty(b),
            Constraint::SeqBroadcast { out, args } => is_empty(out) && args.iter().all(is_empty),
            Constraint::SeqProduct { out, seq } => is_empty(seq) && out.at(value) == Some(1),
            _ => false,
        }
    }

    pub(crate) fn run(&self, state: &mut State, budget: &mut Budget) -> Result<AfterRun, Stop> {
        if let Constraint::Apply { args, .. } = self {
            // Arguments are compared with each other.
            work(args.len() * (1 + args.len() / 8));
        }
        match self {
            Constraint::Zero(l) => comparison::zero(state, budget, l),
            Constraint::NonNegative(l) => comparison::non_negative(state, l),
            Constraint::NonZero(l) => comparison::non_zero(state, l),
            Constraint::Member(l, values) => comparison::member(state, l, values),
            Constraint::Apply {
                function,
                args,
                out,
            } => function::run(state, budget, *function, args, out),
            Constraint::Atoms {
                table,
                left,
                right,
                out,
            } => atoms::run(state, &**table, *left, *right, *out),
            Constraint::SeqEqual(a, b) => sequence::run_equal(state, budget, a, b),
            Constraint::SeqBroadcast { out, args } => {
                sequence::run_broadcast(state, budget, out, args)
            }
            Constraint::SeqProduct { out, seq } => sequence::run_product(state, budget, out, seq),
            Constraint::Custom(relation) => {
                Ok(relation.refine(&mut View::new(state, budget))?.into())
            }
            Constraint::Choice(pending) => pending.run(state, budget),
        }
    }

    /// The same over open variables.
    ///
    /// # Errors
    /// [`Stop::Overflow`] if its numbers would be too large.
    pub fn resolve(&self, state: &State) -> Result<Constraint, Stop> {
        Ok(match self {
            Constraint::Zero(l) => Constraint::Zero(state.resolve(l)?),
            Constraint::NonNegative(l) => Constraint::NonNegative(state.resolve(l)?),
            Constraint::NonZero(l) => Constraint::NonZero(state.resolve(l)?),
            Constraint::Member(l, values) => Constraint::Member(state.resolve(l)?, values.clone()),
            Constraint::Apply {
                function,
                args,
                out,
            } => Constraint::Apply {
                function: *function,
                args: args
                    .iter()
                    .map(|a| state.resolve(a))
                    .collect::<Result<_, _>>()?,
                out: state.resolve(out)?,
            },
            Constraint::Atoms {
                table,
                left,
                right,
                out,
            } => Constraint::Atoms {
                table: table.clone(),
                left: state.root(*left),
                right: state.root(*right),
                out: state.root(*out),
            },
            Constraint::SeqEqual(a, b) => {
                Constraint::SeqEqual(state.resolve_seq(a)?, state.resolve_seq(b)?)
            }
            Constraint::SeqBroadcast { out, args } => {
                let args = args.iter().map(|arg| state.resolve_seq(arg));
                Constraint::SeqBroadcast {
                    out: state.resolve_seq(out)?,
                    args: args.collect::<Result<_, _>>()?,
                }
            }
            Constraint::SeqProduct { out, seq } => Constraint::SeqProduct {
                out: state.resolve(out)?,
                seq: state.resolve_seq(seq)?,
            },
            Constraint::Custom(_) | Constraint::Choice(_) => self.clone(),
        })
    }

    /// What a resolved constraint says of its other variables when one that is nowhere else may be anything that it can be. `None` if
    /// that can't be said without it.
    ///
    /// # Errors
    /// [`Stop::Overflow`] if the numbers would be too large without it.
    pub fn eliminate(
        &self,
        state: &State,
        lone: &Lone<'_>,
    ) -> Result<Option<Vec<Constraint>>, Stop> {
        match self {
            Constraint::NonNegative(l) => comparison::eliminate(state, l, lone).map(Some),
            Constraint::NonZero(_) => Ok(lone.is_unbounded().then(Vec::new)),
            Constraint::Apply {
                function,
                args,
                out,
            } => function::eliminate(state, *function, args, out, lone),
            Constraint::SeqProduct { out, seq } => {
                Ok(sequence::eliminate_product(state, out, seq, lone))
            }
            _ => Ok(None),
        }
    }
}
