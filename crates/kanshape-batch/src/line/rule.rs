//! A line as a question about a rewrite rule.

use std::borrow::Cow;
use std::io;

use kanshape_rewrite::{Bounds, Rule};

use super::LineError;
use super::fields::Line;
use super::reply::{ReplyHead, write_object};
use super::subjects::Subjects;
use super::value::{members, number, text, whole_text, yes};
use crate::field::Field;
use crate::mistake;
use crate::rule_json::RuleAnswer;

/// Checks the rule of a line.
pub(super) fn answer(
    line: &Line<'_>,
    subjects: &Subjects,
    reply: &mut Vec<u8>,
    head: ReplyHead<'_>,
) -> Result<io::Result<()>, LineError> {
    let rule = rule(line, subjects)?;
    let wrong = |d| LineError::new(d, "rule");
    let (soundness, values) = match yes(line, Field::Values)? {
        true => {
            let (soundness, values) = rule.checked_with_values().map_err(wrong)?;
            (soundness, Some(values))
        }
        false => (rule.checked().map_err(wrong)?, None),
    };
    let repairs = match (yes(line, Field::Repairs)?, &values) {
        (false, _) => None,
        (true, Some(values)) => Some(rule.repairs_with_values(values).map_err(wrong)?),
        (true, None) => Some(rule.repairs().map_err(wrong)?),
    };
    let cost = match yes(line, Field::Cost)? {
        true => rule.cost().map_err(wrong)?,
        false => None,
    };
    let (repairs, values, cost) = (repairs.as_deref(), values.as_ref(), cost.as_ref());
    let answer = RuleAnswer::of(&soundness, repairs, values, cost);
    Ok(write_object(reply, head, &answer))
}

/// The rule of a line, and the bounds up to which it is checked.
fn rule(line: &Line<'_>, subjects: &Subjects) -> Result<Rule, LineError> {
    let Some(raw) = line.value(Field::Rule) else {
        let wrong = mistake::wrong_kind("rule", "a text");
        return Err(LineError::new(wrong, "rule"));
    };
    let written = whole_text(raw, Field::Rule)?;
    let given = match line.value(Field::Leaves) {
        Some(raw) => members(raw, Field::Leaves, "an object of types by leaf")?,
        None => Vec::new(),
    };
    let mut leaves: Vec<(Cow<'_, str>, Cow<'_, str>)> = Vec::with_capacity(given.len());
    for (name, raw) in given {
        if raw.get() == "null" {
            continue;
        }
        let place = || format!("leaves.{name}");
        let ty = text(raw, Field::Leaves, place)?;
        // What is known of each leaf is read by itself, so that a mistake is reported with its place.
        Rule::read_leaf(&ty).map_err(|d| LineError::new(d, place()))?;
        leaves.push((name, ty));
    }
    let leaves = leaves.iter().map(|(name, ty)| (&**name, &**ty));
    let rule = Rule::read(subjects.relations(), &written, leaves);
    let rule = rule.map_err(|d| LineError::new(d, "rule"))?;
    let own = Bounds::default();
    let rule = rule.budget(number(line, Field::Budget)?);
    Ok(rule.opset(number(line, Field::Opset)?).bounds(Bounds {
        max_rank: number(line, Field::MaxRank)?.unwrap_or(own.max_rank),
        max_dim: number(line, Field::MaxDim)?.unwrap_or(own.max_dim),
    }))
}
