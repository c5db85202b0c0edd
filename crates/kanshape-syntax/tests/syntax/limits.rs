//! Long and deep texts end in a tree or in an error, soon.

use kanshape_syntax::{
    MAX_CONTENTS, MAX_DEPTH, code, parse_conditions, parse_expr, parse_signature, parse_type,
};

const LONG: usize = 1 << 20;

/// `piece` again and again, about a megabyte of it.
fn long(piece: &str) -> String {
    piece.repeat(LONG / piece.len())
}

#[test]
fn long_chains_read() {
    for piece in [" + a", "*a", " - 2*a//3"] {
        let text = format!("a{}", long(piece));
        assert_eq!(parse_expr(&text).unwrap().to_string(), text);
    }
}

#[test]
fn long_lists_read() {
    let operands = format!("{}(n)->()", long("(n),"));
    assert_eq!(parse_signature(&operands).unwrap().to_string(), operands);
    let dims = format!("({}n)->()", long("n,"));
    assert_eq!(parse_signature(&dims).unwrap().to_string(), dims);
    let names: Vec<String> = (0..100_000).map(|i| format!("(n{i}?):t{i}")).collect();
    let names = format!("{}->()", names.join(","));
    assert_eq!(parse_signature(&names).unwrap().to_string(), names);
    let dims = format!("f32[{}2]", long("2, "));
    assert_eq!(parse_type(&dims).unwrap().to_string(), dims);
    let tuple = format!("({}?)", long("f32[2], "));
    assert_eq!(parse_type(&tuple).unwrap().to_string(), tuple);
    let conditions = format!("{}n >= 1", long("n >= 1, "));
    assert_eq!(parse_conditions(&conditions).unwrap().len(), LONG / 8 + 1);
    let chain = format!("n{}", long(" < n"));
    assert_eq!(parse_conditions(&chain).unwrap().len(), 1);
    let name = format!("({})->()", long("n"));
    assert_eq!(parse_signature(&name).unwrap().to_string(), name);
    let name = format!("({})->()", long("é"));
    assert_eq!(parse_signature(&name).unwrap().to_string(), name);
    let zeros = format!("({}1)->()", long("0"));
    assert_eq!(parse_signature(&zeros).unwrap().to_string(), "(1)->()");
    let space = format!("(n{})->()", long(" \n"));
    assert_eq!(parse_signature(&space).unwrap().to_string(), "(n)->()");
}

#[test]
fn errors_at_the_end_of_long_texts_are_short() {
    for text in [
        format!("({}n m)->()", long("n,")),
        format!("{}(n)", long("(n),")),
        format!("({}->()", long("n,")),
        format!("({}(99999999999999999999))->()", long("n,")),
        format!("({}n?)->()", long("n,")),
        format!("({}", long("\u{1b}")),
        long("\u{301}"),
    ] {
        let d = parse_signature(&text).unwrap_err();
        let shown = d.to_string();
        assert!(shown.len() < 2000, "{}", shown.len());
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, inner, close) in [("(", "n", ")"), ("min(", "n", ")"), ("2*(1 + ", "n", ")")] {
        let expr = |depth| parse_expr(&nested(open, inner, close, depth));
        assert!(expr(MAX_DEPTH).is_ok());
        assert_eq!(expr(MAX_DEPTH + 1).unwrap_err().code, code::TOO_DEEP);
        assert_eq!(expr(LONG / 8).unwrap_err().code, code::TOO_DEEP);
    }
    for (open, inner, close) in [
        ("(", "n", ",)"),
        ("List[", "f32[]", "]"),
        ("fn() -> ", "?", ""),
        ("tuple(", "?", ")"),
    ] {
        let ty = |depth| parse_type(&nested(open, inner, close, depth));
        assert!(ty(MAX_DEPTH - 1).is_ok(), "{open}");
        assert_eq!(ty(LONG / 8).unwrap_err().code, code::TOO_DEEP, "{open}");
    }
    // A function as an operand nests like any other type; the signature's own arrow nests nothing.
    let signature = |depth| parse_signature(&format!("->{}", nested("fn() -> ", "A", "", depth)));
    assert!(signature(MAX_DEPTH - 1).is_ok());
    assert_eq!(signature(LONG / 8).unwrap_err().code, code::TOO_DEEP);
    let sums = format!(
        "(n)->({}) where {}>n",
        nested("(", "n", ")", MAX_DEPTH - 1),
        nested("(", "n", ")", MAX_DEPTH)
    );
    assert!(parse_signature(&sums).is_ok());
    // Many functions side by side are not deep.
    assert!(parse_signature(&format!("{}A->A", long("fn() -> A, "))).is_ok());
    assert!(parse_type(&format!("({}?)", long("fn() -> ?, "))).is_ok());
    let both = parse_type(&nested("(fn() -> ", "f32[]", ",)", MAX_DEPTH / 2 + 1));
    assert_eq!(both.unwrap_err().code, code::TOO_DEEP);
}

#[test]
fn numbers_are_bounded() {
    assert!(parse_expr("18446744073709551615").is_ok());
    let d = parse_expr("1 + 18446744073709551616").unwrap_err();
    assert_eq!(d.code, code::NUMBER_TOO_LARGE);
    assert_eq!((d.labels[0].start, d.labels[0].end), (4, 24));
    let digits = parse_expr(&long("9")).unwrap_err();
    assert_eq!(digits.code, code::NUMBER_TOO_LARGE);
}

#[test]
fn contents_are_bounded() {
    let contents = |count| format!("i64[n] = [{}?]", "2, ".repeat(count - 1));
    let most = contents(MAX_CONTENTS);
    assert_eq!(parse_type(&most).unwrap().to_string(), most);
    let d = parse_type(&contents(MAX_CONTENTS + 1)).unwrap_err();
    assert_eq!(d.code, code::TOO_MANY_CONTENTS);
    let at = d.labels[0].start;
    assert_eq!((at, d.labels[0].end), (at, at + 1), "the last, a hole");
    let d = parse_type(&contents(LONG / 3)).unwrap_err();
    assert_eq!(d.code, code::TOO_MANY_CONTENTS);
    assert!(d.to_string().len() < 2000);
}
