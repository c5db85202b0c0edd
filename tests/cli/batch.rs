//! `kanshape batch`.

use std::io::{BufRead, BufReader, Write};

use crate::program::{command, finish, with_input};

/// The line out for one line in.
fn answer(line: impl AsRef<[u8]>) -> String {
    let out = with_input(&["batch"], line.as_ref()).solved();
    assert_eq!(out.lines().count(), 1, "{out}");
    out.trim_end().to_owned()
}

fn is(line: &str, expected: &str) {
    assert_eq!(answer(line), expected, "{line}");
}

#[test]
fn forwards_and_backwards() {
    is(
        r#"{"id":1,"signature":"(m,n),(n,p)->(m,p)","inputs":["f32[2,3]","f32[3,4]"]}"#,
        r#"{"id":1,"line":1,"verdict":"always","answers":[{"inputs":["f32[2, 3]","f32[3, 4]"],"outputs":["f32[2, 4]"],"params":{},"where":[]}],"complete":true,"error":null}"#,
    );
    is(
        r#"{"id":"b","signature":"(m,n),(n,p)->(m,p)","inputs":["f32[2,n]",null],"outputs":["f32[2,4]"]}"#,
        r#"{"id":"b","line":1,"verdict":"always","answers":[{"inputs":["f32[2, n]","f32[n, 4]"],"outputs":["f32[2, 4]"],"params":{},"where":[]}],"complete":true,"error":null}"#,
    );
    is(
        r#"{"id":2,"signature":"(n),(n)->()","inputs":["f32[2]","f32[3]"]}"#,
        concat!(
            r#"{"id":2,"line":1,"verdict":"never","answers":[],"complete":true,"error":null,"#,
            r#""why":{"code":"K0101","message":"the two inputs disagree about `n`","#,
            r#""at":{"source":"signature","start":1,"end":2,"line":1,"column":2},"core":["#,
            r#"{"slot":"inputs[0]","axis":0,"about":"dim","says":"input 0 is f32[2]: its dim 0 is 2","start":1,"end":2},"#,
            r#"{"slot":"inputs[1]","axis":0,"about":"dim","says":"input 1 is f32[3]: its dim 0 is 3","start":5,"end":6}],"#,
            r#""repairs":[{"slot":"inputs[0]","type":"f32[3]"},{"slot":"inputs[1]","type":"f32[2]"}]}}"#,
        ),
    );
    is(
        r#"{"id":3,"signature":"(n),(n)->()","inputs":["f32[n]","f32[3]"]}"#,
        r#"{"id":3,"line":1,"verdict":"depends","answers":[{"inputs":["f32[n]","f32[3]"],"outputs":["f32[]"],"params":{},"where":["n == 3"]}],"complete":true,"error":null}"#,
    );
}

#[test]
fn parameters_are_numbers_where_they_are_known() {
    is(
        r#"{"id":1,"signature":"[s] (h),(k)->((h - k)//s + 1)","inputs":["f32[9]","f32[3]"],"outputs":["f32[4]"]}"#,
        r#"{"id":1,"line":1,"verdict":"always","answers":[{"inputs":["f32[9]","f32[3]"],"outputs":["f32[4]"],"params":{"s":2},"where":[]}],"complete":true,"error":null}"#,
    );
    let open = answer(
        r#"{"signature":"[s] (h),(k)->((h - k)//s + 1)","inputs":["f32[9]","f32[3]"],"params":{"s":"a+1"}}"#,
    );
    assert!(open.contains(r#""params":{"s":"a + 1"}"#), "{open}");
}

#[test]
fn every_field_is_heeded() {
    let line = r#"{"id":1,"signature":"[s] (h)->(h//s)","params":{"s":2},"inputs":["?[n]"],"outputs":[null],"where":["n >= 3"],"limit":1,"max_rank":1,"max_dim":3,"promotion":"torch","budget":1000}"#;
    is(
        line,
        r#"{"id":1,"line":1,"verdict":"depends","answers":[{"inputs":["t0[3]"],"outputs":["t0[1]"],"params":{"s":2},"where":[]}],"complete":true,"error":null}"#,
    );
    let torch = |table| {
        answer(format!(
            r#"{{"signature":"():x,():y->():promote(x,y)","inputs":["i32[]","f32[]"],"promotion":"{table}"}}"#
        ))
    };
    assert!(torch("numpy").contains(r#""outputs":["f64[]"]"#));
    assert!(torch("torch").contains(r#""outputs":["f32[]"]"#));
    assert!(torch("none").contains(r#""verdict":"never""#));
}

#[test]
fn ground_answers_are_all_there() {
    let all =
        answer(r#"{"signature":"+(),()->()","outputs":["?[8,7,6,5]"],"max_rank":4,"max_dim":8}"#);
    assert_eq!(all.matches(r#""inputs""#).count(), 161);
    assert!(all.ends_with(r#""complete":true,"error":null}"#));
    let some =
        answer(r#"{"signature":"+(),()->()","outputs":["?[8,7,6,5]"],"max_dim":8,"limit":5}"#);
    assert_eq!(some.matches(r#""inputs""#).count(), 5);
    assert!(some.ends_with(r#""complete":false,"error":null}"#));
}

#[test]
fn the_budget() {
    let line = answer(r#"{"id":1,"signature":"(...r)->(prod(...r))","budget":50}"#);
    assert!(
        line.ends_with(r#""complete":false,"error":null}"#),
        "{line}"
    );
    let line = answer(r#"{"id":1,"signature":"(...r)->(prod(...r))","budget":0}"#);
    assert_eq!(
        line,
        r#"{"id":1,"line":1,"verdict":"unknown","answers":[],"complete":false,"error":null}"#
    );
}

#[test]
fn a_bad_line_is_answered_as_such() {
    let bad = |line: &str, code: &str, part: &str| {
        let out = answer(line);
        let start = r#""verdict":"unknown","answers":[],"complete":false,"error":{"code":""#;
        assert!(out.contains(&format!("{start}{code}\"")), "{line}\n{out}");
        assert!(out.contains(part), "{line}\n{out}");
        out
    };
    bad(
        "nonsense",
        "K0501",
        r#""at":{"field":"line","start":1,"end":2}"#,
    );
    bad("[]", "K0501", "object");
    bad("{", "K0501", "line");
    bad(r#"{"signature":"()->()"} x"#, "K0501", "line");
    bad(r#"{"inptus":[]}"#, "K0502", "did you mean `inputs`?");
    bad(
        r#"{"signature":"()->()","limit":-1}"#,
        "K0503",
        r#""field":"limit""#,
    );
    bad(r#"{"signature":"()->()","limit":1.5}"#, "K0503", "limit");
    bad(
        r#"{"signature":"()->()","inputs":"f32[]"}"#,
        "K0503",
        "inputs",
    );
    bad(
        r#"{"signature":"()->()","inputs":[7]}"#,
        "K0503",
        r#""field":"inputs[0]""#,
    );
    bad(
        r#"{"signature":"()->()","params":{"s":-1}}"#,
        "K0503",
        "params.s",
    );
    bad(r#"{"signature":7}"#, "K0503", "signature");
    bad(r#"{"id":1}"#, "K0506", r#""at":null"#);
    bad(
        r#"{"signature":"()->()","limit":1,"limit":2}"#,
        "K0507",
        "limit",
    );
    bad(r#"{"signature":"nothing"}"#, "K0318", "signature");
    bad(
        r#"{"signature":"()->()","inputs":["f32[]",null]}"#,
        "K0310",
        "inputs",
    );
    bad(
        r#"{"signature":"()->()","inputs":["f32["]}"#,
        "K0003",
        r#""at":{"field":"inputs[0]","start":3,"end":4}"#,
    );
    bad(
        r#"{"signature":"()->()","where":["n >"]}"#,
        "K0001",
        r#""field":"where[0]""#,
    );
    bad(
        r#"{"signature":"()->()","promotion":"x"}"#,
        "K0208",
        r#""field":"promotion""#,
    );
    bad(
        r#"{"signature":"()->()","params":{"q":1}}"#,
        "K0311",
        r#""at":null"#,
    );
}

#[test]
fn the_id_is_kept_as_it_is() {
    for id in [
        "1",
        "-7.50",
        "1e400",
        "\"a\\u00e9\"",
        "[1, {\"a\":null}]",
        "true",
        "null",
    ] {
        let good = answer(format!(r#"{{"signature":"()->()","id":{id}}}"#));
        assert!(
            good.starts_with(&format!(r#"{{"id":{id},"line":1,"verdict":"#)),
            "{good}"
        );
        // Even if what stands before or behind it is wrong.
        for line in [
            format!(r#"{{"nonsense":1,"id":{id},"signature":"()->()"}}"#),
            format!(r#"{{"id":{id},"signature":"()->()","inputs":[}}"#),
            format!(r#"{{"id":{id},"signature":"(m n)"}}"#),
        ] {
            let bad = answer(&line);
            assert!(
                bad.starts_with(&format!(r#"{{"id":{id},"line":1,"verdict":"unknown""#)),
                "{bad}"
            );
        }
    }
    assert!(answer(r#"{"signature":"()->()"}"#).starts_with(r#"{"id":null,"#));
}

#[test]
fn the_line_after_a_bad_one_is_answered() {
    let good = r#"{"id":9,"signature":"(n)->()","inputs":["f32[3]"]}"#;
    let mut input = Vec::new();
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    let bad: [&[u8]; 5] = [
        b"nonsense",
        b"\xff\xfe",
        b"{\"id\":\"\xc3\"}",
        b"{\"id\":",
        &deep,
    ];
    for line in bad {
        input.extend_from_slice(line);
        input.push(b'\n');
        input.extend_from_slice(good.as_bytes());
        input.extend_from_slice(b"\r\n\n");
    }
    let out = with_input(&["batch"], &input).solved();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2 * bad.len());
    for (i, pair) in lines.chunks(2).enumerate() {
        assert!(pair[0].contains(r#""error":{"#), "{}", pair[0]);
        // Empty lines are counted as well.
        let number: usize = pair[1]
            .split(['"', ':', ','])
            .filter_map(|w| w.parse().ok())
            .nth(1)
            .unwrap_or(0);
        assert!(number > 2 * i, "{}", pair[1]);
        let start = format!(r#"{{"id":9,"line":{number},"verdict":"always""#);
        assert!(pair[1].starts_with(&start), "{}", pair[1]);
    }
    assert!(lines[2].contains("K0505") && lines[4].contains("K0505"));
}

#[test]
fn huge_texts() {
    let dims = vec!["1"; 10_000].join(",");
    let line = answer(format!(
        r#"{{"id":1,"signature":"+()->()","inputs":["f32[{dims}]"]}}"#
    ));
    assert!(
        line.starts_with(r#"{"id":1,"line":1,"verdict":"always""#),
        "{}",
        &line[..100]
    );
    let line = answer(format!(
        r#"{{"id":1,"signature":"({}->()"}}"#,
        "(".repeat(1 << 20)
    ));
    assert!(
        line.contains(r#""error":{"code":"K0004""#),
        "{}",
        &line[..200]
    );
}

#[test]
fn each_answer_comes_before_the_next_question() {
    let mut child = command(&["batch"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(input, r#"{{"id":{id},"signature":"()->()"}}"#).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.starts_with(&format!(r#"{{"id":{id},"#)), "{line}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_output_is_in_the_order_of_the_input() {
    let input: String = (0..5000)
        .map(|id| {
            let n = id % 7;
            format!("{{\"id\":{id},\"signature\":\"+({n}),(n)->(n)\",\"inputs\":[null,\"f32[{id}]\"]}}\n")
        })
        .collect();
    let out = with_input(&["batch"], input.as_bytes()).solved();
    assert_eq!(out.lines().count(), 5000);
    for (id, line) in out.lines().enumerate() {
        assert!(line.starts_with(&format!("{{\"id\":{id},")), "{line}");
    }
}

#[test]
fn files_and_standard_input() {
    let path = std::env::temp_dir().join(format!("kanshape-batch-{}.jsonl", std::process::id()));
    std::fs::write(&path, "\u{feff}{\"id\":1,\"signature\":\"()->()\"}").unwrap();
    let name = path.to_str().unwrap();
    let child = command(&["batch", name, "-", name]).spawn().unwrap();
    let run = finish(child, b"{\"id\":2,\"signature\":\"()->()\"}");
    std::fs::remove_file(&path).unwrap();
    let ids: Vec<_> = run.solved().lines().map(|l| l[..8].to_owned()).collect();
    assert_eq!(ids, ["{\"id\":1,", "{\"id\":2,", "{\"id\":1,"]);
    let dir = with_input(&["batch", "."], b"");
    assert_eq!(dir.code, Some(2), "{}", dir.err);
}

#[test]
fn each_expression_of_a_program_has_its_place_and_type() {
    let text = "def @main(%x: Tensor[(n, 4), float32]) { nn.relu(%x) }";
    let found = answer(format!(r#"{{"program":"{text}","expressions":true}}"#));
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    let all = found["expressions"].as_array().unwrap();
    let read = |one: &serde_json::Value| {
        let at = |end: &str| usize::try_from(one[end].as_u64().unwrap()).unwrap();
        let ty = one["type"].as_str().unwrap().to_owned();
        (text[at("start")..at("end")].to_owned(), ty)
    };
    let all: Vec<(String, String)> = all.iter().map(read).collect();
    let ty = "Tensor[(n, 4), float32]";
    for own in ["nn.relu(%x)", "%x"] {
        assert!(all.contains(&(own.into(), ty.into())), "{own}: {all:?}");
    }
    let without = answer(format!(r#"{{"program":"{text}"}}"#));
    assert!(!without.contains("expressions"), "{without}");
}

#[test]
fn a_program_is_about_its_only_global_or_main() {
    let two = r#"{"program":"def @f(%x: int32) { %x }\ndef @g(%y: bool) { %y }""#;
    let one = r#"{"program":"def @first(%x: int32) { %x }""#;
    assert!(
        answer(format!("{one}}}")).contains(r#""verdict":"always","type":"fn (int32) -> int32""#)
    );
    // Without a `main`, the verdict is about all of them.
    assert!(answer(format!("{two}}}")).contains(r#""verdict":"always","type":null"#));
    let g = answer(format!(r#"{two},"entry":"@g"}}"#));
    assert!(g.contains(r#""type":"fn (bool) -> bool""#), "{g}");
    let h = answer(format!(r#"{one},"entry":"frist"}}"#));
    assert!(
        h.contains("the program has no global `@frist`; did you mean `@first`?"),
        "{h}"
    );
}
