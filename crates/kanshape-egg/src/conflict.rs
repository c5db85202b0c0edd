//! What an e-graph is wrong about: [`Conflict`], [`IllTyped`], [`Assumed`], and what was not added to it: [`Refused`].

use std::fmt::{self, Display};

use egg::{Analysis, EGraph, Id, Language, Symbol};
use kanshape::{AttrValue, Diagnostic, Type};

/// How many levels of a term are written.
const LEVELS: usize = 4;

/// Two classes that are equal for the e-graph, and can't be.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// One of the two. Its type is that of the class from now on.
    pub left: Side,
    /// The other one.
    pub right: Side,
    /// The rule that has made them one; `None` where that is not known. It is known with egg's explanations, and of rules that are
    /// [`named`](crate::named) or [`typed`](crate::typed). Of classes that are one because their operands are, it is the
    /// rule that those are in conflict by.
    pub rule: Option<Symbol>,
    /// They are one because their operands are.
    pub is_congruence: bool,
    /// Why nothing is a value of both.
    pub why: Diagnostic,
}

/// One of two classes, before they became one.
#[derive(Clone, Debug)]
pub struct Side {
    /// The e-node that its datum was made of.
    pub id: Id,
    /// What was known of it.
    pub known: Known,
}

/// What is known of a class.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Known {
    /// Its type.
    Type(Type),
    /// It is this constant.
    Constant(AttrValue),
    /// It has no type.
    IllTyped,
}

impl Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Known::Type(ty) => ty.fmt(f),
            Known::Constant(value) => value.fmt(f),
            Known::IllTyped => f.write_str("ill-typed"),
        }
    }
}

/// An e-node that has no type.
#[derive(Clone, Debug)]
pub struct IllTyped {
    /// The class that it was made for.
    pub id: Id,
    /// The rule that has added it; `None` if no rule has, or if that is not known.
    pub rule: Option<Symbol>,
    /// Why it has none.
    pub why: Diagnostic,
}

/// What a rule has made true of the names of the leaves: two classes are one, which they can be under these conditions only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// The rule, where it is known.
    pub rule: Option<Symbol>,
    /// The conditions. None can be written where there are none.
    pub conditions: Vec<String>,
}

/// A right side that was not added.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The rule.
    pub rule: Symbol,
    /// The class of the left side.
    pub id: Id,
    /// Why not.
    pub why: Refusal,
}

/// Why a right side was not added.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// It has no type here.
    IllTyped(Diagnostic),
    /// It has another type than the left side.
    OtherType(Diagnostic),
    /// It has the type of the left side under these conditions only.
    Depends(Vec<String>),
    /// What it requires can't be written.
    Unknown,
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::IllTyped(why) => write!(f, "the right side has no type: {}", why.headline),
            Refusal::OtherType(why) => {
                write!(f, "the right side has another type: {}", why.headline)
            }
            Refusal::Depends(conditions) => write!(f, "needs {}", conditions.join(", ")),
            Refusal::Unknown => f.write_str("what the right side needs can't be written"),
        }
    }
}

/// The rule and why its right side was not added. [`Refused::in_graph`] has the term of the left side as well.
impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule `{}`: {}", self.rule, self.why)
    }
}

impl std::error::Error for Refused {}

impl Refused {
    /// What was refused with the term of the left side, as far as it is not too deep.
    pub fn in_graph<'a, L: Language, N: Analysis<L>>(
        &'a self,
        egraph: &'a EGraph<L, N>,
    ) -> InGraph<'a, Refused, L, N> {
        InGraph { own: self, egraph }
    }
}

/// A conflict or what was refused with its terms: [`Conflict::in_graph`], [`Refused::in_graph`].
pub struct InGraph<'a, T, L: Language, N: Analysis<L>> {
    own: &'a T,
    egraph: &'a EGraph<L, N>,
}

impl<L: Language + Display, N: Analysis<L>> Display for InGraph<'_, Refused, L, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.own;
        write!(f, "rule `{}` on `", own.rule)?;
        write_term(f, self.egraph, own.id, LEVELS)?;
        write!(f, "`: {}", own.why)?;
        if let Refusal::IllTyped(why) | Refusal::OtherType(why) = &own.why {
            for step in &why.steps {
                write!(f, "\n  {step}")?;
            }
        }
        Ok(())
    }
}

/// The rule, what is known of the two classes, and why nothing is a value of both. [`Conflict::in_graph`] has their terms as well.
impl Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Some(rule) => write!(f, "rule `{rule}`: ")?,
            None => f.write_str("no rule that is known: ")?,
        }
        let (left, right) = (&self.left.known, &self.right.known);
        write!(f, "{left} is one with {right}\n  {}", self.why.headline)
    }
}

impl std::error::Error for Conflict {}

impl Conflict {
    /// The conflict with the two terms, as far as they are not too deep.
    pub fn in_graph<'a, L: Language, N: Analysis<L>>(
        &'a self,
        egraph: &'a EGraph<L, N>,
    ) -> InGraph<'a, Conflict, L, N> {
        InGraph { own: self, egraph }
    }
}

impl<L: Language + Display, N: Analysis<L>> Display for InGraph<'_, Conflict, L, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.own;
        match own.rule {
            Some(rule) => write!(f, "rule `{rule}`: ")?,
            None => f.write_str("no rule that is known: ")?,
        }
        for (link, side) in [("", &own.left), (" is one with ", &own.right)] {
            write!(f, "{link}`")?;
            write_term(f, self.egraph, side.id, LEVELS)?;
            match &side.known {
                Known::IllTyped => f.write_str("`, which has no type,")?,
                known => write!(f, "`, which is {known},")?,
            }
        }
        if own.is_congruence {
            f.write_str(" because their operands are")?;
        }
        write!(f, "\n  {}", own.why.headline)?;
        for step in &own.why.steps {
            write!(f, "\n  {step}")?;
        }
        Ok(())
    }
}

fn write_term<L: Language + Display, N: Analysis<L>>(
    f: &mut fmt::Formatter<'_>,
    egraph: &EGraph<L, N>,
    id: Id,
    levels: usize,
) -> fmt::Result {
    let node = egraph.id_to_node(id);
    if node.is_leaf() {
        return write!(f, "{node}");
    }
    if levels == 0 {
        return f.write_str("..");
    }
    write!(f, "({node}")?;
    for child in node.children() {
        f.write_str(" ")?;
        write_term(f, egraph, *child, levels - 1)?;
    }
    f.write_str(")")
}
