//! What is calculated is what the engine finds.

use crate::ask;
use crate::case::{self, Case};
use kanshape::Answer;

fn answers(case: &Case, short: bool) -> Option<(Vec<Answer>, bool)> {
    let outputs = ask::hidden(&case.outputs());
    let query = ask::query(case, case.inputs(), outputs).ok()?;
    let query = if short {
        query
    } else {
        query.without_shortcut()
    };
    let mut answers = query.limit(5).solve().ok()?;
    let found = answers.by_ref().collect();
    Some((found, answers.complete()))
}

#[test]
fn what_is_calculated_is_what_the_engine_finds() {
    for case in case::all() {
        assert_eq!(answers(&case, true), answers(&case, false), "{}", case.id);
    }
}
