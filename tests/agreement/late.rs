//! What is given later is as what is given at once: a graph that learns its sizes one after the other ends where a
//! question about all of them does.

use crate::ground::{BOUNDS, query, ty};
use kanshape::graph::Graph;
use kanshape::{Relations, Signature, Type, Verdict};
use kanshape_testkit::brute::Relation;
use kanshape_testkit::generate;
use kanshape_testkit::ground::{Ground, Partial, PartialShape};
use proptest::prelude::*;

/// The same ranks, with no size.
fn open(shape: &PartialShape) -> Type {
    ty(&shape.as_ref().map(|dims| vec![None; dims.len()]))
}

/// Gives the operands one after the other, in this order.
fn check(text: &str, given: &Partial, order: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let signature: Signature = text.parse().unwrap();
    let relations = Relations::load_str("own.kan", &format!("op Own \"{text}\"")).unwrap();
    let operator = relations.operator("Own", None).unwrap();
    let mut graph = Graph::new(&relations);
    let inputs = given.inputs.iter().map(|shape| graph.value(&open(shape)));
    let inputs: Vec<_> = inputs.map(Result::unwrap).collect();
    let [takes, gives] = [&given.inputs, &given.outputs].map(|all| vec![true; all.len()]);
    let call = graph.call(&operator, vec![], &takes, &gives).unwrap();
    let (_, outputs) = graph.add(call, &inputs);
    let shapes = given.inputs.iter().chain(&given.outputs);
    let mut left: Vec<_> = inputs
        .into_iter()
        .chain(outputs.iter())
        .zip(shapes)
        .collect();
    let mut holds = graph.problems().len() == 0;
    let mut order = order.iter().cycle();
    while let (true, false) = (holds, left.is_empty()) {
        let at = order.next().map_or(0, |index| index.index(left.len()));
        let (value, shape) = left.swap_remove(at);
        holds = graph.assume(value, &ty(shape)).is_ok();
    }
    let at_once = query(&signature, given).solve().unwrap().verdict();
    match (at_once, holds) {
        (Verdict::Never, true) => {
            let later = graph.read().verdict();
            prop_assert!(
                later != Verdict::Always,
                "{} {:?} can't be, and the graph says {:?}",
                text,
                given,
                later
            );
        }
        (Verdict::Always | Verdict::Depends, holds) => {
            prop_assert!(holds, "{} {:?} can be", text, given);
        }
        (Verdict::Never, false) | (Verdict::Unknown, _) => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases()))]

    #[test]
    fn later_is_as_at_once(
        tree in generate::signatures(),
        seed in any::<prop::sample::Index>(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 4),
        other in 0u64..5,
    ) {
        let text = kanshape_testkit::text::text_of(&tree);
        let relation = Relation::new(&tree).unwrap().searching_to(12);
        let (inputs, outputs) = relation.arity();
        let nothing = Partial::nothing(inputs, outputs);
        let all: Vec<Ground> = relation.solutions_up_to(200, BOUNDS, &nothing).into_iter().collect();
        prop_assume!(!all.is_empty());
        let mut given = Partial::everything(&all[seed.index(all.len())]);
        given.params.clear();
        check(&text, &given, &order)?;
        // One size after the other is another one.
        let operands = inputs + outputs;
        for operand in 0..operands {
            let shape = |given: &mut Partial| match operand.checked_sub(inputs) {
                None => given.inputs[operand].clone(),
                Some(output) => given.outputs[output].clone(),
            };
            for axis in 0..shape(&mut given).map_or(0, |dims| dims.len()) {
                let mut given = given.clone();
                let shapes = match operand.checked_sub(inputs) {
                    None => &mut given.inputs[operand],
                    Some(output) => &mut given.outputs[output],
                };
                shapes.as_mut().unwrap()[axis] = Some(other);
                check(&text, &given, &order)?;
            }
        }
    }
}
