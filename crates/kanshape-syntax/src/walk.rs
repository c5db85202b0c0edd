//! The names in an expression or a condition: visited, and replaced.

use crate::tree::{Condition, DimItem, Expr, Func, Ident, Spanned};

/// What each name of a tree becomes in another, whose names are of type `M`.
pub trait Rename<N, M> {
    /// For the name of a size, or of a dtype in an expression.
    fn leaf(&mut self, name: N) -> Expr<M>;

    /// For the name of a run.
    fn run(&mut self, name: N) -> M;

    /// For the name of a dtype that is of a class.
    fn dtype(&mut self, name: N) -> M;

    /// For a dim of a list of dims.
    fn item(&mut self, item: DimItem<N>) -> DimItem<M>
    where
        Self: Sized,
    {
        item.rename(self)
    }
}

impl<N> DimItem<N> {
    /// The same with other names.
    pub fn rename<M>(self, to: &mut impl Rename<N, M>) -> DimItem<M> {
        match self {
            DimItem::Hole => DimItem::Hole,
            DimItem::Dim(e) => DimItem::Dim(e.rename(to)),
            DimItem::Run(name) => DimItem::Run(name.map(|name| to.run(name))),
        }
    }
}

impl<N> Expr<N> {
    /// How many names and numbers it has.
    pub fn size(&self) -> usize {
        match self {
            Expr::Int(_) | Expr::Name(_) | Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => 1,
            _ => self.parts().into_iter().map(Expr::size).sum(),
        }
    }

    /// The expressions that it is made of, from left to right.
    pub fn parts(&self) -> Vec<&Expr<N>> {
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
    pub fn visit(&self, f: &mut dyn FnMut(&N)) {
        match self {
            Expr::Name(name) | Expr::Run(Some(name)) => f(name),
            Expr::List(items) => items.iter().for_each(|item| match &item.node {
                DimItem::Dim(e) => e.visit(f),
                DimItem::Run(Some(name)) => f(name),
                DimItem::Run(None) | DimItem::Hole => {}
            }),
            _ => self.parts().into_iter().for_each(|e| e.visit(f)),
        }
    }

    /// The same with other names.
    pub fn rename<M>(self, to: &mut impl Rename<N, M>) -> Expr<M> {
        match self {
            Expr::Name(name) => to.leaf(name),
            Expr::Int(n) => Expr::Int(n),
            Expr::Nominal(n) => Expr::Nominal(n),
            Expr::Run(name) => Expr::Run(name.map(|name| to.run(name))),
            Expr::Sum(terms) => {
                let terms = terms.into_iter().map(|(s, t)| (s, t.rename(to)));
                Expr::Sum(terms.collect())
            }
            Expr::Chain(first, rest) => {
                let first = Box::new(first.rename(to));
                let rest = rest.into_iter().map(|(o, t)| (o, t.rename(to)));
                Expr::Chain(first, rest.collect())
            }
            Expr::CeilDiv(a, b) => {
                let a = Box::new(a.rename(to));
                Expr::CeilDiv(a, Box::new(b.rename(to)))
            }
            Expr::Call(func, args) => {
                let args = args.into_iter().map(|a| a.rename(to));
                Expr::Call(func, args.collect())
            }
            Expr::List(items) => {
                let items = items.into_iter();
                Expr::List(
                    items
                        .map(|i| Spanned::new(to.item(i.node), i.span))
                        .collect(),
                )
            }
        }
    }
}

impl Expr {
    /// [`Expr::visit`] with the texts of the names.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        self.visit(&mut |name| f(&name.node));
    }

    /// The same with another name for each, of a size or of a run.
    #[must_use]
    pub fn map_names(self, f: &mut dyn FnMut(Ident) -> Ident) -> Expr {
        self.rename(&mut Names(f))
    }

    /// The same with something else for each name of a size.
    #[must_use]
    pub fn map_leaves(self, f: &mut dyn FnMut(Ident) -> Expr) -> Expr {
        self.rename(&mut Leaves(f))
    }
}

/// Another name for each.
struct Names<'f>(&'f mut dyn FnMut(Ident) -> Ident);

impl Rename<Ident, Ident> for Names<'_> {
    fn leaf(&mut self, name: Ident) -> Expr {
        Expr::Name((self.0)(name))
    }

    fn run(&mut self, name: Ident) -> Ident {
        (self.0)(name)
    }

    fn dtype(&mut self, name: Ident) -> Ident {
        (self.0)(name)
    }
}

/// Something else for each name of a size or a dtype. A run keeps its name.
struct Leaves<'f>(&'f mut dyn FnMut(Ident) -> Expr);

impl Rename<Ident, Ident> for Leaves<'_> {
    fn leaf(&mut self, name: Ident) -> Expr {
        (self.0)(name)
    }

    fn run(&mut self, name: Ident) -> Ident {
        name
    }

    fn dtype(&mut self, name: Ident) -> Ident {
        match (self.0)(name.clone()) {
            Expr::Name(name) => name,
            _ => name,
        }
    }
}

impl<N> Condition<N> {
    /// The expressions that it compares, from left to right; none if it is about a dtype's class.
    pub fn parts(&self) -> Vec<&Expr<N>> {
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
        let is_word = |e: &&Expr<N>| matches!(e, Expr::Name(_) | Expr::Call(Func::Promote, _));
        !matches!(self, Condition::Dtype(..)) && !self.parts().iter().all(is_word)
    }

    /// Calls `f` with every name that it is about, in the order in which they are written.
    pub fn visit(&self, f: &mut dyn FnMut(&N)) {
        if let Condition::Dtype(name, _) = self {
            f(name);
        }
        self.parts().into_iter().for_each(|e| e.visit(f));
    }

    /// Calls `f` with every dim of the lists of dims that it compares runs with: these are the places
    /// where a hole can stand.
    pub fn for_each_item(&self, f: &mut dyn FnMut(&DimItem<N>)) {
        for side in self.parts() {
            if let Expr::List(items) = side {
                items.iter().for_each(|item| f(&item.node));
            }
        }
    }

    /// The same with other names.
    pub fn rename<M>(self, to: &mut impl Rename<N, M>) -> Condition<M> {
        match self {
            Condition::Dtype(name, dtype) => Condition::Dtype(to.dtype(name), dtype),
            Condition::Compare(first, rest) => {
                let first = first.rename(to);
                let rest = rest.into_iter().map(|(o, e)| (o, e.rename(to)));
                Condition::Compare(first, rest.collect())
            }
            Condition::In(e, values) => {
                let e = e.rename(to);
                Condition::In(e, values.into_iter().map(|v| v.rename(to)).collect())
            }
        }
    }
}

impl Condition {
    /// [`Condition::visit`] with the texts of the names.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        self.visit(&mut |name| f(&name.node));
    }

    /// The same with another name for each.
    #[must_use]
    pub fn map_names(self, f: &mut dyn FnMut(Ident) -> Ident) -> Condition {
        self.rename(&mut Names(f))
    }

    /// The same with something else for each name of a size or a dtype in an expression.
    #[must_use]
    pub fn map_leaves(self, f: &mut dyn FnMut(Ident) -> Expr) -> Condition {
        self.rename(&mut Leaves(f))
    }

    /// The same with something else for each dim of the lists of dims in it.
    #[must_use]
    pub fn map_items(self, f: &mut dyn FnMut(DimItem) -> DimItem) -> Condition {
        self.rename(&mut Items(f))
    }
}

/// Something else for each dim of a list; names stay.
struct Items<'f>(&'f mut dyn FnMut(DimItem) -> DimItem);

impl Rename<Ident, Ident> for Items<'_> {
    fn leaf(&mut self, name: Ident) -> Expr {
        Expr::Name(name)
    }

    fn run(&mut self, name: Ident) -> Ident {
        name
    }

    fn dtype(&mut self, name: Ident) -> Ident {
        name
    }

    fn item(&mut self, item: DimItem) -> DimItem {
        (self.0)(item)
    }
}
