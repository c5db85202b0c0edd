//! Types to trees.

use kanshape_syntax::tree::{self, Condition, DimItem, DtypeExpr, Expr, Span, Spanned};

use crate::name::ident;
use crate::{Content, Dim, Dtype, DtypeSet, DtypeTerm, Nominal, Shape, Type, TypeKind};

impl Type {
    /// The tree that denotes this type, without places. The conditions of the types inside
    /// follow those of the type itself.
    pub fn to_tree(&self) -> tree::TypeText {
        let mut conditions = Vec::new();
        let ty = write(self, &mut conditions);
        tree::TypeText { ty, conditions }
    }
}

fn write(ty: &Type, conditions: &mut Vec<Spanned<Condition>>) -> Spanned<tree::Type> {
    conditions.extend(ty.conditions.iter().cloned().map(nowhere));
    let mut write_all =
        |types: &[Type]| -> Vec<_> { types.iter().map(|ty| write(ty, conditions)).collect() };
    nowhere(match &ty.kind {
        TypeKind::Unknown => tree::Type::Hole,
        TypeKind::Tensor(tensor) => tree::Type::Tensor {
            dtype: nowhere(tensor.dtype.to_tree()),
            shape: tensor.shape.to_tree(),
            contents: tensor.contents.as_ref().map(|contents| {
                let dtype = tensor.dtype.known();
                let members = contents.iter().map(|member| member.to_tree(dtype));
                nowhere(members.map(nowhere).collect())
            }),
        },
        TypeKind::Tuple(fields) => tree::Type::Tuple(write_all(fields)),
        TypeKind::Fn(function) => {
            let params = write_all(&function.params);
            tree::Type::Fn(params, Box::new(write(&function.result, conditions)))
        }
        TypeKind::Adt(name, args) => tree::Type::Adt(ident(name), write_all(args)),
        TypeKind::User(constructor, args) if args.is_empty() => {
            tree::Type::Name(ident(constructor.name()))
        }
        TypeKind::User(constructor, args) => {
            tree::Type::Adt(ident(constructor.name()), write_all(args))
        }
        TypeKind::Var(name) => tree::Type::Name(ident(name)),
    })
}

impl Shape {
    /// The dims as a tree, without places.
    pub fn to_tree(&self) -> Vec<Spanned<DimItem>> {
        let run = self
            .run()
            .map(|run| DimItem::Run(run.name.as_deref().map(ident)));
        let before = self.before().iter().map(Dim::to_tree);
        let after = self.after().iter().map(Dim::to_tree);
        before.chain(run).chain(after).map(nowhere).collect()
    }
}

impl Dim {
    /// The dim as a tree, without places.
    pub fn to_tree(&self) -> DimItem {
        match self {
            Dim::Size(size) => DimItem::Dim(Expr::Int(*size)),
            Dim::Name(name) => DimItem::Dim(Expr::Name(ident(name))),
            Dim::Expr(expr) => DimItem::Dim((**expr).clone()),
            Dim::Nominal(nominal) => DimItem::Dim(Expr::Nominal(Box::new(nominal.to_tree()))),
            Dim::Hole => DimItem::Hole,
        }
    }
}

impl Content {
    /// The member as a tree, without places, as an element of the dtype, if it is known, is best written:
    /// a float as the shortest decimal for it.
    pub fn to_tree(&self, dtype: Option<Dtype>) -> tree::Content {
        match self {
            Content::Hole => tree::Content::Hole,
            Content::Bool(bool) => tree::Content::Bool(*bool),
            Content::Float(float) => tree::Content::Float(Content::float_text(*float, dtype)),
            Content::Text(text) => tree::Content::Text((&**text).into()),
            Content::Int(_) | Content::Name(_) | Content::Expr(_) => match self.expr() {
                Some(expr) => tree::Content::Dim(expr),
                None => tree::Content::Hole,
            },
        }
    }
}

impl Nominal {
    /// The size and its identity as a tree, without places.
    pub fn to_tree(&self) -> tree::Nominal {
        tree::Nominal {
            size: nowhere(self.size),
            identity: ident(&self.identity),
        }
    }
}

impl DtypeTerm {
    /// The dtype as a tree, without places.
    pub fn to_tree(&self) -> DtypeExpr {
        match self {
            DtypeTerm::Known(dtype) => DtypeExpr::Name(ident(dtype.name())),
            DtypeTerm::Name(name) => DtypeExpr::Name(ident(name)),
            DtypeTerm::Set(set) => set.to_tree(),
            DtypeTerm::Hole => DtypeExpr::Hole,
        }
    }
}

impl DtypeSet {
    /// The set as a tree, without places: a class by its name, if it is one.
    pub fn to_tree(self) -> DtypeExpr {
        match self.class_name() {
            Some(class) => DtypeExpr::Name(ident(class)),
            None => DtypeExpr::Set(self.iter().map(|dtype| ident(dtype.name())).collect()),
        }
    }
}

fn nowhere<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}
