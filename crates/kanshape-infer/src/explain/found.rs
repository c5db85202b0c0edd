//! What the answers to a question with one place open say of that place.

use super::fact::{Argument, FactId, FactKind, part};
use crate::limits::{MAX_REPAIR_ANSWERS, MAX_REPAIR_SHAPES};
use crate::{Answer, Query};
use kanshape_syntax::tree::{Condition, Expr};
use kanshape_types::{Dim, Shape, Type};

/// The shapes that a part of an operand has in the answers to a question.
pub(super) struct Shapes {
    pub(super) operand: usize,
    pub(super) path: Vec<usize>,
    pub(super) answers: Vec<(FoundAnswer, Shape)>,
    /// There are no more than these.
    pub(super) all: bool,
}

impl Shapes {
    /// A few of them.
    pub(super) fn of(query: &Query, i: usize, path: &[usize]) -> Shapes {
        let (answers, all) = some_answers(query, MAX_REPAIR_SHAPES);
        let shape = |answer: &Answer| {
            let ty = part(of_answer(answer, query, i)?, path)?;
            Some(ty.as_tensor()?.shape.clone())
        };
        let count = answers.len();
        let answers = answers.into_iter().filter_map(|found| {
            let shape = shape(&found.answer)?;
            Some((found, shape))
        });
        let answers: Vec<(FoundAnswer, Shape)> = answers.collect();
        Shapes {
            operand: i,
            path: path.to_vec(),
            all: all && answers.len() == count,
            answers,
        }
    }

    pub(super) fn is_of(&self, i: usize, path: &[usize]) -> bool {
        (self.operand, &*self.path) == (i, path)
    }

    pub(super) fn is_of_spot(&self, spot: &FactId) -> bool {
        spot.at == Argument::Operand(self.operand) && spot.part == self.path
    }

    /// Is a spot the dim of a tensor that could be nothing else as long as the others are what they are?
    pub(super) fn exclude(&self, query: &Query, spot: &FactId) -> bool {
        let (Argument::Operand(i), FactKind::Dim(axis)) = (spot.at, spot.about) else {
            return false;
        };
        if !self.all || !self.is_of(i, &spot.part) {
            return false;
        }
        let given = part(query.operand(i), &spot.part).and_then(Type::as_tensor);
        let Some(given) = given.map(|tensor| tensor.shape.known_dims()) else {
            return false;
        };
        let fits = |(found, shape): &(FoundAnswer, Shape)| {
            let fits = |(at, (dim, own)): (usize, (&Dim, &Dim))| {
                at == axis || may_be(dim, own, &found.answer)
            };
            let dims = shape.known_dims();
            shape.run().is_some()
                || dims.len() == given.len() && dims.iter().zip(given).enumerate().all(fits)
        };
        !self.answers.iter().any(fits)
    }

    pub(super) fn may_have_other_rank(&self, rank: usize) -> bool {
        let same = |(_, shape): &(FoundAnswer, Shape)| shape.rank() == Some(rank);
        !self.all || !self.answers.iter().all(same)
    }
}

/// An answer.
pub(super) struct FoundAnswer {
    pub(super) answer: Answer,
    /// It is known to have a solution: so does a question with what it says of the one open place, or less.
    pub(super) is_certain: bool,
}

/// Could a dim of an answer be what is given, as far as is plain to see?
fn may_be(dim: &Dim, given: &Dim, answer: &Answer) -> bool {
    match (dim, given) {
        (Dim::Size(n), Dim::Size(own)) => n == own,
        (Dim::Name(name), Dim::Size(own)) => answer.conditions.iter().all(|c| match c {
            Condition::In(Expr::Name(of), values) if *of.node == **name => {
                let is = |value: &Expr| !matches!(value, Expr::Int(n) if n != own);
                values.iter().any(is)
            }
            _ => true,
        }),
        _ => true,
    }
}

/// A few answers.
pub(super) fn answers(query: &Query) -> Vec<FoundAnswer> {
    some_answers(query, MAX_REPAIR_ANSWERS).0
}

/// At most this number of answers, and whether these are all.
fn some_answers(query: &Query, most: usize) -> (Vec<FoundAnswer>, bool) {
    let mut found = Vec::new();
    let Ok(mut answers) = query.solve() else {
        return (found, false);
    };
    while found.len() < most
        && let Some(answer) = answers.next()
    {
        let is_certain = answers.has_solution(&answer);
        found.push(FoundAnswer { answer, is_certain });
    }
    let all = found.len() < most && answers.complete();
    (found, all)
}

/// What an operand is in an answer.
pub(super) fn of_answer<'a>(answer: &'a Answer, query: &Query, i: usize) -> Option<&'a Type> {
    match i.checked_sub(query.inputs.len()) {
        None => answer.inputs.get(i),
        Some(j) => answer.outputs.get(j),
    }
}
