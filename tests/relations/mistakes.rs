//! What a file of relations is refused for, and what it is warned of.

use kanshape::Relations;

fn refused(text: &str) -> String {
    match Relations::load_str("test.kan", text) {
        Err(diagnostic) => diagnostic.to_string(),
        Ok(_) => panic!("{text} was taken"),
    }
}

fn warned(text: &str) -> String {
    let relations = Relations::load_str("test.kan", text).unwrap();
    let warnings: Vec<String> = relations.warnings().map(|d| d.to_string()).collect();
    warnings.join("\n")
}

#[test]
fn kinds() {
    let texts = [
        "P(Tensor(sh, bt), Tensor(bt, f32))",
        "P(Tensor([n], n), _)",
        "P(sh: Shape, sh[0]) :- sh: Float",
        "P(sh: Shap)",
        "P(sh: BaseType, Tensor(sh, f32))",
        "P(n) :- n < \"text\"",
        "P(A) :- Q(A, 2)\nQ(_, f32)",
        "P(A, B) :- A = [1, 2], B = [f32, 1]",
        "P(xs) :- xs = [xs]",
        "P(Tensor(a, t), Tensor(b, t)) :- Append(a, t, b)",
        "P(A, B) :- A = Tensor(_, _), A != B",
        "P(ts) :- Q(ts[-1])\nQ(Tensor([], f32))",
        "P(x) :- x = Float",
    ];
    let all: Vec<String> = texts.iter().map(|t| refused(t)).collect();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn names() {
    let texts = [
        "P(A, B) :- Broadcst(A, A, B)",
        "P(A, B) :- Broadcast(A, B)",
        "P(A) :- A = Tensr([2], f32)",
        "P(A) :- A = Tensor([2])",
        "P(A) :- A = Tensor([max(2)], f32)",
        "P(x) :- Q(f23, x)\nQ(_, _)",
        "P(A, B) :- \"(n)->(n)\"(A)",
        "P(A, B) :- \"(n->(n)\"(A, B)",
        "P(bt) :- bt: Flaot",
        "P(bt) :- bt: f32",
        "P(sh) :- sh: Shape",
    ];
    let all: Vec<String> = texts.iter().map(|t| refused(t)).collect();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn warnings() {
    let texts = [
        "P(x, y)",
        "P(x, x) :- x = Tensor(sh, f32), len(sh) = 1, 2 < 1",
        "P(Tensor([n], t), Tensor([n], t)) :- n > 3, n < 3",
        "P(x, x) :- false",
        "P(f32, f32)",
    ];
    let all: Vec<String> = texts.iter().map(|t| warned(t)).collect();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn two_files_define_one_relation() {
    let twice = Relations::load([
        ("a.kan", "P(x, x)"),
        ("b.kan", "Q(x, x)\nP(x, x) :- Q(x, x)"),
    ]);
    insta::assert_snapshot!(twice.unwrap_err());
    let kinds = Relations::load([
        ("a.kan", "P(n: int)"),
        ("b.kan", "\n\nQ(sh: Shape) :- P(sh)"),
    ]);
    insta::assert_snapshot!(kinds.unwrap_err());
    let a = Relations::load_str("a.kan", "P(x, x)").unwrap();
    let b = Relations::load_str("b.kan", "P(x, x)").unwrap();
    assert!(a.merge(&b).is_err());
}

#[test]
fn what_cannot_be_queried() {
    let relations = Relations::load_str("test.kan", "P(n: int, A, A)\nQ(A)\nQ(A, A)").unwrap();
    let ask = |name: &str| relations.signature(name).unwrap_err().to_string();
    insta::assert_snapshot!([ask("P"), ask("Flaten"), ask("Q"), ask("Q/3")].join("\n\n"));
    assert_eq!(relations.signature("Q/1").unwrap().output_count(), 1);
}
