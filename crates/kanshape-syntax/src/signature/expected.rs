//! What would have fitted, in the language's own words.

use crate::signature::lex::Token;
use crate::signature::scene::Scene;

/// Words and signs in the order in which they are named; operators are left out, since an
/// expression can go on almost anywhere.
const SIGNS: [&str; 20] = [
    ",", ")", "]", "}", ":", ".", "->", "=>", ">", "(", "[", "{", "<", "in", "where", "and", "dim",
    "dtype", "Tensor", "Type",
];

/// Those that begin a dim, a dtype or a type, and go without saying then.
const BEGINNINGS: [&str; 4] = ["(", "[", "{", "."];

/// `a dim, a run or `)``.
pub(crate) fn describe(scene: &Scene<'_>, end_fits: bool) -> String {
    if scene.before(1).is_none() && scene.start == Token::StartSignature {
        return "a signature, such as `(m,n),(n,p)->(m,p)`".to_owned();
    }
    let mut words = Vec::new();
    let thing = thing(scene, &mut words);
    let compares = !thing && scene.fits("==") && scene.fits("<=");
    if compares {
        words.push("a comparison".to_owned());
    }
    // A mere name or number does not begin with a bracket.
    let structured = thing && !matches!(words[0].as_str(), "a name" | "a number");
    // Behind a name `(` makes a call of it, which is never what is missing.
    let call = scene.fits("*");
    for sign in SIGNS {
        let said = (thing && is_word(sign))
            || (structured && BEGINNINGS.contains(&sign))
            || (compares && "<>".contains(sign))
            || (call && sign == "(");
        if scene.fits(sign) && !said {
            words.push(format!("`{sign}`"));
        }
    }
    if end_fits {
        words.push(format!("the end of the {}", scene.name()));
    }
    if words.is_empty() {
        let operators = scene.expected.iter().map(|e| format!("`{e}`"));
        words.extend(operators.take(4));
    }
    list(words)
}

/// Words are names where a name fits.
fn is_word(sign: &str) -> bool {
    sign.starts_with(|c: char| c.is_alphabetic())
}

/// Says which thing would have fitted, if any.
fn thing(scene: &Scene<'_>, words: &mut Vec<String>) -> bool {
    let mut say = |things: &[&str]| words.extend(things.iter().map(|t| (*t).to_owned()));
    let fits = |terminal| scene.fits(terminal);
    if fits("NAME") && begins_operand(scene) {
        say(&["an operand"]);
        if fits("INT") {
            say(&["a number"]);
        }
        return true;
    }
    match (fits("NAME"), fits("INT")) {
        (true, true) if fits("FLOAT") && fits("TEXT") => say(&["a member of contents"]),
        (true, true) if scene.before(1) == Some(Token::Dot) => say(&["the length of a run"]),
        (true, true) if fits(".") => say(&["a dim", "a run"]),
        (true, true) if fits("?") => match scene.opener() {
            Some((Token::LeftParen, _)) => say(&["a dim", "a type"]),
            _ => say(&["a dim", "a run", "`?`"]),
        },
        (true, true) if begins_condition(scene) => say(&["a condition"]),
        (true, true) if scene.after_comparison() => say(&["a dim"]),
        (true, true) if fits("[") => say(&["an argument"]),
        (true, true) => say(&["a dim"]),
        (true, false) if fits("{") && fits("(") => say(&["a type"]),
        (true, false) if fits("{") => say(&["a dtype"]),
        (true, false) => say(&["a name"]),
        (false, true) => say(&["a number"]),
        (false, false) => return false,
    }
    true
}

fn begins_operand(scene: &Scene<'_>) -> bool {
    scene.in_operands()
        && scene.opener().is_none()
        && scene.fits("(")
        && scene.first() != Some(Token::Forall)
}

fn begins_condition(scene: &Scene<'_>) -> bool {
    scene.in_conditions()
        && scene.opener().is_none()
        && matches!(
            scene.before(1),
            None | Some(Token::Where | Token::Comma | Token::And)
        )
}

fn list(mut words: Vec<String>) -> String {
    match words.pop() {
        None => String::new(),
        Some(only) if words.is_empty() => only,
        Some(last) => format!("{} or {last}", words.join(", ")),
    }
}
