//! Sizes as torch's programs write them, in the notation of SymPy's `srepr`: `Add(Symbol('s0', integer=True), Integer(-1))`.

use kanshape::Dim;
use kanshape::tree::{Expr, parse_symbolic};
use serde_json::Value;

use super::json::case;

/// A size of a tensor, or a number of the program: `{"as_int": 3}`, `{"as_expr": {"expr_str": ..}}`. What can't be read is not
/// known.
pub(super) fn dim(value: &Value) -> Dim {
    let read = || match case(value)? {
        ("as_int", n) => n.as_u64().map(Dim::Size),
        ("as_expr", e) => expression(e).map(Dim::expr),
        _ => None,
    };
    read().unwrap_or(Dim::Hole)
}

/// The text of a number; none if it is an expression of sizes.
pub(super) fn number(value: &Value) -> Option<String> {
    match case(value)? {
        ("as_int", n) => n.as_i64().map(|n| n.to_string()),
        _ => None,
    }
}

fn expression(value: &Value) -> Option<Expr> {
    let text = value.get("expr_str")?.as_str()?;
    parse_symbolic(text, &mut |name| Some(name.to_owned()))
}
