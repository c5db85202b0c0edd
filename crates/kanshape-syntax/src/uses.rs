//! Which names a text uses, for what, and where.

use crate::tree::{
    Condition, Content, DimItem, DtypeExpr, Expr, Func, Ident, Item, Operand, Pattern, Signature,
    Span, Spanned, Type,
};

/// One use of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use<'t> {
    /// Empty for the run without a name.
    pub(crate) name: &'t str,
    pub(crate) role: Role,
    pub(crate) span: Span,
}

/// What a name denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A dim, a parameter, the length of a run.
    Dim,
    /// `n?`.
    Optional,
    /// `...r`, as an item.
    Run,
    /// `...r`, as an argument or in a condition.
    RunArg,
    /// A dtype, whether a variable or not.
    Dtype,
    /// A whole type.
    Type,
    /// In a condition: a dim or a dtype, and only the rest of the text knows which.
    DimOrDtype,
}

/// All uses in a signature, in the order of the tree.
pub(crate) fn of_signature(signature: &Signature) -> Vec<Use<'_>> {
    let mut uses = Uses(Vec::new());
    for param in &signature.params {
        uses.ident(&param.name, Role::Dim);
    }
    for operand in signature.inputs.iter().chain(&signature.outputs) {
        uses.operand(operand);
    }
    uses.conditions(&signature.conditions);
    uses.0
}

/// All uses in a type with its conditions.
pub(crate) fn of_type<'t>(ty: &'t Type, conditions: &'t [Spanned<Condition>]) -> Vec<Use<'t>> {
    let mut uses = Uses(Vec::new());
    uses.ty(ty);
    uses.conditions(conditions);
    uses.0
}

struct Uses<'t>(Vec<Use<'t>>);

impl<'t> Uses<'t> {
    fn ident(&mut self, ident: &'t Ident, role: Role) {
        self.0.push(Use {
            name: &ident.node,
            role,
            span: ident.span,
        });
    }

    fn run(&mut self, run: &'t Option<Ident>, role: Role, span: Span) {
        let (name, span): (&str, Span) = match run {
            // The dots belong to it.
            Some(name) => (
                &name.node,
                Span::new(name.span.start.saturating_sub(3), name.span.end),
            ),
            None => ("", span),
        };
        self.0.push(Use { name, role, span });
    }

    fn operand(&mut self, operand: &'t Operand) {
        match &operand.pattern {
            Pattern::Shape(items) => items.iter().for_each(|item| self.item(item)),
            Pattern::Type(ty) => self.ty(&ty.node),
        }
        if let Some(dtype) = &operand.dtype {
            self.dtype(&dtype.node);
        }
    }

    fn item(&mut self, item: &'t Spanned<Item>) {
        match &item.node {
            Item::Dim(e) | Item::OrOne(e) => self.expr(e, Role::Dim, item.span),
            Item::Optional(e) => self.expr(e, Role::Optional, item.span),
            Item::Run(run) => self.run(run, Role::Run, item.span),
            Item::Skip(_) => {}
            Item::SkipNamed(name) => self.ident(name, Role::Dim),
        }
    }

    /// The names of an expression; `around` is where it stands.
    fn expr(&mut self, e: &'t Expr, role: Role, around: Span) {
        match e {
            // An identity is a word of its own, which no name can be taken for.
            Expr::Int(_) | Expr::Nominal(_) => {}
            Expr::Name(name) => self.ident(name, role),
            Expr::Sum(terms) => {
                for (_, term) in terms {
                    self.expr(term, dim(role), around);
                }
            }
            Expr::Chain(first, rest) => {
                self.expr(first, dim(role), around);
                for (_, factor) in rest {
                    self.expr(factor, dim(role), around);
                }
            }
            Expr::Call(func, args) => {
                let role = match func {
                    Func::Promote => Role::Dtype,
                    Func::Min | Func::Max | Func::Prod | Func::Broadcast => dim(role),
                };
                for arg in args {
                    self.expr(arg, role, around);
                }
            }
            Expr::CeilDiv(a, b) => {
                self.expr(a, dim(role), around);
                self.expr(b, dim(role), around);
            }
            Expr::Run(run) => self.run(run, Role::RunArg, around),
            Expr::List(items) => {
                for item in items {
                    match &item.node {
                        // Some dims, and not the run without a name that operands have.
                        DimItem::Hole | DimItem::Run(None) => {}
                        DimItem::Dim(e) => self.expr(e, Role::Dim, item.span),
                        DimItem::Run(run) => self.run(run, Role::RunArg, item.span),
                    }
                }
            }
        }
    }

    fn dtype(&mut self, dtype: &'t DtypeExpr) {
        match dtype {
            DtypeExpr::Name(name) => self.ident(name, Role::Dtype),
            DtypeExpr::Set(names) => {
                for name in names {
                    self.ident(name, Role::Dtype);
                }
            }
            DtypeExpr::Promote(args) => {
                for arg in args {
                    self.dtype(arg);
                }
            }
            DtypeExpr::Hole => {}
        }
    }

    fn conditions(&mut self, conditions: &'t [Spanned<Condition>]) {
        for condition in conditions {
            match &condition.node {
                Condition::Compare(first, rest) => {
                    self.expr(first, Role::DimOrDtype, condition.span);
                    for (_, side) in rest {
                        self.expr(side, Role::DimOrDtype, condition.span);
                    }
                }
                Condition::In(e, members) => {
                    self.expr(e, Role::DimOrDtype, condition.span);
                    for member in members {
                        self.expr(member, Role::DimOrDtype, condition.span);
                    }
                }
                Condition::Dtype(name, dtype) => {
                    self.ident(name, Role::Dtype);
                    self.dtype(dtype);
                }
            }
        }
    }

    fn ty(&mut self, ty: &'t Type) {
        match ty {
            Type::Hole => {}
            Type::Name(name) => self.ident(name, Role::Type),
            Type::Tensor {
                dtype,
                shape,
                contents,
            } => {
                self.dtype(&dtype.node);
                for item in shape {
                    match &item.node {
                        DimItem::Hole => {}
                        DimItem::Dim(e) => self.expr(e, Role::Dim, item.span),
                        DimItem::Run(run) => self.run(run, Role::Run, item.span),
                    }
                }
                for member in contents.iter().flat_map(|contents| &contents.node) {
                    if let Content::Dim(e) = &member.node {
                        self.expr(e, Role::Dim, member.span);
                    }
                }
            }
            Type::Tuple(types) | Type::Adt(_, types) => {
                for ty in types {
                    self.ty(&ty.node);
                }
            }
            Type::Fn(args, result) => {
                for ty in args {
                    self.ty(&ty.node);
                }
                self.ty(&result.node);
            }
        }
    }
}

/// What a name inside an expression denotes: arithmetic is about dims.
fn dim(role: Role) -> Role {
    match role {
        Role::Optional => Role::Optional,
        _ => Role::Dim,
    }
}
