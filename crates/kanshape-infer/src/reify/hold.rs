//! For which values of the user's names does a state have a solution? Where nothing that is left says
//! anything of them, for all.

use super::hidden::without_hidden;
use super::own::Own;
use super::write::required;
use crate::conjunction::Conjunction;
use crate::limits::{CASES_STEPS, MAX_LENGTH_CASES, MAX_VERDICT_CASES};
use kanshape_engine::{
    AtomTable, Budget, Constraint, Domain, Goal, Linear, Part, Seq, State, Stop, Stream, Term, Var,
    is_over, satisfiable, work,
};
use kanshape_rules::encode::{What, atoms, is_any_size, tensor_parts};
use kanshape_syntax::tree::{Condition, Expr};
use kanshape_types::{DtypeSet, Name};
use rustc_hash::FxHashSet;

/// What an answer requires of the user's names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hold {
    /// Nothing of sizes and dtypes, as far as the runs are as long as `runs` says.
    pub unconditional: bool,
    /// A choice is open, a relation is suspended that may refuse some of their values, or one can't be written: neither that nor the
    /// opposite is found out.
    pub undecided: bool,
    /// A rule waits for their values: more may have to hold than what is required.
    pub waits: bool,
    /// For each run that the user has named: its length, or the least length.
    pub runs: Vec<Length>,
    /// What has to hold between the user's names, whatever else the answer shows.
    pub required: Vec<Condition>,
}

/// The cases of a state, split where its choices are suspended and no further. `None` if these are many, or too much to find out.
pub(crate) fn cases(state: &State) -> Option<Vec<State>> {
    let mut budget = Budget::new(CASES_STEPS);
    let mut stream = Stream::new(state.clone(), Goal::succeed());
    let mut cases = Vec::new();
    while let Some(case) = next_case(&mut stream, &mut budget).ok()? {
        if cases.len() == MAX_VERDICT_CASES {
            return None;
        }
        cases.push(case);
    }
    (!stream.overflowed()).then_some(cases)
}

/// The next case that has a solution.
pub(super) fn next_case(stream: &mut Stream, budget: &mut Budget) -> Result<Option<State>, Stop> {
    while let Some(case) = stream.next(budget)? {
        if satisfiable(&case, budget)? {
            return Ok(Some(case));
        }
    }
    Ok(None)
}

/// The lengths that an answer leaves a run of the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Exactly(usize),
    AtLeast(usize),
}

impl Hold {
    /// What each case of a conjunction requires, split where its choices are suspended and no further. `None` if these are many, or of
    /// one of them it can't be said.
    pub(crate) fn of_cases(
        all: &Conjunction,
        own: &dyn Fn() -> Own,
        tensors: &[Name],
    ) -> Option<Vec<Hold>> {
        let mut holds = Vec::new();
        for state in cases(&all.state)? {
            let case = Conjunction::new(state, all.given.clone(), all.promotion);
            let hold = Hold::of(&case, own(), tensors).ok()?;
            if hold.undecided {
                return None;
            }
            holds.push(hold);
        }
        Some(holds)
    }

    /// What a state that has come to an answer requires of names of which the user states `own`. Those in `tensors` are
    /// type variables of tensors.
    pub(crate) fn of(all: &Conjunction, mut own: Own, tensors: &[Name]) -> Result<Hold, Stop> {
        let Conjunction { state, given, .. } = all;
        let has_choices = |c: &Constraint| matches!(c, Constraint::Choice(_));
        let required = match state.open_constraints().any(has_choices) {
            true => None,
            false => required(all)?,
        };
        let hold = Hold {
            undecided: required.is_none(),
            required: required.unwrap_or_default(),
            ..Hold::default()
        };
        if hold.undecided {
            return Ok(hold);
        }
        let mut sizes: FxHashSet<Var> = FxHashSet::default();
        for user in &given.names {
            if let What::Size(v) = user.what {
                sizes.extend(state.open_vars_of(&Linear::var(v)));
            }
        }
        let is_user = |v| sizes.contains(&v);
        if state.refusing(&is_user).next().is_some() {
            return Ok(Hold {
                undecided: true,
                ..hold
            });
        }
        let hold = Hold {
            waits: state.waiting_for(&is_user).next().is_some(),
            ..hold
        };
        let mut users = Users::default();
        let is_user = |name: &str| given.names.place(name).is_some();
        let all = || hold.required.iter();
        let imply = |c| {
            work(hold.required.len());
            !is_over() && own.imply(c, all(), &is_user)
        };
        let implied: Vec<bool> = all().map(imply).collect();
        let plain = implied.iter().all(|implied| *implied);
        // What a run has come to be, if no more than the user states.
        let settled = |run: &Name| {
            let said = |c: &Condition| matches!(c.parts()[..], [Expr::Run(Some(name)), _] if *name.node == **run);
            let mut said = all().zip(&implied).filter(|(c, _)| said(c)).peekable();
            said.peek().is_some() && said.all(|(_, implied)| *implied)
        };
        let mut runs = Vec::new();
        for user in &given.names {
            let free = match user.what {
                // What an answer without conditions leaves a name is all that there is.
                What::Size(v) => {
                    let all = own.size(&user.name);
                    users.size(state, &Linear::var(v), all.as_ref())? || plain
                }
                What::Dtype(v) => users.dtype(state, v, own.dtype(&user.name)) || plain,
                What::Run(_) if settled(&user.name) => {
                    runs.push(Some(Length::AtLeast(0)));
                    true
                }
                What::Run(v) => {
                    let length = users.run(state, &Seq::run(v))?;
                    runs.push(if plain {
                        Some(Length::AtLeast(0))
                    } else {
                        length
                    });
                    true
                }
                // What a type has come to be is not said in a condition.
                What::Type(v) => match tensor_parts(state, &Term::Var(v)) {
                    Some(_) if !tensors.contains(&user.name) => false,
                    Some((dtype, shape, _)) => {
                        runs.push(users.run(state, &shape)?);
                        users.dtype(state, dtype, DtypeSet::ANY)
                    }
                    // No condition says which type a variable is.
                    None if !users.any_type(state, v) => {
                        return Ok(Hold {
                            required: Vec::new(),
                            ..hold
                        });
                    }
                    None => true,
                },
            };
            if !free {
                return Ok(hold);
            }
        }
        let Some(runs) = runs.into_iter().collect::<Option<Vec<Length>>>() else {
            return Ok(hold);
        };
        if plain {
            return Ok(Hold {
                unconditional: true,
                runs,
                ..hold
            });
        }
        let mut left = without_hidden(state, &users.vars)?;
        left.retain(|c| !c.is_kept_to_be_written(state));
        let unconditional = left.iter().all(|c| match c {
            Constraint::Atoms {
                table,
                left,
                right,
                out,
            } => total(state, &**table, [*left, *right, *out], &users.vars),
            _ => false,
        }) && left.len() <= 1;
        Ok(Hold {
            unconditional,
            runs,
            ..hold
        })
    }
}

/// The variables that denote what the user has named: each may be anything, and none is another.
#[derive(Default)]
struct Users {
    vars: FxHashSet<Var>,
}

impl Users {
    /// May the size be any, or all that is taken for granted?
    fn size(&mut self, state: &State, form: &Linear, all: Option<&Domain>) -> Result<bool, Stop> {
        let form = state.resolve(form)?;
        if let Some(n) = form.as_constant() {
            return Ok(all.is_some_and(|all| *all == Domain::interval(n, n)));
        }
        let free = |v| is_any(state, v) || all.is_some_and(|all| *all == state.domain(v));
        Ok(form
            .as_var()
            .is_some_and(|v| free(v) && self.vars.insert(v)))
    }

    fn dtype(&mut self, state: &State, v: Var, all: DtypeSet) -> bool {
        let v = state.root(v);
        state.mask(v) == atoms(all) && self.vars.insert(v)
    }

    /// A type variable that is still one.
    fn any_type(&mut self, state: &State, v: Var) -> bool {
        match state.walk(&Term::Var(v)) {
            Term::Var(v) => self.vars.insert(v),
            _ => false,
        }
    }

    fn run(&mut self, state: &State, run: &Seq) -> Result<Option<Length>, Stop> {
        let mut ones = 0;
        let mut open = false;
        for part in state.parts(run) {
            match part {
                Part::One(l) if self.size(state, &l, None)? => ones += 1,
                Part::Run(r) if !open => {
                    let length = state.length_of_run(r)?;
                    let (lo, hi) = state.bounds(&length);
                    if !is_any_size(lo, hi) || !self.vars.insert(r) {
                        return Ok(None);
                    }
                    open = true;
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(if open {
            Length::AtLeast(ones)
        } else {
            Length::Exactly(ones)
        }))
    }
}

fn is_any(state: &State, v: Var) -> bool {
    let domain = state.domain(v);
    is_any_size(domain.lo(), domain.hi()) && domain.only().is_none() && domain.except().is_empty()
}

/// Does the table have an entry whatever the user's variables among the three are?
fn total(state: &State, table: &dyn AtomTable, vars: [Var; 3], users: &FxHashSet<Var>) -> bool {
    let masks = vars.map(|v| state.mask(v));
    let mut cases = vec![masks];
    for (i, v) in vars.iter().enumerate() {
        // One that stands in two places would have to be the same in both.
        if vars.iter().filter(|w| *w == v).count() > 1 {
            return false;
        }
        if users.contains(v) {
            cases = cases
                .iter()
                .flat_map(|m| {
                    bits(m[i]).map(move |bit| {
                        let mut m = *m;
                        m[i] = bit;
                        m
                    })
                })
                .collect();
        }
    }
    cases.iter().all(|m| table.refine(m[0], m[1], m[2]).0 != 0)
}

fn bits(mask: u64) -> impl Iterator<Item = u64> {
    (0..64).map(|i| 1 << i).filter(move |bit| mask & bit != 0)
}

/// Do these answers leave out none of the lengths that the runs can have together?
pub(crate) fn cover(answers: &[&[Length]]) -> bool {
    let Some(first) = answers.first() else {
        return false;
    };
    if answers.iter().any(|lengths| lengths.len() != first.len()) {
        return false;
    }
    // From this length on, all lengths of a run are alike.
    let alike = |i: usize| {
        let from = answers.iter().map(|lengths| match lengths[i] {
            Length::Exactly(n) => n + 1,
            Length::AtLeast(n) => n,
        });
        from.max().unwrap_or(0)
    };
    let alike: Vec<usize> = (0..first.len()).map(alike).collect();
    let count = |n: usize, alike: &usize| n.checked_mul(alike + 1);
    let Some(count) = alike
        .iter()
        .try_fold(1, count)
        .filter(|n| *n <= MAX_LENGTH_CASES)
    else {
        return false;
    };
    (0..count).all(|case| {
        let mut rest = case;
        let case: Vec<usize> = alike
            .iter()
            .map(|n| {
                let length = rest % (n + 1);
                rest /= n + 1;
                length
            })
            .collect();
        let has = |(of, n): (&Length, &usize)| match of {
            Length::Exactly(m) => n == m,
            Length::AtLeast(m) => n >= m,
        };
        answers
            .iter()
            .any(|lengths| lengths.iter().zip(&case).all(has))
    })
}
