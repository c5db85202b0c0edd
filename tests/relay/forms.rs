//! Every form that a program may have, and the messages for those that are wrong.

use kanshape_relay::Program;

use crate::recorded::found;

/// The headlines of what is wrong with a program, each with its kind.
fn problems(text: &str) -> Vec<String> {
    let problems = match Program::parse("program", text) {
        Ok(program) => program.check(kanshape::catalog()).problems,
        Err(problem) => vec![problem],
    };
    let problems = problems.iter();
    let lines = problems.map(|p| format!("{}: {}", p.kind, p.diagnostic.headline));
    lines.collect()
}

fn is_wrong(text: &str, wanted: &[&str]) {
    assert_eq!(problems(text), wanted, "{text}");
}

/// The types of globals.
fn types(text: &str, wanted: &[(&str, &str)]) {
    for (name, ty) in wanted {
        assert_eq!(found(text, name), *ty, "{text}");
    }
}

const X: &str = "Tensor[(3, 1), float32]";
const Y: &str = "Tensor[(4), float32]";

/// A program with a function that takes an operator, and what is given it.
fn applied(ty: &str, given: &str) -> String {
    format!(
        "def @app(%f: {ty}, %x: {X}, %y: {Y}) {{ (%f(%x, %y), %f(%y, %y)) }}
        def @twice(%p, %q) {{ add(%p, %q) }}
        def @main(%x: {X}, %y: {Y}) {{ @app({given}, %x, %y) }}"
    )
}

#[test]
fn what_a_function_type_requires_is_stated_at_each_call() {
    let both = "(Tensor[(3, 4), float32], Tensor[(4), float32])";
    let wanted = format!("fn ({X}, {Y}) -> {both}");
    for ty in [
        "fn [A, B, C](A, B) -> C where Broadcast(A, B, C)",
        "fn(t1, t2) -> t3 where Broadcast",
        "forall (L: Type) (R: Type), (L, R) -> Broadcast(L, R)",
        "forall (L: Type) (R: Type) (O: Type), Broadcast(L, R, O) => (L, R) -> O",
    ] {
        for given in [
            "add",
            "@twice",
            "fn (%p, %q) { add(%p, %q) }",
            "fn (%p, %q) { let %z = add(%p, %q); add(%p, %q) }",
        ] {
            types(&applied(ty, given), &[("main", &wanted)]);
        }
        let is = |given: &str| problems(&applied(ty, given))[0].clone();
        assert!(is("less").contains("requires `less("), "{}", is("less"));
        let first = is("fn (%p, %q) { %p }");
        assert!(first.starts_with("mismatch: argument 0 is"), "{first}");
        let more = is("fn (%p, %q) { add(nn.relu(%p), %q) }");
        assert!(more.contains("requires `nn.relu("), "{more}");
    }
}

#[test]
fn requirements_are_part_of_types_in_types() {
    let tuple = "def @main(%x: Tensor[(2), float32]) {
        let %p: (fn [A](A) -> A where nn.relu(A, A), int32) = (nn.relu, 1); %p.0(%x) }";
    types(
        tuple,
        &[("main", "fn (Tensor[(2), float32]) -> Tensor[(2), float32]")],
    );
    let own =
        "def @app[A, B](%f: fn (A, A) -> B where Broadcast(A, A, B), %x: A) -> B { %f(%x, %x) }
        def @main(%x: Tensor[(3), float32]) { @app(add, %x) }
        def @bad() { @app(add, ()) }";
    types(
        &own.replace("def @bad() { @app(add, ()) }", ""),
        &[
            (
                "app",
                "fn [A, B](fn (A, A) -> B where add(A, A, B), A) -> B where add(A, A, B)",
            ),
            ("main", "fn (Tensor[(3), float32]) -> Tensor[(3), float32]"),
        ],
    );
    let wrong = problems(own);
    assert!(
        wrong[0].starts_with("mismatch: argument 1 is `()`"),
        "{wrong:?}"
    );
}

#[test]
fn sizes_shapes_and_dtypes_that_are_declared_are_any() {
    is_wrong(
        "def @f[n: ShapeVar](%x: Tensor[(n), float32]) -> Tensor[(3), float32] { %x }",
        &["mismatch: the type parameter `n` would have to be `3`"],
    );
    is_wrong(
        "def @f[s: Shape](%x: Tensor[s, float32]) -> Tensor[(3), float32] { %x }",
        &["mismatch: the type parameter `s` would have to be `(3)`"],
    );
    is_wrong(
        "def @f[t: BaseType](%x: Tensor[(3), t]) -> Tensor[(3), float32] { %x }",
        &["mismatch: the type parameter `t` would have to be `float32`"],
    );
    is_wrong(
        "def @f[n, m](%x: Tensor[(n), int8], %y: Tensor[(m), int8]) { if (True) { %x } else { %y } }",
        &["mismatch: the type parameter `m` would have to be the same as another"],
    );
    // A name that is not declared may become a size.
    types(
        "def @f(%x: Tensor[(n), float32]) -> Tensor[(3), float32] { %x }",
        &[("f", "fn (Tensor[(3), float32]) -> Tensor[(3), float32]")],
    );
}

#[test]
fn function_types_bind_sizes_shapes_and_dtypes() {
    let of = |given: &str| {
        format!(
            "def @g(%f: fn [n: ShapeVar](Tensor[(n, k), int8]) -> Tensor[(n), int8],
                    %a: Tensor[(2, k), int8], %b: Tensor[(3, k), int8]) {{ (%f(%a), %f(%b)) }}
            def @main(%a: Tensor[(2, 7), int8], %b: Tensor[(3, 7), int8]) {{ @g({given}, %a, %b) }}"
        )
    };
    let wanted =
        "fn (Tensor[(2, 7), int8], Tensor[(3, 7), int8]) -> (Tensor[(2), int8], Tensor[(3), int8])";
    types(&of("fn (%z) { sum(%z, axis=1) }"), &[("main", wanted)]);
    let narrow = problems(&of("fn (%z: Tensor[(2, 7), int8]) { sum(%z, axis=1) }"));
    assert!(narrow[0].starts_with("mismatch: argument 0"), "{narrow:?}");
    let all =
        "def @g(%f: fn [s: Shape, t: BaseType](Tensor[s, t], Tensor[s, t]) -> Tensor[s, bool],
            %x: Tensor[(2), int8], %y: Tensor[(3, k), float32]) { (%f(%x, %x), %f(%y, %y)) }
        def @main(%x: Tensor[(2), int8], %y: Tensor[(3, k), float32]) { @g(less, %x, %y) }";
    let wanted = "fn (Tensor[(2), int8], Tensor[(3, k), float32]) -> (Tensor[(2), bool], Tensor[(3, k), bool])";
    types(all, &[("main", wanted)]);
    assert!(problems(&all.replace("@g(less", "@g(add"))[0].starts_with("mismatch: argument 0"));
}

#[test]
fn type_arguments_are_of_the_kind_of_their_parameter() {
    let z = "def @z[s: Shape, t: BaseType, A](%x: Tensor[s, t], %y: A) { (add(%x, %x), %y) }\n";
    let main = format!("{z}def @main(%a, %b) {{ z<(3, n), int8, (int32, bool)>(%a, %b) }}");
    let both = "Tensor[(3, n), int8], (int32, bool)";
    types(&main, &[("main", &format!("fn ({both}) -> ({both})"))]);
    let f = "def @f[n: ShapeVar, m](%x: Tensor[(n, m), int8]) -> Tensor[(m, n), int8] { transpose(%x) }\n";
    let main = format!("{f}def @main(%x) {{ f<2*k, k + 1>(%x) }}");
    let wanted = "fn (Tensor[(2*k, k + 1), int8]) -> Tensor[(k + 1, 2*k), int8]";
    types(&main, &[("main", wanted)]);
    let wrong = |args: &str| problems(&format!("{f}def @main(%x) {{ f<{args}>(%x) }}"))[0].clone();
    assert_eq!(
        wrong("int8"),
        "kind: `int8` is of kind `BaseType`, and the type parameter of kind `ShapeVar`"
    );
    assert_eq!(
        wrong("(2, 3)"),
        "kind: `(2, 3)` is of kind `Shape`, and the type parameter of kind `ShapeVar`"
    );
    assert_eq!(
        wrong("1, 2, 3"),
        "arity: a function of 2 type parameters is given 3"
    );
    is_wrong(
        "def @i[A](%x: A) { %x } def @main(%x) { i<5>(%x) }",
        &["kind: `5` is of kind `ShapeVar`, and the type parameter of kind `Type`"],
    );
}

#[test]
fn a_function_that_calls_itself_holds_what_its_type_says() {
    // The call takes a size that the body does not allow.
    let text = "def @f(%x: Tensor[(n), int8]) -> Tensor[(1), int8] {
        if (True) { reshape(%x, newshape=[1]) } else { @f(concatenate((%x, %x))) } }";
    assert!(!problems(text).is_empty());
    let same =
        "def @f(%x: Tensor[(n), int8]) -> Tensor[(3), int8] { if (True) { %x } else { @f(%x) } }";
    types(
        same,
        &[("f", "fn (Tensor[(3), int8]) -> Tensor[(3), int8]")],
    );
    let grows = "def @f[A](%x: A) -> int32 { let %y = add(%x, %x); @f((%x, %x)) }";
    is_wrong(
        grows,
        &["incomplete: what the function requires where it calls itself is no part of its type"],
    );
    let fails = "type L[A] { N, C(A, L[A]) }
        def @f[A](%x: A) -> int32 { let %y = add(%x, %x); @f(C(1, N)) }";
    is_wrong(
        fails,
        &["relation: `add` takes tensors, and operand 0 is `L[int32]`"],
    );
    let again = "def @f[A](%x: A) -> A { let %y = add(%x, %x); @f(%x) }";
    types(again, &[("f", "fn [A, B](A) -> A where add(A, A, B)")]);
    let unwritten = "type N[A] { Flat(A), Deep(N[(A, A)]) }
        def @size(%n) { match (%n) { Flat(_) => 0, Deep(%m) => @size(%m) } }";
    let typing = Program::parse("program", unwritten)
        .unwrap()
        .check(kanshape::catalog());
    let d = &typing.problems[0].diagnostic;
    assert!(
        d.steps.contains(&"`?a` against `(?a, ?a)`".to_owned()),
        "{d}"
    );
    assert_eq!(
        d.help,
        ["a function that calls itself at another type needs all of its type written"]
    );
}

/// What is inferred of a function without types is stated of type parameters as well.
#[test]
fn functions_without_types_are_used_on_type_parameters() {
    types(
        "def @f[A](%x: A) { let %g = fn (%y) { add(%y, %y) }; %g(%x) }
        def @g(%y) { add(%y, %y) }
        def @h[A](%x: A) -> A { @g(%x) }
        def @main() { (@f(1), @h(2f)) }",
        &[
            (
                "f",
                "fn [A](A) -> Tensor[s, t] where add(A, A, Tensor[s, t])",
            ),
            ("h", "fn [A](A) -> A where add(A, A, A)"),
            ("main", "fn () -> (int32, float32)"),
        ],
    );
}

/// Shapes that are not the same have different names.
#[test]
fn what_differs_is_called_by_different_names() {
    let ty = found("def @g(%p, %q) { add(%p, %q) }", "g");
    let names: Vec<&str> = ty
        .split("Tensor[")
        .skip(1)
        .take(3)
        .map(|part| part.split(',').next().unwrap())
        .collect();
    assert!(
        names[0] != names[1] && names[1] != names[2] && names[0] != names[2],
        "{ty}"
    );
}

#[test]
fn mistakes_of_definitions_are_said_once() {
    is_wrong(
        "def @f[A, A](%x: A) -> A { %x }",
        &["duplicate: the type parameter `A` is bound twice"],
    );
    is_wrong(
        "def @f(%x: Tensor[(2), float33]) { %x }",
        &["kind: there is no dtype `float33`"],
    );
    is_wrong(
        "def @f(%x: Tensor[(-2), float32]) { %x }",
        &["kind: nothing is of the type `Tensor[(-2), float32]`"],
    );
    is_wrong(
        "type V[n: ShapeVar] { C(int32) } def @f() { 1 }",
        &["kind: the parameter `n` of the data type `V` is of kind `ShapeVar`"],
    );
    is_wrong(
        "def @f(%x: int32) { add(%x) }",
        &["arity: `add` takes 2 operands, and here is 1"],
    );
}

#[test]
fn mistakes_of_names_say_what_may_be_meant() {
    let typing = Program::parse("program", "def @f(%x: int32) { nn.rellu(%x) }").unwrap();
    let typing = typing.check(kanshape::catalog());
    let d = &typing.problems[0].diagnostic;
    assert_eq!(d.help, ["did you mean `relay::nn.relu`?"]);
}

/// A mismatch has the places that both types come from.
#[test]
fn both_types_of_a_mismatch_have_a_place() {
    let text = "def @f(%x: Tensor[(2, 3), int8]) { nn.relu(%x) }
        def @g(%x) { @f(%x) }
        def @main(%x: Tensor[(3, 2), int8]) { @g(%x) }";
    let typing = Program::parse("program", text)
        .unwrap()
        .check(kanshape::catalog());
    let labels = typing.problems[0].diagnostic.labels.iter();
    let written: Vec<&str> = labels.map(|label| &text[label.start..label.end]).collect();
    assert_eq!(
        written,
        ["%x", "Tensor[(2, 3), int8]", "Tensor[(3, 2), int8]", "@g"]
    );
}

#[test]
fn comments_are_in_comments() {
    types(
        "/* a /* b */ c */ def @main() { /* * / **/ 1 }",
        &[("main", "fn () -> int32")],
    );
    assert!(
        problems("/* a /* b */ def @main() { 1 }")[0]
            .starts_with("parse: a comment is never closed")
    );
}

#[test]
fn what_nothing_determines_has_a_place() {
    let text = "def @f(%x: int32) { @f(%x) }";
    let typing = Program::parse("program", text)
        .unwrap()
        .check(kanshape::catalog());
    let problem = typing.open_problem(typing.global("f").unwrap()).unwrap();
    let label = &problem.diagnostic.labels[0];
    assert_eq!(&text[label.start..label.end], "@f");
}
