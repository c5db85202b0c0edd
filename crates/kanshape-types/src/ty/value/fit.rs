//! [`Fit`]: what the names of a type denote, if it is to contain a value.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{CmpOp, Condition, DtypeExpr, Expr, Func};

use super::Value;
use super::sizes::{Sizes, Solved};
use crate::{
    Dim, Dtype, DtypeSet, DtypeTerm, Name, Promotion, Shape, Tensor, Type, TypeKind, error,
};

/// The names of a type, as far as a value has settled them.
#[derive(Default)]
pub(super) struct Fit<'t> {
    dtypes: BTreeMap<&'t str, DtypeSet>,
    types: BTreeMap<&'t str, Type>,
    pub(super) sizes: Sizes<'t>,
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
                Dim::Name(name) => self.sizes.bind(name, size),
                Dim::Expr(expr) => {
                    self.sizes.equate(expr, size.into());
                    true
                }
                Dim::Hole => true,
            };
        }
        if let Some(name) = shape.run().and_then(|run| run.name.as_ref()) {
            same &= self.sizes.bind_run(name, run);
        }
        match same {
            true => Ok(()),
            false => Err(error::value_shape(shape, sizes)),
        }
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

    /// Whether all conditions on the names can hold.
    pub(super) fn finish(mut self) -> Result<(), Diagnostic> {
        for condition in std::mem::take(&mut self.conditions) {
            match self.dtype_condition(condition) {
                None => self.sizes.require(condition),
                Some(true) => {}
                Some(false) => return Err(error::value_condition(&condition)),
            }
        }
        match self.sizes.solve() {
            Solved::Yes => Ok(()),
            Solved::No(Some(why)) => Err(error::value_condition(&why)),
            Solved::No(None) => {
                let why = "no sizes for the names of the type make it contain this";
                Err(error::value_refused(why))
            }
            Solved::Undecided => {
                let why = "whether the type can contain this was not found out in time";
                Err(error::value_refused(why))
            }
        }
    }

    /// Whether a condition about dtypes holds, or could; none if it is about sizes.
    fn dtype_condition(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Dtype(name, expr) => {
                let dtypes = self.dtypes.get(&*name.node)?;
                let set = self.dtype_set(expr)?;
                Some(!dtypes.intersection(set).is_empty())
            }
            // As it is read: a set that restricts a dtype.
            Condition::In(..) => {
                let (name, set) = restriction(condition)?;
                let dtypes = self.dtypes.get(name)?;
                Some(!dtypes.intersection(set).is_empty())
            }
            Condition::Compare(first, rest) => {
                let operands = || std::iter::once(first).chain(rest.iter().map(|(_, expr)| expr));
                let about_dtypes = operands().any(|operand| match operand {
                    Expr::Name(name) => self.dtypes.contains_key(&*name.node),
                    Expr::Call(Func::Promote, _) => true,
                    _ => false,
                });
                if !about_dtypes {
                    return None;
                }
                let sets: Vec<_> = operands().map(|operand| self.operand(operand)).collect();
                let holds = rest.iter().zip(sets.windows(2)).all(|((op, _), pair)| {
                    let [a, b] = [pair[0], pair[1]];
                    match (op, a.single(), b.single()) {
                        (CmpOp::Eq, ..) => !a.intersection(b).is_empty(),
                        (CmpOp::Ne, Some(a), Some(b)) => a != b,
                        _ => true,
                    }
                });
                Some(holds)
            }
        }
    }

    fn dtype_set(&self, expr: &DtypeExpr) -> Option<DtypeSet> {
        match expr {
            DtypeExpr::Name(name) => Some(self.word(name)),
            DtypeExpr::Set(members) => DtypeSet::from_idents(members).ok(),
            DtypeExpr::Promote(args) => {
                let sets = args.iter().map(|arg| self.dtype_set(arg));
                Some(promoted(sets.collect::<Option<Vec<_>>>()?))
            }
            DtypeExpr::Hole => Some(DtypeSet::ANY),
        }
    }

    /// The dtypes that an operand of a comparison can be.
    fn operand(&self, operand: &Expr) -> DtypeSet {
        match operand {
            Expr::Name(name) => self.word(name),
            Expr::Call(Func::Promote, args) => promoted(args.iter().map(|arg| self.operand(arg))),
            _ => DtypeSet::ANY,
        }
    }

    fn word(&self, name: &kanshape_syntax::tree::Ident) -> DtypeSet {
        match DtypeTerm::from_ident(name) {
            Ok(term) => self.dtypes(&term),
            Err(_) => DtypeSet::ANY,
        }
    }
}

/// What dtypes of these sets promote to, under the table that a question has by default.
fn promoted(sets: impl IntoIterator<Item = DtypeSet>) -> DtypeSet {
    Promotion::default().results(sets)
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
