//! What a query gives, as variables of the engine.

use super::kind::Kind;
use super::names::{UserName, UserNames, What};
use super::operand::{Operand, Operands};
use super::texts::Texts;
use super::{Identities, Trouble, atoms, error, form, sizes};
use kanshape_engine::{Domain, Linear, Seq, State, Term, Var};
use kanshape_syntax::tree::Expr;
use kanshape_types::{Dim, DtypeSet, DtypeTerm, Name, Type, TypeKind};
use std::sync::Arc;

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
    pub names: UserNames,
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

    pub(crate) fn slot(&mut self, slot: Slot) -> Operand {
        self.slots.push(slot);
        Operand::Tensor(self.slots.len() - 1)
    }

    fn name(
        &mut self,
        state: &mut State,
        name: &Name,
        make: impl FnOnce(&mut State) -> What,
    ) -> What {
        if let Some(what) = self.names.what(name) {
            return what;
        }
        let what = make(state);
        self.names.push(UserName {
            name: name.clone(),
            what,
        });
        what
    }

    pub(crate) fn size_name(&mut self, state: &mut State, name: &Name) -> Result<Var, Trouble> {
        let dims = self.identities.dims();
        match self.name(state, name, |s| What::Size(s.int(dims))) {
            What::Size(v) => Ok(v),
            other => Err(error::two_kinds(name, other.describe(), "a size").into()),
        }
    }

    pub(crate) fn dtype_name(&mut self, state: &mut State, name: &Name) -> Result<Var, Trouble> {
        let any = atoms(DtypeSet::ANY);
        match self.name(state, name, |s| What::Dtype(s.atom(any))) {
            What::Dtype(v) => Ok(v),
            other => Err(error::two_kinds(name, other.describe(), "a dtype").into()),
        }
    }

    pub(crate) fn run_name(&mut self, state: &mut State, name: &Name) -> Result<Var, Trouble> {
        match self.name(state, name, |s| What::Run(s.run(lengths()))) {
            What::Run(v) => Ok(v),
            other => Err(error::two_kinds(name, other.describe(), "a run of dims").into()),
        }
    }

    pub(crate) fn type_name(&mut self, state: &mut State, name: &Name) -> Result<Var, Trouble> {
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

/// What the names in a text mean.
pub trait Scope {
    /// The size that a name denotes.
    fn size(&mut self, state: &mut State, name: &str) -> Result<Linear, Trouble>;

    /// The run that `...` or `...r` denotes.
    fn run(&mut self, state: &mut State, name: Option<&str>) -> Result<Seq, Trouble>;

    /// The dtype variable that a name denotes, if it is one.
    fn dtype(&mut self, state: &mut State, name: &str) -> Result<Option<Var>, Trouble>;

    /// The sizes with an identity.
    fn identities(&self) -> &Identities;

    /// Is the name a dtype variable? `None` if it is not known.
    fn is_dtype(&self, name: &str) -> Option<bool>;
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
        match self.names.what(&name) {
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
        Some(matches!(self.names.what(name)?, What::Dtype(_)))
    }
}
