//! With the inputs given, the outputs are the recorded ones.

use crate::ask;
use crate::case::{self, Case};
use crate::score::{Found, Score};

/// The outputs whose whole type follows, of all that are recorded.
const FULL: usize = 997;

/// The answers that are looked at.
const PATIENCE: usize = 50;

/// What is found of each output, and what there is to say where it is not all.
pub(crate) fn outputs(case: &Case) -> (Vec<Found>, String) {
    let recorded = case.outputs();
    let count = recorded.iter().flatten().count();
    let nothing = |why: String| (vec![Found::Nothing; count], why);
    let query = ask::query(case, case.inputs(), ask::hidden(&recorded));
    let mut answers = match query.and_then(|query| query.solve().map_err(|e| e.to_string())) {
        Ok(answers) => answers,
        Err(why) => return nothing(why),
    };
    let found: Vec<_> = answers.by_ref().take(PATIENCE).collect();
    let text: Vec<String> = found.iter().map(ToString::to_string).collect();
    let text = text.join(" | ");
    if !found
        .iter()
        .any(|answer| ask::admits_all(answer, &recorded))
    {
        return match answers.complete() {
            true => (vec![Found::Wrong; count], text),
            false => nothing(format!("out of budget: {text}")),
        };
    }
    let is = |at: usize, ty: &kanshape::Type| {
        let mut types = found.iter().map(|answer| answer.outputs[at].clone());
        types.all(|found| found.with_contents(None) == ty.clone().with_contents(None))
    };
    let recorded = recorded.iter().flatten().enumerate();
    let found = recorded.map(|(at, ty)| if is(at, ty) { Found::Full } else { Found::Part });
    (found.collect(), text)
}

#[test]
fn outputs_are_the_recorded_ones() {
    let mut score = Score::default();
    let mut wrong = Vec::new();
    for case in case::all() {
        let (found, text) = outputs(&case);
        for found in &found {
            score.count(&case.name(), *found);
        }
        if found.iter().any(|found| *found != Found::Full) {
            println!("{}: {found:?}: {text}", case.id);
        }
        if found.contains(&Found::Wrong) {
            wrong.push(format!("{}: {text}", case.id));
        }
    }
    println!("{score}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(score.total(Found::Full), FULL, "{score}");
}
