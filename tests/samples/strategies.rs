//! Strategies of proptest: what they give fits, or just doesn't, and shrinks to what is small.

// `kanshape::proptest` is this, behind a feature.
use kanshape::{Call, Operator, Signature, Verdict, catalog};
use kanshape_infer::strategy::{almost, inputs};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestError, TestRunner};

fn runner() -> TestRunner {
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(128)
    };
    TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    )
}

/// What a strategy shrinks to where a test fails.
fn least<S: Strategy<Value = Call>>(strategy: &S, fails: impl Fn(&Call) -> bool) -> String {
    let failed = runner().run(strategy, |call| {
        proptest::prop_assert!(!fails(&call));
        Ok(())
    });
    match failed {
        Err(TestError::Fail(_, call)) => call.to_string(),
        other => panic!("{other:?}"),
    }
}

fn dims(call: &Call, input: usize) -> Vec<u64> {
    let ty = call.inputs[input].as_ref().unwrap();
    let shape = &ty.as_tensor().unwrap().shape;
    shape.iter().map(|dim| dim.extent().unwrap()).collect()
}

fn operator(name: &str) -> Operator {
    catalog().operator(name, None).unwrap()
}

#[test]
fn they_shrink_to_small_calls_that_fit() {
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let long = |call: &Call| dims(call, 0)[1] >= 2;
    assert_eq!(least(&inputs(&matmul), long), "f32[0, 2], f32[2, 0]");
    let conv = operator("onnx::Conv");
    let channels = |call: &Call| dims(call, 1)[0] >= 3;
    let text = least(&inputs(&conv), channels);
    let call: Call = text.parse().unwrap();
    assert!(conv.query(call.clone()).unwrap().one().is_ok(), "{text}");
    assert_eq!(dims(&call, 1)[0], 3, "{text}");
    assert_eq!(dims(&call, 0).len(), 3, "{text}");
}

#[test]
fn what_does_not_fit_shrinks_to_what_does_not_fit() {
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let text = least(&almost(&matmul), |_| true);
    let call: Call = text.parse().unwrap();
    let given: Vec<_> = call.inputs.into_iter().flatten().collect();
    assert_eq!(matmul.check(&given, &[]).unwrap(), Verdict::Never, "{text}");
    assert_eq!(text, "f32[0, 1], f32[0, 0]");
}

#[test]
fn prepared_operators_keep_their_attributes() {
    let call = "[axis = 1] ?, ?".parse().unwrap();
    let concat = operator("onnx::Concat").prepare(call).unwrap();
    let ran = runner().run(&inputs(&concat), |call| {
        let (x, y) = (dims(&call, 0), dims(&call, 1));
        proptest::prop_assert!(x.len() == y.len() && x.len() > 1);
        let given: Vec<_> = call.inputs.into_iter().flatten().collect();
        proptest::prop_assert!(concat.infer(&given).is_ok());
        Ok(())
    });
    ran.unwrap();
}
