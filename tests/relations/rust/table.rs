//! Tables of numbers in Rust, against the same tables written out as clauses, and against brute force.

use super::super::ground;
use kanshape::{
    Relations,
    relation::{Args, Impossible, Progress, RustRelation},
};
use proptest::prelude::*;

type Row = [i64; 3];
const MOST: i64 = 4;

/// The rows of a table. Eager, it says of each number at once which ones are left; otherwise it waits until it
/// knows one.
struct Table {
    rows: Vec<Row>,
    eager: bool,
}

impl RustRelation for Table {
    fn name(&self) -> &str {
        "Table"
    }

    fn kinds(&self) -> Vec<&str> {
        vec!["int"; 3]
    }

    fn refine(&self, args: &mut Args<'_>) -> Result<Progress, Impossible> {
        let places: [_; 3] = args.all();
        let known = places.clone().map(|p| args.value(&p));
        if !self.eager && known == [None; 3] {
            return Ok(Progress::Waiting);
        }
        let mut left = self.rows.clone();
        left.retain(|row| (0..3).all(|i| args.may_be(&places[i], row[i])));
        for i in 0..3 {
            args.one_of(&places[i], left.iter().map(|row| row[i]))?;
        }
        match &left[..] {
            [] => Err(Impossible),
            [_] => Ok(Progress::Done),
            _ => Ok(Progress::Waiting),
        }
    }
}

/// The clauses that say the same.
fn clauses(rows: &[Row]) -> String {
    let mut text = String::new();
    for [a, b, c] in rows {
        text += &format!("Table({a}, {b}, {c})\n");
    }
    text
}

const RULE: &str = "
Both(Tensor([a], T), Tensor([b], T), Tensor([c], T), Tensor([d], T)) :-
    Table(a, b, c), Table(d, x, a), x <= b
";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn agree(
        mut rows in prop::collection::vec([0..=MOST, 0..=MOST, 0..=MOST], 1..8),
        given in prop::array::uniform4(prop::option::weighted(0.3, 0..=MOST)),
    ) {
        rows.sort_unstable();
        rows.dedup();
        let types = given.map(|n| n.map_or("f32[?]".into(), |n| format!("f32[{n}]")));
        let types: Vec<&str> = types.iter().map(String::as_str).collect();
        let ask = |relations: &Relations| {
            let mut found = ground(relations, "Both", &types, 1, MOST as u64);
            found.sort();
            found
        };
        let mut expected = Vec::new();
        for [a, b, c] in &rows {
            for [d, x, e] in &rows {
                let numbers = [*a, *b, *c, *d];
                let fits = given.iter().zip(numbers).all(|(g, n)| g.is_none_or(|g| g == n));
                if a == e && x <= b && fits {
                    expected.push(format!("f32[{a}], f32[{b}], f32[{c}] -> f32[{d}]"));
                }
            }
        }
        expected.sort();
        expected.dedup();
        let text = format!("{}{RULE}", clauses(&rows));
        prop_assert_eq!(&ask(&Relations::load_str("table.kan", &text).unwrap()), &expected);
        for eager in [true, false] {
            let table = Table { rows: rows.clone(), eager };
            let relations = Relations::standard().with_relation(table).unwrap();
            let relations = relations.with([("rule.kan", RULE)]).unwrap();
            prop_assert_eq!(&ask(&relations), &expected);
        }
    }
}
