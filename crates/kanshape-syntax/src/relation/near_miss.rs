//! The mistakes that people make, each with what they meant.

mod op;

use kanshape_diag::Diagnostic;

use super::failure::generic;
use super::head::KNOWN;
use super::lex::Token;
use super::parse::no_separator;
use super::piece::CASES;
use super::scene::Scene;
use crate::code;
use crate::problem;
use crate::signature::call::slash;
use crate::tree::Span;

/// What this mistake is known as, if it is a common one.
pub(super) fn find(scene: &Scene<'_>) -> Option<Diagnostic> {
    [
        doc,
        comment,
        op::find,
        neck,
        head,
        word,
        list,
        separator,
        sign,
        number,
        place,
    ]
    .iter()
    .find_map(|look| look(scene))
}

/// What was expected, and a way out.
fn help(scene: &Scene<'_>, help: impl Into<String>) -> Option<Diagnostic> {
    Some(generic(scene).with_help(help))
}

/// Doc lines that no clause follows.
fn doc(scene: &Scene<'_>) -> Option<Diagnostic> {
    let new = |headline: &str, at| Some(problem::new(code::LOOSE_DOC, headline, at, ""));
    match (scene.before(1), scene.found()) {
        (Some(Token::Doc(_)), None) => new(
            "a doc line without a clause behind it",
            scene.span_before(1)?,
        ),
        (_, Some(Token::Doc(_))) => new("a doc line in the middle of a clause", scene.span()),
        _ => None,
    }
    .map(|d| d.with_help("a line that is no documentation begins with `#`"))
}

/// Comments of other languages, where an operator cannot stand.
fn comment(scene: &Scene<'_>) -> Option<Diagnostic> {
    let found = scene.found()?;
    let begins = matches!(found, Token::SlashSlash | Token::Slash | Token::Percent);
    if begins && scene.fits("NAME") && !scene.fits("INT") {
        return help(scene, "a comment begins with `#`");
    }
    None
}

/// What stands between a head and its body.
fn neck(scene: &Scene<'_>) -> Option<Diagnostic> {
    let found = scene.found()?;
    let at = scene.span();
    if !scene.fits(":-") {
        return match found {
            Token::Neck if scene.fits(",") => help(
                scene,
                "a clause has one `:-`; if the next clause begins before it, nothing but a `.` stands between the two",
            ),
            _ => None,
        };
    }
    let like = |at| {
        let headline = format!("`{}` where `:-` must stand", scene.written(at));
        Some(problem::new(code::NO_NECK, headline, at, "").with_help("write `:-`"))
    };
    let both = scene.next_span().map(|next| at.to(next));
    match (found, scene.next()) {
        (Token::Equals | Token::EqualsEquals, _) => Some(
            problem::new(
                code::NO_NECK,
                "a relation has no value",
                at,
                "expected `:-` and what has to hold",
            )
            .with_help("what it gives is one more of its arguments: `Half(n, m) :- m = n//2`"),
        ),
        (Token::Less, Some(Token::Minus)) if scene.touches_next() => like(both?),
        (Token::Colon, Some(Token::Minus | Token::Equals)) => like(both?),
        (Token::Arrow | Token::Implies | Token::Becomes | Token::LessEquals | Token::Colon, _) => {
            like(at)
        }
        _ => None,
    }
}

/// A name where a clause begins.
fn head(scene: &Scene<'_>) -> Option<Diagnostic> {
    let (Some(Token::Name(name)), true) = (scene.before(1), scene.fits("(")) else {
        return if scene.opens_head() && scene.fits(":") && is_comparison(scene.found()?) {
            help(scene, "what has to hold stands behind the head and `:-`")
        } else {
            None
        };
    };
    if scene.fits("*") {
        return None;
    }
    let begins = scene.span_before(1)?;
    match (scene.before(2), scene.found()) {
        (Some(Token::RightParen), Some(Token::Name(_)))
            if matches!(name, "if" | "when" | "where" | "iff") =>
        {
            let headline = format!("`{name}` where `:-` must stand");
            Some(problem::new(code::NO_NECK, headline, begins, "").with_help("write `:-`"))
        }
        (Some(_), Some(Token::Neck | Token::Stop)) | (None, _) => help(
            scene,
            format!(
                "a clause begins with its head and all arguments: `{}(x, y)`",
                problem::brief(name)
            ),
        ),
        (Some(Token::Stop | Token::Doc(_)), _) => help(scene, "a clause begins with its head"),
        _ => {
            let end = scene.span_before(2)?.end;
            Some(no_separator(Span::new(end, end), begins))
        }
    }
}

/// Words of the language as names, and words that it does not have.
fn word(scene: &Scene<'_>) -> Option<Diagnostic> {
    let at = scene.span();
    let written = scene.written(at);
    let starts = |word: Token<'_>| starts_term(word) || matches!(word, Token::Not | Token::Bang);
    match scene.found()? {
        Token::Not | Token::Bang if scene.fits_term() && scene.next().is_some_and(starts) => help(
            scene,
            "nothing is said of what does not hold; that two values differ is written `a != b`",
        ),
        Token::And | Token::Or | Token::Not | Token::Bang | Token::In | Token::For
            if scene.fits("NAME")
                && written.starts_with(char::is_alphabetic)
                && !scene.fits_clause() =>
        {
            Some(reserved(&written, at))
        }
        Token::True | Token::False | Token::None | Token::Underscore
            if scene.fits("NAME") && !scene.fits("INT") && !scene.fits(",") =>
        {
            Some(reserved(&written, at))
        }
        Token::And if !in_list(scene) => help(scene, "goals that hold together have a `,` between"),
        Token::Or if !in_list(scene) => help(scene, "alternatives have a `;` between"),
        _ => None,
    }
}

fn reserved(written: &str, at: Span) -> Diagnostic {
    problem::new(
        code::RESERVED,
        format!("`{written}` is a word of the language"),
        at,
        "expected a name",
    )
    .with_help("take another name")
}

/// The parts of lists.
fn list(scene: &Scene<'_>) -> Option<Diagnostic> {
    let written = |name: &str| format!("the rest of a list has two dots before it: `..{name}`");
    let name = match scene.next() {
        Some(Token::Name(name)) => problem::brief(name),
        _ => "".into(),
    };
    match (scene.before(1), scene.found()?) {
        (_, Token::Star) if in_list(scene) && scene.fits("..") => help(scene, written(&name)),
        (_, Token::Or) if in_list(scene) => {
            help(scene, "the rest of a list is a part of it: `[x, ..rest]`")
        }
        (_, Token::Rest) if scene.fits_term() => help(scene, "only lists have a rest: `[..xs]`"),
        (Some(Token::For), Token::LeftParen) => help(
            scene,
            "names stand without parentheses: `[x + y for x, y in xs, ys]`",
        ),
        (_, Token::Name("if")) if in_list(scene) => help(
            scene,
            "every member is taken; a relation of its own can leave some out",
        ),
        _ => None,
    }
}

fn in_list(scene: &Scene<'_>) -> bool {
    matches!(scene.opener(), Some((Token::LeftBracket, _)))
}

/// Two things side by side.
fn separator(scene: &Scene<'_>) -> Option<Diagnostic> {
    let found = scene.found()?;
    if !starts_term(found) || !scene.fits(",") {
        return None;
    }
    if scene.opener().is_some() {
        return help(scene, "put a `,` between");
    }
    let end = scene.span_before(1)?.end;
    Some(no_separator(Span::new(end, end), scene.span()))
}

/// Operators from elsewhere.
fn sign(scene: &Scene<'_>) -> Option<Diagnostic> {
    let at = scene.span();
    match (scene.before(1), scene.found()?) {
        (_, Token::Slash) => {
            let in_ceil = matches!(scene.before_opener(), Some(Token::Name("ceil")));
            let d = slash(at);
            Some(if in_ceil {
                d.with_help("in `ceil` a sum stands in parentheses: `ceil((a + b)/c)`")
            } else {
                d
            })
        }
        (Some(Token::Star), Token::Star) => help(scene, "there are no powers; write `n*n`"),
        (_, found) if is_comparison(found) && scene.fits(",") && scene.opener().is_some() => help(
            scene,
            "what has to hold is a goal of its own, with a `,` before it",
        ),
        (Some(Token::Less), Token::Greater) => help(scene, "write `!=`"),
        (Some(Token::Equals), Token::Less) => help(scene, "write `<=`"),
        (Some(Token::Equals | Token::EqualsEquals), Token::Equals) => help(scene, "write `=`"),
        (_, Token::Implies) if scene.in_goal(Token::Implies) => help(
            scene,
            "all that has to be known stands in one place: `known(s, t) => goal`",
        ),
        (_, Token::Arrow) if scene.before_list() == Some(KNOWN) => help(scene, "write `=>`"),
        (_, Token::Implies) if scene.fits(">=") => help(scene, "write `>=`"),
        (_, Token::Becomes) if scene.fits("=") => help(scene, "write `=`"),
        (_, Token::Arrow | Token::Implies | Token::Becomes) if scene.fits(";") => {
            help(scene, CASES)
        }
        (_, Token::Question) if scene.fits_term() => {
            help(scene, "what may be anything is written `_`")
        }
        (_, Token::Plus) if scene.fits_term() => help(scene, "a number has no `+` before it"),
        _ => None,
    }
}

/// Numbers with half a fraction.
fn number(scene: &Scene<'_>) -> Option<Diagnostic> {
    let digits = |left: &str, right: &str| {
        help(
            scene,
            format!("a fraction has digits on both sides: `{left}.{right}`"),
        )
    };
    match (scene.before(1), scene.found()?, scene.next()) {
        (_, Token::Stop, Some(Token::Int(n))) => digits("0", &problem::brief(n)),
        (Some(Token::Int(n)), Token::Stop, _) if scene.opener().is_some() => {
            digits(&problem::brief(n), "0")
        }
        _ => None,
    }
}

/// Brackets behind a term.
fn place(scene: &Scene<'_>) -> Option<Diagnostic> {
    match (scene.opener()?, scene.found()?) {
        ((Token::LeftBracket, _), Token::Colon) if scene.fits("]") => help(
            scene,
            "a part of a list begins and ends somewhere, `sh[1:3]`, and leaves nothing out",
        ),
        ((Token::LeftBracket, _), Token::Comma) if scene.fits("]") => {
            help(scene, "one bracket holds one place: `xs[0][1]`")
        }
        _ => None,
    }
}

fn is_comparison(word: Token<'_>) -> bool {
    matches!(
        word,
        Token::Equals
            | Token::EqualsEquals
            | Token::NotEquals
            | Token::Less
            | Token::LessEquals
            | Token::Greater
            | Token::GreaterEquals
            | Token::In
    )
}

fn starts_term(word: Token<'_>) -> bool {
    matches!(
        word,
        Token::Name(_)
            | Token::Int(_)
            | Token::Text(_)
            | Token::Underscore
            | Token::True
            | Token::False
            | Token::None
            | Token::LeftParen
            | Token::LeftBracket
            | Token::LeftBrace
    )
}
