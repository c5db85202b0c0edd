//! The direct path: plain questions about plain signatures, answered in one pass over the dims.
//!
//! A signature is plain when it is patterns of names and numbers, with a batch prefix at most; a
//! question is, when it gives sizes and holes. What this path answers, the engine answers alike:
//! without it nothing changes but the time (`Query::without_shortcut`, and the tests that compare
//! the two).

mod ground;

pub(crate) use ground::leaf as ground_leaf;

use crate::Answer;
use crate::program::{DtypeRule, ItemRule, OperandRule, Program};
use crate::query::Query;
use kanshape_syntax::tree::PrefixKind;
use kanshape_types::{Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, TypeKind};
use smallvec::SmallVec;
use std::sync::LazyLock;

pub(crate) enum Outcome {
    Answer(Box<Answer>),
    Never,
    /// The engine has to look at it.
    NotPlain,
}

/// The answer to a query, if it is plain.
pub(crate) fn of_query(query: &Query) -> Outcome {
    let plain = query.direct
        && query.params.is_empty()
        && query.conditions.is_empty()
        && query.goals.is_empty()
        && query.max_rank.is_none()
        && query.ground.is_none();
    if !plain {
        return Outcome::NotPlain;
    }
    if query.signature.program().operator.is_some() {
        return crate::relation::ground::of_query(query);
    }
    match solve(query.signature.program(), &query.inputs, &query.outputs) {
        Some(Ok(answer)) => Outcome::Answer(Box::new(answer)),
        Some(Err(Conflict)) => Outcome::Never,
        None => Outcome::NotPlain,
    }
}

/// Is it plain, and has an answer?
pub(crate) fn has_answer(query: &Query) -> bool {
    matches!(of_query(query), Outcome::Answer(_))
}

/// There is no solution.
pub(crate) struct Conflict;

/// Names of unknowns, made once.
static FRESH: LazyLock<[Name; 16]> =
    LazyLock::new(|| std::array::from_fn(|i| Name::from(format!("d{i}"))));
static FRESH_DTYPES: LazyLock<[Name; 16]> =
    LazyLock::new(|| std::array::from_fn(|i| Name::from(format!("t{i}"))));

/// What is known of one name of the signature.
#[derive(Clone, Copy)]
struct Cell {
    size: Option<u64>,
    /// How often an operand shows it.
    shown: u16,
    /// Its number among the fresh names, once it has one.
    fresh: u16,
}

const NO_NAME: u16 = u16::MAX;

struct Solver<'a> {
    program: &'a Program,
    inputs: &'a [Type],
    outputs: &'a [Type],
    names: SmallVec<[Cell; 12]>,
    /// The dims of the batch run that the outputs have.
    batch: SmallVec<[Cell; 8]>,
    dtypes: SmallVec<[(DtypeSet, u16, u16); 4]>,
    next_name: u16,
    next_dtype: u16,
}

/// The answer where the question is plain: the types of the inputs and of the outputs (an empty
/// slice of outputs is one of which nothing is known).
pub(crate) fn solve(
    program: &Program,
    inputs: &[Type],
    outputs: &[Type],
) -> Option<Result<Answer, Conflict>> {
    if !program.plain {
        return None;
    }
    let mut solver = Solver::new(program, inputs, outputs);
    match solver.read(true) {
        Some(Ok(())) => solver.write().map(Ok),
        Some(Err(conflict)) => Some(Err(conflict)),
        None => None,
    }
}

/// A tensor of known rank with nothing but sizes and holes, or nothing at all.
#[inline]
fn plain_tensor(ty: &Type) -> Option<Option<&Tensor>> {
    if !ty.conditions.is_empty() {
        return None;
    }
    match &ty.kind {
        TypeKind::Unknown => Some(None),
        TypeKind::Tensor(t) if t.shape.run().is_none() => Some(Some(t)),
        _ => None,
    }
}

impl<'a> Solver<'a> {
    fn new(program: &'a Program, inputs: &'a [Type], outputs: &'a [Type]) -> Solver<'a> {
        let open = Cell {
            size: None,
            shown: 0,
            fresh: NO_NAME,
        };
        Solver {
            program,
            inputs,
            outputs,
            names: SmallVec::from_elem(open, program.names.len()),
            batch: SmallVec::new(),
            dtypes: SmallVec::from_elem((DtypeSet::ANY, 0, NO_NAME), program.dtypes.len()),
            next_name: 0,
            next_dtype: 0,
        }
    }

    /// The rule and the type of an operand: inputs first.
    #[inline]
    fn operand(&self, i: usize) -> (&'a OperandRule, &'a Type) {
        static UNKNOWN: Type = Type::UNKNOWN;
        let program = self.program;
        match i.checked_sub(program.inputs.len()) {
            None => (&program.inputs[i], &self.inputs[i]),
            Some(j) => (&program.outputs[j], self.outputs.get(j).unwrap_or(&UNKNOWN)),
        }
    }

    #[inline]
    fn count(&self) -> usize {
        self.program.inputs.len() + self.program.outputs.len()
    }

    /// Reads all that is given. `None` if it is not plain. `stretch` says that batch dims of inputs
    /// are to be broadcast, which asks for all of them to be known.
    fn read(&mut self, stretch: bool) -> Option<Result<(), Conflict>> {
        let rank = match self.batch_rank()? {
            Ok(rank) => rank,
            Err(conflict) => return Some(Err(conflict)),
        };
        let open = Cell {
            size: None,
            shown: 0,
            fresh: NO_NAME,
        };
        self.batch = SmallVec::from_elem(open, rank);
        let broadcast = self.broadcasts();
        if broadcast && stretch {
            match self.broadcast(rank)? {
                Ok(()) => {}
                Err(conflict) => return Some(Err(conflict)),
            }
        }
        let mut fits = true;
        for i in 0..self.count() {
            let (rule, ty) = self.operand(i);
            let tensor = plain_tensor(ty)?;
            let given = tensor.map_or(&DtypeTerm::Hole, |t| &t.dtype);
            fits &= self.read_dtype(&rule.dtype, given)?;
            let dims = tensor.map(|t| t.shape.dims());
            let front = match dims {
                Some(dims) => match dims.len().checked_sub(rule.items.len()) {
                    Some(front) => front,
                    None => return Some(Err(Conflict)),
                },
                None => rank,
            };
            let is_input = i < self.program.inputs.len();
            if !(broadcast && is_input) {
                if front != rank {
                    return Some(Err(Conflict));
                }
                for j in 0..front {
                    let known = dims.map_or(&Dim::Hole, |d| &d[j]);
                    fits &= meet(&mut self.batch[j], known)?;
                }
            }
            for (j, item) in rule.items.iter().enumerate() {
                let known = dims.map_or(&Dim::Hole, |d| &d[front + j]);
                fits &= match (item, known) {
                    (ItemRule::Name(n), known) => meet(&mut self.names[*n], known)?,
                    (ItemRule::Size(n), Dim::Size(m)) => n == m,
                    (ItemRule::Size(n), Dim::Hole) => *n <= Dim::MAX_SIZE,
                    _ => return None,
                };
            }
        }
        Some(if fits { Ok(()) } else { Err(Conflict) })
    }

    fn broadcasts(&self) -> bool {
        matches!(self.program.batch, Some(b) if b.kind == PrefixKind::Broadcast)
            && self.program.inputs.len() > 1
    }

    /// The rank of the batch run of the outputs.
    fn batch_rank(&self) -> Option<Result<usize, Conflict>> {
        let Some(batch) = self.program.batch else {
            return Some(Ok(0));
        };
        if self.program.inputs.is_empty() {
            return None;
        }
        let broadcast = self.broadcasts();
        let mut rank: Option<usize> = None;
        for i in 0..self.count() {
            let (rule, ty) = self.operand(i);
            let is_input = i < self.program.inputs.len();
            let Some(t) = plain_tensor(ty)? else {
                if broadcast && is_input {
                    return None;
                }
                continue;
            };
            let Some(front) = t.shape.dims().len().checked_sub(rule.items.len()) else {
                return Some(Err(Conflict));
            };
            rank = match rank {
                Some(r) if broadcast && is_input => Some(r.max(front)),
                Some(r) if r != front => return Some(Err(Conflict)),
                _ => Some(front),
            };
        }
        let rank = rank?;
        if batch.max.is_some_and(|most| rank as u64 > most) {
            return Some(Err(Conflict));
        }
        Some(Ok(rank))
    }

    /// What the batch dims of the inputs come to; all of them are sizes.
    fn broadcast(&mut self, rank: usize) -> Option<Result<(), Conflict>> {
        for (rule, ty) in self.program.inputs.iter().zip(self.inputs) {
            let dims = plain_tensor(ty)??.shape.dims();
            let front = dims.len() - rule.items.len();
            for (cell, dim) in self.batch[rank - front..].iter_mut().zip(dims) {
                let Dim::Size(n) = *dim else {
                    return None;
                };
                match cell.size {
                    _ if n > Dim::MAX_SIZE => return None,
                    None | Some(1) => cell.size = Some(n),
                    Some(m) if m == n || n == 1 => {}
                    Some(_) => return Some(Err(Conflict)),
                }
            }
        }
        Some(Ok(()))
    }

    fn read_dtype(&mut self, rule: &DtypeRule, given: &DtypeTerm) -> Option<bool> {
        let set = match given {
            DtypeTerm::Known(d) => DtypeSet::just(*d),
            DtypeTerm::Hole => DtypeSet::ANY,
            DtypeTerm::Name(_) | DtypeTerm::Set(_) => return None,
        };
        Some(match rule {
            DtypeRule::Known(d) => set.contains(*d),
            DtypeRule::Among(among) => {
                let both = among.intersection(set);
                if both.len() > 1 && both != DtypeSet::ANY {
                    return None;
                }
                !both.is_empty()
            }
            DtypeRule::Variable(i) => {
                let (known, shown, _) = &mut self.dtypes[*i];
                *known = known.intersection(set);
                *shown += 1;
                !known.is_empty()
            }
            DtypeRule::Promote(_) => return None,
        })
    }

    /// The answer, with names for what is still open. `None` if there are too many of them.
    fn write(&mut self) -> Option<Answer> {
        let inputs = self.program.inputs.len();
        let broadcast = self.broadcasts();
        for i in 0..self.count() {
            let (rule, _) = self.operand(i);
            if !(broadcast && i < inputs) {
                self.batch.iter_mut().for_each(|c| c.shown += 1);
            }
            for item in &rule.items {
                if let ItemRule::Name(n) = item {
                    self.names[*n].shown += 1;
                }
            }
        }
        let mut answer = Answer {
            inputs: Vec::with_capacity(inputs),
            outputs: Vec::with_capacity(self.program.outputs.len()),
            ..Answer::default()
        };
        for i in 0..self.count() {
            let (rule, ty) = self.operand(i);
            let given = plain_tensor(ty)?;
            let mut shape = Shape::default();
            if broadcast && i < inputs {
                let dims = given?.shape.dims();
                let front = dims.len() - rule.items.len();
                dims[..front].iter().for_each(|d| shape.push(d.clone()));
            } else {
                for cell in &mut self.batch {
                    shape.push(dim(cell, &mut self.next_name)?);
                }
            }
            for item in &rule.items {
                shape.push(match item {
                    ItemRule::Size(n) => Dim::Size(*n),
                    ItemRule::Name(n) => dim(&mut self.names[*n], &mut self.next_name)?,
                    _ => return None,
                });
            }
            let given = given.and_then(|t| t.dtype.known());
            let dtype = self.write_dtype(&rule.dtype, given)?;
            let ty = Type::from(Tensor::new(dtype, shape));
            if i < inputs {
                answer.inputs.push(ty);
            } else {
                answer.outputs.push(ty);
            }
        }
        Some(answer)
    }

    fn write_dtype(&mut self, rule: &DtypeRule, given: Option<Dtype>) -> Option<DtypeTerm> {
        Some(match rule {
            DtypeRule::Known(d) => DtypeTerm::Known(*d),
            DtypeRule::Among(among) => match given.or(among.single()) {
                Some(d) => DtypeTerm::Known(d),
                None => DtypeTerm::Hole,
            },
            DtypeRule::Variable(i) => {
                let (set, shown, fresh) = &mut self.dtypes[*i];
                match set.single() {
                    Some(d) => DtypeTerm::Known(d),
                    None if *set != DtypeSet::ANY => return None,
                    None if *shown <= 1 => DtypeTerm::Hole,
                    None => {
                        if *fresh == NO_NAME {
                            *fresh = self.next_dtype;
                            self.next_dtype += 1;
                        }
                        DtypeTerm::Name(FRESH_DTYPES.get(usize::from(*fresh))?.clone())
                    }
                }
            }
            DtypeRule::Promote(_) => return None,
        })
    }
}

/// Adds what is known of a dim to a cell. `false` if it can't be, `None` if it is not plain.
#[inline]
fn meet(cell: &mut Cell, dim: &Dim) -> Option<bool> {
    match dim {
        Dim::Hole => Some(true),
        Dim::Size(n) if *n > Dim::MAX_SIZE => None,
        Dim::Size(n) => match cell.size {
            None => {
                cell.size = Some(*n);
                Some(true)
            }
            Some(m) => Some(m == *n),
        },
        _ => None,
    }
}

#[inline]
fn dim(cell: &mut Cell, next_name: &mut u16) -> Option<Dim> {
    Some(match cell.size {
        Some(n) => Dim::Size(n),
        None if cell.shown <= 1 => Dim::Hole,
        None => {
            if cell.fresh == NO_NAME {
                cell.fresh = *next_name;
                *next_name += 1;
            }
            Dim::Name(FRESH.get(usize::from(cell.fresh))?.clone())
        }
    })
}
