//! Values that are inputs because the options say so.

use crate::encode::{Message, graph, input, model as encoded, node, value};
use crate::record::Record;
use kanshape::{Type, Verdict};
use kanshape_onnx::{Model, Options, Report, check, why};

const F32: i64 = 1;

fn cut(name: &str, ty: &str) -> Options {
    Options {
        cuts: vec![(name.to_owned(), ty.parse().unwrap())],
        ..Options::default()
    }
}

/// `y = MatMul(Relu(x), w)` with `x` of `f32[8, 3]`.
fn dense() -> Vec<u8> {
    let nodes = [
        node("Relu", &["x"], &["hidden"]).text(3, "act"),
        node("MatMul", &["hidden", "w"], &["y"]).text(3, "dense"),
    ];
    let x = input("x", F32, &[8.into(), 3.into()]);
    let w = input("w", F32, &[3.into(), 4.into()]);
    model(&nodes, &[x, w], "y")
}

fn model(nodes: &[Message], inputs: &[Message], output: &str) -> Vec<u8> {
    encoded(&graph(nodes, inputs, &[value(output, None)]), 17)
}

fn shown(report: &Report<'_>, name: &str) -> String {
    report.value(name).map(Type::to_string).unwrap_or_default()
}

#[test]
fn what_follows_from_a_value_is_typed_anew() {
    let bytes = dense();
    let model = Model::read(&bytes).unwrap();
    let report = check(&model, &cut("hidden", "f32[N, K]"));
    assert_eq!(shown(&report, "hidden"), "f32[N, 3]");
    assert_eq!(shown(&report, "y"), "f32[N, 4]");
    assert_eq!(report.verdict, Verdict::Depends);
    assert_eq!(report.conditions[0].condition.to_string(), "K == 3");
    // It is an input, and what makes it says nothing of it.
    let inputs: Vec<&str> = report.inputs.iter().map(|(name, _)| &**name).collect();
    assert_eq!(inputs, ["x", "w", "hidden"]);
    assert_eq!(shown(&report, "x"), "f32[8, 3]");
    assert_eq!(report.values.iter().filter(|v| v.0 == "hidden").count(), 1);
    let wrong = check(&model, &cut("hidden", "f32[8, 5]"));
    assert_eq!(wrong.verdict, Verdict::Never);
    let ways = why(&model, &cut("hidden", "f32[N, 3]"), "y:0").unwrap();
    assert!(format!("{ways:?}").contains("Input"), "{ways:?}");
}

#[test]
fn what_a_node_that_nobody_knows_gives() {
    let nodes = [
        node("Nameless", &["x"], &["z"]).text(3, "odd"),
        node("Transpose", &["z"], &["t"]).text(3, "turn"),
    ];
    let x = input("x", F32, &[8.into(), 3.into()]);
    let bytes = self::model(&nodes, &[x], "t");
    let model = Model::read(&bytes).unwrap();
    assert_eq!(shown(&check(&model, &Options::default()), "t"), "?[...]");
    let report = check(&model, &cut("z", "i64[A, 7]"));
    assert_eq!(shown(&report, "t"), "i64[7, A]");
}

#[test]
fn a_cycle_is_cut() {
    let nodes = [
        node("Add", &["x", "b"], &["a"]).text(3, "first"),
        node("Relu", &["a"], &["b"]).text(3, "second"),
    ];
    let x = input("x", F32, &["N".into(), 3.into()]);
    let bytes = self::model(&nodes, &[x], "b");
    let model = Model::read(&bytes).unwrap();
    let report = check(&model, &cut("b", "f32[1, 3]"));
    assert_eq!(shown(&report, "a"), "f32[N, 3]");
    // It is still there in the file, which is reported.
    assert_eq!(report.problems.len(), 1);
}

#[test]
fn a_name_that_nothing_makes() {
    let bytes = dense();
    let model = Model::read(&bytes).unwrap();
    let message = |name: &str| {
        let report = check(&model, &cut(name, "f32[1]"));
        let one = &report.problems[0].diagnostic;
        format!("{}; {}", one.headline, one.help.join(""))
    };
    assert_eq!(
        message("x"),
        "no node or initializer makes `x`; it is an input: its type is given as that of an input"
    );
    assert!(
        message("hiden").contains("did you mean `hidden`?"),
        "{}",
        message("hiden")
    );
}

/// A value that is cut at the type that it has changes nothing else.
#[test]
fn a_cut_at_the_type_that_is_there_changes_nothing() {
    let mut cuts = 0;
    for (record, bytes) in Record::all() {
        if !record.model.contains("light_") {
            continue;
        }
        let model = Model::read(&bytes).unwrap();
        let whole = check(&model, &Options::default());
        let made = whole.values.iter().skip(whole.inputs.len());
        for (name, ty) in made.step_by(41) {
            let options = Options {
                cuts: vec![(name.to_string(), Type::clone(ty))],
                ..Options::default()
            };
            let report = check(&model, &options);
            for (other, ty) in &whole.values {
                assert_eq!(report.value(other), Some(&**ty), "{name} {other}");
            }
            assert_eq!(report.values.len(), whole.values.len());
            assert_eq!(report.verdict, whole.verdict, "{} {name}", record.model);
            cuts += 1;
        }
    }
    assert!(cuts > 50, "{cuts}");
}
