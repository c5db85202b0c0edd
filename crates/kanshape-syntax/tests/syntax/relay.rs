//! Programs of Relay's text format and its types: what reads, prints and reads back; what is refused, and where.

use kanshape_syntax::{code, parse_relay_pattern, parse_relay_program, parse_relay_type};

/// The print of a type, which reads back as the same.
fn type_print(text: &str) -> String {
    let ty = parse_relay_type(text).unwrap_or_else(|d| panic!("{text}\n{d}"));
    let print = ty.to_string();
    assert_eq!(parse_relay_type(&print), Ok(ty), "{print}");
    print
}

fn program_print(text: &str) -> String {
    let program = parse_relay_program(text).unwrap_or_else(|d| panic!("{text}\n{d}"));
    let print = program.to_string();
    let again = parse_relay_program(&print).unwrap_or_else(|d| panic!("{print}\n{d}"));
    assert_eq!(again.to_string(), print);
    assert_eq!(again.len(), program.len(), "{print}");
    print
}

#[test]
fn types_print_as_relay_writes_them() {
    for text in [
        "Tensor[(2, n, ?), float32]",
        "Tensor[(), bool]",
        "Tensor[(3), float32]",
        "Tensor[_, _]",
        "Tensor[s, t]",
        "Tensor[(..s, n), float32]",
        "float32",
        "()",
        "(float32,)",
        "(A, (B, C))",
        "fn [A, n: ShapeVar](A) -> List[A]",
        "fn ['a, 'b]('a) -> 'b",
        "fn (fn () -> bool) -> fn (B) -> B",
        "fn (A) -> A where Identity(A)",
        "fn (A) -> A where (Identity(A), TupleGetItem:1(A, B), sum(A, B, axis=[-1]))",
        "ref(fn () -> Tensor[(1, 2, 3), float32])",
        "'a:ShapeVar",
        "@G:AdtHandle",
        "G[data G]",
        "Nat[]",
        "(?a, ?1)",
        "Broadcast('a:ShapeVar, 'b:BaseType, 'c:Constraint)",
        "_",
    ] {
        assert_eq!(type_print(text), text);
    }
    assert_eq!(
        type_print("Tensor[((n + 2), (d3 // 4)), _]"),
        "Tensor[(n + 2, d3//4), _]"
    );
    assert_eq!(
        type_print("forall (Lhs: Type) (Rhs: Type), (Lhs, Rhs) -> Broadcast(Lhs, Rhs)"),
        "fn [Lhs: Type, Rhs: Type](Lhs, Rhs) -> Broadcast(Lhs, Rhs)"
    );
    assert_eq!(
        type_print("fn(t1, t2) -> t3 where Broadcast"),
        "fn (t1, t2) -> t3 where Broadcast"
    );
}

#[test]
fn programs_print_and_read_back() {
    let text = r#"#[version = "0.0.5"]
// a comment
type List[A] { Cons(A, List[A]), Nil }
extern type Storage
data Tree { Leaf : () -> Tree  Node : (a, Tree[a], Tree[a]) -> Tree }
def @main[A](%x: Tensor[(?, 4), float32], %c, Primitive=1) -> (A, A) where Broadcast(A, A) {
  %0 = nn.conv2d(%x, meta[relay.Constant][0], kernel_size=[3, 3], layout="NCHW", eps=1e-5f, d=None);
  let %f = fn [B](%y: B) -> B { %y }; /* and
  another */
  ();
  let %t = (%0.0.1, (1 - 2) - (3 - -4i64), -(%x), (1,), plus<(10, 10), float32>(%x, %x));
  match? (%t) {
    Cons(_, Cons(%h: A, (%a, ()))) => { let %z = 1f16; %z },
    Nil => if (%c < 2 == True) { (fn () { 1 })() } else { (1 + 2) * 3 }
  }
}
#[metadata]
{ "root": 1 }
"#;
    insta::assert_snapshot!(program_print(text), @r#"
    #[version = "0.0.5"]
    type List[A] {
      Cons(A, List[A]),
      Nil,
    }
    extern type Storage
    data Tree {
      Leaf : () -> Tree,
      Node : (a, Tree[a], Tree[a]) -> Tree,
    }
    def @main[A](%x: Tensor[(?, 4), float32], %c, Primitive=1) -> (A, A) where Broadcast(A, A) {
      %0 = nn.conv2d(%x, meta[relay.Constant][0], kernel_size=[3, 3], layout="NCHW", eps=1e-5, d=None);
      let %f = fn [B](%y: B) -> B {
        %y
      };
      ();
      let %t = (%0.0.1, 1 - 2 - (3 - -4i64), -%x, (1,), plus<(10, 10), float32>(%x, %x));
      match? (%t) {
        Cons(_, Cons(%h: A, (%a, ()))) => {
          let %z = 1.0f16;
          %z
        },
        Nil => if (%c < 2 == True) {
          fn () {
            1
          }()
        } else {
          (1 + 2) * 3
        },
      }
    }
    "#);
}

#[test]
fn an_expression_is_a_program() {
    assert_eq!(
        program_print("let %x = 1; where(%x, 2, 3f64)"),
        "let %x = 1;\nwhere(%x, 2, 3.0f64)\n"
    );
}

#[test]
fn mistakes_have_a_place() {
    for (text, code, at) in [
        ("def @main( { 1 }", code::UNEXPECTED, "program:1:12"),
        (
            "def @main() { 65505f16 }",
            code::LITERAL_RANGE,
            "program:1:15",
        ),
        (
            "def @main() { 3.40283e+38f32 }",
            code::LITERAL_RANGE,
            "program:1:15",
        ),
        ("def @main() { 1q8 }", code::UNKNOWN_SUFFIX, "program:1:15"),
        ("def @main() { $ }", code::UNKNOWN_CHARACTER, "program:1:15"),
        ("def @main() { \"a }", code::UNCLOSED_TEXT, "program:1:15"),
        ("def @main() {", code::UNEXPECTED, "program:1:14"),
    ] {
        let d = parse_relay_program(text).expect_err(text);
        assert_eq!(d.code, code, "{text}\n{d}");
        assert!(d.to_string().contains(at), "{d}");
    }
}

#[test]
fn long_chains_read_and_deep_nesting_is_refused() {
    let lets = |n: usize| {
        let lines: String = (0..n)
            .map(|i| format!("let %x{i} = add(%p, 1);\n"))
            .collect();
        format!("def @main(%p: int32) {{ {lines} %p }}")
    };
    let program = parse_relay_program(&lets(100_000)).expect("a long chain");
    assert_eq!(
        parse_relay_program(&program.to_string())
            .expect("its print")
            .len(),
        program.len()
    );
    let sum = format!("def @main() {{ 1{} }}", " + 1".repeat(100_000));
    assert!(
        parse_relay_program(&sum)
            .expect("a long sum")
            .to_string()
            .len()
            > 400_000
    );
    let calls = format!(
        "def @main() {{ {}1{} }}",
        "abs(".repeat(10_000),
        ")".repeat(10_000)
    );
    assert_eq!(
        parse_relay_program(&calls).expect_err("too deep").code,
        code::TOO_DEEP
    );
}

#[test]
fn patterns_print_as_they_are_written() {
    for text in ["_", "%x", "%x: List[A]", "Cons(_, Nil)", "(%a, (_,), ())"] {
        assert_eq!(parse_relay_pattern(text).expect(text).to_string(), text);
    }
}
