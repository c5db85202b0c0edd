//! [`Prepared`]: an operator with its attributes fixed or open, prepared once for many calls.

use crate::{Answer, Call, Error, Operator, Query, Types, infer};
use kanshape_diag::Diagnostic;
use kanshape_types::Type;
use smallvec::SmallVec;
use std::fmt;

/// An operator whose attributes are fixed or open, with as many inputs and outputs as its calls have.
///
/// What follows from the rule and the attributes is found once; a call pays only for its own types.
/// It owns all that it needs, can be shared by threads, and cloning is cheap.
///
/// ```
/// use kanshape::{Call, Relations, Type};
///
/// let text = "op Tile [times: int] (a: f32[..r, n]) -> (b: f32[..r, times * n])";
/// let relations = Relations::load_str("mine.kan", text)?;
/// let tile = relations.operator("Tile", None)?.prepare(Call {
///     inputs: vec![Some(Type::UNKNOWN)],
///     attrs: vec![("times".into(), 3.into())],
///     ..Call::default()
/// })?;
/// assert_eq!(tile.infer(&["f32[2, k]".parse()?])?.outputs[0].to_string(), "f32[2, 3*k]");
/// let backwards = tile.solve(&[Type::UNKNOWN], &["f32[2, 12]".parse()?])?;
/// assert_eq!(backwards.inputs[0].to_string(), "f32[2, 4]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Prepared {
    operator: Operator,
    query: Query,
}

impl Operator {
    /// Prepares calls that have the inputs and outputs of this one, and its attributes: one that is left out has its
    /// default, and one that is a hole is open, and solved for. Types that it gives are where [`Prepared::query`] begins.
    ///
    /// # Errors
    /// As [`Operator::query`].
    pub fn prepare(&self, call: Call) -> Result<Prepared, Diagnostic> {
        Ok(Prepared {
            operator: self.clone(),
            query: self.query(call)?,
        })
    }
}

impl Prepared {
    /// The operator.
    pub fn operator(&self) -> &Operator {
        &self.operator
    }

    /// How many inputs a call has.
    pub fn input_count(&self) -> usize {
        self.query.inputs.len()
    }

    /// How many outputs it has at least.
    pub fn output_count(&self) -> usize {
        self.query.outputs.len()
    }

    /// A query about a call. Until it gives others, its operands have the types of the call that was prepared.
    pub fn query(&self) -> Query {
        self.query.clone()
    }

    /// What the operator says when these inputs are given.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn infer(&self, inputs: impl Types) -> Result<Answer, Error> {
        self.solve(inputs, &self.query.outputs)
    }

    /// The types of the outputs alone when these inputs are given: see [`Signature::outputs`](crate::Signature::outputs).
    ///
    /// # Errors
    /// See [`Error`].
    pub fn outputs(&self, inputs: impl Types) -> Result<Vec<Type>, Error> {
        let (inputs, outputs) = (
            inputs.each(),
            self.query.outputs.iter().collect::<SmallVec<[&Type; 8]>>(),
        );
        let Query {
            subject, params, ..
        } = &self.query;
        infer::outputs_of(subject, params, &inputs, &outputs, || self.query())
    }

    /// What the operator says when these inputs and outputs are given. An operand of which nothing is known is
    /// [`Type::UNKNOWN`](kanshape_types::Type::UNKNOWN); outputs that are left out are unknown.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn solve(&self, inputs: impl Types, outputs: impl Types) -> Result<Answer, Error> {
        let (inputs, outputs) = (inputs.each(), outputs.each());
        let Query {
            subject, params, ..
        } = &self.query;
        infer::solve(subject, params, &inputs, &outputs, || self.query())
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared")
            .field("operator", &self.operator)
            .field("attrs", &self.query.attrs)
            .finish_non_exhaustive()
    }
}
