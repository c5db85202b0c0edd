//! [`Field`]: the fields that a line can have. [`Kind`]: what a line can ask.

/// What a line asks.
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
    /// Which operators make a type of others.
    Find,
}

impl Kind {
    /// What a message calls a line of this kind.
    pub(crate) fn called(self) -> &'static str {
        match self {
            Kind::Query => "a query",
            Kind::Call => "a query about an operator",
            Kind::Graph => "a query about a graph",
            Kind::Types => "a question about types",
            Kind::Rule => "a question about a rule",
            Kind::Find => "a search for operators",
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
    Where,
    Given,
    Limit,
    MaxRank,
    MaxDim,
    PlainSizes,
    Promotion,
    Budget,
    Timeout,
    Types,
    A,
    B,
    Rule,
    Leaves,
    Find,
}

/// A field, its name, and the kinds of line that have it.
type Row = (Field, &'static str, &'static [Kind]);

const ALL: &[Kind] = &[
    Kind::Query,
    Kind::Call,
    Kind::Graph,
    Kind::Types,
    Kind::Rule,
    Kind::Find,
];
const ASKS: &[Kind] = &[Kind::Query, Kind::Call];
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
        &[Kind::Call, Kind::Graph, Kind::Rule, Kind::Find],
    ),
    (Field::Inputs, "inputs", ASKS),
    (Field::Outputs, "outputs", ASKS),
    (Field::Params, "params", &[Kind::Query]),
    (Field::Attrs, "attrs", &[Kind::Call]),
    (
        Field::Where,
        "where",
        &[Kind::Query, Kind::Call, Kind::Graph],
    ),
    (Field::Given, "given", &[Kind::Graph]),
    (Field::Limit, "limit", ASKS),
    (Field::MaxRank, "max_rank", BOUNDED),
    (Field::MaxDim, "max_dim", BOUNDED),
    (Field::PlainSizes, "plain_sizes", ASKS),
    (Field::Promotion, "promotion", ASKS),
    (Field::Budget, "budget", ALL),
    (Field::Timeout, "timeout", ALL),
    (Field::Types, "types", &[Kind::Types]),
    (Field::A, "a", &[Kind::Types]),
    (Field::B, "b", &[Kind::Types]),
    (Field::Rule, "rule", &[Kind::Rule]),
    (Field::Leaves, "leaves", &[Kind::Rule]),
    (Field::Find, "find", &[Kind::Find]),
];

impl Field {
    /// How many there are.
    pub(crate) const COUNT: usize = 24;

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
