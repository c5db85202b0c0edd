//! Models that are written with their types: they say what was found, and else what they said.

use crate::encode::{
    Dim, Message, body, fields, graph, input, message, model, node, of_number, tensor_type, value,
};
use crate::record::Record;
use kanshape::Type;
use kanshape_onnx::{Model, Options, Report, check, write};

const F32: i64 = 1;
const I64: i64 = 7;

fn report<'a>(model: &Model<'a>) -> Report<'a> {
    check(model, &Options::default())
}

/// A model with the types that are found if nothing is said of it.
fn written(bytes: &[u8]) -> Vec<u8> {
    let model = Model::read(bytes).unwrap();
    write(&model, &report(&model))
}

/// The types that are declared in the graph of a model, as messages by name.
fn declared(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let graph = *of_number(bytes, 7).last().unwrap();
    declared_in(graph)
}

fn declared_in(graph: &[u8]) -> Vec<(String, Vec<u8>)> {
    let infos = fields(graph).into_iter();
    let infos = infos.filter(|(number, _)| matches!(number, 11..=13));
    infos
        .map(|(_, info)| {
            let name = String::from_utf8(of_number(info, 1)[0].to_vec()).unwrap();
            let ty = of_number(info, 2).last().map(|ty| ty.to_vec());
            (name, ty.unwrap_or_default())
        })
        .collect()
}

/// Everything in a graph that is not a declared type.
fn without_types(graph: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let all = fields(graph)
        .into_iter()
        .filter(|(number, _)| *number != 13);
    all.map(|(number, bytes)| match number {
        11 | 12 => (number, of_number(bytes, 1)[0].to_vec()),
        _ => (number, bytes.to_vec()),
    })
    .collect()
}

#[track_caller]
fn assert_declares(bytes: &[u8], name: &str, ty: &Message) {
    let all = declared(bytes);
    let found = all.iter().find(|(own, _)| own == name);
    assert_eq!(found.map(|(_, ty)| ty), Some(&ty.0), "{name}");
}

/// A model without its functions' and bodies' share of the report.
fn types(report: &Report<'_>) -> Vec<(String, Type)> {
    let values = report.values.iter();
    values
        .map(|(n, ty)| (n.to_string(), Type::clone(ty)))
        .collect()
}

#[test]
fn what_is_written_is_read_again() {
    for (record, bytes) in Record::all() {
        for options in [Options::default(), record.named()] {
            let model = Model::read(&bytes).unwrap();
            let before = check(&model, &options);
            let out = write(&model, &before);
            let again = Model::read(&out).unwrap();
            // The names that were given stand in the model now.
            let after = report(&again);
            assert_eq!(types(&before), types(&after), "{}", record.model);
            assert_eq!(before.outputs, after.outputs);
            // A name that can only be one size is that size.
            if !before.conditions.iter().any(|c| c.demands) {
                assert_eq!(before.verdict, after.verdict, "{}", record.model);
                assert_eq!(before.conditions, after.conditions);
            }
            assert_eq!(after.problems, [], "{}", record.model);
            assert_eq!(write(&again, &after), out, "{}", record.model);
        }
    }
}

#[test]
fn nothing_but_types_is_changed() {
    for (record, bytes) in Record::all() {
        let out = written(&bytes);
        let (before, after) = (fields(&bytes), fields(&out));
        assert_eq!(before.len(), after.len());
        for (before, after) in before.into_iter().zip(after) {
            if before.0 == 7 {
                let (before, after) = (without_types(before.1), without_types(after.1));
                assert_eq!(before, after, "{}", record.model);
            } else {
                assert_eq!(before, after, "{}", record.model);
            }
        }
    }
}

#[test]
fn every_output_of_a_node_is_declared() {
    for (record, bytes) in Record::all() {
        let model = Model::read(&bytes).unwrap();
        let report = report(&model);
        let out = write(&model, &report);
        let declared = declared(&out);
        let initializers = of_number(&bytes, 7)
            .into_iter()
            .flat_map(|graph| of_number(graph, 5))
            .map(|tensor| String::from_utf8(of_number(tensor, 8)[0].to_vec()).unwrap());
        let initializers: Vec<String> = initializers.collect();
        for (name, ty) in &report.values {
            let is_made = !initializers.iter().any(|own| own == name);
            let is_known = match ty.as_tensor() {
                Some(tensor) => tensor.dtype.known().is_some(),
                None => !ty.is_unknown(),
            };
            if is_known && is_made {
                let found = declared.iter().find(|(own, _)| own == name);
                assert!(
                    found.is_some_and(|(_, ty)| !ty.is_empty()),
                    "{} {name}",
                    record.model
                );
            }
        }
    }
}

/// `y = Relu(x)`, `z = Relu(y)`, with what is declared of `x`, `y` and `z`.
fn chain(x: &Message, y: Option<&Message>, z: Option<&Message>) -> Message {
    let nodes = [node("Relu", &["x"], &["y"]), node("Relu", &["y"], &["z"])];
    let graph = graph(&nodes, &[value("x", Some(x))], &[value("z", z)]);
    match y {
        Some(y) => graph.message(13, &value("y", Some(y))),
        None => graph,
    }
}

fn f32s(dims: &[Dim]) -> Message {
    tensor_type(F32, Some(dims))
}

#[test]
fn names_and_sizes_are_those_that_were_found() {
    let x = f32s(&["batch size".into(), 3.into()]);
    let out = written(&model(&chain(&x, None, None), 13));
    for name in ["x", "y", "z"] {
        assert_declares(&out, name, &x);
    }
    // What is wrong is made right, and what says less is completed.
    let (y, z) = (f32s(&[2.into()]), tensor_type(F32, None));
    let out = written(&model(&chain(&x, Some(&y), Some(&z)), 13));
    assert_eq!(declared(&out).len(), 3);
    for name in ["x", "y", "z"] {
        assert_declares(&out, name, &x);
    }
}

#[test]
fn what_is_declared_and_not_found_stays() {
    use Dim::Open;
    let nodes = [
        node("Mystery", &["x"], &["y"]).text(7, "elsewhere"),
        node("NonZero", &["x"], &["z"]),
    ];
    let x = f32s(&[Open, 3.into()]);
    let (y, z) = (
        f32s(&["n".into()]),
        tensor_type(I64, Some(&[2.into(), 5.into()])),
    );
    let graph = graph(
        &nodes,
        &[value("x", Some(&x))],
        &[value("y", Some(&y)), value("z", Some(&z))],
    );
    // Nothing has this name, and it is said all the same.
    let graph = graph.message(13, &value("w", Some(&y)));
    let model = model(&graph, 13);
    let out = written(&model);
    for (name, ty) in [("y", &y), ("z", &z), ("w", &y)] {
        assert_declares(&out, name, ty);
    }
    assert_declares(&out, "x", &f32s(&["d0".into(), 3.into()]));
}

#[test]
fn dims_of_which_nothing_is_said() {
    // Some exporters write a number or a text for a dim that they know nothing of.
    for open in [Dim::Open, (-1).into(), "".into(), "?".into()] {
        let x = f32s(&[open.clone(), 3.into()]);
        let bytes = model(&chain(&x, Some(&x), Some(&x)), 13);
        let model = Model::read(&bytes).unwrap();
        let report = report(&model);
        assert_eq!(report.problems, []);
        assert_eq!(report.outputs[0].1.to_string(), "f32[d0, 3]");
        let out = write(&model, &report);
        for name in ["x", "y", "z"] {
            assert_declares(&out, name, &f32s(&["d0".into(), 3.into()]));
        }
    }
}

#[test]
fn what_nobody_knows_of_stays() {
    // Fields that no version of ONNX has, what a type and a dim stand for, and a sparse tensor.
    let dim = message().text(2, "n").text(3, "DATA_BATCH").text(99, "?");
    let shape = message()
        .message(1, &dim)
        .message(1, &message())
        .text(98, "!");
    let tensor = message().int(1, F32).message(2, &shape);
    let x = message().message(1, &tensor).text(6, "IMAGE");
    let sparse = message().int(1, F32);
    let y = message().message(8, &sparse).text(6, "SPARSE");
    let graph = chain(&x, Some(&y), None)
        .text(10, "what it is for")
        .text(97, "..");
    let bytes = Message(model(&graph, 13)).text(96, "more").0;
    let out = written(&bytes);
    let declared = declared(&out);
    let ty = |name: &str| &declared.iter().find(|(own, _)| own == name).unwrap().1;
    let own = of_number(of_number(ty("x"), 1)[0], 2)[0];
    assert_eq!(of_number(of_number(own, 1)[0], 3), [b"DATA_BATCH"]);
    assert_eq!(of_number(of_number(own, 1)[0], 99), [b"?"]);
    assert_eq!(of_number(own, 98), [b"!"]);
    assert_eq!(of_number(ty("x"), 6), [b"IMAGE"]);
    assert_eq!(of_number(ty("y"), 6), [b"SPARSE"]);
    assert_eq!(of_number(ty("y"), 8).len(), 1);
    assert_eq!(of_number(of_number(ty("y"), 8)[0], 2).len(), 1);
    let graph = of_number(&out, 7)[0];
    assert_eq!(of_number(graph, 10), [b"what it is for"]);
    assert_eq!(of_number(graph, 97), [b".."]);
    assert_eq!(of_number(&out, 96), [b"more"]);
}

#[test]
fn bodies_have_types_as_well() {
    let branch = |op: &str| {
        let nodes = [node(op, &["x"], &["y"]), node("Relu", &["y"], &["z"])];
        graph(&nodes, &[], &[value("z", None)])
    };
    let choice = node("If", &["c"], &["r"])
        .message(5, &body("then_branch", &branch("Sigmoid")))
        .message(5, &body("else_branch", &branch("Tanh")));
    let x = f32s(&["n".into(), 3.into()]);
    let inputs = [input("c", 9, &[]), value("x", Some(&x))];
    let bytes = model(&graph(&[choice], &inputs, &[value("r", None)]), 13);
    let out = written(&bytes);
    assert_declares(&out, "r", &x);
    let choice = of_number(of_number(&out, 7)[0], 1)[0];
    for attribute in of_number(choice, 5) {
        let branch = of_number(attribute, 6)[0];
        let mut types = declared_in(branch);
        types.sort();
        let all = [("y".to_owned(), x.0.clone()), ("z".to_owned(), x.0.clone())];
        assert_eq!(types, all);
    }
}

#[test]
fn two_values_of_one_name_are_left_alone() {
    // The value of the graph is called as that of the body is in the report.
    let branch = graph(&[node("Shape", &["x"], &["y"])], &[], &[value("y", None)]);
    let choice = node("If", &["c"], &["r"])
        .text(3, "if")
        .message(5, &body("then_branch", &branch))
        .message(5, &body("else_branch", &branch));
    let nodes = [choice, node("Relu", &["x"], &["if/then_branch/y"])];
    let x = f32s(&[2.into(), 3.into()]);
    let inputs = [input("c", 9, &[]), value("x", Some(&x))];
    let bytes = model(&graph(&nodes, &inputs, &[value("r", None)]), 13);
    let out = written(&bytes);
    assert!(
        !declared(&out)
            .iter()
            .any(|(name, _)| name == "if/then_branch/y")
    );
    assert_declares(&out, "r", &tensor_type(I64, Some(&[2.into()])));
}
