//! Every recorded call of Aesara's filter, compared with kanshape.

use half::f16;
use kanshape::{
    Dim, Dtype, Type,
    value::{Filter, Value},
};
use ndarray::{ArrayD, IxDyn};
use num_complex::Complex;
use serde::Deserialize;

/// A row of `aesara_value_facts.jsonl`.
#[derive(Debug, Deserialize)]
struct Fact {
    id: String,
    #[serde(rename = "type")]
    ty: TensorType,
    value: Given,
    strict: bool,
    allow_downcast: Option<bool>,
    accepted: bool,
    result_dtype: Option<Dtype>,
    is_valid_value_strict: bool,
    is_valid_value_nonstrict: bool,
}

#[derive(Debug, Deserialize)]
struct TensorType {
    dtype: Dtype,
    shape: Vec<Option<u64>>,
}

#[derive(Debug, Deserialize)]
struct Given {
    dtype: Option<Dtype>,
    shape: Vec<usize>,
    content: String,
}

impl TensorType {
    fn to_type(&self) -> Type {
        let dims = self
            .shape
            .iter()
            .map(|size| size.map_or(Dim::Hole, Dim::Size));
        Type::tensor(self.dtype, dims)
    }
}

impl Given {
    fn to_value(&self) -> Value {
        let Some(dtype) = self.dtype else {
            let (kind, number) = self.content.rsplit_once(' ').unwrap();
            return match kind {
                "python int" => Value::from(number.parse::<i64>().unwrap()),
                "python float" => Value::from(number.parse::<f64>().unwrap()),
                "python bool" => Value::from(number == "True"),
                _ => panic!("what is {}?", self.content),
            };
        };
        // Halves of an integer type are zeros.
        let half = match self.content.as_str() {
            "zeros" => 0.0,
            "halves (0.5)" => 0.5,
            other => panic!("what is {other}?"),
        };
        filled(dtype, &self.shape, half)
    }
}

fn filled(dtype: Dtype, shape: &[usize], number: f64) -> Value {
    fn of<T: kanshape::value::Element>(shape: &[usize], element: T) -> Value {
        ArrayD::from_elem(IxDyn(shape), element).into()
    }
    match dtype {
        Dtype::Bool => of(shape, number != 0.0),
        Dtype::I8 => of(shape, number as i8),
        Dtype::I16 => of(shape, number as i16),
        Dtype::I32 => of(shape, number as i32),
        Dtype::I64 => of(shape, number as i64),
        Dtype::U8 => of(shape, number as u8),
        Dtype::U16 => of(shape, number as u16),
        Dtype::U32 => of(shape, number as u32),
        Dtype::U64 => of(shape, number as u64),
        Dtype::F16 => of(shape, f16::from_f64(number)),
        Dtype::F32 => of(shape, number as f32),
        Dtype::F64 => of(shape, number),
        Dtype::C64 => of(shape, Complex::new(number as f32, 0.0)),
        Dtype::C128 => of(shape, Complex::new(number, 0.0)),
        other => panic!("Aesara has no {other}"),
    }
}

#[test]
fn every_recorded_call() {
    let rows = include_str!("../data/aesara/aesara_value_facts.jsonl");
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows.lines() {
        let fact: Fact = serde_json::from_str(row).unwrap();
        let (ty, value) = (fact.ty.to_type(), fact.value.to_value());
        let result = ty.filter_value(&value, fact.strict, fact.allow_downcast);
        let dtype = result.as_ref().ok().map(|value| match value {
            Value::Array(array) => array.dtype(),
            other => panic!("{}: {other:?}", fact.id),
        });
        let nonstrict = ty.filter_value(&value, false, None).is_ok();
        if result.is_ok() != fact.accepted
            || dtype != fact.result_dtype
            || ty.contains(&value) != fact.is_valid_value_strict
            || nonstrict != fact.is_valid_value_nonstrict
        {
            wrong.push(format!("{}: {result:?}", fact.id));
        }
        if let Ok(filtered) = result {
            assert!(ty.contains(&filtered), "{}", fact.id);
        }
        count += 1;
    }
    assert_eq!(wrong, [""; 0]);
    assert_eq!(count, 257);
}
