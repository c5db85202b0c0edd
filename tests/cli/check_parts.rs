//! What `check` and `simplify` make of small models: operators that nobody has loaded, data in other files, a summary.

use crate::made::folder;
use crate::program::{command, finish, kanshape};

fn model(name: &str) -> String {
    let tests = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/models/small/"
    );
    format!("{tests}{name}.onnx")
}

#[test]
fn an_operator_that_nobody_has_loaded_gives_what_is_declared() {
    let path = model("unknown_operator");
    let run = kanshape(&["check", &path]);
    assert_eq!(run.code, Some(4), "{}{}", run.out, run.err);
    assert!(run.out.contains("output y: f32[n, 4*d0]\n"), "{}", run.out);
    // A name that no input has is no requirement.
    assert!(!run.out.contains("where"), "{}", run.out);
    assert!(run.err.contains("no operator `own::Detect`"), "{}", run.err);
    assert!(
        run.err.contains("whether that is true or not: boxes"),
        "{}",
        run.err
    );

    let line = kanshape(&["check", &path, "--json"]);
    assert_eq!(line.code, Some(4));
    let line: serde_json::Value = serde_json::from_str(&line.out).unwrap();
    assert_eq!(line["verdict"], "unknown");
    assert_eq!(line["otherwise"], "always");
    assert_eq!(line["untyped"][0]["missing"], true);
    assert_eq!(line["untyped"][0]["declared"][0], "boxes");
    assert_eq!(kanshape(&["signature", &path]).code, Some(4));
    // Another reason not to know is another exit.
    assert_eq!(
        kanshape(&["check", &path, &model("external")]).code,
        Some(4)
    );
}

#[test]
fn small_tensors_in_other_files_are_read() {
    let path = model("external");
    let shown = kanshape(&["check", &path]).solved();
    assert!(shown.contains("output y: f32[n, 2, 3]\n"), "{shown}");
    assert!(shown.contains("; always\n"), "{shown}");
    // Without the file nothing is known of it.
    let alone = folder("external_alone").join("external.onnx");
    std::fs::copy(&path, &alone).unwrap();
    let run = kanshape(&["check", alone.to_str().unwrap()]);
    assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
    assert!(
        run.out.contains("output y: f32[d0, d1, d2]\n"),
        "{}",
        run.out
    );
}

#[test]
fn data_are_read_from_the_folder_of_the_model_alone() {
    let top = folder("external_outside");
    let inner = top.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::copy(
        model("external").replace(".onnx", ".data"),
        top.join("external.data"),
    )
    .unwrap();
    let bytes = std::fs::read(model("external")).unwrap();
    // A location of the same length that leads out of the folder.
    let at = bytes
        .windows(13)
        .position(|part| part == b"external.data")
        .unwrap();
    let mut out = bytes.clone();
    out[at..at + 13].copy_from_slice(b"../ternal.dat");
    std::fs::copy(
        model("external").replace(".onnx", ".data"),
        top.join("ternal.dat"),
    )
    .unwrap();
    std::fs::write(inner.join("external.onnx"), out).unwrap();
    let run = kanshape(&["check", inner.join("external.onnx").to_str().unwrap()]);
    assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
}

#[test]
fn a_summary_counts_operators() {
    let shown = kanshape(&["check", &model("fused"), "--summary"]).solved();
    for line in [
        "producer by hand\n",
        "versions ai.onnx 17, com.microsoft 1\n",
        "1 com.microsoft::Attention",
        "output y: f32[batch, sequence, 4]\n",
        "where sequence <= 8\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let shown = kanshape(&["check", &model("fused"), "--summary", "--json"]).solved();
    let line: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(line["summary"]["versions"]["com.microsoft"], 1);
    assert_eq!(line["summary"]["operators"]["MatMul"], 1);
    let run = kanshape(&["check", &model("unknown_operator"), "--summary"]);
    assert!(
        run.out.contains("1 own::Detect (not loaded)"),
        "{}",
        run.out
    );
}

#[test]
fn a_model_is_made_simpler() {
    let path = model("can_be_simpler");
    let out = folder("simplified").join("out.onnx");
    let to = out.to_str().unwrap();
    let run = kanshape(&["simplify", &path, "-o", to]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let shown = run.out;
    assert!(shown.contains("8 nodes, now 3\n"), "{shown}");
    assert!(
        shown.contains("  1 replaced by the branch that is run\n"),
        "{shown}"
    );
    let types = |path: &str| {
        let shown = kanshape(&["check", path]).solved();
        shown.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(types(to), types(&path));
    let again = kanshape(&["simplify", to]).solved();
    assert!(again.contains("3 nodes, now 3\n"), "{again}");
    let without = kanshape(&["simplify", &path, "--no-rules"]).solved();
    assert!(without.contains("8 nodes, now 4\n"), "{without}");
}

#[test]
fn a_part_of_a_model_is_taken_out() {
    let path = model("can_be_simpler");
    let part = |options: &[&str]| {
        let out = folder("part").join("out.onnx");
        let to = out.to_str().unwrap();
        let args = [&["simplify", &path, "-o", to], options].concat();
        let run = kanshape(&args);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let shown = run.out;
        let types = kanshape(&["check", to]).solved();
        let types = types.lines().skip(1).map(str::to_owned);
        (shown, types.collect::<Vec<String>>())
    };
    let (shown, types) = part(&["--from", "q", "--to", "y"]);
    assert!(
        shown.contains("8 nodes, now 1\n  6 outside of the part\n"),
        "{shown}"
    );
    assert_eq!(types, ["input  q: f32[n, t]", "output y: f32[t, n]"]);
    // A value is an output as well where another one is made of it, and what is not named is what it was.
    let (_, types) = part(&["--to", "q", "--to", "r", "--no-rules"]);
    let all = [
        "input  x: f32[n, 1, t]",
        "output q: f32[n, t]",
        "output r: f32[n, 1, t]",
    ];
    assert_eq!(types, all);
    let (_, types) = part(&["--from", "p"]);
    assert_eq!(types, ["input  p: f32[n, t]", "output y: f32[t, n]"]);
    let run = kanshape(&["simplify", &path, "--to", "nothing"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("the model has no value `nothing`"),
        "{}",
        run.err
    );
}

#[test]
fn a_model_is_run_as_a_proof() {
    let path = model("external");
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/run/python");
    let run = |name: &str, answer: &str, complaint: &str, args: &[&str]| {
        let asked = folder("run_as_a_proof").join(name);
        let args = [&["check", &*path, "--run"], args].concat();
        let mut command = command(&args);
        command.env("KANSHAPE_PYTHON", python).env("ASKED", &asked);
        command.env("ANSWER", answer).env("COMPLAINT", complaint);
        let run = finish(command.spawn().unwrap(), b"");
        (run, std::fs::read_to_string(asked).unwrap())
    };
    let as_said = r#"{"count": 3, "finished": 2, "differences": []}"#;
    let (found, asked) = run("as_said", as_said, "", &[]);
    assert_eq!(found.code, Some(0), "{}{}", found.out, found.err);
    let line = "\nrun 3 times with onnxruntime, 2 completed: all as predicted\n";
    assert!(found.out.ends_with(line), "{}", found.out);
    let asked: serde_json::Value = serde_json::from_str(&asked).unwrap();
    assert_eq!(asked["model"], *path);
    assert_eq!(asked["options"]["inputs"]["x"], "f32[n, 6]");

    let other = r#"{"count": 2, "finished": 1, "differences": [{"inputs": {"x": "f32[3, 6]"}, "predicted": "always", "error": "no", "lines": ["it should run: no"]}]}"#;
    let (found, _) = run("otherwise", other, "", &[]);
    assert_eq!(found.code, Some(1), "{}{}", found.out, found.err);
    let lines = "1 completed: 1 differs from the prediction\n  x f32[3, 6]: always, did not run\n      it should run: no\n";
    assert!(found.out.ends_with(lines), "{}", found.out);
    let (found, _) = run("as_json", other, "", &["--json"]);
    let line: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!(line["runs"]["differences"][0]["inputs"]["x"], "f32[3, 6]");

    let refused = r#"{"refused": "onnxruntime is not installed"}"#;
    for (name, answer, complaint, why) in [
        ("refused", refused, "", "onnxruntime is not installed"),
        (
            "silent",
            "",
            "no module named kanshape",
            "no module named kanshape",
        ),
        ("nothing", "", "", "Python has printed nothing"),
    ] {
        let (found, _) = run(name, answer, complaint, &[]);
        assert_eq!(found.code, Some(2), "{}{}", found.out, found.err);
        let why = format!("external.onnx` could not be run: {why}\n");
        assert!(found.err.contains(&why), "{}", found.err);
    }
}
