//! [`Signature`]: a line of text, read and compiled once, queried many times.

use crate::Query;
use crate::solve::subject::{RuleSource, Subject};
use kanshape_diag::{Diagnostic, Source};
use kanshape_rules::rules::Library;
use kanshape_rules::rules::op::OpSignature;
use kanshape_syntax::tree;
use kanshape_types::Vocabulary;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

/// The typing rule of an operator: one relation between the shapes and dtypes of its inputs,
/// outputs and parameters.
///
/// Cloning is cheap. Two signatures are equal when the same thing is written, whatever the spacing, and the
/// relations that they use are the same ones.
///
/// ```
/// use kanshape::Signature;
///
/// let matmul: Signature = "(m, n), (n, p) -> (m, p)".parse()?;
/// assert_eq!(matmul.to_string(), "(m,n),(n,p)->(m,p)");
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone)]
pub struct Signature(Arc<Subject>);

impl Signature {
    /// Compiles a tree. The places of a mistake are those of the tree.
    ///
    /// # Errors
    /// A [`Diagnostic`] where a word of the tree means nothing: an unknown dtype, function of
    /// types or relation.
    pub fn from_tree(tree: tree::Signature) -> Result<Signature, Diagnostic> {
        Signature::from_tree_in(tree, &Vocabulary::default())
    }

    /// Compiles a tree in these words: those that are constructors of types are no variables.
    ///
    /// # Errors
    /// As [`Signature::from_tree`], and where a constructor does not take its arguments.
    pub fn from_tree_in(
        tree: tree::Signature,
        vocabulary: &Vocabulary,
    ) -> Result<Signature, Diagnostic> {
        let subject = Subject::signature(tree, None, vocabulary)?;
        Ok(Signature(Arc::new(subject)))
    }

    /// Reads a signature in these words.
    ///
    /// ```
    /// use kanshape::{Signature, user::Vocabulary};
    ///
    /// let normal = Signature::parse_in("RandomState, (n):f32 -> RandomState, (n):f32", &Vocabulary::default())?;
    /// let answer = normal.infer(&["RandomState".parse()?, "f32[3]".parse()?])?;
    /// assert_eq!(answer.to_string(), "RandomState, f32[3] -> RandomState, f32[3]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A text that is no signature; the places are bytes of it.
    pub fn parse_in(text: &str, vocabulary: &Vocabulary) -> Result<Signature, Diagnostic> {
        let tree = kanshape_syntax::parse_signature(text)?;
        let subject = Subject::signature(tree, Some(text.into()), vocabulary);
        let subject = subject.map_err(|mut diagnostic| {
            diagnostic.source.get_or_insert_with(|| Source {
                name: "signature".into(),
                text: text.into(),
            });
            diagnostic
        })?;
        Ok(Signature(Arc::new(subject)))
    }

    /// The signature that an operator is written as.
    pub(crate) fn of_operator(signature: &OpSignature) -> Signature {
        let written = RuleSource::Signature(signature.tree.clone(), None);
        let subject = Subject::compiled(signature.compiled.clone(), written);
        Signature(Arc::new(subject))
    }

    /// The relation of types with this number, as a signature.
    pub(crate) fn of_relation(
        tree: tree::Signature,
        library: &Arc<Library>,
        number: usize,
    ) -> Signature {
        Signature(Arc::new(Subject::relation(tree, library, number)))
    }

    /// The signature that a query is about, if it is one.
    pub(crate) fn of_subject(subject: &Arc<Subject>) -> Option<Signature> {
        match &subject.written {
            RuleSource::Signature(..) => Some(Signature(Arc::clone(subject))),
            _ => None,
        }
    }

    /// What is written.
    pub fn tree(&self) -> &tree::Signature {
        static NONE: LazyLock<tree::Signature> = LazyLock::new(tree::Signature::default);
        match &self.0.written {
            RuleSource::Signature(tree, _) => tree,
            _ => &NONE,
        }
    }

    /// The text that was read, if it was read on its own: the places of the tree are those of this.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.0.written {
            RuleSource::Signature(_, text) => text.as_deref(),
            _ => None,
        }
    }

    /// How many inputs it has.
    pub fn input_count(&self) -> usize {
        self.0.inputs
    }

    /// How many outputs it has.
    pub fn output_count(&self) -> usize {
        self.0.outputs
    }

    /// A query about it, with nothing given yet.
    pub fn query(&self) -> Query {
        Query::new(Arc::clone(&self.0))
    }

    pub(crate) fn subject(&self) -> &Subject {
        &self.0
    }
}

impl FromStr for Signature {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Signature, Diagnostic> {
        Signature::parse_in(text, &Vocabulary::default())
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree().fmt(f)
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({self})")
    }
}

impl PartialEq for Signature {
    fn eq(&self, other: &Signature) -> bool {
        // What the same text calls may be defined otherwise.
        let same_library = || Arc::ptr_eq(&self.0.library, &other.0.library);
        Arc::ptr_eq(&self.0, &other.0) || self.tree() == other.tree() && same_library()
    }
}

impl Eq for Signature {}

impl PartialOrd for Signature {
    fn partial_cmp(&self, other: &Signature) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By their texts.
impl Ord for Signature {
    fn cmp(&self, other: &Signature) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        let texts = self.to_string().cmp(&other.to_string());
        let library = |one: &Signature| Arc::as_ptr(&one.0.library);
        texts.then_with(|| library(self).cmp(&library(other)))
    }
}

impl Hash for Signature {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.tree().hash(state);
    }
}
