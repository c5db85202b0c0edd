//! [`Fit`]: what the names of a type denote, if it is to contain a value.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{
    CmpOp, Condition, DimItem, DtypeExpr, Expr, Ident, Sign, Span, Spanned,
};

use super::{Fitted, Value};
use crate::{Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, TypeKind, error};

/// The names of a type, as far as a value has settled them.
#[derive(Default)]
pub(super) struct Fit<'t> {
    dtypes: BTreeMap<&'t str, DtypeSet>,
    types: BTreeMap<&'t str, Type>,
    sizes: BTreeMap<&'t str, u64>,
    runs: BTreeMap<&'t str, Vec<u64>>,
    /// What an expression has to be.
    equations: Vec<(&'t Expr, i128)>,
    conditions: Vec<&'t Condition>,
}

impl<'t> Fit<'t> {
    /// Notes the conditions on names, and the dtypes that arrays give them: an array settles a
    /// dtype for the literals beside it.
    pub(super) fn declare(&mut self, ty: &'t Type, value: &Value) {
        let mut given = Vec::new();
        self.note(ty, Some(value), &mut given);
        for condition in self.conditions.clone() {
            if let Some((name, set)) = restriction(condition)
                && let Some(dtypes) = self.dtypes.get_mut(name)
            {
                *dtypes = dtypes.intersection(set);
            }
        }
        for (name, dtype) in given {
            if let Some(dtypes) = self.dtypes.get_mut(name)
                && dtypes.contains(dtype)
            {
                *dtypes = dtype.into();
            }
        }
    }

    fn note(&mut self, ty: &'t Type, value: Option<&Value>, given: &mut Vec<(&'t str, Dtype)>) {
        self.conditions.extend(&ty.conditions);
        match (&ty.kind, value) {
            (TypeKind::Tensor(tensor), value) => {
                if let DtypeTerm::Name(name) = &tensor.dtype {
                    self.dtypes.insert(name, DtypeSet::ANY);
                    if let Some(Value::Array(array)) = value {
                        given.push((name, array.dtype()));
                    }
                }
            }
            (TypeKind::Tuple(fields), Some(Value::Tuple(values))) => {
                for (field, value) in fields.iter().zip(values.iter()) {
                    self.note(field, Some(value), given);
                }
            }
            (TypeKind::User(_, args), _) => {
                for arg in args.iter() {
                    self.note(arg, None, given);
                }
            }
            _ => {}
        }
    }

    /// The dtypes that a term can still be.
    pub(super) fn dtypes(&self, term: &DtypeTerm) -> DtypeSet {
        match term {
            DtypeTerm::Name(name) => {
                let known = self.dtypes.get(name.as_str());
                known.copied().unwrap_or(DtypeSet::ANY)
            }
            term => term.set(),
        }
    }

    /// Makes a tensor type contain arrays of this dtype and shape.
    pub(super) fn tensor(
        &mut self,
        tensor: &'t Tensor,
        dtype: Dtype,
        shape: &[usize],
    ) -> Result<(), Diagnostic> {
        self.dtype(&tensor.dtype, dtype)?;
        let sizes: Vec<u64> = shape.iter().map(|&size| size as u64).collect();
        self.shape(&tensor.shape, &sizes)
    }

    fn dtype(&mut self, term: &'t DtypeTerm, dtype: Dtype) -> Result<(), Diagnostic> {
        let dtypes = self.dtypes(term);
        if !dtypes.contains(dtype) {
            return Err(error::value_dtype(dtype, dtypes, true));
        }
        if let DtypeTerm::Name(name) = term {
            self.dtypes.insert(name, dtype.into());
        }
        Ok(())
    }

    fn shape(&mut self, shape: &'t Shape, sizes: &[u64]) -> Result<(), Diagnostic> {
        let (before, after) = (shape.before(), shape.after());
        let dims = before.len() + after.len();
        let fits = match shape.run() {
            None => sizes.len() == dims,
            Some(_) => sizes.len() >= dims,
        };
        if !fits {
            return Err(error::value_shape(shape, sizes));
        }
        let (left, rest) = sizes.split_at(before.len());
        let (run, right) = rest.split_at(rest.len() - after.len());
        let mut same = true;
        for (dim, &size) in before.iter().chain(after).zip(left.iter().chain(right)) {
            same &= match dim {
                Dim::Size(expected) => *expected == size,
                // An array does not tell what its sizes are sizes of.
                Dim::Nominal(expected) => expected.size == size,
                Dim::Name(name) => self.bind(name, size),
                Dim::Expr(expr) => {
                    self.equate(expr, size.into());
                    true
                }
                Dim::Hole => true,
            };
        }
        if let Some(name) = shape.run().and_then(|run| run.name.as_ref()) {
            same &= self.bind_run(name, run);
        }
        match same {
            true => Ok(()),
            false => Err(error::value_shape(shape, sizes)),
        }
    }

    /// Gives a name its size; no, if it has another.
    pub(super) fn bind(&mut self, name: &'t Name, size: u64) -> bool {
        *self.sizes.entry(name).or_insert(size) == size
    }

    /// Gives a run its sizes; no, if it has others.
    fn bind_run(&mut self, name: &'t Name, sizes: &[u64]) -> bool {
        let known = self.runs.entry(name).or_insert_with(|| sizes.into());
        known == sizes
    }

    /// The expression is this number.
    pub(super) fn equate(&mut self, expr: &'t Expr, number: i128) {
        self.equations.push((expr, number));
    }

    /// Makes a type variable denote a type.
    pub(super) fn bind_type(&mut self, name: &'t Name, ty: Type) -> Result<(), Diagnostic> {
        if ty.is_unknown() {
            return Ok(());
        }
        match self.types.entry(name) {
            Entry::Vacant(free) => {
                free.insert(ty);
                Ok(())
            }
            Entry::Occupied(known) if *known.get() == ty => Ok(()),
            Entry::Occupied(known) => {
                let why = format!("`{name}` is {} here and {ty} there", known.get());
                Err(error::value_refused(why))
            }
        }
    }

    /// Makes a type contain all that is of another, which is known but for holes.
    pub(super) fn below(&mut self, ty: &'t Type, known: &Type) -> Result<(), Diagnostic> {
        match (&ty.kind, &known.kind) {
            (TypeKind::Unknown, _) | (_, TypeKind::Unknown) => Ok(()),
            (TypeKind::Var(name), _) => self.bind_type(name, known.clone()),
            (TypeKind::Tensor(tensor), TypeKind::Tensor(known)) => {
                if tensor.contents.is_some() && tensor.contents != known.contents {
                    let why = format!("whether this is {tensor} can't be decided");
                    return Err(error::value_refused(why));
                }
                if let Some(dtype) = known.dtype.known() {
                    self.dtype(&tensor.dtype, dtype)?;
                }
                let sizes: Option<Vec<u64>> = known.shape.iter().map(Dim::size).collect();
                match sizes {
                    Some(sizes) if known.shape.run().is_none() => self.shape(&tensor.shape, &sizes),
                    _ => Ok(()),
                }
            }
            (TypeKind::Tuple(types), TypeKind::Tuple(known)) if types.len() == known.len() => {
                self.all_below(types, known)
            }
            (TypeKind::User(one, args), TypeKind::User(other, known)) if one == other => {
                self.all_below(args, known)
            }
            _ if ty.kind == known.kind => Ok(()),
            _ => Err(error::value_refused(format!("this is {known}, not {ty}"))),
        }
    }

    fn all_below(&mut self, types: &'t [Type], known: &[Type]) -> Result<(), Diagnostic> {
        types
            .iter()
            .zip(known)
            .try_for_each(|(ty, known)| self.below(ty, known))
    }

    /// What is known of the names now, and what has to hold of them.
    pub(super) fn finish(self, value: Value) -> Result<Fitted, Diagnostic> {
        let mut settled: Vec<Condition> = Vec::new();
        for (name, size) in &self.sizes {
            settled.push(equals(word(name), Expr::Int(*size)));
        }
        for (name, sizes) in &self.runs {
            let dims = sizes.iter().map(|size| DimItem::Dim(Expr::Int(*size)));
            let dims = dims.map(|dim| Spanned::new(dim, Span::default()));
            settled.push(equals(
                Expr::Run(Some(ident(name))),
                Expr::List(dims.collect()),
            ));
        }
        for (name, dtypes) in &self.dtypes {
            if let Some(dtype) = dtypes.single() {
                settled.push(equals(word(name), word(dtype.name())));
            }
        }
        let equations = self.equations.iter();
        let equations =
            equations.map(|(expr, number)| Some(equals(Expr::clone(expr), int(*number)?)));
        let equations = equations.collect::<Option<Vec<Condition>>>();
        let equations = equations
            .ok_or_else(|| error::value_refused("an element is larger than a size can be"))?;
        let conditions = self.conditions.into_iter().cloned();
        Ok(Fitted {
            value,
            settled,
            required: equations.into_iter().chain(conditions).collect(),
            dtypes: self.dtypes.keys().map(|name| Name::word(*name)).collect(),
        })
    }
}

fn ident(name: &str) -> Ident {
    Spanned::new(name.into(), Span::default())
}

fn word(name: &str) -> Expr {
    Expr::Name(ident(name))
}

/// A number, if it is written as one.
fn int(number: i128) -> Option<Expr> {
    let size = Expr::Int(u64::try_from(number.unsigned_abs()).ok()?);
    Some(match number {
        0.. => size,
        _ => Expr::Sum(vec![(Sign::Minus, size)]),
    })
}

fn equals(left: Expr, right: Expr) -> Condition {
    Condition::Compare(left, vec![(CmpOp::Eq, right)])
}

/// The dtypes that a condition leaves a name: `T in {f32, f64}`, `T: Float`.
fn restriction(condition: &Condition) -> Option<(&str, DtypeSet)> {
    match condition {
        Condition::Dtype(name, DtypeExpr::Name(class)) => {
            let set = DtypeSet::from_idents(std::slice::from_ref(class)).ok()?;
            Some((&name.node, set))
        }
        Condition::Dtype(name, DtypeExpr::Set(members)) => {
            Some((&name.node, DtypeSet::from_idents(members).ok()?))
        }
        Condition::In(Expr::Name(name), members) => {
            let members = members
                .iter()
                .map(|member| match member {
                    Expr::Name(member) => Some(member.clone()),
                    _ => None,
                })
                .collect::<Option<Vec<_>>>()?;
            Some((&name.node, DtypeSet::from_idents(&members).ok()?))
        }
        _ => None,
    }
}
