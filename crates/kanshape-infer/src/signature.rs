//! [`Signature`]: a line of text, read and compiled once, asked many times.

use crate::program::Program;
use crate::query::Query;
use kanshape_diag::{Diagnostic, Source};
use kanshape_syntax::tree;
use kanshape_types::Vocabulary;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

/// The typing rule of an operator: one relation between the shapes and dtypes of its inputs,
/// outputs and parameters.
///
/// Cloning is cheap. Two signatures are equal when the same thing is written, whatever the spacing, and the
/// relations that they ask for are the same ones.
///
/// ```
/// use kanshape_infer::Signature;
///
/// let matmul: Signature = "(m, n), (n, p) -> (m, p)".parse()?;
/// assert_eq!(matmul.to_string(), "(m,n),(n,p)->(m,p)");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
#[derive(Clone)]
pub struct Signature(Arc<Inner>);

struct Inner {
    tree: tree::Signature,
    /// What was read, if that is what the places of the tree are of.
    text: Option<Box<str>>,
    program: Program,
}

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
        let program = Program::compile(&tree, vocabulary)?;
        Ok(Signature::compiled(tree, program))
    }

    /// Reads a signature in these words.
    ///
    /// ```
    /// use kanshape_infer::Signature;
    /// use kanshape_types::Vocabulary;
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
        let program = Program::compile(&tree, vocabulary).map_err(|mut diagnostic| {
            diagnostic.source.get_or_insert_with(|| Source {
                name: "signature".into(),
                text: text.into(),
            });
            diagnostic
        })?;
        let text = Some(text.into());
        Ok(Signature(Arc::new(Inner {
            tree,
            text,
            program,
        })))
    }

    /// The relation of `count` types each of which is what the operand across from it is.
    pub(crate) fn identity(count: usize) -> Signature {
        Signature::compiled(tree::Signature::default(), Program::identity(count))
    }

    /// A signature that is compiled already.
    pub(crate) fn compiled(tree: tree::Signature, program: Program) -> Signature {
        Signature(Arc::new(Inner {
            tree,
            text: None,
            program,
        }))
    }

    /// What is written.
    pub fn tree(&self) -> &tree::Signature {
        &self.0.tree
    }

    /// The text that was read, if it was read on its own: the places of the tree are those of this.
    pub(crate) fn text(&self) -> Option<&str> {
        self.0.text.as_deref()
    }

    /// How many inputs it has.
    pub fn input_count(&self) -> usize {
        self.0.program.inputs.len()
    }

    /// How many outputs it has.
    pub fn output_count(&self) -> usize {
        self.0.program.outputs.len()
    }

    /// A question about it, with nothing given yet.
    pub fn query(&self) -> Query {
        Query::new(self.clone())
    }

    pub(crate) fn program(&self) -> &Program {
        &self.0.program
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
        self.0.tree.fmt(f)
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({self})")
    }
}

impl PartialEq for Signature {
    fn eq(&self, other: &Signature) -> bool {
        let library = |s: &Signature| s.0.program.calls.as_ref().map(|c| Arc::as_ptr(&c.library));
        Arc::ptr_eq(&self.0, &other.0)
            || self.0.tree == other.0.tree && library(self) == library(other)
    }
}

impl Eq for Signature {}

impl Hash for Signature {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.tree.hash(state);
    }
}
