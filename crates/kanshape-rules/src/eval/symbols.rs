//! The names and holes of a query, as atoms of forms.

use super::{Evaluator, Residual, Stop};
use crate::encode::size::{self, Atoms};
use crate::limits::FEW_NAMES;
use kanshape_engine::{Beyond, Forms, Num};
use kanshape_syntax::tree::Expr;
use kanshape_types::Name;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What the atoms of a query are, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    atoms: SmallVec<[Symbol; 8]>,
    /// The places of the names, where there are many.
    places: FxHashMap<Name, usize>,
    /// The number of atoms among the places.
    indexed: usize,
    /// Is one of the holes known by now?
    has_bound: bool,
}

#[derive(Debug)]
enum Symbol {
    /// A name of the user, which may be any size.
    Name(Name),
    /// Some size that nobody has named: it is what it has to be.
    Hole(Option<Num>),
}

impl Symbols {
    pub(super) fn has_holes(&self) -> bool {
        self.atoms
            .iter()
            .any(|atom| matches!(atom, Symbol::Hole(_)))
    }

    /// The user's name that an atom is.
    pub(super) fn name(&self, atom: u32) -> Option<&Name> {
        match self.atoms.get(atom as usize)? {
            Symbol::Name(name) => Some(name),
            Symbol::Hole(_) => None,
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        self.atoms.iter().filter_map(|atom| match atom {
            Symbol::Name(name) => Some(name),
            Symbol::Hole(_) => None,
        })
    }

    /// The size that a name denotes.
    pub(super) fn named(&mut self, forms: &mut Forms, name: &Name) -> Num {
        let is = |atom: &Symbol| matches!(atom, Symbol::Name(own) if own == name);
        let known = match self.atoms.len() {
            0..=FEW_NAMES => self.atoms.iter().position(is),
            _ => self.place(name),
        };
        let place = known.unwrap_or_else(|| {
            self.atoms.push(Symbol::Name(name.clone()));
            self.atoms.len() - 1
        });
        forms.atom(place as u32, true)
    }

    /// The place of a name among many atoms.
    fn place(&mut self, name: &Name) -> Option<usize> {
        for at in self.indexed..self.atoms.len() {
            if let Symbol::Name(own) = &self.atoms[at] {
                self.places.insert(own.clone(), at);
            }
        }
        self.indexed = self.atoms.len();
        self.places.get(name).copied()
    }

    /// Some size.
    pub(super) fn hole(&mut self, forms: &mut Forms) -> Num {
        self.atoms.push(Symbol::Hole(None));
        forms.atom(self.atoms.len() as u32 - 1, true)
    }

    fn bound(&self, atom: u32) -> Option<Num> {
        match self.atoms.get(atom as usize)? {
            Symbol::Hole(bound) => *bound,
            Symbol::Name(_) => None,
        }
    }

    fn is_open_hole(&self, atom: u32) -> bool {
        matches!(self.atoms.get(atom as usize), Some(Symbol::Hole(None)))
    }

    /// A number in which no hole is known by now.
    pub(super) fn resolved(&self, forms: &mut Forms, mut n: Num) -> Result<Num, Beyond> {
        // What a hole is may be made of another one that has become known after it.
        let mut is_open = self.has_bound;
        while is_open && n.form().is_some() {
            is_open = false;
            n = forms.replace(n, &mut |forms, form| {
                let bound = size::atom_of(forms, form).and_then(|atom| self.known(forms, atom));
                is_open |= bound.is_some_and(|n| n.form().is_some());
                Ok(bound)
            })?;
        }
        Ok(n)
    }

    /// What a hole is, or the hole that it is the same as.
    fn known(&self, forms: &Forms, atom: u32) -> Option<Num> {
        let mut known = self.bound(atom)?;
        while let Some(next) = known
            .form()
            .and_then(|form| size::atom_of(forms, form))
            .and_then(|atom| self.bound(atom))
        {
            known = next;
        }
        Some(known)
    }
}

impl Atoms for Symbols {
    fn read(&mut self, forms: &mut Forms, name: &str) -> Result<Num, Beyond> {
        Ok(self.named(forms, &Name::word(name)))
    }
}

impl Evaluator<'_> {
    /// The number that an expression over names is.
    pub(super) fn read(&mut self, e: &Expr) -> Result<Num, Stop> {
        Ok(size::read(self.forms, &mut self.symbols, e)?)
    }

    /// A number in which no hole is known by now.
    #[inline]
    pub(super) fn resolved(&mut self, n: Num) -> Result<Num, Stop> {
        Ok(self.symbols.resolved(self.forms, n)?)
    }

    /// From now on two resolved numbers, whose difference depends on atoms, are the same: a hole is what it has to be,
    /// and for names it is left open.
    pub(super) fn equate(&mut self, a: Num, b: Num, apart: Num) -> Result<(), Stop> {
        for (hole, value) in [(a, b), (b, a)] {
            let Some(atom) = hole.form().and_then(|f| size::atom_of(self.forms, f)) else {
                continue;
            };
            if self.trials > 0 || !self.symbols.is_open_hole(atom) {
                continue;
            }
            let mut is_inside = false;
            self.forms
                .for_each_atom(value, &mut |own| is_inside |= own == atom);
            if !is_inside {
                self.natural(value)?;
                self.symbols.atoms[atom as usize] = Symbol::Hole(Some(value));
                self.symbols.has_bound = true;
                return Ok(());
            }
        }
        self.leave_open(Residual::Zero(apart))
    }
}
