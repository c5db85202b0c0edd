//! What a query gives, as variables of the engine.

use super::expr::{Scope, expr};
use super::{Trouble, atoms, condition, sizes};
use crate::error;
use kanshape_engine::{Domain, Int, Linear, Part, Seq, State, Var};
use kanshape_syntax::tree::{Condition, Expr};
use kanshape_types::{Dim, DtypeSet, DtypeTerm, Name, Promotion, Shape, Tensor, Type, TypeKind};
use rustc_hash::FxHashMap;

use super::MAX_SIZE;

/// A name that the user wrote, and what it stands for.
#[derive(Clone, Debug)]
pub(crate) struct UserName {
    pub name: Name,
    pub what: What,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    Size(Var),
    Dtype(Var),
    Run(Var),
    /// A type variable: a tensor with this dtype and this shape.
    Type(Var, Var),
}

impl What {
    fn describe(self) -> &'static str {
        match self {
            What::Size(_) => "a size",
            What::Dtype(_) => "a dtype",
            What::Run(_) => "a run of dims",
            What::Type(..) => "a type",
        }
    }
}

/// One operand of the query: what is given, and the variables for all that it can be.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub given: Type,
    pub dtype: Var,
    pub shape: Seq,
    /// What is given is no tensor at all.
    pub no_tensor: bool,
}

/// All that a query gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    pub names: Vec<UserName>,
    numbers: FxHashMap<Name, usize>,
    pub inputs: Vec<Slot>,
    pub outputs: Vec<Slot>,
    /// The values of the parameters, as forms.
    pub params: Vec<Linear>,
}

impl Given {
    /// Makes the names of a type, in the order in which they are written.
    pub(crate) fn declare(&mut self, state: &mut State, ty: &Type) -> Result<(), Trouble> {
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
            }
            TypeKind::Var(name) => {
                self.type_name(state, name)?;
            }
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn declare_dim(&mut self, state: &mut State, dim: &Dim) -> Result<(), Trouble> {
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
        match e {
            Expr::Name(name) => {
                self.size_name(state, &Name::from(&*name.node))?;
            }
            Expr::Sum(terms) => {
                for (_, t) in terms {
                    self.declare_expr(state, t)?;
                }
            }
            Expr::Chain(first, rest) => {
                self.declare_expr(state, first)?;
                for (_, t) in rest {
                    self.declare_expr(state, t)?;
                }
            }
            Expr::CeilDiv(a, b) => {
                self.declare_expr(state, a)?;
                self.declare_expr(state, b)?;
            }
            Expr::Call(_, args) => {
                for a in args {
                    self.declare_expr(state, a)?;
                }
            }
            Expr::Int(_) | Expr::Nominal(_) | Expr::Run(_) => {}
        }
        Ok(())
    }

    /// The operand that a type describes, once its names are made.
    pub(crate) fn slot(&mut self, state: &mut State, ty: &Type) -> Result<Slot, Trouble> {
        let any = atoms(DtypeSet::ANY);
        let mut no_tensor = false;
        let (dtype, shape) = match &ty.kind {
            TypeKind::Tensor(Tensor { dtype, shape }) => {
                let dtype = match dtype {
                    DtypeTerm::Name(name) => self.dtype_name(state, name)?,
                    term => state.atom(atoms(term.set())),
                };
                (dtype, self.shape(state, shape)?)
            }
            TypeKind::Var(name) => {
                let (dtype, run) = self.type_name(state, name)?;
                (dtype, Seq::run(run))
            }
            TypeKind::Unknown => {
                let run = state.run(lengths());
                (state.atom(any), Seq::run(run))
            }
            _ => {
                no_tensor = true;
                (state.atom(any), Seq::default())
            }
        };
        Ok(Slot {
            given: ty.clone(),
            dtype,
            shape,
            no_tensor,
        })
    }

    fn shape(&mut self, state: &mut State, shape: &Shape) -> Result<Seq, Trouble> {
        let mut parts = Vec::with_capacity(shape.dims().len() + 1);
        for dim in shape.before() {
            parts.push(Part::One(self.dim(state, dim)?));
        }
        if let Some(run) = shape.run() {
            parts.push(Part::Run(match &run.name {
                Some(name) => self.run_name(state, name)?,
                None => state.run(lengths()),
            }));
        }
        for dim in shape.after() {
            parts.push(Part::One(self.dim(state, dim)?));
        }
        Ok(parts.into_iter().collect())
    }

    /// The size that a dim stands for.
    pub(crate) fn dim(&mut self, state: &mut State, dim: &Dim) -> Result<Linear, Trouble> {
        Ok(match dim {
            Dim::Size(n) if Int::from(*n) > MAX_SIZE => {
                return Err(error::size_too_large(*n).into());
            }
            Dim::Size(n) => Linear::constant(Int::from(*n)),
            Dim::Nominal(n) => {
                return Err(error::nominal_unsolved(n.size, &n.identity).into());
            }
            Dim::Name(name) => Linear::var(self.size_name(state, name)?),
            Dim::Hole => Linear::var(state.int(sizes())),
            Dim::Expr(e) => {
                let form = expr(state, self, e)?;
                state.restrict(&form, &sizes())?;
                form
            }
        })
    }

    /// States the conditions of the user.
    pub(crate) fn conditions<'a>(
        &mut self,
        state: &mut State,
        conditions: impl Iterator<Item = &'a Condition>,
        promotion: Promotion,
    ) -> Result<(), Trouble> {
        for c in conditions {
            condition(state, self, c, promotion)?;
        }
        Ok(())
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
        match self.name(state, name, |s| What::Size(s.int(sizes()))) {
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

    fn type_name(&mut self, state: &mut State, name: &Name) -> Result<(Var, Var), Trouble> {
        let any = atoms(DtypeSet::ANY);
        let made = self.name(state, name, |s| What::Type(s.atom(any), s.run(lengths())));
        match made {
            What::Type(dtype, run) => Ok((dtype, run)),
            other => Err(error::two_kinds(name, other.describe(), "a type").into()),
        }
    }
}

/// Every length that a shape can have.
pub(crate) fn lengths() -> Domain {
    sizes()
}

impl Scope for Given {
    fn size(&mut self, state: &mut State, name: &str) -> Result<Linear, Trouble> {
        Ok(Linear::var(self.size_name(state, &Name::from(name))?))
    }

    fn run(&mut self, state: &mut State, name: Option<&str>) -> Result<Seq, Trouble> {
        match name {
            Some(name) => Ok(Seq::run(self.run_name(state, &Name::from(name))?)),
            None => Err(error::not_in_query("the run `...`").into()),
        }
    }

    fn dtype(&mut self, state: &mut State, name: &str) -> Result<Option<Var>, Trouble> {
        let name = Name::from(name);
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

    fn is_dtype(&self, name: &str) -> bool {
        let found = self.numbers.get(&Name::from(name));
        matches!(found.map(|&i| self.names[i].what), Some(What::Dtype(_)))
    }
}
