//! The numbers of relations, by name and arity.

use super::error;
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Ident;
use kanshape_types::Name;
use rustc_hash::FxHashMap;

/// Which relation a call means: its number in the library.
#[derive(Clone, Debug, Default)]
pub struct Numbers(FxHashMap<(Name, usize), usize>);

impl Numbers {
    pub(super) fn insert(&mut self, key: (Name, usize), number: usize) {
        self.0.insert(key, number);
    }

    /// The number of a relation, by its name and arity.
    pub fn find(&self, name: &str, arity: usize) -> Option<usize> {
        self.0.get(&(Name::from(name), arity)).copied()
    }

    /// The arities of the relations of this name.
    pub fn arities(&self, name: &str) -> Vec<usize> {
        let all = self.0.keys().filter(|k| k.0.as_str() == name);
        let mut arities: Vec<usize> = all.map(|k| k.1).collect();
        arities.sort_unstable();
        arities
    }

    /// The names of the relations whose number this holds of, in alphabetical order.
    pub fn names(&self, which: impl Fn(usize) -> bool) -> Vec<&str> {
        let all = self.0.iter().filter(|(_, number)| which(**number));
        let mut names: Vec<&str> = all.map(|(key, _)| key.0.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Is there a relation of this name, of any arity?
    pub fn is_defined(&self, name: &str) -> bool {
        self.0.keys().any(|k| k.0.as_str() == name)
    }

    /// The relation that a call means.
    pub fn called(&self, name: &Ident, arity: usize) -> Result<usize, Diagnostic> {
        if let Some(number) = self.find(&name.node, arity) {
            return Ok(number);
        }
        let arities = self.arities(&name.node);
        Err(match arities.is_empty() {
            true => error::unknown_relation(name, &self.names(|_| true)),
            false => error::call_arity(name, &arities, arity),
        })
    }
}
