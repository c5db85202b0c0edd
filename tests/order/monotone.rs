//! A more precise input never gives a less precise output.

use kanshape::order::{is_super, meet_all, same};
use kanshape::{Answer, Dim, DtypeTerm, Shape, Signature, Tensor, Type, Verdict};
use proptest::prelude::*;
use proptest::sample::select;

const SIGNATURES: [&str; 12] = [
    "(m,n),(n,p)->(m,p)",
    "+(m?,n),(n,p?)->(m?,p?)",
    "+(),()->()",
    "=(d),(d)->()",
    "(...,n)->(n,...)",
    "[s] (h),(k)->((h - k)//s + 1)",
    "(a),(b)->(a+b)",
    "(...r)->(prod(...r))",
    "(a,b)->(2*a,min(a,b))",
    "(a):x,(b):y->(a):promote(x,y)",
    "(n|1),(n)->(n)",
    "(.2.,d,...)->(.2.,...)",
];

fn dims() -> impl Strategy<Value = Vec<Option<u64>>> {
    prop::collection::vec(prop::option::of(0..4u64), 0..4)
}

/// The type with unknown sizes where `known` says no.
fn ty(dims: &[Option<u64>], dtype: &str) -> Type {
    let dims = dims.iter().map(|d| d.map_or(Dim::Hole, Dim::Size));
    let dtype: Type = format!("{dtype}[]").parse().unwrap();
    let dtype = dtype.as_tensor().unwrap().dtype.clone();
    Type::tensor(dtype, dims.collect::<Vec<_>>())
}

/// What an answer surely says of an output: its own names may be anything.
fn sure(ty: &Type) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        return ty.clone();
    };
    let dims = |dims: &[Dim]| -> Vec<Dim> {
        let known = dims.iter().map(|d| match d {
            Dim::Size(_) => d.clone(),
            _ => Dim::Hole,
        });
        known.collect()
    };
    let mut shape: Shape = dims(tensor.shape.known_dims()).into_iter().collect();
    if let Some(run) = tensor.shape.run() {
        shape = shape.with_run(run.at, None);
    }
    let dtype = match &tensor.dtype {
        DtypeTerm::Name(_) => DtypeTerm::Hole,
        known => known.clone(),
    };
    Tensor::new(dtype, shape).into()
}

fn outputs(signature: &Signature, inputs: &[Type]) -> Option<Vec<Answer>> {
    let query = signature.query().inputs(inputs.iter().cloned());
    let mut answers = query.limit(40).solve().unwrap();
    let found: Vec<Answer> = answers.by_ref().collect();
    answers.complete().then_some(found)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: super::laws::cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn more_in_is_no_less_out(
        text in select(SIGNATURES.to_vec()),
        first in dims(),
        second in dims(),
        more in prop::collection::vec(0..4u64, 8),
        dtypes in (select(vec!["f32", "i64", "?", "{f32, f64}"]), select(vec!["f32", "i64", "?"])),
    ) {
        let signature: Signature = text.parse().unwrap();
        let full = |dims: &[Option<u64>], from: usize| -> Vec<Option<u64>> {
            dims.iter().enumerate().map(|(i, d)| d.or(Some(more[from + i]))).collect()
        };
        let coarse = [ty(&first, dtypes.0), ty(&second, dtypes.1)];
        let fine = [ty(&full(&first, 0), dtypes.0), ty(&full(&second, 4), dtypes.1)];
        let count = signature.input_count();
        for (a, b) in coarse.iter().zip(&fine).take(count) {
            prop_assert_eq!(is_super(a, b), Verdict::Always);
        }
        let known = outputs(&signature, &coarse[..count]);
        let (Some(known), Some(better)) = (known, outputs(&signature, &fine[..count])) else {
            return Ok(());
        };
        // What the coarser question excludes, the finer one does not bring back.
        for answer in &better {
            for (i, output) in answer.outputs.iter().enumerate() {
                let mut above = known.iter().map(|a| is_super(&sure(&a.outputs[i]), &sure(output)));
                prop_assert!(above.any(|v| v == Verdict::Always), "{} of {:?}: {}", text, coarse, output);
            }
        }
    }

    /// The operator that states a shape answers with the meet.
    #[test]
    fn specify_shape_is_the_meet(a in super::laws::tensor(), b in super::laws::tensor()) {
        let operator = kanshape::catalog().operator("specify_shape", None).unwrap();
        let signature = operator.signature().unwrap();
        let query = signature.query().inputs([a.clone()]).outputs([b.clone()]);
        let mut answers = query.limit(20).solve().unwrap();
        let found: Vec<Answer> = answers.by_ref().collect();
        let Ok(met) = meet_all(&a, &b) else {
            prop_assert!(found.is_empty());
            return Ok(());
        };
        if !answers.complete() || !met.complete {
            return Ok(());
        }
        // A meet says in one type what a search has split.
        if found.len() != met.types.len() {
            prop_assert!(found.len() > met.types.len());
            return Ok(());
        }
        for (answer, met) in found.iter().zip(&met.types) {
            let output = answer.outputs[0].clone().with_conditions(answer.conditions.clone());
            let fresh = output.to_string().contains('d') || output.to_string().contains("t0");
            prop_assert!(fresh || same(&output, met) == Verdict::Always, "{} and {}", output, met);
        }
    }
}
