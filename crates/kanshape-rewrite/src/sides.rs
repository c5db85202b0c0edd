//! [`CalculatedSides`]: both sides of a rule calculated on contents of its leaves, which are numbers or expressions.

use kanshape::{AttrValue, Content, Dim, Dtype, Type};
use kanshape_eval::{Array, Attr, Call, Number, Numbers, Scalars, Stop, covers, evaluate};

use crate::program::{Program, Side, domain};

mod algebra;
mod lattice;
mod named;
mod ratio;

pub(crate) use algebra::Algebra;

/// Two reals are the same if they differ by less than this part of them, or of the largest number that was calculated on the way, or altogether.
const OF_NUMBER: f64 = 1e-7;
const OF_LARGEST: f64 = 1e-11;
const AT_ALL: f64 = 1e-9;

/// Both sides of a rule, ready to be calculated.
pub(crate) struct CalculatedSides<'p> {
    program: &'p Program,
    attrs: Vec<Vec<(String, Attr)>>,
    constants: Vec<(usize, Array<Number>)>,
    /// The operator or constant that is not calculated, if there is one.
    pub(crate) opaque: Option<String>,
}

/// What both sides come to.
pub(crate) enum ComparedSides {
    Same,
    /// The outputs of both sides; none of the right one if it has no value, and why not.
    Other(Vec<Array<Number>>, Result<Vec<Array<Number>>, String>),
    /// The left side has no value for these contents.
    NoLeft,
    /// Something is not calculated.
    Opaque(String),
}

impl<'p> CalculatedSides<'p> {
    pub(crate) fn of(program: &'p Program) -> CalculatedSides<'p> {
        let mut this = CalculatedSides {
            program,
            attrs: Vec::new(),
            constants: Vec::new(),
            opaque: None,
        };
        for step in &program.steps {
            let name = step.operator.name();
            let attrs = step.attrs.iter().filter(|own| own.1 != AttrValue::Absent);
            let attrs = attrs.map(|(name, value)| Some((name.to_string(), attr_of(name, value)?)));
            let attrs: Option<Vec<(String, Attr)>> = attrs.collect();
            if !domain(&step.operator).is_empty() || !covers(name) || attrs.is_none() {
                this.opaque.get_or_insert_with(|| name.to_owned());
            }
            this.attrs.push(attrs.unwrap_or_default());
        }
        for (slot, ty) in &program.constants {
            match array(ty) {
                Some(own) => this.constants.push((*slot, own)),
                None => {
                    this.opaque.get_or_insert_with(|| "a constant".to_owned());
                }
            }
        }
        this
    }

    /// Places for all values, with the leaves and the constants.
    fn slots<S: Scalars>(
        &self,
        scalars: &mut S,
        leaves: Vec<Array<S::Scalar>>,
    ) -> Vec<Option<Array<S::Scalar>>> {
        let mut slots: Vec<Option<Array<S::Scalar>>> = leaves.into_iter().map(Some).collect();
        slots.resize(self.program.slots, None);
        for (slot, own) in &self.constants {
            slots[*slot] = Some(as_scalars(scalars, own));
        }
        slots
    }

    /// Calculates a side.
    fn run<S: Scalars>(
        &self,
        side: &Side,
        scalars: &mut S,
        slots: &mut [Option<Array<S::Scalar>>],
    ) -> Result<Vec<Array<S::Scalar>>, Stop> {
        for number in &side.steps {
            let step = &self.program.steps[*number];
            let inputs = step.inputs.iter();
            let inputs: Vec<Option<&Array<S::Scalar>>> =
                inputs.map(|slot| slots[(*slot)?].as_ref()).collect();
            let call = Call {
                op: step.operator.name(),
                since: step.operator.since(),
                attrs: &self.attrs[*number],
                inputs: &inputs,
                outputs: step.outputs,
            };
            let outputs = evaluate(scalars, &call)?;
            if outputs.len() < step.outputs {
                return Err(Stop::Refused("fewer outputs than the rule has".into()));
            }
            let own = outputs.into_iter().take(step.outputs);
            own.enumerate()
                .for_each(|(i, own)| slots[step.first + i] = Some(own));
        }
        let roots = side.roots.iter().map(|slot| slots[*slot].clone());
        let none = || Stop::Opaque("an output that is not there".into());
        roots.map(|own| own.ok_or_else(none)).collect()
    }

    /// Both sides on numbers. Where `are_real`, what is no number or infinite on the left has to be so on the right; else only
    /// elements of the left side that are finite are compared: whole numbers meet the places that are left out of the reals, such as a division by 0, far more often than
    /// reals do. `work` is how many elements may still be calculated.
    pub(crate) fn compared(
        &self,
        leaves: &[Array<Number>],
        are_real: bool,
        work: &mut usize,
    ) -> ComparedSides {
        if let Some(own) = &self.opaque {
            return ComparedSides::Opaque(own.clone());
        }
        let mut slots = self.slots(&mut Numbers, leaves.to_vec());
        let left = match self.run(&self.program.left, &mut Numbers, &mut slots) {
            Ok(left) => left,
            Err(Stop::Refused(_)) => return ComparedSides::NoLeft,
            Err(Stop::Opaque(why)) => return ComparedSides::Opaque(why),
        };
        let right = match self.run(&self.program.right, &mut Numbers, &mut slots) {
            Ok(right) => right,
            Err(Stop::Refused(why)) => return ComparedSides::Other(left, Err(why)),
            Err(Stop::Opaque(why)) => return ComparedSides::Opaque(why),
        };
        let all = slots.iter().flatten().flat_map(|own| &own.data);
        *work = work.saturating_sub(all.clone().count());
        let all = all.map(|own| own.float().abs()).filter(|x| x.is_finite());
        let largest = all.fold(0.0, f64::max);
        for (one, other) in left.iter().zip(&right) {
            if one.shape != other.shape {
                return ComparedSides::Opaque("a shape that is not the one of the type".into());
            }
            let mut pairs = one.data.iter().zip(&other.data);
            if pairs.any(|(a, b)| differ(*a, *b, largest, are_real)) {
                return ComparedSides::Other(left, Ok(right));
            }
        }
        let mut all = left.iter().flat_map(|own| &own.data).peekable();
        if all.peek().is_some() && !all.any(|own| own.is_finite()) {
            // What is no number everywhere shows nothing.
            return ComparedSides::NoLeft;
        }
        ComparedSides::Same
    }

    /// Are both sides the same expressions of what is in the leaves? `leaves` are their types, whose contents are known or stand for all contents. Why that is not
    /// shown, if it is not. `work` is how many products may still be made.
    pub(crate) fn proved(&self, leaves: &[Type], work: &mut usize) -> Result<(), String> {
        if let Some(own) = &self.opaque {
            return Err(own.clone());
        }
        let mut algebra = Algebra::new(*work);
        let leaves = leaves.iter().enumerate().map(|(i, ty)| match array(ty) {
            Some(own) => Ok(as_scalars(&mut algebra, &own)),
            None => algebra.leaf(i, ty),
        });
        let leaves = leaves.collect::<Result<Vec<_>, Stop>>();
        let proved = leaves.and_then(|leaves| {
            let mut slots = self.slots(&mut algebra, leaves);
            let left = self.run(&self.program.left, &mut algebra, &mut slots)?;
            let right = self.run(&self.program.right, &mut algebra, &mut slots)?;
            Ok(left.iter().zip(&right).all(|(a, b)| {
                let mut pairs = a.data.iter().zip(&b.data);
                a.shape == b.shape && pairs.all(|(x, y)| algebra.is_same(a.dtype, *x, *y))
            }))
        });
        *work = algebra.work();
        match proved {
            Ok(true) => Ok(()),
            Ok(false) => Err("the expressions of both sides are not the same".into()),
            Err(stop) => Err(stop.why().to_owned()),
        }
    }
}

fn as_scalars<S: Scalars>(scalars: &mut S, own: &Array<Number>) -> Array<S::Scalar> {
    Array {
        dtype: own.dtype,
        shape: own.shape.clone(),
        data: own.data.iter().map(|n| scalars.number(*n)).collect(),
    }
}

fn differ(a: Number, b: Number, largest: f64, are_real: bool) -> bool {
    let (Number::Float(a), Number::Float(b)) = (a, b) else {
        return a != b;
    };
    match (a.is_finite(), b.is_finite()) {
        (true, true) => {
            let near = OF_NUMBER * a.abs().max(b.abs()) + OF_LARGEST * largest + AT_ALL;
            (a - b).abs() > near
        }
        (true, false) => true,
        (false, _) if !are_real => false,
        (false, _) => a != b && !(a.is_nan() && b.is_nan()),
    }
}

/// The sizes of a type, if all are known.
pub(crate) fn sizes(ty: &Type) -> Option<Vec<usize>> {
    let shape = &ty.as_tensor()?.shape;
    shape.rank()?;
    let sizes = shape.iter().map(|dim| usize::try_from(dim.size()?).ok());
    sizes.collect()
}

/// A type all of whose contents are known, as an array.
pub(crate) fn array(ty: &Type) -> Option<Array<Number>> {
    let dtype = ty.as_tensor()?.dtype.known()?;
    let is_int = dtype.name().starts_with(['i', 'u']);
    let members = ty.contents()?.iter().map(|member| match member {
        Content::Int(n) if is_int => Some(Number::Int(*n)),
        Content::Int(n) if dtype == Dtype::Bool => Some(Number::Bool(*n != 0)),
        Content::Int(n) => Some(Number::Float(*n as f64)),
        // A number that is written is that of its dtype which is nearest.
        Content::Float(x) if dtype == Dtype::F32 => Some(Number::Float(f64::from(x.get() as f32))),
        Content::Float(x) if !is_int => Some(Number::Float(x.get())),
        Content::Bool(b) => Some(Number::Bool(*b)),
        _ => None,
    });
    Array::new(dtype, sizes(ty)?, members.collect::<Option<_>>()?).ok()
}

/// The dtypes by their numbers in ONNX.
const DTYPES: [Option<Dtype>; 17] = [
    None,
    Some(Dtype::F32),
    Some(Dtype::U8),
    Some(Dtype::I8),
    Some(Dtype::U16),
    Some(Dtype::I16),
    Some(Dtype::I32),
    Some(Dtype::I64),
    None,
    Some(Dtype::Bool),
    Some(Dtype::F16),
    Some(Dtype::F64),
    Some(Dtype::U32),
    Some(Dtype::U64),
    None,
    None,
    Some(Dtype::BF16),
];

/// An attribute of this name: some are dtypes, however they are written.
fn attr_of(name: &str, value: &AttrValue) -> Option<Attr> {
    let own = attr(value)?;
    if !["to", "dtype", "output_dtype"].contains(&name) {
        return Some(own);
    }
    match own {
        Attr::Int(n) => Some(Attr::Dtype((*DTYPES.get(usize::try_from(n).ok()?)?)?)),
        Attr::Text(text) => text.parse().ok().map(Attr::Dtype),
        own => Some(own),
    }
}

fn attr(value: &AttrValue) -> Option<Attr> {
    Some(match value {
        AttrValue::Int(n) => Attr::Int(*n),
        AttrValue::Dim(Dim::Size(n)) => Attr::Int(i64::try_from(*n).ok()?),
        AttrValue::Float(x) => Attr::Float(x.get()),
        AttrValue::Text(text) => Attr::Text(text.to_string()),
        AttrValue::Bool(own) => Attr::Int((*own).into()),
        AttrValue::Dtype(own) => Attr::Dtype(*own),
        AttrValue::Type(ty) => Attr::Tensor(array(ty)?),
        AttrValue::List(members) => {
            let members = members.iter().map(attr).collect::<Option<Vec<Attr>>>()?;
            let ints = members.iter().map(|own| match own {
                Attr::Int(n) => Some(*n),
                _ => None,
            });
            let floats = members.iter().map(|own| match own {
                Attr::Int(n) => Some(*n as f64),
                Attr::Float(x) => Some(*x),
                _ => None,
            });
            match ints.collect() {
                Some(ints) => Attr::Ints(ints),
                None => Attr::Floats(floats.collect::<Option<_>>()?),
            }
        }
        _ => return None,
    })
}
