//! [`Field`]: the fields that a line can have. [`Kind`]: the kinds of questions.

/// The kind of the question of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What follows for a signature.
    Query,
    /// What follows for an operator.
    Call,
    /// What follows for the values of a graph.
    Graph,
    /// What two types say of each other.
    Types,
    /// Whether a rewrite rule keeps types.
    Rule,
    /// The types of a program.
    Program,
    /// What equations and relations between types say of their holes.
    Equations,
    /// The kind of a type.
    OfType,
    /// The cases that a match misses.
    Match,
    /// What a model that was given comes to.
    Model,
    /// Which operators there are, or what one is.
    Catalog,
    /// Which operators make a type of others.
    Find,
    /// What a call of one of torch's operators gives.
    Torch,
    /// The types of a module of StableHLO.
    Stablehlo,
    /// What a text is made of.
    Parse,
}

impl Kind {
    /// All of them.
    pub(crate) const ALL: [Kind; 15] = [
        Kind::Types,
        Kind::Query,
        Kind::Call,
        Kind::Graph,
        Kind::Rule,
        Kind::Program,
        Kind::Equations,
        Kind::OfType,
        Kind::Match,
        Kind::Model,
        Kind::Catalog,
        Kind::Find,
        Kind::Torch,
        Kind::Stablehlo,
        Kind::Parse,
    ];

    /// What a message calls a line of this kind.
    pub(crate) fn called(self) -> &'static str {
        match self {
            Kind::Query => "a query",
            Kind::Call => "a query about an operator",
            Kind::Graph => "a query about a graph",
            Kind::Types => "a question about types",
            Kind::Rule => "a question about a rule",
            Kind::Program => "a program",
            Kind::Equations => "a question about equations",
            Kind::OfType => "a question about a kind",
            Kind::Match => "a question about a match",
            Kind::Model => "a question about a model",
            Kind::Catalog => "a question about the catalog",
            Kind::Find => "a search for operators",
            Kind::Torch => "a call of torch",
            Kind::Stablehlo => "a module of StableHLO",
            Kind::Parse => "a question about a text",
        }
    }

    /// The names of the fields that a line of this kind can have.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'static str> {
        let belong = move |row: &&Row| row.2.contains(&self);
        FIELDS.iter().filter(belong).map(|(_, name, _)| *name)
    }
}

/// A field of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Id,
    Signature,
    Op,
    Graph,
    Opset,
    Inputs,
    Outputs,
    Params,
    Attrs,
    Regions,
    Where,
    Given,
    Limit,
    MaxRank,
    MaxDim,
    PlainSizes,
    Notation,
    Promotion,
    Budget,
    Timeout,
    Types,
    A,
    B,
    Rule,
    Leaves,
    Repairs,
    Values,
    Cost,
    Program,
    Entry,
    Expressions,
    Equations,
    Relations,
    KindOf,
    Match,
    Adts,
    Model,
    Dims,
    Cut,
    Set,
    TrustAnnotations,
    AssumeNonempty,
    Parts,
    Why,
    Diff,
    Catalog,
    Find,
    Torch,
    Stablehlo,
    Declared,
    From,
    To,
    Parse,
    As,
}

/// A field, its name, and the kinds of line that have it.
type Row = (Field, &'static str, &'static [Kind]);

const ALL: &[Kind] = &Kind::ALL;
const QUERIES: &[Kind] = &[Kind::Query, Kind::Call];
const BOUNDED: &[Kind] = &[Kind::Query, Kind::Call, Kind::Rule];

/// All fields, in the order of [`Field`].
const FIELDS: [Row; Field::COUNT] = [
    (Field::Id, "id", ALL),
    (Field::Signature, "signature", &[Kind::Query]),
    (Field::Op, "op", &[Kind::Call]),
    (Field::Graph, "graph", &[Kind::Graph]),
    (
        Field::Opset,
        "opset",
        &[
            Kind::Call,
            Kind::Graph,
            Kind::Rule,
            Kind::Catalog,
            Kind::Find,
        ],
    ),
    (
        Field::Inputs,
        "inputs",
        &[Kind::Query, Kind::Call, Kind::Model, Kind::Stablehlo],
    ),
    (Field::Outputs, "outputs", QUERIES),
    (Field::Params, "params", &[Kind::Query]),
    (Field::Attrs, "attrs", &[Kind::Call, Kind::Parse]),
    (Field::Regions, "regions", &[Kind::Call]),
    (
        Field::Where,
        "where",
        &[
            Kind::Query,
            Kind::Call,
            Kind::Graph,
            Kind::Torch,
            Kind::Stablehlo,
        ],
    ),
    (Field::Given, "given", &[Kind::Graph, Kind::Model]),
    (Field::Limit, "limit", QUERIES),
    (Field::MaxRank, "max_rank", BOUNDED),
    (Field::MaxDim, "max_dim", BOUNDED),
    (Field::PlainSizes, "plain_sizes", QUERIES),
    (
        Field::Notation,
        "notation",
        &[
            Kind::Query,
            Kind::Call,
            Kind::Program,
            Kind::Equations,
            Kind::OfType,
            Kind::Match,
        ],
    ),
    (Field::Promotion, "promotion", QUERIES),
    (Field::Budget, "budget", ALL),
    (Field::Timeout, "timeout", ALL),
    (Field::Types, "types", &[Kind::Types]),
    (Field::A, "a", &[Kind::Types]),
    (Field::B, "b", &[Kind::Types]),
    (Field::Rule, "rule", &[Kind::Rule]),
    (Field::Leaves, "leaves", &[Kind::Rule]),
    (Field::Repairs, "repairs", &[Kind::Rule]),
    (Field::Values, "values", &[Kind::Rule]),
    (Field::Cost, "cost", &[Kind::Rule, Kind::Find]),
    (Field::Program, "program", &[Kind::Program]),
    (Field::Entry, "entry", &[Kind::Program]),
    (Field::Expressions, "expressions", &[Kind::Program]),
    (Field::Equations, "equations", &[Kind::Equations]),
    (Field::Relations, "relations", &[Kind::Equations]),
    (Field::KindOf, "kind_of", &[Kind::OfType]),
    (Field::Match, "match", &[Kind::Match]),
    (Field::Adts, "adts", &[Kind::OfType, Kind::Match]),
    (Field::Model, "model", &[Kind::Model]),
    (Field::Dims, "dims", &[Kind::Model]),
    (Field::Cut, "cut", &[Kind::Model]),
    (Field::Set, "set", &[Kind::Model]),
    (Field::TrustAnnotations, "trust_annotations", &[Kind::Model]),
    (
        Field::AssumeNonempty,
        "assume_nonempty",
        &[Kind::Graph, Kind::Model],
    ),
    (Field::Parts, "parts", &[Kind::Model]),
    (Field::Why, "why", &[Kind::Model]),
    (Field::Diff, "diff", &[Kind::Model]),
    (Field::Catalog, "catalog", &[Kind::Catalog]),
    (Field::Find, "find", &[Kind::Find]),
    (Field::Torch, "torch", &[Kind::Torch]),
    (Field::Stablehlo, "stablehlo", &[Kind::Stablehlo]),
    (Field::Declared, "declared", &[Kind::Stablehlo]),
    (Field::From, "from", &[Kind::Model]),
    (Field::To, "to", &[Kind::Model]),
    (Field::Parse, "parse", &[Kind::Parse]),
    (Field::As, "as", &[Kind::Parse]),
];

impl Field {
    /// How many there are.
    pub(crate) const COUNT: usize = 54;

    /// The field of this name.
    pub(crate) fn named(name: &str) -> Option<Field> {
        let row = FIELDS.iter().find(|row| row.1 == name);
        row.map(|row| row.0)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        FIELDS[self as usize].1
    }

    /// All fields that a line of this kind does not have.
    pub(crate) fn foreign_to(kind: Kind) -> impl Iterator<Item = Field> {
        let foreign = move |row: &&Row| !row.2.contains(&kind);
        FIELDS.iter().filter(foreign).map(|row| row.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (i, row) in FIELDS.iter().enumerate() {
            assert_eq!(row.0 as usize, i, "{}", row.1);
        }
    }
}
