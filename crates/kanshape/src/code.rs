//! The codes of texts, types, queries and their answers. A code keeps its meaning for good.

pub use kanshape_infer::code::*;
pub use kanshape_rules::code::*;
pub use kanshape_types::code::*;

/// The codes of texts that can't be read: what they are refused for is their form.
pub mod text {
    pub use kanshape_syntax::code::*;
}

const TABLES: [&[(&str, &str)]; 4] = [
    kanshape_syntax::code::ALL,
    kanshape_types::code::ALL,
    kanshape_rules::code::ALL,
    kanshape_infer::code::ALL,
];

/// Every code with its meaning.
pub const ALL: &[(&str, &str)] =
    &joined::<{ TABLES[0].len() + TABLES[1].len() + TABLES[2].len() + TABLES[3].len() }>();

const fn joined<const N: usize>() -> [(&'static str, &'static str); N] {
    let mut all = [("", ""); N];
    let (mut table, mut row, mut at) = (0, 0, 0);
    while at < N {
        if row == TABLES[table].len() {
            (table, row) = (table + 1, 0);
            continue;
        }
        all[at] = TABLES[table][row];
        (row, at) = (row + 1, at + 1);
    }
    all
}
