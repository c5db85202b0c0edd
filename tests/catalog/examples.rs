//! Every example answers what it says; every operator of `ops/` has one forwards and one backwards.

use crate::{everyday, numpy};
use kanshape::{
    AttrValue, Dim, Operator, Type,
    operator::{Example, Expected},
};

fn wrong(operator: &Operator) -> Vec<String> {
    let check = |written| {
        let example = Example::read(operator, &written).map_err(|mistake| mistake.to_string())?;
        let query = example
            .query(operator)
            .map_err(|mistake| mistake.to_string())?;
        let expected = example
            .answers
            .ok_or_else(|| "without answers".to_owned())?;
        match expected.of(&query) {
            Ok(found) if found == expected => Ok(()),
            found => Err(format!(
                "{}: {expected:?}, found {found:?}",
                written.question
            )),
        }
    };
    let wrong = operator
        .examples()
        .filter_map(|example| check(example).err());
    wrong
        .map(|why| format!("{}: {why}", operator.full_name()))
        .collect()
}

#[test]
fn every_example_answers_what_it_says() {
    let wrong: Vec<String> = everyday().iter().flat_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Is anything open that a call would give: an input or a parameter in brackets?
fn is_backwards(operator: &Operator, example: &Example) -> bool {
    let params: Vec<&str> = match operator.signature() {
        // How long a run is follows from the inputs.
        Some(signature) => {
            let declared = signature.tree().params.iter();
            declared.map(|p| &*p.label.node).collect()
        }
        None => operator.attributes().map(|attr| attr.name).collect(),
    };
    let is_open = |value: &AttrValue| matches!(value, AttrValue::Hole | AttrValue::Dim(Dim::Hole));
    let given = |label: &str| {
        example
            .attrs
            .iter()
            .any(|a| *a.0 == *label && !is_open(&a.1))
    };
    let open = |ty: &Option<Type>| {
        let tensor = ty.as_ref().and_then(Type::as_tensor);
        !tensor.is_some_and(|tensor| tensor.shape.is_ground())
    };
    params.iter().any(|p| !given(p)) || example.inputs.iter().any(open)
}

#[test]
fn every_operator_is_shown_forwards_and_backwards() {
    let mut lacking = Vec::new();
    for operator in everyday() {
        let read = operator
            .examples()
            .map(|e| Example::read(&operator, &e).unwrap());
        let solved = read.filter(|e| e.answers != Some(Expected::Never));
        let (backwards, forwards): (Vec<_>, Vec<_>) =
            solved.partition(|e| is_backwards(&operator, e));
        if forwards.is_empty() || backwards.is_empty() {
            lacking.push(operator.full_name());
        }
    }
    assert!(lacking.is_empty(), "{lacking:?}");
}

#[test]
fn there_is_one_for_everyday_work() {
    assert_eq!(everyday().len(), 140);
    let names = everyday()
        .iter()
        .map(|op| 1 + op.aliases().count())
        .sum::<usize>();
    assert_eq!(names, 228);
    let documented = |op: &Operator| {
        let doc: Vec<&str> = op.doc().collect();
        let (what, from) = doc.split_at(doc.iter().position(|l| l.is_empty()).unwrap());
        !what.is_empty() && from[1].starts_with("From ")
    };
    assert!(everyday().iter().all(documented));
}

#[test]
fn all_examples_are_there() {
    let count: usize = everyday().iter().map(|op| op.examples().count()).sum();
    assert_eq!(count, 404);
}

#[test]
fn there_is_one_for_each_function_of_numpy() {
    let names = numpy()
        .iter()
        .map(|op| 1 + op.aliases().count())
        .sum::<usize>();
    assert_eq!((numpy().len(), names), (192, 308));
}
