//! What a user gives - types, attributes, conditions - stated in the engine, about the names that he has ([`QueryVars`]).
//!
//! An expression or a condition is compiled as one of a signature is, and then run as a step of a clause whose variables are what
//! the names denote.

mod attribute;
mod condition;

pub use condition::{condition, expr};

use crate::encode::MAX_SIZE;
use crate::encode::{
    Operand, QueryVars, Slot, Trouble, atoms, dtypes, error, float, lengths, measure, tensor,
    tensor_parts,
};
use crate::limits::GIVEN_STEPS;
use kanshape_engine::{Budget, Domain, Int, Linear, Part, Seq, State, Term, Var, checkpoint};
use kanshape_syntax::tree::Condition;
use kanshape_types::{
    Content, Contents, Dim, DtypeSet, DtypeTerm, Promotion, Shape, Tensor, Type, TypeKind,
};

impl QueryVars {
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
}
