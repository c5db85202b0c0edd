//! The mistakes in a file of relations that need meaning to be found, one function a code.

use crate::code;
use crate::encode::Kind;
use crate::encode::kind::{Clash, NAMES};
use kanshape_diag::{Diagnostic, Label, suggest};
use kanshape_syntax::tree::{Ident, Span};
use kanshape_types::DtypeSet;

/// Adds the name that somebody may have meant, or else what there is.
fn meant(d: Diagnostic, name: &str, known: &[&str], what: &str) -> Diagnostic {
    match suggest(name, known.iter().copied()) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None if known.len() > 24 => d,
        None => {
            let quoted: Vec<String> = known.iter().map(|n| format!("`{n}`")).collect();
            d.with_help(format!("{what} are {}", quoted.join(", ")))
        }
    }
}

pub(super) fn clash(clash: &Clash, name: Option<&str>, place: Span) -> Diagnostic {
    let (first, at) = &clash.first;
    let second = &clash.second;
    let headline = match name {
        Some(name) => format!("`{name}` is {first} in one place and {second} in another"),
        None => format!("{second} stands where {first} has to"),
    };
    let d = Diagnostic::new(code::KIND_CLASH, headline)
        .with_label(place.into(), format!("{second} here"));
    match at {
        Some(at) if *at != place => d.with_label((*at).into(), format!("{first} here")),
        _ => d,
    }
}

pub(super) fn deep(place: Span) -> Diagnostic {
    Diagnostic::new(code::TOO_DEEP, "lists stand in lists without end")
        .with_label(place.into(), "too many of them to follow")
}

pub(super) fn unknown_kind(kind: &Ident) -> Diagnostic {
    let d = Diagnostic::new(
        code::UNKNOWN_KIND,
        format!("there is no kind `{}`", kind.node),
    )
    .with_label(kind.span.into(), "not a kind");
    meant(d, &kind.node, &NAMES, "the kinds")
}

pub(super) fn duplicate(name: &Ident, arity: usize, file: &str) -> Diagnostic {
    Diagnostic::new(
        code::DEFINED_TWICE,
        format!(
            "`{}` of {} is defined in `{file}` as well",
            name.node,
            things(arity)
        ),
    )
    .with_label(name.span.into(), "a second definition")
    .with_help("a relation has all of its clauses in one file")
}

/// A clause of a relation that a user has stated in Rust.
pub(super) fn stated_in_rust(name: &Ident, arity: usize) -> Diagnostic {
    let headline = format!("`{}` of {} is stated in Rust", name.node, things(arity));
    Diagnostic::new(code::DEFINED_TWICE, headline)
        .with_label(name.span.into(), "a second definition")
}

/// A relation in Rust that something else defines.
pub(super) fn defined_already(name: &str, arity: usize) -> Diagnostic {
    let headline = format!("`{name}` of {} is defined already", things(arity));
    Diagnostic::new(code::DEFINED_TWICE, headline)
        .with_help("give the relation in Rust another name")
}

/// A relation in Rust that is about something unheard of.
pub fn unknown_kind_of(relation: &str, kind: &str) -> Diagnostic {
    let headline = format!("there is no kind `{kind}`, which `{relation}` is about");
    meant(
        Diagnostic::new(code::UNKNOWN_KIND, headline),
        kind,
        &NAMES,
        "the kinds",
    )
}

/// A relation in Rust that nothing can call.
pub fn bad_name(name: &str) -> Diagnostic {
    Diagnostic::new(
        code::RELATION_NAME,
        format!("`{name}` is no name of a relation"),
    )
    .with_help("a name is made of letters, digits and `_`, and begins with a letter")
}

fn things(count: usize) -> String {
    match count {
        1 => "1 thing".into(),
        n => format!("{n} things"),
    }
}

pub(super) fn unknown_relation(name: &Ident, known: &[&str]) -> Diagnostic {
    let d = Diagnostic::new(
        code::UNKNOWN_RELATION,
        format!("there is no relation `{}`", name.node),
    )
    .with_label(name.span.into(), "not a relation");
    meant(d, &name.node, known, "the relations")
}

/// A call of an operator that does not stand before it.
pub(super) fn no_operator_to_call(name: &Ident) -> Diagnostic {
    Diagnostic::new(
        code::UNKNOWN_RELATION,
        format!("there is no operator `{}`", name.node),
    )
    .with_label(name.span.into(), "not an operator")
    .with_help("an operator stands before the ones that call it, and is called by the name of its domain and its own")
}

pub(super) fn call_arity(name: &Ident, want: &[usize], got: usize) -> Diagnostic {
    let want: Vec<String> = want.iter().map(|n| things(*n)).collect();
    Diagnostic::new(
        code::CALL_ARITY,
        format!("`{}` is about {}, not {got}", name.node, want.join(" or ")),
    )
    .with_label(name.span.into(), "called here")
    .with_help("all that it is about stands behind it, what it gives as well")
}

/// A function of terms.
struct Function {
    name: &'static str,
    /// What it is of.
    of: &'static str,
    /// A call.
    call: &'static str,
}

const FUNCTIONS: [Function; 12] = [
    function("Tensor", "a shape and a dtype", "Tensor(sh, t)"),
    function("tuple", "types", "tuple(A, B)"),
    function("some", "one thing", "some(x)"),
    function("one", "a number", "one(n)"),
    function("many", "a list of numbers", "many(xs)"),
    function("lists", "a list of lists of numbers", "lists(xs)"),
    function("prod", "a list, or two numbers or more", "prod(sh)"),
    function("sum", "a list", "sum(xs)"),
    function("len", "a list", "len(sh)"),
    function("min", "two numbers or more", "min(a, b)"),
    function("max", "two numbers or more", "max(a, b)"),
    function("promote", "one dtype or more", "promote(x, y)"),
];

const fn function(name: &'static str, of: &'static str, call: &'static str) -> Function {
    Function { name, of, call }
}

/// Is it the name of a function of terms?
pub(super) fn is_function(name: &str) -> bool {
    name == "fn" || FUNCTIONS.iter().any(|f| f.name == name)
}

/// A type is declared by a name that means something in all files.
pub(super) fn known_type(name: &str) -> Diagnostic {
    Diagnostic::new(
        kanshape_types::code::TYPE_NAME,
        format!("no type can be called `{name}`: it is taken"),
    )
}

/// A type of one's own has other arguments, as a diagnostic about types says.
pub(super) fn wrong_parts(mut d: Diagnostic, name: &Ident) -> Diagnostic {
    let help = d
        .help
        .drain(..)
        .map(|help| help.replace('[', "(").replace(']', ")"));
    d.help = help.collect();
    d.with_label(name.span.into(), "the wrong number of arguments")
}

pub(super) fn unknown_function(name: &Ident) -> Diagnostic {
    let known = FUNCTIONS.map(|f| f.name);
    match FUNCTIONS.iter().find(|f| f.name == &*name.node) {
        Some(known) => {
            let headline = format!("`{}` is of {}", name.node, known.of);
            Diagnostic::new(code::UNKNOWN_FUNCTION, headline)
                .with_label(name.span.into(), "of something else here")
                .with_help(format!("write `{}`", known.call))
        }
        None => {
            let headline = format!("there is no function `{}`", name.node);
            let d = Diagnostic::new(code::UNKNOWN_FUNCTION, headline)
                .with_label(name.span.into(), "not a function of terms");
            meant(d, &name.node, &known, "the functions")
        }
    }
}

pub(super) fn class_as_term(name: &Ident) -> Diagnostic {
    Diagnostic::new(
        code::CLASS_AS_TERM,
        format!("`{}` stands for several dtypes", name.node),
    )
    .with_label(name.span.into(), "one thing has to stand here")
    .with_help(format!(
        "write a variable, and beside it `x: {}`",
        name.node
    ))
}

pub(super) fn not_apart(kind: &Kind, place: Span) -> Diagnostic {
    Diagnostic::new(
        code::NOT_APART,
        "`!=` is between numbers, dtypes, texts and truths",
    )
    .with_label(place.into(), format!("{kind}"))
    .with_help(
        "say which of their parts differ: `A = Tensor(s, _), B = Tensor(t, _), s[0] != t[0]`",
    )
}

pub(super) fn part_of_list(kind: &Kind, place: Span) -> Diagnostic {
    Diagnostic::new(
        code::PART_OF_LIST,
        "only lists of numbers have parts that are counted from their end",
    )
    .with_label(place.into(), format!("{kind}"))
    .with_help("other lists have `xs[1]` and `xs[1:]`, and patterns: `[..front, x]`")
}

pub fn no_signature(name: &str, why: String) -> Diagnostic {
    Diagnostic::new(
        code::NOT_A_SIGNATURE,
        format!("`{name}` cannot be queried like a signature"),
    )
    .with_help(why)
}

pub fn never(place: Span) -> Diagnostic {
    Diagnostic::new(code::NEVER_HOLDS, "this clause can never hold")
        .with_label(place.into(), "nothing satisfies it")
        .with_help("its head and what stands in its body rule each other out")
        .as_warning()
}

pub fn no_relation(name: &str, known: &[&str]) -> Diagnostic {
    let d = Diagnostic::new(
        code::UNKNOWN_RELATION,
        format!("there is no relation `{name}`"),
    );
    meant(d, name, known, "the relations")
}

/// `x: Flaot`.
pub(super) fn unknown_class(x: &Ident, class: &Ident) -> Diagnostic {
    let wanted = &class.node;
    let classes = DtypeSet::CLASSES.map(|(name, _)| name);
    let d = Diagnostic::new(
        kanshape_syntax::code::UNKNOWN_CLASS,
        format!("there is no class `{wanted}`"),
    )
    .with_label(class.span.into(), "expected a class of dtypes");
    match suggest(wanted, classes) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None if Kind::named(wanted)
            .is_some_and(|kind| kind != Kind::Dtype && **wanted != *"bool") =>
        {
            d.with_help(format!(
                "of which kind an argument is, the head says: `Head({x}: {wanted})`"
            ))
        }
        None => {
            let quoted = classes.map(|name| format!("`{name}`"));
            d.with_help(format!("the classes are {}", quoted.join(", ")))
                .with_help(format!("for one dtype write `{x} = {wanted}`"))
        }
    }
}

/// A mistake in a signature within a file: its places are those of the signature, and it is said where that is.
pub(super) fn in_signature(mut d: Diagnostic, at: Span) -> Diagnostic {
    d.source = None;
    d.labels = vec![Label {
        start: at.start,
        end: at.end,
        text: "in this signature".into(),
    }];
    d
}

/// `known` are the full names of operators.
pub fn no_operator(name: &str, known: &[String]) -> Diagnostic {
    without_operator(name, near_operator(name, known))
}

/// The same where a program's way to write a name says that it is `own` in a domain: what is near in there comes first.
pub fn no_operator_in(name: &str, domain: &str, own: &str, known: &[String]) -> Diagnostic {
    let is_within = |full: &&String| {
        let rest = full.strip_prefix(domain);
        rest.is_some_and(|rest| rest.starts_with(':') || rest.starts_with('.'))
    };
    let within: Vec<String> = known.iter().filter(is_within).cloned().collect();
    let near = near_operator(own, &within).or_else(|| near_operator(own, known));
    without_operator(name, near)
}

fn without_operator(name: &str, near: Option<String>) -> Diagnostic {
    let d = Diagnostic::new(
        code::UNKNOWN_OPERATOR,
        format!("there is no operator `{name}`"),
    );
    match near {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help(
            "`kanshape catalog` lists the operators; a signature has an arrow, `(n)->()`",
        ),
    }
}

/// The operator that is likely meant by a name, of those with these full names.
fn near_operator(name: &str, known: &[String]) -> Option<String> {
    let bare = |full: &str| full.rsplit("::").next().unwrap_or_default().to_owned();
    let after = |separators: &[char]| {
        name.rsplit(separators)
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let is_bare = |last: &str| {
        known
            .iter()
            .any(|full| bare(full).eq_ignore_ascii_case(last))
    };
    // `onnx:Conv`, `onnx.Conv`; there are names with a dot as well.
    let mut last = after(&[':', '/']);
    if !is_bare(&last) && is_bare(&after(&[':', '/', '.'])) && name.split('.').count() == 2 {
        last = after(&[':', '/', '.']);
    }
    // Libraries differ in how their names begin: among equals, one that begins as this one does.
    let is_upper = |name: &str| name.starts_with(char::is_uppercase);
    let mut known: Vec<&String> = known.iter().collect();
    known.sort_by_key(|full| is_upper(&bare(full)) != is_upper(&last));
    let names: Vec<String> = known.iter().map(|full| bare(full)).collect();
    let full = |name: &str| {
        let at = names.iter().position(|other| other == name);
        at.map_or("", |at| known[at])
    };
    // The domain is easily left out, or misspelt, or another one's.
    let same = |full: &&&String| bare(full).eq_ignore_ascii_case(&last);
    let mut same = known.iter().filter(same).map(|full| full.as_str());
    let same = match last.len() < name.len() {
        true => suggest(name, same.clone()).or_else(|| same.next()),
        false => same.next(),
    };
    let near = || {
        let of_full = match name.contains("::") {
            true => suggest(name, known.iter().map(|full| full.as_str())),
            false => None,
        };
        of_full.or_else(|| suggest(&last, names.iter().map(String::as_str)).map(full))
    };
    same.or_else(near).map(str::to_owned)
}

pub fn ambiguous_operator(name: &str, full: &[String]) -> Diagnostic {
    let names: Vec<String> = full.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::new(
        code::AMBIGUOUS_OPERATOR,
        format!("`{name}` is the name of several operators"),
    )
    .with_help(format!("write one of {}", names.join(", ")))
}

pub fn not_yet(name: &str, version: u64, first: u64) -> Diagnostic {
    let headline = format!("there is no operator `{name}` in version {version}");
    Diagnostic::new(code::UNKNOWN_OPERATOR, headline)
        .with_help(format!("it first appears in version {first}"))
}

pub(super) fn not_literal(place: Span) -> Diagnostic {
    Diagnostic::new(
        code::NOT_LITERAL,
        "what an attribute is where it is left out is written out",
    )
    .with_label(
        place.into(),
        "not a number, text, truth value, dtype or list of these",
    )
}

pub(super) fn duplicate_operator(op: &Ident, since: u64, file: &str) -> Diagnostic {
    let headline = format!(
        "the operator `{}` since {since} is defined in `{file}` already",
        op.node
    );
    Diagnostic::new(code::OPERATOR_TWICE, headline)
        .with_label(op.span.into(), "a second definition")
        .with_help("versions of an operator differ in `since`")
}

pub(super) fn not_of_types(name: &Ident, kind: &Kind) -> Diagnostic {
    Diagnostic::new(
        code::NOT_A_SIGNATURE,
        format!("`{}` is not about types alone", name.node),
    )
    .with_label(
        name.span.into(),
        format!("{kind} is among what it is about"),
    )
}
