//! With the outputs given and all inputs but one, the recorded input is among the answers.

use crate::ask;
use crate::case::{self, Case};
use kanshape::Type;

/// The hidden inputs that are found.
const FOUND: usize = 1819;

/// The answers that are looked through.
const PATIENCE: usize = 300;

/// Is this input among the answers, where all the rest is given?
fn found(case: &Case, at: usize) -> Result<(), String> {
    let mut inputs = case.inputs();
    let Some(recorded) = inputs[at].replace(Type::UNKNOWN) else {
        return Ok(());
    };
    let place = case.inputs()[..at].iter().flatten().count();
    let query = ask::query(case, inputs, case.outputs())?;
    let mut answers = query.solve().map_err(|e| e.to_string())?;
    let mut seen = Vec::new();
    for answer in answers.by_ref().take(PATIENCE) {
        if ask::admits(&answer.inputs[place], &recorded) {
            return Ok(());
        }
        seen.push(answer.to_string());
    }
    let complete = answers.complete();
    seen.truncate(3);
    Err(format!(
        "{recorded} is not found (complete: {complete}): {}",
        seen.join(" | ")
    ))
}

#[test]
fn each_input_alone_is_found() {
    let (mut count, mut lost) = (0, Vec::new());
    for case in case::all() {
        for (at, input) in case.inputs().iter().enumerate() {
            if input.is_none() {
                continue;
            }
            match found(&case, at) {
                Ok(()) => count += 1,
                Err(why) => lost.push(format!("{} input {at}: {why}", case.id)),
            }
        }
    }
    println!("{}\n{count} found, {} lost", lost.join("\n"), lost.len());
    assert_eq!(count, FOUND, "{} lost", lost.len());
}
