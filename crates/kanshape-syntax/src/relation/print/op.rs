//! Operators as text. A head that is too long for a line is broken between attributes and lists.

use std::fmt::{self, Display, Formatter};

use super::{body, docs};
use crate::print::list;
use crate::relation::{Attr, Dtypes, Formal, Op, Pattern};
use crate::text;

/// How long a head may be to stand in one line.
const LINE: usize = 100;

/// What the next line of a head begins with.
const INDENT: &str = "\n    ";

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        docs(f, &self.doc)?;
        let mut head = Head::new(format!("op {}", self.name));
        for alias in &self.aliases {
            head.text.push(',');
            head.line += 1;
            head.add(" ", &alias.node);
        }
        for (i, attr) in self.attrs.iter().enumerate() {
            let open = if i == 0 { "[" } else { "" };
            let close = if i + 1 == self.attrs.len() { "]" } else { "," };
            head.add(" ", &format!("{open}{attr}{close}"));
        }
        match &self.signature {
            Some(signature) => {
                f.write_str(&head.text)?;
                f.write_str(" ")?;
                text::write(f, &signature.node)?;
            }
            None => {
                let inputs = format!("({})", Listed(&self.inputs));
                let outputs = format!("-> ({})", Listed(&self.outputs));
                if !self.attrs.is_empty() {
                    head.keep(" ", inputs.len() + " ".len() + outputs.len());
                }
                head.add("", &inputs);
                head.add(" ", &outputs);
                f.write_str(&head.text)?;
            }
        }
        if self.since != 1 {
            write!(f, " since {}", self.since)?;
        }
        body(f, &self.body)
    }
}

/// A head, which is broken where it is long.
struct Head {
    text: String,
    /// How much stands in its last line.
    line: usize,
}

impl Head {
    fn new(text: String) -> Self {
        let line = text.len();
        Head { text, line }
    }

    /// Goes on with `before` and `piece` in this line, or with `piece` in the next.
    fn add(&mut self, before: &str, piece: &str) {
        self.keep(before, piece.len());
        self.text += piece;
        self.line += piece.len();
    }

    /// Writes `before` if `len` more fit behind it; else goes on in the next line.
    fn keep(&mut self, before: &str, len: usize) {
        if self.line + before.len() + len > LINE {
            self.text += INDENT;
            self.line = INDENT.len();
        } else {
            self.text += before;
            self.line += before.len();
        }
    }
}

/// With commas between.
pub(super) struct Listed<'l, T>(pub(super) &'l [T]);

impl<T: Display> Display for Listed<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        list(f, self.0, ", ", |f, item| item.fmt(f))
    }
}

impl Display for Attr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.kind)?;
        if self.optional {
            f.write_str("?")?;
        }
        if self.required {
            f.write_str("!")?;
        }
        match &self.default {
            Some(default) => write!(f, " = {default}"),
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
