//! The mistakes that people make, each with what they meant.

mod contents;
mod operand;

use kanshape_diag::Diagnostic;

use crate::code;
use crate::problem;
use crate::signature::call;
use crate::signature::failure::generic;
use crate::signature::lex::Token;
use crate::signature::nominal;
use crate::signature::scene::{Scene, is_comparison};
use crate::tree::Span;

/// What this mistake is known as, if it is a common one.
pub(crate) fn find(scene: &Scene<'_>) -> Option<Diagnostic> {
    [
        nominal::near_miss,
        sign,
        contents::find,
        operand::function,
        arrow,
        operand::start,
        prefix,
        operand::dims_of_type,
        hole,
        run,
        operand::find,
        ty,
        condition,
    ]
    .iter()
    .find_map(|look| look(scene))
}

/// What was expected, and a way out.
fn help(scene: &Scene<'_>, help: impl Into<String>) -> Option<Diagnostic> {
    Some(generic(scene).with_help(help))
}

/// Operators from elsewhere.
fn sign(scene: &Scene<'_>) -> Option<Diagnostic> {
    let at = scene.span();
    match (scene.before(1), scene.found()?) {
        (_, Token::Slash) => {
            let in_ceil = matches!(scene.before_opener(), Some(Token::Name("ceil")));
            let d = call::slash(at);
            Some(if in_ceil {
                d.with_help("in `ceil` a sum stands in parentheses: `ceil((a + b)/c)`")
            } else {
                d
            })
        }
        (Some(Token::Star), Token::Star) if scene.touches_last() => Some(
            problem::new(
                code::UNEXPECTED,
                "there are no powers",
                scene.span_with_last(),
                "",
            )
            .with_help("write a product: `n*n`"),
        ),
        _ => None,
    }
}

/// A signature without `->`, or with something like it.
fn arrow(scene: &Scene<'_>) -> Option<Diagnostic> {
    if !scene.fits("->") {
        return None;
    }
    let at = scene.span();
    let like = |end| {
        let span = Span::new(at.start, end);
        Some(
            problem::new(
                code::NO_ARROW,
                format!("`{}` is no arrow", scene.written(span)),
                span,
                "",
            )
            .with_help("write `->`"),
        )
    };
    let next_end = scene.next_span().map_or(at.end, |span| span.end);
    match (scene.found(), scene.next()) {
        (Some(Token::FatArrow), _) => like(at.end),
        (Some(Token::Minus), Some(Token::Arrow | Token::Greater))
        | (Some(Token::EqualsEquals), Some(Token::Greater)) => like(next_end),
        (Some(Token::Minus | Token::Greater), Some(Token::LeftParen))
            if scene.before(1) == Some(Token::RightParen) =>
        {
            like(at.end)
        }
        (None, _) if scene.in_operands() && scene.before(1).is_some() => {
            let mut d = problem::new(
                code::NO_ARROW,
                "a signature needs `->`",
                at,
                "expected `->` and the outputs",
            );
            let written = scene.text.trim();
            if (1..=60).contains(&written.len()) && !written.ends_with(',') {
                d = d.with_help(format!("if these are the inputs: `{written}->()`"));
            }
            Some(d)
        }
        (Some(Token::LeftParen), _) if scene.before(1) == Some(Token::RightParen) => {
            help(scene, operand::PARTED)
        }
        _ => None,
    }
}

/// What stands before the first operand.
fn prefix(scene: &Scene<'_>) -> Option<Diagnostic> {
    const PREFIXES: &str = "the prefixes are `+`, `=`, `+2` and `=2`";
    if !scene.in_operands() || scene.opener().is_some() {
        return None;
    }
    let unknown = |headline: String| {
        let at = scene.span();
        Some(problem::new(code::BAD_PREFIX, headline, at, "").with_help(PREFIXES))
    };
    let found = scene.found()?;
    let is_sign = is_comparison(found)
        || matches!(
            found,
            Token::Plus
                | Token::Minus
                | Token::Star
                | Token::Slash
                | Token::SlashSlash
                | Token::Percent
                | Token::Equals
                | Token::Dot
                | Token::Dots
                | Token::Bar
                | Token::Question
                | Token::Colon
        );
    let written = scene.written(scene.span());
    if scene.fits("+") && scene.fits("=") && is_sign {
        return unknown(format!("there is no prefix `{written}`"));
    }
    let after_prefix = match scene.before(1) {
        Some(Token::Plus | Token::Equals) => scene.fits("("),
        Some(Token::Int(_)) => matches!(scene.before(2), Some(Token::Plus | Token::Equals)),
        _ => false,
    };
    if after_prefix && is_sign {
        return unknown("a signature has one prefix".to_owned());
    }
    None
}

/// A `?` where none can be.
fn hole(scene: &Scene<'_>) -> Option<Diagnostic> {
    let whole = |headline| {
        let d = problem::new(code::NOT_A_DIM, headline, scene.span(), "");
        Some(d.with_help("give the dim a name to calculate with it"))
    };
    match (scene.before(1), scene.found()?) {
        (Some(Token::Question), Token::Question) => help(scene, "one `?` is enough"),
        (Some(Token::Bar | Token::Int(_)), Token::Question)
            if scene.before(2) == Some(Token::Bar) =>
        {
            help(
                scene,
                "a dim is optional, `n?`, or may be 1, `n|1`, not both",
            )
        }
        (Some(Token::Question), Token::Bar) => help(
            scene,
            "a dim is optional, `n?`, or may be 1, `n|1`, not both",
        ),
        (Some(Token::Colon), Token::Question) if scene.in_operands() => help(
            scene,
            "a hole stands in types only; in a signature give the dtype a name: it stands for any",
        ),
        (_, Token::Question) if scene.fits_dim() && scene.in_operands() => Some(
            problem::new(
                code::NOT_A_DIM,
                "a hole stands in types only",
                scene.span(),
                "",
            )
            .with_help("in a signature give the dim a name: it stands for any size"),
        ),
        (_, Token::Question) if scene.fits_dim() => whole("a hole stands for a whole dim"),
        (Some(Token::Question), found) if scene.in_type() && is_operator(found) => {
            whole("a hole stands for a whole dim")
        }
        (_, Token::Question | Token::Bar) if scene.in_operands() && scene.opener().is_some() => {
            help(
                scene,
                "only a name or a number can have `?` or `|1` behind it",
            )
        }
        _ => None,
    }
}

fn is_operator(word: Token<'_>) -> bool {
    matches!(
        word,
        Token::Plus | Token::Minus | Token::Star | Token::SlashSlash | Token::Percent
    )
}

/// Runs, which are written with dots in front.
fn run(scene: &Scene<'_>) -> Option<Diagnostic> {
    let last = scene.before(1)?;
    match (last, scene.found()) {
        (Token::Name(k) | Token::Int(k), found)
            if scene.before(2) == Some(Token::Dot) && scene.fits(".") =>
        {
            let what = match found {
                Some(_) => format!("`.{k}` lacks its second dot"),
                None => return None,
            };
            Some(
                problem::new(code::OPEN_SKIP, what, scene.span(), "expected `.`")
                    .with_help(format!("a run of `{k}` dims is written `.{k}.`")),
            )
        }
        (Token::Dot, Some(Token::Dot | Token::Dots)) => match scene.next() {
            Some(Token::Name(n)) => help(scene, named_run(n)),
            _ => help(scene, "a run is written `...`, `.2.` or `.k.`"),
        },
        (Token::Name(module), Some(Token::Dot)) if scene.in_type() && scene.opener().is_none() => {
            let dtype = match scene.next() {
                Some(Token::Name(dtype)) => dtype,
                _ => module,
            };
            help(
                scene,
                format!("a dtype is written without its module: `{dtype}[2, n]`"),
            )
        }
        (Token::Name(n), Some(Token::Dots | Token::Dot | Token::Run(_))) => help(
            scene,
            format!("a run with a name is written `...{n}`, a run of `{n}` dims `.{n}.`"),
        ),
        (Token::Dots, Some(Token::Name(n))) => help(
            scene,
            format!("a run with a name is written `...{n}`, without a space"),
        ),
        (Token::Dots | Token::Run(_), Some(Token::Question | Token::Bar)) => help(
            scene,
            "only a dim can have `?` or `|1` behind it, not a run",
        ),
        (Token::Star, Some(Token::Comma | Token::RightParen | Token::RightBracket)) => {
            help(scene, "a run of any number of dims is written `...`")
        }
        _ => None,
    }
}

/// How a run with a name is written, where something like it stands.
fn named_run(name: &str) -> String {
    format!("a run of any number of dims with a name is written `...{name}`")
}

/// Types.
fn ty(scene: &Scene<'_>) -> Option<Diagnostic> {
    if !scene.in_type() {
        return None;
    }
    match (scene.before(1), scene.found()?) {
        (Some(Token::Name(name)), Token::LeftParen | Token::Less | Token::LeftBrace) => help(
            scene,
            match scene.bracketed() {
                Some(dims) => {
                    format!("the dims of a type stand in square brackets: `{name}[{dims}]`")
                }
                None => format!("the dims of a type stand in square brackets: `{name}[2, n]`"),
            },
        ),
        (None, Token::LeftBracket) => help(
            scene,
            "the dtype stands before the brackets: `f32[2, n]`, or `?[2, n]` if it is not known",
        ),
        (Some(Token::Tensor), Token::LeftParen) => {
            help(scene, "the type of a tensor is written `f32[2, n]`")
        }
        (None, Token::Int(_)) => help(scene, "a shape stands in parentheses: `(2, n)`"),
        (None, Token::Text(_)) => help(scene, "a type stands without quotes"),
        (_, Token::Text(_)) if scene.fits_dim() => help(scene, "a name stands without quotes"),
        (Some(Token::Comma), Token::Comma) if scene.fits_dim() => help(
            scene,
            "one comma is enough; a dim that is not known is written `?`",
        ),
        (_, Token::Where) if scene.opener().is_some() => help(
            scene,
            "conditions stand behind the brackets: `f32[n] where n > 2`",
        ),
        (_, Token::Name(word)) if scene.fits("where") && operand::IF.contains(&word) => {
            help(scene, operand::BEHIND_WHERE)
        }
        (_, Token::Float(_)) if scene.fits_dim() => help(scene, "a size is a whole number"),
        (Some(_), Token::Comma | Token::Name(_))
            if scene.opener().is_none() && scene.fits("where") =>
        {
            help(
                scene,
                "one type stands here; a tuple of types is `(f32[2], i64[])`",
            )
        }
        (_, Token::Star) if scene.fits_dim() => match scene.next() {
            Some(Token::Name(n)) => help(scene, named_run(n)),
            _ => help(
                scene,
                "a dim that is not known is written `?`, a run of any number of them `...`",
            ),
        },
        (_, Token::Colon | Token::Minus) if scene.fits_dim() => {
            help(scene, "a dim that is not known is written `?`")
        }
        _ => None,
    }
}

/// Conditions.
fn condition(scene: &Scene<'_>) -> Option<Diagnostic> {
    let at = scene.span();
    match (scene.before(1), scene.found()?) {
        (_, Token::Equals) if scene.fits("==") => Some(
            problem::new(code::UNEXPECTED, "`=` is no comparison", at, "").with_help(
                match scene.next() {
                    Some(Token::Less) => "write `<=`",
                    _ => "write `==`",
                },
            ),
        ),
        (_, Token::FatArrow) if scene.fits(">=") => Some(
            problem::new(code::UNEXPECTED, "`=>` is no comparison", at, "").with_help("write `>=`"),
        ),
        (Some(Token::Less), Token::Greater) => help(scene, "write `!=`"),
        (_, Token::Name("is")) if scene.fits("==") => help(scene, "write `==`"),
        (_, Token::Comma | Token::RightParen | Token::Question | Token::Dots | Token::Run(_))
            if scene.in_conditions() && scene.opens_list() =>
        {
            help(
                scene,
                "a list of dims stands in square brackets: `...r == [2, n]`",
            )
        }
        (Some(Token::In), Token::LeftParen | Token::LeftBracket) => {
            help(scene, "what a name can be stands in braces: `n in {1, 3}`")
        }
        (_, Token::Name("or")) if scene.in_conditions() => {
            help(scene, "there is no `or`: all conditions hold together")
        }
        (Some(Token::Name("not")), _) if scene.in_conditions() => help(
            scene,
            "there is no `not`: write `!=`, or the other comparison",
        ),
        _ => None,
    }
}
