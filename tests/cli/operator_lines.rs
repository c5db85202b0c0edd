//! `kanshape batch` about operators.

use crate::program::with_input;

/// The line out for one line in.
fn answer(line: &str) -> String {
    let out = with_input(&["batch"], line.as_bytes()).solved();
    assert_eq!(out.lines().count(), 1, "{out}");
    out.trim_end().to_owned()
}

/// The only answer is this.
#[track_caller]
fn is(line: &str, expected: &str) {
    let wanted = format!(
        r#"{{"id":null,"line":1,"verdict":"always","answers":[{expected}],"complete":true,"error":null}}"#
    );
    assert_eq!(answer(line), wanted, "{line}");
}

#[track_caller]
fn is_wrong(line: &str, code: &str, part: &str) {
    let out = answer(line);
    let start = format!(r#""answers":[],"complete":false,"error":{{"code":"{code}","#);
    assert!(out.contains(&start) && out.contains(part), "{line}\n{out}");
}

#[test]
fn values_as_models_have_them() {
    is(
        r#"{"op":"onnx::Conv","inputs":["f32[1,3,224,224]","f32[64,3,7,7]","-"],"attrs":{"strides":[2,2],"pads":[3,3,3,3],"auto_pad":"NOTSET","group":1}}"#,
        r#"{"inputs":["f32[1, 3, 224, 224]","f32[64, 3, 7, 7]","-"],"outputs":["f32[1, 64, 112, 112]"],"where":[]}"#,
    );
    is(
        r#"{"op":"onnx::ConstantOfShape","inputs":["i64[2] = [2, n]"],"attrs":{"value":{"dtype":"u8","shape":[1],"data":[7]}}}"#,
        r#"{"inputs":["i64[2] = [2, n]"],"outputs":["u8[2, n]"],"where":[]}"#,
    );
    is(
        r#"{"op":"onnx::LeakyRelu","inputs":["f32[n]"],"attrs":{"alpha":0.10000000149011612}}"#,
        r#"{"inputs":["f32[n]"],"outputs":["f32[n]"],"where":[]}"#,
    );
    is(
        r#"{"op":"onnx::StringNormalizer","inputs":["str[0]"],"attrs":{"stopwords":["?","a, b"],"is_case_sensitive":1},"outputs":["str[1]"]}"#,
        r#"{"inputs":["str[0]"],"outputs":["str[1]"],"where":[]}"#,
    );
}

/// A name in an attribute is one of the user's, as a name in a type is: what it has to be is a condition.
#[test]
fn attributes_have_names() {
    let perm = answer(r#"{"op":"onnx::Transpose","inputs":["f32[a,b]"],"attrs":{"perm":["k",0]}}"#);
    assert!(perm.contains(r#""verdict":"depends""#), "{perm}");
    assert!(perm.contains(r#""outputs":["f32[b, a]"]"#), "{perm}");
    assert!(perm.contains(r#""where":["k == 1"]"#), "{perm}");
    let flat = answer(r#"{"op":"onnx::Flatten","inputs":["f32[a,b]"],"attrs":{"axis":"k"}}"#);
    assert!(flat.contains(r#""verdict":"depends""#), "{flat}");
    let graph = answer(
        r#"{"graph":{"inputs":{"x":"f32[n,n]"},"nodes":[{"op":"onnx::Flatten","attrs":{"axis":"n"},"inputs":["x"],"outputs":["y"]}],"outputs":["y"]}}"#,
    );
    assert!(graph.contains("axis` is no value"), "{graph}");
}

#[test]
fn bodies_are_functions() {
    let body = |name: &str, dims: &str| {
        format!(
            r#""{name}":{{"graph":true,"inputs":[],"outputs":[{{"name":"y","type":{{"kind":"tensor","dtype":"f32","shape":{dims}}}}}],"initializers":[],"nodes":[]}}"#
        )
    };
    let if_ = |then: &str, other: &str| {
        let (then, other) = (body("then_branch", then), body("else_branch", other));
        format!(
            r#"{{"op":"onnx::If","inputs":["bool[]"],"attrs":{{{then},{other}}},"outputs":[null]}}"#
        )
    };
    is(
        &if_("[2,3]", "[2,3]"),
        r#"{"inputs":["bool[]"],"outputs":["f32[2, 3]"],"where":[]}"#,
    );
    // What is not known of a body is not known of what comes out.
    let open = answer(&if_("null", "null"));
    assert!(
        open.contains(r#""verdict":"always","answers":[{"inputs":["bool[]"],"outputs":["f32[..."#),
        "{open}"
    );
    is(
        r#"{"op":"onnx::SequenceMap","inputs":["Sequence[f32[2,k]]"],"attrs":{"body":{"graph":true,"inputs":[{"type":{"kind":"tensor","dtype":"f32","shape":[2,null]}}],"outputs":[{"type":{"kind":"tensor","dtype":"i64","shape":[1]}}]}},"outputs":[null]}"#,
        r#"{"inputs":["Sequence[f32[2, k]]"],"outputs":["Sequence[i64[1]]"],"where":[]}"#,
    );
}

#[test]
fn null_asks() {
    is(
        r#"{"op":"onnx::Conv","inputs":["f32[1,3,224,224]","f32[64,3,7,7]"],"outputs":["f32[1,64,112,112]"],"attrs":{"strides":null,"pads":[3,3,3,3]}}"#,
        r#"{"inputs":["f32[1, 3, 224, 224]","f32[64, 3, 7, 7]"],"outputs":["f32[1, 64, 112, 112]"],"attrs":{"strides":[2,2]},"where":[]}"#,
    );
    is(
        r#"{"op":"onnx::Conv","inputs":["f32[1,3,224,224]",null],"outputs":["f32[1,64,112,112]"],"attrs":{"kernel_shape":[7,7],"strides":[2,null],"pads":[3,3,3,3]}}"#,
        r#"{"inputs":["f32[1, 3, 224, 224]","f32[64, 3, 7, 7]"],"outputs":["f32[1, 64, 112, 112]"],"attrs":{"strides":[2,2]},"where":[]}"#,
    );
}

#[test]
fn operands_have_the_places_of_the_question() {
    is(
        r#"{"op":"onnx::LSTM","inputs":["f32[6,2,3]","f32[1,16,3]","f32[1,16,4]","-",null],"outputs":["-",null,"-"],"attrs":{"hidden_size":4}}"#,
        r#"{"inputs":["f32[6, 2, 3]","f32[1, 16, 3]","f32[1, 16, 4]","-","i32[2]"],"outputs":["-","f32[1, 2, 4]","-"],"where":[]}"#,
    );
    // An output that is there, but not queried.
    is(
        r#"{"op":"onnx::TopK","inputs":["f32[9]","i64[1] = [4]"],"outputs":["-",null]}"#,
        r#"{"inputs":["f32[9]","i64[1] = [4]"],"outputs":["-","i64[4]"],"where":[]}"#,
    );
    is(
        r#"{"op":"onnx::TopK","inputs":["f32[9]","i64[1] = [4]"],"outputs":[null]}"#,
        r#"{"inputs":["f32[9]","i64[1] = [4]"],"outputs":["f32[4]"],"where":[]}"#,
    );
    is(
        r#"{"op":"onnx::Split","inputs":["f32[6]"],"attrs":{"num_outputs":3}}"#,
        r#"{"inputs":["f32[6]"],"outputs":["f32[2]","f32[2]","f32[2]"],"where":[]}"#,
    );
}

#[test]
fn fields_of_a_query_are_heeded() {
    let ground = answer(r#"{"op":"onnx::Relu","inputs":["f32[?]"],"max_dim":2}"#);
    assert_eq!(ground.matches(r#""inputs""#).count(), 3, "{ground}");
    let some = answer(r#"{"op":"onnx::Relu","inputs":["f32[?]"],"max_dim":9,"limit":2}"#);
    assert_eq!(some.matches(r#""inputs""#).count(), 2, "{some}");
    assert!(
        some.ends_with(r#""complete":false,"error":null}"#),
        "{some}"
    );
    let short = answer(r#"{"op":"onnx::Relu","budget":0}"#);
    assert!(short.contains(r#""verdict":"unknown""#), "{short}");
    let given = answer(r#"{"op":"onnx::Relu","inputs":["f32[n]"],"where":["n >= 3"]}"#);
    assert!(given.contains(r#""where":["n >= 3"]"#), "{given}");
    let old =
        answer(r#"{"op":"onnx::Squeeze","opset":11,"inputs":["f32[1,3]"],"attrs":{"axes":[0]}}"#);
    assert!(old.contains(r#""outputs":["f32[3]"]"#), "{old}");
}

#[test]
fn lines_that_are_wrong() {
    is_wrong(
        r#"{"op":"onnx::Cnv"}"#,
        "K0318",
        "did you mean `onnx::Conv`?",
    );
    is_wrong(r#"{"op":7}"#, "K0503", r#""field":"op""#);
    is_wrong(r#"{"op":"(n)->()"}"#, "K0318", r#""field":"op""#);
    is_wrong(
        r#"{"signature":"onnx::Conv"}"#,
        "K0514",
        r#""field":"signature""#,
    );
    is_wrong(
        r#"{"op":"onnx::Conv","signature":"(n)->()"}"#,
        "K0502",
        r#""field":"op""#,
    );
    is_wrong(
        r#"{"op":"onnx::Conv","params":{}}"#,
        "K0502",
        r#""field":"params""#,
    );
    is_wrong(
        r#"{"signature":"(n)->()","attrs":{}}"#,
        "K0502",
        r#""field":"attrs""#,
    );
    is_wrong(r#"{"op":"onnx::Gelu","opset":9}"#, "K0318", "version 20");
    is_wrong(
        r#"{"op":"onnx::Conv","opset":-1}"#,
        "K0503",
        r#""field":"opset""#,
    );
    is_wrong(
        r#"{"op":"onnx::Conv","attrs":[]}"#,
        "K0503",
        r#""field":"attrs""#,
    );
    is_wrong(
        r#"{"op":"onnx::Relu","inputs":["f32[2","-"]}"#,
        "K0003",
        r#""field":"inputs[0]""#,
    );
    is_wrong(r#"{"op":"onnx::Relu","inputs":["-"]}"#, "K0317", "`X`");
    is_wrong(r#"{"op":"onnx::Relu","inputs":[]}"#, "K0317", "`X`");
    is_wrong(
        r#"{"op":"onnx::Relu","inputs":[null,null]}"#,
        "K0310",
        "at most 1 input",
    );
    is_wrong(
        r#"{"op":"onnx::Relu","outputs":[null,null]}"#,
        "K0310",
        "at most 1 output",
    );
    let attr = |value: &str, code: &str, part: &str| {
        is_wrong(
            &format!(r#"{{"op":"onnx::ConstantOfShape","attrs":{value}}}"#),
            code,
            part,
        );
    };
    attr(r#"{"valeu":1}"#, "K0315", r#""field":"attrs.valeu""#);
    attr(r#"{"value":1}"#, "K0316", "`value` is a type");
    attr(r#"{"value":1e999}"#, "K0515", r#""field":"attrs.value""#);
    attr(
        r#"{"value":18446744073709551616}"#,
        "K0316",
        "`value` is a type",
    );
    attr(r#"{"value":9223372036854775808}"#, "K0515", "too large");
    attr(
        r#"{"value":{"dtype":"f33","shape":[1]}}"#,
        "K0515",
        "dtype that is not known",
    );
    attr(
        r#"{"value":{"dtype":"f32","shape":[2],"data":[1]}}"#,
        "K0515",
        "as many `data`",
    );
    attr(
        r#"{"value":{"dtype":"i8","shape":[1],"data":[0.5]}}"#,
        "K0515",
        "can't have",
    );
    attr(r#"{"value":{"dtype":"f32","shape":2}}"#, "K0515", "no list");
    attr(
        r#"{"value":{"dtype":"f32","shape":[-2]}}"#,
        "K0515",
        "no size",
    );
    attr(r#"{"value":{"kind":"tuple"}}"#, "K0515", "`sequence`");
    attr(
        r#"{"value":{"graph":true}}"#,
        "K0515",
        "`inputs` and `outputs`",
    );
}
