//! Relations in Rust, called from text: in every direction, of every kind of argument.

mod directions;
mod kinds;
mod operators;
mod registered;
mod table;
mod undecided;

use kanshape::{
    Relations,
    relation::{Args, Impossible, Progress, RustRelation},
};

/// What a relation in Rust says.
type Say = fn(&mut Args<'_>) -> Result<Progress, Impossible>;

/// A relation made of a function.
pub(super) struct Stated {
    name: &'static str,
    kinds: &'static [&'static str],
    is_redundant: bool,
    say: Say,
}

impl RustRelation for Stated {
    fn name(&self) -> &str {
        self.name
    }

    fn kinds(&self) -> Vec<&str> {
        self.kinds.to_vec()
    }

    fn refine(&self, args: &mut Args<'_>) -> Result<Progress, Impossible> {
        (self.say)(args)
    }

    fn is_redundant(&self) -> bool {
        self.is_redundant
    }
}

/// A relation of these kinds of things.
pub(super) fn stated(name: &'static str, kinds: &'static [&'static str], say: Say) -> Stated {
    Stated {
        name,
        kinds,
        is_redundant: false,
        say,
    }
}

/// The relations of a text that calls these.
pub(super) fn load(stated: impl IntoIterator<Item = Stated>, text: &str) -> Relations {
    let mut relations = Relations::standard();
    for relation in stated {
        relations = relations.with_relation(relation).unwrap();
    }
    let relations = relations.with([("test.kan", text)]);
    let relations = relations.unwrap_or_else(|d| panic!("{d}"));
    let warnings: Vec<String> = relations.warnings().map(|d| d.to_string()).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
    relations
}
