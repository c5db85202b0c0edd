//! A call of a relation in Rust, as the engine runs it.

use super::args::{Args, Outcome};
use super::{Impossible, Progress, RustRelation};
use crate::encode::Kind;
use crate::rules::Context;
use kanshape_engine::{Part, Refined, Relation, Stop, Term, Var, View};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A relation of some arguments that may have more to say.
#[derive(Clone)]
pub(super) struct Waiting {
    context: Arc<Context>,
    relation: Arc<dyn RustRelation>,
    kinds: Arc<[Kind]>,
    args: Arc<[Term]>,
    /// What is open in its arguments, sorted.
    open: Vec<Var>,
    /// What it has examined the last time.
    seen: Vec<Var>,
}

impl Waiting {
    pub(super) fn new(
        context: &Arc<Context>,
        relation: &Arc<dyn RustRelation>,
        kinds: &Arc<[Kind]>,
        args: &[Term],
    ) -> Waiting {
        Waiting {
            context: Arc::clone(context),
            relation: Arc::clone(relation),
            kinds: Arc::clone(kinds),
            args: args.into(),
            open: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// What is open in the arguments.
    fn open_now(&self, view: &mut View<'_>) -> Result<Vec<Var>, Stop> {
        let mut open = Vec::new();
        let mut todo: Vec<Term> = self.args.to_vec();
        while let Some(term) = todo.pop() {
            view.budget().spend(1)?;
            match view.walk(&term) {
                Term::Var(v) => open.push(v),
                Term::Int(form) => open.extend(view.resolve(&form)?.vars()),
                Term::Atom(v) if view.mask(v).is_power_of_two() => {}
                Term::Atom(v) => open.push(view.root(v)),
                Term::Seq(seq) => {
                    let parts = view.parts(&seq);
                    view.budget().spend(parts.len() as u64)?;
                    for part in parts {
                        match part {
                            Part::One(form) => open.extend(view.resolve(&form)?.vars()),
                            Part::Run(v) => open.push(v),
                        }
                    }
                }
                Term::Node(_, parts) => todo.extend(parts.iter().cloned()),
            }
        }
        open.sort_unstable();
        open.dedup();
        Ok(open)
    }
}

impl Relation for Waiting {
    fn vars(&self) -> Vec<Var> {
        self.open.clone()
    }

    fn waits_for(&self) -> Vec<Var> {
        self.seen.clone()
    }

    fn refine(&self, view: &mut View<'_>) -> Result<Refined, Stop> {
        let mut watched = Cow::Borrowed(&self.open);
        let seen = loop {
            let mut args = Args::new(&self.context, view.reborrow(), &self.args, &self.kinds);
            let progress = self.relation.refine(&mut args);
            let Outcome { noted, refined } = args.finish()?;
            match progress {
                Ok(Progress::Done) => return Ok(Refined::Settled),
                Ok(Progress::Waiting) => {}
                Err(Impossible) => return Err(Stop::Conflict),
            }
            let open = self.open_now(view)?;
            let were_watched = open.iter().all(|v| watched.binary_search(v).is_ok());
            watched = Cow::Owned(open);
            // What was not watched while it was changed would not call the relation again.
            if were_watched || !refined {
                break noted;
            }
        };
        if *watched == self.open && seen == self.seen {
            return Ok(Refined::Open);
        }
        let open = watched.into_owned();
        let next = Waiting {
            open,
            seen,
            ..self.clone()
        };
        Ok(Refined::Become(Arc::new(next)))
    }

    fn is_redundant(&self) -> bool {
        self.relation.is_redundant()
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.relation.name(), self.args)
    }
}
