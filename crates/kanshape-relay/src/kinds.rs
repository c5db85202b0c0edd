//! The kinds of types, as they are written.

use kanshape::Dtype;
use kanshape::tree::relay::{FnType, Relation, Type};
use kanshape::tree::{Ident, Span, Spanned};
use rustc_hash::FxHashMap;

use crate::problem::{ErrorKind, Problem};

/// What a type parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are what they are called")]
pub enum Kind {
    Type,
    Shape,
    ShapeVar,
    BaseType,
    Constraint,
    AdtHandle,
    TypeData,
}

impl Kind {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Type => "Type",
            Kind::Shape => "Shape",
            Kind::ShapeVar => "ShapeVar",
            Kind::BaseType => "BaseType",
            Kind::Constraint => "Constraint",
            Kind::AdtHandle => "AdtHandle",
            Kind::TypeData => "TypeData",
        }
    }

    pub(crate) fn read(name: &Ident) -> Result<Kind, Problem> {
        const ALL: [Kind; 7] = [
            Kind::Type,
            Kind::Shape,
            Kind::ShapeVar,
            Kind::BaseType,
            Kind::Constraint,
            Kind::AdtHandle,
            Kind::TypeData,
        ];
        let found = ALL.into_iter().find(|kind| kind.name() == &*name.node);
        found.ok_or_else(|| {
            let headline = format!("there is no kind `{}`", name.node);
            Problem::new(ErrorKind::Kind, headline, name.span)
                .help("the kinds are Type, Shape, ShapeVar, BaseType and Constraint")
        })
    }
}

/// The algebraic data types that types may name, with the number of their parameters.
pub(crate) trait Handles {
    /// `None` if there is no such type.
    fn parameters(&self, name: &str) -> Option<usize>;
    /// Whether any name is one with as many parameters as it is given.
    fn is_open(&self) -> bool {
        false
    }
}

/// The kind of each name that is bound.
pub(crate) type Scope = FxHashMap<Box<str>, Kind>;

/// Finds the kind of a written type. Nesting is bounded by the reader.
pub(crate) struct Kinds<'h> {
    pub(crate) handles: &'h dyn Handles,
    pub(crate) scope: Scope,
    /// Names that nothing binds are parameters of kind `Type`: as in `'a` and in `data List { .. }`.
    pub(crate) binds: bool,
}

impl Kinds<'_> {
    /// The kind of a type.
    pub(crate) fn of(&mut self, ty: &Spanned<Type>) -> Result<Kind, Problem> {
        let at = ty.span;
        Ok(match &ty.node {
            Type::Hole | Type::Named(_) => Kind::Type,
            Type::Tensor(..) => Kind::Type,
            Type::Shape(_) => Kind::Shape,
            Type::Size(_) => Kind::ShapeVar,
            Type::Rigid(name, kind) => match (kind, self.scope.get(&name.node)) {
                (Some(kind), _) => Kind::read(kind)?,
                (None, Some(kind)) => *kind,
                (None, None) => Kind::Type,
            },
            Type::Handle(name, kind) => match kind {
                Some(kind) => Kind::read(kind)?,
                None => {
                    self.arity(name)?;
                    Kind::AdtHandle
                }
            },
            Type::Data(name) => {
                self.arity(name)?;
                Kind::TypeData
            }
            Type::Name(name) => self.name(name)?,
            Type::Apply(name, args) => {
                if self.scope.contains_key(&name.node) {
                    let headline = format!("the type parameter `{}` takes no arguments", name.node);
                    return Err(Problem::new(ErrorKind::Kind, headline, at)
                        .help("only an algebraic data type is applied to types"));
                }
                let count = self.arity(name)?;
                if count.is_some_and(|count| count != args.len()) {
                    return Err(wrong_count(name, count.unwrap_or(0), args.len(), at));
                }
                for arg in args {
                    self.is(arg, Kind::Type, "a type argument")?;
                }
                Kind::Type
            }
            Type::Tuple(fields) => {
                for field in fields {
                    self.is(field, Kind::Type, "a field of a tuple")?;
                }
                Kind::Type
            }
            Type::Fn(function) => self.function(function)?,
            Type::Ref(inner) => {
                self.is(inner, Kind::Type, "the content of a reference")?;
                Kind::Type
            }
            Type::Relation(relation) => self.relation(relation)?,
        })
    }

    fn name(&mut self, name: &Ident) -> Result<Kind, Problem> {
        if let Some(kind) = self.scope.get(&name.node) {
            return Ok(*kind);
        }
        if is_dtype(&name.node) {
            return Ok(Kind::Type);
        }
        if self.handles.is_open() {
            return Ok(Kind::Type);
        }
        match self.handles.parameters(&name.node) {
            Some(0) => Ok(Kind::Type),
            Some(count) => Err(wrong_count(name, count, 0, name.span)),
            None if self.binds => {
                self.scope.insert(name.node.clone(), Kind::Type);
                Ok(Kind::Type)
            }
            None => Err(undefined(name)),
        }
    }

    fn arity(&self, name: &Ident) -> Result<Option<usize>, Problem> {
        match self.handles.parameters(&name.node) {
            Some(count) => Ok(Some(count)),
            None if self.handles.is_open() => Ok(None),
            None => Err(undefined(name)),
        }
    }

    fn function(&mut self, function: &FnType) -> Result<Kind, Problem> {
        let outer = self.scope.clone();
        let binds = self.binds;
        // `fn(t1, t2) -> t3 where Broadcast` binds what nothing defines.
        self.binds |=
            !function.constraints.is_empty() || matches!(function.result.node, Type::Relation(_));
        for binder in &function.binders {
            let kind = match &binder.kind {
                Some(kind) => Kind::read(kind)?,
                None => Kind::Type,
            };
            self.scope.insert(binder.name.node.clone(), kind);
        }
        let parts = function.params.iter().map(|param| (param, "a parameter"));
        let parts = parts.chain([(&function.result, "the result of a function")]);
        for (part, what) in parts {
            // A relation as the result is what it gives on the parameters.
            if matches!(part.node, Type::Relation(_)) && what.starts_with("the result") {
                self.of(part)?;
                continue;
            }
            self.is(part, Kind::Type, what)?;
        }
        for constraint in &function.constraints {
            self.relation(&constraint.node)?;
        }
        self.scope = outer;
        self.binds = binds;
        Ok(Kind::Type)
    }

    fn relation(&mut self, relation: &Relation) -> Result<Kind, Problem> {
        for arg in relation.args.iter().flatten() {
            self.is(arg, Kind::Type, "an argument of a relation")?;
        }
        Ok(Kind::Constraint)
    }

    fn is(&mut self, ty: &Spanned<Type>, kind: Kind, what: &str) -> Result<(), Problem> {
        let own = self.of(ty)?;
        if own == kind {
            return Ok(());
        }
        let headline = format!(
            "`{}` is of kind `{}`, and {what} is of kind `{}`",
            ty.node,
            own.name(),
            kind.name()
        );
        Err(Problem::new(ErrorKind::Kind, headline, ty.span))
    }
}

pub(crate) fn is_dtype(name: &str) -> bool {
    Dtype::named(name).is_some()
}

fn undefined(name: &Ident) -> Problem {
    let headline = format!("there is no type `{}`", name.node);
    Problem::new(ErrorKind::Kind, headline, name.span).labelled("not defined")
}

fn wrong_count(name: &Ident, count: usize, given: usize, at: Span) -> Problem {
    let count = crate::problem::counted(count, "type");
    let headline = format!("`{}` takes {count}, and here are {given}", name.node);
    Problem::new(ErrorKind::Kind, headline, at)
}
