//! May a clause hold of these arguments? A look that binds nothing: constants, lengths of lists, labels of
//! nodes, comparisons of numbers.

use crate::encode::form::{CONS, NIL, NONE, SOME};
use crate::encode::{TENSOR, atoms};
use crate::rules::Clause;
use crate::rules::rule::{Body, Guard, Piece, Side, Value};
use kanshape_engine::{Int, Linear, Look, Part, Seq, Stop, Term};
use kanshape_syntax::tree::CmpOp;
use smallvec::SmallVec;

/// What the slots of a clause denote, as far as a look has seen.
pub(super) type Seen = SmallVec<[Option<Term>; 8]>;

/// May the clause hold of the arguments?
pub(super) fn may_hold(look: &mut Look<'_>, clause: &Clause, args: &[Term]) -> Result<bool, Stop> {
    look.budget().spend(1)?;
    let mut seen: Seen = smallvec::smallvec![None; clause.slots.len()];
    for (value, arg) in clause.head.iter().zip(args) {
        if !may_be(look, value, arg, &mut seen)? {
            return Ok(false);
        }
    }
    guards_may_hold(look, &clause.body, &seen)
}

/// May what is compared in the body be so?
pub(super) fn guards_may_hold(
    look: &mut Look<'_>,
    body: &Body,
    seen: &[Option<Term>],
) -> Result<bool, Stop> {
    for guard in &body.guards {
        let may = match guard {
            Guard::Compare(left, op, right) => may_compare(look, *left, *op, *right, seen)?,
            Guard::Like(slot, value) => match seen.get(*slot) {
                Some(Some(term)) => {
                    let term = look.walk(term);
                    may_be(look, value, &term, &mut seen.into())?
                }
                _ => true,
            },
            Guard::Class(slot, set) => match seen.get(*slot) {
                Some(Some(Term::Atom(v))) => {
                    look.note(*v);
                    look.mask(*v) & atoms(*set) != 0
                }
                _ => true,
            },
        };
        if !may {
            return Ok(false);
        }
    }
    Ok(true)
}

fn may_compare(
    look: &mut Look<'_>,
    left: Side,
    op: CmpOp,
    right: Side,
    seen: &[Option<Term>],
) -> Result<bool, Stop> {
    let (Some(left), Some(right)) = (side(look, left, seen)?, side(look, right, seen)?) else {
        return Ok(true);
    };
    let apart = look.resolve(&left.minus(&right)?)?;
    look.note_form(&apart);
    let (lo, hi) = look.bounds(&apart);
    Ok(match op {
        CmpOp::Eq => look.may_be(&apart, 0),
        CmpOp::Ne => apart.as_constant() != Some(0),
        CmpOp::Lt => lo < 0,
        CmpOp::Le => lo <= 0,
        CmpOp::Gt => hi > 0,
        CmpOp::Ge => hi >= 0,
    })
}

/// A side of a comparison, as far as it has been seen.
fn side(look: &mut Look<'_>, side: Side, seen: &[Option<Term>]) -> Result<Option<Linear>, Stop> {
    let of = |slot: usize| seen.get(slot).and_then(Option::as_ref);
    Ok(match side {
        Side::Int(n) => Some(Linear::constant(n)),
        Side::Slot(slot) => match of(slot) {
            Some(Term::Int(l)) => Some(l.clone()),
            _ => None,
        },
        Side::Length(slot) => match of(slot) {
            Some(Term::Seq(seq)) => Some(look.length(seq)?),
            _ => None,
        },
    })
}

/// May the value be the term? Slots that are met for the first time denote their term from then on.
fn may_be(look: &mut Look<'_>, value: &Value, term: &Term, seen: &mut Seen) -> Result<bool, Stop> {
    match value {
        Value::Slot(slot) => match &seen[*slot] {
            Some(known) => {
                let known = known.clone();
                may_be_same(look, &known, term)
            }
            None => {
                seen[*slot] = Some(term.clone());
                Ok(true)
            }
        },
        Value::Int(n) => number_may_be(look, term, *n),
        Value::Dtype(dtype) => {
            let Term::Atom(v) = term else {
                return Ok(true);
            };
            look.note(*v);
            Ok(look.mask(*v) & atoms((*dtype).into()) != 0)
        }
        Value::None => may_be_node(look, NONE, &[], term, seen),
        Value::Some(of) => may_be_node(look, SOME, std::slice::from_ref(&**of), term, seen),
        Value::Node(label, parts) => may_be_node(look, *label, parts, term, seen),
        Value::Tensor(parts) => match look.walk(term) {
            // The contents decide nothing: they may be unknown for good.
            Term::Node(TENSOR, of) if of.len() == 3 => Ok(
                may_be(look, &parts[0], &of[1], seen)? && may_be(look, &parts[1], &of[0], seen)?
            ),
            Term::Var(v) => {
                look.note(v);
                Ok(true)
            }
            _ => Ok(false),
        },
        Value::List(pieces, of) if of.kind().is_number() => {
            may_be_sequence(look, pieces, term, seen)
        }
        Value::List(pieces, _) => may_be_chain(look, pieces, term, seen),
        // What is calculated is not examined.
        _ => Ok(true),
    }
}

fn may_be_node(
    look: &mut Look<'_>,
    label: u32,
    values: &[Value],
    term: &Term,
    seen: &mut Seen,
) -> Result<bool, Stop> {
    match look.walk(term) {
        Term::Node(of, parts) if of == label && parts.len() == values.len() => {
            for (value, part) in values.iter().zip(parts.iter()) {
                if !may_be(look, value, part, seen)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Term::Var(v) => {
            look.note(v);
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn number_may_be(look: &mut Look<'_>, term: &Term, n: Int) -> Result<bool, Stop> {
    let Term::Int(l) = term else {
        return Ok(true);
    };
    let l = look.resolve(l)?;
    look.note_form(&l);
    Ok(look.may_be(&l, n))
}

/// May a list that is written out be this sequence?
fn may_be_sequence(
    look: &mut Look<'_>,
    pieces: &[Piece],
    term: &Term,
    seen: &mut Seen,
) -> Result<bool, Stop> {
    let Term::Seq(seq) = term else {
        return Ok(true);
    };
    let parts = look.parts(seq);
    look.budget().spend(parts.len() as u64 / 4)?;
    let ones = pieces.iter().filter(|p| matches!(p, Piece::One(_))).count();
    let length = look.length(seq)?;
    let (lo, hi) = look.bounds(&length);
    let exact = ones == pieces.len();
    if hi < ones as Int || exact && lo > ones as Int {
        return Ok(false);
    }
    look.note_form(&length);
    for part in &parts {
        if let Part::Run(v) = part {
            look.note(*v);
        }
    }
    // From the left as far as both show members, and then from the right.
    for (piece, part) in pieces.iter().zip(&parts) {
        let (Piece::One(value), Part::One(l)) = (piece, part) else {
            break;
        };
        if !may_be(look, value, &Term::Int(l.clone()), seen)? {
            return Ok(false);
        }
    }
    if exact && length.as_constant().is_some() {
        return Ok(true);
    }
    for (piece, part) in pieces.iter().rev().zip(parts.iter().rev()) {
        let (Piece::One(value), Part::One(l)) = (piece, part) else {
            break;
        };
        if !may_be(look, value, &Term::Int(l.clone()), seen)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// May a list that is written out be this chain?
fn may_be_chain(
    look: &mut Look<'_>,
    pieces: &[Piece],
    term: &Term,
    seen: &mut Seen,
) -> Result<bool, Stop> {
    let mut rest = term.clone();
    for (i, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Rest(value) if i + 1 == pieces.len() => {
                return may_be(look, value, &rest, seen);
            }
            // Where it ends is not seen from here.
            Piece::Rest(_) => return Ok(true),
            Piece::One(value) => match look.walk(&rest) {
                Term::Node(CONS, parts) if parts.len() == 2 => {
                    if !may_be(look, value, &parts[0], seen)? {
                        return Ok(false);
                    }
                    rest = parts[1].clone();
                }
                Term::Var(v) => {
                    look.note(v);
                    return Ok(true);
                }
                _ => return Ok(false),
            },
        }
    }
    Ok(match look.walk(&rest) {
        Term::Node(NIL, _) => true,
        Term::Var(v) => {
            look.note(v);
            true
        }
        _ => false,
    })
}

/// May two terms be the same, as far as their outermost parts show?
fn may_be_same(look: &mut Look<'_>, a: &Term, b: &Term) -> Result<bool, Stop> {
    match (look.walk(a), look.walk(b)) {
        (Term::Int(a), Term::Int(b)) => {
            let apart = look.resolve(&a.minus(&b)?)?;
            look.note_form(&apart);
            Ok(look.may_be(&apart, 0))
        }
        (Term::Atom(v), Term::Atom(w)) => {
            look.note(v);
            look.note(w);
            Ok(look.mask(v) & look.mask(w) != 0)
        }
        (Term::Seq(a), Term::Seq(b)) => may_be_same_length(look, &a, &b),
        (Term::Node(f, xs), Term::Node(g, ys)) => Ok(f == g && xs.len() == ys.len()),
        (a, b) => {
            for term in [a, b] {
                if let Term::Var(v) = term {
                    look.note(v);
                }
            }
            Ok(true)
        }
    }
}

fn may_be_same_length(look: &mut Look<'_>, a: &Seq, b: &Seq) -> Result<bool, Stop> {
    let apart = look.length(a)?.minus(&look.length(b)?)?;
    let apart = look.resolve(&apart)?;
    look.note_form(&apart);
    Ok(look.may_be(&apart, 0))
}
