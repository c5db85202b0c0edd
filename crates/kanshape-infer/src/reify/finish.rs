//! Names for what is unknown, in order of first print.

use super::attribute::DraftAttr;
use super::collect::{mentions, nameless};
use super::draft::{Draft, DraftContent, DraftDim, DraftDtype};
use super::naming::Naming;
use super::shown::is_int;
use super::symbol::{self, Symbol};
use kanshape_engine::{State, Var};
use kanshape_rules::encode::size::normal;
use kanshape_rules::encode::{Given, Identities, What, normal_condition, without_defined};
use kanshape_syntax::Rename;
use kanshape_syntax::tree::{Condition, DimItem, Expr, Func, Ident};
use kanshape_types::{Content, Contents, Dim, DtypeTerm, Name, Shape, Tensor, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Gives the unknowns their names, in order of first print.
pub(super) struct Finish<'g> {
    counts: FxHashMap<Var, usize>,
    names: FxHashMap<Var, Name>,
    given: &'g Given,
    taken: FxHashSet<Name>,
    runs: FxHashMap<Var, Name>,
    dtypes: FxHashMap<Var, Name>,
    types: FxHashMap<Var, Name>,
    identities: Identities,
    fresh_dtypes: Vec<Name>,
    /// How many names of each kind there have been.
    next: [usize; 3],
}

/// What a fresh name denotes: `d0`, `t0`, `A0`.
#[derive(Clone, Copy)]
enum Fresh {
    Dim,
    Dtype,
    Type,
}

impl<'g> Finish<'g> {
    pub(super) fn new(given: &'g Given, naming: &Naming<'_>) -> Finish<'g> {
        Finish {
            counts: FxHashMap::default(),
            names: FxHashMap::default(),
            given,
            taken: given.names.iter().map(|u| u.name.clone()).collect(),
            runs: naming.runs.clone(),
            dtypes: naming.dtypes.clone(),
            types: naming.types.clone(),
            identities: given.identities.clone(),
            fresh_dtypes: Vec::new(),
            next: [0; 3],
        }
    }

    /// Counts how often each unknown is written.
    pub(super) fn count(
        &mut self,
        drafts: &[Draft],
        params: &[(Name, symbol::Expr)],
        attrs: &[(Name, DraftAttr)],
        conditions: &[symbol::Condition],
        open: &[Var],
    ) {
        let mut counts = std::mem::take(&mut self.counts);
        let mut once: Vec<Var> = Vec::new();
        let mut bump = |symbol: &Symbol| {
            if let Symbol::Open(v) = symbol {
                *counts.entry(*v).or_insert(0) += 1;
            }
        };
        for d in drafts {
            if d.called.is_some() {
                continue;
            }
            if let DraftDtype::Open(v) = d.dtype {
                bump(&Symbol::Open(v));
            }
            for dim in &d.dims {
                match dim {
                    DraftDim::Given(_) => {}
                    // Inside an expression a name is needed, however rare.
                    DraftDim::Expr(e @ Expr::Name(_)) => e.visit(&mut bump),
                    DraftDim::Expr(e) => {
                        e.visit(&mut bump);
                        e.visit(&mut bump);
                    }
                    DraftDim::Run(v) => bump(&Symbol::Open(*v)),
                }
            }
        }
        for content in drafts.iter().flat_map(|d| d.contents.iter().flatten()) {
            if let DraftContent::Expr(e) = content {
                e.visit(&mut bump);
            }
        }
        for (_, e) in params {
            e.visit(&mut bump);
            e.visit(&mut bump);
        }
        for (_, attr) in attrs {
            attr.for_each_expr(&mut |e| {
                e.visit(&mut bump);
                e.visit(&mut bump);
            });
        }
        for c in conditions {
            for _ in 0..2 {
                c.visit(&mut bump);
            }
            // A whole dim of a list can be a hole, as one of a type can.
            c.for_each_item(&mut |item| {
                if let DimItem::Dim(Expr::Name(Symbol::Open(v)))
                | DimItem::Run(Some(Symbol::Open(v))) = item
                {
                    once.push(*v);
                }
            });
        }
        for v in open {
            bump(&Symbol::Open(*v));
        }
        for v in once {
            counts.entry(v).and_modify(|n| *n -= 1);
        }
        self.counts = counts;
    }

    pub(super) fn ty(&mut self, draft: Draft) -> Type {
        if let Some(name) = draft.called {
            return TypeKind::Var(name).into();
        }
        let dtype = match draft.dtype {
            DraftDtype::Known(d) => DtypeTerm::Known(d),
            DraftDtype::Open(v) => match self.dtypes.get(&v) {
                Some(user) => DtypeTerm::Name(user.clone()),
                None => self.dtype(v),
            },
        };
        let mut shape = Shape::default();
        let mut run = None;
        for dim in draft.dims {
            match dim {
                DraftDim::Given(dim) => shape.push(dim),
                DraftDim::Expr(Expr::Name(symbol)) if self.is_hole(&symbol) => {
                    shape.push(Dim::Hole);
                }
                DraftDim::Expr(e) => shape.push(self.dim(e)),
                DraftDim::Run(v) => {
                    let name = match self.runs.get(&v) {
                        Some(user) => Some(user.clone()),
                        None if self.is_alone(v) => None,
                        None => Some(self.fresh(v)),
                    };
                    run = Some((shape.known_dims().len(), name));
                }
            }
        }
        if let Some((at, name)) = run {
            shape = shape.with_run(at, name);
        }
        let tensor = Tensor::new(dtype, shape);
        let Some(contents) = draft.contents else {
            return tensor.into();
        };
        let contents = contents.into_iter().map(|c| self.content(c));
        let contents = Contents::new(contents.collect::<Vec<Content>>());
        tensor
            .with_contents(contents.filter(|c| c.is_empty() || c.say_something()))
            .into()
    }

    /// A member of the contents. What speaks of an unknown that stands nowhere else says nothing.
    fn content(&mut self, content: DraftContent) -> Content {
        match content {
            DraftContent::Value(value) => value,
            DraftContent::Expr(e) => {
                let mut says = true;
                e.visit(&mut |symbol| says &= !self.is_hole(symbol));
                match says {
                    true => Content::from(self.dim(e)),
                    false => Content::Hole,
                }
            }
        }
    }

    /// A type of which nothing is known. It gets a name where it stands in more than one place.
    pub(super) fn open(&mut self, v: Var) -> Type {
        if let Some(user) = self.types.get(&v) {
            return TypeKind::Var(user.clone()).into();
        }
        if self.is_alone(v) {
            return Type::UNKNOWN;
        }
        TypeKind::Var(self.fresh_of(v, Fresh::Type)).into()
    }

    /// Is an open variable written in one place only?
    fn is_alone(&self, v: Var) -> bool {
        self.counts.get(&v).copied().unwrap_or(0) <= 1
    }

    fn is_hole(&self, symbol: &Symbol) -> bool {
        matches!(symbol, Symbol::Open(v) if self.is_alone(*v))
    }

    fn dtype(&mut self, v: Var) -> DtypeTerm {
        if self.is_alone(v) {
            return DtypeTerm::Hole;
        }
        DtypeTerm::Name(self.fresh_dtype(v))
    }

    fn fresh_dtype(&mut self, v: Var) -> Name {
        let name = self.fresh_of(v, Fresh::Dtype);
        if !self.fresh_dtypes.contains(&name) {
            self.fresh_dtypes.push(name.clone());
        }
        name
    }

    fn fresh(&mut self, v: Var) -> Name {
        self.fresh_of(v, Fresh::Dim)
    }

    fn fresh_of(&mut self, v: Var, kind: Fresh) -> Name {
        if let Some(name) = self.names.get(&v) {
            return name.clone();
        }
        let letter = ['d', 't', 'A'][kind as usize];
        let next = &mut self.next[kind as usize];
        let name = loop {
            let name = Name::word(format!("{letter}{next}"));
            *next += 1;
            if !self.taken.contains(&name) {
                break name;
            }
        };
        self.names.insert(v, name.clone());
        name
    }

    pub(super) fn expr(&mut self, e: symbol::Expr) -> Expr {
        e.rename(&mut Names {
            finish: self,
            of_dtypes: false,
        })
    }

    /// A size, in normal form.
    pub(super) fn dim(&mut self, e: symbol::Expr) -> Dim {
        let e = self.expr(e);
        Dim::expr(normal(e, self.given.into()))
    }

    pub(super) fn condition(&mut self, c: symbol::Condition) -> Condition {
        let is_dtype = |e: &symbol::Expr| match e {
            Expr::Call(Func::Promote, _) => true,
            Expr::Name(Symbol::Open(v)) => self.is_dtype(*v),
            _ => false,
        };
        let of_dtypes = match &c {
            symbol::Condition::Compare(..) => c.parts().into_iter().any(is_dtype),
            symbol::Condition::In(_, values) => {
                let is_name = |v| matches!(v, &Expr::Name(Symbol::Name(_) | Symbol::Open(_)));
                values.iter().any(is_name)
            }
            symbol::Condition::Dtype(..) => true,
        };
        let c = c.rename(&mut Names {
            finish: self,
            of_dtypes,
        });
        match of_dtypes {
            true => c,
            false => normal_condition(c, self.given.into()),
        }
    }

    /// The unknowns that have a name so far: before the conditions are written, those of the types.
    pub(super) fn named(&self) -> FxHashSet<Var> {
        self.names.keys().copied().collect()
    }

    /// The conditions without those on unknowns that may be negative, which have no name; and whether there were any.
    pub(super) fn expressible(
        &self,
        mut conditions: Vec<Condition>,
        state: &State,
    ) -> (Vec<Condition>, bool) {
        let nameless = nameless(state, &self.names);
        let all = conditions.len();
        conditions.retain(|c| !mentions(c, &nameless));
        let unwritten = conditions.len() < all;
        (conditions, unwritten)
    }

    /// The conditions without the unknowns that no type speaks of and that one of the conditions defines.
    pub(super) fn without_defined(
        &self,
        conditions: Vec<Condition>,
        state: &State,
        shown: impl Fn(Var) -> bool,
    ) -> Vec<Condition> {
        let hidden = self.names.iter().filter(|(v, _)| {
            let is_size = is_int(state, **v) && state.domain(**v).lo() >= 0;
            is_size && !shown(**v)
        });
        let hidden: FxHashSet<&str> = hidden.map(|(_, name)| name.as_str()).collect();
        if hidden.is_empty() {
            return conditions;
        }
        let is_hidden = |name: &str| hidden.contains(name);
        let left = without_defined(conditions, &is_hidden, self.given.into());
        left.into_iter().map(|(_, c)| c).collect()
    }

    fn is_dtype(&self, v: Var) -> bool {
        let name = self.names.get(&v);
        name.is_some_and(|name| self.fresh_dtypes.contains(name))
    }

    pub(super) fn dtype_names(&self, given: &Given) -> Vec<Name> {
        let users = given.names.iter().filter_map(|u| match u.what {
            What::Dtype(_) => Some(u.name.clone()),
            _ => None,
        });
        users.chain(self.fresh_dtypes.iter().cloned()).collect()
    }
}

/// The names of symbols as they are printed.
struct Names<'f, 'g> {
    finish: &'f mut Finish<'g>,
    /// What is open in the expression is a dtype.
    of_dtypes: bool,
}

impl Rename<Symbol, Ident> for Names<'_, '_> {
    fn leaf(&mut self, symbol: Symbol) -> Expr {
        if let Symbol::Identity(i) = symbol
            && let Some(nominal) = self.finish.identities.nth(i)
        {
            return Expr::Nominal(Box::new(nominal.to_tree()));
        }
        Expr::Name(match self.of_dtypes {
            true => self.dtype(symbol),
            false => self.run(symbol),
        })
    }

    fn run(&mut self, symbol: Symbol) -> Ident {
        symbol.ident(|v| self.finish.fresh(v))
    }

    fn dtype(&mut self, symbol: Symbol) -> Ident {
        symbol.ident(|v| self.finish.fresh_dtype(v))
    }

    fn item(&mut self, item: symbol::DimItem) -> DimItem {
        match item {
            DimItem::Dim(Expr::Name(symbol)) if self.finish.is_hole(&symbol) => DimItem::Hole,
            DimItem::Run(Some(symbol)) if self.finish.is_hole(&symbol) => DimItem::Run(None),
            item => item.rename(self),
        }
    }
}
