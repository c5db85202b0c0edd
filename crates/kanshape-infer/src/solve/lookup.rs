//! Operators by name: `onnx::Conv` in its domain, and `Conv` where that is unique.

use super::operator;
use crate::Operator;
use crate::Relations;
use kanshape_diag::Diagnostic;
use kanshape_rules::rules::{OpEntry, error};

/// A domain whose operators are found by their names alone only where no other domain has one of that name: those of a
/// compiler's own representation, which mostly have the names that NumPy's have.
const LAST: &str = "relay";

impl Relations {
    /// An operator, by its name behind that of its domain, `onnx::Conv`, or by its name alone where no other domain
    /// has one of that name.
    ///
    /// A domain may be written without the `ai.` at its beginning, and `onnx` denotes all domains that begin with
    /// it. Of a domain and those within it, the outer one counts first, an operator of no domain before all others, and one of
    /// Relay behind all others.
    /// Of several versions it is the newest one not above `version`, or the newest of all.
    ///
    /// # Errors
    /// A [`Diagnostic`] if there is none, if several domains have one, or if it first appears in a later version.
    pub fn operator(&self, name: &str, version: Option<u64>) -> Result<Operator, Diagnostic> {
        let name = name.trim();
        let meant = self.meant(name);
        match meant[..] {
            [] => Err(error::no_operator(name, &self.known_names())),
            [(_, versions)] => self.newest(versions, || name.into(), version),
            [..] => {
                let full = meant.iter().map(|(domain, versions)| {
                    let own = versions.first().map_or(name, |v| &v.name);
                    operator::full_name(domain, own)
                });
                Err(error::ambiguous_operator(name, &full.collect::<Vec<_>>()))
            }
        }
    }

    /// The same for one whose domain is known: it is written out, and empty where it has none.
    ///
    /// # Errors
    /// As [`Relations::operator`].
    pub fn operator_of(
        &self,
        domain: &str,
        name: &str,
        version: Option<u64>,
    ) -> Result<Operator, Diagnostic> {
        let full = || operator::full_name(domain, name);
        let domains = self.library.ops.get(name);
        let versions = domains
            .and_then(|domains| domains.get(domain))
            .ok_or_else(|| error::no_operator(&full(), &self.known_names()))?;
        self.newest(versions, full, version)
    }

    /// Is there an operator of this name in exactly this domain, of any version?
    pub fn has_operator(&self, domain: &str, name: &str) -> bool {
        let domains = self.library.ops.get(name);
        domains.is_some_and(|domains| domains.contains_key(domain))
    }

    /// All operators, every version of them, in alphabetical order of their domains and names.
    pub fn operators(&self) -> impl Iterator<Item = Operator> {
        self.operators_where(|_| true)
    }

    /// Those in domains of which this holds.
    fn operators_where(&self, holds: impl Fn(&str) -> bool) -> impl Iterator<Item = Operator> {
        let names = self.operator_keys().into_iter();
        let names = names.filter(move |[domain, _]| holds(domain));
        let rules = names.flat_map(|[domain, name]| {
            let versions = self.library.ops[name][domain].iter();
            // It stands in the index by each of its names.
            versions.filter(move |rule| *rule.name == *name)
        });
        rules.map(|rule| self.operator_with(rule))
    }

    /// The operators of a domain and of those within it, in the order of [`Relations::operators`].
    pub fn operators_of(&self, domain: &str) -> impl Iterator<Item = Operator> {
        self.operators_where(move |own| !domain.is_empty() && is_within(own, domain))
    }

    /// The newest of these that is not above `version`.
    fn newest(
        &self,
        versions: &[OpEntry],
        name: impl FnOnce() -> String,
        version: Option<u64>,
    ) -> Result<Operator, Diagnostic> {
        let wanted = version.unwrap_or(u64::MAX);
        let newest = versions.iter().find(|v| v.since <= wanted);
        let rule = newest.ok_or_else(|| {
            let first = versions.last().map_or(0, |v| v.since);
            error::not_yet(&name(), wanted, first)
        })?;
        Ok(self.operator_with(rule))
    }

    /// The operators that a name may mean, each with its domain: several if it is not unique.
    fn meant(&self, name: &str) -> Vec<(&str, &[OpEntry])> {
        let (domain, name) = match name.rsplit_once("::") {
            Some((domain, name)) => (Some(domain), name),
            None => (None, name),
        };
        let Some(domains) = self.library.ops.get(name) else {
            return Vec::new();
        };
        let all = domains
            .iter()
            .map(|(own, rules)| (own.as_str(), &rules[..]));
        let within = |own: &str| domain.is_none_or(|outer| is_within(own, outer));
        let mut found: Vec<_> = all.filter(|(own, _)| within(own)).collect();
        if domain.is_none() && found.len() > 1 {
            found.retain(|(own, _)| *own != LAST);
        }
        let is_outer = |own: &str| {
            let mut others = found.iter().filter(|(other, _)| *other != own);
            !others.any(|(other, _)| is_within(own, other))
        };
        let outer = found.iter().filter(|(own, _)| is_outer(own));
        outer.copied().collect()
    }

    /// The names by which operators are known, with their domains.
    fn known_names(&self) -> Vec<String> {
        let keys = self.operator_keys().into_iter();
        keys.map(|[domain, name]| operator::full_name(domain, name))
            .collect()
    }

    /// The domains and names of operators, in alphabetical order.
    fn operator_keys(&self) -> Vec<[&str; 2]> {
        let ops = self.library.ops.iter();
        let mut keys: Vec<[&str; 2]> = ops
            .flat_map(|(name, domains)| domains.keys().map(move |domain| [&**domain, &**name]))
            .collect();
        keys.sort_unstable();
        keys
    }
}

/// Is a domain another one, or a part of it? What belongs to no domain is outside of all.
fn is_within(domain: &str, outer: &str) -> bool {
    let [domain, outer] = [domain, outer].map(operator::short_domain);
    let rest = domain.strip_prefix(outer);
    outer.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
