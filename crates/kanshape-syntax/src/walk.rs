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
            Expr::Run(name) => Expr::Run(name.map(f)),
            e => e.map_leaves(&mut |name| Expr::Name(f(name))),
        }
    }

    /// The same with something else for each name of a size.
    #[must_use]
    pub fn map_leaves(self, f: &mut dyn FnMut(Ident) -> Expr) -> Expr {
        match self {
            Expr::Name(name) => f(name),
            e @ (Expr::Int(_) | Expr::Nominal(_) | Expr::Run(_)) => e,
            Expr::Sum(terms) => {
                let terms = terms.into_iter().map(|(s, t)| (s, t.map_leaves(f)));
                Expr::Sum(terms.collect())
            }
            Expr::Chain(first, rest) => {
                let first = Box::new(first.map_leaves(f));
                let rest = rest.into_iter().map(|(o, t)| (o, t.map_leaves(f)));
                Expr::Chain(first, rest.collect())
            }
            Expr::CeilDiv(a, b) => {
                let a = Box::new(a.map_leaves(f));
                Expr::CeilDiv(a, Box::new(b.map_leaves(f)))
            }
            Expr::Call(func, args) => {
                let args = args.into_iter().map(|a| a.map_leaves(f));
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
            Condition::Dtype(name, dtype) => Condition::Dtype(f(name), dtype),
            c => c.map_parts(&mut |e| e.map_names(f)),
        }
    }

    /// The same with something else for each name of a size or a dtype in an expression.
    #[must_use]
    pub fn map_leaves(self, f: &mut dyn FnMut(Ident) -> Expr) -> Condition {
        match self {
            Condition::Dtype(name, dtype) => match f(name.clone()) {
                Expr::Name(name) => Condition::Dtype(name, dtype),
                _ => Condition::Dtype(name, dtype),
            },
            c => c.map_parts(&mut |e| e.map_leaves(f)),
        }
    }

    fn map_parts(self, f: &mut dyn FnMut(Expr) -> Expr) -> Condition {
        match self {
            Condition::Compare(first, rest) => {
                let first = f(first);
                let rest = rest.into_iter().map(|(o, e)| (o, f(e)));
                Condition::Compare(first, rest.collect())
            }
            Condition::In(e, values) => {
                let e = f(e);
                Condition::In(e, values.into_iter().map(f).collect())
            }
            c @ Condition::Dtype(..) => c,
        }
    }
}
