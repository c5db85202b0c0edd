//! A calculation in the engine: what its arguments are is read from a store, and what it says are goals.
//!
//! A number of the calculation that is no integer is a form of the store, by its place in a table. A look at what is known runs the
//! calculation up to where it has read all that it may have to wait for.

use super::Context;
use super::arguments::{Arguments, Stop};
use crate::encode::form::{known_dtype, list, member, note};
use crate::encode::measure::rounded;
use kanshape_engine::{
    Domain, Form, Function, Goal, Int, Linear, Look, Num, Part, State, Stop as EngineStop, Term,
    View,
};
use kanshape_types::Dtype;
use std::sync::Arc;

/// What is run of a relation.
type Run<'n> = &'n dyn Fn(&mut dyn Arguments) -> Result<(), Stop>;

/// Is enough known to say something? Notes what that depends on.
pub(super) fn is_ready(
    calculate: Run<'_>,
    context: &Context,
    look: &mut Look<'_>,
    args: &[Term],
) -> Result<bool, EngineStop> {
    let mut run = Calculation::new(context, Store::Read(look), args);
    let outcome = calculate(&mut run);
    let waits = matches!(outcome, Err(Stop::Wait | Stop::Leave)) && run.waits && !run.begins;
    run.stop.map_or(Ok(!waits), Err)
}

/// What it says, once it is ready.
pub(super) fn goal(
    calculate: Run<'_>,
    context: &Context,
    view: &mut View<'_>,
    args: &[Term],
) -> Result<Goal, EngineStop> {
    let mut run = Calculation::new(context, Store::Refined(view), args);
    let outcome = calculate(&mut run);
    match (run.stop, outcome) {
        (Some(stop), _) => Err(stop),
        (None, Err(Stop::Fail)) => Ok(Goal::fail()),
        // What is beyond the calculation is not said.
        (None, _) => Ok(Goal::all(run.goals)),
    }
}

/// The store.
enum Store<'s, 'a> {
    Read(&'s mut Look<'a>),
    Refined(&'s mut View<'a>),
}

struct Calculation<'s, 'a> {
    context: &'s Context,
    store: Store<'s, 'a>,
    args: &'s [Term],
    /// The numbers that are no integers.
    forms: Vec<Linear>,
    /// What was read last.
    numbers: Vec<Num>,
    text: Option<Arc<str>>,
    /// Something that has been read may become known, or more of it.
    waits: bool,
    /// All has been read.
    begins: bool,
    goals: Vec<Goal>,
    /// What the store has stopped at.
    stop: Option<EngineStop>,
}

impl<'s, 'a> Calculation<'s, 'a> {
    fn new(context: &'s Context, store: Store<'s, 'a>, args: &'s [Term]) -> Self {
        Calculation {
            context,
            store,
            args,
            forms: Vec::new(),
            numbers: Vec::new(),
            text: None,
            waits: false,
            begins: false,
            goals: Vec::new(),
            stop: None,
        }
    }

    fn state(&self) -> &State {
        match &self.store {
            Store::Read(look) => look,
            Store::Refined(view) => view,
        }
    }

    /// What the store has come to.
    fn done<T>(&mut self, done: Result<T, EngineStop>) -> Result<T, Stop> {
        done.map_err(|stop| match stop {
            EngineStop::Conflict => Stop::Fail,
            stop => {
                self.stop.get_or_insert(stop);
                Stop::Leave
            }
        })
    }

    /// Something that has been read may become known.
    fn note(&mut self, term: &Term) {
        self.waits = true;
        if let Store::Read(look) = &mut self.store {
            note(look, term);
        }
    }

    /// A form as far as it is known.
    fn resolved(&mut self, form: &Linear) -> Result<Linear, Stop> {
        let form = self.state().resolve(form);
        let form = self.done(form)?;
        if form.as_constant().is_none() {
            self.waits = true;
            if let Store::Read(look) = &mut self.store {
                look.note_form(&form);
            }
        }
        Ok(form)
    }

    /// The form of an argument that is a number.
    fn form(&mut self, i: usize) -> Result<Linear, Stop> {
        match member(self.state(), &self.args[i]) {
            Some(form) => self.resolved(&form),
            None => {
                self.note(&self.args[i]);
                Err(Stop::Wait)
            }
        }
    }

    /// The forms of a list that shows all of its members.
    fn members(&mut self, i: usize) -> Result<Vec<Linear>, Stop> {
        let Term::Seq(seq) = self.state().walk(&self.args[i]) else {
            self.note(&self.args[i]);
            return Err(Stop::Wait);
        };
        let parts = self.state().parts(&seq).into_iter();
        let (mut members, mut runs) = (Vec::with_capacity(parts.len()), Vec::new());
        for part in parts {
            match part {
                Part::One(form) => members.push(form),
                run => runs.push(run),
            }
        }
        if runs.is_empty() {
            return Ok(members);
        }
        self.note(&Term::Seq(runs.into_iter().collect()));
        Err(Stop::Wait)
    }

    /// The number that denotes a form.
    fn num_of(&mut self, form: Linear) -> Result<Num, Stop> {
        match self.forms.iter().position(|own| *own == form) {
            Some(place) => num_at(place),
            None => self.new_num(form),
        }
    }

    /// A number that denotes a form, which others may denote as well.
    fn new_num(&mut self, form: Linear) -> Result<Num, Stop> {
        let int = form.as_constant().and_then(|n| i64::try_from(n).ok());
        if let Some(num) = int.and_then(|n| Num::new(n).ok()) {
            return Ok(num);
        }
        self.forms.push(form);
        num_at(self.forms.len() - 1)
    }

    /// The form that a number denotes.
    fn form_of(&self, n: Num) -> Linear {
        let form = n.form().and_then(|form| self.forms.get(form.place()));
        let int = || Linear::constant(n.int().unwrap_or_default().into());
        form.cloned().unwrap_or_else(int)
    }

    /// The store, to be refined.
    fn refined(&mut self) -> Result<&mut View<'a>, Stop> {
        self.begins = true;
        match &mut self.store {
            Store::Read(_) => Err(Stop::Leave),
            Store::Refined(view) => Ok(view),
        }
    }

    fn say(&mut self, goal: Goal) -> Result<(), Stop> {
        self.refined()?;
        self.goals.push(goal);
        Ok(())
    }
}

/// The number that denotes the form in this place.
fn num_at(place: usize) -> Result<Num, Stop> {
    Ok(Form::at(u32::try_from(place).map_err(|_| Stop::Leave)?).into())
}

impl Arguments for Calculation<'_, '_> {
    fn is_hidden(&self, _: usize) -> bool {
        false
    }

    fn num(&mut self, i: usize) -> Result<Num, Stop> {
        let form = self.form(i)?;
        self.num_of(form)
    }

    fn int(&mut self, i: usize) -> Result<Int, Stop> {
        self.form(i)?.as_constant().ok_or(Stop::Wait)
    }

    fn text(&mut self, i: usize) -> Result<&str, Stop> {
        let number = self.int(i)?;
        self.text = self.context.text(number);
        self.text.as_deref().ok_or(Stop::Fail)
    }

    fn dtype(&mut self, i: usize) -> Result<Dtype, Stop> {
        let known = known_dtype(self.state(), &self.args[i]);
        if known.is_none() {
            self.note(&self.args[i]);
        }
        known.ok_or(Stop::Wait)
    }

    fn numbers(&mut self, i: usize) -> Result<&[Num], Stop> {
        let members = self.members(i)?.into_iter();
        let numbers = members.map(|form| self.new_num(form));
        self.numbers = numbers.collect::<Result<_, _>>()?;
        Ok(&self.numbers)
    }

    fn ints(&mut self, i: usize) -> Result<Vec<Int>, Stop> {
        let mut ints = Vec::new();
        let mut are_known = true;
        for form in self.members(i)? {
            let known = self.resolved(&form)?.as_constant();
            are_known &= known.is_some();
            ints.extend(known);
        }
        are_known.then_some(ints).ok_or(Stop::Wait)
    }

    fn begin(&mut self, steps: usize) -> Result<(), Stop> {
        let paid = self.refined()?.budget().spend(steps as u64);
        self.done(paid)
    }

    fn combine(&mut self, terms: &[(Num, i64)]) -> Result<Num, Stop> {
        let mut sum = Linear::default();
        for (n, times) in terms {
            let added = sum.add_assign_scaled(&self.form_of(*n), (*times).into());
            self.done(added.map_err(EngineStop::from))?;
        }
        self.num_of(sum)
    }

    fn floor_div(&mut self, n: Num, by: i64) -> Result<Num, Stop> {
        let form = self.form_of(n);
        let quotient = rounded(self.refined()?, &form, by.into(), Function::FloorDiv);
        let quotient = self.done(quotient)?;
        self.num_of(quotient)
    }

    fn is_of_sizes(&self, n: Num) -> bool {
        let (state, form) = (self.state(), self.form_of(n));
        state.bounds(&form).0 >= Int::from(i64::MIN)
            || state.is_never_negative(&form)
            || form
                .scaled(-1)
                .is_ok_and(|form| state.is_never_negative(&form))
    }

    fn say_num(&mut self, i: usize, n: Num) -> Result<(), Stop> {
        self.say(Goal::equal(self.args[i].clone(), self.form_of(n)))
    }

    fn say_numbers(&mut self, i: usize, numbers: &[Num]) -> Result<(), Stop> {
        let list = list(numbers.iter().map(|n| self.form_of(*n)));
        self.say(Goal::equal(self.args[i].clone(), list))
    }

    fn say_between(&mut self, n: Num, least: Int, most: Int) -> Result<(), Stop> {
        self.say(Goal::In(self.form_of(n), Domain::interval(least, most)))
    }
}
