//! Lines about models that are given, and about the catalog: they say what the commands say.

use crate::made::{made, small};
use crate::program::{kanshape, with_input};
use serde_json::{Value, json};

/// The line out, without what tells which line it is.
fn answer(line: &Value, models: &[&str]) -> String {
    let mut args = vec!["batch"];
    for model in models {
        args.extend(["--model", model]);
    }
    let out = with_input(&args, format!("{line}\n").as_bytes()).solved();
    let rest = out.strip_prefix(r#"{"id":null,"line":1,"#);
    format!("{{{}", rest.unwrap_or_else(|| panic!("{out}")))
}

/// What a command prints, whatever it ends with.
fn printed(args: &[&str]) -> String {
    kanshape(args).out
}

#[test]
fn a_line_says_what_check_says() {
    let model = &*small();
    let line = json!({"model": model, "dims": {"x:0": "B", "x:2": 16}, "parts": ["nodes", "bytes", "declared"]});
    let options = [
        "--dim",
        "x:0=B",
        "--dim",
        "x:2=16",
        "--nodes",
        "--bytes",
        "--declared",
    ];
    let command = [&["check", model, "--json"], &options[..]].concat();
    assert_eq!(answer(&line, &[model]), printed(&command));

    let line = json!({"model": model, "inputs": {"x": "f32[N,3,32,32]"}, "set": {"N": 2}, "given": {"y": "f32[?,?]"}, "trust_annotations": true, "assume_nonempty": true});
    let options = [
        "--input",
        "x=f32[N,3,32,32]",
        "--set",
        "N=2",
        "-o",
        "y=f32[?,?]",
        "--trust-annotations",
        "--assume-nonempty",
    ];
    let command = [&["check", model, "--json"], &options[..]].concat();
    assert_eq!(answer(&line, &[model]), printed(&command));

    let signature: Value = serde_json::from_str(&printed(&["signature", model, "--json"])).unwrap();
    let found = answer(&json!({"model": model, "parts": ["signature"]}), &[model]);
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["signature"], signature["signature"]);
    assert_eq!(found.get("nodes"), None);
}

#[test]
fn a_line_says_what_why_and_diff_say() {
    let model = &*small();
    let line = json!({"model": model, "why": "y:0", "dims": {"x:0": 2}});
    let command = ["why", model, "y:0", "--json", "--dim", "x:0=2"];
    assert_eq!(answer(&line, &[model]), printed(&command));
    // `output` is the only one that there is.
    let of_output = ["why", model, "output:0", "--json", "--dim", "x:0=2"];
    assert_eq!(
        printed(&of_output).replace("output:0", "y:0"),
        printed(&command)
    );

    let relu = {
        use crate::encode::{graph, input, model, node, value};
        let x = input("x", crate::made::F32, &["N".into(), 3.into()]);
        let graph = graph(&[node("Relu", &["x"], &["y"])], &[x], &[value("y", None)]);
        made("line_relu.onnx", &model(&graph, 17))
    };
    let line = json!({"model": model, "diff": relu});
    assert_eq!(
        answer(&line, &[model, &relu]),
        printed(&["diff", model, &relu, "--json"])
    );
}

#[test]
fn what_is_wrong_has_its_place() {
    let model = &*small();
    for (line, field, code) in [
        (json!({"model": "other.onnx"}), "model", "K0518"),
        (
            json!({"model": model, "diff": "other.onnx"}),
            "diff",
            "K0518",
        ),
        (json!({"model": model, "parts": ["node"]}), "parts", "K0503"),
        (json!({"model": model, "dims": {"x": 2}}), "dims.x", "K0503"),
        (json!({"model": model, "set": {"N": -1}}), "set.N", "K0503"),
        (json!({"model": model, "limit": 3}), "limit", "K0502"),
        (json!({"model": model, "why": 3}), "why", "K0503"),
        (json!({"catalog": "onnx::Conf"}), "catalog", "K0318"),
        (json!({"catalog": "", "limit": 3}), "limit", "K0502"),
    ] {
        let found: Value = serde_json::from_str(&answer(&line, &[model])).unwrap();
        assert_eq!(found["error"]["code"], code, "{line}: {found}");
        assert_eq!(found["error"]["at"]["field"], field, "{line}: {found}");
    }
}

#[test]
fn the_catalog_is_that_of_the_command() {
    let found = answer(&json!({"catalog": "onnx::Conv", "opset": 11}), &[]);
    let command = ["catalog", "onnx::Conv", "--opset", "11", "--json"];
    assert_eq!(found, printed(&command));
    for name in ["", "onnx"] {
        let found: Value = serde_json::from_str(&answer(&json!({"catalog": name}), &[])).unwrap();
        let listed = match name {
            "" => printed(&["catalog", "--json"]),
            name => printed(&["catalog", name, "--json"]),
        };
        let listed: Vec<Value> = listed
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert!(listed.len() > 100, "{}", listed.len());
        assert_eq!(found["operators"], json!(listed));
    }
}

#[test]
fn a_line_about_an_exported_program_says_what_check_says() {
    let model = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/torch/export/tv-resnet50-bhw.pt2"
    );
    let line = json!({"model": model, "parts": ["summary"]});
    let found = answer(&line, &[model]);
    assert_eq!(found, printed(&["check", model, "--json", "--summary"]));
    let found: Value = serde_json::from_str(&found).unwrap();
    assert!(found["values"].as_object().unwrap().len() > 100);
    assert!(found["summary"]["operators"].as_object().unwrap().len() > 4);
}

#[test]
fn a_summary_has_what_a_model_says_of_itself() {
    // The version of the format, the domain, the model's own version, a text, two properties, and a graph that is empty.
    let model = &*made(
        "about.onnx",
        b"\x08\x09\x22\x01d\x28\x07\x32\x05about\x72\x06\x0a\x01k\x12\x01v\x72\x06\x0a\x01k\x12\x01w\x3a\x00",
    );
    let found = answer(&json!({"model": model, "parts": ["summary"]}), &[model]);
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(
        found["summary"],
        json!({
            "producer": null, "format": 9,
            "properties": [["domain", "d"], ["version", "7"], ["about", "about"], ["k", "v"], ["k", "w"]],
            "versions": {}, "operators": {},
        })
    );
}

#[test]
fn without_a_site_they_say_so() {
    let model = &*small();
    for command in [&["report", model][..], &["serve"]] {
        let command = [command, &["--site", "no-such-folder"]].concat();
        let run = kanshape(&command);
        assert_eq!((run.code, &*run.out), (Some(2), ""));
        assert!(
            run.err
                .starts_with("error[K0519]: there is no site in `no-such-folder`"),
            "{}",
            run.err
        );
    }
}
