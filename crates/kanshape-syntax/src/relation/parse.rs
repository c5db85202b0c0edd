//! The way in.

use kanshape_diag::Diagnostic;

use super::failure;
use super::lex::Lexer;
use super::{Clause, File};
use crate::code;
use crate::problem;
use crate::tree::{Span, Spanned};

#[allow(
    clippy::all,
    clippy::unwrap_used,
    unreachable_pub,
    unused_extern_crates,
    reason = "generated code"
)]
mod grammar {
    lalrpop_util::lalrpop_mod!(generated, "/relation.rs");
    pub(super) use generated::FileParser;
}

/// What the text of a file is called where nobody gives it a name.
pub(super) const NAME: &str = "relations";

/// Reads a file of relations.
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
    let file = grammar::FileParser::new()
        .parse(Lexer::new(text))
        .map_err(|e| failure::explain(e, text))?;
    apart(&file.clauses, text).map_err(|d| d.with_source(NAME, text))?;
    Ok(file)
}

/// Clauses without a stop stand on lines of their own: in one line, a `,` is missing rather than a
/// stop.
fn apart(clauses: &[Spanned<Clause>], text: &str) -> Result<(), Diagnostic> {
    for pair in clauses.windows(2) {
        let [one, next] = [&pair[0], &pair[1]];
        let between = text.get(one.span.end..next.span.start);
        if between.is_some_and(|between| between.contains('\n')) || is_stopped(one, text) {
            continue;
        }
        let at = next.node.name.span;
        return Err(no_separator(Span::new(one.span.end, one.span.end), at));
    }
    Ok(())
}

/// Whether a stop ends the clause.
pub(super) fn is_stopped(clause: &Spanned<Clause>, text: &str) -> bool {
    let written = text.get(clause.span.start..clause.span.end);
    written.is_some_and(|written| written.ends_with('.'))
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
