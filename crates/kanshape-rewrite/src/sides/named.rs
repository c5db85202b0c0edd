//! [`Named`]: both sides as functions of an index, with names for sizes, so that what is shown is shown for all sizes.
//!
//! For one choice of ranks each size has a name. What the operators and declared dims require to be equal is used as an equation
//! ([`sizes`]); where something depends on whether a size is 0 or 1, each case is shown. Then an element of an output at an index, which is a variable, is an expression of elements of leaves and of sums over ranges.
//! Both sides are compared at every part of every dim.

use kanshape::control::is_over;
use kanshape::{Dim as TypeDim, Dtype, DtypeSet, Type};
use kanshape_eval::{Array, Attr, Call, Function as F, Number, Scalars, Stop, evaluate};
use rustc_hash::FxHashMap;

use super::CalculatedSides;
use super::algebra::{Algebra, ElementIndex, Expr, IndexPlace};
use crate::program::{ContentsGoal, Side, Slot, Step};

mod elements;
mod operators;
mod sizes;
mod windows;

use operators::Operator;
use sizes::{Decisions, Dim, Halt, Key, Sizes, open};
use windows::Functions;

/// The most dims with a name, and the most steps of both sides.
const MOST_DIMS: usize = 24;
const MOST_STEPS: usize = 40;
/// The most places of an output that are compared.
const MOST_PLACES: usize = 64;
/// The most cases of what the dims are.
const MOST_CASES: usize = 800;
/// How often the equations of one step may change the dims of others.
const MOST_ROUNDS: usize = 8;

/// An element and its dtype.
type NamedElement = (Dtype, Expr);

/// Why it is not shown that both sides are the same, and sizes of leaves in the case for which it is not.
pub(crate) struct Unshown {
    pub(crate) why: String,
    pub(crate) sizes: Vec<Vec<Vec<u64>>>,
}

fn is_float(dtype: Dtype) -> bool {
    DtypeSet::FLOAT.contains(dtype)
}

impl From<&str> for Unshown {
    fn from(why: &str) -> Unshown {
        Unshown {
            why: why.to_owned(),
            sizes: Vec::new(),
        }
    }
}

/// What names for sizes are in turn, in such sizes.
const SIZES: [[u64; 2]; 3] = [[2, 2], [2, 3], [3, 2]];

/// One choice of ranks, with what is assumed of sizes.
struct Named<'s, 'p> {
    sides: &'s CalculatedSides<'p>,
    algebra: Algebra,
    sizes: Sizes,
    dtypes: &'s [Dtype],
    /// The step that makes a value.
    steps: Vec<Option<usize>>,
    operators: Vec<Option<Operator>>,
    functions: Functions,
    shapes: Vec<Option<Vec<Dim>>>,
    known: FxHashMap<(Slot, Vec<IndexPlace>), NamedElement>,
    /// The dtypes of the values of which an element is known.
    of_slots: FxHashMap<Slot, Dtype>,
}

impl CalculatedSides<'_> {
    /// Are both sides the same for all sizes, wherever leaves with these ranks have types? Dims that have one name are equal; what is known of contents is not
    /// used. Is there such a leaf? Why it is not shown, if it is not. `work` is how many products may still be made.
    pub(crate) fn proved_for_all_sizes(
        &self,
        leaves: &[Type],
        dtypes: &[Dtype],
        work: &mut usize,
    ) -> Result<bool, Unshown> {
        if let Some(own) = &self.opaque {
            return Err(own.as_str().into());
        }
        if self.program.steps.len() > MOST_STEPS {
            return Err("there are many operators".into());
        }
        let mut names: Vec<TypeDim> = Vec::new();
        let mut all: Vec<Vec<Result<u64, usize>>> = Vec::new();
        for ty in leaves {
            let tensor = ty.as_tensor().filter(|own| own.shape.rank().is_some());
            let Some(tensor) = tensor else {
                return Err("a type that is not known".into());
            };
            let dims = tensor.shape.iter().map(|dim| match dim {
                TypeDim::Size(n) => Ok(*n),
                TypeDim::Name(_) => {
                    Err(names.iter().position(|own| own == dim).unwrap_or_else(|| {
                        names.push(dim.clone());
                        names.len() - 1
                    }))
                }
                _ => Err({
                    names.push(dim.clone());
                    names.len() - 1
                }),
            });
            all.push(dims.collect());
        }
        if names.len() > MOST_DIMS {
            return Err("there are many dims".into());
        }
        let mut cases = vec![Decisions::default()];
        let (mut tried, mut is_there) = (0, false);
        while let Some(case) = cases.pop() {
            tried += 1;
            if tried > MOST_CASES || is_over() {
                return Err("too many cases of what sizes are".into());
            }
            let mut one = Named::new(self, dtypes, case.clone(), *work);
            let shown = one.is_shown(&all, names.len());
            *work = one.algebra.work();
            match shown {
                Ok(()) => is_there = true,
                Err(Halt::NoSuchSizes) => {}
                Err(Halt::Open(why)) => {
                    let sizes = SIZES
                        .iter()
                        .filter_map(|some| one.sizes_of_leaves(&all, some));
                    return Err(Unshown {
                        why,
                        sizes: sizes.collect(),
                    });
                }
                Err(Halt::Cases(key, decisions)) => cases.extend(decisions.iter().map(|own| {
                    let mut case = case.clone();
                    case.insert(key.clone(), *own);
                    case
                })),
            }
        }
        Ok(is_there)
    }
}

impl<'s, 'p> Named<'s, 'p> {
    fn new(
        sides: &'s CalculatedSides<'p>,
        dtypes: &'s [Dtype],
        case: Decisions,
        work: usize,
    ) -> Named<'s, 'p> {
        let program = sides.program;
        let mut steps = vec![None; program.slots];
        for (number, step) in program.steps.iter().enumerate() {
            (step.first..step.first + step.outputs).for_each(|slot| steps[slot] = Some(number));
        }
        Named {
            sides,
            algebra: Algebra::new(work),
            sizes: Sizes::new(case),
            dtypes,
            steps,
            operators: vec![None; program.steps.len()],
            functions: Functions::default(),
            shapes: vec![None; program.slots],
            known: FxHashMap::default(),
            of_slots: FxHashMap::default(),
        }
    }

    /// Are they the same in this case? Leaves are their dims: sizes, and the numbers of names.
    fn is_shown(&mut self, leaves: &[Vec<Result<u64, usize>>], names: usize) -> Result<(), Halt> {
        let dims = (0..names).map(|name| vec![vec![self.sizes.size(Key::Name(name))]]);
        let dims: Vec<Dim> = dims.collect();
        for (slot, own) in leaves.iter().enumerate() {
            let own = own.iter().map(|dim| match dim {
                Ok(size) => Ok(self.sizes.count(*size)),
                Err(name) => Ok(dims[*name].clone()),
            });
            self.shapes[slot] = Some(own.collect::<Result<_, Halt>>()?);
        }
        for (slot, own) in &self.sides.constants {
            let own = own.shape.iter().map(|size| sizes::places(*size));
            self.shapes[*slot] = Some(own.collect::<Result<_, Halt>>()?);
        }
        let program = self.sides.program;
        for round in 0.. {
            if round == MOST_ROUNDS {
                return open("equations of sizes that are not solved");
            }
            let before = self.sizes.used();
            self.sizes.take_pending();
            self.shape(&program.left)?;
            self.shape(&program.right)?;
            for (left, right) in program.left.roots.iter().zip(&program.right.roots) {
                let (left, right) = (self.dims(*left)?, self.dims(*right)?);
                if left.len() != right.len() {
                    return Err(Halt::NoSuchSizes);
                }
                for (a, b) in left.iter().zip(&right) {
                    // Where they are not equal, there is no one type.
                    self.sizes.equal(a, b)?;
                }
            }
            if self.sizes.used() == before {
                break;
            }
        }
        if self.sizes.take_pending() > 0 {
            return open("sums of sizes that are equal");
        }
        for (left, right) in program.left.roots.iter().zip(&program.right.roots) {
            for place in self.places(*left)? {
                let (one, other) = (self.element(*left, &place)?, self.element(*right, &place)?);
                if !self.algebra.is_same(one.0, one.1, other.1) {
                    return open("the expressions of both sides are not the same");
                }
            }
        }
        Ok(())
    }

    /// The sizes of the leaves where names for sizes are these in turn; none if that does not say them.
    fn sizes_of_leaves(
        &self,
        leaves: &[Vec<Result<u64, usize>>],
        some: &[u64],
    ) -> Option<Vec<Vec<u64>>> {
        let of_dim = |dim: &Dim| -> Option<u64> {
            let parts = dim.iter().map(|part| {
                let sizes = part.iter().map(|size| {
                    let is_free = self.sizes.is_free(*size);
                    is_free.then(|| some[*size as usize % some.len()])
                });
                sizes.product::<Option<u64>>()
            });
            parts.sum()
        };
        let leaves = (0..leaves.len()).map(|slot| {
            let dims = self.dims(slot).ok()?;
            dims.iter().map(of_dim).collect::<Option<Vec<u64>>>()
        });
        leaves.collect()
    }

    /// The dims of all values of a side.
    fn shape(&mut self, side: &Side) -> Result<(), Halt> {
        for number in &side.steps {
            let step = &self.sides.program.steps[*number];
            let own = Operator::of(self, *number)?;
            if let Operator::Split(split) = &own {
                let all = split.dims(self, step, *number)?;
                for (i, dims) in all.into_iter().enumerate() {
                    self.shapes[step.first + i] = Some(dims);
                }
            } else if step.outputs == 1 {
                self.shapes[step.first] = Some(own.dims(self, step, *number)?);
            } else {
                return open(step.operator.name());
            }
            self.operators[*number] = Some(own);
        }
        Ok(())
    }

    fn dims(&self, slot: Slot) -> Result<Vec<Dim>, Halt> {
        match &self.shapes[slot] {
            Some(own) => own.iter().map(|dim| self.sizes.resolved(dim)).collect(),
            None => open("a value that is not made"),
        }
    }

    /// The places of an output: one of each part of each dim, with new variables.
    fn places(&mut self, slot: Slot) -> Result<Vec<Vec<IndexPlace>>, Halt> {
        let dims = self.dims(slot)?;
        let count = dims
            .iter()
            .try_fold(1_usize, |n, dim| n.checked_mul(dim.len()));
        if count.is_none_or(|n| n > MOST_PLACES) {
            return open("an output of many parts");
        }
        let mut all = vec![Vec::new()];
        for dim in &dims {
            let parts = self.parts(dim);
            let with = |own: &Vec<IndexPlace>| -> Vec<Vec<IndexPlace>> {
                let parts = parts.iter();
                parts
                    .map(|part| [&own[..], std::slice::from_ref(part)].concat())
                    .collect()
            };
            all = all.iter().flat_map(with).collect();
        }
        Ok(all)
    }

    /// A place of each part of a dim.
    fn parts(&mut self, dim: &Dim) -> Vec<IndexPlace> {
        let parts = dim.iter().enumerate();
        let place = |(part, sizes): (usize, &Vec<u32>)| IndexPlace {
            part,
            at: sizes
                .iter()
                .map(|size| ElementIndex::Var(self.algebra.variable(*size)))
                .collect(),
        };
        parts.map(place).collect()
    }

    /// The element of a value at a place.
    fn element(&mut self, slot: Slot, place: &[IndexPlace]) -> Result<NamedElement, Halt> {
        let key = (slot, place.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let own = self.calculated(slot, place)?;
        self.known.insert(key, own);
        self.of_slots.insert(slot, own.0);
        Ok(own)
    }

    fn calculated(&mut self, slot: Slot, place: &[IndexPlace]) -> Result<NamedElement, Halt> {
        if let Some(number) = self.steps[slot] {
            let step = &self.sides.program.steps[number];
            return match self.operators[number].clone() {
                Some(own) => own.element(self, step, (slot, place)),
                None => open(step.operator.name()),
            };
        }
        let constant = self.sides.constants.iter().find(|own| own.0 == slot);
        let Some((_, array)) = constant else {
            let dtype = self.dtypes[slot];
            if let Some(ContentsGoal::All(number)) = self.sides.program.contents_goals.get(slot) {
                let number = match is_float(dtype) {
                    true => Number::Float(*number),
                    false => Number::Int(*number as i64),
                };
                return Ok((dtype, self.algebra.number(number)));
            }
            let own = self.algebra.element(slot, place.to_vec(), dtype);
            return Ok((dtype, own));
        };
        let at = place.iter().zip(&array.shape);
        let at = at.fold(0, |at, (place, size)| at * size + place.part);
        let own = self.algebra.number(array.data[at]);
        Ok((array.dtype, own))
    }

    /// The element of a value that broadcasts to some dims, at a place of these.
    fn broadcast(
        &mut self,
        slot: Slot,
        to: &[Dim],
        place: &[IndexPlace],
    ) -> Result<NamedElement, Halt> {
        let own = self.dims(slot)?;
        let skipped = place.len() - own.len();
        let mut at = Vec::new();
        for (dim, (to, place)) in own.iter().zip(to.iter().zip(place).skip(skipped)) {
            at.push(match (dim == to, sizes::is_one(dim)) {
                (true, _) => place.clone(),
                (false, true) => first(),
                (false, false) => return open("dims of different parts"),
            });
        }
        self.element(slot, &at)
    }

    /// The sum over a dim of what is at its places.
    fn sum(&mut self, dim: &Dim, of: AtPlace<'_>) -> Result<Expr, Halt> {
        let zero = self.algebra.number(Number::Int(0));
        let own = self.folded(Fold::Sum, Dtype::F64, dim, of)?;
        Ok(own.unwrap_or(zero))
    }

    /// The sum, the largest or the smallest of what is at the places of a dim; none if it has no places.
    fn folded(
        &mut self,
        fold: Fold,
        dtype: Dtype,
        dim: &Dim,
        of: AtPlace<'_>,
    ) -> Result<Option<Expr>, Halt> {
        let mut all = None;
        for place in self.parts(dim) {
            let at = place.at.clone();
            let mut own = of(self, place)?;
            for index in at.into_iter().rev() {
                let ElementIndex::Var(var) = index else {
                    return open("a sum over what is no range");
                };
                own = match fold {
                    Fold::Sum => self.algebra.summed(var, own)?,
                    Fold::Max | Fold::Min => {
                        let is_max = fold == Fold::Max;
                        self.algebra.folded(is_max, dtype, var, own)?
                    }
                };
            }
            let function = match fold {
                Fold::Sum => F::Add,
                Fold::Max => F::Max,
                Fold::Min => F::Min,
            };
            all = Some(match all {
                None => own,
                Some(all) => self.applied(function, dtype, &[all, own])?,
            });
        }
        Ok(all)
    }

    fn applied(&mut self, function: F, dtype: Dtype, args: &[Expr]) -> Result<Expr, Halt> {
        Ok(self.algebra.apply(function, dtype, args)?)
    }

    /// What the reference makes of one element of each input, which are tensors of these ranks.
    fn of_elements(
        &mut self,
        step: &Step,
        number: usize,
        inputs: &[Option<NamedElement>],
        ranks: &[usize],
    ) -> Result<NamedElement, Halt> {
        let rank = |at: usize| ranks.get(at).copied().unwrap_or(0);
        let arrays: Vec<Option<Array<Expr>>> = inputs
            .iter()
            .enumerate()
            .map(|(i, own)| own.map(|(dtype, own)| Array::new(dtype, vec![1; rank(i)], vec![own])))
            .map(Option::transpose)
            .collect::<Result<_, Stop>>()?;
        let inputs: Vec<Option<&Array<Expr>>> = arrays.iter().map(Option::as_ref).collect();
        let call = Call {
            op: step.operator.name(),
            since: step.operator.since(),
            attrs: &self.sides.attrs[number],
            inputs: &inputs,
            outputs: 1,
        };
        let outputs = evaluate(&mut self.algebra, &call)?;
        match outputs.first() {
            Some(own) if own.data.len() == 1 => Ok((own.dtype, own.data[0])),
            _ => open(step.operator.name()),
        }
    }

    /// The rank of a value.
    fn rank(&self, slot: Slot) -> Result<usize, Halt> {
        Ok(self.dims(slot)?.len())
    }

    fn attr(&self, number: usize, name: &str) -> Option<&Attr> {
        let own = self.sides.attrs[number].iter().find(|own| own.0 == name);
        own.map(|own| &own.1)
    }

    fn constant(&self, slot: Slot) -> Option<&Array<Number>> {
        let own = self.sides.constants.iter().find(|own| own.0 == slot);
        own.map(|own| &own.1)
    }
}

/// What is calculated of an index of a dim.
type AtPlace<'f> = &'f mut dyn FnMut(&mut Named<'_, '_>, IndexPlace) -> Result<Expr, Halt>;

/// How the elements along a dim become one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    Sum,
    Max,
    Min,
}

/// The one place of a dim of 1.
fn first() -> IndexPlace {
    single(0)
}

/// A place that is counted.
fn single(part: usize) -> IndexPlace {
    IndexPlace {
        part,
        at: Vec::new(),
    }
}
