//! [`Vocabulary`]: which words are constructors when a text is read.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use kanshape_diag::Diagnostic;
use kanshape_syntax::parse_type;

use super::{Constructor, random, sparse};
use crate::{FnType, Name, Type, TypeKind, error};

/// The words that are constructors of types. Cloning one is cheap.
///
/// [`Vocabulary::default`] has the built-in ones: `RandomState`, `Sparse` and its formats `csr`,
/// `csc`, `coo` and `bsr`. [`str::parse`] and [`Type::from_tree`] read with these. A word that is
/// in no vocabulary is a type variable, or an algebraic data type.
#[derive(Clone, Debug)]
pub struct Vocabulary(Arc<BTreeMap<Name, Constructor>>);

impl Vocabulary {
    /// No words at all.
    pub fn empty() -> Vocabulary {
        Vocabulary(Arc::default())
    }

    /// The same and one word more.
    ///
    /// # Errors
    ///
    /// A word that is already another constructor's.
    pub fn with(mut self, constructor: Constructor) -> Result<Vocabulary, Diagnostic> {
        let name = constructor.name();
        if self.0.contains_key(name) {
            return Err(error::type_name(name, "it is taken"));
        }
        Arc::make_mut(&mut self.0).insert(name.clone(), constructor);
        Ok(self)
    }

    /// Are these the built-in words and no more?
    pub fn is_built_in(&self) -> bool {
        Arc::ptr_eq(&self.0, &Vocabulary::built_in().0)
    }

    /// The words of both.
    ///
    /// # Errors
    ///
    /// A word that is another constructor's in each.
    pub fn and(self, other: &Vocabulary) -> Result<Vocabulary, Diagnostic> {
        other.iter().try_fold(self, |words, constructor| {
            match words.get(constructor.name()) {
                Some(known) if known.is_same(constructor) => Ok(words),
                _ => words.with(constructor.clone()),
            }
        })
    }

    /// A type that was read without these words, in them: what was taken for an algebraic data type or a variable is one of these constructors
    /// if it has its name and as many arguments.
    ///
    /// ```
    /// use kanshape::{Type, user::{Constructor, Vocabulary}};
    ///
    /// let words = Vocabulary::default().with(Constructor::declared("Quantized", ["values"], "")?)?;
    /// let read: Type = "Quantized[i8[n]]".parse()?;
    /// assert_ne!(read, words.parse("Quantized[i8[n]]")?);
    /// assert_eq!(words.adopt(&read), words.parse("Quantized[i8[n]]")?);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn adopt(&self, ty: &Type) -> Type {
        let adopted = |name: &Name, args: &[Type]| {
            let args: Vec<Type> = args.iter().map(|arg| self.adopt(arg)).collect();
            let own = self.get(name);
            own.and_then(|own| own.apply(args.iter().cloned()).ok())
                .map_or_else(|| Err(args), |own| Ok(own.kind))
        };
        let all = |types: &[Type]| -> Vec<Type> { types.iter().map(|ty| self.adopt(ty)).collect() };
        let kind = match &ty.kind {
            TypeKind::Adt(name, args) => {
                adopted(name, args).unwrap_or_else(|args| TypeKind::Adt(name.clone(), args.into()))
            }
            TypeKind::Var(name) => {
                adopted(name, &[]).unwrap_or_else(|_| TypeKind::Var(name.clone()))
            }
            TypeKind::Tuple(fields) => TypeKind::Tuple(all(fields).into()),
            TypeKind::User(own, args) => TypeKind::User(own.clone(), all(args).into()),
            TypeKind::Fn(function) => TypeKind::Fn(Arc::new(FnType {
                params: all(&function.params).into(),
                result: self.adopt(&function.result),
            })),
            TypeKind::Unknown | TypeKind::Tensor(_) => ty.kind.clone(),
        };
        Type {
            kind,
            conditions: ty.conditions.clone(),
        }
    }

    /// The constructor with this name.
    pub fn get(&self, name: &str) -> Option<&Constructor> {
        self.0.get(name)
    }

    /// The constructors by name.
    pub fn iter(&self) -> impl Iterator<Item = &Constructor> {
        self.0.values()
    }

    /// Reads a type in these words.
    ///
    /// # Errors
    ///
    /// A text that is no type; the places are bytes of it.
    pub fn parse(&self, text: &str) -> Result<Type, Diagnostic> {
        let tree = parse_type(text)?;
        Type::from_tree_in(&tree, self)
            .and_then(|ty| Type::all_declared(&tree, self).map(|()| ty))
            .map_err(|diagnostic| diagnostic.with_source("type", text))
    }

    /// The built-in words, shared.
    pub(crate) fn built_in() -> &'static Vocabulary {
        static BUILT_IN: LazyLock<Vocabulary> = LazyLock::new(|| {
            let all = sparse::constructors().chain([random::constructor()]);
            let named = all.map(|constructor| (constructor.name().clone(), constructor));
            Vocabulary(Arc::new(named.collect()))
        });
        &BUILT_IN
    }
}

impl Default for Vocabulary {
    fn default() -> Self {
        Vocabulary::built_in().clone()
    }
}
