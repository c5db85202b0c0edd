//! Programs that torch has exported, and the models of ONNX that were made of them: they have the same sizes, and a size that the
//! exporter has fixed or freed is reported.

use kanshape::catalog;
use kanshape_onnx::{Difference, Exported, Model, Options, check, diff, signature};
use kanshape_torch::{exported, is_archive};
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/torch")
}

fn read(name: &str) -> Exported {
    let bytes = std::fs::read(data().join(name)).unwrap();
    match is_archive(&bytes) {
        true => exported(&bytes, catalog()).unwrap(),
        false => Exported::model(bytes),
    }
}

fn difference(first: &str, second: &str) -> Difference {
    let both = [first, second].map(read);
    let models = [&both[0], &both[1]].map(|own| Model::read(&own.model).unwrap());
    let reports = [0, 1].map(|i| check(&models[i], &both[i].known(&Options::default())));
    diff((&models[0], &reports[0]), (&models[1], &reports[1]))
}

fn sizes(first: &str, second: &str) -> Vec<String> {
    let found = difference(first, second);
    assert!(found.across);
    assert_eq!(found.values, []);
    assert_eq!(found.nodes, []);
    found.sizes.iter().map(ToString::to_string).collect()
}

/// What torch itself says of them is that `s77 >= 2`: that is no condition of the model of ONNX.
#[test]
fn a_model_made_of_a_program_has_its_sizes() {
    for name in [
        "tv-resnet18-bhw",
        "tv-mnasnet0_5-bhw",
        "tv-efficientnet_b0-bhw",
        "tv-vgg11-bhw",
    ] {
        let (program, model) = (format!("export/{name}.pt2"), format!("pairs/{name}.onnx"));
        assert_eq!(sizes(&program, &model), [""; 0], "{name}");
        let line = |own: &Exported| {
            let model = Model::read(&own.model).unwrap();
            let line = signature(&check(&model, &own.known(&Options::default())));
            line.split(" where ").next().unwrap().to_owned()
        };
        assert_eq!(line(&read(&program)), line(&read(&model)), "{name}");
    }
    // These were exported with names for their sizes.
    for name in ["tv-resnet50-bhw", "tv-densenet121-bhw"] {
        let (program, model) = (format!("export/{name}.pt2"), format!("pairs/{name}.onnx"));
        assert_eq!(sizes(&program, &model), [""; 0], "{name}");
    }
    for name in ["unet-fixed", "attn", "attn-fixed"] {
        let (program, model) = (format!("pairs/{name}.pt2"), format!("pairs/{name}.onnx"));
        assert_eq!(sizes(&program, &model), [""; 0], "{name}");
    }
    // The other exporter names no value as the program does.
    assert_eq!(sizes("pairs/attn.pt2", "pairs/attn.ts.onnx"), [""; 0]);
}

#[test]
fn what_an_exporter_fixed_or_freed_is_reported_once() {
    assert_eq!(
        sizes("pairs/attn.pt2", "pairs/attn-fixed.onnx"),
        ["dim 1 of ids: s27 is fixed to 7"]
    );
    assert_eq!(
        sizes("pairs/attn-fixed.pt2", "pairs/attn.ts.onnx"),
        [
            "dim 1 of ids: 7 may be any seq",
            "dim 1 of mask: 7 may be any seq"
        ]
    );
}

#[test]
fn two_models_of_one_system_are_compared_node_by_node() {
    let found = difference("pairs/attn.pt2", "pairs/attn-fixed.pt2");
    assert!(!found.across && found.sizes.is_empty());
    assert!(!found.nodes.is_empty());
}
