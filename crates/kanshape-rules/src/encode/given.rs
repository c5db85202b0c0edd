//! What a query gives, as variables of the engine.

use super::expr::{Scope, expr};
use super::kind::Kind;
use super::operand::{Operand, Operands, tensor, tensor_parts};
use super::texts::Texts;
use super::{Identities, Trouble, atoms, condition, dtypes, error, sizes};
use super::{float, form, measure};
use crate::limits::GIVEN_STEPS;
use kanshape_engine::{Budget, Domain, Int, Linear, Part, Seq, State, Term, Var, checkpoint};
use kanshape_syntax::tree::{Condition, Expr};
use kanshape_types::{
    Content, Contents, Dim, DtypeSet, DtypeTerm, Name, Promotion, Shape, Tensor, Type, TypeKind,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

use super::MAX_SIZE;

/// A name that the user wrote, and what it denotes.
#[derive(Clone, Debug)]
pub struct UserName {
    pub name: Name,
    pub what: What,
}

#[derive(Clone, Copy, Debug)]
pub enum What {
    Size(Var),
    Dtype(Var),
    Run(Var),
    /// A type variable: any term.
    Type(Var),
}

impl What {
    fn describe(self) -> &'static str {
        match self {
            What::Size(_) => "a size",
            What::Dtype(_) => "a dtype",
            What::Run(_) => "a run of dims",
            What::Type(_) => "a type",
        }
    }
}

/// One tensor of the query, an operand or a part of one: what is given, and the variables for all
/// that it can be.
#[derive(Clone, Debug)]
pub struct Slot {
    pub given: Type,
    pub dtype: Var,
    pub shape: Seq,
    /// What is in it: a sequence of numbers in row-major order, or a variable where nothing is known.
    pub contents: Term,
}

/// An attribute of the operator that a query gives or queries.
#[derive(Clone, Debug)]
pub struct AttrSlot {
    pub name: Name,
    pub kind: Kind,
    pub term: Term,
    /// Something of it is queried, so it is part of the answer.
    pub queried: bool,
}

/// An input that may be left out as well.
#[derive(Clone, Debug)]
pub struct Presence {
    /// Its place among the operands.
    pub operand: usize,
    /// `none`, or `some` of the operand.
    pub term: Term,
}

/// All that a query gives.
#[derive(Clone, Debug, Default)]
pub struct QueryVars {
    pub names: Vec<UserName>,
    pub(super) numbers: FxHashMap<Name, usize>,
    /// The tensors, in the order in which the operands show them.
    pub slots: Vec<Slot>,
    pub operands: Operands,
    /// The values of the parameters, as forms.
    pub params: Vec<Linear>,
    /// The sizes with an identity.
    pub identities: Identities,
    /// The values of an operator's attributes.
    pub attrs: Vec<AttrSlot>,
    /// The inputs of which it is not known whether they are there.
    pub presences: Vec<Presence>,
    /// The list of the outputs behind those that are spoken of, where there may be any number.
    pub rest: Option<Var>,
    /// The texts that no rule speaks of.
    pub texts: Arc<Texts>,
}

impl QueryVars {
    /// The place of a name among those of the user.
    pub fn place(&self, name: &str) -> Option<usize> {
        let place = *self.numbers.get(name)?;
        // A caller may have taken names out.
        let is_there = self.names.get(place)?.name.as_str() == name;
        is_there.then_some(place)
    }

    /// Whether an operand is there that may be left out: `none`, or `some` of it.
    pub fn presence(&self, operand: usize) -> Option<&Term> {
        let mut own = self.presences.iter();
        own.find(|own| own.operand == operand).map(|own| &own.term)
    }

    /// The inputs that are left out in a state, of those that may be.
    pub fn absent(&self, state: &State) -> Vec<usize> {
        let absent = self.presences.iter().filter(|own| {
            let term = state.walk(&own.term);
            matches!(term, Term::Node(form::NONE, _))
        });
        absent.map(|own| own.operand).collect()
    }

    /// Makes the names of a type, in the order in which they are written.
    pub fn declare(&mut self, state: &mut State, ty: &Type) -> Result<(), Trouble> {
        match &ty.kind {
            TypeKind::Tensor(tensor) => {
                if let DtypeTerm::Name(name) = &tensor.dtype {
                    self.dtype_name(state, name)?;
                }
                for dim in tensor.shape.before() {
                    self.declare_dim(state, dim)?;
                }
                if let Some(name) = tensor.shape.run().and_then(|r| r.name.as_ref()) {
                    self.run_name(state, name)?;
                }
                for dim in tensor.shape.after() {
                    self.declare_dim(state, dim)?;
                }
                let mut names: Vec<Name> = Vec::new();
                let contents = tensor.contents.iter();
                contents.for_each(|c| c.for_each_name(&mut |n| names.push(Name::word(n))));
                for name in names {
                    self.size_name(state, &name)?;
                }
            }
            TypeKind::Var(name) => {
                self.type_name(state, name)?;
            }
            _ => {
                for part in ty.parts() {
                    self.declare(state, part)?;
                }
            }
        }
        Ok(())
    }

    pub fn declare_dim(&mut self, state: &mut State, dim: &Dim) -> Result<(), Trouble> {
        match dim {
            Dim::Name(name) => {
                self.size_name(state, name)?;
            }
            Dim::Expr(e) => self.declare_expr(state, e)?,
            Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => {}
        }
        Ok(())
    }

    fn declare_expr(&mut self, state: &mut State, e: &Expr) -> Result<(), Trouble> {
        if let Expr::Name(name) = e {
            self.size_name(state, &Name::word(&*name.node))?;
        }
        let mut parts = e.parts().into_iter();
        parts.try_for_each(|part| self.declare_expr(state, part))
    }

    /// The operand that a type describes, once its names are made. Where the signature has a pattern of
    /// dims, `?` is a tensor.
    pub fn operand(
        &mut self,
        state: &mut State,
        ty: &Type,
        is_tensor: bool,
    ) -> Result<Operand, Trouble> {
        let slot = |dtype, shape, contents| Slot {
            given: ty.clone(),
            dtype,
            shape,
            contents,
        };
        Ok(match &ty.kind {
            TypeKind::Tensor(Tensor {
                dtype,
                shape,
                contents,
            }) => {
                let dtype = match dtype {
                    DtypeTerm::Name(name) => self.dtype_name(state, name)?,
                    term => state.atom(atoms(term.set())),
                };
                let shape = self.shape(state, shape)?;
                // A pattern of dims says nothing of them.
                let contents = contents.as_ref().filter(|_| !is_tensor);
                let contents = match contents {
                    Some(contents) => self.contents(state, dtype, contents)?,
                    None => Term::Var(state.any()),
                };
                self.slot(slot(dtype, shape, contents))
            }
            TypeKind::Unknown if is_tensor => {
                let run = state.run(lengths());
                let dtype = state.atom(atoms(DtypeSet::ANY));
                let contents = Term::Var(state.any());
                self.slot(slot(dtype, Seq::run(run), contents))
            }
            TypeKind::Unknown => Operand::Open(state.any()),
            TypeKind::Var(name) => {
                let v = self.type_name(state, name)?;
                if !is_tensor {
                    return Ok(Operand::Open(v));
                }
                if let Term::Var(v) = state.walk(&Term::Var(v)) {
                    let dtype = state.atom(atoms(DtypeSet::ANY));
                    let shape = Seq::run(state.run(lengths()));
                    let tensor = tensor(dtype, shape, Term::Var(state.any()));
                    state.unify(&Term::Var(v), &tensor, &mut Budget::new(GIVEN_STEPS))?;
                }
                let Some((dtype, shape, contents)) = tensor_parts(state, &Term::Var(v)) else {
                    return Ok(Operand::Open(v));
                };
                self.slot(slot(dtype, shape, contents))
            }
            _ => {
                let label = self.operands.labels.of(ty);
                let parts = ty.parts().map(|part| self.operand(state, part, false));
                Operand::Node(label, parts.collect::<Result<_, _>>()?)
            }
        })
    }

    /// What a tensor has in it, as a sequence.
    fn contents(
        &mut self,
        state: &mut State,
        dtype: Var,
        contents: &Contents,
    ) -> Result<Term, Trouble> {
        let dtypes = dtypes(state.mask(dtype));
        let floats = dtypes.is_subset(DtypeSet::FLOAT);
        // A truth value is 0 or 1.
        let unknown = match dtypes {
            DtypeSet::BOOL => Domain::interval(0, 1),
            _ => Domain::ALL,
        };
        let mut parts = Vec::with_capacity(contents.len());
        for member in contents {
            checkpoint()?;
            let number = match member {
                Content::Int(n) => Linear::constant(Int::from(*n)),
                Content::Bool(truth) => Linear::constant(Int::from(*truth)),
                Content::Float(x) => Linear::constant(float::code(x.get())),
                Content::Name(name) => Linear::var(self.size_name(state, name)?),
                Content::Expr(e) => expr(state, self, e)?,
                // Nothing is calculated with texts.
                Content::Hole | Content::Text(_) => Linear::var(state.int(unknown.clone())),
            };
            parts.push(Part::One(match member {
                Content::Name(_) | Content::Expr(_) if floats => measure::of_whole(state, &number)?,
                _ => number,
            }));
        }
        Ok(Term::Seq(parts.into_iter().collect()))
    }

    pub(super) fn slot(&mut self, slot: Slot) -> Operand {
        self.slots.push(slot);
        Operand::Tensor(self.slots.len() - 1)
    }

    fn shape(&mut self, state: &mut State, shape: &Shape) -> Result<Seq, Trouble> {
        let mut parts = Vec::with_capacity(shape.known_dims().len() + 1);
        for dim in shape.before() {
            checkpoint()?;
            parts.push(Part::One(self.dim(state, dim)?));
        }
        if let Some(run) = shape.run() {
            parts.push(Part::Run(match &run.name {
                Some(name) => self.run_name(state, name)?,
                None => state.run(lengths()),
            }));
        }
        for dim in shape.after() {
            checkpoint()?;
            parts.push(Part::One(self.dim(state, dim)?));
        }
        Ok(parts.into_iter().collect())
    }

    /// The size that a dim denotes.
    pub fn dim(&mut self, state: &mut State, dim: &Dim) -> Result<Linear, Trouble> {
        Ok(match dim {
            Dim::Size(n) if Int::from(*n) > MAX_SIZE => {
                return Err(error::size_too_large(*n).into());
            }
            Dim::Size(n) => Linear::constant(Int::from(*n)),
            Dim::Nominal(n) => Linear::constant(self.identities.number(n)),
            Dim::Name(name) => Linear::var(self.size_name(state, name)?),
            Dim::Hole => Linear::var(state.int(self.identities.dims())),
            Dim::Expr(e) => {
                let form = expr(state, self, e)?;
                state.restrict(&form, &self.identities.dims())?;
                form
            }
        })
    }

    /// States the conditions of the user.
    pub fn conditions<'a>(
        &mut self,
        state: &mut State,
        conditions: impl Iterator<Item = &'a Condition>,
        promotion: Promotion,
    ) -> Result<(), Trouble> {
        for c in conditions {
            checkpoint()?;
            condition(state, self, c, promotion)?;
        }
        Ok(())
    }

    /// Puts the names into another order; those of the same place stay as they are.
    pub fn sort_names(&mut self, place: impl Fn(&Name) -> usize) {
        self.names.sort_by_key(|user| place(&user.name));
        for (i, user) in self.names.iter().enumerate() {
            self.numbers.insert(user.name.clone(), i);
        }
    }

    /// Forgets the names that were made since there were this many, as a caller does who takes back the state in which
    /// they were made.
    pub fn forget_names(&mut self, count: usize) {
        for user in self.names.drain(count.min(self.names.len())..) {
            self.numbers.remove(&user.name);
        }
    }

    fn name(
        &mut self,
        state: &mut State,
        name: &Name,
        make: impl FnOnce(&mut State) -> What,
    ) -> What {
        if let Some(&i) = self.numbers.get(name) {
            return self.names[i].what;
        }
        let what = make(state);
        self.numbers.insert(name.clone(), self.names.len());
        self.names.push(UserName {
            name: name.clone(),
            what,
        });
        what
    }

    fn size_name(&mut self, state: &mut State, name: &Name) -> Result<Var, Trouble> {
        let dims = self.identities.dims();
        match self.name(state, name, |s| What::Size(s.int(dims))) {
            What::Size(v) => Ok(v),
            other => Err(error::two_kinds(name, other.describe(), "a size").into()),
        }
    }

    fn dtype_name(&mut self, state: &mut State, name: &Name) -> Result<Var, Trouble> {
        let any = atoms(DtypeSet::ANY);
        match self.name(state, name, |s| What::Dtype(s.atom(any))) {
            What::Dtype(v) => Ok(v),
            other => Err(error::two_kinds(name, other.describe(), "a dtype").into()),
        }
    }

    fn run_name(&mut self, state: &mut State, name: &Name) -> Result<Var, Trouble> {
        match self.name(state, name, |s| What::Run(s.run(lengths()))) {
            What::Run(v) => Ok(v),
            other => Err(error::two_kinds(name, other.describe(), "a run of dims").into()),
        }
    }

    fn type_name(&mut self, state: &mut State, name: &Name) -> Result<Var, Trouble> {
        match self.name(state, name, |s| What::Type(s.any())) {
            What::Type(v) => Ok(v),
            other => Err(error::two_kinds(name, other.describe(), "a type").into()),
        }
    }
}

/// Every length that a shape can have.
pub(crate) fn lengths() -> Domain {
    sizes()
}

impl Scope for QueryVars {
    fn size(&mut self, state: &mut State, name: &str) -> Result<Linear, Trouble> {
        Ok(Linear::var(self.size_name(state, &Name::word(name))?))
    }

    fn run(&mut self, state: &mut State, name: Option<&str>) -> Result<Seq, Trouble> {
        match name {
            Some(name) => Ok(Seq::run(self.run_name(state, &Name::word(name))?)),
            None => Err(error::not_in_query().into()),
        }
    }

    fn identities(&self) -> &Identities {
        &self.identities
    }

    fn dtype(&mut self, state: &mut State, name: &str) -> Result<Option<Var>, Trouble> {
        let name = Name::word(name);
        match self.numbers.get(&name).map(|&i| self.names[i].what) {
            Some(What::Dtype(v)) => Ok(Some(v)),
            Some(other) => Err(error::two_kinds(&name, other.describe(), "a dtype").into()),
            None if matches!(
                DtypeTerm::from_ident(&kanshape_syntax::tree::Spanned::new(
                    name.as_str().into(),
                    kanshape_syntax::tree::Span::default()
                )),
                Ok(DtypeTerm::Name(_))
            ) =>
            {
                Ok(Some(self.dtype_name(state, &name)?))
            }
            None => Ok(None),
        }
    }

    fn is_dtype(&self, name: &str) -> Option<bool> {
        let found = self.numbers.get(&Name::word(name))?;
        Some(matches!(self.names[*found].what, What::Dtype(_)))
    }
}
