//! The values of variables: which are tried, and how they are written.

use kanshape::AttrValue;
use kanshape::tree::Sign;
use kanshape::tree::relation::{self, Element, Term};

use crate::goals::VariableValue;
use crate::made::{self, int, ints};

/// A value as it is written.
pub(crate) fn term(value: &AttrValue) -> Option<Term> {
    Some(match value {
        AttrValue::Int(n) => int(*n),
        AttrValue::Dim(kanshape::Dim::Size(n)) => Term::Int(*n),
        AttrValue::Float(x) => Term::Float(relation::Float::new(x.get())?),
        AttrValue::Bool(b) => Term::Bool(*b),
        AttrValue::List(members) => {
            let members = members.iter().map(term).collect::<Option<Vec<_>>>();
            made::list(members?)
        }
        _ => return None,
    })
}

/// The integer that a term is, as [`int`] writes it.
pub(crate) fn int_of(term: &Term) -> Option<i64> {
    match term {
        Term::Int(n) => i64::try_from(*n).ok(),
        Term::Sum(addends) => match &addends[..] {
            [(Sign::Minus, one)] => match one.node {
                Term::Int(n) => i64::try_from(n).ok().map(|n| -n),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The integers that the members of a list are.
pub(crate) fn ints_of(members: &[Element]) -> Option<Vec<i64>> {
    let members = members.iter().map(|member| match member {
        Element::One(one) => int_of(&one.node),
        Element::Rest(_) => None,
    });
    members.collect()
}

/// The values that are tried.
pub(crate) fn domain(kind: &str) -> Vec<Term> {
    match kind {
        "int" => [0, 1, -1, 2, -2].into_iter().map(int).collect(),
        "bool" => vec![Term::Bool(false), Term::Bool(true)],
        "ints" => {
            let all: [&[i64]; 15] = [
                &[0],
                &[1],
                &[-1],
                &[2],
                &[0, 1],
                &[1, 0],
                &[1, 1],
                &[2, 1],
                &[],
                &[0, 1, 2],
                &[0, 2, 1],
                &[1, 0, 2],
                &[1, 2, 0],
                &[2, 0, 1],
                &[2, 1, 0],
            ];
            all.into_iter().map(ints).collect()
        }
        _ => Vec::new(),
    }
}

/// Small values count first, and before other ones those that goals speak of.
pub(super) fn weight(values: &[Term], stated: &[Term]) -> (usize, u64, u64) {
    fn of(term: &Term, weight: &mut (usize, u64, u64)) {
        match term {
            Term::Int(n) => weight.1 += n,
            Term::Sum(addends) => {
                weight.2 += 1;
                addends.iter().for_each(|a| of(&a.1.node, weight));
            }
            Term::List(members) => {
                weight.0 += members.len();
                for member in members {
                    if let Element::One(one) = member {
                        of(&one.node, weight);
                    }
                }
            }
            _ => {}
        }
    }
    let mut weight = (0, 0, 0);
    let others = values.iter().filter(|value| !stated.contains(value));
    others.for_each(|value| of(value, &mut weight));
    weight
}

/// A value of a variable, as goals speak of it.
pub(super) fn known(value: &Term) -> VariableValue {
    match value {
        Term::Bool(is) => VariableValue::Bool(*is),
        Term::List(members) => ints_of(members).map_or(VariableValue::Other, VariableValue::Ints),
        term => int_of(term).map_or(VariableValue::Other, VariableValue::Int),
    }
}
