//! What one word of look-ahead cannot tell: whether a parenthesis holds goals or terms, and
//! whether a call is a relation or a term.
//!
//! The grammar reads both as a [`Piece`], which is converted here to a goal or a term where one is needed.

use std::collections::BTreeMap;

use super::failure::{Failure, Read};
use super::head::KNOWN;
use super::{Element, Goal, Term};
use crate::code;
use crate::problem::{self, refuse};
use crate::signature::call::slash;
use crate::tree::{CmpOp, Ident, MulOp, Sign, Span, Spanned};

/// A goal or a term.
pub(crate) enum Piece {
    /// What reads as a term. A call and `true` may be goals all the same.
    Term(Term),
    /// What can be a goal only.
    Goal(Goal),
    /// `(a, b)`: a list, or goals that hold together.
    Group {
        members: Vec<Member>,
        /// Whether a comma stands behind the last.
        comma: bool,
    },
}

/// A part of a parenthesis.
pub(crate) enum Member {
    One(Spanned<Piece>),
    /// `..rest`.
    Rest(Option<Spanned<Term>>),
}

/// How many brackets may stand behind one term, `xs[0][1]`: each nests the tree once more.
pub(crate) const MAX_INDICES: usize = 8;

/// What stands in a parenthesis.
pub(crate) fn parenthesis(mut members: Vec<Member>, comma: bool) -> Piece {
    match members.pop() {
        Some(Member::One(only)) if members.is_empty() && !comma => only.node,
        last => {
            members.extend(last);
            Piece::Group { members, comma }
        }
    }
}

/// `(a, b ; c)`.
pub(crate) fn alternatives<'i>(
    first: Vec<Member>,
    at: Span,
    rest: Vec<Spanned<Goal>>,
) -> Read<'i, Piece> {
    let group = Spanned::new(parenthesis(first, false), at);
    let mut all = vec![goal(group)?];
    all.extend(rest);
    Ok(Piece::Goal(Goal::Any(all)))
}

/// `-a*b//c`: the sign belongs to `a`, as in Python. It makes no difference where nothing is rounded, and then the product
/// keeps it.
pub(crate) fn negated(
    first: Spanned<Term>,
    factors: Vec<(MulOp, Spanned<Term>)>,
    at: Span,
) -> (Sign, Spanned<Term>) {
    let exact = factors.iter().all(|(op, _)| *op == MulOp::Mul);
    let chain = |first| Spanned::new(Term::Chain(Box::new(first), factors), at);
    if exact {
        return (Sign::Minus, chain(first));
    }
    let span = first.span;
    let first = Spanned::new(Term::Sum(vec![(Sign::Minus, first)]), span);
    (Sign::Plus, chain(first))
}

/// The sum of some terms; one is just that.
pub(crate) fn sum(mut addends: Vec<(Sign, Spanned<Term>)>) -> Term {
    match addends.pop() {
        Some((Sign::Plus, only)) if addends.is_empty() => only.node,
        last => {
            addends.extend(last);
            Term::Sum(addends)
        }
    }
}

/// The goals that hold together; one is just that.
pub(crate) fn all(mut goals: Vec<Spanned<Goal>>, at: Span) -> Spanned<Goal> {
    match goals.pop() {
        Some(only) if goals.is_empty() => only,
        last => {
            goals.extend(last);
            Spanned::new(Goal::All(goals), at)
        }
    }
}

/// The goals of which one holds; one is just that.
pub(crate) fn any(mut goals: Vec<Spanned<Goal>>, at: Span) -> Spanned<Goal> {
    match goals.pop() {
        Some(only) if goals.is_empty() => only,
        last => {
            goals.extend(last);
            Spanned::new(Goal::Any(goals), at)
        }
    }
}

/// The piece as a goal.
pub(crate) fn goal<'i>(piece: Spanned<Piece>) -> Read<'i, Spanned<Goal>> {
    let at = piece.span;
    let goal = match piece.node {
        Piece::Goal(goal) => goal,
        Piece::Term(Term::Bool(true)) => Goal::True,
        Piece::Term(Term::Bool(false)) => Goal::False,
        Piece::Term(Term::Call(name, _)) if &*name.node == KNOWN => {
            return Err(refuse(
                problem::new(
                    code::NOT_A_GOAL,
                    "`known` alone says nothing",
                    at,
                    "expected `=>` and what holds then",
                )
                .with_help("write `known(s) => goal`, or `known(s) => (goal, goal)`"),
            ));
        }
        Piece::Term(Term::Call(name, args)) => Goal::Call(name, args),
        Piece::Term(term) => return Err(not_a_goal(&term, at)),
        Piece::Group { members, comma } if comma || members.is_empty() => {
            let list = Spanned::new(Piece::Group { members, comma }, at);
            return Err(not_a_goal(&term(list)?.node, at));
        }
        Piece::Group { members, .. } => {
            let goals = members.into_iter().map(|member| match member {
                Member::One(piece) => goal(piece),
                Member::Rest(_) => Err(refuse(problem::new(
                    code::NOT_A_GOAL,
                    "the rest of a list is no goal",
                    at,
                    "these are goals, or the parts of a list",
                ))),
            });
            all(goals.collect::<Result<_, _>>()?, at).node
        }
    };
    Ok(Spanned::new(goal, at))
}

fn not_a_goal<'i>(term: &Term, at: Span) -> Failure<'i> {
    let what = match term {
        Term::Name(_) | Term::Any => "a name",
        Term::Int(_) | Term::Float(_) => "a number",
        Term::Text(_) => "a text",
        Term::None => "`none`",
        Term::List(_) | Term::Each { .. } => "a list",
        _ => "a term",
    };
    let d = problem::new(
        code::NOT_A_GOAL,
        format!("{what} alone is no goal"),
        at,
        "expected something that holds or does not",
    );
    refuse(match term {
        // `A(x), op B(x) -> (y)`.
        Term::Name(name) if &*name.node == "op" => d.with_help(
            "an operator stands by itself in a file: what stands before it ends without `,`, `;` and `:-`",
        ),
        Term::Name(name) if &*name.node == KNOWN => {
            d.with_help("what is known stands in parentheses: `known(s) => goal`")
        }
        Term::Name(name) => d.with_help(format!(
            "a relation has arguments, `{0}(a, b)`, a comparison has two sides, `{0} = a`",
            problem::brief(&name.node)
        )),
        // `Q(x) // why`: what is a comment elsewhere divides here.
        Term::Chain(first, rest)
            if matches!(first.node, Term::Call(..))
                && rest.iter().any(|(op, _)| *op != MulOp::Mul) =>
        {
            d.with_help("a comment begins with `#`")
        }
        Term::Text(_) => {
            d.with_help("a signature is a goal with its operands behind it: `\"(n)->()\"(A, B)`")
        }
        _ => d.with_help("compare it with something: `a = b`, `a in list`"),
    })
}

/// The piece as a term.
pub(crate) fn term<'i>(piece: Spanned<Piece>) -> Read<'i, Spanned<Term>> {
    let at = piece.span;
    let term = match piece.node {
        Piece::Term(term) => term,
        Piece::Goal(goal) => return Err(not_a_term(&goal, at)),
        Piece::Group { members, .. } => {
            Term::List(members.into_iter().map(element).collect::<Result<_, _>>()?)
        }
    };
    Ok(Spanned::new(term, at))
}

fn element<'i>(member: Member) -> Read<'i, Element> {
    Ok(match member {
        Member::One(piece) => Element::One(term(piece)?),
        Member::Rest(rest) => Element::Rest(rest),
    })
}

fn not_a_term<'i>(goal: &Goal, at: Span) -> Failure<'i> {
    let (what, help) = match goal {
        Goal::Signature(..) => (
            "a signature is a goal, and no term",
            "give it its outputs as well, behind its inputs: `\"(n)->()\"(A, B)`",
        ),
        Goal::All(_) | Goal::Any(_) => (
            "goals stand here where a term must",
            "a term is a name, a number, a text, a list, a call or arithmetic of them",
        ),
        _ => (
            "a comparison is a goal, and no term",
            "what has to hold stands by itself, with a `,` before it",
        ),
    };
    refuse(problem::new(code::NOT_A_TERM, what, at, "").with_help(help))
}

/// `a = b <= c`.
pub(crate) fn compare<'i>(
    first: Spanned<Piece>,
    rest: Vec<(CmpOp, Spanned<Term>)>,
) -> Read<'i, Piece> {
    Ok(Piece::Goal(Goal::Compare(term(first)?, rest)))
}

/// `x in xs`.
pub(crate) fn member<'i>(x: Spanned<Piece>, list: Spanned<Term>) -> Read<'i, Piece> {
    Ok(Piece::Goal(Goal::In(term(x)?, list)))
}

/// `known(s) => goal`; the arrow stands at `arrow`.
pub(crate) fn known<'i>(
    known: Spanned<Piece>,
    arrow: Span,
    then: Spanned<Piece>,
) -> Read<'i, Piece> {
    match known.node {
        Piece::Term(Term::Call(name, args)) if &*name.node == KNOWN && !args.is_empty() => {
            Ok(Piece::Goal(Goal::Known(args, Box::new(goal(then)?))))
        }
        Piece::Term(Term::Call(name, args)) if &*name.node == KNOWN && args.is_empty() => {
            Err(refuse(
                problem::new(
                    code::BAD_ARGUMENT,
                    "`known` of nothing",
                    known.span,
                    "expected what has to be known",
                )
                .with_help("write `known(s) => goal`"),
            ))
        }
        other => Err(refuse(
            problem::new(
                code::UNEXPECTED,
                "only `known(..)` stands before `=>`",
                arrow,
                "",
            )
            .with_help(match other {
                Piece::Term(Term::Call(..)) | Piece::Goal(_) => CASES,
                _ => "write `>=` if two numbers are compared",
            }),
        )),
    }
}

/// How people write what holds in which case.
pub(crate) const CASES: &str = "a case is an alternative: `(a = 1, P(x) ; a > 1, Q(x))`";

/// `f(a, b)`, `ceil(a/b)`.
pub(crate) fn call<'i>(name: Ident, args: Vec<Arg>) -> Read<'i, Piece> {
    if &*name.node == "ceil" {
        return ceil(name.span, args);
    }
    let args = args.into_iter().map(|arg| match arg {
        Arg::Term(term) => Ok(term),
        Arg::Ratio(ratio) => Err(refuse(slash(ratio.0.span.to(ratio.1.span)))),
    });
    Ok(Piece::Term(Term::Call(
        name,
        args.collect::<Result<_, _>>()?,
    )))
}

/// An argument of a call.
pub(crate) enum Arg {
    Term(Spanned<Term>),
    /// `a/b`.
    Ratio(Box<(Spanned<Term>, Spanned<Term>)>),
}

fn ceil<'i>(at: Span, args: Vec<Arg>) -> Read<'i, Piece> {
    let mut args = args.into_iter();
    match (args.next(), args.next()) {
        (Some(Arg::Ratio(ratio)), None) => {
            let (a, b) = *ratio;
            Ok(Piece::Term(Term::CeilDiv(Box::new(a), Box::new(b))))
        }
        _ => Err(refuse(
            problem::new(code::BAD_ARGUMENT, "`ceil` takes one division", at, "")
                .with_help("write `ceil(a/b)`"),
        )),
    }
}

/// `[x + y for x, y in xs, ys]`.
pub(crate) fn each<'i>(
    body: Spanned<Term>,
    names: Vec<Ident>,
    lists: Vec<Spanned<Term>>,
    at: Span,
) -> Read<'i, Term> {
    if names.len() != lists.len() {
        let count = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        return Err(refuse(
            problem::new(
                code::UNEVEN,
                format!(
                    "{} for {}",
                    count(names.len(), "name"),
                    count(lists.len(), "list")
                ),
                at,
                "",
            )
            .with_help("each list has a name for its members: `[x + y for x, y in xs, ys]`"),
        ));
    }
    let mut seen = BTreeMap::new();
    for name in names.iter().filter(|name| &*name.node != "_") {
        if let Some(first) = seen.insert(&name.node, name.span) {
            return Err(refuse(
                problem::new(
                    code::DECLARED_TWICE,
                    format!(
                        "`{}` stands for the members of two lists",
                        problem::brief(&name.node)
                    ),
                    name.span,
                    "here again",
                )
                .with_label(first.into(), "first here")
                .with_help("each list has a name of its own for its members"),
            ));
        }
    }
    let body = Box::new(body);
    Ok(Term::Each { body, names, lists })
}

/// What stands in brackets behind a term.
pub(crate) enum Place {
    /// `[i]`.
    At(Spanned<Term>),
    /// `[i:j]`.
    Between(Option<Spanned<Term>>, Option<Spanned<Term>>),
}

/// `sh[0]`, `sh[1:][0]`.
pub(crate) fn place<'i>(of: Spanned<Piece>, place: Place, at: Span) -> Read<'i, Spanned<Piece>> {
    let of = Box::new(term(of)?);
    let mut indices = 1;
    let mut inner = &of.node;
    while let Term::Index(of, _) | Term::Slice(of, ..) = inner {
        indices += 1;
        inner = &of.node;
    }
    if indices > MAX_INDICES {
        return Err(refuse(problem::new(
            code::TOO_DEEP,
            format!("more than {MAX_INDICES} brackets behind one term"),
            Span::new(of.span.end, at.end),
            "one too many",
        )));
    }
    let term = match place {
        Place::At(index) => Term::Index(of, Box::new(index)),
        Place::Between(from, to) => Term::Slice(of, from.map(Box::new), to.map(Box::new)),
    };
    Ok(Spanned::new(Piece::Term(term), at))
}
