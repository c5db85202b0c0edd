//! A question about two types, and what comes of it.

use kanshape::order::{self, Filtered};
use kanshape::{Diagnostic, Type, Verdict};

/// The words that begin such a question.
const WORDS: [&str; 6] = ["super", "same", "same_class", "meet", "join", "filter"];

/// The first word of a question about two types, and the rest. `None` for any other line.
pub(crate) fn words(question: &str) -> Option<(&str, &str)> {
    let (word, rest) = question.split_once(' ')?;
    WORDS.contains(&word).then_some((word, rest))
}

/// The lines that come of it.
pub(crate) fn answer(word: &str, a: &str, b: &str) -> Result<Vec<String>, Diagnostic> {
    let (a, b): (Type, Type) = (a.trim().parse()?, b.trim().parse()?);
    Ok(match word {
        "super" => vec![test(order::is_super(&a, &b))],
        "same" => vec![test(order::same(&a, &b))],
        "same_class" => vec![test(order::in_same_class(&a, &b))],
        "meet" => match order::meet_all(&a, &b) {
            Ok(found) => {
                let bound = order::meet(&a, &b).map_err(|d| *d)?;
                let mut lines = vec![shown(&bound)];
                if found.types != [bound] {
                    let all = found.types.iter();
                    lines.extend(all.map(|ty| format!("exactly {}", shown(ty))));
                }
                if !found.complete {
                    lines.push("...".into());
                }
                lines
            }
            Err(why) => never(*why)?,
        },
        "join" => vec![shown(&order::join(&a, &b))],
        "filter" => match order::filter(&a, &b) {
            Filtered::Same(ty) => vec![format!("same {}", shown(&ty))],
            Filtered::Check { ty, checks } => {
                let mut lines = vec![format!("check {}", shown(&ty))];
                lines.extend(checks.iter().map(ToString::to_string));
                lines
            }
            Filtered::Never(why) => never(*why)?,
            other => unreachable!("{other:?}"),
        },
        _ => unreachable!("{word}"),
    })
}

fn test(verdict: Verdict) -> String {
    match verdict {
        Verdict::Always => "true".into(),
        Verdict::Never => "false".into(),
        open => open.to_string(),
    }
}

/// That nothing is a value of both, and why; what else is wrong is an error.
fn never(why: Diagnostic) -> Result<Vec<String>, Diagnostic> {
    match why.code {
        "K0102" => Ok(std::iter::once("never".into()).chain(why.steps).collect()),
        _ => Err(why),
    }
}

/// What is printed is read again, and printed the same.
fn shown(ty: &Type) -> String {
    let print = ty.to_string();
    assert_eq!(print.parse::<Type>().unwrap().to_string(), print);
    print
}
