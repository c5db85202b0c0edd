//! [`Named`]: both sides as functions of an index, with names for sizes, so that what is shown is shown for all sizes.
//!
//! For one choice of ranks each size is 1 or is not 1 and has a name. What the operators and declared dims require to be equal is used as an equation
//! ([`sizes`]). Then an element of an output at an index, which is a variable, is an expression of elements of leaves and of sums over ranges.
//! Both sides are compared at every part of every dim.

use kanshape::{Dim as TypeDim, Dtype, Type};
use kanshape_eval::{Array, Attr, Call, Function as F, Number, Scalars, Stop, evaluate};
use rustc_hash::FxHashMap;

use super::Sides;
use super::algebra::{Algebra, Expr, Place};
use crate::program::{Side, Slot, Step};

mod elements;
mod operators;
mod sizes;

use operators::Operator;
use sizes::{Dim, Halt, Sizes, open};

/// The most dims that are 1 or not, and the most steps of both sides.
const MOST_DIMS: usize = 8;
const MOST_STEPS: usize = 40;
/// The most places of an output that are compared.
const MOST_PLACES: usize = 64;
/// The largest end of a slice up to which places are counted, and the most choices of what the dims are.
const MOST_COUNTED: usize = 4;
const MOST_CHOICES: usize = 800;
/// How often the equations of one step may change the dims of others.
const MOST_ROUNDS: usize = 8;

/// An element and its dtype.
type Element = (Dtype, Expr);

/// One choice of ranks, with each dim 1 or not.
struct Named<'s, 'p> {
    sides: &'s Sides<'p>,
    algebra: Algebra,
    sizes: Sizes,
    dtypes: &'s [Dtype],
    /// The step that makes a value.
    steps: Vec<Option<usize>>,
    operators: Vec<Option<Operator>>,
    shapes: Vec<Option<Vec<Dim>>>,
    known: FxHashMap<(Slot, Vec<Place>), Element>,
    /// The dtypes of the values of which an element is known.
    of_slots: FxHashMap<Slot, Dtype>,
}

impl Sides<'_> {
    /// Are both sides the same for all sizes, wherever leaves with these ranks have types? Dims that have one name are equal. Why that is not
    /// shown, if it is not. `work` is how many products may still be made.
    pub(crate) fn proved_for_all_sizes(
        &self,
        leaves: &[Type],
        dtypes: &[Dtype],
        work: &mut usize,
    ) -> Result<(), String> {
        if let Some(own) = &self.opaque {
            return Err(own.clone());
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
            if tensor.contents.is_some() {
                return Err("a leaf whose contents matter".into());
            }
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
        let counted = self.counted(names.len());
        let each = counted.map_or(2, |own| own + 3);
        for mut choice in 0..each.pow(names.len() as u32) {
            let mut choices = vec![0; names.len()];
            for own in &mut choices {
                *own = choice % each;
                choice /= each;
            }
            let mut one = Named::new(self, dtypes, *work);
            let shown = one.is_shown(&all, &choices, counted);
            *work = one.algebra.work();
            match shown {
                Ok(()) | Err(Halt::NoSuchSizes) => {}
                Err(Halt::Open(why)) => return Err(why),
            }
        }
        Ok(())
    }

    /// How many places of each dim are counted one by one, so that slices with written ends are of these; none if there are no such slices, or
    /// too many dims.
    fn counted(&self, names: usize) -> Option<usize> {
        let slices = self.program.steps.iter();
        let slices = slices.filter(|step| step.operator.name() == "Slice");
        let ends = slices.flat_map(|step| step.inputs.iter().skip(1).take(2).flatten());
        let constant = |slot: &Slot| self.constants.iter().find(|own| own.0 == *slot);
        let written = ends.filter_map(constant).flat_map(|own| &own.1.data);
        let written = written.filter_map(|own| match own {
            Number::Int(n) => usize::try_from(*n).ok(),
            _ => None,
        });
        let largest = written.filter(|n| *n <= MOST_COUNTED).max()?;
        // Two more, and what is left behind a slice is more than 1.
        let each = [largest + 2, largest.max(1) + 1].into_iter();
        let fits = |own: &usize| (own + 3).checked_pow(names as u32);
        each.into_iter()
            .find(|own| fits(own).is_some_and(|all| all <= MOST_CHOICES))
    }
}

impl<'s, 'p> Named<'s, 'p> {
    fn new(sides: &'s Sides<'p>, dtypes: &'s [Dtype], work: usize) -> Named<'s, 'p> {
        let program = sides.program;
        let mut steps = vec![None; program.slots];
        for (number, step) in program.steps.iter().enumerate() {
            (step.first..step.first + step.outputs).for_each(|slot| steps[slot] = Some(number));
        }
        Named {
            sides,
            algebra: Algebra::new(work),
            sizes: Sizes::default(),
            dtypes,
            steps,
            operators: vec![None; program.steps.len()],
            shapes: vec![None; program.slots],
            known: FxHashMap::default(),
            of_slots: FxHashMap::default(),
        }
    }

    /// The same with a choice for each name: any number but 1, or 1; where some places are `counted`, as many as the choice says, or, for the last
    /// choice, these and any number but 1.
    fn is_shown(
        &mut self,
        leaves: &[Vec<Result<u64, usize>>],
        choices: &[usize],
        counted: Option<usize>,
    ) -> Result<(), Halt> {
        let mut dims = Vec::new();
        for choice in choices {
            dims.push(match (counted, choice) {
                (None, 0) => vec![vec![self.sizes.size()]],
                (None, _) => sizes::places(1)?,
                (Some(counted), own) if *own <= counted + 1 => sizes::places(*own)?,
                (Some(counted), _) => {
                    let mut own = sizes::places(counted)?;
                    own.push(vec![self.sizes.size()]);
                    own
                }
            });
        }
        for (slot, own) in leaves.iter().enumerate() {
            let own = own.iter().map(|dim| match dim {
                Ok(size) => sizes::places(usize::try_from(*size).unwrap_or(usize::MAX)),
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
        for (left, right) in program.left.roots.iter().zip(&program.right.roots) {
            for place in self.places(*left)? {
                let (one, other) = (self.element(*left, &place)?, self.element(*right, &place)?);
                if one.1 != other.1 {
                    return open("the expressions of both sides are not the same");
                }
            }
        }
        Ok(())
    }

    /// The dims of all values of a side.
    fn shape(&mut self, side: &Side) -> Result<(), Halt> {
        for number in &side.steps {
            let step = &self.sides.program.steps[*number];
            if step.outputs != 1 {
                return open(step.operator.name());
            }
            let own = Operator::of(self, *number)?;
            let dims = own.dims(self, step)?;
            self.operators[*number] = Some(own);
            self.shapes[step.first] = Some(dims);
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
    fn places(&mut self, slot: Slot) -> Result<Vec<Vec<Place>>, Halt> {
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
            let with = |own: &Vec<Place>| -> Vec<Vec<Place>> {
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
    fn parts(&mut self, dim: &Dim) -> Vec<Place> {
        let parts = dim.iter().enumerate();
        let place = |(part, sizes): (usize, &Vec<u32>)| Place {
            part,
            vars: sizes
                .iter()
                .map(|size| self.algebra.variable(*size))
                .collect(),
        };
        parts.map(place).collect()
    }

    /// The element of a value at a place.
    fn element(&mut self, slot: Slot, place: &[Place]) -> Result<Element, Halt> {
        let key = (slot, place.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let own = self.calculated(slot, place)?;
        self.known.insert(key, own);
        self.of_slots.insert(slot, own.0);
        Ok(own)
    }

    fn calculated(&mut self, slot: Slot, place: &[Place]) -> Result<Element, Halt> {
        if let Some(number) = self.steps[slot] {
            let step = &self.sides.program.steps[number];
            return match self.operators[number].clone() {
                Some(own) => own.element(self, step, place),
                None => open(step.operator.name()),
            };
        }
        let constant = self.sides.constants.iter().find(|own| own.0 == slot);
        let Some((_, array)) = constant else {
            let dtype = self.dtypes[slot];
            let own = self.algebra.element(slot, place.to_vec(), dtype);
            return Ok((dtype, own));
        };
        let at = place.iter().zip(&array.shape);
        let at = at.fold(0, |at, (place, size)| at * size + place.part);
        let own = self.algebra.number(array.data[at]);
        Ok((array.dtype, own))
    }

    /// The element of a value that broadcasts to some dims, at a place of these.
    fn broadcast(&mut self, slot: Slot, to: &[Dim], place: &[Place]) -> Result<Element, Halt> {
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
    fn sum(
        &mut self,
        dim: &Dim,
        of: &mut dyn FnMut(&mut Self, Place) -> Result<Expr, Halt>,
    ) -> Result<Expr, Halt> {
        let mut all = self.algebra.number(Number::Int(0));
        for place in self.parts(dim) {
            let vars = place.vars.clone();
            let mut own = of(self, place)?;
            for var in vars.into_iter().rev() {
                own = self.algebra.summed(var, own)?;
            }
            all = self.applied(F::Add, Dtype::F64, &[all, own])?;
        }
        Ok(all)
    }

    fn applied(&mut self, function: F, dtype: Dtype, args: &[Expr]) -> Result<Expr, Halt> {
        Ok(self.algebra.apply(function, dtype, args)?)
    }

    /// What the reference makes of one element of each input.
    fn of_elements(
        &mut self,
        step: &Step,
        number: usize,
        inputs: &[Option<Element>],
    ) -> Result<Element, Halt> {
        let arrays: Vec<Option<Array<Expr>>> = inputs
            .iter()
            .map(|own| own.map(|(dtype, own)| Array::new(dtype, Vec::new(), vec![own])))
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

/// The one place of a dim of 1.
fn first() -> Place {
    Place {
        part: 0,
        vars: Vec::new(),
    }
}
