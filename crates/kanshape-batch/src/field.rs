//! [`Field`]: the fields that a line can have. [`LineKind`]: the kinds of questions.

/// The kind of the question of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
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

impl LineKind {
    /// All of them.
    pub(crate) const ALL: [LineKind; 15] = [
        LineKind::Types,
        LineKind::Query,
        LineKind::Call,
        LineKind::Graph,
        LineKind::Rule,
        LineKind::Program,
        LineKind::Equations,
        LineKind::OfType,
        LineKind::Match,
        LineKind::Model,
        LineKind::Catalog,
        LineKind::Find,
        LineKind::Torch,
        LineKind::Stablehlo,
        LineKind::Parse,
    ];

    /// What a message calls a line of this kind.
    pub(crate) fn called(self) -> &'static str {
        match self {
            LineKind::Query => "a query",
            LineKind::Call => "a query about an operator",
            LineKind::Graph => "a query about a graph",
            LineKind::Types => "a question about types",
            LineKind::Rule => "a question about a rule",
            LineKind::Program => "a program",
            LineKind::Equations => "a question about equations",
            LineKind::OfType => "a question about a kind",
            LineKind::Match => "a question about a match",
            LineKind::Model => "a question about a model",
            LineKind::Catalog => "a question about the catalog",
            LineKind::Find => "a search for operators",
            LineKind::Torch => "a call of torch",
            LineKind::Stablehlo => "a module of StableHLO",
            LineKind::Parse => "a question about a text",
        }
    }

    /// The names of the fields that a line of this kind can have.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'static str> {
        let belong = move |row: &&FieldRow| row.2.contains(&self);
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
type FieldRow = (Field, &'static str, &'static [LineKind]);

const ALL: &[LineKind] = &LineKind::ALL;
const QUERIES: &[LineKind] = &[LineKind::Query, LineKind::Call];
const BOUNDED: &[LineKind] = &[LineKind::Query, LineKind::Call, LineKind::Rule];

/// All fields, in the order of [`Field`].
const FIELDS: [FieldRow; Field::COUNT] = [
    (Field::Id, "id", ALL),
    (Field::Signature, "signature", &[LineKind::Query]),
    (Field::Op, "op", &[LineKind::Call]),
    (Field::Graph, "graph", &[LineKind::Graph]),
    (
        Field::Opset,
        "opset",
        &[
            LineKind::Call,
            LineKind::Graph,
            LineKind::Rule,
            LineKind::Catalog,
            LineKind::Find,
        ],
    ),
    (
        Field::Inputs,
        "inputs",
        &[
            LineKind::Query,
            LineKind::Call,
            LineKind::Model,
            LineKind::Stablehlo,
        ],
    ),
    (Field::Outputs, "outputs", QUERIES),
    (Field::Params, "params", &[LineKind::Query]),
    (Field::Attrs, "attrs", &[LineKind::Call, LineKind::Parse]),
    (Field::Regions, "regions", &[LineKind::Call]),
    (
        Field::Where,
        "where",
        &[
            LineKind::Query,
            LineKind::Call,
            LineKind::Graph,
            LineKind::Torch,
            LineKind::Stablehlo,
        ],
    ),
    (Field::Given, "given", &[LineKind::Graph, LineKind::Model]),
    (Field::Limit, "limit", QUERIES),
    (Field::MaxRank, "max_rank", BOUNDED),
    (Field::MaxDim, "max_dim", BOUNDED),
    (Field::PlainSizes, "plain_sizes", QUERIES),
    (
        Field::Notation,
        "notation",
        &[
            LineKind::Query,
            LineKind::Call,
            LineKind::Program,
            LineKind::Equations,
            LineKind::OfType,
            LineKind::Match,
        ],
    ),
    (Field::Promotion, "promotion", QUERIES),
    (Field::Budget, "budget", ALL),
    (Field::Timeout, "timeout", ALL),
    (Field::Types, "types", &[LineKind::Types]),
    (Field::A, "a", &[LineKind::Types]),
    (Field::B, "b", &[LineKind::Types]),
    (Field::Rule, "rule", &[LineKind::Rule]),
    (Field::Leaves, "leaves", &[LineKind::Rule]),
    (Field::Repairs, "repairs", &[LineKind::Rule]),
    (Field::Values, "values", &[LineKind::Rule]),
    (Field::Cost, "cost", &[LineKind::Rule, LineKind::Find]),
    (Field::Program, "program", &[LineKind::Program]),
    (Field::Entry, "entry", &[LineKind::Program]),
    (Field::Expressions, "expressions", &[LineKind::Program]),
    (Field::Equations, "equations", &[LineKind::Equations]),
    (Field::Relations, "relations", &[LineKind::Equations]),
    (Field::KindOf, "kind_of", &[LineKind::OfType]),
    (Field::Match, "match", &[LineKind::Match]),
    (Field::Adts, "adts", &[LineKind::OfType, LineKind::Match]),
    (Field::Model, "model", &[LineKind::Model]),
    (Field::Dims, "dims", &[LineKind::Model]),
    (Field::Cut, "cut", &[LineKind::Model]),
    (Field::Set, "set", &[LineKind::Model]),
    (
        Field::TrustAnnotations,
        "trust_annotations",
        &[LineKind::Model],
    ),
    (
        Field::AssumeNonempty,
        "assume_nonempty",
        &[LineKind::Graph, LineKind::Model],
    ),
    (Field::Parts, "parts", &[LineKind::Model]),
    (Field::Why, "why", &[LineKind::Model]),
    (Field::Diff, "diff", &[LineKind::Model]),
    (Field::Catalog, "catalog", &[LineKind::Catalog]),
    (Field::Find, "find", &[LineKind::Find]),
    (Field::Torch, "torch", &[LineKind::Torch]),
    (Field::Stablehlo, "stablehlo", &[LineKind::Stablehlo]),
    (Field::Declared, "declared", &[LineKind::Stablehlo]),
    (Field::From, "from", &[LineKind::Model]),
    (Field::To, "to", &[LineKind::Model]),
    (Field::Parse, "parse", &[LineKind::Parse]),
    (Field::As, "as", &[LineKind::Parse]),
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
    pub(crate) fn foreign_to(kind: LineKind) -> impl Iterator<Item = Field> {
        let foreign = move |row: &&FieldRow| !row.2.contains(&kind);
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
