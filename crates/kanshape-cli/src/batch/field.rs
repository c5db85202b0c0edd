//! [`Field`]: the fields that a line can have. [`Kind`]: what a line can ask.

/// What a line asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What follows for a signature.
    Query,
    /// What two types say of each other.
    Types,
}

impl Kind {
    /// What a message calls a line of this kind.
    pub(crate) fn called(self) -> &'static str {
        match self {
            Kind::Query => "a query",
            Kind::Types => "a question about types",
        }
    }

    /// The names of the fields that a line of this kind can have.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'static str> {
        let belong = move |(_, _, kind): &&Row| kind.is_none_or(|kind| kind == self);
        FIELDS.iter().filter(belong).map(|(_, name, _)| *name)
    }
}

/// A field of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Id,
    Signature,
    Inputs,
    Outputs,
    Params,
    Where,
    Limit,
    MaxRank,
    MaxDim,
    PlainSizes,
    Promotion,
    Budget,
    Types,
    A,
    B,
}

/// A field, its name, and the kind of line that it belongs to, if it does not to all.
type Row = (Field, &'static str, Option<Kind>);

/// All fields, in the order of [`Field`].
const FIELDS: [Row; Field::COUNT] = [
    (Field::Id, "id", None),
    (Field::Signature, "signature", Some(Kind::Query)),
    (Field::Inputs, "inputs", Some(Kind::Query)),
    (Field::Outputs, "outputs", Some(Kind::Query)),
    (Field::Params, "params", Some(Kind::Query)),
    (Field::Where, "where", Some(Kind::Query)),
    (Field::Limit, "limit", Some(Kind::Query)),
    (Field::MaxRank, "max_rank", Some(Kind::Query)),
    (Field::MaxDim, "max_dim", Some(Kind::Query)),
    (Field::PlainSizes, "plain_sizes", Some(Kind::Query)),
    (Field::Promotion, "promotion", Some(Kind::Query)),
    (Field::Budget, "budget", Some(Kind::Query)),
    (Field::Types, "types", Some(Kind::Types)),
    (Field::A, "a", Some(Kind::Types)),
    (Field::B, "b", Some(Kind::Types)),
];

impl Field {
    /// How many there are.
    pub(super) const COUNT: usize = 15;

    /// The field of this name.
    pub(super) fn named(name: &str) -> Option<Field> {
        let row = FIELDS.iter().find(|row| row.1 == name);
        row.map(|row| row.0)
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        FIELDS[self as usize].1
    }

    /// All fields that a line of this kind does not have.
    pub(super) fn foreign_to(kind: Kind) -> impl Iterator<Item = Field> {
        let foreign = move |row: &&Row| row.2.is_some_and(|other| other != kind);
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
