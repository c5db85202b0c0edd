//! Mistakes among the operands of a signature, and in their dims.

use kanshape_diag::{Diagnostic, suggest};

use super::{generic, help, named_run};
use crate::code;
use crate::problem;
use crate::signature::form::NO_TUPLE;
use crate::signature::lex::Token;
use crate::signature::scene::{Scene, is_comparison};

pub(super) const BEHIND_WHERE: &str = "conditions stand behind `where`";
const RUN: &str = "a run of any number of dims is written `...`";
pub(super) const PARTED: &str =
    "operands have a comma between them, and `->` parts inputs from outputs";
const IN_PARENTHESES: &str = "the dims of an operand stand in round parentheses: `(m, n)`";

/// What people write for `where`.
pub(super) const IF: [&str; 4] = ["if", "when", "with", "for"];

/// Whatever is wrong about operands and is nothing else.
pub(super) fn find(scene: &Scene<'_>) -> Option<Diagnostic> {
    two_dims(scene).or_else(|| match scene.opener() {
        _ if !scene.in_operands() => None,
        Some(_) => in_shape(scene),
        None => between(scene),
    })
}

/// A function type without its result.
pub(super) fn function(scene: &Scene<'_>) -> Option<Diagnostic> {
    let ended = scene.before_closed() == Some(Token::Fn) && scene.found() != Some(Token::Arrow);
    if ended && scene.fits("->") {
        return help(scene, "a function has a result: `fn(t[n]) -> u[]`");
    }
    None
}

/// What cannot be the first word of an operand.
pub(super) fn start(scene: &Scene<'_>) -> Option<Diagnostic> {
    if !scene.in_operands() || scene.opener().is_some() || !scene.fits("(") {
        return None;
    }
    match (scene.before(1), scene.found()?, scene.next()) {
        (Some(Token::Plus | Token::Equals | Token::Int(_)), Token::LeftBracket, _) => {
            help(scene, "parameters stand before the prefix: `[s] +(n)->()`")
        }
        (_, Token::LeftBracket | Token::Int(_), _) => help(scene, IN_PARENTHESES),
        (None, Token::Text(_), _) => help(scene, "a signature stands without quotes"),
        (_, Token::Question, Some(Token::LeftBracket)) => help(
            scene,
            "an operand that is a type starts with a word; a dtype with a name stands for any: `t[n]`",
        ),
        (_, Token::LeftBrace, _) => help(
            scene,
            "the dims of an operand stand in round parentheses: `(m, n)`; one of several dtypes is a name: `t[n]`, and \
             `where t in {f32, f64}`",
        ),
        (Some(Token::Comma), Token::Where, _) => help(
            scene,
            "an operand cannot start with `where`: there the conditions begin",
        ),
        _ => None,
    }
}

/// What stands among the dims of a pattern, but not of a type.
pub(super) fn dims_of_type(scene: &Scene<'_>) -> Option<Diagnostic> {
    let in_type = scene.in_type() || scene.in_type_operand();
    let dim = matches!(scene.before(1), Some(Token::Name(_) | Token::Int(_)));
    let pattern = match scene.found()? {
        Token::Question | Token::Bar => dim,
        Token::Dot => matches!(scene.before(1), Some(Token::LeftBracket | Token::Comma)),
        _ => false,
    };
    if in_type && (scene.found(), scene.next()) == (Some(Token::Dot), Some(Token::Dot)) {
        return match scene.after_next() {
            Some(Token::Name(n)) => help(scene, named_run(n)),
            _ => help(scene, RUN),
        };
    }
    if in_type && pattern && matches!(scene.opener(), Some((Token::LeftBracket, _))) {
        return help(
            scene,
            "`n?`, `n|1` and `.2.` stand in the patterns of a signature only, not in a type",
        );
    }
    None
}

/// A comparison, or what people write for one.
fn compares(word: Token<'_>) -> bool {
    word == Token::Equals || is_comparison(word)
}

/// In the parentheses of an operand.
fn in_shape(scene: &Scene<'_>) -> Option<Diagnostic> {
    let found = scene.found()?;
    let is_type = match (scene.before(1), found) {
        (_, Token::LeftBracket) => scene.after_word(),
        (Some(Token::Fn | Token::Tensor | Token::TensorType | Token::Tuple), Token::LeftParen) => {
            true
        }
        _ => false,
    };
    if is_type && !scene.fits("[") && !scene.in_type_operand() {
        let d = problem::new(
            code::NOT_AN_OPERAND,
            "a type cannot stand in the parentheses of an operand",
            scene.span_with_last(),
            "this is a type",
        );
        return Some(d.with_help(NO_TUPLE));
    }
    match found {
        Token::Colon => help(
            scene,
            "the dtype of an operand stands behind its parentheses: `(n):f32`",
        ),
        Token::Star if scene.fits_dim() => match scene.next() {
            Some(Token::Name(n)) => help(scene, named_run(n)),
            _ => help(scene, RUN),
        },
        Token::Comma if scene.fits(")") && scene.before_opener() == Some(Token::LeftParen) => help(
            scene,
            "the dims of an operand stand in one pair of parentheses",
        ),
        Token::Text(_) if scene.fits_dim() => help(scene, "a name stands without quotes"),
        Token::Comma if scene.before(1) == Some(Token::Comma) => help(scene, "one comma is enough"),
        _ => None,
    }
}

/// Outside of all brackets.
fn between(scene: &Scene<'_>) -> Option<Diagnostic> {
    let last = scene.last().map_or("", |span| scene.written(span));
    if scene.found().is_none() && scene.before(1) == Some(Token::Comma) {
        return help(scene, "leave out the comma at the end");
    }
    match (scene.before(1), scene.found()?) {
        (Some(Token::Comma), Token::Arrow) => help(scene, "leave out the comma before `->`"),
        (Some(Token::RightBracket), Token::Comma) => help(scene, IN_PARENTHESES),
        (Some(Token::RightParen | Token::RightBracket | Token::Name(_)), Token::Arrow)
            if !scene.fits("->") =>
        {
            help(
                scene,
                "a signature has one `->`, between its inputs and its outputs",
            )
        }
        (_, Token::Name(name)) if scene.fits("where") && suggest(name, ["where"]).is_some() => {
            help(scene, "did you mean `where`?")
        }
        (_, Token::Name(word)) if scene.fits("where") && IF.contains(&word) => {
            help(scene, BEHIND_WHERE)
        }
        (Some(Token::Name(_)), word) if scene.fits("where") && compares(word) => {
            help(scene, BEHIND_WHERE)
        }
        (_, Token::Bar) if scene.fits("where") => help(scene, BEHIND_WHERE),
        (Some(Token::RightParen), Token::Name(_) | Token::Star)
            if scene.next() == Some(Token::LeftParen) =>
        {
            help(scene, PARTED)
        }
        (_, Token::Name(_)) if scene.fits("where") && scene.next().is_some_and(compares) => {
            help(scene, BEHIND_WHERE)
        }
        (Some(Token::RightParen), Token::Name(name)) if scene.fits(":") => help(
            scene,
            format!("a dtype stands behind a colon: `(n):{name}`"),
        ),
        (_, Token::Name(name)) if scene.after_word() && scene.fits(",") => {
            help(scene, format!("put a comma between: `{last}, {name}`"))
        }
        (_, Token::LeftParen) if scene.after_word() && scene.fits("[") => help(
            scene,
            match scene.bracketed() {
                Some(dims) => {
                    format!("the arguments of a type stand in square brackets: `{last}[{dims}]`")
                }
                None => format!("the arguments of a type stand in square brackets: `{last}[n]`"),
            },
        ),
        (_, Token::Colon) if scene.fits(",") => {
            help(scene, "a type has its dtype in front: `t[n]`")
        }
        _ => None,
    }
}

/// Two dims without a comma.
fn two_dims(scene: &Scene<'_>) -> Option<Diagnostic> {
    scene.opener()?;
    let last = match scene.before(1)? {
        Token::Name(last) | Token::Int(last) => last,
        _ => return None,
    };
    let found = match scene.found()? {
        Token::Name(found) | Token::Int(found) => found,
        _ => return None,
    };
    if !scene.fits(",") {
        // A parenthesis among the dims holds a sum, or what einops calls a product.
        let grouped = scene.in_operands() && scene.fits("*") && !scene.touches_last();
        return match grouped {
            true => help(
                scene,
                format!("a product of dims is written with its `*`: `{last}*{found}`"),
            ),
            false => None,
        };
    }
    let d = generic(scene);
    if IF.contains(&found) {
        return Some(d.with_help(format!("a dim has no `{found}`: {BEHIND_WHERE}")));
    }
    let size = found
        .strip_prefix('x')
        .filter(|size| size.bytes().all(|b| b.is_ascii_digit()));
    Some(
        if let Some(size) = size.filter(|size| scene.touches_last() && !size.is_empty()) {
            d.with_help(format!("two dims are `{last}, {size}`"))
        } else if scene.touches_last() {
            d.with_help(format!(
            "a name cannot begin with a digit; a product is `{last}*{found}`, two dims are `{last}, {found}`"
        ))
        } else {
            d.with_help(format!("put a comma between: `{last}, {found}`"))
        },
    )
}
