//! [`SymbolTable`]: what is known by a name: relations by name and arity, operators by name, domain and version.

use super::error;
use super::indexed::Index;
use super::op::OpRule;
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Ident;
use kanshape_types::Name;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// Which rule a name means: its number in the library.
///
/// What was entered one by one is in tables. Behind it are the rules of an index, which are looked up in its text, and behind these
/// what was known before the index was added. What stands in front hides what is behind.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    /// The relations of a name: arities and numbers.
    relations: FxHashMap<Name, Vec<(usize, usize)>>,
    /// The operators of a name, in the order of [`SymbolTable::operators`].
    operators: FxHashMap<Name, Vec<OpEntry>>,
    index: Option<Arc<Index>>,
}

/// The rule of an operator.
#[derive(Clone, Debug)]
pub struct OpEntry {
    pub name: Name,
    pub domain: Name,
    /// The version of the domain from which on it is this.
    pub since: u64,
    /// The number of its rule.
    pub rule: usize,
    /// What it is beside its rule, if that has been read with it.
    pub(super) described: Option<Arc<OpRule>>,
}

impl OpEntry {
    /// Operators of one name stand by domain, and in a domain the newest is the first.
    fn order(&self) -> (&str, Reverse<u64>) {
        (&self.domain, Reverse(self.since))
    }
}

impl SymbolTable {
    /// The rules of an index, in front of what was known before.
    pub(super) fn of(index: Arc<Index>) -> SymbolTable {
        SymbolTable {
            index: Some(index),
            ..SymbolTable::default()
        }
    }

    /// These tables and those behind the indexes, from the front.
    fn layers(&self) -> impl Iterator<Item = &SymbolTable> {
        std::iter::successors(Some(self), |known| {
            known.index.as_ref().map(|index| &index.below)
        })
    }

    /// Enters a relation.
    pub(super) fn insert(&mut self, (name, arity): (Name, usize), number: usize) {
        let own = self.relations.entry(name).or_default();
        match own.iter_mut().find(|known| known.0 == arity) {
            Some(known) => known.1 = number,
            None => own.push((arity, number)),
        }
    }

    /// Enters an operator by one of its names. Returns the one that has been entered here by that name and version, which it
    /// takes the place of.
    pub(super) fn enter(&mut self, name: Name, entry: OpEntry) -> Option<OpEntry> {
        let own = self.operators.entry(name).or_default();
        match own.binary_search_by(|known| known.order().cmp(&entry.order())) {
            Ok(at) => Some(std::mem::replace(&mut own[at], entry)),
            Err(at) => {
                own.insert(at, entry);
                None
            }
        }
    }

    /// The number of a relation, by its name and arity.
    pub fn find(&self, name: &str, arity: usize) -> Option<usize> {
        self.layers().find_map(|known| {
            let own = known.relations.get(name).into_iter().flatten();
            let own = own.copied().find(|(of, _)| *of == arity);
            let index = known.index.as_ref();
            own.map(|(_, number)| number)
                .or_else(|| index.and_then(|index| index.find(name, arity)))
        })
    }

    /// The arities of the relations of this name.
    pub fn arities(&self, name: &str) -> Vec<usize> {
        let mut arities = Vec::new();
        for known in self.layers() {
            let own = known.relations.get(name).into_iter().flatten();
            arities.extend(own.map(|(arity, _)| arity));
            if let Some(index) = &known.index {
                arities.extend(index.arities(name));
            }
        }
        arities.sort_unstable();
        arities.dedup();
        arities
    }

    /// The names of the relations whose number this holds of, in alphabetical order.
    pub fn names(&self, which: impl Fn(usize) -> bool) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for known in self.layers() {
            names.extend(known.relations.keys().map(Name::as_str));
            names.extend(known.index.iter().flat_map(|index| index.relation_names()));
        }
        names.sort_unstable();
        names.dedup();
        names.retain(|name| {
            let arities = self.arities(name).into_iter();
            let mut numbers = arities.filter_map(|arity| self.find(name, arity));
            numbers.any(&which)
        });
        names
    }

    /// Is there a relation of this name, of any arity?
    pub fn is_defined(&self, name: &str) -> bool {
        self.layers().any(|known| {
            let index = known.index.as_ref();
            known.relations.contains_key(name)
                || index.is_some_and(|index| index.arities(name).next().is_some())
        })
    }

    /// The relation that a call means; behind the name of a domain the newest operator of this name there.
    pub fn called(&self, name: &Ident, arity: usize) -> Result<usize, Diagnostic> {
        if let Some((domain, own)) = name.node.rsplit_once("::") {
            let all = self.operators(own);
            let newest = all.iter().find(|entry| *entry.domain == *domain);
            return match newest {
                Some(entry) => Ok(entry.rule),
                None => Err(error::no_operator_to_call(name)),
            };
        }
        if let Some(number) = self.find(&name.node, arity) {
            return Ok(number);
        }
        let arities = self.arities(&name.node);
        Err(match arities.is_empty() {
            true => error::unknown_relation(name, &self.names(|_| true)),
            false => error::call_arity(name, &arities, arity),
        })
    }

    /// The operators of a name, by domain in alphabetical order, and in a domain the newest version first.
    pub fn operators(&self, name: &str) -> Vec<OpEntry> {
        let mut all: Vec<OpEntry> = Vec::new();
        for known in self.layers() {
            all.extend(known.operators.get(name).into_iter().flatten().cloned());
            if let Some(index) = &known.index {
                all.extend(index.operators(name));
            }
        }
        // The order is stable: of two of one version, the one in front stays.
        all.sort_by(|a, b| a.order().cmp(&b.order()));
        all.dedup_by(|b, a| a.order() == b.order());
        all
    }

    /// The names of the operators, in alphabetical order.
    pub fn operator_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for known in self.layers() {
            names.extend(known.operators.keys().map(Name::as_str));
            names.extend(known.index.iter().flat_map(|index| index.operator_names()));
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}
