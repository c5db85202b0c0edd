//! What torch assumed of sizes beyond what a program requires.

use kanshape::{Dim, Verdict, catalog};
use kanshape_onnx::{Exported, InputDim, Model, Options, check};
use kanshape_torch::exported;
use std::path::Path;

fn read(name: &str) -> Exported {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/torch");
    let bytes = std::fs::read(data.join(format!("{name}.pt2"))).unwrap();
    exported(&bytes, catalog()).unwrap()
}

fn assumed(name: &str) -> Vec<String> {
    let found = read(name).assumed(&Options::default());
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_dim_that_torch_fixed_may_be_others() {
    assert_eq!(
        assumed("pairs/unet-fixed"),
        [
            "fixed d2 (dim 2 of x) to 64; the program holds for d2 % 32 == 0, d2 >= 32",
            "fixed d3 (dim 3 of x) to 64; the program holds for d3 % 32 == 0, d3 >= 32",
        ]
    );
    // The grid of windows is written into the program.
    assert_eq!(
        assumed("export/tv-swin3d_t"),
        [
            "fixed d2 (dim 2 of x) to 16; the program holds for d2 in {16, 17}",
            "fixed d3 (dim 3 of x) to 112; the program holds for d3 in {112, 113, 114, 115}",
            "fixed d4 (dim 4 of x) to 112; the program holds for d4 in {112, 113, 114, 115}",
        ]
    );
}

#[test]
fn a_dim_that_torch_took_for_another_one_may_be_stretched() {
    let all = assumed("pairs/attn");
    let took: Vec<&String> = all.iter().filter(|one| one.starts_with("took")).collect();
    assert_eq!(
        took,
        [
            "took d2 (dim 0 of mask) for s23; the program holds for d2 in {1, s23}",
            "took d3 (dim 1 of mask) for s27; the program holds for d3 in {1, s27}",
        ]
    );
}

#[test]
fn bounds_that_the_calls_do_not_need_are_listed() {
    assert_eq!(
        assumed("export/tv-resnet18-bhw"),
        [
            "assumed s0 >= 2; the program holds for s0 >= 1",
            "assumed s53 >= 2; the program holds for s53 >= 1",
            "assumed s77 >= 2; the program holds for any s77",
        ]
    );
    // Five times half of a size, with nothing around it: 32 is needed.
    assert_eq!(
        assumed("export/tv-vgg11-bhw"),
        ["assumed s77 >= 2; the program holds for any s77"]
    );
}

#[test]
fn nothing_is_found_where_the_user_says_something_of_sizes() {
    let dim = InputDim {
        input: "x".into(),
        axis: 0,
        dim: Dim::Size(4),
    };
    let options = Options {
        dims: vec![dim],
        ..Options::default()
    };
    assert_eq!(read("export/tv-resnet18-bhw").assumed(&options), []);
}

/// The program is typed with sizes that fulfil the listed conditions.
#[test]
fn listed_conditions_are_sufficient() {
    let program = read("pairs/unet-fixed");
    let model = Model::read(&program.model).unwrap();
    for (size, holds) in [(32, true), (96, true), (48, false), (64, true)] {
        let dims = [2, 3].map(|axis| InputDim {
            input: "x".into(),
            axis,
            dim: Dim::Size(size),
        });
        let options = Options {
            dims: dims.into(),
            ..Options::default()
        };
        let verdict = check(&model, &program.known(&options)).verdict;
        assert_eq!(verdict != Verdict::Never, holds, "{size}: {verdict}");
    }
}
