//! Types of one's own: declared in files, and stated in Rust.

use super::load;
use kanshape::graph::Graph;
use kanshape::user::{Constructor, Vocabulary};
use kanshape::{Query, Relations, Signature, Type, Verdict};

const QUANTIZED: &str = r#"
/// A tensor with its scale.
type Quantized(values, scale)
type Tokenizer

op Dequantize(q: Quantized(A, S)) -> (y: f32[..s]) :- A: T[..s], S: f32[], T in {i8, u8}
op Add8(a: Quantized(A, S), b: Quantized(A, S)) -> (c: Quantized(A, S))
op Encode(t: Tokenizer(), text: str[n]) -> (t2: Tokenizer(), ids: i64[n, _])
Values(Quantized(A, _), A)
"#;

fn query(relations: &Relations, name: &str, inputs: &[&str], outputs: &[&str]) -> Query {
    let operator = relations.operator(name, None).unwrap();
    let types = |all: &[&str]| -> Vec<Option<kanshape::Type>> {
        all.iter().map(|ty| Some(ty.parse().unwrap())).collect()
    };
    let call = kanshape::Call {
        inputs: types(inputs),
        outputs: (!outputs.is_empty()).then(|| types(outputs)),
        attrs: Vec::new(),
        ..kanshape::Call::default()
    };
    operator.query(call).unwrap()
}

fn all(name: &str, inputs: &[&str], outputs: &[&str]) -> Vec<String> {
    let answers = query(&load(QUANTIZED), name, inputs, outputs).solve();
    answers.unwrap().map(|answer| answer.to_string()).collect()
}

#[test]
fn in_every_direction() {
    assert_eq!(
        all("Dequantize", &["Quantized[i8[2, n], f32[]]"], &[]),
        ["Quantized[i8[2, n], f32[]] -> f32[2, n]"]
    );
    assert_eq!(
        all("Dequantize", &["?"], &["f32[3]"]),
        ["Quantized[t0[3], f32[]] -> f32[3] where t0 in {i8, u8}"]
    );
    assert_eq!(
        all("Dequantize", &["Quantized[f32[3], f32[]]"], &[]),
        [""; 0]
    );
    assert_eq!(
        all(
            "Add8",
            &["Quantized[i8[2, n], ?]", "Quantized[?[?, 3], f32[]]"],
            &[]
        ),
        [
            "Quantized[i8[2, n], f32[]], Quantized[i8[2, 3], f32[]] -> Quantized[i8[2, 3], f32[]] where n == 3"
        ]
    );
}

#[test]
fn without_arguments_and_in_signatures() {
    assert_eq!(
        all("Encode", &["?", "str[5]"], &["Tokenizer", "?"]),
        ["Tokenizer, str[5] -> Tokenizer, i64[5, ?]"]
    );
    assert_eq!(all("Encode", &["f32[]", "str[5]"], &[]), [""; 0]);
    let text = "Quantized[t[n], S[]], Tokenizer -> Tokenizer, t[n]";
    let sign = Signature::parse_in(text, load(QUANTIZED).types()).unwrap();
    let inputs = ["Quantized[i8[k], f32[]]", "?"].map(|ty| ty.parse().unwrap());
    let outputs = ["?", "?[7]"].map(|ty| ty.parse().unwrap());
    assert_eq!(
        sign.solve(&inputs, &outputs).unwrap().to_string(),
        "Quantized[i8[k], f32[]], Tokenizer -> Tokenizer, i8[7] where k == 7"
    );
}

#[test]
fn a_relation_of_types() {
    let relations = load(QUANTIZED);
    assert_eq!(
        super::all(&relations, "Values", &["Quantized[i8[n], ?]", "?[3]"]),
        ["Quantized[i8[n], ?] -> i8[3] where n == 3"]
    );
}

#[test]
fn in_a_graph() {
    let relations = load(QUANTIZED);
    let mut graph = Graph::new(&relations);
    let q = graph
        .value(&"Quantized[i8[N, 4], ?]".parse().unwrap())
        .unwrap();
    let other = graph.value(&"?".parse().unwrap()).unwrap();
    let add = relations.operator("Add8", None).unwrap();
    let (_, sum) = graph
        .push(add.call([Type::UNKNOWN; 2]), &[q, other])
        .unwrap();
    let sum = sum.get(0).unwrap();
    let dequantize = relations.operator("Dequantize", None).unwrap();
    let call = dequantize.call([Type::UNKNOWN]);
    let (_, outputs) = graph.push(call, &[sum]).unwrap();
    let y = outputs.get(0).unwrap();
    assert_eq!(graph.ty(y).to_string(), "f32[N, 4]");
    graph.assume(y, &"f32[8, 4]".parse().unwrap()).unwrap();
    assert_eq!(graph.ty(other).to_string(), "Quantized[i8[8, 4], f32[]]");
    assert!(!graph.admits(other, &"Quantized[u8[8, 4], f32[]]".parse().unwrap()));
    assert!(graph.admits(other, &"Quantized[?[8, 4], f32[]]".parse().unwrap()));
}

/// An operator whose rule is a line, and a line as a goal: with the types of the file, with lists, tuples and functions.
#[test]
fn in_lines() {
    let text = format!(
        "{QUANTIZED}{}",
        r#"
op Scale "Quantized[t[n], S[]], S[] -> Quantized[t[n], S[]]"
op Names "Tokenizer -> List[str[2]]"
op Apply "fn(A) -> B, A -> B"
Same(A, B, C) :- "Tokenizer, List[(t[n], t[])] -> Quantized[t[n], f32[]]"(A, B, C)
"#
    );
    let relations = load(&text);
    let found = |name: &str, inputs: &[&str], outputs: &[&str]| -> Vec<String> {
        let answers = query(&relations, name, inputs, outputs).solve();
        answers.unwrap().map(|answer| answer.to_string()).collect()
    };
    assert_eq!(
        found(
            "Scale",
            &["Quantized[i8[2, n], ?]", "?"],
            &["Quantized[?[?, 3], f32[]]"]
        ),
        [""; 0]
    );
    assert_eq!(
        found(
            "Scale",
            &["Quantized[i8[n], ?]", "?"],
            &["Quantized[?[3], f32[]]"]
        ),
        ["Quantized[i8[n], f32[]], f32[] -> Quantized[i8[3], f32[]] where n == 3"]
    );
    assert_eq!(
        found("Names", &["?"], &["?"]),
        ["Tokenizer -> List[str[2]]"]
    );
    assert_eq!(
        found("Apply", &["fn(Tokenizer) -> f32[k]", "?"], &["?[3]"]),
        ["fn(Tokenizer) -> f32[k], Tokenizer -> f32[3] where k == 3"]
    );
    assert_eq!(
        super::all(&relations, "Same", &["?", "?", "Quantized[i8[3], ?]"]),
        ["Tokenizer, List[(i8[3], i8[])] -> Quantized[i8[3], f32[]]"]
    );
}

#[test]
fn what_is_stated_in_rust_is_known_to_files() {
    let own = Constructor::declared("Ragged", ["values"], "").unwrap();
    let words = Vocabulary::default().with(own).unwrap();
    let relations = Relations::standard().with_types(&words).unwrap();
    let relations = relations
        .with([("mine.kan", "op Values(r: Ragged(A)) -> (y) :- y = A")])
        .unwrap();
    let found = query(&relations, "Values", &["Ragged[f32[n]]"], &[]).one();
    assert_eq!(found.unwrap().to_string(), "Ragged[f32[n]] -> f32[n]");
    // Merged with others, both are known.
    let both = relations.merge(&load(QUANTIZED)).unwrap();
    assert!(both.types().get("Ragged").is_some() && both.types().get("Quantized").is_some());
    let found = query(&both, "Dequantize", &["Quantized[i8[2], f32[]]"], &[]);
    assert_eq!(found.solve().unwrap().verdict(), Verdict::Always);
}

#[test]
fn an_index_of_files_with_types_is_ignored() {
    let files = [("mine.kan", QUANTIZED)];
    let index = Relations::load(files).unwrap().index();
    let lazy = Relations::load_indexed(files, index).unwrap();
    let found = query(&lazy, "Dequantize", &["Quantized[i8[2], f32[]]"], &[]);
    assert_eq!(found.one().unwrap().outputs[0].to_string(), "f32[2]");
}

fn mistake(text: &str) -> String {
    let mistake = Relations::load_str("mine.kan", text).err().unwrap();
    assert!(!mistake.labels.is_empty(), "{mistake}");
    format!("{} {}", mistake.code, mistake.headline)
}

#[test]
fn mistakes() {
    for (text, expected) in [
        (
            "type Pair(a, b)\nop F(p: Pair(A)) -> (y) :- y = A",
            "K0220 `Pair` takes 2 arguments, not 1",
        ),
        (
            "type Sequence(a)",
            "K0222 no type can be called `Sequence`: it is taken",
        ),
        (
            "type prod(a)",
            "K0222 no type can be called `prod`: it is taken",
        ),
        (
            "type Sparse(a)",
            "K0222 no type can be called `Sparse`: it is taken",
        ),
        (
            "type f32",
            "K0222 no type can be called `f32`: it is, or looks like, a dtype",
        ),
        (
            "type Pair(a, b)\ntype Pair(a)",
            "K0222 no type can be called `Pair`: it is taken",
        ),
        ("type Pair(a, a)", "K0028 two arguments are called `a`"),
        (
            "op F(p: Pair(A)) -> (y)",
            "K0334 there is no function `Pair`",
        ),
    ] {
        assert_eq!(mistake(text), expected, "{text}");
    }
    // The same declaration twice is one.
    load("type Pair(a, b)\ntype Pair(a, b)\nop F(p: Pair(A, A)) -> (y: T[]) :- A: T[..]");
}
