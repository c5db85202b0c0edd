//! What is printed of an answer, and how.

use crate::program::{command, finish, kanshape};

#[track_caller]
fn prints(args: &[&str], expected: &str) {
    assert_eq!(kanshape(args).solved().trim_end(), expected, "{args:?}");
}

#[test]
fn what_was_queried() {
    let matmul = "(m,n),(n,p)->(m,p)";
    prints(&["infer", matmul, "f32[2,3]", "f32[3,4]"], "f32[2, 4]");
    prints(
        &["infer", matmul, "f32[2,n]", "?", "--output", "f32[2,4]"],
        "f32[n, 4]",
    );
    prints(
        &["infer", matmul, "f32[2,?]", "?", "--output", "f32[2,4]"],
        "input 0: f32[2, d0]; input 1: f32[d0, 4]",
    );
    prints(
        &["infer", "+(),()->()", "?[8,1,6,1]", "?[7,1,5]"],
        "?[8, 7, 6, 5]",
    );
    prints(
        &["infer", "(n)->(),(n)", "f32[3]"],
        "output 0: f32[]; output 1: f32[3]",
    );
}

#[test]
fn parameters() {
    let conv = "[s] (h),(k)->((h - k)//s + 1)";
    let query = [
        "infer", conv, "f32[9]", "f32[3]", "--output", "f32[4]", "--param",
    ];
    prints(&[&query[..], &["s=?"]].concat(), "s = 2");
    prints(&query[..6], "s = 2");
    prints(
        &[&query[..], &["s=2"]].concat(),
        "[s = 2] f32[9], f32[3] -> f32[4]",
    );
}

/// A parameter that is open is called by its label, and no unknown is called so.
#[test]
fn labels_of_parameters() {
    prints(&["infer", "[k] (h)->(h*k, q)", "f32[5]"], "f32[5*k, ?]");
    prints(&["infer", "[d0] (h)->(h*d0, q)", "f32[5]"], "f32[5*d0, ?]");
    prints(
        &["infer", "[d1] (h)->(h*d1, q, q)", "f32[5]"],
        "f32[5*d1, d0, d0]",
    );
}

#[test]
fn the_whole_answer_where_nothing_was_open() {
    prints(
        &[
            "infer",
            "(n),(n)->()",
            "f32[n]",
            "f32[3]",
            "--output",
            "f32[]",
        ],
        "f32[n], f32[3] -> f32[] where n == 3",
    );
}

#[test]
fn dtypes_where_only_they_are_open() {
    prints(&["infer", "(n)->(n)", "?[3]", "-o", "f32[3]"], "f32[3]");
}

#[test]
fn ground_answers() {
    prints(
        &["infer", "(n),(n)->()", "f32[n]", "?", "--max-dim", "1"],
        "input 0: f32[0]; input 1: f32[0]; output: f32[]\n\
         input 0: f32[1]; input 1: f32[1]; output: f32[]",
    );
    prints(
        &[
            "enum",
            "+(),()->()",
            "-o",
            "?[8,7,6,5]",
            "--max-rank",
            "4",
            "--count",
        ],
        "161",
    );
    let all = kanshape(&["enum", "+(),()->()", "-o", "?[8,7,6,5]", "--max-rank", "4"]).solved();
    let of_rank_4 = |line: &&str| line.split("; ").all(|slot| slot.matches(',').count() == 3);
    assert_eq!(all.lines().filter(of_rank_4).count(), 81);
}

#[test]
fn json() {
    prints(
        &["infer", "(n)->()", "f32[n]", "--json"],
        r#"{"verdict":"always","answers":[{"inputs":["f32[n]"],"outputs":["f32[]"],"params":{},"where":[]}],"complete":true,"error":null}"#,
    );
    prints(
        &["enum", "(n)->()", "f32[?]", "--max-dim", "1", "--json"],
        "{\"inputs\":[\"f32[0]\"],\"outputs\":[\"f32[]\"],\"params\":{},\"where\":[]}\n\
         {\"inputs\":[\"f32[1]\"],\"outputs\":[\"f32[]\"],\"params\":{},\"where\":[]}",
    );
}

#[test]
fn colours_only_when_requested() {
    let never = ["infer", "(m n)->()", "?"];
    let escape = '\x1b';
    assert!(!kanshape(&never).err.contains(escape));
    let always = [&never[..], &["--color", "always"]].concat();
    assert!(kanshape(&always).err.contains(escape));

    // An option on the command line overrides the environment.
    let child = command(&always).env("NO_COLOR", "1").spawn().unwrap();
    assert!(finish(child, b"").err.contains(escape));

    assert!(!kanshape(&["--help", "--color=never"]).out.contains(escape));
    assert!(kanshape(&["--help", "--color=always"]).out.contains(escape));
}

#[test]
fn mistakes_say_which_text_it_is() {
    let run = kanshape(&["infer", "(m),(m)->()", "f32[2]", "f32[2"]);
    assert!(run.err.contains("--> input 1:1:"), "{}", run.err);
    let run = kanshape(&["infer", "(m)->()", "?", "-o", "flaot32[]"]);
    assert!(run.err.contains("--> output 0:1:"), "{}", run.err);
    assert!(run.err.contains("did you mean `float32`?"), "{}", run.err);
    let run = kanshape(&["infer", "[stride: s] (m)->(m//s)", "?", "-p", "strid=1"]);
    assert!(run.err.contains("did you mean `stride`?"), "{}", run.err);
}

#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    let mut child = command(&["enum", "(n)->(n)", "--limit", "100000"])
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let run = finish(child, b"");
    assert_eq!((run.code, &*run.err), (Some(0), ""));
}

/// A word that one overload of torch would take for the name of a size is a text where another one has it.
#[test]
fn words_of_torch() {
    let conv = [
        "infer",
        "aten::conv2d",
        "f32[N,3,H,W]",
        "f32[8,3,3,3]",
        "-a",
    ];
    prints(&[&conv[..], &["padding=same"]].concat(), "f32[N, 8, H, W]");
    prints(
        &[&conv[..], &["padding=p"]].concat(),
        "f32[N, 8, H + 2*p - 2, W + 2*p - 2] where H + 2*p >= 3, W + 2*p >= 3",
    );
}
