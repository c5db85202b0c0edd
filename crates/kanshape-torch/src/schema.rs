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
    /// It takes all positional arguments from its place on.
    pub variadic: bool,
    /// It may be a number of the program, also where it is an operand.
    pub number: bool,
}

/// The parameters and the results of an overload of an operator, or of a function that stands on operators.
///
/// ```
/// let add = kanshape_torch::Schema::of("aten::add.Tensor").ok_or("it is an operator")?;
/// let names: Vec<_> = add.parameters().map(|p| (p.name, p.keyword_only)).collect();
/// assert_eq!(names, [("self", false), ("other", false), ("alpha", true)]);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    domain: &'static str,
    /// `add.Tensor`.
    name: &'static str,
    parameters: &'static str,
    results: &'static str,
    /// It is a method, with its tensor in front.
    method: bool,
}

/// The domain of torch's operators.
pub(crate) const OPERATORS: &str = "aten";

/// The domain of its functions that have other parameters than the operators that they stand on.
pub(crate) const FUNCTIONS: &str = "torch";

/// The parameter whose method an operator may be.
const SELF: &str = "self";

impl Schema {
    /// That of an operator, by its name with the overload: `aten::add.Tensor`, `add.Tensor`; or of a function of the domain
    /// `torch`: `torch::nn.functional.dropout`.
    pub fn of(name: &str) -> Option<Schema> {
        let (domain, own) = name.split_once("::").unwrap_or((OPERATORS, name));
        let table = tables().iter().find(|table| table.0 == domain)?;
        table.1.get(own).copied()
    }

    /// Those of all operators, in the order of the table.
    pub fn all() -> impl Iterator<Item = Schema> {
        read(OPERATORS, kanshape_catalog::ATEN_SCHEMAS)
    }

    /// Those of all functions with parameters of their own, in the order of the table.
    pub fn functions() -> impl Iterator<Item = Schema> {
        read(FUNCTIONS, kanshape_catalog::TORCH_SCHEMAS)
    }

    /// Those of what has this name in a domain: overloads of one operator, or forms of one function, whose name goes on with a dot and
    /// a word.
    pub(crate) fn forms(domain: &str, name: &str) -> Vec<Schema> {
        let is_form = |schema: &Schema| {
            let rest = schema.name.strip_prefix(name);
            rest.is_some_and(|rest| {
                let form = rest.strip_prefix('.');
                rest.is_empty() || form.is_some_and(|form| !form.contains('.'))
            })
        };
        match domain {
            OPERATORS => Schema::all().filter(is_form).collect(),
            FUNCTIONS => Schema::functions().filter(is_form).collect(),
            _ => Vec::new(),
        }
    }

    /// The same as a method, whose tensor stands in front, where it stands somewhere else.
    pub(crate) fn as_method(self) -> Option<Schema> {
        let names: Vec<_> = self.parameters().map(|p| p.name).collect();
        let is_other = names.contains(&SELF) && names[0] != SELF;
        is_other.then_some(Schema {
            method: true,
            ..self
        })
    }

    /// Its name with the domain: `aten::add.Tensor`.
    pub fn full_name(&self) -> String {
        format!("{}::{}", self.domain, self.name)
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
        let parameters = words.filter_map(move |word| {
            if word == "*" {
                keyword_only = true;
                return None;
            }
            let number = word.strip_suffix(": number");
            let word = number.unwrap_or(word);
            let several = word.strip_prefix('*');
            let name = several.unwrap_or(word);
            // What stands behind all positional arguments has a name only.
            let own = Parameter {
                name,
                keyword_only,
                variadic: several.is_some(),
                number: number.is_some(),
            };
            keyword_only |= own.variadic;
            Some(own)
        });
        let is_front = self.method;
        let mut all: Vec<Parameter> = parameters.collect();
        all.sort_by_key(|p| !(is_front && p.name == SELF));
        all.into_iter()
    }

    /// What it gives, in torch's words: `Tensor`, `Tensor[]`, `int`.
    pub fn results(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.results.split(", ").filter(|word| !word.is_empty())
    }

    fn read(domain: &'static str, line: &'static str) -> Option<Schema> {
        let (name, rest) = line.split_once('(')?;
        let (parameters, results) = rest.split_once(')')?;
        let results = results.trim().strip_prefix("->")?.trim();
        Some(Schema {
            domain,
            name,
            parameters,
            results,
            method: false,
        })
    }
}

fn read(domain: &'static str, text: &'static str) -> impl Iterator<Item = Schema> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(move |line| Schema::read(domain, line))
}

type SchemaTable = FxHashMap<&'static str, Schema>;

fn tables() -> &'static [(&'static str, SchemaTable); 2] {
    static TABLES: OnceLock<[(&'static str, SchemaTable); 2]> = OnceLock::new();
    TABLES.get_or_init(|| {
        [
            (OPERATORS, Schema::all().map(|s| (s.name, s)).collect()),
            (
                FUNCTIONS,
                Schema::functions().map(|s| (s.name, s)).collect(),
            ),
        ]
    })
}
