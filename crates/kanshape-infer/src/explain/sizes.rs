//! Sizes for which a condition holds, and sizes for which it does not.

use crate::limits::{EXAMPLE_STEPS, MAX_EXAMPLE_CONDITIONS, MAX_EXAMPLE_NAMES};
use crate::{Query, Signature};
use kanshape_rules::encode::negations;
use kanshape_syntax::tree::{
    self, CmpOp, Condition, Expr, Ident, Item, Operand, Pattern, Span, Spanned,
};
use std::fmt;

/// Sizes for the names of a condition: `n = 3, m = 2`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sizes(pub Vec<(Box<str>, u64)>);

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, size)) in self.0.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{name} = {size}")?;
        }
        Ok(())
    }
}

/// Sizes for which one of several conditions holds, together with all others; and some for which it does not, though
/// the others hold where that can be. None where the conditions are about more than sizes, or nothing was found
/// soon.
///
/// ```
/// use kanshape::{Signature, explain};
///
/// let concat: Signature = "(n),(m)->(n+m)".parse()?;
/// let query = concat.query().inputs(["f32[2*k]".parse()?, "f32[j]".parse()?]).output(0, "f32[6]".parse()?);
/// let answer = query.solve()?.next().unwrap();
/// assert_eq!(answer.conditions.as_slice()[0].to_string(), "j == 6 - 2*k");
/// let (holds, fails) = explain::sizes(answer.conditions.as_slice(), 0);
/// assert_eq!(holds.unwrap().to_string(), "j = 4, k = 1");
/// assert_eq!(fails.unwrap().to_string(), "j = 1, k = 1");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
pub fn sizes(conditions: &[Condition], of: usize) -> (Option<Sizes>, Option<Sizes>) {
    let Some(condition) = conditions
        .get(of)
        .filter(|_| conditions.len() <= MAX_EXAMPLE_CONDITIONS)
    else {
        return (None, None);
    };
    let names = names(condition);
    if names.is_empty() || names.len() > MAX_EXAMPLE_NAMES {
        return (None, None);
    }
    // Only those that have a say in it.
    let about = |other: &&Condition| {
        let mut known = true;
        other.for_each_name(&mut |name| known &= names.iter().any(|n| **n == *name));
        known
    };
    let all: Vec<Condition> = conditions.iter().filter(about).cloned().collect();
    let holds = found(&names, &all);
    let others = conditions.iter().enumerate().filter(|(i, _)| *i != of);
    let others: Vec<Condition> = others.map(|(_, c)| c).filter(about).cloned().collect();
    let ways = negations(condition).unwrap_or_default();
    let fails = ways.iter().find_map(|way| {
        let beside = [&others[..], way].concat();
        found(&names, &beside).or_else(|| found(&names, way))
    });
    (holds, fails)
}

/// The names of a condition, in the order in which they are written.
fn names(condition: &Condition) -> Vec<Box<str>> {
    let mut names: Vec<Box<str>> = Vec::new();
    condition.for_each_name(&mut |name| {
        if !names.iter().any(|n| **n == *name) {
            names.push(name.into());
        }
    });
    names
}

/// The smallest sizes for which all conditions hold: greater than 0, if there are some.
fn found(names: &[Box<str>], conditions: &[Condition]) -> Option<Sizes> {
    let positive = names
        .iter()
        .map(|name| Condition::Compare(Expr::Name(ident(name)), vec![(CmpOp::Ge, Expr::Int(1))]));
    let mut all: Vec<Condition> = conditions.to_vec();
    all.extend(positive);
    solved(names, all).or_else(|| solved(names, conditions.to_vec()))
}

fn solved(names: &[Box<str>], conditions: Vec<Condition>) -> Option<Sizes> {
    let item = |name: &str| Spanned::new(Item::Dim(Expr::Name(ident(name))), Span::default());
    let operand = |items: Vec<Spanned<Item>>| Operand {
        pattern: Pattern::Shape(items),
        dtype: None,
        span: Span::default(),
    };
    let spanned = |condition| Spanned::new(condition, Span::default());
    let tree = tree::Signature {
        inputs: vec![operand(names.iter().map(|name| item(name)).collect())],
        outputs: vec![operand(Vec::new())],
        conditions: conditions.into_iter().map(spanned).collect(),
        ..tree::Signature::default()
    };
    let query: Query = Signature::from_tree(tree).ok()?.query();
    let answer = query.ground().budget(EXAMPLE_STEPS).solve().ok()?.next()?;
    let dims = answer
        .inputs
        .first()?
        .as_tensor()?
        .shape
        .known_dims()
        .to_vec();
    let sizes = names.iter().cloned().zip(dims);
    let sizes = sizes.map(|(name, dim)| Some((name, dim.size()?)));
    sizes.collect::<Option<_>>().map(Sizes)
}

fn ident(name: &str) -> Ident {
    Spanned::new(name.into(), Span::default())
}
