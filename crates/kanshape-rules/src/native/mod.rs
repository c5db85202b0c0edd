//! Relations in Rust: what text can't say, with the same standing as clauses.
//!
//! A [`Native`] is examined with whatever is known of its arguments, says what follows as soon as there is
//! something to say, and may refine any of them: it has no inputs and outputs. What it has not said at the
//! end does not matter, so a rule that calls it stays right where nothing is ever known. Where it waits for the values of
//! names alone, and may refuse some of them ([`Native::may_refuse`]), nothing is decided for all of these values.

mod arithmetic;
mod boxes;
mod cast;
mod contents;
mod count;
mod einsum;
mod extremes;
mod function;
mod layout;
mod reshape;
mod same;
mod scaled;
mod slice;
pub mod user;

use crate::encode::form::{known_dtype, list, member, note};
use crate::rules::Context;
use crate::rules::native::{Native, Param};
use kanshape_engine::{Choice, Goal, Int, Linear, Look, Part, Stop, Term, View, Ways};
use std::sync::Arc;

/// All that are there without being registered.
pub fn built_in() -> Vec<Arc<dyn Native>> {
    let mut all: Vec<Arc<dyn Native>> = vec![
        Arc::new(contents::Spread),
        Arc::new(contents::Strided),
        Arc::new(reshape::ReshapeDim),
        Arc::new(reshape::Reshaped),
        Arc::new(cast::CastContents),
        Arc::new(cast::CastMember),
        Arc::new(cast::HeldIn),
        Arc::new(arithmetic::FloatOf),
        Arc::new(arithmetic::FloatOfTwo),
        Arc::new(count::CountNonzero),
        Arc::new(count::CountDistinct),
        Arc::new(same::IfSame),
        Arc::new(slice::EndOf),
        Arc::new(scaled::Scaled),
        Arc::new(scaled::FloatRange),
        Arc::new(boxes::SelectedBoxes),
        Arc::new(einsum::Einsum),
        Arc::new(einsum::EinsumSums),
        Arc::new(function::Function),
        Arc::new(function::Fields),
        Arc::new(layout::InLayout),
        Arc::new(layout::LayoutAxes),
    ];
    all.extend(extremes::all());
    all
}

/// The goal that a native relation holds of these.
pub(super) fn goal(context: &Arc<Context>, native: &Arc<dyn Native>, args: Box<[Term]>) -> Goal {
    Goal::choice(NativeGoal {
        context: Arc::clone(context),
        native: Arc::clone(native),
        args,
    })
}

/// The goal that the first is the type of a function of the second and third, which are lists.
pub(super) fn function(context: &Arc<Context>, args: [Term; 3]) -> Goal {
    let function: Arc<dyn Native> = Arc::new(function::Function);
    goal(context, &function, Box::new(args))
}

/// A native relation of some arguments.
#[derive(Debug)]
struct NativeGoal {
    context: Arc<Context>,
    native: Arc<dyn Native>,
    args: Box<[Term]>,
}

impl Choice for NativeGoal {
    fn ways(&self, look: &mut Look<'_>) -> Result<Ways, Stop> {
        Ok(match self.native.ready(&self.context, look, &self.args)? {
            true => Ways::from_slice(&[0]),
            false => Ways::from_slice(&[0, 1]),
        })
    }

    fn take(&self, _: usize, view: &mut View<'_>) -> Result<Goal, Stop> {
        self.native.say(&self.context, view, &self.args)
    }

    fn is_redundant(&self) -> bool {
        true
    }

    fn may_refuse(&self) -> bool {
        self.native.may_refuse()
    }
}

/// Is the number known?
fn is_number(look: &mut Look<'_>, term: &Term) -> Result<bool, Stop> {
    let Term::Int(l) = look.walk(term) else {
        note(look, term);
        return Ok(false);
    };
    let l = look.resolve(&l)?;
    look.note_form(&l);
    Ok(l.as_constant().is_some())
}

/// Does the list show all of its members?
fn is_list(look: &mut Look<'_>, term: &Term) -> bool {
    let Term::Seq(seq) = look.walk(term) else {
        note(look, term);
        return false;
    };
    let parts = look.parts(&seq);
    let mut shows = true;
    for part in &parts {
        if let Part::Run(v) = part {
            look.note(*v);
            shows = false;
        }
    }
    shows
}

/// Is the dtype known?
fn is_dtype(look: &mut Look<'_>, term: &Term) -> bool {
    note(look, term);
    known_dtype(look, term).is_some()
}

/// The members of a list that shows them.
fn members(state: &kanshape_engine::State, term: &Term) -> Vec<Linear> {
    let Term::Seq(seq) = state.walk(term) else {
        return Vec::new();
    };
    let parts = state.parts(&seq).into_iter().filter_map(|p| match p {
        Part::One(l) => Some(l),
        Part::Run(_) => None,
    });
    parts.collect()
}

/// An integer term in normal form.
fn form(state: &kanshape_engine::State, term: &Term) -> Result<Linear, Stop> {
    match state.walk(term) {
        Term::Int(l) => state.resolve(&l),
        _ => Err(Stop::Conflict),
    }
}

/// The number that a term is known to be.
fn number(state: &kanshape_engine::State, term: &Term) -> Result<Int, Stop> {
    form(state, term)?.as_constant().ok_or(Stop::Conflict)
}
