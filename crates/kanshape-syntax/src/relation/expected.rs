//! What would have fitted, in the language's own words.

use super::lex::Token;
use super::scene::{Part, Scene};

/// Words and signs in the order in which they are named; operators are left out, since a term can
/// go on almost anywhere.
const SIGNS: [&str; 17] = [
    ":-", ",", ";", ")", "]", "}", ":", "->", "..", "?", "=", "for", "in", "since", ".", "(", "[",
];

/// `a goal or `)``.
pub(super) fn describe(scene: &Scene<'_>) -> String {
    if scene.before(1) == Some(Token::Name("domain")) && scene.fits("TEXT") && !scene.fits("INT") {
        return "a domain in quotes".to_owned();
    }
    let mut words = Vec::new();
    let thing = thing(scene);
    words.extend(thing.map(str::to_owned));
    let compares = thing.is_none() && scene.fits("==");
    if compares {
        words.push("a comparison".to_owned());
    }
    for sign in SIGNS {
        let said = match sign {
            // These begin a term.
            "(" | "[" | "}" if thing.is_some() => true,
            // Behind a term they make another of it, which is never what is missing.
            "(" | "[" => scene.fits("*"),
            // What has a class is written rarely, and compared often.
            ":" | "in" => compares || (scene.fits("*") && sign == ":"),
            // It is a comparison, but in the head of an operator.
            "=" => scene.fits("=="),
            // Names, of which one is named already.
            "since" => thing.is_some() || scene.fits("*") || !scene.fits("INT") && scene.fits("("),
            _ => false,
        };
        if scene.fits(sign) && !said {
            words.push(format!("`{sign}`"));
        }
    }
    if scene.fits_clause() && thing.is_none() {
        words.push("the next clause".to_owned());
    }
    if words.is_empty() && scene.fits("INT") {
        words.push("a number".to_owned());
    }
    if thing.is_none() && scene.fits("TEXT") {
        words.push("a signature".to_owned());
    }
    if words.is_empty() {
        words.push("the end of the file".to_owned());
    }
    list(words)
}

/// Which thing would have fitted, if any.
fn thing(scene: &Scene<'_>) -> Option<&'static str> {
    if !scene.fits("NAME") {
        return None;
    }
    let opener = scene.opener().map(|(open, _)| open);
    let before = scene.before(1);
    if let Some(thing) = of_head(scene) {
        return Some(thing);
    }
    if !scene.fits("INT") {
        return match before {
            None | Some(Token::Stop | Token::Doc(_)) => {
                Some("a clause, such as `Identity(I, I) :- true`, or an operator")
            }
            Some(Token::Name("op")) => Some("the name of an operator"),
            Some(Token::For) => Some("a name"),
            Some(Token::Comma) => Some("a name"),
            Some(Token::Colon) if opener.is_some() && scene.opens_head() => {
                Some("a kind, such as `Shape`")
            }
            Some(Token::Colon) => Some("a class, such as `Float`"),
            _ => None,
        };
    }
    if !scene.fits("in") && matches!(before, Some(Token::Neck | Token::Semicolon)) {
        return Some("a goal");
    }
    Some(match (opener, before) {
        (None, Some(Token::Comma)) => "a goal",
        (Some(Token::LeftParen), Some(Token::LeftParen | Token::Comma)) => {
            match scene.before_opener() {
                Some(Token::Name(_) | Token::Text(_)) => "an argument",
                _ => "a goal, a term",
            }
        }
        _ => "a term",
    })
}

/// Which thing would have fitted in the head of an operator.
fn of_head(scene: &Scene<'_>) -> Option<&'static str> {
    let before = scene.before(1)?;
    match scene.part()? {
        (Part::Attrs, 0) => match before {
            Token::Colon => Some("a kind, such as `int`"),
            Token::Equals => Some("a literal, such as `1`"),
            _ => Some("an attribute, such as `axis: int`"),
        },
        (Part::Attrs, _) => Some("a literal"),
        (Part::Inputs | Part::Outputs, 0) => match before {
            Token::Colon => Some("a type, such as `T[n]`"),
            Token::Equals | Token::Rest => Some("a name"),
            _ => Some("an operand, such as `x: T[n]`"),
        },
        _ if !scene.fits("INT") => Some("a dtype"),
        _ => None,
    }
}

fn list(mut words: Vec<String>) -> String {
    match words.pop() {
        None => String::new(),
        Some(only) if words.is_empty() => only,
        Some(last) => format!("{} or {last}", words.join(", ")),
    }
}
