//! What is printed as JSON is what docs/schema.json says, with types as texts and as data.

use serde_json::Value;

use crate::program::{kanshape, with_input};

fn schema() -> Value {
    serde_json::from_str(include_str!("../../docs/schema.json")).unwrap()
}

/// The schema of one kind of line.
fn of(kind: &str) -> jsonschema::Validator {
    let mut schema = schema();
    schema["anyOf"] = serde_json::json!([{ "$ref": format!("#/$defs/{kind}") }]);
    jsonschema::validator_for(&schema).unwrap()
}

#[track_caller]
fn fits(validator: &jsonschema::Validator, line: &str) -> Value {
    let value: Value = serde_json::from_str(line).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|e| e.to_string())
        .collect();
    assert!(errors.is_empty(), "{line}\n{errors:#?}");
    value
}

/// Lines in, with the kind of what comes out.
const LINES: [(&str, &str); 16] = [
    ("catalog", r#"{"id":1,"catalog":"onnx::Conv"}"#),
    ("catalog", r#"{"catalog":"onnx::Conf"}"#),
    (
        "query",
        r#"{"id":1,"signature":"(m,n),(n,p)->(m,p)","inputs":["f32[2,n]",null],"outputs":["f32[2,4]"]}"#,
    ),
    (
        "query",
        r#"{"signature":"[s] (h),(k)->((h - k)//s + 1)","inputs":["f32[9]","f32[3]"],"outputs":["f32[4]"]}"#,
    ),
    (
        "query",
        r#"{"id":"x","signature":"(n),(n)->()","inputs":["f32[2]","f32[3]"]}"#,
    ),
    (
        "query",
        r#"{"id":null,"signature":"+(...a),()->()","inputs":["?[...a]","?"],"limit":3}"#,
    ),
    ("query", r#"{"id":[1],"signature":"(m n)->()"}"#),
    (
        "query",
        r#"{"id":2,"op":"onnx::Concat","inputs":["f32[2,3]","f32[2,n]"],"outputs":["f32[2,7]"],"attrs":{"axis":null}}"#,
    ),
    (
        "query",
        r#"{"id":3,"op":"onnx::Shape","inputs":["f32[n,3,?]"]}"#,
    ),
    (
        "query",
        r#"{"id":4,"op":"onnx::Constant","attrs":{"value":{"dtype":"f32","shape":[3],"data":["NaN","-Infinity",0.5]}}}"#,
    ),
    (
        "query",
        r#"{"id":5,"op":"onnx::SequenceConstruct","inputs":["f32[2]","f32[n]"]}"#,
    ),
    (
        "graph",
        r#"{"id":6,"graph":{"inputs":{"x":"f32[N,8]","w":"f32[8,4]"},"nodes":[{"op":"onnx::MatMul","inputs":["x","w"],"outputs":["y"]}],"outputs":["y"]}}"#,
    ),
    (
        "graph",
        r#"{"id":7,"graph":{"nodes":[{"op":"onnx::MatMull"}]}}"#,
    ),
    (
        "pair",
        r#"{"id":8,"types":"filter","a":"f32[2,n]","b":"f32[?,?]"}"#,
    ),
    (
        "pair",
        r#"{"id":9,"types":"meet","a":"f32[?,3] where n > 1","b":"(f32[2], A)"}"#,
    ),
    (
        "pair",
        r#"{"id":10,"types":"supper","a":"f32[2]","b":"f32[?]"}"#,
    ),
];

#[test]
fn lines_of_a_batch() {
    let input: String = LINES.iter().map(|(_, line)| format!("{line}\n")).collect();
    for form in ["text", "data"] {
        let out = with_input(&["batch", "--types", form], input.as_bytes()).solved();
        assert_eq!(out.lines().count(), LINES.len());
        for (i, (line, (kind, _))) in out.lines().zip(LINES).enumerate() {
            let value = fits(&of(kind), line);
            assert_eq!(value["line"], i + 1);
            let is_object = line.contains(r#""shape":["#);
            assert!(form == "data" || !is_object, "{line}");
        }
    }
}

#[test]
fn a_type_as_data() {
    let line = r#"{"id":1,"op":"onnx::Constant","attrs":{"value":{"dtype":"f32","shape":[3],"data":["NaN","-Infinity",0.5]}}}"#;
    let out = with_input(&["batch", "--types", "data"], line.as_bytes()).solved();
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        out["answers"][0]["outputs"][0],
        serde_json::json!({"dtype": "f32", "shape": [3], "contents": ["NaN", "-Infinity", 0.5]})
    );
    let out = kanshape(&[
        "infer",
        "(...r,n)->(...r,n-2)",
        "?[2,...r,n]",
        "--json",
        "--types",
        "data",
    ])
    .solved();
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        out["answers"][0]["outputs"][0]["shape"],
        serde_json::json!([2, "...r", "n - 2"])
    );
}

#[test]
fn what_commands_print() {
    for form in ["text", "data"] {
        for input in ["f32[n]", "f32[n", "f32[2,2]"] {
            let infer = ["infer", "(n)->(n+1)", input, "--json", "--types", form];
            fits(&of("infer"), &kanshape(&infer).out);
        }
        for (command, kind) in [("check", "model"), ("signature", "signature")] {
            for model in ["light_resnet50.onnx", "light_squeezenet.onnx"] {
                let path = format!(
                    "{}/../../tests/data/models/{model}",
                    env!("CARGO_MANIFEST_DIR")
                );
                let mut args = vec![command, &path, "--json", "--types", form, "--batch", "N"];
                if command == "check" {
                    args.extend(["--declared", "--bytes"]);
                }
                let out = kanshape(&args).out;
                fits(&of(kind), &out);
            }
        }
    }
}

#[test]
fn the_schema_refuses_what_is_none() {
    let whole = jsonschema::validator_for(&schema()).unwrap();
    for line in [
        r#"{"id":1,"line":1,"verdict":"maybe","answers":[],"complete":true,"error":null}"#,
        r#"{"id":1,"line":0,"verdict":"never","answers":[],"complete":true,"error":null}"#,
        r#"{"id":1,"line":1,"result":{},"foo":1}"#,
        r#"{"id":1,"line":1,"verdict":"always","answers":[{"inputs":[{"shape":[1]}],"outputs":[],"where":[]}],"complete":true,"error":null}"#,
    ] {
        let value: Value = serde_json::from_str(line).unwrap();
        assert!(!whole.is_valid(&value), "{line}");
    }
}
