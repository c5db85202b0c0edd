//! [`Vocabulary`]: which words are constructors when a text is read.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use kanshape_diag::Diagnostic;
use kanshape_syntax::parse_type;

use super::{Constructor, random, sparse};
use crate::{Name, Type, error};

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
