//! Operators, named where a signature is.

use crate::program::{Run, kanshape, with_input};

const OWN: &str = r#"
domain "mine"

/// The greatest of each window.
///
/// > [size = [2, 4]] f32[1, 8, 8] -> f32[1, 4, 2]
op Pool [size: ints, mode: string = "max"] (X: T[n, h, w], M: bool[n]?) -> (Y: T[n, h//a, w//b], I: i64[n]?) since 3 :-
    T: Float,
    size = [a, b], a > 0, b > 0

/// > [parts = 2] f32[4] -> f32[2], f32[2]
op Cut [parts: int] (X: T[n]) -> (..parts_of) :- Pieces(parts, n//parts, T, parts_of)
Pieces(0, _size, _T, [])
Pieces(k, size, T, [Tensor([size], T), ..rest]) :- k > 0, Pieces(k - 1, size, T, rest)

op matmul(A: T[m, n], B: T[n, p]) -> (C: T[p, m])
"#;

/// A file that is there as long as this is.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let name = format!("kanshape-{name}-{}.kan", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        File(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn with_own(name: &str, args: &[&str]) -> Run {
    let file = File::new(name, OWN);
    kanshape(&[args, &["--load", file.name()]].concat())
}

#[track_caller]
fn prints(args: &[&str], expected: &str) {
    assert_eq!(kanshape(args).solved().trim_end(), expected, "{args:?}");
}

#[track_caller]
fn fails(args: &[&str], expected: &str) {
    let run = kanshape(args);
    assert_eq!(
        (run.code, &*run.out, run.err.trim_end()),
        (Some(2), "", expected)
    );
}

#[test]
fn every_direction() {
    let conv = ["infer", "onnx::Conv"];
    let [x, w] = ["f32[1,3,224,224]", "f32[64,3,7,7]"];
    let given = ["--attr", "strides=[2,2]", "-a", "pads=[3, 3, 3, 3]"];
    let y = ["--output", "f32[1,64,112,112]"];
    prints(
        &[&conv[..], &[x, w], &given].concat(),
        "f32[1, 64, 112, 112]",
    );
    prints(
        &[&conv[..], &[x, "?"], &given, &y].concat(),
        "f32[64, 3, d0, d1] where d0 in {7, 8}, d1 in {7, 8}",
    );
    prints(
        &[&conv[..], &["?", w], &given, &y].concat(),
        "f32[1, 3, d0, d1] where d0 in {223, 224}, d1 in {223, 224}",
    );
    prints(
        &[
            &conv[..],
            &[x, w, "-a", "pads=[3,3,3,3]", "-a", "strides=?"],
            &y,
        ]
        .concat(),
        "strides = [2, 2]",
    );
    prints(
        &[&conv[..], &[x, w, "-"], &given, &y].concat(),
        "f32[1, 3, 224, 224], f32[64, 3, 7, 7], - -> f32[1, 64, 112, 112]",
    );
}

#[test]
fn operands_that_are_left_out() {
    let lstm = [
        "infer",
        "onnx::LSTM",
        "f32[6,2,3]",
        "f32[1,16,3]",
        "f32[1,16,4]",
        "-a",
        "hidden_size=4",
    ];
    prints(
        &[&lstm[..], &["-o", "-", "-o", "?"]].concat(),
        "f32[1, 2, 4]",
    );
    prints(
        &[&lstm[..], &["-o", "?", "-o", "-", "-o", "?"]].concat(),
        "output 0: f32[6, 1, 2, 4]; output 2: f32[1, 2, 4]",
    );
    prints(
        &[
            "infer",
            "onnx::TopK",
            "f32[9]",
            "i64[1] = [4]",
            "-o",
            "-",
            "-o",
            "?",
        ],
        "i64[4]",
    );
}

#[test]
fn contents_and_versions() {
    prints(
        &["infer", "onnx::Reshape", "f32[n,6]", "i64[3] = [n, 2, -1]"],
        "f32[n, 2, 3]",
    );
    // The axes were an attribute once.
    prints(
        &[
            "infer",
            "onnx::Squeeze",
            "f32[1,3,1]",
            "-a",
            "axes=[0]",
            "--opset",
            "11",
        ],
        "f32[3, 1]",
    );
    prints(
        &["infer", "onnx::Squeeze", "f32[1,3,1]", "i64[1] = [0]"],
        "f32[3, 1]",
    );
}

#[test]
fn as_many_outputs_as_there_are() {
    let split = [
        "infer",
        "onnx::Split",
        "f32[7,n]",
        "--attr",
        "num_outputs=3",
    ];
    let shown = "output 0: f32[3, n]; output 1: f32[3, n]; output 2: f32[1, n]";
    prints(&split, shown);
    prints(
        &[&split[..], &["-o", "?", "-o", "?", "-o", "?"]].concat(),
        shown,
    );
    let run = kanshape(&[&split[..], &["-o", "?", "-o", "?"]].concat());
    assert_eq!((run.code, &*run.out), (Some(1), ""));
    assert!(run.err.contains("onnx::Split"), "{}", run.err);
}

#[test]
fn json_has_the_places_of_the_question() {
    prints(
        &[
            "infer",
            "onnx::Clip",
            "f32[7]",
            "-",
            "?",
            "-o",
            "f32[7]",
            "--json",
        ],
        r#"{"verdict":"always","answers":[{"inputs":["f32[7]","-","f32[]"],"outputs":["f32[7]"],"where":[]}],"complete":true,"error":null}"#,
    );
    prints(
        &["enum", "onnx::Relu", "f32[?]", "--max-dim", "1", "--json"],
        "{\"inputs\":[\"f32[0]\"],\"outputs\":[\"f32[0]\"],\"where\":[]}\n\
         {\"inputs\":[\"f32[1]\"],\"outputs\":[\"f32[1]\"],\"where\":[]}",
    );
}

#[test]
fn a_reshape_is_explained_in_elements() {
    for (data, shape, expected) in [
        (
            "f32[2,7,512]",
            "[0,0,8,63]",
            "512 elements don't fit 8*63 = 504",
        ),
        ("f32[2,7,512]", "[0,0,8,63]", "help: 8*64 would fit"),
        (
            "f32[b,512]",
            "[0,6,-1]",
            "512 elements can't be divided by 6",
        ),
        ("f32[4,6]", "[-1,5]", "24 elements can't be divided by 5"),
        ("f32[4,6]", "[5,5]", "24 elements don't fit 5*5 = 25"),
        (
            "f32[4]",
            "[4,0]",
            "the shape copies dim 1 by a 0, and the tensor has 1 dim",
        ),
    ] {
        let rank = shape.split(',').count();
        let shape = format!("i64[{rank}] = {shape}");
        let run = kanshape(&["infer", "onnx::Reshape", data, &shape]);
        assert_eq!(run.code, Some(1), "{data} {shape}: {}", run.out);
        assert!(run.err.contains(expected), "{data} {shape}: {}", run.err);
    }
}

#[test]
fn a_hidden_text_is_one_of_its_texts() {
    prints(
        &[
            "infer",
            "onnx::BitShift",
            "u8[2]",
            "u8[2]",
            "-o",
            "u8[2]",
            "-a",
            "direction=?",
        ],
        "direction = LEFT\ndirection = RIGHT",
    );
}

#[test]
fn names_that_are_none() {
    fails(
        &["infer", "onnx::Cnv", "?"],
        "error[K0318]: there is no operator `onnx::Cnv`\n  = help: did you mean `onnx::Conv`?",
    );
    fails(
        &["infer", "conv", "?"],
        "error[K0318]: there is no operator `conv`\n  = help: did you mean `onnx::Conv`?",
    );
    for wrong in ["onnx:Conv", "onnx.Conv", "onxn::Conv"] {
        fails(
            &["infer", wrong, "?"],
            &format!(
                "error[K0318]: there is no operator `{wrong}`\n  = help: did you mean `onnx::Conv`?"
            ),
        );
    }
    fails(
        &["infer", "ml::scaler", "?"],
        "error[K0318]: there is no operator `ml::scaler`\n  = help: did you mean `onnx.ml::Scaler`?",
    );
    fails(
        &["infer", "matml", "?"],
        "error[K0318]: there is no operator `matml`\n  = help: did you mean `numpy::matmul`?",
    );
    fails(
        &["infer", "onnx::Gelu", "?", "--opset", "9"],
        "error[K0318]: there is no operator `onnx::Gelu` in version 9\n  \
         = help: it first appears in version 20",
    );
}

#[test]
fn attributes_that_are_none() {
    let conv = [
        "infer",
        "onnx::Conv",
        "f32[1,3,8,8]",
        "f32[4,3,3,3]",
        "--attr",
    ];
    let fails = |attr: &str, expected: &str| fails(&[&conv[..], &[attr]].concat(), expected);
    fails(
        "stride=[2]",
        "error[K0315]: `Conv` has no attribute `stride`\n  = help: did you mean `strides`?",
    );
    fails(
        "strides=2",
        "error[K0316]: the attribute `strides` is a list of numbers, and `2` is not\n  = help: a list of numbers is written like \
         this: `[2, 2]`",
    );
    fails(
        "group=[1]",
        "error[K0316]: the attribute `group` is a number, and `[1]` is not\n  = help: a number is written like this: `2`",
    );
    fails(
        "strides",
        "error[K0508]: an attribute is given as `NAME=VALUE`\n --> attr:1:1\n  |\n1 | strides\n  \
         | ^^^^^^^ no value\n  |\n  = help: to query it, write `strides=?`",
    );
}

#[test]
fn too_many_and_too_few() {
    fails(
        &["infer", "onnx::Conv", "f32[1,3,8,8]"],
        "error[K0317]: `Conv` needs its input `W`\n  = help: write `?` for an input of which nothing is known",
    );
    fails(
        &["infer", "onnx::Relu", "?", "?"],
        "error[K0310]: `Relu` has at most 1 input, the query gives 2",
    );
    fails(
        &["infer", "onnx::Relu", "f32["],
        "error[K0003]: `[` is never closed\n --> input 0:1:4\n  |\n1 | f32[\n  |    ^ opened here\n  \
         |     - and here the text ends",
    );
}

#[test]
fn what_only_one_of_them_has() {
    let code = |args: &[&str]| {
        let run = kanshape(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.err.contains("K0514"), "{args:?}\n{}", run.err);
    };
    code(&["infer", "onnx::Relu", "?", "--param", "s=2"]);
    code(&["infer", "(m)->(m)", "?", "--opset", "9"]);
    code(&["parse", "onnx::Relu"]);
}

#[test]
fn a_file_of_ones_own() {
    let prints = |args: &[&str], expected: &str| {
        let out = with_own("own", args).solved();
        assert_eq!(out.trim_end(), expected, "{args:?}");
    };
    prints(
        &["infer", "Pool", "f32[1,9,9]", "-a", "size=[2,3]"],
        "f32[1, 4, 3]",
    );
    prints(
        &["infer", "mine::Pool", "f32[1,9,9]", "-a", "size=[2,n]"],
        "f32[1, 4, 9//n] where n >= 1",
    );
    prints(
        &["infer", "Pool", "f32[1,8,8]", "-o", "f32[1,4,8]"],
        "size = [2, 1]",
    );
    prints(
        &["infer", "Cut", "f32[9]", "-a", "parts=3"],
        "output 0: f32[3]; output 1: f32[3]; output 2: f32[3]",
    );
    // What is loaded hides nothing of the catalog.
    prints(
        &["infer", "mine::matmul", "f32[2,3]", "f32[3,4]"],
        "f32[4, 2]",
    );
    let run = with_own("own-two", &["infer", "matmul", "f32[2,3]", "f32[3,4]"]);
    assert!(
        run.err
            .ends_with("write one of `mine::matmul`, `numpy::matmul`\n"),
        "{}",
        run.err
    );
    prints(&["infer", "onnx::Relu", "f32[2]"], "f32[2]");
    let run = with_own("own-near", &["infer", "Pol", "f32[2]"]);
    assert!(
        run.err.contains("did you mean `mine::Pool`?"),
        "{}",
        run.err
    );
}

#[test]
fn all_values_of_an_attribute() {
    let query = [
        "Pool",
        "f32[1,4,4]",
        "-o",
        "f32[1,1,2]",
        "-a",
        "size=?",
        "--max-dim",
        "9",
    ];
    let all = with_own("own-all", &[&["enum"], &query[..]].concat()).solved();
    assert_eq!(all, "size = [3, 2]\nsize = [4, 2]\n");
    let json = with_own("own-json", &[&["enum", "--json"], &query[..]].concat()).solved();
    assert!(
        json.contains(r#""attrs":{"size":[3,2]},"where":[]}"#),
        "{json}"
    );
}

#[test]
fn completions_know_the_options() {
    let script = kanshape(&["completions", "bash"]).solved();
    for option in ["--attr", "--opset", "--load", "--check"] {
        assert!(script.contains(option), "{option}");
    }
}

#[test]
fn files_that_are_wrong() {
    let run = kanshape(&["infer", "Pool", "?", "--load", "no/such/file.kan"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.starts_with("error[K0510]"), "{}", run.err);
    let file = File::new("wrong", "op Pool(X) -> (Y) :-\n    Y = Z, Ppol(X)\n");
    let run = kanshape(&["infer", "Pool", "?", "--load", file.name()]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains(".kan:2:"), "{}", run.err);
    let twice = File::new("twice", "op Pool(X) -> (Y) :- Y = X");
    let other = File::new("other", "op Pool(X) -> (Y) :- Y = X");
    let args = [
        "infer",
        "Pool",
        "?",
        "--load",
        twice.name(),
        "--load",
        other.name(),
    ];
    let run = kanshape(&args);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("is defined in"), "{}", run.err);
}

#[test]
fn in_the_repl() {
    let file = File::new("repl", OWN);
    let input = "Pool\n\
                 [size = [2,4]] f32[1,8,8]\n\
                 [size = ?] f32[1,8,8] -> f32[1,4,4]\n\
                 [size = [2,2]] f32[1,8,8], - -> -, ?\n\
                 onnx::Gather\n\
                 [axis = 1] f32[5,n], i64[2] -> ?\n";
    let run = with_input(&["repl", "--load", file.name()], input.as_bytes());
    assert_eq!(
        run.out, "f32[1, 4, 2]\nsize = [2, 2]\ni64[1]\nf32[5, 2]\n",
        "{}",
        run.err
    );
}

#[test]
fn what_could_stand_there() {
    // An axis is within the rank, and what may be negative has no name.
    prints(
        &[
            "infer",
            "onnx::Unsqueeze",
            "f32[8]",
            "--attr",
            "axes=[0,?]",
            "--opset",
            "9",
        ],
        "output: f32[1, 8, 1]; axes = [0, -1]\n\
         output: f32[1, 8, 1]; axes = [0, 2]\n\
         output: f32[1, 1, 8]; axes = [0, -2]\n\
         output: f32[1, 1, 8]; axes = [0, 1]",
    );
    prints(
        &["infer", "onnx::Unsqueeze", "f32[8]", "i64[1] = [?]"],
        "input 1: i64[1] = [0]; output: f32[1, 8]\n\
         input 1: i64[1] = [1]; output: f32[8, 1]\n\
         input 1: i64[1] = [-2]; output: f32[1, 8]\n\
         input 1: i64[1] = [-1]; output: f32[8, 1]",
    );
    // Dims have names of their own, whatever they were summed up for.
    prints(
        &[
            "infer",
            "onnx::Concat",
            "f32[?,?,?]",
            "--attr",
            "axis=0",
            "--limit",
            "2",
        ],
        "input: f32[d0, d1, d2]; output: f32[d0, d1, d2]",
    );
    // Picking elements ends, though their axis is queried.
    prints(
        &[
            "infer",
            "onnx::GatherElements",
            "i64[2,2] = [1, 2, 3, 4]",
            "i64[2,1] = [0, 1]",
            "--attr",
            "axis=?",
        ],
        "output: i64[2, 1] = [1, 3]; axis = 0\n\
         output: i64[2, 1] = [1, 3]; axis = -2\n\
         output: i64[2, 1] = [1, 4]; axis = 1\n\
         output: i64[2, 1] = [1, 4]; axis = -1",
    );
}

#[test]
fn what_onnx_refuses() {
    let refuses = |args: &[&str]| {
        let run = kanshape(&[&["infer"], args].concat());
        assert_eq!(run.code, Some(1), "{args:?}: {}", run.out);
    };
    refuses(&["onnx::Squeeze", "f32[1,1,5]", "i64[2] = [0, 7]"]);
    refuses(&["onnx::Gather", "f32[10]", "i64[2] = [0, -11]"]);
    let image = "f32[1,1,5,5]";
    refuses(&[
        "onnx::Conv",
        image,
        "f32[1,1,3,3]",
        "--attr",
        "pads=[-1,0,0,0]",
    ]);
    let offset = ["--attr", "output_padding=[0,-1]", "--attr", "strides=[2,2]"];
    refuses(&[&["onnx::ConvTranspose", image, "f32[1,1,3,3]"], &offset[..]].concat());
}
