//! The outputs of ONNX's node tests, as they were recorded: `tests/data/onnx/node_values.jsonl`.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use kanshape_eval::{Array, Attr, Call, Number, Numbers, Stop, covers, evaluate};
use kanshape_types::Dtype;
use serde_json::Value;

/// Tests whose outputs are others here, each with the reason.
const OTHERS: &[(&str, &str)] = &[(
    "test_averagepool_2d_ceil_last_window_starts_on_pad",
    "the recorded output has four digits",
)];

/// The tests whose outputs are the same, those whose operator or mode is not calculated, and the operators that are.
const EQUAL: usize = 420;
const LEFT: usize = 174;
const OPERATORS: usize = 110;

fn number(value: &Value, dtype: Dtype) -> Number {
    match value {
        Value::Bool(own) => Number::Bool(*own),
        Value::String(own) => Number::Float(own.parse().unwrap()),
        own if dtype.name().starts_with(['i', 'u']) => {
            Number::Int(own.as_i64().unwrap_or(i64::MAX))
        }
        own => Number::Float(own.as_f64().unwrap()),
    }
}

fn array(value: &Value) -> Option<Array<Number>> {
    let dtype: Dtype = value["dtype"].as_str()?.parse().unwrap();
    let shape = value["shape"]
        .as_array()?
        .iter()
        .map(|n| n.as_u64().unwrap() as usize);
    let data = value["value"]
        .as_array()?
        .iter()
        .map(|own| number(own, dtype));
    Some(Array::new(dtype, shape.collect(), data.collect()).unwrap())
}

/// The dtypes in the order of their numbers in ONNX.
const DTYPES: [&str; 17] = [
    "", "f32", "u8", "i8", "u16", "i16", "i32", "i64", "str", "bool", "f16", "f64", "u32", "u64",
    "c64", "c128", "bf16",
];

fn attr(name: &str, value: &Value) -> Option<Attr> {
    let (kind, value) = value.as_object()?.iter().next()?;
    let ints = |value: &Value| -> Option<Vec<i64>> {
        value.as_array()?.iter().map(Value::as_i64).collect()
    };
    Some(match &**kind {
        "int" if ["to", "dtype", "output_dtype"].contains(&name) => {
            match value.as_u64()? as usize {
                0 => return None,
                own => Attr::Dtype(DTYPES.get(own)?.parse().ok()?),
            }
        }
        "int" => Attr::Int(value.as_i64()?),
        "float" => Attr::Float(value.as_f64()?),
        "string" => Attr::Text(value.as_str()?.into()),
        "ints" => Attr::Ints(ints(value)?),
        "floats" => Attr::Floats(
            value
                .as_array()?
                .iter()
                .map(Value::as_f64)
                .collect::<Option<_>>()?,
        ),
        "tensor" => {
            let mut own = value.clone();
            own["value"] = own["data"].clone();
            Attr::Tensor(array(&own)?)
        }
        _ => return None,
    })
}

fn is_near(own: Number, expected: Number, dtype: Dtype) -> bool {
    let (own, expected) = match (own, expected) {
        (Number::Float(own), Number::Float(expected)) => (own, expected),
        (own, expected) => return own == expected,
    };
    let tolerance = match dtype {
        Dtype::F16 => 2e-3,
        Dtype::BF16 => 2e-2,
        _ => 2e-5,
    };
    let is_equal = own == expected || own.is_nan() && expected.is_nan();
    is_equal || (own - expected).abs() <= tolerance * (1.0 + expected.abs())
}

fn is_equal(own: &Array<Number>, expected: &Array<Number>) -> bool {
    own.dtype == expected.dtype
        && own.shape == expected.shape
        && own
            .data
            .iter()
            .zip(&expected.data)
            .all(|(a, b)| is_near(*a, *b, own.dtype))
}

type Expected = Vec<Option<Array<Number>>>;
type Calculated = Result<Vec<Array<Number>>, Stop>;

/// What is calculated of a row; none if something of it has no form here.
fn calculated(row: &Value) -> Option<(Calculated, Expected)> {
    let inputs: Vec<Option<Array<Number>>> = row["inputs"].as_array()?.iter().map(array).collect();
    let inputs: Vec<Option<&Array<Number>>> = inputs.iter().map(Option::as_ref).collect();
    let outputs: Vec<_> = row["outputs"].as_array()?.iter().map(array).collect();
    let attrs = row["attrs"].as_object()?.iter();
    let attrs = attrs.map(|(name, value)| Some((name.clone(), attr(name, value)?)));
    let attrs: Vec<(String, Attr)> = attrs.collect::<Option<_>>()?;
    let call = Call {
        op: row["op"].as_str()?,
        since: row["opset"].as_u64()?,
        attrs: &attrs,
        inputs: &inputs,
        outputs: outputs.len(),
    };
    Some((evaluate(&mut Numbers, &call), outputs))
}

#[test]
fn the_outputs_are_those_of_the_node_tests() {
    let text = include_str!("../../../tests/data/onnx/node_values.jsonl");
    let (mut equal, mut others, mut left) = (0, 0, BTreeMap::<String, usize>::new());
    let mut wrong = Vec::new();
    let mut operators = BTreeSet::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (id, op) = (row["id"].as_str().unwrap(), row["op"].as_str().unwrap());
        let Some((own, expected)) = calculated(&row) else {
            *left.entry("an attribute".into()).or_default() += 1;
            continue;
        };
        match own {
            Err(Stop::Opaque(why)) => *left.entry(why).or_default() += 1,
            Ok(own)
                if own
                    .iter()
                    .zip(&expected)
                    .all(|(a, b)| b.as_ref().is_none_or(|b| is_equal(a, b)))
                    && own.len() >= expected.len() =>
            {
                equal += 1;
                operators.insert(op.to_owned());
            }
            _ if OTHERS.iter().any(|own| own.0 == id) => others += 1,
            own => wrong.push(format!("{id}: {own:?}, not {expected:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(others, OTHERS.len());
    let left_out: usize = left.values().sum();
    assert_eq!(
        (equal, left_out, operators.len()),
        (EQUAL, LEFT, OPERATORS),
        "{left:?}"
    );
}

#[test]
fn nothing_that_is_given_panics() {
    // Each operator with inputs of kinds and sizes that it is not made for.
    let floats = Array::new(
        Dtype::F32,
        vec![2, 1],
        vec![Number::Float(f64::NAN), Number::Float(-1.0)],
    )
    .unwrap();
    let ints = Array::ints(&[i64::MIN, -1, 0, i64::MAX]);
    let none = Array::new(Dtype::I64, vec![0, 3], Vec::new()).unwrap();
    let truth = Array::new(Dtype::Bool, vec![], vec![Number::Bool(true)]).unwrap();
    let text = include_str!("../../../tests/data/onnx/node_values.jsonl");
    let names: BTreeSet<String> = text
        .lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            row["op"].as_str().unwrap().to_owned()
        })
        .collect();
    let all = [Some(&floats), Some(&ints), Some(&none), Some(&truth), None];
    let attrs = [
        vec![],
        vec![
            ("axis".to_owned(), Attr::Int(i64::MIN)),
            ("axes".to_owned(), Attr::Ints(vec![i64::MAX, -1])),
        ],
        vec![
            ("pads".to_owned(), Attr::Ints(vec![i64::MAX; 4])),
            ("kernel_shape".to_owned(), Attr::Ints(vec![i64::MAX, 0])),
            ("group".to_owned(), Attr::Int(0)),
        ],
        vec![
            ("perm".to_owned(), Attr::Ints(vec![1, 1])),
            ("blocksize".to_owned(), Attr::Int(0)),
            ("start".to_owned(), Attr::Int(i64::MIN)),
        ],
    ];
    let mut called = 0;
    for op in names.iter().filter(|op| covers(op)) {
        for attrs in &attrs {
            for a in all {
                for b in all {
                    for c in all {
                        let inputs = [a, b, c];
                        let call = Call {
                            attrs,
                            ..Call::new(op, &inputs)
                        };
                        let _ = evaluate(&mut Numbers, &call);
                        called += 1;
                    }
                }
            }
        }
    }
    assert!(called > 40_000);
}
