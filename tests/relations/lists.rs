//! Constraints on lists: parts, places, members, the same for all of them.

use super::{all, ask, ground, load};

const NONE: [&str; 0] = [];

#[test]
fn append_splits_in_every_way() {
    let r = load(
        "
App([], ys, ys)
App([x, ..xs], ys, [x, ..zs]) :- App(xs, ys, zs)
Join(Tensor(a, t), Tensor(b, t), Tensor(c, t)) :- App(a, b, c)
",
    );
    assert_eq!(
        all(&r, "Join", &["f32[2, n]", "f32[3]", "?"]),
        ["f32[2, n], f32[3] -> f32[2, n, 3]"]
    );
    assert_eq!(
        all(&r, "Join", &["?", "?", "f32[2, n]"]),
        [
            "f32[], f32[2, n] -> f32[2, n]",
            "f32[2], f32[n] -> f32[2, n]",
            "f32[2, n], f32[] -> f32[2, n]",
        ]
    );
    assert_eq!(
        all(&r, "Join", &["?", "f32[n]", "f32[2, 3]"]),
        ["f32[2], f32[n] -> f32[2, 3] where n == 3"]
    );
    // In one step, in the standard library.
    let r = load("Join(Tensor(a, t), Tensor(b, t), Tensor(c, t)) :- Append(a, b, c)");
    let mut split = all(&r, "Join", &["?", "?", "f32[2, n]"]);
    split.sort();
    assert_eq!(
        split,
        [
            "f32[2, n], f32[] -> f32[2, n]",
            "f32[2], f32[n] -> f32[2, n]",
            "f32[], f32[2, n] -> f32[2, n]",
        ]
    );
    assert_eq!(
        all(&r, "Join", &["f32[...r]", "f32[3]", "?"]),
        ["f32[...r], f32[3] -> f32[...r, 3]"]
    );
}

#[test]
fn places_from_the_left_and_from_the_right() {
    let r = load(
        "
First(Tensor(sh, t), Tensor([sh[0]], t))
Last(Tensor(sh, t), Tensor([sh[-1]], t))
Tail(Tensor(sh, t), Tensor(sh[1:], t))
Init(Tensor(sh, t), Tensor(sh[:-1], t))
Inner(Tensor(sh, t), Tensor(sh[1:-1], t))
Two(Tensor(sh, t), Tensor(sh[1:3], t))
",
    );
    let input = "f32[2, n, 4]";
    assert_eq!(all(&r, "First", &[input, "?"]), ["f32[2, n, 4] -> f32[2]"]);
    assert_eq!(all(&r, "Last", &[input, "?"]), ["f32[2, n, 4] -> f32[4]"]);
    assert_eq!(
        all(&r, "Tail", &[input, "?"]),
        ["f32[2, n, 4] -> f32[n, 4]"]
    );
    assert_eq!(
        all(&r, "Init", &[input, "?"]),
        ["f32[2, n, 4] -> f32[2, n]"]
    );
    assert_eq!(all(&r, "Inner", &[input, "?"]), ["f32[2, n, 4] -> f32[n]"]);
    assert_eq!(all(&r, "Two", &[input, "?"]), ["f32[2, n, 4] -> f32[n, 4]"]);
    for name in ["First", "Last", "Tail", "Init", "Inner", "Two"] {
        assert_eq!(all(&r, name, &["f32[]", "?"]), NONE, "{name}");
    }
    // Backwards.
    assert_eq!(
        all(&r, "Tail", &["?", "f32[3, 4]"]),
        ["f32[?, 3, 4] -> f32[3, 4]"]
    );
    assert_eq!(all(&r, "Inner", &["?", "f32[]"]), ["f32[?, ?] -> f32[]"]);
    assert_eq!(
        all(&r, "Last", &["f32[...r, 5]", "?"]),
        ["f32[...r, 5] -> f32[5]"]
    );
    assert_eq!(
        all(&r, "Last", &["f32[2, ?]", "f32[7]"]),
        ["f32[2, 7] -> f32[7]"]
    );
}

#[test]
fn an_index_is_an_unknown_like_any_other() {
    let r = load(
        "
Some(Tensor(sh, t), Tensor([sh[i], i], t))
From(Tensor(sh, t), Tensor(sh[_:], t))
Mid(Tensor(sh, t), Tensor(sh[i:j], t)) :- i >= 0, j = i + 2
",
    );
    let mut found = all(&r, "Some", &["f32[5, 6]", "?"]);
    found.sort();
    assert_eq!(found, ["f32[5, 6] -> f32[5, 0]", "f32[5, 6] -> f32[6, 1]"]);
    assert_eq!(
        all(&r, "Some", &["f32[5, 6]", "f32[6, ?]"]),
        ["f32[5, 6] -> f32[6, 1]"]
    );
    let mut found = all(&r, "From", &["f32[5, 6]", "?"]);
    found.sort();
    assert_eq!(
        found,
        [
            "f32[5, 6] -> f32[5, 6]",
            "f32[5, 6] -> f32[6]",
            "f32[5, 6] -> f32[]"
        ]
    );
    let mut found = all(&r, "Mid", &["f32[5, 6, 7]", "?"]);
    found.sort();
    assert_eq!(
        found,
        ["f32[5, 6, 7] -> f32[5, 6]", "f32[5, 6, 7] -> f32[6, 7]"]
    );
}

#[test]
fn the_same_for_all_members() {
    let r = load(
        "
Doubled(Tensor(sh, t), Tensor([2 * d for d in sh], t))
Sums(Tensor(a, t), Tensor(b, t), Tensor([x + y for x, y in a, b], t))
Grown(Tensor([k, ..sh], t), Tensor([d + k for d in sh], t))
Ones(Tensor(sh, t), Tensor([1 for _ in sh], t))
",
    );
    assert_eq!(
        all(&r, "Doubled", &["f32[3, n]", "?"]),
        ["f32[3, n] -> f32[6, 2*n]"]
    );
    assert_eq!(
        all(&r, "Doubled", &["?", "f32[6, 8]"]),
        ["f32[3, 4] -> f32[6, 8]"]
    );
    assert_eq!(all(&r, "Doubled", &["?", "f32[6, 7]"]), NONE);
    assert_eq!(
        all(&r, "Sums", &["f32[1, 2]", "?", "f32[5, n]"]),
        ["f32[1, 2], f32[4, n - 2] -> f32[5, n] where n >= 2"]
    );
    assert_eq!(all(&r, "Sums", &["f32[1, 2]", "f32[3]", "?"]), NONE);
    assert_eq!(
        all(&r, "Grown", &["f32[2, 5, 6]", "?"]),
        ["f32[2, 5, 6] -> f32[7, 8]"]
    );
    assert_eq!(all(&r, "Grown", &["?", "f32[7, 1]"]).len(), 1);
    assert_eq!(
        all(&r, "Ones", &["?", "f32[1, 1]"]),
        ["f32[?, ?] -> f32[1, 1]"]
    );
    assert_eq!(
        ask(&r, "Doubled", &["?", "?"], 3),
        [
            "t0[] -> t0[]",
            "t0[d0] -> t0[2*d0]",
            "t0[d0, d1] -> t0[2*d0, 2*d1]"
        ]
    );
}

#[test]
fn lengths_sums_and_members() {
    let r = load(
        "
Rank(Tensor(sh, t), Tensor([len(sh)], i64)) :- t: Float
Sum(Tensor(sh, t), Tensor([sum(sh)], t))
Has(Tensor(sh, t), Tensor([d], t)) :- d in sh
Small(Tensor([d], t), Tensor([d], t)) :- d in [1, 3, n], n = 7
",
    );
    assert_eq!(
        all(&r, "Rank", &["f32[2, 3]", "?"]),
        ["f32[2, 3] -> i64[2]"]
    );
    assert_eq!(all(&r, "Rank", &["i32[2, 3]", "?"]), NONE);
    assert_eq!(
        all(&r, "Rank", &["f32[...]", "i64[2]"]),
        ["f32[?, ?] -> i64[2]"]
    );
    assert_eq!(
        all(&r, "Sum", &["f32[2, n, 3]", "?"]),
        ["f32[2, n, 3] -> f32[n + 5]"]
    );
    assert_eq!(
        all(&r, "Sum", &["f32[2, ?, 3]", "f32[9]"]),
        ["f32[2, 4, 3] -> f32[9]"]
    );
    let mut has = all(&r, "Has", &["f32[2, n]", "?"]);
    has.sort();
    assert_eq!(has, ["f32[2, n] -> f32[2]", "f32[2, n] -> f32[n]"]);
    assert_eq!(ground(&r, "Small", &["?", "f32[?]"], 3, 9).len(), 3);
}

#[test]
fn permute_takes_axes_from_both_ends() {
    let r = load(
        "
Swap(Tensor(a, t), Tensor(b, t)) :- Permute(a, [1, 0], b)
Back(Tensor(a, t), Tensor(b, t)) :- Permute(a, [-1, 0, 1], b)
Any(Tensor(a, t), Tensor(b, t)) :- Permute(a, _, b)
",
    );
    assert_eq!(
        all(&r, "Swap", &["f32[2, n]", "?"]),
        ["f32[2, n] -> f32[n, 2]"]
    );
    assert_eq!(
        all(&r, "Swap", &["?", "f32[2, n]"]),
        ["f32[n, 2] -> f32[2, n]"]
    );
    assert_eq!(
        all(&r, "Back", &["f32[2, 3, 4]", "?"]),
        ["f32[2, 3, 4] -> f32[4, 2, 3]"]
    );
    assert_eq!(
        all(&r, "Back", &["?", "f32[2, 3, 4]"]),
        ["f32[3, 4, 2] -> f32[2, 3, 4]"]
    );
    let mut any = all(&r, "Any", &["f32[2, 3]", "f32[3, 2]"]);
    any.dedup();
    assert_eq!(any, ["f32[2, 3] -> f32[3, 2]"]);
}

#[test]
fn lists_of_types() {
    let r = load(
        "
Rows(A, B, C) :- Concat([A, B], 0, C)
Columns(A, B, C) :- Concat([A, B], -1, C)
Along(A, B, C) :- Concat([A, B], _, C)
Pair(A, B, tuple(A, B))
All(tuple(A, B, C), D) :- Fold([A, B, C], D)
Fold([x], x)
Fold([x, y, ..rest], out) :- Broadcast(x, y, z), Fold([z, ..rest], out)
",
    );
    assert_eq!(
        all(&r, "Rows", &["f32[2, 3]", "f32[n, 3]", "?"]),
        ["f32[2, 3], f32[n, 3] -> f32[n + 2, 3]"]
    );
    assert_eq!(
        all(&r, "Columns", &["f32[2, 3]", "?", "f32[2, 7]"]),
        ["f32[2, 3], f32[2, 4] -> f32[2, 7]"]
    );
    assert_eq!(all(&r, "Rows", &["f32[2, 3]", "f32[2, 4]", "?"]), NONE);
    assert_eq!(
        all(&r, "Along", &["f32[2, 3]", "f32[2, 4]", "?"]),
        ["f32[2, 3], f32[2, 4] -> f32[2, 7]"]
    );
    assert_eq!(
        all(&r, "Pair", &["f32[2]", "?", "(?, i64[n])"]),
        ["f32[2], i64[n] -> (f32[2], i64[n])"]
    );
    assert_eq!(
        all(&r, "All", &["(f32[2, 1], f32[3], f32[])", "?"]),
        ["(f32[2, 1], f32[3], f32[]) -> f32[2, 3]"]
    );
}
