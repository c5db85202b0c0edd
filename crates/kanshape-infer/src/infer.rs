//! One call for one answer.

use crate::solve::calculate::Given;
use crate::{Answer, Conflict, Signature, Verdict};
use kanshape_diag::Diagnostic;
use kanshape_types::{Promotion, Type};
use std::fmt;

/// Why there is no single answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The signature or what is given is written wrongly.
    Text(Box<Diagnostic>),
    /// No shapes and dtypes satisfy the signature together with what is given.
    Never(Box<Conflict>),
    /// More than one answer: the first two of them. [`Signature::query`] gives all.
    Several(Box<[Answer; 2]>),
    /// The budget ran out, or the question is beyond the solver.
    Unknown,
}

impl Error {
    /// The diagnostic, where there is one.
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            Error::Text(d) => Some(d),
            Error::Never(conflict) => Some(&conflict.diagnostic),
            Error::Several(_) | Error::Unknown => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(d) => d.fmt(f),
            Error::Never(conflict) => conflict.fmt(f),
            Error::Several(answers) => write!(
                f,
                "there is more than one answer: {}, and {}",
                answers[0], answers[1]
            ),
            Error::Unknown => f.write_str("no answer was found within the budget"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Error {
        Error::Text(Box::new(diagnostic))
    }
}

/// What a signature says when these inputs are given: their types and those of the outputs, refined
/// as far as they follow.
///
/// ```
/// use kanshape_infer::infer;
/// use kanshape_types::f32s;
///
/// let answer = infer("(m,n),(n,p)->(m,p)", [f32s([2, 3]), f32s([3, 4])])?;
/// assert_eq!(answer.outputs[0], f32s([2, 4]));
/// # Ok::<(), kanshape_infer::Error>(())
/// ```
///
/// # Errors
/// See [`Error`]. That the answer holds only under conditions is no error: see
/// [`Answer::conditions`].
pub fn infer(signature: &str, inputs: impl AsRef<[Type]>) -> Result<Answer, Error> {
    signature.parse::<Signature>()?.infer(inputs.as_ref())
}

impl Signature {
    /// What the signature says when these inputs are given.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn infer(&self, inputs: &[Type]) -> Result<Answer, Error> {
        self.solve(inputs, &[])
    }

    /// What the signature says when these inputs and outputs are given. An operand of which nothing
    /// is known is [`Type::UNKNOWN`]; outputs that are left out are unknown.
    ///
    /// ```
    /// use kanshape_infer::Signature;
    /// use kanshape_types::{Type, f32s};
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let answer = matmul.solve(&["f32[2, n]".parse()?, Type::UNKNOWN], &[f32s([2, 4])])?;
    /// assert_eq!(answer.inputs[1].to_string(), "f32[n, 4]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Error`].
    pub fn solve(&self, inputs: &[Type], outputs: &[Type]) -> Result<Answer, Error> {
        let subject = self.subject();
        if inputs.len() == subject.inputs && outputs.len() <= subject.outputs {
            let given = Given {
                subject,
                inputs,
                outputs,
                attrs: &[],
                params: &[],
                promotion: Promotion::default(),
            };
            if let Ok(answer) = given.answer() {
                return Ok(answer);
            }
        }
        let mut query = self.query().inputs(inputs.iter().cloned());
        for (i, ty) in outputs.iter().enumerate() {
            query = query.output(i, ty.clone());
        }
        let mut answers = query.solve()?;
        let Some(first) = answers.next() else {
            return Err(match answers.verdict() {
                Verdict::Never => Error::Never(Box::new(query.conflict())),
                _ => Error::Unknown,
            });
        };
        match answers.next() {
            Some(second) => Err(Error::Several(Box::new([first, second]))),
            None if answers.complete() => Ok(first),
            None => Err(Error::Unknown),
        }
    }
}
