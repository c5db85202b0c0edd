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
const LINES: [(&str, &str); 57] = [
    ("catalog", r#"{"id":1,"catalog":"onnx::Conv"}"#),
    ("catalog", r#"{"catalog":"onnx::Conf"}"#),
    (
        "torch",
        r#"{"id":1,"torch":{"op":"aten::mm","args":[{"tensor":"f32[2,n]"},{"tensor":"f32[3,4]"}]}}"#,
    ),
    (
        "torch",
        r#"{"torch":{"op":"aten::mm","args":[{"tensor":"f32[2,2]"},{"tensor":"f32[3,4]"}]}}"#,
    ),
    ("torch", r#"{"torch":{"op":"aten::mm","args":[1,2,3]}}"#),
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
    (
        "rule",
        r#"{"id":1,"rule":"Add(MatMul(A, B), C) => Gemm(A, B, C)"}"#,
    ),
    (
        "rule",
        r#"{"rule":"Add(A, B) => Add(B, A","leaves":{"A":"T[m, k]"}}"#,
    ),
    (
        "rule",
        r#"{"rule":"Add(A, B) => Sub(B, A) :- rank(A) = 2, rank(B) = 2","max_rank":2,"max_dim":2}"#,
    ),
    (
        "rule",
        r#"{"rule":"Transpose[perm = [1,0]](A) => A","leaves":{"A":"f32[2,3]"}}"#,
    ),
    (
        "rule",
        r#"{"rule":"Slice(Concat[axis = 0](A, B), [2], [5]) => B","values":true}"#,
    ),
    ("rule", r#"{"rule":"Add(A, B) => Add(B, A)","values":true}"#),
    (
        "rule",
        r#"{"rule":"LRN[size = 3](X) => X","leaves":{"X":"f32[1,1,1,1]"},"values":true}"#,
    ),
    (
        "rule",
        r#"{"rule":"Add(A, c) => A","repairs":true,"cost":true}"#,
    ),
    ("rule", r#"{"rule":5}"#),
    (
        "find",
        r#"{"find":{"inputs":["f32[N,3,H,W]"],"output":"f32[N,H,W,3]","ops":["onnx::Transpose"]}}"#,
    ),
    (
        "find",
        r#"{"find":{"inputs":["f32[N,3]","f32[3,8]"],"output":"f32[N,8]","ops":["onnx::MatMul"]},"cost":true}"#,
    ),
    (
        "find",
        r#"{"find":{"inputs":["f32[N,3]"],"output":"f32[N"}}"#,
    ),
    ("find", r#"{"find":5}"#),
    (
        "stablehlo",
        r#"{"id":1,"stablehlo":"func.func @main(%x: tensor<?xf32>) { %0 = mine.f %x : tensor<?xf32> return }","inputs":["f32[n]"]}"#,
    ),
    ("stablehlo", r#"{"stablehlo":"func.func @main("}"#),
    ("stablehlo", r#"{"stablehlo":"","inputs":5}"#),
    (
        "program",
        r#"{"program":"def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }","expressions":true}"#,
    ),
    (
        "program",
        r#"{"program":"def @main(%x: Tensor[(2, 3), float32]) { add(%x, %y) }","notation":"relay"}"#,
    ),
    (
        "program",
        r#"{"program":"def @main(%x: Tensor[(2, 3), float32]) { %x"}"#,
    ),
    (
        "program",
        r#"{"program":"def @f(%x: Tensor[(2, 3), float32]) { %x }","entry":"g"}"#,
    ),
    ("program", r#"{"program":5}"#),
    (
        "solved",
        r#"{"equations":[["Tensor[(2, 3), float32]","Tensor[(2, 4), float32]"]],"notation":"relay"}"#,
    ),
    (
        "solved",
        r#"{"equations":[["?a","Tensor[(2, 4), float32]"]],"relations":[{"name":"Broadcast","args":["?a","?a","?b"]}]}"#,
    ),
    ("solved", r#"{"equations":5}"#),
    ("kind", r#"{"kind_of":"List[int32]","adts":{"List":1}}"#),
    ("kind", r#"{"kind_of":"List","adts":{"List":"x"}}"#),
    (
        "match",
        r#"{"match":["Cons(_, Nil)"],"adts":{"List":["Cons/2","Nil/0"]}}"#,
    ),
    (
        "match",
        r#"{"match":["Con(_, Nil)"],"adts":{"List":["Cons/2","Nil/0"]}}"#,
    ),
    ("match", r#"{"match":5}"#),
    ("catalog", r#"{"catalog":"onnx.ml"}"#),
    (
        "parsedType",
        r#"{"id":1,"parse":"f32[2, n] or -","as":"type"}"#,
    ),
    ("parsedType", r#"{"parse":"List[f32[2]]","as":"type"}"#),
    (
        "parsedList",
        r#"{"parse":"f32[2, n], (f32[2], A), ?","as":"list"}"#,
    ),
    (
        "parsedQuestion",
        r#"{"parse":"[axis = 1] f32[2], - -> ? where n >= 3, n <= 5","as":"question"}"#,
    ),
    (
        "parsedRule",
        r#"{"parse":"rule r (A: f32[2]): com.microsoft::Gelu(Reshape[allowzero = 0](A, [n, 1])), A => Add(const A, none), A :- n > 2, n < 5","as":"rule","attrs":{"n":"3"}}"#,
    ),
    ("parsedRule", r#"{"parse":"Add(A","as":"rule"}"#),
    ("parsedType", r#"{"parse":"f32[2]"}"#),
    ("parsedList", r#"{"parse":"f32[2], ]","as":"list"}"#),
];

/// What may be asked of a model, with the kind of what comes out.
const OF_A_MODEL: [(&str, &str); 6] = [
    (
        "modelLine",
        r#""parts":["nodes","bodies","types","bytes","declared","names","summary","signature"]"#,
    ),
    ("modelLine", r#""dims":{"*:0":"N"},"parts":["names"]"#),
    ("modelLine", r#""dims":{"nothing:0":"N"}"#),
    ("modelLine", r#""from":[],"to":["nothing"]"#),
    ("whyLine", r#""why":"nothing:0""#),
    ("diffLine", r#""diff":"MODEL""#),
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
fn lines_about_models() {
    for model in ["light_squeezenet.onnx", "../page/body.onnx"] {
        let path = format!(
            "{}/../../tests/data/models/{model}",
            env!("CARGO_MANIFEST_DIR")
        );
        let line =
            |rest: &str| format!("{{\"model\":\"{path}\",{rest}}}\n").replace("MODEL", &path);
        let input: String = OF_A_MODEL.iter().map(|(_, rest)| line(rest)).collect();
        let out = with_input(&["batch", "--model", &path], input.as_bytes()).solved();
        assert_eq!(out.lines().count(), OF_A_MODEL.len());
        for (line, (kind, _)) in out.lines().zip(OF_A_MODEL) {
            fits(&of(kind), line);
        }
        // A way from an output, and a part of the model up to it.
        let whole: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
        let output = whole["outputs"].as_object().unwrap().keys().next().unwrap();
        let why = line(&format!("\"why\":\"{output}\""));
        let part = line(&format!("\"to\":[\"{output}\"],\"parts\":[\"signature\"]"));
        let out = with_input(
            &["batch", "--model", &path],
            [why, part].concat().as_bytes(),
        )
        .solved();
        let (why, part) = out.split_once('\n').unwrap();
        fits(&of("whyLine"), why);
        let part = fits(&of("modelLine"), part);
        assert!(part["signature"].is_string(), "{part}");
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
fn what_commands_about_rules_and_programs_print() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let rules = format!("{data}/rules/everyday.kan");
    let out = kanshape(&["rule", "check", &rules, "--json"]).out;
    assert!(out.lines().count() > 40);
    out.lines()
        .for_each(|line| drop(fits(&of("ruleCheck"), line)));

    let set = ["rule", "check", "--set", &rules, "--json"];
    fits(&of("ruleSet"), &kanshape(&set).out);
    let listed = [
        "rule",
        "enum",
        "--ops",
        "onnx::Add",
        "--size",
        "1",
        "--json",
    ];
    fits(&of("ruleEnum"), &kanshape(&listed).out);
    let programs = [
        "program",
        "--of",
        "fn (f32[m, n]) -> f32[n, m]",
        "--size",
        "1",
        "--json",
    ];
    fits(&of("programs"), &kanshape(&programs).out);

    let find = ["find", "f32[N,3,H,W]", "f32[N,H,W,3]", "--json"];
    fits(&of("find"), &kanshape(&find).out);

    let model = format!("{data}/tests/data/models/light_squeezenet.onnx");
    let rewrite = ["rewrite", &model, "--rules", &rules, "--json", "--dry-run"];
    fits(&of("rewrite"), &kanshape(&rewrite).out);
    let model = format!("{data}/tests/data/models/small/can_be_simpler.onnx");
    fits(
        &of("simplify"),
        &kanshape(&["simplify", &model, "--json"]).out,
    );
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
