//! How terms of a rule stand in the engine.
//!
//! Types are nodes as in [`encode`](crate::encode); numbers, texts and truth values are integers; lists of these
//! are sequences, other lists are chains of nodes.

use super::kind::Kind;
use super::{TENSOR, atoms, dtypes};
use kanshape_engine::{Domain, INF, Int, Linear, Look, Part, Seq, State, Stop, Term, View};
use kanshape_types::{Dtype, DtypeSet};

/// An optional thing that is left out.
pub const NONE: u32 = u32::MAX;
/// One that is there.
pub const SOME: u32 = u32::MAX - 1;
/// A list of no numbers, at its end.
pub const NIL: u32 = u32::MAX - 2;
/// Its first member, and the rest.
pub const CONS: u32 = u32::MAX - 3;

/// Every natural number.
pub const NATURAL: Domain = Domain::interval(0, INF);

/// Anything of a kind.
pub fn fresh(state: &mut State, kind: &Kind) -> Term {
    match kind {
        Kind::Int | Kind::Float => Term::Int(Linear::var(state.int(Domain::ALL))),
        Kind::Text => Term::Int(Linear::var(state.int(NATURAL))),
        Kind::Bool => Term::Int(Linear::var(state.int(Domain::interval(0, 1)))),
        Kind::Dtype => Term::Atom(state.atom(atoms(DtypeSet::ANY))),
        Kind::List(of) if of.is_number() => Term::Seq(fresh_list(state)),
        Kind::Type | Kind::List(_) | Kind::Option(_) | Kind::IntOrInts | Kind::IntOrLists => {
            Term::Var(state.any())
        }
    }
}

/// A list of any numbers.
pub fn fresh_list(state: &mut State) -> Seq {
    let length = Linear::var(state.int(NATURAL));
    Seq::run(state.run_of_integers(length))
}

/// An empty list of a kind.
pub fn empty(of: &Kind) -> Term {
    match of.is_number() {
        true => Term::Seq(Seq::default()),
        false => Term::node(NIL, []),
    }
}

/// A node of a tree. What is a tree itself is put behind a variable, so that no term nests more deeply than
/// a clause is written, however long a list grows.
pub fn node(state: &mut State, label: u32, parts: impl IntoIterator<Item = Term>) -> Term {
    let parts = parts.into_iter().map(|part| match part {
        Term::Node(TENSOR, _) => part,
        Term::Node(..) => Term::Var(state.standing_for(part)),
        part => part,
    });
    let parts: Vec<Term> = parts.collect();
    Term::node(label, parts)
}

/// Something that is left out.
pub fn none() -> Term {
    Term::node(NONE, [])
}

/// Something that might have been left out. What is there is a variable, or no tree.
pub fn some(of: Term) -> Term {
    Term::node(SOME, [of])
}

/// A list of no numbers.
pub fn chain(state: &mut State, members: impl DoubleEndedIterator<Item = Term>) -> Term {
    let mut list = Term::node(NIL, []);
    for member in members.rev() {
        list = node(state, CONS, [member, list]);
    }
    list
}

/// The members of a list of no numbers, as far as they show.
pub fn shown(state: &State, list: &Term) -> Vec<Term> {
    let (mut list, mut members) = (list.clone(), Vec::new());
    while let Front::First(first, rest) = front_of(state, &list) {
        members.push(first);
        list = rest;
    }
    members
}

/// What is seen of a list from the left.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Front {
    Empty,
    /// The first member, and the rest.
    First(Term, Term),
    /// There is one, but not yet seen.
    Hidden,
    /// There may be none.
    Open,
}

/// What is seen of a list from the left, and what more may be seen later.
pub fn front(look: &mut Look<'_>, list: &Term) -> Front {
    let front = front_of(look, list);
    if let Front::Open = front {
        match look.walk(list) {
            Term::Var(v) => look.note(v),
            Term::Seq(seq) => look.note_runs(&seq),
            _ => {}
        }
    }
    front
}

/// What is seen of a list from the left.
pub fn front_of(state: &State, list: &Term) -> Front {
    match state.walk(list) {
        Term::Node(CONS, parts) if parts.len() == 2 => {
            Front::First(parts[0].clone(), parts[1].clone())
        }
        Term::Node(..) => Front::Empty,
        Term::Seq(seq) => match seq.split_first() {
            None => Front::Empty,
            Some((Part::One(l), rest)) => Front::First(Term::Int(l.clone()), Term::Seq(rest)),
            Some((Part::Run(_), _)) => {
                let parts: Seq = state.parts(&seq).into_iter().collect();
                match parts.split_first() {
                    None => Front::Empty,
                    Some((Part::One(l), rest)) => {
                        Front::First(Term::Int(l.clone()), Term::Seq(rest))
                    }
                    Some(_) => match state.length(&seq).map(|l| state.bounds(&l)) {
                        Ok((1.., _)) => Front::Hidden,
                        _ => Front::Open,
                    },
                }
            }
        },
        _ => Front::Open,
    }
}

/// The first member of a list, and the rest: from now on it has one.
pub fn uncons(view: &mut View<'_>, list: &Term) -> Result<(Term, Term), Stop> {
    match front_of(view, list) {
        Front::Empty => Err(Stop::Conflict),
        Front::First(first, rest) => Ok((first, rest)),
        Front::Hidden | Front::Open => {
            let (first, rest, whole) = match list {
                Term::Seq(_) => {
                    let first = Linear::var(view.int(Domain::ALL));
                    let rest = fresh_list(view);
                    let parts = std::iter::once(Part::One(first.clone()));
                    let whole: Seq = parts.chain(rest.parts().iter().cloned()).collect();
                    (Term::Int(first), Term::Seq(rest), Term::Seq(whole))
                }
                _ => {
                    let (first, rest) = (Term::Var(view.any()), Term::Var(view.any()));
                    let whole = Term::node(CONS, [first.clone(), rest.clone()]);
                    (first, rest, whole)
                }
            };
            view.unify(list, &whole)?;
            Ok((first, rest))
        }
    }
}

/// From now on the list is empty.
pub fn no_more(view: &mut View<'_>, list: &Term) -> Result<(), Stop> {
    let none = match list {
        Term::Seq(_) => Term::Seq(Seq::default()),
        _ => Term::node(NIL, []),
    };
    view.unify(list, &none)
}

/// Is it known what this is? A number is one number, a dtype one dtype, a list has one length, a tree its label. Notes what that turns on.
pub fn is_known(look: &mut Look<'_>, term: &Term) -> Result<bool, Stop> {
    Ok(match look.walk(term) {
        Term::Var(v) => {
            look.note(v);
            false
        }
        Term::Int(l) => {
            let l = look.resolve(&l)?;
            look.note_form(&l);
            l.as_constant().is_some()
        }
        Term::Atom(v) => {
            look.note(v);
            look.mask(v).is_power_of_two()
        }
        Term::Seq(seq) => {
            let seq: Seq = look.parts(&seq).into_iter().collect();
            look.note_runs(&seq);
            // What is not shown yet of a list is known to be there when its length is.
            let length = look.length(&seq)?;
            look.note_form(&length);
            length.as_constant().is_some()
        }
        Term::Node(CONS, _) => match front(look, term) {
            // A chain is known when its end is.
            Front::First(_, rest) => chain_length(look, &rest)?.is_some(),
            _ => false,
        },
        Term::Node(..) => true,
    })
}

/// How many members a list of no numbers has, if it shows all of them. Notes where it does not.
pub fn chain_length(look: &mut Look<'_>, list: &Term) -> Result<Option<usize>, Stop> {
    let (mut list, mut count) = (list.clone(), 0);
    loop {
        look.budget().spend(1)?;
        match front(look, &list) {
            Front::Empty => return Ok(Some(count)),
            Front::First(_, rest) => {
                list = rest;
                count += 1;
            }
            Front::Hidden | Front::Open => return Ok(None),
        }
    }
}

/// A number as a form.
pub fn number(term: &Term) -> Result<Linear, Stop> {
    match term {
        Term::Int(l) => Ok(l.clone()),
        _ => Err(Stop::Conflict),
    }
}

/// The number that a form is known to be.
pub fn known(state: &State, l: &Linear) -> Result<Option<Int>, Stop> {
    Ok(state.resolve(l)?.as_constant())
}

/// The dtype that a term is known to be.
pub fn known_dtype(state: &State, term: &Term) -> Option<Dtype> {
    match state.walk(term) {
        Term::Atom(v) => dtypes(state.mask(v)).single(),
        _ => None,
    }
}

/// A number as a form, known or not.
pub fn member(state: &State, term: &Term) -> Option<Linear> {
    match state.walk(term) {
        Term::Int(l) => Some(l),
        _ => None,
    }
}

/// The term may become known.
pub fn note(look: &mut Look<'_>, term: &Term) {
    match look.walk(term) {
        Term::Var(v) | Term::Atom(v) => look.note(v),
        Term::Seq(seq) => look.note_runs(&seq),
        _ => {}
    }
}

/// A list of these numbers.
pub fn list(members: impl IntoIterator<Item = Linear>) -> Term {
    Term::Seq(members.into_iter().map(Part::One).collect())
}
