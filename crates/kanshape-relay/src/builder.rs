//! Programs without a text: for whoever has an IR of their own.

use kanshape::tree::relay::{
    self, Attr, AttrValue, Clause, Def, Expr, ExprId, Float, Function, Item, Literal, LiteralKind,
    Param, Type,
};
use kanshape::tree::{Ident, Span, Spanned};
use kanshape::tree::{parse_relay_pattern, parse_relay_program};

use crate::notation::read_program_type;
use crate::problem::Problem;
use crate::program::Program;

/// Makes a program out of expressions, each made before what it is part of. Types and patterns are texts; types as
/// Relay writes them or as kanshape does.
///
/// The place of a problem is the number of the expression that it is about: where a label begins is
/// [`ExprId::index`] of what the builder gave.
///
/// ```
/// use kanshape_relay::Builder;
///
/// let mut b = Builder::new("mine");
/// b.data("type Option[A] { Some(A), None }")?;
/// let (x, w) = (b.local("x"), b.local("w"));
/// let dense = b.operator("nn.dense", [x, w], []);
/// let x = b.local("x");
/// let other = b.operator("nn.relu", [x], []);
/// let weight = b.local("weight");
/// let case = b.matched(weight, [("Some(%w)", dense), ("None", other)])?;
/// b.define("main", [("x", Some("f32[n, 8]")), ("weight", None)], None, case)?;
/// let program = b.program();
///
/// let typing = program.check_all(kanshape::catalog());
/// let ty = "fn (Tensor[(n, 8), float32], Option[Tensor[(8, 8), float32]]) -> Tensor[(n, 8), float32]";
/// assert_eq!(typing.global("main").map(|main| main.ty.to_string()).as_deref(), Some(ty));
/// assert_eq!(typing.ty(dense).map(ToString::to_string).as_deref(), Some("Tensor[(n, 8), float32]"));
/// # Ok::<(), kanshape_relay::Problem>(())
/// ```
///
/// Operators are those of any catalog: `onnx::Relu` by its full name, `nn.relu` of Relay.
#[derive(Clone, Debug)]
pub struct Builder {
    name: String,
    tree: relay::Program,
}

impl Builder {
    /// A program without definitions; messages call it by this name.
    pub fn new(name: &str) -> Builder {
        Builder {
            name: name.to_owned(),
            tree: relay::Program::default(),
        }
    }

    /// The program.
    pub fn program(self) -> Program {
        Program::of(&self.name, self.tree)
    }

    /// Adds the data types of a text.
    ///
    /// # Errors
    /// The first mistake of the text.
    pub fn data(&mut self, text: &str) -> Result<(), Problem> {
        let read = parse_relay_program(text).map_err(Problem::of_text)?;
        let data = |item: &Item| matches!(item, Item::Data(_));
        self.tree.items.extend(read.items.into_iter().filter(data));
        Ok(())
    }

    /// Defines a function: its parameters, with their types where they are known, the type of what it gives, and its
    /// body.
    ///
    /// # Errors
    /// A text that is no type.
    pub fn define<'t>(
        &mut self,
        name: &str,
        params: impl IntoIterator<Item = (&'t str, Option<&'t str>)>,
        result: Option<&str>,
        body: ExprId,
    ) -> Result<(), Problem> {
        let function = function(params, result, body)?;
        self.tree.items.push(Item::Def(Def {
            name: ident(name),
            function,
        }));
        Ok(())
    }

    /// A variable.
    pub fn local(&mut self, name: &str) -> ExprId {
        self.add(Expr::Local(name.into()))
    }

    /// A function of the program.
    pub fn global(&mut self, name: &str) -> ExprId {
        self.add(Expr::Global(name.into()))
    }

    /// A constructor, or an operator that is not called.
    pub fn named(&mut self, name: &str) -> ExprId {
        self.add(Expr::Name(name.into()))
    }

    /// An expression that is not written.
    pub fn gap(&mut self) -> ExprId {
        self.add(Expr::Hole)
    }

    /// A constant of type `int32`.
    pub fn int(&mut self, value: i32) -> ExprId {
        self.literal(LiteralKind::Int(value.into()), "int32")
    }

    /// A constant of type `float32`.
    pub fn float(&mut self, value: f32) -> ExprId {
        let value = Float::new(value.into());
        self.literal(LiteralKind::Float(value), "float32")
    }

    /// A constant of type `bool`.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.literal(LiteralKind::Bool(value), "bool")
    }

    /// A call of an operator, with its attributes.
    pub fn operator<'t>(
        &mut self,
        name: &str,
        args: impl IntoIterator<Item = ExprId>,
        attrs: impl IntoIterator<Item = (&'t str, AttrValue)>,
    ) -> ExprId {
        let attrs = attrs.into_iter().map(|(name, value)| Attr {
            name: ident(name),
            value: sp(value),
        });
        let attrs = attrs.collect();
        let callee = self.named(name);
        self.add(Expr::Call {
            callee,
            type_args: Vec::new(),
            args: args.into_iter().collect(),
            attrs,
        })
    }

    /// A call of a function, or of a constructor.
    pub fn call(&mut self, callee: ExprId, args: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.add(Expr::Call {
            callee,
            type_args: Vec::new(),
            args: args.into_iter().collect(),
            attrs: Vec::new(),
        })
    }

    /// A tuple.
    pub fn tuple(&mut self, fields: impl IntoIterator<Item = ExprId>) -> ExprId {
        self.add(Expr::Tuple(fields.into_iter().collect()))
    }

    /// A field of a tuple.
    pub fn field(&mut self, of: ExprId, index: u64) -> ExprId {
        self.add(Expr::Project(of, index))
    }

    /// A function: its parameters, with their types where they are known, and its body.
    ///
    /// # Errors
    /// A text that is no type.
    pub fn lambda<'t>(
        &mut self,
        params: impl IntoIterator<Item = (&'t str, Option<&'t str>)>,
        body: ExprId,
    ) -> Result<ExprId, Problem> {
        let function = function(params, None, body)?;
        Ok(self.add(Expr::Function(Box::new(function))))
    }

    /// A variable with its value, in what follows.
    pub fn bind(&mut self, name: &str, value: ExprId, body: ExprId) -> ExprId {
        self.add(Expr::Let {
            name: ident(name),
            ty: None,
            value,
            body,
            is_graph: false,
        })
    }

    /// One of two expressions.
    pub fn choice(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        self.add(Expr::If(condition, yes, no))
    }

    /// A match that has to be complete: patterns, and what they give.
    ///
    /// # Errors
    /// A text that is no pattern.
    pub fn matched<'t>(
        &mut self,
        scrutinee: ExprId,
        clauses: impl IntoIterator<Item = (&'t str, ExprId)>,
    ) -> Result<ExprId, Problem> {
        let clauses = clauses.into_iter().map(|(pattern, body)| {
            let pattern = parse_relay_pattern(pattern).map_err(Problem::of_text)?;
            Ok(Clause {
                pattern: sp(pattern),
                body,
            })
        });
        let clauses = clauses.collect::<Result<Vec<Clause>, Problem>>()?;
        Ok(self.add(Expr::Match {
            scrutinee,
            clauses,
            is_complete: true,
        }))
    }

    fn literal(&mut self, kind: LiteralKind, dtype: &'static str) -> ExprId {
        self.add(Expr::Literal(Literal { kind, dtype }))
    }

    fn add(&mut self, e: Expr) -> ExprId {
        let place = self.tree.len();
        self.tree.add(e, Span::new(place, place + 1))
    }
}

fn function<'t>(
    params: impl IntoIterator<Item = (&'t str, Option<&'t str>)>,
    result: Option<&str>,
    body: ExprId,
) -> Result<Function, Problem> {
    let params = params.into_iter().map(|(name, ty)| {
        Ok(Param {
            name: ident(name),
            ty: ty.map(read).transpose()?,
        })
    });
    Ok(Function {
        binders: Vec::new(),
        params: params.collect::<Result<_, Problem>>()?,
        result: result.map(read).transpose()?,
        constraints: Vec::new(),
        attrs: Vec::new(),
        body,
    })
}

fn read(ty: &str) -> Result<Spanned<Type>, Problem> {
    read_program_type(ty).map(sp).map_err(Problem::of_text)
}

fn ident(name: &str) -> Ident {
    sp(name.into())
}

fn sp<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}
