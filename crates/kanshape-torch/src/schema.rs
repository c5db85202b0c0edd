//! [`Schema`]: the parameters of an operator in their order, as the table of the catalog has them.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A parameter of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// It is given by its name only.
    pub keyword_only: bool,
}

/// The parameters and the results of an overload of an operator.
///
/// ```
/// let add = kanshape_torch::Schema::of("aten::add.Tensor").ok_or("it is an operator")?;
/// let names: Vec<_> = add.parameters().map(|p| (p.name, p.keyword_only)).collect();
/// assert_eq!(names, [("self", false), ("other", false), ("alpha", true)]);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// `add.Tensor`.
    name: &'static str,
    parameters: &'static str,
    results: &'static str,
}

/// The domain of torch's operators.
const DOMAIN: &str = "aten";

impl Schema {
    /// That of an operator, by its name with the overload: `aten::add.Tensor`, `add.Tensor`.
    pub fn of(name: &str) -> Option<Schema> {
        let own = match name.split_once("::") {
            Some((domain, own)) if domain == DOMAIN => own,
            Some(_) => return None,
            None => name,
        };
        table().get(own).copied()
    }

    /// All of them, in the order of the table.
    pub fn all() -> impl Iterator<Item = Schema> {
        lines().filter_map(Schema::read)
    }

    /// Its name with the domain: `aten::add.Tensor`.
    pub fn full_name(&self) -> String {
        format!("{DOMAIN}::{}", self.name)
    }

    /// Its name without that of the overload: `add`.
    pub fn packet(&self) -> &'static str {
        self.name
            .split_once('.')
            .map_or(self.name, |(packet, _)| packet)
    }

    /// Its parameters in their order.
    pub fn parameters(&self) -> impl Iterator<Item = Parameter> + use<> {
        let mut keyword_only = false;
        let words = self.parameters.split(", ").filter(|word| !word.is_empty());
        words.filter_map(move |name| {
            if name == "*" {
                keyword_only = true;
                return None;
            }
            Some(Parameter { name, keyword_only })
        })
    }

    /// What it gives, in torch's words: `Tensor`, `Tensor[]`, `int`.
    pub fn results(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.results.split(", ").filter(|word| !word.is_empty())
    }

    fn read(line: &'static str) -> Option<Schema> {
        let (name, rest) = line.split_once('(')?;
        let (parameters, results) = rest.split_once(')')?;
        let results = results.trim().strip_prefix("->")?.trim();
        Some(Schema {
            name,
            parameters,
            results,
        })
    }
}

fn lines() -> impl Iterator<Item = &'static str> {
    let lines = kanshape_catalog::ATEN_SCHEMAS.lines();
    lines.filter(|line| !line.starts_with('#'))
}

fn table() -> &'static FxHashMap<&'static str, Schema> {
    static TABLE: OnceLock<FxHashMap<&'static str, Schema>> = OnceLock::new();
    TABLE.get_or_init(|| Schema::all().map(|schema| (schema.name, schema)).collect())
}
