//! A call of a relation in Rust, as the engine runs it.

use super::{Args, Impossible, Progress, RustRelation};
use crate::relation::kind::Kind;
use crate::relation::run::Context;
use kanshape_engine::{Refined, Relation, Stop, Term, Var, View};
use std::fmt;
use std::sync::Arc;

/// A relation of some arguments that may have more to say.
#[derive(Clone)]
pub(super) struct Waiting {
    context: Arc<Context>,
    relation: Arc<dyn RustRelation>,
    kinds: Arc<[Kind]>,
    args: Arc<[Term]>,
    /// What it has looked at so far, sorted.
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
            seen: Vec::new(),
        }
    }
}

impl Relation for Waiting {
    fn vars(&self) -> Vec<Var> {
        self.seen.clone()
    }

    fn refine(&self, view: &mut View<'_>) -> Result<Refined, Stop> {
        let mut seen = self.seen.clone();
        loop {
            view.budget().spend(1 + self.args.len() as u64)?;
            let mut args = Args::new(&self.context, view.reborrow(), &self.args, &self.kinds);
            let progress = self.relation.refine(&mut args);
            let outcome = args.finish()?;
            match progress {
                Ok(Progress::Done) => return Ok(Refined::Settled),
                Ok(Progress::Waiting) => {}
                Err(Impossible) => return Err(Stop::Conflict),
            }
            let before = seen.len();
            seen.extend(outcome.noted);
            seen.sort_unstable();
            seen.dedup();
            // What it has seen for the first time was not watched while it was changed.
            if seen.len() == before || !outcome.refined {
                break;
            }
        }
        if seen.len() == self.seen.len() {
            return Ok(Refined::Open);
        }
        let next = Waiting {
            seen,
            ..self.clone()
        };
        Ok(Refined::Become(Arc::new(next)))
    }

    fn is_hint(&self) -> bool {
        self.relation.is_hint()
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.relation.name(), self.args)
    }
}
