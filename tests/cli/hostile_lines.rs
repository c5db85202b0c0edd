//! Lines of a batch that are made to take long, or much memory, each with a name. Used by the test and by the bench.

/// A line, and what it is called.
pub(crate) struct Hostile {
    pub(crate) name: String,
    pub(crate) line: String,
}

fn hostile(name: impl Into<String>, line: impl Into<String>) -> Hostile {
    Hostile {
        name: name.into(),
        line: line.into(),
    }
}

fn texts(all: impl IntoIterator<Item = String>) -> String {
    let all: Vec<String> = all.into_iter().map(|text| format!("{text:?}")).collect();
    all.join(",")
}

fn named(count: usize, by: &str) -> String {
    let names: Vec<String> = (0..count).map(|i| format!("n{i}")).collect();
    names.join(by)
}

fn signature(signature: &str, inputs: impl IntoIterator<Item = String>, more: &str) -> String {
    format!(
        r#"{{"id":1,"signature":"{signature}","inputs":[{}]{more}}}"#,
        texts(inputs)
    )
}

/// All of them.
pub(crate) fn lines() -> Vec<Hostile> {
    let mut all = operators();
    all.extend(sizes());
    all.extend(long_texts());
    all.extend(searches());
    all
}

/// Operators on tensors whose ranks are open: there are endlessly many answers, each longer than the one before.
fn operators() -> Vec<Hostile> {
    let open = |op: &str, inputs: &[&str], attrs: &str| {
        let given = texts(inputs.iter().map(|&text| text.to_owned()));
        hostile(
            format!("{op} of {} open ranks", inputs.len()),
            format!(r#"{{"id":1,"op":"onnx::{op}","inputs":[{given}],"attrs":{{{attrs}}}}}"#),
        )
    };
    let f = "f32[...]";
    vec![
        open("Concat", &[f, f], r#""axis":0"#),
        open("Concat", &[f, f, f, f], r#""axis":-2"#),
        open("Split", &[f], r#""axis":0,"num_outputs":3"#),
        open("Conv", &[f, f], ""),
        open("MatMul", &[f, f], ""),
        open("Add", &[f, f], ""),
        open("Gather", &[f, "i64[...]"], ""),
        open("Reshape", &[f, "i64[...]"], ""),
        open("Slice", &[f, "i64[?]", "i64[?]"], ""),
        open("Expand", &[f, "i64[?]"], ""),
        open("Where", &["bool[...]", f, f], ""),
        open("Transpose", &[f], ""),
    ]
}

/// Sizes that are large expressions.
fn sizes() -> Vec<Hostile> {
    let dim = |name: &str, size: String| {
        let line = signature("(n)->(n)", [format!("f32[{size}]")], "");
        hostile(name, line)
    };
    let many = |count: usize, one: &dyn Fn(usize) -> String, by: &str| {
        let all: Vec<String> = (0..count).map(one).collect();
        all.join(by)
    };
    let greatest = |i: usize| format!("max(a{i},b{i})");
    let halves = |i: usize| format!("n{i}//{}", i + 2);
    let sums = |i: usize| format!("(a{i}+b{i})");
    let same = |_: usize| "(a+b+c+d)".to_owned();
    let clash = |name: &str, dims: String| {
        let ty = format!("f32[{dims}]");
        let line = signature("(n),(n)->(n)", [ty.clone(), ty], "");
        hostile(name, line)
    };
    vec![
        clash("a conflict of 12,000 names", named(12_000, ",")),
        clash(
            "a conflict of 12,000 sizes",
            many(12_000, &|_| "3".to_owned(), ","),
        ),
        dim("a sum of 500 names", named(500, "+")),
        dim("a sum of 9,000 names", named(9_000, "+")),
        dim("a sum of 100,000 names", named(100_000, "+")),
        dim("a product of 9,000 names", named(9_000, "*")),
        dim("a product of 100,000 names", named(100_000, "*")),
        dim("a sum of 200 maxima", many(200, &greatest, "+")),
        dim("a product of 60 maxima", many(60, &greatest, "*")),
        dim("a sum of 2,000 quotients", many(2_000, &halves, "+")),
        dim("a product of 40 sums", many(40, &sums, "*")),
        dim("a power of a sum", many(40, &same, "*")),
        dim("a chain of remainders", named(3_000, "%")),
    ]
}

/// Texts that are long.
fn long_texts() -> Vec<Hostile> {
    let twos = |count: usize| format!("f32[{}2]", "2,".repeat(count));
    let apart: Vec<String> = (0..100_000).map(|i| format!("n!={i}")).collect();
    let one = ["f32[n]".to_owned()];
    vec![
        hostile(
            "100,000 dims with names",
            signature(
                "(...n)->(...n)",
                [format!("f32[{}]", named(100_000, ","))],
                "",
            ),
        ),
        hostile(
            "a million dims",
            signature("(...n)->(...n)", [twos(1_000_000)], ""),
        ),
        hostile(
            "a type of 10 MB",
            signature("(n)->(n)", [twos(5_000_000)], ""),
        ),
        hostile(
            "100,000 conditions in a text",
            signature(
                "(n)->(n)",
                one.clone(),
                &format!(r#","where":["{}"]"#, apart.join(",")),
            ),
        ),
        hostile(
            "100,000 conditions in a list",
            signature(
                "(n)->(n)",
                one.clone(),
                &format!(r#","where":[{}]"#, texts(apart)),
            ),
        ),
        hostile(
            "4 MB of one condition",
            signature(
                "(n)->(n)",
                one,
                &format!(r#","where":["{}n>1"]"#, "n!=1,".repeat(800_000)),
            ),
        ),
        hostile(
            "20,000 operands",
            signature(&format!("{}(a)->(a)", "(a),".repeat(20_000)), [], "")
                .replace(r#""inputs":[]"#, r#""limit":1"#),
        ),
        hostile(
            "a line of 10 MB",
            format!(r#"{{"id":"{}"}}"#, "x".repeat(10 << 20)),
        ),
    ]
}

/// Questions with many answers, or one that is hard to find.
fn searches() -> Vec<Hostile> {
    let broadcast = |count: usize| {
        let operands = vec!["()"; count].join(",");
        hostile(
            format!("{count} inputs that broadcast"),
            format!(r#"{{"id":1,"signature":"+{operands}->()","outputs":["f32[2,3,4]"]}}"#),
        )
    };
    let products: Vec<String> = (0..60)
        .map(|i| {
            format!(
                "x{i}*x{}*x{} == x{}*x{}*x{}",
                i + 1,
                i + 2,
                i + 3,
                i + 4,
                i + 5
            )
        })
        .collect();
    let optional: Vec<String> = (0..24).map(|i| format!("o{i}?")).collect();
    let mut all: Vec<Hostile> = [10, 12, 14, 16, 40].map(broadcast).into();
    all.extend([
        hostile(
            "runs and optional dims",
            r#"{"id":1,"signature":"+(o?),()->(o?,a)","inputs":["?[...]","?[...]"],"outputs":["?[...]"]}"#,
        ),
        hostile(
            "24 optional dims",
            format!(r#"{{"id":1,"signature":"({})->()","inputs":["f32[...]"]}}"#, optional.join(",")),
        ),
        hostile(
            "two runs in an output of 3,000 dims",
            format!(
                r#"{{"id":1,"signature":"Concat(a, b, c)","outputs":["f32[{}2]"]}}"#,
                "2,".repeat(3_000)
            ),
        ),
        hostile(
            "sums to 100,000",
            r#"{"id":1,"signature":"(a,b,c,d)->(a+b+c+d)","outputs":["f32[100000]"],"max_dim":100000}"#,
        ),
        hostile(
            "all shapes",
            r#"{"id":1,"signature":"(...a)->(...a)","max_dim":3,"max_rank":64}"#,
        ),
        hostile(
            "all shapes of high rank",
            r#"{"id":1,"signature":"(...a),(...b)->(...a,b)","max_dim":9,"max_rank":60,"limit":1000000}"#,
        ),
        hostile(
            "a sum of cubes",
            r#"{"id":1,"signature":"(n)->(n)","inputs":["f32[n]"],"where":["n*n*n + m*m*m == k*k*k","n > 1","m > 1","k > 1"]}"#,
        ),
        hostile(
            "60 equations of products",
            signature("(n)->(n)", ["f32[n]".to_owned()], &format!(r#","where":[{}]"#, texts(products))),
        ),
        hostile(
            "chains of three operators between six names",
            r#"{"id":1,"find":{"inputs":["f32[a,b,c,d,e,f]"],"output":"f32[f,e,d,c,b,a]","depth":3}}"#,
        ),
        hostile(
            "a budget of a billion",
            r#"{"id":1,"op":"onnx::Conv","inputs":["f32[...]","f32[...]"],"budget":1000000000,"timeout":1}"#,
        ),
    ]);
    all
}
