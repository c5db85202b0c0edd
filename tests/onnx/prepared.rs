//! A call that is prepared gives the answers of one that is not, however often, and in whatever thread it is used.

use crate::ask;
use crate::case;
use kanshape::{Answer, Call, Error, Operator, Prepared, Shape, Tensor, Type, catalog};

fn operator(name: &str) -> Operator {
    catalog().operator(name, None).unwrap()
}

fn prepared(name: &str, inputs: usize, attrs: &[(&str, &[i64])]) -> Prepared {
    let attrs = attrs.iter().map(|(name, members)| {
        let members: kanshape::AttrValue = members.iter().copied().collect();
        ((*name).into(), members)
    });
    let call = Call {
        inputs: vec![Some(Type::UNKNOWN); inputs],
        attrs: attrs.collect(),
        ..Call::default()
    };
    operator(name).prepare(call).unwrap()
}

fn types(texts: &[&str]) -> Vec<Type> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn the_recorded_calls() {
    let cases = case::all();
    let mut compared = 0;
    for case in &cases {
        let query = ask::query(case, case.inputs(), ask::hidden(&case.outputs())).unwrap();
        let expected: Vec<Answer> = query.clone().limit(2).solve().unwrap().collect();
        let (Some(operator), [expected]) = (query.operator(), &expected[..]) else {
            continue;
        };
        let call = Call {
            inputs: case.inputs(),
            outputs: Some(ask::hidden(&case.outputs())),
            attrs: case.attrs(),
            ..Call::default()
        };
        let unknown = Call {
            inputs: call
                .inputs
                .iter()
                .map(|ty| ty.as_ref().map(|_| Type::UNKNOWN))
                .collect(),
            ..call.clone()
        };
        let prepared = operator.prepare(unknown).unwrap();
        let inputs: Vec<Type> = call.inputs.into_iter().flatten().collect();
        for _ in 0..3 {
            assert_eq!(
                prepared.infer(&inputs).as_ref(),
                Ok(expected),
                "{}",
                case.id
            );
        }
        compared += 1;
    }
    assert_eq!((compared, cases.len()), (866, 866));
}

#[test]
fn names_and_holes() {
    let conv = prepared("Conv", 2, &[("strides", &[2, 2]), ("pads", &[3, 3, 3, 3])]);
    let inputs = types(&["f32[N, 3, H, W]", "f32[64, 3, 7, 7]"]);
    for _ in 0..3 {
        let answer = conv.infer(&inputs).unwrap();
        assert_eq!(
            answer.outputs[0].to_string(),
            "f32[N, 64, ceil(H/2), ceil(W/2)]"
        );
    }
    let outputs = types(&["f32[1, 64, 112, 112]"]);
    let backwards = conv.query().input(1, inputs[1].clone()).outputs(outputs);
    let first: Vec<Answer> = backwards.solve().unwrap().collect();
    let again: Vec<Answer> = backwards.solve().unwrap().collect();
    assert_eq!(first, again);
    assert_eq!(first.len(), 1, "{first:?}");
}

/// The inputs with each size other than 0 replaced.
fn resized(inputs: &[Type], dim: &dyn Fn(u64) -> String) -> Vec<Type> {
    let resized = |ty: &Type| {
        let Some(tensor) = ty.as_tensor().filter(|tensor| tensor.contents.is_none()) else {
            return ty.clone();
        };
        let dims = tensor.shape.iter().map(|own| match own.size() {
            None | Some(0) => own.clone(),
            Some(n) => dim(n).parse().unwrap(),
        });
        Tensor::new(tensor.dtype.clone(), dims.collect::<Shape>()).into()
    };
    inputs.iter().map(resized).collect()
}

/// An answer or an error as text.
fn outcome(answer: Result<Answer, Error>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(Error::Never(_)) => "never".into(),
        Err(other) => format!("{other:?}"),
    }
}

/// The first answer is calculated from the given sizes. Later ones substitute these sizes into what was calculated once for all
/// sizes.
#[test]
fn names_and_expressions_for_sizes() {
    let ways: [(&str, &dyn Fn(u64) -> String); 8] = [
        ("one name for each size", &|n| format!("n{n}")),
        ("one name for all", &|_| "d0".into()),
        ("a name for one size", &|n| match n {
            3 => "n".into(),
            _ => n.to_string(),
        }),
        ("sums", &|n| format!("2*n{n} + 1")),
        ("differences", &|n| format!("n - {n}")),
        ("quotients", &|n| format!("n//{}", n % 3 + 1)),
        ("names and holes", &|n| match n % 2 {
            0 => "?".into(),
            _ => format!("n{n}"),
        }),
        ("sums and holes", &|n| match n % 3 {
            0 => "?".into(),
            _ => format!("n + {n}"),
        }),
    ];
    let mut compared = [0; 8];
    for case in case::all() {
        let query = ask::query(&case, case.inputs(), ask::hidden(&case.outputs())).unwrap();
        let operator = query.operator().unwrap();
        let inputs: Vec<Type> = case.inputs().into_iter().flatten().collect();
        for ((what, dim), compared) in ways.iter().zip(&mut compared) {
            let given = resized(&inputs, dim);
            if given == inputs {
                continue;
            }
            let unknown = |ty: &Option<Type>| ty.as_ref().map(|_| Type::UNKNOWN);
            let call = Call {
                inputs: case.inputs().iter().map(unknown).collect(),
                outputs: Some(ask::hidden(&case.outputs())),
                attrs: case.attrs(),
                ..Call::default()
            };
            let prepared = operator.prepare(call).unwrap();
            let first = outcome(prepared.infer(&given));
            for _ in 0..2 {
                assert_eq!(
                    outcome(prepared.infer(&given)),
                    first,
                    "{}: {what}",
                    case.id
                );
            }
            *compared += 1;
        }
    }
    assert_eq!(compared, [345, 345, 232, 345, 345, 345, 345, 345]);
}

#[test]
fn one_for_all_threads() {
    let matmul = prepared("MatMul", 2, &[]);
    std::thread::scope(|scope| {
        for m in 1..5u32 {
            let matmul = &matmul;
            scope.spawn(move || {
                for n in 1..50u32 {
                    let inputs = [
                        kanshape::shorthand::f32s([m, n]),
                        kanshape::shorthand::f32s([n, 7]),
                    ];
                    let answer = matmul.infer(&inputs).unwrap();
                    assert_eq!(answer.outputs[0], kanshape::shorthand::f32s([m, 7]));
                }
            });
        }
    });
}

#[test]
fn a_refusal_explains_itself() {
    let matmul = prepared("MatMul", 2, &[]);
    let inputs = types(&["f32[2, 3]", "f32[4, 5]"]);
    let Err(Error::Never(refusal)) = matmul.infer(&inputs) else {
        panic!("it can't be");
    };
    assert_eq!(refusal.conflict(), &refusal.query().explain().unwrap());
    assert!(
        refusal.conflict().to_string().contains("is 4"),
        "{}",
        refusal.conflict()
    );
}
