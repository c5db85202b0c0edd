//! [`Schemes`]: what a rule comes to for operands of some ranks and dtypes, whatever their sizes.
//!
//! A rule is calculated once with a name for every size that is given. What comes out are forms of these names, and
//! what has to hold between them; a query with operands of the same ranks and dtypes puts its sizes in their places,
//! be they integers, names or expressions. It is the same evaluation, done ahead of the sizes.

use super::operands::{Calculation, Operands, Symbolic};
use super::symbols::Symbols;
use super::types::{Names, dim_of, fresh_name};
use super::value::Value;
use super::{Buffers, OwnForms, Residual};
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
    entries: [OnceLock<Box<SchemeEntry>>; MAX_SCHEMES],
    /// There has been a query. The first one is calculated: it may be the only one.
    has_run: AtomicBool,
}

#[derive(Debug)]
struct SchemeEntry {
    pattern: OwnPattern,
    /// `None` if the engine, or the sizes, have a say in it.
    scheme: Option<Scheme>,
}

/// What is given of each operand, but for its sizes.
type Pattern<'t> = SmallVec<[Option<OperandPattern<&'t Contents>>; 6]>;

/// The dtype and the rank of an operand, which of its sizes are holes, one bit each, and its contents.
#[derive(Clone, Copy, Debug)]
struct OperandPattern<C> {
    dtype: Dtype,
    rank: u8,
    holes: u32,
    contents: Option<C>,
}

/// The same, kept.
type OwnPattern = Box<[Option<OperandPattern<Contents>>]>;

/// The sizes that are given, in order.
type Sizes<'t> = SmallVec<[&'t Dim; 12]>;

/// The sizes of one query, as numbers.
struct QuerySizes<'s, 't> {
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
    operands: Box<[Option<PlannedOperand>]>,
    /// Some holes have fresh names.
    has_fresh: bool,
    required: Box<[Requirement]>,
    /// It says nothing but which sizes are the same.
    is_plain: bool,
}

/// What the schemes say of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BySchemes {
    /// All operands are written.
    Written,
    /// There are none.
    Never,
    /// The rule has to be calculated with the sizes.
    Open,
    /// The same, since there is no scheme for these operands.
    Missing,
}

/// Where operands are written. If they are not, there is something to be cleared.
#[derive(Debug)]
pub struct Into<'a> {
    /// The inputs, if they are requested.
    pub inputs: Option<&'a mut Vec<Type>>,
    pub outputs: &'a mut Vec<Type>,
}

/// An operand that is not given, or not all of it.
#[derive(Debug)]
struct PlannedOperand {
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
    /// Writes the operands of a query by the scheme for them.
    pub fn run(&self, given: &Operands<'_>, into: Into<'_>) -> BySchemes {
        for entry in self.entries.iter().map_while(OnceLock::get) {
            if let Some(sizes) = entry.sizes_of(given) {
                let scheme = entry.scheme.as_ref();
                return match scheme.and_then(|scheme| scheme.apply(given, &sizes, into)) {
                    Some(true) => BySchemes::Written,
                    Some(false) => BySchemes::Never,
                    None => BySchemes::Open,
                };
            }
        }
        BySchemes::Missing
    }

    /// Makes a scheme for the operands of a call that has none, if that pays.
    pub fn add(&self, call: &Calculation<'_>) -> bool {
        if !self.has_run.load(Ordering::Relaxed) {
            self.has_run.store(true, Ordering::Relaxed);
            return false;
        }
        let is_free = |slot: &&OnceLock<_>| slot.get().is_none();
        let Some(slot) = self.entries.iter().find(is_free) else {
            return false;
        };
        let Some((pattern, sizes)) = pattern_of(call) else {
            return false;
        };
        let entry = SchemeEntry {
            scheme: Scheme::new(call, &pattern, sizes.len()),
            pattern: own(&pattern),
        };
        // Another thread may have filled the slot with another pattern.
        slot.set(Box::new(entry)).is_ok()
    }
}

impl SchemeEntry {
    /// The sizes of a query whose operands have this pattern; `None` if they have another one.
    #[inline]
    fn sizes_of<'q>(&self, given: &Operands<'q>) -> Option<Sizes<'q>> {
        let mut sizes = Sizes::new();
        if self.pattern.len() != given.count {
            return None;
        }
        for (i, (own, ty)) in self.pattern.iter().zip(given.each()).enumerate() {
            let (own, tensor) = match (own, &ty.kind) {
                (None, TypeKind::Unknown) if ty.conditions.is_empty() => continue,
                (Some(own), TypeKind::Tensor(tensor)) if ty.conditions.is_empty() => (own, tensor),
                _ => return None,
            };
            let dims = tensor.shape.known_dims();
            if dims.len() != usize::from(own.rank)
                || tensor.dtype.known() != Some(own.dtype)
                || tensor.shape.run().is_some()
                || own.contents != tensor.contents && !(given.is_tensor)(i)
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
        pattern.push(Some(OperandPattern {
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
        Some(OperandPattern {
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
        let found = Buffers::with(|buffers| call.call.evaluator(buffers, &mut forms).scheme(&call));
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
            Some(Some(PlannedOperand {
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
        let required: Box<[Requirement]> = required;
        let mut shown = operands.iter().flatten().flat_map(|own| &own.dims);
        let is_plain = shown.all(|dim| matches!(dim, Shown::Given(_) | Shown::Hole))
            && required.iter().all(|r| matches!(r, Requirement::Same(..)));
        Some(Scheme {
            is_plain,
            operands,
            has_fresh: !fresh.is_empty(),
            required,
            forms,
        })
    }

    /// Writes the operands. `false` if there are none; `None` if the rule has to be calculated with the sizes.
    fn apply(&self, given: &Operands<'_>, sizes: &Sizes<'_>, into: Into<'_>) -> Option<bool> {
        let has_expr = sizes.iter().any(|dim| matches!(dim, Dim::Expr(_)));
        if self.is_plain
            && !has_expr
            && let Some(holds) = self.holds_plainly(sizes)
        {
            let mut dim = |dim: &Shown| match dim {
                Shown::Given(place) => Some(sizes[*place].clone()),
                _ => Some(Dim::Hole),
            };
            return match holds {
                true => self.write(given, into, &mut dim).map(|()| true),
                false => Some(false),
            };
        }
        OwnForms::with(|forms| {
            let mut own = QuerySizes {
                sizes,
                forms,
                symbols: Symbols::default(),
                is_read: false,
            };
            // That an expression is a size has to hold, whatever the rule says of it.
            if has_expr {
                own.read_names()?;
            }
            for required in &self.required {
                let holds = match required {
                    Requirement::Same(a, b) => own.are_same(*a, *b)?,
                    Requirement::Other(residual) => self.holds(residual, &mut own)?,
                };
                if !holds {
                    return Some(false);
                }
            }
            if self.has_fresh {
                own.read_names()?;
                if own.symbols.names().any(|name| may_be_fresh(name)) {
                    return None;
                }
            }
            self.write(given, into, &mut |dim| self.dim(dim, &mut own))?;
            Some(true)
        })
    }

    /// Does all hold that is required, if that shows by a look at the sizes?
    fn holds_plainly(&self, sizes: &Sizes<'_>) -> Option<bool> {
        for required in &self.required {
            let Requirement::Same(a, b) = required else {
                return None;
            };
            match (sizes[*a], sizes[*b]) {
                (Dim::Size(a), Dim::Size(b)) if a == b => {}
                (Dim::Size(_), Dim::Size(_)) => return Some(false),
                (a, b) if a == b => {}
                _ => return None,
            }
        }
        Some(true)
    }

    fn write(
        &self,
        given: &Operands<'_>,
        into: Into<'_>,
        dim: &mut impl FnMut(&Shown) -> Option<Dim>,
    ) -> Option<()> {
        let count = given.inputs.len();
        let mut all = given.each().zip(&self.operands).enumerate();
        let mut put = |types: &mut Vec<Type>, i: usize, own: &Option<PlannedOperand>, ty: &Type| {
            match own {
                Some(own) => own.write(ty, types, dim)?,
                None if has_contents(ty) && (given.is_tensor)(i) => {
                    types.push(ty.clone().with_contents(None));
                }
                None => ty.push_to(types),
            }
            Some(())
        };
        match into.inputs {
            Some(types) => {
                types.reserve_exact(count);
                for (i, (ty, own)) in all.by_ref().take(count) {
                    put(types, i, own, ty)?;
                }
            }
            None => all.by_ref().take(count).for_each(drop),
        }
        into.outputs.reserve_exact(given.count - count);
        for (i, (ty, own)) in all {
            put(into.outputs, i, own, ty)?;
        }
        Some(())
    }

    /// A size of an operand.
    fn dim(&self, dim: &Shown, given: &mut QuerySizes<'_, '_>) -> Option<Dim> {
        match dim {
            Shown::Given(place) => match given.sizes[*place] {
                Dim::Expr(_) => {
                    let n = given.number(*place)?;
                    given.dim(n)
                }
                dim => Some(dim.clone()),
            },
            Shown::Form(n) => {
                let n = self.value(*n, given)?;
                given.dim(n)
            }
            Shown::Hole => Some(Dim::Hole),
            Shown::Fresh(i) => Some(Dim::Name(fresh_name(*i))),
        }
    }

    /// Does it hold? `None` if that depends on names.
    fn holds(&self, residual: &Residual, given: &mut QuerySizes<'_, '_>) -> Option<bool> {
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
    fn value(&self, n: Num, given: &mut QuerySizes<'_, '_>) -> Option<Num> {
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

    fn values(&self, all: &[Num], given: &mut QuerySizes<'_, '_>) -> Option<SmallVec<[Num; 4]>> {
        all.iter().map(|n| self.value(*n, given)).collect()
    }
}

impl PlannedOperand {
    /// Writes the type of an operand of which not everything is given. What is given is written as it was.
    fn write(
        &self,
        given: &Type,
        types: &mut Vec<Type>,
        dim: &mut impl FnMut(&Shown) -> Option<Dim>,
    ) -> Option<()> {
        let given = given.as_tensor();
        let given = given.map_or(&[][..], |own| own.shape.known_dims());
        Type::push_tensor(types, self.dtype, |shape| {
            for (i, shown) in self.dims.iter().enumerate() {
                shape.push(match given.get(i) {
                    Some(dim @ Dim::Expr(_)) => dim.clone(),
                    _ => dim(shown)?,
                });
            }
            Some(())
        })
    }
}

impl QuerySizes<'_, '_> {
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
