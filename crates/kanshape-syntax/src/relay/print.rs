//! The way back: programs, types and patterns as text.

use std::fmt::{self, Display, Formatter, Write};

use super::{
    Attr, AttrValue, BinaryOp, Binder, Data, Dim, Dtype, Expr, ExprId, FnType, Function, Item,
    Param, Pattern, Program, Relation, Shape, Type,
};
use crate::text;
use crate::tree::Spanned;

fn commas<T: Display>(f: &mut Formatter<'_>, all: impl IntoIterator<Item = T>) -> fmt::Result {
    for (i, one) in all.into_iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        one.fmt(f)?;
    }
    Ok(())
}

fn nodes<T>(all: &[Spanned<T>]) -> impl Iterator<Item = &T> {
    all.iter().map(|one| &one.node)
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Hole => f.write_str("_"),
            Type::Named(name) => write!(f, "?{}", name.node),
            Type::Rigid(name, kind) => {
                write!(f, "'{}", name.node)?;
                kinded(f, kind.as_ref().map(|k| &*k.node))
            }
            Type::Handle(name, kind) => {
                write!(f, "@{}", name.node)?;
                kinded(f, kind.as_ref().map(|k| &*k.node))
            }
            Type::Data(name) => write!(f, "data {}", name.node),
            Type::Tensor(shape, dtype) => write!(f, "Tensor[{}, {dtype}]", shape.node),
            Type::Name(name) => f.write_str(&name.node),
            Type::Apply(name, args) => {
                write!(f, "{}[", name.node)?;
                commas(f, nodes(args))?;
                f.write_str("]")
            }
            Type::Tuple(fields) => {
                f.write_str("(")?;
                commas(f, nodes(fields))?;
                f.write_str(if fields.len() == 1 { ",)" } else { ")" })
            }
            Type::Fn(function) => function.fmt(f),
            Type::Ref(inner) => write!(f, "ref({})", inner.node),
            Type::Relation(relation) => relation.fmt(f),
            Type::Shape(dims) => {
                f.write_str("(")?;
                commas(f, nodes(dims))?;
                f.write_str(if dims.len() == 1 { ",)" } else { ")" })
            }
            Type::Size(n) => n.fmt(f),
        }
    }
}

fn kinded(f: &mut Formatter<'_>, kind: Option<&str>) -> fmt::Result {
    kind.map_or(Ok(()), |kind| write!(f, ":{kind}"))
}

impl Display for FnType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("fn ")?;
        binders(f, &self.binders)?;
        f.write_str("(")?;
        commas(f, nodes(&self.params))?;
        f.write_str(") -> ")?;
        match &self.result.node {
            // Its constraints would be read as those of this function.
            Type::Fn(inner) if !inner.constraints.is_empty() => write!(f, "({inner})")?,
            result => result.fmt(f)?,
        }
        constraints(f, &self.constraints)
    }
}

fn constraints(f: &mut Formatter<'_>, all: &[Spanned<Relation>]) -> fmt::Result {
    match all {
        [] => Ok(()),
        [one] => write!(f, " where {}", one.node),
        all => {
            f.write_str(" where (")?;
            commas(f, nodes(all))?;
            f.write_str(")")
        }
    }
}

fn binders(f: &mut Formatter<'_>, all: &[Binder]) -> fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    f.write_str("[")?;
    commas(f, all)?;
    f.write_str("]")
}

impl Display for Binder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_rigid {
            f.write_str("'")?;
        }
        f.write_str(&self.name.node)?;
        match &self.kind {
            Some(kind) => write!(f, ": {}", kind.node),
            None => Ok(()),
        }
    }
}

impl Display for Relation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.node)?;
        let Some(args) = &self.args else {
            return Ok(());
        };
        f.write_str("(")?;
        commas(f, nodes(args))?;
        if !args.is_empty() && !self.attrs.is_empty() {
            f.write_str(", ")?;
        }
        commas(f, &self.attrs)?;
        f.write_str(")")
    }
}

impl Display for Attr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name.node, self.value.node)
    }
}

impl Display for AttrValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            AttrValue::Hole => f.write_str("_"),
            AttrValue::Int(n) => n.fmt(f),
            AttrValue::Float(n) => n.fmt(f),
            AttrValue::Text(written) => text::write(f, written),
            AttrValue::Bool(true) => f.write_str("True"),
            AttrValue::Bool(false) => f.write_str("False"),
            AttrValue::None => f.write_str("None"),
            AttrValue::Word(word) => f.write_str(word),
            AttrValue::List(members) => {
                f.write_str("[")?;
                commas(f, nodes(members))?;
                f.write_str("]")
            }
        }
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Hole => f.write_str("_"),
            Shape::Name(name) => f.write_str(&name.node),
            Shape::Dims(dims) => {
                f.write_str("(")?;
                commas(f, nodes(dims))?;
                f.write_str(")")
            }
        }
    }
}

impl Display for Dim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Any => f.write_str("?"),
            Dim::Expr(e) => e.fmt(f),
            Dim::Rest(None) => f.write_str(".."),
            Dim::Rest(Some(name)) => write!(f, "..{}", name.node),
        }
    }
}

impl Display for Dtype {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Dtype::Hole => f.write_str("_"),
            Dtype::Name(name) => f.write_str(&name.node),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Wildcard => f.write_str("_"),
            Pattern::Var(name, None) => write!(f, "%{}", name.node),
            Pattern::Var(name, Some(ty)) => write!(f, "%{}: {}", name.node, ty.node),
            Pattern::Constructor(name, fields) if fields.is_empty() => f.write_str(&name.node),
            Pattern::Constructor(name, fields) => {
                write!(f, "{}(", name.node)?;
                commas(f, nodes(fields))?;
                f.write_str(")")
            }
            Pattern::Tuple(fields) => {
                f.write_str("(")?;
                commas(f, nodes(fields))?;
                f.write_str(if fields.len() == 1 { ",)" } else { ")" })
            }
        }
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.name.node)?;
        match &self.ty {
            Some(ty) => write!(f, ": {}", ty.node),
            None => Ok(()),
        }
    }
}

impl Display for Data {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_extern {
            write!(f, "extern type {}", self.name.node)?;
            return binders(f, &self.binders);
        }
        let word = if self.is_open { "data" } else { "type" };
        write!(f, "{word} {}", self.name.node)?;
        binders(f, &self.binders)?;
        f.write_str(" {\n")?;
        for constructor in &self.constructors {
            write!(f, "  {}", constructor.name.node)?;
            if self.is_open {
                f.write_str(" : (")?;
                commas(f, nodes(&constructor.fields))?;
                write!(f, ") -> {}", self.name.node)?;
            } else if !constructor.fields.is_empty() {
                f.write_str("(")?;
                commas(f, nodes(&constructor.fields))?;
                f.write_str(")")?;
            }
            f.write_str(",\n")?;
        }
        f.write_str("}")
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(version) = &self.version {
            writeln!(f, "#[version = \"{version}\"]")?;
        }
        let mut p = Printer {
            program: self,
            f,
            indent: 0,
        };
        for item in &self.items {
            match item {
                Item::Def(def) => {
                    write!(p.f, "def @{}", def.name.node)?;
                    p.function(&def.function)?;
                    p.f.write_str("\n")?;
                }
                Item::Data(data) => writeln!(p.f, "{data}")?,
            }
        }
        match self.main {
            Some(main) => {
                p.block(main)?;
                f.write_str("\n")
            }
            None => Ok(()),
        }
    }
}

/// How tightly an expression holds together; a number is what may stand beside an operator of that rank.
fn rank(e: &Expr) -> u8 {
    match e {
        Expr::Let { .. } | Expr::Seq(..) => 0,
        Expr::Binary(op, ..) => op_rank(*op),
        Expr::Negate(_) => 5,
        _ => 6,
    }
}

fn op_rank(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Equal | BinaryOp::NotEqual => 1,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 2,
        BinaryOp::Add | BinaryOp::Subtract => 3,
        BinaryOp::Multiply | BinaryOp::Divide => 4,
    }
}

struct Printer<'p, 'f, 'w> {
    program: &'p Program,
    f: &'f mut Formatter<'w>,
    indent: usize,
}

impl Printer<'_, '_, '_> {
    fn line(&mut self) -> fmt::Result {
        self.f.write_char('\n')?;
        for _ in 0..self.indent {
            self.f.write_str("  ")?;
        }
        Ok(())
    }

    fn function(&mut self, function: &Function) -> fmt::Result {
        binders(self.f, &function.binders)?;
        self.f.write_str("(")?;
        commas(self.f, &function.params)?;
        if !function.params.is_empty() && !function.attrs.is_empty() {
            self.f.write_str(", ")?;
        }
        commas(self.f, &function.attrs)?;
        self.f.write_str(")")?;
        if let Some(result) = &function.result {
            match &result.node {
                Type::Fn(inner) if !inner.constraints.is_empty() => {
                    write!(self.f, " -> ({inner})")?;
                }
                result => write!(self.f, " -> {result}")?,
            }
        }
        constraints(self.f, &function.constraints)?;
        self.f.write_str(" ")?;
        self.braces(function.body)
    }

    fn braces(&mut self, body: ExprId) -> fmt::Result {
        self.f.write_str("{")?;
        self.indent += 1;
        self.line()?;
        self.block(body)?;
        self.indent -= 1;
        self.line()?;
        self.f.write_str("}")
    }

    /// The expressions in braces.
    fn block(&mut self, mut id: ExprId) -> fmt::Result {
        loop {
            match self.program.expr(id) {
                Expr::Let {
                    name,
                    ty,
                    value,
                    body,
                    is_graph,
                } => {
                    let word = if *is_graph { "" } else { "let " };
                    write!(self.f, "{word}%{}", name.node)?;
                    if let Some(ty) = ty {
                        write!(self.f, ": {}", ty.node)?;
                    }
                    self.f.write_str(" = ")?;
                    self.expr(*value, 1)?;
                    id = *body;
                }
                Expr::Seq(first, rest) => {
                    self.expr(*first, 1)?;
                    id = *rest;
                }
                _ => return self.expr(id, 1),
            }
            self.f.write_str(";")?;
            self.line()?;
        }
    }

    /// An expression that holds together at least so tightly, in brackets if it does not by itself.
    fn expr(&mut self, id: ExprId, least: u8) -> fmt::Result {
        let own = rank(self.program.expr(id));
        if own == 0 {
            return self.braces(id);
        }
        if own < least {
            self.f.write_str("(")?;
            self.expr(id, 1)?;
            return self.f.write_str(")");
        }
        // Everything on the left side of which an expression stands without a bracket, from the outside.
        let mut spine = Vec::new();
        let mut at = id;
        loop {
            let (left, least) = match self.program.expr(at) {
                Expr::Binary(op, left, _) => (*left, op_rank(*op)),
                Expr::Call {
                    callee, type_args, ..
                } if type_args.is_empty() => (*callee, 6),
                Expr::Project(of, _) => (*of, 6),
                _ => break,
            };
            if rank(self.program.expr(left)) < least || is_number(self.program.expr(left), least) {
                spine.push(at);
                self.f.write_str("(")?;
                self.block(left)?;
                self.f.write_str(")")?;
                at = left;
                break;
            }
            spine.push(at);
            at = left;
        }
        let is_written = spine
            .last()
            .is_some_and(|last| match self.program.expr(*last) {
                Expr::Binary(op, left, _) => rank(self.program.expr(*left)) < op_rank(*op),
                Expr::Call { callee: left, .. } | Expr::Project(left, _) => {
                    let left = self.program.expr(*left);
                    rank(left) < 6 || is_number(left, 6)
                }
                _ => false,
            });
        if !is_written {
            self.head(at)?;
        }
        while let Some(id) = spine.pop() {
            match self.program.expr(id) {
                Expr::Binary(op, _, right) => {
                    write!(self.f, " {} ", op.written())?;
                    self.expr(*right, op_rank(*op) + 1)?;
                }
                Expr::Call { args, attrs, .. } => self.args(args, attrs)?,
                Expr::Project(_, index) => write!(self.f, ".{index}")?,
                _ => {}
            }
        }
        Ok(())
    }

    fn args(&mut self, args: &[ExprId], attrs: &[Attr]) -> fmt::Result {
        self.f.write_str("(")?;
        self.list(args)?;
        if !args.is_empty() && !attrs.is_empty() {
            self.f.write_str(", ")?;
        }
        commas(self.f, attrs)?;
        self.f.write_str(")")
    }

    fn list(&mut self, all: &[ExprId]) -> fmt::Result {
        for (i, one) in all.iter().enumerate() {
            if i > 0 {
                self.f.write_str(", ")?;
            }
            self.expr(*one, 1)?;
        }
        Ok(())
    }

    /// What begins with no expression.
    fn head(&mut self, id: ExprId) -> fmt::Result {
        match self.program.expr(id) {
            Expr::Local(name) => write!(self.f, "%{name}"),
            Expr::Global(name) => write!(self.f, "@{name}"),
            Expr::Name(name) => self.f.write_str(name),
            Expr::Literal(literal) => literal.fmt(self.f),
            Expr::Text(written) => text::write(self.f, written),
            Expr::Meta(written) => self.f.write_str(written),
            Expr::Hole => self.f.write_str("_"),
            Expr::Tuple(fields) => {
                self.f.write_str("(")?;
                self.list(fields)?;
                self.f.write_str(if fields.len() == 1 { ",)" } else { ")" })
            }
            Expr::Call {
                callee,
                type_args,
                args,
                attrs,
            } => {
                self.head(*callee)?;
                self.f.write_str("<")?;
                commas(self.f, nodes(type_args))?;
                self.f.write_str(">")?;
                self.args(args, attrs)
            }
            Expr::Negate(inner) => {
                self.f.write_str("-")?;
                match self.program.expr(*inner) {
                    Expr::Negate(_) => {
                        self.f.write_str("(")?;
                        self.expr(*inner, 1)?;
                        self.f.write_str(")")
                    }
                    _ => self.expr(*inner, 6),
                }
            }
            Expr::Function(function) => {
                self.f.write_str("fn ")?;
                self.function(function)
            }
            Expr::If(c, a, b) => {
                self.f.write_str("if (")?;
                self.expr(*c, 1)?;
                self.f.write_str(") ")?;
                self.braces(*a)?;
                self.f.write_str(" else ")?;
                self.braces(*b)
            }
            Expr::Match {
                scrutinee,
                clauses,
                is_complete,
            } => {
                self.f
                    .write_str(if *is_complete { "match (" } else { "match? (" })?;
                self.expr(*scrutinee, 1)?;
                self.f.write_str(") {")?;
                self.indent += 1;
                for clause in clauses {
                    self.line()?;
                    write!(self.f, "{} => ", clause.pattern.node)?;
                    self.expr(clause.body, 1)?;
                    self.f.write_str(",")?;
                }
                self.indent -= 1;
                self.line()?;
                self.f.write_str("}")
            }
            Expr::RefNew(value) => self.word("ref", &[*value]),
            Expr::RefRead(value) => self.word("ref_read", &[*value]),
            Expr::RefWrite(reference, value) => self.word("ref_write", &[*reference, *value]),
            Expr::Binary(..) | Expr::Project(..) | Expr::Let { .. } | Expr::Seq(..) => {
                self.expr(id, 1)
            }
        }
    }

    fn word(&mut self, name: &str, args: &[ExprId]) -> fmt::Result {
        write!(self.f, "{name}(")?;
        self.list(args)?;
        self.f.write_str(")")
    }
}

/// A number is read with what follows it: it cannot be called or projected without a bracket.
fn is_number(e: &Expr, least: u8) -> bool {
    least == 6 && matches!(e, Expr::Literal(_))
}
