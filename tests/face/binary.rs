//! What a cache on a disk is made of comes back from formats that do not say what a value is.

use kanshape::explain::Fact;
use kanshape::graph::Graph;
use kanshape::*;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

#[track_caller]
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let bytes = postcard::to_allocvec(value).unwrap();
    let read: T = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(&read, value);
    // What is behind it is left alone: it knows where it ends.
    let pair = postcard::to_allocvec(&(value, 7u8)).unwrap();
    let (read, seven): (T, u8) = postcard::from_bytes(&pair).unwrap();
    assert_eq!((&read, seven), (value, 7));
}

#[track_caller]
fn texts<T>(texts: &[&str])
where
    T: std::str::FromStr<Err: Debug> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    for text in texts {
        comes_back(&text.parse::<T>().unwrap());
    }
}

#[test]
fn types_and_their_parts() {
    texts::<Type>(&[
        "?",
        "f32[]",
        "f32[2, n, 2*k + 1, ...b, ?] where n >= 1, k in {1, 3}",
        "(f32[2], fn(?) -> List[i64[]])",
        "i64[3] = [2, n, ?]",
        "f64[] = [nan]",
    ]);
    texts::<Dim>(&[
        "0",
        "3",
        "9223372036854775807",
        "n",
        "2*k - 1",
        "6@district",
        "?",
    ]);
    texts::<Shape>(&["[]", "[2, ...b, n]", "[...]"]);
    texts::<Dtype>(&["f32", "bool"]);
    texts::<DtypeSet>(&["{}", "{f32, f64}"]);
    texts::<DtypeTerm>(&["T", "?", "Float"]);
    texts::<Contents>(&["[2, n - 1, ?]", "[0.5, inf]", r#"["a, b", ?]"#]);
    texts::<Condition>(&["n in {1, 3}", "1 <= n <= 8"]);
    texts::<Conditions>(&["", "n >= 1, ...b == [2, ...c]"]);
    texts::<Signature>(&["[s] (h),(k)->(s*h + k) where h >= 1"]);
    texts::<Verdict>(&["depends"]);
    texts::<Promotion>(&["torch"]);
}

#[test]
fn calls_and_answers() {
    texts::<Call>(&[
        "",
        "f32[2], ? or -",
        "[axis = 1, perm = [1, [?, 2]], x = -, to = f32, mode = SAME, eps = 0.5, d = 2*n, big = -3, yes = true] f32[2, n], - -> ?, -",
    ]);
    texts::<Answer>(&[
        "-> f32[]",
        "f32[n], f32[3] -> f32[3] where n in {1, 3}",
        "[s = 2, perm = [1, 0]] f32[2], - -> f32[1]",
    ]);
    for value in [
        AttrValue::Hole,
        AttrValue::Absent,
        AttrValue::Unknown,
        AttrValue::from(f64::NAN),
        AttrValue::Dim(Dim::Size(3)),
        AttrValue::Type("f32[2]".parse().unwrap()),
    ] {
        comes_back(&value);
    }
    let conv = catalog().operator("onnx::Conv", None).unwrap();
    let call = conv
        .call(["f32[1, 3, 8, 8]".parse::<Type>().unwrap(), Type::UNKNOWN])
        .attr("strides", [2, 2])
        .attr("pads", AttrValue::Hole);
    comes_back(&call.into_call());
}

#[test]
fn what_is_wrong() {
    let unread = "(m,n".parse::<Signature>().unwrap_err();
    comes_back(&unread);
    comes_back(&unread.clone().as_warning());
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let never = matmul.infer(&["f32[2, 3]".parse().unwrap(), "f32[4, 5]".parse().unwrap()]);
    let Err(Error::Never(refusal)) = never else {
        unreachable!()
    };
    comes_back(&refusal.conflict().diagnostic);
    comes_back::<Vec<Fact>>(&refusal.conflict().facts);
    // From JSON, a diagnostic comes without the text that it points into.
    let json = serde_json::to_string(&unread).unwrap();
    let read: Diagnostic = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (read.code, &read.headline, &read.labels, &read.source),
        (unread.code, &unread.headline, &unread.labels, &None)
    );
    assert!(serde_json::from_str::<Diagnostic>(&json.replace("\"code\"", "\"kode\"")).is_err());
}

/// What a program makes up is refused, and not taken for another value.
#[test]
fn what_is_no_value_is_refused() {
    for bytes in [&b"\x03a b"[..], b"\x02,1", b""] {
        assert!(postcard::from_bytes::<Dim>(bytes).is_err(), "{bytes:?}");
    }
    let mut graph = Graph::new(catalog());
    assert!(graph.value(&Type::UNKNOWN).is_ok());
}
