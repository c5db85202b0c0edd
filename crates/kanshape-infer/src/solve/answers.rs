//! [`Answers`]: the stream of answers to a query, and its verdict.

use super::calculate;
use super::ground::Enumeration;
use super::problem::Problem;
use super::template::Template;
use super::verdict::{self, Leaf};
use crate::conjunction::Conjunction;
use crate::limits::{ANSWER_WITNESS_STEPS, MAX_VERDICT_ANSWERS, STEPS_BESIDE};
use crate::reify;
use crate::{Answer, Query, Verdict};
use kanshape_diag::Diagnostic;
use kanshape_engine::{
    Constraint, Ending, Linear, Part, State, Stop, Var, assumptions, ended_by, list_few,
    satisfiable,
};
use kanshape_rules::encode::{QueryVars, is_any_size};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The answers to a query, one by one, in fair order and without repetition.
///
/// An iterator: each answer is found when it is queried. After the last one,
/// [`Answers::complete`] says whether there are no more, or only no more were found.
///
/// ```
/// use kanshape::{Outcome, Signature};
///
/// let pairs: Signature = "(a),(b)->(a*b)".parse()?;
/// let mut answers = pairs.query().output(0, "f32[6]".parse()?).ground().max_dim(6).solve()?;
/// assert_eq!(answers.next().unwrap().to_string(), "f32[1], f32[6] -> f32[6]");
/// assert_eq!(answers.by_ref().count(), 3);
/// assert_eq!(answers.outcome(), Outcome::Complete);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub struct Answers {
    query: Query,
    source: Source,
    /// Found already and not yet given out.
    ready: VecDeque<Answer>,
    given_out: usize,
    /// The answers on which the verdict rests: each has a solution.
    first: Vec<(Answer, Leaf)>,
    /// The state of which all answers are cases, if there is one.
    whole: Option<Leaf>,
    found: usize,
    /// The verdict, where the one answer there is has been calculated.
    calculated: Option<Verdict>,
    /// The steps that the search had taken when it ended.
    steps: u64,
    /// The steps left for the search and all that is found out beside it.
    left: u64,
    /// How often relations had required more than has to hold, before the search.
    assumed: u64,
}

/// How a search for answers ended: [`Answers::outcome`].
///
/// ```
/// use kanshape::{Outcome, Signature};
///
/// let add: Signature = "+(),()->()".parse()?;
/// let mut answers = add.query().limit(1).solve()?;
/// assert_eq!(answers.by_ref().count(), 1);
/// assert_ne!(answers.outcome(), Outcome::Complete);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The answers that were given out are all.
    Complete,
    /// There are more, or may be: the iterator or its limit has not come to the end.
    More,
    /// The budget ran out. With a larger one there may be more answers.
    OutOfBudget,
    /// The deadline passed: [`Control::deadline`](crate::Control::deadline), [`Control::timeout`](crate::Control::timeout).
    TimedOut,
    /// It was cancelled: [`Control::cancel`](crate::Control::cancel), [`Control::until`](crate::Control::until).
    Cancelled,
    /// A part of the question is beyond the solver. More steps or time change nothing.
    Undecided,
}

impl Outcome {
    /// How the last search ended that was stopped before its end.
    pub(crate) fn of_stop() -> Outcome {
        match ended_by() {
            Ending::Deadline => Outcome::TimedOut,
            Ending::Cancelled => Outcome::Cancelled,
            _ => Outcome::OutOfBudget,
        }
    }
}

/// What is not known then, and why.
impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outcome::Complete => "these are all answers",
            Outcome::More => "there are more answers, or may be",
            Outcome::OutOfBudget => "no answer was found within the budget",
            Outcome::TimedOut => "no answer was found before the deadline",
            Outcome::Cancelled => "the query was cancelled",
            Outcome::Undecided => "a part of the query is beyond the solver",
        })
    }
}

enum Source {
    /// Nothing more comes.
    Ended {
        complete: bool,
        stop: Option<Outcome>,
    },
    /// The only one, found without search. It is counted already.
    One(Box<Answer>),
    Search(Box<Search>),
}

/// An answer, and the state that has come to it: `None` if it could not be found out whether it has a solution.
type Found = (Answer, Option<Leaf>);

struct Search {
    problem: Problem,
    leaf: Option<Enumeration>,
    seen: FxHashSet<Answer>,
    seen_ground: FxHashSet<Box<[i128]>>,
    /// Some part of the search was given up.
    gave_up: bool,
    /// Only whether there are answers is of interest: none of them is written.
    only_whether: bool,
}

/// The query, and how many answers it has given out.
impl std::fmt::Debug for Answers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answers")
            .field("query", &self.query)
            .field("given_out", &self.given_out)
            .finish_non_exhaustive()
    }
}

impl Answers {
    pub(crate) fn new(query: Query) -> Result<Answers, Diagnostic> {
        Answers::of(query, Problem::new)
    }

    /// The answers to a question, found in a search that `problem` sets up if there is no shorter way.
    fn of(
        query: Query,
        problem: impl FnOnce(&Query) -> Result<Problem, Diagnostic>,
    ) -> Result<Answers, Diagnostic> {
        let mut answers = Answers {
            query,
            source: Source::Ended {
                complete: true,
                stop: None,
            },
            ready: VecDeque::new(),
            given_out: 0,
            first: Vec::new(),
            whole: None,
            found: 0,
            calculated: None,
            steps: 0,
            left: 0,
            assumed: assumptions(),
        };
        answers.left = answers.query.budget.saturating_mul(STEPS_BESIDE);
        let control = answers.query.control.clone();
        let mut left = answers.left;
        control.go_on(&mut left, || answers.begin(problem))?;
        answers.left = left;
        Ok(answers)
    }

    fn begin(
        &mut self,
        problem: impl FnOnce(&Query) -> Result<Problem, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let answers = self;
        match calculate::of_query(&answers.query) {
            calculate::Outcome::Answer(answer) => {
                answers.found = 1;
                answers.calculated = Some(match answer.conditions.is_empty() {
                    true => Verdict::Always,
                    false => Verdict::Depends,
                });
                answers.source = Source::One(answer);
            }
            calculate::Outcome::Never => {}
            calculate::Outcome::Open => {
                let problem = problem(&answers.query)?;
                answers.source = Source::Search(Box::new(Search {
                    problem,
                    leaf: None,
                    seen: FxHashSet::default(),
                    seen_ground: FxHashSet::default(),
                    gave_up: false,
                    only_whether: false,
                }));
            }
        }
        Ok(())
    }

    /// Is there any answer to this? That is found out sooner than what it is. `None` if it was not found out.
    pub(crate) fn are_there(query: &Query) -> Option<bool> {
        Answers::are_there_with(query, || None)
    }

    /// The same, where there may be a template for the question.
    pub(crate) fn are_there_with<'t>(
        query: &Query,
        template: impl FnOnce() -> Option<&'t Template>,
    ) -> Option<bool> {
        query.check().ok()?;
        let problem = |query: &Query| match template() {
            Some(template) => Problem::from(query, template),
            None => Problem::new(query),
        };
        let mut answers = Answers::of(query.clone(), problem).ok()?;
        if let Source::Search(search) = &mut answers.source {
            search.only_whether = true;
        }
        match answers.next() {
            Some(_) => Some(true),
            None => answers.complete().then_some(false),
        }
    }

    /// Has it been found out that an answer, one of the first that were given out, has a solution?
    pub(crate) fn has_solution(&self, answer: &Answer) -> bool {
        self.calculated.is_some() || self.first.iter().any(|(first, _)| first == answer)
    }

    /// Finds one more answer.
    fn find(&mut self) -> Option<Answer> {
        if let Source::One(_) = &self.source {
            let ended = Source::Ended {
                complete: true,
                stop: None,
            };
            return match std::mem::replace(&mut self.source, ended) {
                Source::One(answer) => Some(*answer),
                _ => None,
            };
        }
        let next = match &mut self.source {
            Source::Search(search) => {
                let query = &self.query;
                let next = query.control.go_on(&mut self.left, || search.next(query));
                self.steps = search.problem.budget.used();
                if self.whole.is_none() {
                    self.whole = search.whole(query);
                }
                next
            }
            Source::One(_) | Source::Ended { .. } => return None,
        };
        match next {
            Ok(Some((answer, leaf))) => {
                self.found += 1;
                let look = if self.query.ground {
                    1
                } else {
                    MAX_VERDICT_ANSWERS
                };
                if let Some(leaf) = leaf.filter(|_| self.first.len() < look) {
                    self.first.push((answer.clone(), leaf));
                }
                Some(answer)
            }
            Ok(None) => {
                let complete = match &self.source {
                    Source::Search(s) => !s.gave_up && !s.problem.stream.overflowed(),
                    _ => true,
                };
                let complete = complete && self.is_certain();
                let stop = (!complete).then_some(Outcome::Undecided);
                self.source = Source::Ended { complete, stop };
                None
            }
            Err(stop) => {
                let stop = match stop {
                    Stop::Budget => Outcome::of_stop(),
                    Stop::Conflict | Stop::Overflow => Outcome::Undecided,
                };
                self.source = Source::Ended {
                    complete: false,
                    stop: Some(stop),
                };
                None
            }
        }
    }

    /// Is there certainly no answer, if none has been found? Not where relations have required more than has to hold, and without
    /// that there may be one.
    fn is_certain(&mut self) -> bool {
        if self.found > 0 || self.query.exact || self.assumed == assumptions() {
            return true;
        }
        let mut exact = self.query.clone();
        exact.exact = true;
        let control = exact.control.clone();
        control.go_on(&mut self.left, || Answers::are_there(&exact)) == Some(false)
    }

    /// Finds one more answer and puts it by. `false` if there is none.
    fn look(&mut self) -> bool {
        let found = self.find();
        self.ready.extend(found);
        !matches!(self.source, Source::Ended { .. })
    }

    /// Are the answers given out so far (and those that the limit lets through) all there are?
    ///
    /// Looks for one more answer if need be.
    pub fn complete(&mut self) -> bool {
        let limit = self.query.limit.unwrap_or(usize::MAX);
        let allowed = limit.saturating_sub(self.given_out);
        while self.ready.len() <= allowed {
            if !self.look() {
                return matches!(self.source, Source::Ended { complete: true, .. });
            }
            if self.query.limit.is_none() {
                // Without a limit more can always be requested.
                return false;
            }
        }
        false
    }

    /// How the search ended: are there more answers, and if that is not known, why?
    ///
    /// Looks for one more answer if need be.
    ///
    /// ```
    /// use kanshape::{Outcome, Signature};
    ///
    /// let add: Signature = "+(),()->()".parse()?;
    /// let mut answers = add.query().output(0, "f32[2]".parse()?).ground().limit(2).solve()?;
    /// assert_eq!(answers.by_ref().count(), 2);
    /// assert_eq!(answers.outcome(), Outcome::More);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn outcome(&mut self) -> Outcome {
        if self.complete() {
            return Outcome::Complete;
        }
        match &self.source {
            Source::Ended {
                stop: Some(stop), ..
            } => *stop,
            _ => Outcome::More,
        }
    }

    /// Was the search stopped: by the budget, by the deadline, or because it was cancelled? [`Answers::outcome`] says by which.
    pub fn is_stopped(&self) -> bool {
        let stopped = |stop: &Outcome| *stop != Outcome::Undecided;
        matches!(&self.source, Source::Ended { stop: Some(stop), .. } if stopped(stop))
    }

    /// Does the relation hold? Looks for answers as far as it needs to; they are still given out.
    pub fn verdict(&mut self) -> Verdict {
        if self.found == 0 {
            self.look();
        }
        if self.found == 0 {
            return match self.source {
                Source::Ended { complete: true, .. } => Verdict::Never,
                _ => Verdict::Unknown,
            };
        }
        if let Some(verdict) = self.calculated {
            return verdict;
        }
        if self.first.is_empty() {
            // Finding out about one has cost much already.
            return Verdict::Unknown;
        }
        // One answer is enough for most; only then is that examined of which all are cases, and then more of them.
        for look_at_whole in [true, false] {
            let ended = matches!(self.source, Source::Ended { complete: true, .. });
            let (query, first) = (&self.query, &self.first);
            let find = || verdict::of(query, first.iter().map(|f| &f.1), ended);
            if let Some(verdict) = query.control.go_on(&mut self.left, find) {
                return verdict;
            }
            if look_at_whole && let Some(whole) = &self.whole {
                let find = || verdict::of_whole(query, whole);
                if let Some(verdict) = query.control.go_on(&mut self.left, find) {
                    return verdict;
                }
            }
            if ended {
                break;
            }
            while self.found < MAX_VERDICT_ANSWERS && self.look() {}
        }
        Verdict::Unknown
    }

    /// The steps that the search has taken so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// The query that these answer.
    pub fn query(&self) -> &Query {
        &self.query
    }
}

impl Iterator for Answers {
    type Item = Answer;

    fn next(&mut self) -> Option<Answer> {
        if self
            .query
            .limit
            .is_some_and(|limit| self.given_out >= limit)
        {
            return None;
        }
        let answer = match self.ready.pop_front() {
            Some(answer) => answer,
            None => self.find()?,
        };
        self.given_out += 1;
        Some(self.query.named(answer))
    }
}

impl Search {
    /// The state of which all answers are cases, if there is one.
    fn whole(&self, query: &Query) -> Option<Leaf> {
        let state = self.problem.stream.whole()?.clone();
        let given = self.problem.given.settled(&state).ok()?.into_owned();
        Some(Leaf::new(Conjunction::new(state, given, query.promotion)))
    }

    fn next(&mut self, query: &Query) -> Result<Option<Found>, Stop> {
        loop {
            if let Some(leaf) = &mut self.leaf {
                let budget = &mut self.problem.budget;
                if let Some(answer) = leaf.next(&mut self.seen_ground, budget)? {
                    return Ok(Some((answer, Some(Leaf::ground()))));
                }
                self.gave_up |= leaf.is_undecided();
                self.leaf = None;
            }
            let Some(state) = self.problem.stream.next(&mut self.problem.budget)? else {
                return Ok(None);
            };
            match self.state(query, state) {
                Ok(Some(found)) => return Ok(Some(found)),
                Ok(None) | Err(Stop::Conflict) => {}
                Err(Stop::Overflow) => self.gave_up = true,
                Err(Stop::Budget) => return Err(Stop::Budget),
            }
        }
    }

    /// What one state comes to: an answer, or a source of ground ones, or nothing.
    fn state(&mut self, query: &Query, mut state: State) -> Result<Option<Found>, Stop> {
        let problem = &mut self.problem;
        if query.ground {
            let forked = problem.stream.forked();
            self.leaf = Enumeration::new(
                query,
                &problem.given,
                state,
                query.max_dim,
                forked,
                &mut problem.budget,
            )?;
            return Ok(None);
        }
        let given = problem.given.settled(&state)?;
        for slot in &given.slots {
            state.spell_out(&slot.shape, &mut problem.budget)?;
        }
        if let Some(run) = unwritable_run(&state, &given)? {
            problem.stream.split(state, run)?;
            return Ok(None);
        }
        let (mut certain, mut is_solved) = (true, true);
        if state.open_constraints().next().is_some() {
            list_few(&mut state, &mut problem.budget)?;
            let mut share = problem.budget.share(ANSWER_WITNESS_STEPS);
            let solvable = satisfiable(&state, &mut share);
            problem.budget.settle(&share);
            match solvable {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(_) => certain = false,
            }
            is_solved = certain;
            // What it would still say is not part of the answer.
            certain &= !state.open_constraints().any(Constraint::is_custom);
        }
        // Otherwise splitting what is hidden may still find out that there is none.
        if self.only_whether && is_solved {
            return Ok(Some((Answer::default(), None)));
        }
        if reify::plain_dims(&mut state, &given)? {
            state.propagate(&mut problem.budget)?;
        }
        let choice = match reify::nameless_choice(&state, &given) {
            Some(v) => Some(v),
            None => reify::hidden_choice(&state, &given)?,
        };
        if let Some(v) = choice {
            problem.stream.split_values(&state, v)?;
            return Ok(None);
        }
        let all = Conjunction::new(state, given.into_owned(), query.promotion);
        let answer = {
            let words = query.subject.called().map(|o| &o.library().words);
            reify::answer(&all, &query.subject.params, words)?
        };
        if problem.stream.forked() && !self.seen.insert(answer.clone()) {
            return Ok(None);
        }
        Ok(Some((answer, certain.then(|| Leaf::new(all)))))
    }
}

/// A run that has to be split before an answer can be written: the second one of a slot, since a
/// type has room for one; and one of whose length more is known than that it is a rank.
fn unwritable_run(state: &State, given: &QueryVars) -> Result<Option<Var>, Stop> {
    let mut runs: Vec<(Var, Linear)> = Vec::new();
    let mut sizes: Vec<Var> = Vec::new();
    for slot in &given.slots {
        let mut first = true;
        for part in state.parts(&slot.shape) {
            match part {
                Part::One(l) => sizes.extend(state.open_vars_of(&l)),
                Part::Run(v) if std::mem::take(&mut first) => {
                    if runs.iter().all(|r| r.0 != v) {
                        runs.push((v, state.length_of_run(v)?));
                    }
                }
                Part::Run(v) => return Ok(Some(v)),
            }
        }
    }
    if runs.is_empty() {
        return Ok(None);
    }
    for form in &given.params {
        sizes.extend(state.open_vars_of(form));
    }
    for c in state.open_constraints() {
        c.for_each_var(&mut |v| sizes.extend(state.open_vars_of(&Linear::var(v))));
    }
    for (i, (run, length)) in runs.iter().enumerate() {
        let (lo, hi) = state.bounds(length);
        let free = matches!(*length.terms(), [(v, 1)] if !sizes.contains(&v)
            && is_any_size(lo, hi)
            && runs.iter().enumerate().all(|(j, r)| i == j || r.1.coefficient(v) == 0));
        if !free {
            return Ok(Some(*run));
        }
    }
    Ok(None)
}
