//! The names in an expression or a condition: visited, and replaced.

use crate::tree::{Condition, Expr, Ident};

impl Expr {
    /// The expressions that it is made of, from left to right.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Int(_) | Expr::Nominal(_) | Expr::Name(_) | Expr::Run(_) => Vec::new(),
            Expr::Sum(terms) => terms.iter().map(|t| &t.1).collect(),
            Expr::Chain(first, rest) => {
                let rest = rest.iter().map(|r| &r.1);
                std::iter::once(&**first).chain(rest).collect()
            }
            Expr::CeilDiv(a, b) => vec![a, b],
            Expr::Call(_, args) => args.iter().collect(),
        }
    }

    /// Calls `f` with every name, of a size or of a run, in the order in which they are written.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        match self {
            Expr::Name(name) | Expr::Run(Some(name)) => f(&name.node),
            _ => self.parts().into_iter().for_each(|e| e.for_each_name(f)),
        }
    }

    /// The same with another name for each.
    #[must_use]
    pub fn map_names(self, f: &mut dyn FnMut(Ident) -> Ident) -> Expr {
        match self {
            Expr::Name(name) => Expr::Name(f(name)),
            Expr::Run(name) => Expr::Run(name.map(f)),
            e @ (Expr::Int(_) | Expr::Nominal(_)) => e,
            Expr::Sum(terms) => {
                let terms = terms.into_iter().map(|(s, t)| (s, t.map_names(f)));
                Expr::Sum(terms.collect())
            }
            Expr::Chain(first, rest) => {
                let first = Box::new(first.map_names(f));
                let rest = rest.into_iter().map(|(o, t)| (o, t.map_names(f)));
                Expr::Chain(first, rest.collect())
            }
            Expr::CeilDiv(a, b) => {
                let a = Box::new(a.map_names(f));
                Expr::CeilDiv(a, Box::new(b.map_names(f)))
            }
            Expr::Call(func, args) => {
                let args = args.into_iter().map(|a| a.map_names(f));
                Expr::Call(func, args.collect())
            }
        }
    }
}

impl Condition {
    /// The expressions that it compares, from left to right; none if it is about a dtype's class.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Condition::Compare(first, rest) => {
                let rest = rest.iter().map(|r| &r.1);
                std::iter::once(first).chain(rest).collect()
            }
            Condition::In(e, values) => std::iter::once(e).chain(values).collect(),
            Condition::Dtype(..) => Vec::new(),
        }
    }

    /// Calls `f` with every name that it is about, in the order in which they are written.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        if let Condition::Dtype(name, _) = self {
            f(&name.node);
        }
        self.parts().into_iter().for_each(|e| e.for_each_name(f));
    }

    /// The same with another name for each.
    #[must_use]
    pub fn map_names(self, f: &mut dyn FnMut(Ident) -> Ident) -> Condition {
        match self {
            Condition::Compare(first, rest) => {
                let first = first.map_names(f);
                let rest = rest.into_iter().map(|(o, e)| (o, e.map_names(f)));
                Condition::Compare(first, rest.collect())
            }
            Condition::In(e, values) => {
                let e = e.map_names(f);
                let values = values.into_iter().map(|v| v.map_names(f));
                Condition::In(e, values.collect())
            }
            Condition::Dtype(name, dtype) => Condition::Dtype(f(name), dtype),
        }
    }
}
