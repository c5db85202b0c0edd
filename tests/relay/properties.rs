//! What holds of all programs: long and deep ones end, and no text breaks anything.

use cpu_time::ThreadTime;
use std::time::Duration;

use kanshape::{Control, Verdict};
use kanshape_relay::{ErrorKind, Program};

use crate::recorded::{found, rows};

fn problems(text: &str) -> Vec<ErrorKind> {
    match Program::parse("program", text) {
        Ok(program) => {
            let typing = program.check(kanshape::catalog());
            typing.problems.iter().map(|problem| problem.kind).collect()
        }
        Err(problem) => vec![problem.kind],
    }
}

fn verdict(text: &str) -> Verdict {
    let program = Program::parse("program", text).unwrap();
    program.check(kanshape::catalog()).verdict("main")
}

fn lets(n: usize, first: &str, line: impl Fn(usize) -> String) -> String {
    let lines: String = (1..=n)
        .map(|i| format!("let %x{i} = {};\n", line(i - 1)))
        .collect();
    format!("def @main({first}) {{ {lines} %x{n} }}")
}

#[test]
fn long_programs_take_time_in_proportion() {
    let of = |n: usize| {
        let text = lets(n, "%x0: Tensor[(n, 10), float32]", |i| {
            format!("add(%x{i}, %x{i})")
        });
        let program = Program::parse("program", &text).unwrap();
        let start = ThreadTime::now();
        let typing = program.check(kanshape::catalog());
        assert!(typing.problems.is_empty());
        let ty = "fn (Tensor[(n, 10), float32]) -> Tensor[(n, 10), float32]";
        assert_eq!(typing.global("main").unwrap().ty.to_string(), ty);
        start.elapsed()
    };
    let (short, long) = (of(1_000).max(Duration::from_millis(5)), of(10_000));
    assert!(long < short * 60, "{short:?} and {long:?}");
}

#[test]
fn a_hundred_thousand_lets_end() {
    let text = lets(100_000, "%x0: int32", |i| format!("negative(%x{i})"));
    assert_eq!(found(&text, "main"), "fn (int32) -> int32");
}

#[test]
fn deep_types_end_in_an_answer_or_a_clear_error() {
    let nested = lets(100_000, "%x0: int32", |i| format!("(%x{i},)"));
    assert_eq!(problems(&nested), [ErrorKind::Incomplete]);
    let doubled = lets(100, "%x0: int32", |i| format!("(%x{i}, %x{i})"));
    assert_eq!(problems(&doubled), [ErrorKind::Incomplete]);
    // It may be well typed.
    for text in [nested, doubled] {
        assert_eq!(verdict(&text), Verdict::Unknown);
    }
    let calls = format!(
        "def @main() {{ {}1{} }}",
        "negative(".repeat(10_000),
        ")".repeat(10_000)
    );
    assert_eq!(problems(&calls), [ErrorKind::Parse]);
    assert!(Program::parse("program", &calls).unwrap_err().is_limit());
}

/// Types that double with each function, in depth, in breadth, and in what they require.
#[test]
fn functions_whose_types_double_end() {
    let twice = |first: &str, step: &dyn Fn(usize) -> String| {
        let lines: String = (0..60)
            .map(|i| format!("let %f{} = {};\n", i + 1, step(i)))
            .collect();
        format!("def @main(%c: Tensor[(n), float32]) {{ let %f0 = {first};\n{lines} %f60 }}")
    };
    let composed = |i: usize| format!("fn (%y) {{ %f{i}(%f{i}(%y)) }}");
    let texts = [
        twice("fn (%x) { (%x, %x) }", &composed),
        twice("fn (%x) { %x }", &|i| format!("(%f{i}, %f{i})")),
        twice("fn (%x) { add(%x, %x) }", &composed),
        twice("fn (%x) { add(%x, %c) }", &composed),
    ];
    for text in texts {
        let program = Program::parse("program", &text).unwrap();
        let control = kanshape::Control::default().timeout(Duration::from_secs(5));
        let typing = control.run(u64::MAX, || program.check(kanshape::catalog()));
        assert_eq!(typing.verdict("main"), Verdict::Unknown, "{text}");
        // The steps of an entry end it as well.
        let typing = control.run(1_000, || program.check(kanshape::catalog()));
        assert_eq!(typing.verdict("main"), Verdict::Unknown, "{text}");
    }
}

#[test]
fn groups_of_functions_take_time_in_proportion() {
    let of = |n: usize| {
        let function = |i: usize| {
            let other = (i * 7 + 1) % n;
            format!("def @f{i}(%x: Tensor[(n), float32]) {{ @f{other}(%x) }}\n")
        };
        let text: String = (0..n).map(function).collect();
        let program = Program::parse("program", &text).unwrap();
        let start = ThreadTime::now();
        let typing = program.check(kanshape::catalog());
        assert!(typing.problems.is_empty());
        start.elapsed()
    };
    let (short, long) = (of(100).max(Duration::from_millis(5)), of(1_000));
    assert!(long < short * 60, "{short:?} and {long:?}");
}

/// What is wrong in the first line of a program makes it no slower.
#[test]
fn an_error_takes_time_in_proportion() {
    let of = |n: usize| {
        let head = "%x0: Tensor[(n, 64), float32], %w: Tensor[(64, 64), float32], %b: Tensor[(64), float32]";
        let text = lets(n, head, |i| match i % 4 {
            0 => format!(
                "nn.dense(%x{i}, %w, units={})",
                if i == 0 { 65 } else { 64 }
            ),
            1 => format!("nn.bias_add(%x{i}, %b)"),
            2 => format!("nn.relu(%x{i})"),
            _ => format!("add(%x{i}, %x{i})"),
        });
        let program = Program::parse("program", &text).unwrap();
        let start = ThreadTime::now();
        let typing = program.check(kanshape::catalog());
        assert_eq!(typing.problems.len(), 1);
        let ty = &typing.global("main").unwrap().ty;
        assert!(ty.to_string().ends_with("-> _"), "{ty}");
        start.elapsed()
    };
    let (short, long) = (of(400).max(Duration::from_millis(5)), of(4_000));
    assert!(long < short * 60, "{short:?} and {long:?}");
}

/// What a function in the body requires is required of its uses.
#[test]
fn what_is_known_of_all_uses_is_not_left() {
    let text = "def @main(%a: Tensor[(n), float32], %b: Tensor[(4), float32]) {
        let %f = fn (%x) { add(%x, %a) };
        (%f(%a), %f(%b))
    }";
    let ty = "fn (Tensor[(n), float32], Tensor[(4), float32]) -> (Tensor[(n), float32], Tensor[(4), float32])";
    assert_eq!(found(text, "main"), format!("{ty} where n in {{1, 4}}"));
    assert_eq!(verdict(text), Verdict::Depends);
    let declared =
        "def @main[s: Shape, n: ShapeVar](%x: Tensor[(..s, n), float32]) -> Tensor[s, float32]
        { sum(%x, axis=-1) }";
    let ty = "fn (Tensor[(..s, n), float32]) -> Tensor[s, float32]";
    assert_eq!(found(declared, "main"), ty);
    assert_eq!(verdict(declared), Verdict::Always);
}

/// Which dims `squeeze` takes away is not known of names.
#[test]
fn what_waits_for_a_choice_is_not_known() {
    for result in ["(b, h*w, c)", "(b, c*h*w)", "(b, c*h, w)"] {
        let text = format!(
            "def @main(%x: Tensor[(b, c, h, w), float32]) -> Tensor[{result}, float32] {{ squeeze(%x) }}"
        );
        assert_eq!(verdict(&text), Verdict::Unknown, "{text}");
        let used = format!(
            "{}\ndef @main(%x: Tensor[(2, 3, 4, 5), float32]) {{ @f(%x) }}",
            text.replace("@main", "@f")
        );
        assert_eq!(problems(&used), [ErrorKind::Relation], "{used}");
    }
    // Only one of the dims can be the one that goes, and the others are none that go.
    let only = "def @main(%x: Tensor[(b, c, h, w), float32]) -> Tensor[(b, c, w), float32] { squeeze(%x) }";
    let ty = "fn (Tensor[(b, c, 1, w), float32]) -> Tensor[(b, c, w), float32]";
    assert_eq!(
        found(only, "main"),
        format!("{ty} where b != 1, c != 1, w != 1")
    );
    assert_eq!(verdict(only), Verdict::Depends);
    // Wherever the new dims are, the others stay in their order.
    let expanded = |result| {
        let operands = "%x: Tensor[(2, 3), float32], %i: int64";
        let call = "dyn.expand_dims(%x, %i, num_newaxis=2)";
        verdict(&format!(
            "def @main({operands}) -> Tensor[{result}, float32] {{ {call} }}"
        ))
    };
    assert_eq!(expanded("(2, 1, 1, 3)"), Verdict::Always);
    assert_eq!(expanded("(3, 1, 1, 2)"), Verdict::Never);
}

/// Sizes that are declared are any sizes, also where the type shows no name of them any more.
#[test]
fn a_condition_on_declared_sizes_is_not_lost() {
    let text = "def @main[a: ShapeVar, b: ShapeVar](%x: Tensor[(a*b, 2), float32])
        { reshape(%x, newshape=[0, 6]) }";
    let ty = found(text, "main");
    assert!(ty.ends_with("where a*b == 0"), "{ty}");
    assert_eq!(verdict(text), Verdict::Depends);
}

/// What is not known of one of them is not known of all: the relations between them are one.
#[test]
fn lets_of_open_types_take_time_in_proportion() {
    let of = |n: usize| {
        let program = Program::parse("program", &lets(n, "%x0", |i| format!("nn.relu(%x{i})")));
        let program = program.unwrap();
        let start = ThreadTime::now();
        let typing = program.check(kanshape::catalog());
        assert_eq!(typing.verdict("main"), Verdict::Unknown);
        let ty = "fn (Tensor[s, t]) -> Tensor[s, t] where nn.relu(Tensor[s, t], Tensor[s, t])";
        assert_eq!(typing.global("main").unwrap().ty.to_string(), ty);
        start.elapsed()
    };
    let (short, long) = (of(400).max(Duration::from_millis(5)), of(4_000));
    assert!(long < short * 60, "{short:?} and {long:?}");
}

#[test]
fn what_is_cut_off_is_not_known() {
    let text = lets(20_000, "%x0: Tensor[(n, 10), float32]", |i| {
        format!("nn.relu(%x{i})")
    });
    let program = Program::parse("program", &text).unwrap();
    let control = Control::default().until(|| true);
    let typing = control.run(u64::MAX, || program.check(kanshape::catalog()));
    assert_eq!(typing.verdict("main"), Verdict::Unknown);
    assert_eq!(typing.warnings.len(), 1, "{:?}", typing.warnings);
}

#[test]
fn functions_are_used_at_many_types() {
    let text = "def @main(%a: Tensor[(3), float32], %b: Tensor[(n, 4), int32]) {
        let %twice = fn (%x) { add(%x, %x) };
        let %pair = fn (%y) { (%twice(%y), %y) };
        (%pair(%a), %pair(%b).0)
    }";
    let ty = "fn (Tensor[(3), float32], Tensor[(n, 4), int32]) -> \
              ((Tensor[(3), float32], Tensor[(3), float32]), Tensor[(n, 4), int32])";
    assert_eq!(found(text, "main"), ty);
}

#[test]
fn what_is_around_a_function_is_not_generalised() {
    let text = "def @main(%a) {
        let %f = fn (%x) { (%a, %x) };
        (%f(1), %f(()), negative(%a) + 1f)
    }";
    assert_eq!(
        found(text, "main"),
        "fn (Tensor[s, float32]) -> ((Tensor[s, float32], int32), (Tensor[s, float32], ()), Tensor[s, float32]) \
         where (negative(Tensor[s, float32], Tensor[s, float32]), add(Tensor[s, float32], float32, Tensor[s, float32])) (incomplete)"
    );
}

#[test]
fn a_reference_is_not_generalised() {
    let text = "type L[A] { C(A, L[A]), N }
        def @main() { let %r = ref(N); ref_write(%r, C(1, N)); ref_write(%r, C(1f, N)) }";
    assert_eq!(problems(text), [ErrorKind::Mismatch]);
}

#[test]
fn a_type_parameter_stays_in_its_function() {
    let leaves = "def @main(%x) { let %f = fn [A](%y: A) -> A { ref_write(%x, %y); %y }; %f }";
    assert_eq!(problems(leaves), [ErrorKind::Mismatch]);
    let narrow = "def @f[A](%x: A) -> A { 1 }";
    assert_eq!(problems(narrow), [ErrorKind::Mismatch]);
}

#[test]
fn what_cannot_be_stated_is_part_of_the_type_and_stated_at_each_call() {
    let f = "def @f[A](%x: A, %y: A) -> A { add(%x, %y) }\n";
    assert_eq!(found(f, "f"), "fn [A](A, A) -> A where add(A, A, A)");
    let declared =
        "def @g[A, B](%f: fn (A) -> B, %x: A) -> B where Broadcast(A, A, B) { %f(%x) }\n";
    assert_eq!(
        found(declared, "g"),
        "fn [A, B](fn (A) -> B, A) -> B where add(A, A, B)"
    );
    let call = format!("{declared}def @main(%f: fn (int32) -> float32) {{ @g(%f, 1) }}");
    assert_eq!(problems(&call), [ErrorKind::Relation]);
    let good = format!("{f}def @main() {{ @f(1, 2) }}");
    assert_eq!(found(&good, "main"), "fn () -> int32");
    let bad = format!("{f}def @main() {{ @f((), ()) }}");
    assert_eq!(problems(&bad), [ErrorKind::Relation]);
}

#[test]
fn type_arguments_and_parameters_of_all_kinds() {
    let text = "def @plus(%a: Tensor[s, float32], %b: Tensor[s, float32]) { add(%a, %b) }
        def @main(%a, %b) { plus<(10, 10)>(%a, %b) }";
    let ten = "Tensor[(10, 10), float32]";
    assert_eq!(found(text, "main"), format!("fn ({ten}, {ten}) -> {ten}"));
    let wrong = "def @f[n: ShapeVar](%x: n) -> int32 { 1 }";
    assert_eq!(problems(wrong), [ErrorKind::Kind]);
}

#[test]
fn polymorphic_recursion_needs_its_annotation() {
    let data = "type N[A] { End, More(A, N[(A, A)]) }\n";
    let text = format!(
        "{data}def @size[A](%n: N[A]) -> int32 {{ match (%n) {{ End => 0, More(_, %m) => 1 + @size(%m) }} }}"
    );
    assert_eq!(found(&text, "size"), "fn [A](N[A]) -> int32");
}

#[test]
fn holes_in_programs_have_their_types() {
    let text =
        "def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 4), float32] { nn.matmul(%x, _) }";
    let program = Program::parse("program", text).unwrap();
    let typing = program.check(kanshape::catalog());
    assert_eq!(typing.gaps[0].ty.to_string(), "Tensor[(3, 4), float32]");
}

/// Whatever a text is, it ends in a type or an error.
#[test]
fn broken_texts_end() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n.max(1) as u64) as usize
    };
    let rows = rows("programs.jsonl");
    for row in &rows {
        let text = row["program"].as_str().unwrap();
        for _ in 0..6 {
            let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', ',', '%']).collect();
            let (a, b) = (next(words.len()), next(words.len()));
            match next(3) {
                0 => drop(words.remove(a)),
                1 => words.swap(a, b),
                _ => words.insert(a, words[b]),
            }
            problems(&words.concat());
        }
    }
}

/// The types of all expressions are read at once.
#[test]
fn annotations_of_open_types_take_time_in_proportion() {
    let of = |n: usize| {
        let text = lets(n, "%x0: Tensor[(n, m), float32]", |i| {
            format!("fn (%y) {{ add(%y, %x{i}) }}(%x{i})")
        });
        let program = Program::parse("program", &text).unwrap();
        let start = ThreadTime::now();
        let written = program.annotated(kanshape::catalog()).to_string();
        let inner = "fn (%y: Tensor[(n, m), float32]) -> Tensor[(n, m), float32]";
        assert_eq!(written.matches(inner).count(), n, "{written}");
        start.elapsed()
    };
    let (short, long) = (of(100).max(Duration::from_millis(5)), of(1_000));
    assert!(long < short * 60, "{short:?} and {long:?}");
}

/// What a recursive call requires is compared with what the function requires.
#[test]
fn long_functions_that_call_themselves_take_time_in_proportion() {
    let of = |n: usize| {
        let lines: String = (1..=n)
            .map(|i| format!("let %x{i} = add(%x{}, %x0);\n", i - 1))
            .collect();
        let ty = "Tensor[(n, 10), float32]";
        let text = format!("def @f(%x0: {ty}) -> {ty} {{ {lines} @f(%x{n}) }}");
        let program = Program::parse("program", &text).unwrap();
        let start = ThreadTime::now();
        assert!(program.check(kanshape::catalog()).problems.is_empty());
        start.elapsed()
    };
    let (short, long) = (of(200).max(Duration::from_millis(5)), of(2_000));
    assert!(long < short * 60, "{short:?} and {long:?}");
}
