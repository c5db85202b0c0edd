//! A printed answer is the same query again: solved, it holds for all of its names, and its answer is itself.

use crate::ground::{partly_known, query};
use kanshape::operator::Example;
use kanshape::{
    Answer, Call, Dim, Operator, Query, Shape, Signature, Tensor, Type, Verdict, catalog,
};
use kanshape_testkit::brute::Relation;
use kanshape_testkit::generate;
use kanshape_testkit::ground::Partial;
use kanshape_testkit::text::text_of;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// How many answers to a question are asked again.
const MOST: usize = 4;

const STEPS: u64 = 200_000;

/// What the answers to a question say, asked again.
fn check(question: &Query, text: &str) -> Result<(), TestCaseError> {
    let Ok(mut answers) = question.clone().limit(MOST).budget(STEPS).solve() else {
        // A size that is too large, or a name for two things.
        return Ok(());
    };
    for answer in answers.by_ref() {
        // A question gives what an operand is, or that it is left out; an attribute it gives as a value.
        if answer.absent.is_empty() && answer.attrs.is_empty() {
            ask(question, &answer, text)?;
        }
    }
    Ok(())
}

fn ask(question: &Query, answer: &Answer, text: &str) -> Result<(), TestCaseError> {
    let mut again = question
        .clone()
        .inputs(answer.inputs.clone())
        .outputs(answer.outputs.clone());
    for (label, value) in &answer.params {
        again = again.param(label, value.clone());
    }
    for condition in &answer.conditions {
        again = again.given(condition.clone());
    }
    let mut found = match again.limit(2).budget(STEPS).solve() {
        Ok(found) => found,
        Err(wrong) => {
            let why = format!("{text}\n answered {answer}\n asked again: {wrong}");
            return Err(TestCaseError::fail(why));
        }
    };
    let verdict = found.verdict();
    let all: Vec<Answer> = found.by_ref().collect();
    let context = || format!("{text}\n answered {answer}\n asked again, {verdict}: {all:?}");
    prop_assert!(verdict != Verdict::Never, "{}", context());
    // For a name that only conditions speak of some size has to do. The question is whether all do.
    if is_shown(answer) {
        prop_assert!(verdict != Verdict::Depends, "{}", context());
    }
    if let [own] = &all[..]
        && verdict == Verdict::Always
    {
        prop_assert_eq!(&own.inputs, &answer.inputs, "{}", context());
        prop_assert_eq!(&own.outputs, &answer.outputs, "{}", context());
    }
    Ok(())
}

/// Does a type or a parameter speak of each name of the conditions?
fn is_shown(answer: &Answer) -> bool {
    let mut shown: BTreeSet<String> = BTreeSet::new();
    for ty in answer.inputs.iter().chain(&answer.outputs) {
        ty.for_each_name(&mut |name| shown.extend([name.to_owned()]));
    }
    for (_, dim) in &answer.params {
        dim.for_each_name(&mut |name| shown.extend([name.to_owned()]));
    }
    let mut all = true;
    for condition in &answer.conditions {
        condition.for_each_name(&mut |name| {
            let is_dtype = name.parse::<kanshape::Dtype>().is_ok();
            all &= is_dtype || shown.contains(name);
        });
    }
    all
}

/// A type of which less is known: of a dim nothing, or a name that all dims of its size have.
fn hidden(ty: &Type, how: &mut impl Iterator<Item = u8>) -> Type {
    let mut how = || how.next().unwrap_or(0);
    let Some(tensor) = ty.as_tensor().filter(|_| how() < 7) else {
        return Type::UNKNOWN;
    };
    let Some(dims) = tensor.shape.dims() else {
        return ty.clone();
    };
    let mut is_hidden = false;
    let dims = dims.iter().map(|dim| match (how(), dim) {
        (0..3, dim) => dim.clone(),
        (3..5, _) => {
            is_hidden = true;
            Dim::Hole
        }
        (_, Dim::Size(n)) => {
            is_hidden = true;
            format!("s{n}").parse().unwrap()
        }
        (_, dim) => dim.clone(),
    });
    let dims: Vec<Dim> = dims.collect();
    match is_hidden {
        true => Tensor::new(tensor.dtype.clone(), Shape::known(dims)).into(),
        false => ty.clone(),
    }
}

/// A question about a call of an operator.
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) call: Call,
    pub(crate) query: Query,
    /// Nothing is stated but the types of the operands, and which of them are there is known.
    pub(crate) is_plain: bool,
}

/// Of an operator, one of its examples with something of it hidden.
pub(crate) fn question(operator: &Operator, nth: usize, how: &[u8]) -> Option<Question> {
    let written: Vec<_> = operator.examples().collect();
    let written = written.get(nth % written.len().max(1))?;
    let example = Example::read(operator, written).ok()?;
    let mut how = how.iter().copied();
    let mut call = match how.next() {
        Some(0..4) => example.forwards(),
        _ => example.call(),
    };
    // How many outputs there are may follow from the inputs: the answer is asked again with as many.
    let all = example
        .outputs
        .iter()
        .map(|ty| ty.as_ref().map(|_| Type::UNKNOWN));
    call.outputs.get_or_insert_with(|| all.collect());
    for ty in call.inputs.iter_mut().flatten() {
        *ty = hidden(ty, &mut how);
    }
    for ty in call.outputs.iter_mut().flatten().flatten() {
        *ty = hidden(ty, &mut how);
    }
    let text = format!("{} {call:?}", operator.full_name());
    let query = operator.query(call.clone()).ok()?;
    let conditions = example.conditions.iter().cloned();
    Some(Question {
        text,
        is_plain: example.conditions.is_empty() && call.may_be_absent.is_empty(),
        call,
        query: conditions.fold(query, Query::given),
    })
}

/// A size that would have to be larger than the largest one is beyond the solver, and no answer.
#[test]
fn what_only_sizes_beyond_the_largest_could_fulfil_is_unknown() {
    for text in ["(ceil(b/2) - b)-> where b > 1", "(b//2 - b)-> where b > 1"] {
        let signature: Signature = text.parse().unwrap();
        let mut answers = signature.query().input(0, Type::UNKNOWN).solve().unwrap();
        assert_eq!(answers.verdict(), kanshape::Verdict::Unknown, "{text}");
        assert_eq!(answers.next(), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases()))]

    #[test]
    fn answers_of_signatures(
        (tree, given) in partly_known(),
    ) {
        let text = text_of(&tree);
        let signature: Signature = text.parse().unwrap();
        check(&query(&signature, &given), &format!("{text} {given:?}"))?;
    }

    #[test]
    fn answers_of_expressions_of_hidden_names(
        tree in generate::signatures_in(generate::Style::expressions()),
    ) {
        let text = text_of(&tree);
        let signature: Signature = text.parse().unwrap();
        let (inputs, outputs) = Relation::new(&tree).unwrap().arity();
        let nothing = Partial::nothing(inputs, outputs);
        check(&query(&signature, &nothing), &text)?;
    }

    #[test]
    fn answers_of_operators(
        operator in any::<prop::sample::Index>(),
        example in any::<prop::sample::Index>(),
        how in prop::collection::vec(0..8u8, 40),
    ) {
        let all: Vec<Operator> = catalog().operators().collect();
        let operator = &all[operator.index(all.len())];
        if let Some(question) = question(operator, example.index(1 << 10), &how) {
            check(&question.query, &question.text)?;
        }
    }
}
