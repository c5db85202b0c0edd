//! [`Begun`]: a question with open places, worked out as far as that can go only one way.
//!
//! A state is persistent: what is put into one of the places goes on from there, and the next question about other
//! values begins there again. Who asks one rule many questions that differ in a few sizes pays for the rule once.

use crate::lower::{Given, atoms};
use crate::problem::{Problem, Stated};
use crate::relation::form;
use crate::{AttrValue, Query};
use kanshape_engine::{Budget, Goal, Int, Linear, Part, State, Stop, Stream, Term};
use kanshape_types::{Dim, DtypeTerm};
use std::sync::Arc;

/// A question that has been begun.
pub(crate) struct Begun {
    given: Arc<Given>,
    /// None if it can't be, whatever there is in the places.
    state: Option<State>,
    places: Vec<(Place, Term)>,
}

/// A place in which something can be put. Operands are counted from the first input, outputs behind the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A dim of an operand of known rank.
    Dim(usize, usize),
    /// The dtype of an operand that is a tensor.
    Dtype(usize),
    /// A member of an attribute that is a list of integers.
    Member(usize, usize),
}

/// What a query has at a place.
enum Value {
    Hole,
    Int(Int),
    Dtype(u64),
}

impl Place {
    /// What a query has there; none if that is more than a number or a dtype.
    fn of(self, query: &Query) -> Option<Value> {
        match self {
            Place::Dim(i, axis) => match query.operand(i).as_tensor()?.shape.dims().get(axis)? {
                Dim::Hole => Some(Value::Hole),
                Dim::Size(n) if *n <= Dim::MAX_SIZE => Some(Value::Int(Int::from(*n))),
                _ => None,
            },
            Place::Dtype(i) => match &query.operand(i).as_tensor()?.dtype {
                DtypeTerm::Hole => Some(Value::Hole),
                DtypeTerm::Name(_) => None,
                term => Some(Value::Dtype(atoms(term.set()))),
            },
            Place::Member(i, m) => match &query.attrs.get(i)?.1 {
                AttrValue::List(members) => match members.get(m)? {
                    AttrValue::Hole => Some(Value::Hole),
                    AttrValue::Int(n) => Some(Value::Int(Int::from(*n))),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// Can it be left open, and filled in later?
    pub(crate) fn can_wait(self, query: &Query) -> bool {
        !matches!(self.of(query), None | Some(Value::Hole))
    }

    /// How much of its shape or list stands behind it, with itself; dtypes stand nowhere.
    pub(crate) fn behind(self, query: &Query) -> usize {
        let (len, at) = match self {
            Place::Dim(i, axis) => {
                let tensor = query.operand(i).as_tensor();
                (tensor.map_or(0, |t| t.shape.dims().len()), axis)
            }
            Place::Dtype(_) => return 0,
            Place::Member(i, m) => match query.attrs.get(i).map(|attr| &attr.1) {
                Some(AttrValue::List(members)) => (members.len(), m),
                _ => (0, m),
            },
        };
        len.saturating_sub(at)
    }

    /// Where it is in a question that has been stated.
    fn term(self, query: &Query, given: &Given, state: &State) -> Option<Term> {
        let tensor = |i| given.tensor(given.operands.iter().nth(i)?);
        match self {
            Place::Dim(i, axis) => match state.parts(&tensor(i)?.shape).get(axis)? {
                Part::One(size) => Some(Term::Int(size.clone())),
                Part::Run(_) => None,
            },
            Place::Dtype(i) => Some(Term::Atom(tensor(i)?.dtype)),
            Place::Member(i, m) => {
                let name = &query.attrs.get(i)?.0;
                let attr = given.attrs.iter().find(|attr| *attr.name == **name)?;
                let mut term = state.walk(&attr.term);
                if let Term::Node(form::SOME, of) = &term {
                    term = state.walk(of.first()?);
                }
                match term {
                    Term::Seq(list) => match state.parts(&list).get(m)? {
                        Part::One(member) => Some(Term::Int(member.clone())),
                        Part::Run(_) => None,
                    },
                    _ => None,
                }
            }
        }
    }
}

impl Begun {
    /// Begins a question in which these places are open. None if that takes too much, or something else is asked than
    /// what the types are.
    pub(crate) fn new(query: &Query, places: &[Place]) -> Option<Begun> {
        if query.ground.is_some() {
            return None;
        }
        let Stated {
            given,
            mut state,
            goal,
            mut budget,
        } = Stated::new(query).ok()?;
        let places: Option<Vec<(Place, Term)>> = places
            .iter()
            .map(|place| Some((*place, place.term(query, &given, &state)?)))
            .collect();
        let state = match state.settle(goal, &mut budget) {
            Ok(()) => Some(state),
            Err(Stop::Conflict) => None,
            Err(_) => return None,
        };
        Some(Begun {
            given: Arc::new(given),
            state,
            places: places?,
        })
    }

    /// The same question with what `query` has in the places; otherwise that one is the same. None if it has something
    /// there that can't be put in.
    pub(crate) fn with(&self, query: &Query) -> Option<Problem> {
        let mut budget = Budget::new(query.budget);
        let mut filled = self.state.clone();
        for (place, term) in &self.places {
            let value = place.of(query)?;
            let Some(state) = &mut filled else { break };
            let value = match value {
                Value::Hole => continue,
                Value::Int(n) => Term::Int(Linear::constant(n)),
                Value::Dtype(mask) => Term::Atom(state.atom(mask)),
            };
            match state.unify(term, &value, &mut budget) {
                Ok(()) => {}
                Err(Stop::Conflict) => filled = None,
                Err(_) => return None,
            }
        }
        let (state, goal) = match filled {
            Some(state) => (state, Goal::succeed()),
            None => (State::new(), Goal::fail()),
        };
        Some(Problem {
            given: Arc::clone(&self.given),
            stream: Stream::new(state, goal),
            budget,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Signature;
    use crate::answers::Answers;
    use kanshape_types::{Dtype, Type};

    /// Each size small, or open.
    const SIZES: [Option<u64>; 4] = [None, Some(1), Some(2), Some(6)];

    fn question(signature: &Signature, ranks: &[usize], sizes: &[Option<u64>]) -> Query {
        let mut sizes = sizes.iter().copied();
        let mut types = ranks.iter().map(|rank| {
            let dims = sizes.by_ref().take(*rank);
            let dims = dims.map(|size| size.map_or(Dim::Hole, Dim::Size));
            Type::tensor(Dtype::F32, dims.collect::<Vec<Dim>>())
        });
        let inputs: Vec<Type> = types.by_ref().take(signature.input_count()).collect();
        let query = signature.query().inputs(inputs).outputs(types);
        query.without_shortcut()
    }

    #[test]
    fn a_question_that_was_begun_has_the_answers_of_one_that_was_not() {
        for (text, ranks) in [
            ("(m,n),(n,p)->(m,p)", &[2, 2, 2][..]),
            ("+(),()->()", &[2, 1, 2]),
            ("[s] (h,n)->(s*h,n) where s >= 1", &[2, 2]),
            ("(n,k)->(n*k)", &[2, 1]),
            ("[k] (h)->((h - k)//2 + 1) where k <= h", &[1, 1]),
            ("(a),(b)->(max(a, b))", &[1, 1, 1]),
        ] {
            let signature: Signature = text.parse().expect(text);
            let count: usize = ranks.iter().sum();
            let places: Vec<Place> = ranks
                .iter()
                .enumerate()
                .flat_map(|(i, rank)| (0..*rank).map(move |axis| Place::Dim(i, axis)))
                .collect();
            let open = question(&signature, ranks, &vec![None; count]);
            let begun = Begun::new(&open, &places).expect(text);
            for code in 0..SIZES.len().pow(count as u32) {
                let size = |at: usize| SIZES[code / SIZES.len().pow(at as u32) % SIZES.len()];
                let sizes: Vec<Option<u64>> = (0..count).map(size).collect();
                let asked = question(&signature, ranks, &sizes);
                let carried_on = Answers::are_there_with(&asked, || Some(&begun));
                assert_eq!(carried_on, Answers::are_there(&asked), "{text} {sizes:?}");
            }
        }
    }
}
