//! `kanshape types`, and the lines of a batch that are about types.

use crate::program::{kanshape, with_input};

/// The line out for one line in.
fn answer(line: &str) -> String {
    let out = with_input(&["batch"], line.as_bytes()).solved();
    assert_eq!(out.lines().count(), 1, "{out}");
    out.trim_end().to_owned()
}

/// The command and the line of a batch say the same, and the command ends with this code.
#[track_caller]
fn is(types: &str, a: &str, b: &str, code: i32, result: &str) {
    let run = kanshape(&["types", &types.replace('_', "-"), a, b, "--json"]);
    let expected = format!("{{\"result\":{result}}}\n");
    assert_eq!((run.code, &*run.err), (Some(code), ""), "{types} {a} {b}");
    assert_eq!(run.out, expected, "{types} {a} {b}");
    let line = answer(&format!(
        r#"{{"b":"{b}","id":[1],"a":"{a}","types":"{types}"}}"#
    ));
    assert_eq!(line, format!(r#"{{"id":[1],"line":1,"result":{result}}}"#));
}

/// What is printed in a pipe.
#[track_caller]
fn prints(types: &str, a: &str, b: &str, code: i32, expected: &str) {
    let run = kanshape(&["types", types, a, b]);
    assert_eq!((run.code, run.out.trim_end()), (Some(code), expected));
}

#[test]
fn tests() {
    is("super", "f32[?, 3]", "f32[2, 3]", 0, "true");
    is("super", "f32[2, 3]", "f32[?, 3]", 1, "false");
    is("super", "f32[n]", "f32[3]", 0, r#""depends""#);
    is("same_class", "f32[1, ?]", "f32[1, 5]", 0, "true");
    is("same_class", "f32[1, ?]", "f32[1, 1]", 1, "false");
    is("same_class", "f32[...]", "f32[1]", 0, r#""depends""#);
    prints("super", "f32[?]", "f32[2]", 0, "true");
    prints("super", "f32[2]", "f32[?]", 1, "false");
    prints("super", "f32[n]", "f32[2]", 0, "depends");
    prints("same-class", "f32[1]", "f32[2]", 1, "false");
}

#[test]
fn bounds() {
    is(
        "meet",
        "f32[?, 3]",
        "f32[2, ?]",
        0,
        r#"{"type":"f32[2, 3]"}"#,
    );
    is(
        "meet",
        "f32[n]",
        "f32[2]",
        0,
        r#"{"type":"f32[2] where n == 2"}"#,
    );
    is("join", "f32[2]", "f32[3]", 0, r#"{"type":"f32[?]"}"#);
    is(
        "meet",
        "f32[3, ...]",
        "f32[..., 3]",
        0,
        r#"{"type":"f32[3, ...]","alternatives":["f32[3]","f32[3, ..., 3]"]}"#,
    );
    is(
        "meet",
        "f32[2]",
        "f64[2]",
        1,
        r#"{"conflict":{"code":"K0102","message":"nothing is both `f32[2]` and `f64[2]`","facts":["the first is f32[2]: its dtype is f32","the second is f64[2]: its dtype is f64"]}}"#,
    );
    prints("meet", "f32[?, 3]", "f32[2, ?]", 0, "f32[2, 3]");
    prints("join", "f32[2, 3]", "f32[3]", 0, "f32[..., 3]");
    let never = kanshape(&["types", "meet", "f32[2]", "f32[3]"]);
    assert_eq!((never.code, &*never.out), (Some(1), ""));
    assert!(never.err.starts_with("error[K0102]"), "{}", never.err);
}

#[test]
fn what_is_not_known_to_be_all() {
    let meet = ["types", "meet", "f32[...r, 2]", "f32[2, ...r]"];
    let run = kanshape(&meet);
    assert_eq!(run.code, Some(3));
    assert!(run.err.contains("unknown"), "{}", run.err);
    let run = kanshape(&[&meet[..], &["--json"]].concat());
    assert_eq!(run.code, Some(3));
    assert!(run.out.ends_with("\"complete\":false}}\n"), "{}", run.out);
}

#[test]
fn checks() {
    let check = |a: &str, b: &str, ty: &str, checks: &str| {
        let result = format!(r#"{{"kind":"check","type":"{ty}","checks":[{checks}]}}"#);
        is("filter", a, b, 0, &result);
    };
    check(
        "f32[2, n]",
        "f32[?, ?]",
        "f32[2, n]",
        r#"{"axis":0,"expected":2},{"axis":1,"expected":"n"}"#,
    );
    check(
        "f32[2*n]",
        "f32[?]",
        "f32[2*n]",
        r#"{"axis":0,"expected":"2*n"}"#,
    );
    check("f32[]", "f32[...]", "f32[]", r#"{"rank":0}"#);
    check(
        "f32[..., 3]",
        "f32[...]",
        "f32[..., 3]",
        r#"{"min_rank":1},{"axis":-1,"expected":3}"#,
    );
    check("f32[2]", "?[2]", "f32[2]", r#"{"dtype":"f32"}"#);
    check("f32[2]", "?", "f32[2]", r#"{"type":"f32[2]"}"#);
    check(
        "f32[n] where n != 1",
        "f32[n]",
        "f32[n] where n != 1",
        r#"{"where":"n != 1"}"#,
    );
    check(
        "f32[1, ...r, 2]",
        "f32[1, ..., 2]",
        "f32[1, ...r, 2]",
        r#"{"run":"...r","from":1,"to":-1}"#,
    );
    check(
        "f32[...r]",
        "f32[...]",
        "f32[...r]",
        r#"{"run":"...r","from":0,"to":null}"#,
    );
    check(
        "((f32[2], f32[3]), i64[])",
        "((f32[2], f32[?]), ?)",
        "((f32[2], f32[3]), i64[])",
        r#"{"path":[0,1],"axis":0,"expected":3},{"path":[1],"type":"i64[]"}"#,
    );
    is(
        "filter",
        "f32[?]",
        "f32[2]",
        0,
        r#"{"kind":"same","type":"f32[2]","checks":[]}"#,
    );
    is(
        "filter",
        "f32[2]",
        "f64[2]",
        1,
        r#"{"kind":"never","type":null,"checks":[],"why":{"code":"K0102","message":"nothing is both `f32[2]` and `f64[2]`","facts":["the first is f32[2]: its dtype is f32","the second is f64[2]: its dtype is f64"]}}"#,
    );
    prints("filter", "f32[?]", "f32[2]", 0, "f32[2]");
    prints(
        "filter",
        "(f32[2, n], ?)",
        "(f32[?, ...], i64[])",
        0,
        "(f32[2, n], i64[])\nin field 0, the rank is 2\nin field 0, dim 0 is 2\nin field 0, dim 1 is n",
    );
}

#[test]
fn mistakes_point_into_the_text() {
    let wrong = |types: &str, a: &str, b: &str, part: &str| {
        let run = kanshape(&["types", types, a, b]);
        assert_eq!((run.code, &*run.out), (Some(2), ""), "{types} {a} {b}");
        assert!(run.err.contains(part), "{}", run.err);
        let run = kanshape(&["types", types, a, b, "--json"]);
        assert_eq!((run.code, &*run.err), (Some(2), ""), "{types} {a} {b}");
        let code = run.out.strip_prefix(r#"{"result":null,"error":{"code":"K"#);
        assert!(code.is_some(), "{}", run.out);
    };
    for types in ["super", "same-class", "meet", "join", "filter"] {
        wrong(types, "f32[2", "f32[2]", "--> a:1:4");
        wrong(types, "f32[2]", "flaot32[2]", "--> b:1:1");
        wrong(types, "f32[n] where n >", "f32[2]", "--> a:1:");
    }
    // Each is well-formed; together they make no question.
    for types in ["super", "meet", "filter"] {
        wrong(types, "f32[n]", "n[2]", "K0312");
    }
    let code = |args: &[&str]| assert_eq!(kanshape(args).code, Some(2), "{args:?}");
    code(&["types"]);
    code(&["types", "super"]);
    code(&["types", "super", "f32[2]"]);
    code(&["types", "supper", "f32[2]", "f32[2]"]);
}

#[test]
fn colours_where_they_are_wanted() {
    let run = kanshape(&["types", "filter", "f32[2]", "f32[?]", "--color", "always"]);
    assert_eq!(run.out, "\x1b[1mf32[2]\x1b[0m\ndim 0 is 2\n");
    let run = kanshape(&["types", "meet", "f32[2]", "f32[3]", "--color", "always"]);
    assert!(run.err.contains('\x1b'), "{}", run.err);
}

#[test]
fn a_bad_line_is_answered_as_such() {
    let bad = |line: &str, code: &str, part: &str| {
        let out = answer(line);
        let start =
            format!(r#"{{"id":1,"line":1,"result":null,"error":{{"code":"{code}","message":""#);
        assert!(out.starts_with(&start), "{line}\n{out}");
        assert!(out.contains(part), "{line}\n{out}");
    };
    let pair = r#""a":"f32[2]","b":"f32[2]""#;
    let with = |rest: &str| format!(r#"{{"id":1,{pair},{rest}}}"#);
    bad(&with(r#""types":"supr""#), "K0513", "did you mean `super`?");
    bad(
        &with(r#""types":"same-class""#),
        "K0513",
        "did you mean `same_class`?",
    );
    bad(
        &with(r#""types":"above""#),
        "K0513",
        "`super`, `same_class`",
    );
    bad(&with(r#""types":7"#), "K0503", r#""field":"types""#);
    bad(&with(r#""types":null"#), "K0506", r#""field":"types""#);
    bad(&with(r#""type":"super""#), "K0502", "did you mean `types`?");
    bad(
        &with(r#""types":"super","inputs":[]"#),
        "K0502",
        r#""field":"inputs""#,
    );
    bad(
        &with(r#""types":"super","b":"f32[2]""#),
        "K0507",
        r#""field":"b""#,
    );
    bad(
        r#"{"id":1,"types":"meet","b":"f32[2]"}"#,
        "K0512",
        "there is no `a`",
    );
    bad(
        r#"{"id":1,"types":"meet","a":"f32[2]","b":null}"#,
        "K0512",
        "`b` is null",
    );
    bad(
        r#"{"id":1,"types":"meet","a":"f32[2]","b":["f32[2]"]}"#,
        "K0503",
        r#""field":"b""#,
    );
    bad(
        r#"{"id":1,"types":"meet","a":"f32[2]","b":"f32["}"#,
        "K0003",
        r#""at":{"field":"b","start":3,"end":4}"#,
    );
    bad(
        r#"{"id":1,"types":"meet","a":"f32[n]","b":"n[2]"}"#,
        "K0312",
        r#""at":null"#,
    );
    // A line with a signature is a query.
    let both = answer(r#"{"id":1,"signature":"()->()","types":"meet"}"#);
    let start = r#"{"id":1,"line":1,"verdict":"unknown","answers":[],"complete":false,"error":{"code":"K0502""#;
    assert!(both.starts_with(start), "{both}");
}

#[test]
fn lines_of_both_kinds_are_answered_in_order() {
    let lines = [
        r#"{"id":1,"types":"super","a":"f32[?]","b":"f32[2]"}"#,
        r#"{"id":2,"signature":"()->()","inputs":["f32[]"]}"#,
        r#"{"id":3,"types":"super","a":"f32[","b":"f32[2]"}"#,
        r#"{"id":4,"types":"join","a":"f32[3]","b":"f32[2]"}"#,
    ];
    let out = with_input(&["batch"], lines.join("\n").as_bytes()).solved();
    let starts = [
        r#"{"id":1,"line":1,"result":true}"#,
        r#"{"id":2,"line":2,"verdict":"always""#,
        r#"{"id":3,"line":3,"result":null,"error""#,
        r#"{"id":4,"line":4,"result":{"type":"f32[?]"}}"#,
    ];
    assert_eq!(out.lines().count(), starts.len());
    for (line, start) in out.lines().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn huge_texts() {
    let ones = vec!["1"; 10_000].join(", ");
    let line = |a: &str, b: &str, types: &str| {
        answer(&format!(
            r#"{{"id":1,"types":"{types}","a":"{a}","b":"{b}"}}"#
        ))
    };
    let long = format!("f32[{ones}]");
    assert_eq!(
        line("f32[...]", &long, "super"),
        r#"{"id":1,"line":1,"result":true}"#
    );
    let met = line("f32[...]", &long, "meet");
    assert_eq!(
        met,
        format!(r#"{{"id":1,"line":1,"result":{{"type":"{long}"}}}}"#)
    );
    let deep = format!("{}f32[]{}", "(".repeat(100_000), ",)".repeat(100_000));
    for types in ["super", "same_class", "meet", "join", "filter"] {
        assert!(line("?", &deep, types).contains(r#""code":"K0004""#));
    }
}
