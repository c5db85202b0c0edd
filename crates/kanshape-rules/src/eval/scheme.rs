//! [`Schemes`]: what a rule comes to for operands of some ranks and dtypes, whatever their sizes.
//!
//! A rule is calculated once with a name for every size that is given. What comes out are forms of these names, and
//! what has to hold between them; a query with operands of the same ranks and dtypes puts its sizes in their places.
//! It is the same evaluation, done ahead of the sizes.

use super::operands::{Calculated, Calculation, Symbolic};
use super::types::fresh_name;
use super::value::Value;
use super::{Buffers, Evaluator, Residual, Stop};
use crate::limits::{MAX_SCHEME_SIZES, MAX_SCHEMES};
use kanshape_engine::{Forms, Node, Num};
use kanshape_types::{Content, Contents, Dim, Dtype, Shape, Tensor, Type, TypeKind};
use smallvec::SmallVec;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a rule comes to, by the ranks and dtypes of the operands that are given. It only grows.
#[derive(Debug, Default)]
pub struct Schemes {
    entries: [OnceLock<Box<Entry>>; MAX_SCHEMES],
    /// There has been a query. The first one is calculated: it may be the only one.
    has_run: AtomicBool,
}

#[derive(Debug)]
struct Entry {
    pattern: OwnPattern,
    /// `None` if the engine, or the sizes, have a say in it.
    scheme: Option<Scheme>,
}

/// What is given of each operand, but for its sizes.
type Pattern<'t> = SmallVec<[Option<Form<&'t Contents>>; 6]>;

/// The dtype and the rank of an operand, which of its sizes are holes, one bit each, and its contents.
#[derive(Clone, Copy, Debug)]
struct Form<C> {
    dtype: Dtype,
    rank: u8,
    holes: u32,
    contents: Option<C>,
}

/// The same, kept.
type OwnPattern = Box<[Option<Form<Contents>>]>;

/// The sizes that are given, in order.
type Sizes<'t> = SmallVec<[&'t Dim; 12]>;

#[derive(Debug)]
struct Scheme {
    forms: Forms,
    /// The dtype and the dims of each operand that is not given.
    operands: Box<[Option<Found>]>,
    /// Some holes have fresh names.
    has_fresh: bool,
    required: Box<[Requirement]>,
}

/// An operand that is not given, or not all of it.
#[derive(Debug)]
struct Found {
    dtype: Dtype,
    dims: Box<[Shown]>,
}

/// A size of such an operand.
#[derive(Debug)]
enum Shown {
    /// One of the sizes that are given.
    Given(usize),
    /// A form of them.
    Form(Num),
    /// A hole that is shown nowhere else.
    Hole,
    /// A hole that is shown more than once: it is called by the fresh name with this number.
    Fresh(usize),
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
    pub fn run(&self, call: &Calculation<'_>) -> Option<Result<Calculated, Stop>> {
        if !self.has_run.load(Ordering::Relaxed) {
            self.has_run.store(true, Ordering::Relaxed);
            return None;
        }
        for slot in &self.entries {
            let entry = match slot.get() {
                Some(entry) => entry,
                None => {
                    let (pattern, sizes) = pattern_of(call)?;
                    slot.get_or_init(|| {
                        Box::new(Entry {
                            scheme: Scheme::new(call, &pattern, sizes.len()),
                            pattern: own(&pattern),
                        })
                    })
                }
            };
            // Another thread may have filled the slot with another pattern.
            if let Some(sizes) = entry.sizes_of(call) {
                return entry.scheme.as_ref()?.apply(call, &sizes);
            }
        }
        None
    }
}

impl Entry {
    /// The sizes of a call whose operands have this pattern; `None` if they have another one.
    #[inline]
    fn sizes_of<'q>(&self, call: &Calculation<'q>) -> Option<Sizes<'q>> {
        let mut sizes = Sizes::new();
        if self.pattern.len() != call.operands.len() {
            return None;
        }
        for (i, (own, ty)) in self.pattern.iter().zip(call.operands).enumerate() {
            let (own, tensor) = match (own, &ty.kind) {
                (None, TypeKind::Unknown) if ty.conditions.is_empty() => continue,
                (Some(own), TypeKind::Tensor(tensor)) if ty.conditions.is_empty() => (own, tensor),
                _ => return None,
            };
            let dims = tensor.shape.dims();
            if dims.len() != usize::from(own.rank)
                || tensor.dtype.known() != Some(own.dtype)
                || tensor.shape.run().is_some()
                || own.contents != tensor.contents && !(call.is_tensor)(i)
            {
                return None;
            }
            for (i, dim) in dims.iter().enumerate() {
                let is_hole = own.holes & (1 << i) != 0;
                let is_same = match dim {
                    Dim::Size(n) => !is_hole && *n <= Dim::MAX_SIZE,
                    Dim::Name(_) => !is_hole,
                    Dim::Hole => is_hole,
                    _ => false,
                };
                if !is_same {
                    return None;
                }
                sizes.push(dim);
            }
        }
        Some(sizes)
    }
}

/// The pattern of the operands of a call, and their sizes; `None` if more is given of one than names and numbers.
fn pattern_of<'q>(call: &Calculation<'q>) -> Option<(Pattern<'q>, Sizes<'q>)> {
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
        if is_forwards && i >= call.inputs || tensor.shape.run().is_some() {
            return None;
        }
        let contents = tensor.contents.as_ref();
        // A pattern of dims says nothing of them.
        let contents = contents.filter(|_| !(call.is_tensor)(i));
        // The names in them are not the placeholders of the sizes.
        if contents.is_some_and(|contents| contents.iter().any(is_of_names)) {
            return None;
        }
        let dims = tensor.shape.dims();
        if sizes.len() + dims.len() > MAX_SCHEME_SIZES {
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
            contents,
        }));
    }
    Some((pattern, sizes))
}

fn is_of_names(member: &Content) -> bool {
    matches!(member, Content::Name(_) | Content::Expr(_))
}

fn own(pattern: &Pattern<'_>) -> OwnPattern {
    let forms = pattern.iter().map(|form| {
        let form = (*form)?;
        Some(Form {
            dtype: form.dtype,
            rank: form.rank,
            holes: form.holes,
            contents: form.contents.cloned(),
        })
    });
    forms.collect()
}

impl Scheme {
    fn new(call: &Calculation<'_>, pattern: &Pattern<'_>, sizes: usize) -> Option<Scheme> {
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
                    let tensor = Tensor::new(form.dtype, dims.collect::<Shape>());
                    tensor.with_contents(form.contents.cloned()).into()
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
        let mut holes: SmallVec<[bool; MAX_SCHEME_SIZES]> = SmallVec::new();
        for form in pattern.iter().flatten() {
            holes.extend((0..form.rank).map(|i| form.holes & (1 << i) != 0));
        }
        let has_no_hole = |n: &Num| {
            forms.all_generators(*n, &mut |g| match forms.node(g) {
                Node::Atom(place) => !holes[*place as usize],
                _ => true,
            })
        };
        let hole_of = |n: &Num| match forms.node(n.form()?) {
            Node::Atom(place) if holes[*place as usize] => Some(*place as usize),
            _ => None,
        };
        let mut counts: SmallVec<[u32; MAX_SCHEME_SIZES]> = SmallVec::from_elem(0, holes.len());
        for value in &values {
            let Value::Tensor(tensor) = value else {
                continue;
            };
            for place in tensor.shape.iter().filter_map(hole_of) {
                counts[place] += 1;
            }
        }
        let mut fresh: SmallVec<[usize; 4]> = SmallVec::new();
        let mut shown = |n: &Num| {
            if let Some(place) = hole_of(n) {
                if counts[place] < 2 {
                    return Some(Shown::Hole);
                }
                let known = fresh.iter().position(|own| *own == place);
                return Some(Shown::Fresh(known.unwrap_or_else(|| {
                    fresh.push(place);
                    fresh.len() - 1
                })));
            }
            match n.form().map(|form| forms.node(form)) {
                Some(Node::Atom(place)) => Some(Shown::Given(*place as usize)),
                _ => has_no_hole(n).then_some(Shown::Form(*n)),
            }
        };
        let operands = values.into_iter().zip(pattern).map(|(value, own)| {
            if own.is_some_and(|form| form.holes == 0) {
                return Some(None);
            }
            let Value::Tensor(tensor) = value else {
                return None;
            };
            if tensor.contents.is_some() {
                return None;
            }
            let dims: Option<Box<[Shown]>> = tensor.shape.iter().map(&mut shown).collect();
            Some(Some(Found {
                dtype: tensor.dtype.known()?,
                dims: dims?,
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
        let operands = operands?;
        Some(Scheme {
            operands,
            has_fresh: !fresh.is_empty(),
            required,
            forms,
        })
    }

    /// `None` if the sizes have to be calculated with.
    fn apply(&self, call: &Calculation<'_>, sizes: &Sizes<'_>) -> Option<Result<Calculated, Stop>> {
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
        if self.has_fresh && sizes.iter().any(|dim| may_be_fresh(dim)) {
            return None;
        }
        let (inputs, outputs) = self.operands.split_at(call.inputs);
        let given = call.operands.split_at(call.inputs);
        let types = |found: &[Option<Found>], given: &[&Type], before: usize| {
            let mut types = Vec::with_capacity(found.len());
            for (i, (own, given)) in found.iter().zip(given).enumerate() {
                match own {
                    Some(found) => types.push(self.ty(found, sizes)?),
                    None if has_contents(given) && (call.is_tensor)(before + i) => {
                        types.push((*given).clone().with_contents(None));
                    }
                    None => types.push((*given).clone()),
                }
            }
            Some(types)
        };
        Some(Ok(Calculated {
            inputs: types(inputs, given.0, 0)?,
            outputs: types(outputs, given.1, call.inputs)?,
            params: Vec::new(),
        }))
    }

    fn ty(&self, Found { dtype, dims }: &Found, sizes: &Sizes<'_>) -> Option<Type> {
        let mut shape = Shape::default();
        for dim in dims {
            shape.push(match dim {
                Shown::Given(place) => sizes[*place].clone(),
                Shown::Form(n) => {
                    let n = u64::try_from(self.value(*n, sizes)?).ok()?;
                    Some(Dim::Size(n)).filter(|_| n <= Dim::MAX_SIZE)?
                }
                Shown::Hole => Dim::Hole,
                Shown::Fresh(i) => Dim::Name(fresh_name(*i)),
            });
        }
        Some(Tensor::new(*dtype, shape).into())
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
            // The dtypes of a scheme are known.
            Residual::DtypeAmong(..) | Residual::SameDtype(..) => return None,
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

fn has_contents(ty: &Type) -> bool {
    ty.as_tensor()
        .is_some_and(|tensor| tensor.contents.is_some())
}

/// May a size be named as those are that have no name?
fn may_be_fresh(dim: &Dim) -> bool {
    matches!(dim, Dim::Name(name) if name.as_str().starts_with('d'))
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
