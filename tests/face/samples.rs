//! Samples: what is drawn fits the rule, is in numbers, and the counter samples do not fit.

use kanshape::{Answer, Query, Signature, Type, Verdict, catalog};
use kanshape_infer::strategies;
use proptest::test_runner::{Config, TestError, TestRunner};

/// SplitMix64.
fn random(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn is_ground(ty: &Type) -> bool {
    ty.as_tensor()
        .is_some_and(|tensor| tensor.shape.is_ground() && tensor.dtype.known().is_some())
}

fn verdict(query: &Query, answer: &Answer) -> Verdict {
    let inputs = query.clone().inputs(answer.inputs.iter().cloned());
    let mut query = inputs.outputs(answer.outputs.iter().cloned());
    for (label, dim) in &answer.params {
        query = query.param(label, dim.clone());
    }
    query.solve().unwrap().verdict()
}

const RULES: [&str; 8] = [
    "(m,n),(n,p)->(m,p)",
    "+(m?,n):x,(n,p?):y->(m?,p?):z where z == promote(x, y)",
    "+(),()->()",
    "[s] (h),(k)->((h - k)//s + 1) where s >= 1",
    "(...a,n),(...b,n)->(...a,...b) where n >= 2",
    "(n):Float->(n*n):i64 where n % 2 == 0",
    "(a,b)->(a + b)",
    "t[m, n], (m):Bool -> t[k, n] where k <= m",
];

#[test]
fn samples_fit_their_rules() {
    let mut random = random(7);
    for rule in RULES {
        let rule: Signature = match rule.parse() {
            Ok(rule) => rule,
            Err(mistake) => panic!("{rule}: {mistake}"),
        };
        let query = rule.query();
        for _ in 0..12 {
            let sample = query.sample(&mut random).unwrap();
            let sample = sample.unwrap_or_else(|| panic!("{rule} has no sample"));
            assert!(
                sample.inputs.iter().chain(&sample.outputs).all(is_ground),
                "{rule}: {sample}"
            );
            assert_eq!(
                verdict(&query, &sample),
                Verdict::Always,
                "{rule}: {sample}"
            );
        }
        let misfit = query.sample_misfit(&mut random).unwrap();
        let misfit = misfit.unwrap_or_else(|| panic!("{rule} has no misfit"));
        let spoiled = query.clone().inputs(misfit);
        assert_eq!(
            spoiled.solve().unwrap().verdict(),
            Verdict::Never,
            "{spoiled:?}"
        );
    }
}

/// What is given stays, and bounds are kept.
#[test]
fn samples_are_of_the_query() {
    let add: Signature = "+(),()->()".parse().unwrap();
    let query = add
        .query()
        .output(0, "f32[3, n]".parse().unwrap())
        .ground()
        .max_dim(3);
    let mut random = random(1);
    for _ in 0..20 {
        let sample = query.sample(&mut random).unwrap().unwrap();
        let output = sample.outputs[0].as_tensor().unwrap();
        assert_eq!(output.shape.rank(), Some(2), "{sample}");
        let sizes: Vec<u64> = output.shape.iter().map(|dim| dim.size().unwrap()).collect();
        assert!(sizes[0] == 3 && sizes[1] <= 3, "{sample}");
    }
}

/// Every operator of the catalog that is one line.
#[test]
fn operators_of_the_catalog_have_samples() {
    let mut random = random(3);
    let (mut all, mut without) = (0, Vec::new());
    for operator in catalog().operators() {
        let Some(signature) = operator.signature() else {
            continue;
        };
        all += 1;
        match signature.query().sample(&mut random).unwrap() {
            Some(sample) => {
                let query = signature.query();
                assert_ne!(
                    verdict(&query, &sample),
                    Verdict::Never,
                    "{}: {sample}",
                    operator.full_name()
                );
            }
            None => without.push(operator.full_name()),
        }
    }
    assert!(all > 100, "{all}");
    assert_eq!(without, [""; 0]);
}

#[test]
fn failing_samples_shrink() {
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    let found = runner.run(&strategies::inputs(matmul.query()), |inputs| {
        let shape = &inputs[0].as_tensor().unwrap().shape;
        let rows = shape.iter().next().and_then(kanshape::Dim::size).unwrap();
        if rows >= 2 {
            return Err(proptest::test_runner::TestCaseError::fail("many rows"));
        }
        Ok(())
    });
    let Err(TestError::Fail(_, inputs)) = found else {
        panic!("{found:?}")
    };
    // Within a bound of 2 on sizes there is one.
    let shape = &inputs[0].as_tensor().unwrap().shape;
    assert!(
        shape.iter().all(|dim| dim.size().unwrap() <= 3),
        "{inputs:?}"
    );
}
