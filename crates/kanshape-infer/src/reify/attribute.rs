//! Attributes as they are to be written.

use super::fresh::Fresh;
use super::naming::Naming;
use super::symbol::Expr;
use crate::AttrValue;
use kanshape_engine::{Int, Linear, Part, State, Stop, Term, Var};
use kanshape_rules::encode::{AttrSlot, Kind, QueryVars, Words, dtypes, float, form};
use kanshape_syntax::tree::Sign;
use kanshape_types::{Dim, Name};

/// An attribute with places for its numbers.
#[derive(Debug)]
pub(crate) enum AttrTemplate {
    Value(AttrValue),
    /// The number in this place.
    Number(usize),
    List(Vec<AttrTemplate>),
}

impl AttrTemplate {
    /// The attributes that were queried; their integers are put into `numbers`.
    pub(crate) fn all(
        state: &State,
        given: &QueryVars,
        words: &Words,
        numbers: &mut Vec<Linear>,
    ) -> Result<Vec<(Name, AttrTemplate)>, Stop> {
        let queried = given.attrs.iter().filter(|a| a.queried);
        let template = |a: &AttrSlot| {
            let template = AttrTemplate::new(state, given, words, &a.kind, &a.term, numbers)?;
            Ok((a.name.clone(), template))
        };
        queried.map(template).collect()
    }

    fn new(
        state: &State,
        given: &QueryVars,
        words: &Words,
        kind: &Kind,
        term: &Term,
        numbers: &mut Vec<Linear>,
    ) -> Result<AttrTemplate, Stop> {
        let mut of =
            |kind: &Kind, term: &Term| AttrTemplate::new(state, given, words, kind, term, numbers);
        Ok(match (kind, state.walk(term)) {
            (Kind::Option(kind), Term::Node(form::SOME, parts)) => of(kind, &parts[0])?,
            (Kind::Int, Term::Int(l)) => {
                numbers.push(state.resolve(&l)?);
                AttrTemplate::Number(numbers.len() - 1)
            }
            (Kind::IntOrInts | Kind::IntOrLists, Term::Node(form::CONS, _)) => {
                match &form::shown(state, term)[..] {
                    [one] => match first_of(state, one) {
                        Some(n) => of(&Kind::Int, &n)?,
                        None => AttrTemplate::Value(AttrValue::Hole),
                    },
                    [_, list] => of(&Kind::Int.list(), list)?,
                    [_, _, lists @ ..] => {
                        let lists = lists.iter().map(|list| of(&Kind::Int.list(), list));
                        AttrTemplate::List(lists.collect::<Result<_, Stop>>()?)
                    }
                    _ => AttrTemplate::Value(AttrValue::Hole),
                }
            }
            (Kind::List(kind), Term::Node(form::CONS, _)) if matches!(**kind, Kind::List(_)) => {
                let members = form::shown(state, term);
                let members = members.iter().map(|m| of(kind, m));
                AttrTemplate::List(members.collect::<Result<_, Stop>>()?)
            }
            (Kind::List(kind), Term::Seq(seq)) => {
                let mut members = Vec::new();
                for part in state.parts(&seq) {
                    let Part::One(l) = part else {
                        return Ok(AttrTemplate::Value(AttrValue::Hole));
                    };
                    members.push(of(kind, &Term::Int(l))?);
                }
                AttrTemplate::List(members)
            }
            (kind, term) => AttrTemplate::Value(closed(state, given, words, kind, &term)?),
        })
    }

    /// The value with these numbers.
    pub(crate) fn value(&self, number: &mut dyn FnMut(usize) -> AttrValue) -> AttrValue {
        match self {
            AttrTemplate::Value(value) => value.clone(),
            AttrTemplate::Number(place) => number(*place),
            AttrTemplate::List(members) => {
                AttrValue::List(members.iter().map(|m| m.value(number)).collect())
            }
        }
    }
}

/// What is known of an attribute in which there are no numbers with names.
fn closed(
    state: &State,
    given: &QueryVars,
    words: &Words,
    kind: &Kind,
    term: &Term,
) -> Result<AttrValue, Stop> {
    let found = match (kind, term) {
        (Kind::Option(_), Term::Node(tag, _)) if *tag != form::SOME => Some(AttrValue::Absent),
        (kind, Term::Int(l)) => {
            let known = state.resolve(l)?.as_constant();
            known.and_then(|n| self::known(given, words, kind, n))
        }
        (Kind::Dtype, Term::Atom(v)) => {
            let known = dtypes(state.mask(*v)).single();
            known.map(AttrValue::Dtype)
        }
        _ => None,
    };
    Ok(found.unwrap_or(AttrValue::Hole))
}

/// The attributes that were queried, as they are written.
pub(super) fn written(
    naming: &mut Naming<'_>,
    fresh: &mut Fresh,
    given: &QueryVars,
    words: &Words,
) -> Result<Vec<(Name, AttrValue)>, Stop> {
    let mut numbers = Vec::new();
    let templates = AttrTemplate::all(naming.state, given, words, &mut numbers)?;
    let mut values: Vec<AttrValue> = Vec::with_capacity(numbers.len());
    for number in numbers {
        let e = naming.form(&number).ok_or(Stop::Overflow)?;
        values.push(match integer(&e) {
            Some(n) => AttrValue::Int(n),
            None => AttrValue::Dim(Dim::expr(fresh.expr(e, given))),
        });
    }
    let value = |(name, template): (Name, AttrTemplate)| {
        (name, template.value(&mut |place| values[place].clone()))
    };
    Ok(templates.into_iter().map(value).collect())
}

/// The first number of a list that shows it.
fn first_of(state: &State, list: &Term) -> Option<Term> {
    match form::front_of(state, list) {
        form::Front::First(first, _) => Some(first),
        _ => None,
    }
}

/// A number that denotes something else.
fn known(given: &QueryVars, words: &Words, kind: &Kind, n: Int) -> Option<AttrValue> {
    Some(match kind {
        Kind::Float => AttrValue::from(float::value(n)?),
        Kind::Bool => AttrValue::Bool(n != 0),
        Kind::Text => AttrValue::Text((*given.texts.text(words, n)?).into()),
        _ => return None,
    })
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

/// The variables of the attributes that are queried.
pub(super) fn vars(state: &State, slots: &[AttrSlot]) -> Vec<Var> {
    vars_of(state, slots.iter().filter(|a| a.queried))
}

/// The variables of those that are texts.
pub(super) fn texts(state: &State, slots: &[AttrSlot]) -> Vec<Var> {
    vars_of(
        state,
        slots.iter().filter(|a| a.queried && a.kind.is_of_texts()),
    )
}

fn vars_of<'a>(state: &State, slots: impl Iterator<Item = &'a AttrSlot>) -> Vec<Var> {
    let mut vars = Vec::new();
    let mut todo: Vec<Term> = slots.map(|a| a.term.clone()).collect();
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
            Term::Node(form::SOME | form::CONS, parts) => todo.extend(parts.iter().cloned()),
            Term::Node(..) | Term::Atom(_) | Term::Var(_) => {}
        }
    }
    vars
}
