//! Attributes as they are to be written.

use super::finish::Finish;
use super::naming::Naming;
use crate::AttrValue;
use crate::lower::{AttrSlot, Given, dtypes};
use crate::relation::{Kind, Words, float, form};
use kanshape_engine::{Int, Part, Stop, Term, Var};
use kanshape_syntax::tree::{Expr, Sign};
use kanshape_types::{Dim, Name};

/// An attribute before its unknowns have names.
pub(super) enum DraftAttr {
    Value(AttrValue),
    Number(Expr),
    List(Vec<DraftAttr>),
}

/// What is to be written of the attributes that were asked for.
pub(super) fn drafts(
    naming: &mut Naming<'_>,
    given: &Given,
    words: &Words,
) -> Result<Vec<(Name, DraftAttr)>, Stop> {
    let asked = given.attrs.iter().filter(|a| a.asked);
    asked
        .map(|a| {
            Ok((
                a.name.clone(),
                draft(naming, given, words, &a.kind, &a.term)?,
            ))
        })
        .collect()
}

fn draft(
    naming: &mut Naming<'_>,
    given: &Given,
    words: &Words,
    kind: &Kind,
    term: &Term,
) -> Result<DraftAttr, Stop> {
    let state = naming.state;
    let hole = Ok(DraftAttr::Value(AttrValue::Hole));
    let value = |value: AttrValue| Ok(DraftAttr::Value(value));
    match (kind, state.walk(term)) {
        (Kind::Option(of), Term::Node(form::SOME, parts)) => {
            draft(naming, given, words, of, &parts[0])
        }
        (Kind::Option(_), Term::Node(..)) => value(AttrValue::Absent),
        (Kind::Int, Term::Int(l)) => {
            let number = naming.form(&l).ok_or(Stop::Overflow)?;
            Ok(DraftAttr::Number(number))
        }
        (kind, Term::Int(l)) => match state.resolve(&l)?.as_constant() {
            Some(n) => match known(given, words, kind, n) {
                Some(known) => value(known),
                None => hole,
            },
            None => hole,
        },
        (Kind::Dtype, Term::Atom(v)) => match dtypes(state.mask(v)).single() {
            Some(dtype) => value(AttrValue::Dtype(dtype)),
            None => hole,
        },
        (Kind::List(of), Term::Seq(seq)) => {
            let mut members = Vec::new();
            for part in state.parts(&seq) {
                let Part::One(l) = part else {
                    return hole;
                };
                members.push(draft(naming, given, words, of, &Term::Int(l))?);
            }
            Ok(DraftAttr::List(members))
        }
        _ => hole,
    }
}

/// A number that stands for something else.
fn known(given: &Given, words: &Words, kind: &Kind, n: Int) -> Option<AttrValue> {
    Some(match kind {
        Kind::Float => AttrValue::from(float::value(n)?),
        Kind::Bool => AttrValue::Bool(n != 0),
        Kind::Text => AttrValue::Text((*given.texts.text(words, n)?).into()),
        _ => return None,
    })
}

impl DraftAttr {
    /// Its expressions.
    pub(super) fn for_each_expr(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            DraftAttr::Value(_) => {}
            DraftAttr::Number(e) => f(e),
            DraftAttr::List(members) => members.iter().for_each(|m| m.for_each_expr(f)),
        }
    }

    pub(super) fn finish(self, finish: &mut Finish) -> AttrValue {
        match self {
            DraftAttr::Value(value) => value,
            DraftAttr::List(members) => {
                let members = members.into_iter().map(|m| m.finish(finish));
                AttrValue::List(members.collect())
            }
            DraftAttr::Number(e) => match integer(&e) {
                Some(n) => AttrValue::Int(n),
                None => AttrValue::Dim(Dim::expr(finish.expr(e))),
            },
        }
    }
}

fn integer(e: &Expr) -> Option<i64> {
    match e {
        Expr::Int(n) => i64::try_from(*n).ok(),
        Expr::Sum(terms) => match &terms[..] {
            [(Sign::Minus, Expr::Int(n))] => i64::try_from(*n).ok().map(|n| -n),
            _ => None,
        },
        _ => None,
    }
}

/// The variables of the attributes that are asked for.
pub(super) fn vars(state: &kanshape_engine::State, slots: &[AttrSlot]) -> Vec<Var> {
    let mut vars = Vec::new();
    let mut todo: Vec<Term> = slots
        .iter()
        .filter(|a| a.asked)
        .map(|a| a.term.clone())
        .collect();
    while let Some(term) = todo.pop() {
        match state.walk(&term) {
            Term::Int(l) => vars.extend(state.open_vars_of(&l)),
            Term::Seq(seq) => {
                for part in state.parts(&seq) {
                    if let Part::One(l) = part {
                        vars.extend(state.open_vars_of(&l));
                    }
                }
            }
            // A type is not written.
            Term::Node(form::SOME, parts) => todo.extend(parts.iter().cloned()),
            Term::Node(..) | Term::Atom(_) | Term::Var(_) => {}
        }
    }
    vars
}
