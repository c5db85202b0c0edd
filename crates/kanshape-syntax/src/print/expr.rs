//! Dims, dtypes and conditions as text.

use std::fmt::{self, Display, Formatter};

use super::{Style, list};
use crate::tree::{CmpOp, Condition, DtypeExpr, Expr, Func, Ident, MulOp, Nominal, Sign, Spanned};

/// How tightly what stands around an expression binds: whatever binds looser needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Sum,
    Product,
    Atom,
}

impl Expr {
    /// Whether it is a product with a `//` or a `%` in it.
    fn rounds(&self) -> bool {
        matches!(self, Expr::Chain(_, rest) if rest.iter().any(|(op, _)| *op != MulOp::Mul))
    }

    fn binding(&self) -> Binding {
        match self {
            Expr::Sum(_) => Binding::Sum,
            Expr::Chain(..) => Binding::Product,
            Expr::Int(_)
            | Expr::Name(_)
            | Expr::Nominal(_)
            | Expr::Call(..)
            | Expr::CeilDiv(..)
            | Expr::Run(_)
            | Expr::List(_) => Binding::Atom,
        }
    }
}

pub(super) fn expr(f: &mut Formatter<'_>, e: &Expr, around: Binding, style: Style) -> fmt::Result {
    if e.binding() < around {
        f.write_str("(")?;
        expr(f, e, Binding::Sum, style)?;
        return f.write_str(")");
    }
    match e {
        Expr::Int(n) => write!(f, "{n}"),
        Expr::Name(name) => f.write_str(&name.node),
        Expr::Nominal(n) => n.fmt(f),
        Expr::Sum(terms) => {
            for (i, (sign, term)) in terms.iter().enumerate() {
                f.write_str(match (i, sign) {
                    (0, Sign::Plus) => "",
                    (0, Sign::Minus) => "-",
                    (_, Sign::Plus) => " + ",
                    (_, Sign::Minus) => " - ",
                })?;
                // A `-` in front of the first binds tighter than `//` and `%`.
                let around = match (i, sign) {
                    (0, Sign::Minus) if term.rounds() => Binding::Atom,
                    _ => Binding::Product,
                };
                expr(f, term, around, style)?;
            }
            Ok(())
        }
        Expr::Chain(first, rest) => {
            expr(f, first, Binding::Atom, style)?;
            for (op, factor) in rest {
                write!(f, "{op}")?;
                expr(f, factor, Binding::Atom, style)?;
            }
            Ok(())
        }
        Expr::Call(func, args) => {
            write!(f, "{func}(")?;
            list(f, args, style.comma(), |f, arg| {
                expr(f, arg, Binding::Sum, style)
            })?;
            f.write_str(")")
        }
        Expr::CeilDiv(a, b) => {
            f.write_str("ceil(")?;
            expr(f, a, Binding::Product, style)?;
            f.write_str("/")?;
            expr(f, b, Binding::Atom, style)?;
            f.write_str(")")
        }
        Expr::Run(name) => run(f, name.as_ref()),
        Expr::List(items) => {
            f.write_str("[")?;
            list(f, items, style.comma(), |f, item| item.node.fmt(f))?;
            f.write_str("]")
        }
    }
}

pub(super) fn run(f: &mut Formatter<'_>, name: Option<&Ident>) -> fmt::Result {
    f.write_str("...")?;
    name.map_or(Ok(()), |name| f.write_str(&name.node))
}

pub(super) fn dtype(f: &mut Formatter<'_>, d: &DtypeExpr, style: Style) -> fmt::Result {
    match d {
        DtypeExpr::Name(name) => f.write_str(&name.node),
        DtypeExpr::Set(names) => {
            f.write_str("{")?;
            list(f, names, style.comma(), |f, name| f.write_str(&name.node))?;
            f.write_str("}")
        }
        DtypeExpr::Promote(args) => {
            f.write_str("promote(")?;
            list(f, args, style.comma(), |f, arg| dtype(f, arg, style))?;
            f.write_str(")")
        }
        DtypeExpr::Hole => f.write_str("?"),
    }
}

/// ` where n >= 1, x: Float`, or nothing.
pub(super) fn conditions(f: &mut Formatter<'_>, all: &[Spanned<Condition>]) -> fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    f.write_str(" where ")?;
    list(f, all, ", ", |f, condition| condition.node.fmt(f))
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        expr(f, self, Binding::Sum, Style::Spaced)
    }
}

impl Display for Nominal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.size, self.identity)
    }
}

impl Display for DtypeExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        dtype(f, self, Style::Spaced)
    }
}

/// The text.
impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Compare(first, rest) => {
                first.fmt(f)?;
                for (op, side) in rest {
                    write!(f, " {op} {side}")?;
                }
                Ok(())
            }
            Condition::In(e, members) => {
                write!(f, "{e} in {{")?;
                list(f, members, ", ", |f, member| member.fmt(f))?;
                f.write_str("}")
            }
            Condition::Dtype(name, dtype) => write!(f, "{name}: {dtype}"),
        }
    }
}

impl Display for MulOp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MulOp::Mul => "*",
            MulOp::FloorDiv => "//",
            MulOp::Mod => " % ",
        })
    }
}

impl Display for CmpOp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CmpOp::Eq => "==",
            CmpOp::Ne => "!=",
            CmpOp::Lt => "<",
            CmpOp::Le => "<=",
            CmpOp::Gt => ">",
            CmpOp::Ge => ">=",
        })
    }
}

impl Display for Func {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Func::Min => "min",
            Func::Max => "max",
            Func::Prod => "prod",
            Func::Broadcast => "broadcast",
            Func::Promote => "promote",
        })
    }
}
