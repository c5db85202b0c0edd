//! Operators by name: `onnx::Conv` in its domain, and `Conv` where that is unique.

use super::operator;
use crate::Operator;
use crate::Relations;
use kanshape_diag::Diagnostic;
use kanshape_rules::rules::{OpEntry, error};
use kanshape_types::Name;

/// Domains whose operators are found by their names alone only where no other domain, or none before them here, has one of that name:
/// those of a program's own representation, which mostly have the names that NumPy's have, and those of an executor, of which
/// some have the names of ONNX's.
const LAST: [&str; 9] = [
    "torch",
    "aten",
    "relay",
    "stablehlo",
    "chlo",
    "sdy",
    "prim",
    "_operator",
    "com.microsoft",
];

/// How programs write the functions of a library: the domain that these are in, and the module there.
const SPELLINGS: [(&str, &str, &str); 15] = [
    ("np.", "numpy", ""),
    ("numpy.", "numpy", ""),
    ("jnp.", "numpy", ""),
    ("jax.numpy.", "numpy", ""),
    ("torch.ops.aten.", "aten", ""),
    ("torch.nn.functional.", "torch", "nn.functional."),
    ("torch.Tensor.", "torch", ""),
    ("nn.functional.", "torch", "nn.functional."),
    ("Tensor.", "torch", ""),
    ("torch::", "torch", ""),
    ("torch.", "torch", ""),
    ("aten::", "aten", ""),
    ("aten.", "aten", ""),
    ("stablehlo.", "stablehlo", ""),
    ("F.", "torch", "nn.functional."),
];

/// The domain whose functions stand on the operators of another one, where each has a name for every overload:
/// `torch.linalg.svd` is `aten::linalg_svd`, and `torch.add` the first of `aten::add.Scalar`, `aten::add.Tensor`. Those that have
/// parameters of their own are operators of the first.
const STANDS_ON: (&str, &str) = ("torch", "aten");

/// The domain of a name that is written as in a program, and its names there: `numpy` and `linalg.norm` of
/// `np.linalg.norm`, in its module first.
fn spelled(name: &str) -> Option<(&'static str, [String; 2])> {
    SPELLINGS.iter().find_map(|&(prefix, domain, module)| {
        let own = name.strip_prefix(prefix)?;
        Some((domain, [format!("{module}{own}"), own.to_owned()]))
    })
}

impl Relations {
    /// An operator, by its name behind that of its domain, `onnx::Conv`, or by its name alone where no other domain
    /// has one of that name.
    ///
    /// A domain may be written without the `ai.` at its beginning, and `onnx` denotes all domains that begin with
    /// it. Of a domain and those within it, the outer one counts first, an operator of no domain before all others, and those of
    /// torch, ATen, Relay, StableHLO, CHLO and `com.microsoft` behind all others, in this order.
    /// Of several versions it is the newest one not above `version`, or the newest of all.
    ///
    /// What has no such name may be written as in a program: `np.`, `numpy.`, `jnp.` and `jax.numpy.` are the domain `numpy`,
    /// and `torch.`, `torch.nn.functional.`, `Tensor.` and `F.` are `torch`, whose functions stand on `aten`: where `torch` has none of
    /// the name, it is that of `aten`. `aten.` and `stablehlo.` are these domains.
    ///
    /// ```
    /// use kanshape::Relations;
    ///
    /// let relations = Relations::load_str("mine.kan", "domain \"numpy\"\nop norm \"(n)->()\"")?;
    /// assert_eq!(relations.operator("np.norm", None)?.full_name(), "numpy::norm");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if there is none, if several domains have one, or if it first appears in a later version.
    pub fn operator(&self, name: &str, version: Option<u64>) -> Result<Operator, Diagnostic> {
        let name = name.trim();
        let (domain, own) = match name.rsplit_once("::") {
            Some((domain, own)) => (Some(domain), own),
            None => (None, name),
        };
        let all = self.entries(own);
        match meant(domain, &all)[..] {
            [] => self.spelled_operator(name, version),
            [versions] => self.newest(versions, || name.into(), version),
            ref several => {
                let full = several.iter().flat_map(|versions| versions.first());
                let full = full.map(|entry| operator::full_name(&entry.domain, &entry.name));
                Err(error::ambiguous_operator(name, &full.collect::<Vec<_>>()))
            }
        }
    }

    /// An operator whose name is written as in a program.
    fn spelled_operator(&self, name: &str, version: Option<u64>) -> Result<Operator, Diagnostic> {
        let Some((domain, names)) = spelled(name) else {
            return Err(error::no_operator(name, &self.known_names()));
        };
        for own in &names {
            let all = self.entries(own);
            let all = all.iter().filter(|entry| *entry.domain == *domain);
            let exact: Vec<OpEntry> = all.cloned().collect();
            if !exact.is_empty() {
                return self.newest(&exact, || name.into(), version);
            }
        }
        let [_, own] = &names;
        let is_torch = [STANDS_ON.0, STANDS_ON.1].contains(&domain);
        if let Some(found) = self.overload(own).filter(|_| is_torch) {
            return self.newest(&found, || name.into(), version);
        }
        let all = self.entries(own);
        match meant(Some(domain), &all)[..] {
            [versions, ..] => self.newest(versions, || name.into(), version),
            [] => Err(error::no_operator_in(
                name,
                if is_torch { STANDS_ON.1 } else { domain },
                own,
                &self.known_names(),
            )),
        }
    }

    /// The operator that a function stands on, by the name of that: the one of its name, or the first of its overloads.
    fn overload(&self, own: &str) -> Option<Vec<OpEntry>> {
        let own = own.strip_suffix(".default").unwrap_or(own);
        let plain = own.replace('.', "_");
        let known = &self.library.known;
        let is_packet = |name: &&str| {
            let rest = name.strip_prefix(&*plain);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let names = known.operator_names().into_iter().filter(is_packet);
        [own, &*plain].into_iter().chain(names).find_map(|name| {
            let all = known.operators(name);
            let entries = by_domain(&all).find(|versions| is_of(versions, STANDS_ON.1))?;
            Some(entries.to_vec())
        })
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
        let all = self.entries(name);
        let mut domains = by_domain(&all);
        let versions = domains
            .find(|versions| is_of(versions, domain))
            .ok_or_else(|| error::no_operator(&full(), &self.known_names()))?;
        self.newest(versions, full, version)
    }

    /// Is there an operator of this name in exactly this domain, of any version?
    pub fn has_operator(&self, domain: &str, name: &str) -> bool {
        let all = self.entries(name);
        is_of(&all, domain)
    }

    /// All operators, every version of them, in alphabetical order of their domains and names.
    pub fn operators(&self) -> impl Iterator<Item = Operator> {
        self.operators_where(|_| true)
    }

    /// Those in domains of which this holds.
    fn operators_where(&self, holds: impl Fn(&str) -> bool) -> impl Iterator<Item = Operator> {
        let known = &self.library.known;
        let names = known.operator_names().into_iter();
        let entries = names.flat_map(|name| {
            let all = known.operators(name).into_iter();
            // It stands in the index by each of its names.
            all.filter(move |entry| *entry.name == *name)
        });
        let mut entries: Vec<OpEntry> = entries.filter(|entry| holds(&entry.domain)).collect();
        // Names are in order, and the versions of each.
        entries.sort_by(|a, b| a.domain.cmp(&b.domain));
        let entries = entries.into_iter();
        entries.map(|entry| self.operator_with(&entry))
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

    /// The names by which operators are known, with their domains, in alphabetical order of these.
    fn known_names(&self) -> Vec<String> {
        let known = &self.library.known;
        let names = known.operator_names().into_iter();
        let mut keys: Vec<(Name, &str)> = names
            .flat_map(|name| {
                let entries = known.operators(name);
                let domains = by_domain(&entries).filter_map(|versions| versions.first());
                let domains: Vec<Name> = domains.map(|entry| entry.domain.clone()).collect();
                domains.into_iter().map(move |domain| (domain, name))
            })
            .collect();
        // Those that count last are near last.
        keys.sort_unstable_by_key(|(domain, name)| {
            (LAST.contains(&&**domain), domain.clone(), *name)
        });
        let keys = keys.iter();
        keys.map(|(domain, name)| operator::full_name(domain, name))
            .collect()
    }
}

/// The operators of a name, by domain.
fn by_domain(all: &[OpEntry]) -> impl Iterator<Item = &[OpEntry]> {
    all.chunk_by(|a, b| a.domain == b.domain)
}

/// Is one of these of this domain?
fn is_of(versions: &[OpEntry], domain: &str) -> bool {
    versions.iter().any(|entry| *entry.domain == *domain)
}

/// The operators that a name may mean, of all those of the name, where this may be the domain: several if it is not unique.
fn meant<'e>(domain: Option<&str>, all: &'e [OpEntry]) -> Vec<&'e [OpEntry]> {
    let own = |versions: &'e [OpEntry]| versions.first().map_or("", |entry| &entry.domain);
    let within = |own: &str| domain.is_none_or(|outer| is_within(own, outer));
    let mut found: Vec<_> = by_domain(all).filter(|v| within(own(v))).collect();
    if domain.is_none() && found.len() > 1 {
        let turn = |versions: &&'e [OpEntry]| {
            let last = LAST
                .iter()
                .position(|outer| is_within(own(versions), outer));
            last.map_or(0, |place| place + 1)
        };
        let first = found.iter().map(turn).min();
        found.retain(|versions| Some(turn(versions)) == first);
    }
    let is_outer = |own_domain: &str| {
        let mut others = found
            .iter()
            .map(|v| own(v))
            .filter(|other| *other != own_domain);
        !others.any(|other| is_within(own_domain, other))
    };
    let outer = found.iter().filter(|versions| is_outer(own(versions)));
    outer.copied().collect()
}

/// Is a domain another one, or a part of it? What belongs to no domain is outside of all.
fn is_within(domain: &str, outer: &str) -> bool {
    let [domain, outer] = [domain, outer].map(operator::short_domain);
    let rest = domain.strip_prefix(outer);
    outer.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
