//! Relational type inference for tensor operators: one signature, every direction.
//!
//! An operator's typing rule is one line of text, and the line is a *relation* between the shapes
//! and dtypes of its inputs, outputs and parameters. Solve it forwards, backwards or sideways; the
//! answer has the same form whatever was given.
//!
//! ```
//! use kanshape::prelude::*;
//!
//! // Forwards, in one line.
//! let answer = infer("(m,n),(n,p)->(m,p)", [f32s([2, 3]), f32s([3, 4])])?;
//! assert_eq!(answer.outputs[0].to_string(), "f32[2, 4]");
//!
//! // Backwards: which second input gives this output?
//! let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
//! let answer = matmul.solve(&["f32[2, n]".parse()?, Type::UNKNOWN], &[f32s([2, 4])])?;
//! assert_eq!(answer.inputs[1].to_string(), "f32[n, 4]");
//!
//! // Everything that broadcasts to this output, one answer after the other.
//! let add: Signature = "+(),()->()".parse()?;
//! let pairs = add.query().output(0, f32s([8, 7])).max_rank(2).ground().max_dim(8).solve()?;
//! assert_eq!(pairs.count(), 17);
//!
//! // Under which condition?
//! let mut answers = add.query().inputs(["f32[n]".parse()?, f32s([3])]).solve()?;
//! assert_eq!(answers.verdict(), Verdict::Depends);
//! assert_eq!(answers.next().unwrap().conditions.iter().next().unwrap().to_string(), "n in {1, 3}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

//! # Where things are
//!
//! At the root is what most programs need, and [`prelude`] is what they import. The rest is in the module of its subject:
//! what a type is made of ([`types`]), types that are compared ([`order`]), graphs of operators ([`graph`]), why there is no answer ([`explain`]), what an
//! operator declares ([`operator`]), who chooses a sample ([`choice`]), relations and types of one's own ([`relation`], [`user`]), values ([`value`]),
//! diagnostics and their codes ([`diag`], [`code`]), texts as trees ([`tree`]), what bounds the work of a query ([`control`]).
//!
//! # Features
//!
//! None is on by default.
//!
//! - `serde`: types, signatures, calls, answers and diagnostics as data, in formats for people and in binary ones. A diagnostic that is
//!   read back from JSON has its places and not the text that they are in.
//! - `terminal`: diagnostics in colour, by `diag::render_terminal`.
//! - `proptest`: strategies of calls that a rule takes, and of calls that it just refuses.
//! - `rand`: samples by the generators of `rand` 0.10.
//! - `ndarray`: values as arrays of `ndarray`; whether a type contains one.
//! - `relay`: the trees of Relay's text format in [`tree`]; the crate `kanshape-relay` types programs in it.
//! - `stablehlo`: the trees of StableHLO's modules in [`tree`]; the crate `kanshape-stablehlo` types them.
//!
//! # Enums that grow
//!
//! An enum to which a later version is sure to add is `#[non_exhaustive]`: [`Dtype`] (machines get new number formats), [`Promotion`],
//! [`AttrValue`], [`Error`], [`Outcome`] and the like. The arm for the rest should say *unknown*.
//!
//! [`Verdict`], [`Dim`], [`DtypeTerm`], [`TypeKind`](types::TypeKind) and [`Content`] are not: they are the forms that a known, a named and an unknown thing
//! has, and code that leaves one of them aside is wrong. The compiler says so where one is added, which is a new major version.
//! [`Call`] is plain data: `..Call::default()` behind the fields that are meant keeps to that with fields to come. What kanshape gives
//! back - an [`Answer`], a [`Diagnostic`] - is read, and made by [`str::parse`] and [`Diagnostic::new`].
//!
//! # Licence
//!
//! MIT or Apache-2.0. Of its dependencies `imbl`, the persistent vector, is MPL-2.0, and the tables of `unicode-ident` are under
//! Unicode-3.0.

// The root: what most users need, and no more. What belongs to one subject is in the module of that subject.
pub use kanshape_diag::Diagnostic;
pub use kanshape_infer::{
    Answer, Answers, AttrValue, Call, Control, Error, Operator, Outcome, Prepared, Query,
    Relations, Signature, Verdict, infer,
};
pub use kanshape_infer::{graph, order};
pub use kanshape_syntax::tree::Condition;
pub use kanshape_types::{
    Conditions, Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Name, Promotion, Shape, Tensor,
    Type,
};

pub mod catalog;
pub mod code;
pub mod control;
pub mod tree;

pub use catalog::catalog;

/// What most programs import: `use kanshape::prelude::*`.
///
/// ```
/// use kanshape::prelude::*;
///
/// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
/// assert_eq!(matmul.infer(&[f32s([2, 3]), f32s([3, 4])])?.outputs[0], f32s([2, 4]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod prelude {
    pub use crate::shorthand::{bools, f32s, f64s, i32s, i64s};
    pub use crate::{
        Answer, Call, Dim, Dtype, Operator, Query, Relations, Shape, Signature, Type, Verdict,
        catalog, infer,
    };
}

/// Tensor types in a few letters.
///
/// ```
/// use kanshape::shorthand::{any, f32s};
///
/// assert_eq!(f32s([2, 3]).to_string(), "f32[2, 3]");
/// assert_eq!(any([2, 3]).to_string(), "?[2, 3]");
/// ```
pub mod shorthand {
    pub use kanshape_types::shorthand::*;
}

/// Why a query has no answer, and what would give it one: the facts that can't hold together, and repairs.
///
/// ```
/// use kanshape::{Signature, shorthand::f32s};
///
/// let matmul: Signature = "(m,n),(n,p)->(m,p)".parse()?;
/// let query = matmul.query().inputs([f32s([2, 3]), f32s([4, 5])]);
/// let conflict: kanshape::explain::Conflict = query.explain().ok_or("it has an answer")?;
/// assert_eq!(conflict.facts[0].slot.to_string(), "inputs[0]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod explain {
    pub use kanshape_infer::Refusal;
    pub use kanshape_infer::explain::*;
}

/// What an operator declares: its operands, its attributes and its worked examples.
///
/// ```
/// use kanshape::catalog;
///
/// let add = catalog().operator("onnx::Add", None)?;
/// let names: Vec<_> = add.inputs().map(|input| input.name).collect();
/// assert_eq!(names, ["A", "B"]);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub mod operator {
    pub use kanshape_infer::{
        Attribute, CheckedExamples, Example, Expected, FailedExample, Formal, Operand,
        OperatorCall, Places,
    };
}

/// Relations of one's own, in Rust.
pub mod relation {
    pub use kanshape_infer::{
        Arg, Args, Impossible, Optional, Progress, RustRelation, STANDARD_RELATIONS, TensorArg,
    };
}

/// What a type is made of: its kind and the parts of its forms.
///
/// ```
/// use kanshape::{Type, types::TypeKind};
///
/// let ty: Type = "(f32[2], i64[n])".parse()?;
/// assert!(matches!(&ty.kind, TypeKind::Tuple(fields) if fields.len() == 2));
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub mod types {
    pub use kanshape_infer::Types;
    pub use kanshape_types::{Float, FnType, Nominal, Run, TypeKind};
}

/// Who chooses a [sample](crate::Query::sample): a generator of random numbers, or a function.
pub mod choice {
    pub use kanshape_infer::{By, Choose};
}

/// Strategies of `proptest`: calls that fit an operator or a signature, or just don't.
///
/// ```
/// use kanshape::{catalog, proptest::inputs};
/// use proptest::{proptest, prop_assert};
///
/// let conv = catalog().operator("onnx::Conv", None)?;
/// proptest!(|(call in inputs(&conv))| {
///     prop_assert!(conv.query(call).unwrap().one().is_ok());
/// });
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[cfg(feature = "proptest")]
pub mod proptest {
    pub use kanshape_infer::strategy::*;
}

/// Types of one's own.
pub mod user {
    pub use kanshape_types::{ArgumentError, Constructor, UserType, Vocabulary};
}

/// Values: what a type contains, and what it filters.
pub mod value {
    pub use kanshape_infer::value::*;
}

/// Points in time, and where there is none, what says it.
pub mod clock {
    pub use kanshape_infer::Moment;
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub use kanshape_infer::set_clock;
}

/// Diagnostics as data, and their renderers.
pub mod diag {
    pub use kanshape_diag::*;
}

/// The blocks of `docs/values.md`, which are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/values.md")]
struct ValuesPage;

/// The blocks of `docs/relations.md`, which are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/relations.md")]
struct RelationsPage;

/// The blocks of `docs/operators.md`, which are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/operators.md")]
struct OperatorsPage;

/// The blocks of `docs/why.md`, which are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/why.md")]
struct WhyPage;

/// The blocks of the guides, which are run.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../../docs/guides/compiler-pass.md")]
    struct CompilerPass;
    #[doc = include_str!("../../../docs/guides/service.md")]
    struct Service;
    #[doc = include_str!("../../../docs/guides/own-operators.md")]
    struct OwnOperators;
    #[doc = include_str!("../../../docs/guides/own-types.md")]
    struct OwnTypes;
}

/// The blocks of the pages of these codes, which are run. The sessions of pages are run where the program is tested.
#[cfg(doctest)]
#[rustfmt::skip]
mod code_pages {
    #[doc = include_str!("../../../docs/codes/K0104.md")]
    struct K0104;
    #[doc = include_str!("../../../docs/codes/K0205.md")]
    struct K0205;
    #[doc = include_str!("../../../docs/codes/K0206.md")]
    struct K0206;
    #[doc = include_str!("../../../docs/codes/K0209.md")]
    struct K0209;
    #[doc = include_str!("../../../docs/codes/K0222.md")]
    struct K0222;
    #[doc = include_str!("../../../docs/codes/K0230.md")]
    struct K0230;
    #[doc = include_str!("../../../docs/codes/K0231.md")]
    struct K0231;
    #[doc = include_str!("../../../docs/codes/K0232.md")]
    struct K0232;
    #[doc = include_str!("../../../docs/codes/K0233.md")]
    struct K0233;
    #[doc = include_str!("../../../docs/codes/K0234.md")]
    struct K0234;
    #[doc = include_str!("../../../docs/codes/K0235.md")]
    struct K0235;
    #[doc = include_str!("../../../docs/codes/K0236.md")]
    struct K0236;
    #[doc = include_str!("../../../docs/codes/K0303.md")]
    struct K0303;
    #[doc = include_str!("../../../docs/codes/K0313.md")]
    struct K0313;
    #[doc = include_str!("../../../docs/codes/K0321.md")]
    struct K0321;
    #[doc = include_str!("../../../docs/codes/K0344.md")]
    struct K0344;
    #[doc = include_str!("../../../docs/codes/K0345.md")]
    struct K0345;
    #[doc = include_str!("../../../docs/codes/K0410.md")]
    struct K0410;
}
