//! Trees to types: what the words of a type mean.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{self, DimItem, DtypeExpr, Expr, Func, Ident, Span, Spanned};

use crate::dtype::{Lookup, look_up, near_miss};
use crate::error::{self, range};
use crate::{
    Conditions, Dim, DtypeSet, DtypeTerm, FnType, Name, Shape, Tensor, Type, TypeKind, Vocabulary,
};

mod condition;
mod contents;
mod declared;
mod user;

impl Type {
    /// The type that a tree denotes, in the built-in [`Vocabulary`]. The places of a mistake are
    /// those of the tree.
    pub fn from_tree(tree: &tree::TypeText) -> Result<Type, Diagnostic> {
        Type::from_tree_in(tree, Vocabulary::built_in())
    }

    /// The type that a tree denotes, in these words.
    pub fn from_tree_in(
        tree: &tree::TypeText,
        vocabulary: &Vocabulary,
    ) -> Result<Type, Diagnostic> {
        let mut reader = Reader::new(vocabulary);
        let kind = reader.kind(&tree.ty)?;
        let conditions = tree
            .conditions
            .iter()
            .map(|condition| reader.condition(condition))
            .collect::<Result<Conditions, _>>()?;
        Ok(Type { kind, conditions })
    }
}

impl Dim {
    /// The dim that an expression, written at `span`, denotes.
    pub fn from_tree(expr: &Expr, span: Span) -> Result<Dim, Diagnostic> {
        Reader::new(Vocabulary::built_in()).dim(expr, span)
    }
}

impl DtypeTerm {
    /// What a word denotes where a dtype is expected, in types and signatures alike: a dtype by
    /// its name or an alias, a class, else a dtype variable.
    ///
    /// A word that is one slip away from a dtype's name is refused instead: one byte changed,
    /// added or left out, or two neighbours swapped. Only words of three bytes or more are looked
    /// at that have a digit and start with the letter of that dtype: `f23`, `int33`, `flaot32`, but
    /// neither `T` nor `t16`.
    pub fn from_ident(ident: &Ident) -> Result<DtypeTerm, Diagnostic> {
        match Word::of(ident)? {
            Word::Dtypes(set) => Ok(set.into()),
            Word::Free => match near_miss(&ident.node) {
                Some(_) => Err(error::unknown_dtype(&ident.node, range(ident.span))),
                None => Ok(DtypeTerm::Name(Name::word(&*ident.node))),
            },
        }
    }

    /// What an expression denotes as the dtype of a tensor. In a type nothing promotes.
    pub fn from_tree(expr: &Spanned<DtypeExpr>) -> Result<DtypeTerm, Diagnostic> {
        match &expr.node {
            DtypeExpr::Name(ident) => DtypeTerm::from_ident(ident),
            DtypeExpr::Hole => Ok(DtypeTerm::Hole),
            DtypeExpr::Set(members) if members.is_empty() => {
                Err(error::empty_dtype_set(range(expr.span)))
            }
            DtypeExpr::Set(members) => Ok(DtypeSet::from_idents(members)?.into()),
            DtypeExpr::Promote(_) => Err(error::promotion_in_type(range(expr.span))),
        }
    }
}

impl DtypeSet {
    /// The set of these dtypes and classes, by name.
    pub fn from_idents(idents: &[Ident]) -> Result<DtypeSet, Diagnostic> {
        idents
            .iter()
            .try_fold(DtypeSet::EMPTY, |set, ident| match Word::of(ident)? {
                Word::Dtypes(more) => Ok(set | more),
                Word::Free => Err(error::unknown_dtype(&ident.node, range(ident.span))),
            })
    }
}

/// What a word is among the words for dtypes.
enum Word {
    /// A dtype or a class.
    Dtypes(DtypeSet),
    /// Nothing yet.
    Free,
}

impl Word {
    fn of(ident: &Ident) -> Result<Word, Diagnostic> {
        match look_up(&ident.node) {
            Lookup::Known(dtype) => Ok(Word::Dtypes(dtype.into())),
            Lookup::Ambiguous(ambiguous) => {
                Err(error::ambiguous_dtype(ambiguous, range(ident.span)))
            }
            Lookup::Unknown => Ok(match DtypeSet::class(&ident.node) {
                Some(class) => Word::Dtypes(class),
                None => Word::Free,
            }),
        }
    }
}

/// What a name denotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Dim,
    Dtype,
}

/// Reads one type, and remembers what its names denote.
struct Reader<'t> {
    vocabulary: &'t Vocabulary,
    uses: HashMap<&'t str, Use>,
}

impl<'t> Reader<'t> {
    fn new(vocabulary: &'t Vocabulary) -> Self {
        Reader {
            vocabulary,
            uses: HashMap::new(),
        }
    }

    fn kind(&mut self, ty: &'t Spanned<tree::Type>) -> Result<TypeKind, Diagnostic> {
        Ok(match &ty.node {
            tree::Type::Hole => TypeKind::Unknown,
            tree::Type::Tensor {
                dtype,
                shape,
                contents,
            } => match self.constructor_of(dtype) {
                Some(constructor) => {
                    if let Some(contents) = contents {
                        return Err(error::no_tensor(constructor.name(), range(contents.span)));
                    }
                    self.applied_to_dims(constructor, ty.span, shape)?
                }
                None => {
                    let tensor = Tensor::new(self.dtype(dtype)?, self.shape(shape)?);
                    TypeKind::Tensor(match contents {
                        Some(contents) => self.with_contents(tensor, contents)?,
                        None => tensor,
                    })
                }
            },
            tree::Type::Tuple(fields) => TypeKind::Tuple(self.types(fields)?),
            tree::Type::Fn(params, result) => TypeKind::Fn(Arc::new(FnType {
                params: self.types(params)?,
                result: self.kind(result)?.into(),
            })),
            tree::Type::Adt(name, args) => match Word::of(name)? {
                Word::Dtypes(_) => {
                    return Err(error::dtype_of_types(&name.node, range(name.span)));
                }
                Word::Free => match self.vocabulary.get(&name.node) {
                    Some(constructor) => self.applied(constructor, ty.span, args)?,
                    None => TypeKind::Adt(Name::word(&*name.node), self.types(args)?),
                },
            },
            tree::Type::Name(name) => self.word(name)?,
        })
    }

    fn types<C: FromIterator<Type>>(
        &mut self,
        types: &'t [Spanned<tree::Type>],
    ) -> Result<C, Diagnostic> {
        types
            .iter()
            .map(|ty| self.kind(ty).map(Type::from))
            .collect()
    }

    fn dtype(&mut self, dtype: &'t Spanned<DtypeExpr>) -> Result<DtypeTerm, Diagnostic> {
        let term = DtypeTerm::from_tree(dtype)?;
        if let (DtypeExpr::Name(ident), DtypeTerm::Name(_)) = (&dtype.node, &term) {
            self.note(ident, Use::Dtype)?;
        }
        Ok(term)
    }

    fn shape(&mut self, items: &'t [Spanned<DimItem>]) -> Result<Shape, Diagnostic> {
        let mut shape = Shape::default();
        for item in items {
            match &item.node {
                DimItem::Hole => shape.push(Dim::Hole),
                DimItem::Dim(expr) => shape.push(self.dim(expr, item.span)?),
                DimItem::Run(_) if shape.run().is_some() => {
                    return Err(error::second_run(range(item.span)));
                }
                DimItem::Run(name) => {
                    let name = name.as_ref().map(|name| Name::word(&*name.node));
                    let end = shape.known_dims().len();
                    shape = shape.with_run(end, name);
                }
            }
        }
        Ok(shape)
    }

    fn dim(&mut self, expr: &'t Expr, span: Span) -> Result<Dim, Diagnostic> {
        match expr {
            Expr::Int(size) if *size > Dim::MAX_SIZE => {
                return Err(error::size_too_large(*size, range(span)));
            }
            Expr::Nominal(n) if n.size.node > Dim::MAX_SIZE => {
                return Err(error::size_too_large(n.size.node, range(n.size.span)));
            }
            // An identity is no use of a name: it is a word of its own.
            Expr::Nominal(_) => {}
            Expr::Run(_) | Expr::List(_) => {
                return Err(error::not_a_dim("a run", range(span)));
            }
            _ => self.note_dims(expr, span)?,
        }
        Ok(Dim::expr(expr.clone()))
    }

    /// Notes the names of a dim, and refuses what is no number.
    fn note_dims(&mut self, expr: &'t Expr, span: Span) -> Result<(), Diagnostic> {
        match expr {
            Expr::Int(_) | Expr::Run(_) | Expr::List(_) => Ok(()),
            Expr::Nominal(n) => Err(error::identity_in_arithmetic(range(n.span()))),
            Expr::Name(name) => self.note(name, Use::Dim),
            Expr::Sum(terms) => terms
                .iter()
                .try_for_each(|(_, term)| self.note_dims(term, span)),
            Expr::Chain(first, rest) => {
                self.note_dims(first, span)?;
                rest.iter()
                    .try_for_each(|(_, factor)| self.note_dims(factor, span))
            }
            Expr::CeilDiv(a, b) => {
                self.note_dims(a, span)?;
                self.note_dims(b, span)
            }
            Expr::Call(Func::Promote, _) => Err(error::not_a_dim("a dtype", range(span))),
            Expr::Call(Func::Broadcast, _) => Err(error::not_a_dim("`broadcast`", range(span))),
            Expr::Call(Func::Min | Func::Max | Func::Prod, args) => {
                args.iter().try_for_each(|arg| self.note_dims(arg, span))
            }
        }
    }

    /// Notes what a name denotes: one thing only.
    fn note(&mut self, ident: &'t Ident, as_what: Use) -> Result<(), Diagnostic> {
        match self.uses.entry(&ident.node) {
            Entry::Occupied(known) if *known.get() != as_what => {
                Err(error::dim_and_dtype(&ident.node, range(ident.span)))
            }
            Entry::Occupied(_) => Ok(()),
            Entry::Vacant(free) => {
                free.insert(as_what);
                Ok(())
            }
        }
    }

    fn is_dtype(&self, name: &str) -> bool {
        self.uses.get(name) == Some(&Use::Dtype)
    }
}
