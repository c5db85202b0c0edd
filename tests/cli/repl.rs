//! `kanshape repl`, as a script talks to it.

use crate::program::with_input;

#[test]
fn questions_about_the_last_signature() {
    let script = "\
        (m,n),(n,p)->(m,p)\n\
        f32[2,3], f32[3,4]\n\
        \n\
        f32[2,n], ? -> f32[2,4]\n\
        [s] (h),(k)->((h - k)//s + 1)\n\
        [s = ?] f32[9], f32[3] -> f32[4]\n\
        dot\n\
        f32[3], f32[n]\n\
        :limit 1\n\
        (a)->(b)\n\
        f32[a] -> ? where a >= 3\n\
        :quit\n\
        never read\n";
    let run = with_input(&["repl"], script.as_bytes());
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.out.lines().collect::<Vec<_>>(),
        [
            "f32[2, 4]",
            "f32[n, 4]",
            "s = 2",
            "f32[] where n == 3",
            "f32[?] where a >= 3"
        ],
    );
}

#[test]
fn a_signature_that_begins_as_a_question_does() {
    let script = "(n),(n)->()\nf32[2], f32[n] -> f32[]\n:s f32[2], f32[n] -> f32[]\n:s\n";
    let run = with_input(&["repl"], script.as_bytes());
    assert_eq!(run.code, Some(0));
    assert_eq!(run.out, "f32[2], f32[n] -> f32[] where n == 2\n");
    assert_eq!(
        run.err.matches("f32[2],f32[n]->f32[]").count(),
        2,
        "{}",
        run.err
    );
}

#[test]
fn a_mistake_does_not_end_it() {
    let script = "\
        f32[2]\n\
        (m n)->()\n\
        :what\n\
        (m)->()\n\
        f32[2\n\
        f32[2] -> f32[2]\n\
        f32[2]\n";
    let run = with_input(&["repl"], script.as_bytes());
    assert_eq!((run.code, &*run.out), (Some(0), "f32[]\n"));
    for part in [
        "no signature yet",
        "K0001",
        "no command `:what`",
        "K0003",
        "K0101",
    ] {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
}
