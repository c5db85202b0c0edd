//! The mistakes this crate finds, one function each.

use std::ops::Range;

use kanshape_diag::{Diagnostic, suggest};
use kanshape_syntax::tree::Span;

use crate::dtype::{self, Ambiguous, near_miss};
use crate::{Dim, Dtype, DtypeSet, Promotion, Shape, code};

pub(crate) fn unknown_dtype(name: &str, at: Range<usize>) -> Diagnostic {
    let known = dtype::names().map(|(known, _)| known);
    let classes = DtypeSet::CLASSES.map(|(class, _)| class);
    let near = near_miss(name).or_else(|| suggest(name, known.chain(classes)));
    let diagnostic = Diagnostic::new(code::UNKNOWN_DTYPE, format!("there is no dtype `{name}`"))
        .with_label(at, "not a dtype");
    did_you_mean(diagnostic, near)
}

pub(crate) fn undeclared_dtype(name: &str, at: Range<usize>) -> Diagnostic {
    let diagnostic = unknown_dtype(name, at);
    let own =
        format!("a name for any dtype is a letter, `T[2, n]`, or declared: `where {name}: Any`");
    let diagnostic = diagnostic.with_help(own);
    let is_like_a_type =
        name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphabetic);
    match is_like_a_type {
        true => diagnostic.with_help(format!(
            "a data type has `type` before an argument that may be a dim as well: `{name}[type ?]`"
        )),
        false => diagnostic,
    }
}

pub(crate) fn ambiguous_dtype(ambiguous: &Ambiguous, at: Range<usize>) -> Diagnostic {
    Diagnostic::new(code::AMBIGUOUS_DTYPE, ambiguous.why)
        .with_label(at, "which one?")
        .with_help(ambiguous.instead)
}

pub(crate) fn size_too_large(size: u64, at: Range<usize>) -> Diagnostic {
    let headline = format!("no tensor has a dim of size {size}");
    Diagnostic::new(code::SIZE_TOO_LARGE, headline)
        .with_label(at, "too large")
        .with_help(format!("the largest size is {}", Dim::MAX_SIZE))
}

pub(crate) fn negative_size(at: Range<usize>) -> Diagnostic {
    Diagnostic::new(
        kanshape_syntax::code::NEGATIVE_SIZE,
        "a size cannot be negative",
    )
    .with_label(at, "")
    .with_help("a dim of any size is a name or `?`")
}

/// A text that is no part of a type of this name.
pub(crate) fn no_part(what: &str, text: &str) -> Diagnostic {
    Diagnostic::new(code::MISREAD, format!("`{text}` is no {what}"))
        .with_label(0..text.len(), format!("no {what}"))
        .with_source(what, text)
}

pub(crate) fn dtype_alone(name: &str, at: Range<usize>) -> Diagnostic {
    let headline = format!("`{name}` is a dtype, and a type has dims as well");
    Diagnostic::new(code::DTYPE_NOT_TYPE, headline)
        .with_label(at, "no dims")
        .with_help(format!(
            "a scalar is `{name}[]`, a tensor of any rank `{name}[...]`"
        ))
}

pub(crate) fn dtype_of_types(name: &str, at: Range<usize>) -> Diagnostic {
    let headline = format!("`{name}` is a dtype, and has dims in its brackets, not types");
    Diagnostic::new(code::DTYPE_NOT_TYPE, headline)
        .with_label(at, "a dtype")
        .with_help(format!(
            "a tensor is `{name}[2, n]`, a list of them `List[{name}[2, n]]`"
        ))
}

pub(crate) fn dim_and_dtype(name: &str, at: Range<usize>) -> Diagnostic {
    let headline = format!("`{name}` stands for a dtype and for a dim");
    Diagnostic::new(code::DIM_AND_DTYPE, headline)
        .with_label(at, "here it is the other")
        .with_help("give one of the two another name")
}

pub(crate) fn second_run(at: Range<usize>) -> Diagnostic {
    let headline = "a shape has one run of unknown length at most";
    Diagnostic::new(code::SECOND_RUN, headline).with_label(at, "the second")
}

pub(crate) fn promotion_in_type(at: Range<usize>) -> Diagnostic {
    let headline = "the dtype of a type is a name, a set or `?`";
    Diagnostic::new(code::NOT_A_DTYPE, headline)
        .with_label(at, "a promotion")
        .with_help("say it in a condition: `z[2] where z == promote(x, y)`")
}

pub(crate) fn empty_dtype_set(at: Range<usize>) -> Diagnostic {
    let headline = "a set of dtypes has at least one";
    Diagnostic::new(code::NOT_A_DTYPE, headline).with_label(at, "no dtype")
}

pub(crate) fn not_a_dtype(at: Range<usize>) -> Diagnostic {
    let headline = "a number stands where a dtype must";
    Diagnostic::new(code::NOT_A_DTYPE, headline)
        .with_label(at, "about dtypes")
        .with_help("a dtype is called by its name: `f32`")
}

pub(crate) fn unknown_promotion(name: &str) -> Diagnostic {
    let headline = format!("there is no promotion table `{name}`");
    let known = Promotion::ALL.map(Promotion::name);
    let diagnostic = Diagnostic::new(code::UNKNOWN_PROMOTION, headline)
        .with_label(0..name.len(), "not a promotion table")
        .with_help(format!("the tables are `{}`", known.join("`, `")));
    did_you_mean(diagnostic, suggest(name, known))
}

pub(crate) fn not_a_dim(what: &str, at: Range<usize>) -> Diagnostic {
    Diagnostic::new(code::NOT_A_DIM, format!("{what} is not a dim")).with_label(at, "not a dim")
}

pub(crate) fn type_name(name: &str, why: &str) -> Diagnostic {
    let headline = format!("no type can be called `{name}`: {why}");
    Diagnostic::new(code::TYPE_NAME, headline)
}

pub(crate) fn wrong_arity(name: &str, parameters: &[&str], given: usize) -> Diagnostic {
    let takes = match parameters.len() {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        count => format!("{count} arguments"),
    };
    let headline = format!("`{name}` takes {takes}, not {given}");
    Diagnostic::new(code::WRONG_ARITY, headline).with_help(match parameters {
        [] => format!("write `{name}`"),
        _ => format!("write `{name}[{}]`", parameters.join(", ")),
    })
}

pub(crate) fn wrong_argument(
    name: &str,
    parameters: &[&str],
    index: usize,
    why: &str,
) -> Diagnostic {
    let parameter = parameters.get(index).copied().unwrap_or("an argument");
    let headline = format!("`{name}` does not take this: its `{parameter}` {why}");
    Diagnostic::new(code::WRONG_ARGUMENT, headline)
}

pub(crate) fn dim_of_types(name: &str, at: Range<usize>) -> Diagnostic {
    let headline = format!("`{name}` is a type, and has types in its brackets, not dims");
    Diagnostic::new(code::WRONG_ARGUMENT, headline).with_label(at, "not a type")
}

pub(crate) fn value_refused(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code::VALUE_REFUSED, why)
}

pub(crate) fn value_dtype(given: Dtype, expected: DtypeSet, strict: bool) -> Diagnostic {
    let expected = match expected.single() {
        Some(dtype) => dtype.to_string(),
        None => expected.to_string(),
    };
    let (headline, help) = match strict {
        true => (
            format!("the elements are {given}, not {expected}"),
            "without `strict` they may be converted",
        ),
        false => (
            format!("elements that are {given} do not all fit {expected}"),
            "with `allow_downcast` they are converted all the same",
        ),
    };
    Diagnostic::new(code::VALUE_DTYPE, headline).with_help(help)
}

pub(crate) fn no_tensor(name: &str, at: Range<usize>) -> Diagnostic {
    let headline = format!("only a tensor has contents, and `{name}` is none");
    Diagnostic::new(code::CONTENTS_DTYPE, headline).with_label(at, "of no tensor")
}

pub(crate) fn contents_count(shape: &Shape, count: usize, at: Range<usize>) -> Diagnostic {
    let members = match count {
        1 => "1 member".to_owned(),
        count => format!("{count} members"),
    };
    let headline = match shape.elements() {
        Some(1) => format!("a tensor `{shape}` has 1 element, and here are {members}"),
        Some(elements) => {
            format!("a tensor `{shape}` has {elements} elements, and here are {members}")
        }
        None => format!("no tensor `{shape}` has {count} elements"),
    };
    Diagnostic::new(code::CONTENTS_COUNT, headline)
        .with_label(at, members)
        .with_help(
            "contents have a member for each element, row by row; one that is not known is `?`",
        )
}

pub(crate) fn contents_dtype(member: &str, dtype: &str, at: Range<usize>) -> Diagnostic {
    let headline = format!("no element of dtype `{dtype}` is {member}");
    Diagnostic::new(code::CONTENTS_DTYPE, headline).with_label(at, format!("not in `{dtype}`"))
}

pub(crate) fn contents_mixed(member: &str, at: Range<usize>) -> Diagnostic {
    let headline = format!("no dtype has {member} and what stands before it");
    Diagnostic::new(code::CONTENTS_DTYPE, headline).with_label(at, "of another dtype")
}

pub(crate) fn content_too_large(int: u64, at: Range<usize>) -> Diagnostic {
    let headline = format!("{int} is too large a number for contents");
    Diagnostic::new(code::SIZE_TOO_LARGE, headline)
        .with_label(at, "too large")
        .with_help(format!(
            "the largest is {}; a member that is not known is `?`",
            i64::MAX
        ))
}

pub(crate) fn identity_in_arithmetic(at: Range<usize>) -> Diagnostic {
    not_a_dim("arithmetic with an identity", at).with_help("write the plain size")
}

pub(crate) fn too_many_bytes() -> Diagnostic {
    let headline = "a value of this type has more bytes than can be counted";
    Diagnostic::new(code::TOO_MANY_BYTES, headline)
        .with_help(format!("the largest count is {}", Dim::MAX_SIZE))
}

#[cfg(feature = "ndarray")]
pub(crate) fn value_shape(expected: &Shape, sizes: &[u64]) -> Diagnostic {
    let given = Shape::known(sizes.iter().copied().map(Dim::Size));
    Diagnostic::new(
        code::VALUE_SHAPE,
        format!("the shape is {given}, not {expected}"),
    )
}

#[cfg(feature = "ndarray")]
pub(crate) fn value_count(given: usize, expected: usize) -> Diagnostic {
    let headline = format!("there are {given} elements, not {expected}");
    Diagnostic::new(code::VALUE_CONTENTS, headline)
}

#[cfg(feature = "ndarray")]
pub(crate) fn value_contents(
    at: usize,
    given: &impl std::fmt::Display,
    expected: &impl std::fmt::Display,
) -> Diagnostic {
    let headline = format!("element {at}, row by row, is {given}, not {expected}");
    Diagnostic::new(code::VALUE_CONTENTS, headline)
}

#[cfg(feature = "ndarray")]
pub(crate) fn value_condition(condition: &impl std::fmt::Display) -> Diagnostic {
    let headline = format!("`{condition}` does not hold");
    Diagnostic::new(code::VALUE_CONDITION, headline)
}

fn did_you_mean(diagnostic: Diagnostic, near: Option<&str>) -> Diagnostic {
    match near {
        Some(near) => diagnostic.with_help(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}

/// A place of a tree as a range.
pub(crate) fn range(span: Span) -> Range<usize> {
    span.start..span.end
}
