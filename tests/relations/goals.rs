//! Alternatives, comparisons, dtypes, signatures, texts and optional things inside of clauses.

use super::{all, ground, load};

const NONE: [&str; 0] = [];

#[test]
fn alternatives() {
    let r = load(
        "
Squeezed(Tensor([n, ..sh], t), Tensor(out, t)) :- n = 1, out = sh ; n != 1, out = [n, ..sh]
",
    );
    assert_eq!(
        all(&r, "Squeezed", &["f32[1, 3]", "?"]),
        ["f32[1, 3] -> f32[3]"]
    );
    assert_eq!(
        all(&r, "Squeezed", &["f32[2, 3]", "?"]),
        ["f32[2, 3] -> f32[2, 3]"]
    );
    let mut found = all(&r, "Squeezed", &["f32[n, 3]", "?"]);
    found.sort();
    assert_eq!(
        found,
        [
            "f32[n, 3] -> f32[3] where n == 1",
            "f32[n, 3] -> f32[n, 3] where n != 1",
        ]
    );
    assert_eq!(
        all(&r, "Squeezed", &["?", "f32[2, 3]"]),
        ["f32[1, 2, 3] -> f32[2, 3]", "f32[2, 3] -> f32[2, 3]"]
    );
}

#[test]
fn comparisons_and_arithmetic() {
    let r = load(
        "
Pool(Tensor([n], t), Tensor([(n + 2*p - k)//s + 1], t)) :- k = 3, s = 2, 0 <= p <= 1, p < k
Half(Tensor([n], t), Tensor([ceil(n/2)], t)) :- n % 4 == 0
Most(Tensor([a, b], t), Tensor([max(a, b), min(a, b)], t))
",
    );
    assert_eq!(
        ground(&r, "Pool", &["f32[9]", "?"], 1, 20),
        ["f32[9] -> f32[4]", "f32[9] -> f32[5]"]
    );
    assert_eq!(ground(&r, "Pool", &["?", "f32[4]"], 1, 20).len(), 4);
    assert_eq!(all(&r, "Half", &["f32[8]", "?"]), ["f32[8] -> f32[4]"]);
    assert_eq!(all(&r, "Half", &["f32[6]", "?"]), NONE);
    assert_eq!(
        all(&r, "Most", &["f32[2, 5]", "?"]),
        ["f32[2, 5] -> f32[5, 2]"]
    );
    assert_eq!(ground(&r, "Most", &["?", "f32[5, 2]"], 2, 9).len(), 2);
}

#[test]
fn dtypes() {
    let r = load(
        "
Add(Tensor(sh, x), Tensor(sh, y), Tensor(sh, promote(x, y)))
Cast(Tensor(sh, x), Tensor(sh, y)) :- x in {f32, bf16}, y: Int, x != y
Mask(Tensor(sh, x), Tensor(sh, bool)) :- x in {f16, Int}
Other(Tensor(sh, x), Tensor(sh, y)) :- x in [f32, f64], y in [f32, f64], x != y
",
    );
    assert_eq!(
        all(&r, "Add", &["i32[2]", "f32[2]", "?"]),
        ["i32[2], f32[2] -> f64[2]"]
    );
    assert_eq!(all(&r, "Cast", &["f32[2]", "i64[2]"]), ["f32[2] -> i64[2]"]);
    assert_eq!(all(&r, "Cast", &["f16[2]", "?"]), NONE);
    assert_eq!(all(&r, "Mask", &["i8[2]", "?"]), ["i8[2] -> bool[2]"]);
    assert_eq!(all(&r, "Other", &["f32[2]", "?"]), ["f32[2] -> f64[2]"]);
}

#[test]
fn signatures_are_goals() {
    let r = load(
        r#"
Dense(X, W, B, Y) :- "(m,k),(k,n)->(m,n)"(X, W, XW), "+(),()->()"(XW, B, Y)
Matmul(A, B, C) :- "+(m?,n),(n,p?)->(m?,p?)"(A, B, C)
Same(A, B) :- "A->A"(A, B)
"#,
    );
    assert_eq!(
        all(&r, "Dense", &["f32[2, n]", "f32[n, 4]", "f32[4]", "?"]),
        ["f32[2, n], f32[n, 4], f32[4] -> f32[2, 4]"]
    );
    assert_eq!(
        all(&r, "Dense", &["f32[2, n]", "?", "f32[]", "f32[2, 4]"]),
        ["f32[2, n], f32[n, 4], f32[] -> f32[2, 4]"]
    );
    assert_eq!(
        all(&r, "Matmul", &["f32[3]", "f32[3, 4]", "?"]),
        ["f32[3], f32[3, 4] -> f32[4]"]
    );
    assert_eq!(
        all(&r, "Matmul", &["f32[3]", "f32[3]", "?"]),
        ["f32[3], f32[3] -> f32[]"]
    );
    assert_eq!(
        all(&r, "Same", &["(f32[],)", "?"]),
        ["(f32[],) -> (f32[],)"]
    );
}

#[test]
fn texts_truths_and_optional_things() {
    let r = load(
        r#"
Pad(mode: string, h, o) :- mode = "VALID", o = h - 2
Pad("SAME", h, h)
Valid(Tensor([h], t), Tensor([o], t)) :- Pad("VALID", h, o)
Either(Tensor([h], t), Tensor([o], t)) :- Pad(_, h, o)
Keep(true, [d, ..sh], [1, ..sh]) :- d >= 0
Keep(false, [_, ..sh], sh)
Reduced(Tensor(a, t), Tensor(b, t)) :- Keep(keep, a, b), keep != true
Bias(none, y, y)
Bias(some(n), n, n)
With(Tensor([n], t), Tensor([y], t)) :- Bias(some(n), y, _)
Without(Tensor([y], t), Tensor([z], t)) :- Bias(none, y, z)
"#,
    );
    assert_eq!(all(&r, "Valid", &["f32[9]", "?"]), ["f32[9] -> f32[7]"]);
    let mut either = all(&r, "Either", &["f32[9]", "?"]);
    either.sort();
    assert_eq!(either, ["f32[9] -> f32[7]", "f32[9] -> f32[9]"]);
    assert_eq!(
        all(&r, "Reduced", &["f32[2, 3]", "?"]),
        ["f32[2, 3] -> f32[3]"]
    );
    assert_eq!(all(&r, "With", &["f32[2]", "?"]), ["f32[2] -> f32[2]"]);
    assert_eq!(all(&r, "Without", &["f32[2]", "?"]), ["f32[2] -> f32[2]"]);
}

#[test]
fn files_speak_of_each_other_and_hide_the_standard() {
    let r = kanshape::Relations::load([
        (
            "a.kan",
            "Even(Tensor([n], t), Tensor([n], t)) :- Twice(_, n)",
        ),
        ("b.kan", "Twice(n, 2 * n)"),
    ])
    .unwrap();
    assert_eq!(all(&r, "Even", &["f32[6]", "?"]), ["f32[6] -> f32[6]"]);
    assert_eq!(all(&r, "Even", &["f32[7]", "?"]), NONE);
    let own = load("Broadcast(A, A, A)");
    assert_eq!(all(&own, "Broadcast", &["f32[2]", "f32[1]", "?"]), NONE);
    let both = r.merge(&own).unwrap();
    assert_eq!(all(&both, "Even", &["f32[6]", "?"]), ["f32[6] -> f32[6]"]);
    assert_eq!(
        all(&both, "Broadcast", &["f32[2]", "?", "?"]),
        ["f32[2], f32[2] -> f32[2]"]
    );
    assert!(both.merge(&own).is_ok());
}

#[test]
fn contents_that_are_stated_are_as_many_as_the_elements() {
    let r = load(
        "
op One(i: i64[..s] = v) -> () :- v = [7], len(s) <= 3 .
op Two(i: i64[_] = v) -> () :- v = [7, 8] .
op Some(i: i64[..] = v) -> () :- v = [7, .._]
",
    );
    let of = |name: &str, ty: &str| -> Vec<String> {
        let operator = r.operator(name, None).unwrap();
        let call = operator.call([ty.parse::<kanshape::Type>().unwrap()]);
        let answers = call.query().unwrap().solve().unwrap();
        answers.take(3).map(|a| a.to_string()).collect()
    };
    assert_eq!(of("One", "i64[0, 1]"), NONE);
    assert_eq!(of("One", "i64[2]"), NONE);
    assert_eq!(of("One", "i64[1]"), ["i64[1] = [7] -> "]);
    assert_eq!(of("One", "i64[n]"), ["i64[n] = [7] ->  where n == 1"]);
    assert_eq!(of("Two", "?"), ["i64[2] = [7, 8] -> "]);
    assert_eq!(of("Two", "i64[3]"), NONE);
    assert_eq!(of("Some", "i64[n, 3]"), ["i64[n, 3] ->  where n >= 1"]);
}
