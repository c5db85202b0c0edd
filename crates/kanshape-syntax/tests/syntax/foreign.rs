//! Texts in the notation of other tools: their diagnostics, and that those with a label mean what they mean there.

use std::fmt::Write;

use kanshape_syntax::{code, parse_expr, parse_relations, parse_signature, parse_type};

/// What a label makes of a text.
const LABELLED: &[(&str, &str)] = &[
    (
        "einsum: ij,jk->ik",
        "(i,j0),(j1,k)->(i,k) where j == broadcast(j0, j1)",
    ),
    (
        "einsum:ij, jk -> ik",
        "(i,j0),(j1,k)->(i,k) where j == broadcast(j0, j1)",
    ),
    (
        "einsum: ij,jk",
        "(i,j0),(j1,k)->(i,k) where j == broadcast(j0, j1)",
    ),
    ("einsum: ba", "(b,a)->(a,b)"),
    ("einsum: ii", "(i,i)->()"),
    ("einsum: ii->i", "(i,i)->(i)"),
    (
        "einsum: i,i->",
        "(i0),(i1)->() where i == broadcast(i0, i1)",
    ),
    (
        "einsum: ii,i->i",
        "(i0,i0),(i1)->(i) where i == broadcast(i0, i1)",
    ),
    (
        "einsum: bhqd,bhkd->bhqk",
        "(b0,h0,q,d0),(b1,h1,k,d1)->(b,h,q,k) where b == broadcast(b0, b1), h == broadcast(h0, h1), d == broadcast(d0, d1)",
    ),
    ("einsum: BQ,bq->Bb", "(B,Q),(b,q)->(B,b)"),
    ("einsum: ...ij->...ji", "(...,i,j)->(...,j,i)"),
    (
        "einsum: ...ij,jk->...ik",
        "(...,i,j0),(j1,k)->(...,i,k) where j == broadcast(j0, j1)",
    ),
    (
        "einsum: ...ij,...jk->...ik",
        "+(i,j0),(j1,k)->(i,k) where j == broadcast(j0, j1)",
    ),
    (
        "einsum: ...ij,...jk",
        "+(i,j0),(j1,k)->(i,k) where j == broadcast(j0, j1)",
    ),
    (
        "einsum: i...,...j,k->i...jk",
        "(i,...b0_),(...b1_,j),(k)->(i,...b_,j,k) where ...b_ == broadcast(...b0_, ...b1_)",
    ),
    ("einops: b h w -> b (h w)", "(b,h,w)->(b,h*w)"),
    (
        "einops: b (h p1) (w p2) c -> b (h w) (p1 p2 c)",
        "[h, p1, w, p2] (b,h*p1,w*p2,c)->(b,h*w,p1*p2*c)",
    ),
    ("einops: h w -> h w c", "[c] (h,w)->(h,w,c)"),
    ("einops: b c h w -> b c () 1", "(b,c,h,w)->(b,c,1,1)"),
    ("einops: b ... -> b (...)", "(b,...)->(b,prod(...))"),
    (
        "einops: ... (h w) -> ... h w",
        "[h, w] (...,h*w)->(...,h,w)",
    ),
    (
        "einops: i j, j k -> i k",
        "(i,j0),(j1,k)->(i,k) where j == broadcast(j0, j1)",
    ),
    // The axis `j0` is not the size that `j` has in operand 0.
    (
        "einops: j0 j, j k -> j0 k",
        "(j0,j0_),(j1,k)->(j0,k) where j == broadcast(j0_, j1)",
    ),
    ("einops: (a b), a b -> a b", "[a, b] (a*b),(a,b)->(a,b)"),
    ("einops: i i, j -> i j", "(i,i),(j)->(i,j)"),
];

#[test]
fn labelled_texts_are_signatures() {
    for (text, means) in LABELLED {
        let read = parse_signature(text).unwrap_or_else(|d| panic!("{text}: {d}"));
        assert_eq!(read.to_string(), *means, "{text}");
        assert_eq!(parse_signature(means).unwrap(), read, "{text}");
    }
}

/// Signatures of types, which no notation of einsum is.
#[test]
fn words_that_are_types_stay_types() {
    for text in [
        "A,A->A",
        "A, B -> A",
        "i,j->i",
        "List->List",
        "Row, Row -> Row",
        "tensor -> Tensor",
        "x -> x",
        "A->B",
    ] {
        assert!(parse_signature(text).is_ok(), "{text}");
    }
}

const SIGNATURES: &[&str] = &[
    "ij,jk->ik",
    "ij,ij->ij",
    "bhqd,bhkd->bhqk",
    "ii->i",
    "i,j->ij",
    "i,i->",
    "ij,jk",
    "...ij,...jk->...ik",
    "einsum: ij,jk->il",
    "einsum: ij->ii",
    "einsum: i2,jk->ik",
    "einsum: ...i,...j->ij",
    "b h w -> b (h w)",
    "b (h p1) (w p2) c -> b (h w) (p1 p2 c)",
    "(b h) w -> b h w",
    "m n, n p -> m p",
    "b ... c -> b c ...",
    "einops: b h w -> b b",
    "einops: b (h w -> b",
    "einops: b h w",
    "(b,h,w)->(b,(h w))",
    "(b,h w)->(b,h)",
    r#"Float[Array, "n m"] -> Float[Array, "n"]"#,
    "Float32[Tensor, 'b c *dims'] -> Float32[Tensor, 'b']",
    "f32(n)->f32(n)",
    "f32(m,n), f32(n,p) -> f32(m,p)",
    "f32: (n) -> f32: (n)",
    "(m,n) f32,(n,p) f32->(m,p) f32",
    "(m,n),(n,p)->m,p",
    "m,n->(m,n)",
    "n->(n)",
    "[m,n],[n,p]->[m,p]",
    "[s=2] (n)->(n//s)",
    "[s: 2, p] (n)->(n//s + p)",
    "(m,n) (n,p) -> (m,p)",
    "(...a)->(prod(a))",
];

const TYPES: &[&str] = &[
    "(2,3) float32",
    "(2, 3) : f32",
    "(2,3), float32",
    "float32 (2,3)",
    "f32(2,3)",
    "f32<2,3>",
    "f32{2,3}",
    "f32: [2, 3]",
    "[2,3]",
    "[2,3] f32",
    "2,3",
    "f32 2 3",
    "2x3xf32",
    "f32[2x3]",
    "f32[2 3]",
    "torch.Size([2,3])",
    "np.float32[2,3]",
    "torch.zeros(2,3)",
    "Tensor(shape=(2, 3), dtype=float32)",
    "tensor(float32, [2, 3])",
    "array((2,3), dtype='float32')",
    "f32([2,3])",
    "f32[-1,3]",
    "f32[:,3]",
    "f32(*, 3)",
    "(2,3) f32 where n > 2",
    r#"Float[Array, "n m"]"#,
    r#"Float32[Tensor, "*batch 3 _ #k d=4"]"#,
    r#"Shaped[np.ndarray, "..."]"#,
    r#"Bool["n"]"#,
];

#[test]
fn what_a_foreign_text_is_reported_as() {
    let mut signatures = String::new();
    for text in SIGNATURES {
        let d = parse_signature(text).expect_err(text);
        writeln!(signatures, "{d}\n").unwrap();
    }
    insta::assert_snapshot!("signatures", signatures);
    let mut types = String::new();
    for text in TYPES {
        let d = parse_type(text).expect_err(text);
        writeln!(types, "{d}\n").unwrap();
    }
    insta::assert_snapshot!("types", types);
}

/// What is proposed in backquotes at the end of a help is right as it stands.
#[test]
fn what_is_proposed_reads() {
    let mut proposed = 0;
    for (texts, signature) in [(SIGNATURES, true), (TYPES, false)] {
        for text in texts {
            let d = if signature {
                parse_signature(text).err()
            } else {
                parse_type(text).err()
            };
            let d = d.unwrap();
            for help in d.help.iter().filter(|help| help.ends_with('`')) {
                let Some(last) = help.trim_end_matches('`').rsplit('`').next() else {
                    continue;
                };
                if signature && last.contains("->") {
                    assert!(parse_signature(last).is_ok(), "{text}: {help}");
                    proposed += 1;
                } else if !signature
                    && d.code == code::UNEXPECTED
                    && help.starts_with("a type is written")
                {
                    assert!(parse_type(last).is_ok(), "{text}: {help}");
                    proposed += 1;
                }
            }
        }
    }
    assert!(proposed > 40, "{proposed}");
}

/// A minus in front binds as in Python: `-h//k` is `(-h)//k`.
#[test]
fn a_minus_in_front_binds_as_in_python() {
    for (text, means) in [
        ("-h//k", "(-h)//k"),
        ("-n % 4", "(-n) % 4"),
        ("-(h//k)", "-(h//k)"),
        ("-(-h//k)", "-((-h)//k)"),
        ("-a*b//c", "(-a)*b//c"),
        ("-a*b", "-a*b"),
        ("n - h//k", "n - h//k"),
        ("-h//k + 1", "(-h)//k + 1"),
        ("-(n % 4) + 1", "-(n % 4) + 1"),
        ("10 + (-n % 4)", "10 + (-n) % 4"),
    ] {
        let read = parse_expr(text).unwrap();
        assert_eq!(read.to_string(), means, "{text}");
        assert_eq!(parse_expr(means).unwrap(), read, "{text}");
        let clause = |term: &str| {
            let file = parse_relations(&format!(
                "P(h, k, n, a, b, c, m) :- m = {term}, Q(h, k, n, a, b, c)"
            ));
            file.unwrap_or_else(|d| panic!("{term}: {d:?}")).to_string()
        };
        assert_eq!(clause(text), clause(means), "{text}");
    }
}
