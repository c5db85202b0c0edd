//! Relations as text: the one canonical print, which reads back as the same tree.
//!
//! A clause begins a line, without a stop at the end of the one before; the goals of a body stand
//! below each other where there are several. Sums are spaced and products are tight, as in
//! signatures.

mod op;
mod rule;

use std::fmt::{self, Display, Formatter};

use super::head::KNOWN;
use super::{Clause, Element, File, Goal, Item, NewType, Param, Term};
use crate::print::list;
use crate::text;
use crate::tree::{CmpOp, MulOp, Sign, Spanned};

/// How tightly what stands around a term binds: whatever binds looser needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

/// The same for goals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Joint {
    Any,
    All,
    One,
}

impl Display for File {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut domain: &str = "";
        for (i, item) in self.items().enumerate() {
            let next = match item {
                Item::Clause(_) | Item::Type(_) => domain,
                Item::Op(op) => &*op.node.domain,
                Item::Rule(rule) => &*rule.node.domain,
            };
            if i > 0 && (!item.doc().is_empty() || next != domain) {
                f.write_str("\n")?;
            }
            if next != domain {
                f.write_str("domain ")?;
                text::write(f, next)?;
                f.write_str("\n\n")?;
                domain = next;
            }
            match item {
                Item::Clause(clause) => writeln!(f, "{clause}")?,
                Item::Op(op) => writeln!(f, "{op}")?,
                Item::Rule(rule) => writeln!(f, "{rule}")?,
                Item::Type(ty) => writeln!(f, "{ty}")?,
            }
        }
        Ok(())
    }
}

impl Display for NewType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        docs(f, &self.doc)?;
        write!(f, "type {}", self.name)?;
        if self.params.is_empty() {
            return Ok(());
        }
        f.write_str("(")?;
        list(f, &self.params, ", ", |f, param| param.fmt(f))?;
        f.write_str(")")
    }
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        docs(f, &self.doc)?;
        write!(f, "{}(", self.name)?;
        list(f, &self.params, ", ", |f, param| param.fmt(f))?;
        f.write_str(")")?;
        body(f, &self.body)
    }
}

/// The lines before a clause or an operator.
fn docs(f: &mut Formatter<'_>, doc: &[Box<str>]) -> fmt::Result {
    doc.iter().try_for_each(|line| {
        let space = if line.is_empty() { "" } else { " " };
        writeln!(f, "///{space}{line}")
    })
}

/// What stands behind a head.
fn body(f: &mut Formatter<'_>, body: &Spanned<Goal>) -> fmt::Result {
    let line = "\n    ";
    match &body.node {
        Goal::True => Ok(()),
        Goal::All(goals) => {
            write!(f, " :-{line}")?;
            list(f, goals, &format!(",{line}"), |f, part| {
                goal(f, part, Joint::One)
            })
        }
        Goal::Any(goals) => {
            write!(f, " :-{line}")?;
            list(f, goals, &format!(" ;{line}"), |f, part| {
                goal(f, part, Joint::All)
            })
        }
        one => write!(f, " :- {one}"),
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.term.fmt(f)?;
        match &self.kind {
            Some(kind) => write!(f, ": {kind}"),
            None => Ok(()),
        }
    }
}

impl Goal {
    fn joint(&self) -> Joint {
        match self {
            Goal::Any(_) => Joint::Any,
            Goal::All(_) => Joint::All,
            _ => Joint::One,
        }
    }
}

fn goal(f: &mut Formatter<'_>, goal: &Spanned<Goal>, around: Joint) -> fmt::Result {
    if goal.node.joint() < around {
        write!(f, "({goal})")
    } else {
        goal.fmt(f)
    }
}

impl Display for Goal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Goal::True => f.write_str("true"),
            Goal::False => f.write_str("false"),
            Goal::All(goals) => list(f, goals, ", ", |f, part| goal(f, part, Joint::One)),
            Goal::Any(goals) => list(f, goals, " ; ", |f, part| goal(f, part, Joint::All)),
            Goal::Call(name, terms) => {
                name.fmt(f)?;
                args(f, terms)
            }
            Goal::Signature(signature, terms) => {
                text::write(f, &signature.node)?;
                args(f, terms)
            }
            Goal::Compare(first, rest) => {
                first.fmt(f)?;
                for (op, side) in rest {
                    match op {
                        CmpOp::Eq => f.write_str(" = ")?,
                        op => write!(f, " {op} ")?,
                    }
                    side.fmt(f)?;
                }
                Ok(())
            }
            Goal::In(x, set) if is_set_of_dtypes(&x.node, &set.node) => {
                let list = set.to_string();
                write!(f, "{x} in {{{}}}", &list[1..list.len() - 1])
            }
            Goal::In(x, list) => write!(f, "{x} in {list}"),
            Goal::Class(name, class) => write!(f, "{name}: {class}"),
            Goal::Known(terms, then) => {
                f.write_str(KNOWN)?;
                args(f, terms)?;
                f.write_str(" => ")?;
                match then.node {
                    Goal::Known(..) => write!(f, "({then})"),
                    _ => goal(f, then, Joint::One),
                }
            }
        }
    }
}

/// Is a dtype compared with several? They stand in braces, as in an operand.
fn is_set_of_dtypes(x: &Term, set: &Term) -> bool {
    let is_name = |part: &Element| part.term().is_some_and(|t| matches!(t.node, Term::Name(_)));
    match (x, set) {
        (Term::Call(function, _), Term::List(parts)) => {
            *function.node == *"dtype" && !parts.is_empty() && parts.iter().all(is_name)
        }
        _ => false,
    }
}

fn args(f: &mut Formatter<'_>, args: &[Spanned<Term>]) -> fmt::Result {
    f.write_str("(")?;
    list(f, args, ", ", |f, arg| arg.fmt(f))?;
    f.write_str(")")
}

impl Term {
    fn binding(&self) -> Binding {
        match self {
            Term::Sum(_) => Binding::Sum,
            Term::Chain(..) => Binding::Product,
            _ => Binding::Atom,
        }
    }
}

fn term(f: &mut Formatter<'_>, term: &Spanned<Term>, around: Binding) -> fmt::Result {
    if term.node.binding() < around {
        write!(f, "({term})")
    } else {
        term.fmt(f)
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Term::Name(name) => name.fmt(f),
            Term::Any => f.write_str("_"),
            Term::Int(n) => n.fmt(f),
            Term::Float(x) => x.fmt(f),
            Term::Text(written) => text::write(f, written),
            Term::Bool(b) => b.fmt(f),
            Term::None => f.write_str("none"),
            Term::List(parts) => {
                f.write_str("[")?;
                list(f, parts, ", ", |f, part| part.fmt(f))?;
                f.write_str("]")
            }
            Term::Call(name, terms) => {
                name.fmt(f)?;
                args(f, terms)
            }
            Term::Sum(addends) => {
                for (i, (sign, addend)) in addends.iter().enumerate() {
                    f.write_str(match (i, sign) {
                        (0, Sign::Plus) => "",
                        (0, Sign::Minus) => "-",
                        (_, Sign::Plus) => " + ",
                        (_, Sign::Minus) => " - ",
                    })?;
                    let rounds = matches!(&addend.node, Term::Chain(_, rest)
                        if rest.iter().any(|(op, _)| *op != MulOp::Mul));
                    // A `-` in front of the first binds tighter than `//` and `%`.
                    let around = match (i, sign) {
                        (0, Sign::Minus) if rounds => Binding::Atom,
                        _ => Binding::Product,
                    };
                    term(f, addend, around)?;
                }
                Ok(())
            }
            Term::Chain(first, rest) => {
                term(f, first, Binding::Atom)?;
                for (op, factor) in rest {
                    op.fmt(f)?;
                    term(f, factor, Binding::Atom)?;
                }
                Ok(())
            }
            Term::CeilDiv(a, b) => {
                f.write_str("ceil(")?;
                term(f, a, Binding::Product)?;
                f.write_str("/")?;
                term(f, b, Binding::Atom)?;
                f.write_str(")")
            }
            Term::Index(of, index) => {
                term(f, of, Binding::Atom)?;
                write!(f, "[{index}]")
            }
            Term::Slice(of, from, to) => {
                term(f, of, Binding::Atom)?;
                f.write_str("[")?;
                from.iter().try_for_each(|from| from.fmt(f))?;
                f.write_str(":")?;
                to.iter().try_for_each(|to| to.fmt(f))?;
                f.write_str("]")
            }
            Term::Each { body, names, lists } => {
                write!(f, "[{body} for ")?;
                list(f, names, ", ", |f, name| name.fmt(f))?;
                f.write_str(" in ")?;
                list(f, lists, ", ", |f, list| list.fmt(f))?;
                f.write_str("]")
            }
        }
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Element::One(part) => part.fmt(f),
            Element::Rest(rest) => {
                f.write_str("..")?;
                rest.iter()
                    .try_for_each(|rest| term(f, rest, Binding::Atom))
            }
        }
    }
}
