//! The choices of a sample: all together they come to all answers, random ones to various answers, small ones to small answers.

use super::{choices, input_shapes};
use kanshape::choice::By;
use kanshape::{Query, Signature, Type, catalog};
use std::collections::BTreeSet;

/// The inputs that some choices come to, each once; all choices are tried.
fn all(query: &Query) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut path: Vec<(u64, u64)> = Vec::new();
    loop {
        let mut at = 0;
        let sample = query.sample(&mut By(|ways| {
            if at == path.len() {
                path.push((0, ways));
            }
            at += 1;
            assert_eq!(
                path[at - 1].1,
                ways,
                "the same choices lead to the same question"
            );
            path[at - 1].0
        }));
        if let Ok(answer) = sample {
            found.insert(answer.to_string());
        }
        path.truncate(at);
        while path
            .last()
            .is_some_and(|(choice, ways)| choice + 1 == *ways)
        {
            path.pop();
        }
        match path.last_mut() {
            Some((choice, _)) => *choice += 1,
            None => return found,
        }
    }
}

#[test]
fn all_choices_are_all_answers() {
    for (text, max_rank, max_dim) in [
        ("(m,n),(n,p)->(m,p)", 2, 2),
        ("+(),()->()", 2, 1),
        ("[k] (n)->(n*k)", 2, 4),
        ("(n),(m)->(n+m)", 1, 4),
        ("(a,b)->(a*b)", 2, 4),
        ("(...a,n)->(n) where n >= 1", 3, 2),
    ] {
        let signature: Signature = text.parse().unwrap();
        let inputs = vec!["f32[...]".parse().unwrap(); signature.input_count()];
        let query = signature
            .query()
            .inputs(inputs)
            .max_rank(max_rank)
            .ground()
            .max_dim(max_dim);
        let answers: BTreeSet<String> = query.solve().unwrap().map(|a| a.to_string()).collect();
        assert!(answers.len() > 2, "{text}");
        assert_eq!(all(&query), answers, "{text}");
    }
}

#[test]
fn they_are_various() {
    let mut choose = choices();
    for name in [
        "numpy::add",
        "onnx::Concat",
        "onnx::MatMul",
        "onnx::Transpose",
    ] {
        let op = catalog().operator(name, None).unwrap();
        let (mut ranks, mut sizes, mut dtypes) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for _ in 0..200 {
            let call = op.some_call(&mut choose);
            let answer = op.query(call).unwrap().sample(&mut choose).unwrap();
            for shape in input_shapes(&answer) {
                ranks.insert(shape.len());
                sizes.extend(shape);
            }
            let dtype = |ty: &Type| ty.as_tensor().and_then(|t| t.dtype.set().single());
            dtypes.extend(answer.inputs.iter().filter_map(dtype));
        }
        assert!(
            ranks.is_superset(&BTreeSet::from([1, 2, 3, 4])),
            "{name}: {ranks:?}"
        );
        assert_eq!(sizes, (0..=4).collect(), "{name}");
        assert!(dtypes.len() >= 5, "{name}: {dtypes:?}");
    }
}

#[test]
fn what_is_given_stays() {
    let conv = catalog().operator("onnx::Conv", None).unwrap();
    let mut choose = choices();
    for _ in 0..50 {
        let call = "[strides = [2, 2]] f32[1, 3, 9, 9], f32[?, ?, 3, 3]"
            .parse()
            .unwrap();
        let sample = conv
            .query(call)
            .unwrap()
            .max_dim(5)
            .sample(&mut choose)
            .unwrap();
        let text = sample.to_string();
        assert!(text.starts_with("f32[1, 3, 9, 9], f32["), "{text}");
        assert!(text.ends_with(", 4, 4]"), "{text}");
    }
}

#[test]
fn preferred_dtypes_where_they_may_be() {
    let gather = catalog().operator("onnx::Gather", None).unwrap();
    let mut choose = choices();
    for _ in 0..50 {
        let call = "?, ?".parse().unwrap();
        let query = gather
            .query(call)
            .unwrap()
            .prefer(kanshape::Dtype::F64.into());
        let dtype = |ty: &Type| ty.as_tensor().unwrap().dtype.to_string();
        let sample = query.sample(&mut choose).unwrap();
        assert_eq!(dtype(&sample.inputs[0]), "f64");
        assert!(["i32", "i64"].contains(&dtype(&sample.inputs[1]).as_str()));
    }
}

#[test]
fn contents_on_which_the_outputs_depend() {
    let reshape = catalog().operator("onnx::Reshape", None).unwrap();
    let call = "f32[2, 3], i64[2] -> f32[3, 2]".parse().unwrap();
    let sample = reshape.query(call).unwrap().sample(&mut By(|_| 0)).unwrap();
    assert_eq!(
        sample.to_string(),
        "f32[2, 3], i64[2] = [3, 2] -> f32[3, 2]"
    );
    let call = "f32[2, 3], i64[2]".parse().unwrap();
    let query = reshape.query(call).unwrap().max_dim(6);
    let mut found = BTreeSet::new();
    let mut choose = choices();
    for _ in 0..100 {
        let sample = query.sample(&mut choose).unwrap();
        found.insert(sample.outputs[0].to_string());
    }
    let all = ["f32[1, 6]", "f32[2, 3]", "f32[3, 2]", "f32[6, 1]"];
    assert_eq!(found, all.map(String::from).into());
}

#[test]
fn choices_beyond_the_ways_are_the_last() {
    let add: Signature = "+(),()->()".parse().unwrap();
    let largest = add.query().sample(&mut By(|_| u64::MAX)).unwrap();
    assert_eq!(
        largest,
        add.query().sample(&mut By(|ways| ways - 1)).unwrap()
    );
}

#[test]
fn no_sample() {
    let query = "(n)->(n) where n >= 9"
        .parse::<Signature>()
        .unwrap()
        .query();
    let refused = query.sample(&mut By(|_| 0)).unwrap_err();
    assert!(matches!(refused, kanshape::Error::Never(_)), "{refused}");
    assert!(query.clone().max_dim(9).sample(&mut By(|_| 0)).is_ok());
    // It takes any numbers of that kind.
    let scalar: Signature = "()->()".parse().unwrap();
    let all = scalar.query().input(0, "f32[]".parse().unwrap());
    assert!(all.sample(&mut By(|_| 0)).is_ok());
}
