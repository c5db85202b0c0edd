//! [`Schemes`]: what a rule comes to for operands of some ranks and dtypes, whatever their sizes.
//!
//! A rule is calculated once with a name for every size that is given. What comes out are forms of these names, and
//! what has to hold between them; a query with operands of the same ranks and dtypes puts its sizes in their places,
//! be they integers, names or expressions. It is the same evaluation, done ahead of the sizes.

use super::operands::{Calculated, Calculation, Symbolic};
use super::symbols::Symbols;
use super::types::{Names, dim_of, fresh_name};
use super::value::Value;
use super::{Buffers, Evaluator, OwnForms, Residual, Stop};
use crate::encode::size;
use crate::limits::{MAX_SCHEME_SIZES, MAX_SCHEMES};
use kanshape_engine::{Forms, Node, Num};
use kanshape_types::{Content, Contents, Dim, Dtype, Name, Shape, Tensor, Type, TypeKind};
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

/// The sizes of one query, as numbers.
struct Given<'s, 't> {
    sizes: &'s Sizes<'t>,
    /// The table of those that are no integers.
    forms: &'s mut Forms,
    symbols: Symbols,
    /// Have all names been numbered?
    is_read: bool,
}

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
            let dims = tensor.shape.known_dims();
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
                    Dim::Name(_) | Dim::Expr(_) => !is_hole,
                    Dim::Hole => is_hole,
                    Dim::Nominal(_) => false,
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

/// The pattern of the operands of a call, and their sizes; `None` if more is given of one than sizes.
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
        let dims = tensor.shape.known_dims();
        if sizes.len() + dims.len() > MAX_SCHEME_SIZES {
            return None;
        }
        let mut holes = 0;
        for (i, dim) in dims.iter().enumerate() {
            match dim {
                Dim::Size(n) if *n <= Dim::MAX_SIZE => {}
                Dim::Name(_) | Dim::Expr(_) => {}
                Dim::Hole => holes |= 1 << i,
                Dim::Size(_) | Dim::Nominal(_) => return None,
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
        let mut names = (0..sizes).map(|i| Dim::Name(Name::word(format!("n{i}"))));
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

    /// `None` if the rule has to be calculated with the sizes.
    fn apply(&self, call: &Calculation<'_>, sizes: &Sizes<'_>) -> Option<Result<Calculated, Stop>> {
        OwnForms::with(|forms| {
            let mut given = Given {
                sizes,
                forms,
                symbols: Symbols::default(),
                is_read: false,
            };
            // That an expression is a size has to hold, whatever the rule says of it.
            if sizes.iter().any(|dim| matches!(dim, Dim::Expr(_))) {
                given.read_names()?;
            }
            self.apply_to(call, &mut given)
        })
    }

    fn apply_to(
        &self,
        call: &Calculation<'_>,
        sizes: &mut Given<'_, '_>,
    ) -> Option<Result<Calculated, Stop>> {
        for required in &self.required {
            let holds = match required {
                Requirement::Same(a, b) => sizes.are_same(*a, *b)?,
                Requirement::Other(residual) => self.holds(residual, sizes)?,
            };
            if !holds {
                return Some(Err(Stop::Fail));
            }
        }
        if self.has_fresh {
            sizes.read_names()?;
            if sizes.symbols.names().any(|name| may_be_fresh(name)) {
                return None;
            }
        }
        let (inputs, outputs) = self.operands.split_at(call.inputs);
        let given = call.operands.split_at(call.inputs);
        let mut types = |found: &[Option<Found>], given: &[&Type], before: usize| {
            let mut types = Vec::with_capacity(found.len());
            for (i, (own, given)) in found.iter().zip(given).enumerate() {
                match own {
                    Some(found) => types.push(self.ty(found, given, sizes)?),
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
            required: Vec::new(),
        }))
    }

    /// The type of an operand of which not everything is given. What is given is written as it was.
    fn ty(&self, found: &Found, own: &Type, given: &mut Given<'_, '_>) -> Option<Type> {
        let own = own
            .as_tensor()
            .map_or(&[][..], |own| own.shape.known_dims());
        let mut shape = Shape::default();
        for (i, dim) in found.dims.iter().enumerate() {
            if let Some(dim @ Dim::Expr(_)) = own.get(i) {
                shape.push(dim.clone());
                continue;
            }
            shape.push(match dim {
                Shown::Given(place) => match given.sizes[*place] {
                    Dim::Expr(_) => {
                        let n = given.number(*place)?;
                        given.dim(n)?
                    }
                    dim => dim.clone(),
                },
                Shown::Form(n) => {
                    let n = self.value(*n, given)?;
                    given.dim(n)?
                }
                Shown::Hole => Dim::Hole,
                Shown::Fresh(i) => Dim::Name(fresh_name(*i)),
            });
        }
        Some(Tensor::new(found.dtype, shape).into())
    }

    /// Does it hold? `None` if that depends on names.
    fn holds(&self, residual: &Residual, given: &mut Given<'_, '_>) -> Option<bool> {
        Some(match residual {
            Residual::Zero(n) => {
                let n = self.value(*n, given)?;
                given.forms.is_zero(n)?
            }
            Residual::NonZero(n) => {
                let n = self.value(*n, given)?;
                !given.forms.is_zero(n)?
            }
            Residual::NonNegative(n) => {
                let n = self.value(*n, given)?;
                match given.forms.bounds(n) {
                    (0.., _) => true,
                    (_, ..0) => false,
                    _ => return None,
                }
            }
            Residual::Among(n, values) => values.contains(&self.value(*n, given)?.int()?),
            Residual::Broadcast(args, out) => {
                let out = self.value(*out, given)?;
                let mut is_one = true;
                for arg in args {
                    let n = self.value(*arg, given)?;
                    if n != Num::ONE && n != out {
                        let is_known = n.int().is_some() && out.int().is_some();
                        return is_known.then_some(false);
                    }
                    is_one &= n == Num::ONE;
                }
                !is_one || given.forms.are_same(out, Num::ONE)?
            }
            // The dtypes of a scheme are known.
            Residual::DtypeAmong(..) | Residual::SameDtype(..) => return None,
        })
    }

    /// A number of the scheme with the sizes in it; `None` if it has no value that fits. Forms are nested no more deeply
    /// than their table allows.
    fn value(&self, n: Num, given: &mut Given<'_, '_>) -> Option<Num> {
        let Some(form) = n.form() else { return Some(n) };
        match self.forms.node(form) {
            Node::Atom(i) => given.number(*i as usize),
            Node::Sum(terms, constant) => {
                let mut sum = *constant;
                // The products that are no integers.
                let mut open: SmallVec<[(Num, i64); 4]> = SmallVec::new();
                for (monomial, times) in terms {
                    let mut product = Num::ONE;
                    for g in monomial {
                        let factor = self.value((*g).into(), given)?;
                        product = given.forms.mul(product, factor).ok()?;
                    }
                    match product.int() {
                        Some(n) => sum = sum.checked_add(n.checked_mul(*times)?)?,
                        None => open.push((product, *times)),
                    }
                }
                let sum = Num::new(sum).ok()?;
                if open.is_empty() {
                    return Some(sum);
                }
                open.push((sum, 1));
                given.forms.combine(&open).ok()
            }
            Node::Floor(a, b) => {
                let (a, b) = (self.value(*a, given)?, self.value(*b, given)?);
                given.forms.floor_div(a, b).ok()
            }
            Node::Min(all) => {
                let all = self.values(all, given)?;
                given.forms.min(&all).ok()
            }
            Node::Max(all) => {
                let all = self.values(all, given)?;
                given.forms.max(&all).ok()
            }
            Node::Broadcast(all) => {
                let all = self.values(all, given)?;
                given.forms.broadcast(&all).ok()
            }
        }
    }

    fn values(&self, all: &[Num], given: &mut Given<'_, '_>) -> Option<SmallVec<[Num; 4]>> {
        all.iter().map(|n| self.value(*n, given)).collect()
    }
}

impl Given<'_, '_> {
    /// Numbers the names of the sizes in their order, which is how a calculation numbers them. `None` if an expression
    /// among the sizes may be below 0, or is beyond the normal form.
    fn read_names(&mut self) -> Option<()> {
        if self.is_read {
            return Some(());
        }
        for place in 0..self.sizes.len() {
            if !matches!(self.sizes[place], Dim::Size(_) | Dim::Hole) {
                let n = self.read(place)?;
                self.forms.is_natural(n).then_some(())?;
            }
        }
        self.is_read = true;
        Some(())
    }

    /// A size as a number.
    fn number(&mut self, place: usize) -> Option<Num> {
        if !matches!(self.sizes[place], Dim::Size(_)) {
            self.read_names()?;
        }
        self.read(place)
    }

    fn read(&mut self, place: usize) -> Option<Num> {
        match self.sizes[place] {
            Dim::Size(n) => Num::new(i64::try_from(*n).ok()?).ok(),
            Dim::Name(name) => Some(self.symbols.named(self.forms, name)),
            Dim::Expr(e) => size::read(self.forms, &mut self.symbols, e).ok(),
            Dim::Nominal(_) | Dim::Hole => None,
        }
    }

    /// A number as a dim; `None` for one below 0.
    fn dim(&mut self, n: Num) -> Option<Dim> {
        dim_of(self.forms, &self.symbols, &mut Names::default(), n).ok()
    }

    /// Are two sizes the same? `None` if that depends on names.
    fn are_same(&mut self, a: usize, b: usize) -> Option<bool> {
        match (self.sizes[a], self.sizes[b]) {
            (Dim::Size(a), Dim::Size(b)) => Some(a == b),
            (one, other) if one == other => Some(true),
            _ => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                self.forms.are_same(a, b)
            }
        }
    }
}

fn has_contents(ty: &Type) -> bool {
    ty.as_tensor()
        .is_some_and(|tensor| tensor.contents.is_some())
}

/// May a name be one of those that sizes get that have none?
fn may_be_fresh(name: &str) -> bool {
    name.starts_with('d')
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
