//! Rules as text.

use std::fmt::{self, Display, Formatter};

use super::op::Listed;
use super::{body, docs};
use crate::print::list;
use crate::relation::rule::{Applied, Bare, Node, Rule};

/// How long a rule may be to stand in one line.
const LINE: usize = 100;

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        docs(f, &self.doc)?;
        let mut head = format!("rule {}", self.name);
        if !self.attrs.is_empty() {
            head += &format!(" [{}]", Listed(&self.attrs));
        }
        if !self.leaves.is_empty() {
            head += &format!(" ({})", Listed(&self.leaves));
        }
        let sides = Sides(self).to_string();
        let is_long = head.len() + ": ".len() + sides.len() > LINE;
        let between = if is_long { ":\n    " } else { ": " };
        write!(f, "{head}{between}{sides}")?;
        body(f, &self.body)
    }
}

impl Display for Bare<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Sides(self.0).fmt(f)?;
        match self.0.body.node {
            crate::relation::Goal::True => Ok(()),
            _ => write!(f, " :- {}", self.0.body),
        }
    }
}

struct Sides<'r>(&'r Rule);

impl Display for Sides<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let arrow = if self.0.both { "<=>" } else { "=>" };
        let [left, right] = [&self.0.left, &self.0.right].map(|side| Listed(side));
        write!(f, "{left} {arrow} {right}")
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Node::Call(call) => call.fmt(f),
            Node::Leaf(name) => name.fmt(f),
            Node::Constant(name) => write!(f, "const {name}"),
            Node::Literal(term) => term.fmt(f),
            Node::None => f.write_str("none"),
        }
    }
}

impl Display for Applied {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(domain) = &self.domain {
            write!(f, "{domain}::")?;
        }
        self.name.fmt(f)?;
        if !self.attrs.is_empty() {
            f.write_str("[")?;
            list(f, &self.attrs, ", ", |f, (name, value)| {
                write!(f, "{name} = {value}")
            })?;
            f.write_str("]")?;
        }
        write!(f, "({})", Listed(&self.args))
    }
}
