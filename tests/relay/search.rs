//! Programs that are found by their type, and what fills gaps.

use kanshape_relay::search::OPERATORS;
use kanshape_relay::{Found, Program, Search, notation};

/// The body of `@main`, in one line.
fn body(found: &Found) -> String {
    let text = found.program.to_string();
    let (_, main) = text.rsplit_once("def @main").unwrap();
    let (_, body) = main.split_once("{\n").unwrap();
    let words: Vec<&str> = body
        .strip_suffix("\n}\n")
        .unwrap()
        .split_whitespace()
        .collect();
    words.join(" ")
}

fn search<'r>(ty: &str, ops: &[&str], size: u32) -> Search<'r> {
    let ty = notation::read_program_type(ty).unwrap();
    let search = Search::of_type(kanshape::catalog(), &ty).unwrap();
    search.operators(ops.iter().copied()).unwrap().size(size)
}

/// All programs of a type within a size.
fn all(ty: &str, ops: &[&str], size: u32) -> Vec<String> {
    let mut search = search(ty, ops, size);
    let found: Vec<Found> = search.by_ref().collect();
    assert_eq!(search.cut_off(), None);
    let sizes: Vec<u32> = found.iter().map(|one| one.size).collect();
    assert!(sizes.is_sorted(), "{sizes:?}");
    found.iter().map(body).collect()
}

/// The type of `@main`, if the program is well typed for all sizes.
fn ty(program: &Program) -> String {
    let text = program.to_string();
    let typing = Program::parse("found", &text)
        .unwrap()
        .check(kanshape::catalog());
    assert!(typing.problems.is_empty(), "{text}");
    assert_eq!(typing.verdict("main"), kanshape::Verdict::Always, "{text}");
    typing.global("main").unwrap().ty.to_string()
}

#[test]
fn all_programs_of_a_size_are_found_once() {
    let found = all(
        "fn (f32[m, n]) -> f32[n, m]",
        &["transpose", "nn.relu", "add"],
        2,
    );
    let wanted = [
        "transpose(%x0)",
        "transpose(nn.relu(%x0))",
        "nn.relu(transpose(%x0))",
        "transpose(add(%x0, %x0))",
        "let %y0 = transpose(%x0); add(%y0, %y0)",
        "transpose(transpose(%x0, axes=[0, 1]))",
        "transpose(transpose(%x0), axes=[0, 1])",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn both_notations_are_one() {
    let one = all("fn (f32[m, n]) -> f32[n, m]", &["transpose"], 1);
    let relay = "fn (Tensor[(m, n), float32]) -> Tensor[(n, m), float32]";
    assert_eq!(one, all(relay, &["transpose"], 1));
    assert_eq!(one, ["transpose(%x0)"]);
}

#[test]
fn names_of_sizes_are_any_sizes() {
    // It would be one if `m` were `n`.
    assert!(all("fn (f32[m, n]) -> f32[n, m]", &["nn.relu", "add"], 2).is_empty());
    assert_eq!(all("fn (f32[n, n]) -> f32[n, n]", &["nn.relu"], 0), ["%x0"]);
    // Without its axis, what `squeeze` does is another thing for each size.
    let mut squeezed = search("fn (f32[m, n]) -> f32[n, m]", &["add", "squeeze"], 2);
    assert!(squeezed.next().is_none());
}

#[test]
fn attributes_are_those_that_the_type_needs() {
    let one = |ty, op: &str| all(ty, &[op], 1);
    let turned = "fn (f32[m, n, k, l, o]) -> f32[k, m, n, o, l]";
    assert_eq!(
        one(turned, "transpose"),
        ["transpose(%x0, axes=[2, 0, 1, 4, 3])"]
    );
    let product = "fn (f32[m, n], f32[p, n]) -> f32[m, p]";
    assert_eq!(one(product, "nn.dense"), ["nn.dense(%x0, %x1)"]);
    assert_eq!(
        one(product, "nn.matmul"),
        ["nn.matmul(%x0, %x1, transpose_b=True)"]
    );
    let sum = ["sum(%x0, axis=1)", "sum(%x0, axis=0, exclude=True)"];
    assert_eq!(one("fn (f32[m, n]) -> f32[m]", "sum"), sum);
    let cast = ["cast(%x0, dtype=\"int32\")"];
    assert_eq!(one("fn (f32[m, n]) -> i32[m, n]", "cast"), cast);
    let found: Vec<Found> = search("fn (f32[2, 3]) -> f32[6]", &["reshape"], 1).collect();
    assert_eq!(body(&found[0]), "reshape(%x0, newshape=6)");
    let found: Vec<Found> = search("fn (f32[m, n]) -> f32[m*n]", &["reshape"], 1).collect();
    assert_eq!(body(&found[0]), "reshape(%x0, newshape=-1)");
}

#[test]
fn functions_tuples_and_parameters_of_types() {
    assert_eq!(
        all("fn [A, B](A, B) -> (B, A)", &["add"], 1),
        ["(%x1, %x0)"]
    );
    assert_eq!(
        all("fn ((f32[m], f32[n])) -> f32[n]", &["nn.relu"], 1),
        ["%x0.1"]
    );
    let applied = all("fn [A, B](fn (A) -> B, A) -> B", &["add"], 2);
    assert_eq!(applied, ["%x0(%x1)"]);
    let composed = all(
        "fn [A, B, C](fn (A) -> B, fn (B) -> C) -> fn (A) -> C",
        &["add"],
        3,
    );
    assert_eq!(composed, ["fn (%y0) { %x1(%x0(%y0)) }"]);
    let joined = search("fn (f32[n], f32[k]) -> f32[n + k]", &["concatenate"], 2);
    let joined: Vec<String> = joined.take(2).map(|one| body(&one)).collect();
    assert_eq!(
        joined,
        ["concatenate((%x0, %x1))", "concatenate((%x1, %x0))"]
    );
    assert_eq!(all("int32", &["negative"], 2), ["1", "negative(1)"]);
}

const DATA: &str = "type Option[A] { Some(A), None }
type Pair[A, B] { Both(A, B) }
";

fn with(program: &str, ty: &str, size: u32) -> Vec<String> {
    let program = Program::parse("data", program).unwrap();
    let ty = notation::read_program_type(ty).unwrap();
    let search = Search::of_type_with(kanshape::catalog(), &ty, program.tree()).unwrap();
    let search = search.operators(["nn.relu"]).unwrap().size(size);
    search
        .map(|found| {
            self::ty(&found.program);
            body(&found)
        })
        .collect()
}

#[test]
fn data_types_are_made_and_matched() {
    let swapped = with(DATA, "fn [A, B](Pair[A, B]) -> Pair[B, A]", 2);
    assert_eq!(
        swapped,
        ["match (%x0) { Both(%y0, %y1) => Both(%y1, %y0), }"]
    );
    let or = with(DATA, "fn [A](Option[A], A) -> A", 1);
    let wanted = "match (%x0) { Some(%y0) => %y0, None => %x1, }";
    assert_eq!(or[0], "%x1");
    assert!(or.iter().any(|one| one == wanted), "{or:?}");
    let mapped = with(DATA, "fn [A, B](fn (A) -> B, Option[A]) -> Option[B]", 4);
    let map = "match (%x1) { Some(%y0) => Some(%x0(%y0)), None => None, }";
    assert!(mapped.iter().any(|one| one == map), "{mapped:?}");
    let helped = with(
        "def @half(%x: int32) -> float32 { 1f }",
        "fn (int32) -> float32",
        1,
    );
    assert!(helped.contains(&"@half(%x0)".to_owned()), "{helped:?}");
}

fn filled(text: &str) -> Option<String> {
    let program = Program::parse("gaps", text).unwrap();
    let mut search = Search::filling(kanshape::catalog(), &program).unwrap();
    search.next().map(|found| {
        ty(&found.program);
        body(&found)
    })
}

#[test]
fn gaps_are_filled_with_the_smallest_expression() {
    let head = "def @main(%x: Tensor[(m, n), float32], %w: Tensor[(k, n), float32]) -> Tensor[(m, k), float32]";
    let is = |body: &str, wanted: &str| {
        assert_eq!(
            filled(&format!("{head} {{ {body} }}")).as_deref(),
            Some(wanted)
        );
    };
    is("nn.dense(%x, _)", "nn.dense(%x, %w)");
    is("nn.matmul(%x, _)", "nn.matmul(%x, transpose(%w))");
    is(
        "nn.matmul(%x, _, transpose_b=_)",
        "nn.matmul(%x, %w, transpose_b=True)",
    );
    is(
        "transpose(nn.dense(_, _), axes=_)",
        "transpose(nn.dense(%w, %x))",
    );
    is(
        "let %y = _; nn.relu(%y)",
        "let %y = nn.dense(%x, %w); nn.relu(%y)",
    );
    assert_eq!(
        filled("def @main(%x: int32) -> (int32, float32) { (%x, _) }").as_deref(),
        Some("(%x, 1.0f32)")
    );
    let none = "extern type T\ndef @main(%x: int32) -> T { _ }";
    assert_eq!(filled(none), None);
}

/// A generator of numbers whose seed is fixed.
fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n.max(1) as u64) as usize
    }
}

/// Types of which there are programs, and a size that some of them have.
const TYPES: [(&str, u32); 8] = [
    ("fn (Tensor[(m, n), float32]) -> Tensor[(n, m), float32]", 2),
    (
        "fn (Tensor[(m, n), float32], Tensor[(n), float32]) -> Tensor[(m, n), float32]",
        1,
    ),
    (
        "fn (Tensor[(m, n), float32], Tensor[(k, n), float32]) -> Tensor[(m, k), float32]",
        2,
    ),
    ("fn (Tensor[(2, 3), float32]) -> Tensor[(3, 2), float32]", 1),
    (
        "fn (Tensor[(n), float32]) -> (Tensor[(n), float32], Tensor[(n, 1), float32])",
        2,
    ),
    (
        "fn (fn (Tensor[(n), float32]) -> int32, Tensor[(n), float32]) -> (int32, int32)",
        2,
    ),
    (
        "fn ((Tensor[(n), float32], int32)) -> (int32, Tensor[(n), float32])",
        3,
    ),
    (
        "fn [A](A, fn (A) -> Tensor[(n), float32]) -> Tensor[(n), float32]",
        2,
    ),
];

#[test]
fn what_is_found_checks_and_with_another_annotation_it_does_not() {
    let mut next = numbers(0x2545_f491_4f6c_dd1d);
    let mut refused = 0;
    for (ty_of, size) in TYPES {
        let found: Vec<Found> = search(ty_of, &OPERATORS, size).take(6).collect();
        assert!(!found.is_empty(), "{ty_of}");
        for one in &found {
            assert_eq!(ty(&one.program), ty_of);
            // The type of one parameter, or of the result, is another one.
            let text = one.program.to_string();
            let (head, rest) = text.split_once(" {\n").unwrap();
            let (before, result) = head.rsplit_once(" -> ").unwrap();
            let other = match result {
                "int32" => "Tensor[(7), float32]",
                _ => ["int32", "(int32,)", "Tensor[(7, 7, 7), float16]"][next(3)],
            };
            let changed = format!("{before} -> {other} {{\n{rest}");
            let typing = Program::parse("changed", &changed)
                .unwrap()
                .check(kanshape::catalog());
            let place = before.len() + 4;
            let is_there = typing.problems.iter().any(|problem| {
                let mut labels = problem.diagnostic.labels.iter();
                labels.any(|label| label.start <= place && place < label.end)
            });
            let is_operator = typing.problems.iter().any(|p| p.kind.name() == "relation");
            assert!(!typing.problems.is_empty(), "{changed}");
            assert!(is_there || is_operator, "{changed}{:?}", typing.problems);
            refused += 1;
        }
    }
    assert!(refused >= 30, "{refused}");
}

/// A required attribute and one beside its default, numbers that depend on each other, tuples of more than two.
#[test]
fn attributes_are_chosen_together() {
    let parts = search("fn (f32[n, 4]) -> (f32[n, 2], f32[n, 2])", &["split"], 3);
    let parts: Vec<String> = parts.take(1).map(|one| body(&one)).collect();
    assert_eq!(parts, ["split(%x0, indices_or_sections=2, axis=1)"]);
    let conv =
        "def @main(%x: Tensor[(1, 3, 224, 224), float32], %w: Tensor[(64, 3, 7, 7), float32])
        -> Tensor[(1, 64, 112, 112), float32]
        { nn.conv2d(%x, %w, strides=_, padding=_, channels=64, kernel_size=[7, 7]) }";
    assert_eq!(
        filled(conv).as_deref(),
        Some("nn.conv2d(%x, %w, strides=2, padding=3, channels=64, kernel_size=[7, 7])")
    );
    let joined = search("fn (f32[n, 4]) -> f32[n, 12]", &["concatenate"], 2);
    let joined: Vec<String> = joined.take(1).map(|one| body(&one)).collect();
    assert_eq!(joined, ["concatenate((%x0, %x0, %x0), axis=1)"]);
}

/// That there is none is said only where all was tried.
#[test]
fn what_was_not_tried_is_said() {
    let cut_off_of = |ty, op: &str, size| {
        let mut search = search(ty, &[op], size);
        assert_eq!(search.by_ref().count(), 0, "{ty}");
        search.cut_off().map(str::to_owned)
    };
    let cut_off = |ty, op| cut_off_of(ty, op, 2);
    assert_eq!(cut_off("fn (f32[m, n]) -> f32[n, m]", "nn.relu"), None);
    // For some sizes it is one, and for others not.
    assert_eq!(
        cut_off_of("fn (f32[m, n]) -> f32[n, m]", "squeeze", 1),
        None
    );
    // How many dims a squeeze without axes leaves is open, and so is how many axes the next one may have.
    let twice = cut_off("fn (f32[m, n]) -> f32[n, m]", "squeeze").unwrap();
    assert!(twice.contains("attributes of `squeeze`"), "{twice}");
    let more = cut_off("fn (f32[n]) -> f32[5*n]", "concatenate").unwrap();
    assert!(more.contains("more than 4"), "{more}");
    let axis = cut_off(
        "fn (f32[2, n], i64[]) -> f32[n, 1, 1, 2]",
        "dyn.expand_dims",
    )
    .unwrap();
    assert!(!axis.is_empty());
}
