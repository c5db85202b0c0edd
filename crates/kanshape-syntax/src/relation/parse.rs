//! The way in.

use kanshape_diag::Diagnostic;

use super::failure;
use super::lex::{Lexer, Token};
use super::rule::Rule;
use super::{Clause, File, NewType, Op, Pattern};
use crate::code;
use crate::problem;
use crate::tree::{Ident, Span, Spanned};

#[allow(
    clippy::all,
    clippy::unwrap_used,
    unreachable_pub,
    unused_extern_crates,
    reason = "generated code"
)]
#[rustfmt::skip]
#[path = "../generated/relation.rs"]
mod grammar;

/// What the text of a file is called where nobody gives it a name.
pub(super) const NAME: &str = "relations";

/// Reads a file of relations and operators.
///
/// # Errors
///
/// The first mistake, with its place in `text`, which is called `relations`.
///
/// ```
/// use kanshape_syntax::parse_relations;
///
/// let file = parse_relations("Identity(I, I) :- true.")?;
/// assert_eq!(file.to_string(), "Identity(I, I)\n");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
pub fn parse_relations(text: &str) -> Result<File, Diagnostic> {
    let Parsed::File(entries) = parsed(Lexer::new(text), text)? else {
        return Ok(File::default());
    };
    apart(&entries, text).map_err(|d| d.with_source(NAME, text))?;
    Ok(file(entries))
}

/// Reads one rule by itself: with its head, `rule NAME: Relu(Relu(X)) => Relu(X)`, or without it.
///
/// # Errors
///
/// The first mistake, with its place in `text`.
///
/// ```
/// use kanshape_syntax::relation::parse_rule;
///
/// let rule = parse_rule("Relu( Relu(X) )=>Relu(X)")?;
/// assert_eq!(rule.bare().to_string(), "Relu(Relu(X)) => Relu(X)");
/// assert_eq!(parse_rule("rule twice: Relu(Relu(X)) => Relu(X)")?.name.to_string(), "twice");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
pub fn parse_rule(text: &str) -> Result<Rule, Diagnostic> {
    let mut words = Lexer::new(text).map_while(Result::ok).map(|word| word.1);
    let has_head = words.find(|word| !matches!(word, Token::Doc(_))) == Some(Token::Rule);
    if has_head {
        let mut file = parse_relations(text)?;
        if let (Some(rule), true) = (file.rules.pop(), file.items().next().is_none()) {
            return Ok(rule.node);
        }
        let end = Span::new(0, text.len());
        let d = problem::new(
            code::UNEXPECTED,
            "more than one rule",
            end,
            "expected one rule",
        );
        return Err(d.with_source(NAME, text));
    }
    match parsed(Lexer::only(Token::OnlyRule, text), text)? {
        Parsed::Rule(rule) => Ok(*rule),
        Parsed::File(_) | Parsed::Leaf(..) => Err(failure::not_this(text, "a rule")),
    }
}

/// Reads what is known of a leaf by itself, as it stands behind the `:` of an operand: `T[m, k]`, `i64[2] = v`.
///
/// # Errors
///
/// The first mistake, with its place in `text`.
pub fn parse_leaf(text: &str) -> Result<(Spanned<Pattern>, Option<Ident>), Diagnostic> {
    match parsed(Lexer::only(Token::OnlyLeaf, text), text)? {
        Parsed::Leaf(pattern, contents) => Ok((pattern, contents)),
        Parsed::File(_) | Parsed::Rule(_) => Err(failure::not_this(text, "a type")),
    }
}

fn parsed(words: Lexer<'_>, text: &str) -> Result<Parsed, Diagnostic> {
    let read = grammar::TextParser::new().parse(words);
    read.map_err(|e| failure::explain(e, text))
}

/// What has been read of a text.
pub(crate) enum Parsed {
    File(Vec<Entry>),
    Rule(Box<Rule>),
    Leaf(Spanned<Pattern>, Option<Ident>),
}

/// What stands in a file.
pub(crate) enum Entry {
    Clause(Box<Spanned<Clause>>),
    /// The domain of the operators that follow.
    Domain(Spanned<Box<str>>),
    Op(Box<Spanned<Op>>),
    Rule(Box<Spanned<Rule>>),
    Type(Box<Spanned<NewType>>),
}

impl Entry {
    fn span(&self) -> Span {
        match self {
            Entry::Clause(clause) => clause.span,
            Entry::Domain(domain) => domain.span,
            Entry::Op(op) => op.span,
            Entry::Rule(rule) => rule.span,
            Entry::Type(ty) => ty.span,
        }
    }

    /// What is shown of it.
    fn name(&self) -> Span {
        match self {
            Entry::Clause(clause) => clause.node.name.span,
            Entry::Domain(domain) => domain.span,
            Entry::Op(op) => op.node.name.span,
            Entry::Rule(rule) => rule.node.name.span,
            Entry::Type(ty) => ty.node.name.span,
        }
    }
}

/// Hands every operator and rule its domain.
fn file(entries: Vec<Entry>) -> File {
    let mut file = File::default();
    let mut domain = Box::default();
    for entry in entries {
        match entry {
            Entry::Clause(clause) => file.clauses.push(*clause),
            Entry::Domain(next) => domain = next.node,
            Entry::Op(mut op) => {
                op.node.domain = Box::clone(&domain);
                file.ops.push(*op);
            }
            Entry::Rule(mut rule) => {
                rule.node.domain = Box::clone(&domain);
                file.rules.push(*rule);
            }
            Entry::Type(ty) => file.types.push(*ty),
        }
    }
    file
}

/// What has no stop at its end stands on lines of its own: in one line, a `,` is missing rather
/// than a stop.
fn apart(entries: &[Entry], text: &str) -> Result<(), Diagnostic> {
    for pair in entries.windows(2) {
        let [one, next] = [&pair[0], &pair[1]];
        let end = one.span().end;
        let between = text.get(end..next.span().start);
        if between.is_some_and(|between| between.contains('\n')) || is_stopped(one.span(), text) {
            continue;
        }
        let end = Span::new(end, end);
        return Err(match one {
            Entry::Domain(_) | Entry::Type(_) => no_line(end, next.name()),
            Entry::Clause(_) | Entry::Op(_) | Entry::Rule(_) => no_separator(end, next.name()),
        });
    }
    Ok(())
}

/// Whether a stop ends what is written at `at`: a clause, or whatever else stands in a file.
pub(super) fn is_stopped(at: Span, text: &str) -> bool {
    let written = text.get(at.start..at.end);
    written.is_some_and(|written| written.ends_with('.'))
}

/// Something begins at `at`, in the line of what ends at `end` and goes on nowhere.
fn no_line(end: Span, at: Span) -> Diagnostic {
    problem::new(
        code::NO_SEPARATOR,
        "nothing stands between these two",
        at,
        "",
    )
    .with_label(end.into(), "expected a new line or `.`")
    .with_help("what follows begins on a line of its own, or behind a `.`")
}

/// Something begins at `at` that nothing parts from what ends at `end`.
pub(super) fn no_separator(end: Span, at: Span) -> Diagnostic {
    problem::new(
        code::NO_SEPARATOR,
        "nothing stands between these two",
        at,
        "a goal of the same clause, or the next clause?",
    )
    .with_label(end.into(), "expected `,`, `;` or `.`")
    .with_help("goals have a `,` between them; the next clause begins on a line of its own, or behind a `.`")
}
