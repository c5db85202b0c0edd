//! What a person sees who made a mistake. Every code has a mistake of its own here.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::fmt::Write;

use kanshape_diag::Diagnostic;
use kanshape_syntax::{code, parse_condition, parse_expr, parse_signature, parse_type};

type Mistakes = &'static [(&'static str, &'static str)];

const SIGNATURES: Mistakes = &[
    (code::UNEXPECTED, ""),
    (code::UNEXPECTED, "m n->p"),
    (code::UNEXPECTED, "3->p"),
    (code::UNEXPECTED, "A:f32->A"),
    (code::UNEXPECTED, "A->B->C"),
    (code::UNEXPECTED, "A,->B"),
    (code::UNEXPECTED, "A->B were n > 2"),
    (code::UNEXPECTED, "List(A)->A"),
    (code::UNEXPECTED, "t[n?]->()"),
    (code::UNEXPECTED, "t[.2.]->()"),
    (code::UNEXPECTED, "t[n|1]->()"),
    (code::UNEXPECTED, "{f32, f64}[n]->()"),
    (code::UNEXPECTED, "?[n]->()"),
    (code::UNEXPECTED, "fn(t[n]), (n)->()"),
    (code::UNEXPECTED, "A, where[n]->()"),
    (code::UNBALANCED, "t[n->()"),
    (code::TWO_RUNS, "t[..., ...r]->()"),
    (code::NEGATIVE_SIZE, "t[-1]->()"),
    (code::NO_ARROW, "A, t[n]"),
    (code::NOT_AN_OPERAND, "(t[n], u[m])->()"),
    (code::NOT_AN_OPERAND, "(A, t[n])->()"),
    (code::NO_CONTENTS, "t[n], List[i64[1] = [2]] -> t[n]"),
    (code::NO_CONTENTS, "(n), i64[1] = [2] -> (n)"),
    (code::NO_CONTENTS, "(n):i64 = [2] -> (n)"),
    (code::UNEXPECTED, "(n, 0.5)->(n)"),
    (code::NOT_AN_OPERAND, "tuple(A, B)->A"),
    (code::NOT_AN_OPERAND, "Tensor[(n,), ?]->()"),
    (code::NOT_AN_OPERAND, "Tensor[(n,), where]->()"),
    (code::TWO_ROLES, "List[A], A->A"),
    (code::TWO_ROLES, "t[n], (t)->()"),
    (code::TWO_ROLES, "A, A[n]->()"),
    (code::UNEXPECTED, "(m n)->()"),
    (code::UNEXPECTED, "(m,n)x(n,p)->(m,p)"),
    (code::UNEXPECTED, "(m,n)*(n,p)->(m,p)"),
    (code::UNKNOWN_CHARACTER, "(m,n)—>(m)"),
    (code::UNKNOWN_CHARACTER, "(m,n)~>(m)"),
    (code::UNKNOWN_CHARACTER, "(m，n)->(m)"),
    (code::UNEXPECTED, "(3n)->()"),
    (code::UNEXPECTED, "(,n)->()"),
    (code::UNEXPECTED, "(n,,m)->()"),
    (code::UNEXPECTED, "[m,n],[n,p]->[m,p]"),
    (code::UNEXPECTED, "[m,n]->[m]"),
    (code::UNEXPECTED, "(m,n),->(m)"),
    (code::UNEXPECTED, "(i)(j)->()"),
    (code::UNEXPECTED, "(n)->(n)->(n)"),
    (code::UNEXPECTED, "(n/2)->()"),
    (code::UNEXPECTED, "(n**2)->()"),
    (code::UNEXPECTED, "(n*)->()"),
    (code::UNEXPECTED, "(*r)->()"),
    (code::UNEXPECTED, "(n:f32)->()"),
    (code::UNEXPECTED, "(n):->()"),
    (code::UNEXPECTED, "(n):?->()"),
    (code::UNEXPECTED, "+[s] (n)->()"),
    (code::UNEXPECTED, "(n)f32->()"),
    (code::UNEXPECTED, "(n)->() were n > 2"),
    (code::UNEXPECTED, "(n)->() if n > 2"),
    (code::UNEXPECTED, "(n)->() where n is 2"),
    (code::UNEXPECTED, "(n)->() where"),
    (code::UNEXPECTED, "(n?|1)->()"),
    (code::UNEXPECTED, "(n + 1?)->()"),
    (code::UNEXPECTED, "(...?)->()"),
    (code::UNEXPECTED, "(n??)->()"),
    (code::UNEXPECTED, "(k.)->()"),
    (code::UNEXPECTED, "(..)->()"),
    (code::UNEXPECTED, "(n...)->()"),
    (code::UNEXPECTED, "(... r)->()"),
    (code::UNEXPECTED, "(n):promote(?,x)->()"),
    (code::UNKNOWN_CHARACTER, "(m,n)→(m)"),
    (code::UNKNOWN_CHARACTER, "(m,n)➔(m)"),
    (code::UNKNOWN_CHARACTER, "(m,$)->()"),
    (code::UNKNOWN_CHARACTER, "(n^2)->()"),
    (code::UNKNOWN_CHARACTER, "(m,\u{1b}[1m)->()"),
    (code::UNBALANCED, "(m,n->(m)"),
    (code::UNBALANCED, "(m,n))->(m)"),
    (code::UNBALANCED, "(m,n]->(m)"),
    (code::UNBALANCED, "(m,n)->(m"),
    (code::NUMBER_TOO_LARGE, "(18446744073709551616)->()"),
    (code::UNKNOWN_FUNCTION, "(mn(n,2))->()"),
    (code::UNKNOWN_FUNCTION, "(foo(n))->()"),
    (code::BAD_ARGUMENT, "(ConcatDim(a, b))->()"),
    (code::NOT_A_DIM, "(?)->()"),
    (code::BAD_PREFIX, "*(d)->()"),
    (code::BAD_PREFIX, "++(d)->()"),
    (code::BAD_PREFIX, "+2+(d)->()"),
    (code::NO_ARROW, "(m,n),(n,p)"),
    (code::NO_ARROW, "(m,n)=>(m)"),
    (code::NO_ARROW, "(m,n)-->(m)"),
    (code::NO_ARROW, "(m,n)- >(m)"),
    (code::NO_ARROW, "(m,n)-(m)"),
    (code::NO_ARROW, "(m,n)>(m)"),
    (code::NOT_ONE, "(n|2)->()"),
    (code::OPEN_SKIP, "(.k)->()"),
    (code::OPEN_SKIP, "(.2,n)->()"),
    (code::TWO_RUNS, "(...,...r)->()"),
    (code::OPTIONAL_AND_PLAIN, "(n?),(n)->()"),
    (code::OPTIONAL_AND_PLAIN, "(n)->(n?)"),
    (code::OPTIONAL_BESIDE_SKIP, "(n?,.k.)->()"),
    (code::PARAM_TWICE, "[s, s] (s)->()"),
    (code::NO_SUCH_RUN, "(d)->(prod(...r))"),
    (code::NO_SUCH_RUN, "(d)->(prod(...))"),
    (code::TWO_ROLES, "(n):n->()"),
    (code::TWO_ROLES, "(n,...n)->()"),
    (
        code::UNDECLARED,
        "(dim ax, dtype x) -> Tensor((xa,), x) -> Tensor((), x)",
    ),
    (code::UNDECLARED, "forall (A : Type), Same(A, B) => A -> A"),
    (
        code::DECLARED_TWICE,
        "(dim a, dim a) -> Tensor((a,), x) -> Tensor((), x)",
    ),
    (code::CONDITIONS_ONLY, "(n)->(broadcast(n,n))"),
    (code::NO_SUCH_RUN, "(...r)->() where ...r == [2, ...s]"),
    (code::TWO_ROLES, "(...r),(n):t->() where ...r == [2, t]"),
    (code::NEGATIVE_SIZE, "(n,-1)->()"),
    (code::UNEXPECTED, "(6@7)->()"),
    (code::UNEXPECTED, "(6@)->()"),
    (code::UNEXPECTED, "(6@d?)->()"),
    (code::UNEXPECTED, "(n|1@d)->()"),
    (code::NUMBER_TOO_LARGE, "(18446744073709551616@d)->()"),
    (code::NO_ARITHMETIC, "(n,6@district + 1)->()"),
    (code::NO_ARITHMETIC, "(2*(6@district))->()"),
    (code::NO_ARITHMETIC, "(n)->(min(n,6@district))"),
    (code::NO_ARITHMETIC, "(n)->(ceil(n/6@district))"),
    (
        code::NO_ARITHMETIC,
        "(dim a, dtype x) -> Tensor((a,), x) -> Tensor((ConcatDim([a, 6@d]),), x)",
    ),
    (code::BAD_IDENTITY, "(n@district)->()"),
    (code::BAD_IDENTITY, "(district@6)->()"),
    (code::BAD_IDENTITY, "((n + 1)@district)->()"),
    (code::BAD_IDENTITY, "(6@a@b)->()"),
    (code::BAD_IDENTITY, "(@district)->()"),
];

const TYPES: Mistakes = &[
    (code::UNEXPECTED, ""),
    (code::UNEXPECTED, "[2, 3]"),
    (code::UNEXPECTED, "2, 3"),
    (code::UNEXPECTED, "float32(2,3)"),
    (code::UNEXPECTED, "float32{2,3}"),
    (code::UNEXPECTED, "np.float32[2,3]"),
    (code::UNEXPECTED, "Tensor(2,3)"),
    (code::UNEXPECTED, "\"f32[2]\""),
    (code::UNEXPECTED, "f32[2],f32[3]"),
    (code::UNEXPECTED, "f32<2>"),
    (code::UNEXPECTED, "f32[2 3]"),
    (code::UNEXPECTED, "f32[2x3]"),
    (code::UNEXPECTED, "f32[*, 2]"),
    (code::UNEXPECTED, "f32[2, 3] x"),
    (code::UNEXPECTED, "fn(f32[2])"),
    (code::UNEXPECTED, "tensor<2xTensor>"),
    (code::UNEXPECTED, "Tensor[(2,), Tensor]"),
    (code::UNEXPECTED, "Tensor[type f32[2]]"),
    (code::UNEXPECTED, "(f32[2], )n"),
    (code::UNBALANCED, "f32[2"),
    (code::UNBALANCED, "f32[2]]"),
    (code::UNBALANCED, "f32[2)"),
    (code::UNKNOWN_FUNCTION, "(float32(2,3), ?)"),
    (code::BAD_ARGUMENT, "TensorType(float64)"),
    (code::BAD_ARGUMENT, "Tensor[2, 3, f32]"),
    (code::NOT_A_DIM, "f32[2*?]"),
    (code::NOT_A_DIM, "f32[?*2]"),
    (code::NOT_A_DIM, "?[f32[2]]"),
    (code::NOT_A_TYPE, "(2, f32[3])"),
    (code::NOT_A_TYPE, "(..., f32[3])"),
    (code::BAD_MLIR, "tensor<2xcomplex64>"),
    (code::BAD_MLIR, "tensor<2x*xf32>"),
    (code::TWO_RUNS, "f32[..., ...r]"),
    (code::TWO_ROLES, "T[T]"),
    (code::TWO_ROLES, "(n, f32[n])"),
    (code::NEGATIVE_SIZE, "f32[-1, 2]"),
    (code::UNEXPECTED, "6@district"),
    (code::UNEXPECTED, "tensor<6@district x f32>"),
    (code::NOT_A_TYPE, "(6@district, f32[3])"),
    (code::BAD_IDENTITY, "f32[?@district]"),
    (code::BAD_IDENTITY, "f32[dim @ 6]"),
    (code::NO_ARITHMETIC, "f32[-6@district]"),
    (code::NO_ARITHMETIC, "i64[1] = [6@district]"),
    (code::UNEXPECTED, "i64[3] = 2, 3"),
    (code::UNEXPECTED, "i64[2] = (2, 3)"),
    (code::UNEXPECTED, "i64[2] = {2, 3}"),
    (code::UNEXPECTED, "i64[2] == [2, 3]"),
    (code::UNEXPECTED, "i64[2]: [2, 3]"),
    (code::UNEXPECTED, "i64[2] [2, 3]"),
    (code::UNEXPECTED, "i64[2, 2] = [[1, 2], [3, 4]]"),
    (code::UNEXPECTED, "i64[2] = [2, ...]"),
    (code::UNEXPECTED, "f32[2] = [.5, 1]"),
    (code::UNEXPECTED, "f32[2] = [1., 2]"),
    (code::UNEXPECTED, "f32[] = .5"),
    (code::UNEXPECTED, "i64[2] = [2 3]"),
    (code::UNEXPECTED, "i64[2] ="),
    (code::UNEXPECTED, "i64[2] = where n > 2"),
    (code::UNEXPECTED, "(f32[n], i64[2] = n m)"),
    (code::UNEXPECTED, "f32[0.5]"),
    (code::UNBALANCED, "i64[2] = [2, 3"),
    (code::NOT_A_DIM, "i64[2] = [2*?, 1]"),
    (code::NO_CONTENTS, "(f32[2], i64[1]) = [2]"),
    (code::NO_CONTENTS, "List[f32[2]] = [2, 3]"),
    (code::CONDITIONS_ONLY, "i64[1] = [broadcast(n, m)]"),
    (code::NUMBER_TOO_LARGE, "f64[1] = [1e999]"),
    (code::TWO_ROLES, "T[1] = [T]"),
];

const CONDITIONS: Mistakes = &[
    (code::UNEXPECTED, ""),
    (code::UNEXPECTED, "n"),
    (code::UNEXPECTED, "n = 3"),
    (code::UNEXPECTED, "n =< 3"),
    (code::UNEXPECTED, "n => 3"),
    (code::UNEXPECTED, "n <> 3"),
    (code::UNEXPECTED, "n in (1, 2)"),
    (code::UNEXPECTED, "n > 2 or n < 1"),
    (code::UNEXPECTED, "n > 2 m < 1"),
    (code::UNKNOWN_CHARACTER, "n >= 1 && m >= 2"),
    (code::UNKNOWN_CHARACTER, "n ≥ 3"),
    (code::BAD_ARGUMENT, "n == max()"),
    (code::BAD_ARGUMENT, "n == min(...)"),
    (code::RUN_COMPARED, "... >= 2"),
    (code::RUN_COMPARED, "...r != [2]"),
    (code::RUN_COMPARED, "[2, n] == prod(...r)"),
    (code::RUN_COMPARED, "n == [2]"),
    (code::UNEXPECTED, "...r == (2, n)"),
    (code::UNEXPECTED, "...r == ()"),
    (code::UNEXPECTED, "...r == [2, n] + 1"),
    (code::UNEXPECTED, "...r == [2 n]"),
    (code::UNBALANCED, "...r == [2, n"),
    (code::NOT_A_DIM, "...r == [2*?]"),
    (code::NOT_A_TYPE, "...r == [f32[2]]"),
    (code::TWO_RUNS, "...r == [..., ...s]"),
    (code::NEGATIVE_SIZE, "...r == [-1]"),
    (code::CONDITIONS_ONLY, "...r == [broadcast(n, m)]"),
    (code::NO_ARITHMETIC, "n >= 6@district"),
    (code::NO_ARITHMETIC, "n == 6@district <= 7"),
    (code::NO_ARITHMETIC, "n % 6@district == 0"),
    (code::NO_ARITHMETIC, "n == prod(...r, 6@d)"),
    (code::BAD_IDENTITY, "n@district == 6"),
];

const EXPRS: Mistakes = &[
    (code::UNEXPECTED, ""),
    (code::UNEXPECTED, "a +"),
    (code::UNEXPECTED, "a + + b"),
    (code::UNEXPECTED, "a b"),
    (code::UNEXPECTED, "ceil(a + b/c)"),
    (code::BAD_ARGUMENT, "ceil(a)"),
    (code::UNKNOWN_FUNCTION, "floor(a)"),
];

/// Shows each mistake, and remembers its code.
fn show(
    mistakes: Mistakes,
    seen: &mut BTreeSet<&'static str>,
    read: impl Fn(&str) -> Option<Diagnostic>,
) -> String {
    let mut shown = String::new();
    for (code, text) in mistakes {
        let d = read(text).unwrap_or_else(|| panic!("{text} reads"));
        assert_eq!(d.code, *code, "{d}");
        seen.insert(code);
        writeln!(shown, "{d}\n").unwrap();
    }
    shown
}

#[test]
fn mistakes() {
    let mut seen = BTreeSet::new();
    let signatures = show(SIGNATURES, &mut seen, |t| parse_signature(t).err());
    insta::assert_snapshot!("signatures", signatures);
    let types = show(TYPES, &mut seen, |t| parse_type(t).err());
    insta::assert_snapshot!("types", types);
    let conditions = show(CONDITIONS, &mut seen, |t| parse_condition(t).err());
    insta::assert_snapshot!("conditions", conditions);
    let exprs = show(EXPRS, &mut seen, |t| parse_expr(t).err());
    insta::assert_snapshot!("exprs", exprs);

    // These need a long text, and have tests among the limits.
    seen.insert(code::TOO_DEEP);
    seen.insert(code::TOO_MANY_CONTENTS);
    // Those of relations have a test of their own, from here on.
    let all = code::ALL.iter().map(|(code, _)| *code);
    let all: BTreeSet<&str> = all
        .take_while(|code| *code != code::UNCLOSED_TEXT)
        .collect();
    assert_eq!(seen, all);
}
