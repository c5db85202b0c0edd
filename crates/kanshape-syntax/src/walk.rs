//! The names in an expression or a condition: visited, and replaced.

use crate::tree::{Condition, DimItem, Expr, Func, Ident, Spanned};

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
            Expr::List(items) => {
                let dims = items.iter().filter_map(|item| match &item.node {
                    DimItem::Dim(e) => Some(e),
                    DimItem::Hole | DimItem::Run(_) => None,
                });
                dims.collect()
            }
        }
    }

    /// Calls `f` with every name, of a size or of a run, in the order in which they are written.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        match self {
            Expr::Name(name) | Expr::Run(Some(name)) => f(&name.node),
            Expr::List(items) => items.iter().for_each(|item| match &item.node {
                DimItem::Dim(e) => e.for_each_name(f),
                DimItem::Run(Some(name)) => f(&name.node),
                DimItem::Run(None) | DimItem::Hole => {}
            }),
            _ => self.parts().into_iter().for_each(|e| e.for_each_name(f)),
        }
    }

    /// The same with another name for each, of a size or of a run.
    #[must_use]
    pub fn map_names(self, f: &mut dyn FnMut(Ident) -> Ident) -> Expr {
        self.map_ends(&mut |end| match end {
            Expr::Name(name) => Expr::Name(f(name)),
            Expr::Run(name) => Expr::Run(name.map(&mut *f)),
            e => e,
        })
    }

    /// The same with something else for each name of a size.
    #[must_use]
    pub fn map_leaves(self, f: &mut dyn FnMut(Ident) -> Expr) -> Expr {
        self.map_ends(&mut |end| match end {
            Expr::Name(name) => f(name),
            e => e,
        })
    }

    /// The same with something else for each part that has no parts. A run stays one.
    fn map_ends(self, f: &mut dyn FnMut(Expr) -> Expr) -> Expr {
        match self {
            e @ (Expr::Name(_) | Expr::Int(_) | Expr::Nominal(_) | Expr::Run(_)) => f(e),
            Expr::Sum(terms) => {
                let terms = terms.into_iter().map(|(s, t)| (s, t.map_ends(f)));
                Expr::Sum(terms.collect())
            }
            Expr::Chain(first, rest) => {
                let first = Box::new(first.map_ends(f));
                let rest = rest.into_iter().map(|(o, t)| (o, t.map_ends(f)));
                Expr::Chain(first, rest.collect())
            }
            Expr::CeilDiv(a, b) => {
                let a = Box::new(a.map_ends(f));
                Expr::CeilDiv(a, Box::new(b.map_ends(f)))
            }
            Expr::Call(func, args) => {
                let args = args.into_iter().map(|a| a.map_ends(f));
                Expr::Call(func, args.collect())
            }
            Expr::List(items) => {
                let items = items.into_iter().map(|Spanned { node, span }| {
                    let node = match node {
                        DimItem::Hole => DimItem::Hole,
                        DimItem::Dim(e) => DimItem::Dim(e.map_ends(f)),
                        DimItem::Run(name) => match f(Expr::Run(name)) {
                            Expr::Run(name) => DimItem::Run(name),
                            e => DimItem::Dim(e),
                        },
                    };
                    Spanned::new(node, span)
                });
                Expr::List(items.collect())
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

    /// Is it about sizes for sure, since one of its parts is a number or is calculated? Words alone may be dtypes.
    pub fn is_about_sizes(&self) -> bool {
        let is_word = |e: &&Expr| matches!(e, Expr::Name(_) | Expr::Call(Func::Promote, _));
        !matches!(self, Condition::Dtype(..)) && !self.parts().iter().all(is_word)
    }

    /// Calls `f` with every name that it is about, in the order in which they are written.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        if let Condition::Dtype(name, _) = self {
            f(&name.node);
        }
        self.parts().into_iter().for_each(|e| e.for_each_name(f));
    }

    /// Calls `f` with every dim of the lists of dims that it compares runs with: these are the places
    /// where a hole can stand.
    pub fn for_each_item(&self, f: &mut dyn FnMut(&DimItem)) {
        for side in self.parts() {
            if let Expr::List(items) = side {
                items.iter().for_each(|item| f(&item.node));
            }
        }
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

    /// The same with something else for each dim of the lists of dims in it.
    #[must_use]
    pub fn map_items(self, f: &mut dyn FnMut(DimItem) -> DimItem) -> Condition {
        self.map_parts(&mut |side| match side {
            Expr::List(items) => {
                let items = items.into_iter();
                Expr::List(items.map(|i| Spanned::new(f(i.node), i.span)).collect())
            }
            e => e,
        })
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
