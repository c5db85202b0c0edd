//! [`Schemes`]: what a rule comes to for operands of some ranks and dtypes, whatever their sizes.
//!
//! A rule is calculated once with a name for every size that is given. What comes out are forms of these names, and
//! what has to hold between them; a query with operands of the same ranks and dtypes puts its sizes in their places.
//! It is the same evaluation, done ahead of the sizes.

use super::operands::{Calculation, Symbolic};
use super::value::Value;
use super::{Buffers, Evaluator, Residual, Stop};
use kanshape_engine::{Forms, Node, Num};
use kanshape_types::{Dim, Dtype, Shape, Tensor, Type, TypeKind};
use smallvec::SmallVec;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A rule has so many of them at most.
const MAX_SCHEMES: usize = 8;
/// Of more sizes none is made.
const MAX_SIZES: usize = 24;

/// What a rule comes to, by the ranks and dtypes of the operands that are given. It only grows.
#[derive(Debug, Default)]
pub(crate) struct Schemes {
    entries: [OnceLock<Box<Entry>>; MAX_SCHEMES],
    /// There has been a query. The first one is calculated: it may be the only one.
    has_run: AtomicBool,
}

#[derive(Debug)]
struct Entry {
    pattern: Pattern,
    /// `None` if the engine, or the sizes, have a say in it.
    scheme: Option<Scheme>,
}

/// What is given of each operand, but for its sizes.
type Pattern = SmallVec<[Option<Form>; 6]>;

/// The dtype and the rank of an operand, and which of its sizes are holes, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    dtype: Dtype,
    rank: u8,
    holes: u32,
}

/// The sizes that are given, in order.
type Sizes<'t> = SmallVec<[&'t Dim; 12]>;

#[derive(Debug)]
struct Scheme {
    forms: Forms,
    /// The dtype and the dims of each operand that is not given.
    operands: Box<[Option<Found>]>,
    required: Box<[Requirement]>,
}

/// An operand that is not given, or not all of it.
#[derive(Debug)]
struct Found {
    dtype: Dtype,
    dims: Box<[Num]>,
}

/// What has to hold between sizes.
#[derive(Debug)]
enum Requirement {
    /// Two of the sizes are the same.
    Same(usize, usize),
    Other(Residual),
}

impl Schemes {
    /// The operands of a query, calculated by the scheme for them. `None` if there is none.
    pub(crate) fn run(&self, call: &Calculation<'_>) -> Option<Result<SmallVec<[Type; 4]>, Stop>> {
        if !self.has_run.load(Ordering::Relaxed) {
            self.has_run.store(true, Ordering::Relaxed);
            return None;
        }
        let (pattern, sizes) = pattern_of(call)?;
        for slot in &self.entries {
            let entry = slot.get_or_init(|| {
                Box::new(Entry {
                    scheme: Scheme::new(call, &pattern, sizes.len()),
                    pattern: pattern.clone(),
                })
            });
            if entry.pattern == pattern {
                return entry.scheme.as_ref()?.apply(call, &sizes);
            }
        }
        None
    }
}

/// The pattern of the operands of a call, and their sizes; `None` if more is given of one than names and numbers.
fn pattern_of<'q>(call: &Calculation<'q>) -> Option<(Pattern, Sizes<'q>)> {
    let is_forwards = call.operands[..call.inputs]
        .iter()
        .all(|ty| !ty.is_unknown());
    let mut pattern = Pattern::new();
    let mut sizes = Sizes::new();
    for (i, ty) in call.operands.iter().enumerate() {
        if !ty.conditions.is_empty() {
            return None;
        }
        let tensor = match &ty.kind {
            TypeKind::Unknown => {
                pattern.push(None);
                continue;
            }
            TypeKind::Tensor(tensor) => tensor,
            _ => return None,
        };
        // Outputs that the inputs determine are compared, which may say more of them.
        if is_forwards && i >= call.inputs
            || tensor.contents.is_some()
            || tensor.shape.run().is_some()
        {
            return None;
        }
        let dims = tensor.shape.dims();
        if sizes.len() + dims.len() > MAX_SIZES {
            return None;
        }
        let mut holes = 0;
        for (i, dim) in dims.iter().enumerate() {
            match dim {
                Dim::Size(n) if *n <= Dim::MAX_SIZE => {}
                Dim::Name(_) => {}
                Dim::Hole => holes |= 1 << i,
                _ => return None,
            }
            sizes.push(dim);
        }
        pattern.push(Some(Form {
            dtype: tensor.dtype.known()?,
            rank: dims.len() as u8,
            holes,
        }));
    }
    Some((pattern, sizes))
}

impl Scheme {
    fn new(call: &Calculation<'_>, pattern: &Pattern, sizes: usize) -> Option<Scheme> {
        let mut names = (0..sizes).map(|i| Dim::from(format!("n{i}").as_str()));
        let operands: Vec<Type> = pattern
            .iter()
            .map(|own| match own {
                None => Type::UNKNOWN,
                Some(form) => {
                    let own = names.by_ref().take(usize::from(form.rank)).enumerate();
                    let dims = own.map(|(i, name)| match form.holes & (1 << i) {
                        0 => name,
                        _ => Dim::Hole,
                    });
                    Tensor::new(form.dtype, dims.collect::<Shape>()).into()
                }
            })
            .collect();
        let operands: SmallVec<[&Type; 8]> = operands.iter().collect();
        let call = Calculation {
            operands: &operands,
            ..*call
        };
        let mut forms = Forms::default();
        let found = Buffers::with(|buffers| {
            let mut evaluator = Evaluator::new(call.library, call.promotion, buffers, &mut forms);
            evaluator.scheme(&call)
        });
        let Symbolic {
            operands: values,
            residuals,
        } = found.ok()?;
        let mut holes: SmallVec<[bool; MAX_SIZES]> = SmallVec::new();
        for form in pattern.iter().flatten() {
            holes.extend((0..form.rank).map(|i| form.holes & (1 << i) != 0));
        }
        let has_no_hole = |n: &Num| {
            forms.all_generators(*n, &mut |g| match forms.node(g) {
                Node::Atom(place) => !holes[*place as usize],
                _ => true,
            })
        };
        let operands = values.into_iter().zip(pattern).map(|(value, own)| {
            if own.is_some_and(|form| form.holes == 0) {
                return Some(None);
            }
            let Value::Tensor(tensor) = value else {
                return None;
            };
            let is_whole = tensor.contents.is_none() && tensor.shape.iter().all(has_no_hole);
            let dims = tensor.shape.iter().copied().collect();
            is_whole.then_some(Some(Found {
                dtype: tensor.dtype,
                dims,
            }))
        });
        let operands: Option<Box<[_]>> = operands.collect();
        // A hole that something is required of is not only what it has to be.
        if !residuals.is_empty() && holes.contains(&true) {
            let mut all = residuals.iter().flat_map(Residual::numbers);
            if !all.all(|n| has_no_hole(&n)) {
                return None;
            }
        }
        let required = residuals.into_iter().map(|r| Requirement::new(&forms, r));
        let required = required.collect();
        Some(Scheme {
            operands: operands?,
            required,
            forms,
        })
    }

    /// `None` if the sizes have to be calculated with.
    fn apply(
        &self,
        call: &Calculation<'_>,
        sizes: &Sizes<'_>,
    ) -> Option<Result<SmallVec<[Type; 4]>, Stop>> {
        for required in &self.required {
            let holds = match required {
                Requirement::Same(a, b) => match (sizes[*a], sizes[*b]) {
                    (a, b) if a == b => true,
                    (Dim::Size(_), Dim::Size(_)) => false,
                    _ => return None,
                },
                Requirement::Other(residual) => self.holds(residual, sizes)?,
            };
            if !holds {
                return Some(Err(Stop::Fail));
            }
        }
        let mut operands = SmallVec::new();
        for (own, given) in self.operands.iter().zip(call.operands) {
            let Some(Found { dtype, dims }) = own else {
                operands.push((*given).clone());
                continue;
            };
            let mut shape = Shape::default();
            for n in dims {
                shape.push(self.dim(*n, sizes)?);
            }
            operands.push(Tensor::new(*dtype, shape).into());
        }
        Some(Ok(operands))
    }

    fn dim(&self, n: Num, sizes: &Sizes<'_>) -> Option<Dim> {
        if let Some(Node::Atom(i)) = n.form().map(|form| self.forms.node(form)) {
            return Some(sizes[*i as usize].clone());
        }
        let n = u64::try_from(self.value(n, sizes)?).ok()?;
        (n <= Dim::MAX_SIZE).then_some(Dim::Size(n))
    }

    fn holds(&self, residual: &Residual, sizes: &Sizes<'_>) -> Option<bool> {
        Some(match residual {
            Residual::Zero(n) => self.value(*n, sizes)? == 0,
            Residual::NonZero(n) => self.value(*n, sizes)? != 0,
            Residual::NonNegative(n) => self.value(*n, sizes)? >= 0,
            Residual::Among(n, values) => values.contains(&self.value(*n, sizes)?),
            Residual::Broadcast(args, out) => {
                let out = self.value(*out, sizes)?;
                let mut is_one = true;
                for arg in args {
                    let n = self.value(*arg, sizes)?;
                    if n != 1 && n != out {
                        return Some(false);
                    }
                    is_one &= n == 1;
                }
                !is_one || out == 1
            }
        })
    }

    /// A number where all sizes are; `None` if they are not, or it has none that fits. Forms are nested no more deeply
    /// than their table allows.
    fn value(&self, n: Num, sizes: &Sizes<'_>) -> Option<i64> {
        let Some(form) = n.form() else { return n.int() };
        match self.forms.node(form) {
            Node::Atom(i) => match sizes[*i as usize] {
                Dim::Size(n) => i64::try_from(*n).ok(),
                _ => None,
            },
            Node::Sum(terms, constant) => {
                let mut sum = *constant;
                for (monomial, times) in terms {
                    let mut product = *times;
                    for g in monomial {
                        product = product.checked_mul(self.value((*g).into(), sizes)?)?;
                    }
                    sum = sum.checked_add(product)?;
                }
                Some(sum)
            }
            Node::Floor(a, b) => {
                let (a, b) = (self.value(*a, sizes)?, self.value(*b, sizes)?);
                (b > 0).then(|| a.div_euclid(b))
            }
            Node::Min(all) => self.values(all, sizes)?.into_iter().min(),
            Node::Max(all) => self.values(all, sizes)?.into_iter().max(),
            Node::Broadcast(all) => {
                let all = self.values(all, sizes)?;
                let others: SmallVec<[i64; 4]> = all.into_iter().filter(|n| *n != 1).collect();
                match others[..] {
                    [] => Some(1),
                    [first, ..] => others.iter().all(|n| *n == first).then_some(first),
                }
            }
        }
    }

    fn values(&self, all: &[Num], sizes: &Sizes<'_>) -> Option<SmallVec<[i64; 4]>> {
        all.iter().map(|n| self.value(*n, sizes)).collect()
    }
}

impl Requirement {
    fn new(forms: &Forms, residual: Residual) -> Requirement {
        if let Residual::Zero(n) = residual
            && let Some(form) = n.form()
            && let Node::Sum(terms, 0) = forms.node(form)
            && let [(a, 1), (b, -1)] | [(a, -1), (b, 1)] = &terms[..]
            && let ([a], [b]) = (&a[..], &b[..])
            && let (Node::Atom(a), Node::Atom(b)) = (forms.node(*a), forms.node(*b))
        {
            return Requirement::Same(*a as usize, *b as usize);
        }
        Requirement::Other(residual)
    }
}
