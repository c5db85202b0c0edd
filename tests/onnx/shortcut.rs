//! What is calculated is what the engine finds: of the recorded calls, and of such that are a little wrong.

use crate::ask;
use crate::case::{self, Case};
use kanshape::tree::relation;
use kanshape::{
    Answer, Call, Dim, Query, Shape, Type, Verdict, catalog, operator::Example, types::TypeKind,
};

/// What one of both ways says, as far as it says something.
fn answers(query: &Query, short: bool) -> Option<(Vec<Answer>, bool)> {
    let query = match short {
        true => query.clone(),
        false => query.clone().without_shortcut(),
    };
    let mut answers = query.limit(5).solve().ok()?;
    let found = answers.by_ref().collect();
    Some((found, answers.complete()))
}

/// Was there something to compare?
fn compare(query: &Query, what: &str) -> bool {
    let calculated = answers(query, true);
    assert_eq!(calculated, answers(query, false), "{what}");
    calculated.is_some()
}

/// How many questions were compared, and how many are none.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compared {
    compared: usize,
    skipped: usize,
}

impl Compared {
    fn count(&mut self, compared: bool) {
        *match compared {
            true => &mut self.compared,
            false => &mut self.skipped,
        } += 1;
    }
}

/// The same with the verdict, where the engine finds it out.
fn compare_all(query: &Query, what: &str) -> bool {
    let compared = compare(query, what);
    let verdict = |query: Query| query.solve().ok().map(|mut answers| answers.verdict());
    let engine = verdict(query.clone().without_shortcut());
    if engine != Some(Verdict::Unknown) {
        assert_eq!(verdict(query.clone()), engine, "{what}");
    }
    compared
}

fn ask(case: &Case, inputs: Vec<Option<Type>>) -> bool {
    let outputs = ask::hidden(&case.outputs());
    match ask::query(case, inputs.clone(), outputs) {
        Ok(query) => compare(&query, &format!("{} of {inputs:?}", case.id)),
        Err(_) => false,
    }
}

#[test]
fn the_recorded_calls() {
    let cases = case::all();
    let mut calculated = 0;
    for case in &cases {
        let query = ask::query(case, case.inputs(), ask::hidden(&case.outputs())).unwrap();
        assert!(compare(&query, &case.id), "{}", case.id);
        // The engine answers nothing without a step.
        let found = answers(&query.budget(0), true);
        calculated += usize::from(found.is_some_and(|(found, _)| !found.is_empty()));
    }
    assert_eq!((calculated, cases.len()), (770, 866));
}

/// What models are full of needs no engine.
#[test]
fn shapes_and_slices() {
    for (op, inputs) in [
        (
            "Slice",
            &[
                "f32[20,10,5]",
                "i64[1] = [0]",
                "i64[1] = [-1]",
                "i64[1] = [1]",
            ][..],
        ),
        (
            "Slice",
            &[
                "f32[20,10,5]",
                "i64[2] = [0,2]",
                "i64[2] = [3,9]",
                "i64[2] = [1,-1]",
                "i64[2] = [2,1]",
            ],
        ),
        ("Pad", &["f32[1,3,4,5]", "i64[8] = [0,0,1,1,0,0,1,1]"]),
        (
            "Pad",
            &["f32[4,5]", "i64[2] = [1,2]", "f32[]", "i64[1] = [-1]"],
        ),
        ("Gather", &["i64[4] = [1,3,224,224]", "i64[] = [2]"]),
        ("Reshape", &["f32[2,3,4]", "i64[2] = [0,-1]"]),
        ("Expand", &["f32[3,1]", "i64[3] = [2,1,6]"]),
        ("Split", &["f32[6,4]", "i64[2] = [2,4]"]),
    ] {
        let inputs = inputs.iter().map(|ty| Some(ty.parse().unwrap())).collect();
        let call = Call {
            inputs,
            ..Call::default()
        };
        let query = catalog().operator(op, None).unwrap().query(call).unwrap();
        assert!(compare(&query, op), "{op}");
        let (found, _) = answers(&query.budget(0), true).unwrap();
        assert_eq!(found.len(), 1, "{op}");
    }
}

/// The inputs with another type in this place.
fn with(inputs: &[Option<Type>], i: usize, ty: Type) -> Vec<Option<Type>> {
    let mut inputs = inputs.to_vec();
    inputs[i] = Some(ty);
    inputs
}

#[test]
fn without_the_contents_of_an_input() {
    let mut all = Compared::default();
    for case in case::all() {
        let inputs = case.inputs();
        for (i, ty) in inputs.iter().enumerate() {
            if let Some(ty) = ty {
                all.count(ask(&case, with(&inputs, i, ty.clone().with_contents(None))));
            }
        }
    }
    let known = Compared {
        compared: 1_819,
        skipped: 0,
    };
    assert_eq!(all, known);
}

/// The same with one dim of another size. Nothing is known of what is in it then.
fn resized(ty: &Type, axis: usize, size: impl Fn(u64) -> u64) -> Option<Type> {
    let TypeKind::Tensor(tensor) = &ty.kind else {
        return None;
    };
    let mut dims = tensor.shape.known_dims().to_vec();
    let dim = dims.get_mut(axis)?;
    *dim = Dim::Size(size(dim.size()?));
    let shape: Shape = dims.into_iter().collect();
    let tensor = kanshape::Tensor::new(tensor.dtype.clone(), shape);
    Some(tensor.into())
}

#[test]
fn with_another_size() {
    let mut all = Compared::default();
    for case in case::all() {
        let inputs = case.inputs();
        for (i, ty) in inputs.iter().enumerate() {
            let Some(ty) = ty else { continue };
            for axis in 0..4 {
                for size in [|n| n + 1, |_| 1, |_| 0] {
                    if let Some(ty) = resized(ty, axis, size) {
                        all.count(ask(&case, with(&inputs, i, ty)));
                    }
                }
            }
        }
    }
    let known = Compared {
        compared: 12_198,
        skipped: 0,
    };
    assert_eq!(all, known);
}

#[test]
fn with_one_dim_less() {
    let mut all = Compared::default();
    for case in case::all() {
        let inputs = case.inputs();
        for (i, ty) in inputs.iter().enumerate() {
            if let Some(TypeKind::Tensor(tensor)) = ty.as_ref().map(|ty| &ty.kind)
                && let [_, rest @ ..] = tensor.shape.known_dims()
            {
                let shape: Shape = rest.iter().cloned().collect();
                let ty = kanshape::Tensor::new(tensor.dtype.clone(), shape).into();
                all.count(ask(&case, with(&inputs, i, ty)));
            }
        }
    }
    let known = Compared {
        compared: 1_701,
        skipped: 0,
    };
    assert_eq!(all, known);
}

/// What is given of outputs is compared with what is calculated: as it is, with a hole, and a little wrong.
#[test]
fn with_outputs_given() {
    let mut all = Compared::default();
    for case in case::all() {
        let outputs = case.outputs();
        let mut given = |query: Query, outputs: &[Option<Type>], what: &str| {
            let types = outputs.iter().flatten().cloned();
            all.count(compare_all(
                &query.outputs(types),
                &format!("{} {what} {outputs:?}", case.id),
            ));
        };
        let query = || ask::query(&case, case.inputs(), ask::hidden(&outputs)).unwrap();
        given(query(), &outputs, "gives");
        for (i, ty) in outputs.iter().enumerate() {
            let Some(TypeKind::Tensor(tensor)) = ty.as_ref().map(|ty| &ty.kind) else {
                continue;
            };
            let shaped = |shape: Shape| {
                let ty = kanshape::Tensor::new(tensor.dtype.clone(), shape).into();
                with(&outputs, i, ty)
            };
            let of = |dims: Vec<Dim>| shaped(dims.into_iter().collect());
            let dims = tensor.shape.known_dims().to_vec();
            given(
                query(),
                &of([&dims[..], &[Dim::Size(1)]].concat()),
                "gives a dim more:",
            );
            for at in 0..=dims.len() {
                // Any number of dims in the place of one, or of none; and of one where there is another one behind it.
                let run = |dims: Vec<Dim>| Shape::known(dims).with_run(at, None);
                let mut fewer = dims.clone();
                fewer.drain(at..dims.len().min(at + 1));
                given(query(), &shaped(run(fewer.clone())), "gives a run:");
                given(query(), &shaped(run(dims.clone())), "gives an empty run:");
                fewer.push(Dim::Size(77));
                given(
                    query(),
                    &shaped(run(fewer)),
                    "gives a run and another size:",
                );
            }
            for axis in 0..dims.len() {
                for (dim, what) in [(Dim::Hole, "a hole:"), (Dim::Size(77), "another size:")] {
                    let mut dims = dims.clone();
                    dims[axis] = dim;
                    given(query(), &of(dims), what);
                }
            }
        }
    }
    let known = Compared {
        compared: 17_443,
        skipped: 0,
    };
    assert_eq!(all, known);
}

#[test]
fn the_examples_with_sizes_for_names() {
    let mut all = Compared::default();
    for operator in catalog().operators() {
        for example in operator.examples() {
            for size in ["0", "1", "2", "3", "4", "12"] {
                let ground = example
                    .question
                    .split_inclusive(|c: char| !c.is_alphanumeric())
                    .map(|word| match word.split_at_checked(1) {
                        Some(("n" | "m" | "k" | "N", rest))
                            if !rest.starts_with(char::is_alphanumeric) =>
                        {
                            format!("{size}{rest}")
                        }
                        _ => word.into(),
                    });
                let text: String = ground.collect();
                let written = relation::Example {
                    question: &text,
                    answers: example.answers.clone(),
                };
                let example = Example::read(&operator, &written);
                let query = example.and_then(|example| operator.query(example.forwards()));
                all.count(
                    query.is_ok_and(|query| compare(&query, &format!("{operator:?}: {text}"))),
                );
            }
        }
    }
    let known = Compared {
        compared: 17_820,
        skipped: 414,
    };
    assert_eq!(all, known);
}
