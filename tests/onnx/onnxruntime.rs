//! onnxruntime's own operators against calls of them that it was given: what it runs has the types that it gave, and what
//! it refuses is refused.

use crate::ask;
use crate::case::{self, Case};
use crate::forwards;
use crate::score::{Found, Score};
use std::collections::BTreeMap;

/// The outputs whose whole type follows, and those of which a part does.
const OUTPUTS: (usize, usize) = (2437, 37);

/// The calls that are refused here as there.
const REFUSED: usize = 2577;

/// Calls that onnxruntime runs and that are refused here, or have other types, how many of them of which operator, and why.
const RUNS_ALL_THE_SAME: [(&str, usize, &str); 11] = [
    (
        "AveragePool",
        2,
        "a pool longer than the axis has a place: the size is divided towards 0",
    ),
    (
        "DynamicQuantizeMatMul",
        2,
        "a bias is a vector; that of another rank is ignored",
    ),
    (
        "GatedRMSNorm",
        2,
        "a scale is a vector; only its number of elements is checked",
    ),
    ("LinearAttentionGate", 3, "the same of a bias and a scale"),
    (
        "MatMulIntegerToFloat",
        4,
        "a bias and scales for columns of another rank are ignored",
    ),
    (
        "MoEGroupRouter",
        3,
        "a bias is a vector; only its number of elements is checked",
    ),
    (
        "QEmbedLayerNormalization",
        2,
        "a scale is one number; of several the first is taken",
    ),
    ("QLinearSoftmax", 8, "the same"),
    (
        "SkipLayerNormalization",
        6,
        "what is passed by has the batch or 1; of another batch any part is taken",
    ),
    ("SkipSimplifiedLayerNormalization", 3, "the same"),
    (
        "WordConvEmbedding",
        3,
        "dims behind those that count are ignored",
    ),
];

/// Calls that onnxruntime refuses and that are taken here, how many of them of which operator, and why.
const TAKEN_ALL_THE_SAME: [(&str, usize, &str); 11] = [
    (
        "AttnLSTM",
        2,
        "lengths of sequences are too great, of which nothing is said",
    ),
    (
        "BifurcationDetector",
        2,
        "how many words are guessed turns on what is in a tensor",
    ),
    (
        "DecoderMaskedMultiHeadAttention",
        1,
        "the provider has a fault with query, key and value in one",
    ),
    (
        "FusedGemm",
        1,
        "the provider needs an activation, the schema does not",
    ),
    (
        "MatMulNBits",
        1,
        "an input that is no longer used is not checked here",
    ),
    (
        "MultiHeadAttention",
        2,
        "the dtype of one output would have to be declared",
    ),
    (
        "QLinearAdd",
        3,
        "a zero point may be left out by the schema; the inference of the types refuses that",
    ),
    ("QLinearAveragePool", 4, "the same"),
    ("QLinearMul", 1, "the same"),
    (
        "SparseAttention",
        1,
        "the provider needs a mask of another order",
    ),
    (
        "Upsample",
        1,
        "an attribute that is missing is a question here",
    ),
];

fn recorded() -> Vec<Case> {
    case::read(include_str!("../data/onnx/onnxruntime_cases.jsonl"))
}

/// How often which operator, beside what is known.
fn compare(found: &BTreeMap<String, Vec<String>>, known: &[(&str, usize, &str)]) {
    let counts: BTreeMap<&str, usize> = found
        .iter()
        .map(|(op, all)| (op.as_str(), all.len()))
        .collect();
    let known: BTreeMap<&str, usize> = known.iter().map(|(op, count, _)| (*op, *count)).collect();
    assert_eq!(counts, known, "{found:#?}");
}

#[test]
fn what_it_runs_has_the_types_that_it_gave() {
    let mut score = Score::default();
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in recorded().iter().filter(|case| case.refused.is_none()) {
        let (found, text) = forwards::outputs(case);
        match found.contains(&Found::Wrong) || found.contains(&Found::Nothing) {
            true => wrong
                .entry(case.op.clone())
                .or_default()
                .push(format!("{}: {text}", case.id)),
            false => found
                .iter()
                .for_each(|found| score.count(&case.name(), *found)),
        }
    }
    println!("{score}");
    compare(&wrong, &RUNS_ALL_THE_SAME);
    assert_eq!(
        (score.total(Found::Full), score.total(Found::Part)),
        OUTPUTS,
        "{score}"
    );
}

#[test]
fn what_it_refuses_is_refused() {
    let (mut refused, mut taken) = (0, BTreeMap::<String, Vec<String>>::new());
    for case in recorded() {
        let Some(outputs) = case.refused else {
            continue;
        };
        let outputs = vec![Some(kanshape::Type::UNKNOWN); outputs];
        let answer = match ask::query(&case, case.inputs(), outputs) {
            Ok(query) => {
                let mut answers = query.solve().unwrap();
                let first = answers.next();
                assert!(
                    first.is_some() || answers.complete(),
                    "{}: out of budget",
                    case.id
                );
                first
            }
            Err(_) => None,
        };
        match answer {
            Some(answer) => taken
                .entry(case.op.clone())
                .or_default()
                .push(format!("{}: {answer}", case.id)),
            None => refused += 1,
        }
    }
    compare(&taken, &TAKEN_ALL_THE_SAME);
    assert_eq!(refused, REFUSED);
}
