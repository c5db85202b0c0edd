//! Names for what nobody has named, and all that is written with them.

use super::naming::may_be_negative;
use super::shown::is_int;
use super::symbol::{self, Symbol};
use kanshape_engine::{State, Var};
use kanshape_rules::encode::size::normal;
use kanshape_rules::encode::{QueryVars, normal_condition};
use kanshape_syntax::Rename;
use kanshape_syntax::tree::{Condition, Expr, Func, Ident};
use kanshape_types::{Dim, Name};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names that open variables have been given, in the order in which they were first written. Which of them are needed is known
/// once all is written: [`Answer::canonical`](crate::Answer::canonical).
#[derive(Clone, Debug, Default)]
pub(crate) struct Fresh {
    names: FxHashMap<Var, Name>,
    /// The labels of parameters.
    taken: FxHashSet<Name>,
    dtypes: Vec<Name>,
    /// How many names of each kind there have been.
    next: [usize; 3],
}

/// What a name denotes: `d0`, `t0`, `A0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denotes {
    Size,
    Dtype,
    Type,
}

impl Fresh {
    /// From now on no name is one of these parameters, which are called by their labels.
    pub(crate) fn avoid_labels<T>(&mut self, params: &[(Name, T)]) {
        self.taken
            .extend(params.iter().map(|(label, _)| label.clone()));
    }

    /// Names that are new here from now on are none that `other` has.
    pub(crate) fn name_after(&mut self, other: &Fresh) {
        for (own, other) in self.next.iter_mut().zip(other.next) {
            *own = (*own).max(other);
        }
    }

    /// The names of sizes that are not shown: a condition that says what one is can be written into the others.
    pub(crate) fn hidden(&self, state: &State, shown: &FxHashSet<Var>) -> FxHashSet<&str> {
        let names = self.names.iter().filter(|(v, _)| {
            let is_size = is_int(state, **v) && !may_be_negative(state, **v);
            is_size && !shown.contains(*v)
        });
        names.map(|(_, name)| name.as_str()).collect()
    }

    /// The names of what may be negative: a name denotes a size, so that no condition can use them.
    pub(crate) fn nameless(&self, state: &State) -> FxHashSet<&str> {
        let names = self.names.iter();
        let names = names.filter(|(v, _)| may_be_negative(state, **v));
        names.map(|(_, name)| name.as_str()).collect()
    }

    /// All of them.
    pub(crate) fn names(&self) -> &FxHashMap<Var, Name> {
        &self.names
    }

    /// Those of dtypes.
    pub(crate) fn dtypes(&self) -> &[Name] {
        &self.dtypes
    }

    /// The name of a variable. It differs from all names of the user.
    pub(crate) fn name(&mut self, v: Var, denotes: Denotes, given: &QueryVars) -> Name {
        if let Some(name) = self.names.get(&v) {
            return name.clone();
        }
        let letter = ['d', 't', 'A'][denotes as usize];
        let next = &mut self.next[denotes as usize];
        let name = loop {
            let name = Name::word(format!("{letter}{next}"));
            *next += 1;
            if !self.taken.contains(&name) && given.names.place(&name).is_none() {
                break name;
            }
        };
        if denotes == Denotes::Dtype {
            self.dtypes.push(name.clone());
        }
        self.names.insert(v, name.clone());
        name
    }

    pub(crate) fn expr(&mut self, e: symbol::Expr, given: &QueryVars) -> Expr {
        e.rename(&mut self.as_written(given, Denotes::Size))
    }

    /// A size, in normal form.
    pub(crate) fn dim(&mut self, e: symbol::Expr, given: &QueryVars) -> Dim {
        Dim::expr(match self.expr(e, given) {
            e @ (Expr::Name(_) | Expr::Int(_) | Expr::Nominal(_)) => e,
            e => normal(e, given.into()),
        })
    }

    /// A condition, in normal form.
    pub(crate) fn condition(
        &mut self,
        c: symbol::Condition,
        state: &State,
        given: &QueryVars,
    ) -> Condition {
        let is_dtype = |e: &symbol::Expr| match e {
            Expr::Call(Func::Promote, _) => true,
            Expr::Name(Symbol::Open(v)) => state.mask(state.root(*v)) != 0,
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
        match of_dtypes {
            true => c.rename(&mut self.as_written(given, Denotes::Dtype)),
            false => {
                let c = c.rename(&mut self.as_written(given, Denotes::Size));
                normal_condition(c, given.into())
            }
        }
    }

    fn as_written<'f>(&'f mut self, given: &'f QueryVars, open: Denotes) -> AsWritten<'f> {
        AsWritten {
            fresh: self,
            given,
            open,
        }
    }
}

/// The names of symbols as they are printed.
struct AsWritten<'f> {
    fresh: &'f mut Fresh,
    given: &'f QueryVars,
    /// What is open in the expression.
    open: Denotes,
}

impl Rename<Symbol, Ident> for AsWritten<'_> {
    fn leaf(&mut self, symbol: Symbol) -> Expr {
        if let Symbol::Identity(i) = symbol
            && let Some(nominal) = self.given.identities.nth(i)
        {
            return Expr::Nominal(Box::new(nominal.to_tree()));
        }
        Expr::Name(symbol.ident(|v| self.fresh.name(v, self.open, self.given)))
    }

    fn run(&mut self, symbol: Symbol) -> Ident {
        symbol.ident(|v| self.fresh.name(v, Denotes::Size, self.given))
    }

    fn dtype(&mut self, symbol: Symbol) -> Ident {
        symbol.ident(|v| self.fresh.name(v, Denotes::Dtype, self.given))
    }
}
