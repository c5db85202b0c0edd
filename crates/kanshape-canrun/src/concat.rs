//! Lists in a row make a list.

use std::rc::Rc;

use canrun::goals::Custom;
use canrun::lvec::LVec;
use canrun::{State, StateIter, custom};

use crate::shape::{Shape, Size, fresh, list};

/// One part of a shape.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Dim(Size),
    Run(Shape),
}

/// A shape is these parts in a row: `append` for any number of lists.
///
/// There is one way for each choice of lengths, up to a rank of `max_rank`. By the time canrun takes
/// this fork, other goals may have settled most of them.
pub(crate) fn concat(parts: Vec<Part>, shape: &Shape, max_rank: usize) -> Custom {
    let concat = Rc::new(Concat {
        parts,
        shape: shape.clone(),
        max_rank,
    });
    custom(move |state| {
        let concat = concat.clone();
        state.fork(move |state: &State| -> StateIter {
            let ways = concat.ways(state).into_iter();
            let (state, concat) = (state.clone(), concat.clone());
            Box::new(ways.filter_map(move |lengths| concat.with(state.clone(), lengths)))
        })
    })
}

struct Concat {
    parts: Vec<Part>,
    shape: Shape,
    max_rank: usize,
}

impl Concat {
    /// The lengths that the runs can have in a state.
    fn ways(&self, state: &State) -> Vec<Vec<usize>> {
        let known = |shape| state.resolve(shape).resolved().map(LVec::len);
        let runs: Vec<Option<usize>> = self
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Dim(_) => None,
                Part::Run(run) => Some(known(run)),
            })
            .collect();
        let dims = self.parts.len() - runs.len();
        let ranks = match known(&self.shape) {
            Some(rank) => rank..=rank,
            None => dims..=self.max_rank,
        };
        ranks
            .filter(|rank| *rank <= self.max_rank)
            .filter_map(|rank| rank.checked_sub(dims))
            .flat_map(|total| ways_to_share(total, &runs))
            .collect()
    }

    /// The state in which the runs have these lengths.
    fn with(&self, mut state: State, lengths: Vec<usize>) -> Option<State> {
        let mut lengths = lengths.into_iter();
        let mut cells: Vec<Size> = Vec::new();
        for part in &self.parts {
            match part {
                Part::Dim(size) => cells.push(size.clone()),
                Part::Run(run) => {
                    let own = fresh(lengths.next()?);
                    state = state.unify(run, &list(&own))?;
                    cells.extend(own);
                }
            }
        }
        state.unify(&self.shape, &list(&cells))
    }
}

/// All lengths that make up `total` together, where some of them are known.
fn ways_to_share(total: usize, lengths: &[Option<usize>]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = lengths.split_first() else {
        return if total == 0 {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    };
    (0..=total)
        .filter(|length| first.is_none_or(|first| first == *length))
        .flat_map(|length| {
            ways_to_share(total - length, rest)
                .into_iter()
                .map(move |mut way| {
                    way.insert(0, length);
                    way
                })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::ways_to_share;

    #[test]
    fn shares() {
        assert_eq!(ways_to_share(2, &[None, None]), [[0, 2], [1, 1], [2, 0]]);
        assert_eq!(ways_to_share(2, &[None, Some(2)]), [[0, 2]]);
        assert!(ways_to_share(2, &[Some(1)]).is_empty());
        assert_eq!(ways_to_share(0, &[]), [[0; 0]]);
    }
}
