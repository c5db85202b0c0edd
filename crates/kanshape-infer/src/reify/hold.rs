//! For which values of the user's names does a state have a solution? Where nothing that is left says
//! anything of them, for all.

use super::hidden::without_hidden;
use crate::lower::{Given, Slot, UserName, What, atoms, is_any_size, tensor_of};
use kanshape_engine::{AtomTable, Constraint, Linear, Part, Seq, State, Stop, Term, Var};
use kanshape_types::{DtypeSet, TypeKind};
use rustc_hash::FxHashSet;

/// What an answer asks of the user's names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hold {
    /// Nothing of sizes and dtypes, as far as the runs are as long as `runs` says.
    pub unconditional: bool,
    /// For each run that the user has named: so many dims, or so many and more.
    pub runs: Vec<Length>,
}

/// The lengths that an answer leaves a run of the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    Exactly(usize),
    AtLeast(usize),
}

impl Hold {
    /// Whatever the user's names are.
    pub(crate) fn for_all() -> Hold {
        Hold {
            unconditional: true,
            runs: Vec::new(),
        }
    }

    /// What a state asks. `plain` says that its answer has no conditions.
    pub(crate) fn of(state: &State, given: &Given, plain: bool) -> Result<Hold, Stop> {
        let mut users = Users::default();
        let mut runs = Vec::new();
        for user in &given.names {
            let free = match user.what {
                What::Size(v) => users.size(state, &Linear::var(v))?,
                What::Dtype(v) => users.dtype(state, v),
                What::Run(v) => {
                    runs.push(users.run(state, &Seq::run(v))?);
                    true
                }
                What::Type(v) => match tensor_of(state, v) {
                    // That it is a tensor is no condition where an operand has to be one.
                    Some(_) if !is_operand(given, user) => return Ok(Hold::default()),
                    Some((dtype, shape)) => {
                        runs.push(users.run(state, &shape)?);
                        users.dtype(state, dtype)
                    }
                    // No condition says which type a variable is.
                    None if !users.any_type(state, v) => return Ok(Hold::default()),
                    None => true,
                },
            };
            // What an answer without conditions leaves a name is all that there is.
            if !free && !plain {
                return Ok(Hold::default());
            }
        }
        let Some(runs) = runs.into_iter().collect::<Option<Vec<Length>>>() else {
            return Ok(Hold::default());
        };
        if plain {
            return Ok(Hold {
                unconditional: true,
                runs,
            });
        }
        let left = without_hidden(state, &users.vars)?;
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
        })
    }
}

/// Is the type variable an operand that has to be a tensor?
fn is_operand(given: &Given, user: &UserName) -> bool {
    let called = |s: &Slot| matches!(&s.given.kind, TypeKind::Var(name) if *name == user.name);
    given.slots.iter().any(called)
}

/// The variables that stand for what the user has named: each may be anything, and none is another.
#[derive(Default)]
struct Users {
    vars: FxHashSet<Var>,
}

impl Users {
    fn size(&mut self, state: &State, form: &Linear) -> Result<bool, Stop> {
        let form = state.resolve(form)?;
        Ok(form
            .as_var()
            .is_some_and(|v| is_any(state, v) && self.vars.insert(v)))
    }

    fn dtype(&mut self, state: &State, v: Var) -> bool {
        let v = state.root(v);
        state.mask(v) == atoms(DtypeSet::ANY) && self.vars.insert(v)
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
                Part::One(l) if self.size(state, &l)? => ones += 1,
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

/// Do these lengths leave none out?
pub(crate) fn cover(lengths: &[Length]) -> bool {
    let open = lengths.iter().filter_map(|l| match l {
        Length::AtLeast(n) => Some(*n),
        Length::Exactly(_) => None,
    });
    open.min()
        .is_some_and(|n| (0..n).all(|k| lengths.contains(&Length::Exactly(k))))
}
