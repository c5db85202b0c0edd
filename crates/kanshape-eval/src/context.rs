//! [`Context`]: a call while it is calculated.

use kanshape_types::Dtype;

use crate::array::{Array, MOST_WORK};
use crate::call::{Attr, Call};
use crate::number::Number;
use crate::scalars::{Function, Scalars};
use crate::stop::Stop;

/// The arrays of a call.
pub(crate) type Outputs<T> = Result<Vec<Array<T>>, Stop>;

/// How an operator is calculated.
pub(crate) type Calculate<S> = fn(&mut Context<'_, S>) -> Outputs<<S as Scalars>::Scalar>;

/// A call, and the elements that it is calculated with.
pub(crate) struct Context<'a, S: Scalars> {
    pub(crate) scalars: &'a mut S,
    pub(crate) call: &'a Call<'a, S::Scalar>,
    /// The functions of elements that were calculated.
    work: usize,
}

/// The number that a float of 32 bits is nearest to it: attributes are such floats.
fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

impl<'a, S: Scalars> Context<'a, S> {
    pub(crate) fn new(scalars: &'a mut S, call: &'a Call<'a, S::Scalar>) -> Context<'a, S> {
        Context {
            scalars,
            call,
            work: 0,
        }
    }

    /// An input; refused if it is left out.
    pub(crate) fn input(&self, at: usize) -> Result<&'a Array<S::Scalar>, Stop> {
        match self.optional(at) {
            Some(own) => Ok(own),
            None => Stop::refused(format!("input {at} is left out")),
        }
    }

    pub(crate) fn optional(&self, at: usize) -> Option<&'a Array<S::Scalar>> {
        *self.call.inputs.get(at)?
    }

    /// All inputs, none of which may be left out.
    pub(crate) fn all_inputs(&self) -> Result<Vec<&'a Array<S::Scalar>>, Stop> {
        (0..self.call.inputs.len())
            .map(|at| self.input(at))
            .collect()
    }

    pub(crate) fn attr(&self, name: &str) -> Option<&'a Attr> {
        let mut all = self.call.attrs.iter();
        all.find(|(own, _)| own == name).map(|(_, value)| value)
    }

    pub(crate) fn int(&self, name: &str, default: i64) -> i64 {
        match self.attr(name) {
            Some(Attr::Int(n)) => *n,
            _ => default,
        }
    }

    pub(crate) fn float(&self, name: &str, default: f64) -> f64 {
        match self.attr(name) {
            Some(Attr::Float(x)) => single(*x),
            Some(Attr::Int(n)) => *n as f64,
            _ => single(default),
        }
    }

    pub(crate) fn text(&self, name: &str, default: &'static str) -> &'a str {
        match self.attr(name) {
            Some(Attr::Text(text)) => text,
            _ => default,
        }
    }

    pub(crate) fn ints(&self, name: &str) -> Option<Vec<i64>> {
        match self.attr(name)? {
            Attr::Ints(all) => Some(all.clone()),
            Attr::Int(one) => Some(vec![*one]),
            _ => None,
        }
    }

    /// Integers that are an attribute in old versions and an input in new ones.
    pub(crate) fn ints_at(&self, name: &str, at: usize) -> Result<Option<Vec<i64>>, Stop> {
        match (self.ints(name), self.optional(at)) {
            (Some(own), _) => Ok(Some(own)),
            (None, Some(input)) => self.contents(input).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The integers in an array, all of which have to be known.
    pub(crate) fn contents(&self, array: &Array<S::Scalar>) -> Result<Vec<i64>, Stop> {
        let all = array.data.iter().map(|own| match self.scalars.known(own) {
            Some(number) => match number.int() {
                Some(n) => Ok(n),
                None => Stop::refused("a float among sizes or axes"),
            },
            None => Stop::opaque("sizes, axes or indices that are not known"),
        });
        all.collect()
    }

    /// The numbers in an array, all of which have to be known.
    pub(crate) fn numbers(&self, array: &Array<S::Scalar>) -> Result<Vec<Number>, Stop> {
        let all = array.data.iter().map(|own| match self.scalars.known(own) {
            Some(number) => Ok(number),
            None => Stop::opaque("contents that are not known"),
        });
        all.collect()
    }

    /// A function of elements of this dtype.
    pub(crate) fn apply(
        &mut self,
        function: Function,
        dtype: Dtype,
        args: &[S::Scalar],
    ) -> Result<S::Scalar, Stop> {
        self.spend(1)?;
        self.scalars.apply(function, dtype, args)
    }

    /// Counts work, so that no call takes long.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        self.work = self.work.saturating_add(steps);
        match self.work > MOST_WORK {
            true => Stop::opaque("more work than is done here"),
            false => Ok(()),
        }
    }

    /// A number as an element of a dtype.
    pub(crate) fn constant(&mut self, x: f64, dtype: Dtype) -> Result<S::Scalar, Stop> {
        let number = match crate::number::is_float(dtype) {
            true => Number::Float(x),
            false => crate::number::cast(Number::Float(x), dtype)?,
        };
        Ok(self.scalars.number(number))
    }

    /// The elements folded from the left, starting with the first; `empty` if there are none.
    pub(crate) fn fold(
        &mut self,
        function: Function,
        dtype: Dtype,
        all: &[S::Scalar],
        empty: Option<f64>,
    ) -> Result<S::Scalar, Stop> {
        let Some((first, rest)) = all.split_first() else {
            return match empty {
                Some(x) => self.constant(x, dtype),
                None => Stop::refused("a fold of nothing"),
            };
        };
        let mut folded = first.clone();
        for one in rest {
            folded = self.apply(function, dtype, &[folded, one.clone()])?;
        }
        Ok(folded)
    }

    pub(crate) fn sum(&mut self, dtype: Dtype, all: &[S::Scalar]) -> Result<S::Scalar, Stop> {
        self.fold(Function::Add, dtype, all, Some(0.0))
    }

    /// An array by a function of the elements of arrays that broadcast.
    pub(crate) fn elementwise(
        &mut self,
        dtype: Dtype,
        arrays: &[&Array<S::Scalar>],
        mut element: impl FnMut(&mut Self, &[S::Scalar]) -> Result<S::Scalar, Stop>,
    ) -> Result<Array<S::Scalar>, Stop> {
        let mut shape = Vec::new();
        for own in arrays {
            shape = crate::array::broadcast(&shape, &own.shape)?;
        }
        let mut args = Vec::with_capacity(arrays.len());
        Array::by(dtype, shape, |place| {
            args.clear();
            for own in arrays {
                args.push(own.at_broadcast(place)?);
            }
            element(self, &args)
        })
    }

    /// The same of one function.
    pub(crate) fn map(
        &mut self,
        function: Function,
        arrays: &[&Array<S::Scalar>],
    ) -> Result<Array<S::Scalar>, Stop> {
        let dtype = arrays.first().map_or(Dtype::F32, |own| own.dtype);
        self.elementwise(dtype, arrays, |own, args| own.apply(function, dtype, args))
    }
}
