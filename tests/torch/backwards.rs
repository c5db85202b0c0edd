//! Recorded calls with one input hidden: there is an answer where the input that was there is one.

use kanshape::{Call, Operator, Type, Verdict, catalog};
use kanshape_torch::{Schema, Value, bind};
use serde_json::Value as Json;

const CALLS: &str = include_str!("../data/torch/aten_calls.jsonl");
/// The steps that a question may take.
const BUDGET: u64 = 20_000;
/// Of this number of calls, one is solved backwards.
const EACH: usize = 4;

fn argument(json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Number(n) => n
            .as_i64()
            .map_or_else(|| Value::Float(n.as_f64().unwrap()), Value::Int),
        Json::Array(members) => Value::List(members.iter().map(argument).collect()),
        Json::Object(object) => match (object.get("tensor"), object.get("dtype")) {
            (Some(tensor), _) => Value::Tensor(ty(tensor)),
            (_, Some(dtype)) => Value::Dtype(
                dtype
                    .as_str()
                    .unwrap()
                    .parse()
                    .map_or(kanshape::DtypeTerm::Hole, |d: kanshape::Dtype| d.into()),
            ),
            _ => Value::Text(object["other"].as_str().unwrap().into()),
        },
    }
}

fn ty(tensor: &Json) -> Type {
    let dims: Vec<u64> = serde_json::from_value(tensor["shape"].clone()).unwrap();
    let dims: Vec<kanshape::Dim> = dims.into_iter().map(kanshape::Dim::Size).collect();
    match tensor["dtype"].as_str().unwrap().parse::<kanshape::Dtype>() {
        Ok(dtype) => Type::tensor(dtype, dims),
        Err(_) => Type::tensor(kanshape::DtypeTerm::Hole, dims),
    }
}

/// The types of what a call gives, those of lists one by one; `None` if one of them is no tensor.
fn outputs(json: &Json, all: &mut Vec<Type>) -> Option<()> {
    match json {
        Json::Array(members) => members.iter().try_for_each(|member| outputs(member, all)),
        Json::Object(object) => {
            all.push(ty(object.get("tensor")?));
            Some(())
        }
        _ => None,
    }
}

fn calls() -> impl Iterator<Item = (String, Operator, Call)> {
    let rows = CALLS
        .lines()
        .map(|line| serde_json::from_str::<Json>(line).unwrap());
    rows.step_by(EACH).filter_map(|row| {
        let name = row["op"].as_str().unwrap();
        let operator = catalog().operator(name, None).unwrap();
        let args = row["args"]
            .as_array()
            .unwrap()
            .iter()
            .map(argument)
            .collect();
        let kwargs = row["kwargs"].as_object().unwrap().iter();
        let kwargs = kwargs
            .map(|(name, json)| (name.as_str().into(), argument(json)))
            .collect();
        let mut call = bind(&operator, &Schema::of(name).unwrap(), args, kwargs).unwrap();
        let mut all = Vec::new();
        outputs(&row["out"], &mut all)?;
        call.outputs = Some(all.into_iter().map(Some).collect());
        Some((row["id"].as_str().unwrap().to_owned(), operator, call))
    })
}

#[test]
fn an_input_that_is_hidden_may_be_what_it_was() {
    let (mut asked, mut unknown) = (0, 0);
    let mut wrong = Vec::new();
    for (id, operator, call) in calls() {
        for i in 0..call.inputs.len() {
            if call.inputs[i].is_none() {
                continue;
            }
            let mut hidden = call.clone();
            hidden.inputs[i] = Some(Type::UNKNOWN);
            let query = operator.query(hidden).unwrap().budget(BUDGET).limit(1);
            let mut answers = query.solve().unwrap();
            asked += 1;
            match answers.verdict() {
                Verdict::Never => wrong.push(format!("{id} {} input {i}", operator.full_name())),
                Verdict::Unknown => unknown += 1,
                _ => {}
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(unknown * 100 <= asked, "{unknown} of {asked} are unknown");
}
