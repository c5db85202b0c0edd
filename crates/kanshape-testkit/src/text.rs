//! A signature's tree as text: a writer of its own, so that the printer and the parsers of the
//! language can be tested against something else than each other.

use kanshape_syntax::tree::{
    CmpOp, Condition, DimItem, DtypeExpr, Expr, Func, Ident, Item, MulOp, Operand, Pattern,
    PrefixKind, Sign, Signature,
};

/// The text of a signature in the short form, or in the relational form if it has variables.
pub fn text_of(signature: &Signature) -> String {
    let mut text = String::new();
    if !signature.params.is_empty() {
        let params = list(&signature.params, |param| {
            if param.label == param.name {
                param.name.node.to_string()
            } else {
                format!("{}: {}", param.label.node, param.name.node)
            }
        });
        text += &format!("[{params}] ");
    }
    if !signature.variables.is_empty() {
        text += "forall ";
        for name in &signature.variables {
            text += &format!("({} : Type) ", name.node);
        }
        text = format!("{}, ", text.trim_end());
        let relations = signature.relations.iter().map(|relation| {
            let args = list(&relation.node.args, |arg| arg.node.to_string());
            format!("{}({args})", relation.node.name.node)
        });
        let relations: Vec<String> = relations.collect();
        if !relations.is_empty() {
            text += &format!("{} => ", relations.join(", "));
        }
        let inputs = list(&signature.inputs, operand);
        text += &format!("({inputs}) -> {}", list(&signature.outputs, operand));
    } else {
        if let Some(prefix) = &signature.prefix {
            text.push(match prefix.kind {
                PrefixKind::Broadcast => '+',
                PrefixKind::Equal => '=',
            });
            text += &prefix.max.map(|max| max.to_string()).unwrap_or_default();
        }
        text += &list(&signature.inputs, operand);
        text += "->";
        text += &list(&signature.outputs, operand);
    }
    if !signature.conditions.is_empty() {
        let conditions = list(&signature.conditions, |written| condition(&written.node));
        text += &format!(" where {conditions}");
    }
    text
}

fn list<T>(members: &[T], text: impl Fn(&T) -> String) -> String {
    members.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn operand(operand: &Operand) -> String {
    let pattern = match &operand.pattern {
        Pattern::Shape(items) => format!("({})", list(items, |written| item(&written.node))),
        Pattern::Type(ty) => ty.to_string(),
    };
    match &operand.dtype {
        None => pattern,
        Some(written) => format!("{pattern}:{}", dtype(&written.node)),
    }
}

fn item(item: &Item) -> String {
    match item {
        Item::Dim(dim) => expr(dim),
        Item::Optional(dim) => format!("{}?", expr(dim)),
        Item::OrOne(dim) => format!("{}|1", expr(dim)),
        Item::Run(name) => run(name.as_ref()),
        Item::Skip(length) => format!(".{length}."),
        Item::SkipNamed(name) => format!(".{}.", name.node),
    }
}

fn dim_item(item: &DimItem) -> String {
    match item {
        DimItem::Hole => "?".to_owned(),
        DimItem::Dim(dim) => expr(dim),
        DimItem::Run(name) => run(name.as_ref()),
    }
}

fn run(name: Option<&Ident>) -> String {
    format!("...{}", name.map_or("", |name| &name.node))
}

/// The text of an expression, with brackets wherever a sum or a chain stands inside another.
pub fn expr(written: &Expr) -> String {
    match written {
        Expr::Int(value) => value.to_string(),
        Expr::Name(name) => name.node.to_string(),
        Expr::Nominal(n) => format!("{}@{}", n.size.node, n.identity.node),
        Expr::Run(name) => run(name.as_ref()),
        Expr::List(items) => format!("[{}]", list(items, |item| dim_item(&item.node))),
        Expr::Sum(terms) => {
            let mut text = String::new();
            for (at, (sign, term)) in terms.iter().enumerate() {
                text += match (at, sign) {
                    (0, Sign::Plus) => "",
                    (0, Sign::Minus) => "-",
                    (_, Sign::Plus) => " + ",
                    (_, Sign::Minus) => " - ",
                };
                text += &in_brackets_if(matches!(term, Expr::Sum(_)), term);
            }
            text
        }
        Expr::Chain(first, rest) => {
            let is_compound = |expr: &Expr| matches!(expr, Expr::Sum(_) | Expr::Chain(..));
            let mut text = in_brackets_if(is_compound(first), first);
            for (op, factor) in rest {
                text += match op {
                    MulOp::Mul => "*",
                    MulOp::FloorDiv => "//",
                    MulOp::Mod => "%",
                };
                text += &in_brackets_if(is_compound(factor), factor);
            }
            text
        }
        Expr::Call(func, args) => {
            let name = match func {
                Func::Min => "min",
                Func::Max => "max",
                Func::Prod => "prod",
                Func::Broadcast => "broadcast",
                Func::Promote => "promote",
            };
            format!("{name}({})", list(args, expr))
        }
        Expr::CeilDiv(a, b) => {
            let above = in_brackets_if(matches!(**a, Expr::Sum(_)), a);
            let below = in_brackets_if(matches!(**b, Expr::Sum(_) | Expr::Chain(..)), b);
            format!("ceil({above}/{below})")
        }
    }
}

fn in_brackets_if(wanted: bool, written: &Expr) -> String {
    if wanted {
        format!("({})", expr(written))
    } else {
        expr(written)
    }
}

fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Compare(first, rest) => {
            let mut text = expr(first);
            for (op, right) in rest {
                let op = match op {
                    CmpOp::Eq => "==",
                    CmpOp::Ne => "!=",
                    CmpOp::Lt => "<",
                    CmpOp::Le => "<=",
                    CmpOp::Gt => ">",
                    CmpOp::Ge => ">=",
                };
                text += &format!(" {op} {}", expr(right));
            }
            text
        }
        Condition::In(member, set) => format!("{} in {{{}}}", expr(member), list(set, expr)),
        Condition::Dtype(name, of) => format!("{}: {}", name.node, dtype(of)),
    }
}

fn dtype(written: &DtypeExpr) -> String {
    match written {
        DtypeExpr::Name(name) => name.node.to_string(),
        DtypeExpr::Set(members) => {
            format!("{{{}}}", list(members, |name| name.node.to_string()))
        }
        DtypeExpr::Promote(args) => format!("promote({})", list(args, dtype)),
        DtypeExpr::Hole => "?".to_owned(),
    }
}
