//! ONNX models, typed by the program.

use crate::program::kanshape;

fn model(name: &str) -> String {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/models/");
    format!("{tests}{name}.onnx")
}

fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&kanshape(args).solved()).unwrap()
}

#[test]
fn every_value_has_a_type() {
    let squeezenet = model("light_squeezenet");
    let named = json(&["check", &squeezenet, "--dim", "data_0:0=N", "--json"]);
    assert_eq!(named["verdict"], "always");
    assert_eq!(named["inputs"]["data_0"], "f32[N, 3, 224, 224]");
    assert_eq!(named["outputs"]["softmaxout_1"], "f32[N, 1000, 1, 1]");
    let values = named["values"].as_object().unwrap();
    assert!(
        values
            .values()
            .all(|ty| !ty.as_str().unwrap().contains('?'))
    );

    let set = ["--dim", "data_0:0=N", "--set", "N=7", "--json"];
    let set = json(&[&["check", &squeezenet][..], &set].concat());
    for (name, ty) in values {
        let seven = ty.as_str().unwrap().replace("[N,", "[7,");
        assert_eq!(set["values"][name], seven, "{name}");
    }
}

#[test]
fn the_output_says_what_the_input_is() {
    let squeezenet = model("light_squeezenet");
    let given = "softmaxout_1=f32[16,1000,1,1]";
    let args = ["--dim", "data_0:0=N", "--output", given, "--json"];
    let found = json(&[&["check", &squeezenet][..], &args].concat());
    assert_eq!(found["inputs"]["data_0"], "f32[16, 3, 224, 224]");
}

#[test]
fn a_model_for_one_size_says_so() {
    // It has a reshape to one row.
    let vgg = model("light_vgg19");
    let args = ["--dim", "data_0:0=N"];
    let line = kanshape(&[&["signature", &vgg][..], &args].concat()).solved();
    assert_eq!(line, "f32[1, 3, 224, 224] -> f32[1, 1000]\n");
    let found = json(&[&["check", &vgg, "--json"][..], &args].concat());
    assert_eq!(found["verdict"], "depends");
    assert_eq!(found["where"], serde_json::json!(["N == 1"]));
    assert_eq!(found["conditions"][0]["node"]["op"], "Reshape");

    let squeezenet = model("light_squeezenet");
    let line = kanshape(&[&["signature", &squeezenet][..], &args].concat()).solved();
    assert_eq!(line, "f32[N, 3, 224, 224] -> f32[N, 1000, 1, 1]\n");
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let (good, bad) = (model("light_zfnet512"), model("there-is-none"));
    let run = kanshape(&["check", &bad, &good, "--json"]);
    assert_eq!(run.code, Some(2));
    let lines: Vec<serde_json::Value> = run
        .out
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert_eq!(lines[0]["problems"][0]["code"], "K0510");
    assert_eq!(lines[1]["verdict"], "always");
}

#[test]
fn what_is_said_of_a_model_is_checked() {
    let good = model("light_zfnet512");
    for (args, code) in [
        (["--dim", "N"], "K0516"),
        (["--set", "N=?"], "K0516"),
        (["--output", "f32[2]"], "K0516"),
    ] {
        let run = kanshape(&[&["check", &good][..], &args].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(code), "{}", run.err);
    }
}

/// A folder of this test, without anything in it.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_model_is_written_with_its_types() {
    let out = folder("written").join("typed.onnx");
    let out = out.to_str().unwrap();
    let good = model("light_zfnet512");
    let args = ["--dim", "gpu_0/data_0:0=N", "--json"];
    let before = json(&[&["check", &good, "--write", out][..], &args].concat());
    // The name of the dim stands in the model now.
    let after = json(&["check", out, "--json"]);
    for field in ["inputs", "outputs", "values", "problems"] {
        assert_eq!(before[field], after[field]);
    }
    // A model may be written over itself.
    let again = json(&["check", out, "--write", out, "--json"]);
    assert_eq!(again["values"], after["values"]);
}

#[test]
fn data_in_other_files_are_named_where_a_model_is_written_elsewhere() {
    let to = folder("elsewhere");
    let external = model("small/external");
    let run = kanshape(&["check", &external, "--write", to.to_str().unwrap()]);
    let note = "its data stay where they are: copy external.data there";
    assert!(run.err.contains(note), "{}", run.err);
}

#[test]
fn models_are_written_into_a_folder() {
    let folder = folder("models");
    let to = folder.to_str().unwrap();
    let (a, b, bad) = (
        model("light_zfnet512"),
        model("light_squeezenet"),
        model("there-is-none"),
    );
    let run = kanshape(&["check", &a, &bad, &b, "--write", to]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    let written = |name: &str| folder.join(name).exists();
    assert!(written("light_zfnet512.onnx") && written("light_squeezenet.onnx"));
    assert!(!written("there-is-none.onnx"));
}

#[test]
fn what_can_not_be_written_is_said() {
    let folder = folder("unwritten");
    let good = model("light_zfnet512");
    let none = folder.join("none/typed.onnx");
    let none = none.to_str().unwrap();
    // The types are printed all the same.
    let run = kanshape(&["check", &good, "--write", none]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.starts_with("error[K0517]"), "{}", run.err);
    assert!(run.out.contains("all typed"), "{}", run.out);

    // Several models are no file, and two of the same name no two files.
    let file = folder.join("typed.onnx");
    let other = model("light_squeezenet");
    for (models, to) in [([&good, &other], &file), ([&good, &good], &folder)] {
        let to = to.to_str().unwrap();
        let run = kanshape(&["check", models[0], models[1], "--write", to]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.starts_with("error[K0516]"), "{}", run.err);
        assert_eq!(run.out, "");
    }
    assert!(!file.exists());
}
