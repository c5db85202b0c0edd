//! One call for one answer.

use crate::solve::calculate::{self, GivenCall};
use crate::solve::subject::Subject;
use crate::{Answer, Conflict, Outcome, Query, Signature, Verdict};
use kanshape_diag::Diagnostic;
use kanshape_rules::eval::Stop;
use kanshape_types::{Dim, Promotion, Type};
use smallvec::SmallVec;
use std::fmt;
use std::sync::OnceLock;

/// Why there is no single answer.
///
/// ```
/// use kanshape::{Error, infer};
///
/// let matmul = |a: &str, b: &str| infer("(m,n),(n,p)->(m,p)", [a.parse().unwrap(), b.parse().unwrap()]);
/// assert!(matches!(matmul("f32[2, 3]", "f32[5, 4]"), Err(Error::Never(_))));
/// assert!(matches!(infer("(m,n", []), Err(Error::Text(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The signature or what is given is written wrongly.
    Text(Box<Diagnostic>),
    /// No shapes and dtypes satisfy the signature together with what is given. The [`Refusal`] explains it.
    Never(Refusal),
    /// More than one answer: the first two of them. [`Signature::query`] gives all.
    Several(Box<[Answer; 2]>),
    /// It was not found out whether there is one answer, and why not: the search was stopped, or the question is beyond the
    /// solver.
    ///
    /// ```
    /// use kanshape::{Control, Error, Outcome, Signature};
    /// use std::time::Duration;
    ///
    /// let cubes: Signature = "(a,b,c)->() where a*a*a + b*b*b == c*c*c, a >= 1, b >= 1".parse()?;
    /// let query = cubes.query().ground();
    /// assert_eq!(query.clone().budget(1_000).one(), Err(Error::Unknown(Outcome::OutOfBudget)));
    /// let soon = Control::default().timeout(Duration::from_millis(1));
    /// assert_eq!(query.budget(u64::MAX).control(soon).one(), Err(Error::Unknown(Outcome::TimedOut)));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    Unknown(Outcome),
}

/// A question that has no answer, and why: that is found out when it is first read, since it takes a hundred times longer
/// than the refusal itself.
///
/// ```
/// use kanshape::{Error, infer};
///
/// let Err(Error::Never(refusal)) = infer("(2)->()", ["f32[3]".parse()?]) else { unreachable!() };
/// assert_eq!(refusal.conflict().code(), "K0101");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone)]
pub struct Refusal(Box<Refused>);

#[derive(Clone)]
struct Refused {
    query: Query,
    conflict: OnceLock<Conflict>,
}

impl Refusal {
    pub(crate) fn new(query: Query) -> Refusal {
        Refusal(Box::new(Refused {
            query,
            conflict: OnceLock::new(),
        }))
    }

    /// The question.
    pub fn query(&self) -> &Query {
        &self.0.query
    }

    /// What of it can't hold together, and what would mend it.
    pub fn conflict(&self) -> &Conflict {
        self.0.conflict.get_or_init(|| self.0.query.conflict())
    }
}

/// The question.
impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Refusal").field(&self.0.query).finish()
    }
}

impl PartialEq for Refusal {
    fn eq(&self, other: &Refusal) -> bool {
        self.conflict() == other.conflict()
    }
}

impl Eq for Refusal {}

impl Error {
    /// The diagnostic, where there is one.
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            Error::Text(d) => Some(d),
            Error::Never(refusal) => Some(&refusal.conflict().diagnostic),
            Error::Several(_) | Error::Unknown(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(d) => d.fmt(f),
            Error::Never(refusal) => refusal.conflict().fmt(f),
            Error::Several(answers) => write!(
                f,
                "there is more than one answer: {}, and {}",
                answers[0], answers[1]
            ),
            Error::Unknown(outcome) => outcome.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Error {
        Error::Text(Box::new(diagnostic))
    }
}

/// Types that are given, borrowed from whoever has them: an array, a slice or a `Vec` of types (`&[x, y]`), or of references to
/// types (`[&x, &y]`).
///
/// ```
/// use kanshape::{Signature, Type, shorthand::f32s};
///
/// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
/// let (x, w) = (f32s([2, 3]), f32s([3, 4]));
/// assert_eq!(matmul.infer([&x, &w])?.outputs[0], f32s([2, 4]));
/// assert_eq!(matmul.infer(&["f32[2, 3]".parse()?, w])?.outputs[0], f32s([2, 4]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of types",
    note = "write `&[x, y]` for types, and `[&x, &y]` for references to types"
)]
pub trait Types {
    /// Each of them.
    fn each(&self) -> SmallVec<[&Type; 8]>;
}

// One impl for each form of list. With a reference to an array of references as well, `&["f32[2]".parse()?]` would not say what
// is read.
macro_rules! lists {
    ($([$($generics:tt)*] $list:ty;)*) => {$(
        impl<$($generics)*> Types for $list {
            fn each(&self) -> SmallVec<[&Type; 8]> {
                self.iter().map(AsRef::as_ref).collect()
            }
        }
    )*};
}

lists! {
    [] &[Type];
    [] &Vec<Type>;
    [const N: usize] &[Type; N];
    [const N: usize] [Type; N];
    ['t] &[&'t Type];
    ['t] Vec<&'t Type>;
    ['t] &Vec<&'t Type>;
    ['t, const N: usize] [&'t Type; N];
}

/// What a signature says when these inputs are given: their types and those of the outputs, refined
/// as far as they follow.
///
/// ```
/// use kanshape::{infer, shorthand::f32s};
///
/// let answer = infer("(m,n),(n,p)->(m,p)", [f32s([2, 3]), f32s([3, 4])])?;
/// assert_eq!(answer.outputs[0], f32s([2, 4]));
/// # Ok::<(), kanshape::Error>(())
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
    pub fn infer(&self, inputs: impl Types) -> Result<Answer, Error> {
        self.solve(inputs, &[])
    }

    /// The types of the outputs alone when these inputs are given: what most callers ask for, found without writing the inputs
    /// again. An output has the conditions that are about its names with it; whether others have to hold as well,
    /// [`Signature::infer`] says.
    ///
    /// ```
    /// use kanshape::{Signature, shorthand::f32s};
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// assert_eq!(matmul.outputs(&[f32s([2, 3]), f32s([3, 4])])?, [f32s([2, 4])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Error`].
    pub fn outputs(&self, inputs: impl Types) -> Result<Vec<Type>, Error> {
        outputs_of(self.subject(), &[], &inputs.each(), &[], || self.query())
    }

    /// What the signature says when these inputs and outputs are given. An operand of which nothing
    /// is known is [`Type::UNKNOWN`]; outputs that are left out are unknown.
    ///
    /// ```
    /// use kanshape::{Signature, Type, shorthand::f32s};
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let answer = matmul.solve(&["f32[2, n]".parse()?, Type::UNKNOWN], &[f32s([2, 4])])?;
    /// assert_eq!(answer.inputs[1].to_string(), "f32[n, 4]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Error`].
    pub fn solve(&self, inputs: impl Types, outputs: impl Types) -> Result<Answer, Error> {
        let (inputs, outputs) = (inputs.each(), outputs.each());
        solve(self.subject(), &[], &inputs, &outputs, || self.query())
    }
}

impl Signature {
    /// Does the signature hold of these inputs and outputs? It is found out without writing an answer, and without an
    /// explanation where there is none. Outputs that are left out are unknown.
    ///
    /// ```
    /// use kanshape::{Signature, Verdict};
    ///
    /// let add: Signature = "+(),()->()".parse()?;
    /// let check = |a: &str, b: &str| Ok::<_, kanshape::Diagnostic>(add.check(&[a.parse()?, b.parse()?], &[])?);
    /// assert_eq!(check("f32[2, 1]", "f32[3]")?, Verdict::Always);
    /// assert_eq!(check("f32[n]", "f32[3]")?, Verdict::Depends);
    /// assert_eq!(check("f32[2]", "f32[3]")?, Verdict::Never);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if there are more or fewer operands than the signature has.
    pub fn check(&self, inputs: &[Type], outputs: &[Type]) -> Result<Verdict, Diagnostic> {
        let query = self.query().inputs(inputs.iter().cloned());
        let outputs = outputs.iter().cloned().enumerate();
        let query = outputs.fold(query, |query, (i, ty)| query.output(i, ty));
        Ok(query.solve()?.verdict())
    }
}

/// The one answer to a question about a subject, with these inputs and outputs in the place of those it has.
pub(crate) fn solve(
    subject: &Subject,
    params: &[(Box<str>, Dim)],
    inputs: &[&Type],
    outputs: &[&Type],
    question: impl Fn() -> Query,
) -> Result<Answer, Error> {
    let mut answer = Answer::default();
    match at_once(subject, params, (inputs, outputs), &mut answer, true) {
        Ok(()) => Ok(answer),
        Err(stop) => searched(stop, (inputs, outputs), question()),
    }
}

/// The outputs of that answer.
pub(crate) fn outputs_of(
    subject: &Subject,
    params: &[(Box<str>, Dim)],
    inputs: &[&Type],
    outputs: &[&Type],
    question: impl Fn() -> Query,
) -> Result<Vec<Type>, Error> {
    let mut answer = Answer::default();
    match at_once(subject, params, (inputs, outputs), &mut answer, false) {
        Ok(()) if answer.conditions.is_empty() => return Ok(answer.outputs),
        Ok(()) => {}
        Err(stop) => answer = searched(stop, (inputs, outputs), question())?,
    }
    let outputs = 0..answer.outputs.len();
    Ok(outputs.filter_map(|i| answer.output(i)).collect())
}

/// Writes the answer if no search is needed for it, with the inputs or without them.
///
/// # Errors
/// [`Stop::Fail`] if there is none.
#[inline]
fn at_once(
    subject: &Subject,
    params: &[(Box<str>, Dim)],
    (inputs, outputs): (&[&Type], &[&Type]),
    answer: &mut Answer,
    with_inputs: bool,
) -> Result<(), Stop> {
    let fits = inputs.len() == subject.inputs && outputs.len() <= subject.outputs;
    if !fits || subject.has_own_types() {
        return Err(Stop::Leave);
    }
    let given = GivenCall {
        subject,
        inputs,
        outputs,
        attrs: &subject.attrs,
        params,
        promotion: Promotion::default(),
    };
    given.write(answer, with_inputs)
}

/// The same by a search, or the refusal.
#[cold]
fn searched(
    stop: Stop,
    (inputs, outputs): (&[&Type], &[&Type]),
    question: Query,
) -> Result<Answer, Error> {
    let query = question.inputs(inputs.iter().copied().cloned());
    let outputs = outputs.iter().copied().cloned().enumerate();
    let query = outputs.fold(query, |query, (i, ty)| query.output(i, ty));
    match stop {
        Stop::Fail => Err(Error::Never(Refusal::new(query))),
        Stop::Wait | Stop::Leave => query.one(),
    }
}

impl Query {
    /// Its one answer if that is calculated without a search: then it is the only one, and the verdict is
    /// [`Verdict::Always`]. `None` if there is no answer, or if it takes a search: [`Query::one`] finds out which.
    ///
    /// It spends nothing of the budget. A caller that has to set a deadline or release a lock before a search can try this first.
    ///
    /// ```
    /// use kanshape::Signature;
    ///
    /// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
    /// let query = matmul.query().inputs(["f32[2, 3]".parse()?, "f32[3, 4]".parse()?]);
    /// assert_eq!(query.at_once().unwrap().outputs[0].to_string(), "f32[2, 4]");
    /// assert_eq!(matmul.query().output(0, "f32[2, 4]".parse()?).input(1, "f32[n, n]".parse()?).at_once(), None);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn at_once(&self) -> Option<Answer> {
        self.check().ok()?;
        match calculate::of_query(self) {
            calculate::Outcome::Answer(answer)
                if self.limit != Some(0) && answer.conditions.is_empty() =>
            {
                Some(self.named(*answer))
            }
            _ => None,
        }
    }

    /// Its one answer.
    ///
    /// ```
    /// use kanshape::Signature;
    ///
    /// let conv: Signature = "[s] (h),(k)->((h - k)//s + 1)".parse()?;
    /// let query = conv.query().inputs(["f32[9]".parse()?, "f32[3]".parse()?]);
    /// assert_eq!(query.param("s", 2).one()?.outputs[0].to_string(), "f32[4]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Error`].
    pub fn one(&self) -> Result<Answer, Error> {
        let mut answers = self.solve()?;
        let Some(first) = answers.next() else {
            return Err(match answers.verdict() {
                Verdict::Never => Error::Never(Refusal::new(self.clone())),
                _ => Error::Unknown(answers.outcome()),
            });
        };
        match answers.next() {
            Some(second) => Err(Error::Several(Box::new([first, second]))),
            None if answers.complete() => Ok(first),
            None => Err(Error::Unknown(answers.outcome())),
        }
    }
}
