//! `kanshape catalog`.

use crate::program::{command, finish, kanshape};

const OWN: &str = r#"
domain "mine"

/// A pair of windows. It has
/// two sizes.
///
/// > [size = [2, 4]] f32[8, 8] -> f32[4, 2]
/// > [size = [2, 1]] f32[8, n] -> f32[4, n]
op Pool [size: ints] (X: T[h, w]) -> (Y: T[h//a, w//b]) since 3 :-
    T: Float, # of no other
    size = [a, b], a > 0, b > 0

/// One window.
///
/// > [size = 2] f32[8, 8] -> f32[4, 4]
op Pool [size: int] (X: T[h, w]) -> (Y: T[h//size, w//size]) since 1 :- size > 0
"#;

/// Examples that are wrong, each in another way.
const WRONG: &str = "
/// > f32[2] -> f32[3]
/// > f32[2] - f32[3]
/// > [b = 2] f32[2] -> f32[2]
/// > f32[2 -> f32[2]
/// > f32[2], f32[2] -> f32[2]
op Same [a: int = 1] (X: T[..s]) -> (Y: T[..s])
";

fn catalog(text: &str, args: &[&str]) -> crate::program::Run {
    let args = [&["catalog", "--load", "/dev/stdin"], args].concat();
    finish(command(&args).spawn().unwrap(), text.as_bytes())
}

#[test]
fn an_operator() {
    assert_eq!(
        catalog(OWN, &["Pool"]).solved(),
        "mine::Pool  since 1, 3\n\
         \n\
         A pair of windows. It has\n\
         two sizes.\n\
         \n\
         \x20 op Pool [size: ints] (X: T[h, w]) -> (Y: T[h//a, w//b]) since 3 :-\n\
         \x20     T: Float, # of no other\n\
         \x20     size = [a, b], a > 0, b > 0\n\
         \n\
         Written in /dev/stdin.\n\
         \n\
         \x20 [size = [2, 4]] f32[8, 8] -> f32[4, 2]\n\
         \x20 => f32[4, 2]\n\
         \n\
         \x20 [size = [2, 1]] f32[8, n] -> f32[4, n]\n\
         \x20 => f32[4, n]\n",
    );
    let old = catalog(OWN, &["mine::Pool", "--opset", "2"]).solved();
    assert!(
        old.starts_with("mine::Pool  since 1, 3\nshown is the one since 1\n"),
        "{old}"
    );
    let painted = catalog(OWN, &["Pool", "--color", "always"]).solved();
    assert!(painted.contains("\x1b[34mop\x1b[0m Pool"), "{painted}");
}

#[test]
fn a_domain() {
    assert_eq!(
        catalog(OWN, &["mine"]).solved(),
        "mine\n  mine::Pool  A pair of windows.\n"
    );
    let onnx = kanshape(&["catalog", "onnx"]).solved();
    let is_row = |line: &&str| line.starts_with("  onnx");
    assert!(onnx.lines().filter(is_row).count() > 200);
    assert!(onnx.contains("\nai.onnx.ml\n"));
    assert!(
        !kanshape(&["catalog", "onnx.ml"])
            .solved()
            .contains("onnx::")
    );
    assert!(
        kanshape(&["catalog"])
            .solved()
            .starts_with("domains of operators\n")
    );
}

#[test]
fn json() {
    let own = catalog(OWN, &["Pool", "--json"]).solved();
    for part in [
        r#""name":"mine::Pool""#,
        r#""versions":[1,3]"#,
        r#"{"default":null,"kind":"a list of numbers","name":"size","optional":false}"#,
        r#"{"answers":["f32[4, 2]"],"text":"[size = [2, 4]] f32[8, 8] -> f32[4, 2]"}"#,
    ] {
        assert!(own.contains(part), "{part}\n{own}");
    }
    for args in [&["--json"][..], &["onnx", "--json"], &["matmul", "--json"]] {
        let out = kanshape(&[&["catalog"], args].concat()).solved();
        assert!(
            out.lines().all(|l| l.starts_with('{') && l.ends_with('}')),
            "{out}"
        );
    }
}

#[test]
fn the_examples_in_every_direction() {
    assert_eq!(
        catalog(OWN, &["--check"]).solved(),
        "2 operators, 3 examples, 6 questions: all hold\n"
    );
    assert_eq!(
        catalog(OWN, &["--check", "Pool", "--opset", "2"]).solved(),
        "1 operator, 1 example, 2 questions: all hold\n"
    );
    let run = catalog(WRONG, &["--check"]);
    assert_eq!((run.code, &*run.err), (Some(1), ""));
    assert_eq!(
        run.out,
        "Same since 1\n\
         \x20 f32[2] -> f32[3]\n\
         \x20 forwards: the answer is f32[2]\n\
         \x20 with input 0 hidden: `f32[2]` is not among f32[3]\n\
         \n\
         Same since 1\n\
         \x20 f32[2] - f32[3]\n\
         \x20 error[K0319]: `f32[2] - f32[3]` is no example: it has neither outputs nor answers\n\
         \n\
         Same since 1\n\
         \x20 [b = 2] f32[2] -> f32[2]\n\
         \x20 error[K0315]: `Same` has no attribute `b`\n\
         \n\
         Same since 1\n\
         \x20 f32[2 -> f32[2]\n\
         \x20 error[K0319]: `f32[2 -> f32[2]` is no example: it has neither outputs nor answers\n\
         \n\
         Same since 1\n\
         \x20 f32[2], f32[2] -> f32[2]\n\
         \x20 forwards: `Same` has at most 1 input, the query gives 2\n\
         \x20 with input 0 hidden: `Same` has at most 1 input, the query gives 2\n\
         \x20 with input 1 hidden: `Same` has at most 1 input, the query gives 2\n\
         \n\
         1 operator, 5 examples, 5 questions: 8 failures\n"
    );
}

#[test]
fn of_onnx() {
    let conv = kanshape(&["catalog", "onnx::Conv"]).solved();
    assert!(conv.starts_with("onnx::Conv  since "), "{conv}");
    assert!(conv.contains("  => f32[1, 64, 112, 112]\n"), "{conv}");
    let conv = kanshape(&["catalog", "--check", "onnx::Conv"]).solved();
    assert!(conv.ends_with(": all hold\n"), "{conv}");
    let matmul = kanshape(&["catalog", "--check", "matmul"]).solved();
    assert!(matmul.starts_with("1 operator, "), "{matmul}");
    assert!(matmul.ends_with(": all hold\n"), "{matmul}");
    let none = kanshape(&["catalog", "--check", "nothing"]);
    assert_eq!(none.code, Some(2), "{}", none.err);
}
