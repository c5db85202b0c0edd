//! What maps, threads and e-graphs want of the types.

use kanshape::explain::{Conflict, Fact, Refusal, Repair};
use kanshape::graph::{Graph, ValueId};
use kanshape::types::{Float, Nominal, TypeKind};
use kanshape::user::{Constructor, Vocabulary};
use kanshape::value::Value;
use kanshape::*;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

fn is_shared<T: Send + Sync + Debug>() {}
fn is_key<T: Clone + Eq + Hash + Ord + Send + Sync + Debug>() {}
fn is_text<T: FromStr + Display + serde::Serialize + serde::de::DeserializeOwned>() {}

#[test]
fn everything_goes_between_threads() {
    is_shared::<Answers>();
    is_shared::<Signature>();
    is_shared::<Query>();
    is_shared::<Operator>();
    is_shared::<Prepared>();
    is_shared::<Relations>();
    is_shared::<Error>();
    is_shared::<Refusal>();
    is_shared::<Conflict>();
    is_shared::<Diagnostic>();
    is_shared::<Control>();
    is_shared::<Value>();
    is_shared::<Vocabulary>();
    is_shared::<Fact>();
    is_shared::<Repair>();
    fn is_shared_without_debug<T: Send + Sync>() {}
    is_shared_without_debug::<Graph>();
}

#[test]
fn what_is_compared_can_be_a_key() {
    is_key::<Type>();
    is_key::<TypeKind>();
    is_key::<Tensor>();
    is_key::<Shape>();
    is_key::<Dim>();
    is_key::<Nominal>();
    is_key::<Dtype>();
    is_key::<DtypeSet>();
    is_key::<DtypeTerm>();
    is_key::<Content>();
    is_key::<Contents>();
    is_key::<Condition>();
    is_key::<Conditions>();
    is_key::<Name>();
    is_key::<Promotion>();
    is_key::<AttrValue>();
    is_key::<Call>();
    is_key::<Answer>();
    is_key::<Verdict>();
    is_key::<ValueId>();
    is_key::<Float>();
    is_key::<Signature>();
    is_key::<Operator>();
    fn is_ordered<T: Ord + Hash>() {}
    is_ordered::<Constructor>();
}

#[test]
fn what_has_a_text_is_read_printed_and_sent() {
    is_text::<Type>();
    is_text::<Shape>();
    is_text::<Dim>();
    is_text::<Dtype>();
    is_text::<DtypeSet>();
    is_text::<DtypeTerm>();
    is_text::<Contents>();
    is_text::<Condition>();
    is_text::<Conditions>();
    is_text::<Promotion>();
    is_text::<AttrValue>();
    is_text::<Call>();
    is_text::<Answer>();
    is_text::<Verdict>();
    is_text::<Signature>();
}

#[test]
fn signatures_and_operators_are_what_they_are_called() {
    let signature = |text: &str| text.parse::<Signature>().unwrap();
    let (matmul, add) = (
        signature("(m, n), (n, p) -> (m, p)"),
        signature("+(),()->()"),
    );
    assert_eq!(matmul, signature("(m,n),(n,p)->(m,p)"));
    assert!(matmul.cmp(&add).is_lt() == (matmul.to_string() < add.to_string()));
    let operator = |name: &str, opset| catalog().operator(name, opset).unwrap();
    assert_eq!(operator("onnx::Conv", None), operator("onnx::Conv", None));
    assert_ne!(
        operator("onnx::Clip", Some(6)),
        operator("onnx::Clip", Some(13))
    );
    let own = catalog()
        .with([("mine.kan", "op Own(a: T[..r]) -> (b: T[..r])")])
        .unwrap();
    assert_ne!(
        operator("onnx::Conv", None),
        own.operator("onnx::Conv", None).unwrap()
    );
}
