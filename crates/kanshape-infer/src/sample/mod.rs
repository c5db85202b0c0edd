//! Samples: answers without unknowns, chosen at random.
//!
//! The caller steers the search of the engine: which branch of a split, which dtype, which value of a size. It chooses by
//! numbers, of which 0 is the simplest, so that smaller numbers make a smaller sample: that is what a shrinker needs.
//! What a choice excludes is propagated before the next one. The contents of tensors are chosen last, by queries about
//! the sample.

mod almost;
mod call;
mod choice;
mod contents;
mod state;

pub use choice::{By, Choose};

use crate::infer::Refusal;
use crate::limits::{MAX_SAMPLE_STATES, SAMPLE_ATTEMPTS, SAMPLE_STEPS};
use crate::solve::problem::Problem;
use crate::{Answer, Error, Outcome, Query};
use kanshape_diag::Diagnostic;
use kanshape_engine::{Chooser, Stop, pick};
use kanshape_types::{Dim, Shape, Tensor, Type, TypeKind};

/// What an attempt comes to.
enum Attempt {
    Found(Answer),
    /// There is no such answer.
    Never,
    /// None was found.
    Unknown,
}

impl Query {
    /// The greatest size that is chosen in a sample, unless [`Query::max_dim`] says otherwise. One that the rule fixes, as 5 in
    /// `(n,5)->(n)`, or that is a rank, is what it is.
    pub const SAMPLE_MAX_DIM: u64 = 4;
    /// The greatest rank in a sample, unless [`Query::max_rank`] says otherwise.
    pub const SAMPLE_MAX_RANK: u64 = 5;

    /// One answer without unknowns, chosen among all of them: small dims and ranks, a dtype for each tensor, a value for each
    /// parameter and each attribute that is queried, and contents of those tensors on which the outputs depend. Types
    /// that are given stay; with all inputs given, it is what [`Query::one`] answers where that has no unknowns.
    ///
    /// `rng` is a generator of random numbers (feature `rand`), or chooses [`By`] a function, which is given a number of ways and
    /// returns the index of one: `&mut By(|ways| rng.random_range(0..ways))`. 0 is the simplest way, so that the same choices with
    /// smaller numbers make a smaller sample. The same choices make the same sample.
    ///
    /// ```
    /// use kanshape::{Signature, choice::By};
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let query = matmul.query().input(0, "f32[2, ?]".parse()?);
    /// let simplest = query.sample(&mut By(|_| 0))?;
    /// assert_eq!(simplest.to_string(), "f32[2, 0], f32[0, 0] -> f32[2, 0]");
    /// let largest = query.max_dim(3).sample(&mut By(|ways| ways - 1))?;
    /// assert_eq!(largest.inputs[1].as_tensor().unwrap().shape.to_string(), "[3, 3]");
    /// # Ok::<(), kanshape::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Error`]: [`Error::Never`] if there is no answer within the bounds, [`Error::Unknown`] if none was found.
    pub fn sample(&self, rng: &mut (impl Choose + ?Sized)) -> Result<Answer, Error> {
        self.sample_by(&mut |ways| rng.choose(ways))
    }

    fn sample_by(&self, choose: &mut Chooser<'_>) -> Result<Answer, Error> {
        let query = self.for_samples();
        query.check()?;
        let mut left = self.budget;
        let found = self.control.go_on(&mut left, || query.sampled(choose));
        match found? {
            Attempt::Found(answer) => Ok(self.named(answer)),
            Attempt::Never => Err(Error::Never(Refusal::new(query))),
            Attempt::Unknown => Err(Error::Unknown(self.stopped_with(left))),
        }
    }

    /// Why nothing was found, with so many steps left.
    fn stopped_with(&self, left: u64) -> Outcome {
        match self.control.is_over() || left == 0 {
            true => Outcome::of_stop(),
            false => Outcome::Undecided,
        }
    }

    /// The same query with the bounds of samples.
    fn for_samples(&self) -> Query {
        let mut query = self.clone();
        query.ground = true;
        query.max_dim.get_or_insert(Query::SAMPLE_MAX_DIM);
        let given = self.inputs.iter().chain(&self.outputs);
        let given = given.map(|ty| {
            ty.as_tensor()
                .map_or(0, |t| t.shape.known_dims().len() as u64)
        });
        let most = given.fold(Query::SAMPLE_MAX_RANK, u64::max);
        query.max_rank.get_or_insert(most);
        query.budget = query.budget.min(SAMPLE_STEPS);
        query
    }

    fn sampled(&self, choose: &mut Chooser<'_>) -> Result<Attempt, Diagnostic> {
        for _ in 0..SAMPLE_ATTEMPTS {
            let found = match self.with_a_rank(choose)? {
                Attempt::Unknown => None,
                Attempt::Never => return Ok(Attempt::Never),
                Attempt::Found(answer) => self.with_contents(answer, choose),
            };
            if let Some(answer) = found {
                return Ok(Attempt::Found(answer));
            }
        }
        Ok(Attempt::Unknown)
    }

    /// A sample in which the rank of one input was chosen first: by the splits of the search alone, great ranks would be rare.
    fn with_a_rank(&self, choose: &mut Chooser<'_>) -> Result<Attempt, Diagnostic> {
        let open = |i: &usize| matches!(rank_of(&self.inputs[*i]), Rank::Open);
        let open: Vec<usize> = (0..self.inputs.len()).filter(open).collect();
        let mut is_known = true;
        if !open.is_empty() {
            let at = open[pick(choose, open.len())];
            let mut ranks: Vec<u64> =
                (0..=self.max_rank.unwrap_or(Query::SAMPLE_MAX_RANK)).collect();
            while !ranks.is_empty() {
                let rank = ranks.remove(pick(choose, ranks.len()));
                let Some(ty) = of_rank(&self.inputs[at], rank) else {
                    continue;
                };
                match self.clone().input(at, ty).searched(choose)? {
                    Attempt::Never => {}
                    Attempt::Unknown => is_known = false,
                    found => return Ok(found),
                }
            }
        }
        match self.searched(choose)? {
            Attempt::Never if !is_known => Ok(Attempt::Unknown),
            attempt => Ok(attempt),
        }
    }

    /// One way through the search.
    fn searched(&self, choose: &mut Chooser<'_>) -> Result<Attempt, Diagnostic> {
        let mut problem = Problem::new(self)?;
        let queried = problem.given.attrs.iter().filter(|attr| attr.queried);
        let lists: Vec<_> = queried.map(|attr| attr.term.clone()).collect();
        problem.stream = problem.stream.measuring(lists, Problem::measured_children);
        let mut is_known = true;
        for _ in 0..MAX_SAMPLE_STATES {
            let state = match problem.stream.choose(choose, &mut problem.budget) {
                Ok(Some(state)) => state,
                Ok(None) if is_known && !problem.stream.overflowed() => return Ok(Attempt::Never),
                Ok(None) | Err(_) => return Ok(Attempt::Unknown),
            };
            match self.of_state(&problem.given, state, choose, &mut problem.budget) {
                Ok(Some(answer)) => return Ok(Attempt::Found(answer)),
                Ok(None) | Err(Stop::Conflict) => {}
                Err(Stop::Overflow) => is_known = false,
                Err(Stop::Budget) => return Ok(Attempt::Unknown),
            }
        }
        Ok(Attempt::Unknown)
    }
}

/// What is known of the rank of a type.
enum Rank {
    Known,
    Open,
}

fn rank_of(ty: &Type) -> Rank {
    match &ty.kind {
        TypeKind::Unknown => Rank::Open,
        TypeKind::Tensor(t) if t.shape.rank().is_none() => Rank::Open,
        _ => Rank::Known,
    }
}

/// The type with this rank, if it can have it.
fn of_rank(ty: &Type, rank: u64) -> Option<Type> {
    let rank = usize::try_from(rank).ok()?;
    let hole = |_| Dim::Hole;
    let kind = match &ty.kind {
        TypeKind::Tensor(t) => {
            let run = rank.checked_sub(t.shape.known_dims().len())?;
            if t.shape.run().is_some_and(|run| run.name.is_some()) {
                // Other types speak of the run as well.
                return None;
            }
            let dims = t.shape.before().iter().cloned();
            let dims = dims.chain((0..run).map(hole));
            let shape: Shape = dims.chain(t.shape.after().iter().cloned()).collect();
            Tensor { shape, ..t.clone() }.into()
        }
        _ => Type::tensor(kanshape_types::DtypeTerm::Hole, (0..rank).map(hole)),
    };
    Some(kind.with_conditions(ty.conditions.clone()))
}

/// Has a type no unknowns? What is in it does not count.
fn is_concrete(ty: &Type) -> bool {
    let own = match &ty.kind {
        TypeKind::Unknown | TypeKind::Var(_) => false,
        TypeKind::Tensor(t) => {
            t.shape.is_ground() && t.dtype.set().single().is_some() && is_ground(&t.shape)
        }
        _ => true,
    };
    own && ty.conditions.is_empty() && ty.parts().all(is_concrete)
}

fn is_ground(shape: &Shape) -> bool {
    shape.iter().all(|dim| dim.extent().is_some())
}
