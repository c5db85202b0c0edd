//! Operators as text. A head that is too long for a line has its inputs on the next.

use std::fmt::{self, Display, Formatter};

use super::{body, docs};
use crate::print::list;
use crate::relation::{Attr, Dtypes, Formal, Op, Pattern, text};

/// How long a head may be to stand in one line.
const LINE: usize = 100;

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        docs(f, &self.doc)?;
        let mut head = format!("op {}", self.name);
        if !self.attrs.is_empty() {
            head += &format!(" [{}]", Listed(&self.attrs));
        }
        let operands = match &self.signature {
            Some(_) => String::new(),
            None => format!("({}) -> ({})", Listed(&self.inputs), Listed(&self.outputs)),
        };
        f.write_str(&head)?;
        match (&self.signature, self.attrs.is_empty()) {
            (Some(signature), _) => {
                f.write_str(" ")?;
                text::write(f, &signature.node)?;
            }
            (None, true) => f.write_str(&operands)?,
            (None, false) if head.len() + operands.len() < LINE => write!(f, " {operands}")?,
            (None, false) => write!(f, "\n    {operands}")?,
        }
        if self.since != 1 {
            write!(f, " since {}", self.since)?;
        }
        body(f, &self.body)
    }
}

/// With commas between.
struct Listed<'l, T>(&'l [T]);

impl<T: Display> Display for Listed<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, self.0, ", ", |f, item| item.fmt(f))
    }
}

impl Display for Attr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.kind)?;
        match &self.default {
            Some(default) => write!(f, " = {default}"),
            None if self.optional => f.write_str("?"),
            None => Ok(()),
        }
    }
}

impl Display for Formal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.variadic {
            return write!(f, "..{}", self.name);
        }
        self.name.fmt(f)?;
        if let Some(pattern) = &self.pattern {
            write!(f, ": {pattern}")?;
        }
        if self.optional {
            f.write_str("?")?;
        }
        match &self.contents {
            Some(contents) => write!(f, " = {contents}"),
            None => Ok(()),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Tensor { dtype, dims } => write!(f, "{dtype}[{}]", Listed(dims)),
            Pattern::Term(term) => term.fmt(f),
        }
    }
}

impl Display for Dtypes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Dtypes::Name(name) => name.fmt(f),
            Dtypes::Set(names) => write!(f, "{{{}}}", Listed(names)),
        }
    }
}
