//! [`Loaded`]: what can be named: the catalog, and the files of `--load`. [`Subject`]: what a name denotes.

use std::fmt;

use kanshape::catalog::lenient_catalog;
use kanshape::{Diagnostic, Operator, Relations, Signature, catalog};

use crate::mistake;

/// What a question is about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A signature.
    Signature(Signature),
    /// An operator.
    Operator(Operator),
}

impl Subject {
    /// An operator; one that is written as a signature is that signature.
    fn of(operator: Operator) -> Subject {
        match operator.signature() {
            Some(signature) => Subject::Signature(signature.clone()),
            None => Subject::Operator(operator),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Signature(signature) => signature.fmt(f),
            Subject::Operator(operator) => f.write_str(operator.text()),
        }
    }
}

/// The operators and relations that can be named. The catalog is read at the first look-up.
#[derive(Debug, Default)]
pub struct Loaded {
    lenient: bool,
    own: Option<OwnFiles>,
}

/// Files on top of the catalog.
#[derive(Debug)]
struct OwnFiles {
    relations: Relations,
    names: Vec<String>,
}

impl Loaded {
    /// Reads these files, each with its name, on top of the catalog; `lenient` is what that accepts.
    ///
    /// # Errors
    /// What is wrong with the first of them that has a mistake.
    pub fn new(files: &[(String, String)], lenient: bool) -> Result<Loaded, Diagnostic> {
        let mut loaded = Loaded { lenient, own: None };
        if files.is_empty() {
            return Ok(loaded);
        }
        let texts = files.iter().map(|(name, text)| (&**name, &**text));
        let relations = loaded.base().with(texts)?;
        let names = files.iter().map(|(name, _)| name.clone()).collect();
        loaded.own = Some(OwnFiles { relations, names });
        Ok(loaded)
    }

    /// The catalog.
    fn base(&self) -> &'static Relations {
        match self.lenient {
            true => lenient_catalog(),
            false => catalog(),
        }
    }

    /// What the files warn of.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let own = self.own.iter();
        own.flat_map(|own| own.relations.warnings()).collect()
    }

    /// All relations and operators.
    pub fn relations(&self) -> &Relations {
        self.own
            .as_ref()
            .map_or_else(|| self.base(), |own| &own.relations)
    }

    /// What a text denotes: the name of an operator, or of a relation between types; or a signature, written out.
    pub fn subject(&self, text: &str, opset: Option<u64>) -> Result<Subject, Diagnostic> {
        let word = text.trim();
        if !is_name(word) {
            return match opset {
                Some(_) => Err(mistake::only_of_operators("--opset")),
                None => text.parse().map(Subject::Signature),
            };
        }
        let relations = self.relations();
        match relations.operator(word, opset) {
            Ok(operator) if operator.domain().is_empty() || !self.defines(word) => {
                Ok(Subject::of(operator))
            }
            Err(unknown) if !self.defines(word) => Err(unknown),
            // A relation is of no domain, and counts before the operators of all of them.
            _ => relations.signature(word).map(Subject::Signature),
        }
    }

    /// Is this a relation that the files that were loaded have defined?
    fn defines(&self, name: &str) -> bool {
        let Some(own) = &self.own else {
            return false;
        };
        let is_there = |relations: &Relations| relations.names().any(|other| other == name);
        is_there(&own.relations) && !is_there(self.base())
    }

    /// The signature that a text is, or that has this name.
    pub fn signature(&self, text: &str) -> Result<Signature, Diagnostic> {
        match self.subject(text, None)? {
            Subject::Signature(signature) => Ok(signature),
            Subject::Operator(operator) => Err(mistake::no_signature(&operator.full_name())),
        }
    }

    /// The operator of this name, if it is one.
    pub fn named(&self, name: &str, opset: Option<u64>) -> Option<Result<Operator, Diagnostic>> {
        let word = name.trim();
        is_name(word).then(|| self.relations().operator(word, opset))
    }

    /// All operators, every version of them, in the order of their names, and the newest first.
    pub fn all(&self) -> Vec<Operator> {
        self.relations().operators().collect()
    }

    /// The operators of this domain and of those within it: `onnx` denotes all that begin with it.
    pub fn domain(&self, name: &str) -> Vec<Operator> {
        self.relations().operators_of(name.trim()).collect()
    }

    /// All versions of an operator, the oldest first.
    pub fn versions(&self, operator: &Operator) -> Vec<Operator> {
        let is_same =
            |op: &Operator| op.name() == operator.name() && op.domain() == operator.domain();
        let mut all: Vec<Operator> = self.relations().operators().filter(is_same).collect();
        all.sort_by_key(Operator::since);
        all
    }

    /// The operators of the files that were loaded, or all if none was.
    pub fn own_operators_or_all(&self) -> Vec<Operator> {
        let all = self.relations().operators();
        match &self.own {
            Some(own) => all
                .filter(|op| own.names.iter().any(|file| *file == op.file()))
                .collect(),
            None => all.collect(),
        }
    }
}

/// Is this a name, and no signature?
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.-:".contains(c))
}
