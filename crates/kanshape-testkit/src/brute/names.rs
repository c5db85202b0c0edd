//! Which names and conditions speak of dtypes, and which of sizes.

use std::collections::BTreeSet;

use kanshape_syntax::tree::{Condition, DtypeExpr, Expr, Func, Signature};

/// The dtypes and classes of the language, which no size is called in a condition.
const WORDS: &[&str] = &[
    "bool",
    "i4",
    "i8",
    "i16",
    "i32",
    "i64",
    "u4",
    "u8",
    "u16",
    "u32",
    "u64",
    "f16",
    "bf16",
    "f32",
    "f64",
    "c64",
    "c128",
    "str",
    "f8e4m3fn",
    "f8e4m3fnuz",
    "f8e5m2",
    "f8e5m2fnuz",
    "f4e2m1",
    "f6e2m3",
    "f6e3m2",
    "f8e8m0",
    "i2",
    "u2",
    "f8e4m3",
    "f8e3m4",
    "f8e4m3b11fnuz",
    "Float",
    "Int",
    "UInt",
    "Bool",
    "Complex",
    "Num",
    "Any",
];

/// All names that denote dtypes: those after a colon, and those that a condition compares with
/// one of them, with a dtype, or with what dtypes promote to.
pub(super) fn dtype_names(signature: &Signature) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for operand in signature.inputs.iter().chain(&signature.outputs) {
        if let Some(dtype) = &operand.dtype {
            names_of_dtype(&dtype.node, &mut names);
        }
    }
    loop {
        let before = names.len();
        for condition in &signature.conditions {
            if is_about_dtypes(&condition.node, &names) {
                names_of_condition(&condition.node, &mut names);
            }
        }
        if names.len() == before {
            return names;
        }
    }
}

/// Whether a condition is one on dtypes, given the names known to be dtypes.
pub(super) fn is_about_dtypes(condition: &Condition, dtypes: &BTreeSet<String>) -> bool {
    let speaks = |expr: &Expr| match expr {
        Expr::Call(Func::Promote, _) => true,
        Expr::Name(name) => dtypes.contains(&*name.node) || is_word(&name.node),
        _ => false,
    };
    match condition {
        Condition::Dtype(..) => true,
        Condition::In(expr, members) => speaks(expr) || members.iter().any(speaks),
        Condition::Compare(first, rest) => {
            speaks(first) || rest.iter().any(|(_, expr)| speaks(expr))
        }
    }
}

fn is_word(name: &str) -> bool {
    WORDS.contains(&name)
}

fn names_of_dtype(dtype: &DtypeExpr, names: &mut BTreeSet<String>) {
    match dtype {
        DtypeExpr::Name(name) => {
            names.insert(name.node.to_string());
        }
        DtypeExpr::Set(members) => names.extend(members.iter().map(|name| name.node.to_string())),
        DtypeExpr::Promote(args) => args.iter().for_each(|arg| names_of_dtype(arg, names)),
        DtypeExpr::Hole => {}
    }
}

fn names_of_condition(condition: &Condition, names: &mut BTreeSet<String>) {
    match condition {
        Condition::Dtype(name, dtype) => {
            names.insert(name.node.to_string());
            names_of_dtype(dtype, names);
        }
        Condition::In(..) | Condition::Compare(..) => {
            for expr in super::plan::exprs_of(condition) {
                super::plan::names_in(expr, names);
            }
        }
    }
}
