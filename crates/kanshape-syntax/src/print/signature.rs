//! Signatures as text.

use std::fmt::{self, Display, Formatter};

use super::expr::{Binding, conditions, dtype, expr, run};
use super::{Style, list};
use crate::tree::{Expr, Item, Operand, Param, Pattern, Prefix, PrefixKind, Relation, Signature};

impl Display for Signature {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.variables.is_empty() {
            if !self.params.is_empty() {
                f.write_str("[")?;
                list(f, &self.params, ", ", |f, param| param.fmt(f))?;
                f.write_str("] ")?;
            }
            if let Some(prefix) = &self.prefix {
                prefix.fmt(f)?;
            }
            list(f, &self.inputs, ",", |f, operand| operand.fmt(f))?;
            f.write_str("->")?;
            list(f, &self.outputs, ",", |f, operand| operand.fmt(f))?;
        } else {
            relational(f, self)?;
        }
        conditions(f, &self.conditions)
    }
}

/// `forall (A : Type) (B : Type), Same(A, B) => A -> B`.
fn relational(f: &mut Formatter<'_>, signature: &Signature) -> fmt::Result {
    f.write_str("forall")?;
    for name in &signature.variables {
        write!(f, " ({name} : Type)")?;
    }
    f.write_str(", ")?;
    if !signature.relations.is_empty() {
        list(f, &signature.relations, ", ", |f, r| r.node.fmt(f))?;
        f.write_str(" => ")?;
    }
    type_operands(f, &signature.inputs)?;
    f.write_str(" -> ")?;
    type_operands(f, &signature.outputs)
}

fn type_operands(f: &mut Formatter<'_>, operands: &[Operand]) -> fmt::Result {
    if let [one] = operands {
        return one.fmt(f);
    }
    f.write_str("(")?;
    list(f, operands, ", ", |f, operand| operand.fmt(f))?;
    f.write_str(")")
}

impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        list(f, &self.args, ", ", |f, arg| f.write_str(&arg.node))?;
        f.write_str(")")
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.label == self.name {
            self.name.fmt(f)
        } else {
            write!(f, "{}: {}", self.label, self.name)
        }
    }
}

impl Display for Prefix {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            PrefixKind::Broadcast => "+",
            PrefixKind::Equal => "=",
        })?;
        self.max.map_or(Ok(()), |max| max.fmt(f))
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.pattern.fmt(f)?;
        if let Some(d) = &self.dtype {
            f.write_str(":")?;
            dtype(f, &d.node, Style::Tight)?;
        }
        Ok(())
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Shape(items) => {
                f.write_str("(")?;
                list(f, items, ",", |f, item| item.node.fmt(f))?;
                f.write_str(")")
            }
            Pattern::Type(ty) => ty.fmt(f),
        }
    }
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let dim = |f: &mut Formatter<'_>, e: &Expr| expr(f, e, Binding::Sum, Style::Tight);
        match self {
            Item::Dim(e) => dim(f, e),
            Item::Optional(e) => {
                dim(f, e)?;
                f.write_str("?")
            }
            Item::OrOne(e) => {
                dim(f, e)?;
                f.write_str("|1")
            }
            Item::Run(name) => run(f, name.as_ref()),
            Item::Skip(n) => write!(f, ".{n}."),
            Item::SkipNamed(name) => write!(f, ".{name}."),
        }
    }
}
