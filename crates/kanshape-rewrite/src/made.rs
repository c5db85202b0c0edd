//! Goals and terms that are made, and not read: they stand nowhere in a text.

use kanshape::tree::relation::{Attr, Element, Float, Formal, Goal, Node, Op, Rule, Term};
use kanshape::tree::{CmpOp, Ident, Sign, Span, Spanned};

pub(crate) fn nowhere<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

pub(crate) fn ident(name: &str) -> Ident {
    nowhere(name.into())
}

pub(crate) fn name(name: &str) -> Term {
    Term::Name(ident(name))
}

pub(crate) fn int(n: i64) -> Term {
    negated(n < 0, Term::Int(n.unsigned_abs()))
}

/// A number as it is written; none if it can't be.
pub(crate) fn number(x: f64) -> Option<Term> {
    let term = match x.fract() == 0.0 && x.abs() < 2_f64.powi(63) {
        true => Term::Int(x.abs() as u64),
        false => Term::Float(Float::new(x.abs())?),
    };
    Some(negated(x < 0.0, term))
}

fn negated(is_negative: bool, term: Term) -> Term {
    match is_negative {
        true => Term::Sum(vec![(Sign::Minus, nowhere(term))]),
        false => term,
    }
}

pub(crate) fn ints(members: &[i64]) -> Term {
    list(members.iter().copied().map(int))
}

pub(crate) fn list(members: impl IntoIterator<Item = Term>) -> Term {
    let members = members.into_iter().map(|one| Element::One(nowhere(one)));
    Term::List(members.collect())
}

pub(crate) fn call<const N: usize>(function: &str, args: [Term; N]) -> Term {
    Term::Call(ident(function), args.map(nowhere).into())
}

/// A dim, or another member of a list.
pub(crate) fn at(list: &Term, place: Term) -> Term {
    Term::Index(boxed(list.clone()), boxed(place))
}

/// The members from a place on, and before one.
pub(crate) fn part(list: &Term, from: Option<Term>, to: Option<Term>) -> Term {
    Term::Slice(boxed(list.clone()), from.map(boxed), to.map(boxed))
}

fn boxed(term: Term) -> Box<Spanned<Term>> {
    Box::new(nowhere(term))
}

/// `body` for each member of a list, which is called `member` in it.
pub(crate) fn each(body: Term, member: &str, list: &Term) -> Term {
    Term::Each {
        body: boxed(body),
        names: vec![ident(member)],
        lists: vec![nowhere(list.clone())],
    }
}

/// A term and a number: `n - 1`, and `n` where that is 0.
pub(crate) fn plus(term: &Term, number: i64) -> Term {
    let sign = if number < 0 { Sign::Minus } else { Sign::Plus };
    let more = (sign, nowhere(Term::Int(number.unsigned_abs())));
    match number {
        0 => term.clone(),
        _ => Term::Sum(vec![(Sign::Plus, nowhere(term.clone())), more]),
    }
}

pub(crate) fn compare(a: &Term, op: CmpOp, b: Term) -> Goal {
    Goal::Compare(nowhere(a.clone()), vec![(op, nowhere(b))])
}

pub(crate) fn equal(a: &Term, b: &Term) -> Goal {
    compare(a, CmpOp::Eq, b.clone())
}

/// The two terms that a goal equates, if it does nothing else.
pub(crate) fn equated(goal: &Goal) -> Option<(&Term, &Term)> {
    match goal {
        Goal::Compare(a, rest) => match &rest[..] {
            [(CmpOp::Eq, b)] => Some((&a.node, &b.node)),
            _ => None,
        },
        _ => None,
    }
}

/// What two shapes broadcast to; a hole if it is not spoken of.
pub(crate) fn broadcast(a: &Term, b: &Term, both: Term) -> Goal {
    let terms = [a.clone(), b.clone(), both].map(nowhere);
    Goal::Call(ident("BroadcastShapes"), terms.into())
}

/// All of these have to hold.
pub(crate) fn all(goals: impl IntoIterator<Item = Goal>) -> Goal {
    let mut all: Vec<Spanned<Goal>> = Vec::new();
    for goal in goals {
        match goal {
            Goal::True => {}
            Goal::All(goals) => all.extend(goals),
            goal => all.push(nowhere(goal)),
        }
    }
    one_of(all, Goal::All)
}

/// One of these has to hold.
pub(crate) fn any(goals: impl IntoIterator<Item = Goal>) -> Goal {
    one_of(goals.into_iter().map(nowhere).collect(), Goal::Any)
}

/// What is made of several goals; one is that goal.
fn one_of(mut goals: Vec<Spanned<Goal>>, of: fn(Vec<Spanned<Goal>>) -> Goal) -> Goal {
    match goals.len() {
        0 => Goal::True,
        1 => goals.remove(0).node,
        _ => of(goals),
    }
}

/// An operand of which only the name is said.
pub(crate) fn formal(name: &str) -> Formal {
    Formal {
        name: ident(name),
        pattern: None,
        optional: false,
        variadic: false,
        contents: None,
    }
}

/// An operator without outputs, which requires these goals.
pub(crate) fn operator(
    name: &str,
    attrs: Vec<Attr>,
    inputs: Vec<Formal>,
    goals: Vec<Spanned<Goal>>,
) -> Op {
    Op {
        doc: Vec::new(),
        domain: Box::default(),
        name: ident(name),
        aliases: Vec::new(),
        attrs,
        inputs,
        outputs: Vec::new(),
        signature: None,
        since: 1,
        body: nowhere(one_of(goals, Goal::All)),
    }
}

/// A rule of one output on each side.
pub(crate) fn rule(name: &str, left: Node, right: Node, both: bool) -> Rule {
    Rule {
        doc: Vec::new(),
        domain: Box::default(),
        name: ident(name),
        attrs: Vec::new(),
        leaves: Vec::new(),
        left: vec![nowhere(left)],
        both,
        right: vec![nowhere(right)],
        body: nowhere(Goal::True),
    }
}

/// Puts one term in the place of another wherever that stands in a goal.
pub(crate) fn replace(goal: &mut Goal, term: &Term, by: &Term) {
    fn in_term(own: &mut Term, term: &Term, by: &Term) {
        if own == term {
            own.clone_from(by);
            return;
        }
        for part in own.parts_mut() {
            in_term(&mut part.node, term, by);
        }
    }
    for own in goal.terms_mut() {
        in_term(&mut own.node, term, by);
    }
    for part in goal.parts_mut() {
        replace(&mut part.node, term, by);
    }
}

/// A body that holds where these goals hold as well.
pub(crate) fn add(body: &mut Spanned<Goal>, goals: impl IntoIterator<Item = Goal>) {
    let own = std::mem::replace(&mut body.node, Goal::True);
    body.node = all([own].into_iter().chain(goals));
}

/// Goals as they are written one by one: with commas between them they are all of them.
pub(crate) fn written(goals: &[Goal]) -> Vec<String> {
    goals.iter().map(conjunct).collect()
}

/// A goal as one of several that have a comma between them.
pub(crate) fn conjunct(goal: &Goal) -> String {
    match goal {
        Goal::Any(_) | Goal::Known(..) => format!("({goal})"),
        _ => goal.to_string(),
    }
}
