//! The arguments of a relation in Rust, and what they are made of.

use crate::encode::{Kind, form};
use crate::rules::Context;
use kanshape_engine::{Linear, Stop, Term, Var, View};
use std::marker::PhantomData;
use std::sync::Arc;

/// What a [`RustRelation`](super::RustRelation) is called with: everything that is known of its arguments, to be
/// read and refined.
///
/// What it reads is noted: the relation is called again when more becomes known of that. Reading what is not known
/// gives `None`. What it says stays said. It is an error of the relation, and a panic, to read an argument as
/// something that it is not: a number as a list.
pub struct Args<'a> {
    pub(super) context: &'a Arc<Context>,
    pub(super) view: View<'a>,
    terms: &'a [Term],
    kinds: &'a [Kind],
    noted: Vec<Var>,
    refined: bool,
    stop: Option<Stop>,
}

/// An argument, or a part of one: a member of a list, the dtype of a tensor.
#[derive(Clone, Debug)]
pub struct Arg<'a> {
    pub(super) term: Term,
    pub(super) kind: Kind,
    /// It means nothing in another call.
    call: PhantomData<&'a ()>,
}

/// What a tensor is made of.
#[derive(Clone, Debug)]
pub struct TensorArg<'a> {
    /// Its dtype.
    pub dtype: Arg<'a>,
    /// Its shape: a list of sizes.
    pub dims: Arg<'a>,
    pub(super) contents: Term,
}

/// What is known of something that may be left out.
#[derive(Clone, Debug)]
pub enum Optional<'a> {
    /// It is not known whether it is there.
    Unknown,
    /// It is left out.
    LeftOut,
    /// It is there.
    There(Arg<'a>),
}

impl Arg<'_> {
    pub(super) fn new(term: Term, kind: Kind) -> Self {
        Arg {
            term,
            kind,
            call: PhantomData,
        }
    }
}

/// What came of a call.
pub(super) struct Outcome {
    /// What was read.
    pub noted: Vec<Var>,
    /// Was something said?
    pub refined: bool,
}

impl<'a> Args<'a> {
    pub(super) fn new(
        context: &'a Arc<Context>,
        view: View<'a>,
        terms: &'a [Term],
        kinds: &'a [Kind],
    ) -> Args<'a> {
        Args {
            context,
            view,
            terms,
            kinds,
            noted: Vec::new(),
            refined: false,
            stop: None,
        }
    }

    /// # Errors
    /// What stood in the way, whether the relation took notice or not.
    pub(super) fn finish(self) -> Result<Outcome, Stop> {
        match self.stop {
            Some(stop) => Err(stop),
            None => Ok(Outcome {
                noted: self.noted,
                refined: self.refined,
            }),
        }
    }

    /// All of them.
    ///
    /// # Panics
    /// If [`RustRelation::kinds`](super::RustRelation::kinds) names more or fewer than `N`.
    #[track_caller]
    pub fn all<const N: usize>(&self) -> [Arg<'a>; N] {
        assert_eq!(N, self.terms.len(), "the relation has so many arguments");
        std::array::from_fn(|i| self.get(i))
    }

    /// One of them, counted from 0.
    ///
    /// # Panics
    /// If [`RustRelation::kinds`](super::RustRelation::kinds) names another number of them.
    #[track_caller]
    pub fn get(&self, index: usize) -> Arg<'a> {
        Arg::new(self.terms[index].clone(), self.kinds[index].clone())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    /// What is examined depends on this.
    pub(super) fn note(&mut self, v: Var) {
        let root = self.view.root(v);
        if !self.noted.contains(&root) {
            self.noted.push(root);
        }
    }

    pub(super) fn note_form(&mut self, form: &Linear) {
        form.vars().for_each(|v| self.note(v));
    }

    /// Reads something. Where that can't be done, the call comes to nothing.
    pub(super) fn read<T>(
        &mut self,
        read: impl FnOnce(&mut View<'a>) -> Result<T, Stop>,
    ) -> Option<T> {
        match read(&mut self.view) {
            Ok(found) => Some(found),
            Err(stop) => {
                self.stop.get_or_insert(stop);
                None
            }
        }
    }

    /// Says something.
    pub(super) fn say<T>(
        &mut self,
        say: impl FnOnce(&mut View<'a>) -> Result<T, Stop>,
    ) -> Result<T, super::Impossible> {
        self.refined = true;
        self.read(say).ok_or(super::Impossible)
    }

    /// What the argument has come to be. What numbers, dtypes and lists of numbers are made of shows always.
    pub(super) fn term(&mut self, arg: &Arg<'a>) -> Term {
        let term = self.view.walk(&arg.term);
        let Term::Var(v) = term else { return term };
        let fresh = form::fresh(&mut self.view, &arg.kind);
        if let Term::Var(_) = fresh {
            self.note(v);
            return term;
        }
        self.read(|view| view.unify(&term, &fresh));
        fresh
    }
}

/// Says of an argument that it is not what it is taken for.
#[track_caller]
pub(super) fn expect(arg: &Arg<'_>, fits: bool, what: &str) {
    assert!(fits, "the argument is {}, not {what}", arg.kind);
}
