//! The mistakes in a signature or a query that need meaning to be found, one function a code.

use super::kind::Kind;
use crate::{AttrValue, code};
use kanshape_diag::{Diagnostic, Label};
use kanshape_syntax::tree::{Ident, Span};

fn mistake(code: &'static str, headline: String, labels: Vec<Label>) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(code, headline);
    diagnostic.labels = labels;
    diagnostic
}

fn label(span: Span, text: &str) -> Vec<Label> {
    vec![Label {
        start: span.start,
        end: span.end,
        text: text.into(),
    }]
}

fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    quoted.join(", ")
}

pub fn unknown_relation(name: &Ident, known: &[&str]) -> Diagnostic {
    let mut d = mistake(
        code::UNKNOWN_RELATION,
        format!("there is no relation `{}`", name.node),
        label(name.span, "not a relation"),
    );
    d.help.push(
        match kanshape_diag::suggest(&name.node, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the relations are {}", list(known)),
        },
    );
    d
}

pub fn relation_arity(name: &Ident, want: usize, got: usize) -> Diagnostic {
    mistake(
        code::RELATION_ARITY,
        format!("`{}` is about {want} types or more, not {got}", name.node),
        label(name.span, "too few types"),
    )
    .with_help("what comes of the others is the last of them")
}

pub fn bad_optional(span: Span) -> Diagnostic {
    mistake(
        code::BAD_OPTIONAL,
        "only a name or a number can be optional".into(),
        label(span, "neither"),
    )
}

/// Each set of optional dims that may be there is a way to read the signature.
pub fn too_many_optional(span: Span) -> Diagnostic {
    mistake(
        code::TOO_MANY_OPTIONAL,
        "optional dims that can be there in too many ways".into(),
        label(span, "more than 256 combinations of them can be present"),
    )
}

/// A query gives inputs to a signature that has parameters alone: brackets of the wrong kind.
pub fn inputs_in_brackets(params: &[&str], got: usize) -> Diagnostic {
    let names = params.join(", ");
    operand_count("input", 0, got).with_help(format!(
        "`[{names}]` in front of a signature declares parameters; the dims of an input stand in parentheses: `({names})`"
    ))
}

pub fn operand_count(what: &str, want: usize, got: usize) -> Diagnostic {
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let mut d = mistake(
        code::OPERAND_COUNT,
        format!(
            "the signature has {want} {what}{}, the query gives {got}",
            plural(want)
        ),
        Vec::new(),
    );
    if got < want {
        d.help
            .push(format!("write `?` for an {what} of which nothing is known"));
    }
    d
}

pub fn unknown_param(name: &str, known: &[&str]) -> Diagnostic {
    let mut d = mistake(
        code::UNKNOWN_PARAM,
        format!("the signature has no parameter `{name}`"),
        Vec::new(),
    );
    d.help
        .push(match kanshape_diag::suggest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "it has none".into(),
            None => format!("its parameters are {}", list(known)),
        });
    d
}

/// `Conv` has no such attribute.
pub fn unknown_attribute(op: &str, name: &str, known: &[&str]) -> Diagnostic {
    let headline = format!("`{op}` has no attribute `{name}`");
    let d = mistake(code::UNKNOWN_ATTRIBUTE, headline, Vec::new());
    match kanshape_diag::suggest(name, known.iter().copied()) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None if known.is_empty() => d.with_help("it has none"),
        None => d.with_help(format!("its attributes are {}", list(known))),
    }
}

/// What the operator is turns on it, and nobody has said that it is asked for.
pub fn attribute_left_out(op: &str, name: &str) -> Diagnostic {
    let headline = format!("`{op}` needs the attribute `{name}`, which is not given");
    mistake(code::ATTRIBUTE_LEFT_OUT, headline, Vec::new())
        .with_help(format!("write `{name}=?` to solve for it"))
}

/// Which of the two is meant?
pub fn attribute_twice(name: &str) -> Diagnostic {
    let headline = format!("the attribute `{name}` is given twice");
    mistake(code::WRONG_ATTRIBUTE, headline, Vec::new()).with_help("give it once")
}

pub fn wrong_attribute(name: &str, kind: &Kind, value: &AttrValue) -> Diagnostic {
    // Of one that may be left out, what is there is of this kind.
    let kind = match kind {
        Kind::Option(of) => of,
        kind => kind,
    };
    let written = match value {
        AttrValue::Text(text) => text.to_string(),
        value => value.to_string(),
    };
    let headline = format!("the attribute `{name}` is {kind}, and `{written}` is not");
    let d = mistake(code::WRONG_ATTRIBUTE, headline, Vec::new());
    match kind.literal() {
        Some(literal) => d.with_help(format!("{kind} is written like this: `{literal}`")),
        None => d,
    }
}

pub fn operand_missing(op: &str, what: &str, name: &str) -> Diagnostic {
    let headline = format!("`{op}` needs its {what} `{name}`");
    mistake(code::OPERAND_MISSING, headline, Vec::new())
        .with_help(format!("write `?` for an {what} of which nothing is known"))
}

pub fn presence_is_open(op: &str, name: &str) -> Diagnostic {
    let headline = format!("`{op}` takes any number of `{name}`: it has to be given how many");
    mistake(code::OPERAND_COUNT, headline, Vec::new())
        .with_help("`or -` is for an input that is optional by itself")
}

pub fn too_many_operands(op: &str, what: &str, most: usize, more: usize) -> Diagnostic {
    let (plural, got) = (if most == 1 { "" } else { "s" }, most + more);
    let headline = format!("`{op}` has at most {most} {what}{plural}, the query gives {got}");
    mistake(code::OPERAND_COUNT, headline, Vec::new())
}

pub fn two_kinds(name: &str, first: &str, second: &str) -> Diagnostic {
    mistake(
        code::TWO_KINDS,
        format!("`{name}` is {first} in one place and {second} in another"),
        Vec::new(),
    )
    .with_help("give one of the two another name")
}

pub fn size_too_large(n: u64) -> Diagnostic {
    let mut d = mistake(
        code::GIVEN_SIZE_TOO_LARGE,
        format!("no tensor has a dim of size {n}"),
        Vec::new(),
    );
    d.help.push(format!(
        "the largest size is {}",
        kanshape_types::Dim::MAX_SIZE
    ));
    d
}

/// A condition on `...`, a run without a name.
pub fn not_in_query() -> Diagnostic {
    let headline = "a condition is about the run `...`, which is another in each type";
    mistake(code::NOT_IN_QUERY, headline.into(), Vec::new())
        .with_help("give the run a name in its type, `f32[...r]`, and speak of `...r`")
}

/// What names that are made up would begin with can't begin a name.
pub fn no_prefix(prefix: &str) -> Diagnostic {
    let headline = format!("no name begins with `{prefix}`");
    Diagnostic::new(kanshape_types::code::MISREAD, headline)
        .with_help("a name is made of letters, digits and `_`, and begins with no digit: `query.fresh(\"conv1_\")`")
}

pub fn max_dim_without_ground() -> Diagnostic {
    let headline = "a bound on the sizes of answers that have names";
    Diagnostic::new(code::BOUND_WITHOUT_GROUND, headline)
        .with_help("ask for answers in numbers: `query.ground().max_dim(5)`")
}
