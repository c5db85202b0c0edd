//! A model with one size changed, and models that can't be: the message names what is wrong.

use crate::record::Record;
use kanshape::{Dim, Verdict};
use kanshape_onnx::{InputDim, Model, Options, Report, check};

/// All that a report says of what is wrong.
fn explanation(report: &Report<'_>) -> String {
    let problems = report.problems.iter().map(|problem| {
        let node = problem.node.as_ref().map(|node| node.node.as_str());
        let steps = problem.diagnostic.steps.join("\n");
        let headline = &problem.diagnostic.headline;
        format!("{headline} at {}\n{steps}\n", node.unwrap_or_default())
    });
    problems.collect()
}

#[test]
fn a_size_that_is_changed_is_named() {
    let (mut explained, mut wrong) = (0, Vec::new());
    let light = Record::all().into_iter();
    let light = light.filter(|(record, _)| record.model.contains("light_"));
    for (record, bytes) in light {
        let model = Model::read(&bytes).unwrap();
        let whole = check(&model, &Options::default());
        let dims = whole.inputs.iter().flat_map(|(name, ty)| {
            let dims = ty
                .as_tensor()
                .map(|tensor| tensor.shape.known_dims().to_vec());
            let dims = dims.into_iter().flatten().enumerate();
            dims.filter_map(move |(axis, dim)| Some((name, axis, dim.size()?)))
        });
        for (name, axis, size) in dims {
            let options = Options {
                dims: vec![InputDim {
                    input: name.to_string(),
                    axis,
                    dim: Dim::Size(size + 3),
                }],
                ..Options::default()
            };
            let report = check(&model, &options);
            if report.verdict != Verdict::Never {
                continue;
            }
            explained += 1;
            let text = explanation(&report);
            let first = report.problems.first().map(|p| p.diagnostic.steps.len());
            if !text.contains(&format!("`{name}`")) || first.is_none_or(|steps| steps > 20) {
                wrong.push(format!("{} {name} dim {axis}: {text}", record.model));
            }
        }
    }
    let few: Vec<&String> = wrong.iter().take(3).collect();
    assert!(wrong.is_empty(), "{} of {explained}: {few:#?}", wrong.len());
    assert_eq!(explained, 20);
}

/// Which node, and what its message names: where the sizes come from.
const BROKEN: [(&str, &str, &[&str]); 5] = [
    (
        "joined",
        "head/conv",
        &["`stem.w`", "`backbone/stem`", "`head.w`"],
    ),
    ("one_batch", "join", &["`x`", "`flatten`", "`more`"]),
    ("wrong_perm", "dense", &["`turn`", "`x`", "`w`"]),
    ("wrong_initializer", "heads", &["`shape`", "`x`"]),
    // By itself it is possible: it conflicts with what another node requires.
    (
        "two_conditions",
        "bias",
        &["`N % 3 == 0`, which `into_rows`", "`x`", "`b`"],
    ),
];

#[test]
fn the_right_operator_is_named() {
    for (name, node, names) in BROKEN {
        let path = format!(
            "{}/../../tests/data/models/broken/{name}.onnx",
            env!("CARGO_MANIFEST_DIR")
        );
        let bytes = std::fs::read(path).unwrap();
        let model = Model::read(&bytes).unwrap();
        let report = check(&model, &Options::default());
        assert_eq!(report.verdict, Verdict::Never, "{name}");
        let problem = &report.problems[0];
        assert_eq!(problem.diagnostic.code, "K0101");
        assert_eq!(problem.node.as_ref().unwrap().node, node);
        let text = explanation(&report);
        for name in names {
            assert!(text.contains(name), "{name}: {text}");
        }
        // A node that has nothing to do with it is not.
        assert!(!text.contains("into_pairs"), "{text}");
    }
}
