//! The tree of operators: relations with named attributes, inputs and outputs.
//!
//! ```text
//! domain "ai.onnx"
//!
//! /// The sum of two tensors, broadcast against each other.
//! ///
//! /// > f32[8, 1, 6], f32[7, 1] -> f32[8, 7, 6]
//! op Add(A: T[..a], B: T[..b]) -> (C: T[..c]) since 7 :-
//!     Numeric(T), BroadcastShapes(a, b, c)
//! ```

use super::{Element, Goal, Term};
use crate::tree::{Ident, Spanned};

/// `op Name [attributes] (inputs) -> (outputs) since 7 :- body`, or a signature:
/// `op Name, OtherName "(n)->()" since 7`.
///
/// All names of its head are variables of its body: attributes, operands, and what their patterns
/// have in them. No two attributes or operands have the same name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    /// The lines that begin with `///` before it, without that and one space.
    pub doc: Vec<Box<str>>,
    /// The text of the `domain` line before it; empty if there is none.
    pub domain: Box<str>,
    /// Its name: words, perhaps with dots between them, `linalg.solve`.
    pub name: Ident,
    /// Its other names.
    pub aliases: Vec<Ident>,
    /// Its attributes.
    pub attrs: Vec<Attr>,
    /// Its inputs; none if it is a signature.
    pub inputs: Vec<Formal>,
    /// Its outputs; none if it is a signature.
    pub outputs: Vec<Formal>,
    /// The signature that it is, if it is one. The text has been read once, so it is a signature.
    pub signature: Option<Spanned<Box<str>>>,
    /// The version of the operator set from which on it is this: 1 if nothing is written.
    pub since: u64,
    /// What has to hold as well; `true` if nothing is written.
    pub body: Spanned<Goal>,
}

/// What an example's question begins with in a line of documentation.
const QUESTION: &str = "> ";
/// What each of its answers begins with.
const ANSWER: &str = "= ";

/// An example in the documentation of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example<'d> {
    /// What stands behind `> `.
    pub question: &'d str,
    /// What stands behind `= ` in the lines below it: answers, `never`, or `...` where there are more. None of an
    /// example that is a whole call, which is its own answer.
    pub answers: Vec<&'d str>,
}

/// The examples in lines of documentation.
///
/// ```
/// use kanshape_syntax::relation::examples;
///
/// let doc = ["The same.", "> f32[n] -> f32[n]", "> f32[2] -> f32[3]", "= never"];
/// let examples: Vec<_> = examples(&doc).collect();
/// assert_eq!(examples[0].answers, [""; 0]);
/// assert_eq!((examples[1].question, &*examples[1].answers), ("f32[2] -> f32[3]", &["never"][..]));
/// ```
pub fn examples<S: AsRef<str>>(doc: &[S]) -> impl Iterator<Item = Example<'_>> {
    let lines = || doc.iter().map(AsRef::as_ref);
    let questions = lines().enumerate();
    questions.filter_map(move |(at, line): (usize, &str)| {
        let below = lines().skip(at + 1);
        Some(Example {
            question: line.strip_prefix(QUESTION)?.trim(),
            answers: below
                .map_while(|line| Some(line.strip_prefix(ANSWER)?.trim()))
                .collect(),
        })
    })
}

/// The lines of documentation that are no examples.
pub fn prose<S: AsRef<str>>(doc: &[S]) -> impl Iterator<Item = &str> {
    let is_example = |line: &str| line.starts_with(QUESTION) || line.starts_with(ANSWER);
    doc.iter()
        .map(AsRef::as_ref)
        .filter(move |line: &&str| !is_example(line))
}

impl Op {
    /// The examples of its documentation.
    ///
    /// ```
    /// use kanshape_syntax::parse_relations;
    ///
    /// let file = parse_relations("/// The same.\n/// > f32[n] -> f32[n]\nop Same(x) -> (y) :- y = x")?;
    /// let same = &file.ops[0].node;
    /// assert!(same.examples().map(|e| e.question).eq(["f32[n] -> f32[n]"]));
    /// assert!(same.prose().eq(["The same."]));
    /// # Ok::<(), kanshape_diag::Diagnostic>(())
    /// ```
    pub fn examples(&self) -> impl Iterator<Item = Example<'_>> {
        examples(&self.doc)
    }

    /// The lines of its documentation that are no examples.
    pub fn prose(&self) -> impl Iterator<Item = &str> {
        prose(&self.doc)
    }
}

/// `axis: int`, `pads: ints?`, `group: int = 1`: an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attr {
    /// `axis`.
    pub name: Ident,
    /// `int`, `ints`, `float`, `floats`, `string`, `strings`, `bool`, `dtype`, `tensor`, ...
    pub kind: Ident,
    /// Whether it may be left out, and is `none` then, or `some(x)`.
    pub optional: bool,
    /// Whether a question has to say it: with `?` it asks for it.
    pub required: bool,
    /// What it is where it is left out: a literal. Then it is not `optional`.
    pub default: Option<Spanned<Term>>,
}

/// `X: T[n, c, ..xs]`, `B: T[m]?`, `shape: i64[n] = s`, `..inputs`: an input or an output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formal {
    /// Stands for the whole type; for a list of types if it is `variadic`.
    pub name: Ident,
    /// What is known of its type.
    pub pattern: Option<Spanned<Pattern>>,
    /// Whether it may be left out, and is `none` then, or `some(type)`.
    pub optional: bool,
    /// Whether it is all operands from here on: the last one only, and it has neither pattern nor
    /// contents.
    pub variadic: bool,
    /// Stands for the list of what the tensor has in it, in row-major order.
    pub contents: Option<Ident>,
}

impl Formal {
    /// An operand of any type.
    pub(crate) fn any(name: Ident) -> Formal {
        Formal {
            name,
            pattern: None,
            optional: false,
            variadic: false,
            contents: None,
        }
    }
}

/// What the type of an operand looks like.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// `T[n, 2*m, ..r]`, `f32[]`, `{i32, i64}[..]`: a tensor.
    Tensor {
        /// Its dtype.
        dtype: Spanned<Dtypes>,
        /// Its dims.
        dims: Vec<Element>,
    },
    /// `Sequence(A)`, `Map(K, V)`: a call.
    Term(Spanned<Term>),
}

/// The dtype of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dtypes {
    /// `f32`, or a variable.
    Name(Ident),
    /// `{i32, i64}`: one of these.
    Set(Vec<Ident>),
}
