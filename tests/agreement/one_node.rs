//! A query and a graph of one node say the same of a call, whatever is hidden of it.

use crate::again::{Question, question};
use kanshape::graph::{Graph, ValueId};
use kanshape::{Answer, Call, Operator, Verdict, catalog};
use proptest::prelude::*;

const STEPS: u64 = 200_000;

/// The verdict of a graph with this call as its only node; none where a type can't be that of a value, or the call has outputs behind
/// those that it speaks of.
fn verdict_of_graph(operator: &Operator, call: &Call) -> Option<(Verdict, Answer)> {
    let mut graph = Graph::new(catalog());
    let outputs = call.outputs.as_ref()?;
    let there: Vec<bool> = call.inputs.iter().map(Option::is_some).collect();
    let is_made: Vec<bool> = outputs.iter().map(Option::is_some).collect();
    let prepared = graph.call(operator, call.attrs.clone(), &there, &is_made);
    let prepared = prepared.ok()?;
    let mut values: Vec<ValueId> = Vec::new();
    for ty in call.inputs.iter().flatten() {
        values.push(graph.value(ty).ok()?);
    }
    let (_, made) = graph.add(prepared, &values);
    let mut never = false;
    for (value, ty) in made.iter().zip(outputs.iter().flatten()) {
        never |= graph.assume(value, ty).is_err_and(|e| !e.is_undecided());
    }
    let made: Vec<ValueId> = made.iter().collect();
    let mut reading = graph.read();
    let answer = reading.answer(&values, &made);
    let verdict = if never {
        Verdict::Never
    } else {
        reading.verdict()
    };
    Some((verdict, answer))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases()))]

    #[test]
    fn verdicts_that_are_decided_are_the_same(
        operator in any::<prop::sample::Index>(),
        example in any::<prop::sample::Index>(),
        how in prop::collection::vec(0..8u8, 40),
    ) {
        let all: Vec<Operator> = catalog().operators().collect();
        let operator = &all[operator.index(all.len())];
        let question = question(operator, example.index(1 << 10), &how);
        let Some(Question { text, call, query, is_plain: true }) = question else {
            return Ok(());
        };
        let Some((graph, written)) = verdict_of_graph(operator, &call) else {
            return Ok(());
        };
        let mut answers = query.limit(2).budget(STEPS).solve().unwrap();
        let verdict = answers.verdict();
        let both = [verdict, graph];
        if !both.contains(&Verdict::Unknown) {
            let all: Vec<Answer> = answers.collect();
            prop_assert_eq!(verdict, graph, "{}\n query {:?}\n graph {}", text, all, written);
        }
    }
}
