//! Ground answers to plain questions: what is open falls into groups that share nothing, a name or
//! one batch dim each, and every group has a short list of solutions.

use super::{Solver, plain_tensor};
use crate::ground::{Form, Leaf, Template};
use crate::program::ItemRule;
use crate::query::Query;
use kanshape_engine::{Ground, Int};
use kanshape_types::Dim;

/// More open inputs than this in one batch dim are for the engine.
const MOST_OPEN: usize = 6;

/// The places of a group's open sizes, and its solutions.
type Group = (Vec<usize>, Vec<Vec<Int>>);

/// The ground answers to a query that is plain and gives every rank.
pub(crate) fn leaf(query: &Query) -> Option<Leaf> {
    let max_dim = query.ground?;
    let plain = query.direct
        && query.params.is_empty()
        && query.conditions.is_empty()
        && query.max_rank.is_none()
        && query.signature.program().plain;
    if !plain {
        return None;
    }
    let mut solver = Solver::new(query.signature.program(), &query.inputs, &query.outputs);
    solver.read(false)?.ok()?;
    Lists {
        solver,
        most: max_dim.map_or(Int::MAX, Int::from),
        groups: Vec::new(),
        places: 0,
    }
    .leaf()
}

struct Lists<'a> {
    solver: Solver<'a>,
    /// The greatest size that is not given.
    most: Int,
    groups: Vec<Group>,
    places: usize,
}

impl Lists<'_> {
    fn leaf(mut self) -> Option<Leaf> {
        let rank = self.solver.batch.len();
        let broadcast = self.solver.broadcasts();
        // The batch dims of each operand, then its core.
        let count = self.solver.count();
        let mut dims: Vec<Vec<Form>> = Vec::with_capacity(count);
        for i in 0..count {
            let (rule, ty) = self.solver.operand(i);
            plain_tensor(ty)??;
            dims.push(Vec::with_capacity(rank + rule.items.len()));
        }
        for j in 0..rank {
            if broadcast {
                self.broadcast(rank, j, &mut dims)?;
            } else {
                let form = self.open(self.solver.batch[j].size)?;
                dims.iter_mut().for_each(|d| d.push(form.clone()));
            }
        }
        let mut names: Vec<Option<Form>> = vec![None; self.solver.names.len()];
        for (i, dims) in dims.iter_mut().enumerate() {
            let (rule, _) = self.solver.operand(i);
            for item in &rule.items {
                dims.push(match item {
                    ItemRule::Size(n) => Form::Number(Int::from(*n)),
                    ItemRule::Name(n) => {
                        if names[*n].is_none() {
                            names[*n] = Some(self.open(self.solver.names[*n].size)?);
                        }
                        names[*n].clone()?
                    }
                    _ => return None,
                });
            }
        }
        let mut templates = Vec::with_capacity(count);
        for (i, dims) in dims.into_iter().enumerate() {
            let (rule, ty) = self.solver.operand(i);
            let known = plain_tensor(ty)??.dtype.known();
            let dtype = self.solver.write_dtype(&rule.dtype, known)?;
            templates.push(Template { dtype, dims });
        }
        let inputs = self.solver.program.inputs.len();
        let ground = Ground::of_lists(self.groups);
        Some(Leaf::listed(ground, templates, inputs))
    }

    /// A size that is known, or else one of all within the bound.
    fn open(&mut self, size: Option<u64>) -> Option<Form> {
        const MANY: Int = 1 << 12;
        if let Some(n) = size {
            return Some(Form::Number(Int::from(n)));
        }
        if self.most > MANY {
            return None;
        }
        let place = self.place();
        let all = (0..=self.most).map(|x| vec![x]).collect();
        self.groups.push((vec![place], all));
        Some(Form::Place(place))
    }

    fn place(&mut self) -> usize {
        self.places += 1;
        self.places - 1
    }

    /// Batch dim `j` of all operands: each input is 1 or what the outputs have, and one is that.
    fn broadcast(&mut self, rank: usize, j: usize, dims: &mut [Vec<Form>]) -> Option<()> {
        let inputs = self.solver.program.inputs.len();
        let mut known: Vec<Int> = Vec::new();
        let mut places = Vec::new();
        for (i, dims) in dims[..inputs].iter_mut().enumerate() {
            let (rule, ty) = self.solver.operand(i);
            let given = plain_tensor(ty)??.shape.dims();
            let front = given.len() - rule.items.len();
            let Some(at) = (j + front).checked_sub(rank) else {
                continue;
            };
            dims.push(match &given[at] {
                Dim::Size(n) => {
                    known.push(Int::from(*n));
                    Form::Number(Int::from(*n))
                }
                Dim::Hole => {
                    places.push(self.place());
                    Form::Place(self.places - 1)
                }
                // A name is the same wherever it stands: the engine has to look at it.
                _ => return None,
            });
        }
        let given = self.solver.batch[j].size.map(Int::from);
        let stretched = known.iter().copied().find(|&n| n != 1);
        let out = given.or(stretched).or(places.is_empty().then_some(1))?;
        let fits = known.iter().all(|&n| n == 1 || n == out);
        if !fits || places.len() > MOST_OPEN || (given.is_none() && out > self.most) {
            return None;
        }
        dims[inputs..]
            .iter_mut()
            .for_each(|d| d.push(Form::Number(out)));
        let mut solutions = Vec::new();
        let ways = if out == 1 { 1 } else { 1usize << places.len() };
        for way in 0..ways {
            let values: Vec<Int> = (0..places.len())
                .map(|i| if way >> i & 1 == 1 { 1 } else { out })
                .collect();
            let reached = out == 1 || known.contains(&out) || values.contains(&out);
            if reached && values.iter().all(|&x| x <= self.most) {
                solutions.push(values);
            }
        }
        self.groups.push((places, solutions));
        Some(())
    }
}
