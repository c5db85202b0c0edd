//! The names of one answer are none of another's.

use kanshape::{Answer, Call, Error, Operator, Signature, Type, catalog};
use std::collections::BTreeSet;

/// The names in an answer, wherever they stand.
fn names(answer: &Answer) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut note = |name: &str| {
        all.insert(name.to_string());
    };
    let types = answer.inputs.iter().chain(&answer.outputs);
    types.for_each(|ty| ty.for_each_name(&mut note));
    answer
        .params
        .iter()
        .for_each(|(_, dim)| dim.for_each_name(&mut note));
    for (_, value) in &answer.attrs {
        // A text is a text in an answer.
        value.map_names(&mut |name| {
            note(name);
            name.parse().unwrap()
        });
    }
    answer.conditions.for_each_name(&mut note);
    all
}

/// A call of which nothing is known, with every attribute that it has to give queried.
fn open_call(op: &Operator) -> Call {
    let attrs = op
        .attributes()
        .filter(|a| !a.optional && a.default.is_none());
    Call {
        inputs: op.inputs().map(|_| Some(Type::UNKNOWN)).collect(),
        attrs: attrs
            .map(|a| (a.name.into(), kanshape::AttrValue::Hole))
            .collect(),
        ..Call::default()
    }
}

#[test]
fn every_name_that_an_operator_makes_up_is_fresh() {
    let (mut queried, mut found) = (0, 0);
    for op in catalog().operators() {
        let Ok(query) = op.query(open_call(&op)) else {
            continue;
        };
        queried += 1;
        let answers = query.budget(20_000).limit(3).fresh("one_").solve().unwrap();
        for answer in answers {
            for name in names(&answer) {
                found += 1;
                assert!(
                    name.starts_with("one_"),
                    "{}: {name} in {answer}",
                    op.full_name()
                );
            }
        }
    }
    assert!(queried > 500 && found > 3_000, "{queried} {found}");
}

/// The answer to one question goes into the next, which has names like it, or the same prefix.
#[test]
fn names_of_answers_are_not_captured() {
    let add: Signature = "+(),()->()".parse().unwrap();
    let ask = |inputs: [&Type; 2], prefix: &str| {
        let query = add.query().inputs(inputs.map(Clone::clone)).fresh(prefix);
        query.one().unwrap().output(0).unwrap()
    };
    let [n, m, d0] = ["f32[n]", "f32[m]", "f32[d0]"].map(|text| text.parse().unwrap());
    let first = ask([&n, &m], "a_");
    assert_eq!(first.to_string(), "f32[a_d0] where a_d0 == broadcast(n, m)");
    let second = ask([&first, &d0], "a_");
    assert_eq!(
        second.to_string(),
        "f32[a_d1] where a_d0 == broadcast(n, m), a_d1 == broadcast(a_d0, d0)"
    );
}

#[test]
fn what_begins_no_name_is_refused() {
    let add: Signature = "+(),()->()".parse().unwrap();
    for prefix in ["1x", "a b", "...", "n + ", "é", "_", "", "größe_"] {
        let is_refused = matches!(add.query().fresh(prefix).one(), Err(Error::Text(_)));
        assert_eq!(
            is_refused,
            ["1x", "a b", "...", "n + "].contains(&prefix),
            "{prefix}"
        );
    }
}

/// Which of the two is meant is not guessed.
#[test]
fn an_attribute_is_given_once() {
    let concat = catalog().operator("onnx::Concat", None).unwrap();
    let x: Type = "f32[2]".parse().unwrap();
    let twice = concat
        .call([&x, &x])
        .attr("axis", 0)
        .attr("axis", 1)
        .infer();
    assert_eq!(twice.unwrap_err().diagnostic().unwrap().code, "K0316");
}
