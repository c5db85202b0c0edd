//! Relations in text: clauses that are compiled when they are loaded, and run in every direction.
//!
//! [`Relations`] is what a user has in hand. A file becomes rules (`compile`): names get numbers, words their
//! meaning, and of every term it is found out what kind of thing it is. A call of a relation is a choice of the
//! engine (`run`): a look at the arguments leaves the clauses that may hold (`matching`), and where that is one,
//! the call commits to it. It knows nothing of the grammar, and nothing of which argument is given.
//!
//! A relation that is about types alone is queried like a signature: [`Relations::signature`].

use super::warnings::Warnings;
use crate::{Operator, Signature};
use kanshape_diag::Diagnostic;
use kanshape_rules::encode::Kind;
use kanshape_rules::native;
use kanshape_rules::native::user::{Registered, RustRelation};
use kanshape_rules::rules::library::File;
use kanshape_rules::rules::{Library, OpEntry, error};
use kanshape_syntax::relation;
use kanshape_types::Vocabulary;
use rustc_hash::FxHashMap;
use std::any::Any;
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

/// The text of the standard library.
pub const STANDARD: &str = include_str!("std.kan");

/// The index of it, which `cargo xtask index` writes.
pub(super) const STANDARD_INDEX: &str = include_str!("std.index.txt");

/// Relations that can be queried: those of the standard library, and those of the files that were loaded.
///
/// Cloning is cheap.
///
/// ```
/// use kanshape::Relations;
///
/// let relations = Relations::load_str(
///     "mine.kan",
///     "Flat(Tensor(sh, bt), O) :- O = Tensor((sh[0], prod(sh[1:])), bt)",
/// )?;
/// let flat = relations.signature("Flat")?;
/// let answer = flat.infer(&["f32[2, 3, 4]".parse()?])?;
/// assert_eq!(answer.to_string(), "f32[2, 3, 4] -> f32[2, 12]");
/// // Backwards.
/// let answer = flat.solve(&["f32[2, ?, 4]".parse()?], &["f32[2, 12]".parse()?])?;
/// assert_eq!(answer.inputs[0].to_string(), "f32[2, 3, 4]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Relations {
    pub(super) files: Arc<[Arc<File>]>,
    /// Those that are stated in Rust.
    rust: Arc<[Arc<Registered>]>,
    pub(super) library: Arc<Library>,
    warnings: Arc<Warnings>,
    /// The operators that are written as signatures, by the number of their rule.
    signatures: Arc<[OnceLock<Signature>]>,
    /// The operators that have been looked up, by name: there are no more than the names that they have.
    found: Arc<RwLock<FoundByName>>,
    /// What whoever uses them keeps for the next use.
    kept: Arc<OnceLock<Arc<dyn Any + Send + Sync>>>,
}

type FoundByName = FxHashMap<Box<str>, Arc<[OpEntry]>>;

static STANDARD_RELATIONS: LazyLock<Relations> = LazyLock::new(|| {
    let natives = Library::of_natives(native::built_in(), standard_library);
    let loaded = Relations::indexed(natives, [("std.kan", STANDARD)], STANDARD_INDEX);
    // A test loads it and finds nothing wrong with it.
    loaded.unwrap_or_else(|_| {
        Relations::new(
            Arc::default(),
            Arc::default(),
            Library::default(),
            Warnings::default(),
        )
    })
});

impl Relations {
    /// The standard library alone.
    pub fn standard() -> Relations {
        STANDARD_RELATIONS.clone()
    }

    /// The relations of a text, beside those of the standard library. A relation of the same name and of as many
    /// things hides the standard one.
    ///
    /// # Errors
    /// A [`Diagnostic`] where the text is no file of relations, where something is used as two kinds of things,
    /// and where a relation, function, kind or dtype is not known.
    pub fn load_str(name: &str, text: &str) -> Result<Relations, Diagnostic> {
        Relations::load([(name, text)])
    }

    /// The relations of several texts, each with its name. They can speak of each other.
    ///
    /// # Errors
    /// As [`Relations::load_str`], and where two of them define one relation.
    pub fn load<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Relations, Diagnostic> {
        let files = files
            .into_iter()
            .map(|(name, text)| Ok(Arc::new(File::read(name, text)?)));
        Relations::over(
            Library::clone(&standard_library()),
            Vec::new(),
            files.collect::<Result<_, Diagnostic>>()?,
        )
    }

    /// The same, but each relation and operator is compiled when it is first used: `index` says where in the texts it
    /// is, as [`Relations::index`] of the same texts prints it. This is for large files that come with a program, where
    /// a process needs few of the operators. Neither the texts nor the index are copied or read as a whole, and so they are there as long as the
    /// program. An index of texts of other names or lengths is ignored.
    ///
    /// ```
    /// use kanshape::Relations;
    ///
    /// let files = [("mine.kan", "op Twice(x: T[n]) -> (y: T[2*n])")];
    /// let index = Relations::load(files)?.index();
    /// let lazy = Relations::load_indexed(files, index)?;
    /// assert_eq!(lazy.operator("Twice", None)?.name(), "Twice");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Relations::load`], where the index does not fit.
    pub fn load_indexed<Name, Text>(
        files: impl IntoIterator<Item = (Name, Text)>,
        index: impl Into<Cow<'static, str>>,
    ) -> Result<Relations, Diagnostic>
    where
        Name: Into<Cow<'static, str>>,
        Text: Into<Cow<'static, str>>,
    {
        Relations::indexed(Library::clone(&standard_library()), files, index)
    }

    /// The files of an index on top of a library.
    fn indexed<Name, Text>(
        library: Library,
        files: impl IntoIterator<Item = (Name, Text)>,
        index: impl Into<Cow<'static, str>>,
    ) -> Result<Relations, Diagnostic>
    where
        Name: Into<Cow<'static, str>>,
        Text: Into<Cow<'static, str>>,
    {
        let files = files.into_iter();
        let files: Vec<Arc<File>> = files
            .map(|(name, text)| Arc::new(File::unread(name, text)))
            .collect();
        match library.clone().with_index(&files, index.into()) {
            Some(library) => Ok(Relations::new(
                files.into(),
                Arc::default(),
                library,
                Warnings::default(),
            )),
            None => {
                let files = files.iter();
                let read = files.map(|file| Ok(Arc::new(File::read(&file.name, &file.text)?)));
                Relations::over(
                    library,
                    Vec::new(),
                    read.collect::<Result<_, Diagnostic>>()?,
                )
            }
        }
    }

    /// Where in its files each relation and operator is, and what has to be known of it before it is compiled: for
    /// [`Relations::load_indexed`]. It is a line for each, in a format that may change with any version.
    pub fn index(&self) -> String {
        self.library.index(&self.files, standard_library().len())
    }

    /// These relations and those.
    ///
    /// # Errors
    /// As [`Relations::load`]. What both have is not in conflict with itself.
    pub fn merge(&self, other: &Relations) -> Result<Relations, Diagnostic> {
        let mut files = self.files.to_vec();
        let same =
            |a: &File, b: &File| a.name == b.name && a.text == b.text && a.tree() == b.tree();
        for file in other.files.iter() {
            if !files.iter().any(|f| same(f, file)) {
                files.push(Arc::clone(file));
            }
        }
        let mut rust = self.rust.to_vec();
        let new = |r: &&Arc<Registered>| !self.rust.iter().any(|own| Arc::ptr_eq(own, r));
        rust.extend(other.rust.iter().filter(new).cloned());
        let mut library = Library::clone(&standard_library());
        library.types = self.types().clone().and(other.types())?;
        Relations::over(library, rust, files)
    }

    /// These, with types of one's own that are stated in Rust: what is loaded on top of them can speak of these by name, `Quantized(A, S)` in
    /// terms and `Quantized[i8[n], f32[]]` in signatures. A text can declare types itself, `type Quantized(values, scale)`.
    ///
    /// ```
    /// use kanshape::{Relations, user::{Constructor, Vocabulary}};
    ///
    /// let quantized = Constructor::declared("Quantized", ["values", "scale"], "")?;
    /// let words = Vocabulary::default().with(quantized)?;
    /// let relations = Relations::standard().with_types(&words)?.with([(
    ///     "mine.kan",
    ///     "op Values(q: Quantized(A, S)) -> (y) :- y = A",
    /// )])?;
    /// let input = relations.types().parse("Quantized[i8[2, n], f32[]]")?;
    /// let answer = relations.operator("Values", None)?.call([&input]).infer()?;
    /// assert_eq!(answer.outputs[0].to_string(), "i8[2, n]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A [`Diagnostic`] if one of them has the name of another type.
    pub fn with_types(&self, types: &Vocabulary) -> Result<Relations, Diagnostic> {
        let mut library = Library::clone(&self.library);
        library.types = library.types.and(types)?;
        Ok(Relations {
            warnings: Arc::clone(&self.warnings),
            ..Relations::new(
                Arc::clone(&self.files),
                Arc::clone(&self.rust),
                library,
                Warnings::default(),
            )
        })
    }

    /// The types that texts can speak of by name: the built-in ones, those that the files declare, and those that are stated in Rust.
    pub fn types(&self) -> &Vocabulary {
        &self.library.types
    }

    /// These and the relations and operators of other texts, each with its name. What they define hides what is
    /// known by that name here.
    ///
    /// # Errors
    /// As [`Relations::load`], and where they define a relation that is stated in Rust.
    pub fn with<'a>(
        &self,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Relations, Diagnostic> {
        let files = files
            .into_iter()
            .map(|(name, text)| Ok(Arc::new(File::read(name, text)?)));
        self.with_files(files.collect::<Result<_, Diagnostic>>()?)
    }

    /// These and operators that are made, and stand in no text.
    ///
    /// # Errors
    /// As [`Relations::with`]. The places of the [`Diagnostic`] are those of the trees; which text they are of, the caller knows.
    pub fn with_operators(
        &self,
        operators: impl IntoIterator<Item = relation::Op>,
    ) -> Result<Relations, Diagnostic> {
        self.with_files(vec![Arc::new(File::made(operators))])
    }

    fn with_files(&self, files: Vec<Arc<File>>) -> Result<Relations, Diagnostic> {
        let mut library = Library::clone(&self.library);
        let clauses = library.add(&files)?;
        let own = self.files.iter().cloned();
        Ok(Relations::new(
            own.chain(files).collect(),
            Arc::clone(&self.rust),
            library,
            Warnings::of(self.files.len(), clauses),
        ))
    }

    /// These and a relation that is stated in Rust. What is loaded on top of them can speak of it.
    ///
    /// # Errors
    /// A [`Diagnostic`] if it has a name or a kind that there can't be, and if a file or another relation in Rust
    /// defines what it defines. One of the standard library is hidden.
    pub fn with_relation(
        &self,
        relation: impl RustRelation + 'static,
    ) -> Result<Relations, Diagnostic> {
        let relation = Arc::new(Registered::new(relation)?);
        let mut library = Library::clone(&self.library);
        library.register(relation.clone(), &STANDARD_RELATIONS.library)?;
        let own = self.rust.iter().cloned();
        let rust = own.chain([relation]).collect();
        let files = Arc::clone(&self.files);
        Ok(Relations {
            warnings: Arc::clone(&self.warnings),
            ..Relations::new(files, rust, library, Warnings::default())
        })
    }

    pub(super) fn over(
        mut library: Library,
        rust: Vec<Arc<Registered>>,
        files: Vec<Arc<File>>,
    ) -> Result<Relations, Diagnostic> {
        let standard = library.clone();
        for relation in &rust {
            library.register(relation.clone(), &standard)?;
        }
        let clauses = library.add(&files)?;
        Ok(Relations::new(
            files.into(),
            rust.into(),
            library,
            Warnings::of(0, clauses),
        ))
    }

    fn new(
        files: Arc<[Arc<File>]>,
        rust: Arc<[Arc<Registered>]>,
        library: Library,
        warnings: Warnings,
    ) -> Relations {
        Relations {
            files,
            rust,
            signatures: (0..library.len()).map(|_| OnceLock::new()).collect(),
            library: Arc::new(library),
            warnings: Arc::new(warnings),
            found: Arc::default(),
            kept: Arc::default(),
        }
    }

    /// The operators of a name, by domain, and in a domain the newest version first. Each name is looked up once.
    pub(super) fn entries(&self, name: &str) -> Arc<[OpEntry]> {
        // What a panicking thread left behind is still true.
        let known = self.found.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = known.get(name) {
            return Arc::clone(entries);
        }
        drop(known);
        let entries: Arc<[OpEntry]> = self.library.known.operators(name).into();
        if !entries.is_empty() {
            let mut known = self.found.write().unwrap_or_else(PoisonError::into_inner);
            known.insert(name.into(), Arc::clone(&entries));
        }
        entries
    }

    /// One of their operators.
    pub(super) fn operator_with(&self, entry: &OpEntry) -> Operator {
        let rule = self.library.op(entry);
        let signature = rule.signature.as_ref().map(|signature| {
            let known =
                self.signatures[rule.rule].get_or_init(|| Signature::of_operator(signature));
            known.clone()
        });
        Operator::new(Arc::clone(&self.library), rule, signature)
    }

    /// What is probably not meant as it is written: clauses that can never hold, variables that are written once.
    pub fn warnings(&self) -> impl Iterator<Item = Diagnostic> {
        let found = self.warnings.found(&self.library, &self.files);
        found.iter().cloned()
    }

    /// The names of the relations, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.library.names().into_iter()
    }

    /// A relation between types as a signature: all arguments but the last are inputs, the last one is the
    /// output. Where there are several relations of the name, `Name/3` is the one of three things.
    ///
    /// # Errors
    /// A [`Diagnostic`] if there is no such relation, or if something that it is about is no type.
    pub fn signature(&self, name: &str) -> Result<Signature, Diagnostic> {
        let (number, arity) = self.of_types(name)?;
        let text = forall(self.library.name(number).as_str(), arity);
        let tree = kanshape_syntax::parse_signature(&text)?;
        Ok(Signature::of_relation(tree, &self.library, number))
    }

    /// The number of the relation of types that is meant, and of how many.
    fn of_types(&self, name: &str) -> Result<(usize, usize), Diagnostic> {
        let (word, wanted) = match name.split_once('/') {
            Some((word, count)) => (word, count.trim().parse::<usize>().ok()),
            None => (name, None),
        };
        let arities = self.library.known.arities(word);
        if arities.is_empty() {
            return Err(error::no_relation(word, &self.library.names()));
        }
        let is_of_types = |arity: &usize| {
            let number = self.library.find(word, *arity)?;
            let kinds = self.library.kinds(number);
            let types = *arity > 0 && kinds.iter().all(|k| *k == Kind::Type);
            types.then_some((number, *arity))
        };
        let of_types: Vec<_> = arities
            .iter()
            .filter(|arity| wanted.is_none_or(|w| w == **arity))
            .filter_map(is_of_types)
            .collect();
        match of_types.as_slice() {
            [one] => Ok(*one),
            [] => Err(error::no_signature(
                name,
                "not all that it is about are types".into(),
            )),
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|s| format!("`{word}/{}`", s.1))
                    .collect();
                Err(error::no_signature(
                    name,
                    format!("there are several: {}", names.join(", ")),
                ))
            }
        }
    }

    pub(crate) fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// What has been kept for the next use of them.
    pub(crate) fn kept<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let kept = self.kept.get_or_init(|| Arc::new(T::default()));
        Arc::clone(kept).downcast().unwrap_or_default()
    }
}

/// The library of the standard relations.
pub(super) fn standard_library() -> Arc<Library> {
    Arc::clone(&STANDARD_RELATIONS.library)
}

/// A relation of types in the form of signatures.
fn forall(name: &str, arity: usize) -> String {
    let names: Vec<String> = (0..arity)
        .map(|i| match u8::try_from(i) {
            Ok(i @ 0..26) => char::from(b'A' + i).to_string(),
            _ => format!("A{i}"),
        })
        .collect();
    let mut text = String::from("forall");
    for name in &names {
        let _ = write!(text, " ({name} : Type)");
    }
    let (inputs, output) = names.split_at(arity - 1);
    let all = names.join(", ");
    let (inputs, output) = (inputs.join(", "), output.join(", "));
    let _ = write!(text, ", {name}({all}) => ({inputs}) -> {output}");
    text
}

/// How many operators and relations there are: a catalog has hundreds.
impl fmt::Debug for Relations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relations")
            .field("operators", &self.operators().count())
            .field("relations", &self.names().count())
            .finish_non_exhaustive()
    }
}
