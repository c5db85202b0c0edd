//! Types as values, and back.

use super::number::int;
use super::operands::{Calculated, Calculation};
use super::store::{Store, Val};
use super::symbols::Symbols;
use super::value::{Node, Numbers, Tensor, Value};
use super::{Evaluator, Stop};
use crate::encode::Labels;
use crate::encode::float;
use crate::encode::size::{Writer, atom_of};
use crate::limits::MAX_VALUE_DEPTH;
use kanshape_engine::{Forms, Num};
use kanshape_syntax::tree::{Expr, Span, Spanned};
use kanshape_types::{
    Content, Contents, Dim, Dtype, DtypeSet, Name, Shape, Tensor as TensorType, Type, TypeKind,
};
use smallvec::SmallVec;
use std::sync::{Arc, LazyLock};

impl Value {
    /// A type of which everything is known, but for the contents of tensors, of which nothing may be known. `None`
    /// for all others, and for those whose label a library does not have.
    pub fn of_type(ty: &Type, labels: &Labels) -> Option<Value> {
        if !ty.conditions.is_empty() {
            return None;
        }
        Some(match &ty.kind {
            TypeKind::Tensor(tensor) => Value::Tensor(Arc::new(Tensor::of_type(tensor)?)),
            TypeKind::Tuple(_) | TypeKind::Adt(..) | TypeKind::User(..) => {
                let label = labels.find(ty)?;
                let parts = ty.parts().map(|part| Value::of_type(part, labels));
                let parts: Option<Box<[Value]>> = parts.collect();
                Value::Node(Arc::new(Node::new(label, parts?)?))
            }
            TypeKind::Unknown | TypeKind::Var(_) | TypeKind::Fn(_) => return None,
        })
    }

    /// A value in which there are no names as a type. `None` if it is none, or has texts in it.
    pub fn to_type(&self, labels: &Labels) -> Option<Type> {
        match self {
            Value::Tensor(tensor) => {
                let dim = |n: Num| Some(Dim::Size(u64::try_from(n.int()?).ok()?));
                let shape: Option<Shape> = tensor.shape.iter().map(|n| dim(*n)).collect();
                let dtype = tensor.dtype.known()?;
                let ty = TensorType::new(dtype, shape?);
                let Some(contents) = tensor.contents.as_deref() else {
                    return Some(ty.into());
                };
                let members = contents.iter().map(|n| member(dtype, n.int()?));
                let contents = Contents::new(members.collect::<Option<Vec<Content>>>()?)?;
                Some(ty.with_contents(Some(contents)).into())
            }
            Value::Node(node) => {
                let parts = node.parts.iter().map(|part| part.to_type(labels));
                let parts: Option<Vec<Type>> = parts.collect();
                Some(labels.build(node.label, parts?))
            }
        }
    }
}

impl Tensor {
    /// A tensor of which everything is known; of its contents it may be nothing.
    fn of_type(ty: &TensorType) -> Option<Tensor> {
        let contents = match &ty.contents {
            None => None,
            Some(contents) => Some(contents.iter().map(known_member).collect::<Option<_>>()?),
        };
        let size = |dim: &Dim| match dim {
            Dim::Size(n) if *n <= Dim::MAX_SIZE => int((*n).into()).ok(),
            _ => None,
        };
        let shape: Option<Numbers> = match ty.shape.run() {
            Some(_) => None,
            None => ty.shape.known_dims().iter().map(size).collect(),
        };
        Some(Tensor {
            dtype: ty.dtype.known()?.into(),
            shape: shape?,
            contents,
            extremes: None,
        })
    }
}

/// The number of a member that is known; `None` also for a text.
fn known_member(content: &Content) -> Option<Num> {
    match content {
        Content::Int(n) => Num::new(*n).ok(),
        Content::Bool(truth) => Some(Num::from(u32::from(*truth))),
        Content::Float(x) => int(float::code(x.get())).ok(),
        _ => None,
    }
}

/// An integer as a member of a tensor with this dtype.
fn member(dtype: Dtype, n: i64) -> Option<Content> {
    let set = DtypeSet::from(dtype);
    if set.is_subset(DtypeSet::INT.union(DtypeSet::UINT)) {
        Some(Content::whole(n, set))
    } else if set == DtypeSet::BOOL {
        Some(Content::Bool(n != 0))
    } else if set.is_subset(DtypeSet::FLOAT) {
        float::value(i128::from(n)).map(Content::from)
    } else {
        None
    }
}

impl<'a> Evaluator<'a> {
    /// What is given of an operand: `None` if that is nothing.
    pub(super) fn load_operand(
        &mut self,
        ty: &Type,
        is_tensor: bool,
        labels: &Labels,
    ) -> Result<Option<Val>, Stop> {
        match ty.is_unknown() && ty.conditions.is_empty() {
            true => Ok(None),
            false => self
                .load_nested(ty, is_tensor, labels, MAX_VALUE_DEPTH)
                .map(Some),
        }
    }

    /// A type that is given.
    pub(super) fn load_type(&mut self, ty: &Type, labels: &Labels) -> Result<Val, Stop> {
        self.load_nested(ty, false, labels, MAX_VALUE_DEPTH)
    }

    fn load_nested(
        &mut self,
        ty: &Type,
        is_tensor: bool,
        labels: &Labels,
        deep: usize,
    ) -> Result<Val, Stop> {
        if !ty.conditions.is_empty() {
            return Err(Stop::Leave);
        }
        match &ty.kind {
            TypeKind::Tensor(tensor) => {
                let dtype = tensor.dtype.known().ok_or(Stop::Leave)?;
                if tensor.shape.run().is_some() {
                    return Err(Stop::Leave);
                }
                let start = self.store.mark();
                for dim in tensor.shape.known_dims() {
                    let dim = match self.load_dim(dim)? {
                        Some(dim) => dim,
                        None => self.symbols.hole(self.forms),
                    };
                    self.store.push_number(dim);
                }
                let shape = self.store.list_since(start)?;
                let contents = match &tensor.contents {
                    Some(contents) if !is_tensor => {
                        let mut members: SmallVec<[Num; 8]> = SmallVec::new();
                        for content in contents {
                            members.push(self.load_member(tensor.dtype.known(), content)?);
                        }
                        Some(self.store.push_numbers(&members)?)
                    }
                    _ => None,
                };
                self.store.push_tensor(dtype.into(), shape, contents, None)
            }
            TypeKind::Tuple(_) | TypeKind::Adt(..) | TypeKind::User(..) => {
                let label = labels.find(ty).ok_or(Stop::Leave)?;
                let deep = deep.checked_sub(1).ok_or(Stop::Leave)?;
                let mut parts: SmallVec<[Val; 4]> = SmallVec::new();
                for part in ty.parts() {
                    parts.push(self.load_nested(part, false, labels, deep)?);
                }
                Ok(Val::Node(label, self.store.push_cells(&parts)?))
            }
            TypeKind::Unknown | TypeKind::Var(_) | TypeKind::Fn(_) => Err(Stop::Leave),
        }
    }

    /// The size that a dim denotes; `None` for a hole.
    #[inline]
    pub(super) fn load_dim(&mut self, dim: &Dim) -> Result<Option<Num>, Stop> {
        Ok(Some(match dim {
            Dim::Size(n) if *n <= Dim::MAX_SIZE => Num::new(*n as i64)?,
            Dim::Name(name) => self.symbols.named(self.forms, name),
            Dim::Hole => return Ok(None),
            Dim::Expr(e) => {
                let n = self.read(e)?;
                self.natural(n)?;
                n
            }
            Dim::Size(_) | Dim::Nominal(_) => return Err(Stop::Leave),
        }))
    }

    pub(super) fn load_member(
        &mut self,
        dtype: Option<Dtype>,
        content: &Content,
    ) -> Result<Num, Stop> {
        if let Some(known) = known_member(content) {
            return Ok(known);
        }
        let is_int = dtype.is_some_and(|d| DtypeSet::INT.union(DtypeSet::UINT).contains(d));
        match content {
            Content::Name(name) if is_int => Ok(self.symbols.named(self.forms, name)),
            Content::Expr(e) if is_int => self.read(e),
            _ => Err(Stop::Leave),
        }
    }

    /// The types that have come out. What was given is written as it was, apart from its holes.
    pub(super) fn write(
        &mut self,
        call: &Calculation<'_>,
        given: &[Option<Val>],
        results: &[Val],
        params: &[Val],
    ) -> Result<Calculated, Stop> {
        let holes = self.symbols.has_holes();
        let mut names = Names::default();
        if holes {
            for val in results {
                self.count(*val, &mut names)?;
            }
            for val in params {
                let n = self.resolved(val.num()?)?;
                self.forms.for_each_atom(n, &mut |atom| names.note(atom, 2));
            }
        }
        let mut calculated = Calculated {
            inputs: Vec::with_capacity(call.inputs),
            outputs: Vec::with_capacity(results.len() - call.inputs),
            params: Vec::new(),
            required: Vec::new(),
        };
        for (i, val) in results.iter().enumerate() {
            let is_loaded = given.get(i).is_some_and(Option::is_some);
            let own = call.operands.get(i).copied();
            let into = match i < call.inputs {
                true => &mut calculated.inputs,
                false => &mut calculated.outputs,
            };
            into.push(match own {
                Some(ty) if is_loaded && !holes && !has_expr(ty) => match (call.is_tensor)(i) {
                    true => ty.clone().with_contents(None),
                    false => ty.clone(),
                },
                own => self.written(*val, own, call.labels, &mut names)?,
            });
        }
        for (val, given) in params.iter().zip(call.params) {
            let dim = match given {
                Some(dim) if **dim != Dim::Hole => (*dim).clone(),
                _ => {
                    let n = self.resolved(val.num()?)?;
                    self.dim(n, &mut names)?
                }
            };
            calculated.params.push(dim);
        }
        Ok(calculated)
    }

    /// Counts how often holes are written.
    fn count(&mut self, val: Val, names: &mut Names) -> Result<(), Stop> {
        match val {
            Val::Tensor(place) => {
                let tensor = self.store.tensor(place);
                for i in 0..tensor.shape.len() {
                    let n = self.store.number(tensor.shape, i);
                    let n = self.resolved(n)?;
                    let times = match n.form().and_then(|f| atom_of(self.forms, f)) {
                        Some(_) => 1,
                        // Inside an expression a name is needed, however rare.
                        None => 2,
                    };
                    self.forms
                        .for_each_atom(n, &mut |atom| names.note(atom, times));
                }
                for i in 0..tensor.contents.map_or(0, |c| c.len()) {
                    if let Some(contents) = tensor.contents {
                        let n = self.store.number(contents, i);
                        let n = self.resolved(n)?;
                        self.forms.for_each_atom(n, &mut |atom| names.note(atom, 1));
                    }
                }
                Ok(())
            }
            Val::Node(_, cells) => {
                for i in 0..cells.len() {
                    let part = self.store.cells(cells)[i];
                    self.count(part, names)?;
                }
                Ok(())
            }
            _ => Err(Stop::Leave),
        }
    }

    /// A value as the type that an answer has. [`Stop::Leave`] if it is none, or has texts in it.
    /// Sizes that were given are written as they were.
    fn written(
        &mut self,
        val: Val,
        given: Option<&Type>,
        labels: &Labels,
        names: &mut Names,
    ) -> Result<Type, Stop> {
        match val {
            Val::Tensor(place) => {
                let tensor = self.store.tensor(place);
                let own = given.and_then(Type::as_tensor).map(|t| &t.shape);
                let own = own
                    .filter(|shape| shape.run().is_none())
                    .map_or(&[][..], Shape::known_dims);
                let mut shape = Shape::default();
                for i in 0..tensor.shape.len() {
                    if let Some(dim) = own.get(i).filter(|dim| **dim != Dim::Hole) {
                        shape.push(dim.clone());
                        continue;
                    }
                    let n = self.store.number(tensor.shape, i);
                    let n = self.resolved(n)?;
                    shape.push(self.dim(n, names)?);
                }
                let dtype = tensor.dtype.known().ok_or(Stop::Leave)?;
                let ty = TensorType::new(dtype, shape);
                let Some(list) = tensor.contents else {
                    return Ok(ty.into());
                };
                let mut members: Vec<Content> = Vec::with_capacity(list.len());
                for i in 0..list.len() {
                    let n = self.store.number(list, i);
                    let n = self.resolved(n)?;
                    members.push(match n.int() {
                        Some(n) => member(dtype, n).ok_or(Stop::Leave)?,
                        None if DtypeSet::FLOAT.contains(dtype) => return Err(Stop::Leave),
                        None => Content::from(self.dim(n, names)?),
                    });
                }
                let contents = Contents::new(members).ok_or(Stop::Leave)?;
                let contents = Some(contents).filter(|c| c.is_empty() || c.say_something());
                Ok(ty.with_contents(contents).into())
            }
            Val::Node(label, cells) => {
                let mut own = given.into_iter().flat_map(Type::parts);
                let mut parts: Vec<Type> = Vec::with_capacity(cells.len());
                for i in 0..cells.len() {
                    let part = self.store.cells(cells)[i];
                    parts.push(self.written(part, own.next(), labels, names)?);
                }
                Ok(labels.build(label, parts))
            }
            _ => Err(Stop::Leave),
        }
    }

    fn dim(&mut self, n: Num, names: &mut Names) -> Result<Dim, Stop> {
        dim_of(self.forms, &self.symbols, names, n)
    }
}

/// The dim that a number is.
///
/// # Errors
/// [`Stop::Leave`] for one below 0.
pub(super) fn dim_of(
    forms: &mut Forms,
    symbols: &Symbols,
    names: &mut Names,
    n: Num,
) -> Result<Dim, Stop> {
    if let Some(n) = n.int() {
        return match u64::try_from(n) {
            Ok(n) => Ok(Dim::Size(n)),
            Err(_) => Err(Stop::Leave),
        };
    }
    if let Some(atom) = n.form().and_then(|f| atom_of(forms, f)) {
        return Ok(match names.is_hole(atom, symbols) {
            true => Dim::Hole,
            false => Dim::Name(names.name(atom, symbols)),
        });
    }
    Ok(Dim::expr(written(forms, symbols, names, n)))
}

/// Is an expression among the contents of a tensor?
fn has_expr(ty: &Type) -> bool {
    let mut members = ty
        .contents()
        .into_iter()
        .flat_map(|contents| contents.iter());
    members.any(|member| matches!(member, Content::Expr(_)))
}

fn written(forms: &mut Forms, symbols: &Symbols, names: &mut Names, n: Num) -> Expr {
    let mut name = |atom: u32| {
        let name = names.name(atom, symbols);
        Expr::Name(Spanned::new(name.as_str().into(), Span::default()))
    };
    let mut writer = Writer {
        forms,
        name: &mut name,
    };
    writer.write(n)
}

/// The names that holes get where they are written more than once.
#[derive(Default)]
pub(super) struct Names {
    counts: SmallVec<[(u32, u32); 8]>,
    given: SmallVec<[(u32, Name); 4]>,
    next: usize,
}

static FRESH: LazyLock<[Name; 16]> =
    LazyLock::new(|| std::array::from_fn(|i| Name::word(format!("d{i}"))));

/// The name of a size that has none, by its number.
pub(super) fn fresh_name(i: usize) -> Name {
    match FRESH.get(i) {
        Some(name) => name.clone(),
        None => Name::word(format!("d{i}")),
    }
}

impl Names {
    fn note(&mut self, atom: u32, times: u32) {
        match self.counts.iter_mut().find(|c| c.0 == atom) {
            Some(count) => count.1 += times,
            None => self.counts.push((atom, times)),
        }
    }

    fn is_hole(&self, atom: u32, symbols: &Symbols) -> bool {
        let count = self.counts.iter().find(|c| c.0 == atom);
        symbols.name(atom).is_none() && count.is_none_or(|c| c.1 <= 1)
    }

    /// What an atom is called.
    fn name(&mut self, atom: u32, symbols: &Symbols) -> Name {
        if let Some(name) = symbols.name(atom) {
            return name.clone();
        }
        if let Some((_, name)) = self.given.iter().find(|g| g.0 == atom) {
            return name.clone();
        }
        let name = loop {
            let name = fresh_name(self.next);
            self.next += 1;
            if !symbols.names().any(|own| *own == name) {
                break name;
            }
        };
        self.given.push((atom, name.clone()));
        name
    }
}

impl Store<'_> {
    /// Is it a type that was calculated?
    pub(super) fn is_type(&self, val: Val) -> bool {
        match val {
            Val::Tensor(_) => true,
            Val::Node(_, cells) => self.cells(cells).iter().all(|part| self.is_type(*part)),
            _ => false,
        }
    }
}
