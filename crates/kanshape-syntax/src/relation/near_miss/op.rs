//! The mistakes that people make in the heads of operators.

use kanshape_diag::Diagnostic;

use super::{help, is_comparison};
use crate::code;
use crate::problem;
use crate::relation::failure::generic;
use crate::relation::lex::Token;
use crate::relation::scene::{Part, Scene};

/// What this mistake is known as, if it is a common one in a head.
pub(super) fn find(scene: &Scene<'_>) -> Option<Diagnostic> {
    [domain, name, nested, outputs, since, attr, operand, dims]
        .iter()
        .find_map(|look| look(scene))
}

/// A domain without its quotes.
fn domain(scene: &Scene<'_>) -> Option<Diagnostic> {
    let begins = scene.before(1) == Some(Token::Name("domain")) && scene.fits("TEXT");
    let written = begins && !scene.fits("INT");
    if written || scene.documents_domain() {
        return match scene.found() {
            Some(Token::Text(_)) => Some(
                problem::new(
                    code::LOOSE_DOC,
                    "a doc line without an operator behind it",
                    scene.span(),
                    "a domain has no documentation",
                )
                .with_help("a line that is no documentation begins with `#`"),
            ),
            _ => help(scene, "a domain stands in quotes: `domain \"ai.onnx\"`"),
        };
    }
    None
}

/// What stands between `op` and the lists.
fn name(scene: &Scene<'_>) -> Option<Diagnostic> {
    const NAME: &str = "an operator has a name behind `op`: `op Name(x) -> (y)`";
    const ATTRS: &str =
        "attributes stand in brackets behind the name: `op Name [axis: int] (x) -> (y)`";
    const DOMAIN: &str = "its domain stands on a line of its own before: `domain \"ai.onnx\"`";
    // `op (x) -> (y)` reads as the head of a clause.
    if scene.found() == Some(Token::Arrow) && scene.fits(":-") && scene.before_list() == Some("op")
    {
        return help(scene, NAME);
    }
    let Some(Token::Name(before)) = scene.before(1) else {
        return None;
    };
    if before == "op" && matches!(scene.found(), Some(Token::Qualified(_))) {
        return help(scene, DOMAIN);
    }
    if before == "op" && scene.fits("NAME") && scene.fits("(") && !scene.fits("*") {
        return help(scene, NAME);
    }
    let is_attr = |name| matches!(name, "attr" | "attrs" | "attribute" | "attributes");
    if is_attr(before) && scene.fits("(") && !scene.fits("*") {
        return help(scene, ATTRS);
    }
    if !scene.fits("TEXT") || scene.fits("INT") {
        return None;
    }
    match scene.found() {
        Some(Token::Stop | Token::Colon) => help(scene, DOMAIN),
        Some(Token::Name(name)) if is_attr(name) => help(scene, ATTRS),
        Some(Token::Name("since")) => help(scene, SINCE),
        _ => help(
            scene,
            format!(
                "an operator has inputs and outputs: `op {}(x) -> (y)`",
                problem::brief(before)
            ),
        ),
    }
}

/// An operator within the brackets of a body.
fn nested(scene: &Scene<'_>) -> Option<Diagnostic> {
    let begins = scene.before(1) == Some(Token::Name("op")) && scene.fits("*");
    if begins && scene.opener().is_some() && matches!(scene.found()?, Token::Name(_)) {
        return help(
            scene,
            "operators stand by themselves in a file; a goal has no `op` before it",
        );
    }
    None
}

/// What stands between inputs and outputs.
fn outputs(scene: &Scene<'_>) -> Option<Diagnostic> {
    if scene.fits("->") && !scene.fits(",") {
        let at = scene.span();
        return Some(match scene.found() {
            Some(Token::Implies | Token::Becomes | Token::Minus | Token::Greater) => problem::new(
                code::NO_OUTPUTS,
                format!("`{}` where `->` must stand", scene.written(at)),
                at,
                "",
            )
            .with_help("write `->`"),
            _ => problem::new(
                code::NO_OUTPUTS,
                "an operator without its outputs",
                at,
                "expected `->` and the outputs",
            )
            .with_help("write `op Name(x) -> (y)`; a relation without outputs has no `op`"),
        });
    }
    match (scene.before(1)?, scene.found()) {
        (_, Some(Token::LeftBracket))
            if scene.opens_head() && scene.before(2) == Some(Token::Colon) =>
        {
            help(
                scene,
                "types of operands stand in operators: `op Name(x: T[n]) -> (y)`; of a clause, an argument is `Tensor([n], T)`",
            )
        }
        (Token::Text(_) | Token::Int(_), Some(Token::Neck))
            if !scene.fits(":-") && !scene.fits(",") && scene.fits("DOC") =>
        {
            help(
                scene,
                "a signature says it all; a body stands behind inputs and outputs",
            )
        }
        (Token::Arrow, Some(Token::Name(_) | Token::Rest)) => {
            help(scene, "outputs stand in parentheses: `-> (y: T[..])`")
        }
        // `F(x) -> (y)`, which reads as the head of a clause.
        (Token::RightParen, Some(Token::Arrow))
            if scene.fits(":-") && scene.next() == Some(Token::LeftParen) =>
        {
            let headline = "`->` where `:-` must stand";
            let d = problem::new(code::NO_NECK, headline, scene.span(), "");
            Some(d.with_help("an operator begins with `op`: `op Name(x) -> (y)`"))
        }
        (Token::RightParen, Some(Token::Equals | Token::EqualsEquals)) if scene.fits("since") => {
            let headline = format!("`{}` where `:-` must stand", scene.written(scene.span()));
            let d = problem::new(code::NO_NECK, headline, scene.span(), "");
            Some(d.with_help("write `:-`"))
        }
        _ => None,
    }
}

const SINCE: &str = "the version stands behind the outputs, before `:-`: `-> (y) since 7`";

/// The version from which on an operator is this.
fn since(scene: &Scene<'_>) -> Option<Diagnostic> {
    let is_number = |word| matches!(word, Some(Token::Int(_) | Token::Float(_)));
    match (scene.before(1)?, scene.found()?) {
        (Token::Name("since"), _) if scene.fits("INT") && !scene.fits("NAME") => {
            help(scene, "write `since` and a number: `since 7`")
        }
        (_, Token::Name("since"))
            if scene.opener().is_none()
                && (is_number(scene.next()) || scene.next() == Some(Token::Colon)) =>
        {
            help(scene, SINCE)
        }
        (Token::Name("version" | "opset" | "since_version"), found)
            if is_number(Some(found)) && scene.opener().is_none() =>
        {
            help(scene, SINCE)
        }
        _ => None,
    }
}

/// The parts of an attribute.
fn attr(scene: &Scene<'_>) -> Option<Diagnostic> {
    if scene.part()? != (Part::Attrs, 0) {
        return None;
    }
    let found = scene.found()?;
    match (scene.before(1)?, found) {
        (_, Token::Question) if scene.fits(":") => {
            help(scene, "the `?` stands behind the kind: `axis: int?`")
        }
        (Token::Name(_), Token::Name(_)) if scene.fits(":") => {
            help(scene, "the kind stands behind the name: `axis: int`")
        }
        (Token::Name(_), _) if scene.fits(":") => {
            help(scene, "an attribute has a kind: `axis: int`")
        }
        (_, Token::Question) => help(
            scene,
            "what has a default may be left out anyway: `group: int = 1`",
        ),
        (Token::Equals, Token::None) => help(
            scene,
            "what has no value if left out is written `axis: int?`",
        ),
        (_, Token::LeftParen) => help(scene, LITERAL),
        (Token::Equals, _) => help(scene, LITERAL),
        (Token::Name(_), Token::LeftBracket) if scene.fits("=") => help(
            scene,
            "lists have kinds of their own: `ints`, `floats`, `strings`",
        ),
        (Token::Name(_), Token::Colon) if scene.fits("=") => {
            help(scene, "a default stands behind `=`: `axis: int = 0`")
        }
        (_, found) if is_operator(found) && scene.fits(",") => help(scene, LITERAL),
        _ => None,
    }
}

const LITERAL: &str =
    "a default is a literal: `-1`, `0.5`, `\"NOTSET\"`, `[1, 1]`, `true` or `f32`";

fn is_operator(word: Token<'_>) -> bool {
    matches!(
        word,
        Token::Plus
            | Token::Minus
            | Token::Star
            | Token::Slash
            | Token::SlashSlash
            | Token::Percent
    )
}

const REST: &str = "all operands from here on have two dots before them: `..xs`";

/// The parts of an input or output.
fn operand(scene: &Scene<'_>) -> Option<Diagnostic> {
    let (Part::Inputs | Part::Outputs, 0) = scene.part()? else {
        return None;
    };
    let is_rest = scene.before(2) == Some(Token::Rest);
    match (scene.before(1)?, scene.found()?) {
        (Token::Name(_), Token::Question) if scene.fits("[") => {
            help(scene, "the `?` stands behind the dims: `B: T[m]?`")
        }
        (Token::Name(_), Token::Colon | Token::Question | Token::Equals) if is_rest => help(
            scene,
            "these are a list of types, and the body says what holds of them",
        ),
        (Token::Name(_), Token::Rest) => help(scene, REST),
        (_, Token::Star) if scene.fits("..") => help(
            scene,
            "all operands from here on have two dots before them: `..xs`",
        ),
        (Token::Question, Token::Colon) => {
            help(scene, "the `?` stands behind the type: `B: T[m]?`")
        }
        (Token::Name(_), Token::Equals) if scene.fits(":") => help(
            scene,
            "only of a tensor it is said what is in it: `x: i64[n] = s`",
        ),
        (Token::Name(_), Token::LeftBracket) if scene.fits(":") => {
            help(scene, "an operand has a name before its type: `x: f32[n]`")
        }
        (Token::Name(_), _) if scene.fits("[") && scene.fits("(") => help(
            scene,
            "a tensor has dims behind its dtype, `T[..]` if there may be any; what may be of any type has a name only",
        ),
        (Token::Colon, Token::LeftBracket) => {
            help(scene, "the dtype stands before the dims: `x: T[n]`")
        }
        (Token::Colon, Token::LeftParen) => help(
            scene,
            "a tensor is written `T[n, m]`, and another type as a term: `Sequence(A)`",
        ),
        (Token::Colon, Token::Underscore | Token::Question) => {
            help(scene, "a dtype that may be any is a variable: `x: T[n]`")
        }
        (Token::Equals, _) if scene.fits("NAME") && !scene.fits("INT") => help(
            scene,
            "what is in a tensor has a name, of which the body speaks: `x: i64[n] = s`",
        ),
        (_, Token::Question) if scene.fits(",") => {
            help(scene, "the `?` stands behind the type: `x: i64[n]? = s`")
        }
        (_, found) if is_comparison(found) && scene.fits(",") => {
            help(scene, "what has to hold stands behind the outputs and `:-`")
        }
        _ => None,
    }
}

/// The dims of an operand.
fn dims(scene: &Scene<'_>) -> Option<Diagnostic> {
    let (Part::Inputs | Part::Outputs, 1) = scene.part()? else {
        return None;
    };
    if scene.opener()?.0 != Token::LeftBracket {
        return None;
    }
    match scene.found()? {
        Token::Question if scene.fits("*") => help(
            scene,
            "the operand may be left out, `B: T[m]?`, and not a dim of it",
        ),
        Token::Colon => Some(generic(scene).with_help("the dims end with `]`")),
        _ => None,
    }
}
